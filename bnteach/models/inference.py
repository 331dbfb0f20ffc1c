"""Inference in a categorical network: posterior distributions, and the most probable state of a variable.

>>> from bnteach.datasets import five_rows
>>> from bnteach.models.categorical import CategoricalNetwork
>>> network = CategoricalNetwork.fit("A->B, A->C, B->D", five_rows())
>>> network.posterior("A", {"C": "c"})
a     0.5
~a    0.5
Name: P(A | C = c), dtype: float64
>>> network.predict("B", {"A": "a", "D": "~d"})
Prediction(state='b', probability=1.0)
>>> network.predict("D", {"A": ["a", "~a"], "B": ["b", None]})
    D  probability
0  ~d         0.75
1  ~d         0.75

The algorithm is in elimination.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bnteach.graphs.notation import read_names
from bnteach.models.elimination import query
from bnteach.models.evidence import check_variables, read_evidence, read_rows
from bnteach.tables.contingency import merge_rows

if TYPE_CHECKING:
    import pandas as pd

    from bnteach.models.categorical import CategoricalNetwork
    from bnteach.tables.table import Table

__all__ = ["Impossible", "Prediction", "log_evidence", "merge_rows", "posterior", "predict"]

TOLERANCE = 1e-9  # probabilities that differ by less are equal


class Impossible(ValueError):
    """The evidence has probability 0."""


class Prediction(NamedTuple):
    """The most probable state of a variable, and its probability."""

    state: Any
    probability: float


def posterior(network: CategoricalNetwork, variables: str | Iterable[str],
              evidence: Mapping[str, Any]) -> pd.Series[float]:
    """The distribution of one variable, or the joint distribution of several, given the evidence."""
    import pandas as pd

    targets = (variables,) if isinstance(variables, str) else tuple(read_names(variables))
    codes = read_evidence(network, targets, evidence)
    observed = [f"{name} = {network.states[name][code[0]]}" for name, code in codes.items()]
    condition = ", ".join(observed[:6]) + (", …" if len(observed) > 6 else "")
    probabilities, logs = query(network, targets, codes)
    if logs[0] == -np.inf:
        raise Impossible(f"the evidence {condition} has probability 0 in this network, so there is no posterior.")
    states = [network.states[name] for name in targets]
    index = pd.Index(states[0]) if len(targets) == 1 else pd.MultiIndex.from_product(states, names=targets)
    name = f"P({', '.join(targets)}{' | ' if condition else ''}{condition})"
    return pd.Series(probabilities[0].ravel(), index=index, name=name)


def predict(network: CategoricalNetwork, node: str, rows: Any) -> Prediction | pd.DataFrame:
    """The most probable state given one row of evidence, or given each row of a table.

    Of equally probable states the first is predicted. Missing values are summed out; a column for the variable itself
    is ignored, and so are columns that the network does not have. A row of probability 0 has no prediction.
    """
    import pandas as pd

    check_variables(network.dag, [node])
    if isinstance(rows, Mapping) and all(map(pd.api.types.is_scalar, rows.values())):
        found = posterior(network, node, {name: state for name, state in rows.items() if name != node}).to_numpy()
        return Prediction(network.states[node][int(first_maximum(found))], float(found.max()))
    codes, index = read_rows(network, rows)
    distinct, which = merge_rows({name: code for name, code in codes.items() if name != node}, len(index))
    probabilities, logs = query(network, (node,), distinct)
    possible = logs[which] > -np.inf
    states = [network.states[node][i] if ok else None for i, ok in zip(first_maximum(probabilities)[which], possible)]
    return pd.DataFrame({node: states, "probability": np.where(possible, probabilities.max(axis=1)[which], np.nan)},
                        index=index)


def first_maximum(values: np.ndarray) -> np.ndarray:
    """The index of the largest value along the last axis; of equal values the first."""
    return np.asarray(np.argmax(values > values.max(axis=-1, keepdims=True) - TOLERANCE, axis=-1))


def log_evidence(network: CategoricalNetwork, table: Table) -> float:
    """The natural log-likelihood of a table, its missing values summed out."""
    codes, index = read_rows(network, table.once())
    distinct, which = merge_rows(codes, len(index))
    return float((query(network, (), distinct)[1][which] * table.row_weights).sum())
