"""A drawing as data: what the steps of a trace change, and what players and pictures show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bnteach.graphs.dag import DAG


@dataclass
class DrawnEdge:
    """An edge of a drawing: undirected, or an arc from its first node to its second."""

    directed: bool = False
    style: str = "plain"
    label: str = ""


class Drawing:
    """A drawing as data: nodes, edges and the style of each. It knows nothing of pixels.

    The styles are the course's five words and mean the same everywhere: "considered" (just now being
    looked at), "kept", "removed", "oriented", "pruned"; and "plain". What is considered is so for one
    step only, what is removed is shown once more in its removed style and then gone.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, str] = {}  # name -> style
        self.edges: dict[tuple[str, str], DrawnEdge] = {}
        self._passing: dict[tuple[str, str], None] = {}  # edges that go when the next step begins
        self._before: dict[tuple[str, str], str] = {}  # styles that come back when the next step begins

    def add_nodes(self, nodes: Iterable[str], style: str = "plain") -> None:
        """Put nodes on the page."""
        for node in nodes:
            self.nodes.setdefault(node, style)

    def style_nodes(self, *nodes: str, style: str = "considered") -> None:
        """Change the style of nodes."""
        for node in nodes:
            self.nodes[node] = style

    def add_edge(self, a: str, b: str, style: str = "plain", label: str = "") -> None:
        """Draw an undirected edge, in place of what was there."""
        self._draw(a, b, DrawnEdge(False, style, label))

    def add_arc(self, a: str, b: str, style: str = "oriented", label: str = "") -> None:
        """Draw an arc from a to b, in place of what was there."""
        self._draw(a, b, DrawnEdge(True, style, label))

    def style_edge(self, a: str, b: str, style: str = "considered", label: str | None = None) -> None:
        """Change the style of the edge between a and b. Where there is none, show it for this step only."""
        if (key := self._key(a, b)) is None:
            self.edges[a, b] = DrawnEdge(False, "removed" if style == "removed" else "considered", label or "")
            self._passing[a, b] = None
        else:
            self._before.setdefault(key, self.edges[key].style)
            self.edges[key] = replace(self.edges[key], style=style)
            if label is not None:
                self.edges[key].label = label

    def remove_edge(self, a: str, b: str) -> None:
        """Remove the edge between a and b: shown as removed in this step, gone in the next."""
        if (key := self._key(a, b)) is not None:
            self.edges[key] = replace(self.edges[key], style="removed")
            self._before.pop(key, None)
            self._passing[key] = None

    def redraw(self, graph: DAG, style: str = "plain") -> None:
        """Draw a DAG in place of all edges."""
        self.add_nodes(graph.nodes)
        for a, b in list(self.edges):
            self.remove_edge(a, b)
        for a, b in graph.arcs:
            self.add_arc(a, b, style)

    def next_step(self) -> None:
        """Forget what was for one step only: styles of edges considered, edges removed."""
        for key in self._passing:
            self.edges.pop(key, None)
        for key, style in self._before.items():
            if key in self.edges and self.edges[key].style == "considered":
                self.edges[key] = replace(self.edges[key], style=style)
        for node, style in self.nodes.items():
            if style == "considered":
                self.nodes[node] = "plain"
        self._passing.clear()
        self._before.clear()

    def copy(self) -> Drawing:
        """A copy that later steps leave alone."""
        other = Drawing()
        other.nodes = dict(self.nodes)
        other.edges = {key: replace(line) for key, line in self.edges.items()}
        return other

    def _key(self, a: str, b: str) -> tuple[str, str] | None:
        return (a, b) if (a, b) in self.edges else (b, a) if (b, a) in self.edges else None

    def _draw(self, a: str, b: str, line: DrawnEdge) -> None:
        self.add_nodes((a, b))
        if (key := self._key(a, b)) is not None:
            self._passing.pop(key, None)
            self._before.pop(key, None)
            del self.edges[key]
        self.edges[a, b] = line
