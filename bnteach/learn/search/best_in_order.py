"""The best graph for an order from listed parent sets, and a local search over orders by moving one variable.

Given an order, each variable takes the best of its listed sets whose members all come before it. The search takes out
one variable after the other and puts it back where the graph of the order is best, until no variable moves; then it
moves a few variables at random and starts again, from the best order so far (iterated local search). The integer
program uses it for a good graph to begin with, and for graphs near the solutions of its relaxation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate

import numpy as np

from bnteach.learn.search.parent_sets import Names, ParentSets
from bnteach.learn.search.relaxation import ZERO, Relaxation
from bnteach.learn.search.ties import TOLERANCE, first_maximum

Order = tuple[int, ...]  # variables by their index; a set of them is a whole number with a bit each


class BestInOrder:
    """The best listed parents of each variable among those before it."""

    def __init__(self, choices: Sequence[ParentSets]):
        self.names: Names = tuple(choice.child for choice in choices)
        index = {name: i for i, name in enumerate(self.names)}
        ranked = [sorted(choice.sets.items(), key=lambda item: -round(item[1], 7)) for choice in choices]
        self.sets = [[(sum(1 << index[name] for name in names), value, names) for names, value in sets]
                     for sets in ranked]
        self._candidates = [sum(1 << i for i in {index[name] for _, _, names in sets for name in names})
                            for sets in self.sets]
        self._known: dict[tuple[int, int], tuple[float, Names]] = {}

    def best(self, child: int, before: int) -> tuple[float, Names]:
        """The score and the parents of the best set; minus infinity if a required parent is not among those before."""
        key = child, before & self._candidates[child]
        if key not in self._known:
            self._known[key] = next(((value, names) for members, value, names in self.sets[child]
                                     if not members & ~before), (-np.inf, ()))
        return self._known[key]

    def families(self, order: Order) -> dict[str, Names]:
        """The best graph for an order: the parents of each variable."""
        found = {child: self.best(child, before)[1] for child, before in zip(order, _befores(order))}
        return {name: found[i] for i, name in enumerate(self.names)}

    def score(self, order: Order) -> float:
        """The score of the best graph for an order."""
        return sum(self.best(child, before)[0] for child, before in zip(order, _befores(order)))

    def near(self, relaxation: Relaxation) -> Order:
        """An order that agrees with a solution: next always the variable with most of its parent sets complete."""
        used, left = np.flatnonzero(relaxation.solution > ZERO), list(range(len(self.names)))
        child, values, inside = relaxation.child[used], relaxation.solution[used], relaxation.inside[used].copy()
        order: list[int] = []
        while left:
            complete = np.bincount(child, values * ~inside.any(axis=1), len(self.names)).round(6)
            order.append(left.pop(int(np.argmax(complete[left]))))
            inside[:, order[-1]] = False
        return tuple(order)

    def moved(self, order: Order, child: int) -> Order:
        """The order with one variable moved to where the graph is best; the same order if no place is better."""
        rest = tuple(other for other in order if other != child)
        befores, bit = list(_befores(rest)), 1 << child
        first = list(accumulate((self.best(x, before)[0] for x, before in zip(rest, befores)), initial=0.0))
        last = list(accumulate((self.best(x, befores[i] | bit)[0] for i, x in reversed(list(enumerate(rest)))),
                               initial=0.0))[::-1]
        totals = [first[i] + self.best(child, befores[i])[0] + last[i] for i in range(len(order))]
        place = first_maximum(totals)
        better = totals[place] > totals[order.index(child)] + TOLERANCE
        return (*rest[:place], child, *rest[place:]) if better else order

    def climb(self, order: Order) -> Order:
        """Move one variable after the other until none moves."""
        before = None
        while order != before:
            before = order
            for child in range(len(order)):
                order = self.moved(order, child)
        return order

    def search(self, order: Order, restarts: int, seed: int = 0) -> Order:
        """Climb, and climb again from the best order with a few variables moved at random."""
        random, best = np.random.default_rng(seed), self.climb(order)
        for _ in range(restarts):
            start = list(best)
            for place, to in random.integers(len(order), size=(int(random.integers(2, 6)), 2)).tolist():
                start.insert(to, start.pop(place))
            found = self.climb(tuple(start))
            if self.score(found) > self.score(best) + TOLERANCE:
                best = found
        return best


def _befores(order: Iterable[int]) -> Iterable[int]:
    """The set of variables before each in the order, and at the end that of all."""
    return accumulate((1 << x for x in order), lambda before, bit: before | bit, initial=0)
