"""Directed acyclic graphs: the structure of a Bayesian network.

A `DAG` never changes. Its methods return new graphs, so a graph that is kept in a trace, a set or a dictionary
stays as it was.

>>> g = DAG("A->C, B->C, B->D")
>>> g.parents("C")
('A', 'B')
>>> g.with_arc("D", "A").arcs
(('A', 'C'), ('B', 'C'), ('B', 'D'), ('D', 'A'))
>>> g.with_arc("C", "A")
Traceback (most recent call last):
    ...
bnteach.errors.CycleError: A -> C -> A is a directed cycle, and a DAG has none: remove or reverse one of these arcs.

Two DAGs are equal if they have the same nodes and the same arcs. The order of the nodes does not matter for
equality, but it is kept, since it settles ties: nodes are in the order given, arcs by parent, then by child.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from bnteach.errors import CycleError, described, needs_instance
from bnteach.graphs.graph import Graph
from bnteach.graphs.notation import Pair, read_graph, read_names
from bnteach.graphs.reachability import find_cycle, reachable

if TYPE_CHECKING:
    import networkx as nx


class DAG(Graph):
    """A directed acyclic graph, immutable and hashable.

    Parameters
    ----------
    arcs : str, iterable of pairs, DAG, PDAG without edges, or networkx.DiGraph
        Text such as ``"A->C, B->C, D"``, or pairs (parent, child).
    nodes : str or iterable of str
        Names that come first in the order of the nodes; further nodes follow as `arcs` names them.

    Raises
    ------
    CycleError
        If the arcs close a directed cycle.

    Examples
    --------
    >>> g = DAG("B->C, A->C", nodes="ABC")
    >>> g.nodes, g.arcs
    (('A', 'B', 'C'), (('A', 'C'), ('B', 'C')))
    >>> g.without_arc("A", "C")
    DAG('B->C, A')
    """

    __slots__ = ("_children", "_parents")

    def __init__(self, arcs: str | Iterable[Pair] | Graph | nx.DiGraph[Any] = (), nodes: str | Iterable[str] = ()):
        named, pairs = _read_arcs(arcs)
        super().__init__([*read_names(nodes), *named, *(node for pair in pairs for node in pair)])
        index, names = self._index, self._nodes
        parents: dict[str, tuple[str, ...]] = dict.fromkeys(names, ())
        children: dict[str, tuple[str, ...]] = dict.fromkeys(names, ())
        for i, j in sorted({(index[a], index[b]) for a, b in pairs}):
            parents[names[j]] += (names[i],)
            children[names[i]] += (names[j],)
        self._parents, self._children = parents, children
        if cycle := find_cycle(parents, children):
            raise CycleError(f"{' -> '.join(cycle)} is a directed cycle, and a DAG has none: "
                             f"remove or reverse one of these arcs.")

    # -- nodes and arcs --------------------------------------------------------------------------------
    @property
    def arcs(self) -> tuple[Pair, ...]:
        """All arcs (parent, child), by parent and then by child."""
        return tuple((a, b) for a in self.nodes for b in self._children[a])

    def parents(self, node: str) -> tuple[str, ...]:
        """The parents of a node, in the order of the nodes."""
        return self._of(node, self._parents)

    def children(self, node: str) -> tuple[str, ...]:
        """The children of a node, in the order of the nodes."""
        return self._of(node, self._children)

    successors = children

    def neighbours(self, node: str) -> tuple[str, ...]:
        """The parents and children of a node, in the order of the nodes."""
        return self._in_order({*self.parents(node), *self.children(node)})

    def ancestors(self, node: str) -> tuple[str, ...]:
        """Every node with a directed path to this one, in the order of the nodes."""
        return self._in_order(reachable(self.parents(node), self._parents.__getitem__))

    def descendants(self, node: str) -> tuple[str, ...]:
        """Every node with a directed path from this one, in the order of the nodes."""
        return self._in_order(reachable(self.children(node), self._children.__getitem__))

    def markov_blanket(self, node: str) -> tuple[str, ...]:
        """The parents, the children and the other parents of the children, in the order of the nodes.

        Given these, the node is independent of all others.
        """
        co_parents = {parent for child in self.children(node) for parent in self.parents(child)}
        return self._in_order({*self.neighbours(node), *co_parents} - {node})

    @property
    def order(self) -> tuple[str, ...]:
        """A topological order, parents before children; of the nodes that may come next, the first given."""
        waiting, order = {n: len(p) for n, p in self._parents.items()}, []
        while waiting:
            node = next(n for n, parents in waiting.items() if parents == 0)
            del waiting[node]
            order.append(node)
            for child in self._children[node]:
                waiting[child] -= 1
        return tuple(order)

    def has_arc(self, a: str, b: str) -> bool:
        """Is there an arc a -> b?"""
        return b in self.children(a)

    def adjacent(self, a: str, b: str) -> bool:
        """Is there an arc between a and b, in either direction?"""
        return b in self.children(a) or a in self.children(b)

    # -- new graphs ------------------------------------------------------------------------------------
    def with_arc(self, a: str, b: str) -> DAG:
        """The graph with the arc a -> b added; CycleError if it closes a directed cycle."""
        self.parents(a), self.parents(b)
        return DAG([*self.arcs, (a, b)], self.nodes)

    def without_arc(self, a: str, b: str) -> DAG:
        """The graph without the arc a -> b; ValueError if there is no such arc."""
        if not self.has_arc(a, b):
            other = f" There is {b}->{a}." if self.has_arc(b, a) else ""
            raise ValueError(f"there is no arc {a}->{b} to remove from {self}.{other}")
        return DAG([arc for arc in self.arcs if arc != (a, b)], self.nodes)

    def with_reversed(self, a: str, b: str) -> DAG:
        """The graph with the arc a -> b reversed."""
        return self.without_arc(a, b).with_arc(b, a)

    # -- other forms -----------------------------------------------------------------------------------
    @classmethod
    def from_networkx(cls, graph: nx.DiGraph[Any]) -> DAG:
        """A DAG from a networkx DiGraph; names become text."""
        check_networkx(graph)
        if not graph.is_directed():
            raise TypeError("the networkx graph is undirected; a DAG has arcs. Give a DiGraph, or use PDAG.")
        return cls([(str(a), str(b)) for a, b in graph.edges()], [str(n) for n in graph.nodes])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DAG):
            return NotImplemented
        return set(self.nodes) == set(other.nodes) and set(self.arcs) == set(other.arcs)

    __hash__ = Graph.__hash__

    def __reduce__(self) -> tuple[type[DAG], tuple[tuple[Pair, ...], tuple[str, ...]]]:
        return DAG, (self.arcs, self.nodes)  # without the hash, which differs between processes


needs_instance(DAG, "Write bn.DAG('A->B, B->C'), or bn.extend(pdag) for a DAG of a PDAG.")


def _read_arcs(arcs: Any) -> tuple[list[str], list[Pair]]:
    """Named nodes and arcs, from any form in which a DAG may be given."""
    if isinstance(arcs, str):
        named, pairs, edges = read_graph(arcs)
        if edges:
            a, b = edges[0]
            raise ValueError(f"{a}-{b} has no direction, and a DAG has arcs only: write {a}->{b} or {b}->{a}, "
                             f"or use bn.PDAG for graphs with undirected edges. If it is one name with a hyphen, put "
                             f"it in quotation marks: '\"{a}-{b}\" -> C'.")
        return named, pairs
    if not isinstance(arcs, DAG):
        if not hasattr(arcs, "to_dag") and not hasattr(arcs, "is_directed"):
            return [], read_pairs(arcs)
        arcs = arcs.to_dag() if hasattr(arcs, "to_dag") else DAG.from_networkx(arcs)
    return list(arcs.nodes), list(arcs.arcs)


def read_pairs(pairs: Any) -> list[Pair]:
    """Pairs of names, or an error that says what was given instead."""
    if not hasattr(pairs, "__iter__") or isinstance(pairs, type):
        hint = "Give its graph: result.graph." if hasattr(pairs, "graph") else "Write for example 'A->B, B->C'."
        raise TypeError(f"a graph is needed here, not {described(pairs)}. {hint}")
    return [read_pair(pair) for pair in pairs]


def read_pair(pair: Any) -> Pair:
    """Two names, or an error that says what was given instead."""
    if isinstance(pair, str) or not hasattr(pair, "__iter__") or len(names := list(pair)) != 2:
        raise TypeError(f"an arc is a pair such as ('A', 'B'), not {pair!r}. As text, write 'A->B, B->C'.")
    return str(names[0]), str(names[1])


def check_networkx(graph: object) -> None:
    """Raise TypeError unless this is a networkx graph."""
    if not (hasattr(graph, "is_directed") and hasattr(graph, "adjacency")):
        raise TypeError(f"a networkx graph is needed here, such as networkx.DiGraph([('A', 'B')]), "
                        f"not {described(graph)}.")
