"""The integer program of structure learning: a variable per family, cluster constraints, and a solver.

A cluster is a set of variables. If each of them has a parent in the cluster, there is a directed cycle in it: follow
parents backwards, and since the path never leaves the cluster, it must return. So a graph is acyclic if and only if
every cluster has a member whose parents are all outside. There are exponentially many such cluster constraints, and
`Program` holds those that have been violated so far: the cutting planes. HiGHS (in scipy) solves it.

Two ways to find a violated constraint: in an integer solution, look for cycles (`cycles`); in a solution of the LP
relaxation, find the cluster whose constraint is violated most (`most_violated`), a small integer program itself.

>>> cycles({"A": ("B",), "B": ("A", "C"), "C": ()})
(('A', 'B'),)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

import numpy as np
import numpy.typing as npt

from bnteach.learn.search.parent_sets import Names, ParentSets

ZERO = 1e-6  # the solver's tolerance

Floats = npt.NDArray[np.float64]


class Program:
    """The integer program: maximise the gains of families with parents over those without.

    Where no family of a child is chosen it has no parents, so empty parent sets need no variable.
    """

    def __init__(self, choices: Sequence[ParentSets]):
        self.children = [choice.child for choice in choices]
        self.families = [(choice.child, parents) for choice in choices for parents in choice.sets if parents]
        self.empty = sum(choice.sets[()] for choice in choices)  # the score of the empty graph
        self.gains = np.array([value - choice.sets[()] for choice in choices
                               for parents, value in choice.sets.items() if parents])
        self.clusters: list[Names] = []
        self.rows: list[Floats] = [np.array([child == c for c, _ in self.families], dtype=float)
                                   for child in self.children]  # one parent set per child
        self.limits = [1] * len(self.children)

    def add_cuts(self, clusters: Iterable[Names]) -> None:
        """Cluster constraints: of each cluster, at most all variables but one have parents inside it."""
        for cluster in clusters:
            self.clusters.append(cluster)
            self.rows.append(self._row(cluster))
            self.limits.append(len(cluster) - 1)

    def add_pair_cuts(self) -> None:
        """No two variables are parents of each other: the smallest clusters."""
        self.add_cuts(pair for pair in combinations(self.children, 2) if self._row(pair).sum() > 1)

    def solve(self) -> dict[str, Names]:
        """The best parent sets under the constraints so far."""
        chosen: dict[str, Names] = dict.fromkeys(self.children, ())
        chosen.update(self.families[i] for i in np.flatnonzero(self._solution(integer=True) > 0.5).tolist())
        return chosen

    def relax(self) -> tuple[float, Names | None]:
        """The LP relaxation: its optimum, an upper bound, and the cluster whose constraint is violated most."""
        solution = self._solution(integer=False)
        return self.empty + float(self.gains @ solution), most_violated(self.children, self.families, solution)

    def _solution(self, integer: bool) -> Floats:
        if not len(self.gains):
            return np.zeros(0)
        return _minimise(-self.gains, np.full(len(self.gains), integer), np.array(self.rows), self.limits)

    def _row(self, cluster: Names) -> Floats:
        """Which families have their child in the cluster, and a parent too?"""
        inside = set(cluster)
        return np.array([child in inside and not inside.isdisjoint(parents) for child, parents in self.families],
                        dtype=float)


def _minimise(costs: Floats, integer: npt.NDArray[np.bool_], rows: Floats, limits: Sequence[float]) -> Floats:
    """HiGHS: numbers from 0 to 1, integer where asked, of least cost, with rows @ numbers <= limits."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    scale = 1e4 / np.abs(costs).max()  # HiGHS stops within 1e-6 of the optimum: make that small
    found = milp(costs * scale, integrality=integer.astype(int), bounds=Bounds(0, 1), options={"mip_rel_gap": 0.0},
                 constraints=LinearConstraint(csr_array(rows), ub=np.array(limits, dtype=float)))
    if found.x is None:
        raise RuntimeError(f"the solver found no solution: {found.message}. Try a smaller max_parents.")
    return np.asarray(found.x, dtype=float)


# -- violated constraints --------------------------------------------------------------------------------
def most_violated(children: Sequence[str], families: Sequence[tuple[str, Names]], solution: Floats) -> Names | None:
    """The cluster whose constraint a fractional solution violates most, or None if it violates none.

    An integer program itself: each variable in the cluster costs 1, and a family's fraction is gained if its child and
    one of its parents are in the cluster. The constraint is violated if the total cost is below 1.
    """
    index = {child: i for i, child in enumerate(children)}
    used, n = np.flatnonzero(solution > ZERO).tolist(), len(children)
    if len(used) < 2:
        return None  # one family makes no cycle
    rows = np.zeros((2 * len(used) + 1, n + len(used)))
    for j, i in enumerate(used):
        child, parents = families[i]
        rows[[2 * j, 2 * j + 1], n + j] = 1
        rows[2 * j, index[child]] = -1  # gained only with its child
        rows[2 * j + 1, [index[parent] for parent in parents]] = -1  # and only with a parent
    rows[-1, :n] = -1  # at least two variables
    costs = np.concatenate([np.ones(n), -solution[used]])
    found = _minimise(costs, np.arange(len(costs)) < n, rows, [0] * (2 * len(used)) + [-2])
    violated = costs @ found < 1 - ZERO
    return tuple(child for child in children if found[index[child]] > 0.5) if violated else None


def cycles(families: Mapping[str, Names]) -> tuple[Names, ...]:
    """Clusters in which all have a parent: strongly connected components, and a shortest cycle through each node."""
    import networkx as nx

    graph = nx.DiGraph(sorted((parent, child) for child, parents in families.items() for parent in parents))
    clusters = [part for part in nx.strongly_connected_components(graph) if len(part) > 1]
    for node in set().union(*clusters):
        paths = nx.single_source_shortest_path(graph, node)
        clusters.append(min((set(path) for end, path in paths.items() if graph.has_edge(end, node)), key=len))
    order = list(families)
    unique = {tuple(sorted(cluster, key=order.index)) for cluster in clusters}
    return tuple(sorted(unique, key=lambda cluster: (len(cluster), [order.index(name) for name in cluster])))
