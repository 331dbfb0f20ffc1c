"""A drawing as data: what the steps of a trace change, and what players and pictures show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bnteach.graphs.dag import DAG
    from bnteach.graphs.pdag import PDAG


@dataclass
class DrawnEdge:
    """An edge of a drawing: undirected, or an arc from its first node to its second."""

    directed: bool = False
    style: str = "plain"
    label: str = ""
    width: float = 1.0  # of the line, as a factor


class Drawing:
    """A drawing as data: nodes, edges and the style of each. It has no coordinates.

    The styles are the course's five words and mean the same everywhere: "considered" (examined in this step),
    "kept", "removed", "oriented", "pruned"; and "plain". The style "considered" lasts for one step; an edge that
    is removed is shown once more, in the style "removed", and is gone in the next step.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, str] = {}  # name -> style
        self.edges: dict[tuple[str, str], DrawnEdge] = {}
        self.touched: set[frozenset[str]] = set()  # the pairs whose edge this step has drawn, styled or removed
        self._temporary: dict[tuple[str, str], None] = {}  # edges that are deleted when the next step begins
        self._before: dict[tuple[str, str], str] = {}  # styles that are restored when the next step begins

    def add_nodes(self, nodes: Iterable[str], style: str = "plain") -> None:
        """Add nodes; those that are there already keep their style."""
        for node in nodes:
            self.nodes.setdefault(node, style)

    def style_nodes(self, *nodes: str, style: str = "considered") -> None:
        """Change the style of nodes."""
        for node in nodes:
            self.nodes[node] = style

    def add_edge(self, a: str, b: str, style: str = "plain", label: str = "") -> None:
        """Draw an undirected edge a - b, replacing any edge between the two."""
        self._draw(a, b, DrawnEdge(False, style, label))

    def add_arc(self, a: str, b: str, style: str = "oriented", label: str = "") -> None:
        """Draw an arc a -> b, replacing any edge between the two."""
        self._draw(a, b, DrawnEdge(True, style, label))

    def style_edge(self, a: str, b: str, style: str = "considered", label: str | None = None) -> None:
        """Change the style of the edge between a and b. If there is none, show one for this step only."""
        self.touched.add(frozenset((a, b)))
        if (key := self._key(a, b)) is None:
            self.edges[a, b] = DrawnEdge(False, "removed" if style == "removed" else "considered", label or "")
            self._temporary[a, b] = None
        else:
            self._before.setdefault(key, self.edges[key].style)
            self.edges[key] = replace(self.edges[key], style=style)
            if label is not None:
                self.edges[key].label = label

    def remove_edge(self, a: str, b: str) -> None:
        """Remove the edge between a and b: shown as removed in this step, gone in the next."""
        self.touched.add(frozenset((a, b)))
        if (key := self._key(a, b)) is not None:
            self.edges[key] = replace(self.edges[key], style="removed")
            self._before.pop(key, None)
            self._temporary[key] = None

    def redraw(self, graph: DAG | PDAG, style: str = "plain") -> None:
        """Replace all edges by those of a graph. Touched are those that differ."""
        self.add_nodes(graph.nodes)
        edges = getattr(graph, "edges", ())  # a DAG has none
        before = {(*pair, edge.directed) for pair, edge in self.edges.items()}
        now = {(*arc, True) for arc in graph.arcs} | {(*edge, False) for edge in edges}
        touched = self.touched | {frozenset(pair) for *pair, _ in before.symmetric_difference(now)}
        for a, b in list(self.edges):
            self.remove_edge(a, b)
        for a, b in graph.arcs:
            self.add_arc(a, b, style)
        for a, b in edges:
            self.add_edge(a, b, style)
        self.touched = touched

    def next_step(self) -> None:
        """Undo what was for one step only: the style "considered", and edges that were removed."""
        for key in self._temporary:
            self.edges.pop(key, None)
        for key, style in self._before.items():
            if key in self.edges and self.edges[key].style == "considered":
                self.edges[key] = replace(self.edges[key], style=style)
        for node, style in self.nodes.items():
            if style == "considered":
                self.nodes[node] = "plain"
        self._temporary.clear()
        self._before.clear()
        self.touched = set()

    def touches(self, a: str, b: str) -> bool:
        """Has this step drawn, styled or removed the edge between a and b?"""
        return frozenset((a, b)) in self.touched

    def arcs(self) -> list[tuple[str, str]]:
        """The arcs that are drawn and not removed."""
        return [pair for pair, edge in self.edges.items() if edge.directed and edge.style != "removed"]

    def undirected(self) -> list[tuple[str, str]]:
        """The undirected edges that are drawn and not removed."""
        return [pair for pair, edge in self.edges.items() if not edge.directed and edge.style != "removed"]

    def copy(self) -> Drawing:
        """A copy that later steps do not change."""
        other = Drawing()
        other.nodes = dict(self.nodes)
        other.edges = {key: replace(edge) for key, edge in self.edges.items()}
        return other

    def _key(self, a: str, b: str) -> tuple[str, str] | None:
        return (a, b) if (a, b) in self.edges else (b, a) if (b, a) in self.edges else None

    def _draw(self, a: str, b: str, edge: DrawnEdge) -> None:
        self.add_nodes((a, b))
        self.touched.add(frozenset((a, b)))
        if (key := self._key(a, b)) is not None:
            self._temporary.pop(key, None)
            self._before.pop(key, None)
            del self.edges[key]
        self.edges[a, b] = edge
