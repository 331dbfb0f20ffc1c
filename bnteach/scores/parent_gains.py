"""The score of a family with each variable in turn as one more parent, counted all at once.

Hill climbing asks this question about a child each time the child's parents have changed, for every other
variable. Asked one by one, most of the time goes into asking. But the rows in which child and parents have
given states are the same for all: that set of rows, kept as bits (merged_rows.py), is intersected with the rows
of every state of every variable in one go.

>>> from bnteach.datasets import five_rows
>>> from bnteach.scores.base import MDL
>>> score = MDL(five_rows())
>>> ParentGains(score).scores("C", ("A",))["B"] == score.family("C", "AB")
True
"""

from __future__ import annotations

from functools import cached_property
from math import log, prod

import numpy as np

from bnteach.scores.base import PenalisedLikelihood, Score
from bnteach.tables.table import Table

FEW_CELLS = 64  # above so many cells of child and parents, asking one by one is as quick


def counts_rows(score: Score) -> bool:
    """Is this a penalised likelihood of the rows of a Table as they are, and not something made of it?"""
    return type(score.data) is Table and type(score).compute_family is PenalisedLikelihood.compute_family


class ParentGains:
    """Answers the question for one score, and remembers the answers."""

    def __init__(self, score: Score):
        self.score, self.names = score, score.variables
        self.together = counts_rows(score)
        self._known: dict[tuple[str, frozenset[str]], dict[str, float]] = {}
        if self.together:
            self.sizes = {name: len(score.data.states(name)) for name in self.names}
            self.begin = np.cumsum([0, *self.sizes.values()])[:-1]

    def scores(self, child: str, parents: tuple[str, ...] | frozenset[str]) -> dict[str, float]:
        """For each variable that is neither the child nor a parent: the family's score with it as well."""
        key = (child, frozenset(parents))
        if key not in self._known:
            few = self.together and prod(self.sizes[name] for name in (child, *key[1])) <= FEW_CELLS
            self._known[key] = self._at_once(*key) if few else self._one_by_one(*key)
        return self._known[key]

    def _one_by_one(self, child: str, parents: frozenset[str]) -> dict[str, float]:
        return {name: self.score.family(child, parents | {name}) for name in self._others(child, parents)}

    def _at_once(self, child: str, parents: frozenset[str]) -> dict[str, float]:
        counts = self._counts(child, [name for name in self.names if name in parents])
        fits = self._sums(counts.reshape(-1, counts.shape[-1])) - self._sums(counts.sum(axis=0))
        free = (self.sizes[child] - 1) * prod(self.sizes[name] for name in parents)
        fit, price = dict(zip(self.names, (fits / log(self.score.base)).tolist())), self.score.penalty * free
        return {name: fit[name] - price * self.sizes[name] for name in self._others(child, parents)}

    def _counts(self, child: str, parents: list[str]) -> np.ndarray:
        """How many rows: states of the child x combinations of the parents x states of all variables."""
        merged = self.score.data.merged
        counts = [merged.how_many(self._every & row) for row in merged.intersections([child, *parents])]
        return np.array(counts).reshape(self.sizes[child], -1, len(self._every))

    @cached_property
    def _every(self) -> np.ndarray:
        """The rows of every state of every variable as bits."""
        return np.concatenate([self.score.data.merged.bits(name) for name in self.names])

    def _sums(self, counts: np.ndarray) -> np.ndarray:
        """The sum of n log n over the cells, for each variable."""
        return np.add.reduceat((counts * np.log(np.maximum(counts, 1))).sum(axis=0), self.begin)

    def _others(self, child: str, parents: frozenset[str]) -> list[str]:
        return [name for name in self.names if name != child and name not in parents]
