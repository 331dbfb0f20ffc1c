"""Variable elimination: the posterior distribution of some variables given evidence on others.

The joint distribution is a product of factors, at first the CPTs. To obtain the distribution of a few query
variables, all others are summed out, and each sum involves only the factors that contain the variable:

    1. reduce every CPT to the evidence;
    2. choose a variable that is not a query variable: multiply the factors that contain it, sum it out of the product;
    3. when only query variables remain, multiply the remaining factors and normalize.

The result does not depend on the elimination order, but the cost does: each product is a factor over all variables
that it connects. The min-fill heuristic eliminates next the variable whose neighbours need the fewest fill-in edges
to become pairwise adjacent. The best possible order leads to factors over (treewidth + 1) variables; a query whose
min-fill order needs too large a factor is refused.

Many rows of evidence are processed at once: every factor has a first axis for the rows, of length 1 as long as the
factor is the same for all rows. For one row, finding an order takes longer than the arithmetic, so it is found once
per network, without evidence; where it leads to a factor that is too large, the order is found with the evidence. Zhang
and Poole (1994); Koller and Friedman (2009), Probabilistic Graphical Models, chapter 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import reduce
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from bnteach.graphs.reachability import reachable

if TYPE_CHECKING:
    from bnteach.models.categorical import CategoricalNetwork

MAX_CELLS = 2**24  # of the largest factor, all rows together
MAX_VARIABLES = 50  # in one factor; einsum knows 52 axes
FEW = 30  # factors that einsum takes at once, at least
TINY = 1e-100

Codes = Mapping[str, np.ndarray]  # for each variable the index of its state in every row; -1 is a missing value


class Intractable(ValueError):
    """The query needs a factor that does not fit into memory."""


class Factor(NamedTuple):
    """A function of some variables as an array: a first axis for the rows, then one axis per variable."""

    variables: tuple[str, ...]
    values: np.ndarray

    def aligned(self, variables: tuple[str, ...]) -> np.ndarray:
        """The values with an axis for each of these variables, of length 1 where the factor does not depend on it."""
        axes = {v: axis for axis, v in enumerate(self.variables, start=1)}
        values = self.values.transpose([0, *(axes[v] for v in variables if v in axes)])
        return values[(slice(None), *(slice(None) if v in axes else None for v in variables))]


def query(network: CategoricalNetwork, targets: tuple[str, ...], codes: Codes) -> tuple[np.ndarray, np.ndarray]:
    """For every row of evidence, the joint posterior of the targets and the natural log-probability of the evidence.

    The posterior has an axis for the rows and one axis per target. A variable without codes is missing in every row.
    If the evidence of a row has probability 0, the logarithm is -inf and the posterior is all zeros.
    """
    rows = max((len(c) for c in codes.values()), default=1)
    codes = {name: c for name, c in codes.items() if (c >= 0).any()}
    factors = reduced_cpts(network, targets, codes) + indicators(network, targets, codes)
    if rows == 1:
        hidden = {v for f in factors for v in f.variables}.difference(targets)
        with suppress(Intractable):
            return eliminate(factors, [v for v in network.elimination_order if v in hidden], targets, rows)
    order, largest = elimination_order(factors, targets, network)
    check_size(largest)
    batch = max(1, MAX_CELLS // prod(largest.values()))
    if rows <= batch:
        return eliminate(factors, order, targets, rows)
    parts = [query(network, targets, {name: c[i:i + batch] for name, c in codes.items()})
             for i in range(0, rows, batch)]
    return np.concatenate([p for p, _ in parts]), np.concatenate([logs for _, logs in parts])


def eliminate(factors: list[Factor], order: list[str], targets: tuple[str, ...],
              rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Steps 2 and 3.

    Against underflow rows are rescaled after every sum, a single row only if it has become TINY; the scales are kept as
    logarithms.
    """
    with np.errstate(divide="ignore"):
        logs = sum((np.log(f.values) for f in factors if not f.variables), np.zeros(rows))
    factors = [f for f in factors if f.variables]
    for variable in order:
        summed = sum_out(variable, [f for f in factors if variable in f.variables])
        if rows > 1 or summed.values.max() < TINY:
            values, scale = rescaled(summed.values)
            summed, logs = Factor(summed.variables, values), logs + scale
        factors = [f for f in factors if variable not in f.variables] + [summed]
    joint, scale = rescaled(multiply(factors, targets).aligned(targets))
    joint = np.broadcast_to(joint, (rows, *joint.shape[1:]))
    total = joint.reshape(rows, -1).sum(axis=1)
    with np.errstate(divide="ignore"):
        logs = logs + scale + np.log(total)
    return joint / np.where(total > 0, total, 1).reshape(-1, *[1] * len(targets)), logs


