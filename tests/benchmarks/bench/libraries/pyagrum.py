"""pyAgrum in the bench. Its learner uses one thread."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import networkx as nx
import pyagrum as gum

from tests.benchmarks.bench.inputs import Input
from tests.benchmarks.bench.libraries import Edge, Tasks


def learner(rows: Any) -> Any:
    made = gum.BNLearner(rows)
    made.setNumberOfThreads(1)
    return made


def learned(learn: Callable[[Any, Any], list[Edge]]) -> Callable[[Input], Callable[[], list[Edge]]]:
    """A task that learns a graph from rows."""
    return lambda given: lambda rows=given.rows: learn(learner(rows), rows)


def pc(made: Any, rows: Any) -> list[Edge]:
    made.usePC()
    made.useChi2Test()
    made.setPCAlpha(0.05)
    made.setPCStable(True)
    graph, name = made.learnPDAG(), made.nameFromId
    return [(name(a), name(b), True) for a, b in graph.arcs()] + [(name(a), name(b), False) for a, b in graph.edges()]


def chow_liu(made: Any, rows: Any) -> list[Edge]:
    graph = nx.Graph()
    graph.add_weighted_edges_from((a, b, made.mutualInformation(a, b)) for a, b in combinations(rows, 2))
    return [(a, b, False) for a, b in nx.maximum_spanning_edges(graph, data=False)]


def climb(made: Any, rows: Any, tabu: bool = False) -> list[Edge]:
    made.useScoreBIC()
    made.useNoPrior()
    if tabu:
        made.useLocalSearchWithTabuList(10, 10)
    else:
        made.useGreedyHillClimbing()
    return [(made.nameFromId(a), made.nameFromId(b), True) for a, b in made.learnDAG().arcs()]


def queries(given: Input) -> Callable[[], Any]:
    network = gum.loadBN(given.bif)

    def answers() -> list[Any]:
        engine, found = gum.LazyPropagation(network), []
        for name, evidence in given.queries:
            engine.eraseAllTargets()
            engine.addTarget(name)
            engine.setEvidence(evidence)
            engine.makeInference()
            found.append(engine.posterior(name).tolist())
        return found

    return answers


def sampling(given: Input) -> Callable[[], Any]:
    network = gum.loadBN(given.bif)
    return lambda: gum.generateSample(network, given.n)[0]


def fitting(given: Input) -> Callable[[], Any]:
    rows, names = given.rows, list(given.rows.columns)
    dag = gum.DAG()
    dag.addNodes(len(names))
    for a, b in given.arcs:
        dag.addArc(names.index(a), names.index(b))

    def tables() -> dict[str, Any]:
        made = learner(rows)
        made.useSmoothingPrior(1)
        fitted = made.learnParameters(dag)
        return {name: (fitted.cpt(name).names[::-1], fitted.cpt(name).toarray()) for name in names}

    return tables


TASKS: Tasks = {
    "pc": learned(pc),
    "chow_liu": learned(chow_liu),
    "hill_climb": learned(climb),
    "tabu": learned(lambda made, rows: climb(made, rows, tabu=True)),
    "queries": queries,
    "sampling": sampling,
    "fitting": fitting,
}
