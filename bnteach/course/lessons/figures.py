"""Figures: how a computed value is compared with a figure of the ledger, and how a figure is written.

A figure is a whole number, a decimal, a text, a graph written as text, a list of figures, or a table of
figures. What it is compared with may be anything that a lesson computes: floats, numpy and pandas
objects, dictionaries, graphs, results. Decimals agree when they differ by no more than half a unit in the
last decimal that the figure is written with, whole numbers when they are equal.

>>> compare(-20.22661, Decimal("-20.2266"))
[]
>>> print(*compare(-20.3, Decimal("-20.2266")))
computed -20.3, not -20.2266
>>> compare(DAG("B->D, B->C, C->A"), "A-C, B-C, B-D")
[]
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from numbers import Rational, Real
from typing import Any

from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import read_graph
from bnteach.graphs.pdag import PDAG

NOISE = Fraction(1, 10**9)  # rounding noise of floats, relative to the figure's size
NARROW = "\u202f"  # between groups of three digits


# -- comparing -------------------------------------------------------------------------------------------
def compare(value: Any, figure: Any, place: str = "") -> list[str]:
    """What is wrong with a value, one sentence each; an empty list if it agrees with the figure."""
    at = f"{place}: " if place else ""
    value = plain(value)
    if value is None:
        return [f"{at}there is no value (None): perhaps the function that computed it lacks its return"]
    if isinstance(figure, Mapping):
        return _compare_table(value, figure, place)
    if isinstance(figure, list):
        return _compare_list(value, figure, place)
    if isinstance(figure, str):
        problem = _compare_graph(value, figure) if is_graph(figure) else _compare_text(value, figure)
    else:
        problem = _compare_number(value, figure)
    return [at + problem] if problem else []


def plain(value: Any) -> Any:
    """The value without its wrapping: a result's graph, numpy's numbers and arrays as Python's."""
    if hasattr(value, "graph") and hasattr(value, "trace"):
        return value.graph
    if type(value).__module__.split(".")[0] == "numpy" and hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "to_dict") and getattr(value, "ndim", 0) == 1:  # a pandas Series
        return value.to_dict()
    return value


def _compare_number(value: Any, figure: int | Decimal) -> str:
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        return f"a number is expected, such as {write(figure)}, not {_name(value)}"
    if value != value:
        return "computed NaN, which is no number: look for 0/0 or the logarithm of 0"
    if isinstance(figure, int) and isinstance(value, float) and abs(figure) >= 2**53:
        return f"a float cannot hold {write(figure)} exactly: compute with Python's whole numbers"
    if _infinite(value) or _infinite(figure):
        return "" if value == figure else f"computed {write(value)}, not {write(figure)}"
    if abs(Fraction(value) - Fraction(figure)) <= half_unit(figure) + _noise(value, figure):
        return ""
    return f"computed {write(value)}, not {write(figure)}{_slip(value, figure)}"


def half_unit(figure: int | Decimal) -> Fraction:
    """Half a unit in the last decimal that a figure is written with; 0 for whole numbers."""
    return Fraction(0) if isinstance(figure, int) else Fraction(10) ** figure.as_tuple().exponent / 2


def _noise(value: Any, figure: int | Decimal) -> Fraction:
    """What the rounding of floats may add: a billionth of the figure, and next to nothing to whole numbers."""
    if isinstance(value, Rational):
        return Fraction(0)
    return min(NOISE * max(1, abs(Fraction(figure))), Fraction(1, 10**6) if isinstance(figure, int) else Fraction(1))


def _infinite(number: Any) -> bool:
    return isinstance(number, float | Decimal) and math.isinf(number)


def _slip(value: Any, figure: int | Decimal) -> str:
    """A hint, if the value is the figure in another unit or with the other sign."""
    for factor, hint in ((-1, "only the sign differs"),
                         (math.log(2), "that is the same in nats, and bits are meant: log base 2"),
                         (1 / math.log(2), "that is the same in bits, and nats are meant: the natural logarithm")):
        if figure and abs(Fraction(value) - Fraction(factor) * Fraction(figure)) <= 2 * half_unit(figure):
            return f" ({hint})"
    return ""


def _compare_text(value: Any, figure: str) -> str:
    if not isinstance(value, str):
        return f"a text is expected, such as {figure!r}, not {_name(value)}"
    same = " ".join(value.split()).casefold() == " ".join(figure.split()).casefold()
    return "" if same else f"got {value!r}, not {figure!r}"


def is_graph(figure: Any) -> bool:
    """Is this text a graph, with at least one line?"""
    try:
        return isinstance(figure, str) and any(read_graph(figure)[1:])
    except ValueError:
        return False


def _compare_graph(value: Any, figure: str) -> str:
    wanted, given = PDAG(figure), _as_graph(value)
    if given is None:
        return f"a graph is expected, such as {figure!r}, not {_name(value)}"
    if not wanted.arcs:  # undirected: heads do not count
        wanted, given = PDAG((), wanted.skeleton, wanted.nodes), PDAG((), given.skeleton, given.nodes)
    if _lines(wanted) == _lines(given) and set(wanted.nodes) == set(given.nodes):
        return ""
    lacks = [line for line in _lines(wanted) if line not in _lines(given)]
    extra = [line for line in _lines(given) if line not in _lines(wanted)]
    lacks += [node for node in wanted.nodes if node not in given.nodes]
    extra += [node for node in given.nodes if node not in wanted.nodes]
    parts = [f"it lacks {', '.join(lacks)}" if lacks else "", f"it should not have {', '.join(extra)}" if extra else ""]
    return f"computed the graph {given}, not {figure}: {' and '.join(p for p in parts if p)}"


