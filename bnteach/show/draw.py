"""bn.draw: a graph as a picture in layers, from parents to children.

    bn.draw(bn.DAG("A->C, B->C, B->D"))
    bn.draw(tree, labels={("A", "B"): "0.32"}, highlight=[("A", "B"), "C"])
    bn.draw(pattern, looks={("A", "D"): "removed"})      also for lines that are not in the graph
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

from bnteach.drawing import Drawing
from bnteach.errors import UnknownVariable
from bnteach.graphs.dag import DAG
from bnteach.show.layout import Layout, circle, layers
from bnteach.show.picture import Picture
from bnteach.show.style import look_named
from bnteach.show.svg import drawing_svg
from bnteach.trace import Result

Pair = tuple[str, str]
MOST_LINES, MOST_NODES = 25, 25  # told in alt text; more is shortened


def draw(graph: Any, labels: Mapping[Pair, object] | None = None, looks: Mapping[Any, str] | None = None,
         highlight: Iterable[Any] = (), title: str = "", direction: str = "TB",
         node_labels: Mapping[str, object] | None = None) -> Picture:
    """Draw a DAG, a PDAG, a networkx graph, a Result or a Drawing.

    labels       {("A", "B"): "0.32"}, the pair either way round
    looks        {("A", "B"): "removed", "C": "kept"}: lines and nodes; a line that is not there is added,
                 in a DAG as an arc from the first to the second
    highlight    lines (pairs) and nodes to stand out
    direction    "TB" from top to bottom, "LR" from left to right
    node_labels  {"A": "A = yes"}: what to write in a node in place of its name
    """
    if direction not in ("TB", "LR", "BT", "RL"):
        raise ValueError(f"direction is {direction!r}; it can be 'TB' (top to bottom), 'LR', 'BT' or 'RL'.")
    drawing = as_sketch(graph)
    for what, look in (looks or {}).items():
        _set_look(drawing, what, look, isinstance(getattr(graph, "graph", graph), DAG))
    for what in [highlight] if isinstance(highlight, str) else highlight:
        _set_look(drawing, what, "kept", isinstance(getattr(graph, "graph", graph), DAG))
    for pair, label in (labels or {}).items():
        drawing.edges[_line(drawing, pair, "labels")].label = _text(label)
    for node in node_labels or {}:
        _node(drawing, node)
    written = {node: _text(text) for node, text in (node_labels or {}).items()}
    layout = lay_out(drawing, direction, written)
    alt = f"{title}. {describe(drawing)}" if title else describe(drawing)
    text = f"{title}. {describe(drawing, None)}" if title else describe(drawing, None)
    return Picture(drawing_svg(drawing, layout, alt, title), alt, title, text)


def as_sketch(graph: Any) -> Drawing:
    """Any graph as a drawing, which is all that the drawing room knows."""
    if isinstance(graph, Result):
        return as_sketch(graph.graph)
    if isinstance(graph, Drawing):
        drawing = graph.copy()
        drawing.add_nodes(end for pair in drawing.edges for end in pair)
        return drawing
    if hasattr(graph, "is_directed") and hasattr(graph, "adjacency"):
        return _from_networkx(graph)
    if isinstance(graph, type) or not hasattr(graph, "nodes") or not hasattr(graph, "arcs"):
        raise TypeError(f"bn.draw draws a DAG, a PDAG, a networkx graph, a Result or a Drawing; "
                        f"{type(graph).__name__} is none of these. From text: bn.draw(bn.DAG('A->B')).")
    drawing = Drawing()
    drawing.add_nodes(graph.nodes)
    for a, b in graph.arcs:
        drawing.add_arc(a, b, style="plain")
    for a, b in getattr(graph, "edges", ()):
        drawing.add_edge(a, b)
    return drawing


def _from_networkx(graph: Any) -> Drawing:
    """A networkx graph; arcs both ways are one undirected edge."""
    drawing = Drawing()
    drawing.add_nodes(str(node) for node in graph.nodes)
    for a, b in graph.edges():
        if a == b:
            raise ValueError(f"the networkx graph joins {a} to itself, which is not drawn: remove that line first.")
        arrow = graph.is_directed() and not graph.has_edge(b, a)
        (drawing.add_arc if arrow else drawing.add_edge)(str(a), str(b), style="plain")
    return drawing


def lay_out(drawing: Drawing, direction: str = "TB", text: Mapping[str, str] | None = None) -> Layout:
    """Layers; but a complete undirected graph, which has none, goes on a circle."""
    nodes, lines = list(drawing.nodes), list(drawing.edges)
    labels = {pair: line.label for pair, line in drawing.edges.items() if line.label}
    undirected = not any(line.directed for line in drawing.edges.values())
    if undirected and is_complete(nodes, lines):
        return circle(nodes, lines, labels, text)
    return layers(nodes, lines, labels, direction, text)


def is_complete(nodes: list[str], lines: Iterable[Pair]) -> bool:
    """Three to eight nodes, and a line between any two?"""
    return 3 <= len(nodes) <= 8 and len({frozenset(line) for line in lines}) == len(nodes) * (len(nodes) - 1) // 2


def describe(drawing: Drawing, most: int | None = MOST_LINES) -> str:
    """A graph in words: its kind, its nodes, its lines with labels and looks. `most` lines are told.

    >>> from bnteach import DAG, PDAG
    >>> describe(as_sketch(DAG("A->C, B->C, B->D", nodes="ABCD")))
    'Directed graph on A, B, C, D: A->C, B->C, B->D.'
    >>> describe(as_sketch(PDAG("A-B, A->C, D")))
    'Partly directed graph on A, B, C, D: A-B, A->C.'
    """
    if not drawing.nodes:
        return "Graph without nodes."
    nodes = [_told(node, look) for node, look in drawing.nodes.items()]
    on = f"{len(nodes)} nodes" if most and len(nodes) > MOST_NODES else ", ".join(nodes)
    if not drawing.edges:
        return f"Graph without lines on {on}."
    place = {node: i for i, node in enumerate(drawing.nodes)}
    lines = sorted(drawing.edges.items(), key=lambda item: [place.get(end, len(place)) for end in item[0]])
    told = [_told(f"{a}{'->' if line.directed else '-'}{b}{' ' * bool(line.label)}{line.label}", line.style)
            for (a, b), line in lines]
    if most and len(told) > most:
        told = [*told[:most], f"and {len(told) - most} more"]
    return f"{_kind(drawing)} graph on {on}: {', '.join(told)}."


def _told(what: str, look: str) -> str:
    return what if look == "plain" else f"{what} ({look})"


def _kind(drawing: Drawing) -> str:
    directed = {line.directed for line in drawing.edges.values()}
    return "Partly directed" if len(directed) == 2 else "Directed" if True in directed else "Undirected"


def html_or_text(graph: Any) -> str:
    """A graph as HTML for a notebook: drawn, or as escaped text where there is no Graphviz."""
    try:
        return draw(graph)._repr_html_()
    except ImportError:
        return f"<code>{escape(repr(graph))}</code>"


# -- what was asked for ------------------------------------------------------------------------------------
def _set_look(drawing: Drawing, what: Any, look: str, as_arc: bool) -> None:
    look_named(look)
    if isinstance(what, str):
        drawing.nodes[_node(drawing, what)] = look
        return
    a, b = _pair(what, "looks")
    if (key := _find(drawing, a, b)) is None:
        (drawing.add_arc if as_arc else drawing.add_edge)(_node(drawing, a), _node(drawing, b), look)
    else:
        drawing.edges[key].style = look


def _line(drawing: Drawing, pair: Any, where: str) -> Pair:
    a, b = _pair(pair, where)
    if (key := _find(drawing, a, b)) is None:
        _node(drawing, a), _node(drawing, b)
        raise ValueError(f"there is no line between {a} and {b} to label. "
                         f"To show it all the same, give looks={{({a!r}, {b!r}): 'considered'}} too.")
    return key


def _find(drawing: Drawing, a: str, b: str) -> Pair | None:
    return next((key for key in ((a, b), (b, a)) if key in drawing.edges), None)


def _pair(pair: Any, where: str) -> Pair:
    if not isinstance(pair, (tuple, list, frozenset, set)) or len(pair) != 2:
        raise TypeError(f"{where} takes lines as pairs such as ('A', 'B'), and nodes by name; {pair!r} is neither.")
    a, b = sorted(pair) if isinstance(pair, (set, frozenset)) else pair
    return str(a), str(b)


def _node(drawing: Drawing, node: str) -> str:
    if node not in drawing.nodes:
        raise UnknownVariable(node, drawing.nodes)
    return node


def _text(label: object) -> str:
    return f"{label:.3g}" if isinstance(label, float) else str(label)
