"""All changes of one arc, and what each does to the score: the table that hill climbing reads.

Putting an arc a->b in, or taking it out, changes one family: that of b. So the table needs one number for each
pair, and only the column of b has to be computed anew when the parents of b have changed:

    toggle[a, b]    the change of b's family score if a->b is put in, or taken out where it is

    add a->b        toggle[a, b]
    remove a->b     toggle[a, b]
    reverse a->b    toggle[a, b] + toggle[b, a]       take a->b out and put b->a in: two families

Which changes are legal? Adding a->b closes a circle if a can be reached from b; reversing a->b does if there
is another way from a to b. Both are read off the table `reach` of who can be reached from whom.

>>> from bnteach.datasets import five_rows
>>> from bnteach.scores.penalised import MDL
>>> changes = Changes(MDL(five_rows()), DAG("A->C", "ABCD"))
>>> gains = changes.gains()
>>> gains.shape, int(np.isfinite(gains).sum())     # 10 arcs can be added, one removed or reversed
((4, 4, 3), 12)
>>> round(float(gains[1, 2, ADD]), 4)              # B->C
0.9232
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.scores.base import Score

ADD, REMOVE, REVERSE = range(3)
KINDS = ("add", "remove", "reverse")


class Changes:
    """A graph that can be changed arc by arc, and the gain of every change.

    `required` arcs are never removed or reversed, `forbidden` ones never put in.
    """

    def __init__(self, score: Score, start: DAG, max_parents: int | None = None,
                 required: Iterable[tuple[str, str]] = (), forbidden: Iterable[tuple[str, str]] = ()):
        self.score, self.names = score, score.variables
        self.place = {name: i for i, name in enumerate(self.names)}
        self.most = len(self.names) if max_parents is None else max_parents
        self.arcs, self.required, self.forbidden = map(self._matrix, (start.arcs, required, forbidden))
        self.families = np.zeros(len(self.names))
        self.toggle = np.full(self.arcs.shape, -np.inf)
        for child in range(len(self.names)):
            self._count_again(child)
        self._walk_again()

    def gains(self) -> np.ndarray:
        """gains[a, b, kind]: what each legal change adds to the score; minus infinity if it is not legal."""
        closes = self.reach.T  # a->b would close a circle if a can be reached from b
        detour = _times(self.arcs, self.reach)  # another way from a to b, through another child of a
        loose = self.arcs & ~self.required
        legal = np.stack([~self.arcs & ~closes, loose, loose & ~detour], axis=-1)
        change = np.stack([self.toggle, self.toggle, self.toggle + self.toggle.T], axis=-1)
        return np.where(legal, change, -np.inf)

    def make(self, a: int, b: int, kind: int) -> None:
        """Change the graph, and what depends on it."""
        self.arcs[a, b] = kind == ADD
        self._count_again(b)
        if kind == REVERSE:
            self.arcs[b, a] = True
            self._count_again(a)
        self._walk_again()

    @property
    def total(self) -> float:
        """The score of the graph as it stands."""
        return float(self.families.sum())

    def dag(self) -> DAG:
        """The graph as it stands."""
        return DAG([(self.names[a], self.names[b]) for a, b in np.argwhere(self.arcs)], self.names)

    # -- inside ----------------------------------------------------------------------------------------
    def _count_again(self, b: int) -> None:
        """The parents of b have changed: its family score, and what each arc into b would change.

        An arc that may not be put in, as it is forbidden or b has enough parents, would change it by minus infinity.
        """
        child, parents = self.names[b], frozenset(self.names[a] for a in np.flatnonzero(self.arcs[:, b]))
        self.families[b] = now = self.score.family(child, parents)
        self.toggle[:, b] = -np.inf
        for name in parents:
            self.toggle[self.place[name], b] = self.score.family(child, parents - {name}) - now
        if len(parents) < self.most:
            for name, value in self.score.with_one_more_parent(child, parents).items():
                self.toggle[self.place[name], b] = value - now
        self.toggle[self.forbidden[:, b] & ~self.arcs[:, b], b] = -np.inf

    def _walk_again(self) -> None:
        """reach[a, b]: is there a way from a to b? Ways of length 1, then up to 2, 4, 8 …"""
        self.reach, before = self.arcs.copy(), 0
        while before < (before := self.reach.sum()):
            self.reach |= _times(self.reach, self.reach)

    def _matrix(self, arcs: Iterable[tuple[str, str]]) -> np.ndarray:
        matrix = np.zeros((len(self.names), len(self.names)), dtype=bool)
        for a, b in arcs:
            matrix[self.place[a], self.place[b]] = True
        return matrix


def _times(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Is there a step in the one followed by a step in the other?"""
    return (one.astype(np.float32) @ other.astype(np.float32)) > 0
