"""What the PC algorithm reports: its steps, in the order in which they can occur."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from bnteach.graphs.notation import Pair
from bnteach.learn.search.asking import independent
from bnteach.questions import Moment, Question, yes_or_no
from bnteach.trace import Drawing, Step

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Started(Step):
    """The complete graph."""

    variables: Names

    def __str__(self) -> str:
        n = len(self.variables)
        return f"Start with the complete graph over {listed(self.variables)}: {counted(n * (n - 1) // 2, 'edge')}."

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.variables)
        for a, b in combinations(self.variables, 2):
            drawing.add_edge(a, b)

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return ""  # every pair alike


@dataclass(frozen=True, slots=True)
class Kept(Step):
    """An edge that is required, and so kept without a test."""

    x: str
    y: str
    because: str

    def __str__(self) -> str:
        return f"{self.because}: keep {self.x}-{self.y} without a test."

    def draw(self, drawing: Drawing) -> None:
        drawing.style_edge(self.x, self.y, "kept")


@dataclass(frozen=True, slots=True)
class Level(Step):
    """A new size of conditioning sets."""

    size: int
    edges: int

    def __str__(self) -> str:
        what = {0: "test marginal independence", 1: "test given one variable"}
        given = what.get(self.size, f"test given {self.size} variables")
        return f"Level {self.size}: {given}, for each of the {counted(self.edges, 'remaining edge')}."


@dataclass(frozen=True, slots=True)
class IndependenceTest(Step):
    """One conditional-independence test and its verdict."""

    x: str
    y: str
    given: Names
    independent: bool
    p_value: float | None = None

    def __str__(self) -> str:
        given = f" {_given(self.given)}" if self.given else ""
        p = "" if self.p_value is None else f" (p = {self.p_value:.3g})"
        return f"{self.x} and {self.y}{given}: {'independent' if self.independent else 'dependent'}{p}."

    def draw(self, drawing: Drawing) -> None:
        drawing.style_edge(self.x, self.y)
        drawing.style_nodes(*self.given)

    def question(self, before: Moment) -> Question:
        return independent(before.given["oracle"], self.x, self.y, self.given, self.independent, str(self))

    @classmethod
    def summary(cls, steps: Sequence[Step]) -> str:
        tests = [step for step in steps if isinstance(step, cls)]
        closest = max(tests, key=lambda test: (test.independent, test.p_value or 0.0))
        outcome = "the last found them independent" if closest.independent else "none found them independent"
        p = "" if closest.p_value is None else f"; the largest p is {closest.p_value:.3g}, {_given(closest.given)}"
        return f"{len(tests)} tests of {closest.x} and {closest.y}, of which {outcome}{p}."


@dataclass(frozen=True, slots=True)
class Removed(Step):
    """An edge is removed, with the separating set of its ends; None if constraints alone removed it."""

    x: str
    y: str
    separating_set: Names | None

    def __str__(self) -> str:
        if self.separating_set is None:
            return f"Remove {self.x}-{self.y}: both directions are forbidden. No separating set was found."
        return f"Remove {self.x}-{self.y}; the separating set is {named(self.x, self.y, self.separating_set)}."

    def draw(self, drawing: Drawing) -> None:
        drawing.remove_edge(self.x, self.y)
        drawing.style_nodes(*self.separating_set or ())


@dataclass(frozen=True, slots=True)
class Skeleton(Step):
    """The edges that remain when no larger conditioning set is left to test."""

    edges: tuple[Pair, ...]
    limit: int | None = None

    def __str__(self) -> str:
        reason = "No remaining edge has enough neighbours for a larger conditioning set" if self.limit is None else \
            f"Conditioning sets of more than {counted(self.limit, 'variable')} are not tested"
        return f"{reason}. Skeleton: {listed(f'{a}-{b}' for a, b in self.edges) or 'no edges'}."


@dataclass(frozen=True, slots=True)
class OrientedByKnowledge(Step):
    """An edge whose direction follows from background knowledge."""

    arc: Pair
    because: str

    def __str__(self) -> str:
        return f"{self.because}: orient {self.arc[0]} → {self.arc[1]}."

    def draw(self, drawing: Drawing) -> None:
        drawing.add_arc(*self.arc)


@dataclass(frozen=True, slots=True)
class NoVStructure(Step):
    """Every common neighbour of two nodes is in their separating set (or they have no separating set)."""

    x: str
    y: str
    separating_set: Names | None

    def __str__(self) -> str:
        if self.separating_set is None:
            return f"{self.x} and {self.y} have no separating set, so no v-structure can be inferred between them."
        return (f"{named(self.x, self.y, self.separating_set)} contains every common neighbour of {self.x} and "
                f"{self.y}: no v-structure.")

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.x, self.y)

    def question(self, before: Moment) -> Question | None:
        between = [z for z in self.separating_set or () if {(self.x, z), (self.y, z)} <= _adjacent(before)]
        return _collider(self.x, between[0], self.y, self.separating_set or (), False) if between else None

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        ends, between = {self.x, self.y}, set(self.separating_set or ())
        return str(self) if {a, b} == ends or (ends & {a, b} and between & {a, b}) else ""


@dataclass(frozen=True, slots=True)
class VStructure(Step):
    """A common neighbour outside the separating set is a collider."""

    x: str
    z: str
    y: str
    separating_set: Names

    def __str__(self) -> str:
        return (f"{named(self.x, self.y, self.separating_set)} does not contain the common neighbour {self.z}: "
                f"orient {self.x} → {self.z} ← {self.y}.")

    def draw(self, drawing: Drawing) -> None:
        drawing.add_arc(self.x, self.z)
        drawing.add_arc(self.y, self.z)

    def question(self, before: Moment) -> Question:
        return _collider(self.x, self.z, self.y, self.separating_set, True)

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if {a, b} <= {self.x, self.z, self.y} else ""


@dataclass(frozen=True, slots=True)
class Vote(Step):
    """How many of the sets that separate x and y contain their common neighbour z, and what follows."""

    x: str
    z: str
    y: str
    containing: int
    total: int
    collider: bool | None

    def __str__(self) -> str:
        conclusion = {True: f"orient {self.x} → {self.z} ← {self.y}", False: "no v-structure",
                      None: "ambiguous, leave it and draw no conclusions from it"}[self.collider]
        return (f"{self.containing} of the {counted(self.total, 'set')} that separate {self.x} and {self.y} "
                f"{'contains' if self.containing == 1 else 'contain'} {self.z}: {conclusion}.")

    def draw(self, drawing: Drawing) -> None:
        if self.collider:
            drawing.add_arc(self.x, self.z)
            drawing.add_arc(self.y, self.z)
        else:
            drawing.style_nodes(self.x, self.z, self.y)

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if {a, b} <= {self.x, self.z, self.y} else ""


@dataclass(frozen=True, slots=True)
class Conflict(Step):
    """Demands that contradict each other, about some nodes, and how the conflict is decided."""

    found: str
    against: str
    decision: str
    oriented: tuple[Pair, ...] = ()
    nodes: Names = ()

    def __str__(self) -> str:
        return f"Conflict: {self.found}, but {self.against}. The test results contradict each other; {self.decision}."

    def draw(self, drawing: Drawing) -> None:
        for arc in self.oriented:
            drawing.add_arc(*arc)

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if {a, b} <= set(self.nodes) or drawing.touches(a, b) else ""


@dataclass(frozen=True, slots=True)
class Finished(Step):
    """No orientation rule applies any more."""

    edges: tuple[Pair, ...]
    cpdag: bool = True

    def __str__(self) -> str:
        fits = "" if self.cpdag else " It is not the CPDAG of any DAG: no DAG gives all these answers."
        if not self.edges:
            return f"Every edge is oriented.{fits}"
        stay = "stays" if len(self.edges) == 1 else "stay"
        *first, last = listed(f"{a}-{b}" for a, b in self.edges).rsplit(", ", 1)
        return f"No rule applies any more: {' and '.join([*first, last])} {stay} undirected.{fits}"


def _adjacent(before: Moment) -> set[Pair]:
    """The pairs that are adjacent in the drawing, in both orders."""
    return {pair for a, b in before.drawing.edges for pair in ((a, b), (b, a))}


def _collider(x: str, z: str, y: str, separating_set: Names, answer: bool) -> Question:
    """Is the common neighbour z of x and y, which are not adjacent, a collider?"""
    by = named(x, y, separating_set)
    because = f"{z} is {'not ' * answer}in {by}, so it is {'' if answer else 'not '}a collider."
    return yes_or_no(f"{x} and {y} are not adjacent, and {by}. Is there a v-structure at {z}?",
                     f"{x} → {z} ← {y}", f"no v-structure at {z}", answer, because, marked=(x, z, y))


def _given(names: Names) -> str:
    return f"given {', '.join(names)}" if names else "given nothing"


def named(x: str, y: str, given: Names) -> str:
    """A separating set with its name: S_BC = {A}; with longer names, S(rain, wet) = {sun}."""
    pair = f"S_{x}{y}" if len(x) == len(y) == 1 else f"S({x}, {y})"
    return f"{pair} = {{{', '.join(given)}}}"


def listed(names: Iterable[str]) -> str:
    """The first dozen, and how many there are if more."""
    names = list(names)
    return ", ".join(names) if len(names) <= 12 else f"{', '.join(names[:12])}, … ({len(names)} in all)"


def counted(number: int, what: str) -> str:
    """'1 edge', '6 edges'."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
