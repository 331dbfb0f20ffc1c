"""The course as a web site: static pages of the executed lessons, for any server or for a local folder.

    bnteach site               -> site/index.html and the rest

Three tools were tried without a network. Jupyter Book 2 (2.1.7) stops: it needs a server for its theme. Sphinx with
myst-nb and a book theme builds, but needs 75 packages of 170 MB, loads MathJax from a CDN, and includes the code of a
quiz, with its answers, folded. This module needs only nbconvert, which the course requires anyway, and one template;
formulas become MathML, so that a page needs nothing else. Search is a list of sections and a short script
(pages/site.js), and also works from a file:// address.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from bnteach.course.exercises.release import BEGIN, student_copy
from bnteach.course.lessons.claims import ledger_table
from bnteach.course.lessons.ledger import VERDICTS, ledger
from bnteach.course.pages import asset
from bnteach.course.pages.cells import code_shown, colours, markdown, output_html, plain, relinked, slug, source_html
from bnteach.course.pages.links import broken_links
from bnteach.course.pages.slides import read_executed, title_of
from bnteach.course.practice.page import sessions_html
from bnteach.course.practice.session import practice
from bnteach.course.practice.topics import LEVELS, TOPICS

COURSE = "bnteach: the structure of Bayesian networks, step by step"


class SiteError(ValueError):
    """The site could not be made; the message explains what to do."""


@dataclass
class Lesson:
    """A lesson that becomes a page."""

    path: Path
    title: str
    question: str
    cells: list[str]
    sections: list[dict[str, str]] = field(default_factory=list)

    @property
    def page(self) -> str:
        return f"{self.path.stem}.html"


def write_site(lessons: list[Path], folder: Path) -> list[Path]:
    """Write the site into the folder and check its links; returns the pages, the first page first."""
    if not lessons:
        raise SiteError("there are no lessons to make a site from.")
    folder.mkdir(parents=True, exist_ok=True)
    read = [_lesson(path, {p.name for p in lessons}, folder) for path in lessons]
    contents = [("index.html", "The course"), *((lesson.page, lesson.title) for lesson in read),
                ("practice.html", "Practice"), ("ledger.html", "The ledger"), ("speed.html", "How fast")]
    bodies = {"index.html": _index(read), **{lesson.page: _body(lesson) for lesson in read},
              "practice.html": _practice(), "speed.html": _speed(),
              "ledger.html": _ledger({lesson.path.stem[:2]: lesson.page for lesson in read})}
    for name, title in contents:
        page = _page(name, title, bodies[name], contents)
        (folder / name).write_text(page, encoding="utf-8", newline="\n")
    _write_assets(folder, [section for lesson in read for section in lesson.sections] + _ledger_sections())
    if broken := broken_links(folder, bodies):
        raise SiteError(f"{len(broken)} links are broken:\n" + "\n".join(broken))
    return [folder / name for name, _ in contents]


# -- a lesson ----------------------------------------------------------------------------------------------
def _lesson(path: Path, lessons: set[str], folder: Path) -> Lesson:
    notebook = read_executed(path)
    _copy(path, folder)
    ids: dict[str, int] = {}
    cells = [_cell(cell, ids, lambda url: _link(url, path.parent, lessons, folder)) for cell in notebook.cells]
    lesson = Lesson(path, title_of(notebook), _question(cells), cells)
    lesson.sections = _sections(lesson)
    return lesson


def _cell(cell: Any, ids: dict[str, int], link: Any) -> str:
    if cell.cell_type == "markdown":
        notes = cell.metadata.get("slideshow", {}).get("slide_type") == "notes"  # folded, and not searched
        return f'<div class="{"notes" if notes else "prose"}">{markdown(cell.source, link, link, ids)}</div>'
    if cell.cell_type != "code":
        return ""
    outputs = "".join(f'<div class="out">{html}</div>' for html in map(output_html, cell.outputs) if html)
    return (source_html(cell.source) if code_shown(cell) else "") + relinked(outputs, link)


def _question(cells: list[str]) -> str:
    """The question that the lesson asks in its first cell."""
    found = re.search(r"</h1>\s*<p>(.*?)</p>", cells[0], re.DOTALL)
    return re.sub(r"</?(?:strong|em|b|i)>", "", found[1]) if found else ""


def _first_picture(cells: list[str]) -> str:
    """The first picture of a lesson that is not a player."""
    still = "".join(cell for cell in cells if "bnteach-stage" not in cell)
    found = re.search(r"<svg\b(?![^>]*aria-hidden).*?</svg>", still, re.DOTALL)
    return f'<div class="picture">{found[0]}</div>' if found else ""


def _link(url: str, lessons_folder: Path, lessons: set[str], folder: Path) -> str | None:
    """The target of a lesson's link on the site: a page, a copy of a file, or None."""
    if re.match(r"(?:https?:|mailto:|#|data:)", url):
        return url
    target, _, fragment = url.partition("#")
    if target in lessons:
        return f"{target.removesuffix('.ipynb')}.html" + (f"#{fragment}" if fragment else "")
    file = lessons_folder / target
    if not file.is_file() or ".." in Path(target).parts:
        return None
    _copy(file, folder / Path(target).parent)
    return target


