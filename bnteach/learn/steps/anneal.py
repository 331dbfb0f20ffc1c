"""What simulated annealing reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bnteach.drawing import Drawing
from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import Pair
from bnteach.trace import Step


@dataclass(frozen=True, slots=True)
class Started(Step):
    """The graph from which the search starts."""

    graph: DAG
    score: float

    def __str__(self) -> str:
        arcs = len(self.graph.arcs)
        return f"start with {arcs or 'no'} arc{'' if arcs == 1 else 's'}: score {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.redraw(self.graph, style="plain")


@dataclass(frozen=True, slots=True)
class Proposed(Step):
    """A move was proposed, and accepted or rejected."""

    move: str
    arc: Pair
    gain: float
    temperature: float
    probability: float
    accepted: bool

    def __str__(self) -> str:
        move = f"t = {self.temperature:.3g}: {self.move} {self.arc[0]}->{self.arc[1]}"
        if self.gain >= 0:
            return f"{move}, gain {self.gain:.3f}: accepted"
        verdict = "accepted" if self.accepted else "rejected"
        return f"{move}, loss {-self.gain:.3f}, acceptance probability {self.probability:.3f}: {verdict}"

    def draw(self, drawing: Drawing) -> None:
        if not self.accepted:
            drawing.style_edge(*self.arc, style="considered")
        elif self.move == "add":
            drawing.add_arc(*self.arc)
        else:
            drawing.remove_edge(*self.arc)

    @classmethod
    def summary(cls, steps: Sequence[Step]) -> str:
        proposals = [step for step in steps if isinstance(step, cls)]
        accepted = [step for step in proposals if step.accepted]
        last = f"; the last accepted: {accepted[-1]}" if accepted else ""
        return f"proposed {len(proposals)} times, accepted {len(accepted)} times{last}"


@dataclass(frozen=True, slots=True)
class Kept(Step):
    """The search is over: the best graph on the way is the result."""

    graph: DAG
    score: float
    after: int

    def __str__(self) -> str:
        arcs = len(self.graph.arcs)
        return (f"the best graph was found after {self.after:,} proposals: {arcs} arc{'' if arcs == 1 else 's'}, "
                f"score {self.score:.4f}")

    def draw(self, drawing: Drawing) -> None:
        drawing.redraw(self.graph, style="kept")
