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
        if change is not None:  # not more than the question has, should it have been corrected since
            judged |= {"points": min(change["points"], judged["of"]), "judged": judged["points"],
                       "reason": change["reason"]}
        questions.append(judged)
    total = as_points(sum(mark["points"] for mark in questions)) if questions else record["points"]
    return {**record, "questions": questions, "points": total}


def key_of(student: str, exercise: str, question: str) -> str:
    """The key of a changed mark."""
    return f"{student}/{exercise}/{question}"


def now() -> str:
    """The present time in UTC, in ISO form."""
    return datetime.now(UTC).isoformat(timespec="seconds")
