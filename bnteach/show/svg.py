"""SVG of a drawing: nodes, edges, arrowheads and labels of a layout, in the styles of the palette.

No element has an id, so that any number of pictures can be on one page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from html import escape
from typing import Any

from bnteach.drawing import Drawing, DrawnEdge
from bnteach.show.curves import Path, Point, corner, cut_end, cut_start, disc, round_box
from bnteach.show.layout import Layout
from bnteach.show.measure import lines_of
from bnteach.show.style import FONT, INK, LABEL_SIZE, PAPER, STYLES, TEXT_SIZE, style_named

HEAD, HALF_HEAD = 11.0, 5.2  # length and half the width of an arrowhead
RIM = 8  # of a label, in white: so wide that the edge below does not show through at a decimal point
LARGER = 1.2  # small pictures are enlarged, to be seen from the back row


def drawing_svg(drawing: Drawing, layout: Layout, alt: str, title: str = "", css: str = "",
                extra: Callable[..., str] = lambda *names: "") -> str:
    """A drawing as SVG: edges below, labels on them, nodes on top; conspicuous styles cover the others.

    `extra` gives further attributes for a node (its name) or an edge (its two nodes).
    """
    order = ["removed", "plain", "pruned", "oriented", "kept", "considered"]
    edges = sorted(drawing.edges.items(), key=lambda item: order.index(item[1].style) if item[1].style in order else 1)
    drawn = [edge_svg(layout, a, b, edge, extra(a, b)) for (a, b), edge in edges]
    drawn += [label_svg(layout, a, b, edge.label) for (a, b), edge in drawing.edges.items() if edge.label]
    drawn += [node_svg(layout, node, style, extra(node)) for node, style in drawing.nodes.items()]
    return page(layout, "\n".join(drawn), alt, title, css)


def page(layout: Layout, drawn: str, alt: str, title: str = "", css: str = "") -> str:
    """The svg element around what is drawn; it shrinks with the page."""
    width, height = max(layout.width, 20), max(layout.height, 20)
    scale = LARGER if width < 340 else 1.0
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}" '
            f'width="{_n(scale * width)}" height="{_n(scale * height)}" role="img" aria-label="{escape(alt)}" '
            f'style="max-width:100%;height:auto{css}" font-family="{escape(FONT)}">'
            f'<title>{escape(tooltip(title, alt))}</title>\n{drawn}\n</svg>')


def tooltip(title: str, alt: str) -> str:
    """What a browser shows when the mouse rests on a picture: the alt text if it is short."""
    return alt if len(alt) <= 160 else title or alt.split(":")[0]


def node_svg(layout: Layout, node: str, style: str = "plain", attribute: str = "") -> str:
    """A node: a circle or rounded box, and its name in the middle."""
    (x, y), (w, h) = layout.at[node], layout.size[node]
    lines = lines_of(layout.text[node])
    top = y + TEXT_SIZE * 0.36 - 9 * (len(lines) - 1)
    text = "".join(f'<text x="{_n(x)}" y="{_n(top + 18 * i)}">{escape(line)}</text>' for i, line in enumerate(lines))
    shape = (f'<rect x="{_n(x - w / 2)}" y="{_n(y - h / 2)}" width="{_n(w)}" height="{_n(h)}" '
             f'rx="{_n(corner((w, h)))}"{attributes(node_attributes(style))}/>')
    font = f'font-size="{TEXT_SIZE}" text-anchor="middle" fill="{style_named(style).text}"'
    return f'<g class="bn-node"{attribute} {font}>{shape}{text}</g>'


def edge_svg(layout: Layout, a: str, b: str, edge: DrawnEdge, attribute: str = "", hidden: bool = False) -> str:
    """An edge, with an arrowhead if it is directed."""
    key = (a, b, edge.directed)
    if key not in layout.visible:
        layout.visible[key] = visible_part(layout, *key)
    body, head = layout.visible[key]
    drawn = f'<path d="{_d(body)}"{attributes(path_attributes(edge.style, edge.width))}/>'
    if head:
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in head)
        drawn += f'<polygon points="{points}"{attributes(head_attributes(edge.style))}/>'
    kind = "bn-arc" if edge.directed else "bn-edge"
    return f'<g class="{kind}"{attribute}{" display=" + chr(34) + "none" + chr(34) if hidden else ""}>{drawn}</g>'


def label_svg(layout: Layout, a: str, b: str, label: str, attribute: str = "") -> str:
    """The label of an edge, with a white rim that keeps it apart from edges below."""
    x, y = layout.label(a, b)
    return (f'<text class="bn-label"{attribute} x="{_n(x)}" y="{_n(y + LABEL_SIZE * 0.36)}" font-size="{LABEL_SIZE}" '
            f'text-anchor="middle" fill="{INK}" stroke="{PAPER}" stroke-width="{RIM}" stroke-linejoin="round" '
            f'paint-order="stroke">{escape(label)}</text>')


def visible_part(layout: Layout, a: str, b: str, directed: bool) -> tuple[Path, list[Point]]:
    """The part of an edge between its two nodes, and the corners of its arrowhead, if it has one."""
    body = cut_start(layout.path(a, b), round_box(layout.at[a], layout.size[a]))
    end = round_box(layout.at[b], layout.size[b], margin=2.0 if directed else 0.0)
    body = cut_end(body, end)
    if not directed:
        return body, []
    tip = body[-1]
    body = cut_end(body, disc(tip, HEAD))
    base = body[-1]
    length = max(((tip[0] - base[0]) ** 2 + (tip[1] - base[1]) ** 2) ** 0.5, 1e-6)
    ux, uy = (tip[0] - base[0]) / length, (tip[1] - base[1]) / length
    left = (tip[0] - HEAD * ux - HALF_HEAD * uy, tip[1] - HEAD * uy + HALF_HEAD * ux)
    right = (tip[0] - HEAD * ux + HALF_HEAD * uy, tip[1] - HEAD * uy - HALF_HEAD * ux)
    return body, [tip, left, right]


# -- styles as SVG attributes, which the player's script sets too ------------------------------------------
def path_attributes(name: str, width: float = 1.0) -> dict[str, str]:
    """The attributes of an edge of this style; its line is `width` times as wide as usual."""
    style = style_named(name)
    return {"fill": "none", "stroke": style.colour, "stroke-width": f"{width * style.width:.3g}",
            "stroke-dasharray": style.dash or "none", "stroke-linecap": "round" if name == "removed" else "butt"}


def head_attributes(name: str) -> dict[str, str]:
    """The attributes of an arrowhead of this style."""
    style = style_named(name)
    return {"fill": PAPER if style.hollow else style.colour, "stroke": style.colour,
            "stroke-width": "2" if style.hollow else "1", "stroke-linejoin": "round"}


def node_attributes(name: str) -> dict[str, str]:
    """The attributes of the outline of a node of this style."""
    style = style_named(name)
    return {"fill": style.fill, "stroke": style.colour, "stroke-width": f"{min(style.width, 3):g}",
            "stroke-dasharray": style.dash or "none"}


def legend_html(styles: Iterable[str], words: Mapping[str, str] | None = None) -> str:
    """A legend of the styles that are used: a sample of each, and its name, or the words for what it means."""
    means = {"plain": "", **{name: name for name in STYLES if name != "plain"}, **(words or {})}
    given = set(styles)
    used = [name for name in STYLES if name in given and means[name]]
    items = "".join(f'<span style="white-space:nowrap">{_sample(name)} {escape(means[name])}</span> ' for name in used)
    return f'<div style="display:flex;flex-wrap:wrap;gap:2px 14px;font-size:13px;margin-top:4px">{items}</div>'


def _sample(name: str) -> str:
    end = 24 if name == "oriented" else 33
    head = f'<polygon points="33,6 24,2 24,10"{attributes(head_attributes(name))}/>' if name == "oriented" else ""
    return (f'<svg width="34" height="12" viewBox="0 0 34 12" aria-hidden="true">'
            f'<path d="M1,6 L{end},6"{attributes(path_attributes(name))}/>{head}</svg>')


def all_styles() -> dict[str, dict[str, Any]]:
    """The attributes of all styles, by tag, for the player's script."""
    return {name: {"path": path_attributes(name), "polygon": head_attributes(name), "rect": node_attributes(name),
                   "ink": style.text} for name, style in STYLES.items()}


def attributes(values: Mapping[str, str]) -> str:
    """Attributes as they are written in a tag."""
    return "".join(f' {key}="{escape(value)}"' for key, value in values.items())


def _n(number: float) -> str:
    """A coordinate; one that lies half-way is rounded up, whatever its last bit is on this processor."""
    return f"{round(number + 1e-7, 1):g}" if abs(number) < 1e5 else f"{number:.0f}"


def _d(path: Path) -> str:
    first, *rest = (f"{_n(x)},{_n(y)}" for x, y in path)
    return f"M{first} C{' '.join(rest)}"
