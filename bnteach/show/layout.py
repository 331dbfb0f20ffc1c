"""Positions: nodes in layers by Graphviz' dot, or on a circle; edges as curves; labels on them.

Graphviz computes positions only. It gets the size of each node and label, so it needs no fonts and gives the same
picture on every machine. Where pygraphviz is not installed, as in a browser, layered.py computes the layers instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Any

from bnteach.show.curves import Path, Point, at, straight
from bnteach.show.layered import layered
from bnteach.show.measure import node_size, text_width
from bnteach.show.style import LABEL_SIZE

Pair = tuple[str, str]
MARGIN = 10.0
ROW = 880.0  # connected components are placed side by side up to this width


@dataclass
class Layout:
    """Positions: of the centres of nodes, of edges as curves from centre to centre, and of their labels."""

    at: dict[str, Point] = field(default_factory=dict)
    size: dict[str, Point] = field(default_factory=dict)
    text: dict[str, str] = field(default_factory=dict)
    paths: dict[Pair, Path] = field(default_factory=dict)
    labels: dict[Pair, Point] = field(default_factory=dict)
    visible: dict[tuple[str, str, bool], tuple[Path, list[Point]]] = field(default_factory=dict)
    """Edges cut at the borders of their nodes: a cache, since a player draws them repeatedly."""
    width: float = 0.0
    height: float = 0.0

    def path(self, a: str, b: str) -> Path:
        """The curve from a to b; if none was laid out, straight or around other nodes."""
        if (a, b) in self.paths:
            return self.paths[a, b]
        if (b, a) not in self.paths:
            self.paths[b, a] = free_path(self, b, a)
        return self.paths[b, a][::-1]

    def label(self, a: str, b: str) -> Point:
        """The centre of the label of the edge between a and b."""
        return self.labels.get((a, b)) or self.labels.get((b, a)) or at(self.path(a, b), 0.5)


def layers(nodes: Sequence[str], edges: Sequence[Pair], labels: Mapping[Pair, str] | None = None,
           direction: str = "TB", text: Mapping[str, str] | None = None) -> Layout:
    """Layers from parents to children, each connected component by itself, the components side by side."""
    layout = new_layout(nodes, text)
    parts = [_dot(layout, part, [edge for edge in edges if edge[0] in part], labels or {}, direction)
             for part in components(nodes, edges)]
    x = y = high = 0.0
    for part in parts:
        if x and x + part.width > max(ROW, parts[0].width):
            x, y, high = 0.0, y + high + 24, 0.0
        _insert(layout, part, x, y)
        x, high = x + part.width + 24, max(high, part.height)
    return framed(layout, labels or {})


def circle(nodes: Sequence[str], edges: Sequence[Pair] = (), labels: Mapping[Pair, str] | None = None,
           text: Mapping[str, str] | None = None) -> Layout:
    """Nodes on a circle, clockwise from the top; four of them on a square, in reading order."""
    layout = new_layout(nodes, text)
    wide = max((w for w, _ in layout.size.values()), default=0)
    n = len(nodes)
    smallest = 90.0 if not labels else 70 + 20.0 * n
    radius = max(smallest, 0.44 * (wide + 26) / sin(pi / max(n, 2))) if n > 1 else 0.0
    for i, node in enumerate(nodes):
        angle = 2 * pi * i / max(n, 1) - pi / 2
        layout.at[node] = (1.25 * radius * cos(angle), radius * sin(angle))
    if n == 4:
        corners = [(-1, -0.8), (1, -0.8), (-1, 0.8), (1, 0.8)]
        side = max(105.0, wide * 0.75 + 40)
        layout.at = {node: (x * side, y * side) for node, (x, y) in zip(nodes, corners)}
    for a, b in edges:
        layout.paths[a, b] = straight(layout.at[a], layout.at[b])
    place_labels(layout, {pair: label for pair, label in (labels or {}).items() if label})
    return framed(layout, labels or {})


def new_layout(nodes: Iterable[str], text: Mapping[str, str] | None) -> Layout:
    """A layout with the texts and sizes of the nodes, but no positions yet."""
    layout = Layout()
    for node in nodes:
        layout.text[node] = (text or {}).get(node, node)
        layout.size[node] = node_size(layout.text[node])
    return layout


def components(nodes: Sequence[str], edges: Iterable[Pair]) -> list[list[str]]:
    """The connected components, in the order of their first nodes; isolated nodes last."""
    import networkx as nx

    graph: nx.Graph[str] = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(edges)
    parts = [[node for node in nodes if node in part] for part in nx.connected_components(graph)]
    return sorted(parts, key=lambda part: len(part) == 1)


def _dot(whole: Layout, nodes: list[str], edges: list[Pair], labels: Mapping[Pair, str], direction: str) -> Layout:
    """One connected component, laid out by Graphviz."""
    part = Layout(size={node: whole.size[node] for node in nodes})
    if len(nodes) == 1:
        part.width, part.height = part.size[nodes[0]]
        part.at[nodes[0]] = (part.width / 2, part.height / 2)
        return part
    try:
        graph = _graphviz(part, nodes, edges, labels, direction)
    except ImportError:
        return _without_graphviz(part, nodes, edges, labels, direction)
    _, _, part.width, part.height = (float(x) for x in graph.graph_attr["bb"].split(","))
    for i, node in enumerate(nodes):
        part.at[node] = _point(graph.get_node(f"n{i}").attr["pos"], part.height)
    for i, (a, b) in enumerate(edges):
        edge = graph.get_edge(f"n{nodes.index(a)}", f"n{nodes.index(b)}", f"e{i}")
        part.paths[a, b] = [_point(p, part.height) for p in edge.attr["pos"].split()]
        if edge.attr["lp"]:
            part.labels[a, b] = _point(edge.attr["lp"], part.height)
    return part


def _without_graphviz(part: Layout, nodes: list[str], edges: list[Pair], labels: Mapping[Pair, str],
                      direction: str) -> Layout:
    """One connected component, laid out by layered.py, in the direction asked for."""
    sideways, back = direction in ("LR", "RL"), -1 if direction in ("BT", "RL") else 1

    def turned(point: Point) -> Point:
        x, y = point[0], back * point[1]
        return (y, x) if sideways else (x, y)

    sizes = {node: size[::-1] if sideways else size for node, size in part.size.items()}
    widest = max((text_width(label, LABEL_SIZE) for label in labels.values()), default=0.0) if sideways else 0.0
    places, paths = layered(nodes, edges, sizes, between=max(60.0 if labels else 44.0, widest + 24))
    part.at = {node: turned(point) for node, point in places.items()}
    part.paths = {edge: [turned(point) for point in path] for edge, path in paths.items()}
    place_labels(part, {edge: text for edge in edges if (text := labels.get(edge) or labels.get(edge[::-1]))})
    return framed(part, labels, margin=0.0)


def _graphviz(part: Layout, nodes: list[str], edges: list[Pair], labels: Mapping[Pair, str], direction: str) -> Any:
    """The graph as Graphviz lays it out."""
    import pygraphviz

    many = len(nodes) > 15
    graph = pygraphviz.AGraph(directed=True, strict=False, rankdir=direction, outputorder="edgesfirst",
                              nodesep=0.22 if many else 0.4, ranksep=0.4 if many else 0.5)
    graph.node_attr.update(label="", fixedsize="true", shape="box", style="rounded")
    graph.edge_attr.update(arrowhead="none", headclip="false", tailclip="false")
    for i, node in enumerate(nodes):
        width, height = part.size[node]
        graph.add_node(f"n{i}", width=width / 72, height=height / 72)
    for i, (a, b) in enumerate(edges):
        label = labels.get((a, b)) or labels.get((b, a))
        graph.add_edge(f"n{nodes.index(a)}", f"n{nodes.index(b)}", key=f"e{i}",
                       **({"label": _empty_box(label)} if label else {}))
    graph.layout("dot")
    return graph


def _empty_box(label: str) -> str:
    """An empty label of the right size: Graphviz reserves the space and needs no font."""
    width, height = round(text_width(label, LABEL_SIZE)) + 6, round(LABEL_SIZE) + 6
    return (f'<<table border="0" cellborder="0" cellpadding="0" cellspacing="0" fixedsize="true" '
            f'width="{width}" height="{height}"><tr><td></td></tr></table>>')


def _point(text: str, height: float) -> Point:
    x, y = text.removesuffix("!").split(",")
    return float(x), height - float(y)


def _insert(layout: Layout, part: Layout, dx: float, dy: float) -> None:
    """Insert a component into the whole layout, moved by (dx, dy)."""
    def move(point: Point) -> Point:
        return point[0] + dx, point[1] + dy

    layout.at.update({node: move(p) for node, p in part.at.items()})
    layout.paths.update({pair: [move(p) for p in path] for pair, path in part.paths.items()})
    layout.labels.update({pair: move(p) for pair, p in part.labels.items()})


def framed(layout: Layout, labels: Mapping[Pair, str], margin: float = MARGIN) -> Layout:
    """The same layout, moved so that it starts at the margin, with its width and height."""
    xs = [x + s * layout.size[n][0] / 2 for n, (x, _) in layout.at.items() for s in (-1, 1)]
    ys = [y + s * layout.size[n][1] / 2 for n, (_, y) in layout.at.items() for s in (-1, 1)]
    points = [p for path in layout.paths.values() for p in path]
    for pair, (x, y) in layout.labels.items():
        half = text_width(labels.get(pair) or labels.get(pair[::-1]) or "", LABEL_SIZE) / 2
        points += [(x - half, y - 9), (x + half, y + 9)]
    xs, ys = [*xs, *(x for x, _ in points)] or [0], [*ys, *(y for _, y in points)] or [0]
    dx, dy = margin - min(xs), margin - min(ys)
    moved = Layout(size=layout.size, text=layout.text)
    _insert(moved, layout, dx, dy)
    moved.width, moved.height = max(xs) + dx + margin, max(ys) + dy + margin
    return moved


def free_path(layout: Layout, a: str, b: str) -> Path:
    """A path from a to b, bent where that makes it cross fewer other nodes."""
    others = [(layout.at[n], layout.size[n]) for n in layout.at if n not in (a, b)]

    def crossed(path: Path) -> int:
        points = [at(path, i / 12) for i in range(1, 12)]
        return sum(any(abs(x - cx) < w / 2 + 4 and abs(y - cy) < h / 2 + 4 for x, y in points)
                   for (cx, cy), (w, h) in others)

    bends = (0.0, 0.12, -0.12, 0.24, -0.24) if len(others) <= 20 else (0.0,)
    return min((straight(layout.at[a], layout.at[b], bend) for bend in bends), key=crossed)


def place_labels(layout: Layout, labels: Mapping[Pair, str]) -> None:
    """Place each label on its edge where it covers the fewest other labels, edges and nodes."""
    placed: list[tuple[Point, float]] = []
    points = {pair: [at(path, i / 32) for i in range(33)] for pair, path in layout.paths.items()}
    nodes = [(layout.at[n], w / 2 + 4, h / 2 + 4) for n, (w, h) in layout.size.items()]
    for (a, b), label in labels.items():
        half = text_width(label, LABEL_SIZE) / 2 + 3

        def cost(t: float, pair: Pair = (a, b), half: float = half) -> float:
            x, y = at(layout.path(*pair), t)
            covered = sum(abs(x - u) < half + other and abs(y - v) < 17 for (u, v), other in placed)
            crossed = sum(any(abs(x - u) < half + 5 and abs(y - v) < 13 for u, v in others)
                          for edge, others in points.items() if set(edge) != set(pair))
            hidden = sum(abs(x - u) < half + w and abs(y - v) < 9 + h for (u, v), w, h in nodes)
            return 10 * covered + 10 * hidden + 3 * crossed + abs(t - 0.5)

        best = at(layout.path(a, b), min((0.5, 0.43, 0.57, 0.36, 0.64, 0.3, 0.7, 0.25, 0.75), key=cost))
        layout.labels[a, b] = best
        placed.append((best, half))
