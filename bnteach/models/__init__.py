"""Networks with parameters: a graph and what it needs to give every row a probability."""

from __future__ import annotations

from typing import Any

from bnteach.graphs.dag import DAG
from bnteach.models.categorical import CategoricalNetwork
from bnteach.models.gaussian import GaussianNetwork
from bnteach.tables.measurements import Measurements


def fit(dag: DAG | str, data: Any) -> CategoricalNetwork | GaussianNetwork:
    """The network with this graph and the parameters that fit the data best.

    Tables of categories get fractions (maximum likelihood); Measurements get lines of least squares.
    """
    return (GaussianNetwork if isinstance(data, Measurements) else CategoricalNetwork).fit(dag, data)
