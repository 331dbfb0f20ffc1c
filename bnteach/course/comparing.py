"""Is a value what it should be, and if not, what may have gone wrong?

`difference(got, want)` is empty if the two agree, and otherwise describes how they differ. What is wanted determines
how to compare: a float up to rounding, a whole number exactly, a Decimal up to half a unit in its last decimal, a list
in order, a set in any order (a list will do), a graph by its arcs and edges. Common slips are named: another base of
the logarithm, the other sign, a reversed arc. Questions compare an answer, which is plain data (grading/plain.py),
with what the library computes; claims compare a computed value with a figure of the ledger (lessons/figures.py).

>>> difference(math.log(2) * 0.5, 0.5)
'you give 0.3466, and it should be 0.5000: this is the same in nats; in bits the logarithm has base 2'
>>> difference(-20.3, Decimal("-20.2266"))
'you give -20.3000, and it should be -20.2266'
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from numbers import Real
from typing import Any

from bnteach.course.describing import few, full_text, is_pair, kind, show
from bnteach.course.exercises.grading.plain import Graph, Odd, One, Series, Steps
from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG

RELATIVE, ABSOLUTE = 1e-6, 1e-8  # tolerances for floats
NOISE = Fraction(1, 10**9)  # rounding errors of a float that is compared with an exact number, relative to its size
NO_RETURN = "perhaps a return is missing; what is printed does not count"
SLIPS = {  # a common slip is undone by multiplying with the factor
    -1.0: "only the sign differs",
    1 / math.log(2): "this is the same in nats; in bits the logarithm has base 2",
    math.log(2): "this is the same in bits; in nats the logarithm is natural",
    1 / math.log10(2): "this is the same with logarithms of base 10; in bits the base is 2",
    math.log(10): "this is the same with logarithms of base 10; in nats the logarithm is natural",
    -1 / math.log(2): "this is the same in nats and with the other sign",
    0.01: "this is the same in per cent",
}


def difference(got: Any, want: Any) -> str:
    """How a value differs from the wanted one, or an empty text."""
    return next(differences(got, want), "")


def same(got: Any, want: Any) -> bool:
    """Do the two agree, up to rounding, and up to order where it does not matter?"""
    return not difference(got, want)


def differences(got: Any, want: Any) -> Iterator[str]:
    """All differences, each in words; the items of a list or dictionary have one each."""
    if got is None and want is not None:
        yield f"there is no answer (None), and it should be {show(want)}: {NO_RETURN}"
    elif isinstance(got, Odd):
        yield f"you give {got.what}, and {kind(want)} is asked for, such as {show(want)}"
    elif isinstance(got, Steps):
        if got.cut or not isinstance(want, list | tuple | set | frozenset):
            yield f"the function yields and should return: {kind(want)} is asked for"
        else:
            yield from differences(got.steps, want)
    elif isinstance(want, dict):
        yield from _dict(got, want)
    elif isinstance(want, list | tuple):
        yield from _list(got, list(want))
    else:
        got = got.item() if isinstance(got, One) and not isinstance(want, set | frozenset) else got
        compare = next((how for kinds, how in COMPARE.items() if isinstance(want, kinds)), _text)
        if problem := compare(got, want):
            yield problem


def _not_asked_for(got: Any, want: Any) -> str:
    return f"{kind(want)} is asked for, such as {show(want)}, and you give {show(got)}"


def _instead(given: str, wanted: str) -> str:
    return f"you give {given}, and it should be {wanted}"


def _text(got: Any, want: Any) -> str:
    return "" if got == want else _instead(show(got), show(want))


# -- numbers and truth values ----------------------------------------------------------------------------------
def _bool(got: Any, want: bool) -> str:
    if not isinstance(got, int) or got not in (0, 1):
        return _not_asked_for(got, want)
    return "" if bool(got) == want else _instead(str(bool(got)), str(want))


def _number(got: Any, want: float | Decimal) -> str:
    truth_value = isinstance(got, bool) and not (type(want) is int and want in (0, 1))
    if truth_value or not isinstance(got, Real | Decimal):
        return _not_asked_for(got, want)
    if got != got:
        return f"you give NaN, and it should be {show(want)}: look for 0/0, or for 0 log 0, which counts as 0"
    if agree(got, want):
        return ""
    given, wanted, hint = show(got), show(want), slip(got, want)
    if isinstance(want, int) and isinstance(got, float) and abs(want) >= 2**53:
        hint = "a float cannot hold this number exactly; compute with whole numbers"
    if given == wanted:
        given, wanted = str(got), str(want)
    return _instead(given, wanted) + (f": {hint}" if hint else "")


def agree(got: Any, want: float | Decimal) -> bool:
    """Are two numbers equal, up to the rounding that the wanted one allows?"""
    if isinstance(want, float):
        return close(got, want)
    if any(isinstance(number, float | Decimal) and not math.isfinite(number) for number in (got, want)):
        return bool(got == want)
    half_unit = Fraction(10) ** int(want.as_tuple().exponent) / 2 if isinstance(want, Decimal) else 0
    noise = min(NOISE * max(Fraction(1), abs(Fraction(want))), Fraction(1, 10**6))
    return abs(Fraction(got) - Fraction(want)) <= half_unit + noise


def close(a: float, b: float) -> bool:
    """Are two numbers equal up to rounding?"""
    return math.isclose(a, b, rel_tol=RELATIVE, abs_tol=ABSOLUTE) if abs(a) < math.inf > abs(b) else a == b


def slip(got: Any, want: Any) -> str:
    """The common slip that explains a wrong number; empty if there is none, or if these are no numbers."""
    if not all(isinstance(value, Real | Decimal) for value in (got, want)) or not want or not abs(got) < 1e300:
        return ""
    if hint := next((hint for factor, hint in SLIPS.items() if agree(float(got) * factor, want)), ""):
        return hint
    decimals = next((n for n in range(1, 6) if isinstance(want, float) and got and close(got, round(want, n))), None)
    return f"this is rounded to {decimals} decimals; give the number as it is" if decimals else ""


# -- collections -----------------------------------------------------------------------------------------------
def items_of(got: Any) -> list[Any] | None:
    """The items of a collection, those of a set in a fixed order; None for anything else."""
    if isinstance(got, set | frozenset):
        return sorted(got, key=full_text)
    if isinstance(got, Series):
        return list(got.values())
    if isinstance(got, dict) and got:
        if all(value is None or value == {} for value in got.values()):  # a set, as networkx's views of edges
            return list(got)
        return list(got.values()) if list(got) == list(range(len(got))) else None  # a list, as a column of pandas
    return list(got) if isinstance(got, list | tuple) and not isinstance(got, Graph | Steps) else None


def _list(got: Any, want: list[Any]) -> Iterator[str]:
    items = items_of(got)
    if items is None:
        yield _not_asked_for(got, want)
    elif isinstance(got, set | frozenset) and len(want) > 1:
        yield f"a set has no order, and here the order counts: give a list, such as {show(want)}"
    elif len(items) != len(want):
        yield f"you give {len(items)} ({show(items)}), and there should be {len(want)}: {show(want)}"
    elif all(map(same, items, want)):
        return
    elif not any(_unmatched(items, want)):
        yield f"the right ones in another order: {_instead(show(items), show(want))}"
    else:
        for i, (item, wanted) in enumerate(zip(items, want), start=1):
            for problem in differences(item, wanted):
                yield f"number {i} of {len(want)}: {problem}" if len(want) > 1 else problem


def _unmatched(items: list[Any], want: list[Any]) -> tuple[list[Any], list[Any]]:
    """The items that are not wanted, and the wanted ones that are missing."""
    return ([item for item in items if not any(same(item, w) for w in want)],
            [w for w in want if not any(same(item, w) for item in items)])


def _set(got: Any, want: Iterable[Any]) -> str:
    items, wanted = items_of(got), sorted(want, key=full_text)
    if isinstance(got, Graph) and all(map(is_pair, wanted)):
        items = [*got.arcs, *map(frozenset, got.edges)]
    if items is None:
        return _not_asked_for(got, want)
    if len(items) > len(wanted) + 500:  # which ones hardly matters, and finding out takes time
        return f"you give {len(items):,}, and there are {len(wanted)}: {show(want)}"
    extra, missing = _unmatched(items, wanted)
    if turned := [e for e in extra if isinstance(e, tuple | list) and any(same(list(e)[::-1], w) for w in missing)]:
        return f"{_instead(show(turned[0]), show(tuple(turned[0])[::-1]))}: the other way round"
    problems = [f"{few(missing)} {'is' if len(missing) == 1 else 'are'} missing"] if missing else []
    problems += [f"{few(extra)} should not be there"] if extra else []
    return f"you give {show(got)}: {' and '.join(problems)}" if problems else ""


def _dict(got: Any, want: dict[Any, Any]) -> Iterator[str]:
    if not isinstance(got, dict):
        yield _not_asked_for(got, want)
        return
    found: dict[Any, Any] = {}
    for key in want:
        match = [key] if key in got else [k for k in got if same(k, key)] or [
            k for k in got if isinstance(key, tuple) and isinstance(k, tuple) and same(k[::-1], key)
            and not any(same(k, other) for other in want)]
        found |= dict.fromkeys(match[:1], key)
    if missing := [key for key in want if key not in found.values()]:
        yield f"the dictionary has no {few(missing)}; it should have {few(list(want))}"
    if extra := [k for k in got if k not in found]:
        yield f"the dictionary has {few(extra)}, which should not be there"
    if not missing and not extra:
        for k, key in found.items():
            yield from (f"at {show(key)}: {problem}" for problem in differences(got[k], want[key]))


# -- graphs ----------------------------------------------------------------------------------------------------
def as_graph(got: Any) -> Graph | None:
    """A graph, from the forms in which one may be given: ours, networkx's, a text, or a list of arcs."""
    if isinstance(got, Graph):
        return got
    try:
        if isinstance(got, str):
            graph = PDAG(got)
            return Graph("pdag" if graph.edges else "dag", graph.nodes, graph.arcs, graph.edges)
        pairs: list[Any] = [tuple(map(str, pair)) for pair in items_of(got) or ()]
        return Graph("dag", tuple(dict.fromkeys(n for p in pairs for n in p)), tuple(pairs)) if pairs else None
    except (ValueError, TypeError):
        return None