def sum_out(variable: str, factors: list[Factor]) -> Factor:
    """The product of factors, summed over a variable."""
    if len(factors) > FEW:
        factors = [multiply(factors[FEW:]), *factors[:FEW]]
    sizes = {v: size for f in factors for v, size in zip(f.variables, f.values.shape[1:])}
    check_size(sizes)
    remaining, axes = tuple([v for v in sizes if v != variable]), {v: i for i, v in enumerate(sizes, start=1)}
    operands = [part for f in factors for part in (f.values, [0, *[axes[v] for v in f.variables]])]
    return Factor(remaining, np.einsum(*operands, [0, *[axes[v] for v in remaining]]))


def multiply(factors: list[Factor], first: tuple[str, ...] = ()) -> Factor:
    """The product of factors, over all their variables, with some of these first."""
    variables = tuple(dict.fromkeys([*first, *(v for f in factors for v in f.variables)]))
    check_size({v: size for f in factors for v, size in zip(f.variables, f.values.shape[1:])})
    values = [f.aligned(variables) for f in factors] or [np.ones((1,) * (len(variables) + 1))]
    return Factor(variables, reduce(np.multiply, values))


def rescaled(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every row divided by its largest entry, and the logarithms of these entries."""
    largest = values.max(axis=tuple(range(1, values.ndim)), keepdims=True)
    largest[largest == 0] = 1
    return values / largest, np.log(largest.ravel())


# -- the initial factors -----------------------------------------------------------------------------------
def reduced_cpts(network: CategoricalNetwork, targets: tuple[str, ...], codes: Codes) -> list[Factor]:
    """The CPT of every relevant variable, reduced to the states that are observed in all rows.

    Relevant are the targets, the observed variables and their ancestors; every other variable sums to 1.
    """
    relevant = reachable([*targets, *codes], network.dag.parents)
    in_all = {v: code for v, code in codes.items() if v not in targets and code.min() >= 0}
    return [_reduced(Factor((*network.dag.parents(node), node), network.cpts[node][None]), in_all)
            for node in network.dag.nodes if node in relevant]


def _reduced(factor: Factor, codes: Codes) -> Factor:
    observed = [v for v in factor.variables if v in codes]
    if not observed:
        return factor
    remaining = tuple([v for v in factor.variables if v not in observed])
    axes = [factor.variables.index(v) for v in (*observed, *remaining)]
    return Factor(remaining, factor.values[0].transpose(axes)[tuple([codes[v] for v in observed])])


def indicators(network: CategoricalNetwork, targets: tuple[str, ...], codes: Codes) -> list[Factor]:
    """For each variable observed only in some rows: 1 for the states possible in a row, 0 for the others."""
    factors = []
    for name, code in codes.items():
        if name in targets or code.min() < 0:
            states = np.arange(len(network.states[name]))
            factors.append(Factor((name,), ((code[:, None] == states) | (code[:, None] < 0)).astype(float)))
    return factors


# -- the elimination order ---------------------------------------------------------------------------------
def elimination_order(factors: list[Factor], targets: tuple[str, ...],
                      network: CategoricalNetwork) -> tuple[list[str], dict[str, int]]:
    """The min-fill order, and the largest factor on the way: its variables with their numbers of states.

    Ties are broken by the smaller factor, then by the order of the variables.
    """
    neighbours: dict[str, set[str]] = {v: set() for f in factors for v in f.variables}
    for f in factors:
        for v in f.variables:
            neighbours[v] |= {*f.variables} - {v}
    index = {node: i for i, node in enumerate(network.dag.nodes)}
    sizes = {v: max(2, len(network.states[v])) for v in network.dag.nodes}

    def cells(variables: Iterable[str]) -> int:
        return prod([sizes[v] for v in variables])

    def cost(v: str) -> tuple[int, int, int]:
        return fill_in(v, neighbours), cells(neighbours[v]), index[v]

    order, largest = [], set(targets)
    costs = {v: cost(v) for v in neighbours if v not in targets}
    while costs:
        v = min(costs, key=costs.__getitem__)
        del costs[v]
        near = neighbours.pop(v)
        largest = max(largest, {v, *near}, key=cells)
        for a in near:
            neighbours[a] |= near
            neighbours[a] -= {a, v}
        costs |= {u: cost(u) for u in near.union(*(neighbours[a] for a in near)) if u in costs}  # only these change
        order.append(v)
    return order, {v: len(network.states[v]) for v in network.dag.nodes if v in largest}


def fill_in(v: str, neighbours: Mapping[str, set[str]]) -> int:
    """The number of pairs of its neighbours that are not adjacent."""
    return sum([b not in neighbours[a] for a, b in combinations(neighbours[v], 2)])


def check_size(largest: Mapping[str, int]) -> None:
    """Raise Intractable if the largest factor would not fit into memory."""
    size = prod(largest.values())
    if size > MAX_CELLS or len(largest) > MAX_VARIABLES:
        raise Intractable(f"this query needs a factor over {len(largest)} variables with {size:,} cells; the limit is "
                          f"{MAX_CELLS:,}. The treewidth is about {len(largest) - 1}. Give evidence on more variables, "
                          f"use a graph with fewer arcs, or estimate the answer from network.sample(100_000).")
