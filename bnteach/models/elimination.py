"""Variable elimination: the probability of some variables, given what is known of others.

The joint probability of all variables is a product of small tables, one for each family. To get the
probability of a few of them, the others have to be summed out, and a sum need only go over the tables that
it concerns:

    1. write down the table of every family, cut down to what is known;
    2. take a variable that is not asked for: multiply the tables that have it, and sum it out of the product;
    3. when only the variables asked for are left, multiply what remains, and divide by its sum.

The result does not depend on the order of step 2, but the work does: each product is a table over all variables
that it joins. Here the variable comes next whose neighbours need the fewest lines to be all joined (min-fill).
The best order there is leads to tables over (treewidth + 1) variables; where even min-fill needs too large ones,
the question is refused.

Many rows are asked about at once: every table has a first axis for the rows, of length 1 as long as it is the same
for all. Zhang and Poole (1994); Koller and Friedman (2009), Probabilistic Graphical Models, chapter 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from bnteach.models.categorical import CategoricalNetwork

MOST_CELLS = 2**24  # of the largest table, for all rows together

Codes = Mapping[str, np.ndarray]  # for each variable its state in every row, as a number; -1 is a gap


class TooHard(ValueError):
    """A question that variable elimination cannot answer in memory."""


class Factor(NamedTuple):
    """A table over some variables. Its first axis is for rows, the others are for the variables."""

    variables: tuple[str, ...]
    values: np.ndarray

    def spread(self, variables: tuple[str, ...]) -> np.ndarray:
        """The values with an axis for each of these variables, of length 1 where the factor does not have it."""
        here = sorted(range(len(self.variables)), key=lambda i: variables.index(self.variables[i]))
        values = self.values.transpose(0, *(1 + i for i in here))
        sizes = dict(zip((self.variables[i] for i in here), values.shape[1:]))
        return values.reshape(len(values), *(sizes.get(v, 1) for v in variables))


def query(network: CategoricalNetwork, asked: tuple[str, ...], codes: Codes) -> tuple[np.ndarray, np.ndarray]:
    """For every row the joint probability of the variables asked for, given all that the row says; and the
    logarithm (natural) of the probability of what it says.

    The first answer has an axis for the rows and one for each variable asked for. A variable that codes do not
    have is a gap in every row. A row that is impossible gets -inf, and zeros.
    """
    rows = max((len(c) for c in codes.values()), default=1)
    codes = {name: c for name, c in codes.items() if (c >= 0).any()}
    factors = family_tables(network, asked, codes) + partly_known(network, asked, codes)
    order, cells = elimination_order(factors, asked, network)
    check_size(cells)
    at_once = max(1, MOST_CELLS // prod(cells.values()))
    if rows <= at_once:
        return _eliminate(factors, order, asked, rows)
    parts = [query(network, asked, {name: c[i:i + at_once] for name, c in codes.items()})
             for i in range(0, rows, at_once)]
    return np.concatenate([p for p, _ in parts]), np.concatenate([known for _, known in parts])


def _eliminate(factors: list[Factor], order: list[str], asked: tuple[str, ...], rows: int):
    """Steps 2 and 3. Each row is scaled as it gets small; the scales are kept as logarithms."""
    with np.errstate(divide="ignore"):
        size = sum((np.log(f.values) for f in factors if not f.variables), np.zeros(rows))
    factors = [f for f in factors if f.variables]
    for variable in order:
        concerned = [f for f in factors if variable in f.variables]
        product = multiply(concerned)
        summed = product.values.sum(axis=1 + product.variables.index(variable))
        summed, scale = _scaled(summed)
        size = size + scale
        left = tuple(v for v in product.variables if v != variable)
        factors = [f for f in factors if variable not in f.variables] + [Factor(left, summed)]
    joint, scale = _scaled(multiply(factors, asked).spread(asked))
    joint = np.broadcast_to(joint, (rows, *joint.shape[1:]))
    total = joint.reshape(rows, -1).sum(axis=1)
    with np.errstate(divide="ignore"):
        size = size + scale + np.log(total)
    return joint / np.where(total > 0, total, 1).reshape(-1, *[1] * len(asked)), size


def multiply(factors: list[Factor], first: tuple[str, ...] = ()) -> Factor:
    """The product of factors, over all variables that they have, some perhaps first."""
    variables = tuple(dict.fromkeys([*first, *(v for f in factors for v in f.variables)]))
    values = reduce(np.multiply, (f.spread(variables) for f in factors), np.ones((1,) * (len(variables) + 1)))
    return Factor(variables, values)


def _scaled(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every row divided by its largest entry, and the logarithms of those."""
    largest = values.reshape(len(values), -1).max(axis=1)
    largest = np.where(largest > 0, largest, 1)
    return values / largest.reshape(-1, *[1] * (values.ndim - 1)), np.log(largest)


