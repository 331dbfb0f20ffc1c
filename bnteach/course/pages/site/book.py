"""The whole course as one PDF: the pages of the site, one after the other, printed by a browser.

Every id gets the name of its page in front, since most lessons have the same headings; links between the pages lead
from place to place in the book, and links to pages that are not in it become plain text. Players are at their last
step, and the answers of the questions stand at the end (book.js).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from pathlib import Path

import bnteach
from bnteach.course.pages import asset
from bnteach.course.pages.printing import print_page

NAME = "bnteach.pdf"
TIMEOUT = 900  # seconds; some hundred pages
COVER = """<header class="cover"><h1>Learning the structure of Bayesian networks</h1>
<p>A course in lessons with exercises, a glossary and the ledger of figures.</p>
<p>bnteach {version}. By the bnteach maintainers. Code: MIT licence; text of the lessons: CC BY 4.0.</p></header>"""


def write_book(folder: Path, names: Sequence[str]) -> Path:
    """Print these pages of a site, by their names without .html, as one PDF into its folder."""
    page = folder / "book.html"
    page.write_text(book(folder, names), encoding="utf-8")
    try:
        return print_page(page, folder / NAME, timeout=TIMEOUT)
    finally:
        page.unlink()


def book(folder: Path, names: Sequence[str]) -> str:
    """The page that is printed."""
    texts = {name: (folder / f"{name}.html").read_text(encoding="utf-8") for name in names}
    styles = "".join(re.findall(r'<link [^>]*rel="stylesheet"[^>]*>', texts[names[0]]))
    articles = {name: article(text, name, names) for name, text in texts.items()}
    contents = "".join(f'<li><a href="#{name}">{_title(text)}</a></li>' for name, text in articles.items())
    body = "".join(f'<article class="bd-article" id="{name}">{text}</article>' for name, text in articles.items())
    return (f'<!doctype html><html lang="en" data-theme="light"><head><meta charset="utf-8"><title>bnteach</title>'
            f'{styles}<style>{asset("site/book.css")}</style></head><body>{COVER.format(version=bnteach.__version__)}'
            f'<nav><h1>Contents</h1><ol>{contents}<li><a href="#answers">Answers</a></li></ol></nav><main>{body}'
            f'<article class="bd-article" id="answers"><h1>Answers</h1></article></main>'
            f'<script>{asset("site/book.js")}</script></body></html>')


def article(text: str, name: str, names: Sequence[str]) -> str:
    """What a page says, with ids and links as the book needs them.

    >>> article('<article><h2 id="a">A</h2><a href="b.html#c">B</a><a href="d.html">D</a></article>', "a", ["a", "b"])
    '<h2 id="a--a">A</h2><a href="#b--c">B</a><a>D</a>'
    """
    inside = text.partition("<article")[2].partition(">")[2].rpartition("</article>")[0]
    inside = re.sub(r'(<(?:section|span|h\d|dt|tr)\b[^>]*\sid=")', rf"\g<1>{name}--", inside)
    inside = re.sub(r'(\s(?:src|href)=")(?:\.\./)+(?=_)', r"\g<1>", inside)
    return re.sub(r'\shref="([^":]*)"', lambda link: _to(unescape(link[1]), name, names), inside)


def _to(target: str, name: str, names: Sequence[str]) -> str:
    page, _, at = target.partition("#")
    to = str(Path("/", name).parent.joinpath(page).resolve().relative_to("/").with_suffix("")) if page else name
    return f' href="#{to}--{at}"' if to in names and at else f' href="#{to}"' if to in names else ""


def _title(html: str) -> str:
    found = re.search(r"(?s)<h1>(.*?)(?:<a class=.headerlink.*?)?</h1>", html)
    return re.sub(r"</?a\b[^>]*>", "", found[1]) if found else ""
