"""What dynamic programming over subsets reports."""

from __future__ import annotations

from dataclasses import dataclass

from bnteach.drawing import Drawing
from bnteach.trace import Step

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
        return f"best on {_set(self.names)}: sink {self.sink} with parents {_set(self.parents)}, score {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        for name in drawing.nodes:
            drawing.style_nodes(name, style="plain")
        drawing.style_nodes(*self.names, style="considered")
        for parent in self.parents:
            drawing.style_edge(parent, self.sink, style="considered")

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if {a, b} == set(self.names) else ""  # of larger sets, only the outcome counts


@dataclass(frozen=True, slots=True)
class Layered(Step):
    """The best graphs on all subsets of one size."""

    size: int
    subsets: int

    def __str__(self) -> str:
        return f"best graphs on the {self.subsets:,} subsets of {self.size} variable{'' if self.size == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Placed(Step):
    """Reading back: the sink of the best graph on the variables that remain."""

    sink: str
    parents: Names
    score: float
    among: Names

    def __str__(self) -> str:
        among = ", ".join(self.among[:8]) + (f", … {len(self.among)} variables" if len(self.among) > 8 else "")
        return f"the sink of {among} is {self.sink}, with parents {_set(self.parents)}: {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.sink, style="kept")
        for parent in self.parents:
            drawing.add_arc(parent, self.sink, style="kept")

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if self.sink in (a, b) and {a, b} <= set(self.among) else ""


def _set(names: Names) -> str:
    return "{" + ", ".join(names) + "}"
