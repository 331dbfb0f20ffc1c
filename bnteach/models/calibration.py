"""The posterior of every family at once: messages in a clique tree.

EM needs the joint posterior of each variable and its parents, for every row. To eliminate all other variables for each
family anew repeats most of the work. But when all variables are eliminated once, each product (a clique) passes its sum
on as a message to a later product, so the cliques form a tree. Messages back, from the last clique to the first, give
every clique its posterior:

    forward    clique(v) = the product of the factors that contain v;     message(v) = the sum over v of clique(v)
    backward   posterior of clique(v) = clique(v) x posterior of the variables of message(v) / message(v)

Each family is within one clique, the one of its variable that is eliminated first. Lauritzen and Spiegelhalter (1988);
Koller and Friedman (2009), Probabilistic Graphical Models, chapter 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TYPE_CHECKING

import numpy as np

from bnteach.models.elimination import (
    MAX_CELLS,
    Codes,
    Factor,
    check_size,
    elimination_order,
    indicators,
    multiply,
    rescaled,
)

if TYPE_CHECKING:
    from bnteach.models.categorical import CategoricalNetwork

Cliques = dict[str, tuple[Factor, Factor]]  # by the variable that is eliminated: the clique and its message


def family_counts(network: CategoricalNetwork, codes: Codes, weights: np.ndarray) -> dict[str, np.ndarray]:
    """For each variable the expected counts of its parents and itself, from rows of evidence and their weights."""
    families = {node: (*network.dag.parents(node), node) for node in network.dag.nodes}
    counts = {node: np.zeros(cpt.shape) for node, cpt in network.cpts.items()}
    for rows, order, posteriors, _ in calibrated(network, codes, len(weights)):
        for node, family in families.items():
            posterior = marginal(posteriors[min(family, key=order.index)], family)
            counts[node] += np.tensordot(weights[rows], posterior, axes=1)
    return counts


def marginals(network: CategoricalNetwork, codes: Codes, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """For each row the posteriors of all states of the variables in `codes`, and the log-probability of the row."""
    found = [(np.concatenate([marginal(posteriors[v], (v,)) for v in codes], axis=1), logs)
             for _, _, posteriors, logs in calibrated(network, codes, rows)]
    return np.concatenate([posteriors for posteriors, _ in found]), np.concatenate([logs for _, logs in found])


def calibrated(network: CategoricalNetwork, codes: Codes,
               rows: int) -> Iterator[tuple[slice, list[str], dict[str, Factor], np.ndarray]]:
    """Batches of rows: which, the order of elimination, the posterior of each clique, the logs of the evidence."""
    cpts = [Factor((*network.dag.parents(node), node), network.cpts[node][None]) for node in network.dag.nodes]
    order, largest = elimination_order(cpts, (), network)
    check_size(largest)
    batch = max(1, MAX_CELLS // (len(order) * prod(largest.values())))
    for some in (slice(i, i + batch) for i in range(0, rows, batch)):
        evidence = indicators(network, network.dag.nodes, {name: code[some] for name, code in codes.items()})
        cliques, logs = forward([*cpts, *evidence], order)
        yield some, order, backward(cliques, order), logs


def forward(factors: list[Factor], order: list[str]) -> tuple[Cliques, np.ndarray]:
    """Eliminate all variables: the product and the sum of each, and the log-probability of each row's evidence.

    Against underflow each row is rescaled after every product; the scales are kept as logarithms.
    """
    cliques, logs = {}, np.zeros(1)
    for v in order:
        product = multiply([f for f in factors if v in f.variables])
        values, scale = rescaled(product.values)
        clique, others = Factor(product.variables, values), tuple(u for u in product.variables if u != v)
        cliques[v] = clique, (message := Factor(others, marginal(clique, others)))
        with np.errstate(divide="ignore"):
            logs = logs + scale + (0 if others else np.log(message.values))
        factors = [f for f in factors if v not in f.variables] + [message]
    return cliques, logs


def backward(cliques: Cliques, order: list[str]) -> dict[str, Factor]:
    """The posterior of each clique, from the last to the first."""
    posteriors: dict[str, Factor] = {}
    for v in reversed(order):
        clique, message = cliques[v]
        if message.variables:
            known = marginal(posteriors[min(message.variables, key=order.index)], message.variables)
            ratio = np.divide(known, message.values, out=np.zeros(known.shape), where=message.values > 0)
            posteriors[v] = multiply([clique, Factor(message.variables, ratio)])
        else:
            total = message.values.reshape(-1, *[1] * len(clique.variables))
            posteriors[v] = Factor(clique.variables, clique.values / np.where(total > 0, total, 1))
    return posteriors


def marginal(factor: Factor, variables: tuple[str, ...]) -> np.ndarray:
    """The sums over all but these variables: an axis for the rows, then one axis for each of these."""
    out = tuple(axis for axis, v in enumerate(factor.variables, start=1) if v not in variables)
    kept = tuple(v for v in factor.variables if v in variables)
    return Factor(kept, factor.values.sum(axis=out)).aligned(variables)
