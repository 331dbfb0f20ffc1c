"""A minimal I-map: a DAG for given independences and a given order of the variables.

    For each variable x in the order: among its predecessors, find a minimal set A such that x is independent of the
    other predecessors given A. Make A the parents of x.

Every d-separation of the DAG is an independence (it is an I-map), and this fails as soon as any arc is removed (it
is minimal). Another order may give another map, often with more arcs.

An oracle answers about two variables, and here x must be independent of a whole set {y1, y2, ...} given A. Two
properties of every distribution, contraction and weak union, break this into single queries:

    x _||_ y1 | A,    x _||_ y2 | A, y1,    x _||_ y3 | A, y1, y2,    ...

All of them hold if and only if x is independent of the set. Testing each y given A alone is not enough: with
x = y1 xor y2 of two fair coins, x is independent of each coin but not of both together. It is necessary, though, and
conditions on fewer variables, so it is tested first: on data, such tests have more power.

>>> from bnteach import DAG, DSeparation
>>> truth = DSeparation(DAG("burglary->alarm, earthquake->alarm"))
>>> minimal_imap(truth, ["burglary", "earthquake", "alarm"]).graph
DAG('burglary->alarm, earthquake->alarm')
>>> minimal_imap(truth, ["alarm", "burglary", "earthquake"]).graph
DAG('alarm->burglary, alarm->earthquake, burglary->earthquake')

Koller and Friedman (2009), Probabilistic Graphical Models, Algorithm 3.2; Pearl (1988), section 3.3, for the
properties of independence. Lesson 2.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from itertools import combinations
from typing import Any

from bnteach.graphs.dag import DAG
from bnteach.independence.oracle import Oracle, check_oracle
from bnteach.learn.search.orders import read_order
from bnteach.learn.steps.minimal_imap import Chose, Names, NextVariable, Tried
from bnteach.trace import Step, stepwise


@stepwise
def minimal_imap(oracle: Oracle, order: str | Iterable[str],
                 method: str = "smallest first") -> Generator[Step, None, DAG]:
    """Construct a minimal I-map of the oracle's independences for an order.

    Parameters
    ----------
    oracle : Oracle
    order : str or names
        All variables, each once; every arc leads forward in it.
    method : {"smallest first", "backward"}
        Try sets of 0, 1, 2, ... predecessors; or start from all predecessors and drop each that is not needed,
        which takes one query per predecessor but conditions on many variables.

    Returns
    -------
    Result
        ``graph`` is a DAG.

    Examples
    --------
    >>> from bnteach import DAG, DSeparation
    >>> minimal_imap(DSeparation(DAG("A->B, B->C")), "CBA").graph
    DAG('C->B, B->A')

    References
    ----------
    Koller and Friedman (2009), Probabilistic Graphical Models, Algorithm 3.2. Lesson 2.
    """
    check_oracle(oracle, "minimal_imap")
    find_parents = _choose(method)
    order = read_order(order, oracle.variables, "the oracle")
    arcs: list[tuple[str, str]] = []
    for i, x in enumerate(order):
        yield NextVariable(x, order[:i])
        if i > 0:
            parents = yield from find_parents(oracle, x, order[:i])
            yield Chose(x, parents)
            arcs += [(parent, x) for parent in parents]
    return DAG(arcs, order)


def smallest_first(oracle: Oracle, x: str, before: Names) -> Generator[Step, None, Names]:
    """The first set, from small to large, that separates x from its other predecessors."""
    for size in range(len(before)):
        for parents in combinations(before, size):
            rest = tuple(y for y in before if y not in parents)
            needed = first_dependence(oracle, x, rest, parents)
            yield Tried(x, parents, rest, enough=needed is None, reason=_reason(needed, parents, rest))
            if needed is None:
                return parents
    return before


def backward(oracle: Oracle, x: str, before: Names) -> Generator[Step, None, Names]:
    """Start from all predecessors; drop each that x is independent of given the others that remain.

    One pass is enough: what is needed now is still needed when others have been dropped (by contraction).
    """
    parents = before
    for y in before:
        others = tuple(z for z in parents if z != y)
        independent = bool(oracle(x, y, others))
        yield Tried(x, others, (y,), independent)
        if independent:
            parents = others
    return parents


def first_dependence(oracle: Oracle, x: str, ys: Names, given: Names) -> tuple[str, Names] | None:
    """None if x is independent of all ys together; otherwise a y and the conditioning set that show it is not."""
    for y in ys:
        if not oracle(x, y, given):
            return y, given
    for i, y in enumerate(ys[1:], start=1):
        if not oracle(x, y, given + ys[:i]):
            return y, given + ys[:i]
    return None


def _reason(needed: tuple[str, Names] | None, parents: Names, rest: Names) -> str:
    if needed is None or len(rest) == 1:
        return ""
    y, given = needed
    return f": it depends on {y}" + (f" given {', '.join(given)}" if given != parents else "")


def _choose(method: str) -> Any:
    methods = {"smallest first": smallest_first, "backward": backward}
    if method not in methods:
        raise ValueError(f"method={method!r} is unknown; use 'smallest first' or 'backward'.")
    return methods[method]
