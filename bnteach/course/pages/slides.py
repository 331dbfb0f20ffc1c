"""A lesson as slides: one self-contained HTML file.

    bnteach slides 04          -> slides/04_pc.html
    bnteach slides all --pdf   -> slides/*.html and slides/*.pdf (pages/printing.py)

The deck is made from the executed notebook and its slide types, as JupyterLab shows them: slide and subslide start a
slide, a fragment appears at a key press, skip is left out, notes go to the speaker's view (key S), and everything else
continues the slide. `shown` decides which code is on a slide. The file includes reveal.js, the style and the players;
formulas are MathML. Type has three sizes; where a slide ends, and how large its pictures are, is decided in the
browser, which alone knows the heights (pages/fit.js). The right arrow leads through players, knobs and quizzes too.
"""

from __future__ import annotations

import base64
import mimetypes
import re
from collections.abc import Callable, Iterable
from html import escape
from itertools import zip_longest
from pathlib import Path
from string import Template
from typing import Any

from bnteach.course.pages import asset
from bnteach.course.pages.cells import code_shown, colours, markdown, output_html, plain, relinked, source_html
from bnteach.course.pages.shown import introduces_practice, is_value, on_a_slide, short_listing, slide_code, tags
from bnteach.show.theme import themed

SCRIPTS = ("reveal/reveal.js", "reveal/notes.js", "type.js", "blocks.js", "fit.js", "deck.js")


class SlidesError(ValueError):
    """Slides could not be made; the message explains what to do."""


def write_deck(lesson: Path, folder: Path) -> Path:
    """Write the deck of a lesson into the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{lesson.stem}.html"
    target.write_text(deck(read_executed(lesson), lesson.parent), encoding="utf-8", newline="\n")
    return target


def deck(notebook: Any, folder: Path) -> str:
    """A notebook as a deck of slides; `folder` contains its pictures."""
    stacks = arrange(notebook.cells)
    slides = "\n".join(_stack(stack, lambda cell: cell_html(cell, folder)) for stack in stacks)
    return Template(asset("deck.html")).substitute(
        title=escape(title_of(notebook)), slides=slides, licence=asset("reveal/LICENSE"),
        reveal_style=asset("reveal/reveal.css"), style="\n".join(
            (themed(asset("deck.css")), colours("default", ".reveal"), colours("github-dark", "html.dark .reveal"))),
        script="\n".join(_inside_html(asset(name)) for name in SCRIPTS))


# -- the notebook ------------------------------------------------------------------------------------------
def read_executed(lesson: Path) -> Any:
    """A lesson, or an error if its code has not been run."""
    import nbformat

    notebook = nbformat.read(lesson, as_version=4)
    if unrun := [cell for cell in notebook.cells
                 if cell.cell_type == "code" and cell.source.strip() and not cell.execution_count]:
        raise SlidesError(f"{lesson.name} has {len(unrun)} cells that have not been run, the first: "
                          f"{unrun[0].source.splitlines()[0]!r}. Run all cells and save it, then try again.")
    return notebook


def title_of(notebook: Any) -> str:
    """The first heading of the lesson, as plain text."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and (found := re.search(r"^# +(.+)$", cell.source, flags=re.MULTILINE)):
            return plain(markdown(found[1], link=lambda _: None, picture=lambda _: None))
    raise SlidesError("the lesson has no title: its first cell should start with '# '.")


def arrange(cells: Iterable[Any]) -> list[list[list[tuple[str, Any]]]]:
    """Stacks of slides of (kind, cell), where the kind is "shown", "fragment" or "notes".

    Cells that follow a fragment on the same slide appear with it.
    """
    stacks: list[list[list[tuple[str, Any]]]] = []
    cells = list(cells)
    for cell, following in zip_longest(cells, cells[1:]):
        kind = cell.metadata.get("slideshow", {}).get("slide_type", "-")
        if kind == "skip" or introduces_practice(cell, following):
            continue
        if kind == "slide" or not stacks:
            stacks.append([[]])
        elif kind == "subslide":
            stacks[-1].append([])
        stacks[-1][-1].append((kind if kind in ("fragment", "notes") else "shown", cell))
    return stacks


# -- HTML --------------------------------------------------------------------------------------------------
def _stack(stack: list[list[tuple[str, Any]]], to_html: Callable[[Any], str]) -> str:
    return "<section>" + "\n".join(_slide(slide, to_html) for slide in stack) + "</section>"


def _slide(slide: list[tuple[str, Any]], to_html: Callable[[Any], str]) -> str:
    shown: list[str] = []
    group = 0  # cells that appear at the same key press share a number
    for kind, cell in slide:
        if kind == "notes":
            continue
        group += kind == "fragment"
        waits = f' data-group="{group}"' if group else ""
        if html := to_html(cell):
            shown.append(f'<div class="cell {cell.cell_type}"{waits}>{html}</div>')
    notes = "".join(unfolded(to_html(cell)) for kind, cell in slide if kind == "notes")
    aside = f'<aside class="notes">{notes}</aside>' if notes else ""
    return f'<section><div class="sheet">{"".join(shown)}</div>{aside}</section>'


def unfolded(html: str) -> str:
    """Notes for the speaker's view, which are folded in a notebook.

    >>> unfolded("<details><summary>Notes for the speaker</summary>\\n<p>Ask.</p></details>")
    '<p>Ask.</p>'
    """
    return re.sub(r"\s*<details><summary>[^<]*</summary>\s*|\s*</details>\s*", "", html)


def cell_html(cell: Any, folder: Path) -> str:
    """A cell on a slide: prose, or outputs and the code that belongs beside them (`shown`), with all of the cell's code
    in a template, for the key that shows it. Links to other lessons become plain text."""
    if cell.cell_type == "markdown":
        return markdown(cell.source, link=_outside, picture=lambda url: embedded(folder / url))
    if cell.cell_type != "code":
        return ""
    outputs = [] if "slide-no-output" in tags(cell) else [
        short_listing(html) for html in map(output_html, cell.outputs) if html and on_a_slide(html)]
    code = slide_code(cell, outputs)
    behind = f'<template class="behind">{source_html(cell.source)}</template>' if code_shown(cell) else ""
    parts = [f'<div class="out">{relinked(html, _outside)}</div>' for html in outputs]
    if code:  # an expression stands above its value, below what was printed before
        parts.insert(len(parts) - 1 if is_value(cell, code) else 0, source_html(code))
    return "".join([*parts, behind])


def _outside(url: str) -> str | None:
    """Keep links to web pages; a deck is one file and cannot link to other lessons."""
    return url if re.match(r"https?:", url) else None


def embedded(picture: Path) -> str:
    """The file of a picture as a data URL."""
    if not picture.is_file():
        raise SlidesError(f"there is no picture {picture}.")
    kind = mimetypes.guess_type(picture.name)[0] or "application/octet-stream"
    return f"data:{kind};base64,{base64.b64encode(picture.read_bytes()).decode()}"


def _inside_html(script: str) -> str:
    """A script that can be included in a page: what would end it, or start a comment, is escaped."""
    return re.sub(r"<(/script|script|!--)", r"<\\\1", re.sub(r"//# sourceMappingURL=.*", "", script))
