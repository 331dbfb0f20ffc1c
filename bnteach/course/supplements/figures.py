"""bn.figure: a matplotlib figure as a Picture, with alt text, and the same on every machine."""

from __future__ import annotations

import re
import sys
from hashlib import sha1
from html import escape
from io import StringIO
from typing import Any

from bnteach.course.supplements.alt_texts import figure_alt
from bnteach.show.picture import Picture
from bnteach.show.style import INK


def figure(matplotlib_figure: Any, alt: str = "", title: str = "") -> Picture:
    """Make a picture with alt text of a matplotlib figure, and close the figure.

    Parameters
    ----------
    matplotlib_figure : matplotlib.figure.Figure
        The figure, for example from ``bn.plots.canvas()``.
    alt : str, optional
        A sentence that describes what the figure shows; made from its axes and curves if it is not given.
    title : str, optional
        A title above the picture.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import bnteach as bn
    >>> fig, ax = bn.plots.canvas()
    >>> bn.figure(fig, alt="The score rises quickly and then stays at -19.75.")
    The score rises quickly and then stays at -19.75.
    """
    import matplotlib

    if not hasattr(matplotlib_figure, "savefig"):
        raise TypeError(f"bn.figure takes a matplotlib Figure; {type(matplotlib_figure).__name__} is none. "
                        f"From axes, give axes.figure.")
    alt = alt or figure_alt(matplotlib_figure)
    page = StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        matplotlib_figure.savefig(page, format="svg", bbox_inches="tight", transparent=True,
                                  metadata={"Date": None})
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close(matplotlib_figure)
    return Picture(_own_svg(page.getvalue(), alt, title), alt, title)


def _own_svg(svg: str, alt: str, title: str) -> str:
    """Matplotlib's SVG without its head and metadata, its ids made our own, with alt text."""
    svg = re.sub(r"\s*<metadata>.*?</metadata>", "", svg[svg.index("<svg"):].strip(), flags=re.DOTALL)
    svg = _own_ids(re.sub(r"<[^>]*>", _rounded, svg), alt + title)
    width, height = (round(float(x) * 96 / 72, 1) for x in re.findall(r'(?:width|height)="([\d.]+)pt"', svg)[:2])
    box = re.findall(r'viewBox="[^"]*"', svg)[0]
    head = (f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" {box} '
            f'width="{width:g}" height="{height:g}" role="img" aria-label="{escape(alt)}" '
            f'style="max-width:100%;height:auto" fill="{INK}"><title>{escape(title or alt.split(":")[0])}</title>')
    return re.sub(r"<svg[^>]*>", lambda _: head, svg, count=1)


def _own_ids(svg: str, words: str) -> str:
    """Number the ids that something refers to, in order, behind a mark of this picture: bn1f2e3d4c-1.

    Matplotlib hashes coordinates to the last bit into its ids, and the last bit differs between processors. The mark
    is made of the words and the rounded picture: the same on every processor, and different for any two pictures
    that look different, so that they can stand on one page.
    """
    refers = r"(url\(#|href=\"#)([^\")]+)"
    number = {name: i for i, name in enumerate(dict.fromkeys(name for _, name in re.findall(refers, svg)), start=1)}
    svg = re.sub(r' id="([^"]+)"', lambda m: f' id="-{number[m[1]]}"' if m[1] in number else "", svg)
    svg = re.sub(refers, lambda m: f"{m[1]}-{number[m[2]]}", svg)
    mark = sha1((words + svg).encode()).hexdigest()[:8]
    return re.sub(r"( id=\"|url\(#|href=\"#)(-\d+)", rf"\1bn{mark}\2", svg)


def _rounded(tag: re.Match[str]) -> str:
    """A tag with coordinates of five digits, and 0 for -0. The sign of 0, and matplotlib's sixth decimal where it is
    half-way, depend on the processor."""
    return re.sub(r"-?\d+\.\d+|(?<=[ (])-0(?=[ )])", lambda m: f"{float(m[0]) + 0.0:.5g}", tag[0])
