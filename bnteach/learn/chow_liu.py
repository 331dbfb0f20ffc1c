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
from numbers import Real
from typing import Any

from bnteach.errors import described
from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG
from bnteach.information import entropy, mutual_informations
from bnteach.learn.search.ties import TOLERANCE
from bnteach.learn.steps.chow_liu import Considered, Cut, Edge, Grew, Rooted, Spanned, Weighed
from bnteach.scores.penalised import MDL
from bnteach.tables.table import Table, as_table
from bnteach.trace import Result, Step, stepwise

Weights = Mapping[Edge, float]


@dataclass(frozen=True)
class SpanningTreeResult(Result):
    """A Result with the edges in the order in which they were added."""

    edges: tuple[Edge, ...] = ()


@dataclass(frozen=True)
class TreeResult(Result):
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
        True removes the edges whose mutual information does not exceed their MDL penalty; a number removes
        those of at most so many bits.

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
    weights = mutual_informations(table)
    yield Weighed(weights)
    spanning = prim.steps(weights, root) if method == "prim" else kruskal.steps(weights)
    edges = (yield from spanning).edges if weights else ()  # one variable is a tree by itself
    if forest is not False:
        edges = yield from cut_light_edges(edges, weights, table, forest)
    weight = sum(_symmetric(weights)[frozenset(edge)] for edge in edges)
    yield Spanned(edges, weight, _others(weights, edges))
    arcs = yield from orient_outward(edges, table.variables, root)
    fit = len(table) * (weight - sum(entropy(table, x) for x in table.variables))
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
    nodes, weight = _nodes(weights), _symmetric(weights)
    inside, edges = [root or nodes[0]], []
    while outside := [node for node in nodes if node not in inside]:
        leaving = {(a, b): weight[frozenset((a, b))] for a in inside for b in outside}
        edge = heaviest(leaving, nodes)
        yield Grew(edge, leaving[edge], tuple(inside))
        edges.append(edge)
        inside.append(edge[1])
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


def cut_light_edges(edges: Iterable[Edge], weights: Weights, table: Table,
                    forest: bool | float) -> Generator[Step, None, tuple[Edge, ...]]:
    """Keep the edges whose mutual information exceeds the threshold."""
    kept, weight = [], _symmetric(weights)
    for edge in edges:
        threshold = _penalty(edge, table) if forest is True else float(forest)
        if weight[frozenset(edge)] > threshold:
            kept.append(edge)
        else:
            yield Cut(edge, weight[frozenset(edge)], threshold)
    return tuple(kept)


def orient_outward(edges: Iterable[Edge], nodes: tuple[str, ...], root: str) -> Generator[Step, None, list[Edge]]:
    """Orient the edges away from the root; in a forest, the first node of each further tree is its root."""
    import networkx as nx

    tree = nx.Graph()
    tree.add_nodes_from(nodes)
    tree.add_edges_from(edges)
    arcs: list[Edge] = []
    reached: set[str] = set()
    for start in (root, *nodes):
        if start not in reached:
            outward = list(nx.bfs_edges(tree, start, sort_neighbors=lambda near: sorted(near, key=nodes.index)))
            yield Rooted(start, tuple(outward))
            reached |= {start, *(b for _, b in outward)}
            arcs += outward
    return arcs


# -- ties, weights, checks ---------------------------------------------------------------------------------
def heaviest(weights: Weights, nodes: tuple[str, ...]) -> Edge:
    """The edge of maximum weight; among equal ones, the first in the order of the variables."""
    index = {node: i for i, node in enumerate(nodes)}
    least = max(weights.values()) - TOLERANCE
    return min((edge for edge in weights if weights[edge] >= least), key=lambda edge: (index[edge[0]], index[edge[1]]))


def heaviest_first(weights: Weights, nodes: tuple[str, ...]) -> Iterator[tuple[Edge, float]]:
    """Edges by decreasing weight; among equal ones, in the order of the variables."""
    index = {node: i for i, node in enumerate(nodes)}
    left = sorted(weights.items(), key=lambda item: item[1], reverse=True)
    while left:
        equal = [item for item in left if item[1] >= left[0][1] - TOLERANCE]
        left = left[len(equal):]
        yield from sorted(equal, key=lambda item: (index[item[0][0]], index[item[0][1]]))


def _nodes(weights: Weights) -> tuple[str, ...]:
    if not isinstance(weights, Mapping) or not weights or not all(map(_is_weight, weights, weights.values())):
        raise TypeError(f"a spanning tree needs the weights of pairs, such as {{('A', 'B'): 0.3, ('A', 'C'): 0.1}}, "
                        f"not {described(weights)} like {str(weights)[:40]}. Try bn.mutual_informations(table).")
    return tuple(dict.fromkeys(node for edge in weights for node in edge))


def _is_weight(edge: Any, weight: Any) -> bool:
    return isinstance(edge, tuple) and len(edge) == 2 and isinstance(weight, Real) and weight == weight


class _Symmetric(dict[frozenset[str], float]):
    """The weight of each pair, in either order."""

    def __missing__(self, pair: frozenset[str]) -> float:
        raise ValueError(f"{'-'.join(sorted(pair))} has no weight, and Prim needs one for every pair of variables.")


def _symmetric(weights: Weights) -> Mapping[frozenset[str], float]:
    return _Symmetric({frozenset(edge): weight for edge, weight in weights.items()})


def _others(weights: Weights, edges: Iterable[Edge]) -> tuple[Edge, ...]:
    taken = {frozenset(edge) for edge in edges}
    return tuple(edge for edge in weights if frozenset(edge) not in taken)


def _penalty(edge: Edge, table: Table) -> float:
    """The MDL penalty of an edge in bits per row: its parameters times log2(N) / 2, divided by N."""
    a, b = edge
    mdl = MDL(table)
    return mdl.penalty * (mdl.parameters(b, a) - mdl.parameters(b)) / len(table)


def _check(method: str, forest: bool | float) -> None:
    if not isinstance(method, str) or method not in ("prim", "kruskal"):
        raise ValueError(f"method={method!r} is unknown; use 'prim' or 'kruskal'.")
    if not isinstance(forest, bool | int | float) or forest != forest:  # nan is not equal to itself
        raise ValueError(f"forest={forest!r} is unknown; use True, False, or a number of bits such as 0.01.")
