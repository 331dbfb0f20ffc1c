"""Oracles that ask a table of categories: the chi-square test, and its sister G-square.

Each computes a number that is small when x and y are independent given z, and asks how often chance alone
would make it as large (the p-value). If less often than `alpha`, independence is rejected.

The rows are split into strata, one for each combination of the states of z. In a stratum
of N rows, of which N(x) have x and N(y) have y, one expects E = N(x) N(y) / N rows with both, and counts O:

    chi-square   the sum of (O - E)^2 / E                  G-square   2 times the sum of O ln(O / E)

Under independence both are about chi-square distributed, with (|X| - 1)(|Y| - 1) degrees of freedom for
each combination of the states of z. There is no Yates correction. Not to reject is not to prove: with few
rows and many strata hardly anything can be rejected. Lesson 3.

>>> from bnteach.tables.table import Table
>>> t = Table({"X": [0] * 50 + [1] * 50, "Y": [0] * 30 + [1] * 20 + [0] * 20 + [1] * 30})
>>> print(ChiSquare(t)("X", "Y"))
X and Y are dependent: chi-square 4.000 with 1 degree of freedom, p = 0.0455 < 0.05

Pearson (1900); Fisher (1922) for the degrees of freedom; Spirtes, Glymour and Scheines (2000), Causation,
Prediction, and Search, section 5.5, for their use in learning structure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import accumulate, islice, product
from math import prod
from numbers import Real
from typing import Any

import numpy as np

from bnteach.independence.oracle import Oracle, Verdict, describe_query
from bnteach.tables.contingency import AT_ONCE, MergedRows
from bnteach.tables.table import as_table

REMEMBER = 2**26  # bytes of strata that are kept
TOO_MANY = 2**22  # cells of one handful; of a set with more, only the strata that have rows are counted
MANY_CELLS = 2**10  # for so many cells it is worth taking a part of the table


@cache
def tails() -> tuple[Any, Any]:
    """Upper tail of chi-square, lower tail of the normal: the bare functions, quick to load and to call."""
    from scipy.special import chdtrc, ndtr

    return chdtrc, ndtr


def handfuls(sets: Iterable[tuple[str, ...]]) -> Iterator[list[tuple[str, ...]]]:
    """Eight, then thirty-two, then sixty-four at a time: whoever stops early has not waited for many."""
    sets, most = iter(sets), 8
    while handful := list(islice(sets, most)):
        yield handful
        most = min(4 * most, 64)


class SignificanceTest(Oracle):
    """What the tests share: alpha."""

    def __init__(self, variables: tuple[str, ...], alpha: float):
        if not (isinstance(alpha, Real) and 0 < alpha < 1):
            raise ValueError(f"alpha={alpha!r} is no significance level: it is the share of true independences that "
                             f"one is ready to reject, between 0 and 1, such as 0.05.")
        super().__init__(variables)
        self.alpha = alpha


class _Strata(SignificanceTest):
    """A test on a table of categories, stratum by stratum. A subclass has a name and a distance.

    PC asks about the same x and y with very many sets given. So the tests are done by the handful: the strata of
    several sets stand side by side in one array of counts, and each set then sums up its own strata. Large handfuls
    are counted in a part of the table, which has the columns in question, and so few different rows.
    """

    name: str

    def __init__(self, table: Any, alpha: float = 0.05, adjust: bool = False):
        self.table = as_table(table)
        super().__init__(self.table.variables, alpha)
        self.adjust = adjust
        self._sizes = self.table.merged.sizes
        self._strata: dict[tuple[str, ...], np.ndarray] = {}
        self._last_part: MergedRows | None = None

    @staticmethod
    def distance(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
        """What each cell adds to the statistic."""
        raise NotImplementedError

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        return self._verdict(x, y, *next(self._tests(x, y, [given], self._strata_of([given]))))

    def answers(self, x: str, y: str, sets: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Verdict]]:
        """The verdicts on x and y for one given set after the other, each with its set; without words."""
        for handful, strata in self._handfuls(sets, self._sizes[x] * self._sizes[y]):
            alone = handful == [()] and self._pairs.get((x, y))
            for given, statistic, dof, p in [alone] if alone else self._tests(x, y, handful, strata):
                yield given, Verdict(p >= self.alpha, statistic, dof, p)

    def _tests(self, x: str, y: str, sets: list[tuple[str, ...]], strata: list[int]) -> Iterator[tuple]:
        """For each set: itself, the statistic, its degrees of freedom, and the p-value."""
        begin = [0, *accumulate(strata[:-1])]  # the place of each set's first stratum
        observed = self._count(x, y, sets, strata)
        of_x, of_y = observed.sum(axis=1), observed.sum(axis=0)
        expected = of_x[:, None] * of_y / np.maximum(of_x.sum(axis=0), 1)
        statistic = np.add.reduceat(self.distance(observed, expected).sum(axis=(0, 1)), begin)
        each = (len(of_x) - 1) * (len(of_y) - 1)
        free = _adjusted(of_x, of_y, begin) if self.adjust else [each * n for n in strata]
        return zip(sets, *_with_p_values(statistic, free))

    @cached_property
    def _pairs(self) -> dict[tuple[str, str], tuple]:
        """The tests of all pairs with nothing given, at once: PC begins with them. None if they are too many."""
        if sum(self._sizes.values()) ** 2 > TOO_MANY:
            return {}
        observed, begin = self.table.pair_counts()
        rows = observed.diagonal()
        cells = self.distance(observed, rows[:, None] * rows / len(self.table))
        statistic = np.add.reduceat(np.add.reduceat(cells, begin, axis=0), begin, axis=1)
        more = np.add.reduceat((rows > 0) | (not self.adjust), begin, dtype=np.int64) - 1
        found = zip(*_with_p_values(statistic.ravel(), np.outer(more, more).ravel().tolist()))
        return {pair: ((), *test) for pair, test in zip(product(self.variables, repeat=2), found)}

    # -- counting ----------------------------------------------------------------------------------------
    def _count(self, x: str, y: str, sets: list[tuple[str, ...]], strata: list[int]) -> np.ndarray:
        """Counts by state of x, state of y, and stratum, the strata of all sets side by side.

        Of a set with very many strata, which comes alone, only those that have rows.
        """
        rows, shape = self.table.merged, (self._sizes[x], self._sizes[y], -1)
        cells = self._sizes[x] * self._sizes[y] * sum(strata)
        if part := self._part({x, y}.union(*sets), cells):
            return part.side_by_side(x, y, sets)
        if cells * len(rows.value) <= AT_ONCE:
            given = np.concatenate([self._rows(given) for given in sets]) if len(sets) > 1 else self._rows(sets[0])
            return rows.how_many(self._rows((x, y))[:, None] & given).reshape(shape)
        if cells > TOO_MANY:
            return rows.filled_strata(x, y, sets[0])
        if len(sets) == 1:
            return rows.counts((x, y, *sets[0])).reshape(shape)
        half = len(sets) // 2
        return np.concatenate([self._count(x, y, sets[:half], strata[:half]),
                               self._count(x, y, sets[half:], strata[half:])], axis=2)

    def _part(self, names: set[str], cells: int) -> MergedRows | None:
        """The columns of these variables, if that is worthwhile; with those of last time, if they have few rows too."""
        last = set() if self._last_part is None else self._last_part.sizes.keys()
        if names <= last:
            return self._last_part
        fitting = [part for part in (names | last, names) if self._few(part)] if cells >= MANY_CELLS else []
        if not fitting:
            return None
        self._last_part = self.table.merged.part(name for name in self.variables if name in fitting[0])
        return self._last_part

    def _few(self, names: set[str]) -> bool:
        return prod(self._sizes[name] for name in names) <= len(self.table.merged) / 2

    def _rows(self, given: tuple[str, ...]) -> np.ndarray:
        """The rows of each combination of states as bits. Remembered, since the same will be asked for again."""
        if (rows := self._strata.get(given)) is None:
            rows = self.table.merged.intersections(given)
            if len(self._strata) * rows.nbytes > REMEMBER:
                self._strata.clear()
            self._strata[given] = rows
        return rows

    def _handfuls(self, sets: Iterable[tuple[str, ...]], cells: int) -> Iterator[tuple[list, list[int]]]:
        """Some sets with their numbers of strata, of so many cells each; too large ones come one at a time."""
        for handful in handfuls(sets):
            strata = self._strata_of(handful)
            if cells * sum(strata) <= TOO_MANY:
                yield handful, strata
            else:
                yield from (([given], [n]) for given, n in zip(handful, strata))

    def _strata_of(self, sets: list[tuple[str, ...]]) -> list[int]:
        return [prod([self._sizes[z] for z in given]) for given in sets]

    # -- telling -----------------------------------------------------------------------------------------
    def _verdict(self, x: str, y: str, given: tuple[str, ...], statistic: float, dof: int, p: float) -> Verdict:
        independent = p >= self.alpha
        is_, sign = ("independent", "≥") if independent else ("dependent", "<")
        reason = (f"{describe_query(x, y, given)} are {is_}: {self.name} {statistic:.3f} with {dof} degree{'s'[dof == 1:]} of "
                  f"freedom, p = {p:.3g} {sign} {self.alpha:g}")
        if dof == 0:
            reason += "; with 0 degrees of freedom nothing can speak against independence"
        strata = prod(self._sizes[z] for z in given)
        if given and (empty := strata - len(self.table.merged.part(given))):
            reason += f"; {empty} of {strata} strata {'has' if empty == 1 else 'have'} no rows"
        return Verdict(independent, statistic, dof, p, reason)

    def __repr__(self) -> str:
        adjusted = ", adjusted degrees of freedom" if self.adjust else ""
        return f"{type(self).__name__} on {len(self.table):,} rows, alpha {self.alpha:g}{adjusted}"


def _with_p_values(statistic: np.ndarray, dof: list[int]) -> tuple[list[float], list[int], list[float]]:
    """Statistics, their degrees of freedom, and p-values. Rounding may not make a statistic negative.

    With 0 degrees of freedom the statistic is 0, which is never too large: p is 1, as with 1 degree of freedom.
    """
    statistic = np.maximum(statistic, 0.0)
    return statistic.tolist(), dof, tails()[0](np.array([n or 1 for n in dof], dtype=float), statistic).tolist()


def _adjusted(of_x: np.ndarray, of_y: np.ndarray, begin: list[int]) -> list[int]:
    """Degrees of freedom by the states that occur in each stratum."""
    states_x, states_y = np.count_nonzero(of_x, axis=0), np.count_nonzero(of_y, axis=0)
    return np.add.reduceat(np.maximum(states_x - 1, 0) * np.maximum(states_y - 1, 0), begin).tolist()


class ChiSquare(_Strata):
    """Pearson's chi-square test on a Table, without Yates correction.

    The degrees of freedom are nominal, (|X| - 1)(|Y| - 1) |Z1| |Z2| ..., as if every state could occur in every
    stratum. `adjust=True` counts only the states that do occur in a stratum; other programs often do that.
    """

    name = "chi-square"

    @staticmethod
    def distance(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
        """(O - E)^2 / E; a cell where nothing is expected holds nothing and adds nothing."""
        return (observed - expected) ** 2 / np.maximum(expected, 1e-300)


class GSquare(_Strata):
    """The likelihood-ratio test on a Table: G = 2 N I(X; Y | Z), with the mutual information in nats.

    Degrees of freedom as for ChiSquare.
    """

    name = "G-square"

    @staticmethod
    def distance(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
        """2 O ln(O / E), with 0 ln 0 = 0."""
        ratio = np.where(observed > 0, observed / np.maximum(expected, 1e-300), 1.0)
        return 2 * observed * np.log(ratio)