def _copy(file: Path, folder: Path) -> None:
    """Copy a file; of an exercise, the version for students, without solutions."""
    folder.mkdir(parents=True, exist_ok=True)
    if file.suffix == ".ipynb" and BEGIN in (text := file.read_text(encoding="utf-8")):
        handed_out = json.dumps(student_copy(json.loads(text)), ensure_ascii=False, indent=1)
        (folder / file.name).write_text(handed_out + "\n", encoding="utf-8", newline="\n")
    else:
        shutil.copyfile(file, folder / file.name)


def _sections(lesson: Lesson) -> list[dict[str, str]]:
    """What is searched: each heading, its page and id, and the text below it."""
    prose = " ".join(cell for cell in lesson.cells if cell.startswith('<div class="prose">') or "bnteach-quiz" in cell)
    pieces = re.split(r'<h[1-3] id="([^"]+)">(.*?)</h[1-3]>', prose)
    return [{"page": lesson.page, "at": at, "lesson": lesson.title, "title": plain(title), "text": plain(text)}
            for at, title, text in zip(pieces[1::3], pieces[2::3], pieces[3::3])]


def _body(lesson: Lesson) -> str:
    note = (f'<p class="note"><a href="{lesson.path.name}" download>Notebook</a> of this lesson; with the course '
            f"installed, <code>bnteach lab {lesson.path.stem[:2]}</code> opens it to run and change.</p>")
    return "\n".join([*lesson.cells[:1], note, *lesson.cells[1:]])


# -- the other pages ---------------------------------------------------------------------------------------
def _index(lessons: list[Lesson]) -> str:
    items = "\n".join(f'<li><div><a href="{lesson.page}">{escape(lesson.title)}</a><p>{lesson.question}</p></div>'
                      f'{_first_picture(lesson.cells)}</li>' for lesson in lessons)
    return (f'<div class="hero"><h1>Learning the structure of Bayesian networks</h1>'
            f"<p>A course in {len(lessons)} lessons, from five rows that can be counted by hand to a music "
            f"recommender. Each starts with a question and an example on paper, and shows the algorithm step by step."
            f'</p><p class="ways"><a href="{lessons[0].page}">{escape(lessons[0].title)} →</a> '
            f'<a href="practice.html">Practice</a> '
            f'<a href="ledger.html">Every figure, checked</a> <a href="speed.html">How fast</a></p></div>'
            f'<ul class="lessons">{items}</ul>'
            f"<p>Players, knobs and questions work here in your browser; to change the code, open the notebooks with "
            f"<code>bnteach lab</code>.</p>")


