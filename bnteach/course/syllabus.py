"""How the course can be taught: hours per lesson, which lesson needs which, plans by weeks, questions for an exam.

The figures are in syllabus.toml beside this file, and the questions in lessons/exam. Solutions are only in a checkout.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

MINUTES_PER_POINT = 10
"""How long an exercise takes, per point: an estimate."""


@cache
def syllabus() -> dict[str, Any]:
    """The file, read."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


def topic(name: str) -> str:
    """The topic of a lesson or an exercise.

    >>> topic("07_chow_liu")
    'chow_liu'
    """
    return name[3:]


@dataclass(frozen=True)
class Effort:
    """Minutes of a lesson: the lecture, working through it alone, the exercises."""

    lecture: int
    exercises: int

    @property
    def alone(self) -> float:
        """Hours of a student: as long as the lecture takes once more, and the exercises."""
        return (2 * self.lecture + self.exercises) / 60


def effort(lesson: Path) -> Effort:
    """The effort of a lesson, with the points of its exercises counted."""
    known = syllabus()["lesson"].get(topic(lesson.stem), {"minutes": 60})
    exercise = lesson.parent / "exercises" / lesson.name
    cells = json.loads(exercise.read_text(encoding="utf-8"))["cells"] if exercise.is_file() else []
    points = sum(cell["metadata"].get("nbgrader", {}).get("points", 0) for cell in cells)
    return Effort(known["minutes"], MINUTES_PER_POINT * points)


def needs(lessons: Iterable[Path]) -> list[tuple[str, str]]:
    """The arcs of "is needed by" among these lessons, by their numbers."""
    number = {topic(path.stem): path.stem[:2] for path in lessons}
    known = syllabus()["lesson"]
    return [(number[before], number[name]) for name in number for before in known.get(name, {"needs": []})["needs"]
            if before in number]


def weeks(count: str, lessons: Iterable[Path]) -> list[list[Path]]:
    """The lessons of each week, those that are there."""
    by_topic = {topic(path.stem): path for path in lessons}
    return [[by_topic[name] for name in week if name in by_topic] for week in syllabus()["weeks"][count]]


def exam(folder: Path, solutions: bool = False) -> list[dict[str, Any]]:
    """The questions in lessons/exam, with their solutions if these are asked for."""
    questions = tomllib.loads((folder / "questions.toml").read_text(encoding="utf-8"))
    solved = tomllib.loads((folder / "solutions.toml").read_text(encoding="utf-8")) if solutions else {}
    return [{**question, "solution": solved.get(id, {}).get("text", "")} for id, question in questions.items()]


def exam_sheet(folder: Path) -> str:
    """The exam with its solutions, as Markdown, for instructors."""
    parts = [f"## Question {i} ({one['points']} points)\n\n{one['text']}\n\n**Solution.** {one['solution']}\n"
             for i, one in enumerate(exam(folder, solutions=True), start=1)]
    return "\n".join(["# Questions for an exam, with solutions\n", *parts])
