"""Layers without Graphviz: the method of Sugiyama, Tagawa and Toda (1981), for places where pygraphviz cannot be had.

In a browser (JupyterLite) there is no Graphviz, and a picture should still show parents above children. Four steps:

1. edges that would close a cycle are taken in reverse, so that layers exist;
2. each node gets a layer below its parents, so that edges are short, and an edge over several layers a bend in each;
3. the order within the layers is improved by sweeps: a node moves to the mean position of its neighbours, and the order
   with the fewest crossings is kept;
4. positions: again the mean of the neighbours, as near as the widths of the nodes allow. Keeping an order and distances
   is isotonic regression once the distances are subtracted, so the best positions of a layer are found exactly.

Sugiyama, Tagawa, Toda (1981), Methods for visual understanding of hierarchical system structures, IEEE Transactions on
Systems, Man, and Cybernetics 11. Gansner, Koutsofios, North, Vo (1993), A technique for drawing directed graphs, IEEE
Transactions on Software Engineering 19.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

import numpy as np

from bnteach.show.curves import Path, Point

Edge = tuple[str, str]
Vertex = str | tuple[str, str, int]
"""A node, or the bend of an edge in the layer of this number."""

GAP, BEND = 28.0, 4.0  # between two nodes of a layer; the width of a bend, which needs half the gap
SWEEPS = 12


def layered(nodes: Sequence[str], edges: Sequence[Edge], size: Mapping[str, Point],
            between: float = 46.0) -> tuple[dict[str, Point], dict[Edge, Path]]:
    """Centres of the nodes and curves of the edges, layers from top to bottom, with `between` pixels between them."""
    rank = ranks(nodes, downwards(nodes, edges))
    chains = {edge: chain(edge, rank) for edge in edges}
    rows = ordered(first_rows(nodes, rank, chains), chains)
    x = positions(rows, chains, size)
    heights = [max((size[v][1] for v in row if isinstance(v, str)), default=0.0) for row in rows]
    y = [sum(heights[:i]) + heights[i] / 2 + i * between for i in range(len(rows))]
    place: dict[Vertex, Point] = {v: (x[v], y[i]) for i, row in enumerate(rows) for v in row}
    return ({node: place[node] for node in nodes},
            {edge: smooth([place[v] for v in vertices]) for edge, vertices in chains.items()})


def downwards(nodes: Sequence[str], edges: Sequence[Edge]) -> list[Edge]:
    """The edges, in reverse where a depth-first search meets one that leads back to a node on its path.

    >>> downwards("ABC", [("A", "B"), ("B", "C"), ("C", "A")])
    [('A', 'B'), ('B', 'C'), ('A', 'C')]
    """
    children = {node: [b for a, b in edges if a == node] for node in nodes}
    back, done, path = set(), set(), set()

    def visit(node: str) -> None:
        path.add(node)
        for child in children[node]:
            if child in path:
                back.add((node, child))
            elif child not in done:
                visit(child)
        path.remove(node)
        done.add(node)

    for node in nodes:
        if node not in done:
            visit(node)
    return [(b, a) if (a, b) in back else (a, b) for a, b in edges]


def ranks(nodes: Sequence[str], arcs: Sequence[Edge]) -> dict[str, int]:
    """The layers for which the arcs are shortest in all, with every child below its parents.

    A linear program: minimise the sum of rank(child) - rank(parent), each at least 1. Its matrix is totally unimodular,
    so the simplex method ends in whole numbers (Gansner and others, 1993).

    >>> ranks("ABCD", [("A", "B"), ("B", "C"), ("D", "C")])
    {'A': 0, 'B': 1, 'C': 2, 'D': 1}
    """
    from scipy.optimize import linprog

    rows = np.zeros((len(arcs), len(nodes)))
    for row, (parent, child) in zip(rows, arcs):
        row[nodes.index(parent)], row[nodes.index(child)] = 1, -1
    solved = linprog(-rows.sum(axis=0), A_ub=rows, b_ub=-np.ones(len(arcs)), bounds=(0, len(nodes)), method="highs-ds")
    rank = np.rint(np.asarray(solved.x)).astype(int)
    return dict(zip(nodes, (rank - rank.min()).tolist()))


def chain(edge: Edge, rank: Mapping[str, int]) -> list[Vertex]:
    """The vertices of an edge: its first node, a bend in each layer between, its second node."""
    a, b = edge
    step = 1 if rank[b] > rank[a] else -1
    return [a, *((a, b, layer) for layer in range(rank[a] + step, rank[b], step)), b]


# -- order ---------------------------------------------------------------------------------------------------
def first_rows(nodes: Sequence[str], rank: Mapping[str, int],
               chains: Mapping[Edge, list[Vertex]]) -> list[list[Vertex]]:
    """The vertices of each layer, in the order given."""
    rows: list[list[Vertex]] = [[] for _ in range(max(rank.values(), default=-1) + 1)]
    for node in nodes:
        rows[rank[node]].append(node)
    for vertices in chains.values():
        for bend in vertices[1:-1]:
            rows[int(bend[2])].append(bend)
    return rows


def ordered(rows: list[list[Vertex]], chains: Mapping[Edge, list[Vertex]]) -> list[list[Vertex]]:
    """The layers in the order with the fewest crossings that the sweeps meet."""
    near = neighbours(chains)
    best, fewest = rows, crossings(rows, near)
    for sweep in range(SWEEPS):
        rows = [list(row) for row in rows]
        for i in range(1, len(rows)) if sweep % 2 == 0 else range(len(rows) - 2, -1, -1):
            beside = rows[i - 1 if sweep % 2 == 0 else i + 1]
            index = {v: k for k, v in enumerate(beside)}
            at = {v: mean([index[u] for u in near.get(v, []) if u in index], k) for k, v in enumerate(rows[i])}
            rows[i].sort(key=at.__getitem__)
        if (crossed := crossings(rows, near)) < fewest:
            best, fewest = rows, crossed
    return best


def neighbours(chains: Mapping[Edge, list[Vertex]]) -> dict[Vertex, list[Vertex]]:
    """The vertices in the layers above and below to which each vertex has a segment of an edge."""
    near: dict[Vertex, list[Vertex]] = {}
    for vertices in chains.values():
        for u, v in pairwise(vertices):
            near.setdefault(u, []).append(v)
            near.setdefault(v, []).append(u)
    return near


def crossings(rows: Sequence[Sequence[Vertex]], near: Mapping[Vertex, list[Vertex]]) -> int:
    """How many pairs of segments cross."""
    def segments(row: Sequence[Vertex], below: Sequence[Vertex]) -> list[tuple[int, int]]:
        index = {v: k for k, v in enumerate(below)}
        return [(k, index[u]) for k, v in enumerate(row) for u in near.get(v, []) if u in index]

    return sum((a - c) * (b - d) < 0 for row, below in pairwise(rows)
               for (a, b), (c, d) in combinations(segments(row, below), 2))


# -- positions -----------------------------------------------------------------------------------------------
def positions(rows: Sequence[Sequence[Vertex]], chains: Mapping[Edge, list[Vertex]],
              size: Mapping[str, Point]) -> dict[Vertex, float]:
    """The x of every vertex: layers are swept down and up, each moved as near to its neighbours as it can."""
    near = neighbours(chains)
    width = {v: size[v][0] if isinstance(v, str) else BEND for row in rows for v in row}
    x = {v: 0.0 for row in rows for v in row}
    for _ in range(SWEEPS):
        for i in [*range(len(rows)), *range(len(rows) - 2, -1, -1)]:
            wanted = [mean([x[u] for u in near.get(v, [])], x[v]) for v in rows[i]]
            x.update(zip(rows[i], apart(wanted, [width[v] for v in rows[i]])))
    return x


def apart(wanted: Sequence[float], widths: Sequence[float]) -> list[float]:
    """The positions nearest to the wanted ones (least squares) that keep the order and the distances.

    >>> apart([0, 0, 100], [20, 20, 20])
    [-24.0, 24.0, 100.0]
    """
    offsets = [0.0]
    for left, right in pairwise(widths):
        offsets.append(offsets[-1] + (left + right) / 2 + (GAP if BEND not in (left, right) else GAP / 2))
    return [value + offset for value, offset in zip(rising([w - o for w, o in zip(wanted, offsets)]), offsets)]


def rising(values: Sequence[float]) -> Iterator[float]:
    """The non-decreasing sequence nearest to these values: neighbours that violate the order are pooled."""
    pools: list[tuple[float, int]] = []
    for value in values:
        pools.append((value, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (b, m), (a, n) = pools.pop(), pools.pop()
            pools.append(((a * n + b * m) / (n + m), n + m))
    return (value for value, length in pools for _ in range(length))


def mean(values: Sequence[float], otherwise: float) -> float:
    """The mean, rounded so that sums of different orders agree."""
    return round(sum(values) / len(values), 6) if values else otherwise


def smooth(points: Sequence[Point]) -> Path:
    """A curve through the points; its direction at each is that from the point before it to the point after it."""
    last = len(points) - 1
    around = [(points[max(i - 1, 0)], points[min(i + 1, last)]) for i in range(last + 1)]
    slopes = [(cx - ax) / (cy - ay) for (ax, ay), (cx, cy) in around]
    path = [points[0]]
    for (ax, ay), (bx, by), out, into in zip(points, points[1:], slopes, slopes[1:]):
        third = (by - ay) / 3
        path += [(ax + out * third, ay + third), (bx - into * third, by - third), (bx, by)]
    return path
