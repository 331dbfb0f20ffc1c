"""Writing SVG: nodes, lines, arrowheads and labels of a layout, in the looks of the palette.

No element has an id, so that any number of pictures can stand on one page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from bnteach.drawing import Drawing, DrawnEdge
from bnteach.show.curves import Path, Point, corner, cut_end, cut_start, near, round_box
from bnteach.show.layout import Layout
from bnteach.show.measure import lines_of
from bnteach.show.style import FONT, INK, LABEL_SIZE, LOOKS, PAPER, TEXT_SIZE, look_named

HEAD, HALF_HEAD = 11.0, 5.2  # length and half the width of an arrowhead
RIM = 8  # of a label, in white: so wide that the line below does not show through at a decimal point
LARGER = 1.2  # small pictures are shown somewhat larger, for the back row


def drawing_svg(drawing: Drawing, layout: Layout, alt: str, title: str = "", style: str = "") -> str:
    """A drawing as SVG: lines below, labels on them, nodes on top; what is plain is drawn first."""
    weight = {name: i for i, name in enumerate(["removed", "plain", "pruned", "oriented", "kept", "considered"])}
    lines = sorted(drawing.edges.items(), key=lambda item: weight.get(item[1].style, 1))
    drawn = [line_svg(layout, a, b, line) for (a, b), line in lines]
    drawn += [label_svg(layout, a, b, line.label) for (a, b), line in drawing.edges.items() if line.label]
    drawn += [node_svg(layout, node, look) for node, look in drawing.nodes.items()]
    return page(layout, "\n".join(drawn), alt, title, style)


def page(layout: Layout, drawn: str, alt: str, title: str = "", style: str = "") -> str:
    """The whole picture around what is drawn; it shrinks with the page."""
    width, height = max(layout.width, 20), max(layout.height, 20)
    scale = LARGER if width < 340 else 1.0
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}" '
            f'width="{_n(scale * width)}" height="{_n(scale * height)}" role="img" aria-label="{escape(alt)}" '
            f'style="max-width:100%;height:auto{style}" font-family="{escape(FONT)}">'
            f'<title>{escape(tooltip(title, alt))}</title>\n{drawn}\n</svg>')


def tooltip(title: str, alt: str) -> str:
    """What a browser shows when the mouse rests on a picture: its words if they are few."""
    return alt if len(alt) <= 160 else title or alt.split(":")[0]


def node_svg(layout: Layout, node: str, look: str = "plain", slot: str = "") -> str:
    """A node: a circle or pill, and its name in the middle."""
    (x, y), (w, h) = layout.at[node], layout.size[node]
    lines = lines_of(layout.text[node])
    top = y + TEXT_SIZE * 0.36 - 9 * (len(lines) - 1)
    text = "".join(f'<text x="{_n(x)}" y="{_n(top + 18 * i)}">{escape(line)}</text>' for i, line in enumerate(lines))
    shape = (f'<rect x="{_n(x - w / 2)}" y="{_n(y - h / 2)}" width="{_n(w)}" height="{_n(h)}" '
             f'rx="{_n(corner((w, h)))}"{attributes(node_look(look))}/>')
    style = f'font-size="{TEXT_SIZE}" text-anchor="middle" fill="{look_named(look).text}"'
    return f'<g class="bn-node"{slot} {style}>{shape}{text}</g>'


def line_svg(layout: Layout, a: str, b: str, line: DrawnEdge, slot: str = "", hidden: bool = False) -> str:
    """A line from node to node, with an arrowhead if it is directed."""
    key = (a, b, line.directed)
    if key not in layout.seen:
        layout.seen[key] = cut_line(layout, *key)
    body, head = layout.seen[key]
    drawn = f'<path d="{_d(body)}"{attributes(line_look(line.style))}/>'
    if head:
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in head)
        drawn += f'<polygon points="{points}"{attributes(head_look(line.style))}/>'
    kind = "bn-arc" if line.directed else "bn-edge"
    return f'<g class="{kind}"{slot}{" display=" + chr(34) + "none" + chr(34) if hidden else ""}>{drawn}</g>'


def label_svg(layout: Layout, a: str, b: str, label: str, slot: str = "") -> str:
    """The label of a line, with a white rim so that lines below do not run into it."""
    x, y = layout.label(a, b)
    return (f'<text class="bn-label"{slot} x="{_n(x)}" y="{_n(y + LABEL_SIZE * 0.36)}" font-size="{LABEL_SIZE}" '
            f'text-anchor="middle" fill="{INK}" stroke="{PAPER}" stroke-width="{RIM}" stroke-linejoin="round" '
            f'paint-order="stroke">{escape(label)}</text>')


def cut_line(layout: Layout, a: str, b: str, directed: bool) -> tuple[Path, list[Point]]:
    """The part of a line between two nodes that is seen, and the corners of its arrowhead, if it has one."""
    body = cut_start(layout.path(a, b), round_box(layout.at[a], layout.size[a]))
    end = round_box(layout.at[b], layout.size[b], gap=2.0 if directed else 0.0)
    body = cut_end(body, end)
    if not directed:
        return body, []
    tip = body[-1]
    body = cut_end(body, near(tip, HEAD))
    base = body[-1]
    length = max(((tip[0] - base[0]) ** 2 + (tip[1] - base[1]) ** 2) ** 0.5, 1e-6)
    ux, uy = (tip[0] - base[0]) / length, (tip[1] - base[1]) / length
    left = (tip[0] - HEAD * ux - HALF_HEAD * uy, tip[1] - HEAD * uy + HALF_HEAD * ux)
    right = (tip[0] - HEAD * ux + HALF_HEAD * uy, tip[1] - HEAD * uy - HALF_HEAD * ux)
    return body, [tip, left, right]


# -- looks as attributes, which the player's script sets too ----------------------------------------------
def line_look(name: str) -> dict[str, str]:
    """The attributes of a line of this look."""
    look = look_named(name)
    return {"fill": "none", "stroke": look.colour, "stroke-width": f"{look.width:g}",
            "stroke-dasharray": look.dash or "none", "stroke-linecap": "round" if name == "removed" else "butt"}


def head_look(name: str) -> dict[str, str]:
    """The attributes of an arrowhead of this look."""
    look = look_named(name)
    return {"fill": PAPER if look.hollow else look.colour, "stroke": look.colour,
            "stroke-width": "2" if look.hollow else "1", "stroke-linejoin": "round"}


def node_look(name: str) -> dict[str, str]:
    """The attributes of a node's outline of this look."""
    look = look_named(name)
    return {"fill": look.fill, "stroke": look.colour, "stroke-width": f"{min(look.width, 3):g}",
            "stroke-dasharray": look.dash or "none"}


