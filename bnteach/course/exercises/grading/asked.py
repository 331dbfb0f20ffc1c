"""Requests for another look at a mark, and their answers; they outlast every later grading.

    grades/requests.json      {"ann/07_chow_liu/7.4": what was asked, when, and the answer}

Students ask with `bnteach class ask` (classroom/requests.py collects that), or in another way, and the instructor notes
it. What was asked and answered is on the student's page.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bnteach.course.exercises.grading.by_hand import key_of
from bnteach.course.exercises.grading.sandboxes import GradeError

NAME = "requests.json"
Requests = dict[str, dict[str, str]]
"""{"ann/07_chow_liu/7.4": {"asked": "…", "time": "…", "answer": "…"}}; without an answer yet, that is empty."""


def read_requests(grades: Path) -> Requests:
    """All requests that were ever made."""
    path = grades / NAME
    if not path.is_file():
        return {}
    try:
        found: Requests = json.loads(path.read_text(encoding="utf-8"))
        assert all(isinstance(one["asked"] + one["time"] + one["answer"], str) for one in found.values())
    except (ValueError, TypeError, KeyError, AttributeError, AssertionError):
        raise GradeError(f"{path} cannot be read. It holds the requests of students: restore it from a backup, or "
                         "remove it.") from None
    return found


def with_requests(record: dict[str, Any], requests: Requests) -> dict[str, Any]:
    """The record with what was asked about it."""
    own = {mark["id"]: requests[key] for mark in record["questions"]
           if (key := key_of(record["student"], record["exercise"], mark["id"])) in requests}
    rest = {key: value for key, value in record.items() if key != "requests"}
    return {**rest, "requests": own} if own else rest
