"""Bayesian networks with parameters: a DAG, and for each variable its distribution given its parents."""

from __future__ import annotations

from typing import Any, overload

from bnteach.graphs.dag import DAG
from bnteach.models.categorical import CategoricalNetwork
from bnteach.models.gaussian import GaussianNetwork
from bnteach.tables.measurements import Measurements


@overload
def fit(dag: DAG | str, data: Measurements, smoothing: float = 0.0) -> GaussianNetwork: ...
@overload
def fit(dag: DAG | str, data: Any, smoothing: float = 0.0) -> CategoricalNetwork: ...
def fit(dag: DAG | str, data: Any, smoothing: float = 0.0) -> CategoricalNetwork | GaussianNetwork:
    """Estimate the parameters of a Bayesian network with a given graph.

    Categorical data give maximum-likelihood estimates: each entry of a CPT is a relative frequency. For real-valued
    data, each variable is regressed on its parents by least squares.

    Parameters
    ----------
    dag : DAG or str
        The graph; its nodes are the variables of the data.
    data : Table, Measurements, DataFrame, dict or path
        The rows. Only a `Measurements` is read as real-valued data.
    smoothing : float
        A pseudo-count added to every count, so that no probability is 0: 1 is Laplace's rule. Categories only.

    Returns
    -------
    CategoricalNetwork or GaussianNetwork
        The latter for `Measurements`.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> network = fit("A->B, A->C, B->D", five_rows())
    >>> network
    CategoricalNetwork on 4 variables, 3 arcs, 7 parameters
    >>> network.cpt("C")
           c    ~c
    A
    a   0.25  0.75
    ~a  1.00  0.00
    >>> fit("A->B, A->C, B->D", five_rows(), smoothing=1).cpt("C").round(3)
            c     ~c
    A
    a   0.333  0.667
    ~a  0.667  0.333
    """
    if not isinstance(data, Measurements):
        return CategoricalNetwork.fit(dag, data, smoothing)
    if smoothing:
        raise ValueError(f"smoothing={smoothing} adds pseudo-counts to categories, and these data are real numbers.")
    return GaussianNetwork.fit(dag, data)
