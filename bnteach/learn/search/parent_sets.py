"""Which parent sets can be part of a best graph? Two rules leave most of them out.

    dominated    A set U that scores no more than one of its subsets is never needed: with the subset in its place, the
                 graph scores as much, and has no cycle that it did not have before.
    bounded      If the upper bound on the score of U and of all sets that contain it is no more than what a subset of
                 U scores, none of them is needed: the fit can only rise to that with all variables as parents, and
                 the penalty is at least that of U.

The sets are evaluated by size, and a set only if the second rule left out none of its subsets.
De Campos and Ji 2011. Lesson 11.

>>> from bnteach import MDL, datasets
>>> found = undominated(MDL(datasets.five_rows()), "C")
>>> {parents: round(value, 4) for parents, value in found.sets.items()}
{(): -6.0157, ('A',): -5.567, ('B',): -5.567, ('A', 'B'): -4.6439}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bnteach.learn.search.ties import TOLERANCE
from bnteach.scores.base import Score

Names = tuple[str, ...]


@dataclass
class ParentSets:
    """The undominated parent sets of one variable, with their scores."""

    child: str
    sets: dict[Names, float]
    evaluated: int = 1
    complete: bool = True  # False if the limit on parents left out sets that the bound does not rule out


def undominated(score: Score, child: str, max_parents: int | None = None) -> ParentSets:
    """The sets of at most `max_parents` parents that are neither dominated nor bounded."""
    others = tuple(name for name in score.variables if name != child)
    limit = len(others) if max_parents is None else max_parents
    found = ParentSets(child, {(): score.family(child)})
    best = dict(found.sets)  # the best score of a set or of one of its subsets
    level: dict[Names, float] = {(): float("-inf")}
    while level:
        larger = unbounded(score, child, others, level, best)
        if limit == 0:
            found.complete = next(larger, None) is None
            break
        level, limit = dict(larger), limit - 1
        for parents, subset in level.items():
            value = score.compute_family(child, parents)
            best[parents] = max(value, subset)
            if value > subset + TOLERANCE:
                found.sets[parents] = value
        found.evaluated += len(level)
    return found


def unbounded(score: Score, child: str, others: Names, level: Iterable[Names],
              best: dict[Names, float]) -> Iterator[tuple[Names, float]]:
    """The sets with one later variable more that the bound does not rule out, each with its best subset's score."""
    for parents in level:
        for i in range(others.index(parents[-1]) + 1 if parents else 0, len(others)):
            larger = (*parents, others[i])
            smaller = [larger[:j] + larger[j + 1:] for j in range(len(larger))]
            if all(parents in best for parents in smaller):
                subset = max(best[parents] for parents in smaller)
                rest = (name for name in others if name not in larger)
                if score.upper_bound(child, larger, rest) > subset + TOLERANCE:
                    yield larger, subset
