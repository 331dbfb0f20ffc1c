"""Variable elimination for one row of evidence, where a call of numpy costs more than the arithmetic in it.

elimination.py is made for many rows and for large factors. In a query with one row most factors have a few dozen cells,
and what takes time is everything else: the elimination order, the alignment of axes, the scales. So here

    - the order is found once per network, and each query eliminates its variables in this order;
    - a factor waits in the bucket of the first of its variables in this order; `einsum` multiplies the factors of a
      bucket and sums its variable out, in one call;
    - nothing is rescaled. Factors are products of probabilities, and sums of such, so what becomes 0 by underflow is
      negligible if the evidence is more probable than TINY.

What needs a product of more than SMALL cells or of more than FEW factors, or is less probable than TINY, is left to
elimination.py. Dechter (1999), Bucket elimination: a unifying framework for reasoning, Artificial Intelligence 113.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import log, prod
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.graphs.reachability import reachable

if TYPE_CHECKING:
    from bnteach.models.categorical import CategoricalNetwork

SMALL = 2**12  # cells of a product of factors
FEW = 30  # factors that einsum takes in one call
TINY = 1e-200  # the probability of the evidence

Names = tuple[str, ...]
Factor = tuple[Names, np.ndarray]  # variables, and an array with an axis for each


def quick_query(network: CategoricalNetwork, targets: Names,
                evidence: Mapping[str, int]) -> tuple[np.ndarray, float] | None:
    """The joint posterior of the targets and the log-probability of the evidence; None if it takes elimination.py."""
    relevant, places = reachable([*targets, *evidence], network.dag.parents), network.elimination_places
    hidden = relevant.difference(targets, evidence)
    if not hidden <= places.keys():
        return None
    order = sorted(hidden, key=places.__getitem__)
    waiting = Buckets(order, targets)
    for node in network.dag.nodes:
        if node in relevant:
            waiting.put(*reduced_cpt(network, node, evidence))
    for v, factors in zip(order, waiting.buckets):
        axes = axes_of(factors)
        if cells(axes, network) > SMALL or len(factors) > FEW:
            return None
        others = tuple([u for u in axes if u != v])
        waiting.put(others, summed(factors, axes, others))
    if cells(targets, network) > SMALL or len(waiting.buckets[-1]) > FEW:
        return None
    joint = summed(waiting.buckets[-1], axes_of(waiting.buckets[-1]), targets)
    total = float(joint.sum())
    probability = total * prod(waiting.constants)
    return (joint / total, log(probability)) if probability > TINY else None


class Buckets:
    """Factors, each in the bucket of the first of its variables; the targets share the last bucket."""

    def __init__(self, order: Sequence[str], targets: Names):
        self.buckets: list[list[Factor]] = [[] for _ in range(len(order) + 1)]
        self.constants: list[float] = []  # factors without variables
        self._place = dict.fromkeys(targets, len(order)) | {v: i for i, v in enumerate(order)}

    def put(self, variables: Names, values: np.ndarray) -> None:
        """Put a factor where it waits."""
        if variables:
            self.buckets[min([self._place[v] for v in variables])].append((variables, values))
        else:
            self.constants.append(float(values))


def reduced_cpt(network: CategoricalNetwork, node: str, evidence: Mapping[str, int]) -> Factor:
    """The CPT of a variable for the states that are observed."""
    family, every = (*network.dag.parents(node), node), slice(None)
    states = tuple([evidence.get(v, every) for v in family])
    return tuple([v for v in family if v not in evidence]), network.cpts[node][states]


def cells(variables: Iterable[str], network: CategoricalNetwork) -> int:
    """The cells of a factor over these variables, each of which counts with two states or more."""
    return prod([max(2, len(network.states[v])) for v in variables])


def axes_of(factors: Iterable[Factor]) -> dict[str, int]:
    """An axis for each variable of some factors."""
    return {v: axis for axis, v in enumerate(dict.fromkeys([v for variables, _ in factors for v in variables]))}


def summed(factors: Iterable[Factor], axes: Mapping[str, int], variables: Names) -> np.ndarray:
    """The product of some factors, summed over all but these variables."""
    operands: list[Any] = [part for names, values in factors for part in (values, [axes[v] for v in names])]
    return np.asarray(np.einsum(*operands, [axes[v] for v in variables]))


def elimination_places(network: CategoricalNetwork) -> dict[str, int]:
    """The place of each variable in an order of elimination without evidence.

    The next variable is the one whose product of factors is smallest. When no product is SMALL, the rest has no place.
    """
    neighbours = {v: set(network.dag.markov_blanket(v)) for v in network.dag.nodes}
    size = {v: cells([v, *near], network) for v, near in neighbours.items()}
    places: dict[str, int] = {}
    while size and size[v := min(size, key=size.__getitem__)] <= SMALL:
        places[v] = len(places)
        del size[v]
        near = neighbours.pop(v)
        for u in near:
            neighbours[u] |= near
            neighbours[u] -= {u, v}
            size[u] = cells([u, *neighbours[u]], network)
    return places
