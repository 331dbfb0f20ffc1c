"""From the judge's marks to those that count: changes by hand, deadlines, extensions and late rules.

A record keeps the judge's own marks, when it was handed in and what its deadline was. So what counts follows whenever a
mark is changed by hand, or a deadline, an extension or a late rule, and nothing has to be graded again for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bnteach.course.exercises.grading import by_hand
from bnteach.course.exercises.grading.asked import Requests, read_requests, with_requests
from bnteach.course.exercises.grading.dashboard import read_records
from bnteach.course.exercises.grading.late import (
    ALL,
    Extensions,
    Rule,
    known_deadlines,
    read_extensions,
    read_rules,
    save,
)
from bnteach.course.exercises.grading.report import Record, read_record, write_record
from bnteach.course.exercises.grading.sandboxes import GradeError
from bnteach.course.exercises.grading.times import UNKNOWN, lateness, minutes_late, read_time
from bnteach.course.exercises.questions.base import as_points


@dataclass(frozen=True)
class Terms:
    """All that is done to the judge's marks: deadlines, extensions, the late rules, and changes by hand."""

    due: str
    noted: Mapping[str, str]
    extensions: Extensions
    rules: Mapping[str, Rule]
    changes: by_hand.Changes
    requests: Requests

    def settled(self, record: Record, time: str) -> Record:
        """The record of something handed in at this time, as it counts."""
        record = {**record, "time": time, "due": self.due_of(record["exercise"], time, record.get("due", ""))}
        record.pop("extension", None)
        if more := self.extensions.get(record["exercise"], {}).get(record["student"]):
            record["extension"] = more
        return settled(record, self.changes, self.rules, self.requests)

    def due_of(self, exercise: str, time: str, before: str) -> str:
        """The deadline of an exercise: that of the command, or the one that was noted, or the one it had before.

        One time for all exercises says nothing of one that was found late before: its deadline may have been another.
        """
        if not self.due:
            return self.noted.get(exercise, before)
        return before if lateness(time, before) and not lateness(time, self.due) else self.due


def terms_of(folder: Path, grades: Path, due: str = "") -> Terms:
    """The terms of a class: from the folder of its submissions, and from its grades."""
    if due and not read_time(due):
        raise GradeError(f"--due {due!r} is no time; write it as 2026-05-01 23:59 or 2026-05-01 23:59+02:00.")
    return Terms(read_time(due), known_deadlines(folder), read_extensions(folder), read_rules(grades),
                 by_hand.read_changes(grades), read_requests(grades))


def settled(record: Record, changes: by_hand.Changes, rules: Mapping[str, Rule], requests: Requests) -> Record:
    """The record with changes by hand and without what its lateness costs. Doing it twice changes nothing."""
    record = by_hand.applied({key: value for key, value in record.items() if key not in ("lost", "why_lost")}, changes)
    record = with_requests(record, requests)
    if "time" not in record:
        return record
    due = max(record["due"], record.get("extension", {}).get("until", ""))
    late = lateness(record["time"], due)
    record = {**record, "late": late}
    rule = rules.get(record["student"], rules.get(ALL))
    if rule is None or late in ("", UNKNOWN) or not record["questions"]:
        return record
    lost = min(rule.lost(minutes_late(record["time"], due), record["of"]), record["points"])
    if not lost:
        return record
    return {**record, "points": as_points(record["points"] - lost), "lost": lost, "why_lost": str(rule)}


def settle_all(grades: Path, terms: Terms) -> int:
    """Apply the terms to every record of a folder of grades; returns how many have changed."""
    changed = 0
    for path in sorted((grades / "records").glob("*.json")):
        before = read_record(grades, path.stem)
        if before and "time" in before and (after := terms.settled(before, before["time"])) != before:
            write_record(grades, path.stem, after)
            changed += 1
    return changed


# -- by hand ---------------------------------------------------------------------------------------------------
def change_mark(grades: Path, student: str, question: str, points: float | None, reason: str) -> Record:
    """Change a mark, or with None take the change back; returns the record as it is now."""
    name, record = find_record(grades, student, question)
    mark = next(mark for mark in record["questions"] if mark["id"] == question)
    changes, key = by_hand.read_changes(grades), by_hand.key_of(record["student"], record["exercise"], question)
    if points is None:
        if changes.pop(key, None) is None:
            raise GradeError(f"the mark of {student} in {question} was not changed by hand.")
    else:
        check_points(mark, points)
        if not reason.strip():
            raise GradeError("a mark by hand needs a reason, which the student reads too: --reason \"…\".")
        changes[key] = {"points": as_points(points), "reason": reason.strip(), "time": by_hand.now()}
    save(grades / by_hand.NAME, changes)
    record = settled(record, changes, read_rules(grades), read_requests(grades))
    write_record(grades, name, record)
    return record


def check_points(mark: Record, points: float) -> None:
    """Raise GradeError if a question cannot have so many points."""
    if not 0 <= points <= mark["of"]:
        raise GradeError(f"{mark['id']} has {mark['of']} points; {points} is not between 0 and {mark['of']}.")


def find_record(grades: Path, student: str, question: str) -> tuple[str, Record]:
    """(name, record) of the graded submission of a student that answers a question."""
    found = [(Path(record["page"]).stem, {key: value for key, value in record.items() if key != "page"})
             for record in read_records(grades)
             if record["student"] == student and any(mark["id"] == question for mark in record["questions"])]
    if len(found) != 1:
        how = "no graded submission" if not found else f"{len(found)} graded submissions"
        raise GradeError(f"{grades} has {how} of {student!r} with question {question!r}. Give the student's name as "
                         "it is in the column `student` of grades.csv, and the question as 7.4.")
    return found[0]
