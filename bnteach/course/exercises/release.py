"""Exercises as files: one source with solutions, from which the students' copies are made.

The source, lessons/exercises/NN_topic.ipynb, has three kinds of cells that count, marked as nbgrader marks them:

    answer_7_2    a solution cell; the text between ### BEGIN SOLUTION and ### END SOLUTION is the solution
    check_7_2     a locked test cell with points: bn.check("7.2", entropy)
    given_...     a locked cell with code that every answer may use

`bnteach release` writes copies in which each solution is replaced, as nbgrader would do it, by a line that raises
NotImplementedError. The source itself can be used as an nbgrader source notebook as it is. An installed wheel has the
copies in place of the sources; `bnteach release --instructor` writes both into an archive, from a checkout.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from bnteach.course.exercises.copies import BEGIN, ExerciseError, Notebook, source_of, student_copy, student_file
from bnteach.course.exercises.questions import of_lesson
from bnteach.course.exercises.questions.base import Question
from bnteach.course.syllabus import exam_sheet

ARCHIVE = "bnteach-exercises.zip"


@dataclass(frozen=True)
class Exercise:
    """The source of an exercise: its notebook, and the questions it asks."""

    path: Path

    @property
    def name(self) -> str:
        """Its name, as 07_chow_liu."""
        return self.path.stem

    @property
    def lesson(self) -> int:
        """The number of its lesson."""
        return int(self.name[:2])

    @cached_property
    def notebook(self) -> Notebook:
        """The source, with solutions; in an installed wheel, the student's copy."""
        return json.loads(self.path.read_text(encoding="utf-8"))

    @property
    def questions(self) -> tuple[Question, ...]:
        """What it asks, in order."""
        return of_lesson(self.lesson)

    @cached_property
    def given(self) -> list[str]:
        """The code of the locked cells other than checks: it runs before anything else."""
        return [source_of(cell) for cell in self.notebook["cells"] if (grade_id(cell) or "").startswith("given")]

    @cached_property
    def stubs(self) -> dict[str, str]:
        """What the student gets in each solution cell, by the cell's id."""
        return {grade_id(cell): source_of(cell) for cell in student_copy(self.notebook)["cells"]
                if (grade_id(cell) or "").startswith("answer")}

    @cached_property
    def digest(self) -> str:
        """A checksum of what students get: another copy is another exercise."""
        return hashlib.sha256(student_file(self.path)).hexdigest()[:16]


def exercises() -> dict[str, Exercise]:
    """All exercises by name, in order; from the installed package, or from a checkout."""
    package = Path(__file__).parents[2]
    for folder in (package / "lessons" / "exercises", package.parent / "lessons" / "exercises"):
        if found := sorted(folder.glob("[0-9][0-9]_*.ipynb")):
            return {path.stem: Exercise(path) for path in found}
    return {}


def find_exercises(asked: str) -> list[Exercise]:
    """The exercises meant by "all", "7", "07", "chow_liu" or "07_chow_liu"."""
    known = exercises()
    wanted = Path(asked).name.removesuffix(".ipynb")
    wanted = wanted.zfill(2) if wanted.isdigit() else wanted
    found = [exercise for name, exercise in known.items() if wanted in ("all", name, name[:2], name[3:])]
    if not found:
        raise ExerciseError(f"there is no exercise {asked!r}; there is {', '.join(known) or 'none'}, or all.")
    return found


def release(asked: str, folder: Path) -> list[Path]:
    """Write the students' copies into a folder; an existing file that differs is never overwritten."""
    written = []
    for exercise in find_exercises(asked):
        target = folder / exercise.path.name
        content = student_file(exercise.path)
        if target.exists() and target.read_bytes() != content:
            raise ExerciseError(f"{target} exists and differs from what would be written; move it away first.")
        folder.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        written.append(target)
    return written


def release_archive(asked: str, folder: Path) -> Path:
    """Write an archive for instructors: solutions/NN_topic.ipynb, students/NN_topic.ipynb without any, and exam.md."""
    found = find_exercises(asked)
    if without := [one.name for one in found if BEGIN not in one.path.read_text(encoding="utf-8")]:
        raise ExerciseError(f"there are no solutions here ({without[0]} has none): bnteach was installed from a wheel, "
                            f"which carries students' copies. Run this in a checkout of the course.")
    content = {f"{what}/{one.path.name}": file(one.path) for what, file in
               (("solutions", Path.read_bytes), ("students", student_file)) for one in found}
    content["exam.md"] = exam_sheet(found[0].path.parents[1] / "exam").encode()
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / ARCHIVE, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in content.items():
            archive.writestr(zipfile.ZipInfo(name), text, zipfile.ZIP_DEFLATED)  # with a fixed date
    return folder / ARCHIVE


def grade_id(cell: Any) -> str | None:
    """The id that nbgrader's metadata give a cell, or None."""
    metadata = cell.get("metadata") if isinstance(cell, dict) else None
    nbgrader = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    found = nbgrader.get("grade_id") if isinstance(nbgrader, dict) else None
    return found if isinstance(found, str) else None


def cell_id(what: str, question: str) -> str:
    """The id of the cell of a question.

    >>> cell_id("answer", "7.2")
    'answer_7_2'
    """
    return f"{what}_{question.replace('.', '_')}"
