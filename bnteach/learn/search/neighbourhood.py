"""The neighbourhood of a DAG: all graphs that differ by one arc, and what each move does to the score.

Adding or removing an arc a -> b changes one family, that of b. So one number per pair is enough, and only the column
of b is computed again when the parents of b have changed:

    toggle[a, b]      the change in b's family score if a -> b is added, or removed if it is there

    add a -> b        toggle[a, b]
    remove a -> b     toggle[a, b]
    reverse a -> b    toggle[a, b] + toggle[b, a]       remove a -> b and add b -> a: two families

Which moves are legal? Adding a -> b closes a cycle if a can be reached from b; reversing a -> b closes one if there
is another directed path from a to b. Both follow from `reach`, which says which node can be reached from which and is
updated with every move: only the ancestors of a reach other nodes when an arc a -> b is added or removed.
Hill climbing and tabu search evaluate all moves; simulated annealing evaluates one that it draws. Lesson 9.

>>> from bnteach import MDL, datasets
>>> neighbourhood = Neighbourhood(MDL(datasets.five_rows()), DAG("A->C", "ABCD"))
>>> gains = neighbourhood.gains()
>>> gains.shape, int(np.isfinite(gains).sum())     # 10 arcs can be added, one removed or reversed
((3, 4, 4), 12)
>>> round(float(gains[ADD, 1, 2]), 4)              # B->C
0.9232
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import Pair
from bnteach.learn.search.constraints import UNCONSTRAINED, Constraints
from bnteach.scores.base import Score

ADD, REMOVE, REVERSE = range(3)
MOVES = ("add", "remove", "reverse")
FEW = 4  # if fewer than one in so many arcs are allowed, these families alone are scored

Bools = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]


class Neighbourhood:
    """A DAG that is changed arc by arc, with the gain of every legal move.

    Required arcs are never removed or reversed, forbidden ones never added, and max_parents is never exceeded.
    """

    def __init__(self, score: Score, start: DAG, constraints: Constraints = UNCONSTRAINED):
        self.score, self.names = score, score.variables
        self.index = {name: i for i, name in enumerate(self.names)}
        self.limit = len(self.names) if constraints.max_parents is None else constraints.max_parents
        self.arcs, self.required = self._matrix(start.arcs), self._matrix(constraints.required)
        self.forbidden = self._matrix(constraints.forbidden)
        self.parents = [frozenset(start.parents(name)) for name in self.names]
        self.families = np.array([score.family(*family) for family in zip(self.names, self.parents)])
        self.reach = self._matrix((x, y) for x in self.names for y in (x, *start.descendants(x)))
        self._toggle = np.full(self.arcs.shape, -np.inf)
        self._outdated = set(range(len(self.names)))  # columns of `toggle` that have to be computed

    def gains(self) -> Floats:
        """gains[move, a, b]: what each legal move adds to the score; minus infinity if it is not legal."""
        gains, removals, reversals = np.full((3, *self.arcs.shape), -np.inf), self.removals(), self.reversals()
        np.copyto(gains[ADD], self.toggle, where=self.additions())
        gains[REMOVE][removals] = self.toggle[removals]
        gains[REVERSE][reversals] = self.toggle[reversals] + self.toggle.T[reversals]
        return gains

    def additions(self) -> Bools:
        """The arcs that can be added: allowed, and closing no cycle."""
        return ~(self.arcs | self.forbidden | self._full() | self.reach.T)

    def removals(self) -> Bools:
        """The arcs that can be removed."""
        return self.arcs & ~self.required

    def toggles(self) -> npt.NDArray[np.intp]:
        """The arcs that can be added or removed, as rows (a, b), by parent and then by child."""
        return np.argwhere(self.additions() | self.removals())

    def reversals(self) -> Bools:
        """The arcs that can be reversed: the only directed path from a to b is the arc itself."""
        legal = self.removals() & ~(self.forbidden.T | self._full()[:, None])
        a, b = legal.nonzero()
        legal[a, b] = (self.arcs[a] & self.reach[:, b].T).sum(axis=1) == 1  # children of a from which b can be reached
        return legal

    def make(self, move: int, a: int, b: int) -> None:
        """Make a move."""
        self._toggle_arc(a, b)
        if move == ADD:
            self.reach |= np.outer(self.reach[:, a], self.reach[b])
        else:
            self._reach_again(np.flatnonzero(self.reach[:, a]))
        if move == REVERSE:
            self.make(ADD, b, a)

    def _reach_again(self, nodes: npt.NDArray[np.intp]) -> None:
        """Compute anew what these nodes reach: themselves, and what their children reach. Descendants come first,
        since they reached fewer nodes than their ancestors."""
        for a in nodes[np.argsort(self.reach[nodes].sum(axis=1))]:
            self.reach[a] = self.reach[self.arcs[a]].any(axis=0)
            self.reach[a, a] = True

    def _toggle_arc(self, a: int, b: int) -> None:
        """Add the arc, or remove it if it is there; the family of b changes."""
        self.arcs[a, b] ^= True
        self.parents[b] ^= {self.names[a]}
        self.families[b] = self.score.family(self.names[b], self.parents[b])
        self._outdated.add(b)

    @property
    def total(self) -> float:
        """The score of the graph as it stands."""
        return float(self.families.sum())

    def dag(self, arcs: Bools | None = None) -> DAG:
        """The graph as it stands, or with other arcs."""
        return DAG([(self.names[a], self.names[b]) for a, b in np.argwhere(self.arcs if arcs is None else arcs)],
                   self.names)

    # -- cached score differences ------------------------------------------------------------------------
    @property
    def toggle(self) -> Floats:
        """toggle[a, b]: the change in b's family score if a -> b is added, or removed if it is there."""
        while self._outdated:
            self._update(self._outdated.pop())
        return self._toggle

    def toggle_gain(self, a: int, b: int) -> float:
        """The same for one arc alone, without the others into b."""
        return self.score.family(self.names[b], self.parents[b] ^ {self.names[a]}) - float(self.families[b])

    def _update(self, b: int) -> None:
        """Compute a column of `toggle`. If b has as many parents as allowed, no arc is added to them."""
        child, parents, now = self.names[b], self.parents[b], self.families[b]
        scores = {name: self.score.family(child, parents - {name}) for name in parents}
        if len(parents) < self.limit:
            scores |= self._with_one_more_parent(b)
        self._toggle[:, b] = -np.inf
        for name, value in scores.items():
            self._toggle[self.index[name], b] = value - now

    def _with_one_more_parent(self, b: int) -> dict[str, float]:
        """The family score of b with each other variable in turn as one more parent; at least with those allowed."""
        child, parents = self.names[b], self.parents[b]
        allowed = np.flatnonzero(~self.forbidden[:, b])
        if len(allowed) * FEW >= len(self.names):
            return self.score.with_one_more_parent(child, parents)
        possible = {self.names[a] for a in allowed} - {child, *parents}
        return {name: self.score.family(child, parents | {name}) for name in self.names if name in possible}

    def _full(self) -> Bools:
        """Which nodes have as many parents as allowed?"""
        full: Bools = self.arcs.sum(axis=0) >= self.limit
        return full

    def _matrix(self, arcs: Iterable[Pair]) -> Bools:
        matrix = np.zeros((len(self.names), len(self.names)), dtype=bool)
        for a, b in arcs:
            matrix[self.index[a], self.index[b]] = True
        return matrix
