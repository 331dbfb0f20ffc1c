"""Slides and web pages: the cells of lessons as HTML, formulas as MathML, and the files of this folder.

    cells.py      a cell of an executed notebook -> HTML
    formulas.py   TeX -> MathML, which browsers show without a script
    links.py      broken links in a folder of pages
    deck.*        page, style and script of the slides;   fit.js  fits them to the screen;   reveal/  reveal.js
    site/         the web site, which Sphinx builds
    dashboard.css style of the instructor's page
"""

from functools import cache
from pathlib import Path


@cache
def asset(name: str) -> str:
    """The text of a file in this folder."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
