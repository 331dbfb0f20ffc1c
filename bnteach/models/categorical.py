"""Bayesian networks over categorical variables: a DAG, and for each variable a conditional probability table (CPT).

The CPT of a variable gives the probability of each of its states for each combination of its parents' states. The
joint distribution factorizes over the families: the probability of a row is the product of one CPT entry per
variable. The CPTs that make the data most probable, the maximum-likelihood estimates, are the relative frequencies
in the data. Lesson 6.

>>> from bnteach.datasets import five_rows
>>> network = CategoricalNetwork.fit("A->B, A->C, B->D", five_rows())
>>> network.cpt("B")
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
from functools import cached_property
from math import inf, log
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from bnteach.errors import DataError, check_base, needs_instance, whole_number
from bnteach.graphs.dag import DAG
from bnteach.models.elimination import elimination_order, reduced_cpts
from bnteach.models.evidence import check_values, codes_of
from bnteach.models.inference import Prediction, log_evidence, posterior, predict
from bnteach.saving import Saved
from bnteach.scores.base import as_dag
from bnteach.tables.table import Table, as_table

if TYPE_CHECKING:
    import pandas as pd


class CategoricalNetwork(Saved):
    """A Bayesian network over categorical variables.

    Parameters
    ----------
    dag : DAG
        The graph.
    states : mapping of str to tuple
        The states of each variable, in order.
    cpts : mapping of str to array_like
        The CPT of each variable: an array with one axis per parent, in the order of ``dag.parents(variable)``, and a
        last axis for the variable itself.

    Examples
    --------
    >>> network = CategoricalNetwork(DAG("rain->wet"), {"rain": ("yes", "no"), "wet": ("yes", "no")},
    ...                              {"rain": [.25, .75], "wet": [[.5, .5], [0, 1]]})
    >>> network.probability({"rain": "yes", "wet": "no"})
    0.125
    >>> network.posterior("rain", {"wet": "no"})
    yes    0.142857
    no     0.857143
    Name: P(rain | wet = no), dtype: float64
    """

    def __init__(self, dag: DAG, states: Mapping[str, tuple[Any, ...]], cpts: Mapping[str, ArrayLike]):
        self.dag = dag
        self.states = {node: tuple(states[node]) for node in dag.nodes}
        self.cpts = {node: np.asarray(cpts[node], dtype=float) for node in dag.nodes}
        for node in dag.nodes:
            self._check_cpt(node)

    @classmethod
    def fit(cls, dag: DAG | str, data: Any, smoothing: float = 0.0) -> CategoricalNetwork:
        """Estimate the CPTs by maximum likelihood: each entry is a relative frequency.

        For parent states that never occur in the data the estimate is uniform. `smoothing` is a pseudo-count that is
        added to every count; with it no entry is 0.
        """
        if not 0 <= smoothing < inf:
            raise ValueError(f"smoothing={smoothing} is no pseudo-count: give 0, or a number above 0.")
        table = as_table(data)
        dag = as_dag(dag, table.variables)
        states = {node: table.states(node) for node in dag.nodes}
        return cls(dag, states, {node: relative_frequencies(table.counts(*dag.parents(node), node) + smoothing)
                                 for node in dag.nodes})

    def cpt(self, node: str) -> pd.DataFrame:
        """The CPT of a variable as a DataFrame with one row per combination of its parents' states."""
        import pandas as pd

        parents = self.dag.parents(node)
        rows: pd.Index[Any] = pd.Index([""])
        if parents:
            rows = pd.MultiIndex.from_product([self.states[p] for p in parents], names=parents)
        if len(parents) == 1:
            rows = rows.get_level_values(0)
        return pd.DataFrame(self.cpts[node].reshape(len(rows), -1), index=rows, columns=list(self.states[node]))

    # -- probability -----------------------------------------------------------------------------------
    def probability(self, row: Mapping[str, Any]) -> float:
        """The probability of one row, which assigns a state to every variable."""
        check_values(self.dag, row, complete=True)
        return float(np.prod([self.entry(node, row) for node in self.dag.nodes]))

    def entry(self, node: str, row: Mapping[str, Any]) -> float:
        """The entry of the node's CPT that applies to a row."""
        family = (*self.dag.parents(node), node)
        return float(self.cpts[node][tuple(self.state_index(name, row[name]) for name in family)])

    def factors(self, data: Any) -> pd.DataFrame:
        """For each row of the data, the probability of each variable's state given its parents' states."""
        import pandas as pd

        codes = self._codes(data)
        return pd.DataFrame({node: self.cpts[node][(*(codes[p] for p in self.dag.parents(node)), codes[node])]
                             for node in self.dag.nodes})

    def probabilities(self, data: Any) -> np.ndarray:
        """The probability of each row of the data."""
        return np.asarray(self.factors(data).to_numpy().prod(axis=1))

    def log_likelihood(self, data: Any, base: float = 2) -> float:
        """The log-likelihood of the data, in bits unless `base` is given; minus infinity if a row has probability 0.

        Missing values are summed out.
        """
        if isinstance(data, Table) and not data.complete:
            return log_evidence(self, data) / log(check_base(base))
        table = as_table(data)
        return float((self.log_likelihoods(table.once(), base) * table.row_weights).sum())

    def log_likelihoods(self, data: Any, base: float = 2) -> np.ndarray:
        """The log-likelihood of each row of complete data."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.factors(data).to_numpy()).sum(axis=1) / log(check_base(base)))

    def sample(self, n: int, seed: int = 0) -> pd.DataFrame:
        """Draw n rows by ancestral sampling: each variable after its parents."""
        import pandas as pd

        n, random = whole_number("n", n, least=1), np.random.default_rng(whole_number("seed", seed))
        codes: dict[str, np.ndarray] = {}
        for node in self.dag.order:
            cumulative = self.cpts[node].cumsum(axis=-1)
            parents, uniform = tuple(codes[p] for p in self.dag.parents(node)), random.random(n)
            codes[node] = np.zeros(n, dtype=np.int16)
            for state in range(cumulative.shape[-1] - 1):
                codes[node] += uniform >= cumulative[..., state][parents]
        states = {node: pd.Index(self.states[node], tupleize_cols=False) for node in self.dag.nodes}
        return pd.DataFrame({node: pd.Categorical.from_codes(codes[node], states[node]) for node in self.dag.nodes})

    # -- inference -------------------------------------------------------------------------------------
    def do(self, values: Mapping[str, Any]) -> CategoricalNetwork:
        """The network after an intervention that sets variables to values, whatever their parents are.

        The arcs into these variables are cut. So ``network.do({"X": x}).posterior("Y")`` is P(Y | do(X = x)), and
        ``network.posterior("Y", {"X": x})`` is P(Y | X = x): what is seen also tells something about the causes of X.

        >>> from bnteach.datasets import five_rows
        >>> network = CategoricalNetwork.fit("A->B, A->C, B->D", five_rows())
        >>> float(network.posterior("A", {"C": "c"})["a"]), float(network.do({"C": "c"}).posterior("A")["a"].round(2))
        (0.5, 0.8)
        """
        check_values(self.dag, values)
        dag = DAG([(a, b) for a, b in self.dag.arcs if b not in values], self.dag.nodes)
        fixed = {x: np.eye(len(self.states[x]))[self.state_index(x, value)] for x, value in values.items()}
        return CategoricalNetwork(dag, self.states, {**self.cpts, **fixed})

    def posterior(self, variable: str | Iterable[str], evidence: Mapping[str, Any] | None = None) -> pd.Series[float]:
        """The posterior distribution of a variable given evidence, by variable elimination.

        Several variables give their joint posterior. See models/inference.py.
        """
        return posterior(self, variable, {} if evidence is None else evidence)

    @cached_property
    def elimination_order(self) -> list[str]:
        """In which order a query about one row eliminates the variables; see models/elimination.py."""
        return elimination_order(reduced_cpts(self, self.dag.nodes, {}), (), self)[0]

    def predict(self, variable: str, rows: Any) -> Prediction | pd.DataFrame:
        """The most probable state of a variable and its probability, given evidence such as ``{"A": "a"}`` or given
        each row of a table. Rows may have missing values, and columns may be absent; other columns are ignored. A row
        that has probability 0 in this network has no prediction: its state and its probability are missing values."""
        return predict(self, variable, rows)

    def __eq__(self, other: object) -> bool:
        return (isinstance(other, CategoricalNetwork) and self.dag == other.dag and self.states == other.states
                and all(np.array_equal(self._parents_sorted(n), other._parents_sorted(n)) for n in self.dag.nodes))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        free = sum(cpt.size - cpt.size // cpt.shape[-1] for cpt in self.cpts.values())
        return f"CategoricalNetwork on {len(self.dag)} variables, {len(self.dag.arcs)} arcs, {free} parameters"

    def _repr_html_(self) -> str:
        return self.dag._repr_html_() + f"<p>{self!r}</p>"

    def state_index(self, node: str, state: Any) -> int:
        """The index of a state among the states of a variable."""
        try:
            return self.states[node].index(state)
        except ValueError:
            known = ", ".join(map(repr, self.states[node]))
            raise DataError(f"{node} has no state {state!r}; its states are {known}.") from None

    def _codes(self, data: Any) -> dict[str, np.ndarray]:
        """The columns of complete data as indices of this network's states."""
        table = as_table(data)
        table.check_complete()
        return {node: codes_of(self, table, node) for node in self.dag.nodes}

    def _parents_sorted(self, node: str) -> np.ndarray:
        """The CPT with its parents in alphabetical order."""
        parents = self.dag.parents(node)
        order = sorted(range(len(parents)), key=lambda i: parents[i])
        return self.cpts[node].transpose(*order, len(parents))

    def _check_cpt(self, node: str) -> None:
        cpt, parents = self.cpts[node], self.dag.parents(node)
        shape = tuple(len(self.states[name]) for name in (*parents, node))
        if cpt.shape != shape:
            raise ValueError(f"the CPT of {node} has shape {cpt.shape}; with parents {', '.join(parents) or 'none'} "
                             f"its shape must be {shape}.")
        if (cpt < 0).any() or not np.allclose(cpt.sum(axis=-1), 1, atol=1e-6):
            raise ValueError(f"the CPT of {node} does not hold probability distributions: no entry may be negative, "
                             f"and each row must sum to 1.")


needs_instance(CategoricalNetwork, "Make one from a graph and data: bn.fit(dag, table).")


def relative_frequencies(counts: np.ndarray) -> np.ndarray:
    """Counts divided by their sum along the last axis; uniform where the sum is 0."""
    total = counts.sum(axis=-1, keepdims=True)
    return np.where(total > 0, counts / np.where(total > 0, total, 1), 1 / counts.shape[-1])