def _as_graph(value: Any) -> PDAG | None:
    """A PDAG, from any form in which a graph may come."""
    try:
        if isinstance(value, DAG | PDAG | str):
            return PDAG(value)
        if hasattr(value, "is_directed") and hasattr(value, "edges"):  # networkx
            pairs, nodes = [(str(a), str(b)) for a, b in value.edges], [str(n) for n in value.nodes]
            return PDAG(pairs, nodes=nodes) if value.is_directed() else PDAG((), pairs, nodes)
        return PDAG((), list(value))  # pairs: the edges of a tree
    except (TypeError, ValueError):
        return None


def _lines(graph: PDAG) -> dict[str, None]:
    """The lines of a graph as texts that do not depend on the order of its nodes."""
    arcs = sorted(f"{a}->{b}" for a, b in graph.arcs)
    return dict.fromkeys(arcs + sorted("-".join(sorted(edge)) for edge in graph.edges))


def _compare_list(value: Any, figure: list[Any], place: str) -> list[str]:
    at = f"{place}: " if place else ""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return [f"{at}a list of {len(figure)} is expected ({write(figure)}), not {_name(value)}"]
    items = sorted(value, key=str) if isinstance(value, set | frozenset) else list(islice(value, 10_000))
    if len(items) != len(figure):
        return [f"{at}a list of {len(figure)} is expected ({write(figure)}), and {len(items)} were given"]
    return [problem for i, (item, wanted) in enumerate(zip(items, figure), start=1)
            for problem in compare(item, wanted, f"{place}, number {i}" if place else f"number {i}")]


def _compare_table(value: Any, figure: Mapping[str, Any], place: str) -> list[str]:
    if isinstance(value, list | tuple) and len(value) == len(figure):
        value = dict(zip(figure, value))  # without names: in the order of the table
    if not isinstance(value, Mapping):
        return [f"a table with {', '.join(figure)} is expected, as a dictionary or as a list of {len(figure)} "
                f"in this order, not {_name(value)}"]
    given = {name: key for key in value for name in _names(key, figure)}
    lacks = [name for name in figure if name not in given]
    extra = [str(key) for key in value if not _names(key, figure)]
    problems = [f"the table lacks {', '.join(lacks)}"] if lacks else []
    problems += [f"the table should not have {', '.join(extra)}; it is to have {', '.join(figure)}"] if extra else []
    return problems or [problem for name, wanted in figure.items()
                        for problem in compare(value[given[name]], wanted, f"{place}, {name}" if place else name)]


def _names(key: Any, figure: Mapping[str, Any]) -> list[str]:
    """The name in the table that a key stands for: AB for "A-B", ("A", "B") and {"B", "A"}; A|C for ("A", ("C",))."""
    if isinstance(key, str):
        forms = [key, "".join(c for c in key if c not in "-, ")]
    elif isinstance(key, tuple) and len(key) == 2 and not isinstance(key[1], str) and isinstance(key[1], Iterable):
        forms = [f"{key[0]}|{','.join(map(str, key[1]))}".rstrip("|")]  # a family: a child and its parents
    elif isinstance(key, Iterable):
        parts = sorted(map(str, key)) if isinstance(key, set | frozenset) else list(map(str, key))
        forms = ["".join(parts), "".join(reversed(parts)), "|".join(parts)]
    else:
        forms = [str(key)]
    return [form for form in forms if form in figure][:1]


# -- writing ---------------------------------------------------------------------------------------------
def write(figure: Any) -> str:
    """A figure or a value as text: decimals as they are written, long whole numbers in groups of three.

    >>> write(Decimal("-13.3450")), write([1, 0.25]), write({"AB": ["x", "y"]})
    ('-13.3450', '1, 0.25', 'AB {x, y}')
    """
    figure = plain(figure)
    if isinstance(figure, Mapping):
        return ", ".join(f"{name} {_inner(item)}" for name, item in figure.items())
    if isinstance(figure, list | tuple):
        return ", ".join(_inner(item) for item in figure)
    if isinstance(figure, bool) or not isinstance(figure, Real | Decimal):
        return str(figure)
    if _infinite(figure):
        return "∞" if figure > 0 else "-∞"
    if isinstance(figure, int):
        return f"{figure:_}".replace("_", NARROW) if abs(figure) >= 10_000 else str(figure)
    return f"{figure:f}" if isinstance(figure, Decimal) else f"{float(figure):.10g}"


def _inner(item: Any) -> str:
    if not isinstance(item, list | tuple):
        return write(item)
    texts = any(isinstance(part, str) for part in item)
    return "{" + write(item) + "}" if texts else "(" + write(item) + ")"


def _name(value: Any) -> str:
    shown = repr(value)
    shown = shown if len(shown) <= 60 else shown[:57] + "…"
    return f"{shown} (a {type(value).__name__})"
