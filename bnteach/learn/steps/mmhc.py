"""What max-min hill climbing reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bnteach.drawing import Drawing
from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import Pair
from bnteach.independence.chi_square import GSquare
from bnteach.learn.search.asking import evidence, independent
from bnteach.questions import Moment, Question
from bnteach.trace import Step

NONE = "none of them"

@dataclass(frozen=True, slots=True)
class Started(Step):
    """The variables, before the first test."""

    variables: tuple[str, ...]

    def __str__(self) -> str:
        return f"find candidate parents and children of each of {len(self.variables)} variables"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.variables)


@dataclass(frozen=True, slots=True)
class NotTested(Step):
    """Variables with too many states for the rows: no candidates of the target."""

    target: str
    variables: tuple[str, ...]

    def __str__(self) -> str:
        return (f"{self.target}: too few rows per combination of states for a test with {', '.join(self.variables)}: "
                f"no candidate")

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if {a: b, b: a}.get(self.target) in self.variables else ""


@dataclass(frozen=True, slots=True)
class Weakened(Step):
    """Given a set, the association of a variable with the target is the weakest so far."""

    target: str
    variable: str
    given: tuple[str, ...]
    p_value: float | None
    independent: bool

    def __str__(self) -> str:
        effect = "independent: rule it out" if self.independent else "still dependent, its weakest association so far"
        return f"{self.target}: {self.variable} given {', '.join(self.given)}{_p(self.p_value)} is {effect}"

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if {a, b} == {self.target, self.variable} else ""

    def question(self, before: Moment) -> Question:
        return independent(_oracle(before), self.target, self.variable, self.given, self.independent, f"{self}.")


@dataclass(frozen=True, slots=True)
class Added(Step):
    """The variable whose minimum association is the greatest becomes a candidate of the target."""

    target: str
    variable: str
    p_value: float | None
    statistic: float | None

    def __str__(self) -> str:
        strength = _p(self.p_value, "" if self.statistic is None else f", statistic {self.statistic:.1f}")
        return f"{self.target}: {self.variable} has the greatest minimum association{strength}: add it"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.target)
        drawing.add_edge(self.target, self.variable, style="considered")

    def question(self, before: Moment) -> Question:
        """Which variable has the greatest minimum association with the target? Equal ones are all right."""
        from bnteach.learn.mmhc import strongest

        oracle, target, chosen = _oracle(before), self.target, self.variable
        mine = [step for step in before.steps if getattr(step, "target", None) == target]
        sets: dict[str, tuple[str, ...]] = {x: () for x in oracle.variables if x != target and not any(
            isinstance(step, Added) and step.variable == x for step in mine)}
        sets |= {step.variable: step.given for step in mine if isinstance(step, Weakened) and step.variable in sets}
        weakest = {x: oracle(x, target, given) for x, given in sets.items()}
        options = {x: "" if strongest({x: v, chosen: weakest[chosen]}) == x and not v else
                   f"{v.reason}: the association of {chosen} is stronger." for x, v in weakest.items()}
        facts = [f"weakest association so far: {x} given {', '.join(sets[x]) or 'nothing'}" +
                 _p(v.p_value, f", statistic {v.statistic:.3f}") for x, v in weakest.items() if v.statistic is not None]
        facts = facts or evidence(oracle, target, chosen)
        return Question(f"Which variable becomes a candidate of {target}?", options, chosen, facts, "node", [target])


@dataclass(frozen=True, slots=True)
class Removed(Step):
    """Backward phase: a candidate is independent of the target given some set of the others."""

    target: str
    variable: str
    given: tuple[str, ...]
    p_value: float | None

    def __str__(self) -> str:
        return (f"{self.target}: backward phase, {self.variable} is independent given {', '.join(self.given)}"
                f"{_p(self.p_value)}: remove it")

    def draw(self, drawing: Drawing) -> None:
        drawing.remove_edge(self.target, self.variable)

    def question(self, before: Moment) -> Question:
        return _backward(self.target, self.variable, before)


@dataclass(frozen=True, slots=True)
class Chosen(Step):
    """The candidate parents and children of one variable."""

    target: str
    chosen: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.target}: the candidate parents and children are {', '.join(self.chosen) or 'none'}"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.target, style="plain")
        for other in self.chosen:
            drawing.style_edge(self.target, other, style="plain")

    def question(self, before: Moment) -> Question | None:
        """Is none of the candidates removed? Asked if there are three or more."""
        return _backward(self.target, NONE, before) if len(self.chosen) > 2 else None

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        other = {a: b, b: a}.get(self.target)
        return f"{other} is {'' if other in self.chosen else 'not '}a candidate of {self.target}" if other else ""


@dataclass(frozen=True, slots=True)
class OneSided(Step):
    """Symmetry correction: one variable is a candidate of the other, but not the other way round."""

    chooser: str
    other: str

    def __str__(self) -> str:
        return (f"symmetry correction: {self.other} is a candidate of {self.chooser}, but {self.chooser} is not one of "
                f"{self.other}: no edge")

    def draw(self, drawing: Drawing) -> None:
        drawing.remove_edge(self.chooser, self.other)


@dataclass(frozen=True, slots=True)
class Excluded(Step):
    """Two variables are candidates of each other, but both arcs between them are forbidden."""

    a: str
    b: str

    def __str__(self) -> str:
        return f"both directions of {self.a}-{self.b} are forbidden: no edge"

    def draw(self, drawing: Drawing) -> None:
        drawing.remove_edge(self.a, self.b)


@dataclass(frozen=True, slots=True)
class Included(Step):
    """A required arc whose ends the tests did not make candidates of each other."""

    a: str
    b: str

    def __str__(self) -> str:
        return f"{self.a}->{self.b} is required: a candidate edge, whatever the tests say"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_edge(self.a, self.b)


@dataclass(frozen=True, slots=True)
class Allowed(Step):
    """The candidate edges: hill climbing may use these, and no others."""

    edges: tuple[Pair, ...]
    tests: int

    def __str__(self) -> str:
        shown = ", ".join(f"{a}-{b}" for a, b in self.edges[:10]) + (" …" if len(self.edges) > 10 else "")
        count = f"{len(self.edges)} edge{'' if len(self.edges) == 1 else 's'}"
        return f"after {self.tests:,} tests, hill climbing may use {count}: {shown or 'none'}"

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        may = "may" if (a, b) in self.edges or (b, a) in self.edges else "may not"
        return f"hill climbing {may} use this edge"


@dataclass(frozen=True, slots=True)
class Finished(Step):
    """The best graph that hill climbing found."""

    graph: DAG
    score: float

    def __str__(self) -> str:
        arcs = len(self.graph.arcs)
        return f"the best graph has {arcs} arc{'' if arcs == 1 else 's'} and scores {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.redraw(self.graph, style="kept")


def _backward(target: str, choice: str, before: Moment) -> Question:
    """Backward phase: which candidate is independent of the target given some of the others? Or none?"""
    from bnteach.learn.mmhc import subsets

    oracle, limit = _oracle(before), before.given.get("max_conditioning")
    mine = [step for step in before.steps if getattr(step, "target", None) == target]
    gone = {step.variable for step in mine if isinstance(step, Removed)}
    chosen = [step.variable for step in mine if isinstance(step, Added) and step.variable not in gone]
    found = {x: next((verdict for given in subsets([c for c in chosen if c != x], limit)
                      if (verdict := oracle(x, target, given))), None) for x in chosen}
    options = {x: "" if verdict else f"{x} is dependent on {target} given every set of the other candidates."
               for x, verdict in found.items()}
    options[NONE] = "" if choice == NONE else f"{found[choice].reason}."  # type: ignore[union-attr]
    return Question(f"Backward phase: which candidate of {target} is independent of it given some of the others?",
                    options, choice, evidence(oracle, target, chosen[0]), "node", [target])


def _oracle(before: Moment) -> Any:
    """The tests that the learner makes: those given, or the default of mmhc."""
    given = before.given
    return given.get("oracle") or GSquare(given["table"], given["alpha"], adjust=True)


def _p(p_value: float | None, more: str = "") -> str:
    return "" if p_value is None else f" (p = {p_value:.3g}{more})"
