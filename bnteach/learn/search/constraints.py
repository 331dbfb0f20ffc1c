"""Where a climb may start, and which arcs it may draw: the rules of hill climbing.

>>> from bnteach.datasets import five_rows
>>> from bnteach.scores.penalised import MDL
>>> rules = Rules(MDL(five_rows()), moves="add", max_parents=1, required="A->B", forbidden="C->D")
>>> rules.objection(DAG("A->B, C, D"), "C", "B")
'B would have more than 1 parents'
>>> rules.build([("C", "D"), ("B", "C"), ("C", "A")], "ABCD")
DAG('A->B, B->C, D')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import read_names
from bnteach.learn.search.knowledge import Arcs, Knowledge
from bnteach.learn.search.neighbourhood import KINDS
from bnteach.scores.base import Score, as_dag
from bnteach.tables.table import Table

Arc = tuple[str, str]


class Rules:
    """Which changes may be made at all."""

    def __init__(self, score: Score, moves: str | Iterable[str], max_parents: int | None,
                 required: Arcs, forbidden: Arcs):
        kinds = moves.replace(",", " ").split() if isinstance(moves, str) else read_names(moves or ())
        if unknown := [kind for kind in kinds or [moves] if kind not in KINDS]:
            raise ValueError(f"moves={moves!r}: {unknown[0]!r} is no move; choose among {', '.join(KINDS)}.")
        self.kinds = np.array([kind in kinds for kind in KINDS])
        self.max_parents = max_parents
        self.required, self.forbidden = Knowledge.read(required, forbidden, score.variables)

    def allow(self, gains: np.ndarray) -> np.ndarray:
        """Only the moves asked for."""
        return np.where(self.kinds, gains, -np.inf)

    def objection(self, dag: DAG, a: str, b: str) -> str:
        """What speaks against adding a->b to the graph, or nothing."""
        if (a, b) in self.forbidden:
            return f"{a}->{b} is forbidden"
        if a in dag.descendants(b):
            return f"{a}->{b} would close a circle"
        if self.max_parents is not None and len(dag.parents(b)) >= self.max_parents:
            return f"{b} would have more than {self.max_parents} parents"
        return ""

    def build(self, arcs: Iterable[Arc], nodes: Iterable[str], strict: bool = False) -> DAG:
        """The required arcs and then these, as far as the rules allow; if strict, an error where they do not."""
        dag = DAG(self.required, nodes)
        for a, b in arcs:
            if dag.has_arc(a, b):
                continue
            if not (why := self.objection(dag, a, b)):
                dag = dag.with_arc(a, b)
            elif strict:
                raise ValueError(f"the climb cannot start from this graph: {why}. Change the start or the rules.")
        return dag


def first_graph(start: DAG | str | None, score: Score, rules: Rules, random: np.random.Generator) -> tuple[DAG, str]:
    """The graph to start from, and what to call it."""
    if start is None:
        empty = rules.build((), score.variables)
        return empty, "the required arcs" if empty.arcs else "the graph without arcs"
    if isinstance(start, str) and start == "random":
        return rules.build(random_arcs(score.variables, random), score.variables), "a random graph"
    if isinstance(start, str) and start == "tree":
        return rules.build(_tree(score).arcs, score.variables), "the Chow-Liu tree"
    return rules.build(as_dag(start, score.variables).arcs, score.variables, strict=True), "the graph given"


def random_arcs(names: Sequence[str], random: np.random.Generator) -> list[Arc]:
    """About as many arcs as there are variables, all leading forward in a random order."""
    order = [names[i] for i in random.permutation(len(names))]
    chance = min(0.5, 2 / max(1, len(names) - 1))
    return [(a, b) for i, a in enumerate(order) for b in order[i + 1:] if random.random() < chance]


def _tree(score: Score) -> DAG:
    from bnteach.learn.chow_liu import chow_liu

    if not isinstance(score.data, Table):
        raise ValueError("start='tree' needs a Table of categories for the Chow-Liu tree; these are real numbers. "
                         "Start from None, 'random' or a graph of your own.")
    return chow_liu(score.data).graph
