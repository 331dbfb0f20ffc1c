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

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import accumulate, islice, product
from numbers import Real
from typing import Any

import numpy as np

from bnteach.independence.oracle import Oracle, Verdict, describe_query
from bnteach.tables.table import as_table

MAX_PAIR_CELLS = 2**22  # with more pairs of states, pairs are tested one by one

Names = tuple[str, ...]
Test = tuple[float, int, float]  # statistic, degrees of freedom, p-value


@cache
def tails() -> tuple[Any, Any]:
    """Upper tail of chi-square, lower tail of the normal: the bare functions, quick to load and to call."""
    from scipy.special import chdtrc, ndtr

    return chdtrc, ndtr


def batches(sets: Iterable[Names]) -> Iterator[list[Names]]:
    """Batches of 8, 32, 64, 64, ..., so that stopping early wastes little."""
    sets, size = iter(sets), 8
    while batch := list(islice(sets, size)):
        yield batch
        size = min(4 * size, 64)


class SignificanceTest(Oracle):
    """A test with a significance level."""

    def __init__(self, variables: Names, alpha: float):
        if not (isinstance(alpha, Real) and 0 < alpha < 1):
            raise ValueError(f"alpha={alpha!r} is not a significance level: it is the share of true independences that "
                             f"the test may reject, between 0 and 1, such as 0.05.")
        super().__init__(variables)
        self.alpha: float = alpha

    def conclusion(self, x: str, y: str, given: Names, p_value: float, evidence: str) -> str:
        """The verdict as a sentence: independent or dependent, the statistic, the p-value against alpha."""
        result, sign = ("independent", "≥") if p_value >= self.alpha else ("dependent", "<")
        return f"{describe_query(x, y, given)} are {result}: {evidence}, p = {p_value:.3g} {sign} {self.alpha:g}"


class StratifiedTest(SignificanceTest):
    """A test on a Table, stratum by stratum. A subclass has a name and a distance.

    PC tests the same x and y given very many sets. So the tests are done in batches: the table counts the strata of
    several sets side by side, and each set then sums over its own strata.
    """

    name: str

    def __init__(self, table: Any, alpha: float = 0.05, adjust: bool = False):
        self.table = as_table(table)
        self.table.check_complete()
        super().__init__(self.table.variables, alpha)
        self.adjust = adjust

    @staticmethod
    def distance(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
        """What each cell adds to the statistic."""
        raise NotImplementedError

    def answer(self, x: str, y: str, given: Names) -> Verdict:
        """Test one hypothesis of independence, and give the reason for the verdict."""
        ((_, strata, observed),) = self.table.stratified_counts(x, y, [given])
        ((statistic, dof, p),) = self._tests(observed, strata)
        reason = self.conclusion(x, y, given, p, f"{self.name} {statistic:.3f} with {dof} "
                                                 f"degree{'s'[dof == 1:]} of freedom")
        if dof == 0:
            reason += "; with 0 degrees of freedom independence cannot be rejected"
        if empty := strata[0] - int(np.count_nonzero(observed.sum(axis=(0, 1)))):
            reason += f"; {empty} of {strata[0]} strata {'has' if empty == 1 else 'have'} no rows"
        return Verdict(p >= self.alpha, statistic, dof, p, reason)

    def answers(self, x: str, y: str, sets: Iterable[Names]) -> Iterator[tuple[Names, Verdict]]:
        """The verdicts on x and y for one conditioning set after the other, each with its set; without reasons."""
        for batch in batches(sets):
            if batch == [()] and self._marginal_tests:
                yield (), self._verdict(*self._marginal_tests[x, y])
                continue
            for some, strata, observed in self.table.stratified_counts(x, y, batch):
                for given, test in zip(some, self._tests(observed, strata)):
                    yield given, self._verdict(*test)

    def _verdict(self, statistic: float, dof: int, p: float) -> Verdict:
        return Verdict(p >= self.alpha, statistic, dof, p)

    def _tests(self, observed: np.ndarray, strata: list[int]) -> Iterator[Test]:
        """A test per conditioning set, from the counts in the strata of all sets."""
        begin = [0, *accumulate(strata[:-1])]  # the index of each set's first stratum
        of_x, of_y = observed.sum(axis=1), observed.sum(axis=0)
        expected = of_x[:, None] * of_y / np.maximum(of_x.sum(axis=0), 1)
        statistic = np.add.reduceat(self.distance(observed, expected).sum(axis=(0, 1)), begin)
        nominal = (len(of_x) - 1) * (len(of_y) - 1)
        return _with_p_values(statistic, _adjusted(of_x, of_y, begin) if self.adjust else [nominal * n for n in strata])

    @cached_property
    def _marginal_tests(self) -> dict[tuple[str, str], Test]:
        """The tests of all pairs marginally, at once: PC begins with them. None if there are too many states."""
        table, begin = self.table, self.table.offsets
        if sum(table.sizes.values()) ** 2 > MAX_PAIR_CELLS:
            return {}
        observed = table.pair_counts()
        rows = observed.diagonal()
        cells = self.distance(observed, rows[:, None] * rows / len(table))
        statistic = np.add.reduceat(np.add.reduceat(cells, begin, axis=0), begin, axis=1)
        free = np.add.reduceat((rows > 0) | (not self.adjust), begin, dtype=np.int64) - 1
        tests = _with_p_values(statistic.ravel(), np.outer(free, free).ravel().tolist())
        return dict(zip(product(self.variables, self.variables), tests))

    def __repr__(self) -> str:
        adjusted = ", adjusted degrees of freedom" if self.adjust else ""
        return f"{type(self).__name__} on {len(self.table):,} rows, alpha {self.alpha:g}{adjusted}"


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
        If false, the degrees of freedom are nominal, (\\|X\\| - 1)(\\|Y\\| - 1) per stratum, whether or not all states
        occur in it. If true, only states that occur in a stratum count.

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
    table, alpha, adjust
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
