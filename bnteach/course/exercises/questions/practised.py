"""Questions that are answered by making the steps of an algorithm (`bn.practice`), on an instance of one's own.

The answer is a function that returns bn.practice("4.8", "Ann Lee", "3f2a: 2 1 1 3"). The grader reads the name and the
choices from the source of the cell, and never runs it (grading/replay.py). The choices are replayed: the algorithm runs on the
student's instance, and its trace judges them one by one, all that ties allow included. The share of the points is that
of steps elsewhere: the number of right choices before the first wrong one, divided by the number of choices plus one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from bnteach.course.exercises.questions.base import Judgement, Question
from bnteach.course.practice.graded import Graded, NotReadable
from bnteach.course.practice.instances import measured
from bnteach.course.practice.topics import Make

SYLLABLES = ("an", "bel", "cor", "da", "el", "fi", "gus", "ha", "is", "jo", "ka", "li")


@dataclass(frozen=True)
class Practised(Question):
    """A question with the topic that is practised; its input is a name and the seed of the class."""

    topic: str = ""
    level: int = 1
    make: Make | None = None  # draws the instance, in place of the topic's function

    def judge(self, answer: Any, arguments: tuple, reasons: bool = True) -> Judgement:
        """Replay choices, "3f2a: 2 1 3", on the instance of this name and class."""
        try:
            session = Graded(self, arguments[0], answer, arguments[1])
        except NotReadable as error:
            return Judgement(False, str(error))
        return replay(session, reasons)

    def credit(self, answers: Sequence[Any], inputs: Sequence[tuple]) -> float:
        """The points for the choices before the first wrong one."""
        return self.keeps([self.judge(answer, arguments).share for answer, arguments in zip(answers, inputs)])


def practised(id: str, title: str, function: str, topic: str, level: int = 1, make: Make | None = None) -> Practised:
    """A question to practise this topic."""
    def right(name: str, seed: Any) -> str:
        return right_choices(Graded(question, name, seed=seed))

    question = Practised(id, title, function, "practice", draw_name, right, points=2, draws=3, topic=topic, level=level,
                         make=make)
    return question


def draw_name(random: np.random.Generator) -> tuple[str, int]:
    """A name, and the seed of a class."""
    first, second = ("".join(random.choice(SYLLABLES, 3)).capitalize() for _ in range(2))
    return f"{first} {second}", int(random.integers(1, 10**6))


def right_choices(session: Graded) -> str:
    """The choices of the algorithm itself."""
    numbers = [list(one.question.options).index(one.question.choice) + 1 for one in session.asked]
    return f"{session.code}: {' '.join(map(str, numbers))}"


def replay(session: Graded, reasons: bool = True) -> Judgement:
    """Judge choices one by one; what is wrong with the first wrong one, with the reason or without."""
    length = len(session.asked)
    if session.foreign:
        return Judgement(False, f"these are choices for another instance, {session.foreign}: that of {session.name!r} in "
                                f"this class is {session.code}. Call bn.practice without choices, and make your own")
    for i, (one, number) in enumerate(zip(session.asked, session.numbers)):
        label = next(iter(list(one.question.options)[number - 1:number]), None) if number else None
        if label is None or not one.question.is_right(label):
            what = f"choice {i + 1} is {number}, and there are {len(one.question.options)} options" if label is None \
                else f"choice {i + 1}, {label!r}, is not right"
            because = f" {one.question.options[label]}" if label and reasons else ""
            return Judgement(False, f"{what}. It answers: {one.question.prompt}{because}", i + 1, right=i, length=length)
    if len(session.numbers) != length:
        right = min(len(session.numbers), length)
        so_far = f"; the first {right} are right" if right else ""
        return Judgement(False, f"{len(session.numbers)} choices are written, and {length} are asked for{so_far}",
                         right + 1, right=right, length=length)
    return Judgement(True, right=length, length=length)


QUESTIONS = (
    practised("4.8", "Be PC", "my_pc", "pc", level=3),
    practised("5.8", "Be Dor and Tarsi", "my_extension", "dor_tarsi", level=3),
    practised("7.8", "Be Kruskal", "my_tree", "kruskal", level=2),
    practised("9.7", "Climb yourself", "my_climb", "hill_climb", level=3),
    practised("10.8", "Branch and bound yourself", "my_bounds", "branch_and_bound", level=2),
    practised("11.7", "Choose the sinks yourself", "my_sinks", "exact", level=3),
    practised("12.9", "Climb among measurements", "my_gaussians", "hill_climb", level=3, make=measured),
    practised("13.8", "Accept or reject", "my_proposals", "anneal", level=2),
    practised("14.8", "Find candidates yourself", "my_candidates", "mmpc", level=3),
    practised("15.8", "Count what is expected", "my_counts", "em", level=2),
    practised("16.9", "Eliminate variables yourself", "my_elimination", "variable_elimination", level=3),
    practised("17.8", "Be GES", "my_ges", "ges", level=3),
)