# -- the tables to begin with ----------------------------------------------------------------------------
def family_tables(network: CategoricalNetwork, asked: tuple[str, ...], codes: Codes) -> list[Factor]:
    """The table of every family that matters, cut down to the states that are known in all rows.

    A variable that is neither asked for nor known, nor an ancestor of one that is, would sum to 1 and is left out.
    """
    matter = {*asked, *codes}
    matter |= {a for node in [*matter] for a in network.dag.ancestors(node)}
    return [_cut(Factor((*network.dag.parents(node), node), network.tables[node][None]), asked, codes)
            for node in network.dag.nodes if node in matter]


def _cut(factor: Factor, asked: tuple[str, ...], codes: Codes) -> Factor:
    known = [v for v in factor.variables if v not in asked and v in codes and codes[v].min() >= 0]
    if not known:
        return factor
    left = tuple(v for v in factor.variables if v not in known)
    places = [factor.variables.index(v) for v in (*known, *left)]
    return Factor(left, factor.values[0].transpose(places)[tuple(codes[v] for v in known)])


def partly_known(network: CategoricalNetwork, asked: tuple[str, ...], codes: Codes) -> list[Factor]:
    """For a variable known in some rows: 1 for the states that it may have in a row, 0 for the others."""
    factors = []
    for name, code in codes.items():
        if name in asked or code.min() < 0:
            states = np.arange(len(network.states[name]))
            factors.append(Factor((name,), ((code[:, None] == states) | (code[:, None] < 0)).astype(float)))
    return factors


# -- the order -------------------------------------------------------------------------------------------
def elimination_order(factors: list[Factor], asked: tuple[str, ...],
                      network: CategoricalNetwork) -> tuple[list[str], dict[str, int]]:
    """The variables in the order in which to sum them out, and the largest table on the way: its variables with
    their numbers of states. Ties go to the smaller table, then to the order of the variables."""
    near: dict[str, set[str]] = {v: set() for f in factors for v in f.variables}
    for f in factors:
        for v in f.variables:
            near[v] |= {*f.variables} - {v}
    place = {node: i for i, node in enumerate(network.dag.nodes)}

    def cells(variables: Iterable[str]) -> int:
        return prod(max(2, len(network.states[v])) for v in variables)

    order, largest = [], set(asked)
    while waiting := [v for v in near if v not in asked]:
        v = min(waiting, key=lambda v: (_fill(v, near), cells(near[v]), place[v]))
        largest = max(largest, {v, *near[v]}, key=cells)
        for a in near[v]:
            near[a] |= near[v] - {a}
            near[a].discard(v)
        del near[v]
        order.append(v)
    return order, {v: len(network.states[v]) for v in sorted(largest, key=place.get)}


def _fill(v: str, near: Mapping[str, set[str]]) -> int:
    """How many pairs of its neighbours are not yet joined."""
    return sum(b not in near[a] for a, b in combinations(near[v], 2))


def check_size(cells: Mapping[str, int]) -> None:
    """Refuse what would not fit into memory, and say how far off it is."""
    size = prod(cells.values())
    if size > MOST_CELLS or len(cells) > 60:
        raise TooHard(f"this needs a table over {len(cells)} variables at once, {size:,} cells, and at most "
                      f"{MOST_CELLS:,} are made: the treewidth here is about {len(cells) - 1}. Give evidence on more "
                      f"variables, use a graph with fewer arcs, or estimate the answer from network.sample(100_000).")
