"""Figures of the ledger: the forms in which a lesson may compute one, and how a figure is written.

A figure is a whole number, a decimal, a text, a graph written as text, a list of figures, or a table of figures. What
it is compared with may be anything that a lesson computes: floats, numpy and pandas objects, dictionaries, graphs,
results. Decimals agree if they differ by no more than half a unit in the last decimal of the figure.

>>> compare(-20.22661, Decimal("-20.2266"))
[]
>>> print(*compare(-20.3, Decimal("-20.2266")))
you give -20.3000, and it should be -20.2266
>>> compare(PDAG("B->D, B->C, C->A"), "A-C, B-C, B-D")
[]
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from itertools import islice
from numbers import Real
from typing import Any

from bnteach.course.comparing import differences
from bnteach.course.exercises.grading.plain import Graph
from bnteach.graphs.notation import read_graph
from bnteach.graphs.pdag import PDAG
from bnteach.trace import Result

NARROW_SPACE = "\u202f"  # between groups of three digits


def compare(value: Any, figure: Any) -> list[str]:
    """How a value differs from a figure, one sentence per difference; an empty list if they agree."""
    return list(differences(_given(value, figure), _wanted(figure)))


def _wanted(figure: Any) -> Any:
    """A figure with its graphs read."""
    if isinstance(figure, Mapping):
        return {name: _wanted(part) for name, part in figure.items()}
    if isinstance(figure, list):
        return [_wanted(part) for part in figure]
    return PDAG(figure) if _is_graph(figure) else figure


def _is_graph(figure: Any) -> bool:
    """Is this text a graph with at least one arc or edge?"""
    try:
        return isinstance(figure, str) and any(read_graph(figure)[1:])
    except ValueError:
        return False


def _given(value: Any, figure: Any) -> Any:
    """A value in the form of the figure, if it can be brought into that form."""
    value = plain(value)
    if isinstance(figure, Mapping):
        return _given_table(value, figure)
    if isinstance(figure, list):
        return _given_list(value, figure)
    if _is_graph(figure):
        return _given_graph(value, PDAG(figure))
    if isinstance(figure, str) and isinstance(value, str) and value.casefold().split() == figure.casefold().split():
        return figure
    return value


def plain(value: Any) -> Any:
    """The graph of a result; numpy's and pandas's numbers, arrays and Series as Python's."""
    if isinstance(value, Result):
        return value.graph
    if type(value).__module__.split(".")[0] == "numpy" and hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "to_dict") and getattr(value, "ndim", 0) == 1:  # a pandas Series
        return value.to_dict()
    return value


def _given_graph(value: Any, wanted: PDAG) -> Any:
    """A graph in any form; without its directions if the figure is undirected."""
    try:
        graph = PDAG(value)
    except (TypeError, ValueError):
        return value
    if not wanted.arcs:
        graph = PDAG((), graph.skeleton, graph.nodes)
    return Graph("pdag", graph.nodes, graph.arcs, graph.edges)


def _given_list(value: Any, figure: list[Any]) -> Any:
    """A list, from any collection; sets are sorted."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return value
    items = value.values() if isinstance(value, Mapping) else sorted(value, key=str) if isinstance(
        value, set | frozenset) else value
    items = list(islice(items, 10_000))
    return list(map(_given, items, figure)) if len(items) == len(figure) else items


def _given_table(value: Any, figure: Mapping[str, Any]) -> Any:
    """A dictionary with the names of the figure, from one with other forms of them, or from a list in this order."""
    if isinstance(value, list | tuple) and len(value) == len(figure):
        value = dict(zip(figure, value))
    if not isinstance(value, Mapping):
        return value
    named = {_name(key, figure): part for key, part in value.items()}
    return {name: _given(part, figure[name]) if name in figure else part for name, part in named.items()}


def _name(key: Any, figure: Mapping[str, Any]) -> Any:
    """The name that a key stands for: AB for "A-B", ("A", "B") and {"B", "A"}; A|C for ("A", ("C",)); else itself."""
    if isinstance(key, str):
        forms = [key, "".join(c for c in key if c not in "-, ")]
    elif isinstance(key, tuple) and len(key) == 2 and not isinstance(key[1], str) and isinstance(key[1], Iterable):
        forms = [f"{key[0]}|{','.join(map(str, key[1]))}".rstrip("|")]  # a family: a child and its parents
    elif isinstance(key, Iterable):
        parts = sorted(map(str, key)) if isinstance(key, set | frozenset) else list(map(str, key))
        forms = ["".join(parts), "".join(reversed(parts)), "|".join(parts)]
    else:
        forms = [str(key)]
    return next((form for form in forms if form in figure), key)


def write(figure: Any) -> str:
    """A figure or a value as text: decimals as they are written, long whole numbers in groups of three.

    >>> write(Decimal("-13.3450")), write([1, 0.25]), write({"AB": ["x", "y"]})
    ('-13.3450', '1, 0.25', 'AB {x, y}')
    """
    figure = plain(figure)
    if isinstance(figure, Mapping):
        return ", ".join(f"{name} {_inner(item)}" for name, item in figure.items())
    if isinstance(figure, list | tuple):
        return ", ".join(_inner(item) for item in figure).replace("…, …, ", "").replace("…, …", "…")
    if isinstance(figure, bool) or not isinstance(figure, Real | Decimal):
        return str(figure)
    if isinstance(figure, int):
        return f"{figure:_}".replace("_", NARROW_SPACE) if abs(figure) >= 10_000 else str(figure)
    if math.isinf(figure):
        return "∞" if float(figure) > 0 else "-∞"
    return f"{figure:f}" if isinstance(figure, Decimal) else f"{float(figure):.10g}"


def _inner(item: Any) -> str:
    if not isinstance(item, list | tuple):
        return write(item)
    texts = any(isinstance(part, str) for part in item)
    return "{" + write(item) + "}" if texts else "(" + write(item) + ")"
