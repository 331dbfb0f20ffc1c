"""The different rows of a table, and how often each occurs: everything that is counted is counted here.

Repeated rows are merged. A million playlists of twenty songs have some 35,000 different rows, and to count those, each
as often as it occurs, gives the same counts. Of fewer columns still fewer rows are different: ten songs have at most
1,024. So a learner that asks many questions about a few variables asks them of the `part` that has these columns.

Two ways to count. Few cells: the rows in which a variable has a given state are a set, kept as bits, 64 rows to a
word. The rows in which x = 1 and y = 0 are the intersection of two such sets (`&`), and their number is the number of
bits that are set (`bitwise_count`). Many cells: each row gets the number of its cell, and these numbers are counted.

How does a bit stand for a row that occurs 5 times? 5 = 4 + 1, so the row has a bit among those that count 4 and one
among those that count 1. All bits of a word count the same, and a weighted sum over the words is the number of rows.

>>> rows = MergedRows({"A": np.array([0, 1, 1, 1, 1, 1]), "B": np.array([0, 1, 1, 1, 1, 1])}, {"A": 2, "B": 2})
>>> rows.times, rows.value                             # two different rows; words that count 1 and 4
(array([1, 5]), array([1., 4.]))
>>> rows.how_many(rows.bits("A") & rows.bits("B"))     # A = B = 0 once, A = B = 1 five times
array([1., 5.])
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from math import prod

import numpy as np

AT_ONCE = 2**16  # words of bits that are counted at once, half a megabyte: so few stay near the processor
FEW_CELLS = 64  # up to so many cells sets of rows are intersected
ROOM = 2**62  # a row's number has to be smaller


class MergedRows:
    """The different rows of some columns: `codes` by variable, and `times`, how often each row occurs."""

    def __init__(self, codes: Mapping[str, np.ndarray], sizes: Mapping[str, int], times: np.ndarray | None = None):
        self.sizes = {name: sizes[name] for name in codes}
        self.codes, self.times = merge(codes, self.sizes, times)
        self._bits: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self.times)

    def part(self, names: Iterable[str]) -> MergedRows:
        """Some of the columns; rows that differ only in the others are merged too."""
        return MergedRows({name: self.codes[name] for name in names}, self.sizes, self.times)

    def counts(self, asked: tuple[str, ...]) -> np.ndarray:
        """How many rows there are for each combination of states: an axis for each variable."""
        shape = tuple(self.sizes[name] for name in asked)
        if prod(shape) <= FEW_CELLS:
            counts = self.how_many(self.intersections(asked))
        else:
            cell = number([self.codes[name] for name in asked], shape)
            counts = np.bincount(cell, weights=self.times, minlength=prod(shape))
        return counts.astype(np.int64).reshape(shape)

    def filled_strata(self, x: str, y: str, given: tuple[str, ...]) -> np.ndarray:
        """The counts of x and y in each stratum that has rows: states of x, states of y, strata."""
        numbers = number([self.codes[name] for name in given], [self.sizes[name] for name in given])
        seen, stratum = np.unique(numbers, return_inverse=True)
        shape = self.sizes[x], self.sizes[y], len(seen)
        cell = number([self.codes[x], self.codes[y], stratum], shape)
        return np.bincount(cell, weights=self.times, minlength=prod(shape)).reshape(shape)

    def side_by_side(self, x: str, y: str, sets: Sequence[tuple[str, ...]]) -> np.ndarray:
        """The counts of x and y given each of many sets: states of x, states of y, and the strata of all sets, those
        of the first set first. For few rows only, since rows x sets numbers are kept at once.

        The number of a row's cell is a sum, to which each state adds its place value. So one product of matrices
        numbers the cells of all rows for all sets.
        """
        values, begin, strata = np.zeros((len(self.codes), len(sets))), [], 0
        for i, given in enumerate(sets):
            begin.append(strata)
            value = 1
            for name in reversed(given):
                values[self._place[name], i] = value
                value *= self.sizes[name]
            strata += value
        values[self._place[y]], values[self._place[x]] = strata, strata * self.sizes[y]
        cell = (self._matrix @ values + begin).astype(np.int64).ravel()
        shape = self.sizes[x], self.sizes[y], strata
        return np.bincount(cell, np.repeat(self.times, len(sets)), prod(shape)).reshape(shape)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.codes)}

    @cached_property
    def _matrix(self) -> np.ndarray:
        """The codes as numbers: rows x variables."""
        return np.stack(list(self.codes.values()), axis=1, dtype=float)

    # -- rows as bits ------------------------------------------------------------------------------------
    def bits(self, name: str) -> np.ndarray:
        """The rows of each state of a variable as bits: states x words."""
        if name not in self._bits:
            rows = np.append(self.codes[name], -1)[self._order] == np.arange(self.sizes[name])[:, None]
            self._bits[name] = np.packbits(rows, axis=1).view(np.uint64)
        return self._bits[name]

    def intersections(self, names: Sequence[str]) -> np.ndarray:
        """The rows of each combination of states of some variables as bits: combinations x words."""
        rows = self.bits(names[0]) if names else np.full((1, len(self.value)), 2**64 - 1, dtype=np.uint64)
        for name in names[1:]:
            rows = (rows[:, None] & self.bits(name)).reshape(-1, rows.shape[1])
        return rows

    def pair_counts(self) -> np.ndarray:
        """The counts of all pairs of states of all variables: a square matrix, states in the order of variables."""
        rows = np.concatenate([self.bits(name) for name in self.codes])
        step = max(1, AT_ONCE // rows.size)
        return np.concatenate([self.how_many(rows[i: i + step, None] & rows) for i in range(0, len(rows), step)])

    def how_many(self, rows: np.ndarray) -> np.ndarray:
        """The number of rows in sets of bits; the words are the last axis."""
        return np.bitwise_count(rows) @ self.value

    @cached_property
    def value(self) -> np.ndarray:
        """What each bit of a word counts: a power of two."""
        return np.repeat(2.0 ** np.arange(len(self._blocks)), [len(block) // 64 for block in self._blocks])

    @cached_property
    def _order(self) -> np.ndarray:
        """Which row each bit stands for; -1 for none."""
        return np.concatenate(self._blocks)

    @cached_property
    def _blocks(self) -> list[np.ndarray]:
        """The rows that have a 1, a 2, a 4 ... in their times, each list filled up to whole words."""
        digits = range(int(self.times.max()).bit_length())
        blocks = [np.flatnonzero(self.times >> digit & 1) for digit in digits]
        return [np.append(block, np.full(-len(block) % 64, -1)) for block in blocks]


def merge(codes: Mapping[str, np.ndarray], sizes: Mapping[str, int],
          times: np.ndarray | None = None) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """The different rows, as codes by variable, and how often each occurs."""
    columns, shape = list(codes.values()), [sizes[name] for name in codes]
    numbers, cells = number(columns, shape), prod(shape)
    if cells <= 4 * len(numbers):  # a place for each row that could be
        counts = np.bincount(numbers, weights=times, minlength=cells)
        there = np.flatnonzero(counts)
        return dict(zip(codes, np.unravel_index(there, shape))), counts[there].astype(np.int64)
    order = np.argsort(numbers)
    numbers = numbers[order]
    begin = np.flatnonzero(np.append(True, numbers[1:] != numbers[:-1]))
    first = order[begin]
    times = np.diff(begin, append=len(order)) if times is None else np.add.reduceat(times[order], begin)
    return {name: code[first] for name, code in codes.items()}, times


def number(columns: Iterable[np.ndarray], sizes: Iterable[int]) -> np.ndarray:
    """A number for each row, equal for equal rows: its states as digits. Where it would grow too large, the numbers
    so far are replaced by their ranks."""
    numbers, room = np.zeros(1, dtype=np.int64), 1
    for column, size in zip(columns, sizes):
        if room * size > ROOM:
            seen, numbers = np.unique(numbers, return_inverse=True)
            room = len(seen)
        numbers = numbers * size + column
        room *= size
    return numbers


def merge_rows(codes: Mapping[str, np.ndarray], rows: int) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """The distinct rows of columns that may have missing values (code -1), and for each row its index among these."""
    if not codes:
        return {}, np.zeros(rows, dtype=np.int64)
    columns = [code.astype(np.int64) + 1 for code in codes.values()]
    numbers = number(columns, [int(column.max()) + 1 for column in columns])
    _, first, which = np.unique(numbers, return_index=True, return_inverse=True)
    return {name: code[first] for name, code in codes.items()}, which
