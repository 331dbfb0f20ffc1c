"""Expectation maximisation: the tables of a network from data with gaps.

With a gap in a row the likelihood is a sum over all that might be there, and no formula gives the tables that
make it greatest. But if one knew the tables, one could say how probable each filling of a gap is; and if one knew
how to fill the gaps, the best tables would be fractions again. So:

    start     with some tables, drawn at random
    E step    count, with every gap filled in every way, each filling counting by its probability
    M step    make new tables of these expected counts, as fractions
    repeat    until the likelihood no longer grows

The likelihood never falls from one round to the next. It may end in a local optimum, which depends on the start;
so several starts are tried with `restarts`. On complete data one round gives the fractions of lesson 6.

>>> table = Table({"A": ["a", "a", "~a", "~a"], "B": ["b", "b", "~b", None]}, missing="keep")
>>> found = em("A->B", table)
>>> found.network.table("B").round(3)
      b   ~b
A
a   1.0  0.0
~a  0.0  1.0

The gap is right to be ~b: every other row with ~a has it. Dempster, Laird and Rubin (1977); Lauritzen (1995) for
Bayesian networks. Lesson 15.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from math import inf, log
from typing import Any

import numpy as np

from bnteach.errors import whole_number
from bnteach.graphs.dag import DAG
from bnteach.models.categorical import CategoricalNetwork, fractions
from bnteach.models.expected import DistinctRows, ExpectedTable
from bnteach.scores.base import as_dag
from bnteach.tables.table import Table
from bnteach.trace import Result, Step, stepwise


@dataclass(frozen=True)
class EMResult(Result[DAG]):
    """A Result with the network that was found; its score is the log-likelihood of all that the data say."""

    network: CategoricalNetwork | None = None


@dataclass(frozen=True, slots=True)
class Began(Step):
    """Tables to start with."""

    what: str
    log_likelihood: float

    def __str__(self) -> str:
        return f"{self.what}: the first tables give a log-likelihood of {self.log_likelihood:.4f}"


@dataclass(frozen=True, slots=True)
class Round(Step):
    """One E step and one M step."""

    round: int
    log_likelihood: float
    gain: float
    change: float

    def __str__(self) -> str:
        return (f"round {self.round}: log-likelihood {self.log_likelihood:.4f} ({self.gain:+.6f}), "
                f"largest change of a probability {self.change:.4f}")


@dataclass(frozen=True, slots=True)
class Finished(Step):
    """EM has come to rest, or has run out of rounds."""

    rounds: int
    log_likelihood: float
    at_rest: bool

    def __str__(self) -> str:
        how = "no more gain" if self.at_rest else "no rounds left, though there is more to gain (raise rounds=)"
        return f"{how}: log-likelihood {self.log_likelihood:.4f} after {self.rounds} rounds"


@stepwise
def em(graph: DAG | str, data: Any, start: CategoricalNetwork | None = None, seed: int = 0, restarts: int = 0,
       rounds: int = 500, tolerance: float = 1e-6, smoothing: float = 0.0,
       base: float = 2) -> Generator[Step, None, EMResult]:
    """The tables that make all that the data say most probable, by EM; of several starts, the best.

    It begins with the tables of `start`, or with random ones from `seed`; `restarts` are always random. It ends when
    a round gains less than `tolerance`, in the units of `base`. `smoothing` is added to every expected count, which
    keeps probabilities away from 0; what never falls is then the likelihood times a prior, and its value is shown.
    """
    table = as_incomplete_table(data)
    dag = as_dag(graph, table.variables)
    _check(dag, table, start)
    rounds = whole_number("rounds", rounds, least=1)
    rows, best = DistinctRows.of(table), None
    for number in range(restarts + 1):
        given = start if number == 0 else None
        network = random_tables(dag, table, seed + number) if given is None else given
        expected = ExpectedTable(table, network, rows)
        found = yield from climb(expected, f"start {number + 1}", rounds, tolerance, smoothing, base)
        if best is None or found.score > best.score + tolerance:
            best = found
    return best


def climb(expected: ExpectedTable, what: str, rounds: int = 500, tolerance: float = 1e-6, smoothing: float = 0.0,
          base: float = 2) -> Generator[Step, None, EMResult]:
    """E and M steps in turn, until nothing is gained."""
    value = objective(expected, smoothing, base)
    yield Began(what, value)
    gain, number = inf, 0
    while gain > tolerance and number < rounds:
        network = maximise(expected, smoothing)
        change = largest_change(network, expected.network)
        expected = ExpectedTable(expected, network, expected.rows)
        before, value = value, objective(expected, smoothing, base)
        gain, number = value - before, number + 1
        yield Round(number, value, gain, change)
    yield Finished(number, value, gain <= tolerance)
    return EMResult(expected.network.dag, score=value, network=expected.network)


def maximise(expected: ExpectedTable, smoothing: float = 0.0, graph: DAG | None = None) -> CategoricalNetwork:
    """The M step: fractions of the expected counts, for the network's own graph or another."""
    dag = expected.network.dag if graph is None else graph
    counts = {node: expected.counts(*dag.parents(node), node) for node in dag.nodes}
    return CategoricalNetwork(dag, expected.network.states,
                              {node: fractions(count + smoothing) for node, count in counts.items()})


def objective(expected: ExpectedTable, smoothing: float, base: float) -> float:
    """The log-likelihood of what the data say; with smoothing, plus that of `smoothing` rows for every cell."""
    prior = 0.0
    if smoothing:
        with np.errstate(divide="ignore"):
            prior = smoothing * sum(float(np.log(t).sum()) for t in expected.network.tables.values())
    return (expected.log_likelihood + prior) / log(base)


def largest_change(one: CategoricalNetwork, other: CategoricalNetwork) -> float:
    """The largest difference of two probabilities in the same place."""
    return max(float(np.abs(one.tables[node] - other.tables[node]).max()) for node in one.dag.nodes)


def random_tables(dag: DAG, table: Table, seed: int) -> CategoricalNetwork:
    """A network whose probabilities are drawn at random, every distribution as likely as another."""
    random = np.random.default_rng(seed)
    states = {node: table.states(node) for node in dag.nodes}
    sizes = {node: [len(states[parent]) for parent in dag.parents(node)] for node in dag.nodes}
    return CategoricalNetwork(dag, states, {node: random.dirichlet(np.ones(len(states[node])), size=sizes[node] or None)
                                            for node in dag.nodes})


def as_incomplete_table(data: Any) -> Table:
    """A Table, whose gaps are kept."""
    return data if isinstance(data, Table) else Table(data, missing="keep")


def _check(dag: DAG, table: Table, start: CategoricalNetwork | None) -> None:
    if start is not None and start.dag != dag:
        raise ValueError(f"the network to start with has the graph {start.dag}, not {dag}.")
    for node in dag.nodes:
        if start is not None and start.states[node] != table.states(node):
            raise ValueError(f"{node} has the states {', '.join(map(str, start.states[node]))} in the network to start "
                             f"with, and {', '.join(map(str, table.states(node)))} in the data.")
