"""Branching: the open nodes of the search tree, and the arc on which to split one.

A node is a list of decisions: this arc is in the graph, that one is not. Where neither cuts nor bounds settle a node,
an arc is chosen of which its solution has a fraction. In one child of the node the arc is there, in the other it is
not, and the fraction is excluded in both. Strong branching tries some arcs, one solution of the relaxation for each
side, and takes the one that lowers both bounds most. The node with the greatest bound is searched next, so that the
greatest bound of all open nodes, which bounds every graph, falls as fast as possible.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from heapq import heappop, heappush
from typing import Any

import numpy as np

from bnteach.learn.search.relaxation import Bools, Floats, Relaxation
from bnteach.learn.search.ties import first_best

TRIED = 8  # arcs that strong branching tries
FRACTION = 1e-4  # an arc is fractional from here on

Arc = tuple[int, int]
Decision = tuple[Arc, bool]


@dataclass(frozen=True)
class Node:
    """A part of the search space: what has been decided about some arcs, and an upper bound on its graphs."""

    bound: float
    decisions: tuple[Decision, ...] = ()

    def bounded(self, bound: float) -> Node:
        """The same node with this bound, if it is lower than its own."""
        return replace(self, bound=min(bound, self.bound))

    def families(self, relaxation: Relaxation) -> Bools:
        """The families that agree with the decisions."""
        allowed = np.ones(len(relaxation.families), dtype=bool)
        for (parent, child), there in self.decisions:
            allowed &= (relaxation.child != child) | (relaxation.inside[:, parent] == there)
            allowed &= (relaxation.child != parent) | ~relaxation.inside[:, child] | (not there)
        return allowed


class OpenNodes:
    """The open nodes, the one with the greatest bound first; of equal bounds the oldest."""

    def __init__(self, root: Node):
        self._heap, self.added = [(-root.bound, 1, root)], 1

    def add(self, node: Node) -> None:
        """Open a node."""
        self.added += 1
        heappush(self._heap, (-node.bound, self.added, node))

    def take(self) -> Node:
        """Remove the node with the greatest bound."""
        return heappop(self._heap)[2]

    @property
    def bound(self) -> float:
        """An upper bound on the graphs of all open nodes; minus infinity if there is none."""
        return -self._heap[0][0] if self._heap else -np.inf


def branch(relaxation: Relaxation, node: Node, best: float) -> tuple[Arc, tuple[Node, Node]]:
    """The best of some fractional arcs, and the nodes with it and without it."""
    basis, choices = relaxation.lp.getBasis(), {}
    for arc in fractional(relaxation.arcs)[:TRIED]:
        nodes = _try(relaxation, node, arc, True, basis), _try(relaxation, node, arc, False, basis)
        one, other = (max(node.bound - max(child.bound, best), 1e-3) for child in nodes)
        choices[arc, nodes] = one * other
    relaxation.lp.setBasis(basis)
    found = first_best(choices)
    assert found is not None, "a solution that is no graph has a fraction of an arc"
    return found


def _try(relaxation: Relaxation, node: Node, arc: Arc, there: bool, basis: Any) -> Node:
    """The node with one more decision, and the bound that the relaxation gives without more cuts."""
    child = replace(node, decisions=(*node.decisions, (arc, there)))
    relaxation.allow(child.families(relaxation))
    relaxation.lp.setBasis(basis)
    return child.bounded(relaxation.solve())


def fractional(arcs: Floats) -> list[Arc]:
    """The arcs of which the solution has a fraction, those nearest to 1/2 first."""
    found = np.argwhere((arcs > FRACTION) & (arcs < 1 - FRACTION))
    distance = np.abs(arcs[tuple(found.T)] - 0.5).round(6)
    return [(int(a), int(b)) for a, b in found[np.argsort(distance, kind="stable")]]
