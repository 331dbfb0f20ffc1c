"""Sets of rows as bits: quick counts of few cells, and of the strata of many conditioning sets.

The rows in which a variable has a given state are a set, stored as bits, 64 rows per word. The rows in which x = 1 and
y = 0 are the intersection of two such sets (`&`), and `bitwise_count` gives its size.

How does a bit represent a row that occurs 5 times? 5 = 4 + 1, so the row has one bit that counts 4 and one that counts
1. All bits of a word count the same, and a weighted sum over the words is the number of rows.

>>> codes = {"A": np.array([0, 1, 1, 1, 1, 1]), "B": np.array([0, 1, 1, 1, 1, 1])}
>>> rows = BitRows.merge(codes, {"A": 2, "B": 2})
>>> rows.weights, rows.bit_weights                        # two distinct rows; one word counts 1, the other 4
(array([1, 5]), array([1., 4.]))
>>> rows.count_bits(rows.bits("A") & rows.bits("B"))      # A = B = 0 once, A = B = 1 five times
array([1., 5.])

Tests of independence ask about the same x and y given very many sets. So a batch of sets is counted at once: their
strata stand side by side in one array. Large batches are counted in a projection onto the columns in question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import prod

import numpy as np

from bnteach.tables.contingency import Codes, DistinctRows, row_numbers

CHUNK = 2**16  # words of bits that are counted at once: half a megabyte, which fits in the cache
FEW_CELLS = 64  # up to this many cells are counted by intersecting sets of rows
MANY_CELLS = 2**10  # from this many cells on, a projection pays
MAX_BATCH = 2**22  # cells of one batch; of a set with more, only the strata that have rows are counted
MAX_CACHE = 2**26  # bytes of intersections that are kept

Names = tuple[str, ...]
Batch = tuple[list[Names], list[int], np.ndarray]


class BitRows(DistinctRows):
    """Distinct rows whose weights are whole numbers, with sets of rows as bits."""

    def __init__(self, codes: Codes, sizes: Mapping[str, int], weights: np.ndarray):
        super().__init__(codes, sizes, weights)
        self.projection: BitRows | None = None
        self._bits: dict[str, np.ndarray] = {}
        self._intersections: dict[Names, np.ndarray] = {}

    def counts(self, names: Sequence[str]) -> np.ndarray:
        """The number of rows for each combination of states, with an axis per variable."""
        shape = tuple(self.sizes[name] for name in names)
        if prod(shape) > FEW_CELLS:
            return super().counts(names)
        return self.count_bits(self.intersections(names)).astype(np.int64).reshape(shape)

    def counts_with_each(self, names: Sequence[str]) -> np.ndarray:
        """The counts of some variables jointly with every state of every variable: an axis each, then all states."""
        shape = [self.sizes[name] for name in names]
        return self._with_every_state(self.intersections(names)).reshape(*shape, -1)

    def pair_counts(self) -> np.ndarray:
        """The counts of all pairs of states of all variables: a square matrix, states in the order of variables."""
        return self._with_every_state(self._every_state)

    # -- bits ------------------------------------------------------------------------------------------
    def bits(self, name: str) -> np.ndarray:
        """The rows of each state of a variable as bits: states x words."""
        if name not in self._bits:
            order = np.concatenate(self._blocks)
            rows = np.append(self.codes[name], -1)[order] == np.arange(self.sizes[name])[:, None]
            self._bits[name] = np.packbits(rows, axis=1).view(np.uint64)
        return self._bits[name]

    def intersections(self, names: Sequence[str]) -> np.ndarray:
        """The rows of each combination of states of some variables as bits: combinations x words."""
        rows = self.bits(names[0]) if names else np.full((1, len(self.bit_weights)), 2**64 - 1, dtype=np.uint64)
        for name in names[1:]:
            rows = (rows[:, None] & self.bits(name)).reshape(-1, rows.shape[1])
        return rows

    def count_bits(self, rows: np.ndarray) -> np.ndarray:
        """The number of rows in sets of bits; the words are the last axis."""
        counts: np.ndarray = np.bitwise_count(rows) @ self.bit_weights
        return counts

    @cached_property
    def bit_weights(self) -> np.ndarray:
        """What each bit of a word counts: a power of two."""
        return np.repeat(2.0 ** np.arange(len(self._blocks)), [len(block) // 64 for block in self._blocks])

    @cached_property
    def _blocks(self) -> list[np.ndarray]:
        """The row of each bit: those with a 1, a 2, a 4 ... in their weights, padded to whole words with -1."""
        digits = range(int(self.weights.max()).bit_length())
        blocks = [np.flatnonzero(self.weights >> digit & 1) for digit in digits]
        return [np.append(block, np.full(-len(block) % 64, -1)) for block in blocks]

    @cached_property
    def _every_state(self) -> np.ndarray:
        """The rows of every state of every variable as bits."""
        return np.concatenate([self.bits(name) for name in self.codes])

    def _with_every_state(self, rows: np.ndarray) -> np.ndarray:
        """The number of rows of each set that have each state of each variable: sets x states."""
        step = max(1, CHUNK // self._every_state.size)
        return np.concatenate([self.count_bits(rows[i: i + step, None] & self._every_state)
                               for i in range(0, len(rows), step)])

    # -- strata ----------------------------------------------------------------------------------------
    def stratified_counts(self, x: str, y: str, sets: list[Names]) -> Iterator[Batch]:
        """The sets, their numbers of strata, and the counts of x and y: states of x, states of y, strata of all sets.

        All sets in one batch, unless they are too large: then one at a time.
        """
        strata = [prod([self.sizes[z] for z in given]) for given in sets]
        small = self.sizes[x] * self.sizes[y] * sum(strata) <= MAX_BATCH
        for some, n in [(sets, strata)] if small else (([given], [n]) for given, n in zip(sets, strata)):
            yield some, n, self._count(x, y, some, n)

    def _count(self, x: str, y: str, sets: list[Names], strata: list[int]) -> np.ndarray:
        shape, cells = (self.sizes[x], self.sizes[y], -1), self.sizes[x] * self.sizes[y] * sum(strata)
        if projection := self._project_for({x, y}.union(*sets), cells):
            return projection.strata_of_sets(x, y, sets)
        if cells * len(self.bit_weights) <= CHUNK:
            given = np.concatenate([self._cached(z) for z in sets]) if len(sets) > 1 else self._cached(sets[0])
            return self.count_bits(self._cached((x, y))[:, None] & given).reshape(shape)
        if cells > MAX_BATCH:
            return self.nonempty_strata(x, y, sets[0])
        if len(sets) == 1:
            return self.counts((x, y, *sets[0])).reshape(shape)
        half = len(sets) // 2
        return np.concatenate([self._count(x, y, sets[:half], strata[:half]),
                               self._count(x, y, sets[half:], strata[half:])], axis=2)

    def _project_for(self, names: set[str], cells: int) -> BitRows | None:
        """The columns of these variables, if that pays; with those of the last projection, if the rows stay few."""
        last = set() if self.projection is None else set(self.projection.sizes)
        if names <= last:
            return self.projection
        for some in (names | last, names) if cells >= MANY_CELLS else ():
            if prod(self.sizes[name] for name in some) <= len(self) / 2:
                self.projection = self.project(name for name in self.codes if name in some)
                return self.projection
        return None

    def _cached(self, names: Names) -> np.ndarray:
        """The intersections, from the cache if possible: the same sets are asked for again."""
        if (rows := self._intersections.get(names)) is None:
            rows = self.intersections(names)
            if len(self._intersections) * rows.nbytes > MAX_CACHE:
                self._intersections.clear()
            self._intersections[names] = rows
        return rows

    def nonempty_strata(self, x: str, y: str, given: Sequence[str]) -> np.ndarray:
        """The counts of x and y in each stratum that has rows: states of x, states of y, strata."""
        numbers = row_numbers([self.codes[name] for name in given], [self.sizes[name] for name in given])
        occurring, stratum = np.unique(numbers, return_inverse=True)
        shape = self.sizes[x], self.sizes[y], len(occurring)
        cell = row_numbers([self.codes[x], self.codes[y], stratum], shape)
        return np.bincount(cell, self.weights, prod(shape)).reshape(shape)

    def strata_of_sets(self, x: str, y: str, sets: Sequence[Sequence[str]]) -> np.ndarray:
        """The counts of x and y given each of many sets: states of x, states of y, the strata of all sets in order.

        For few rows only, since rows x sets numbers are stored at once. The number of a row's cell is a sum, to which
        each state contributes its place value, so one matrix product numbers the cells of all rows for all sets.
        """
        column = {name: i for i, name in enumerate(self.codes)}
        values, begin, strata = np.zeros((len(column), len(sets))), [], 0
        for i, given in enumerate(sets):
            begin.append(strata)
            value = 1
            for name in reversed(given):
                values[column[name], i] = value
                value *= self.sizes[name]
            strata += value
        values[column[y]], values[column[x]] = strata, strata * self.sizes[y]
        cell = (self._matrix @ values + begin).astype(np.int64).ravel()
        shape = self.sizes[x], self.sizes[y], strata
        return np.bincount(cell, np.repeat(self.weights, len(sets)), prod(shape)).reshape(shape)

    @cached_property
    def _matrix(self) -> np.ndarray:
        """The codes as numbers: rows x variables."""
        return np.stack(list(self.codes.values()), axis=1, dtype=float)
