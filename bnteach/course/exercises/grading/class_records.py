"""The records of a class, read from the grades' folder, and what there is to be said of them."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import mean

from bnteach.course.exercises.grading.report import Record, harmless, read_record
from bnteach.course.exercises.grading.sandboxes import GradeError
from bnteach.course.exercises.grading.similarity import NAME as LOOKS


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


# -- a class over the term ---------------------------------------------------------------------------------------
Found = dict[tuple[str, str], Record]


def by_student(records: list[Record]) -> Found:
    """{(student, exercise): record}; a graded one before another."""
    graded_last = sorted(records, key=lambda record: record["result"] == "graded")
    return {(record["student"], record["exercise"]): record for record in graded_last}


def share(record: Record | None) -> float | None:
    """The share of the points, if it was graded."""
    return record["points"] / record["of"] if record and record["result"] == "graded" and record["of"] else None


def fallen_behind(records: list[Record], students: list[str], exercises: list[str]) -> dict[str, str]:
    """{student: why}, from the last three exercises; nothing can be said after a single one."""
    last, found, behind = exercises[-3:], by_student(records), {}
    if len(last) < 2:
        return {}
    for student in students:
        absent = [name for name in last if (student, name) not in found]
        shares = {name: one for name in last if (one := share(found.get((student, name)))) is not None}
        if len(absent) > 1:
            behind[student] = f"{len(absent)} of the last {len(last)} exercises not handed in: {', '.join(absent)}"
        elif len(shares) > 1 and (own := mean(shares.values())) < 0.5 * (usual := usual_share(records, shares)):
            behind[student] = f"{own:.0%} of the points in {', '.join(shares)}, where the class has {usual:.0%}"
    return behind


def usual_share(records: list[Record], exercises: Iterable[str]) -> float:
    """What share of the points the class has on average in these exercises."""
    return mean(mean(one for record in records if record["exercise"] == name and (one := share(record)) is not None)
                for name in exercises)
