"""What the construction of a minimal I-map reports."""

from __future__ import annotations

from dataclasses import dataclass

from bnteach.drawing import Drawing
from bnteach.learn.search.asking import evidence
from bnteach.questions import Moment, Question, yes_or_no
from bnteach.steps import Step, as_set

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NextVariable(Step):
    """The next variable in the order."""

    variable: str
    before: Names

    def __str__(self) -> str:
        return f"{self.variable}, preceded by {', '.join(self.before)}." if self.before else \
            f"{self.variable} is first in the order: it has no parents."

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes([self.variable])
        drawing.style_nodes(self.variable)


@dataclass(frozen=True, slots=True)
class Tried(Step):
    """A candidate parent set: does it separate the variable from the other predecessors?"""

    variable: str
    parents: Names
    rest: Names
    enough: bool
    reason: str = ""

    def __str__(self) -> str:
        given = f"Given {', '.join(self.parents)}" if self.parents else "Marginally"
        rest = self.rest[0] if len(self.rest) == 1 else as_set(self.rest)
        if self.enough:
            return f"{given}, {self.variable} is independent of {rest}."
        return f"{given}, {self.variable} is not independent of {rest}{self.reason}."

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.variable, *self.parents)

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if {a: b, b: a}.get(self.variable) in (*self.parents, *self.rest) else ""

    def question(self, before: Moment) -> Question:
        """Does this set separate the variable from its other predecessors?"""
        given = f"Given {', '.join(self.parents)}, is" if self.parents else "Is"
        rest = self.rest[0] if len(self.rest) == 1 else as_set(self.rest)
        return yes_or_no(f"{given} {self.variable} independent of {rest}?", "independent", "not independent",
                         self.enough, str(self), marked=(self.variable, *self.parents),
                         facts=evidence(before.given["oracle"], self.variable, self.rest[0], self.parents))


@dataclass(frozen=True, slots=True)
class Chose(Step):
    """The parents of a variable."""

    variable: str
    parents: Names

    def __str__(self) -> str:
        if not self.parents:
            return f"So {self.variable} has no parents."
        return f"So the parent{'s' * (len(self.parents) > 1)} of {self.variable} " \
               f"{'are' if len(self.parents) > 1 else 'is'} {', '.join(self.parents)}."

    def draw(self, drawing: Drawing) -> None:
        for parent in self.parents:
            drawing.add_arc(parent, self.variable)

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if self.variable in (a, b) and {a, b} <= set(drawing.nodes) else ""
