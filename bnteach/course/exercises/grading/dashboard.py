"""The instructor's page, from the grades' folder alone: who has handed in, the results, and what needs attention.

    grades/dashboard.html      written by `bnteach grade`, and again by `bnteach dashboard grades/`

It counts what the records say and judges nothing anew. Where a question asks for steps, the judge has recorded the
first wrong one; where an answer was a common mistake, it has recorded which. So the page shows what to review in the
next lecture. Every figure is a link to those whom it counts (details.py). Students' text is always escaped.
"""

from __future__ import annotations

import csv
import json
import os
from collections import Counter
from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import TypeVar

from bnteach.course.exercises.grading import people
from bnteach.course.exercises.grading.class_records import (
    by_question,
    describe_mistakes,
    describe_steps,
    most_frequent,
    read_looks,
    read_records,
    reasons,
)
from bnteach.course.exercises.grading.details import FOLDER, HOWS, SIGNS, frame, link, page_of, pages, table
from bnteach.course.exercises.grading.editions import corrections
from bnteach.course.exercises.grading.report import WORDS, Record, write_whole
from bnteach.course.exercises.grading.sandboxes import GradeError
from bnteach.course.exercises.grading.times import UNKNOWN

T = TypeVar("T")
NAME, ROSTER, SUBMISSIONS = "dashboard.html", "students.json", "submissions.json"


def write_dashboard(grades: Path, roster: Iterable[str] = (), submissions: Path | None = None) -> Path:
    """Write the page into the grades' folder, and those behind it; `roster` are the students who are expected.

    The roster, and where the submissions are, are kept there, so that the page has them after the next grading, too.
    """
    records = read_records(grades)
    names = kept(grades / ROSTER, list(roster))
    folder = kept(grades / SUBMISSIONS, os.path.relpath(submissions, grades) if submissions else "")
    details = dict(pages(grades, records, grades / folder if folder else None))
    for path, content in details.items():
        write_whole(path, content)
    for path in {*(grades / FOLDER).glob("*.html")} - {*details}:
        path.unlink()
    write_whole(grades / NAME, page(records, names, read_looks(grades)))
    return grades / NAME


def kept(path: Path, new: T) -> T:
    """What is kept in a file: the new, if there is any, or else what was kept there before."""
    if new:
        write_whole(path, json.dumps(new, indent=1, ensure_ascii=False) + "\n")
    elif path.is_file():
        before: T = json.loads(path.read_text(encoding="utf-8"))
        return before
    return new


def page(records: list[Record], roster: list[str], looks: Iterable[dict[str, str]] = ()) -> str:
    """The whole page."""
    exercises = sorted({record["exercise"] for record in records if record["exercise"]})
    looks = list(looks)
    parts = [_tiles(records, roster, len(looks)), _corrected(records),
             *(_exercise([r for r in records if r["exercise"] == e], e, roster) for e in exercises),
             people.to_look_at(records), people.worth_a_look(looks, records), people.behind(records, exercises, roster),
             people.term(records, exercises, roster), people.late(records),
             people.not_handed_in(records, exercises, roster)]
    return frame("The class", parts)


# -- numbers ---------------------------------------------------------------------------------------------------------
def _tiles(records: list[Record], roster: list[str], alike: int) -> str:
    lates = Counter("unknown" if record["late"] == UNKNOWN else "late" for record in records if record["late"])
    deadline = any(record.get("due") or record["late"] for record in records)
    tiles = [(handed_in(records, roster), "students have handed in", "#students"),
             (len(records), "submissions", "#students"),
             (sum(r["result"] == "graded" for r in records), "graded", "#students"),
             (lates["late"], "late", "#late") if deadline else ("–", "late: no deadline was given", ""),
             *([(lates["unknown"], "without a time: late or not is unknown", "#late")] if lates["unknown"] else []),
             (sum(bool(reasons(r)) for r in records), "need a look", "#look"),
             *([(alike, "worth a look: alike, or pasted", "#alike")] if alike else [])]
    return "<ul class='tiles'>" + "".join(
        f"<li><b>{link(to, str(n), aria_label=f'{n} {what}') if to and n else n}</b><span>{what}</span></li>"
        for n, what, to in tiles) + "</ul>"


def handed_in(records: list[Record], roster: list[str]) -> str:
    """How many students there are; with a list, how many of those on it."""
    students = {record["student"] for record in records}
    return f"{len(students & {*roster})} of {len(roster)}" if roster else str(len(students))


