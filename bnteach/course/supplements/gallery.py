"""bn.gallery: many small graphs at once, in groups, every node always in the same position.

    bn.gallery(bn.all_classes("ABC"))      all 25 DAGs on three nodes, in their 11 classes
    bn.gallery({"a chain": [chain], "two forks": [fork, other]})
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from bnteach.errors import described
from bnteach.show.draw import as_drawing, describe
from bnteach.show.layout import Layout, circle, framed
from bnteach.show.picture import Picture
from bnteach.show.svg import drawing_svg
from bnteach.show.theme import themed

MAX_GRAPHS, MAX_SCALE = 600, 0.68
BOX = "margin:0;padding:6px 8px 4px;border:1px solid #d5dbe1;border-radius:10px;background:none;max-width:100%"


def gallery(groups: Mapping[Any, Iterable[Any]], size: float = 0.7) -> Picture:
    """Draw groups of small graphs, each group in a box under its name, nodes always in the same positions.

    Parameters
    ----------
    groups : mapping
        Lists of graphs by the name of the group; at most 600 graphs in all.
    size : float
        The size of the graphs, relative to `draw`.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.gallery({"equivalent": [bn.DAG("A->B"), bn.DAG("B->A")]})
    equivalent: A->B | B->A
    """
    if not isinstance(groups, Mapping):
        raise TypeError(f"bn.gallery draws groups of graphs by name, such as {{'chains': [dag, other]}}, "
                        f"not {described(groups)}.")
    boxes = {str(key): list(graphs) for key, graphs in groups.items()}
    if (number := sum(map(len, boxes.values()))) > MAX_GRAPHS:
        raise ValueError(f"{number:,} graphs are too many to look at; "
                         f"give {MAX_GRAPHS} or fewer, for example some of the groups.")
    order: dict[frozenset[str], list[str]] = {}  # nodes are ordered as in the first graph on the same nodes

    def small(graph: Any) -> str:
        drawing = as_drawing(graph)
        nodes = order.setdefault(frozenset(drawing.nodes), list(drawing.nodes))
        return _scaled(drawing_svg(drawing, _positions(nodes), describe(drawing)), size)

    drawn = [_box(name, "".join(map(small, graphs))) for name, graphs in boxes.items()]
    texts = [f"{name}: " + " | ".join(map(str, graphs)) for name, graphs in boxes.items()]
    return Gallery("".join(drawn), f"{len(texts)} groups of graphs. " + "; ".join(texts), text="\n".join(texts))


class Gallery(Picture):
    """The boxes of a gallery, which wrap to the width of the page."""

    def _repr_html_(self) -> str:
        return themed(f'<div class="bnteach-gallery" style="display:flex;flex-wrap:wrap;gap:10px">{self.svg}</div>')


def _positions(nodes: list[str]) -> Layout:
    """The circle of bn.draw with a smaller radius, since small graphs have large nodes."""
    layout = circle(nodes)
    scale = min(MAX_SCALE, 0.32 + 0.06 * len(nodes))  # few nodes leave enough space for their arcs
    layout.at = {node: (x * scale, y * scale) for node, (x, y) in layout.at.items()}
    return framed(layout, {})


def _box(name: str, pictures: str) -> str:
    return (f'<figure style="{BOX}"><figcaption style="font-size:.9em;font-weight:600">{escape(name)}</figcaption>'
            f'<div style="display:flex;flex-wrap:wrap;gap:4px 20px">{pictures}</div></figure>')


def _scaled(svg: str, size: float) -> str:
    """The same picture with its width and height multiplied; its contents scale with them."""
    return re.sub(r' (width|height)="([\d.]+)"', lambda m: f' {m[1]}="{float(m[2]) * size:.0f}"', svg, count=2)
