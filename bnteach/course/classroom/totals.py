"""The term's table of marks, and the same marks in the files that Moodle and Canvas import.

Both import what they have exported, so their file is filled in and nothing else in it is changed:

    Moodle    Assignment > View all submissions > Download grading worksheet. Its importer looks for the columns
              Identifier, Grade and Last modified (grade); the assignment needs "Offline grading worksheet" switched on,
              and points, not a scale or a rubric. It passes over empty grades, and those that are locked, above the
              maximum, or changed in Moodle since the worksheet was downloaded.
    Canvas    Grades > Export. Its importer wants Student (or LastName, FirstName), ID, the SIS columns, Section, then a
              column per assignment, "Exercise 7 (4711)", and a row "Points Possible"; commas or semicolons. Empty
              grades change nothing. Who is excused there (EX) stays so, and is reported.

Both were compared with their importers: Moodle's mod/assign/feedback/offline, Canvas's gradebook_importer.rb.

A student of the class is found there by e-mail address, login, name, or Moodle's participant number. Students who are
not found are reported, and no mark is ever given to somebody who is only similar.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bnteach.course.classroom.exchange import ClassError
from bnteach.course.exercises.grading.dashboard import read_records
from bnteach.course.exercises.grading.report import harmless, write_whole
from bnteach.course.exercises.questions.base import as_points

MOODLE = ("Identifier", "Grade", "Last modified (grade)")
CANVAS = ("ID", "Section")
EXCUSED, READ_ONLY = "EX", "(read only)"
NAMES = ("Email address", "Full name", "Username", "ID number", "SIS Login ID", "SIS User ID", "ID", "Student")
Rows = list[list[str]]


@dataclass(frozen=True)
class Totals:
    """Points by student and exercise; an exercise that a student has not handed in has none."""

    students: tuple[str, ...]
    exercises: tuple[str, ...]
    points: dict[tuple[str, str], float]
    of: dict[str, int]

    def total(self, student: str) -> float:
        """All points of a student."""
        return as_points(sum(self.points.get((student, exercise), 0) for exercise in self.exercises))


def totals(folders: Sequence[Path], roster: Iterable[str] = ()) -> Totals:
    """The marks in one or more folders of grades, for all who handed in and all who should have."""
    points: dict[tuple[str, str], float] = {}
    of: dict[str, int] = {}
    come_from: dict[tuple[str, str], Path] = {}
    for folder in folders:
        for record in read_records(folder):
            key = record["student"], record["exercise"]
            if record["result"] != "graded":
                continue
            if key in points:
                raise ClassError(f"{key[0]} has two marks for {key[1]}, in {come_from[key]} and in {folder}: give "
                                 "folders that do not overlap.")
            points[key], of[record["exercise"]], come_from[key] = record["points"], record["of"], folder
    students = sorted({student for student, _ in points} | set(roster))
    return Totals(tuple(students), tuple(sorted(of)), points, of)


def write_totals(table: Totals, path: Path) -> None:
    """The table as a CSV file: a row per student, a column per exercise, the sum and its share."""
    whole = sum(table.of.values())
    rows = [["student", *table.exercises, "total", "of", "percent"]]
    for student in table.students:
        total = table.total(student)
        rows.append([student, *(table.points.get((student, exercise), "") for exercise in table.exercises),
                     total, whole, round(100 * total / whole, 1) if whole else ""])
    write_csv(path, [[harmless(cell) for cell in row] for row in rows])


# -- what Moodle and Canvas import ---------------------------------------------------------------------------------
def fill_moodle(worksheet: Path, table: Totals, exercise: str, out: Path) -> list[str]:
    """Fill in a grading worksheet of Moodle; returns the students whose marks found no row."""
    rows = read_csv(worksheet, MOODLE, "a grading worksheet of Moodle, in English")
    head = rows[0]
    grade = head.index("Grade")
    most = head.index("Maximum grade") if "Maximum grade" in head else None
    found, left = matched(rows, 1, table, exercise)
    for i, student in found.items():
        whole = number(rows[i][most]) if most is not None else None
        rows[i][grade] = scaled(table.points[student, exercise], table.of[exercise], whole)
    write_csv(out, rows, delimiter_in(worksheet))
    return left


def fill_canvas(gradebook: Path, table: Totals, exercise: str, out: Path, column: str = "") -> list[str]:
    """Fill in a column of a gradebook of Canvas; returns the students whose marks found no row."""
    rows = read_csv(gradebook, CANVAS, "a gradebook of Canvas")
    at = canvas_column(rows[0], exercise, column)
    possible = next((i for i, row in enumerate(rows) if "Points Possible" in row[0]), 0)
    if possible and rows[possible][at].strip() == READ_ONLY:
        raise ClassError(f"{rows[0][at]!r} is read only in Canvas: give an assignment's column, with --column.")
    whole = number(rows[possible][at]) if possible else None
    found, left = matched(rows, possible + 1, table, exercise)
    for i, student in found.items():
        if rows[i][at].strip().upper() == EXCUSED:
            left.append(f"{student} (excused in Canvas)")
        else:
            rows[i][at] = scaled(table.points[student, exercise], table.of[exercise], whole)
    write_csv(out, rows, delimiter_in(gradebook))
    return left


def canvas_column(head: list[str], exercise: str, column: str) -> int:
    """The column of an assignment: the one that is named, or else the one that begins with the exercise's name."""
    wanted = column or exercise
    titles = {i: re.sub(r" \(\d+\)$", "", title).strip() for i, title in enumerate(head)}
    found = [i for i, title in titles.items() if wanted in (title, head[i])]
    if len(found) != 1:
        raise ClassError(f"the gradebook has {len(found)} columns called {wanted!r}. Its columns: {', '.join(head)}. "
                         "Name the assignment's column, with --column \"Exercise 7\".")
    return found[0]


