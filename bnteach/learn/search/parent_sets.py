"""Which parent sets can be part of a best graph? Two rules leave most of them out.

    dominated    A set U that scores no more than one of its subsets is never needed: with the subset in its place, the
                 graph scores as much, and has no cycle that it did not have before. This holds for every score.
    bounded      If the upper bound on the score of U and of all sets that contain it is no more than what a subset of
                 U scores, none of them is needed: the fit can only rise to that with all variables as parents, and
                 the penalty is at least that of U. A score without a penalty has the bound infinity.

The sets are evaluated by size, all of one size at once, and a set only if the second rule left out none of its subsets.
Required parents are in every set, and forbidden ones in none. De Campos and Ji 2011. Lesson 11.

>>> from bnteach import MDL, datasets
>>> found = undominated(MDL(datasets.five_rows()), "C")
>>> {parents: round(value, 4) for parents, value in found.sets.items()}
{(): -6.0157, ('A',): -5.567, ('B',): -5.567, ('A', 'B'): -4.6439}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bnteach.learn.search.constraints import Constraints
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


def undominated(score: Score, child: str, constraints: Constraints | None = None) -> ParentSets:
    """The sets that the constraints allow and that are neither dominated nor bounded."""
    search = _Search(score, child, constraints or Constraints())
    found = ParentSets(child, {search.required: score.family(child, search.required)})
    search.best[search.required] = found.sets[search.required]
    level: list[Names] = [search.required]
    while level:
        larger = search.one_more(level)
        if len(level[0]) == search.limit:
            found.complete = next(larger, None) is None
            break
        level = list(larger)
        for parents, value in zip(level, score.families(child, level)):
            if value > search.best[parents] + TOLERANCE:
                found.sets[parents] = search.best[parents] = value
        found.evaluated += len(level)
    return found


class _Search:
    """The sets of one child: which may be needed, and the best score of each or of one of its subsets."""

    def __init__(self, score: Score, child: str, constraints: Constraints):
        self.score, self.child = score, child
        self.allowed = constraints.candidates(child, score.variables)
        self.required = tuple(name for name in self.allowed if name in constraints.required_parents(child))
        self.limit = len(self.allowed) if constraints.max_parents is None else constraints.max_parents
        self.index = {name: i for i, name in enumerate(self.allowed)}
        self.best: dict[Names, float] = {}

    def one_more(self, level: Iterable[Names]) -> Iterator[Names]:
        """The sets with one later parent more that are not bounded; `best` has the best score of their subsets."""
        for parents in level:
            sets = {larger: max(map(self.best.__getitem__, subsets)) for larger in self.extended(parents)
                    if all(map(self.best.__contains__, subsets := list(self.subsets(larger))))}
            bounds = self.score.upper_bounds(self.child, list(sets), self.allowed) if sets else ()
            for (larger, subset), bound in zip(sets.items(), bounds):
                if bound > subset + TOLERANCE:
                    self.best[larger] = subset
                    yield larger

    def extended(self, parents: Names) -> Iterator[Names]:
        """The set with each parent more that comes after all of its own but the required ones."""
        last = max((self.index[name] for name in parents if name not in self.required), default=-1)
        for name in self.allowed[last + 1:]:
            if name not in self.required:
                yield tuple(sorted((*parents, name), key=self.index.__getitem__)) if self.required else (*parents, name)

    def subsets(self, parents: Names) -> Iterator[Names]:
        """The set without each of its parents in turn, but not without a required one."""
        return (parents[:i] + parents[i + 1:] for i, name in enumerate(parents) if name not in self.required)
