"""The integer program of structure learning: families to choose from, clusters to forbid, and a solver.

A cluster is a set of variables. If each of them has a parent inside the set, there is a circle in it: walk from
parent to parent, and as you never leave, you must come back. So a graph has no circle if and only if every
cluster has a member whose parents are all outside. `Program` holds these constraints, those that were needed so
far, and asks HiGHS (by scipy) for the best choice of families.

Two ways to find a constraint that is broken: in an answer of whole numbers, look for circles (`circles`); in an
answer with fractions, look for the cluster that is broken most (`most_broken`), which is a small program again.

>>> circles({"A": ("B",), "B": ("A", "C"), "C": ()})
(('A', 'B'),)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from bnteach.learn.search.parent_sets import ParentSets

TINY = 1e-6  # the solver's zero

Names = tuple[str, ...]


class Program:
    """The integer program: a gain for each family with parents, over the family without.

    Where no family of a child is chosen it has no parents, so that the empty sets need no variable.
    """

    def __init__(self, choices: Iterable[ParentSets]):
        self.children: list[str] = []
        self.families: list[tuple[str, Names]] = []
        gains: list[float] = []
        for choice in choices:
            self.children.append(choice.child)
            for parents, value in choice.sets.items():
                if parents:
                    self.families.append((choice.child, parents))
                    gains.append(value - choice.sets[()])
        self.gains = np.array(gains)
        self.clusters: list[Names] = []
        self.rows: list[np.ndarray] = [np.array([child == c for c, _ in self.families], dtype=float)
                                       for child in self.children]
        self.most: list[int] = [1] * len(self.children)

    def forbid(self, clusters: Iterable[Names]) -> None:
        """Of each cluster, at most all but one may have parents inside it."""
        for cluster in clusters:
            self.clusters.append(cluster)
            self.rows.append(self._row(cluster))
            self.most.append(len(cluster) - 1)

    def forbid_pairs(self) -> None:
        """No two variables may be parents of each other: a good beginning."""
        self.forbid(pair for pair in combinations(self.children, 2) if self._row(pair).sum() > 1)

    def solve(self) -> dict[str, Names]:
        """The best choice of families under the constraints so far."""
        chosen: dict[str, Names] = dict.fromkeys(self.children, ())
        for i in np.flatnonzero(self._answer(whole=True) > 0.5):
            child, parents = self.families[i]
            chosen[child] = parents
        return chosen

    def relax(self) -> tuple[float, Names | None]:
        """With fractions of families allowed: the best gain, and the cluster that is broken most, if one is."""
        answer = self._answer(whole=False)
        return float(self.gains @ answer), most_broken(self.children, self.families, answer)

    def _answer(self, whole: bool) -> np.ndarray:
        if not len(self.gains):
            return np.zeros(0)
        return _least(-self.gains, np.full(len(self.gains), whole), np.array(self.rows), self.most)

    def _row(self, cluster: Names) -> np.ndarray:
        """Which families have their child in the cluster, and a parent too?"""
        inside = set(cluster)
        return np.array([child in inside and not inside.isdisjoint(parents) for child, parents in self.families],
                        dtype=float)


def _least(costs: np.ndarray, whole: np.ndarray, rows: np.ndarray, most: Sequence[float]) -> np.ndarray:
    """HiGHS: numbers from 0 to 1, whole where asked, of least cost, each row of sums no more than its most."""
    from scipy.optimize import LinearConstraint, milp
    from scipy.sparse import csr_array

    scale = 1e4 / np.abs(costs).max()  # HiGHS stops when it is within 1e-6 of the best: make that little
    answer: Any = milp(costs * scale, integrality=whole.astype(int), bounds=(0, 1), options={"mip_rel_gap": 0.0},
                       constraints=LinearConstraint(csr_array(rows), ub=np.array(most, dtype=float)))
    if answer.x is None:
        raise RuntimeError(f"the solver gave up: {answer.message}. Try a smaller max_parents.")
    return answer.x


# -- constraints that are broken -----------------------------------------------------------------------------
def most_broken(children: Sequence[str], families: Sequence[tuple[str, Names]], answer: np.ndarray) -> Names | None:
    """The cluster that an answer with fractions breaks most, or None if it breaks none.

    A program of its own: choose variables for the cluster, at the cost of 1 each, and count a family's fraction
    if its child is in the cluster and a parent too. A cluster is broken if the fractions cost more than all
    but one of its variables.
    """
    place = {child: i for i, child in enumerate(children)}
    used, n = np.flatnonzero(answer > TINY), len(children)
    if len(used) < 2:
        return None  # one family makes no circle
    rows = np.zeros((2 * len(used) + 1, n + len(used)))
    for j, i in enumerate(used):
        child, parents = families[i]
        rows[[2 * j, 2 * j + 1], n + j] = 1
        rows[2 * j, place[child]] = -1  # counted only with its child
        rows[2 * j + 1, [place[parent] for parent in parents]] = -1  # and only with a parent
    rows[-1, :n] = -1  # at least two variables
    costs = np.concatenate([np.ones(n), -answer[used]])
    found = _least(costs, np.arange(len(costs)) < n, rows, [0] * (2 * len(used)) + [-2])
    broken = costs @ found < 1 - TINY
    return tuple(child for child in children if found[place[child]] > 0.5) if broken else None


def circles(families: dict[str, Names]) -> tuple[Names, ...]:
    """Clusters in which every variable has a parent inside: the parts that hang together by circles, and the
    shortest circle through each variable."""
    import networkx as nx

    graph = nx.DiGraph([(parent, child) for child, parents in families.items() for parent in parents])
    parts = [part for part in nx.strongly_connected_components(graph) if len(part) > 1]
    found = list(parts) + [_shortest_circle(graph, node) for part in parts for node in part]
    ordered = {tuple(name for name in families if name in cluster): None for cluster in found}
    return tuple(sorted(ordered, key=lambda cluster: (len(cluster), [list(families).index(n) for n in cluster])))


def _shortest_circle(graph: Any, node: str) -> set[str]:
    """The nodes of a shortest way from a node back to itself."""
    before, queue = {}, [node]
    for here in queue:
        for after in sorted(graph.successors(here)):
            if after == node:
                way = {node, here}
                while here != node:
                    here = before[here]
                    way.add(here)
                return way
            if after not in before:
                before[after] = here
                queue.append(after)
    return set()
