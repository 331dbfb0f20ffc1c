"""What the integer program reports."""

from __future__ import annotations

from dataclasses import dataclass

from bnteach.drawing import Drawing
from bnteach.learn.search.asking import optimal
from bnteach.learn.search.ties import TOLERANCE
from bnteach.questions import Moment, Question, yes_or_no
from bnteach.steps import Step, as_set, counted

Names = tuple[str, ...]
Families = dict[str, Names]


@dataclass(frozen=True, slots=True)
class Listed(Step):
    """The families from which the program chooses."""

    variables: Names
    evaluated: int
    kept: int

    def __str__(self) -> str:
        return f"{self.evaluated:,} families evaluated, of which {self.kept:,} can be part of a best graph"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.variables)


@dataclass(frozen=True, slots=True)
class GraphFound(Step):
    """A graph, and its score."""

    score: float
    families: Families

    def draw(self, drawing: Drawing) -> None:
        arcs = {(parent, child) for child, parents in self.families.items() for parent in parents}
        for a, b in [edge for edge in drawing.edges if edge not in arcs and edge[::-1] not in arcs]:
            drawing.remove_edge(a, b)
        for child, parents in self.families.items():
            for parent in parents:
                drawing.add_arc(parent, child, style="kept")


@dataclass(frozen=True, slots=True)
class Started(GraphFound):
    """The first incumbent."""

    def __str__(self) -> str:
        return f"a search over orders finds a graph with score {self.score:.4f}, the incumbent"


@dataclass(frozen=True, slots=True)
class Improved(GraphFound):
    """A better incumbent."""

    def __str__(self) -> str:
        return f"the solution of the relaxation leads to a better incumbent: {self.score:.4f}"


@dataclass(frozen=True, slots=True)
class Relaxed(Step):
    """A solution of the LP relaxation, fractions allowed, and the upper bound that it gives."""

    node: int
    round: int
    bound: float
    incumbent: float
    arcs: tuple[tuple[str, str, float], ...]

    def __str__(self) -> str:
        where = f"round {self.round}" + (f", node {self.node}" if self.node > 1 else "")
        if self.bound == float("-inf"):
            return f"{where}: no better graph is left"
        gap, fractions = self.bound - self.incumbent, sum(weight < 1 for _, _, weight in self.arcs)
        what = f", with fractions of {counted(fractions, 'arc')}" if fractions else ""
        return f"{where}: upper bound {self.bound:.4f}{what}; " + (
            f"gap {gap:.4f}" if gap > 5e-5 else "nothing here scores more than the incumbent")

    def draw(self, drawing: Drawing) -> None:
        weights = {(a, b): weight for a, b, weight in self.arcs}
        for a, b in [edge for edge in drawing.edges if edge not in weights and edge[::-1] not in weights]:
            drawing.remove_edge(a, b)
        for (a, b), weight in weights.items():
            if (b, a) in weights:
                drawing.add_edge(a, b, style="considered", label="both directions")
            else:
                drawing.add_arc(a, b, "kept" if weight == 1 else "considered", "" if weight == 1 else f"{weight:.2f}")


@dataclass(frozen=True, slots=True)
class Cut(Step):
    """Constraints that every DAG obeys and the solution does not; `cycles` only if it is in whole numbers."""

    cycles: tuple[Names, ...]
    clusters: int
    zero_half: int

    @property
    def cuts(self) -> int:
        """The number of all cuts."""
        return self.clusters + self.zero_half

    def __str__(self) -> str:
        if self.cycles:
            shown = ", ".join(map(as_set, self.cycles[:4]))
            more = f" and {len(self.cycles) - 4} more" if len(self.cycles) > 4 else ""
            return f"cycles in {shown}{more}: add their cluster constraints"
        kinds = {"cluster constraint": self.clusters, "zero-half cut": self.zero_half}
        return "add " + " and ".join(counted(number, what) for what, number in kinds.items() if number)

    def draw(self, drawing: Drawing) -> None:
        for a, b in list(drawing.edges):
            if any({a, b} <= set(cycle) for cycle in self.cycles):
                drawing.style_edge(a, b)

    def question(self, before: Moment) -> Question:
        """Does the search go on? And if the solution is in whole numbers, which cycles does it have?"""
        last = before.last(Relaxed)  # it is directly before, and would give the answer away
        pairs = [tuple(sorted((a, b))) for a, b, _ in last.arcs]
        options = {as_set(pair): f"{' and '.join(pair)} are not on a cycle of their own." for pair in pairs}
        options |= {as_set(cycle): "" for cycle in self.cycles}
        facts = [f"the solution has the arcs {', '.join(f'{a}->{b}' for a, b, _ in last.arcs)}"]
        which = Question("Which variables get a cluster constraint, since they are on a cycle?", options,
                         as_set(self.cycles[0]), facts) if self.cycles else None
        return optimal(last.bound, last.incumbent, False, then=which, reveals=1)


