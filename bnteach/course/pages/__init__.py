"""What pages and slides are made of: lessons' cells as HTML, formulas as MathML, and the files beside this one.

    cells.py      a cell of an executed notebook -> HTML
    formulas.py   TeX -> MathML, which browsers show by themselves
    links.py      links of a folder of pages that lead nowhere
    deck.*        the slides' page, style and script;   fit.js  makes slides fit;   reveal/  what turns it into slides
    site.*        the web site's page, style and script
    dashboard.css the style of the instructor's page
"""

from functools import cache
from pathlib import Path


@cache
def asset(name: str) -> str:
    """The text of a file of this folder."""
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
