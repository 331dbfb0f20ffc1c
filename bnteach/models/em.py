"""Expectation maximisation (EM): the parameters of a network from data with missing values.

With a missing value the likelihood of a row is a sum over all its completions, and no formula gives the parameters that
maximise it. But with known parameters each completion has a probability, and with known completions the
maximum-likelihood estimates are relative frequencies. So:

    start     with some CPTs, drawn at random
    E step    compute expected counts: every completion of a row counts by its probability
    M step    estimate new CPTs from the expected counts, as relative frequencies
    repeat    until the observed-data log-likelihood no longer increases

The log-likelihood never decreases from one iteration to the next. EM may end in a local optimum, which depends on the
start; `restarts` tries several. On complete data one iteration gives the relative frequencies of lesson 6.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from math import inf, log
from typing import Any

import numpy as np

from bnteach.errors import whole_number
from bnteach.graphs.dag import DAG
from bnteach.models.asking import expected_count
from bnteach.models.categorical import CategoricalNetwork, relative_frequencies
from bnteach.models.expected import ExpectedCounts
from bnteach.questions import Moment, Question
from bnteach.scores.base import as_dag
from bnteach.tables.table import Table
from bnteach.trace import Result, Step, stepwise


@dataclass(frozen=True)
class EMResult(Result[DAG]):
    """A Result with the fitted network; its score is the observed-data log-likelihood."""

    score: float = field(kw_only=True)
    network: CategoricalNetwork = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Started(Step):
    """Initial CPTs."""

    what: str
    log_likelihood: float

    def __str__(self) -> str:
        return f"{self.what}: the log-likelihood of the initial CPTs is {self.log_likelihood:.4f}"


@dataclass(frozen=True, slots=True)
class Iteration(Step):
    """One M step and one E step."""

    number: int
    log_likelihood: float
    gain: float
    change: float

    def __str__(self) -> str:
        return (f"iteration {self.number}: log-likelihood {self.log_likelihood:.4f} ({self.gain:+.6f}), "
                f"largest change of a probability {self.change:.4f}")

    def question(self, before: Moment) -> Question | None:
        """The E step before this iteration's M step: what is an expected count? Asked in the first three iterations."""
        given = before.given
        if self.number > 3 or before.last(Started).what != "start 1" or "graph" not in given:
            return None
        table = as_incomplete_table(given["data"])
        dag = as_dag(given["graph"], table.variables)
        expected = ExpectedCounts(table, given["start"] or random_cpts(dag, table, given["seed"]))
        for _ in range(1, self.number):
            expected = expected.with_network(m_step(expected, given["smoothing"]))
        return expected_count(expected)


@dataclass(frozen=True, slots=True)
class Finished(Step):
    """EM has converged, or has reached the maximum number of iterations."""

    iterations: int
    log_likelihood: float
    converged: bool

    def __str__(self) -> str:
        end = "converged" if self.converged else "stopped before convergence (raise max_iterations=)"
        return (f"{end} after {self.iterations} iteration{'' if self.iterations == 1 else 's'}: "
                f"log-likelihood {self.log_likelihood:.4f}")


@stepwise
def em(graph: DAG | str, data: Any, start: CategoricalNetwork | None = None, seed: int = 0, restarts: int = 0,
       max_iterations: int = 500, tolerance: float = 1e-6, smoothing: float = 0.0,
       base: float = 2) -> Generator[Step, None, EMResult]:
    """Fit the parameters of a graph to data with missing values, by EM.

    Parameters
    ----------
    graph
        A DAG, or text such as ``"A->B, C"``.
    data
        A Table that may have missing values, or anything that can be read as one.
    start
        The network to start from; by default random CPTs from `seed`.
    seed
        The seed of the random CPTs.
    restarts
        How many more random starts to try; the best result counts.
    max_iterations
        The maximum number of iterations per start.
    tolerance
        An iteration that gains no more than this ends the run, in the units of `base`.
    smoothing
        A pseudo-count added to every expected count, which keeps probabilities above 0. The objective is then the
        log-likelihood plus the log of a Dirichlet prior.
    base
        The base of the logarithm: 2 for bits, ``math.e`` for nats.

    Returns
    -------
    EMResult
        With the fitted `network`; `score` is the observed-data log-likelihood.

    Examples
    --------
    Every other row with ~a has ~b, and so the missing value is ~b as well:

    >>> table = Table({"A": ["a", "a", "~a", "~a"], "B": ["b", "b", "~b", None]}, missing="keep")
    >>> em("A->B", table).network.cpt("B").round(3)
          b   ~b
    A
    a   1.0  0.0
    ~a  0.0  1.0

    References
    ----------
    Dempster, Laird and Rubin (1977), Maximum likelihood from incomplete data via the EM algorithm; Lauritzen (1995),
    The EM algorithm for graphical association models with missing data.
    """
    table = as_incomplete_table(data)
    dag = as_dag(graph, table.variables)
    check_start(dag, table, start)
    whole_number("max_iterations", max_iterations, least=1)
    expected = ExpectedCounts(table, random_cpts(dag, table, seed) if start is None else start)
    best = yield from iterate(expected, "start 1", max_iterations, tolerance, smoothing, base)
    for number in range(1, restarts + 1):
        again = expected.with_network(random_cpts(dag, table, seed + number))
        found = yield from iterate(again, f"start {number + 1}", max_iterations, tolerance, smoothing, base)
        if found.score > best.score + tolerance:
            best = found
    return best