def matched(rows: Rows, first: int, table: Totals, exercise: str) -> tuple[dict[int, str], list[str]]:
    """{row: student} for the marks of an exercise, and the students for whom there is no row, or more than one."""
    rows_of: dict[str, set[int]] = {}
    for i, row in enumerate(rows[first:], first):
        for name in names_in(dict(zip(rows[0], row))):
            rows_of.setdefault(name, set()).add(i)
    found, left = {}, []
    for student in (student for student, done in table.points if done == exercise):
        number_of = re.fullmatch(r".+_(\d+)", student)  # as Moodle names the folder of a submission
        places = rows_of.get(student.casefold()) or (rows_of.get(f"participant {number_of[1]}") if number_of else None)
        if places and len(places) == 1 and not places & found.keys():
            found[min(places)] = student
        else:
            left.append(student)
    return found, left


def names_in(row: dict[str, str]) -> set[str]:
    """Everything that a row calls its student, without regard to capitals."""
    names = {row[column].strip().casefold() for column in (*NAMES, "Identifier") if row.get(column, "").strip()}
    return names | {name.partition("@")[0] for name in names if "@" in name}


def scaled(points: float, of: int, whole: float | None) -> str:
    """Points on the scale of the other system, if it has another maximum.

    >>> scaled(6, 12, 100.0), scaled(6.5, 12, None), scaled(6, 12, 12.0)
    ('50', '6.5', '6')
    """
    return f"{points if not whole or whole == of else round(points * whole / of, 2):g}"


def number(text: str) -> float | None:
    """A number as Moodle and Canvas write it, or None."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return None


# -- files ---------------------------------------------------------------------------------------------------------
def read_csv(path: Path, needed: Sequence[str], what: str) -> Rows:
    """The rows of a CSV file that has these columns; every row as long as the head."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            text = file.read()
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text.partition("\n")[0])))
    except (UnicodeDecodeError, csv.Error) as error:
        raise ClassError(f"{path} cannot be read as CSV: {error}. Export it again, as CSV in UTF-8.") from None
    if missing := [column for column in needed if column not in (rows[0] if rows else [])]:
        raise ClassError(f"{path} is not {what}: it has no column {missing[0]!r}.")
    return [[*row, *[""] * (len(rows[0]) - len(row))] for row in rows]


def delimiter_of(head: str) -> str:
    """What separates the cells of a head: Canvas also writes semicolons.

    >>> delimiter_of('Student;ID;"Essay, short (1)"'), delimiter_of("Student,ID")
    (';', ',')
    """
    return ";" if head.count(";") > head.count(",") else ","


def delimiter_in(path: Path) -> str:
    """What separates the cells of a file."""
    with open(path, encoding="utf-8-sig") as file:
        return delimiter_of(file.readline())


def write_csv(path: Path, rows: Iterable[Iterable[object]], delimiter: str = ",") -> None:
    """A CSV file, written completely or not at all."""
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\r\n").writerows(rows)
    write_whole(path, text.getvalue(), mode=0o600)
