"""Marks into nbgrader's gradebook, so that its own tools see them: formgrader in JupyterLab, `nbgrader export`.

A mark of the judge becomes nbgrader's automatic score, a mark by hand its manual score, points lost by being late its
penalty. The marks in grades/ count: a score that was changed in formgrader is left there, and reported. Formgrader
lists a submission as graded if a copy of it is in autograded/, so it gets one.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bnteach.course.classroom.exchange import Nbgrader, enter
from bnteach.course.exercises.grading.report import write_whole
from bnteach.course.exercises.release import cell_id, exercises

NEEDED = ("timestamp.txt", "submission_secret.txt")
WRITTEN = "gradebook.json"  # in grades/: the manual scores that came from here
Record = dict[str, Any]


def write_marks(nbgrader: Nbgrader, grades: Path, records: Iterable[Record]) -> tuple[int, list[str]]:
    """Enter the marks of graded submissions; (how many submissions, sentences on scores changed in formgrader)."""
    graded = [record for record in records if record["result"] == "graded" and record["exercise"] in exercises()]
    ours, others = read_written(grades), []
    for name in sorted({record["exercise"] for record in graded}):
        enter(nbgrader, exercises()[name])
    with warnings.catch_warnings(), nbgrader.gradebook as gradebook:
        warnings.simplefilter("ignore")  # SQLAlchemy's, on how nbgrader adds a submission
        for record in graded:
            others += write_submission(nbgrader, gradebook, record, ours)
        gradebook.db.commit()
    write_whole(grades / WRITTEN, json.dumps(ours, indent=1, sort_keys=True) + "\n", mode=0o600)
    return len(graded), others


def write_submission(nbgrader: Nbgrader, gradebook: Any, record: Record, ours: dict[str, float]) -> list[str]:
    """Enter the marks of one submission; sentences on scores changed in formgrader."""
    student, exercise = record["student"], record["exercise"]
    place, problem = submitted(nbgrader, record)
    stamp = {} if problem else {"timestamp": (place / "timestamp.txt").read_text(encoding="utf-8")}
    gradebook.update_or_create_student(student)
    gradebook.update_or_create_submission(exercise, student, **stamp)
    if not problem:
        shutil.copytree(place, nbgrader.folder_of("autograded", student, exercise), dirs_exist_ok=True)
    notebook = gradebook.find_submission_notebook(exercise, exercise, student)
    scores = {grade.name: grade for grade in notebook.grades}
    total = sum(question["points"] for question in record["questions"])
    notebook.late_submission_penalty = max(0, round(total - record["points"], 6))
    changed = [write_score(scores[cell_id("check", question["id"])], question, f"{student}/{exercise}", ours)
               for question in record["questions"]]
    return [f"{student} has {one[0]} in nbgrader's gradebook, and {one[1]} here" for one in changed if one]


def write_score(score: Any, question: Record, whose: str, ours: dict[str, float]) -> tuple[str, str] | None:
    """Enter one mark; what is in formgrader and what is here, if somebody has changed it there."""
    key = f"{whose}/{question['id']}"
    score.auto_score, score.needs_manual_grade = question.get("judged", question["points"]), False
    if score.manual_score not in (None, ours.get(key)):
        return f"{score.manual_score:g} for {question['id']}", f"{question['points']:g}"
    ours.pop(key, None)
    score.manual_score = None
    if "reason" in question:
        score.manual_score = ours[key] = question["points"]
    return None


def submitted(nbgrader: Nbgrader, record: Record) -> tuple[Path, str]:
    """(folder of a graded submission as nbgrader has collected it, why it is not there)."""
    place = nbgrader.folder_of("submitted", record["student"], record["exercise"])
    file = place / Path(record["file"]).name
    if not all((place / name).is_file() for name in NEEDED):
        return place, "not collected by nbgrader"
    if not file.is_file() or hashlib.sha256(file.read_bytes()).hexdigest() != record["sha256"]:
        return place, "handed in again since it was graded: grade once more"
    return place, ""


def read_written(grades: Path) -> dict[str, float]:
    """The manual scores that were written before."""
    path = grades / WRITTEN
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
