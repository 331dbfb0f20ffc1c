"""Partially directed graphs: what can be known of a DAG from independences alone.

A `PDAG` has arcs and undirected edges, at most one line between two nodes. It is what the PC algorithm
returns and what stands for a whole class of equivalent DAGs. Like a `DAG` it never changes.

>>> pattern = PDAG("A-B, A-C, B->D, C->D")
>>> pattern.arcs
(('B', 'D'), ('C', 'D'))
>>> pattern.edges
(('A', 'B'), ('A', 'C'))
>>> pattern.skeleton
(('A', 'B'), ('A', 'C'), ('B', 'D'), ('C', 'D'))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bnteach.errors import UnknownVariable
from bnteach.graphs.dag import DAG, check_networkx, read_pairs
from bnteach.graphs.notation import Pair, read_graph, read_names, write_graph

if TYPE_CHECKING:
    import networkx as nx


class PDAG:
    """A graph with arcs and undirected edges, written as text or as two lists."""

    __slots__ = ("_hash", "_lines", "_nodes")

    def __init__(self, arcs: str | Iterable[Pair] | DAG | PDAG = (), edges: Iterable[Pair] = (),
                 nodes: str | Iterable[str] = ()):
        named, directed, undirected = _read_lines(arcs)
        undirected += read_pairs(edges)
        ends = (node for pair in directed + undirected for node in pair)
        self._nodes = tuple(dict.fromkeys([*read_names(nodes), *named, *ends]))
        # _lines[a][b] is "->", "<-" or "-": how the line between a and b looks from a.
        self._lines: dict[str, dict[str, str]] = {node: {} for node in self.nodes}
        for a, b in directed:
            self._draw(a, b, "->", "<-")
        for a, b in undirected:
            self._draw(a, b, "-", "-")
        self._hash: int | None = None

    def _draw(self, a: str, b: str, there: str, back: str) -> None:
        if a == b:
            raise ValueError(f"{a}{there}{a} joins a node to itself; leave it out.")
        if self._lines[a].get(b, there) != there:
            raise ValueError(f"two different lines between {a} and {b}: {a}{self._lines[a][b]}{b} and {a}{there}{b}. "
                             f"Between two nodes there is one line, or none.")
        self._lines[a][b], self._lines[b][a] = there, back

    # -- looking ---------------------------------------------------------------------------------------
    @property
    def nodes(self) -> tuple[str, ...]:
        """All nodes, in the order given."""
        return self._nodes

    @property
    def arcs(self) -> tuple[Pair, ...]:
        """The directed lines (tail, head), by tail and then by head."""
        return tuple((a, b) for a in self.nodes for b in self._near(a, "->"))

    @property
    def edges(self) -> tuple[Pair, ...]:
        """The undirected lines, each once, in the order of the nodes."""
        place = {node: i for i, node in enumerate(self.nodes)}
        return tuple((a, b) for a in self.nodes for b in self._near(a, "-") if place[a] < place[b])

    @property
    def skeleton(self) -> tuple[Pair, ...]:
        """All lines without their heads: pairs in the order of the nodes."""
        place = {node: i for i, node in enumerate(self.nodes)}
        return tuple((a, b) for a in self.nodes for b in self.adjacent_to(a) if place[a] < place[b])

    def parents(self, node: str) -> tuple[str, ...]:
        """The nodes with an arc to this one."""
        return self._near(node, "<-")

    def children(self, node: str) -> tuple[str, ...]:
        """The nodes that an arc from this one leads to."""
        return self._near(node, "->")

    def neighbours(self, node: str) -> tuple[str, ...]:
        """The nodes joined to this one by an undirected edge."""
        return self._near(node, "-")

    def adjacent_to(self, node: str) -> tuple[str, ...]:
        """All nodes joined to this one, by whatever line."""
        lines = self._lines_of(node)
        return tuple(n for n in self.nodes if n in lines)

    def adjacent(self, a: str, b: str) -> bool:
        """Is there a line between a and b, of whatever kind?"""
        return b in self._lines_of(a)

    def has_arc(self, a: str, b: str) -> bool:
        """Is there an arc a -> b?"""
        return self._lines_of(a).get(b) == "->"

    def has_edge(self, a: str, b: str) -> bool:
        """Is there an undirected edge a - b?"""
        return self._lines_of(a).get(b) == "-"

    def is_directed(self) -> bool:
        """Are all lines arcs?"""
        return not self.edges

    # -- changing, which makes a new graph -------------------------------------------------------------
    def with_arc(self, a: str, b: str) -> PDAG:
        """The same graph with a -> b, in place of whatever line there was between them."""
        return self._redrawn(a, b, "->", "<-")

    def with_edge(self, a: str, b: str) -> PDAG:
        """The same graph with a - b, in place of whatever line there was between them."""
        return self._redrawn(a, b, "-", "-")

    def without(self, a: str, b: str) -> PDAG:
        """The same graph with no line between a and b."""
        return self._redrawn(a, b)

    def without_node(self, node: str) -> PDAG:
        """The same graph without a node and all its lines."""
        self._lines_of(node)
        rows = {n: row for n, row in self._lines.items() if n != node}
        for other in self._lines[node]:
            rows[other] = {n: line for n, line in rows[other].items() if n != node}
        return self._copy(tuple(n for n in self.nodes if n != node), rows)

    def _redrawn(self, a: str, b: str, *ends: str) -> PDAG:
        """A copy in which only the line between a and b is another. The rows of other nodes are shared."""
        near_a, near_b = dict(self._lines_of(a)), dict(self._lines_of(b))
        near_a.pop(b, None), near_b.pop(a, None)
        copy = self._copy(self.nodes, {**self._lines, a: near_a, b: near_b})
        if ends:
            copy._draw(a, b, *ends)
        return copy

    @staticmethod
    def _copy(nodes: tuple[str, ...], lines: dict[str, dict[str, str]]) -> PDAG:
        copy = PDAG.__new__(PDAG)
        copy._nodes, copy._lines, copy._hash = nodes, lines, None
        return copy

    # -- in and out ------------------------------------------------------------------------------------
    def to_dag(self) -> DAG:
        """The same graph as a DAG, if all its lines are arcs and they close no circle."""
        if self.edges:
            a, b = self.edges[0]
            raise ValueError(f"{a}-{b} has no direction, so this is not a DAG. bn.extend gives a DAG of the class.")
        return DAG(self.arcs, self.nodes)

    def to_networkx(self) -> nx.DiGraph:
        """A networkx DiGraph in which an undirected edge is an arc each way."""
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from([*self.arcs, *self.edges, *((b, a) for a, b in self.edges)])
        return graph

    @classmethod
    def from_networkx(cls, graph: nx.Graph) -> PDAG:
        """From networkx: a Graph's edges are undirected, and so are a DiGraph's arcs that go both ways."""
        check_networkx(graph)
        pairs = [(str(a), str(b)) for a, b in graph.edges()]
        nodes = [str(n) for n in graph.nodes]
        if not graph.is_directed():
            return cls((), pairs, nodes)
        both = set(pairs)
        arcs = [(a, b) for a, b in pairs if (b, a) not in both]
        return cls(arcs, [(a, b) for a, b in pairs if (b, a) in both], nodes)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, DAG):
            other = PDAG(other)
        if not isinstance(other, PDAG):
            return NotImplemented
        return self._lines == other._lines

    def __hash__(self) -> int:
        if self._hash is None:
            if not self.edges:  # equal to a DAG with the same arcs, so it has the same hash
                self._hash = hash((frozenset(self.nodes), frozenset(self.arcs)))
            else:
                undirected = frozenset(frozenset(edge) for edge in self.edges)
                self._hash = hash((frozenset(self.nodes), frozenset(self.arcs), undirected))
        return self._hash

    def __reduce__(self) -> tuple:
        return PDAG, (self.arcs, self.edges, self.nodes)  # without the hash, which is another in another process

    def __contains__(self, node: object) -> bool:
        return node in self._lines

    def __iter__(self) -> Iterator[str]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __str__(self) -> str:
        return write_graph(self.nodes, self.arcs, self.edges)

    def __repr__(self) -> str:
        return f"PDAG({str(self)!r})"

    def _repr_html_(self) -> str:
        from bnteach.show.draw import html_or_text

        return html_or_text(self)

    # -- inside ----------------------------------------------------------------------------------------
    def _lines_of(self, node: str) -> dict[str, str]:
        try:
            return self._lines[node]
        except (KeyError, TypeError):
            raise UnknownVariable(node, self.nodes) from None

    def _near(self, node: str, line: str) -> tuple[str, ...]:
        look = self._lines_of(node).get
        return tuple([n for n in self.nodes if look(n) == line])


def _read_lines(lines: object) -> tuple[list[str], list[Pair], list[Pair]]:
    """Named nodes, arcs and edges, from any form in which the lines of a PDAG may be given."""
    if isinstance(lines, str):
        return read_graph(lines)
    if hasattr(lines, "is_directed") and hasattr(lines, "adjacency"):
        lines = PDAG.from_networkx(lines)  # type: ignore[arg-type]
    if isinstance(lines, DAG):
        return list(lines.nodes), list(lines.arcs), []
    if isinstance(lines, PDAG):
        return list(lines.nodes), list(lines.arcs), list(lines.edges)
    return [], read_pairs(lines), []
