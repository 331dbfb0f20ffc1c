"""Order search: hill climbing over orders of the variables, with the parents that K3 finds.

    start from an order, and let K3 find parents for every variable;
    evaluate the swap of every two adjacent variables in the order;
    make the swap that raises the score most, and repeat; if none does, stop.

K3 depends on its order, so the order is searched as well. There are n! orders, far fewer than DAGs, and each
stands for a graph. An order has only n - 1 neighbours, and no check for cycles is needed. Only the two variables
that are swapped see another set of predecessors, so K3 runs again for these two alone. Teyssier and Koller 2005.
Lesson 11.

Ties: of the best swaps, the first in the order is made (search/ties.py).

>>> from bnteach import MDL, datasets
>>> found = order_search(MDL(datasets.five_rows()), start="DCBA", restarts=0)
>>> print(found.trace)
1. start from the order D, C, B, A: score -20.6753
2. swap C and B: gain 0.449, D, B, C, A
3. swap C and A: gain 0.475, D, B, A, C
4. no swap raises the score: local optimum -19.7521, D, B, A, C
>>> found.graph, round(found.score, 4)
(DAG('A->C, B->C, D->B'), -19.7521)
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from math import inf

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.learn.k3 import greedy_parents
from bnteach.learn.search.constraints import UNCONSTRAINED, Arcs, Constraints, Tiers
from bnteach.learn.search.orders import graph_of, outcome, read_order
from bnteach.learn.search.ties import TOLERANCE, first_maximum
from bnteach.learn.steps.hill_climb import Chose
from bnteach.learn.steps.order_search import Order, Started, Stopped, Swapped
from bnteach.scores.base import Score
from bnteach.trace import Result, Step, stepwise


@dataclass(frozen=True)
class OrderResult(Result[DAG]):
    """A Result with the best order, and the final score of each run."""

    order: Order = ()
    final_scores: tuple[float, ...] = ()


@stepwise
def order_search(score: Score, seed: int = 0, restarts: int = 4, max_parents: int | None = None,
                 start: str | Iterable[str] | None = None, required: Arcs = (), forbidden: Arcs = (),
                 tiers: Tiers = ()) -> Generator[Step, None, OrderResult]:
    """Search orders by swaps of adjacent variables; K3 finds the parents.

    Parameters
    ----------
    score : Score
    seed : int
        Of the random orders.
    restarts : int
        How many further runs start from random orders.
    max_parents : int, optional
        The largest number of parents of a variable.
    start : str or names, optional
        The order of the first run; by default that of the data's variables.
    required, forbidden, tiers
        Background knowledge, as in `hill_climb`. Orders are changed as far as required arcs demand.

    Returns
    -------
    OrderResult
        ``graph``, ``order`` and the ``final_scores`` of all runs.

    Examples
    --------
    >>> from bnteach import MDL, datasets
    >>> found = order_search(MDL(datasets.five_rows()))
    >>> found.graph, len(found.final_scores)
    (DAG('A->C, B->C, B->D'), 5)

    References
    ----------
    Teyssier and Koller (2005), Ordering-based search, UAI. Lesson 11.
    """
    constraints = Constraints.read(score.variables, required, forbidden, tiers, max_parents)
    random, parents = np.random.default_rng(seed), Parents(score, constraints)
    first = score.variables if start is None else read_order(start, score.variables)
    runs: list[tuple[float, Order]] = []
    for run in range(1, restarts + 2):
        order = first if run == 1 else tuple(first[i] for i in random.permutation(len(first)))
        order = constraints.adapted(order)
        yield Started(run, order, parents.total(order), parents.graph(order))
        runs.append((yield from swap_adjacent(order, parents)))
    final_scores = tuple(total for total, _ in runs)
    best = first_maximum(final_scores)
    order = runs[best][1]
    graph = parents.graph(order)
    if restarts:
        yield Chose(best + 1, final_scores, graph)
    return OrderResult(graph, score=score(graph), order=order, final_scores=final_scores)


def swap_adjacent(order: Order, parents: Parents) -> Generator[Step, None, tuple[float, Order]]:
    """One run: make the best swap of adjacent variables until none raises the score."""
    while True:
        gains = [parents.swap_gain(order, i) for i in range(len(order) - 1)]
        if max(gains, default=0.0) <= TOLERANCE:
            break
        i = first_maximum(gains)
        order = swapped(order, i)
        first, second = order[i + 1], order[i]
        now = {second: parents.best(second, order[:i])[1], first: parents.best(first, order[:i + 1])[1]}
        yield Swapped(first, second, gains[i], parents.total(order), order, now)
    total = parents.total(order)
    yield Stopped(order, total)
    return total, order


def swapped(order: Order, i: int) -> Order:
    """The order with the variables at i and i + 1 swapped."""
    return (*order[:i], order[i + 1], order[i], *order[i + 2:])


class Parents:
    """What K3 finds for a variable, given those before it; each result is cached."""

    def __init__(self, score: Score, constraints: Constraints = UNCONSTRAINED):
        self.score, self.constraints = score, constraints
        self._known: dict[tuple[str, frozenset[str]], tuple[float, tuple[str, ...]]] = {}

    def best(self, child: str, before: Iterable[str]) -> tuple[float, tuple[str, ...]]:
        """K3's family score and parents."""
        key = (child, frozenset(before))
        if key not in self._known:
            parents = outcome(greedy_parents(self.score, child, key[1], self.constraints))
            self._known[key] = self.score.family(child, parents), parents
        return self._known[key]

    def swap_gain(self, order: Order, i: int) -> float:
        """The gain of swapping the variables at i and i + 1: only their two families change."""
        x, y, before = order[i], order[i + 1], order[:i]
        if (x, y) in self.constraints.required:
            return -inf
        now = self.best(x, before)[0] + self.best(y, (*before, x))[0]
        then = self.best(y, before)[0] + self.best(x, (*before, y))[0]
        return then - now

    def total(self, order: Order) -> float:
        """The score of the order: that of K3's graph."""
        return sum(self.best(child, order[:i])[0] for i, child in enumerate(order))

    def graph(self, order: Order) -> DAG:
        """K3's graph for the order."""
        return graph_of({child: self.best(child, order[:i])[1] for i, child in enumerate(order)}, self.score)
