"""What the integer program reports."""

from __future__ import annotations

from dataclasses import dataclass

from bnteach.drawing import Drawing
from bnteach.trace import Step

Names = tuple[str, ...]


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
class Relaxed(Step):
    """The LP relaxation, with a cluster constraint for each cluster that it violated."""

    rounds: int
    cuts: int
    bound: float

    def __str__(self) -> str:
        return (f"LP relaxation: {_counted(self.rounds, 'round')}, {_counted(self.cuts, 'cluster constraint')}, "
                f"upper bound {self.bound:.4f}")


@dataclass(frozen=True, slots=True)
class Solved(Step):
    """The solver's optimum under the constraints so far, and the clusters in which it still has cycles."""

    round: int
    score: float
    cuts: int
    families: dict[str, Names]
    clusters: tuple[Names, ...]

    def __str__(self) -> str:
        found = f"round {self.round}, {_counted(self.cuts, 'cluster constraint')}: {self.score:.4f}"
        if not self.clusters:
            return f"{found}, no cycle: this graph is optimal"
        shown = ", ".join("{" + ", ".join(cluster) + "}" for cluster in self.clusters[:4])
        more = f" and {len(self.clusters) - 4} more" if len(self.clusters) > 4 else ""
        return f"{found}, an upper bound, with cycles in {shown}{more}: add their constraints"

    def draw(self, drawing: Drawing) -> None:
        for a, b in list(drawing.edges):
            if a not in self.families[b] and b not in self.families[a]:
                drawing.remove_edge(a, b)
        clusters = [set(cluster) for cluster in self.clusters]
        for child, parents in self.families.items():
            for parent in parents:
                if child in self.families[parent]:
                    drawing.add_edge(parent, child, style="considered", label="both directions")
                else:
                    on_cycle = any({child, parent} <= cluster for cluster in clusters)
                    drawing.add_arc(parent, child, style="considered" if on_cycle else "kept")


@dataclass(frozen=True, slots=True)
class Limited(Step):
    """Does the limit on parents exclude better graphs? True, False, or None if that is not known."""

    max_parents: int
    limited: bool | None
    reason: str

    def __str__(self) -> str:
        effect = {True: "excludes a better graph", False: "excludes no better graph",
                  None: "may exclude a better graph"}[self.limited]
        return f"the limit of {_counted(self.max_parents, 'parent')} {effect}: {self.reason}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