@dataclass(frozen=True, slots=True)
class Branched(Step):
    """No cut settles this node: graphs with an arc and graphs without it are searched apart."""

    arc: tuple[str, str]
    bound: float
    bound_with: float
    bound_without: float

    def __str__(self) -> str:
        sides = {"with it": self.bound_with, "without it": self.bound_without}
        bounds = ", ".join(f"{side} " + (f"at most {bound:.4f}" if bound > float("-inf") else "nothing")
                           for side, bound in sides.items())
        return f"branch on {self.arc[0]} → {self.arc[1]}: {bounds}"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_edge(*self.arc)

    def question(self, before: Moment) -> Question:
        """Which arc has a fraction? And is the node with it pruned, and the node without it?"""
        last = before.last(Relaxed)
        options = {f"{a} → {b}": "" if weight < 1 else f"{a} → {b} is whole: one of the two nodes would have the same "
                   f"solution." for a, b, weight in last.arcs}
        facts = [f"the solution has {', '.join(f'{weight:.2f} of {a} → {b}' for a, b, weight in last.arcs)}"]
        return Question("No cut is found. On which arc can the program branch?", options, " → ".join(self.arc), facts,
                        "edge", then=self._pruned("with", self.bound_with, last.incumbent,
                                                  self._pruned("without", self.bound_without, last.incumbent)))

    def _pruned(self, side: str, bound: float, incumbent: float, then: Question | None = None) -> Question:
        """Is the node with the arc, or without it, pruned at once?"""
        upper = f"{bound:.3f}" if bound > float("-inf") else "none, since no graph is left"
        pruned = bound <= incumbent + TOLERANCE
        because = f"Its upper bound, {upper}, is {'not ' * pruned}above the score of the incumbent, {incumbent:.3f}."
        facts = [f"upper bound {side} it: {upper}", f"score of the incumbent: {incumbent:.3f}"]
        return yes_or_no(f"Is the node {side} {' → '.join(self.arc)} pruned?", "pruned", "stays open", pruned, because,
                         facts=facts, then=then)


@dataclass(frozen=True, slots=True)
class Proved(GraphFound):
    """No open node has a bound above the incumbent."""

    nodes: int

    def __str__(self) -> str:
        after = "" if self.nodes < 2 else f", after {self.nodes} nodes"
        return f"no graph scores more than the incumbent, {self.score:.4f}: it is optimal{after}"

    def question(self, before: Moment) -> Question | None:
        last = before.steps[-1]
        return optimal(last.bound, last.incumbent, True, reveals=1) if isinstance(last, Relaxed) else None


@dataclass(frozen=True, slots=True)
class Interrupted(GraphFound):
    """The search was interrupted: how good the incumbent is at least."""

    bound: float

    def __str__(self) -> str:
        return (f"interrupted: the incumbent scores {self.score:.4f}, and no graph more than {self.bound:.4f}: "
                f"gap {self.bound - self.score:.4f}")


@dataclass(frozen=True, slots=True)
class Limited(Step):
    """Does the limit on parents exclude better graphs? True, False, or None if that is not known."""

    max_parents: int
    limited: bool | None
    reason: str

    def __str__(self) -> str:
        effect = {True: "excludes a better graph", False: "excludes no better graph",
                  None: "may exclude a better graph"}[self.limited]
        return f"the limit of {counted(self.max_parents, 'parent')} {effect}: {self.reason}"
