"""An oracle that asks real numbers: Fisher's z.

Take away from x and from y what the best linear guess from z knows of them. The correlation of what is left is their
partial correlation r given z. For Gaussian variables it is 0 just if x and y are independent given z; for others it
tells of linear dependence only. With N rows and k variables given,

    sqrt(N - k - 3) atanh(r)

is about standard normal if the partial correlation is 0. If chance alone would make it as large less often than
`alpha`, independence is rejected.

>>> both = Measurements({"x": [1.1, 2, 2.9, 4, 5.1, 6], "y": [1, 2.1, 3.1, 3.9, 5, 5.9], "z": [1, 2, 3, 4, 5, 6]})
>>> print(FisherZ(both)("x", "y"))
x and y are dependent: partial correlation 0.998, z = 5.876, p = 4.21e-09 < 0.05
>>> print(FisherZ(both)("x", "y", given="z"))
x and y given z are independent: partial correlation -0.424, z = -0.641, p = 0.522 ≥ 0.05

Fisher (1915, 1924); Spirtes, Glymour and Scheines (2000), Causation, Prediction, and Search, section 5.5. Lesson 12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from math import isnan, sqrt
from typing import Any

import numpy as np

from bnteach.errors import DataError
from bnteach.independence.chi_square import SignificanceTest, handfuls, tails
from bnteach.independence.oracle import Verdict, ask
from bnteach.tables.table import Measurements, Table


class FisherZ(SignificanceTest):
    """Fisher's z test on Measurements: is the partial correlation of x and y given z zero?"""

    SAME = 1e-10  # a share of variance below this is rounding

    def __init__(self, measurements: Any, alpha: float = 0.05):
        if isinstance(measurements, Table):
            raise DataError("Fisher's z needs real numbers, and a Table holds categories: "
                            "use bn.Measurements(data), or bn.ChiSquare(table).")
        self.measurements = Measurements(measurements)
        super().__init__(self.measurements.variables, alpha)
        self._place = {name: i for i, name in enumerate(self.variables)}
        self.correlations = _correlations(self.measurements)

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        (r, statistic, p_value), = self._tests(x, y, [given])
        is_, sign = ("independent", "≥") if p_value >= self.alpha else ("dependent", "<")
        reason = (f"{ask(x, y, given)} are {is_}: partial correlation {r:.3f}, z = {statistic:.3f}, "
                  f"p = {p_value:.3g} {sign} {self.alpha:g}")
        if len(self.measurements) <= len(given) + 3:
            reason = (f"{ask(x, y, given)} count as independent: the test needs more than {len(given) + 3} rows, and "
                      f"there are {len(self.measurements)}")
        elif isnan(r):
            reason = f"{ask(x, y, given)} are independent: what is given leaves nothing of {x} or of {y} to vary"
        return Verdict(p_value >= self.alpha, statistic, None, p_value, reason)

    def answers(self, x: str, y: str, sets: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Verdict]]:
        """The verdicts on x and y for one given set after the other, each with its set; without words."""
        for handful in handfuls(sets):
            for _, some in groupby(handful, key=len):
                some = list(some)
                for given, (_, statistic, p_value) in zip(some, self._tests(x, y, some)):
                    yield given, Verdict(p_value >= self.alpha, statistic, None, p_value)

    def _tests(self, x: str, y: str, sets: list[tuple[str, ...]]) -> Iterator[tuple[float, float, float]]:
        """For each of some sets of one size: the partial correlation, the statistic, and the p-value."""
        r, free = self.partial_correlations(x, y, sets), len(self.measurements) - len(sets[0]) - 3
        with np.errstate(divide="ignore"):  # two that are the same but for their scale: infinite
            statistic = sqrt(free) * np.arctanh(np.nan_to_num(r)) if free > 0 else np.zeros(len(r))
        p_value = 2 * tails()[1](-np.abs(statistic))
        return zip(r.tolist(), statistic.tolist(), p_value.tolist())

    def partial_correlation(self, x: str, y: str, given: tuple[str, ...] = ()) -> float | None:
        """The correlation of what is left of x and y when the best linear guess from `given` is taken away.

        None if nothing is left of one of them.
        """
        r = float(self.partial_correlations(x, y, [given])[0])
        return None if isnan(r) else r

    def partial_correlations(self, x: str, y: str, sets: list[tuple[str, ...]]) -> np.ndarray:
        """The same for several sets of one size, at once; not a number if nothing is left of one of them."""
        i, z = [self._place[x], self._place[y]], np.array([[self._place[name] for name in given] for given in sets])
        left = self.correlations[np.ix_(i, i)][None]
        if z.size:
            among_z, with_z = self.correlations[z[:, :, None], z[:, None]], self.correlations[z][..., i]
            left = left - with_z.transpose(0, 2, 1) @ _predict(among_z, with_z)
        of_x, of_y = left[:, 0, 0], left[:, 1, 1]
        something = np.minimum(of_x, of_y) >= self.SAME
        r = left[:, 0, 1] / np.sqrt(np.where(something, of_x * of_y, 1.0))
        return np.where(something, np.where(np.abs(r) < 1 - self.SAME, r, np.sign(r)), np.nan)

    def __repr__(self) -> str:
        return f"FisherZ on {len(self.measurements):,} rows, alpha {self.alpha:g}"


def _predict(among_z: np.ndarray, with_z: np.ndarray) -> np.ndarray:
    """The weights of z in the best linear guess, for each set. If z repeats itself, some of many equally good ones."""
    try:
        new = np.linalg.cholesky(among_z).diagonal(axis1=1, axis2=2)  # what each variable of z adds to those before it
    except np.linalg.LinAlgError:
        new = np.zeros(1)
    if new.min() ** 2 > FisherZ.SAME:
        return np.linalg.solve(among_z, with_z)
    return np.stack([np.linalg.lstsq(a, b, rcond=FisherZ.SAME)[0] for a, b in zip(among_z, with_z)])


def _correlations(measurements: Measurements) -> np.ndarray:
    """All correlations, or an error that names the column that has none."""
    if len(measurements) < 2:
        raise DataError("a correlation needs at least two rows, and there is one.")
    values = measurements.values - measurements.values.mean(axis=0)
    scale = np.sqrt((values**2).sum(axis=0))
    tiny = 1e-12 * np.abs(measurements.values).max(axis=0)
    if len(constant := np.flatnonzero(scale <= tiny * sqrt(len(values)))):
        name = measurements.variables[constant[0]]
        raise DataError(f"column {name!r} is constant, so it has no correlation with anything: leave it out.")
    values /= scale
    return values.T @ values