def _ledger(pages: dict[str, str]) -> str:
    rows = ledger_table()
    counts = ", ".join(f"{number} {verdict}" for verdict, number in rows["verdict"].value_counts().items())
    choices = "".join(f'<label><input type="checkbox" value="{word}" checked> {word}</label>' for word in VERDICTS)
    head = "".join(f'<th scope="col">{word}</th>' for word in ("Figure", "Printed", "Computed", "Verdict", "Lesson"))
    body = "\n".join(_row(str(id), row, pages) for id, row in rows.iterrows())
    return (f"<h1>The ledger</h1><p>The figures and formulas of the five documents, computed again: "
            f"{len(rows)} entries, {counts}. A correction says what was wrong.</p>"
            f'<fieldset class="filter" hidden><legend>Show</legend>{choices}</fieldset>'
            f'<div class="wide"><table class="ledger"><thead><tr>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table></div>")


def _row(id: str, row: Any, pages: dict[str, str]) -> str:
    numbers = row["lesson"].split(", ")
    lessons = ", ".join(f'<a href="{pages[n]}" aria-label="lesson {n}">{n}</a>' if n in pages else n for n in numbers)
    source = f"<small>{escape(ledger()[id].document.cite)}, {escape(row['where'])}</small>"
    why = f"<br><small>{escape(row['why'])}</small>" if row["why"] else ""
    return (f'<tr id="{id}" data-verdict="{row["verdict"]}"><th scope="row">{escape(row["says"])}<br>{source}</th>'
            f'<td>{escape(row["printed"])}</td><td>{escape(row["exact"])}{why}</td>'
            f'<td class="verdict">{row["mark"]} {escape(row["verdict_text"])}</td><td>{lessons}</td></tr>')


def _ledger_sections() -> list[dict[str, str]]:
    return [{"page": "ledger.html", "at": entry.id, "lesson": "The ledger", "title": entry.says,
             "text": f"{entry.id} {entry.document.cite} {entry.where} {entry.why}"} for entry in ledger().values()]


@cache
def _practice() -> str:
    """Every algorithm to practise, at every level, with links to the sections that explain them."""
    sessions = [practice(name, level=level) for name in TOPICS for level in LEVELS]
    return ("<h1>Practice</h1><p>Be the algorithm: it stops before each decision, and you make it. Choose an answer, "
            "click in the picture, or press its number. In a notebook <code>bn.practice</code> draws more of them.</p>"
            f"{sessions_html(sessions, link=lambda lesson, section: f'{lesson}.html#{slug(section, {})}')}")


def _speed() -> str:
    """The stored benchmark run: pictures of growth, the table, the goals."""
    table = markdown(asset("bench/measured.md"), lambda url: url, lambda url: url)
    table = re.sub(r"\((?:BIC|F1|log|difference|\d)[^)]*\)", r"<small>\g<0></small>", table)
    return ("<h1>How fast</h1><p>bnteach beside other libraries, on the same rows, in one run of <code>make bench"
            f'</code>.</p><div class="out">{asset("bench/growth.svg")}</div>'
            f'<div class="speed">{table}</div>')


# -- pages and files ---------------------------------------------------------------------------------------
def _page(name: str, title: str, body: str, contents: list[tuple[str, str]]) -> str:
    at = [page for page, _ in contents].index(name)
    here = ' aria-current="page"'
    parts = _parts(body) if name[:2].isdigit() else ""
    items = "".join(f'<li><a href="{page}"{here if page == name else ""}>{escape(words)}</a>'
                    f'{parts if page == name else ""}</li>' for page, words in contents)
    turn = "".join(f'<a rel="{rel}" href="{contents[i][0]}">{mark.format(escape(contents[i][1]))}</a>'
                   for rel, i, mark in (("prev", at - 1, "← {}"), ("next", at + 1, "{} →")) if 0 <= i < len(contents))
    return Template(asset("site.html")).substitute(title=escape(title), course=escape(COURSE), contents=items,
                                                   body=body, turn=turn)


def _parts(body: str) -> str:
    """The headings of a lesson, for the table of contents."""
    heads = re.findall(r'<h2 id="([^"]+)">(.*?)</h2>', body)
    items = "".join(f'<li><a href="#{at}">{escape(plain(words))}</a></li>' for at, words in heads)
    return f"<ol>{items}</ol>" if items else ""


def _write_assets(folder: Path, sections: list[dict[str, str]]) -> None:
    dark = colours("github-dark", ':root[data-theme="dark"]')
    style = "\n".join([asset("site.css"), colours("default", ":root"), dark])
    script = f"const SECTIONS = {json.dumps(sections, ensure_ascii=False)};\n{asset('site.js')}"
    (folder / "site.css").write_text(style, encoding="utf-8", newline="\n")
    (folder / "site.js").write_text(script, encoding="utf-8", newline="\n")
