"""How well can a variable be predicted from its parents? Every parent set is evaluated.

In a linear Gaussian network the prediction of a variable from its parents depends on no other arc, so the best graph
for predicting it is given by the best parent set; the quality of a wine has 2^11 = 2048 of them. A prediction is
correct if rounding it gives the true value. Lesson 12.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.errors import DataError
from bnteach.scores.gaussian import GaussianFamilies
from bnteach.tables.measurements import Measurements

if TYPE_CHECKING:
    import pandas as pd

MAX_CANDIDATES = 14  # for parents: 2^14 parent sets
BATCH = 256  # parent sets whose predictions are computed at once


def accuracy_by_parents(data: Any, child: str) -> pd.DataFrame:
    """Predict a variable from every possible parent set and count the correct predictions.

    Parameters
    ----------
    data : Measurements, DataFrame, dict or path
        Real-valued rows; the values of the child are whole numbers.
    child : str
        The variable to predict.

    Returns
    -------
    DataFrame
        One row per parent set, small sets first, with the columns parents, size, right (the number of rows predicted
        correctly) and accuracy.

    Examples
    --------
    >>> grades = Measurements({"work": [1, 2, 3, 4], "luck": [0, 1, 1, 0], "grade": [1, 3, 3, 4]})
    >>> accuracy_by_parents(grades, "grade")
            parents  size  right  accuracy
    0            ()     0      2      0.50
    1       (work,)     1      3      0.75
    2       (luck,)     1      2      0.50
    3  (work, luck)     2      4      1.00
    """
    import pandas as pd

    data = Measurements(data)
    (child,) = data.names([child])
    candidates = [name for name in data.variables if name != child]
    if (data.column(child) % 1).any():
        raise DataError(f"the values of {child!r} are not whole numbers, so rounding cannot make a prediction correct.")
    if len(candidates) > MAX_CANDIDATES:
        raise DataError(f"{len(candidates)} other variables have 2^{len(candidates)} subsets; the limit is "
                        f"2^{MAX_CANDIDATES}. Select fewer columns with data.select(...).")
    sets = [parents for size in range(len(candidates) + 1) for parents in combinations(candidates, size)]
    families = GaussianFamilies(data)
    for parents in sets:
        families.log_likelihood(child, parents)  # raises DataError for collinear columns or too few rows
    right = np.concatenate([correct_rows(data, child, sets[i:i + BATCH]) for i in range(0, len(sets), BATCH)])
    return pd.DataFrame({"parents": sets, "size": [len(parents) for parents in sets],
                         "right": right, "accuracy": right / len(data)})


def correct_rows(data: Measurements, child: str, sets: list[tuple[str, ...]]) -> np.ndarray:
    """For each parent set, the number of rows whose rounded prediction is the child's value."""
    std, y = data.values.std(axis=0, ddof=1), data.column(child)
    standardized = (data.values - data.values.mean(axis=0)) / std
    correlation = standardized.T @ standardized / (len(data) - 1)
    i, index = data.variables.index(child), {name: j for j, name in enumerate(data.variables)}
    coefficients = np.zeros((len(data.variables), len(sets)))
    for column, parents in enumerate(sets):
        p = [index[parent] for parent in parents]
        coefficients[p, column] = np.linalg.solve(correlation[np.ix_(p, p)], correlation[p, i])
    predicted = y.mean() + std[i] * (standardized @ coefficients)
    return np.asarray(np.sum(np.rint(predicted) == y[:, None], axis=0))
