"""Fisher's z: a conditional-independence test on real-valued data.

Regress both on z; correlate the residuals. This is the partial correlation r of x and y given z. For Gaussian variables
it is 0 exactly if x and y are independent given z; for others it measures linear dependence only. With N rows and k
variables in z,

    sqrt(N - k - 3) atanh(r)

is approximately standard normal if the partial correlation is 0. Lesson 12.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan, sqrt
from typing import Any

import numpy as np

from bnteach.errors import DataError
from bnteach.independence.oracle import Query, Verdict, describe_query
from bnteach.independence.significance import Names, SignificanceTest, tails
from bnteach.tables.counts import Counts
from bnteach.tables.measurements import Measurements

COLLINEAR = 1e-10  # a share of variance below this is rounding error


class FisherZ(SignificanceTest):
    """Fisher's z test: is the partial correlation of x and y given z zero?

    Parameters
    ----------
    measurements
        Measurements, or anything that can be read as such.
    alpha
        The significance level.

    Examples
    --------
    >>> data = Measurements({"x": [1.1, 2, 2.9, 4, 5.1, 6], "y": [1, 2.1, 3.1, 3.9, 5, 5.9], "z": [1, 2, 3, 4, 5, 6]})
    >>> print(FisherZ(data)("x", "y"))
    x and y are dependent: partial correlation 0.998, z = 5.876, p = 4.21e-09 < 0.05
    >>> print(FisherZ(data)("x", "y", given="z"))
    x and y given z are independent: partial correlation -0.424, z = -0.641, p = 0.522 ≥ 0.05

    References
    ----------
    Fisher (1915, 1924); Spirtes, Glymour and Scheines (2000), *Causation, Prediction, and Search*, section 5.5.
    """

    def __init__(self, measurements: Any, alpha: float = 0.05):
        if isinstance(measurements, Counts):
            raise DataError("Fisher's z needs real numbers, and a Table holds categories: "
                            "use bn.Measurements(data), or bn.ChiSquare(table).")
        self.measurements = Measurements(measurements)
        super().__init__(self.measurements.variables, alpha)
        self._index = {name: i for i, name in enumerate(self.variables)}
        self.correlations = self.measurements.correlation

    def answer(self, x: str, y: str, given: Names) -> Verdict:
        """Test one hypothesis of independence, and give the reason for the verdict."""
        ((r, statistic, p_value),) = self._tests([(x, y, given)])
        reason = self.conclusion(x, y, given, p_value, f"partial correlation {r:.3f}, z = {statistic:.3f}")
        if len(self.measurements) <= len(given) + 3:
            reason = (f"{describe_query(x, y, given)} count as independent: the test needs more than {len(given) + 3} "
                      f"rows, and there are {len(self.measurements)}")
        elif isnan(r):
            reason = (f"{describe_query(x, y, given)} are independent: {x} or {y} is a linear function of "
                      f"{', '.join(given)}")
        return Verdict(p_value >= self.alpha, statistic, None, p_value, reason)

    def answer_all(self, queries: Sequence[Query]) -> list[Verdict]:
        """The verdicts on many queries, without reasons; those with equally many given are tested together."""
        found: dict[int, Verdict] = {}
        for size in {len(given) for _, _, given in queries}:
            some = [i for i, (_, _, given) in enumerate(queries) if len(given) == size]
            for i, (_, statistic, p_value) in zip(some, self._tests([queries[i] for i in some])):
                found[i] = Verdict(p_value >= self.alpha, statistic, None, p_value)
        return [found[i] for i in range(len(queries))]

    def _tests(self, queries: Sequence[Query]) -> Iterator[tuple[float, float, float]]:
        """For queries with equally many given variables: the partial correlation, the statistic, and the p-value."""
        r, free = self.partial_correlations(queries), len(self.measurements) - len(queries[0][2]) - 3
        with np.errstate(divide="ignore"):  # infinite if r is 1 or -1
            statistic = sqrt(free) * np.arctanh(np.nan_to_num(r)) if free > 0 else np.zeros(len(r))
        p_value = 2 * tails()[1](-np.abs(statistic))
        return zip(r.tolist(), statistic.tolist(), p_value.tolist())

    def partial_correlations(self, queries: Sequence[Query]) -> np.ndarray:
        """The correlations of the residuals of x and y regressed on the given variables, equally many in each query.

        Not a number if x or y has no residual variance.
        """
        index = self._index
        i = np.array([[index[x], index[y]] for x, y, _ in queries])
        z = np.array([[index[name] for name in given] for _, _, given in queries], dtype=int)
        residual = self.correlations[i[:, :, None], i[:, None]]
        if z.size:
            among_z, with_z = self.correlations[z[:, :, None], z[:, None]], self.correlations[z[:, :, None], i[:, None]]
            residual = residual - with_z.transpose(0, 2, 1) @ _coefficients(among_z, with_z)
        of_x, of_y = residual[:, 0, 0], residual[:, 1, 1]
        varies = np.minimum(of_x, of_y) >= COLLINEAR
        r = residual[:, 0, 1] / np.sqrt(np.where(varies, of_x * of_y, 1.0))
        return np.where(varies, np.where(np.abs(r) < 1 - COLLINEAR, r, np.sign(r)), np.nan)

    def __repr__(self) -> str:
        return f"FisherZ on {len(self.measurements):,} rows, alpha {self.alpha:g}"


def _coefficients(among_z: np.ndarray, with_z: np.ndarray) -> np.ndarray:
    """The coefficients of the regressions on z, for each set; one of many solutions if z is collinear."""
    try:
        pivots = np.linalg.cholesky(among_z).diagonal(axis1=1, axis2=2)
    except np.linalg.LinAlgError:
        pivots = np.zeros(1)
    if pivots.min() ** 2 > COLLINEAR:
        return np.linalg.solve(among_z, with_z)
    return np.stack([np.linalg.lstsq(a, b, rcond=COLLINEAR)[0] for a, b in zip(among_z, with_z)])
