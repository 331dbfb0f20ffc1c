"""The instructor's page, from the grades' folder alone: who has handed in, the results, and what needs attention.

    grades/dashboard.html      written by `bnteach grade`, and again by `bnteach dashboard grades/`

It counts what the records say and judges nothing anew. Where a question asks for steps, the judge has recorded the
first wrong one; where an answer was a common mistake, it has recorded which. So the page shows what to review in the
next lecture. Students' text is always escaped.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

from bnteach.course.exercises.grading.report import WORDS, harmless, read_record, write_whole
from bnteach.course.exercises.grading.sandboxes import GradeError
from bnteach.course.exercises.grading.similarity import NAME as LOOKS
from bnteach.course.pages import asset

Record = dict[str, Any]
HOWS = ("right", "wrong", "crash", "timeout", "missing", "unjudged")
NAME, ROSTER = "dashboard.html", "students.json"


def write_dashboard(grades: Path, roster: Iterable[str] = ()) -> Path:
    """Write the page into the grades' folder; `roster` are the students of whom something is expected.

    They are kept there, so that the page has them after the next grading, too.
    """
    records, roster, kept = read_records(grades), list(roster), grades / ROSTER
    if roster:
        write_whole(kept, json.dumps(roster, indent=1, ensure_ascii=False) + "\n")
    elif kept.is_file():
        roster = json.loads(kept.read_text(encoding="utf-8"))
    write_whole(grades / NAME, page(records, roster, read_looks(grades)))
    return grades / NAME


def read_records(grades: Path) -> list[Record]:
    """The records behind the rows of grades.csv, each with the name of its page; older ones are left alone."""
    try:
        with open(grades / "grades.csv", encoding="utf-8", newline="") as file:
            rows = {(row["student"], row["exercise"], row["file"]) for row in csv.DictReader(file)}
    except (OSError, KeyError):
        raise GradeError(f"{grades} holds no grades: there is no grades.csv in it, as bnteach grade writes.") from None
    records, found = [], set()
    for path in sorted((grades / "records").glob("*.json")):
        record = read_record(grades, path.stem) or {}
        row = tuple(harmless(record.get(what)) for what in ("student", "exercise", "file"))
        if row in rows:
            found.add(row)
            records.append({**record, "page": f"feedback/{path.stem}.html"})
    if missing := len(rows - found):
        raise GradeError(f"{missing} of the {len(rows)} rows of {grades / 'grades.csv'} have no record in "
                         f"{grades / 'records'} that can be read. Run bnteach grade again: it makes them anew.")
    return sorted(records, key=lambda record: (record["student"], record["exercise"], record["file"]))


def read_looks(grades: Path) -> list[dict[str, str]]:
    """The rows of the table of what is worth a look; none if it was not written."""
    try:
        with open(grades / LOOKS, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))
    except OSError:
        return []


def page(records: list[Record], roster: list[str], looks: Iterable[dict[str, str]] = ()) -> str:
    """The whole page."""
    exercises = sorted({record["exercise"] for record in records if record["exercise"]})
    parts = [_tiles(records, roster),
             *(_exercise([r for r in records if r["exercise"] == e], e, roster) for e in exercises),
             _to_look_at(records), _worth_a_look(looks), _not_handed_in(records, exercises, roster)]
    return (f"<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
            f"content='width=device-width, initial-scale=1'><title>The class</title><style>{asset('dashboard.css')}"
            f"</style></head><body><main><h1>The class</h1>{''.join(parts)}</main></body></html>\n")


# -- numbers ---------------------------------------------------------------------------------------------------------
def _tiles(records: list[Record], roster: list[str]) -> str:
    tiles = [(handed_in(records, roster), "students have handed in"), (len(records), "submissions"),
             (sum(r["result"] == "graded" for r in records), "graded"), (sum(bool(r["late"]) for r in records), "late"),
             (sum(bool(reasons(r)) for r in records), "need a look")]
    return "<ul class='tiles'>" + "".join(f"<li><b>{n}</b><span>{what}</span></li>" for n, what in tiles) + "</ul>"


def handed_in(records: list[Record], roster: list[str]) -> str:
    """How many students there are; with a list, how many of those on it."""
    students = {record["student"] for record in records}
    return f"{len(students & {*roster})} of {len(roster)}" if roster else str(len(students))


def _exercise(records: list[Record], name: str, roster: list[str]) -> str:
    graded = [record for record in records if record["result"] == "graded"]
    if not graded:
        return f"<h2>{escape(name)}</h2><p>None of its {len(records)} submissions could be graded.</p>"
    of = graded[0]["of"]
    points = Counter(int(record["points"]) for record in graded)
    mean = sum(record["points"] for record in graded) / len(graded)
    return (f"<h2>{escape(name)}</h2><p>{handed_in(records, roster)} have handed it in; {len(graded)} graded, "
            f"{mean:.1f} of {of} points on average.</p>"
            f"{_histogram(points, of)}{_bars(graded)}{_wrong_first(graded)}")


def _histogram(points: Counter, of: int) -> str:
    most = max(points.values())
    bars = "".join(f"<span>{points[n] or ''}<i style='height:{85 * points[n] / most:.0f}%'></i>{n}</span>"
                   for n in range(of + 1))
    label = ", ".join(f"{points[n]} with {n}" for n in sorted(points))
    return (f"<h3>Points</h3><div class='points' role='img' aria-label='Number of students by points: {label}'>{bars}"
            f"</div><p class='faint'>Number of students by points, rounded down, out of {of}.</p>")


def _bars(graded: list[Record]) -> str:
    """For each question, how it ended, as parts of a bar."""
    lines = []
    for id, marks in by_question(graded):
        hows = Counter(mark["how"] for mark in marks)
        label = ", ".join(f"{hows[how]} {how}" for how in HOWS if hows[how])
        parts = "".join(f"<span class='{how}' style='flex:{hows[how]} 0 0' title='{hows[how]} {how}'>{hows[how]}</span>"
                        for how in HOWS if hows[how])
        lines.append(f"<div class='name'>{escape(id)} {escape(marks[0]['title'])}</div><div class='bar' role='img' "
                     f"aria-label='{label}'>{parts}</div><div class='share'>{hows['right'] / len(marks):.0%}</div>")
    legend = "".join(f"<li><i class='{how}'></i>{WORDS[how].split(' ', 1)[1]}</li>" for how in HOWS)
    return f"<h3>By question</h3><ul class='legend'>{legend}</ul><div class='bars'>{''.join(lines)}</div>"


def _wrong_first(graded: list[Record]) -> str:
    """The most frequent first errors."""
    rows = []
    for id, marks in by_question(graded):
        wrong = [mark for mark in marks if mark["how"] == "wrong"]
        summary = " ".join(filter(None, (describe_steps(wrong), describe_mistakes(wrong))))
        if wrong:
            example = most_frequent(wrong)["sentence"]
            rows.append(f"<tr><td>{escape(id)} {escape(marks[0]['title'])}</td><td class='number'>{len(wrong)}</td>"
                        f"<td class='why'>{escape(summary)}</td><td class='why faint'>{escape(example)}</td></tr>")
    if not rows:
        return ""
    return ("<h3>What goes wrong first</h3><div class='scroll' tabindex='0' role='group' aria-label='what goes wrong "
            "first'><table><tr><th>question</th><th>not right</th><th>in most cases</th><th>for example</th></tr>"
            f"{''.join(rows)}</table></div>")


def by_question(graded: list[Record]) -> Iterator[tuple[str, list[Record]]]:
    """(question, its marks), in order."""
    ids = {mark["id"] for record in graded for mark in record["questions"]}
    for id in sorted(ids, key=lambda id: tuple(map(int, id.split(".")))):
        yield id, [mark for record in graded for mark in record["questions"] if mark["id"] == id]


def describe_steps(wrong: list[Record]) -> str:
    """Which step is the first wrong one, and how often.

    >>> describe_steps([{"step": 2}, {"step": 2}, {"step": 5}])
    'The first wrong step is step 2 (2 students), step 5 (1).'
    """
    steps = Counter(mark["step"] for mark in wrong if mark.get("step"))
    if not steps:
        return ""
    often = sorted(steps.items(), key=lambda pair: (-pair[1], pair[0]))[:4]
    first, *others = (f"step {step} ({n} student{'s' * (n > 1)})" if i == 0 else f"step {step} ({n})"
                      for i, (step, n) in enumerate(often))
    return f"The first wrong step is {', '.join([first, *others])}{', …' if len(steps) > 4 else ''}."


def describe_mistakes(wrong: list[Record]) -> str:
    """Which common mistakes were made, and how often."""
    mistakes = Counter(mark["mistake"] for mark in wrong if mark.get("mistake"))
    often = sorted(mistakes.items(), key=lambda pair: (-pair[1], pair[0]))[:3]
    return " ".join(f"{n} ×: {mistake.rstrip('.')}." for mistake, n in often)


def most_frequent(wrong: list[Record]) -> Record:
    """One of the most frequent kind among wrong answers."""
    kinds = Counter((mark.get("step"), mark.get("mistake")) for mark in wrong)
    return max(wrong, key=lambda mark: kinds[mark.get("step"), mark.get("mistake")])


# -- people ----------------------------------------------------------------------------------------------------------
def reasons(record: Record) -> list[str]:
    """Why the instructor should look at a submission; empty if there is no reason."""
    why = [record["problem"] or record["result"]] if record["result"] != "graded" else []
    why += [f"{mark['id']}: {mark['sentence']}" for mark in record["questions"] if mark["how"] == "unjudged"]
    gone = [note.split()[2] for note in record["notes"] if re.fullmatch(r"the cell \S+ is gone", note)]
    why += [f"gone: {', '.join(gone)}"] if gone else []
    ended = [mark["id"] for mark in record["questions"] if mark["how"] in ("crash", "timeout")]
    if len(ended) > 1 and not any(mark["how"] == "right" for mark in record["questions"]):
        why.append(f"nothing is right, and {len(ended)} answers stop with an error or do not end: perhaps one slip")
    return why


def _to_look_at(records: list[Record]) -> str:
    rows = [f"<tr><td><a href='{escape(record['page'])}'>{escape(record['student'])}</a></td>"
            f"<td class='exercise'>{escape(record['exercise'] or '?')}</td>"
            f"<td class='why'>{'<br>'.join(map(escape, why))}</td></tr>"
            for record in records if (why := reasons(record))]
    if not rows:
        return "<h2>To look at</h2><p>No notebook needs a look.</p>"
    return ("<h2>To look at</h2><div class='scroll' tabindex='0' role='group' aria-label='to look at'><table>"
            f"<tr><th>student</th><th>exercise</th><th>why</th></tr>{''.join(rows)}</table></div>")


def _worth_a_look(looks: Iterable[dict[str, str]]) -> str:
    """What may have been copied: a hint, not a verdict."""
    rows = [f"<tr><td>{escape(look['student'])}{escape(' and ' * bool(look['other student']) + look['other student'])}"
            f"</td><td class='exercise'>{escape(look['exercise'])}</td><td class='why'>{escape(look['what'])}</td></tr>"
            for look in looks]
    if not rows:
        return ""
    return ("<h2>Worth a look</h2><p>Code that is alike, or that was perhaps written elsewhere. This is no verdict: "
            "people who work together, or who read the same book, write alike. Read the notebooks, and ask.</p>"
            "<div class='scroll' tabindex='0' role='group' aria-label='worth a look'><table>"
            f"<tr><th>student</th><th>exercise</th><th>what</th></tr>{''.join(rows)}</table></div>")


def _not_handed_in(records: list[Record], exercises: list[str], roster: list[str]) -> str:
    lines = []
    for exercise in exercises:
        there = {record["student"] for record in records if record["exercise"] == exercise}
        if missing := [student for student in roster if student not in there]:
            lines.append(f"<h3>{escape(exercise)}</h3><p>{len(missing)}: {escape(', '.join(missing))}</p>")
    sections = f"<h2>Not handed in</h2>{''.join(lines)}" if lines else ""
    if others := sorted({record["student"] for record in records} - {*roster}) if roster else []:
        sections += f"<h2>Not on your list</h2><p>{len(others)}: {escape(', '.join(others))}</p>"
    return sections


def read_roster(path: Path) -> list[str]:
    """The students in a file: one per line, or the first column of a CSV file headed `student`; # starts a comment."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            names = [row[0].partition("#")[0].strip() for row in csv.reader(file) if row]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise GradeError(f"the list of students {path} cannot be read: {error}.") from None
    names = list(dict.fromkeys(filter(None, names)))
    return names[1:] if names[:1] == ["student"] else names
