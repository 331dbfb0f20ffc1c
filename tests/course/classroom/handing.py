"""What the tests of collecting share."""

from __future__ import annotations

import csv
from datetime import UTC, datetime
from pathlib import Path

from bnteach.course.classroom.exchange import Exchange, entry_name
from bnteach.course.classroom.hand_in import hand_in
from tests.course.exercises.submissions.notebooks import with_answers, write

NAME, FILE = "07_chow_liu", "07_chow_liu.ipynb"


def hand(exchange: Exchange, folder: Path, student: str, *solved: str) -> bytes:
    """Hand in an exercise in which some questions are solved; returns what was handed in."""
    path = write(with_answers(solved), folder / student / FILE)
    hand_in(str(path), exchange, folder, student)
    return path.read_bytes()


def rows(out: Path) -> list[dict[str, str]]:
    with open(out / "attempts.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def laid_out(out: Path, student: str) -> bytes:
    return (out / "submitted" / student / NAME / FILE).read_bytes()


def plant(exchange: Exchange, student: str = "eve", exercise: str = NAME) -> Path:
    """An entry made by hand."""
    entry = exchange.inbound / entry_name(student, exercise, datetime.now(UTC))
    entry.mkdir()
    return entry
