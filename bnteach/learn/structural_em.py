"""Structural EM: the graph and the parameters together, from data with missing values.

On complete data the score of a graph is a sum over families, and changing an arc changes one or two of them. With
missing values it is not: the probability of a completion depends on the whole network. So there are two searches, one
inside the other:

    outer    over graphs: compute the expected counts under the current network; on these every score is a sum over
             families again, so hill climbing can continue from the current graph
    inner    over parameters: EM for the new graph, started from the relative frequencies of the same expected counts

This is repeated until hill climbing keeps the graph. With a penalised likelihood, a graph that improves the expected
score improves the observed-data score by at least as much, so the score never decreases. BDeu and K2 have no such
guarantee; whatever the score, the best graph on the way is the result. The search ends in a local optimum, which
depends on the start: the graph learned from the complete rows is a good one, and `restarts` tries others.
"""

from __future__ import annotations

from collections.abc import Generator
from math import inf, log
from typing import Any

import numpy as np

from bnteach.errors import whole_number
from bnteach.graphs.dag import DAG
from bnteach.learn.hill_climb import hill_climb
from bnteach.learn.search.constraints import Arcs, Constraints, Tiers
from bnteach.learn.search.starts import random_arcs
from bnteach.learn.steps.structural_em import Best, GraphStep, Start
from bnteach.models.em import EMResult, as_incomplete_table, iterate, m_step, random_cpts
from bnteach.models.expected import ExpectedCounts, IncompleteRows
from bnteach.scores.base import Score, as_dag
from bnteach.scores.bayesian import K2, BDeu
from bnteach.scores.penalised import AIC, BIC, MDL, PenalisedLikelihood, dimension
from bnteach.tables.table import Table
from bnteach.trace import Step, stepwise

KINDS: dict[str, type[Score]] = {"BIC": BIC, "MDL": MDL, "AIC": AIC, "BDeu": BDeu, "K2": K2}


@stepwise
def structural_em(data: Any, score: str | type[Score] = "BIC", start: DAG | str | None = None, seed: int = 0,
                  restarts: int = 0, max_iterations: int = 50, max_parents: int | None = None, tabu: int = 0,
                  tolerance: float = 1e-3, required: Arcs = (), forbidden: Arcs = (),
                  tiers: Tiers = ()) -> Generator[Step, None, EMResult]:
    """Learn a graph and its parameters from data with missing values, by structural EM.

    Parameters
    ----------
    data
        A Table that may have missing values, or anything that can be read as one.
    score
        A kind of score: ``"BIC"``, ``"MDL"``, ``"AIC"``, ``"BDeu"``, ``"K2"``, or a class such as ``bn.BIC``.
    start
        The graph to start from; by default the one that hill climbing learns from the complete rows.
    seed
        The seed of the random CPTs and graphs.
    restarts
        How many more starts to try: the first without arcs, the others from random graphs.
    max_iterations
        The maximum number of graphs per start.
    max_parents, tabu
        As for `hill_climb`.
    tolerance
        A smaller gain counts as none.
    required, forbidden, tiers
        Background knowledge, as for `hill_climb`; every start obeys it.

    Returns
    -------
    EMResult
        The best graph with its fitted `network`; `score` is the observed-data score.

    Examples
    --------
    >>> from bnteach.datasets import asia
    >>> from bnteach.tables.missing import with_missing
    >>> table = with_missing(asia(2000), share=0.1)
    >>> print(structural_em(table, start="asia, tub, smoke, lung, bronc, either, xray, dysp").trace.only(GraphStep))
    1. graph 1: no arcs, score -5366.0007
    2. graph 2: 8 arcs, score -4197.5537 (+1168.4470)
    3. graph 3: 7 arcs, score -4190.6571 (+6.8966)
    4. the best graph, of start 1: 7 arcs, score -4190.6571

    References
    ----------
    Friedman (1998), The Bayesian structural EM algorithm, UAI.
    """
    table, kind = as_incomplete_table(data), score_kind(score)
    whole_number("max_iterations", max_iterations, least=1)
    known = Constraints.read(table.variables, required, forbidden, tiers, max_parents)
    limits = {"tabu": tabu, "max_parents": max_parents, "required": known.required, "forbidden": known.forbidden}
    random, rows, found = np.random.default_rng(seed), IncompleteRows.of(table), []
    for number in range(1, restarts + 2):
        graph = yield from first_graph(number, start, table, kind, random, known, limits)
        expected = ExpectedCounts(table, random_cpts(graph, table, seed + number - 1), rows)
        found.append((yield from two_searches(expected, kind, max_iterations, tolerance, limits)))
    top = max(result.score for result in found)
    best = next(i for i, result in enumerate(found) if result.score >= top - tolerance)
    yield Best(best + 1, found[best].graph, found[best].score, None)
    return found[best]


def two_searches(expected: ExpectedCounts, kind: type[Score], max_iterations: int, tolerance: float,
                 limits: dict[str, Any]) -> Generator[Step, None, EMResult]:
    """The outer search over graphs; for each graph the inner search over parameters."""
    value, found = -inf, []
    for number in range(1, max_iterations + 1):
        inner = yield from iterate(expected, f"graph {number}", base=kind.default_base, tolerance=tolerance / 10)
        expected = expected.with_network(inner.network)
        before, value = value, observed_score(kind, expected)
        gain = None if number == 1 else value - before
        yield GraphStep(number, inner.graph, value, gain)
        found.append((value, EMResult(inner.graph, score=value, network=inner.network)))
        climbed = yield from hill_climb.steps(kind(expected), start=inner.graph, **limits)
        if climbed.graph == inner.graph or (gain is not None and gain < tolerance):
            break
        expected = expected.with_network(m_step(expected, graph=climbed.graph))
    return max(found, key=lambda one: one[0])[1]


def first_graph(number: int, start: DAG | str | None, table: Table, kind: type[Score], random: np.random.Generator,
                known: Constraints, limits: dict[str, Any]) -> Generator[Step, None, DAG]:
    """The graph to start from: the one given or that of the complete rows, then no arcs, then random graphs."""
    if number == 1 and start is not None:
        yield Start(number, "the graph given", table.variables)
        return known.build(as_dag(start, table.variables).arcs, table.variables, strict=True)
    if number == 1 and IncompleteRows.of(table).observed(table.variables).any():
        complete = table.complete_rows()
        yield Start(number, f"hill climbing on the {len(complete):,} complete rows", table.variables)
        return as_dag((yield from hill_climb.steps(kind(complete), **limits)).graph, table.variables)
    if number <= 2:
        yield Start(number, "the required arcs" if known.required else "no arcs", table.variables)
        return known.build((), table.variables)
    yield Start(number, "a random graph", table.variables)
    return known.build(random_arcs(table.variables, random), table.variables)


def observed_score(kind: type[Score], expected: ExpectedCounts) -> float:
    """The observed-data log-likelihood of the network less the penalty of its graph.

    BDeu and K2 are no such difference; for them it is the score on expected counts.
    """
    score, graph = kind(expected), expected.network.dag
    if not isinstance(score, PenalisedLikelihood):
        return score(graph)
    return expected.log_likelihood / log(score.base) - score.penalty * dimension(graph, expected)


def score_kind(score: str | type[Score]) -> type[Score]:
    """The class of a score, or an error that names the choices."""
    if isinstance(score, str) and score in KINDS:
        return KINDS[score]
    if isinstance(score, type) and issubclass(score, Score):
        return score
    raise ValueError(f"score={score!r} is not a kind of score; use one of {', '.join(KINDS)}, or a class such as "
                     f"bn.BIC. structural_em makes a new score for each network.")
