"""Networks with parameters: a graph and what it needs to give every row a probability."""

from __future__ import annotations

from typing import Any

from bnteach.graphs.dag import DAG
from bnteach.models.categorical import CategoricalNetwork


def fit(dag: DAG | str, data: Any) -> CategoricalNetwork:
    """The network with this graph and the parameters that make the data most probable."""
    return CategoricalNetwork.fit(dag, data)
