"""The orientation rules of Meek: arcs that follow from arcs.

Once the skeleton and the v-structures of a class of DAGs are known, some of the remaining edges have only one possible
orientation: the other one would create a directed cycle, or a v-structure that is not there. Four rules find these
edges. Each is a function that searches a PDAG and returns the first orientation that it can justify:

    R1   a -> b - c,  a and c not adjacent                   b -> c, or a -> b <- c is a new v-structure
    R2   a -> b -> c,  a - c                                 a -> c, or there is a directed cycle
    R3   a - b,  a - c -> b,  a - d -> b,  c, d not adjacent  a -> b, or a cycle or a v-structure at a
    R4   a - b,  a - c -> d -> b,  c, b not adjacent, a, d adjacent   a -> b, for the same reasons as R3

R1 to R3 suffice after the v-structures of a DAG. R4 applies only if arcs have been added from elsewhere: background
knowledge, or the choice of a member of the class. R1, R3 and R4 rest on a triple that is no v-structure; where this is
uncertain, the triple is `ambiguous`, and they draw no conclusion from it.

>>> print(orient(PDAG("A->B, C->B, B-D, D-E")).trace)
1. Start from A->B, B-D, C->B, D-E.
2. R1: B → D, since A → B and A, D are not adjacent: B ← D would be a new v-structure.
3. R1: D → E, since B → D and B, E are not adjacent: D ← E would be a new v-structure.

Meek (1995), Causal inference and causal explanation with background knowledge, UAI. Lesson 4.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from bnteach.drawing import Drawing
from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import Pair
from bnteach.graphs.pdag import PDAG
from bnteach.questions import Moment, Question
from bnteach.trace import Step, stepwise


@dataclass(frozen=True, slots=True)
class Oriented(Step):
    """An edge was oriented, by a rule and for a reason."""

    rule: str
    arc: Pair
    because: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.arc[0]} → {self.arc[1]}, since {self.because}."

    def draw(self, drawing: Drawing) -> None:
        drawing.add_arc(*self.arc, style="oriented")

    def question(self, before: Moment) -> Question:
        """Which edge is oriented, in which direction, and by which rule? All that a rule demands now is right."""
        graph = PDAG(before.drawing.arcs(), before.drawing.undirected())
        found = {arc: demands(graph, *arc) for arc in _both_directions(graph)}
        options = {f"{a} → {b}": "" if rules else _not_demanded(a, b, found) for (a, b), rules in found.items()}
        reasons = {one.rule: one.because for one in found[self.arc]}
        of_rule = {rule.__name__.replace("rule_", "R"): (rule.__doc__ or "").partition(":")[0] for rule in RULES}
        which = {name: "" if name in reasons else f"{name} needs {pattern}." for name, pattern in of_rule.items()}
        arc = f"{self.arc[0]} → {self.arc[1]}"
        rule = Question(f"By which rule is {arc} oriented?", {**which, self.rule: ""}, self.rule, marked=self.arc)
        return Question("Which edge is oriented next, and in which direction?", options, arc, click="edge", then=rule)


@dataclass(frozen=True, slots=True)
class Started(Step):
    """The graph that an algorithm starts from."""

    graph: PDAG

    def __str__(self) -> str:
        return f"Start from {self.graph}."

    def draw(self, drawing: Drawing) -> None:
        drawing.redraw(self.graph)


Rule = Callable[..., Oriented | None]
Triple = tuple[str, str, str]


def rule_1(g: PDAG, ambiguous: Collection[Triple] = ()) -> Oriented | None:
    """a -> b - c with a and c not adjacent: b -> c, for b <- c would be a new v-structure."""
    for b, c in _both_directions(g):
        for a in g.parents(b):
            if not g.adjacent(a, c) and (a, b, c) not in ambiguous:
                return Oriented("R1", (b, c), f"{a} → {b} and {a}, {c} are not adjacent: "
                                              f"{b} ← {c} would be a new v-structure")
    return None


def rule_2(g: PDAG, ambiguous: Collection[Triple] = ()) -> Oriented | None:
    """a -> b -> c and a - c: a -> c, for a <- c would close a cycle."""
    for a, c in _both_directions(g):
        for b in g.children(a):
            if g.has_arc(b, c):
                return Oriented("R2", (a, c), f"{a} → {b} → {c}: {a} ← {c} would close a cycle")
    return None


def rule_3(g: PDAG, ambiguous: Collection[Triple] = ()) -> Oriented | None:
    """a - b, a - c -> b, a - d -> b with c and d not adjacent: a -> b.

    With b -> a, acyclicity would orient both other edges towards a: a new v-structure.
    """
    for a, b in _both_directions(g):
        between = [c for c in g.neighbours(a) if g.has_arc(c, b)]
        for c, d in combinations(between, 2):
            if not g.adjacent(c, d) and (c, a, d) not in ambiguous:
                return Oriented("R3", (a, b), f"{a} ← {b} would force {c} → {a} ← {d} (no cycle through "
                                              f"{c} → {b} or {d} → {b}), a new v-structure")
    return None


def rule_4(g: PDAG, ambiguous: Collection[Triple] = ()) -> Oriented | None:
    """a - b, a - c -> d -> b with c and b not adjacent and a and d adjacent: a -> b.

    With b -> a, the edge a - c must be a -> c (no v-structure at a), and a -> c -> d -> b -> a is a cycle.
    """
    for a, b in _both_directions(g):
        for c in g.neighbours(a):
            if not g.adjacent(c, b) and (c, a, b) not in ambiguous:
                for d in g.children(c):
                    if g.has_arc(d, b) and g.adjacent(a, d):
                        return Oriented("R4", (a, b), f"{a} ← {b} would force {a} → {c} (no new v-structure at "
                                                      f"{a}), and {a} → {c} → {d} → {b} → {a} is a cycle")
    return None


RULES: tuple[Rule, ...] = (rule_1, rule_2, rule_3)
RULES_WITH_KNOWLEDGE: tuple[Rule, ...] = (*RULES, rule_4)


def next_orientation(g: PDAG, rules: Sequence[Rule] = RULES) -> Oriented | None:
    """The orientation that the first applicable rule finds, or None if no rule applies."""
    return next((found for rule in rules if (found := rule(g))), None)


@stepwise
def orient(pdag: PDAG | DAG | str, rules: Sequence[Rule] = RULES) -> Generator[Step, None, PDAG]:
    """Apply the orientation rules until none applies.

    Parameters
    ----------
    pdag : PDAG, DAG or str
    rules : sequence of rules
        ``RULES_WITH_KNOWLEDGE`` (R1 to R4) if some arcs come from background knowledge.

    Returns
    -------
    Result
        The graph with every edge oriented that the rules orient, one step per orientation.

    Examples
    --------
    >>> orient(PDAG("A->B, B-C")).graph
    PDAG('A->B, B->C')

    References
    ----------
    Meek (1995), Causal inference and causal explanation with background knowledge, UAI.
    """
    graph = PDAG(pdag)
    yield Started(graph)
    while found := next_orientation(graph, rules):
        yield found
        graph = graph.with_arc(*found.arc)
    return graph


def closure(g: PDAG, rules: Sequence[Rule] = RULES) -> PDAG:
    """The graph with every orientation that follows by the rules, without the steps."""
    while found := next_orientation(g, rules):
        g = g.with_arc(*found.arc)
    return g


def demands(g: PDAG, a: str, b: str) -> list[Oriented]:
    """The rules, if any, that orient the edge a - b as a -> b.

    A rule returns the first orientation that it finds in the order of the nodes; so a and b are put first.

    >>> [one.rule for one in demands(PDAG("A->B, B-C"), "B", "C")], demands(PDAG("A->B, B-C"), "C", "B")
    (['R1'], [])
    """
    first = PDAG(g.arcs, g.edges, [a, b, *(node for node in g.nodes if node not in (a, b))])
    return [found for rule in RULES_WITH_KNOWLEDGE if (found := rule(first)) and found.arc == (a, b)]


def _not_demanded(a: str, b: str, found: Mapping[Pair, list[Oriented]]) -> str:
    """Why a -> b is wrong: the other direction is demanded, or neither is."""
    if found[b, a]:
        return f"It is the other way round, by {found[b, a][0].rule}: {found[b, a][0].because}."
    return f"No rule demands a direction of {a}-{b} now: neither creates a cycle or a new v-structure."


def _both_directions(g: PDAG) -> Iterator[Pair]:
    """Each undirected edge twice, a - b and b - a, in the order of the nodes."""
    return ((a, b) for a in g.nodes for b in g.neighbours(a))
