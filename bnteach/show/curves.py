"""Bézier curves: cut an edge at the border of a node, and place an arrowhead at its end.

A path is a list of points: the start, then three per cubic curve, two control points and an end point.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import hypot

Point = tuple[float, float]
Path = list[Point]
Inside = Callable[[Point], bool]


def straight(a: Point, b: Point, bend: float = 0.0) -> Path:
    """The segment from a to b as a path; `bend` moves its middle sideways, as a fraction of its length."""
    (ax, ay), (bx, by) = a, b
    sx, sy = (by - ay) * bend, (ax - bx) * bend
    return [a, (ax + (bx - ax) / 3 + sx, ay + (by - ay) / 3 + sy),
            (ax + 2 * (bx - ax) / 3 + sx, ay + 2 * (by - ay) / 3 + sy), b]


def pieces(path: Path) -> list[Path]:
    """The cubic curves of a path."""
    return [path[i:i + 4] for i in range(0, len(path) - 1, 3)]


def split(curve: Path, t: float) -> tuple[Path, Path]:
    """The two parts of a curve, split at t (de Casteljau)."""
    levels = [curve]
    while len(levels[-1]) > 1:
        row = levels[-1]
        levels.append([(p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t) for p, q in pairwise(row)])
    return [row[0] for row in levels], [row[-1] for row in reversed(levels)]


def on(curve: Path, t: float) -> Point:
    """The point of one curve at t (0 to 1)."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    u = 1 - t
    a, b, c, d = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
    return a * ax + b * bx + c * cx + d * dx, a * ay + b * by + c * cy + d * dy


def at(path: Path, t: float) -> Point:
    """The point of a path at t (0 to 1), with the same share of t for each curve."""
    parts = pieces(path)
    i = min(int(t * len(parts)), len(parts) - 1)
    return on(parts[i], t * len(parts) - i)


def cut_start(path: Path, inside: Inside) -> Path:
    """The path from where it leaves `inside`; the last tenth of a path that never does."""
    parts = pieces(path)
    for i, part in enumerate(parts):
        if not inside(part[-1]):
            low, high = 0.0, 1.0
            for _ in range(14):
                middle = (low + high) / 2
                low, high = (middle, high) if inside(on(part, middle)) else (low, middle)
            return _join([split(part, high)[1], *parts[i + 1:]])
    return split(parts[-1], 0.9)[1]


def cut_end(path: Path, inside: Inside) -> Path:
    """The path up to where it enters `inside`."""
    return cut_start(path[::-1], inside)[::-1]


def _join(parts: list[Path]) -> Path:
    return [parts[0][0], *(point for part in parts for point in part[1:])]


def round_box(centre: Point, size: Point, margin: float = 0.0) -> Inside:
    """Is a point in the rounded box with this centre and size, or within `margin` of it?"""
    (cx, cy), (w, h) = centre, size
    r = corner(size)

    def inside(point: Point) -> bool:
        dx = max(abs(point[0] - cx) - (w / 2 - r), 0.0)
        dy = max(abs(point[1] - cy) - (h / 2 - r), 0.0)
        return hypot(dx, dy) <= r + margin

    return inside


def corner(size: Point) -> float:
    """The corner radius of a node."""
    return min(18.0, size[0] / 2, size[1] / 2)


def disc(centre: Point, radius: float) -> Inside:
    """Is a point in the disc with this centre and radius?"""
    return lambda point: hypot(point[0] - centre[0], point[1] - centre[1]) <= radius
