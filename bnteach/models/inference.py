"""What follows from what is known: the probabilities of a variable, and its most probable state.

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

How it is computed: elimination.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bnteach.errors import UnknownVariable
from bnteach.graphs.notation import read_names
from bnteach.models.elimination import Codes, query
from bnteach.tables.ingest import read_frame
from bnteach.tables.table import Table

if TYPE_CHECKING:
    import pandas as pd

    from bnteach.models.categorical import CategoricalNetwork


class Impossible(ValueError):
    """What is said to be known has probability 0."""

def posterior(network: CategoricalNetwork, asked: str | Iterable[str], evidence: Mapping[str, Any]) -> pd.Series:
    """The probabilities of the states of one variable, or of the combinations of several, given the evidence."""
    import pandas as pd

    asked = (asked,) if isinstance(asked, str) else tuple(read_names(asked))
    codes = read_evidence(network, asked, evidence)
    said = [f"{name} = {network.states[name][code[0]]}" for name, code in codes.items()]
    said = ", ".join(said[:6]) + (", …" if len(said) > 6 else "")
    probabilities, known = query(network, asked, codes)
    if known[0] == -np.inf:
        raise Impossible(f"{said} has probability 0 in this network, so nothing follows from it.")
    states = [network.states[name] for name in asked]
    index = pd.Index(states[0]) if len(asked) == 1 else pd.MultiIndex.from_product(states, names=asked)
    name = f"P({', '.join(asked)}{' | ' if said else ''}{said})"
    return pd.Series(probabilities[0].ravel(), index=index, name=name)


def read_evidence(network: CategoricalNetwork, asked: tuple[str, ...], evidence: Mapping[str, Any]) -> Codes:
    """One row of codes from {"A": "a"}; a gap says nothing."""
    import pandas as pd

    if not isinstance(evidence, Mapping):
        raise TypeError(f"evidence is a dictionary such as {{'A': 'a'}}, not {evidence!r}.")
    for name in (*asked, *evidence):
        if name not in network.dag:
            raise UnknownVariable(name, network.dag.nodes, "the network")
    if both := [name for name in asked if name in evidence]:
        raise ValueError(f"{both[0]} is asked for and also given; leave it out of the evidence.")
    if not asked:
        raise ValueError("nothing is asked for; name a variable, such as 'A'.")
    if twice := [name for name in asked if asked.count(name) > 1]:
        raise ValueError(f"{twice[0]} is asked for twice; name each variable once.")
    return {name: np.array([network._place(name, state)]) for name, state in evidence.items() if not pd.isna(state)}


class Prediction(NamedTuple):
    """The most probable state of a variable, and its probability."""

    state: Any
    probability: float


def predict(network: CategoricalNetwork, node: str, rows: Any) -> Prediction | pd.DataFrame:
    """The most probable state given one row of evidence, or given each row of a table; gaps say nothing.

    Of states that are equally probable the first is taken. A column for the variable itself is not looked at.
    """
    import pandas as pd

    if not isinstance(node, str) or node not in network.dag:
        raise UnknownVariable(node, network.dag.nodes, "the network")
    if isinstance(rows, Mapping) and all(map(pd.api.types.is_scalar, rows.values())):
        chances = posterior(network, node, {name: state for name, state in rows.items() if name != node})
        return Prediction(network.states[node][int(_first_best(chances.to_numpy()))], float(chances.max()))
    codes, index = read_rows(network, rows)
    distinct, which = merge_rows({name: code for name, code in codes.items() if name != node}, len(index))
    chances, known = query(network, (node,), distinct)
    if (known[which] == -np.inf).any():
        raise Impossible(f"row {int(np.argmax(known[which] == -np.inf)) + 1} has probability 0 in this network, "
                         f"so nothing follows from it.")
    return pd.DataFrame({node: [network.states[node][i] for i in _first_best(chances)[which]],
                         "probability": chances.max(axis=1)[which]}, index=index)


def _first_best(probabilities: np.ndarray) -> np.ndarray:
    return np.argmax(probabilities > probabilities.max(axis=-1, keepdims=True) - 1e-9, axis=-1)


def read_rows(network: CategoricalNetwork, rows: Any) -> tuple[Codes, pd.Index]:
    """The codes of the columns of a table that may have gaps, in this network's states; and the rows' names."""
    import pandas as pd

    frame = rows.to_frame() if isinstance(rows, Table) else read_frame(rows)
    index = frame.index if isinstance(rows, pd.DataFrame) else pd.RangeIndex(len(frame))
    codes = {}
    for name in map(str, frame.columns):
        if name not in network.dag:
            raise UnknownVariable(name, network.dag.nodes, "the network")
    told = frame.dropna(axis="columns", how="all")
    if told.empty:  # gaps everywhere
        return codes, index
    table = Table(told, missing="keep")
    for name in table.variables:
        seen = table.codes(name)
        occurs = np.bincount(seen[seen >= 0], minlength=len(table.states(name))) > 0
        here = [network._place(name, state) if there else -1 for state, there in zip(table.states(name), occurs)]
        codes[name] = np.array([*here, -1])[seen]
    return codes, index


def log_evidence(network: CategoricalNetwork, table: Table) -> float:
    """The logarithm (natural) of the probability of all that a table says; its gaps are summed over."""
    codes, index = read_rows(network, table)
    distinct, which = merge_rows(codes, len(index))
    return float(query(network, (), distinct)[1][which].sum())


def merge_rows(codes: Codes, rows: int) -> tuple[Codes, np.ndarray]:
    """Every different row once, and for each row its place among these."""
    if not codes:
        return {}, np.zeros(rows, dtype=np.int64)
    different, which = np.unique(np.column_stack(list(codes.values())), axis=0, return_inverse=True)
    return dict(zip(codes, different.T)), which.ravel()
