"""Deleting what is kept of a student, or of a whole class: first listed, then, once that is confirmed, deleted.

Only what `bnteach class privacy` lists is deleted, in the class's folder and in the course's exchange. Links are not
followed: a link is removed, and what it leads to stays. A folder that is a link itself is left alone. Interrupted, it
can be run again.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sqlite3
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bnteach.course.classroom.exchange import ClassError
from bnteach.course.classroom.inbound import sent
from bnteach.course.classroom.privacy import IN_THE_EXCHANGE, KEPT
from bnteach.course.exercises.grading.dashboard import ROSTER, read_records, write_dashboard
from bnteach.course.exercises.grading.late import EXTENSIONS, RULE
from bnteach.course.exercises.grading.report import harmless, read_record, write_csv, write_whole

PER_STUDENT = ("submitted", "attempts", "autograded", "feedback")
TABLES = {"attempts.csv": "student", "totals.csv": "student", "returned/mail.csv": "student", "students.txt": ""}


@dataclass(frozen=True)
class Step:
    """One thing to be deleted, and how."""

    path: Path
    what: str  # what of it
    act: Callable[[], None]

    def __str__(self) -> str:
        return f"{self.path}: {self.what}"


def delete_class(folder: Path, exchange: Path | None) -> list[Step]:
    """What has to be deleted of a whole class: everything of students; the instructor's own files stay."""
    steps = [whole(folder / name, folder) for name in KEPT]
    if exchange:
        steps += [whole(path, exchange) for name in IN_THE_EXCHANGE if not (exchange / name).is_symlink()
                  for path in sorted((exchange / name).glob("*"))]
    return [step for step in steps if step]


def delete_student(folder: Path, exchange: Path | None, student: str) -> list[Step]:
    """What has to be deleted of one student. The records come last: they say which files are the student's."""
    if Path(student).name != student or student in ("", ".", ".."):
        raise ClassError(f"{student!r} cannot be the name of a student.")
    grades = folder / "grades"
    records = [path for path in sorted((grades / "records").glob("*.json"))
               if (read_record(grades, path.stem) or {}).get("student") == student]
    steps = [whole(path, folder) for path in own_folders(folder, student, records)]
    steps += [rewritten(folder / name, partial(without_rows, column=column, student=student))
              for name, column in TABLES.items()]
    steps += [rewritten(folder / ".nbgrader.log", partial(without_lines, student=student)),
              rewritten(folder / "submitted" / EXTENSIONS, partial(without_entries, student=student)),
              in_gradebook(folder / "gradebook.db", student)]
    steps += [whole(path, exchange) for path in in_exchange(exchange, student)] if exchange else []
    steps += [rewritten(grades / name, partial(without_entries, student=student))
              for name in ("by_hand.json", "gradebook.json", "requests.json", RULE, ROSTER)]
    steps += [whole(grades / "feedback" / f"{path.stem}.html", folder) for path in records]
    steps += [whole(path, folder) for path in records]
    found = [step for step in steps if step]
    return [*found, Step(grades, "grades.csv, the list of what is worth a look and the pages are written again",
                         partial(write_again, grades, student))] if records else found


def known(folder: Path) -> set[str]:
    """Students of whom something is there, to suggest one for a misspelt name."""
    found = {path.name for part in PER_STUDENT for path in (folder / part).glob("*") if path.is_dir()}
    records = (read_record(folder / "grades", path.stem) for path in (folder / "grades" / "records").glob("*.json"))
    return found | {record["student"] for record in records if record}


# -- whole files and folders -----------------------------------------------------------------------------------
def whole(path: Path, root: Path) -> Step | None:
    """The step that deletes a file or a folder, if it is there; an error if it is not in the root."""
    if not path.exists() and not path.is_symlink():
        return None
    if not path.parent.resolve().is_relative_to(root.resolve()):
        raise ClassError(f"{path} is not in {root}, because a folder above it is a link. Nothing has been deleted.")
    if path.is_dir() and not path.is_symlink():
        files = sum(1 for one in path.rglob("*") if not one.is_dir())
        return Step(path, f"the folder, with {files} files", partial(shutil.rmtree, path))
    what = "the link; what it leads to stays" if path.is_symlink() else "the file"
    return Step(path, what, partial(path.unlink, missing_ok=True))


def own_folders(folder: Path, student: str, records: list[Path]) -> list[Path]:
    """The folders and files in the class's folder that are this student's alone."""
    found = [folder / part / student for part in PER_STUDENT]
    for path in records:
        file = json.loads(path.read_text(encoding="utf-8"))["file"]
        if (top := Path(file).parts[:1]) and top != ("..",):
            found.append(folder / "submitted" / top[0])
    mail = folder / "returned" / "mail.csv"
    if mail.is_file():
        with open(mail, encoding="utf-8", newline="") as file:
            found += [folder / "returned" / Path(row["file"]).parts[0] for row in csv.DictReader(file)
                      if row["student"] == harmless(student)]
    return list(dict.fromkeys(found))


