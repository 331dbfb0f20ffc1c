"""What simulated annealing reports."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from bnteach.drawing import Drawing
from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import Pair
from bnteach.questions import Moment, Question, yes_or_no
from bnteach.steps import Step, counted


@dataclass(frozen=True, slots=True)
class Started(Step):
    """The graph from which the search starts."""

    graph: DAG
    score: float

    def __str__(self) -> str:
        arcs = counted(len(self.graph.arcs), "arc") if self.graph.arcs else "no arcs"
        return f"start with {arcs}: score {self.score:.4f}"

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
    uniform: float | None = field(default=None, repr=False)  # the random number drawn, from 0 to 1

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

    def question(self, before: Moment) -> Question | None:
        """Is the move accepted? The gain, the temperature and the random number are given."""
        if self.uniform is None:
            return None
        gain, move = before.given.get("scale", 1.0) * self.gain, f"{self.move} {self.arc[0]}->{self.arc[1]}"
        facts = [f"change of the score: {gain:+.3f}", f"temperature: {self.temperature:.3g}",
                 f"random number: {self.uniform:.3f}"]
        because = f"The score does not fall: {move} is accepted." if gain >= 0 else (
            f"The acceptance probability is exp({gain:.3f} / {self.temperature:.3g}) = {self.probability:.3f}, and "
            f"{self.uniform:.3f} is {'below' if self.accepted else 'not below'} it.")
        return yes_or_no(f"Proposed: {move}. Is it accepted?", "accepted", "rejected", self.accepted, because,
                         facts=facts, marked=self.arc)

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
        arcs = counted(len(self.graph.arcs), "arc")
        return f"the best graph was found after {self.after:,} proposals: {arcs}, score {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.redraw(self.graph, style="kept")
