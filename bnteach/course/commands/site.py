"""bnteach site: the course to read on the web."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bnteach.course.commands.common import CommandError, needed, not_written, parser_of
from bnteach.course.commands.course import course_folder


def site(arguments: Sequence[str]) -> int:
    """Make the course into a web site of static pages, which need no network.

    Put the folder on any server, or open index.html in it.

    Examples:
      bnteach site
      bnteach site --out public
    """
    parser = parser_of(site)
    parser.add_argument("--out", default="site", metavar="FOLDER", help="where to put it (without it: site)")
    asked = parser.parse_args(arguments)
    course = course_folder()
    needed("nbconvert", "latex2mathml", "pygraphviz")
    from bnteach.course.pages.site import SiteError, write_site
    from bnteach.course.pages.slides import SlidesError

    try:
        pages = write_site(sorted(course.glob("[0-9][0-9]_*.ipynb")), Path(asked.out))
    except (SiteError, SlidesError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise not_written(error, asked.out) from None
    size = sum(path.stat().st_size for path in Path(asked.out).rglob("*") if path.is_file())
    print(f"{pages[0]}: {len(pages)} pages, {size / 1e6:.1f} MB, all links inside lead somewhere")
    return 0
