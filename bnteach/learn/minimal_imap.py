"""A minimal I-map: a DAG for given independences and a given order of the variables.

    For each variable x in the order: among the variables before it, find a minimal set A such that
    x is independent of all others before it given A. Make A the parents of x.

The DAG claims no independence that is not there (it is an I-map), and it claims one too many as soon as any
arc is taken away (it is minimal). Another order may give another map, often with more arcs.

An oracle answers about two variables, and here x is to be independent of a whole set {y1, y2, ...} given A. Two
laws that hold in every distribution, contraction and weak union, break this into single questions:

    x _||_ y1 | A,    x _||_ y2 | A, y1,    x _||_ y3 | A, y1, y2,    ...

All of them hold exactly if x is independent of the set. Asking only about each y given A is not enough: with
x = y1 xor y2 of two fair coins, each coin alone tells nothing of x and both tell all. It is necessary, though,
and asked with fewer variables given, so it is asked first: on data, that is where a test is strong.

>>> from bnteach.graphs.dag import DAG
>>> from bnteach.independence.oracle import DSeparation
>>> truth = DSeparation(DAG("burglary->alarm, earthquake->alarm"))
>>> minimal_imap(truth, ["burglary", "earthquake", "alarm"]).graph
DAG('burglary->alarm, earthquake->alarm')
>>> minimal_imap(truth, ["alarm", "burglary", "earthquake"]).graph
DAG('alarm->burglary, alarm->earthquake, burglary->earthquake')

Koller and Friedman (2009), Probabilistic Graphical Models, Algorithm 3.2; Pearl (1988), section 3.3, for the
laws of independence. Lesson 2.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from bnteach.errors import UnknownVariable
from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import read_names
from bnteach.independence.oracle import Oracle, check_oracle
from bnteach.trace import Drawing, Step, stepwise

Names = tuple[str, ...]


# -- what the algorithm says -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class NextVariable(Step):
    """The next variable in the order."""

    variable: str
    before: Names

    def __str__(self) -> str:
        return f"{self.variable} comes after {', '.join(self.before)}." if self.before else \
            f"{self.variable} comes first: it has no parents."

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes([self.variable])
        drawing.style_nodes(self.variable)


@dataclass(frozen=True, slots=True)
class Tried(Step):
    """A set of possible parents: does it make the variable independent of the rest before it?"""

    variable: str
    parents: Names
    rest: Names
    enough: bool
    because: str = ""

    def __str__(self) -> str:
        given = f"Given {', '.join(self.parents)}" if self.parents else "With nothing given"
        rest = self.rest[0] if len(self.rest) == 1 else f"{{{', '.join(self.rest)}}}"
        if self.enough:
            return f"{given}, {self.variable} is independent of {rest}."
        return f"{given}, {self.variable} is not independent of {rest}{self.because}."

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.variable, *self.parents)


@dataclass(frozen=True, slots=True)
class Chose(Step):
    """The parents of a variable."""

    variable: str
    parents: Names

    def __str__(self) -> str:
        if not self.parents:
            return f"So {self.variable} gets no parents."
        return f"So {self.variable} gets the parent{'s' * (len(self.parents) > 1)} {', '.join(self.parents)}."

    def draw(self, drawing: Drawing) -> None:
        for parent in self.parents:
            drawing.add_arc(parent, self.variable)


# -- the algorithm ---------------------------------------------------------------------------------------
@stepwise
def minimal_imap(oracle: Oracle, order: str | Iterable[str],
                 method: str = "smallest first") -> Generator[Step, None, DAG]:
    """A minimal I-map of the oracle's independences, with every arc along the order.

    "smallest first" tries sets of 0, 1, 2, ... variables before x. "backward" starts from all of them and
    drops one after the other where x does not need it: one question for each, but with many variables given,
    which needs a perfect oracle or very many rows.
    """
    find_parents = _choose(method)
    order = _read_order(oracle, order)
    arcs: list[tuple[str, str]] = []
    for i, x in enumerate(order):
        yield NextVariable(x, order[:i])
        if i > 0:
            parents = yield from find_parents(oracle, x, order[:i])
            yield Chose(x, parents)
            arcs += [(parent, x) for parent in parents]
    return DAG(arcs, order)


def smallest_first(oracle: Oracle, x: str, before: Names) -> Generator[Step, None, Names]:
    """The first set, from small to large, that makes x independent of all others before it."""
    for size in range(len(before)):
        for parents in combinations(before, size):
            rest = tuple(y for y in before if y not in parents)
            needed = first_dependence(oracle, x, rest, parents)
            yield Tried(x, parents, rest, enough=needed is None, because=_because(needed, parents, rest))
            if needed is None:
                return parents
    return before


def backward(oracle: Oracle, x: str, before: Names) -> Generator[Step, None, Names]:
    """From all variables before x, drop each that x is independent of given those still there.

    One pass is enough: what is needed now is still needed when others have gone (by contraction).
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
    """None if x is independent of all ys together; otherwise a y, and what was given, that shows it is not."""
    for y in ys:
        if not oracle(x, y, given):
            return y, given
    for i, y in enumerate(ys[1:], start=1):
        if not oracle(x, y, given + ys[:i]):
            return y, given + ys[:i]
    return None


# -- small things ----------------------------------------------------------------------------------------
def _because(needed: tuple[str, Names] | None, parents: Names, rest: Names) -> str:
    if needed is None or len(rest) == 1:
        return ""
    y, given = needed
    return f": {y} still tells something" + (f" given {', '.join(given)}" if given != parents else "")


def _choose(method: str) -> Any:
    methods = {"smallest first": smallest_first, "backward": backward}
    if method not in methods:
        raise ValueError(f"method={method!r} is not known here; use 'smallest first' or 'backward'.")
    return methods[method]


def _read_order(oracle: Any, order: str | Iterable[str]) -> Names:
    check_oracle(oracle, "minimal_imap")
    order = tuple(read_names(getattr(order, "order", order)))
    for name in order:
        if name not in oracle.variables:
            raise UnknownVariable(name, oracle.variables, "the oracle")
    if repeated := [name for name in dict.fromkeys(order) if order.count(name) > 1]:
        raise ValueError(f"{repeated[0]} comes twice in the order {', '.join(order)}; each variable comes once.")
    if missing := [name for name in oracle.variables if name not in order]:
        raise ValueError(f"the order {', '.join(order)} leaves out {', '.join(missing)}; name every variable once.")
    return order
