"""Graphs from which a search starts: no arcs, a random graph, a tree, or a graph of the user's."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import Pair
from bnteach.learn.chow_liu import prim
from bnteach.learn.search.constraints import Constraints
from bnteach.scores.base import Score, as_dag


def first_graph(start: DAG | str | None, score: Score, constraints: Constraints,
                random: np.random.Generator) -> tuple[DAG, str]:
    """The graph to start from, and its description."""
    if start is None:
        empty = constraints.build((), score.variables)
        return empty, "the required arcs" if empty.arcs else "the empty graph"
    if isinstance(start, str) and start == "random":
        return constraints.build(random_arcs(score.variables, random), score.variables), "a random graph"
    if isinstance(start, str) and start == "tree":
        return constraints.build(tree(score).arcs, score.variables), "the Chow-Liu tree"
    return constraints.build(as_dag(start, score.variables).arcs, score.variables, strict=True), "the graph given"


def random_arcs(names: Sequence[str], random: np.random.Generator) -> list[Pair]:
    """About as many arcs as there are variables, all leading forward in a random order."""
    order = [names[i] for i in random.permutation(len(names))]
    probability = min(0.5, 2 / max(1, len(names) - 1))
    return [(a, b) for i, a in enumerate(order) for b in order[i + 1:] if random.random() < probability]


def tree(score: Score) -> DAG:
    """The maximum-weight spanning tree of the gains in fit, rooted at the first variable: the Chow-Liu tree."""
    import networkx as nx

    fit = getattr(score, "fit", score.family)
    weights = {(a, b): fit(b, [a]) - fit(b) for a, b in combinations(score.variables, 2)}
    edges = prim(weights).edges if weights else ()
    return DAG(nx.bfs_edges(nx.Graph(edges), score.variables[0]) if edges else (), score.variables)
