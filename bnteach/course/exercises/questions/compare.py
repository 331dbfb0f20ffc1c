"""Is an answer what it should be, and if not, what may have gone wrong?

`difference(got, want)` is empty if the two are the same thing, and otherwise says how they differ. What is wanted
says how to compare: numbers but for rounding, lists in order, sets in any order (a list will do), graphs by lines.
Where the difference is one of the usual slips, it is named: another base of the logarithm, the other sign, an arc
the wrong way round, a DAG where its class was asked for.

>>> difference(math.log(2) * 0.5, 0.5)
'you give 0.3466, and it is 0.5000: this is the same in nats; in bits the logarithm has base 2'
>>> difference([("C", "A")], {frozenset("AC")})
''
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from bnteach.course.exercises.grading.plain import Graph, Odd, Steps
from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG

RELATIVE, ABSOLUTE = 1e-6, 1e-8
MANY_MORE = 500
NO_RETURN = "perhaps a return is missing; what is printed does not count"
SLIPS = {  # what a number was multiplied by, and what that tells
    -1.0: "only the sign differs",
    math.log(2): "this is the same in nats; in bits the logarithm has base 2",
    1 / math.log(2): "this is the same in bits; in nats the logarithm is natural",
    math.log10(2): "this is the same with logarithms of base 10; in bits the base is 2",
    math.log10(math.e): "this is the same with logarithms of base 10; in nats the logarithm is natural",
    -math.log(2): "this is the same in nats and with the other sign",
    100.0: "this is the same in per cent",
}


def difference(got: Any, want: Any) -> str:
    """How an answer differs from the right one, or an empty text."""
    if got is None and want is not None:
        return f"there is no answer (None), and it should be {show(want)}: {NO_RETURN}"
    if isinstance(got, Odd):
        return f"you give {got.what}, and {kind(want)} is asked for, such as {show(want)}"
    if isinstance(got, Steps):
        if got.cut or not isinstance(want, list | tuple | set | frozenset):
            return f"the function yields and should return: {kind(want)} is asked for"
        got = got.steps
    if isinstance(want, bool) or want is None:
        return _bool(got, want)
    if isinstance(want, int | float):
        return _number(got, want)
    if isinstance(want, str):
        return "" if got == want else f"you give {show(got)}, and it is {show(want)}"
    if isinstance(want, DAG | PDAG):
        return _graph(got, want)
    if isinstance(want, dict):
        return _dict(got, want)
    if isinstance(want, set | frozenset):
        return _set(got, want)
    return _list(got, want)


def same(got: Any, want: Any) -> bool:
    """Are the two the same, but for rounding, and for order where it does not count?"""
    return not difference(got, want)


# -- numbers and truth ---------------------------------------------------------------------------------------
def _bool(got: Any, want: Any) -> str:
    if want is None:
        return "" if got is None else f"you give {show(got)}, and it should be None"
    if isinstance(got, bool | int) and got in (0, 1):
        return "" if bool(got) == want else f"you say {bool(got)}, and it is {want}"
    return f"True or False is asked for, and you give {show(got)}"


def _number(got: Any, want: float) -> str:
    if not isinstance(got, int | float) or (isinstance(got, bool) and not (type(want) is int and want in (0, 1))):
        return f"a number is asked for, such as {show(want)}, and you give {show(got)}"
    if math.isnan(got):
        return f"you give NaN, and it is {show(want)}: look for 0/0, or for 0 log 0, which counts as 0"
    if close(got, want):
        return ""
    ours, theirs, hint = show(want), show(got), slip(got, want)
    if ours == theirs:
        ours, theirs = repr(want), repr(got)
    return f"you give {theirs}, and it is {ours}" + (f": {hint}" if hint else "")


def slip(got: Any, want: Any) -> str:
    """Which usual slip makes of the wanted number the one given; empty if none does, or if they are no numbers."""
    if not all(isinstance(value, int | float) for value in (got, want)) or not want:
        return ""
    if told := next((told for factor, told in SLIPS.items() if close(got, factor * want)), ""):
        return told
    rounded = isinstance(want, float) and math.isfinite(want) and got
    places = next((n for n in range(1, 6) if rounded and close(got, round(want, n))), None)
    return f"this is rounded to {places} decimals; give the number as it is" if places else ""


def close(a: float, b: float) -> bool:
    """Are two numbers equal but for rounding?"""
    return math.isclose(a, b, rel_tol=RELATIVE, abs_tol=ABSOLUTE) if abs(a) < math.inf > abs(b) else a == b


# -- collections -----------------------------------------------------------------------------------------------
def items_of(got: Any) -> list[Any] | None:
    """The items of a collection, those of a set in an order that is always the same; None of anything else.

    A dictionary with nothing in it but keys is a set, as networkx's views of edges are, and one with the keys
    0, 1, 2, ... is a list, as a column of pandas is.
    """
    if isinstance(got, set | frozenset):
        return sorted(got, key=_by_name)
    if isinstance(got, dict) and got:
        if all(value is None or value == {} for value in got.values()):
            return list(got)
        return list(got.values()) if list(got) == list(range(len(got))) else None
    return list(got) if isinstance(got, list | tuple) and not isinstance(got, Graph | Steps) else None


def _list(got: Any, want: Iterable[Any]) -> str:
    want, items = list(want), items_of(got)
    if items is None:
        return f"a list is asked for, such as {show(want)}, and you give {show(got)}"
    if isinstance(got, set | frozenset) and len(want) > 1:
        return f"a set has no order, and here the order counts: give a list, such as {show(want)}"
    if len(items) != len(want):
        return f"you give {len(items)} ({show(items)}), and there should be {len(want)}: {show(want)}"
    for i, (a, b) in enumerate(zip(items, want), start=1):
        if told := difference(a, b):
            if all(any(same(x, y) for y in want) for x in items):
                return f"the right ones in another order: you give {show(items)}, and it is {show(want)}"
            return f"number {i} of {len(want)}: {told}" if len(want) > 1 else told
    return ""


def _set(got: Any, want: Iterable[Any]) -> str:
    want, items = sorted(want, key=_by_name), items_of(got)
    if isinstance(got, Graph) and all(_is_pair(w) for w in want):
        items = [*got.arcs, *map(frozenset, got.edges)]
    if items is None:
        return f"a set is asked for, such as {show(set(want))}, and you give {show(got)}"
    if len(items) > len(want) + MANY_MORE:  # which ones hardly matters, and to find out takes time
        return f"you give {len(items):,}, and there are {len(want)}: {show(set(map(_frozen, want)))}"
    extra = [item for item in items if not any(same(item, w) for w in want)]
    lacking = [w for w in want if not any(same(item, w) for item in items)]
    if not extra and not lacking:
        return ""
    turned = [e for e in extra if isinstance(e, tuple | list) and any(same(list(e)[::-1], w) for w in lacking)]
    if turned:
        return f"you give {show(turned[0])}, and it is {show(tuple(turned[0])[::-1])}: the other way round"
    told = [f"{_few(lacking)} {'is' if len(lacking) == 1 else 'are'} missing" if lacking else "", f"{_few(extra)} should not be there" if extra else ""]
    return f"you give {show(set(map(_frozen, items)))}: {' and '.join(t for t in told if t)}"


def _is_pair(value: Any) -> bool:
    """Is it an arc or an edge?"""
    return isinstance(value, tuple | frozenset) and len(value) == 2 and all(isinstance(end, str) for end in value)


def _dict(got: Any, want: dict[Any, Any]) -> str:
    if not isinstance(got, dict):
        return f"a dictionary is asked for, such as {show(want)}, and you give {show(got)}"
    found = {}
    for key in want:
        match = [k for k in got if same(k, key)] or [
            k for k in got if isinstance(key, tuple) and isinstance(k, tuple) and same(k[::-1], key)
            and not any(same(k, other) for other in want)]
        if not match:
            return f"the dictionary has no {show(key)}; it is to have {_few(list(want))}"
        found[match[0]] = key
    if extra := [k for k in got if k not in found]:
        return f"the dictionary has {_few(extra)}, which should not be there"
    return next((f"at {show(key)}: {told}" for k, key in found.items() if (told := difference(got[k], want[key]))), "")


# -- graphs ------------------------------------------------------------------------------------------------------
def as_graph(got: Any) -> Graph | None:
    """A graph, from the forms in which one may be given: ours, networkx's, a text, or a list of arcs."""
    if isinstance(got, Graph):
        return got
    try:
        if isinstance(got, str):
            graph = PDAG(got)
            return Graph("pdag" if graph.edges else "dag", graph.nodes, graph.arcs, graph.edges)
        pairs = [tuple(map(str, pair)) for pair in items_of(got) or ()]
        return Graph("dag", tuple(dict.fromkeys(n for p in pairs for n in p)), tuple(pairs)) if pairs else None
    except (ValueError, TypeError):
        return None