def _corrected(records: list[Record]) -> str:
    return "".join(f"<p class='note'>{escape(line)}</p>" for line in corrections(records))


def _exercise(records: list[Record], name: str, roster: list[str]) -> str:
    graded = [record for record in records if record["result"] == "graded"]
    if not graded:
        return f"<h2>{escape(name)}</h2><p>None of its {len(records)} submissions could be graded.</p>"
    of = graded[0]["of"]
    points = Counter(int(record["points"]) for record in graded)
    mean = sum(record["points"] for record in graded) / len(graded)
    return (f"<h2>{escape(name)}</h2><p>{handed_in(records, roster)} have handed it in; {len(graded)} graded, "
            f"{mean:.1f} of {of} points on average. {link(page_of(name), 'The students behind every figure')}</p>"
            f"{_histogram(points, of, name)}{_bars(graded, name)}{_wrong_first(graded, name)}")


def _histogram(points: Counter[int], of: int, name: str) -> str:
    most = max(points.values())
    bars = "".join(f"<span>{_points(name, n, points[n])}<i style='height:{80 * points[n] / most:.0f}%'></i>{n}</span>"
                   for n in range(of + 1))
    label = ", ".join(f"{points[n]} with {n}" for n in sorted(points))
    return (f"<h3>Points</h3><div class='points' role='group' aria-label='Number of students by points: {label}'>{bars}"
            f"</div><p class='faint'>Number of students by points, rounded down, out of {of}.</p>")


def _points(name: str, points: int, students: int) -> str:
    if not students:
        return ""
    return link(f"{page_of(name)}#points-{points}", str(students), aria_label=f"{students} with {points} points")


def _bars(graded: list[Record], name: str) -> str:
    """For each question, how it ended, as parts of a bar."""
    lines = []
    for id, marks in by_question(graded):
        hows, details = Counter(mark["how"] for mark in marks), f"{page_of(name)}#q-{id}"
        label = ", ".join(f"{hows[how]} {how}" for how in HOWS if hows[how])
        parts = "".join(f"<a class='{how}' style='flex:{hows[how]} 0 0' href='{escape(details)}-{how}' "
                        f"title='{hows[how]} {how}' aria-label='{id}: {hows[how]} {how}'>{hows[how]} {SIGNS[how]}</a>"
                        for how in HOWS if hows[how])
        lines.append(f"<div class='name'>{link(details, id + ' ' + marks[0]['title'])}</div>"
                     f"<div class='bar' role='group' aria-label='{label}'>{parts}</div>"
                     f"<div class='share'>{hows['right'] / len(marks):.0%}</div>")
    legend = "".join(f"<li><i class='{how}'>{SIGNS[how]}</i>{WORDS[how].split(' ', 1)[1]}</li>" for how in HOWS)
    return f"<h3>By question</h3><ul class='legend'>{legend}</ul><div class='bars'>{''.join(lines)}</div>"


def _wrong_first(graded: list[Record], name: str) -> str:
    """The most frequent first errors."""
    rows = []
    for id, marks in by_question(graded):
        wrong = [mark for mark in marks if mark["how"] == "wrong"]
        summary = " ".join(filter(None, (describe_steps(wrong), describe_mistakes(wrong))))
        if wrong:
            details = f"{page_of(name)}#q-{id}-wrong"
            rows.append(f"<tr><td>{escape(id)} {escape(marks[0]['title'])}</td><td class='number'>"
                        f"{link(details, str(len(wrong)), aria_label=f'{id}: {len(wrong)} not right')}</td>"
                        f"<td class='why'>{escape(summary)}</td>"
                        f"<td class='why faint'>{escape(most_frequent(wrong)['sentence'])}</td></tr>")
    if not rows:
        return ""
    return "<h3>What goes wrong first</h3>" + table(
        f"what goes wrong first in {name}", ("question", "not right", "in most cases", "for example"), rows)


def read_roster(path: Path) -> list[str]:
    """The students in a file: one per line, or the first column of a CSV file headed `student`; # starts a comment."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            names = [row[0].partition("#")[0].strip() for row in csv.reader(file) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise GradeError(f"the list of students {path} cannot be read: {error}.") from None
    names = list(dict.fromkeys(filter(None, names)))
    return names[1:] if names[:1] == ["student"] else names
