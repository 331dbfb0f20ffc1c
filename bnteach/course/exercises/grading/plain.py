"""Values as plain JSON, and back.

The result of a student's function becomes plain JSON before it is judged: numbers, strings, lists, and for everything
else an object with one key that names its kind.

    {"tuple": [...]}    {"set": [...]}    {"map": [[key, value], ...]}    {"number": "inf"}
    {"one": [...]}      an array with one element, which may also stand for that element
    {"series": [[key, value], ...]}       a column of pandas, which is a dictionary and a list
    {"dag": ...}        {"pdag": ...}     {"steps": [...], ...} what a generator yielded     {"odd": "a Foo"}

So a numpy number, a Fraction or a Decimal is a number, whatever can be iterated over is a list, a networkx graph is a
graph, and an object that compares equal to everything is an `odd` value with a name. The judge reads this strictly:
anything not exactly of this form, too deep or too large, is refused. The inputs of a question are sent in the same
form, with tables, scores and oracles added.

>>> write_plain({("A", "B"): np.float64(0.5)})
'{"map": [[{"tuple": ["A", "B"]}, 0.5]]}'
>>> read_plain('{"set": ["B", "A"]}') == {"A", "B"}
True
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, Set
from decimal import Decimal
from itertools import islice
from numbers import Real
from typing import Any

import numpy as np

from bnteach.course.exercises.grading.values import Graph, NotPlain, Odd, One, Series, Steps
from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG
from bnteach.trace import Result

MAX_PARTS, MAX_DEPTH, MAX_LETTERS, MAX_BITS = 20_000, 12, 5_000, 512


# -- writing -----------------------------------------------------------------------------------------------
def write_plain(value: Any) -> str:
    """A value as the text of plain JSON."""
    return json.dumps(plain(value), allow_nan=False)


def plain(value: Any) -> Any:
    """A value as plain JSON data."""
    try:
        return _Writer().write(value, 0)
    except _TooLarge:
        return {"odd": "something too large"}


class _TooLarge(Exception):
    """The value has too many parts."""


class _Writer:
    """Writes one value; counts its parts, so that the text is limited."""

    def __init__(self) -> None:
        self.parts = 0

    def count(self, parts: int) -> None:
        self.parts += parts
        if self.parts > MAX_PARTS:
            raise _TooLarge

    def write(self, value: Any, depth: int) -> Any:
        self.count(1)
        if depth > MAX_DEPTH:
            return {"odd": "something nested too deeply"}
        if value is None or type(value) is bool:
            return value
        if isinstance(value, np.ndarray) and value.size == 1 and value.ndim:
            return {"one": [self.write(value[0], depth + 1)]}
        if isinstance(value, np.generic | np.ndarray) or _is_index(value):
            value = value.tolist()
        if isinstance(value, Result):
            value = value.graph
        if isinstance(value, str):
            text = str.__str__(value)
            self.count(len(text) // 20)
            return text if len(text) <= MAX_LETTERS else {"odd": f"a text of {len(text):,} letters"}
        if isinstance(value, Real | Decimal):
            return _number(value)
        return self._container(value, depth + 1)

    def _container(self, value: Any, depth: int) -> Any:
        if graph := _graph(value):
            return graph
        if isinstance(value, Mapping):
            return {"map": [[self.write(k, depth), self.write(v, depth)] for k, v in islice(value.items(), MAX_PARTS)]}
        if isinstance(value, list | tuple | Set) and not isinstance(value, KeysView | ItemsView):  # these have an order
            items = [self.write(item, depth) for item in islice(value, MAX_PARTS)]
            if isinstance(value, Set):
                return {"set": sorted(items, key=json.dumps)}
            return {"tuple": items} if isinstance(value, tuple) else items
        if hasattr(value, "send") and isinstance(value, Iterator):
            return self._steps(value, depth)
        if tagged := _pandas(value) or _input(value):
            return {tag: self.write(content, depth) for tag, content in tagged.items()}
        if isinstance(value, Iterable) and not isinstance(value, type | bytes | bytearray):
            return [self.write(item, depth) for item in islice(value, MAX_PARTS)]
        return {"odd": _name(value)}

    def _steps(self, walk: Any, depth: int) -> dict[str, Any]:
        steps: list[Any] = []
        try:
            while self.parts < MAX_PARTS // 5:
                steps.append(self.write(next(walk), depth))
        except StopIteration as end:
            return {"steps": steps, "returned": self.write(end.value, depth), "cut": False}
        return {"steps": steps, "returned": None, "cut": True}


def _number(value: Real | Decimal) -> Any:
    if isinstance(value, Decimal) and value.is_finite() and abs(value.adjusted()) < MAX_BITS:
        value = int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, int):
        whole = int.__index__(value)
        return whole if whole.bit_length() <= MAX_BITS else {"odd": "a whole number of very many digits"}
    try:
        number = float.__float__(value) if isinstance(value, float) else float(value)
    except (ValueError, OverflowError):  # a signalling NaN, a fraction of very large numbers
        return {"odd": "a number that is too large"}
    return number if math.isfinite(number) else {"number": repr(number)}


def _graph(value: Any) -> dict[str, Any] | None:
    """Graphs of bnteach and of networkx. Names become strings."""
    if isinstance(value, DAG | PDAG):
        kind, arcs, edges = "dag" if isinstance(value, DAG) else "pdag", value.arcs, getattr(value, "edges", ())
    elif "networkx" in sys.modules and isinstance(value, sys.modules["networkx"].Graph):
        kind = "dag" if value.is_directed() else "pdag"
        arcs, edges = (value.edges, ()) if value.is_directed() else ((), value.edges)
    else:
        return None
    if len(value.nodes) + len(arcs) + len(edges) > MAX_PARTS // 4:
        return {"odd": "a very large graph"}
    return {kind: {"nodes": [str(n) for n in value.nodes], "arcs": [[str(e) for e in arc[:2]] for arc in arcs],
                   "edges": [[str(e) for e in edge[:2]] for edge in edges]}}


def _is_index(value: Any) -> bool:
    return "pandas" in sys.modules and isinstance(value, sys.modules["pandas"].Index)


def _pandas(value: Any) -> dict[str, Any] | None:
    pandas = sys.modules.get("pandas")
    if pandas and isinstance(value, pandas.Series):
        return {"series": [[k, v] for k, v in value.head(MAX_PARTS).items()]}
    if pandas and isinstance(value, pandas.DataFrame):
        return {"map": [[name, value[name].head(MAX_PARTS).tolist()] for name in value.columns]}
    return None


def _input(value: Any) -> dict[str, Any] | None:
    """Objects that only inputs contain: data, scores and oracles."""
    from bnteach.course.exercises.grading.objects import take_apart

    return take_apart(value)


def _name(value: Any) -> str:
    if isinstance(value, type):
        return f"the class {value.__name__}"[:80]
    if callable(value) and hasattr(value, "__name__"):
        return f"the function {value.__name__}"[:80]
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"[:80]


# -- reading -----------------------------------------------------------------------------------------------
def read_plain(text: str | bytes, inputs: bool = False) -> Any:
    """The value that a text of plain JSON represents; NotPlain if it is not exactly of that form.

    Graphs are read as `Graph`, unchecked. With `inputs`, they become a DAG or a PDAG, and tables,
    scores and oracles are made again; that is for what the grader itself has written.
    """
    data = _data(text)
    if not inputs:
        _see_size(data)
    return read(data, inputs)


def read_arguments(text: str) -> Any:
    """The arguments with which a student's code calls our function: objects as in inputs, but not too large."""
    data = _data(text)
    _see_size(data)
    return read(data, inputs=True)


