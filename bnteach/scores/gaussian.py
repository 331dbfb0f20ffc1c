"""The log-likelihood of a family of real-valued variables.

In a linear Gaussian network the child is a linear function of its parents plus normal noise. How well the least-squares
regression fits depends on one number only, the residual variance v, which is a ratio of two determinants of the
covariance matrix:

    v = det S(child and parents) / det S(parents)

So nothing has to be fitted in order to score. 12 variables have 12 x 2^11 = 24,576 families but only 2^12 = 4,096 sets,
and a determinant takes one Cholesky factorisation, computed once and cached.

Which variance? Dividing the squared residuals by the number of rows m is maximum likelihood; dividing by m - 1, as the
wine report does, lowers the log-likelihood by about 1/(4m) nats per variable, whatever its parents: .0025 nats for the
report's 12 variables and 1199 rows. No comparison of graphs changes. Scores use m - 1, so that they reproduce the
report's figures. Lesson 12.

>>> from bnteach.tables.measurements import Measurements
>>> families = GaussianFamilies(Measurements({"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]}))
>>> round(families.residual_variance("y", ()), 4), round(families.residual_variance("y", ("x",)), 4)
(1.6667, 0.6)
>>> round(families.log_likelihood("y", ("x",)), 4), families.parameters("y", ("x",))
(-4.1541, 3)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import e, exp, inf, log, pi

import numpy as np

from bnteach.errors import DataError
from bnteach.scores.categorical import FamilyLikelihood, Names
from bnteach.tables.contingency import subsets
from bnteach.tables.measurements import Measurements

COLLINEAR = 1e-10  # if the others leave less than this share of its variance, a variable is a linear function of them


class GaussianFamilies(FamilyLikelihood):
    """The log-likelihood of families of real-valued variables, from their covariance matrix.

    `variance` is "m-1" as in the wine report, or "m" for maximum likelihood.
    """

    default_base = e

    def __init__(self, data: Measurements, variance: str = "m-1"):
        self.data, self.variables, self.rows = data, data.variables, len(data)
        self.divisor = divisor(variance, self.rows)
        self.index = {name: i for i, name in enumerate(data.variables)}
        self.std, self.correlation = data.std, data.correlation
        self._log_determinants: dict[int, float] = {0: 0.0}

    def log_likelihood(self, child: str, parents: Names) -> float:
        """The log-density of the residuals of the child regressed on its parents."""
        squares = (self.rows - 1) * self.residual_variance(child, parents)
        v = squares / self.divisor
        return -(self.rows * log(2 * pi * v) + squares / v) / 2

    def parameters(self, child: str, parents: Names) -> int:
        """A coefficient per parent, an intercept and a variance."""
        return len(parents) + 2

    def over_subsets(self, max_size: int, penalty: float) -> Iterator[tuple[int, float, float]]:
        """The joint log-density of the columns, and 2 + 3 + 4 + ... parameters: each with all before it as parents."""
        n, scale = len(self.variables), log(2 * pi * (self.rows - 1) / self.divisor) * self.rows + self.divisor
        for index, chosen in subsets(n, max_size):
            columns, size = list(chosen), len(chosen)
            logs = float(np.log(self._pivots(columns) * self.std[columns]).sum()) if columns else 0.0
            yield index, -self.rows * logs - size * scale / 2, size * (size + 3) / 2

    def upper_bound(self, child: str, parents: Names) -> float:
        """The log-likelihood; infinity where the parents determine the child, or each other, and it has none."""
        try:
            return self.log_likelihood(child, parents)
        except DataError:
            return inf

    def residual_variance(self, child: str, parents: Iterable[str]) -> float:
        """The variance of the child's residuals: their sum of squares divided by m - 1."""
        i = self.index[child]
        given = sum(1 << self.index[parent] for parent in parents)
        share = exp(self._log_determinant(given | 1 << i) - self._log_determinant(given))
        return share * float(self.std[i]) ** 2

    def _log_determinant(self, chosen: int) -> float:
        """The log-determinant of the correlations of some variables, given as bits."""
        if chosen not in self._log_determinants:
            columns = [i for i in range(len(self.index)) if chosen >> i & 1]
            self._log_determinants[chosen] = 2 * float(np.log(self._pivots(columns)).sum())
        return self._log_determinants[chosen]

    def _pivots(self, columns: list[int]) -> np.ndarray:
        """The diagonal of the Cholesky factor: the residual standard deviation of each column given those before."""
        if len(columns) >= self.rows:
            raise DataError(f"a family with {len(columns) - 1} parents has {len(columns) + 1} parameters, and there "
                            f"are {self.rows} rows: it would fit them exactly. Use fewer parents or more rows.")
        try:
            pivots = np.linalg.cholesky(self.correlation[np.ix_(columns, columns)]).diagonal()
        except np.linalg.LinAlgError:
            pivots = np.zeros(1)
        if pivots.min() ** 2 < COLLINEAR:
            raise self._collinear(columns)
        return pivots

    def _collinear(self, columns: list[int]) -> DataError:
        """The error for variables of which one is a linear function of the others."""
        names = self.variables
        for end, i in enumerate(columns):
            known = columns[:end]
            weights = np.linalg.lstsq(self.correlation[np.ix_(known, known)], self.correlation[known, i])[0]
            if 1 - self.correlation[i, known] @ weights < 10 * COLLINEAR:
                others = ", ".join(names[j] for j, w in zip(known, weights) if abs(w) > 1e-6)
                return DataError(f"{names[i]!r} is a linear function of {others} in every row, so it has no density "
                                 f"given them. Leave one of these columns out, as with data.select(...).")
        return DataError(f"{', '.join(names[i] for i in columns)} are too nearly linear functions of each other.")


def divisor(variance: str, rows: int) -> int:
    """What the sum of squared residuals is divided by."""
    if variance not in ("m", "m-1"):
        raise ValueError(f"variance={variance!r} is not known here; use 'm-1' (the wine report's) "
                         f"or 'm' (maximum likelihood).")
    return rows if variance == "m" else rows - 1
