"""The Chow-Liu algorithm: the tree that fits the data best.

    1. weigh every pair of variables by their mutual information;
    2. find the spanning tree of greatest weight (Prim or Kruskal);
    3. choose any root and let all arcs lead away from it.

Why it works: the log-likelihood of a tree is N (sum of the mutual informations of its edges - sum of the
entropies of its variables), and the second sum is the same for every tree. Chow and Liu 1968. Lesson 7.

>>> from bnteach.datasets import five_rows
>>> found = chow_liu(five_rows(), root="B")
>>> found.tree, round(found.weight, 4), round(found.score, 4)
(PDAG('A-C, B-C, B-D'), 0.9658, -12.0999)
>>> found.graph
DAG('B->C, B->D, C->A')
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

from bnteach.errors import described
from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG
from bnteach.information import entropy, mutual_informations
from bnteach.learn.steps.chow_liu import Cut, Edge, Grew, Looked, Rooted, Spanned, Weighed
from bnteach.scores.base import MDL
from bnteach.tables.table import Table, as_table
from bnteach.trace import Result, Step, stepwise

Weights = Mapping[Edge, float]
SAME = 1e-9  # weights that differ by less are equal: the order of the variables decides between them


@dataclass(frozen=True)
class TreeResult(Result[DAG]):
    """A Result with the tree before it was given a root, and its weight."""

    tree: PDAG | None = None
    weight: float = 0.0


# -- the algorithm ---------------------------------------------------------------------------------------
@stepwise
def chow_liu(table: Any, root: str | None = None, method: str = "prim",
             forest: bool | float = False) -> Generator[Step, None, TreeResult]:
    """The tree of greatest likelihood. `method` is "prim" or "kruskal".

    The root may be any variable (the first, unless told): all roots give the same likelihood.
    `forest=True` cuts the edges whose information is not worth their parameters by MDL; a number cuts
    those that bring no more than so many bits.
    """
    table = as_table(table)
    root = table.variables[0] if root is None else table.names([root])[0]
    if not isinstance(method, str) or method not in ("prim", "kruskal"):
        raise ValueError(f"method={method!r} is not known here; use 'prim' or 'kruskal'.")
    if not isinstance(forest, bool | int | float) or forest != forest:  # nan is not even itself
        raise ValueError(f"forest={forest!r} is not known here; use True, False, or a number of bits such as 0.01.")
    weights = mutual_informations(table)
    yield Weighed(weights)
    spanning = prim.steps(weights, root) if method == "prim" else kruskal.steps(weights)
    edges = (yield from spanning) if weights else []  # one variable is a tree by itself
    if forest is not False:
        edges = yield from cut_light_edges(edges, weights, table, forest)
    both_ways = _both_ways(weights)
    weight = sum(both_ways[edge] for edge in edges)
    yield Spanned(tuple(edges), weight, _others(weights, edges))
    arcs = yield from point_away(edges, table.variables, root)
    fit = len(table) * (weight - sum(entropy(table, x) for x in table.variables))
    return TreeResult(DAG(arcs, table.variables), score=fit, tree=PDAG((), edges, table.variables), weight=weight)


@stepwise
def prim(weights: Weights, root: str | None = None) -> Generator[Step, None, list[Edge]]:
    """Grow one tree from the root, each time by the heaviest edge that leaves it. Lesson 7."""
    nodes, weight = _nodes(weights), _both_ways(weights)
    inside, edges = [root or nodes[0]], []
    while outside := [node for node in nodes if node not in inside]:
        leaving = {(a, b): weight[a, b] for a in inside for b in outside}
        edge = heaviest(leaving, nodes)
        yield Grew(edge, weight[edge], tuple(inside))
        edges.append(edge)
        inside.append(edge[1])
    return edges


@stepwise
def kruskal(weights: Weights) -> Generator[Step, None, list[Edge]]:
    """Heaviest edge first, unless it closes a circle. Lesson 7."""
    part = {node: node for node in _nodes(weights)}
    edges: list[Edge] = []
    for edge, weight in heaviest_first(weights, _nodes(weights)):
        u, v = edge
        yield Looked(edge, weight, joins=part[u] != part[v])
        if part[u] != part[v]:
            edges.append(edge)
            part = {node: part[u] if p == part[v] else p for node, p in part.items()}
        if len(edges) == len(part) - 1:
            break
    return edges


def cut_light_edges(edges: list[Edge], weights: Weights, table: Table,
                    forest: bool | float) -> Generator[Step, None, list[Edge]]:
    """Keep the edges that are worth their parameters."""
    kept, weight = [], _both_ways(weights)
    for edge in edges:
        least = _price(edge, table) if forest is True else float(forest)
        if weight[edge] > least:
            kept.append(edge)
        else:
            yield Cut(edge, weight[edge], least)
    return kept


def point_away(edges: Iterable[Edge], nodes: tuple[str, ...], root: str) -> Generator[Step, None, list[Edge]]:
    """Arcs that lead away from the root; in a forest, each further tree has its first node as root."""
    near: dict[str, list[str]] = {node: [] for node in nodes}
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    arcs: list[Edge] = []
    reached: set[str] = set()
    for start in (root, *nodes):
        if start not in reached:
            outward = _walk(start, near, nodes)
            yield Rooted(start, tuple(outward))
            reached |= {start, *(b for _, b in outward)}
            arcs += outward
    return arcs


def _walk(start: str, near: dict[str, list[str]], nodes: tuple[str, ...]) -> list[Edge]:
    """The arcs met when walking outward from a node, nearest first."""
    arcs, queue, seen = [], [start], {start}
    for node in queue:
        for other in (n for n in nodes if n in near[node] and n not in seen):
            seen.add(other)
            queue.append(other)
            arcs.append((node, other))
    return arcs


# -- ties and look-ups -----------------------------------------------------------------------------------
def heaviest(weights: Weights, nodes: Iterable[str]) -> Edge:
    """The heaviest edge; among equal ones, the first in the order of the variables."""
    place = {node: i for i, node in enumerate(nodes)}
    least = max(weights.values()) - SAME
    return min((edge for edge in weights if weights[edge] >= least), key=lambda edge: (place[edge[0]], place[edge[1]]))


def heaviest_first(weights: Weights, nodes: Iterable[str]) -> Iterable[tuple[Edge, float]]:
    """Edges by falling weight; among equal ones, in the order of the variables."""
    place = {node: i for i, node in enumerate(nodes)}
    left = sorted(weights.items(), key=lambda item: item[1], reverse=True)
    while left:
        top = left[0][1]
        equal = [item for item in left if item[1] >= top - SAME]
        left = left[len(equal):]
        yield from sorted(equal, key=lambda item: (place[item[0][0]], place[item[0][1]]))


def _nodes(weights: Weights) -> tuple[str, ...]:
    if not isinstance(weights, Mapping) or not weights or not all(map(_is_weight, weights, weights.values())):
        raise TypeError(f"a tree is made of the weights of pairs, such as {{('A', 'B'): 0.3, ('A', 'C'): 0.1}}; "
                        f"{described(weights)} like {str(weights)[:40]} has none. Try bn.mutual_informations(table).")
    return tuple(dict.fromkeys(node for edge in weights for node in edge))


def _is_weight(edge: Any, weight: Any) -> bool:
    return isinstance(edge, tuple) and len(edge) == 2 and isinstance(weight, Real) and weight == weight


class _BothWays(dict):
    """The weight of each pair, whichever is named first."""

    def __missing__(self, pair: Edge) -> float:
        raise ValueError(f"{pair[0]}-{pair[1]} has no weight, and Prim needs one for every pair of variables.")


def _both_ways(weights: Weights) -> Weights:
    return _BothWays({**weights, **{(b, a): weight for (a, b), weight in weights.items()}})


def _others(weights: Weights, edges: Iterable[Edge]) -> tuple[Edge, ...]:
    taken = {frozenset(edge) for edge in edges}
    return tuple(edge for edge in weights if frozenset(edge) not in taken)


def _price(edge: Edge, table: Table) -> float:
    """What an edge costs by MDL, in bits a row: its parameters times log2(N) / 2, over N."""
    a, b = edge
    mdl = MDL(table)
    return mdl.penalty * (mdl.parameters(b, a) - mdl.parameters(b)) / len(table)
