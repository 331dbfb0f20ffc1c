"""Which sets of parents can be part of a best graph? Few: these two rules leave the others out.

    dominated    A set of parents U that scores no more than one of its subsets is never needed: with the subset
                 in its place the graph scores as much, and has no circle that it did not have before.
    hopeless     If even a perfect fit could not pay the penalty of U, no set that contains U can either: the
                 fit of a family is at most 0 (the logarithm of 1), and its penalty only grows.

The sets are gone through by size, and a set is looked at only if none of its subsets was hopeless.
De Campos and Ji 2011. Lesson 11.

>>> from bnteach.datasets import five_rows
>>> from bnteach.scores.penalised import MDL
>>> worthwhile(MDL(five_rows()), "C").sets
{(): -6.0157, ('A',): -5.567, ('B',): -5.567, ('A', 'B'): -4.6439}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from bnteach.scores.base import Score
from bnteach.scores.penalised import PenalisedLikelihood
from bnteach.tables.table import Table

SAME = 1e-9  # a set that scores more than a subset by less does not score more

Names = tuple[str, ...]


class Shown(dict[Names, float]):
    """A dictionary of scores that shows four digits of them."""

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key!r}: {round(value, 4)}" for key, value in self.items()) + "}"


@dataclass
class ParentSets:
    """The sets of parents of one variable that are worth considering, with their scores."""

    child: str
    sets: Shown = field(default_factory=Shown)
    looked: int = 0
    complete: bool = True  # False if the limit on parents left out sets that are not ruled out


def worthwhile(score: Score, child: str, max_parents: int | None = None) -> ParentSets:
    """The sets of at most `max_parents` parents that are neither dominated nor hopeless."""
    others = tuple(name for name in score.variables if name != child)
    most = len(others) if max_parents is None else min(max_parents, len(others))
    found, luck = ParentSets(child), perfect_luck(score, child, others)
    best = {(): score.family(child)}  # the best score of a set or of one of its subsets
    found.sets[()], found.looked = best[()], 1
    level = [()]
    for size in range(1, len(others) + 1):
        level = [parents for parents, bar in _one_more(level, others, best) if luck(parents) > bar + SAME]
        if size > most:
            found.complete = not level
            break
        for parents in level:
            value, bar = score.compute_family(child, parents), _bar(parents, best)
            best[parents] = max(value, bar)
            if value > bar + SAME:
                found.sets[parents] = value
        found.looked += len(level)
    return found


def perfect_luck(score: Score, child: str, others: Names) -> Callable[[Names], float]:
    """What a family would score with the best fit that any set of parents could have."""
    if not isinstance(score, PenalisedLikelihood):
        return lambda parents: float("inf")
    fit = 0.0 if isinstance(score.data, Table) else score.fit(child, others)
    price = score.likelihood.parameters
    return lambda parents: fit - score.penalty * price(child, parents)


def _one_more(level: list[Names], others: Names, best: dict[Names, float]) -> Iterator[tuple[Names, float]]:
    """Each set with one later variable more, if all its subsets are known; and the best that these score."""
    place = {name: i for i, name in enumerate(others)}
    for parents in level:
        for name in others[place[parents[-1]] + 1 if parents else 0:]:
            if (bar := _bar((*parents, name), best)) is not None:
                yield (*parents, name), bar


def _bar(parents: Names, best: dict[Names, float]) -> float | None:
    """The best score among the sets with one variable less; None if one of them was hopeless."""
    bars = [best.get(parents[:i] + parents[i + 1:]) for i in range(len(parents))]
    return None if None in bars else max(bars)
