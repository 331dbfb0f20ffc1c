"""What a class keeps of its students, where, and until when: bnteach class privacy.

Nothing is kept anywhere but in the class's folder and in its exchange; all of it stays until it is deleted, by
`bnteach class delete` (deleting.py). Nothing is sent to anybody.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bnteach.course.commands.common import is_installed

KEPT = {
    "submitted": "the notebooks that are graded, with their times; deadlines, extensions and their reasons",
    "attempts": "every notebook that was handed in, with its time",
    "attempts.csv": "a list of these",
    "grades": "marks, what happened in each answer, the answers, reasons of changes, requests, pages for students",
    "returned": "the same pages, laid out to be sent",
    "autograded": "nbgrader's: notebooks that it has run",
    "feedback": "nbgrader's: pages on their way to students",
    "gradebook.db": "nbgrader's: names and marks",
    ".nbgrader.log": "nbgrader's: who handed in what",
    "students.txt": "the list of students",
    "totals.csv": "the term's table",
}
IN_THE_EXCHANGE = {"inbound": "what students have handed in or asked", "feedback": "pages that students can fetch"}
ELSEWHERE = """Not in these folders, and not deleted by `bnteach class delete`:
  students' homes, with their notebooks         the accounts of the machine, or the volumes of Kubernetes
  names and times of log-in                     the Hub's hub-state/ and its log; its page Admin deletes a user
  marks and pages that were uploaded or sent    Moodle, Canvas, e-mail
  copies                                        backups; what was committed, if this folder is a git repository"""


@dataclass(frozen=True)
class Kept:
    """One place where something of students is kept."""

    path: Path
    what: str
    files: int
    size: int
    oldest: float

    def __str__(self) -> str:
        since = datetime.fromtimestamp(self.oldest, UTC).strftime("%Y-%m-%d")
        return f"{self.path}: {self.files} files, {self.size / 1e6:.1f} MB, since {since}\n    {self.what}"


def kept(folder: Path, exchange: Path | None = None) -> Iterator[Kept]:
    """All places of a class where something of students is kept; the exchange is that of the course."""
    places = {folder / name: what for name, what in KEPT.items()}
    places |= {exchange / name: what for name, what in IN_THE_EXCHANGE.items()} if exchange else {}
    for path, what in places.items():
        found = [os.lstat(one) for one in files_in(path)]
        if found:
            yield Kept(path, what, len(found), sum(one.st_size for one in found), min(one.st_mtime for one in found))


def files_in(path: Path) -> Iterator[Path]:
    """A file, or all files of a folder; links are not followed."""
    if path.is_symlink() or path.is_file():
        yield path
    else:
        yield from (Path(base, name) for base, _, names in os.walk(path) for name in names)


def exchange_of(folder: Path, root: str | None = None, course: str | None = None) -> Path | None:
    """The course's folder in the exchange: as it is named, or as nbgrader's settings in the class's folder say."""
    root, course = root or os.environ.get("BNTEACH_EXCHANGE"), course or os.environ.get("BNTEACH_COURSE")
    settings = folder / "nbgrader_config.py"
    if not (root and course) and settings.is_file() and is_installed("traitlets"):
        from traitlets.config.loader import PyFileConfigLoader

        config = PyFileConfigLoader(settings.name, path=str(folder)).load_config()
        root = root or str(config.get("Exchange", {}).get("root", "") or "")
        course = course or str(config.get("CourseDirectory", {}).get("course_id", "") or "")
    return Path(root) / course if root and course and (Path(root) / course).is_dir() else None
