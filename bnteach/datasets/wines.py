"""The red wines, those of them that the wine report used, and the kept runs of simulated annealing on these."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bnteach.datasets.files import data_path
from bnteach.tables.measurements import Measurements

if TYPE_CHECKING:
    import pandas as pd


def wine() -> Measurements:
    """1599 red wines: eleven physicochemical measurements and a quality from 3 to 8.

    Returns
    -------
    Measurements

    References
    ----------
    P. Cortez, A. Cerdeira, F. Almeida, T. Matos and J. Reis, Modeling wine preferences by data mining from
    physicochemical properties, Decision Support Systems 47 (2009).

    Examples
    --------
    >>> wine()
    Measurements, 1,599 rows: fixed acidity, volatile acidity, citric acid, residual sugar, chlorides,
    free sulfur dioxide, total sulfur dioxide, density, … 12 variables
    """
    import pandas as pd

    return Measurements(pd.read_csv(data_path("winequality-red.csv"), sep=";"))


def wine_report() -> Measurements:
    """The 1199 wines of the wine report (Lippmann 2023), identified by its Table 1 and its accuracy.

    They are the usual random split into three quarters and one quarter with seed 0, as made by scikit-learn's
    ``train_test_split(random_state=0)``.

    Returns
    -------
    Measurements

    Examples
    --------
    >>> len(wine_report())
    1199
    """
    import numpy as np

    return wine().take(np.random.RandomState(0).permutation(1599)[400:])


def wine_grid() -> pd.DataFrame:
    """1840 runs of simulated annealing on the report's wines: 46 transforms, 20 seeds, two scores.

    Returns
    -------
    DataFrame
        One row per run; the columns are described in data/README.md.

    Examples
    --------
    >>> wine_grid().groupby("name").score.max().round(2).to_dict()
    {'AIC': -5743.66, 'BIC': -5910.77}
    """
    import pandas as pd

    runs = pd.read_csv(data_path("wine_grid.csv"))
    runs.insert(0, "name", runs["data"].str.split().str[0])
    return runs.drop(columns="data")
