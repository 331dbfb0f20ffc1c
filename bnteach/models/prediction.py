"""How well can one variable be predicted? Every set of parents, tried.

In a linear Gaussian network the prediction of a variable from its parents does not depend on any other arc,
so the best graph for predicting it is the best set of parents: 2^11 = 2048 of them for the quality of a wine.
A prediction is right if it is the true value once rounded. Lesson 12.

>>> from bnteach.tables.table import Measurements
>>> grades = Measurements({"work": [1, 2, 3, 4], "luck": [0, 1, 1, 0], "grade": [1, 3, 3, 4]})
>>> accuracy_by_parents(grades, "grade")
        parents  size  right  accuracy
0            ()     0      2      0.50
1       (work,)     1      3      0.75
2       (luck,)     1      2      0.50
3  (work, luck)     2      4      1.00
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.errors import DataError
from bnteach.scores.gaussian import GaussianFamilies
from bnteach.tables.table import Measurements

if TYPE_CHECKING:
    import pandas as pd


MOST = 14  # other variables, that is 2^14 sets of parents


def accuracy_by_parents(data: Any, child: str) -> pd.DataFrame:
    """For each set of parents, how many rows of the data are predicted right. Small sets come first."""
    import pandas as pd

    data = Measurements(data)
    (child,) = data.names([child])
    others = [name for name in data.variables if name != child]
    _check(data, child, others)
    sets = [parents for size in range(len(others) + 1) for parents in combinations(others, size)]
    right = [rows_right(data, child, sets[i:i + 256]) for i in range(0, len(sets), 256)]
    return pd.DataFrame({"parents": sets, "size": [len(parents) for parents in sets],
                         "right": np.concatenate(right), "accuracy": np.concatenate(right) / len(data)})


def rows_right(data: Measurements, child: str, sets: list[tuple[str, ...]]) -> np.ndarray:
    """For each set of parents the number of rows whose rounded prediction is the child's value."""
    families = GaussianFamilies(data)
    r, y, i = families.correlation, data.column(child), families.place[child]
    weights = np.zeros((len(data.variables), len(sets)))
    for column, parents in enumerate(sets):
        families.left_over(child, parents)  # an error if there are too few rows, or a variable is a sum of others
        p = [families.place[parent] for parent in parents]
        weights[p, column] = np.linalg.solve(r[np.ix_(p, p)], r[p, i])
    standard = (data.values - data.values.mean(axis=0)) / families.spread
    predicted = y.mean() + families.spread[i] * (standard @ weights)
    return (np.rint(predicted) == y[:, None]).sum(axis=0)


def _check(data: Measurements, child: str, others: list[str]) -> None:
    if (data.column(child) % 1).any():
        raise DataError(f"{child!r} is not in whole numbers, so no rounded prediction of it can be right or wrong.")
    if len(others) > MOST:
        raise DataError(f"{len(others)} other variables have 2^{len(others)} sets; at most 2^{MOST} are tried. "
                        f"Take fewer columns, as with data.select(...).")
