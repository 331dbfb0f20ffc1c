"""A lesson as slides: one self-contained HTML file.

    bnteach slides 04          -> slides/04_pc.html
    bnteach slides all --pdf   -> slides/*.html and slides/*.pdf

The deck is made from the executed notebook and its slide types, as JupyterLab shows them: slide and subslide start a
slide, a fragment appears at a key press, skip is left out, notes go to the speaker's view (key S), and everything else
continues the slide. The file includes reveal.js, the style and the players; formulas are MathML. A slide that is taller
than the screen is continued on a slide below it, in the largest font that fits (pages/fit.js, since only the browser
knows the heights). The right arrow steps through a player before it goes to the next slide.
"""

from __future__ import annotations

import ast
import base64
import mimetypes
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterable
from html import escape
from itertools import accumulate
from pathlib import Path
from string import Template
from typing import Any

from bnteach.course.pages import asset
from bnteach.course.pages.cells import code_shown, colours, markdown, output_html, plain, relinked, source_html

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "chrome",
            "msedge")

TIMEOUT = 300  # seconds for a browser to print a deck
SCRIPTS = ("reveal/reveal.js", "reveal/notes.js", "fit.js", "deck.js")


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
        reveal_style=asset("reveal/reveal.css"), style=asset("deck.css") + colours("default", ".reveal"),
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
    for cell in cells:
        kind = cell.metadata.get("slideshow", {}).get("slide_type", "-")
        if kind == "skip":
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
    """A cell on a slide: prose, or code and its outputs. Links to other lessons become plain text."""
    if cell.cell_type == "markdown":
        return markdown(cell.source, link=_outside, picture=lambda url: embedded(folder / url))
    if cell.cell_type != "code":
        return ""
    outputs = [html for html in map(output_html, cell.outputs) if html]
    listed = re.fullmatch(r"bn\.source\([\w.]+\)", cell.source.strip())  # the listing shows its name itself
    return "".join([source_html(without_alt(cell.source)) if code_shown(cell) and not listed else "",
                    *(f'<div class="out">{relinked(html, _outside)}</div>' for html in outputs)])


def without_alt(source: str) -> str:
    """Code without alt texts, which a slide does not need beside the picture.

    >>> without_alt('bn.plots.bars(sizes,\\n    alt="One is long, "\\n        "two are short.", title="Sizes")')
    'bn.plots.bars(sizes,\\n    alt=..., title="Sizes")'
    """
    lines = [re.sub(r"^[%!]", "#", line) for line in source.split("\n")]  # magics are not Python
    starts = [0, *accumulate(len(line.encode()) + 1 for line in lines)]
    text = source.encode()
    try:
        calls = [node for node in ast.walk(ast.parse("\n".join(lines))) if isinstance(node, ast.Call)]
    except SyntaxError:  # such as bn.pc?
        return source
    alts = [keyword.value for call in calls for keyword in call.keywords if keyword.arg == "alt"]
    alts += [call.args[1] for call in calls if getattr(call.func, "attr", "") == "figure" and len(call.args) > 1]
    for alt in sorted(alts, key=lambda node: (node.lineno, node.col_offset), reverse=True):
        text = (text[:starts[alt.lineno - 1] + alt.col_offset] + b"..."
                + text[starts[alt.end_lineno - 1] + alt.end_col_offset:])
    return text.decode()


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


# -- PDF ---------------------------------------------------------------------------------------------------
def find_browser() -> str | None:
    """A browser that can print (Chromium, Chrome or Edge), if there is one on the PATH."""
    return next((path for name in BROWSERS if (path := shutil.which(name))), None)


def write_pdf(deck_file: Path) -> Path:
    """Print a deck to a PDF file beside it, one page per slide, with each player at its last step."""
    browser = find_browser()
    if browser is None:
        raise SlidesError("printing a PDF needs a browser, and none was found: install Chromium, Chrome or Edge, or "
                          f"open {deck_file} in any browser, add ?print-pdf to its address and print it from there.")
    target = deck_file.with_suffix(".pdf")
    target.unlink(missing_ok=True)
    as_root = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
    command = [browser, "--headless", "--disable-gpu", *as_root, "--no-pdf-header-footer",
               "--disable-background-networking", f"--print-to-pdf={target.resolve()}",
               f"{deck_file.resolve().as_uri()}?print-pdf"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise SlidesError(f"{Path(browser).name} has not printed {deck_file} within {TIMEOUT} seconds; stop other "
                          "programs and try again.") from None
    if not target.is_file():
        raise SlidesError(f"{Path(browser).name} did not print {deck_file}: {done.stderr.strip()[-500:]}")
    return target
