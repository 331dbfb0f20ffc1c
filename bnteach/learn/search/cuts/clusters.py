"""Cluster constraints: of a cluster C of variables, at most |C| - k have k or more parents in C.

Put the variables of C in a topological order of the DAG. The first has no parent in C, the second at most 1, the k-th
at most k - 1: so at least k of them have fewer than k parents in C. For k = 1 these constraints say that there is no
cycle, since all variables on a cycle have a parent on it. Jaakkola and others 2010, Cussens 2011.

There are too many clusters to try all. They grow from the arcs and families of the solution, always by the variables
that violate the constraint most; so not every violated constraint is found.
"""

from __future__ import annotations

import numpy as np

from bnteach.learn.search.relaxation import ZERO, Bools, Floats, Relaxation

VIOLATION = 1e-3  # what a constraint must be violated by to be added
WIDTH, STEPS, ENOUGH = 300, 12, 40  # clusters that grow at once; how often they grow; how many violated ones suffice


def counted(clusters: Bools, k: int, child: np.ndarray, inside: Bools) -> Bools:
    """Which families each constraint counts: child in the cluster, and k or more parents."""
    parents = clusters.astype(np.float32) @ inside.T.astype(np.float32)  # small whole numbers: exact
    return (parents > k - 0.5) & clusters[:, child]


def add_clusters(relaxation: Relaxation, clusters: Bools, k: int = 1) -> int:
    """Add the constraints of these clusters, a row of variables each, to the relaxation."""
    if not len(clusters):
        return 0
    return relaxation.add(counted(clusters, k, relaxation.child, relaxation.inside), clusters.sum(axis=1) - float(k))


def violated_clusters(relaxation: Relaxation, k: int) -> Bools:
    """Clusters whose constraints the solution violates, the most violated first: clusters x variables."""
    growing, found = _Growing(relaxation, k), {}
    for _ in range(STEPS):
        clusters, violations = growing.best()
        found.update({cluster.tobytes(): (violation, cluster) for cluster, violation in zip(clusters, violations)
                      if violation > VIOLATION})
        if len(found) >= ENOUGH:
            break
        growing.grow()
    most = sorted(found.values(), key=lambda pair: -pair[0])[:ENOUGH]
    return np.array([cluster for _, cluster in most], dtype=bool).reshape(-1, len(relaxation.names))


class _Growing:
    """Clusters that grow, and by how much the solution violates the constraint of each."""

    def __init__(self, relaxation: Relaxation, k: int):
        used = np.flatnonzero(relaxation.solution > ZERO)
        self.k, self.one = k, np.eye(len(relaxation.names), dtype=bool)
        self.child, self.inside = relaxation.child[used], relaxation.inside[used]
        self.values = relaxation.solution[used]
        tails, heads = np.nonzero(relaxation.arcs > ZERO)
        self.clusters = np.concatenate([self.inside | self.one[self.child], self.one[tails] | self.one[heads]])

    def violations(self, clusters: Bools) -> Floats:
        """By how much each constraint is violated, rounded, so that the last bits decide no tie."""
        sums = counted(clusters, self.k, self.child, self.inside) @ self.values
        return np.asarray(sums - clusters.sum(axis=1) + self.k).round(6)

    def best(self) -> tuple[Bools, Floats]:
        """The clusters that violate their constraints most; the others are dropped."""
        clusters = np.unique(self.clusters, axis=0)
        clusters = clusters[clusters.sum(axis=1) > self.k]
        violations = self.violations(clusters)
        order = np.argsort(-violations, kind="stable")[:WIDTH]
        self.clusters = clusters[order]
        return self.clusters, violations[order]

    def grow(self) -> None:
        """Replace each cluster by two: with the best variable added, and with the second best."""
        larger = self.clusters[:, None] | self.one
        violations = self.violations(larger.reshape(-1, len(self.one))).reshape(larger.shape[:2])
        violations[self.clusters] = -np.inf
        two = np.argsort(-violations, axis=1, kind="stable")[:, :2]
        self.clusters = np.take_along_axis(larger, two[:, :, None], axis=1).reshape(-1, len(self.one))
