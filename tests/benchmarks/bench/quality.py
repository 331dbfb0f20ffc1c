"""How good an answer is, to show that it is an answer to the same question.

    bic             of the graph found (a PDAG counts by a DAG of its class) on the complete rows, in nats
    f1, shd         the skeleton and the CPDAG, compared with those of the network that the rows came from
    agrees          F1 of the skeleton with bnteach's in place of the true one
    log_likelihood  nats per row: of the rows under the tables fitted, or of the rows sampled under the network
    difference      the largest difference of a probability from bnteach's
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from tests.benchmarks.bench.inputs import Input

Edges = Sequence[tuple[str, str, bool]]


def plain(answer: Any, given: Input) -> Any:
    """An answer as JSON can hold it: edges, lists of probabilities, or a log-likelihood in place of rows and tables."""
    if isinstance(answer, dict):
        return fitted_log_likelihood(answer, given.rows)
    if isinstance(answer, list):
        return answer
    from bnteach import read_bif

    network = read_bif(given.bif)
    return network.log_likelihood(answer[list(network.dag.nodes)].astype(str), base=np.e) / len(answer)


def fitted_log_likelihood(tables: dict[str, Any], rows: Any) -> float:
    """Nats per row under tables of conditional probabilities, whose axes have the states in sorted order."""
    codes = {name: np.unique(rows[name], return_inverse=True)[1] for name in rows}
    return float(sum(np.log(np.asarray(table)[tuple(codes[name] for name in axes)]).mean()
                     for axes, table in tables.values()))


def judged(task: str, answer: Any, ours: Any, score: Any, truth: Any) -> dict[str, float]:
    """The numbers above that this task has."""
    if task == "queries":
        pairs = zip(answer, ours if ours is not None else answer)
        return {"difference": max(abs(a - b) for one, other in pairs for a, b in zip(one, other))}
    if task in ("sampling", "fitting"):
        return {"log_likelihood": round(answer, 4)}
    found: dict[str, float] = {"edges": len(answer)}
    if ours is not None:
        found["agrees"] = f1(answer, ours)
    if (dag := as_dag(answer, score.variables)) is not None:
        found["bic"] = round(score(dag), 1)
    if truth is not None:
        found |= {"f1": f1(answer, [(*arc, True) for arc in truth.arcs]), "shd": shd(answer, truth)}
    return found


def f1(edges: Edges, others: Edges) -> float:
    """How far two graphs have the same edges, whatever their direction: 1 if all, 0 if none."""
    one, other = ({frozenset(edge[:2]) for edge in graph} for graph in (edges, others))
    return round(2 * len(one & other) / max(1, len(one) + len(other)), 3)


def as_pdag(edges: Iterable[tuple[str, str, bool]], nodes: Sequence[str]) -> Any:
    """A PDAG with these edges; what is directed in both directions is undirected."""
    from bnteach.graphs.pdag import PDAG

    given = list(edges)
    directed = {(a, b) for a, b, is_arc in given if is_arc}
    undirected = {frozenset(edge[:2]) for edge in given if not edge[2]}
    undirected |= {frozenset((a, b)) for a, b in directed if (b, a) in directed}
    arcs = sorted(arc for arc in directed if frozenset(arc) not in undirected)
    return PDAG(arcs, [tuple(sorted(edge)) for edge in sorted(undirected, key=sorted)], nodes)


def as_dag(edges: Edges, nodes: Sequence[str]) -> Any:
    """A DAG with these edges, if there is one; else None."""
    from bnteach.graphs.extension import extend

    try:
        return extend(as_pdag(edges, nodes))
    except ValueError:
        return None


def shd(edges: Edges, truth: Any) -> int:
    """Pairs of variables between which the CPDAG found and the true one differ."""
    from bnteach.graphs.equivalence import cpdag

    dag = as_dag(edges, truth.nodes)
    found = as_pdag(edges, truth.nodes) if dag is None or any(not edge[2] for edge in edges) else cpdag(dag)
    one, other = ({frozenset(pair): pair for pair in graph.arcs} | {frozenset(pair): pair[:0] for pair in graph.edges}
                  for graph in (found, cpdag(truth)))
    return sum(one.get(pair) != other.get(pair) for pair in one.keys() | other.keys())
