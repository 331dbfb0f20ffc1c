"""Linear Gaussian networks: a DAG over real-valued variables, and a linear regression of each on its parents.

A variable is normally distributed around a linear function of its parents:

    x = intercept + sum of coefficient * parent + residual,      residual ~ N(0, residual variance)

Given the graph, the parameters of each variable are found by least squares, one regression per variable. The joint
distribution is then a multivariate normal, and conditioning it on evidence gives the posterior of the other variables.
Koller and Friedman (2009), Probabilistic Graphical Models, chapter 7. Lesson 12.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import e, isfinite, log, pi
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.errors import check_base, whole_number
from bnteach.graphs.dag import DAG
from bnteach.models.evidence import check_values, check_variables
from bnteach.saving import Saved
from bnteach.scores.base import as_dag
from bnteach.scores.gaussian import GaussianFamilies, divisor
from bnteach.tables.measurements import Measurements

if TYPE_CHECKING:
    import pandas as pd


class GaussianNetwork(Saved):
    """A linear Gaussian network.

    Parameters
    ----------
    dag : DAG
        The graph.
    intercepts : mapping of str to float
        The intercept of each variable.
    coefficients : mapping of str to sequence of float
        One coefficient per parent, in the order of ``dag.parents(variable)``. Variables without parents may be absent.
    variances : mapping of str to float
        The residual variance of each variable.

    Examples
    --------
    >>> data = Measurements({"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]})
    >>> network = GaussianNetwork.fit("x->y", data)
    >>> print(network.equation("y"))
    y = 0.5 + 0.8 x, residual variance 0.6
    >>> network.predict("y", {"x": [1, 5]}).round(4).tolist()
    [1.3, 4.5]
    >>> network.given({"y": 4}).round(3)
       mean     sd
    x   3.7  0.775
    >>> round(network.log_likelihood(data), 4)
    -10.3515
    """

    def __init__(self, dag: DAG, intercepts: Mapping[str, float], coefficients: Mapping[str, Iterable[float]],
                 variances: Mapping[str, float]):
        self.dag = dag
        self.intercepts = {node: float(intercepts[node]) for node in dag.nodes}
        self.coefficients = {node: np.asarray(list(coefficients.get(node, ())), dtype=float) for node in dag.nodes}
        self.variances = {node: float(variances[node]) for node in dag.nodes}
        for node in dag.nodes:
            self._check_parameters(node)

    @classmethod
    def fit(cls, dag: DAG | str, data: Any, variance: str = "m-1") -> GaussianNetwork:
        """Regress each variable on its parents by least squares.

        The residual variance is the residual sum of squares divided by m - 1, as in the wine report, or by the number
        of rows m (``variance="m"``), which is the maximum-likelihood estimate.
        """
        data = Measurements(data)
        dag, m, families = as_dag(dag, data.variables), divisor(variance, len(data)), GaussianFamilies(data)
        for node in dag.nodes:
            families.log_likelihood(node, dag.parents(node))  # raises DataError for collinear columns or too few rows
        fits = {node: least_squares(data, node, dag.parents(node)) for node in dag.nodes}
        return cls(dag, {node: intercept for node, (intercept, _, _) in fits.items()},
                   {node: coefficients for node, (_, coefficients, _) in fits.items()},
                   {node: squares / m for node, (_, _, squares) in fits.items()})

    # -- parameters ------------------------------------------------------------------------------------
    def equation(self, node: str) -> str:
        """The regression equation of a variable: y = 0.5 + 0.8 x, residual variance 0.6."""
        check_variables(self.dag, [node])
        text = f"{node} = {self.intercepts[node]:.4g}"
        for parent, coefficient in zip(self.dag.parents(node), self.coefficients[node]):
            text += f" {'+' if coefficient >= 0 else '−'} {abs(coefficient):.4g} {parent}"
        return f"{text}, residual variance {self.variances[node]:.4g}"

    def table(self) -> pd.DataFrame:
        """All parameters, one row per variable: its intercept, its coefficients and its residual variance."""
        import pandas as pd

        rows = {node: {"intercept": self.intercepts[node],
                       **dict(zip(self.dag.parents(node), self.coefficients[node])),
                       "variance": self.variances[node]} for node in self.dag.nodes}
        columns = ["intercept", *(node for node in self.dag.nodes if self.dag.children(node)), "variance"]
        return pd.DataFrame.from_dict(rows, orient="index", columns=columns)

    @property
    def parameters(self) -> int:
        """The number of free parameters: two per variable and one per arc."""
        return 2 * len(self.dag) + len(self.dag.arcs)

    # -- density ---------------------------------------------------------------------------------------
    def factors(self, data: Any) -> pd.DataFrame:
        """For each row of the data, the density of each variable's value given its parents' values."""
        import pandas as pd

        return pd.DataFrame(np.exp(self._log_factors(data)), columns=list(self.dag.nodes))

    def densities(self, data: Any) -> np.ndarray:
        """The density of each row of the data: the product of its factors."""
        return np.asarray(np.exp(self._log_factors(data).sum(axis=1)))

    def density(self, row: Mapping[str, float]) -> float:
        """The density of one row, which assigns a value to every variable."""
        check_values(self.dag, row, complete=True)
        return float(self.densities({node: [row[node]] for node in self.dag.nodes})[0])

    def log_likelihood(self, data: Any, base: float = e) -> float:
        """The log-likelihood of the data (the logarithm of their density), in nats unless `base` is given."""
        return float(self.log_likelihoods(data, base).sum())

    def log_likelihoods(self, data: Any, base: float = e) -> np.ndarray:
        """The log-likelihood of each row of the data."""
        return np.asarray(self._log_factors(data).sum(axis=1) / log(check_base(base)))

    def sample(self, n: int, seed: int = 0) -> pd.DataFrame:
        """Draw n rows by ancestral sampling: each variable after its parents."""
        import pandas as pd

        n, random = whole_number("n", n, least=1), np.random.default_rng(whole_number("seed", seed))
        columns: dict[str, np.ndarray] = {}
        for node in self.dag.order:
            residuals = random.normal(0, self.variances[node] ** 0.5, n)
            columns[node] = self._conditional_mean(node, columns, n) + residuals
        return pd.DataFrame({node: columns[node] for node in self.dag.nodes})

    # -- inference -------------------------------------------------------------------------------------
    def predict(self, node: str, data: Any, given: str | Iterable[str] | None = None) -> np.ndarray:
        """The expected value of a variable in each row, given all other columns, or given those named in `given`.

        A column for the variable itself is ignored, and so are columns that the network does not have.
        """
        check_variables(self.dag, [node])
        data = Measurements(data)
        known = [name for name in data.variables if name in self.dag and name != node]
        observed = tuple(known) if given is None else data.names(given)
        coefficients, _ = self._regression([node], observed)
        deviations = data.select(*observed).values - self.mean[self._indices(observed)]
        return np.asarray(self.mean[self._index[node]] + deviations @ coefficients[:, 0])

    def do(self, values: Mapping[str, float]) -> GaussianNetwork:
        """The network after an intervention that sets variables to values: the arcs into them are cut.

        >>> network = GaussianNetwork(DAG("x->y"), {"x": 1, "y": 0}, {"y": [2]}, {"x": 1, "y": 1})
        >>> network.given({"y": 4})["mean"].round(2).to_dict(), network.do({"y": 4}).given({})["mean"].to_dict()
        ({'x': 1.8}, {'x': 1.0, 'y': 4.0})
        """
        check_values(self.dag, values)
        dag = DAG([(a, b) for a, b in self.dag.arcs if b not in values], self.dag.nodes)
        coefficients = {node: () if node in values else self.coefficients[node] for node in dag.nodes}
        return GaussianNetwork(dag, {**self.intercepts, **values}, coefficients,
                               {**self.variances, **dict.fromkeys(values, 0.0)})

    def given(self, evidence: Mapping[str, float]) -> pd.DataFrame:
        """The posterior mean and standard deviation of every other variable given the values of some."""
        import pandas as pd

        check_values(self.dag, evidence)
        if bad := [x for x, value in evidence.items() if isinstance(value, str) or not isfinite(value)]:
            raise ValueError(f"{bad[0]} is given as {evidence[bad[0]]}; evidence must be a finite number. "
                             f"Omit variables that were not observed.")
        others = [node for node in self.dag.nodes if node not in evidence]
        coefficients, covariance = self._regression(others, evidence)
        deviations = np.array(list(evidence.values())) - self.mean[self._indices(evidence)]
        mean = self.mean[self._indices(others)] + deviations @ coefficients
        return pd.DataFrame({"mean": mean, "sd": np.sqrt(covariance.diagonal())}, index=others)

    @cached_property
    def mean(self) -> np.ndarray:
        """The mean of every variable, in the order of the nodes."""
        mean: dict[str, np.ndarray] = {}
        for node in self.dag.order:
            mean[node] = self._conditional_mean(node, mean, 1)
        return np.array([mean[node][0] for node in self.dag.nodes])

    @cached_property
    def covariance(self) -> np.ndarray:
        """The covariance matrix of the joint distribution, in the order of the nodes.

        Parents come before children: the covariance of a child with another variable is the same linear combination
        of its parents' covariances with it.
        """
        s = np.zeros((len(self.dag), len(self.dag)))
        for node in self.dag.order:
            i, parents = self._index[node], self._indices(self.dag.parents(node))
            s[i] = s[:, i] = self.coefficients[node] @ s[parents]
            s[i, i] = self.coefficients[node] @ s[parents, i] + self.variances[node]
        return s

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, GaussianNetwork) and self.dag == other.dag and self.intercepts == other.intercepts
                and self.variances == other.variances
                and all(self._by_parent(node) == other._by_parent(node) for node in self.dag.nodes))

    __hash__ = None  # type: ignore[assignment]

    def _by_parent(self, node: str) -> dict[str, float]:
        return dict(zip(self.dag.parents(node), self.coefficients[node].tolist()))

    def __repr__(self) -> str:
        return (f"GaussianNetwork on {len(self.dag)} variables, {len(self.dag.arcs)} arcs, "
                f"{self.parameters} parameters")

    def _repr_html_(self) -> str:
        return self.dag._repr_html_() + f"<p>{self!r}</p>"

    # -- internals -------------------------------------------------------------------------------------
    def _conditional_mean(self, node: str, columns: Mapping[str, np.ndarray], n: int) -> np.ndarray:
        """The intercept plus the linear combination of the parents, for n rows."""
        mean = np.full(n, self.intercepts[node])
        for parent, coefficient in zip(self.dag.parents(node), self.coefficients[node]):
            mean = mean + coefficient * columns[parent]
        return mean

    def _log_factors(self, data: Any) -> np.ndarray:
        """The log-density of each variable's value given its parents' values: rows x variables."""
        data = Measurements(data)
        if fixed := [node for node, variance in self.variances.items() if not variance]:
            raise ValueError(f"{fixed[0]} is set to a value by an intervention, and so it has no density.")
        columns = {node: data.column(node) for node in self.dag.nodes}
        residuals = {node: columns[node] - self._conditional_mean(node, columns, len(data)) for node in self.dag.nodes}
        return np.column_stack([-(log(2 * pi * v) + residuals[x] ** 2 / v) / 2 for x, v in self.variances.items()])

    def _regression(self, targets: Iterable[str], observed: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
        """The coefficients of the observed variables for the targets, and the conditional covariance of these."""
        targets, observed = list(targets), list(observed)
        check_variables(self.dag, observed)
        if both := [x for x in targets if x in observed]:
            raise ValueError(f"{both[0]} is to be predicted and is also given; remove it from the given variables.")
        t, o = self._indices(targets), self._indices(observed)
        s, std = self.covariance, np.sqrt(self.covariance.diagonal())
        std[std == 0] = 1  # a variable that an intervention has set is independent of all others
        correlation = s / np.outer(std, std)  # better conditioned if the columns differ much in scale
        np.fill_diagonal(correlation, 1)
        coefficients = np.linalg.solve(correlation[np.ix_(o, o)], correlation[np.ix_(o, t)]) * std[t] / std[o, None]
        return coefficients, s[np.ix_(t, t)] - s[np.ix_(t, o)] @ coefficients

    @cached_property
    def _index(self) -> dict[str, int]:
        return {node: i for i, node in enumerate(self.dag.nodes)}

    def _indices(self, names: Iterable[str]) -> list[int]:
        return [self._index[name] for name in names]

    def _check_parameters(self, node: str) -> None:
        parents, coefficients = self.dag.parents(node), self.coefficients[node]
        if len(coefficients) != len(parents):
            raise ValueError(f"{node} has {len(coefficients)} coefficients and {len(parents)} parents "
                             f"({', '.join(parents) or 'none'}); give one coefficient per parent.")
        if not self.variances[node] >= 0 or (parents and not self.variances[node]):
            raise ValueError(f"the residual variance of {node} is {self.variances[node]:g}; it must be above 0.")


def least_squares(data: Measurements, child: str, parents: tuple[str, ...]) -> tuple[float, np.ndarray, float]:
    """The regression that minimizes the sum of squared residuals: intercept, coefficients, and that sum."""
    x, y = data.select(*parents).values, data.column(child)
    mean, std = x.mean(axis=0), x.std(axis=0, ddof=1)
    coefficients = np.linalg.lstsq((x - mean) / std, y - y.mean())[0] / std
    intercept = y.mean() - mean @ coefficients
    residuals = y - intercept - x @ coefficients
    return float(intercept), coefficients, float(residuals @ residuals)
