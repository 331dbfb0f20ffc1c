"""Oracles that ask data: the chi-square test, its sister G-square, and Fisher's z for real numbers.

Each computes a number that is small when x and y are independent given z, and asks how often chance alone
would make it as large (the p-value). If less often than `alpha`, independence is rejected.

For categories, the rows are split into strata, one for each combination of the states of z. In a stratum
of N rows, of which N(x) have x and N(y) have y, one expects E = N(x) N(y) / N rows with both, and counts O:

    chi-square   the sum of (O - E)^2 / E                  G-square   2 times the sum of O ln(O / E)

Under independence both are about chi-square distributed, with (|X| - 1)(|Y| - 1) degrees of freedom for
each combination of the states of z. There is no Yates correction. Not to reject is not to prove: with few
rows and many strata hardly anything can be rejected. Lesson 3.

>>> from bnteach.table import Table
>>> t = Table({"X": [0] * 50 + [1] * 50, "Y": [0] * 30 + [1] * 20 + [0] * 20 + [1] * 30})
>>> print(ChiSquare(t)("X", "Y"))
X and Y are dependent: chi-square 4.000 with 1 degree of freedom, p = 0.0455 < 0.05

Pearson (1900); Fisher (1915, 1924) for z; Spirtes, Glymour and Scheines (2000), Causation, Prediction, and
Search, section 5.5, for their use in learning structure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate, islice
from math import atanh, inf, prod, sqrt
from typing import Any

import numpy as np

from bnteach.independence import Oracle, Verdict, ask
from bnteach.merged_rows import AT_ONCE, MergedRows
from bnteach.table import DataError, Measurements, Table, as_table

REMEMBER = 2**26  # bytes of strata that are kept
TOO_MANY = 2**22  # cells of one handful; of a set with more, only the strata that have rows are counted
MANY_CELLS = 2**10  # for so many cells it is worth taking a part of the table


@cache
def _tails() -> tuple[Any, Any]:
    """Upper tail of chi-square, lower tail of the normal: the bare functions, quick to load and to call."""
    from scipy.special import chdtrc, ndtr

    return chdtrc, ndtr


class _Test(Oracle):
    """What the tests share: alpha."""

    def __init__(self, variables: tuple[str, ...], alpha: float):
        if not (isinstance(alpha, int | float) and 0 < alpha < 1):
            raise ValueError(f"alpha={alpha!r} is no significance level: it is the share of true independences that "
                             f"one is ready to reject, between 0 and 1, such as 0.05.")
        super().__init__(variables)
        self.alpha = alpha


class _Strata(_Test):
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
        """How far each stratum's counts are from what independence would make one expect."""
        raise NotImplementedError

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        return self._verdict(x, y, *next(self._tests(x, y, [given])))

    def answers(self, x: str, y: str, sets: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Verdict]]:
        """The verdicts on x and y for one given set after the other, each with its set; without words."""
        return ((given, Verdict(p >= self.alpha, statistic, dof, p))
                for given, statistic, dof, p, _ in self._tests(x, y, sets))

    def _tests(self, x: str, y: str, sets: Iterable[tuple[str, ...]]) -> Iterator[tuple]:
        """For each set: itself, the statistic, its degrees of freedom, the p-value, and how many strata are empty."""
        for handful, strata in self._handfuls(sets, self._sizes[x] * self._sizes[y]):
            begin = [0, *accumulate(strata[:-1])]  # the place of each set's first stratum
            observed = self._count(x, y, handful, strata)
            of_x, of_y = observed.sum(axis=1), observed.sum(axis=0)
            rows = of_x.sum(axis=0)
            expected = of_x[:, None] * of_y / np.maximum(rows, 1)
            statistic = np.add.reduceat(self.distance(observed, expected), begin)
            each = (len(of_x) - 1) * (len(of_y) - 1)
            free = _adjusted(of_x, of_y, begin) if self.adjust else [each * n for n in strata]
            dof = np.array(free, dtype=float)
            p_value = np.where(dof > 0, _tails()[0](dof, statistic), 1.0)
            empty = [n - filled for n, filled in zip(strata, np.add.reduceat(rows > 0, begin, dtype=np.int64).tolist())]
            yield from zip(handful, statistic.tolist(), free, p_value.tolist(), empty)

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
        """Some sets with their numbers of strata, of so many cells each: four, then sixteen, then sixty-four at a time.

        So whoever stops early has not waited for many. Where the cells would be too many, one at a time.
        """
        sets, most = iter(sets), 4
        while handful := list(islice(sets, most)):
            strata = [prod([self._sizes[z] for z in given]) for given in handful]
            if cells * sum(strata) <= TOO_MANY:
                yield handful, strata
            else:
                yield from (([given], [n]) for given, n in zip(handful, strata))
            most = min(4 * most, 64)

    # -- telling -----------------------------------------------------------------------------------------
    def _verdict(self, x: str, y: str, given: tuple[str, ...], statistic: float, dof: int, p: float,
                 empty: int) -> Verdict:
        independent = p >= self.alpha
        is_, sign = ("independent", "≥") if independent else ("dependent", "<")
        reason = (f"{ask(x, y, given)} are {is_}: {self.name} {statistic:.3f} with {dof} degree{'s'[dof == 1:]} of "
                  f"freedom, p = {p:.3g} {sign} {self.alpha:g}")
        if dof == 0:
            reason += "; with 0 degrees of freedom nothing can speak against independence"
        if empty:
            strata = prod(self._sizes[z] for z in given)
            reason += f"; {empty} of {strata} strata {'has' if empty == 1 else 'have'} no rows"
        return Verdict(independent, statistic, dof, p, reason)

    def __repr__(self) -> str:
        adjusted = ", adjusted degrees of freedom" if self.adjust else ""
        return f"{type(self).__name__} on {len(self.table):,} rows, alpha {self.alpha:g}{adjusted}"


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
        """The sum of (O - E)^2 / E; a cell where nothing is expected holds nothing and adds nothing."""
        return ((observed - expected) ** 2 / np.maximum(expected, 1e-300)).sum(axis=(0, 1))


