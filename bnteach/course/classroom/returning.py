"""Back to the students: each one's feedback page, through nbgrader, or in a folder with a table for a mail merge.

    class/feedback/ann/07_chow_liu/07_chow_liu.html      where nbgrader's release_feedback takes it from
    EXCHANGE/COURSE/feedback/SUM.html                    where ann finds it, with a secret of her own submission

    returned/ann/07_chow_liu.html      for those who handed in another way
    returned/mail.csv                  student, exercise, points, of, late, file

A page shows the student's own marks, the first step that differed, a hint; never a solution, and nothing of others.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bnteach.course.classroom.exchange import ClassError, Nbgrader
from bnteach.course.classroom.gradebook import NEEDED, submitted
from bnteach.course.classroom.totals import write_csv
from bnteach.course.exercises.grading.dashboard import read_records
from bnteach.course.exercises.grading.report import harmless, safe_name

HEAD = ("student", "exercise", "points", "of", "late", "file")
Record = dict[str, Any]


def records_of(grades: Path, exercise: str) -> list[Record]:
    """The records of an exercise, each with the name of its page."""
    records = [record for record in read_records(grades) if record["exercise"] == exercise]
    if not records:
        raise ClassError(f"{grades} has no grades of {exercise}.")
    return records


# -- through nbgrader ----------------------------------------------------------------------------------------------
def return_by_nbgrader(nbgrader: Nbgrader, grades: Path, exercise: str) -> tuple[list[str], dict[str, str]]:
    """Release the pages of an exercise; (who has one, {student: why there is none})."""
    done, left = [], {}
    for record in records_of(grades, exercise):
        student = record["student"]
        if problem := place_page(nbgrader, grades, record):
            left[student] = problem
        else:
            done.append(student)
    if done:
        nbgrader.exchange("ReleaseFeedback", exercise)
    return done, left


def place_page(nbgrader: Nbgrader, grades: Path, record: Record) -> str:
    """Put a page where nbgrader's release_feedback looks for it; why not, if it cannot be."""
    collected, problem = submitted(nbgrader, record)
    if problem:
        return problem
    place = nbgrader.folder_of("feedback", record["student"], record["exercise"])
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    shutil.copyfile(grades / record["page"], place / f"{Path(record['file']).stem}.html")
    for name in NEEDED:
        shutil.copyfile(collected / name, place / name)
    return ""


# -- in a folder ---------------------------------------------------------------------------------------------------
def return_pages(grades: Path, exercise: str, out: Path, students: Sequence[str] | None = None) -> list[Path]:
    """Copy the pages of an exercise, of all or of some students, to folders, one per student, and write mail.csv."""
    rows: list[tuple[object, ...]] = [HEAD]
    pages: list[Path] = []
    for record in records_of(grades, exercise):
        if students is not None and record["student"] not in students:
            continue
        folder = out / safe_name(record["student"], "", "").rpartition("-unknown-")[0]
        page = folder / f"{exercise}.html"
        if page in pages:  # names that differ only in what a file's name cannot have
            page = folder / f"{Path(record['page']).stem}.html"
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(grades / record["page"], page)
        pages.append(page)
        rows.append((record["student"], exercise, record["points"], record["of"], record["late"],
                     str(page.relative_to(out))))
    write_csv(out / "mail.csv", [[harmless(cell) for cell in row] for row in rows])
    return pages
