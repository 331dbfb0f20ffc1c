"""The instructor's page and the glossary."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bnteach as bn
from bnteach.course.lessons.glossary import terms
from bnteach.course.pages.slides import title_of
from bnteach.course.syllabus import effort, exam, needs, weeks


def hours(minutes: float) -> str:
    """Minutes as hours, to a quarter.

    >>> hours(95)
    '1.5'
    """
    return f"{round(minutes / 15) / 4:g}"


def instructors_page(lessons: Mapping[Path, Any]) -> str:
    """Plans, hours, which lesson needs which, questions for an exam."""
    titles = {path: title_of(notebook) for path, notebook in lessons.items()}
    rows = [f"| [{title}]({path.name}) | {effort(path).lecture} | {hours(60 * effort(path).alone)} | "
            f"{', '.join(str(int(before)) for before, after in needs(lessons) if after == path.stem[:2]) or '–'} |"
            for path, title in titles.items()]
    picture = bn.draw(bn.DAG([(str(int(a)), str(int(b))) for a, b in needs(lessons)])) if needs(lessons) else None
    plans = [part for count in ("6", "10", "14") for part in _plan(count, titles)]
    folder = next(iter(lessons)).parent / "exam"
    questions = [f"{i}. ({one['points']} points) {one['text']}" for i, one in enumerate(exam(folder), start=1)] if (
        folder.is_dir()) else []
    return "\n".join([
        "# For instructors", "",
        "The same notebooks are the reading and the lecture. `bnteach slides all` makes slides of them, with notes for "
        "the speaker; `bnteach release` writes exercises without solutions, `bnteach grade` grades them, and "
        "`bnteach class init` sets up a class on JupyterHub.", "",
        "## Hours per lesson", "",
        "Lecture: minutes with everything, as the notes for the speaker say. Student: hours to work through the lesson "
        "alone (twice the lecture) and to do its exercises (an estimate of ten minutes per point).", "",
        "| lesson | lecture, minutes | student, hours | needs lessons |", "|---|---:|---:|---|", *rows, "",
        "## Which lesson needs which", "",
        f"``````{{raw}} html\n{picture._repr_html_()}\n``````" if picture else "", "",
        *plans, "## Questions for an exam", "",
        "On paper. `bnteach release --instructor`, in a checkout of the course, writes them with solutions.", "",
        *questions, ""])


def _plan(count: str, titles: Mapping[Path, str]) -> list[str]:
    rows = [f"| {i} | {', '.join(f'[{titles[path]}]({path.name})' for path in week) or 'project'} | "
            f"{sum(effort(path).lecture for path in week)} |" for i, week in enumerate(weeks(count, titles), start=1)]
    return [f"## {count} weeks", "", "| week | lessons | lecture, minutes |", "|---:|---|---:|", *rows, ""]


def glossary_page(lessons: Mapping[Path, Any]) -> str:
    """Every term, with its other names and the lesson in which it first occurs."""
    stems = {path.stem[:2]: path.stem for path in lessons}
    entries = []
    for term in sorted(terms().values(), key=lambda one: one.name.casefold()):
        also = f" Also called {_escaped(', '.join(term.also))}." if term.also else ""
        first = f" :doc:`Lesson {int(term.lesson)} </{stems[term.lesson]}>`." if term.lesson in stems else ""
        entries.append(f"   {_escaped(term.name)}\n      {_escaped(term.meaning)}.{also}{first}\n")
    return "\n".join(["Glossary", "========", "", "The words of the course, and what others call the same.", "",
                      ".. glossary::", "", *entries])


def _escaped(text: str) -> str:
    return re.sub(r"([*`|_\\])", r"\\\1", text)
