"""What K3 reports."""

from __future__ import annotations

from dataclasses import dataclass

from bnteach.drawing import Drawing
from bnteach.learn.search.asking import best_gain, family
from bnteach.learn.search.ties import TOLERANCE, first_best
from bnteach.questions import Moment, Question
from bnteach.steps import Step, as_set


@dataclass(frozen=True, slots=True)
class Ordered(Step):
    """The variables, in the order given."""

    order: tuple[str, ...]

    def __str__(self) -> str:
        return f"the order is {', '.join(self.order)}: each variable takes its parents from those before it"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.order)


@dataclass(frozen=True, slots=True)
class Started(Step):
    """A variable starts without parents, or with those that are required."""

    child: str
    candidates: tuple[str, ...]
    score: float
    required: tuple[str, ...] = ()

    def __str__(self) -> str:
        among = f"candidates {', '.join(self.candidates)}" if self.candidates else "no candidate precedes it"
        start = f"with its required parents {', '.join(self.required)}" if self.required else "without parents"
        return f"{self.child}: {start} {self.score:.4f}; {among}"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.child)
        for name in self.candidates:
            drawing.style_edge(name, self.child, style="considered")
        for name in self.required:
            drawing.add_arc(name, self.child, style="kept")

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if _other(self.child, a, b) in self.required else ""  # otherwise every candidate alike


@dataclass(frozen=True, slots=True)
class Added(Step):
    """The best candidate became a parent. `gains` has the gain of each candidate."""

    child: str
    parent: str
    gain: float
    score: float
    gains: dict[str, float]

    def __str__(self) -> str:
        return f"{self.child}: add {self.parent}, gain {self.gain:.3f}"

    def draw(self, drawing: Drawing) -> None:
        for name, gain in self.gains.items():
            if name != self.parent:
                drawing.style_edge(name, self.child, style="considered", label=f"{gain:+.2f}")
        drawing.add_arc(self.parent, self.child, style="kept", label=f"{self.gain:+.2f}")

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        other = _other(self.child, a, b)
        if other == self.parent or other not in self.gains:
            return str(self) if other == self.parent else ""
        return f"{self.child}: add {self.parent}, gain {self.gain:.3f}; {other} would gain {self.gains[other]:.3f}"

    def question(self, before: Moment) -> Question | None:
        return _which_parent(self.child, self.score - self.gain, self.gains, self.parent, before)


@dataclass(frozen=True, slots=True)
class Finished(Step):
    """No candidate raises the score, or none is left."""

    child: str
    parents: tuple[str, ...]
    score: float
    gains: dict[str, float]

    def __str__(self) -> str:
        chosen = as_set(self.parents) if self.parents else "no parents"
        if (best := first_best(self.gains)) is None:
            return f"{self.child}: {chosen}, {self.score:.4f}"
        return f"{self.child}: {chosen}, {self.score:.4f} (the next best, {best}, {_effect(self.gains[best])})"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.child, style="kept")
        for name, gain in self.gains.items():
            drawing.style_edge(name, self.child, style="considered", label=f"{gain:+.2f}")

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        other = _other(self.child, a, b)
        return f"{self.child}: {other} {_effect(self.gains[other])}: no parent" if other in self.gains else ""

    def question(self, before: Moment) -> Question | None:
        return _which_parent(self.child, self.score, self.gains, "none", before)


def _which_parent(child: str, now: float, gains: dict[str, float], choice: str, before: Moment) -> Question | None:
    """Which candidate becomes a parent, if any? The scores of the families are given."""
    added = [step.parent for step in before.steps if isinstance(step, Added) and step.child == child]
    parents = [*before.last(Started).required, *added]
    facts = [family(child, parents, now)] + [family(child, [*parents, x], now + gain) for x, gain in gains.items()]
    return best_gain(f"Which candidate becomes a parent of {child}?", gains, choice, "none", facts,
                     click="node", marked=[child]) if gains else None


def _other(child: str, a: str, b: str) -> str:
    """The other node of a pair that contains the child; empty if the pair does not."""
    return {a: b, b: a}.get(child, "")


def _effect(gain: float) -> str:
    if gain < -TOLERANCE:
        return f"would lose {-gain:.3f}"
    return "changes nothing" if gain <= TOLERANCE else "is over the limit on parents"
