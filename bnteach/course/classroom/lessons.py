"""The lessons in a student's home, without the exercises: those come one by one, by nbgrader.

    ~/bnteach-lessons/                             the lessons, brought up to date unless the student changed them
    ~/bnteach-lessons/exercises/07_chow_liu/       an exercise that was handed out, and that the student has fetched
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from bnteach.course.commands.course import RECORD, copy_lessons, course_folder

LESSONS, EXERCISES = "bnteach-lessons", "exercises"


def fetch_lessons(home: Path, course: Path | None = None) -> Path:
    """Copy the lessons into a home, but never over a file that its owner has changed."""
    course = course or course_folder()
    before = copied(home / LESSONS)
    folder = copy_lessons(course, home / LESSONS, exercises=False)
    (folder / EXERCISES).mkdir(exist_ok=True)  # nbgrader's list of assignments wants to find it
    new = [name for name, sum in copied(folder).items() if before.get(name) != sum and name.endswith(".ipynb")]
    if new and importlib.util.find_spec("nbformat"):
        from bnteach.course.commands.lab import trust  # slow, so only once per edition

        trust(folder / name for name in new)
    return folder


def copied(folder: Path) -> dict[str, str]:
    """{name: sums} of the files that were copied into a folder."""
    record = folder / RECORD
    return json.loads(record.read_text(encoding="utf-8")) if record.is_file() else {}