def _data(text: str | bytes) -> Any:
    try:
        return json.loads(text, parse_constant=_refuse, object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise NotPlain(f"this is not plain JSON: {error}") from None


def _see_size(data: Any) -> None:
    """Refuse what `write_plain` would never have written."""
    queue, parts = [data], 0
    while queue:
        one = queue.pop()
        parts += 1
        if type(one) in (list, dict):
            queue += one if type(one) is list else one.values()
        if parts > 4 * MAX_PARTS or (type(one) is str and len(one) > MAX_LETTERS) or (
                type(one) is int and one.bit_length() > MAX_BITS):
            raise NotPlain("it is too large.")


def read(data: Any, inputs: bool = False, depth: int = 0) -> Any:
    """The value of plain JSON data."""
    if depth > MAX_DEPTH + 2:
        raise NotPlain("it is nested too deeply.")
    if data is None or type(data) in (bool, int, float, str):
        return data
    if type(data) is list:
        return [read(item, inputs, depth + 1) for item in data]
    if type(data) is not dict:
        raise NotPlain(f"there is no {type(data).__name__} in plain JSON.")
    return _read_tagged(data, inputs, depth)


def _read_tagged(data: dict[str, Any], inputs: bool, depth: int) -> Any:
    def inside(content: Any) -> Any:
        return read(content, inputs, depth + 1)

    match data:
        case {"tuple": list(items), **rest} if not rest:
            return tuple(inside(items))
        case {"set": list(items), **rest} if not rest:
            return {_key(item) for item in inside(items)}
        case {"one": [item], **rest} if not rest:
            return One([inside(item)])
        case {"map": list(pairs), **rest} if not rest and all(type(p) is list and len(p) == 2 for p in pairs):
            return {_key(inside(k)): inside(v) for k, v in pairs}
        case {"series": list(pairs), **rest} if not rest:
            return Series(inside({"map": pairs}))
        case {"number": "inf" | "-inf" | "nan" as text, **rest} if not rest:
            return float(text)
        case {"odd": str(what), **rest} if not rest:
            return Odd(what[:200])
        case {"steps": list(steps), "returned": returned, "cut": bool(cut), **rest} if not rest:
            return Steps(inside(steps), inside(returned), cut)
        case {"dag": dict(parts), **rest} if not rest:
            return _read_graph("dag", parts, inputs)
        case {"pdag": dict(parts), **rest} if not rest:
            return _read_graph("pdag", parts, inputs)
    if len(data) == 1:
        from bnteach.course.exercises.grading.objects import columns_of, put_together

        (tag, content), = data.items()
        return put_together(tag, inside(content)) if inputs else columns_of(tag, inside(content))
    raise NotPlain(f"there is nothing with the parts {', '.join(map(str, data))[:80]} in plain JSON.")


def _read_graph(kind: str, parts: dict[str, Any], inputs: bool) -> Any:
    if set(parts) != {"nodes", "arcs", "edges"} or not all(type(part) is list for part in parts.values()):
        raise NotPlain("a graph has nodes, arcs and edges.")
    pairs = [tuple(pair) for pair in (*parts["arcs"], *parts["edges"]) if type(pair) is list and len(pair) == 2]
    if len(pairs) < len(parts["arcs"]) + len(parts["edges"]):
        raise NotPlain("an arc or an edge of a graph is a pair.")
    if not all(type(name) is str for name in (*parts["nodes"], *(n for pair in pairs for n in pair))):
        raise NotPlain("the nodes of a graph are texts.")
    arcs, edges = pairs[: len(parts["arcs"])], pairs[len(parts["arcs"]):]
    if not inputs:
        return Graph(kind, tuple(parts["nodes"]), tuple(arcs), tuple(edges))
    return DAG(arcs, parts["nodes"]) if kind == "dag" else PDAG(arcs, edges, parts["nodes"])


def _key(value: Any) -> Any:
    """A hashable value: lists become tuples."""
    if isinstance(value, list):
        return tuple(map(_key, value))
    if isinstance(value, set):
        return frozenset(value)
    if isinstance(value, tuple) and not isinstance(value, Steps | Graph | Odd):
        return tuple(map(_key, value))
    if isinstance(value, dict | Steps):
        return Odd("a dictionary as a key")
    return value


def _refuse(constant: str) -> Iterable[Any]:
    raise NotPlain(f"{constant} is no number in JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise NotPlain("a key comes twice")
    return dict(pairs)
