"""Marks that an instructor has changed by hand, each with its reason. They outlast every later grading.

    grades/by_hand.json      one entry per student, exercise and question; written by `bnteach class mark`

The judge's own mark stays in the record beside the changed one, so that a change can be taken back.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bnteach.course.exercises.grading import report
from bnteach.course.exercises.grading.sandboxes import GradeError
from bnteach.course.exercises.questions.base import as_points

NAME = "by_hand.json"
Changes = dict[str, dict[str, Any]]
"""{"ann/07_chow_liu/7.4": {"points": 3, "reason": "…", "time": "…"}}"""


def read_changes(grades: Path) -> Changes:
    """All marks that were changed by hand in this folder of grades."""
    path = grades / NAME
    if not path.is_file():
        return {}
    try:
        changes = json.loads(path.read_text(encoding="utf-8"))
        assert all(isinstance(change["points"], int | float) and change["reason"] for change in changes.values())
    except (ValueError, TypeError, KeyError, AttributeError, AssertionError):
        raise GradeError(f"{path} cannot be read. It holds the marks that were changed by hand: restore it from a "
                         "backup, or remove it and give the marks again.") from None
    return changes


def applied(record: report.Record, changes: Changes) -> report.Record:
    """The record with the marks that were changed by hand in place of the judge's; without changes, the judge's."""
    questions = []
    for mark in record["questions"]:
        judged = {key: value for key, value in mark.items() if key not in ("judged", "reason")}
        judged["points"] = mark.get("judged", mark["points"])
        change = changes.get(key_of(record["student"], record["exercise"], mark["id"]))
        questions.append(judged if change is None else
                         {**judged, "points": change["points"], "judged": judged["points"], "reason": change["reason"]})
    total = as_points(sum(mark["points"] for mark in questions)) if questions else record["points"]
    return {**record, "questions": questions, "points": total}


def change_mark(grades: Path, student: str, question: str, points: float | None, reason: str) -> report.Record:
    """Change a mark, or with None take the change back; returns the record as it is now."""
    name, record = find_record(grades, student, question)
    mark = next(mark for mark in record["questions"] if mark["id"] == question)
    changes, key = read_changes(grades), key_of(record["student"], record["exercise"], question)
    if points is None:
        if changes.pop(key, None) is None:
            raise GradeError(f"the mark of {student} in {question} was not changed by hand.")
    else:
        if not 0 <= points <= mark["of"]:
            raise GradeError(f"{question} has {mark['of']} points; {points} is not between 0 and {mark['of']}.")
        if not reason.strip():
            raise GradeError("a mark by hand needs a reason, which the student reads too: --reason \"…\".")
        changes[key] = {"points": as_points(points), "reason": reason.strip(), "time": now()}
    report.write_whole(grades / NAME, json.dumps(changes, indent=1, ensure_ascii=False, sort_keys=True) + "\n", 0o600)
    record = applied(record, changes)
    report.write_record(grades, name, record)
    return record


def find_record(grades: Path, student: str, question: str) -> tuple[str, report.Record]:
    """(name, record) of the graded submission of a student that answers a question."""
    found = []
    for path in sorted((grades / "records").glob("*.json")):
        record = report.read_record(grades, path.stem) or {}
        if record.get("student") == student and any(mark["id"] == question for mark in record["questions"]):
            found.append((path.stem, record))
    if len(found) != 1:
        how = "no graded submission" if not found else f"{len(found)} graded submissions"
        raise GradeError(f"{grades} has {how} of {student!r} with question {question!r}. Give the student's name as "
                         "it is in the column `student` of grades.csv, and the question as 7.4.")
    return found[0]


def key_of(student: str, exercise: str, question: str) -> str:
    """The key of a changed mark."""
    return f"{student}/{exercise}/{question}"


def now() -> str:
    """The present time in UTC, in ISO form."""
    return datetime.now(UTC).isoformat(timespec="seconds")
