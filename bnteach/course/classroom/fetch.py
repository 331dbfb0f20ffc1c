"""What a student gets: the lessons, and the exercises that were handed out. Nothing that is there is overwritten.

    ~/bnteach-lessons/             the lessons and their exercises, brought up to date unless the student changed them
    ~/exercises/07_chow_liu/       an exercise that the instructor has handed out, fetched once
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from bnteach.course.classroom.exchange import ClassError, Exchange
from bnteach.course.commands.course import RECORD, copy_lessons, course_folder, same, write_whole
from bnteach.course.exercises.release import exercises, find_exercises

LESSONS, EXERCISES = "bnteach-lessons", "exercises"


def fetch_lessons(home: Path, course: Path | None = None) -> Path:
    """Copy the lessons into a home, but never over a file that its owner has changed."""
    course = course or course_folder()
    before = copied(home / LESSONS)
    folder = copy_lessons(course, home / LESSONS)
    (home / EXERCISES).mkdir(exist_ok=True)  # nbgrader's list of assignments wants to find it
    new = [name for name, sum in copied(folder).items() if before.get(name) != sum and name.endswith(".ipynb")]
    if new and importlib.util.find_spec("nbformat"):
        from bnteach.course.commands.lab import trust  # slow, so only once per edition

        trust(folder / name for name in new)
    return folder


def copied(folder: Path) -> dict[str, str]:
    """{name: sum} of the files that were copied into a folder."""
    record = folder / RECORD
    return json.loads(record.read_text(encoding="utf-8")) if record.is_file() else {}


def fetch_exercise(asked: str, exchange: Exchange, home: Path) -> list[str]:
    """Copy an exercise that was handed out into a home; says what was done with each file."""
    out = exchange.released()
    (name, *more) = [exercise.name for exercise in find_exercises(asked)]
    if not out:
        raise ClassError(f"nothing has been handed out yet, in {exchange.outbound}.")
    if more:
        return [line for each in out if each in (name, *more) for line in fetch_exercise(each, exchange, home)]
    if name not in out:
        raise ClassError(f"{name} has not been handed out yet. Handed out so far: {', '.join(out)}.")
    done = []
    for source in sorted(path for path in (exchange.outbound / name).iterdir() if path.is_file()):
        copy = home / EXERCISES / name / source.name
        if not copy.exists():
            write_whole(copy, source.read_bytes())
            done.append(f"{copy}: fetched")
        elif not same(source, copy):
            done.append(f"{copy}: kept as you have it (rename yours, and fetch again, to get a new one)")
        else:
            done.append(f"{copy}: there already")
    return done


def places(name: str, home: Path) -> list[Path]:
    """Where a student's notebook of an exercise may be: fetched, beside the lessons, or here."""
    known = exercises()[name].path.name
    found = [home / EXERCISES / name / known, home / LESSONS / EXERCISES / known, Path.cwd() / known]
    return list({path.resolve(): path for path in found if path.is_file()}.values())
