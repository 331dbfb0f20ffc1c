"""R's bnlearn in the bench, by its C code in bnlearn-port. The factors that it takes are made before it is timed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pybnlearn as bnlearn

from tests.benchmarks.bench.inputs import Input
from tests.benchmarks.bench.libraries import Edge, Tasks


def edges(graph: Any) -> list[Edge]:
    return [(a, b, True) for a, b in bnlearn.directed_arcs(graph)] + \
           [(a, b, False) for a, b in bnlearn.undirected_arcs(graph) if a < b]


def learned(learn: Callable[[Any], Any], real: bool = False) -> Callable[[Input], Callable[[], list[Edge]]]:
    """A task that learns a graph from rows."""
    def task(given: Input) -> Callable[[], list[Edge]]:
        rows = given.rows if real else given.factors
        return lambda: edges(learn(rows))

    return task


def queries(given: Input) -> Callable[[], Any]:
    network = bnlearn.read_bif(given.bif)
    return lambda: [bnlearn.query(network, name, evidence).values.tolist() for name, evidence in given.queries]


def sampling(given: Input) -> Callable[[], Any]:
    network = bnlearn.read_bif(given.bif)
    return lambda: bnlearn.rbn(network, given.n)


def fitting(given: Input) -> Callable[[], Any]:
    graph, rows = bnlearn.empty_graph(list(given.rows.columns)), given.factors
    for a, b in given.arcs:
        graph = bnlearn.set_arc(graph, a, b)

    def tables() -> dict[str, Any]:
        fitted = bnlearn.fit(graph, rows)
        return {name: (fitted[name].variables, fitted[name].probabilities) for name in rows}

    return tables


TASKS: Tasks = {
    "pc": learned(lambda rows: bnlearn.pc_stable(rows, test="x2-adf", alpha=0.05)),
    "pc_nominal": learned(lambda rows: bnlearn.pc_stable(rows, test="x2", alpha=0.05)),
    "chow_liu": learned(bnlearn.chow_liu),
    "hill_climb": learned(lambda rows: bnlearn.hc(rows, score="bic")),
    "tabu": learned(lambda rows: bnlearn.tabu(rows, score="bic")),
    "mmhc": learned(lambda rows: bnlearn.mmhc(rows, restrict_args={"test": "mi-adf"})),
    "pc_z": learned(lambda rows: bnlearn.pc_stable(rows, test="zf", alpha=0.05), real=True),
    "hill_climb_g": learned(lambda rows: bnlearn.hc(rows, score="bic-g"), real=True),
    "structural_em": learned(lambda rows: bnlearn.structural_em(rows, maximize_args={"score": "bic"})),
    "queries": queries,
    "sampling": sampling,
    "fitting": fitting,
}
