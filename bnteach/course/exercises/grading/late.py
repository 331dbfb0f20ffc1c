"""Deadlines, the class's and those of single students, and what it costs to be late.

    submitted/.deadlines.json      {exercise: time}, from nbgrader's gradebook, by `nbgrader collect`
    submitted/.extensions.json     {exercise: {student: until when, and why}}, from `bnteach class extend`
    grades/late_rule.json          what a day costs, for all and for single students, from `bnteach class late`

How they change a record is in settle.py. Where the time of a submission is not known, neither is its lateness: it is
"unknown", and costs nothing.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bnteach.course.exercises.grading.report import write_whole
from bnteach.course.exercises.grading.sandboxes import GradeError
from bnteach.course.exercises.grading.times import deadlines_in, read_time
from bnteach.course.exercises.questions.base import as_points

EXTENSIONS, RULE, ALL = ".extensions.json", "late_rule.json", ""
Extensions = dict[str, dict[str, dict[str, str]]]
"""{"07_chow_liu": {"ann": {"until": "2027-05-08T23:59:00+00:00", "reason": "…"}}}"""


@dataclass(frozen=True)
class Rule:
    """What each day begun costs, in points ("1") or as a share of the exercise's points ("10%")."""

    per_day: str = "0"
    at_most: str = "100%"
    grace: int = 0  # minutes that cost nothing
    reason: str = ""  # why a student has a rule of their own

    def lost(self, late: int, of: float) -> float:
        """The points that so many minutes cost.

        >>> Rule("10%", at_most="50%", grace=15).lost(15, 20), Rule("10%").lost(1441, 20), Rule("1").lost(1, 20)
        (0, 4, 1)
        """
        days = 0 if late <= self.grace else -(-max(late, 1) // 1440)
        return as_points(min(days * amount(self.per_day, of), amount(self.at_most, of)))

    def __str__(self) -> str:
        each = f"{self.per_day}{'' if self.per_day.endswith('%') else ' points'}"
        most = "" if self.at_most == "100%" else f", at most {self.at_most}"
        grace = f", after {self.grace} minutes of grace" if self.grace else ""
        why = f" ({self.reason})" if self.reason else ""
        return f"{each} per day begun{most}{grace}{why}"


def amount(text: str, of: float) -> float:
    """Points, given as such or as a share.

    >>> amount("1.5", 20), amount("10%", 20)
    (1.5, 2.0)
    """
    return float(text[:-1]) * of / 100 if text.endswith("%") else float(text)


def check_amount(text: str) -> str:
    """A text that says how many points; an error if it does not."""
    if not re.fullmatch(r"\d+(\.\d+)?%?", text):
        raise GradeError(f"{text!r} is neither points nor a share of them: give 1, 0.5 or 10%.")
    return text


def known_deadlines(folder: Path) -> dict[str, str]:
    """{exercise: time}, as they were noted beside the submissions."""
    try:
        return deadlines_in(folder)
    except ValueError as error:
        raise GradeError(str(error)) from None


# -- files -----------------------------------------------------------------------------------------------------
def read_extensions(folder: Path) -> Extensions:
    """All extensions."""
    path = folder / EXTENSIONS
    if path.is_symlink() or not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        assert all(read_time(one["until"]) and one["reason"] for those in found.values() for one in those.values())
    except (ValueError, TypeError, KeyError, AttributeError, AssertionError):
        raise GradeError(f"the extensions in {path} cannot be read: restore it from a backup, or remove it and give "
                         "them again.") from None
    return found


def extend(folder: Path, student: str, exercise: str, until: str, reason: str) -> None:
    """Give a student until this time, or with an empty time take the extension back."""
    extensions, time, due = read_extensions(folder), read_time(until), known_deadlines(folder).get(exercise, "")
    those = extensions.setdefault(exercise, {})
    if not until:
        if those.pop(student, None) is None:
            raise GradeError(f"{student} has no extension for {exercise}.")
    elif not time:
        raise GradeError(f"{until!r} is no time; write it as 2027-05-08 23:59 or 2027-05-08 23:59+02:00.")
    elif not reason.strip():
        raise GradeError("an extension needs a reason, which the student reads too: --reason \"…\".")
    elif time < due:
        raise GradeError(f"{time} is before the class's deadline for {exercise}, {due}.")
    else:
        those[student] = {"until": time, "reason": reason.strip()}
    save(folder / EXTENSIONS, {name: those for name, those in extensions.items() if those})


def read_rules(grades: Path) -> dict[str, Rule]:
    """The late rules; that of all students is under the empty name."""
    path = grades / RULE
    if not path.is_file():
        return {}
    try:
        rules = {student: Rule(**rule) for student, rule in json.loads(path.read_text(encoding="utf-8")).items()}
        for rule in rules.values():
            check_amount(rule.per_day), check_amount(rule.at_most), int(rule.grace)
    except (ValueError, TypeError, AttributeError):
        raise GradeError(f"the late rule in {path} cannot be read: remove it, and give it again with "
                         "`bnteach class late`.") from None
    return rules


def set_rule(grades: Path, student: str, rule: Rule | None) -> None:
    """Set the rule of all, or of one student; with None remove it."""
    rules = read_rules(grades)
    rules.pop(student, None)
    if rule is not None:
        check_amount(rule.per_day), check_amount(rule.at_most)
        if rule.grace < 0:
            raise GradeError(f"{rule.grace} minutes of grace: give 0 or more.")
        if student and not rule.reason.strip():
            raise GradeError("a rule for one student needs a reason: --reason \"…\".")
        rules[student] = rule
    save(grades / RULE, {name: asdict(rule) for name, rule in rules.items()})


def save(path: Path, content: Any) -> None:
    """Write JSON that only its owner reads."""
    write_whole(path, json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n", 0o600)
