"""Which edition of an exercise a mark comes from: of its text, and of its judge.

An exercise may be corrected in the middle of the term. What was handed in before is then graded by the corrected judge,
with the same secret, the next time that `bnteach grade` runs; answers are found by the ids of their cells, as before.
Nothing is lost: changes by hand stay, and a record keeps the marks of earlier editions, so that it can be seen whose
marks have changed. What belongs to a judge is its module and what that imports from the course; a correction in the
library itself is not noticed, and takes `bnteach grade --again`.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from bnteach.course.exercises.release import Exercise

Record = dict[str, Any]
PACKAGE = Path(__file__).parents[3]
COURSE, QUESTIONS = "bnteach.course.", "bnteach.course.exercises.questions"


def edition_of(exercise: Exercise) -> str:
    """The edition of an exercise's text, and of its judge."""
    return f"{exercise.digest}.{judge(exercise.lesson)}"


@cache
def judge(lesson: int) -> str:
    """A checksum of the sources that judge a lesson's exercise."""
    sources = hashlib.sha256()
    for path in sorted(modules([f"{QUESTIONS}.q{lesson:02}", f"{COURSE}exercises.grading.judging"])):
        sources.update(path.name.encode() + b"\0" + path.read_bytes())
    return sources.hexdigest()[:8]


def modules(names: Iterable[str]) -> set[Path]:
    """The files of some modules of the course, and of those that they import."""
    found: set[Path] = set()
    waiting = list(names)
    while waiting:
        path = (PACKAGE.parent / waiting.pop().replace(".", "/")).with_suffix(".py")
        if path.is_file() and path not in found:
            found.add(path)
            waiting += imports(path)
    return found


def imports(path: Path) -> Iterator[str]:
    """The names of the course's modules that a file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(COURSE):
            yield node.module or ""
            yield from (f"{node.module}.{name.name}" for name in node.names)


# -- records -----------------------------------------------------------------------------------------------------
def edition_and_earlier(exercise: Exercise | None, before: Record | None, digest: str) -> dict[str, Any]:
    """What a record says of editions: its own, and the marks of earlier ones for the same file."""
    if exercise is None:
        return {}
    now = edition_of(exercise)
    same_file = before is not None and before.get("sha256") == digest
    earlier = list(before.get("earlier", [])) if before and same_file else []
    if before and same_file and before["questions"] and before.get("edition", now) != now:
        marks = {mark["id"]: mark.get("judged", mark["points"]) for mark in before["questions"]}
        earlier.append({"edition": before["edition"], "marks": marks})
    return {"edition": now, **({"earlier": earlier} if earlier else {})}


def changed(record: Record) -> dict[str, tuple[Any, Any]]:
    """{question: (mark by the edition before, mark now)} where a correction has changed the judge's mark."""
    if not record.get("earlier"):
        return {}
    before = record["earlier"][-1]["marks"]
    now = {mark["id"]: mark.get("judged", mark["points"]) for mark in record["questions"]}
    ids = [*now, *(id for id in before if id not in now)]
    return {id: (before.get(id), now.get(id)) for id in ids if before.get(id) != now.get(id)}


def corrections(records: Iterable[Record]) -> list[str]:
    """A sentence for each exercise that was corrected: whose marks it has changed."""
    corrected: dict[str, list[Record]] = {}
    for record in records:
        if record.get("earlier"):
            corrected.setdefault(record["exercise"], []).append(record)
    lines = []
    for name, those in sorted(corrected.items()):
        other = [(record["student"], changed(record)) for record in those if changed(record)]
        each = "; ".join(f"{student}: {in_words(marks)}" for student, marks in sorted(other))
        lines.append(f"{name} was corrected after {len(those)} had been graded; marks changed for {len(other)}"
                     f"{': ' * bool(other)}{each}")
    return lines


def in_words(marks: dict[str, tuple[Any, Any]]) -> str:
    """Changed marks in words.

    >>> in_words({"7.1": (0, 2), "7.9": (None, 1)})
    '7.1 0 → 2, 7.9 none → 1'
    """
    return ", ".join(f"{id} {'none' if old is None else old} → {'none' if new is None else new}"
                     for id, (old, new) in marks.items())
