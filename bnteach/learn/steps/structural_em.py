"""What structural EM reports: where it starts, and each graph with its score."""

from __future__ import annotations

from dataclasses import dataclass

from bnteach.graphs.dag import DAG
from bnteach.learn.steps.hill_climb import Moved, Stopped
from bnteach.questions import Moment, Question, yes_or_no
from bnteach.trace import Drawing, Step


@dataclass(frozen=True, slots=True)
class Start(Step):
    """A new start."""

    number: int
    how: str
    variables: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"start {self.number}: {self.how}"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.variables)


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

    def question(self, before: Moment) -> Question | None:
        """After hill climbing on the expected counts: is there another graph, and so another run of EM?"""
        since = next((i for i, step in enumerate(reversed(before.steps)) if isinstance(step, Stopped)), None)
        if since is None or (self.number == 1 and not isinstance(self, Best)):
            return None
        last = next(i for i, step in enumerate(reversed(before.steps)) if isinstance(step, GraphStep))
        since_last = before.steps[len(before.steps) - last:]
        moves = [f"{one.change} {one.parent}->{one.child}" for one in since_last if isinstance(one, Moved)]
        said = "the last graph gained too little" if moves and isinstance(self, Best) else (
            "the graph is another one" if moves else "hill climbing kept the graph")
        return yes_or_no("Hill climbing on the expected counts has ended. What follows?", "EM for the new graph",
                         "stop, with the best graph so far", not isinstance(self, Best),
                         f"It made {len(moves)} moves: {said}.",
                         facts=[f"moves of hill climbing: {', '.join(moves) or 'none'}"], reveals=since)


@dataclass(frozen=True, slots=True)
class Best(GraphStep):
    """The best graph of all starts, which is the result."""

    def __str__(self) -> str:
        return f"the best graph, of start {self.number}: {self.arcs}, score {self.score:.4f}"
