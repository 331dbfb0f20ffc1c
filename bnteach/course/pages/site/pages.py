"""The pages that are no lessons, as text for Sphinx: the first page, practice, the ledger, the speed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import bnteach
from bnteach.course.lessons.claims import ledger_table
from bnteach.course.lessons.ledger import VERDICTS, ledger
from bnteach.course.pages import asset
from bnteach.course.pages.cells import markdown, output_html, plain, slug
from bnteach.course.pages.site import book
from bnteach.course.pages.site.api import api_pages
from bnteach.course.pages.site.settings import DESCRIPTION, addresses
from bnteach.course.pages.site.teaching import glossary_page, instructors_page
from bnteach.course.pages.slides import title_of
from bnteach.course.practice.page import sessions_html
from bnteach.course.practice.session import practice
from bnteach.course.practice.topics import LEVELS, TOPICS
from bnteach.course.syllabus import effort
from bnteach.show.theme import themed

Lessons = Mapping[Path, Any]
"""The notebooks of the lessons, by their files."""


def all_pages(lessons: Lessons, exercises: list[Path], pdf: bool = False) -> dict[str, str]:
    """The text of every page of our own, by the name of its file."""
    return {"index.md": first_page(lessons, pdf), "practice.md": practice_page(),
            "exercises.md": exercises_page(exercises), "ledger.md": ledger_page(lessons), "speed.md": speed_page(),
            "glossary.rst": glossary_page(lessons),
            "instructors.md": instructors_page(lessons), **api_pages(lessons, exercises)}


def raw(html: str) -> str:
    """HTML that Sphinx passes on as it is."""
    return f"``````{{raw}} html\n{html}\n``````\n"


def toctree(caption: str, names: list[str]) -> str:
    """A part of the contents at the left."""
    return "\n".join(["```{toctree}", ":hidden:", f":caption: {caption}", "", *names, "```", ""])


# -- the first page ------------------------------------------------------------------------------------------
ABLE = ("say what a graph claims about data: which variables are independent given which others",
        "learn a graph from data, by tests (PC), by scores (MDL, BIC, BDeu) and by both, step by step and by hand",
        "prove why the algorithms are right, and construct the cases in which they are not",
        "tell which edges of a learned graph to believe, and what may be reported",
        "read the code of every algorithm, in ten to twenty lines each, and write your own")


def first_page(lessons: Lessons, pdf: bool = False) -> str:
    """What the course is, for whom, how long it takes, how to start, and a card for each lesson."""
    names = [path.stem for path in lessons]
    cards = "\n".join(_card(path, notebook) for path, notebook in lessons.items())
    ways = "".join(f'<a href="{where}">{words}</a>' for where, words in (
        (f"{names[0]}.html", "Start now"), ("#install", "Install"), ("instructors.html", "For instructors"),
        ("api.html", "For library users")))
    hero = (f'<div class="hero"><div><p>A course in {len(lessons)} lessons, from five rows that can be counted by '
            f"hand to a music recommender. Each starts with a question and an example on paper, and shows the "
            f'algorithm step by step.</p><p class="ways">{ways}</p></div><div class="moving">{_player()}</div></div>')
    able = "\n".join(f"- {verb}" + ("." if verb == ABLE[-1] else ",") for verb in ABLE)
    work = sum(effort(path).alone for path in lessons)
    repository = f"- Repository: <{addresses()['repository']}>\n" if addresses()["repository"] else ""
    return "\n".join([
        "---", f"myst:\n  html_meta:\n    description: {DESCRIPTION!r}", "---", "",
        "# Learning the structure of Bayesian networks", "", raw(hero), "## You will be able to", "", able, "",
        "## For whom, and how long", "",
        "For students who work through it alone, for lecturers who show the same notebooks as slides, and for everyone "
        "who wants to see how a structure learner works inside. You should know conditional probability and some "
        "Python; nothing about Bayesian networks. "
        f"The whole course takes about {round(work, -1):.0f} hours, exercises included; the [instructor's page]"
        "(instructors.md) has the hours per lesson and shorter plans.", "",
        "## Lessons", "", raw(f'<ul class="lessons">{cards}</ul>'),
        "## Install", "",
        "In a checkout of the course, with Python 3.11 or newer:", "", "```\nmake lab\n```", "",
        "opens it in JupyterLab. From a wheel, `pip install \"bnteach[course]\"` and `bnteach lab` do the same. The "
        "players, questions and practice on these pages need no installation.", "",
        raw(f'<p>To read on paper: <a href="{book.NAME}">the whole course as one PDF</a>.</p>') if pdf else "",
        "## About", "", "- Authors: the bnteach maintainers",
        "- Licence: MIT for the code, CC BY 4.0 for the text of the lessons",
        "- To cite: *bnteach: learning the structure of Bayesian networks, step by step*, version "
        f"{bnteach.__version__} (`CITATION.cff` in the course's folder)", repository,
        toctree("Lessons", names), toctree("Do it yourself", ["practice", "exercises"]),
        toctree("Look it up", ["glossary", "api", "ledger", "speed"]), toctree("Teach it", ["instructors"])])


def _player() -> str:
    found = bnteach.chow_liu(bnteach.datasets.five_rows(), method="kruskal")
    return bnteach.play(found)._repr_html_()


def _card(path: Path, notebook: Any) -> str:
    return (f'<li><div><a href="{path.stem}.html">{escape(title_of(notebook))}</a><p>{question_of(notebook)}</p></div>'
            f"{_first_picture(notebook)}</li>")


def question_of(notebook: Any) -> str:
    """The question that the lesson asks below its title, as HTML."""
    first = markdown(notebook.cells[0].source, link=lambda _: None, picture=lambda _: None)
    found = re.search(r"</h1>\s*<p>(.*?)</p>", first, re.DOTALL)
    return re.sub(r"</?(?:strong|em|b|i)>", "", found[1]) if found else ""


def _first_picture(notebook: Any) -> str:
    """The first picture of a lesson that is not a player."""
    shown = (output_html(output) for cell in notebook.cells for output in cell.get("outputs", ()))
    found = (re.search(r"<svg\b(?![^>]*aria-hidden).*?</svg>", html, re.DOTALL) for html in shown
             if "bnteach-stage" not in html)
    return next((f'<div class="picture">{svg[0]}</div>' for svg in found if svg), "")


# -- practice, speed -----------------------------------------------------------------------------------------
@cache
def practice_page() -> str:
    """Every algorithm to practise, at every level, with links to the sections that explain them."""
    sessions = [practice(name, level=level) for name in TOPICS for level in LEVELS]
    html = sessions_html(sessions, link=lambda lesson, section: f"{lesson}.html#{slug(section, {})}")
    return ("# Practice\n\nBe the algorithm: it stops before each decision, and you make it. Choose an answer, "
            "click in the picture, or press its number. In a notebook `bn.practice` draws more of them.\n\n"
            + raw(html))


def exercises_page(exercises: list[Path]) -> str:
    """All exercises; each is a page without solutions."""
    rows = "\n".join(f"- [](exercises/{path.name})" for path in exercises)
    names = "\n".join(f"exercises/{path.stem}" for path in exercises)
    return ("# Exercises\n\nOne notebook per lesson. `bn.check` says at once whether an answer is right, or what to "
            "look at next, and `bn.hint` gives a question, a step and the idea. Download a notebook with the button at "
            "the top of its page, or open it with `bnteach lab`.\n\n"
            f"{rows}\n\n```{{toctree}}\n:hidden:\n\n{names}\n```\n")


def speed_page() -> str:
    """The stored benchmark run: pictures of growth, the table, the goals."""
    table = markdown(asset("bench/measured.md"), lambda url: url, lambda url: url)
    table = re.sub(r"\((?:BIC|F1|log|difference|\d)[^)]*\)", r"<small>\g<0></small>", table)
    return ("# How fast\n\nbnteach beside other libraries, on the same rows, in one run of `make bench`.\n\n"
            + raw(f'<div class="out">{themed(asset("bench/growth.svg"))}</div><div class="speed">{table}</div>'))


# -- the ledger ----------------------------------------------------------------------------------------------
def ledger_page(lessons: Lessons) -> str:
    """Every figure of the documents, with its verdict."""
    rows, pages = ledger_table(), {path.stem[:2]: f"{path.stem}.html" for path in lessons}
    counts = ", ".join(f"{number} {verdict}" for verdict, number in rows["verdict"].value_counts().items())
    choices = "".join(f'<label><input type="checkbox" value="{word}" checked> {word}</label>' for word in VERDICTS)
    head = "".join(f'<th scope="col">{word}</th>' for word in ("Figure", "Printed", "Computed", "Verdict", "Lesson"))
    body = "\n".join(_row(str(id), row, pages) for id, row in rows.iterrows())
    return (f"# The ledger\n\nThe figures and formulas of the five documents, computed again: "
            f"{len(rows)} entries, {counts}. A correction says what was wrong.\n\n"
            + raw(f'<fieldset class="filter" hidden><legend>Show</legend>{choices}</fieldset>'
                  f'<div class="wide"><table class="ledger"><thead><tr>{head}</tr></thead>'
                  f"<tbody>{body}</tbody></table></div>"))


def _row(id: str, row: Any, pages: dict[str, str]) -> str:
    numbers = row["lesson"].split(", ")
    lessons = ", ".join(f'<a href="{pages[n]}" aria-label="lesson {n}">{n}</a>' if n in pages else n for n in numbers)
    source = f"<small>{escape(ledger()[id].document.cite)}, {escape(row['where'])}</small>"
    why = f"<br><small>{escape(row['why'])}</small>" if row["why"] else ""
    return (f'<tr id="{id}" data-verdict="{row["verdict"]}"><th scope="row">{escape(row["says"])}<br>{source}</th>'
            f'<td>{escape(row["printed"])}</td><td>{escape(row["exact"])}{why}</td>'
            f'<td class="verdict">{row["mark"]} {escape(row["verdict_text"])}</td><td>{lessons}</td></tr>')


def ledger_sections() -> list[dict[str, str]]:
    """The ledger's entries, to be searched."""
    return [{"page": "ledger.html", "at": entry.id, "lesson": "The ledger", "title": entry.says,
             "text": plain(f"{entry.id} {entry.document.cite} {entry.where} {entry.why}")}
            for entry in ledger().values()]
