"""bnteach in the bench."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bnteach as bn
from tests.benchmarks.bench.inputs import Input
from tests.benchmarks.bench.libraries import Edge, Tasks


def learned(learn: Callable[[Any], Any]) -> Callable[[Input], Callable[[], list[Edge]]]:
    """A task that learns a graph from rows."""
    def edges(rows: Any) -> list[Edge]:
        graph = learn(rows).graph
        return [(a, b, True) for a, b in graph.arcs] + [(a, b, False) for a, b in getattr(graph, "edges", ())]

    return lambda given: lambda rows=given.rows: edges(rows)


def queries(given: Input) -> Callable[[], Any]:
    network = bn.read_bif(given.bif)
    return lambda: [network.posterior(name, evidence).tolist() for name, evidence in given.queries]


def sampling(given: Input) -> Callable[[], Any]:
    network = bn.read_bif(given.bif)
    return lambda: network.sample(given.n)


def fitting(given: Input) -> Callable[[], Any]:
    rows, dag = given.rows, bn.DAG(given.arcs, given.rows.columns)
    return lambda: {name: ((*dag.parents(name), name), table) for name, table in bn.fit(dag, rows).cpts.items()}


TASKS: Tasks = {
    "pc": learned(lambda rows: bn.pc(bn.ChiSquare(bn.Table(rows)))),
    "pc_nominal": learned(lambda rows: bn.pc(bn.ChiSquare(bn.Table(rows), adjust=False))),
    "chow_liu": learned(lambda rows: bn.chow_liu(bn.Table(rows))),
    "hill_climb": learned(lambda rows: bn.hill_climb(bn.BIC(bn.Table(rows)))),
    "tabu": learned(lambda rows: bn.hill_climb(bn.BIC(bn.Table(rows)), tabu=10)),
    "ges": learned(lambda rows: bn.ges(bn.BIC(bn.Table(rows)))),
    "mmhc": learned(lambda rows: bn.mmhc(bn.Table(rows))),
    "pc_z": learned(lambda rows: bn.pc(bn.FisherZ(bn.Measurements(rows)))),
    "hill_climb_g": learned(lambda rows: bn.hill_climb(bn.BIC(bn.Measurements(rows)))),
    "ges_g": learned(lambda rows: bn.ges(bn.BIC(bn.Measurements(rows)))),
    "exact_g": learned(lambda rows: bn.exact(bn.BIC(bn.Measurements(rows)))),
    "exact": learned(lambda rows: bn.exact(bn.BIC(bn.Table(rows)))),
    "ilp": learned(lambda rows: bn.ilp(bn.BIC(bn.Table(rows)), max_parents=3)),
    "structural_em": learned(bn.structural_em),
    "queries": queries,
    "sampling": sampling,
    "fitting": fitting,
}
