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

Tests of independence ask about many pairs and conditioning sets. So queries of equal shape are counted at once, side
by side in one array. In a large table, those about one pair are counted in a projection onto the columns in question.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from math import prod

import numpy as np

from bnteach.tables.contingency import Codes, DistinctRows, row_numbers

CHUNK = 2**16  # words of bits that are counted at once: half a megabyte, which fits in the cache
FEW_CELLS = 64  # up to this many cells are counted by intersecting sets of rows
WIDE = 64  # a variable with more states than this has no sets of rows: they would be many, and nearly empty
MANY_CELLS = 2**10  # from this many cells on, a projection pays
SMALL = 2**11  # up to this many rows, a projection does not pay
MAX_PROJECTION = 2**15  # possible rows of a projection
MANY_WORDS = 2**10  # from this many words of bits per pair on, pairs are counted one by one
MAX_BATCH = 2**18  # cells of one batch; the cells of a larger query are not all listed
MAX_CACHE = 2**26  # bytes of intersections that are kept

Names = tuple[str, ...]
Query = tuple[str, str, Names]  # x, y, and what is given
Batch = tuple[list[int], list[int], np.ndarray | None]


class BitRows(DistinctRows):
    """Distinct rows whose weights are whole numbers, with sets of rows as bits."""

    def __init__(self, codes: Codes, sizes: Mapping[str, int], weights: np.ndarray):
        super().__init__(codes, sizes, weights)
        self.projection: BitRows | None = None
        self._bits: dict[str, np.ndarray] = {}
        self._strata = Products(sizes)
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
        if len(self._narrow) == len(self.sizes):
            return self._with_states(self.intersections(names), self._states).reshape(*shape, -1)
        return np.concatenate([np.zeros((*shape, size)) if other in names else self.counts((*names, other))
                               for other, size in self.sizes.items()], axis=-1)

    def pair_counts(self) -> np.ndarray:
        """The counts of all pairs of states of all variables: a square matrix, states in the order of variables."""
        every = np.concatenate([self.bits(name) for name in self.codes])
        return self._with_states(every, every)

    def pair_sums(self, term: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """For each pair of variables the sum of a term over the counts of its cells: a square matrix.

        The term of 0 must be 0. Of a variable with many states only the cells that have rows are counted.
        """
        names = list(self.sizes)
        sums, narrow = np.zeros((len(names), len(names))), [i for i, name in enumerate(names) if name in self._narrow]
        begin = [*self._narrow.values(), len(self._states)]
        step = max(1, CHUNK * len(narrow) // max(1, self._states.size * len(self._states)))
        for k in range(0, len(narrow), step):  # some with each other and with all narrow ones behind them
            rows = self._states[begin[k]: begin[min(k + step, len(narrow))]]
            terms = term(self._with_states(rows, self._states[begin[k]:]))
            offsets = np.array(begin[k:-1]) - begin[k]
            block = np.add.reduceat(np.add.reduceat(terms, offsets[:step], axis=0), offsets, axis=1)
            sums[np.ix_(narrow[k: k + step], narrow[k:])] = block
        for i in (i for i, name in enumerate(names) if name not in self._narrow):
            for j, other in enumerate(names):
                sums[i, j] = term(self.project({names[i]: 0, other: 0}).weights).sum()
        return np.where(sums, sums, sums.T)

    # -- bits ------------------------------------------------------------------------------------------
    def bits(self, name: str) -> np.ndarray:
        """The rows of each state of a variable as bits: states x words."""
        if name not in self._bits:
            begin = self._narrow.get(name)
            self._bits[name] = self._pack([name]) if begin is None else self._states[begin: begin + self.sizes[name]]
        return self._bits[name]

    def _pack(self, names: Sequence[str]) -> np.ndarray:
        """The rows of each state of some variables as bits."""
        order, padding = self._rows
        codes = np.stack([self.codes[name].take(order) for name in names])
        codes[:, padding] = -1
        states = np.concatenate([np.arange(self.sizes[name], dtype=codes.dtype) for name in names])
        rows = np.repeat(codes, [self.sizes[name] for name in names], axis=0) == states[:, None]
        return np.packbits(rows, axis=1).view(np.uint64)

    def intersections(self, names: Sequence[str]) -> np.ndarray:
        """The rows of each combination of states of some variables as bits: combinations x words."""
        rows = self.bits(names[0]) if names else np.full((1, len(self.bit_weights)), 2**64 - 1, dtype=np.uint64)
        for name in names[1:]:
            rows = (rows[:, None] & self.bits(name)).reshape(-1, rows.shape[1])
        return rows

    def count_bits(self, rows: np.ndarray) -> np.ndarray:
        """The number of rows in sets of bits; the words are the last axis.

        In parts that fit in the cache, and that are too small for the threads of a linear-algebra library: on a busy
        machine these spend their time waiting for each other.
        """
        sets, step = rows.reshape(-1, rows.shape[-1]), max(1, CHUNK // rows.shape[-1])
        parts = [np.bitwise_count(sets[i: i + step]) @ self.bit_weights for i in range(0, max(1, len(sets)), step)]
        return (parts[0] if len(parts) == 1 else np.concatenate(parts)).reshape(rows.shape[:-1])

    @cached_property
    def bit_weights(self) -> np.ndarray:
        """What each bit of a word counts: a power of two."""
        return np.repeat(2.0 ** np.arange(len(self._blocks)), [-(-len(block) // 64) for block in self._blocks])

    @cached_property
    def _blocks(self) -> list[np.ndarray]:
        """The rows with a 1 in their weights, those with a 2, those with a 4, and so on."""
        return [np.flatnonzero(self.weights >> digit & 1) for digit in range(int(self.weights.max()).bit_length())]

    @cached_property
    def _rows(self) -> tuple[np.ndarray, np.ndarray]:
        """The row of each bit, and the bits that only fill the last word of a block."""
        padded = np.concatenate([np.append(block, np.full(-len(block) % 64, -1)) for block in self._blocks])
        return padded, np.flatnonzero(padded < 0)

    @cached_property
    def _narrow(self) -> dict[str, int]:
        """The variables whose states have sets of rows, and where these begin in `_states`."""
        sizes = {name: size for name, size in self.sizes.items() if size <= WIDE}
        return dict(zip(sizes, np.cumsum([0, *sizes.values()]).tolist()))

    @cached_property
    def _states(self) -> np.ndarray:
        """The rows of every state of these variables as bits."""
        names, step = list(self._narrow), max(1, CHUNK // len(self._rows[0]))
        parts = [self._pack(names[i: i + step]) for i in range(0, len(names), step)]
        return np.concatenate([self.intersections(())[:0], *parts])

    def _with_states(self, rows: np.ndarray, states: np.ndarray) -> np.ndarray:
        """The number of rows of each set that have each of some states: sets x states."""
        step = max(1, CHUNK // max(1, states.size))
        return np.concatenate([self.count_bits(rows[i: i + step, None] & states) for i in range(0, len(rows), step)])

    # -- strata ----------------------------------------------------------------------------------------
    def stratified_counts(self, queries: Sequence[Query]) -> Iterator[Batch]:
        """Batches of queries: their indices, their numbers of strata, and the counts of x and y in all their strata.

        The counts have three axes: states of x, states of y, strata of all queries in the batch, one after the other.
        For a query with too many cells they are None: see `occurring_cells`. If there are many queries about each pair
        x, y, a batch has one pair; otherwise it has pairs with the same numbers of states.
        """
        groups, sizes = defaultdict[tuple[object, ...], list[int]](list), self.sizes
        pairs = len({(x, y) for x, y, _ in queries})
        by_pair = pairs == 1 or len(queries) * len(self.bit_weights) >= MANY_WORDS * pairs
        for i, (x, y, _) in enumerate(queries):
            groups[(x, y) if by_pair else (sizes[x], sizes[y])].append(i)
        for indices in groups.values():
            x, y, _ = queries[indices[0]]
            strata = [self._strata[queries[i][2]] for i in indices]
            limit = MAX_BATCH // (sizes[x] * sizes[y])
            for part in _parts(strata, limit):
                some = [queries[i] for i in indices[part]]
                fits = strata[part.start] <= limit
                yield indices[part], strata[part], self._count(some, strata[part], by_pair) if fits else None

    def _count(self, queries: list[Query], strata: list[int], one_pair: bool) -> np.ndarray:
        (x, y, given), shape = queries[0], (self.sizes[queries[0][0]], self.sizes[queries[0][1]], -1)
        cells = shape[0] * shape[1] * sum(strata)
        sets = [z for _, _, z in queries]
        if one_pair and len(self) > SMALL and (projection := self._project_for({x, y}.union(*sets), cells)):
            return projection.strata_of_sets(x, y, sets)
        if cells * len(self.bit_weights) <= CHUNK and max(shape) <= WIDE:
            return self._intersect(queries, strata, one_pair).reshape(shape)
        if len(queries) == 1:
            return self.counts((x, y, *given)).reshape(shape)
        half = len(queries) // 2
        return np.concatenate([self._count(queries[:half], strata[:half], one_pair),
                               self._count(queries[half:], strata[half:], one_pair)], axis=2)

    def _intersect(self, queries: list[Query], strata: list[int], one_pair: bool) -> np.ndarray:
        """The counts by intersecting the rows of x, of y and of each stratum."""
        of_strata = np.concatenate(self._cached([given for _, _, given in queries]))
        if one_pair or len(queries) == 1:
            return self.count_bits(self._cached([queries[0][:2]])[0][:, None] & of_strata)
        of_x, of_y = self._gather([x for x, _, _ in queries]), self._gather([y for _, y, _ in queries])
        rows = np.repeat(of_x[:, None] & of_y, strata, axis=2)
        rows &= of_strata
        return self.count_bits(rows)

    def _gather(self, names: Sequence[str]) -> np.ndarray:
        """The rows of each state of several variables with equally many: states x variables x words."""
        begin = np.array([self._narrow[name] for name in names])
        return np.asarray(self._states[np.arange(self.sizes[names[0]])[:, None] + begin])

    def _project_for(self, names: set[str], cells: int) -> BitRows | None:
        """The columns of these variables, if that pays; with those of the last projection, if the rows stay few."""
        last = set() if self.projection is None else set(self.projection.sizes)
        if names <= last:
            return self.projection
        for some in (names | last, names) if cells >= MANY_CELLS else ():
            if prod(self.sizes[name] for name in some) <= min(len(self) / 2, MAX_PROJECTION):
                self.projection = self.project(name for name in self.codes if name in some)
                return self.projection
        return None

    def _cached(self, sets: Sequence[Names]) -> list[np.ndarray]:
        """The intersections for each of these sets, from the cache if possible: the same sets are asked for again."""
        cache = self._intersections
        for names in sets:
            if names not in cache:
                cache[names] = self.intersections(names)
        found = [cache[names] for names in sets]
        if len(cache) * found[-1].nbytes > MAX_CACHE:
            cache.clear()
        return found

    def occurring_cells(self, x: str, y: str, given: Sequence[str]) -> tuple[np.ndarray, ...]:
        """The cells of x, y and given that have rows: their counts, states of x, states of y, and numbers of strata."""
        rows = self.project((*given, x, y))
        _, stratum = np.unique(row_numbers([rows.codes[z] for z in given], [self.sizes[z] for z in given]),
                               return_inverse=True)
        return rows.weights, rows.codes[x], rows.codes[y], np.broadcast_to(stratum, len(rows))

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


class Products(dict[Names, int]):
    """The number of combinations of states of some variables, which is computed once."""

    def __init__(self, sizes: Mapping[str, int]):
        self.sizes = sizes

    def __missing__(self, names: Names) -> int:
        self[names] = prod([self.sizes[name] for name in names])
        return self[names]


def _parts(sizes: Sequence[int], limit: int) -> Iterator[slice]:
    """Parts with at most this sum; what is larger is a part of its own."""
    begin = total = 0
    for i, size in enumerate(sizes):
        if i > begin and total + size > limit:
            yield slice(begin, i)
            begin, total = i, 0
        total += size
    yield slice(begin, len(sizes))
