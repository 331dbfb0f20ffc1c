"""The orientation rules: arrows that follow from arrows.

Once the skeleton and the immoralities of a class of DAGs are known, some of the remaining edges have only
one way to point: the other way would make a circle, or an immorality that is not there. Four rules find
them. Each is a function that looks through a PDAG and gives the first orientation that it can justify:

    R1   a -> b - c,  a and c not adjacent                   b -> c, or a -> b <- c is a new immorality
    R2   a -> b -> c,  a - c                                 a -> c, or there is a circle
    R3   a - b,  a - c -> b,  a - d -> b,  c, d not adjacent  a -> b, or a circle or an immorality at a
    R4   a - b,  a - c -> d -> b,  c, b not adjacent, a, d adjacent   a -> b, for the same reasons as R3

R1 to R3 are all that is needed after the immoralities of a DAG. R4 finds something only if arrows have
been put in by hand (background knowledge, or a member of the class being pinned down).

>>> print(orient(PDAG("A->B, C->B, B-D, D-E")).trace)
1. Start from A->B, B-D, C->B, D-E.
2. R1: B → D, since A → B and A, D are not adjacent: B ← D would be a new immorality.
3. R1: D → E, since B → D and B, E are not adjacent: D ← E would be a new immorality.

Meek (1995), Causal inference and causal explanation with background knowledge, UAI. Lesson 4.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from bnteach.drawing import Drawing
from bnteach.graphs.notation import Pair
from bnteach.graphs.pdag import PDAG
from bnteach.trace import Step, stepwise


@dataclass(frozen=True, slots=True)
class Oriented(Step):
    """An edge got its arrowhead, by a rule and for a reason."""

    rule: str
    arc: Pair
    because: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.arc[0]} → {self.arc[1]}, since {self.because}."

    def draw(self, drawing: Drawing) -> None:
        drawing.add_arc(*self.arc, style="oriented")


@dataclass(frozen=True, slots=True)
class Started(Step):
    """The graph that an algorithm was given."""

    graph: PDAG

    def __str__(self) -> str:
        return f"Start from {self.graph}."

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.graph.nodes)
        for a, b in self.graph.arcs:
            drawing.add_arc(a, b, style="plain")
        for a, b in self.graph.edges:
            drawing.add_edge(a, b)


Rule = Callable[[PDAG], Oriented | None]


def rule_1(g: PDAG) -> Oriented | None:
    """a -> b - c with a and c not adjacent: b -> c, for b <- c would make an immorality."""
    for b, c in _both_ways(g):
        for a in g.parents(b):
            if not g.adjacent(a, c):
                return Oriented("R1", (b, c), f"{a} → {b} and {a}, {c} are not adjacent: "
                                              f"{b} ← {c} would be a new immorality")
    return None


def rule_2(g: PDAG) -> Oriented | None:
    """a -> b -> c and a - c: a -> c, for a <- c would close a circle."""
    for a, c in _both_ways(g):
        for b in g.children(a):
            if g.has_arc(b, c):
                return Oriented("R2", (a, c), f"{a} → {b} → {c}: {a} ← {c} would close a circle")
    return None


def rule_3(g: PDAG) -> Oriented | None:
    """a - b, a - c -> b, a - d -> b with c and d not adjacent: a -> b.

    With b -> a both other edges would have to point into a (or close a circle): a new immorality there.
    """
    for a, b in _both_ways(g):
        between = [c for c in g.neighbours(a) if g.has_arc(c, b)]
        for c, d in combinations(between, 2):
            if not g.adjacent(c, d):
                return Oriented("R3", (a, b), f"{a} ← {b} would force {c} → {a} ← {d} (no circle through "
                                              f"{c} → {b} or {d} → {b}), a new immorality")
    return None


def rule_4(g: PDAG) -> Oriented | None:
    """a - b, a - c -> d -> b with c and b not adjacent and a and d adjacent: a -> b.

    With b -> a the edge a - c must be a -> c (no immorality at a), and a -> c -> d -> b -> a is a circle.
    """
    for a, b in _both_ways(g):
        for c in g.neighbours(a):
            if not g.adjacent(c, b):
                for d in g.children(c):
                    if g.has_arc(d, b) and g.adjacent(a, d):
                        return Oriented("R4", (a, b), f"{a} ← {b} would force {a} → {c} (no new immorality at "
                                                      f"{a}), and {a} → {c} → {d} → {b} → {a} is a circle")
    return None


RULES: tuple[Rule, ...] = (rule_1, rule_2, rule_3)
RULES_WITH_KNOWLEDGE: tuple[Rule, ...] = (*RULES, rule_4)


def next_orientation(g: PDAG, rules: Sequence[Rule] = RULES) -> Oriented | None:
    """What the first rule that applies finds, or None if no rule applies any more."""
    return next((found for rule in rules if (found := rule(g))), None)


def orientations(g: PDAG, rules: Sequence[Rule] = RULES) -> Generator[Oriented, None, PDAG]:
    """Apply the rules until none applies; yields each orientation, returns the graph.

    For use inside other learners: `graph = yield from orientations(graph)`.
    """
    while found := next_orientation(g, rules):
        yield found
        g = g.with_arc(*found.arc)
    return g


@stepwise
def orient(pdag: PDAG, rules: Sequence[Rule] = RULES) -> Generator[Step, None, PDAG]:
    """Direct every edge that the rules can direct. With background knowledge, give RULES_WITH_KNOWLEDGE."""
    pdag = PDAG(pdag)
    yield Started(pdag)
    return (yield from orientations(pdag, rules))


def closed(g: PDAG, rules: Sequence[Rule] = RULES) -> PDAG:
    """The graph with everything that follows by the rules, without the steps."""
    while found := next_orientation(g, rules):
        g = g.with_arc(*found.arc)
    return g


def _both_ways(g: PDAG) -> Iterator[Pair]:
    """Each undirected edge twice, a - b and b - a, in the order of the nodes."""
    return ((a, b) for a in g.nodes for b in g.neighbours(a))
