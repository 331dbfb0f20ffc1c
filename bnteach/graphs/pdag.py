"""Partially directed acyclic graphs: what independences alone determine about a DAG.

A `PDAG` has arcs and undirected edges, at most one of them between two nodes. The CPDAG that the PC algorithm returns
is one; it represents a whole class of equivalent DAGs. Like a `DAG`, a `PDAG` never changes. That its arcs close no
directed cycle is not checked here: `bn.extend` finds out whether a PDAG represents any DAG.

>>> graph = PDAG("A-B, A-C, B->D, C->D")
>>> graph.arcs
(('B', 'D'), ('C', 'D'))
>>> graph.edges
(('A', 'B'), ('A', 'C'))
>>> graph.skeleton
(('A', 'B'), ('A', 'C'), ('B', 'D'), ('C', 'D'))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from bnteach.graphs.dag import DAG, check_networkx, read_pairs
from bnteach.graphs.graph import Graph
from bnteach.graphs.notation import Pair, read_graph, read_names

if TYPE_CHECKING:
    import networkx as nx


class PDAG(Graph):
    """A graph with arcs and undirected edges, immutable and hashable.

    Parameters
    ----------
    arcs : str, iterable of pairs, DAG, PDAG, or networkx graph
        Text such as ``"A-B, B->C"``, or the arcs as pairs (tail, head).
    edges : iterable of pairs
        The undirected edges.
    nodes : str or iterable of str
        Names that come first in the order of the nodes.

    Examples
    --------
    >>> g = PDAG("A-B, B->C")
    >>> g.neighbours("B"), g.children("B")
    (('A',), ('C',))
    >>> g.with_arc("A", "B")
    PDAG('A->B, B->C')
    """

    __slots__ = ("_links",)

    def __init__(self, arcs: str | Iterable[Pair] | Graph | nx.Graph[Any] = (), edges: Iterable[Pair] = (),
                 nodes: str | Iterable[str] = ()):
        named, directed, undirected = _read_links(arcs)
        undirected += read_pairs(edges)
        super().__init__([*read_names(nodes), *named, *(node for pair in directed + undirected for node in pair)])
        # _links[a][b] is "->", "<-" or "-": the arc or edge between a and b, seen from a.
        self._links: dict[str, dict[str, str]] = {node: {} for node in self.nodes}
        for a, b in directed:
            self._link(a, b, "->", "<-")
        for a, b in undirected:
            self._link(a, b, "-", "-")

    def _link(self, a: str, b: str, link: str, reverse: str) -> None:
        if a == b:
            raise ValueError(f"{a}{link}{a} joins a node to itself; leave it out.")
        if self._links[a].get(b, link) != link:
            raise ValueError(f"{a} and {b} are joined twice: {a}{self._links[a][b]}{b} and {a}{link}{b}. "
                             f"Between two nodes there is at most one arc or edge.")
        self._links[a][b], self._links[b][a] = link, reverse

    # -- nodes, arcs and edges -------------------------------------------------------------------------
    @property
    def arcs(self) -> tuple[Pair, ...]:
        """The arcs (tail, head), by tail and then by head."""
        return tuple((a, b) for a in self.nodes for b in self._linked(a, "->"))

    @property
    def edges(self) -> tuple[Pair, ...]:
        """The undirected edges, each once, in the order of the nodes."""
        index = self._index
        return tuple((a, b) for a in self.nodes for b in self._linked(a, "-") if index[a] < index[b])

    _undirected = edges

    def parents(self, node: str) -> tuple[str, ...]:
        """The nodes with an arc to this one."""
        return self._linked(node, "<-")

    def children(self, node: str) -> tuple[str, ...]:
        """The nodes with an arc from this one."""
        return self._linked(node, "->")

    def neighbours(self, node: str) -> tuple[str, ...]:
        """The nodes with an undirected edge to this one."""
        return self._linked(node, "-")

    def adjacent_to(self, node: str) -> tuple[str, ...]:
        """All nodes adjacent to this one: parents, children and neighbours."""
        return tuple(sorted(self._of(node, self._links), key=self._index.__getitem__))

    def adjacent(self, a: str, b: str) -> bool:
        """Is there an arc or an edge between a and b?"""
        return b in self._of(a, self._links) or a in self._of(b, self._links)

    def has_arc(self, a: str, b: str) -> bool:
        """Is there an arc a -> b?"""
        return self._of(a, self._links).get(b) == "->"

    def has_edge(self, a: str, b: str) -> bool:
        """Is there an undirected edge a - b?"""
        return self._of(a, self._links).get(b) == "-"

    def is_directed(self) -> bool:
        """Are there arcs only?"""
        return not self.edges

    # -- new graphs ------------------------------------------------------------------------------------
    def with_arc(self, a: str, b: str) -> PDAG:
        """The graph with the arc a -> b in place of whatever joined the two."""
        return self._relinked(a, b, "->", "<-")

    def with_edge(self, a: str, b: str) -> PDAG:
        """The graph with the edge a - b in place of whatever joined the two."""
        return self._relinked(a, b, "-", "-")

    def without(self, a: str, b: str) -> PDAG:
        """The graph in which a and b are not adjacent."""
        return self._relinked(a, b)

    def without_node(self, node: str) -> PDAG:
        """The graph without a node and its arcs and edges."""
        self._of(node, self._links)
        links = {n: row for n, row in self._links.items() if n != node}
        for other in self._links[node]:
            links[other] = {n: link for n, link in links[other].items() if n != node}
        return self._copy([n for n in self.nodes if n != node], links)

    def _relinked(self, a: str, b: str, *link: str) -> PDAG:
        """A copy that differs between a and b alone. The links of other nodes are shared."""
        from_a, from_b = dict(self._of(a, self._links)), dict(self._of(b, self._links))
        from_a.pop(b, None), from_b.pop(a, None)
        copy = self._copy(self.nodes, {**self._links, a: from_a, b: from_b})
        if link:
            copy._link(a, b, *link)
        return copy

    @staticmethod
    def _copy(nodes: Iterable[str], links: dict[str, dict[str, str]]) -> PDAG:
        copy = PDAG.__new__(PDAG)
        Graph.__init__(copy, nodes)
        copy._links = links
        return copy

    # -- other forms -----------------------------------------------------------------------------------
    def to_dag(self) -> DAG:
        """The same graph as a DAG, if it has no edges and no directed cycle."""
        if self.edges:
            a, b = self.edges[0]
            raise ValueError(f"{a}-{b} has no direction, so this is not a DAG. bn.extend gives a DAG of the class.")
        return DAG(self.arcs, self.nodes)

    @classmethod
    def from_networkx(cls, graph: nx.Graph[Any]) -> PDAG:
        """From networkx: the edges of a Graph are undirected, and so are arcs of a DiGraph in both directions."""
        check_networkx(graph)
        pairs = [(str(a), str(b)) for a, b in graph.edges()]
        nodes = [str(n) for n in graph.nodes]
        if not graph.is_directed():
            return cls((), pairs, nodes)
        known = set(pairs)
        arcs = [(a, b) for a, b in pairs if (b, a) not in known]
        return cls(arcs, [(a, b) for a, b in pairs if (b, a) in known], nodes)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DAG):
            other = PDAG(other)
        if not isinstance(other, PDAG):
            return NotImplemented
        return self._links == other._links

    __hash__ = Graph.__hash__

    def __reduce__(self) -> tuple[type[PDAG], tuple[tuple[Pair, ...], tuple[Pair, ...], tuple[str, ...]]]:
        return PDAG, (self.arcs, self.edges, self.nodes)  # without the hash, which differs between processes

    def successors(self, node: str) -> list[str]:
        """The children in any order, for quick searches."""
        return [other for other, link in self._links[node].items() if link == "->"]

    def _linked(self, node: str, link: str) -> tuple[str, ...]:
        """The nodes that are joined to this one by such a link."""
        links = self._of(node, self._links)
        return tuple(sorted([n for n in links if links[n] == link], key=self._index.__getitem__))


def _read_links(graph: Any) -> tuple[list[str], list[Pair], list[Pair]]:
    """Named nodes, arcs and edges, from any form in which a PDAG may be given."""
    if isinstance(graph, str):
        return read_graph(graph)
    if hasattr(graph, "is_directed") and hasattr(graph, "adjacency"):
        graph = PDAG.from_networkx(graph)
    if isinstance(graph, DAG | PDAG):
        return list(graph.nodes), list(graph.arcs), list(getattr(graph, "edges", ()))
    return [], read_pairs(graph), []
