"""What structural EM reports: where it starts, and each graph with its score."""

from __future__ import annotations

from dataclasses import dataclass

from bnteach.graphs.dag import DAG
from bnteach.trace import Drawing, Step


@dataclass(frozen=True, slots=True)
class Start(Step):
    """A new start."""

    number: int
    how: str

    def __str__(self) -> str:
        return f"start {self.number}: {self.how}"


@dataclass(frozen=True, slots=True)
class GraphStep(Step):
    """A graph, with parameters fitted by EM, and its score."""

    number: int
    graph: DAG
    score: float
    gain: float | None

    def __str__(self) -> str:
        gain = "" if self.gain is None else f" ({self.gain:+.4f})"
        return f"graph {self.number}: {self.arcs}, score {self.score:.4f}{gain}"

    @property
    def arcs(self) -> str:
        """The number of arcs in words."""
        return f"{len(self.graph.arcs) or 'no'} arc{'' if len(self.graph.arcs) == 1 else 's'}"

    def draw(self, drawing: Drawing) -> None:
        """Show this graph in place of the last."""
        drawing.redraw(self.graph, style="kept")


@dataclass(frozen=True, slots=True)
class Best(GraphStep):
    """The best graph of all starts, which is the result."""

    def __str__(self) -> str:
        return f"the best graph, of start {self.number}: {self.arcs}, score {self.score:.4f}"
