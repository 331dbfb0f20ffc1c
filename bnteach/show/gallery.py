"""bn.gallery: many small graphs at once, in groups, every node always in the same place.

    bn.gallery(bn.all_classes("ABC"))      all 25 DAGs on three nodes, in their 11 classes
    bn.gallery({"a chain": [chain], "two forks": [fork, other]})
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from bnteach.errors import described

if TYPE_CHECKING:
    from bnteach.show.layout import Layout
    from bnteach.show.picture import Picture

MOST, CLOSER = 600, 0.68
BOX = "margin:0;padding:6px 8px 4px;border:1px solid #d5dbe1;border-radius:10px;background:#fff;max-width:100%"


def gallery(groups: Mapping[Any, Iterable[Any]], size: float = 0.7) -> Picture:
    """Draw groups of graphs on the same nodes, small, each group in a box under its name.

    size  how large, as a part of the size of bn.draw
    """
    from bnteach.show.draw import as_sketch, describe
    from bnteach.show.svg import drawing_svg

    if not isinstance(groups, Mapping):
        raise TypeError(f"bn.gallery draws groups of graphs by name, such as {{'chains': [dag, other]}}, "
                        f"not {described(groups)}.")
    boxes = {_name(key): list(graphs) for key, graphs in groups.items()}
    if sum(map(len, boxes.values())) > MOST:
        raise ValueError(f"{sum(map(len, boxes.values())):,} graphs are too many to look at; "
                         f"give {MOST} or fewer, for example some of the groups.")
    order: dict[frozenset[str], list[str]] = {}  # the same nodes come in the order of the first graph that has them

    def small(graph: Any) -> str:
        drawing = as_sketch(graph)
        nodes = order.setdefault(frozenset(drawing.nodes), list(drawing.nodes))
        return _smaller(drawing_svg(drawing, _places(nodes), describe(drawing)), size)

    drawn = [_box(name, "".join(map(small, graphs))) for name, graphs in boxes.items()]
    return _picture(drawn, [f"{name}: " + " | ".join(map(str, graphs)) for name, graphs in boxes.items()])


def _places(nodes: list[str]) -> Layout:
    """The circle of bn.draw, drawn closer: small graphs have large nodes."""
    from bnteach.show.layout import circle, framed

    layout = circle(nodes)
    near = min(CLOSER, 0.32 + 0.06 * len(nodes))  # few nodes need little room for their arrows
    layout.at = {node: (x * near, y * near) for node, (x, y) in layout.at.items()}
    return framed(layout, {})


def _box(name: str, pictures: str) -> str:
    return (f'<figure style="{BOX}"><figcaption style="font-size:.9em;font-weight:600">{escape(name)}</figcaption>'
            f'<div style="display:flex;flex-wrap:wrap;gap:4px 20px">{pictures}</div></figure>')


def _picture(drawn: list[str], told: list[str]) -> Picture:
    from bnteach.show.picture import Picture

    class Gallery(Picture):
        """The boxes, wrapped as the page is wide."""

        def _repr_html_(self) -> str:
            return f'<div class="bnteach-gallery" style="display:flex;flex-wrap:wrap;gap:10px">{self.svg}</div>'

    return Gallery("".join(drawn), f"{len(told)} groups of graphs. " + "; ".join(told), text="\n".join(told))


def _name(key: Any) -> str:
    return key if isinstance(key, str) else str(key)


def _smaller(svg: str, size: float) -> str:
    """The same picture with its width and height multiplied; what is inside scales with them."""
    return re.sub(r' (width|height)="([\d.]+)"', lambda m: f' {m[1]}="{float(m[2]) * size:.0f}"', svg, count=2)