def _graph(got: Any, want: DAG | PDAG) -> str:
    graph = as_graph(got)
    if graph is None or any(len(arc) != 2 for arc in graph.arcs):
        return f"a graph is asked for, such as {show(want)}, and you give {show(got)}"
    arcs, edges = set(graph.arcs), {frozenset(edge) for edge in graph.edges}
    right_arcs, right_edges = set(want.arcs), {frozenset(edge) for edge in getattr(want, "edges", ())}
    if arcs == right_arcs and edges == right_edges:
        missing = [node for node in want.nodes if node not in {*graph.nodes, *(n for arc in arcs for n in arc)}]
        return f"the graph has no node {', '.join(missing)}" if missing and isinstance(got, Graph) else ""
    return f"you give {show(graph)}, and it is {show(want)}: {_lines(arcs, edges, right_arcs, right_edges)}"


def _lines(arcs: set, edges: set, right_arcs: set, right_edges: set) -> str:
    """Which line differs first, and how."""
    if pairs := sorted(arc for arc in arcs if frozenset(arc) in right_edges):
        if not edges and right_edges:
            return "this is a DAG, and its class is asked for, in which some lines have no direction"
        return f"{_arrow(pairs[0])} should have no direction"
    if turned := sorted(arc for arc in arcs if arc[::-1] in right_arcs):
        return f"{_arrow(turned[0])} should be {_arrow(turned[0][::-1])}, the other way round"
    if bare := sorted(arc for arc in right_arcs if frozenset(arc) in edges):
        return f"{'-'.join(bare[0])} should be directed: {_arrow(bare[0])}"
    lacking = [*map(_arrow, sorted(right_arcs - arcs)), *sorted("-".join(sorted(e)) for e in right_edges - edges)]
    extra = [*map(_arrow, sorted(arcs - right_arcs)), *sorted("-".join(sorted(e)) for e in edges - right_edges)]
    told = [f"it lacks {', '.join(lacking)}" if lacking else "",
            f"it should not have {', '.join(extra)}" if extra else ""]
    return " and ".join(t for t in told if t)


