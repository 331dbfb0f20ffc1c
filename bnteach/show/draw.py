"""bn.draw: a graph as a picture in layers, from parents to children.

    bn.draw(bn.DAG("A->C, B->C, B->D"))
    bn.draw(tree, labels={("A", "B"): "0.32"}, highlight=[("A", "B"), "C"])
    bn.draw(pattern, styles={("A", "D"): "removed"})      also for edges that are not in the graph
    bn.draw(learned, like=[learned, true])                every node where it is in a picture of the other
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from bnteach.drawing import Drawing, DrawnEdge
from bnteach.errors import UnknownVariable
from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG
from bnteach.learn.bootstrap import Bootstrap
from bnteach.show.layout import Layout, circle, layers
from bnteach.show.picture import Picture
from bnteach.show.style import style_named
from bnteach.show.svg import drawing_svg, legend_html
from bnteach.trace import Result

Pair = tuple[str, str]
MAX_EDGES, MAX_NODES = 25, 25  # listed in alt text; more are counted


def draw(graph: Any, labels: Mapping[Pair, object] | None = None, styles: Mapping[Any, str] | None = None,
         highlight: Iterable[Any] = (), title: str = "", direction: str = "TB",
         node_labels: Mapping[str, object] | None = None, like: Any = None,
         legend: Mapping[str, str] | None = None) -> Picture:
    """Draw a graph in layers, from parents to children.

    Parameters
    ----------
    graph : DAG, PDAG, networkx graph, Result, Bootstrap or Drawing
        What to draw; of a Result, its graph; of a Bootstrap, its averaged graph, wide lines for sure edges.
    labels : mapping, optional
        Labels of edges, ``{("A", "B"): "0.32"}``; the order of the pair does not matter.
    styles : mapping, optional
        Styles of edges and nodes, ``{("A", "B"): "removed", "C": "kept"}``. An edge that is not in the graph
        is added: in a DAG as an arc from the first node to the second, otherwise as an undirected edge.
    highlight : iterable, optional
        Edges (pairs) and nodes to draw in the style "kept".
    title : str, optional
        A title above the picture.
    direction : {"TB", "LR", "BT", "RL"}
        From top to bottom, from left to right, and the reverse of these.
    node_labels : mapping, optional
        What to write in a node instead of its name, ``{"A": "A = yes"}``.
    like : graph or list of graphs, optional
        Put every node where it is in a picture of these graphs together, so that pictures can be compared.
    legend : mapping, optional
        What a style means in this picture, ``{"removed": "not in the true graph"}``; shown below it.

    Returns
    -------
    Picture
        An SVG picture whose alt text lists the nodes, edges and arcs.

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.draw(bn.PDAG("A-B, B->C"), highlight=["C"])
    Partially directed graph on A, B, C (kept): undirected edge A - B; arc B to C.
    """
    if direction not in ("TB", "LR", "BT", "RL"):
        raise ValueError(f"direction is {direction!r}; it can be 'TB' (top to bottom), 'LR', 'BT' or 'RL'.")
    drawing = as_drawing(graph)
    _set_styles(drawing, styles or {}, highlight, as_arcs=isinstance(getattr(graph, "graph", graph), DAG))
    for pair, label in (labels or {}).items():
        drawing.edges[_edge_to_label(drawing, pair)].label = _text(label)
    for node in node_labels or {}:
        _check_node(drawing, node)
    texts = {node: _text(text) for node, text in (node_labels or {}).items()}
    layout = lay_out(drawing if like is None else _together(drawing, like), direction, texts)
    prefix, words = f"{title}. " if title else "", legend or {}
    alt, text = prefix + describe(drawing, words=words), prefix + describe(drawing, shorten=False, words=words)
    below = legend_html(map(_named, words), words) if words else ""
    return Picture(drawing_svg(drawing, layout, alt, title), alt, title, text, below)


def as_drawing(graph: Any) -> Drawing:
    """Any graph as a drawing, the only form that this package draws."""
    if isinstance(graph, Result):
        return as_drawing(graph.graph)
    if isinstance(graph, Bootstrap):
        drawing = as_drawing(graph.graph())
        for pair, edge in drawing.edges.items():
            edge.width, edge.label = 0.3 + 2.7 * (share := graph.edge(*pair)), f"{share:.0%}"
        return drawing
    if isinstance(graph, Drawing):
        drawing = graph.copy()
        drawing.add_nodes(node for pair in drawing.edges for node in pair)
        return drawing
    if hasattr(graph, "is_directed") and hasattr(graph, "adjacency"):
        graph = PDAG.from_networkx(graph)
    if isinstance(graph, type) or not hasattr(graph, "nodes") or not hasattr(graph, "arcs"):
        raise TypeError(f"bn.draw draws a DAG, a PDAG, a networkx graph, a Result or a Drawing; "
                        f"{type(graph).__name__} is none of these. From text: bn.draw(bn.DAG('A->B')).")
    drawing = Drawing()
    drawing.redraw(graph)
    return drawing


def _together(drawing: Drawing, like: Any) -> Drawing:
    """All edges of several graphs, each as in the first graph that has it, with the labels of the drawing."""
    graphs = [as_drawing(graph) for graph in (like if isinstance(like, list | tuple) else [like])]
    together = Drawing()
    for graph in graphs:
        together.add_nodes(graph.nodes)
        for (a, b), edge in graph.edges.items():
            if _find(together, a, b) is None:
                label = drawing.edges[key].label if (key := _find(drawing, a, b)) else ""
                (together.add_arc if edge.directed else together.add_edge)(a, b, label=label)
    for node in drawing.nodes:
        _check_node(together, node)
    return together


def lay_out(drawing: Drawing, direction: str = "TB", text: Mapping[str, str] | None = None) -> Layout:
    """Layers; but nodes on a circle for a complete undirected graph, which has no layers."""
    nodes, edges = list(drawing.nodes), list(drawing.edges)
    labels = {pair: edge.label for pair, edge in drawing.edges.items() if edge.label}
    undirected = not any(edge.directed for edge in drawing.edges.values())
    if undirected and is_complete(nodes, edges):
        return circle(nodes, edges, labels, text)
    return layers(nodes, edges, labels, direction, text)


def is_complete(nodes: list[str], edges: Iterable[Pair]) -> bool:
    """Are there three to eight nodes, all of them adjacent to each other?"""
    return 3 <= len(nodes) <= 8 and len({frozenset(edge) for edge in edges}) == len(nodes) * (len(nodes) - 1) // 2


def describe(drawing: Drawing, shorten: bool = True, words: Mapping[str, str] | None = None) -> str:
    """A drawing in words: its nodes, its undirected edges and arcs, with labels and styles; shortened if it is large.

    `words` says what a style means, in place of its name.

    >>> from bnteach import DAG, PDAG
    >>> describe(as_drawing(DAG("A->C, B->C, B->D", nodes="ABCD")))
    'Directed graph on A, B, C, D: arcs A to C, B to C, B to D.'
    >>> describe(as_drawing(PDAG("A-B, A->C, D")))
    'Partially directed graph on A, B, C, D: undirected edge A - B; arc A to C.'
    """
    if not drawing.nodes:
        return "Graph without nodes."
    nodes = [_with_style(node, style, words) for node, style in drawing.nodes.items()]
    on = f"{len(nodes)} nodes" if shorten and len(nodes) > MAX_NODES else ", ".join(nodes)
    if not drawing.edges:
        return f"Graph on {on} without edges."
    index = {node: i for i, node in enumerate(drawing.nodes)}
    edges = sorted(drawing.edges.items(),
                   key=lambda item: (item[1].directed, *(index.get(node, len(index)) for node in item[0])))
    listed = edges[:MAX_EDGES] if shorten else edges
    groups = [_list_edges(directed, list(group), words)
              for directed, group in groupby(listed, lambda item: item[1].directed)]
    more = [f"and {len(edges) - len(listed)} more"] if len(edges) > len(listed) else []
    return f"{_kind(drawing)} graph on {on}: {'; '.join([*groups, *more])}."


def _list_edges(directed: bool, edges: list[tuple[Pair, DrawnEdge]], words: Mapping[str, str] | None) -> str:
    kind, link = ("arc", " to ") if directed else ("undirected edge", " - ")
    listed = [_with_style(f"{a}{link}{b}" + (f" labelled {edge.label}" if edge.label else ""), edge.style, words)
              for (a, b), edge in edges]
    return f"{kind}{'s' if len(edges) > 1 else ''} {', '.join(listed)}"


def _named(style: str) -> str:
    style_named(style)
    return style


def _with_style(text: str, style: str, words: Mapping[str, str] | None) -> str:
    return text if style == "plain" else f"{text} ({(words or {}).get(style, style)})"


def _kind(drawing: Drawing) -> str:
    directed = {edge.directed for edge in drawing.edges.values()}
    return "Partially directed" if len(directed) == 2 else "Directed" if True in directed else "Undirected"


# -- options of draw ---------------------------------------------------------------------------------------
def _set_styles(drawing: Drawing, styles: Mapping[Any, str], highlight: Iterable[Any], as_arcs: bool) -> None:
    """Set the styles of edges and nodes; an edge that is not there is added, as an arc or undirected."""
    highlighted = [highlight] if isinstance(highlight, str) else highlight
    for what, style in [*styles.items(), *((what, "kept") for what in highlighted)]:
        style_named(style)
        if isinstance(what, str):
            drawing.nodes[_check_node(drawing, what)] = style
            continue
        a, b = _pair(what, "styles")
        if (key := _find(drawing, a, b)) is not None:
            drawing.edges[key].style = style
        else:
            (drawing.add_arc if as_arcs else drawing.add_edge)(_check_node(drawing, a), _check_node(drawing, b), style)


def _edge_to_label(drawing: Drawing, pair: Any) -> Pair:
    a, b = _pair(pair, "labels")
    if (key := _find(drawing, a, b)) is None:
        _check_node(drawing, a), _check_node(drawing, b)
        raise ValueError(f"there is no edge between {a} and {b} to label. "
                         f"To show it nevertheless, also give styles={{({a!r}, {b!r}): 'considered'}}.")
    return key


def _find(drawing: Drawing, a: str, b: str) -> Pair | None:
    return next((key for key in ((a, b), (b, a)) if key in drawing.edges), None)


def _pair(pair: Any, option: str) -> Pair:
    if not isinstance(pair, (tuple, list, frozenset, set)) or len(pair) != 2:
        raise TypeError(f"{option} takes edges as pairs such as ('A', 'B'), and nodes by name; {pair!r} is neither.")
    a, b = sorted(pair) if isinstance(pair, (set, frozenset)) else pair
    return str(a), str(b)


def _check_node(drawing: Drawing, node: str) -> str:
    if node not in drawing.nodes:
        raise UnknownVariable(node, drawing.nodes)
    return node


def _text(label: object) -> str:
    return f"{label:.3g}" if isinstance(label, float) else str(label)
