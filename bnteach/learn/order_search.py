"""Order search: look for a good order of the variables, and let K3 find the parents.

    start from some order, and let K3 find parents for every variable;
    try to swap each two neighbours in the order;
    take the swap that raises the score most, and try again; if none does, stop.

K3 is only as good as its order, so the order is searched for as well. There are n! orders, far fewer than DAGs,
and each stands for a graph. A swap of neighbours is cheap: only the two variables that change places see other
variables before them, so K3 runs again for these two alone. Teyssier and Koller 2005. Lesson 11.

Ties: swaps whose gains differ by less than SAME are equal, and the first place in the order counts.

>>> from bnteach.datasets import five_rows
>>> from bnteach.scores.base import MDL
>>> found = order_search(MDL(five_rows()), start="DCBA", restarts=0)
>>> print(found.trace)
1. start with the order D, C, B, A: score -20.6753
2. swap C and B: gain 0.449, D, B, C, A
3. swap C and A: gain 0.475, D, B, A, C
4. no swap raises the score: stop at -19.7521, D, B, A, C
>>> found.graph, round(found.score, 4)
(DAG('A->C, B->C, D->B'), -19.7521)
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.learn.k3 import graph_of, greedy_parents, read_order
from bnteach.scores.base import Score
from bnteach.trace import Drawing, Result, Step, stepwise

SAME = 1e-9  # gains that differ by less are equal, and a gain of less is none

Order = tuple[str, ...]


@dataclass(frozen=True)
class OrderResult(Result[DAG]):
    """A Result with the best order, and the score at which each search ended."""

    order: Order = ()
    ends: tuple[float, ...] = ()


# -- what the algorithm says -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Started(Step):
    """A search begins with some order, and the graph that K3 finds for it."""

    search: int
    order: Order
    score: float
    graph: DAG

    def __str__(self) -> str:
        again = f"search {self.search}: " if self.search > 1 else ""
        return f"{again}start with the order {_shown(self.order)}: score {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.graph.nodes)
        for child in self.graph.nodes:
            _redraw(drawing, child, self.graph.parents(child), style="plain")


@dataclass(frozen=True, slots=True)
class Swapped(Step):
    """Two neighbours in the order changed places; `parents` are those that K3 finds for the two now."""

    first: str
    second: str
    gain: float
    score: float
    order: Order
    parents: dict[str, tuple[str, ...]]

    def __str__(self) -> str:
        return f"swap {self.first} and {self.second}: gain {self.gain:.3f}, {_shown(self.order)}"

    def draw(self, drawing: Drawing) -> None:
        for child, parents in self.parents.items():
            _redraw(drawing, child, parents)
        drawing.style_nodes(self.first, self.second)


@dataclass(frozen=True, slots=True)
class Stopped(Step):
    """No swap of neighbours helps."""

    order: Order
    score: float

    def __str__(self) -> str:
        return f"no swap raises the score: stop at {self.score:.4f}, {_shown(self.order)}"


@dataclass(frozen=True, slots=True)
class Chose(Step):
    """Of several searches the best counts."""

    search: int
    ends: tuple[float, ...]
    graph: DAG

    def __str__(self) -> str:
        return f"the best of {len(self.ends)} searches was number {self.search}: {self.ends[self.search - 1]:.4f}"

    def draw(self, drawing: Drawing) -> None:
        for child in self.graph.nodes:
            _redraw(drawing, child, self.graph.parents(child))


def _shown(order: Order) -> str:
    return ", ".join(order[:12]) + (f", … {len(order)} variables" if len(order) > 12 else "")


def _redraw(drawing: Drawing, child: str, parents: tuple[str, ...], style: str = "kept") -> None:
    """Give a child these parents: other arcs into it go, new ones are drawn in this look."""
    for a, b in list(drawing.edges):
        if b == child and a not in parents:
            drawing.remove_edge(a, b)
    for parent in parents:
        if (parent, child) not in drawing.edges:
            drawing.add_arc(parent, child, style)


# -- the algorithm ---------------------------------------------------------------------------------------
@stepwise
def order_search(score: Score, seed: int = 0, restarts: int = 4, max_parents: int | None = None,
                 start: str | Iterable[str] | None = None) -> Generator[Step, None, OrderResult]:
    """Swap neighbours in the order as long as that helps; K3 finds the parents. Lesson 11.

    It starts from the order of the data's variables, unless `start` gives another, and again from `restarts`
    random ones.
    """
    random, parents = np.random.default_rng(seed), Parents(score, max_parents)
    first = score.variables if start is None else read_order(start, score)
    ends: list[tuple[float, Order]] = []
    for search in range(1, restarts + 2):
        order = first if search == 1 else tuple(first[i] for i in random.permutation(len(first)))
        yield Started(search, order, parents.total(order), parents.graph(order))
        ends.append((yield from swap_neighbours(order, parents)))
    tops = [end for end, _ in ends]
    best = next(i for i, end in enumerate(tops) if end >= max(tops) - SAME)
    order = ends[best][1]
    graph = parents.graph(order)
    if restarts:
        yield Chose(best + 1, tuple(tops), graph)
    return OrderResult(graph, score=score(graph), order=order, ends=tuple(tops))


def swap_neighbours(order: Order, parents: Parents) -> Generator[Step, None, tuple[float, Order]]:
    """One search: the best swap of neighbours, again and again."""
    while True:
        gains = [parents.swap_gain(order, i) for i in range(len(order) - 1)]
        top = max(gains, default=0.0)
        if top <= SAME:
            break
        i = next(i for i, gain in enumerate(gains) if gain >= top - SAME)
        order = swapped(order, i)
        first, second = order[i + 1], order[i]
        now = {second: parents.best(second, order[:i])[1], first: parents.best(first, order[:i + 1])[1]}
        yield Swapped(first, second, gains[i], parents.total(order), order, now)
    total = parents.total(order)
    yield Stopped(order, total)
    return total, order


def swapped(order: Order, i: int) -> Order:
    """The order with places i and i + 1 exchanged."""
    return (*order[:i], order[i + 1], order[i], *order[i + 2:])


class Parents:
    """What K3 finds for a variable, given those before it; each found once and remembered."""

    def __init__(self, score: Score, max_parents: int | None):
        self.score, self.max_parents = score, max_parents
        self._known: dict[tuple[str, frozenset[str]], tuple[float, tuple[str, ...]]] = {}

    def best(self, child: str, before: Iterable[str]) -> tuple[float, tuple[str, ...]]:
        """K3's family score and parents."""
        key = (child, frozenset(before))
        if key not in self._known:
            *_, settled = greedy_parents(self.score, child, key[1], self.max_parents)
            self._known[key] = self.score.family(child, settled.parents), settled.parents
        return self._known[key]

    def swap_gain(self, order: Order, i: int) -> float:
        """What it brings to swap places i and i + 1: two families change, and no other."""
        x, y, before = order[i], order[i + 1], order[:i]
        now = self.best(x, before)[0] + self.best(y, (*before, x))[0]
        then = self.best(y, before)[0] + self.best(x, (*before, y))[0]
        return then - now

    def total(self, order: Order) -> float:
        """The score of the order: that of K3's graph."""
        return sum(self.best(child, order[:i])[0] for i, child in enumerate(order))

    def graph(self, order: Order) -> DAG:
        """K3's graph for the order."""
        return graph_of({child: self.best(child, order[:i])[1] for i, child in enumerate(order)}, self.score)