class GSquare(_Strata):
    """The likelihood-ratio test on a Table: G = 2 N I(X; Y | Z), with the mutual information in nats.

    Degrees of freedom as for ChiSquare.
    """

    name = "G-square"

    @staticmethod
    def distance(observed: np.ndarray, expected: np.ndarray) -> np.ndarray:
        """2 times the sum of O ln(O / E), with 0 ln 0 = 0; rounding may not make it negative."""
        ratio = np.where(observed > 0, observed / np.maximum(expected, 1e-300), 1.0)
        return np.maximum(2 * (observed * np.log(ratio)).sum(axis=(0, 1)), 0.0)


class FisherZ(_Test):
    """Fisher's z test on Measurements: is the partial correlation of x and y given z zero?

    It sees linear dependence only, and is exact for Gaussian variables. With N rows and k variables given,
    sqrt(N - k - 3) atanh(r) is about standard normal if the partial correlation is 0.
    """

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
        free = len(self.measurements) - len(given) - 3
        if free <= 0:
            return Verdict(True, 0.0, None, 1.0, f"{ask(x, y, given)} count as independent: the test needs more than "
                                                 f"{len(given) + 3} rows, and there are {len(self.measurements)}")
        r = self.partial_correlation(x, y, given)
        if r is None:
            return Verdict(True, 0.0, None, 1.0, f"{ask(x, y, given)} are independent: what is given leaves nothing "
                                                 f"of {x} or of {y} to vary")
        statistic = sqrt(free) * atanh(r) if abs(r) < 1 else r * inf
        p_value = float(2 * _tails()[1](-abs(statistic)))
        is_, sign = ("independent", "≥") if p_value >= self.alpha else ("dependent", "<")
        return Verdict(p_value >= self.alpha, statistic, None, p_value,
                       f"{ask(x, y, given)} are {is_}: partial correlation {r:.3f}, z = {statistic:.3f}, "
                       f"p = {p_value:.3g} {sign} {self.alpha:g}")

    def partial_correlation(self, x: str, y: str, given: tuple[str, ...] = ()) -> float | None:
        """The correlation of what is left of x and y when the best linear guess from `given` is taken away.

        None if nothing is left of one of them.
        """
        i, z = [self._place[x], self._place[y]], [self._place[name] for name in given]
        left = self.correlations[np.ix_(i, i)]
        if z:
            with_z = self.correlations[np.ix_(z, i)]
            left = left - with_z.T @ _predict(self.correlations[np.ix_(z, z)], with_z)
        if min(left[0, 0], left[1, 1]) < self.SAME:
            return None
        r = float(left[0, 1] / sqrt(left[0, 0] * left[1, 1]))
        return r if abs(r) < 1 - self.SAME else float(np.sign(r))

    def __repr__(self) -> str:
        return f"FisherZ on {len(self.measurements):,} rows, alpha {self.alpha:g}"


def _predict(among_z: np.ndarray, with_z: np.ndarray) -> np.ndarray:
    """The weights of z in the best linear guess. If z repeats itself, some of many equally good ones."""
    try:
        new = np.linalg.cholesky(among_z).diagonal()  # what each variable of z adds to those before it
    except np.linalg.LinAlgError:
        new = np.zeros(1)
    if new.min() ** 2 > FisherZ.SAME:
        return np.linalg.solve(among_z, with_z)
    return np.linalg.lstsq(among_z, with_z, rcond=FisherZ.SAME)[0]


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
