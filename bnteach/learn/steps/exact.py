"""What dynamic programming over subsets reports."""

from __future__ import annotations

from dataclasses import dataclass

from bnteach.drawing import Drawing
from bnteach.learn.search.asking import greatest, sinks
from bnteach.questions import Moment, Question
from bnteach.steps import Step, as_set, counted

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Planned(Step):
    """The size of the search, reported before it begins."""

    variables: Names
    subsets: int
    families: int
    megabytes: float

    def __str__(self) -> str:
        memory = f"{self.megabytes:,.0f}" if self.megabytes >= 1 else "less than 1"
        return (f"{len(self.variables)} variables have {self.subsets:,} subsets and {self.families:,} families: "
                f"this needs {memory} MB")

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.variables)


@dataclass(frozen=True, slots=True)
class Solved(Step):
    """The best graph on one subset: its sink, the parents of the sink, and the score."""

    names: Names
    sink: str
    parents: Names
    score: float

    def __str__(self) -> str:
        return (f"best on {as_set(self.names)}: sink {self.sink} with parents {as_set(self.parents)}, "
                f"score {self.score:.4f}")

    def draw(self, drawing: Drawing) -> None:
        for name in drawing.nodes:
            drawing.style_nodes(name, style="plain")
        drawing.style_nodes(*self.names, style="considered")
        for parent in self.parents:
            drawing.style_edge(parent, self.sink, style="considered")

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if {a, b} == set(self.names) else ""  # of larger sets, only the outcome counts

    def question(self, before: Moment) -> Question | None:
        """Which sink gives the best sum: the best graph on the others, and the best family of the sink?"""
        solved = {frozenset(step.names): step.score for step in before.steps if isinstance(step, Solved)}
        if len(self.names) < 2 or any(before.given[known] for known in ("required", "forbidden", "tiers")):
            return None
        sums, facts = sinks(before.given["score"], before.given["max_parents"], self.names, solved)
        return greatest(f"Which sink does the best graph on {as_set(self.names)} have?", sums, self.sink, "gives",
                        facts=facts, click="node", marked=self.names)


@dataclass(frozen=True, slots=True)
class Layered(Step):
    """The best graphs on all subsets of one size."""

    size: int
    subsets: int

    def __str__(self) -> str:
        return f"best graphs on the {self.subsets:,} subsets of {counted(self.size, 'variable')}"


@dataclass(frozen=True, slots=True)
class Placed(Step):
    """Reading back: the sink of the best graph on the variables that remain."""

    sink: str
    parents: Names
    score: float
    among: Names

    def __str__(self) -> str:
        among = ", ".join(self.among[:8]) + (f", … {len(self.among)} variables" if len(self.among) > 8 else "")
        return f"the sink of {among} is {self.sink}, with parents {as_set(self.parents)}: {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.sink, style="kept")
        for parent in self.parents:
            drawing.add_arc(parent, self.sink, style="kept")

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if self.sink in (a, b) and {a, b} <= set(self.among) else ""

    def question(self, before: Moment) -> Question:
        """Which sink was found for the set that remains?"""
        said = f"For {as_set(self.among)} the search has found the sink {self.sink}"
        options = {x: "" if x == self.sink else f"{said}, not {x}." for x in self.among}
        return Question(f"Reading back: which is the sink of {as_set(self.among)}?", options, self.sink, click="node",
                        facts=[str(step) for step in before.steps if isinstance(step, Solved) and len(step.names) > 1])