def in_exchange(exchange: Path, student: str) -> Iterator[Path]:
    """What the student has sent, and the pages that wait for the student."""
    yield from (path for who, _, path in sent(exchange / "inbound") if who == student)
    for path in sorted((exchange / "feedback").rglob("*.html")):
        with open(path, encoding="utf-8", errors="replace") as file:
            title = re.search(r"<title>(.*?)</title>", file.read(2000), re.DOTALL)
        if title and title[1].partition(": ")[2] == escaped(student):
            yield path


def escaped(student: str) -> str:
    """The name as it stands in a page."""
    from html import escape

    return escape(student)


# -- parts of files --------------------------------------------------------------------------------------------
def rewritten(path: Path, without: Callable[[str], tuple[str, int]]) -> Step | None:
    """The step that writes a file again without what is the student's, if there is something."""
    if path.is_symlink() or not path.is_file():
        return None
    rest, count = without(path.read_text(encoding="utf-8", errors="replace"))
    mode = path.stat().st_mode & 0o777
    return Step(path, f"{count} lines or entries", partial(write_whole, path, rest, mode)) if count else None


def without_rows(text: str, column: str, student: str) -> tuple[str, int]:
    """A CSV file without a student's rows; without a head, the first column has the names."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    at = rows[0].index(column) if rows and column in rows[0] else 0
    rest = [row for row in rows if not (row and row[at].partition("#")[0].strip() in (student, harmless(student)))]
    page = io.StringIO()
    csv.writer(page, lineterminator="\r\n" if "\r\n" in text else "\n").writerows(rest)
    return page.getvalue(), len(rows) - len(rest)


def without_lines(text: str, student: str) -> tuple[str, int]:
    """A log without the lines that name a student."""
    name, lines = re.compile(rf"(?<![\w.@-]){re.escape(student)}(?![\w.@-])"), text.splitlines(keepends=True)
    rest = [line for line in lines if not name.search(line)]
    return "".join(rest), len(lines) - len(rest)


def without_entries(text: str, student: str) -> tuple[str, int]:
    """JSON without a student's entries: those named so, or beginning with the name and a slash."""
    count = 0

    def rest(what: Any) -> Any:
        nonlocal count
        if isinstance(what, dict):
            kept = {key: value for key, value in what.items() if key != student and not key.startswith(f"{student}/")}
            count += len(what) - len(kept)
            return {key: rest(value) for key, value in kept.items()}
        if isinstance(what, list):
            kept_items = [one for one in what if one != student]
            count += len(what) - len(kept_items)
            return kept_items
        return what

    return json.dumps(rest(json.loads(text)), indent=1, ensure_ascii=False, sort_keys=True) + "\n", count


def write_again(grades: Path, student: str) -> None:
    """The tables and pages of the grades, from the records that are left."""
    if (looks := grades / "worth_a_look.csv").is_file():
        rest, _ = without_rows(looks.read_text(encoding="utf-8"), "student", student)
        write_whole(looks, without_rows(rest, "other student", student)[0])
    with open(grades / "grades.csv", encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(file))
    page = io.StringIO()
    csv.writer(page, lineterminator="\n").writerows([head, *(row for row in rows if row[0] != harmless(student))])
    write_whole(grades / "grades.csv", page.getvalue())
    write_csv(grades / "grades.csv", read_records(grades))
    write_dashboard(grades)


# -- nbgrader's gradebook --------------------------------------------------------------------------------------
def in_gradebook(path: Path, student: str) -> Step | None:
    """The step that removes a student from nbgrader's gradebook, if there."""
    if path.is_symlink() or not path.is_file():
        return None
    database = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    try:
        counts = [database.execute(f"SELECT count(*) FROM {table} WHERE {column} = ?", (student,)).fetchone()[0]
                  for table, column in (("student", "id"), ("submitted_assignment", "student_id"))]
    except sqlite3.Error:
        raise ClassError(f"{path} is not nbgrader's gradebook, or cannot be read. Nothing has been deleted.") from None
    finally:
        database.close()
    if not any(counts):
        return None
    return Step(path, f"the student, with {counts[1]} submissions", partial(remove, path, student))


def remove(path: Path, student: str) -> None:
    """Remove a student from nbgrader's gradebook, by its own means."""
    try:
        from nbgrader.api import Gradebook
    except ImportError:
        raise ClassError(f"{student} is still in {path}: nbgrader must be installed to remove somebody there, with "
                         "pip install \"bnteach[class]\". Then run this again.") from None
    with warnings.catch_warnings(), Gradebook(f"sqlite:///{path.resolve()}") as gradebook:
        warnings.simplefilter("ignore")  # SQLAlchemy's, on how nbgrader removes a submission
        gradebook.remove_student(student)
