"""pgmpy in the bench. Categories are made before it is timed."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from pgmpy.causal_discovery import PC as FittedPC
from pgmpy.estimators import GES, PC, HillClimbSearch, MmhcEstimator, TreeSearch
from pgmpy.inference import VariableElimination
from pgmpy.models import DiscreteBayesianNetwork
from pgmpy.readwrite import BIFReader

from tests.benchmarks.bench.inputs import Input
from tests.benchmarks.bench.libraries import Edge, Tasks

logging.disable(logging.WARNING)


def arcs(graph: Any) -> list[Edge]:
    return [(str(a), str(b), True) for a, b in graph.edges()]


def edges(graph: Any) -> list[Edge]:
    return [(str(a), str(b), True) for a, b in graph.directed_edges] + \
           [(str(a), str(b), False) for a, b in graph.undirected_edges]


def pc(rows: Any) -> list[Edge]:
    return edges(PC(rows).estimate(variant="stable", ci_test="chi_square", significance_level=0.05, return_type="pdag",
                                   n_jobs=1, show_progress=False))


def pc_z(rows: Any) -> list[Edge]:
    return edges(FittedPC(variant="stable", ci_test="fisher_z", significance_level=0.05, max_cond_vars=rows.shape[1],
                          show_progress=False).fit(rows).causal_graph_)


def ges(rows: Any, score: str) -> list[Edge]:
    return edges(GES(rows).estimate(scoring_method=score))


def climb(rows: Any, score: str) -> list[Edge]:
    return arcs(HillClimbSearch(rows).estimate(scoring_method=score, show_progress=False))


def chow_liu(given: Input) -> Callable[[], list[Edge]]:
    return lambda rows=given.rows: arcs(TreeSearch(rows, n_jobs=1).estimate("chow-liu", show_progress=False))


def mmhc(given: Input) -> Callable[[], list[Edge]]:
    return lambda rows=given.factors: arcs(MmhcEstimator(rows).estimate(significance_level=0.05))


def queries(given: Input) -> Callable[[], Any]:
    engine = VariableElimination(BIFReader(given.bif).get_model())
    return lambda: [engine.query([name], evidence, show_progress=False).values.tolist()
                    for name, evidence in given.queries]


def sampling(given: Input) -> Callable[[], Any]:
    network = BIFReader(given.bif).get_model()
    return lambda: network.simulate(given.n, show_progress=False)


def fitting(given: Input) -> Callable[[], Any]:
    def tables(rows: Any) -> dict[str, Any]:
        network = DiscreteBayesianNetwork(given.arcs)
        network.fit(rows)
        return {table.variable: (table.variables, table.values) for table in network.get_cpds()}

    return lambda rows=given.factors: tables(rows)


TASKS: Tasks = {
    "pc": lambda given: lambda rows=given.rows: pc(rows),
    "chow_liu": chow_liu,
    "hill_climb": lambda given: lambda rows=given.factors: climb(rows, "bic-d"),
    "ges": lambda given: lambda rows=given.factors: ges(rows, "bic-d"),
    "mmhc": mmhc,
    "pc_z": lambda given: lambda rows=given.rows: pc_z(rows),
    "hill_climb_g": lambda given: lambda rows=given.rows: climb(rows, "bic-g"),
    "ges_g": lambda given: lambda rows=given.rows: ges(rows, "bic-g"),
    "queries": queries,
    "sampling": sampling,
    "fitting": fitting,
}
