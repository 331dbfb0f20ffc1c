"""The Chow-Liu algorithm: the tree of maximum likelihood.

    1. weight every pair of variables by its mutual information;
    2. find the maximum-weight spanning tree (Prim or Kruskal);
    3. choose any root and orient all edges away from it.

Why it works: the log-likelihood of a tree is N (sum of the mutual informations of its edges - sum of the
entropies of its variables), and the second sum is the same for every tree. Chow and Liu 1968. Lesson 7.

>>> from bnteach import datasets
>>> found = chow_liu(datasets.five_rows(), root="B")
>>> found.tree, round(found.weight, 4), round(found.score, 4)
(PDAG('A-C, B-C, B-D'), 0.9658, -12.0999)
>>> found.graph
DAG('B->C, B->D, C->A')
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from math import log2
from numbers import Real
from typing import Any

import numpy as np

from bnteach.errors import described
from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG
from bnteach.information import entropies, mutual_informations
from bnteach.learn.search.ties import TOLERANCE
from bnteach.learn.steps.chow_liu import Considered, Cut, Edge, Grew, Penalised, Rooted, Spanned, Weighed
from bnteach.tables.table import Table, as_table
from bnteach.trace import Result, Step, stepwise

Weights = Mapping[Edge, float]


@dataclass(frozen=True)
class SpanningTreeResult(Result[PDAG]):
    """A Result with the edges in the order in which they were added."""

    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True)
class TreeResult(Result[DAG]):
    """A Result with the tree before it was rooted, and its total weight."""

    tree: PDAG | None = None
    weight: float = 0.0


@stepwise
def chow_liu(table: Any, root: str | None = None, method: str = "prim",
             forest: bool | float = False) -> Generator[Step, None, TreeResult]:
    """Learn the tree of maximum likelihood.

    Parameters
    ----------
    table : Table or data that a Table can be made of
    root : str, optional
        Any variable, by default the first: all roots give the same likelihood.
    method : {"prim", "kruskal"}
    forest : bool or float
        True finds the forest of greatest MDL score: the penalty of each edge is subtracted from its mutual
        information, and edges that are worth nothing then are left out. A number is the penalty of every edge, in
        bits.

    Returns
    -------
    TreeResult
        ``graph`` is a DAG, ``tree`` the undirected tree, ``weight`` its weight, ``score`` the log-likelihood in bits.

    Examples
    --------
    >>> from bnteach import datasets
    >>> chow_liu(datasets.five_rows(), root="A", method="kruskal").graph
    DAG('A->C, B->D, C->B')

    References
    ----------
    Chow and Liu (1968), Approximating discrete probability distributions with dependence trees, IEEE Transactions
    on Information Theory 14. Lesson 7.
    """
    table = as_table(table)
    root = table.variables[0] if root is None else table.names([root])[0]
    _check(method, forest)
    weights = information = mutual_informations(table)
    yield Weighed(information)
    if forest is not False:
        penalties = {edge: penalty(*edge, table) if forest is True else float(forest) for edge in information}
        weights = {edge: information[edge] - penalties[edge] for edge in information}
        yield Penalised(weights)
    spanning = prim.steps(weights, root) if method == "prim" else kruskal.steps(weights)
    edges = (yield from spanning).edges if weights else ()  # one variable is a tree by itself
    if forest is not False:
        edges = yield from cut_light_edges(edges, information, penalties)
    weight = sum(_weight(edge, information) for edge in edges)
    yield Spanned(edges, weight, _others(information, edges))
    arcs = yield from orient_outward(edges, table.variables, root)
    fit = len(table) * (weight - sum(entropies(table).values()))
    return TreeResult(DAG(arcs, table.variables), score=fit, tree=PDAG((), edges, table.variables), weight=weight)


@stepwise
def prim(weights: Weights, root: str | None = None) -> Generator[Step, None, SpanningTreeResult]:
    """Find a maximum-weight spanning tree: grow one tree by the maximum-weight edge that leaves it.

    Parameters
    ----------
    weights : mapping from pairs to numbers
        A weight for every pair of variables.
    root : str, optional
        Where the tree starts, by default at the first variable.

    Returns
    -------
    SpanningTreeResult
        ``graph`` is a PDAG without arcs, ``edges`` are in the order in which they were added.

    Examples
    --------
    >>> prim({("A", "B"): 1.0, ("A", "C"): 3.0, ("B", "C"): 2.0}).edges
    (('A', 'C'), ('C', 'B'))
    """
    nodes = _nodes(weights)
    tree, edges = [nodes[0] if root is None else root], []
    weight = _matrix(weights, nodes, tree[0])
    best = weight[nodes.index(tree[0])].copy()  # of the edges between the tree and each other node, the maximum weight
    while len(tree) < len(nodes):
        a, b = heaviest_leaving(weight, best)
        edge = nodes[a], nodes[b]
        yield Grew(edge, float(weight[a, b]), tuple(tree))
        edges.append(edge)
        tree.append(nodes[b])
        best[b] = -np.inf
        best = np.where(best > -np.inf, np.maximum(best, weight[b]), best)
    return SpanningTreeResult(PDAG((), edges, nodes), edges=tuple(edges))


@stepwise
def kruskal(weights: Weights) -> Generator[Step, None, SpanningTreeResult]:
    """Find a maximum-weight spanning tree: heaviest edge first, unless it closes a cycle.

    Parameters
    ----------
    weights : mapping from pairs to numbers

    Returns
    -------
    SpanningTreeResult
        ``graph`` is a PDAG without arcs, ``edges`` are in the order in which they were accepted.

    Examples
    --------
    >>> kruskal({("A", "B"): 1.0, ("A", "C"): 3.0, ("B", "C"): 2.0}).edges
    (('A', 'C'), ('B', 'C'))
    """
    component = {node: node for node in _nodes(weights)}
    edges: list[Edge] = []
    for edge, weight in heaviest_first(weights, tuple(component)):
        u, v = edge
        yield Considered(edge, weight, accepted=component[u] != component[v])
        if component[u] != component[v]:
            edges.append(edge)
            component = {node: component[u] if c == component[v] else c for node, c in component.items()}
        if len(edges) == len(component) - 1:
            break
    return SpanningTreeResult(PDAG((), edges, tuple(component)), edges=tuple(edges))


def cut_light_edges(edges: Iterable[Edge], information: Weights,
                    penalties: Weights) -> Generator[Step, None, tuple[Edge, ...]]:
    """Keep the edges whose mutual information exceeds their penalty."""
    kept = []
    for edge in edges:
        weight, penalty = _weight(edge, information), _weight(edge, penalties)
        if weight > penalty:
            kept.append(edge)
        else:
            yield Cut(edge, weight, penalty)
    return tuple(kept)


def orient_outward(edges: Iterable[Edge], nodes: tuple[str, ...], root: str) -> Generator[Step, None, list[Edge]]:
    """Orient the edges away from the root; in a forest, the first node of each further tree is its root."""
    import networkx as nx

    tree: nx.Graph[str] = nx.Graph()
    tree.add_nodes_from(nodes)
    tree.add_edges_from(edges)
    arcs: list[Edge] = []
    reached: set[str] = set()
    index = {node: i for i, node in enumerate(nodes)}.__getitem__
    for start in (root, *nodes):
        if start not in reached:
            outward = list(nx.bfs_edges(tree, start, sort_neighbors=lambda near: sorted(near, key=index)))
            yield Rooted(start, tuple(outward))
            reached |= {start, *(b for _, b in outward)}
            arcs += outward
    return arcs


def penalty(a: str, b: str, table: Table) -> float:
    """The MDL penalty of an edge in bits per row: its parameters times log2(N) / 2, divided by N."""
    return (table.sizes[a] - 1) * (table.sizes[b] - 1) * log2(len(table)) / 2 / len(table)


# -- ties, weights, checks ---------------------------------------------------------------------------------
def heaviest_leaving(weight: np.ndarray, best: np.ndarray) -> tuple[int, int]:
    """The maximum-weight edge from the tree to another node; among equal ones, the first in the order of the nodes.

    `best` has the maximum weight for each node outside the tree, and minus infinity for those inside.
    """
    least = best.max() - TOLERANCE
    nearest = np.flatnonzero(best >= least)
    heaviest = weight[:, nearest] >= least
    heaviest[best > -np.inf] = False  # edges between nodes outside the tree
    a, b = divmod(int(heaviest.argmax()), len(nearest))
    return a, int(nearest[b])


def heaviest_first(weights: Weights, nodes: tuple[str, ...]) -> Iterator[tuple[Edge, float]]:
    """Edges by decreasing weight; among equal ones, in the order of the variables."""
    index = {node: i for i, node in enumerate(nodes)}
    left = sorted(weights.items(), key=lambda item: item[1])
    while left:
        least, equal = left[-1][1] - TOLERANCE, [left.pop()]
        while left and left[-1][1] >= least:
            equal.append(left.pop())
        yield from sorted(equal, key=lambda item: (index[item[0][0]], index[item[0][1]]))


def _nodes(weights: Weights) -> tuple[str, ...]:
    if not isinstance(weights, Mapping) or not weights or not _are_weights(weights):
        raise TypeError(f"a spanning tree needs the weights of pairs, such as {{('A', 'B'): 0.3, ('A', 'C'): 0.1}}, "
                        f"not {described(weights)} like {str(weights)[:40]}. Try bn.mutual_informations(table).")
    return tuple(dict.fromkeys(chain.from_iterable(weights)))


def _are_weights(weights: Mapping[Any, Any]) -> bool:
    return (all(issubclass(kind, tuple) for kind in set(map(type, weights))) and set(map(len, weights)) == {2}
            and all(issubclass(kind, Real) for kind in set(map(type, weights.values())))
            and all(weight == weight for weight in weights.values()))  # nan is not equal to itself


def _matrix(weights: Weights, nodes: tuple[str, ...], root: str) -> np.ndarray:
    """The weight of each pair, in either order; minus infinity for a node with itself."""
    index = {node: i for i, node in enumerate(nodes)}
    matrix = np.full((len(nodes), len(nodes)), np.nan)
    first, second = np.array([index[node] for node in chain.from_iterable(weights)]).reshape(-1, 2).T
    matrix[first, second] = matrix[second, first] = list(weights.values())
    np.fill_diagonal(matrix, -np.inf)
    missing = [[nodes[i], nodes[j]] for i, j in np.argwhere(np.isnan(matrix))] if root in index else [[nodes[0], root]]
    if missing:
        raise ValueError(f"{'-'.join(missing[0])} has no weight, and Prim needs one for every pair of variables.")
    return matrix


def _weight(edge: Edge, weights: Weights) -> float:
    return weights[edge] if edge in weights else weights[edge[::-1]]


def _others(weights: Weights, edges: Iterable[Edge]) -> tuple[Edge, ...]:
    taken = {arc for a, b in edges for arc in ((a, b), (b, a))}
    return tuple(edge for edge in weights if edge not in taken)


def _check(method: str, forest: bool | float) -> None:
    if not isinstance(method, str) or method not in ("prim", "kruskal"):
        raise ValueError(f"method={method!r} is unknown; use 'prim' or 'kruskal'.")
    if not isinstance(forest, bool | np.bool_ | Real) or forest != forest:  # nan is not equal to itself
        raise ValueError(f"forest={forest!r} is unknown; use True, False, or a number of bits such as 0.01.")