def _graph(got: Any, want: DAG | PDAG) -> str:
    graph = as_graph(got)
    if graph is None or any(len(arc) != 2 for arc in graph.arcs):
        return _not_asked_for(got, want)
    arcs, edges = set(graph.arcs), {frozenset(edge) for edge in graph.edges}
    right_arcs, right_edges = set(want.arcs), {frozenset(edge) for edge in getattr(want, "edges", ())}
    if arcs != right_arcs or edges != right_edges:
        return f"{_instead(show(graph), show(want))}: {_edges(arcs, edges, right_arcs, right_edges)}"
    nodes = {*graph.nodes, *(n for arc in arcs for n in arc)} if isinstance(got, Graph) else set(want.nodes)
    missing, extra = sorted(set(want.nodes) - nodes), sorted(nodes - set(want.nodes))
    return _lacks_and_has([f"the node {node}" for node in missing], [f"the node {node}" for node in extra])


def _edges(arcs: set[Any], edges: set[Any], right_arcs: set[Any], right_edges: set[Any]) -> str:
    """Which edge differs first, and how."""
    if pairs := sorted(arc for arc in arcs if frozenset(arc) in right_edges):
        if not edges and right_edges:
            return "this is a DAG, and its class is asked for: a CPDAG, in which some edges are undirected"
        return f"{'->'.join(pairs[0])} should be undirected"
    if turned := sorted(arc for arc in arcs if arc[::-1] in right_arcs):
        return f"{'->'.join(turned[0])} should be {'->'.join(turned[0][::-1])}, the other way round"
    if bare := sorted(arc for arc in right_arcs if frozenset(arc) in edges):
        return f"{'-'.join(bare[0])} should be directed: {'->'.join(bare[0])}"
    return _lacks_and_has([*map("->".join, sorted(right_arcs - arcs)), *sorted(map(full_text, right_edges - edges))],
                          [*map("->".join, sorted(arcs - right_arcs)), *sorted(map(full_text, edges - right_edges))])


def _lacks_and_has(missing: list[str], extra: list[str]) -> str:
    problems = [f"it lacks {', '.join(missing)}"] if missing else []
    return " and ".join([*problems, f"it should not have {', '.join(extra)}"] if extra else problems)


COMPARE: dict[Any, Callable[[Any, Any], str]] = {
    bool: _bool, int | float | Decimal: _number, DAG | PDAG: _graph, set | frozenset: _set}
