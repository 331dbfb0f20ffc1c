"""A picture in a notebook: SVG, and alt text that describes it.

Every picture of the course is a `Picture`. A screen reader reads its alt text, and the tests of the lessons compare
it, since two drawings of one graph may differ by a pixel and mean the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from bnteach.show.style import FAINT_INK, FONT, INK
from bnteach.show.theme import themed

CARD = (f"display:inline-block;box-sizing:border-box;max-width:100%;margin:4px 0;padding:12px;background:none;"
        f"color:{INK};border:1px solid #d5dbe1;border-radius:10px;overflow:auto;vertical-align:top")


class Picture:
    """An SVG picture with alt text.

    Parameters
    ----------
    svg : str
        The picture.
    alt : str
        A sentence that describes what it shows, read by screen readers.
    title : str, optional
        A title above the picture.
    text : str, optional
        The plain-text form of the output, if `alt` had to be shortened.
    legend : str, optional
        HTML to show below the picture.

    Examples
    --------
    >>> import bnteach as bn
    >>> picture = bn.draw(bn.DAG("A->B"))
    >>> isinstance(picture, bn.Picture), picture.alt
    (True, 'Directed graph on A, B: arc A to B.')
    """

    def __init__(self, svg: str, alt: str, title: str = "", text: str = "", legend: str = ""):
        if not alt.strip():
            raise ValueError("a picture needs alt text: describe in a sentence what it shows.")
        self.svg, self.alt, self.title, self.text = svg, alt, title, text or alt
        self.legend = legend

    def _repr_html_(self) -> str:
        return themed(f'<div class="bnteach-picture" style="{CARD}">{heading(self.title)}{self.svg}{self.legend}</div>')

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": self.text}

    def __repr__(self) -> str:
        return self.text

    def save(self, path: str | Path) -> Path:
        """Write the picture to an SVG file."""
        path = Path(path)
        if path.suffix.lower() != ".svg":
            raise ValueError(f"a picture is saved as SVG; {path.name!r} does not end in .svg.")
        path.write_text(self.svg + "\n", encoding="utf-8")
        return path


class Row(Picture):
    """Pictures side by side, or one below another on a narrow page."""

    def __init__(self, pictures: Sequence[Picture], captions: Sequence[str] = ()):
        self.pictures = tuple(pictures)
        self.captions = (*captions, *[""] * (len(self.pictures) - len(captions)))
        texts = [f"{caption}: {picture.text}" if caption else picture.text
                 for picture, caption in zip(self.pictures, self.captions)]
        super().__init__("".join(p.svg for p in pictures), " ".join(p.alt for p in pictures), text="\n".join(texts))

    def _repr_html_(self) -> str:
        cards = (f'<figure style="margin:0;max-width:100%">{picture._repr_html_()}{_caption(caption)}</figure>'
                 for picture, caption in zip(self.pictures, self.captions))
        return themed(f'<div class="bnteach-row" style="display:flex;flex-wrap:wrap;gap:12px;align-items:flex-start">'
                      f'{"".join(cards)}</div>')

    def save(self, path: str | Path) -> Path:
        """Raise ValueError: the pictures of a row are saved one by one."""
        raise ValueError("a row of pictures is several SVG files: save each with row.pictures[i].save(path).")


def side_by_side(*pictures: Any, captions: Sequence[str] = ()) -> Row:
    """Show pictures in a row that wraps on narrow pages.

    Parameters
    ----------
    *pictures : Picture, or anything that `draw` draws
        The pictures, from left to right. Graphs on the same nodes are drawn with every node in the same position.
    captions : sequence of str, optional
        A caption below each picture.

    Returns
    -------
    Row
        A Picture; its ``pictures`` are the single ones.

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.side_by_side(bn.DAG("A->B"), bn.DAG("B->A"), captions=["learned", "true"])
    learned: Directed graph on A, B: arc A to B.
    true: Directed graph on B, A: arc B to A.
    """
    from bnteach.show.draw import as_drawing, draw

    if not pictures:
        raise ValueError("side_by_side needs at least one picture: bn.side_by_side(bn.draw(g), bn.draw(h)).")
    if len(captions) > len(pictures):
        raise ValueError(f"{len(captions)} captions for {len(pictures)} pictures: give one each, or none.")
    graphs = [p for p in pictures if not isinstance(p, Picture)]
    like = graphs if len({frozenset(as_drawing(graph).nodes) for graph in graphs}) == 1 else None
    return Row([p if isinstance(p, Picture) else draw(p, like=like) for p in pictures], captions)


def heading(title: str) -> str:
    """The title above a picture."""
    return f'<div style="font:600 15px {FONT};margin:0 0 8px">{escape(title)}</div>' if title else ""


def _caption(text: str) -> str:
    style = f"text-align:center;color:{FAINT_INK};font-size:.93em;max-width:40em"
    return f'<figcaption style="{style}">{escape(text)}</figcaption>' if text else ""
