"""A drawing as data: what the steps of a trace change, and what players and pictures show."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bnteach.graphs.dag import DAG


@dataclass
class Line:
    """A line of a sketch: undirected, or an arc from its first node to its second."""

    directed: bool = False
    look: str = "plain"
    label: str = ""


class Sketch:
    """A drawing as data: nodes, lines and how each looks. It knows nothing of pixels.

    The looks are the course's five words and mean the same everywhere: "considered" (just now being
    looked at), "kept", "removed", "oriented", "pruned"; and "plain". What is considered is so for one
    step only, what is removed is shown once more in its removed look and then gone.
    """

    def __init__(self) -> None:
        self.nodes: dict[str, str] = {}  # name -> look
        self.lines: dict[tuple[str, str], Line] = {}
        self._passing: dict[tuple[str, str], None] = {}  # lines that go when the next step begins
        self._before: dict[tuple[str, str], str] = {}  # looks that come back when the next step begins

    def place(self, nodes: Iterable[str], look: str = "plain") -> None:
        """Put nodes on the page."""
        for node in nodes:
            self.nodes.setdefault(node, look)

    def mark(self, *nodes: str, look: str = "considered") -> None:
        """Change the look of nodes."""
        for node in nodes:
            self.nodes[node] = look

    def join(self, a: str, b: str, look: str = "plain", label: str = "") -> None:
        """Draw an undirected edge, in place of what was there."""
        self._draw(a, b, Line(False, look, label))

    def arrow(self, a: str, b: str, look: str = "oriented", label: str = "") -> None:
        """Draw an arc from a to b, in place of what was there."""
        self._draw(a, b, Line(True, look, label))

    def look(self, a: str, b: str, look: str = "considered", label: str | None = None) -> None:
        """Change how the line between a and b looks. Where there is none, show it for this step only."""
        if (key := self._key(a, b)) is None:
            self.lines[a, b] = Line(False, "removed" if look == "removed" else "considered", label or "")
            self._passing[a, b] = None
        else:
            self._before.setdefault(key, self.lines[key].look)
            self.lines[key] = replace(self.lines[key], look=look)
            if label is not None:
                self.lines[key].label = label

    def erase(self, a: str, b: str) -> None:
        """Remove the line between a and b: shown as removed in this step, gone in the next."""
        if (key := self._key(a, b)) is not None:
            self.lines[key] = replace(self.lines[key], look="removed")
            self._before.pop(key, None)
            self._passing[key] = None

    def redraw(self, graph: DAG, look: str = "plain") -> None:
        """Draw a DAG in place of all lines."""
        self.place(graph.nodes)
        for a, b in list(self.lines):
            self.erase(a, b)
        for a, b in graph.arcs:
            self.arrow(a, b, look)

    def next_step(self) -> None:
        """Forget what was for one step only: looks of lines considered, lines removed."""
        for key in self._passing:
            self.lines.pop(key, None)
        for key, look in self._before.items():
            if key in self.lines and self.lines[key].look == "considered":
                self.lines[key] = replace(self.lines[key], look=look)
        for node, look in self.nodes.items():
            if look == "considered":
                self.nodes[node] = "plain"
        self._passing.clear()
        self._before.clear()

    def copy(self) -> Sketch:
        """A copy that later steps leave alone."""
        other = Sketch()
        other.nodes = dict(self.nodes)
        other.lines = {key: replace(line) for key, line in self.lines.items()}
        return other

    def _key(self, a: str, b: str) -> tuple[str, str] | None:
        return (a, b) if (a, b) in self.lines else (b, a) if (b, a) in self.lines else None

    def _draw(self, a: str, b: str, line: Line) -> None:
        self.place((a, b))
        if (key := self._key(a, b)) is not None:
            self._passing.pop(key, None)
            self._before.pop(key, None)
            del self.lines[key]
        self.lines[a, b] = line
