"""Conditional-independence tests on categorical data: Pearson's chi-square and G-square.

Each computes a statistic that is small when x and y are independent given z, and the probability that chance alone
makes it as large (the p-value). Below the significance level `alpha`, independence is rejected.

The rows are split into strata, one per combination of the states of z. In a stratum of N rows, of which N(x) have x
and N(y) have y, the expected count is E = N(x) N(y) / N under independence, and the observed count is O:

    chi-square   the sum of (O - E)^2 / E                  G-square   2 times the sum of O ln(O / E)

Under independence both are asymptotically chi-square distributed, with (|X| - 1)(|Y| - 1) degrees of freedom per
stratum. There is no Yates correction. Failing to reject is no proof of independence: with few rows and many strata
the tests have little power. Lesson 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import accumulate, combinations
from math import prod
from typing import Any, cast

import numpy as np

from bnteach.errors import real_number
from bnteach.independence.oracle import Query, Verdict
from bnteach.independence.significance import Names, SignificanceTest, tails
from bnteach.tables.bit_rows import SMALL, WIDE
from bnteach.tables.table import as_table

MAX_PAIR_CELLS = 2**22  # with more pairs of states, pairs are not tested all at once

Test = tuple[float, int, float]  # statistic, degrees of freedom, p-value


class StratifiedTest(SignificanceTest):
    """A test on a Table, stratum by stratum. A subclass has a name and a distance."""

    name: str

    def __init__(self, table: Any, alpha: float = 0.05, adjust: bool = True, rows_per_cell: float = 0):
        self.table = as_table(table)
        super().__init__(self.table.variables, alpha)
        rows = len(self.table.distinct_rows)  # the more there are, the more a projection pays, which serves one pair
        self.pairs_at_once, self.together = (512, 64) if rows <= SMALL else (512, 16) if rows <= 8 * SMALL else (1, 64)
        self.adjust = adjust
        self.min_rows, self._rows = real_number("rows_per_cell", rows_per_cell), len(self.table)

    @staticmethod
    def distance(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
        """What each cell adds to the statistic."""
        raise NotImplementedError

    def answer(self, x: str, y: str, given: Names) -> Verdict:
        """Test one hypothesis of independence, and give the reason for the verdict."""
        (verdict,) = self.answer_all([(x, y, given)])
        if not verdict.tested:
            return verdict._replace(reason=self._too_few_rows(x, y))
        statistic, dof, p = verdict.statistic or 0.0, verdict.dof, verdict.p_value or 0.0
        reason = self.conclusion(x, y, given, p, f"{self.name} {statistic:.3f} with {dof} "
                                                 f"degree{'s'[dof == 1:]} of freedom")
        if dof == 0:
            reason += "; with 0 degrees of freedom independence cannot be rejected"
        strata = prod(self.table.sizes[z] for z in given)
        if given and (empty := strata - len(self.table.distinct_rows.project(given))):
            reason += f"; {empty} of {strata} strata {'has' if empty == 1 else 'have'} no rows"
        return verdict._replace(reason=reason)

    def _too_few_rows(self, x: str, y: str) -> str:
        return (f"{x} and {y} are not tested and count as independent: {len(self.table):,} rows for "
                f"{self._cells(x, y):,} cells, and {self.min_rows:g} rows per cell are needed")

    def answer_all(self, queries: Sequence[Query]) -> list[Verdict]:
        """The verdicts on many queries, without reasons; queries of equal shape are tested together."""
        found = [None if given and not self.min_rows else self._at_once(x, y, given) for x, y, given in queries]
        left = [i for i, verdict in enumerate(found) if verdict is None]
        for some, strata, observed in self.table.stratified_counts([queries[i] for i in left]):
            tests = self._tests(observed, strata) if observed is not None else \
                (self._sparse_test(queries[left[i]]) for i in some)
            for i, (statistic, dof, p) in zip(some, tests):
                found[left[i]] = Verdict(p >= self.alpha, statistic, dof, p, "", True)  # defaults take twice as long
        return cast(list[Verdict], found)

    def _at_once(self, x: str, y: str, given: Names) -> Verdict | None:
        """The verdict on a query that needs no counting: one that is not tested, or a marginal one."""
        if self.min_rows and self.min_rows * self._cells(x, y) > self._rows:
            return Verdict(True, tested=False)
        return None if given else self._marginal_tests.get((x, y), self._marginal_tests.get((y, x)))

    def _cells(self, x: str, y: str) -> int:
        return self.table.sizes[x] * self.table.sizes[y]

    def _tests(self, observed: np.ndarray, strata: list[int]) -> Iterator[Test]:
        """A test per query, from the counts in the strata of all of them."""
        begin = [0, *accumulate(strata[:-1])]  # the index of each query's first stratum
        of_x, of_y = observed.sum(axis=1), observed.sum(axis=0)
        expected = of_x[:, None] * of_y / np.maximum(of_x.sum(axis=0), 1)
        statistic = np.add.reduceat(self.distance(observed, expected).sum(axis=(0, 1)), begin)
        nominal = (len(of_x) - 1) * (len(of_y) - 1)
        dof = _adjusted(of_x, of_y, begin) if self.adjust else [nominal * n for n in strata]
        return _with_p_values(statistic, dof)

    def _sparse_test(self, query: Query) -> Test:
        """The test from the cells that have rows alone, when there are too many to list them all.

        A cell without rows adds distance(0, E), which is E or 0; so all of them add the distance of the sum of their E.
        """
        x, y, given = query
        observed, of_x, of_y, stratum = self.table.occurring_cells(x, y, given)
        rows_x, in_x, states_x = _group(stratum, of_x, self.table.sizes[x], observed)
        rows_y, in_y, states_y = _group(stratum, of_y, self.table.sizes[y], observed)
        expected = rows_x[in_x] * rows_y[in_y] / np.bincount(stratum, observed)[stratum]
        rest = np.array(max(0.0, len(self.table) - expected.sum()))
        statistic = self.distance(observed, expected).sum() + self.distance(np.zeros(()), rest)
        sizes = self.table.sizes
        dof = int((states_x - 1) @ (states_y - 1)) if self.adjust else \
            (sizes[x] - 1) * (sizes[y] - 1) * prod(sizes[z] for z in given)
        return next(_with_p_values(np.array([statistic]), [dof]))

    @cached_property
    def _marginal_tests(self) -> dict[tuple[str, str], Verdict]:
        """The tests of all pairs marginally, at once: PC begins with them. None if there are too many states."""
        table, begin = self.table, self.table.offsets
        if sum(table.sizes.values()) ** 2 > MAX_PAIR_CELLS or max(table.sizes.values()) > WIDE:
            return {}
        observed = table.pair_counts()
        rows = observed.diagonal()
        cells = self.distance(observed, rows[:, None] * rows / len(table))
        statistic = np.add.reduceat(np.add.reduceat(cells, begin, axis=0), begin, axis=1)
        free = np.add.reduceat((rows > 0) | (not self.adjust), begin, dtype=np.int64) - 1
        first, second = np.triu_indices(len(free), 1)
        tests = _with_p_values(statistic[first, second], (free[first] * free[second]).tolist())
        return {pair: Verdict(p >= self.alpha, g, dof, p, "", True)
                for pair, (g, dof, p) in zip(combinations(self.variables, 2), tests)}

    def __repr__(self) -> str:
        nominal = "" if self.adjust else ", nominal degrees of freedom"
        return f"{type(self).__name__} on {len(self.table):,} rows, alpha {self.alpha:g}{nominal}"


def _group(stratum: np.ndarray, state: np.ndarray, size: int,
           counts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The rows of each state in each stratum, where each cell belongs, and the number of states in each stratum."""
    groups, index = np.unique(stratum * size + state, return_inverse=True)
    return np.bincount(index, counts), index, np.bincount(groups // size)


def _with_p_values(statistic: np.ndarray, dof: list[int]) -> Iterator[Test]:
    """Statistics with their degrees of freedom and p-values. Rounding may not make a statistic negative.

    With 0 degrees of freedom the statistic is 0 and p is 1, as it is for a statistic of 0 with 1 degree of freedom.
    """
    statistic = np.maximum(statistic, 0.0)
    p_values = tails()[0](np.array([n or 1 for n in dof], dtype=float), statistic)
    return zip(statistic.tolist(), dof, p_values.tolist())


def _adjusted(of_x: np.ndarray, of_y: np.ndarray, begin: list[int]) -> list[int]:
    """Degrees of freedom by the states that occur in each stratum."""
    states_x, states_y = np.count_nonzero(of_x, axis=0), np.count_nonzero(of_y, axis=0)
    free = np.maximum(states_x - 1, 0) * np.maximum(states_y - 1, 0)
    return [int(n) for n in np.add.reduceat(free, begin)]


class ChiSquare(StratifiedTest):
    """Pearson's chi-square test of conditional independence, without Yates correction.

    Parameters
    ----------
    table
        A complete Table, or anything that can be read as one.
    alpha
        The significance level.
    adjust
        If true, only states that occur in a stratum count in its degrees of freedom. If false, these are nominal,
        (\\|X\\| - 1)(\\|Y\\| - 1) per stratum, whether or not all states occur in it: the rule of most lectures. With
        few rows per stratum it overstates the degrees of freedom, and dependences are missed.
    rows_per_cell
        Two variables with fewer rows than this per combination of their states are not tested and count as
        independent. So a column with nearly as many states as rows stays alone, and separates no others. 0 tests all.

    Examples
    --------
    >>> from bnteach.tables.table import Table
    >>> t = Table({"X": [0] * 50 + [1] * 50, "Y": [0] * 30 + [1] * 20 + [0] * 20 + [1] * 30})
    >>> print(ChiSquare(t)("X", "Y"))
    X and Y are dependent: chi-square 4.000 with 1 degree of freedom, p = 0.0455 < 0.05

    References
    ----------
    Pearson (1900); Fisher (1922) for the degrees of freedom; Spirtes, Glymour and Scheines (2000), *Causation,
    Prediction, and Search*, section 5.5, for structure learning.
    """

    name = "chi-square"

    @staticmethod
    def distance(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
        """(O - E)^2 / E, and 0 where E is 0."""
        terms: np.ndarray = (observed - expected) ** 2 / np.maximum(expected, 1e-300)
        return terms


class GSquare(StratifiedTest):
    """The likelihood-ratio test of conditional independence: G = 2 N I(X; Y given Z), in nats.

    Parameters
    ----------
    table, alpha, adjust, rows_per_cell
        As for `ChiSquare`.

    Examples
    --------
    >>> from bnteach.tables.table import Table
    >>> t = Table({"X": [0] * 50 + [1] * 50, "Y": [0] * 30 + [1] * 20 + [0] * 20 + [1] * 30})
    >>> print(GSquare(t)("X", "Y"))
    X and Y are dependent: G-square 4.027 with 1 degree of freedom, p = 0.0448 < 0.05
    """

    name = "G-square"

    @staticmethod
    def distance(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
        """2 O ln(O / E), with 0 ln 0 = 0."""
        ratio = np.where(observed > 0, observed / np.maximum(expected, 1e-300), 1.0)
        return 2 * observed * np.log(ratio)
