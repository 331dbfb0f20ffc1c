"""Behind the figures of the instructor's page: a page for each exercise, with the students of every figure.

    grades/dashboard/07_chow_liu.html#points-3       who has 3 points
    grades/dashboard/07_chow_liu.html#q-7.4-wrong    whose 7.4 is not right, at which step, and why

Each student leads to the page with the marks, at that question, with what was handed in; and to the notebook's file, if
it still is where it was graded.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bnteach.course.exercises.grading.class_records import by_question
from bnteach.course.exercises.grading.report import WORDS, Record
from bnteach.course.pages import asset

FOLDER = "dashboard"
HOWS = ("right", "wrong", "crash", "timeout", "missing", "unjudged")
SIGNS = {"right": "✓", "wrong": "✗", "crash": "!", "timeout": "∞", "missing": "–", "unjudged": "?"}


def frame(title: str, parts: Iterable[str]) -> str:
    """A whole page."""
    return (f"<!doctype html><html lang='en'><head><meta charset='utf-8'><meta name='viewport' "
            f"content='width=device-width, initial-scale=1'><title>{escape(title)}</title>"
            f"<style>{asset('dashboard.css')}</style></head><body><main><h1>{escape(title)}</h1>{''.join(parts)}"
            "</main></body></html>\n")


def table(label: str, heads: Iterable[str], rows: Iterable[str]) -> str:
    """A table that scrolls by itself on a narrow screen."""
    head = "".join(f"<th scope='col'>{escape(one)}</th>" for one in heads)
    return (f"<div class='scroll' tabindex='0' role='group' aria-label='{escape(label)}'><table><tr>{head}</tr>"
            f"{''.join(rows)}</table></div>")


def page_of(exercise: str) -> str:
    """The address of an exercise's page, from the dashboard."""
    return f"{FOLDER}/{quote(exercise)}.html"


def link(address: str, text: str, **more: str) -> str:
    """A link; the text is escaped."""
    rest = "".join(f" {name.replace('_', '-')}='{escape(value)}'" for name, value in more.items())
    return f"<a href='{escape(address)}'{rest}>{escape(text)}</a>"


def exercise_page(grades: Path, name: str, records: list[Record], submissions: Path | None) -> str:
    """The page of an exercise: students by points, then by question and by how their answers ended."""
    graded = [record for record in records if record["result"] == "graded"]
    parts = [f"<p>{link('../dashboard.html', '← The class')}</p>", by_points(graded)]
    for id, marks in by_question(graded):
        parts.append(f"<h2 id='q-{escape(id)}'>{escape(id)} {escape(marks[0]['title'])}</h2>")
        parts += (section(grades, id, how, graded, submissions) for how in HOWS)
    return frame(name, parts)


def by_points(graded: list[Record]) -> str:
    """Who has how many points, rounded down as in the histogram."""
    groups: dict[int, list[Record]] = {}
    for record in graded:
        groups.setdefault(int(record["points"]), []).append(record)
    lines = [f"<dt id='points-{points}'>{points} point{'s' * (points != 1)}: {len(those)}</dt>"
             f"<dd>{', '.join(link('../' + one['page'], one['student']) for one in those)}</dd>"
             for points, those in sorted(groups.items(), reverse=True)]
    return f"<h2 id='points'>By points</h2><dl class='groups'>{''.join(lines)}</dl>"


def section(grades: Path, id: str, how: str, graded: list[Record], submissions: Path | None) -> str:
    """The students whose answer to a question ended in one way."""
    those = [(record, mark) for record in graded for mark in record["questions"]
             if mark["id"] == id and mark["how"] == how]
    if not those:
        return ""
    head = f"<h3 id='q-{escape(id)}-{how}'>{SIGNS[how]} {WORDS[how].split(' ', 1)[1]}: {len(those)}</h3>"
    if how in ("right", "missing"):
        return f"{head}<p>{', '.join(student(record, id) for record, _ in those)}</p>"
    rows = [row(grades, id, record, mark, submissions) for record, mark in sorted(those, key=most_alike)]
    return head + table(f"{id}, {how}", ("student", "points", "what happened", "notebook"), rows)


def student(record: Record, id: str) -> str:
    """A student's name, which leads to the mark of a question."""
    return link(f"../{record['page']}#q-{id}", record["student"])


def most_alike(pair: tuple[Record, dict[str, Any]]) -> tuple[Any, ...]:
    """A key that brings together those who made the same mistake, or went wrong at the same step."""
    record, mark = pair
    return mark.get("mistake") or "~", mark.get("step") or 0, record["student"]


def row(grades: Path, id: str, record: Record, mark: dict[str, Any], submissions: Path | None) -> str:
    """A student whose answer is not right: where to read it, and what happened."""
    step = f"Step {mark['step']}. " if mark.get("step") else ""
    file = notebook(grades, record, submissions)
    return (f"<tr><td>{student(record, id)}</td>"
            f"<td class='number'>{mark['points']} of {mark['of']}</td>"
            f"<td class='why'>{escape(step + mark['sentence'])}</td><td>{link(file, 'file') if file else ''}</td></tr>")


def notebook(grades: Path, record: Record, submissions: Path | None) -> str:
    """The address of a notebook from an exercise's page; empty if it is not where it was graded."""
    if submissions is None or not (path := submissions / record["file"]).is_file():
        return ""
    return quote(Path(os.path.relpath(path, grades / FOLDER)).as_posix())


def pages(grades: Path, records: list[Record], submissions: Path | None) -> Iterator[tuple[Path, str]]:
    """(file, content) of every exercise's page."""
    for name in sorted({record["exercise"] for record in records if record["exercise"]}):
        those = [record for record in records if record["exercise"] == name]
        yield grades / FOLDER / f"{name}.html", exercise_page(grades, name, those, submissions)
