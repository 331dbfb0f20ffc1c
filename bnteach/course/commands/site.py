"""bnteach site: the course to read on the web."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bnteach.course.commands.common import CommandError, needed, not_written, parser_of
from bnteach.course.commands.course import course_folder


def site(arguments: Sequence[str]) -> int:
    """Make the course into a web site of static pages, which need no network.

    Put the folder on any server, or open index.html in it. It takes about a minute, and needs what
    `pip install "bnteach[course,docs]"` brings.

    With --pdf the lessons, exercises, glossary and ledger are also one PDF, printed by Chromium, Chrome or Edge.

    With --live it also has JupyterLite, in which readers run the lessons in their browser, without an install:
    numpy and the like come from a Pyodide distribution, from its public server or from a folder that is copied.

    Examples:
      bnteach site
      bnteach site --pdf
      bnteach site --live --pyodide /srv/pyodide
      bnteach site --out public
    """
    parser = parser_of(site)
    parser.add_argument("--out", default="site", metavar="FOLDER", help="where to put it (without it: site)")
    parser.add_argument("--pdf", action="store_true", help="print the whole course as one PDF too")
    parser.add_argument("--live", action="store_true", help="add JupyterLite, to run the lessons in the browser")
    parser.add_argument("--pyodide", default="", metavar="WHERE", help="with --live: folder or address of Pyodide")
    parser.add_argument("--wheel", type=Path, metavar="FILE", help="with --live, away from a checkout: bnteach's wheel")
    asked = parser.parse_args(arguments)
    course = course_folder()
    if (asked.pyodide or asked.wheel) and not asked.live:
        raise CommandError("--pyodide and --wheel are for the live course: add --live, or leave them out.")
    if asked.wheel and not asked.wheel.is_file():
        raise CommandError(f"there is no file {str(asked.wheel)!r}: --wheel takes the wheel of bnteach.")
    if asked.live:
        needed("jupyterlite_core", "jupyterlite_pyodide_kernel", "hatchling", extra="live")
    needed("nbconvert", "latex2mathml", "pygraphviz")
    needed("sphinx", "myst_nb", "sphinx_book_theme", "sphinx_copybutton", "sphinxext.opengraph", extra="docs")
    from bnteach.course.pages import printing
    from bnteach.course.pages.live import LiveError, write_live
    from bnteach.course.pages.site import SiteError, write_site
    from bnteach.course.pages.slides import SlidesError

    try:
        if asked.pdf and not printing.find_browser():
            raise CommandError(f"{printing.NO_BROWSER}.")
        pages = write_site(sorted(course.glob("[0-9][0-9]_*.ipynb")), Path(asked.out), asked.pdf)
        if asked.live:
            write_live(course, Path(asked.out) / "live", asked.pyodide, asked.wheel)
    except (SiteError, SlidesError, LiveError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise not_written(error, asked.out) from None
    size = sum(path.stat().st_size for path in Path(asked.out).rglob("*") if path.is_file())
    print(f"{pages[0]}: {len(pages)} pages, {size / 1e6:.1f} MB, all links inside lead somewhere")
    return 0