def _arrow(arc: tuple[str, str]) -> str:
    return f"{arc[0]}->{arc[1]}"


# -- showing -------------------------------------------------------------------------------------------------------
def show(value: Any, most: int = 160) -> str:
    """A value in a few words, the same whenever it is shown."""
    text = _show(value)
    return text if len(text) <= most else text[: most - 1] + "…"


def _show(value: Any) -> str:
    if isinstance(value, Odd):
        return value.what
    if isinstance(value, float):
        return f"{value:.4f}" if value == 0 or 1e-3 <= abs(value) < 1e6 else f"{value:.4g}"
    if isinstance(value, Graph):
        lines = [*map(_arrow, value.arcs), *("-".join(edge) for edge in value.edges)]
        return ", ".join(lines) or "a graph without arcs"
    if isinstance(value, DAG | PDAG):
        return str(value) if value.skeleton else "a graph without arcs"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_show(k)}: {_show(v)}" for k, v in value.items()) + "}"
    if isinstance(value, frozenset) and _is_pair(value):
        return "-".join(sorted(value))  # an edge
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(map(_show, value))) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_show, value)) + "]"
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return "(" + ", ".join(map(_show, value)) + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def kind(want: Any) -> str:
    """What is asked for, in words."""
    names = {bool: "True or False", int: "a number", float: "a number", str: "a text", dict: "a dictionary",
             list: "a list", tuple: "a list", set: "a set", frozenset: "a set", DAG: "a DAG", PDAG: "a PDAG"}
    return names.get(type(want), "something else")


def _few(items: list[Any]) -> str:
    return ", ".join(map(show, items[:3])) + (f" and {len(items) - 3} more" if len(items) > 3 else "")


def _frozen(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return tuple(map(_frozen, value))
    if isinstance(value, set):
        return frozenset(map(_frozen, value))
    return str(value) if isinstance(value, dict) else value


def _by_name(value: Any) -> str:
    return _show(value)
