"""Which learner predicts new data best? Held-out log-likelihood by k-fold cross-validation.

The rows are divided into k folds. Each learner sees all folds but one, its graph gets parameters from the same rows,
and the log-likelihood of the rows that were left out says how well the network predicts them. Every learner gets the
same folds, so the differences between learners can be compared row by row.

>>> from bnteach import BIC, chow_liu, datasets, hill_climb
>>> learners = {"tree": chow_liu, "BIC": lambda table: hill_climb(BIC(table)), "no arcs": lambda table: "A, B, C, D"}
>>> print(cross_validate(learners, datasets.five_rows(), folds=5))
         bits per row  standard error  difference  its standard error
tree          -4.6743          0.8062      0.0000              0.0000
BIC           -4.5373          0.8997      0.1370              0.1711
no arcs       -4.4379          0.6721      0.2364              0.1834
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.errors import DataError, check_base, whole_number
from bnteach.graphs.dag import DAG
from bnteach.graphs.extension import extend
from bnteach.graphs.pdag import PDAG
from bnteach.models.categorical import CategoricalNetwork
from bnteach.models.gaussian import GaussianNetwork
from bnteach.progress import Progress
from bnteach.tables.measurements import Measurements
from bnteach.tables.table import Table, as_table

if TYPE_CHECKING:
    import pandas as pd

Learner = Callable[[Any], Any]


@dataclass(frozen=True)
class CrossValidation:
    """The held-out log-likelihood of every row under each learner, as `cross_validate` returns it.

    Parameters
    ----------
    rows : mapping of str to array
        For each learner the log-likelihood of each row, by the network that has not seen it.
    graphs : mapping of str to list
        For each learner the graph of each fold.
    base : float
        The base of the logarithm.
    """

    rows: Mapping[str, np.ndarray] = field(repr=False)
    graphs: Mapping[str, list[DAG]] = field(repr=False)
    base: float = 2

    @property
    def units(self) -> str:
        """bits or nats."""
        return "bits" if self.base == 2 else "nats" if abs(self.base - np.e) < 1e-12 else f"base {self.base:g}"

    def table(self) -> pd.DataFrame:
        """A row per learner: the mean per row and its standard error, and the same of the paired difference from the
        first learner."""
        import pandas as pd

        first = next(iter(self.rows.values()))
        found = {name: (*_mean(rows), *_mean(rows - first)) for name, rows in self.rows.items()}
        columns = [f"{self.units} per row", "standard error", "difference", "its standard error"]
        return pd.DataFrame.from_dict(found, orient="index", columns=columns)

    @property
    def best(self) -> str:
        """The learner with the highest held-out log-likelihood."""
        return max(self.rows, key=lambda name: float(self.rows[name].mean()))

    def __str__(self) -> str:
        return self.table().round(4).to_string()

    def _repr_html_(self) -> str:
        return f"<div class='bnteach-validation'>{self.table().round(4).to_html(border=0)}</div>"


def cross_validate(learners: Learner | Mapping[str, Learner], data: Any, folds: int = 10, seed: int = 0,
                   smoothing: float = 1.0, base: float = 2) -> CrossValidation:
    """Compare learners by the log-likelihood of rows that they have not seen.

    Parameters
    ----------
    learners : function, or mapping of str to function
        Each takes a Table (or Measurements) and returns a Result or a graph: ``bn.chow_liu``, or
        ``lambda table: bn.hill_climb(bn.BIC(table))``. A PDAG is extended to a DAG of its class.
    data : Table, Measurements, or anything that is read as a Table
    folds : int
        The number of folds.
    seed : int
        Of the division into folds.
    smoothing : float
        The pseudo-count for the parameters; with 0, a row that was never seen has the log-likelihood -inf.
    base : float
        The base of the logarithm: 2 for bits, ``math.e`` for nats.

    Returns
    -------
    CrossValidation
        ``table()`` has a row per learner; ``best`` names the best.

    Examples
    --------
    >>> from bnteach import chow_liu, datasets
    >>> cross_validate(chow_liu, datasets.asia(500), folds=5).best
    'chow_liu'

    References
    ----------
    Koller and Friedman (2009), Probabilistic Graphical Models, box 16.A.
    """
    named = learners if isinstance(learners, Mapping) else {getattr(learners, "__name__", "learner"): learners}
    data, base = data if isinstance(data, Measurements) else as_table(data), check_base(base)
    n, folds = len(data), whole_number("folds", folds, least=2)
    if folds > n:
        raise DataError(f"{n} rows cannot be divided into {folds} folds: use at most {n}.")
    fold = np.random.default_rng(seed).permutation(np.arange(n) % folds)
    rows: dict[str, np.ndarray] = {name: np.zeros(n) for name in named}
    graphs: dict[str, list[DAG]] = {name: [] for name in named}
    with Progress("cross-validation", total=folds * len(named), unit=" fits") as progress:
        for k in range(folds):
            train, test = data.take(np.flatnonzero(fold != k)), data.take(np.flatnonzero(fold == k))
            for name, learner in named.items():
                network = _fitted(learner(train), train, smoothing)
                rows[name][fold == k] = network.log_likelihoods(test, base)
                graphs[name].append(network.dag)
                progress.step()
    return CrossValidation(rows, graphs, base)


def _fitted(found: Any, train: Table | Measurements, smoothing: float) -> CategoricalNetwork | GaussianNetwork:
    """A network with the graph that a learner has returned."""
    graph = getattr(found, "graph", found)
    graph = extend(graph) if isinstance(graph, PDAG) else graph
    if isinstance(train, Measurements):
        return GaussianNetwork.fit(graph, train)
    return CategoricalNetwork.fit(graph, train, smoothing)


def _mean(values: np.ndarray) -> tuple[float, float]:
    """The mean and its standard error."""
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(len(values)))
