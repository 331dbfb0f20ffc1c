"""Bayesian networks over categorical variables: a DAG and a table for each variable.

The table of a variable gives its probabilities for each combination of its parents' states. Those that
make the data most probable (maximum likelihood) are the fractions seen in the data. Lesson 6.

>>> from bnteach.datasets import five_rows
>>> network = CategoricalNetwork.fit("A->B, A->C, B->D", five_rows())
>>> network.table("B")
          b    ~b
A
a      0.75  0.25
~a     1.00  0.00
>>> [round(float(p), 4) for p in network.probabilities(five_rows())]
[0.1125, 0.3375, 0.05, 0.15, 0.3375]
>>> round(network.log_likelihood(five_rows()), 4)
-13.345
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import log
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.errors import DataError, UnknownVariable, check_base, needs_instance, whole_number
from bnteach.graphs.dag import DAG
from bnteach.models.inference import Prediction, log_evidence, posterior, predict
from bnteach.scores.base import as_dag
from bnteach.tables.table import Table, as_table

if TYPE_CHECKING:
    import pandas as pd


class CategoricalNetwork:
    """A DAG, the states of its variables, and for each variable an array of probabilities.

    `tables[x]` has an axis for each parent of x, in the DAG's order, and a last one for x itself.
    """

    def __init__(self, dag: DAG, states: Mapping[str, tuple[Any, ...]], tables: Mapping[str, np.ndarray]):
        self.dag = dag
        self.states = {node: tuple(states[node]) for node in dag.nodes}
        self.tables = {node: np.asarray(tables[node], dtype=float) for node in dag.nodes}
        for node in dag.nodes:
            self._check_table(node)

    @classmethod
    def fit(cls, dag: DAG | str, data: Any) -> CategoricalNetwork:
        """Maximum likelihood: each probability is a fraction of rows.

        Parent states that never occur say nothing about the child; all its states are then equally probable.
        """
        table = as_table(data)
        dag = as_dag(dag, table.variables)
        states = {node: table.states(node) for node in dag.nodes}
        return cls(dag, states, {node: fractions(table.counts(*dag.parents(node), node)) for node in dag.nodes})

    def table(self, node: str) -> pd.DataFrame:
        """The table of a variable, for reading: a row for each combination of its parents' states."""
        import pandas as pd

        parents = self.dag.parents(node)
        rows = pd.MultiIndex.from_product([self.states[p] for p in parents], names=parents) if len(parents) > 1 else (
            pd.Index(self.states[parents[0]], name=parents[0]) if parents else pd.Index([""]))
        return pd.DataFrame(self.tables[node].reshape(len(rows), -1), index=rows, columns=list(self.states[node]))

    def probability(self, row: Mapping[str, Any]) -> float:
        """The probability of one row that gives a state for every variable."""
        if not isinstance(row, Mapping):
            raise TypeError(f"a row is a dictionary such as {{'A': 'a'}}, not {row!r}.")
        for name in row:
            if name not in self.dag:
                raise UnknownVariable(name, self.dag.nodes, "the network")
        if missing := [node for node in self.dag.nodes if node not in row]:
            raise ValueError(f"the row says nothing of {', '.join(missing)}; give a state for every variable.")
        place = {node: self._place(node, row[node]) for node in self.dag.nodes}
        return float(np.prod([self.tables[n][(*(place[p] for p in self.dag.parents(n)), place[n])]
                              for n in self.dag.nodes]))

    def factors(self, data: Any) -> pd.DataFrame:
        """For each row of the data, the probability of each variable's state given its parents'."""
        import pandas as pd

        codes = self._codes(data)
        return pd.DataFrame({node: self.tables[node][(*(codes[p] for p in self.dag.parents(node)), codes[node])]
                             for node in self.dag.nodes})

    def probabilities(self, data: Any) -> np.ndarray:
        """The probability of each row of the data."""
        return self.factors(data).to_numpy().prod(axis=1)

    def log_likelihood(self, data: Any, base: float = 2) -> float:
        """The logarithm of the probability of all rows together, in bits unless `base` says otherwise.

        It is minus infinity if the network holds one of the rows to be impossible. A gap in a row is summed over.
        """
        if isinstance(data, Table) and not data.complete:
            return log_evidence(self, data) / log(check_base(base))
        with np.errstate(divide="ignore"):
            return float(np.log(self.factors(data).to_numpy()).sum() / log(check_base(base)))

    def sample(self, n: int, seed: int = 0) -> pd.DataFrame:
        """n rows drawn from the network, parents before children, as a DataFrame of categories."""
        import pandas as pd

        n, random, codes = whole_number("n", n, least=1), np.random.default_rng(whole_number("seed", seed)), {}
        for node in self.dag.order:
            below = self.tables[node].cumsum(axis=-1)  # the probability of this state or one before it
            parents, chance = tuple(codes[p] for p in self.dag.parents(node)), random.random(n)
            codes[node] = np.zeros(n, dtype=np.int16)
            for state in range(below.shape[-1] - 1):
                codes[node] += chance >= below[..., state][parents]
        return pd.DataFrame({node: pd.Categorical.from_codes(codes[node], list(self.states[node]))
                             for node in self.dag.nodes})

    # -- inference: what follows from what is known -----------------------------------------------------
    def posterior(self, variable: str | Iterable[str], evidence: Mapping[str, Any] | None = None) -> pd.Series:
        """The probability of each state of a variable when some others are known, by variable elimination.

        Several variables get a joint probability. See models/inference.py.
        """
        return posterior(self, variable, {} if evidence is None else evidence)

    def predict(self, variable: str, rows: Any) -> Prediction | pd.DataFrame:
        """The most probable state of a variable and its probability: for evidence such as {"A": "a"}, or for every
        row of a table. Rows may have gaps, and need not have every column."""
        return predict(self, variable, rows)

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, CategoricalNetwork) and self.dag == other.dag and self.states == other.states
                and all(np.array_equal(self._parents_sorted(n), other._parents_sorted(n)) for n in self.dag.nodes))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        free = sum(t.size - t.size // t.shape[-1] for t in self.tables.values())
        return f"CategoricalNetwork on {len(self.dag)} variables, {len(self.dag.arcs)} arcs, {free} parameters"

    def _repr_html_(self) -> str:
        return self.dag._repr_html_() + f"<p>{self!r}</p>"

    # -- inside ----------------------------------------------------------------------------------------
    def _place(self, node: str, state: Any) -> int:
        try:
            return self.states[node].index(state)
        except ValueError:
            known = ", ".join(map(repr, self.states[node]))
            raise DataError(f"{node} has no state {state!r}; it has {known}.") from None

    def _codes(self, data: Any) -> dict[str, np.ndarray]:
        """The rows of the data as places in this network's states."""
        table, codes = as_table(data), {}
        table.check_complete()
        for node in self.dag.nodes:
            here = np.array([self._place(node, state) for state in table.states(node)])
            codes[node] = here[table.codes(node)]
        return codes

    def _parents_sorted(self, node: str) -> np.ndarray:
        parents = self.dag.parents(node)
        order = sorted(range(len(parents)), key=lambda i: parents[i])
        return self.tables[node].transpose(*order, len(parents))

    def _check_table(self, node: str) -> None:
        table = self.tables[node]
        shape = tuple(len(self.states[n]) for n in (*self.dag.parents(node), node))
        if table.shape != shape:
            raise ValueError(f"the table of {node} has shape {table.shape}; with parents "
                             f"{', '.join(self.dag.parents(node)) or 'none'} it should be {shape}.")
        if (table < 0).any() or not np.allclose(table.sum(axis=-1), 1, atol=1e-6):
            raise ValueError(f"the table of {node} does not hold probabilities: "
                             f"each row must be 0 or more and sum to 1.")


needs_instance(CategoricalNetwork, "Make one from a graph and data: bn.fit(dag, table).")


def fractions(counts: np.ndarray) -> np.ndarray:
    """Counts along the last axis as fractions; where there are none, equal ones."""
    total = counts.sum(axis=-1, keepdims=True)
    return np.where(total > 0, counts / np.where(total > 0, total, 1), 1 / counts.shape[-1])
