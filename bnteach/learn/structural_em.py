"""Structural EM: the graph and the tables together, from data with gaps.

On complete data the score of a graph is a sum over families, and changing an arc changes one of them. With gaps it is
not: how probable a filling is depends on the whole network. So there are two searches, one inside the other:

    outer    over graphs: count with the gaps filled in as the present network expects (expected counts); on such counts
             every score is a sum over families again, so that hill climbing can go on from the present graph
    inner    over tables: EM for the new graph, begun with the fractions of the same expected counts

and this is repeated until the climb stays where it is. A graph that is better on expected counts is at least as
much better by the score of what the data really say, so this score never falls. It ends in a local optimum, which
depends on the start: the graph of the complete rows is a good one, and `restarts` try others.

>>> from bnteach.datasets import asia
>>> from bnteach.tables.missing import with_missing
>>> found = structural_em(with_missing(asia(2000), share=0.1), start="asia, tub, smoke, lung, bronc, either, xray, dysp")
>>> print(found.trace.only(Outer))
1. graph 1: no arcs, score -5366.0007
2. graph 2: 8 arcs, score -4197.5537 (+1168.4470)
3. graph 3: 7 arcs, score -4190.6571 (+6.8966)
4. the best graph, of start 1: 7 arcs, score -4190.6571

Friedman (1998), The Bayesian structural EM algorithm, UAI. Lesson 15.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from bnteach.errors import whole_number
from bnteach.graphs.dag import DAG
from bnteach.learn.hill_climb import hill_climb
from bnteach.learn.search.starts import random_arcs
from bnteach.models.em import EMResult, as_incomplete_table, climb, maximise, random_tables
from bnteach.models.expected import DistinctRows, ExpectedTable, expected_score
from bnteach.scores.base import AIC, BIC, MDL, PenalisedLikelihood, Score, as_dag, dimension
from bnteach.scores.bayesian import K2, BDeu
from bnteach.tables.table import Table
from bnteach.trace import Drawing, Step, stepwise

KINDS: dict[str, type[Score]] = {"BIC": BIC, "MDL": MDL, "AIC": AIC, "BDeu": BDeu, "K2": K2}


@dataclass(frozen=True, slots=True)
class Start(Step):
    """A new start of both searches."""

    number: int
    how: str

    def __str__(self) -> str:
        return f"start {self.number}: {self.how}"


@dataclass(frozen=True, slots=True)
class Outer(Step):
    """A graph, its tables found by the inner search, and its score."""

    number: int
    graph: DAG
    score: float
    gain: float | None

    def __str__(self) -> str:
        gain = "" if self.gain is None else f" ({self.gain:+.4f})"
        arcs = f"{len(self.graph.arcs) or 'no'} arc{'' if len(self.graph.arcs) == 1 else 's'}"
        return f"graph {self.number}: {arcs}, score {self.score:.4f}{gain}"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.graph.nodes)
        for a, b in list(drawing.edges):
            drawing.remove_edge(a, b)
        for a, b in self.graph.arcs:
            drawing.add_arc(a, b, style="kept")


@dataclass(frozen=True, slots=True)
class Best(Outer):
    """The graph that counts in the end: the best of all starts."""

    def __str__(self) -> str:
        arcs = f"{len(self.graph.arcs) or 'no'} arc{'' if len(self.graph.arcs) == 1 else 's'}"
        return f"the best graph, of start {self.number}: {arcs}, score {self.score:.4f}"


@stepwise
def structural_em(data: Any, score: str | type[Score] = "BIC", start: DAG | str | None = None, seed: int = 0,
                  restarts: int = 0, rounds: int = 50, max_parents: int | None = None, tabu: int = 0,
                  tolerance: float = 1e-3) -> Generator[Step, None, EMResult]:
    """The graph and tables of the best score for data with gaps, as far as two searches find them. Lesson 15.

    `score` is a kind of score, "BIC" or bn.BIC. It begins with the graph `start`, or with what hill climbing makes of
    the complete rows alone, and tables drawn at random from `seed`. Of the `restarts`, the first begins without arcs,
    the others with random graphs. At most `rounds` graphs are tried from each; a gain below `tolerance` is none.
    `max_parents` and `tabu` are those of hill_climb.
    """
    table, kind, rounds = as_incomplete_table(data), _kind(score), whole_number("rounds", rounds, least=1)
    rules = {"max_parents": max_parents, "tabu": tabu}
    random, rows, found = np.random.default_rng(seed), DistinctRows.of(table), []
    for number in range(1, restarts + 2):
        graph = yield from first_graph(number, start, table, kind, random, rules)
        expected = ExpectedTable(table, random_tables(graph, table, seed + number - 1), rows)
        found.append((yield from two_searches(expected, kind, rounds, tolerance, rules)))
    top = max(result.score for result in found)
    best = next(i for i, result in enumerate(found) if result.score >= top - tolerance)
    yield Best(best + 1, found[best].graph, found[best].score, None)
    return found[best]


def two_searches(expected: ExpectedTable, kind: type[Score], rounds: int, tolerance: float,
                 rules: dict[str, Any]) -> Generator[Step, None, EMResult]:
    """The outer search over graphs; for each graph the inner one over tables."""
    value = None
    for number in range(1, rounds + 1):
        inner = yield from climb(expected, f"graph {number}", base=kind.units, tolerance=tolerance / 10)
        expected = ExpectedTable(expected, inner.network, expected.rows)
        before, value = value, observed_score(kind, expected)
        yield Outer(number, inner.graph, value, None if before is None else value - before)
        found = yield from hill_climb.steps(expected_score(kind, expected), start=inner.graph, **rules)
        if found.graph == inner.graph or (before is not None and value - before < tolerance):
            break
        expected = ExpectedTable(expected, maximise(expected, graph=found.graph), expected.rows)
    return EMResult(inner.graph, score=value, network=inner.network)


def first_graph(number: int, start: DAG | str | None, table: Table, kind: type[Score], random: np.random.Generator,
                rules: dict[str, Any]) -> Generator[Step, None, DAG]:
    """Where to begin: the graph given or that of the complete rows, then no arcs, then random graphs."""
    nothing, complete = DAG((), table.variables), DistinctRows.of(table).known(table.variables).any()
    if number == 1 and start is not None:
        yield Start(number, "the graph given")
        return as_dag(start, table.variables)
    if number == 1 and complete:
        whole = table.complete_rows()
        yield Start(number, f"climb on the {len(whole):,} rows without a gap")
        return (yield from hill_climb.steps(kind(whole), **rules)).graph
    if number <= 2:
        yield Start(number, "no arcs")
        return nothing
    yield Start(number, "a random graph")
    return DAG(random_arcs(table.variables, random), table.variables)


def observed_score(kind: type[Score], expected: ExpectedTable) -> float:
    """The score of the network's graph: what the data really say of it, less the penalty.

    BDeu and K2 are no such difference; for them it is the score on expected counts.
    """
    score, graph = expected_score(kind, expected), expected.network.dag
    if not isinstance(score, PenalisedLikelihood):
        return score(graph)
    return expected.log_likelihood / log(score.base) - score.penalty * dimension(graph, expected)


def _kind(score: str | type[Score]) -> type[Score]:
    """The kind of score that is meant, or an error that helps."""
    if isinstance(score, str) and score in KINDS:
        return KINDS[score]
    if isinstance(score, Score):
        raise TypeError(f"structural_em makes the score itself, anew for each network: give the kind, bn."
                        f"{type(score).__name__}, not a score of some data.")
    if not (isinstance(score, type) and issubclass(score, Score)):
        raise ValueError(f"score={score!r} is no kind of score; use one of {', '.join(KINDS)}, or a class like bn.BIC.")
    return score