def iterate(expected: ExpectedCounts, what: str, max_iterations: int = 500, tolerance: float = 1e-6,
            smoothing: float = 0.0, base: float = 2) -> Generator[Step, None, EMResult]:
    """Alternate M steps and E steps until the log-likelihood no longer increases."""
    value = objective(expected, smoothing, base)
    yield Started(what, value)
    gain, number = inf, 0
    while gain > tolerance and number < max_iterations:
        network = m_step(expected, smoothing)
        change = largest_change(network, expected.network)
        expected = expected.with_network(network)  # the E step
        before, value = value, objective(expected, smoothing, base)
        gain, number = value - before, number + 1
        yield Iteration(number, value, gain, change)
    yield Finished(number, value, gain <= tolerance)
    return EMResult(expected.network.dag, score=value, network=expected.network)


def m_step(expected: ExpectedCounts, smoothing: float = 0.0, graph: DAG | None = None) -> CategoricalNetwork:
    """Relative frequencies of the expected counts, for the network's own graph or another."""
    if graph is None:
        dag, counts = expected.network.dag, expected.family_counts()
    else:
        dag, counts = graph, {node: expected.counts(*graph.parents(node), node) for node in graph.nodes}
    return CategoricalNetwork(dag, expected.network.states,
                              {node: relative_frequencies(count + smoothing) for node, count in counts.items()})


def objective(expected: ExpectedCounts, smoothing: float, base: float) -> float:
    """The observed-data log-likelihood; with smoothing, plus the log-prior of the parameters."""
    prior = 0.0
    if smoothing:
        with np.errstate(divide="ignore"):
            prior = smoothing * sum(float(np.log(t).sum()) for t in expected.network.cpts.values())
    return (expected.log_likelihood + prior) / log(base)


def largest_change(one: CategoricalNetwork, other: CategoricalNetwork) -> float:
    """The largest difference between corresponding probabilities."""
    return max(float(np.abs(one.cpts[node] - other.cpts[node]).max()) for node in one.dag.nodes)


def random_cpts(dag: DAG, table: Table, seed: int) -> CategoricalNetwork:
    """A network whose conditional distributions are drawn at random, uniformly from all distributions."""
    random = np.random.default_rng(seed)
    states = {node: table.states(node) for node in dag.nodes}
    sizes = {node: [len(states[parent]) for parent in dag.parents(node)] for node in dag.nodes}
    return CategoricalNetwork(dag, states, {node: random.dirichlet(np.ones(len(states[node])), size=sizes[node] or None)
                                            for node in dag.nodes})


def as_incomplete_table(data: Any) -> Table:
    """A Table that may have missing values."""
    return data if isinstance(data, Table) else Table(data, missing="keep")


def check_start(dag: DAG, table: Table, start: CategoricalNetwork | None) -> None:
    """Raise ValueError if the network to start from has another graph or other states."""
    if start is None:
        return
    if start.dag != dag:
        raise ValueError(f"the network to start from has the graph {start.dag}, not {dag}.")
    for node in dag.nodes:
        if start.states[node] != table.states(node):
            raise ValueError(f"{node} has the states {', '.join(map(str, start.states[node]))} in the network to start "
                             f"from, and {', '.join(map(str, table.states(node)))} in the data.")
