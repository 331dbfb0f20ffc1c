"""What the tests of collecting share: hand-ins as nbgrader leaves them in the exchange."""

from __future__ import annotations

import csv
import secrets
from datetime import UTC, datetime
from pathlib import Path

from bnteach.course.classroom.inbound import SECRET
from bnteach.course.classroom.kept import TIME, Collected, Deadlines, collect
from tests.course.exercises.submissions.notebooks import with_answers, write

NAME, FILE, LIMIT = "07_chow_liu", "07_chow_liu.ipynb", 10_000_000


def entry_name(student: str, exercise: str = NAME) -> str:
    """The name that nbgrader gives the folder of a hand-in."""
    return "+".join((student, exercise, datetime.now(UTC).strftime(TIME), secrets.token_urlsafe(9)))


def plant(inbound: Path, student: str = "eve", exercise: str = NAME, complete: bool = True) -> Path:
    """A hand-in without a notebook yet."""
    entry = inbound / entry_name(student, exercise)
    entry.mkdir(parents=True)
    if complete:
        (entry / SECRET).write_text(secrets.token_hex(64))
    return entry


def hand(inbound: Path, student: str, *solved: str) -> bytes:
    """Hand in an exercise in which some questions are solved; returns what was handed in."""
    entry = plant(inbound, student, complete=False)
    written = write(with_answers(solved), entry / FILE).read_bytes()
    (entry / SECRET).write_text(secrets.token_hex(64))
    return written


def collected(inbound: Path, root: Path, exercise: str = NAME, deadlines: Deadlines | None = None) -> Collected:
    return collect(inbound, root, exercise, deadlines or {}, LIMIT)


def rows(root: Path) -> list[dict[str, str]]:
    with open(root / "attempts.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def laid_out(root: Path, student: str) -> bytes:
    return (root / "submitted" / student / NAME / FILE).read_bytes()
