"""Solutions, after the deadline: as an nbgrader assignment of its own, or in a folder.

    class/release/07_chow_liu_solution/07_chow_liu_solution.ipynb      for nbgrader release_assignment
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from bnteach.course.classroom.exchange import ClassError
from bnteach.course.exercises.copies import BEGIN, END, Notebook, source_of
from bnteach.course.exercises.grading.late import known_deadlines, read_extensions
from bnteach.course.exercises.grading.report import write_whole
from bnteach.course.exercises.release import Exercise


def write_solution(exercise: Exercise, out: Path, submitted: Path, force: bool = False) -> Path:
    """Write an exercise with its solutions, unless somebody can still hand it in; `force` does so nevertheless."""
    text = exercise.path.read_text(encoding="utf-8")
    if BEGIN not in text:
        raise ClassError("there are no solutions here: bnteach was installed from a wheel, which carries students' "
                         "copies. Run this in a checkout of the course.")
    if (why := still_open(exercise.name, submitted)) and not force:
        raise ClassError(f"{why} To write the solutions nevertheless, give --force.")
    name = f"{exercise.name}_solution"
    path = out / name / f"{name}.ipynb"
    write_whole(path, json.dumps(without_marks(json.loads(text)), indent=1, ensure_ascii=False) + "\n")
    return path


def without_marks(notebook: Notebook) -> Notebook:
    """The notebook without the lines that say where a solution begins and ends."""
    for cell in notebook["cells"]:
        lines = [line for line in source_of(cell).split("\n") if BEGIN not in line and END not in line]
        cell["source"] = "\n".join(lines).splitlines(keepends=True)
    return notebook


def still_open(exercise: str, submitted: Path) -> str:
    """Why the solutions must not be out yet; an empty text if the deadline is over, for everybody."""
    due = known_deadlines(submitted).get(exercise, "")
    if not due:
        return f"no deadline of {exercise} is known in {submitted}, so students may still be at work."
    now = datetime.now(UTC).isoformat(timespec="seconds")
    later = {student: one["until"] for student, one in read_extensions(submitted).get(exercise, {}).items()
             if one["until"] > now}
    if due > now:
        return f"{exercise} is due {due[:16].replace('T', ' ')} UTC."
    if later:
        each = ", ".join(f"{student} has until {until[:16].replace('T', ' ')} UTC" for student, until in later.items())
        return f"{exercise} was due, but {each}."
    return ""