def legend_html(looks: Iterable[str]) -> str:
    """What the looks mean, those that were used: a short line of each, and its word."""
    used = [name for name in LOOKS if name in set(looks) and name != "plain"]
    line = '<svg width="34" height="12" viewBox="0 0 34 12" aria-hidden="true">{}</svg>'
    head = '<polygon points="33,6 24,2 24,10"{}/>'
    signs = [line.format(f'<path d="M1,6 L{24 if name == "oriented" else 33},6"{attributes(line_look(name))}/>'
                         + (head.format(attributes(head_look(name))) if name == "oriented" else "")) for name in used]
    items = "".join(f'<span style="white-space:nowrap">{sign} {name}</span> ' for sign, name in zip(signs, used))
    return f'<div style="display:flex;flex-wrap:wrap;gap:2px 14px;font-size:13px;margin-top:4px">{items}</div>'


def all_looks() -> dict[str, dict[str, Any]]:
    """The looks as the player's script wants them."""
    return {name: {"path": line_look(name), "polygon": head_look(name), "rect": node_look(name), "ink": look.text}
            for name, look in LOOKS.items()}


def attributes(values: Mapping[str, str]) -> str:
    """Attributes as written in a tag."""
    return "".join(f' {key}="{escape(value)}"' for key, value in values.items())


def _n(number: float) -> str:
    """A coordinate; one that lies half-way is rounded up, whatever its last bit is on this processor."""
    return f"{round(number + 1e-7, 1):g}" if abs(number) < 1e5 else f"{number:.0f}"


def _d(path: Path) -> str:
    first, *rest = (f"{_n(x)},{_n(y)}" for x, y in path)
    return f"M{first} C{' '.join(rest)}"
