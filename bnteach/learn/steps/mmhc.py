"""What max-min hill climbing says on its way: the steps of mmhc.py, in words and as changes to a drawing."""

from __future__ import annotations

from dataclasses import dataclass

from bnteach.graphs.notation import Pair
from bnteach.trace import Drawing, Step


@dataclass(frozen=True, slots=True)
class Placed(Step):
    """The variables, and nothing known of them."""

    variables: tuple[str, ...]

    def __str__(self) -> str:
        return f"{len(self.variables)} variables: look for the parents and children of each"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.variables)


@dataclass(frozen=True, slots=True)
class Weakened(Step):
    """A set makes the association of a variable with the target as weak as it has been so far."""

    target: str
    variable: str
    given: tuple[str, ...]
    p_value: float | None
    independent: bool

    def __str__(self) -> str:
        end = "independent, so out of the race" if self.independent else "weaker than before, still dependent"
        return f"{self.target}: {self.variable} given {', '.join(self.given)}{_p(self.p_value)} is {end}"


@dataclass(frozen=True, slots=True)
class Joined(Step):
    """The variable whose weakest association is strongest joins the candidates of the target."""

    target: str
    variable: str
    p_value: float | None
    statistic: float | None

    def __str__(self) -> str:
        strength = "" if self.statistic is None else f", statistic {self.statistic:.1f}"
        return f"{self.target}: strongest at its weakest is {self.variable}{_p(self.p_value, strength)}: it joins"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.target)
        drawing.add_edge(self.target, self.variable, style="considered")


@dataclass(frozen=True, slots=True)
class Left(Step):
    """Looking back, some set of the others makes a candidate independent of the target."""

    target: str
    variable: str
    given: tuple[str, ...]
    p_value: float | None

    def __str__(self) -> str:
        return f"{self.target}: looking back, {self.variable} is independent given {', '.join(self.given)}" \
               f"{_p(self.p_value)}: it leaves"

    def draw(self, drawing: Drawing) -> None:
        drawing.remove_edge(self.target, self.variable)


@dataclass(frozen=True, slots=True)
class Chosen(Step):
    """The parents and children of one variable, as far as the tests can tell."""

    target: str
    chosen: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.target}: parents and children are among {', '.join(self.chosen) or 'nobody'}"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.target, style="plain")
        for other in self.chosen:
            drawing.style_edge(self.target, other, style="plain")


@dataclass(frozen=True, slots=True)
class OneSided(Step):
    """One variable chose another that did not choose it."""

    chooser: str
    other: str

    def __str__(self) -> str:
        return f"{self.chooser} chose {self.other}, but {self.other} did not choose {self.chooser}: no line"

    def draw(self, drawing: Drawing) -> None:
        drawing.remove_edge(self.chooser, self.other)


@dataclass(frozen=True, slots=True)
class Allowed(Step):
    """The candidate lines: the climb may draw these, either way, and no others."""

    lines: tuple[Pair, ...]
    tests: int

    def __str__(self) -> str:
        shown = ", ".join(f"{a}-{b}" for a, b in self.lines[:10]) + (" …" if len(self.lines) > 10 else "")
        return f"after {self.tests:,} tests the climb may use {len(self.lines)} lines: {shown or 'none'}"


@dataclass(frozen=True, slots=True)
class Ended(Step):
    """The best graph that the climb came through."""

    arcs: tuple[Pair, ...]
    score: float

    def __str__(self) -> str:
        return f"the best graph on the way has {len(self.arcs)} arcs and scores {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        for a, b in list(drawing.edges):
            drawing.remove_edge(a, b)
        for a, b in self.arcs:
            drawing.add_arc(a, b, style="kept")


def _p(p_value: float | None, more: str = "") -> str:
    return "" if p_value is None else f" (p = {p_value:.3g}{more})"
