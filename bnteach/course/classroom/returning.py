"""Back to the students: each one's feedback page, in a folder of their own, and a table for a mail merge.

    returned/ann/07_chow_liu.html      what the student sees: marks, the first step that differed, hints
    returned/mail.csv                  student, exercise, points, of, late, file

A page shows the student's own marks and sentences; never a solution, and nothing of others.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from bnteach.course.classroom.exchange import ClassError
from bnteach.course.classroom.totals import write_csv
from bnteach.course.exercises.grading.dashboard import read_records
from bnteach.course.exercises.grading.report import harmless, safe_name

HEAD = ("student", "exercise", "points", "of", "late", "file")


def return_pages(grades: Path, exercise: str, out: Path) -> list[Path]:
    """Copy the pages of an exercise to folders, one per student, and write mail.csv."""
    records = [record for record in read_records(grades) if record["exercise"] == exercise]
    if not records:
        raise ClassError(f"{grades} has no grades of {exercise}.")
    rows, pages = [HEAD], []
    for record in records:
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
