"""Linear Gaussian networks: a DAG over real-valued variables, and for each variable a line with noise.

A variable is normal around a weighted sum of its parents:

    x = intercept + sum of weight * parent + noise,      noise ~ N(0, variance)

Given the graph, each line is a linear regression of the variable on its parents, found by least squares, one
variable at a time. All variables together are then normal too: what is known of some (evidence) says what to
expect of the others. Koller and Friedman, Probabilistic Graphical Models, chapter 7. Lesson 12.

>>> from bnteach.tables.table import Measurements
>>> data = Measurements({"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]})
>>> network = GaussianNetwork.fit("x->y", data)
>>> print(network.equation("y"))
y = 0.5 + 0.8 x, variance 0.6
>>> network.predict("y", {"x": [1, 5]}).round(4).tolist()
[1.3, 4.5]
>>> network.given({"y": 4}).round(3)
   mean     sd
x   3.7  0.775
>>> round(network.log_likelihood(data), 4)
-10.3515
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import e, isfinite, log, pi
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.errors import UnknownVariable, check_base, whole_number
from bnteach.graphs.dag import DAG
from bnteach.scores.base import as_dag
from bnteach.scores.gaussian import GaussianFamilies, divisor
from bnteach.tables.table import Measurements

if TYPE_CHECKING:
    import pandas as pd


class GaussianNetwork:
    """A DAG, and for each variable an intercept, a weight for each parent and the variance of the noise.

    `weights[x]` has a number for each parent of x, in the DAG's order.
    """

    def __init__(self, dag: DAG, intercepts: Mapping[str, float], weights: Mapping[str, Iterable[float]],
                 variances: Mapping[str, float]):
        self.dag = dag
        self.intercepts = {node: float(intercepts[node]) for node in dag.nodes}
        self.weights = {node: np.asarray(list(weights.get(node, ())), dtype=float) for node in dag.nodes}
        self.variances = {node: float(variances[node]) for node in dag.nodes}
        for node in dag.nodes:
            self._check(node)

    @classmethod
    def fit(cls, dag: DAG | str, data: Any, variance: str = "m-1") -> GaussianNetwork:
        """Least squares: for each variable the line through its parents with the smallest squared residuals.

        The variance of the noise is their sum divided by m - 1, as in the wine report, or by the number of
        rows m ("m"), which is maximum likelihood.
        """
        data = Measurements(data)
        dag, m = as_dag(dag, data.variables), divisor(variance, len(data))
        families = GaussianFamilies(data)
        lines = {node: least_squares(families, node, dag.parents(node)) for node in dag.nodes}
        return cls(dag, {node: line.intercept for node, line in lines.items()},
                   {node: line.weights for node, line in lines.items()},
                   {node: line.squares / m for node, line in lines.items()})

    # -- reading it ------------------------------------------------------------------------------------
    def equation(self, node: str) -> str:
        """The line of a variable in words: y = 0.5 + 0.8 x, variance 0.6."""
        self._check_known(node)
        text = f"{node} = {self.intercepts[node]:.4g}"
        for parent, weight in zip(self.dag.parents(node), self.weights[node]):
            text += f" {'+' if weight >= 0 else '−'} {abs(weight):.4g} {parent}"
        return f"{text}, variance {self.variances[node]:.4g}"

    def table(self) -> pd.DataFrame:
        """All parameters: a row for each variable, with its intercept, its weights and its variance."""
        import pandas as pd

        rows = {node: {"intercept": self.intercepts[node], **dict(zip(self.dag.parents(node), self.weights[node])),
                       "variance": self.variances[node]} for node in self.dag.nodes}
        columns = ["intercept", *(node for node in self.dag.nodes if self.dag.children(node)), "variance"]
        return pd.DataFrame.from_dict(rows, orient="index", columns=columns)

    @property
    def parameters(self) -> int:
        """How many numbers the network needs: two for each variable and one for each arc."""
        return 2 * len(self.dag) + len(self.dag.arcs)

    # -- probability -----------------------------------------------------------------------------------
    def factors(self, data: Any) -> pd.DataFrame:
        """For each row of the data, the density of each variable's value given its parents' values."""
        import pandas as pd

        return pd.DataFrame(np.exp(self._log_factors(data)), columns=list(self.dag.nodes))

    def densities(self, data: Any) -> np.ndarray:
        """The density of each row of the data: the product of its factors."""
        return np.exp(self._log_factors(data).sum(axis=1))

    def density(self, row: Mapping[str, float]) -> float:
        """The density of one row that gives a value for every variable."""
        self._check_known(*_named(row))
        if missing := [node for node in self.dag.nodes if node not in row]:
            raise ValueError(f"the row says nothing of {', '.join(missing)}; give a value for every variable.")
        return float(self.densities({node: [row[node]] for node in self.dag.nodes})[0])

    def log_likelihood(self, data: Any, base: float = e) -> float:
        """The logarithm of the density of all rows together, in nats unless `base` says otherwise."""
        return float(self._log_factors(data).sum() / log(check_base(base)))

    def sample(self, n: int, seed: int = 0) -> pd.DataFrame:
        """n rows drawn from the network, parents before children."""
        import pandas as pd

        n, random, columns = whole_number("n", n, least=1), np.random.default_rng(whole_number("seed", seed)), {}
        for node in self.dag.order:
            noise = random.normal(0, self.variances[node] ** 0.5, n)
            columns[node] = self._line(node, columns, n) + noise
        return pd.DataFrame({node: columns[node] for node in self.dag.nodes})

    # -- prediction ------------------------------------------------------------------------------------
    def predict(self, node: str, data: Any, given: str | Iterable[str] | None = None) -> np.ndarray:
        """What to expect of a variable in each row: from its parents, or from the columns named in `given`.

        If every parent is known, children and all others may still say more; `given` takes what you like.
        """
        self._check_known(node)
        data = Measurements(data)
        if given is None:
            return self._line(node, {p: data.column(p) for p in self.dag.parents(node)}, len(data))
        known = data.names(given)
        weights, _ = self._regression([node], known)
        off = data.select(*known).values - self.mean[self._places(known)]
        return self.mean[self._place[node]] + off @ weights[:, 0]

    def given(self, evidence: Mapping[str, float]) -> pd.DataFrame:
        """Mean and standard deviation of every other variable, once the values of some are known."""
        import pandas as pd

        self._check_known(*_named(evidence))
        if bad := [x for x, value in evidence.items() if isinstance(value, str) or not isfinite(value)]:
            raise ValueError(f"{bad[0]} is given as {evidence[bad[0]]}; evidence is a finite number. "
                             f"Leave out what is not known.")
        others = [node for node in self.dag.nodes if node not in evidence]
        weights, left_over = self._regression(others, evidence)
        off = np.array(list(evidence.values())) - self.mean[self._places(evidence)]
        mean = self.mean[self._places(others)] + off @ weights
        return pd.DataFrame({"mean": mean, "sd": np.sqrt(left_over.diagonal())}, index=others)

    @cached_property
    def mean(self) -> np.ndarray:
        """The mean of every variable, in the order of the nodes."""
        mean: dict[str, np.ndarray] = {}
        for node in self.dag.order:
            mean[node] = self._line(node, mean, 1)
        return np.array([mean[node][0] for node in self.dag.nodes])

    @cached_property
    def covariance(self) -> np.ndarray:
        """The covariance matrix of all variables together, in the order of the nodes.

        Parents before children: a child covaries with another variable as the weighted sum of its parents does.
        """
        s = np.zeros((len(self.dag), len(self.dag)))
        for node in self.dag.order:
            i, parents = self._place[node], [self._place[p] for p in self.dag.parents(node)]
            s[i] = s[:, i] = self.weights[node] @ s[parents]
            s[i, i] = self.weights[node] @ s[parents, i] + self.variances[node]
        return s

    def __repr__(self) -> str:
        return (f"GaussianNetwork on {len(self.dag)} variables, {len(self.dag.arcs)} arcs, "
                f"{self.parameters} parameters")

    def _repr_html_(self) -> str:
        return self.dag._repr_html_() + f"<p>{self!r}</p>"

    # -- inside ----------------------------------------------------------------------------------------
    def _line(self, node: str, columns: Mapping[str, np.ndarray], n: int) -> np.ndarray:
        """The intercept and the weighted sum of the parents, for n rows."""
        line = np.full(n, self.intercepts[node])
        for parent, weight in zip(self.dag.parents(node), self.weights[node]):
            line = line + weight * columns[parent]
        return line

    def _log_factors(self, data: Any) -> np.ndarray:
        data = Measurements(data)
        columns = {node: data.column(node) for node in self.dag.nodes}
        off = {node: columns[node] - self._line(node, columns, len(data)) for node in self.dag.nodes}
        return np.column_stack([-(log(2 * pi * v) + off[node] ** 2 / v) / 2 for node, v in self.variances.items()])

    def _regression(self, wanted: Iterable[str], known: Iterable[str]) -> tuple[np.ndarray, np.ndarray]:
        """The weights of the known variables for the wanted ones, and the covariance that they leave over."""
        wanted, known = list(wanted), list(known)
        self._check_known(*known)
        if both := [x for x in wanted if x in known]:
            raise ValueError(f"{both[0]} is to be predicted and is also given; leave it out of what is given.")
        w, k = self._places(wanted), self._places(known)
        s, sd = self.covariance, np.sqrt(self.covariance.diagonal())
        correlation = s / np.outer(sd, sd)  # columns of very different size would cost digits
        weights = np.linalg.solve(correlation[np.ix_(k, k)], correlation[np.ix_(k, w)]) * sd[w] / sd[k, None]
        return weights, s[np.ix_(w, w)] - s[np.ix_(w, k)] @ weights

    @cached_property
    def _place(self) -> dict[str, int]:
        return {node: i for i, node in enumerate(self.dag.nodes)}

    def _places(self, names: Iterable[str]) -> list[int]:
        return [self._place[name] for name in names]

    def _check_known(self, *names: str) -> None:
        for name in names:
            if not isinstance(name, str) or name not in self.dag:
                raise UnknownVariable(name, self.dag.nodes, "the network")

    def _check(self, node: str) -> None:
        parents, weights = self.dag.parents(node), self.weights[node]
        if len(weights) != len(parents):
            raise ValueError(f"{node} has {len(weights)} weights and {len(parents)} parents "
                             f"({', '.join(parents) or 'none'}); give a weight for each parent.")
        if not self.variances[node] > 0:
            raise ValueError(f"the variance of {node} is {self.variances[node]:g}; a density needs one above 0.")


def _named(values: Mapping[str, float]) -> Mapping[str, float]:
    if not isinstance(values, Mapping):
        raise TypeError(f"values are given by name, as in {{'x': 1.5}}, not as {values!r}.")
    return values


@dataclass(frozen=True)
class Line:
    """A fitted line: its intercept, the parents' weights, and the sum of the squared residuals."""

    intercept: float
    weights: np.ndarray
    squares: float


def least_squares(families: GaussianFamilies, child: str, parents: tuple[str, ...]) -> Line:
    """The line through the parents with the smallest sum of squared residuals."""
    families.left_over(child, parents)  # an error if there are too few rows, or a variable is a sum of others
    data, places = families.data, [families.place[parent] for parent in parents]
    mean, spread = data.values[:, places].mean(axis=0), families.spread[places]
    y = data.column(child)
    weights = np.linalg.lstsq((data.values[:, places] - mean) / spread, y - y.mean())[0] / spread
    intercept = y.mean() - mean @ weights
    residuals = y - intercept - data.values[:, places] @ weights
    return Line(float(intercept), weights, float(residuals @ residuals))
