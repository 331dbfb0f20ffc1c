"""Reading evidence: values given by name, or the rows of a table, checked against a network.

>>> from bnteach.models.categorical import CategoricalNetwork
>>> network = CategoricalNetwork.fit("A->B", {"A": ["a", "~a"], "B": ["b", "~b"]})
>>> read_evidence(network, ("A",), {"B": "~b"})
{'B': array([1])}
>>> codes, _ = read_rows(network, {"A": ["~a", None], "B": ["b", "b"]})
>>> {name: code.tolist() for name, code in codes.items()}
{'A': [1, -1], 'B': [0, 0]}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.errors import UnknownVariable
from bnteach.tables.ingest import read_frame
from bnteach.tables.table import Table

if TYPE_CHECKING:
    import pandas as pd

    from bnteach.graphs.dag import DAG
    from bnteach.models.categorical import CategoricalNetwork
    from bnteach.models.elimination import Codes


def check_variables(dag: DAG, names: Iterable[Any]) -> None:
    """Raise UnknownVariable unless all names are variables of the network."""
    for name in names:
        if not isinstance(name, str) or name not in dag:
            raise UnknownVariable(name, dag.nodes, "the network")


def check_values(dag: DAG, values: Mapping[str, Any], complete: bool = False) -> None:
    """Raise an error unless values are given by the names of variables; of all variables, if `complete`."""
    if not isinstance(values, Mapping):
        raise TypeError(f"values are given by name in a dictionary, as in {{{dag.nodes[0]!r}: …}}, not as {values!r}.")
    check_variables(dag, values)
    if complete and (absent := [node for node in dag.nodes if node not in values]):
        raise ValueError(f"the row has no value for {', '.join(absent)}; give one for every variable.")


def read_evidence(network: CategoricalNetwork, targets: tuple[str, ...], evidence: Mapping[str, Any]) -> Codes:
    """Evidence such as {"A": "a"} as one row of codes; missing values are dropped."""
    import pandas as pd

    check_variables(network.dag, targets)
    check_values(network.dag, evidence)
    if not targets:
        raise ValueError("the query names no variable; name at least one, such as 'A'.")
    if repeated := [name for name in targets if targets.count(name) > 1]:
        raise ValueError(f"the query names {repeated[0]} twice; name each variable once.")
    if both := [name for name in targets if name in evidence]:
        raise ValueError(f"{both[0]} is a query variable and is also in the evidence; remove it from one of them.")
    return {name: np.array([network.state_index(name, state)]) for name, state in evidence.items()
            if not pd.isna(state)}


def read_rows(network: CategoricalNetwork, rows: Any) -> tuple[Codes, pd.Index[Any]]:
    """The columns of a table that may have missing values as codes, and the index of its rows."""
    import pandas as pd

    frame = rows.to_frame() if isinstance(rows, Table) else read_frame(rows)
    index = frame.index if isinstance(rows, pd.DataFrame) else pd.RangeIndex(len(frame))
    known = [column for column in frame.columns if str(column) in network.dag]
    if len(frame.columns) and not known:
        check_variables(network.dag, map(str, frame.columns))
    observed = frame[known].dropna(axis="columns", how="all")
    if observed.empty:
        return {}, index
    table = Table(observed, missing="keep")
    return {name: codes_of(network, table, name) for name in table.variables}, index


def codes_of(network: CategoricalNetwork, table: Table, name: str) -> np.ndarray:
    """One column as indices of the network's states; a state that never occurs need not exist in the network."""
    codes, indices = table.codes(name), np.full(len(table.states(name)) + 1, -1)
    for i in np.flatnonzero(np.bincount(codes[codes >= 0])):
        indices[i] = network.state_index(name, table.states(name)[i])
    return np.take(indices, codes)  # the last index is -1, for missing values
