"""Max-min hill climbing: tests decide which edges are possible, then a score is searched among those.

Independence tests are good at ruling out that two variables are adjacent; a score is good at finding the direction of
an arc, and whether it is worth its parameters. This hybrid uses each for what it is good at:

    for each variable T, its max-min parents and children:
        1. the association of X with T is the minimum, over all subsets of the current candidates, of their conditional
           association. Add the X for which it is greatest, until every other variable is independent of T given some
           subset;
        2. backward phase: remove each X that is independent of T given some subset of the other candidates.
    symmetry correction: keep the edge X - T only if each is a candidate of the other.
    Then hill climbing with a tabu list (hill_climb.py), from the empty graph; all other arcs are forbidden.

A strong association has a small p-value; of equal ones (many are 0 to all decimals), a large statistic.

>>> from bnteach import datasets
>>> found = mmhc(datasets.asia(10_000))
>>> found.candidates
PDAG('tub-either, smoke-lung, smoke-bronc, lung-either, bronc-dysp, asia, xray')

The true graph also has either-xray and either-dysp. But `either` is a function of tub and lung, so given these two it
is independent of everything: the distribution is not faithful to the graph, and no test finds these edges. Lesson 14.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

from bnteach.graphs.notation import Pair
from bnteach.graphs.pdag import PDAG
from bnteach.independence.chi_square import GSquare
from bnteach.independence.oracle import Answers, Oracle, Verdict, check_oracle
from bnteach.independence.wrappers import CachedOracle
from bnteach.learn.hill_climb import ClimbResult, hill_climb
from bnteach.learn.search.constraints import UNCONSTRAINED, Arcs, Constraints, Tiers
from bnteach.learn.search.ties import TOLERANCE
from bnteach.learn.steps.mmhc import (
    Added,
    Allowed,
    Chosen,
    Excluded,
    Finished,
    Included,
    NotTested,
    OneSided,
    Removed,
    Started,
    Weakened,
)
from bnteach.scores.base import Score
from bnteach.scores.penalised import BIC
from bnteach.tables.table import as_table
from bnteach.trace import Result, Step, stepwise

Names = tuple[str, ...]


@dataclass(frozen=True)
class HybridResult(ClimbResult):
    """A Result with the candidate edges and the number of tests."""

    candidates: PDAG | None = None
    tests: int = 0


@stepwise
def mmhc(table: Any, alpha: float = 0.05, score: Score | None = None, oracle: Oracle | None = None,
         max_conditioning: int | None = None, tabu: int = 10, max_parents: int | None = None, required: Arcs = (),
         forbidden: Arcs = (), tiers: Tiers = ()) -> Generator[Step, None, HybridResult]:
    """Learn a DAG by max-min hill climbing: candidate edges from tests, then tabu search among them.

    Parameters
    ----------
    table : Table
        The data; not used if both score and oracle are given.
    alpha : float
        The significance level of the tests.
    score : Score, optional
        By default BIC.
    oracle : Oracle, optional
        By default G-square; two variables with fewer rows than combinations of states are not tested, so that an
        identifier becomes nobody's candidate.
    max_conditioning : int, optional
        The largest number of variables to condition on.
    tabu, max_parents
        As in `hill_climb`.
    required, forbidden, tiers
        Background knowledge, as in `hill_climb`. An edge that is required is a candidate whatever the tests say, and
        one that is forbidden in both directions is none.

    Returns
    -------
    HybridResult
        ``graph``, ``score``, the ``candidates`` as an undirected graph, and the number of ``tests``.

    Examples
    --------
    >>> from bnteach import datasets
    >>> found = mmhc(datasets.asia(2000))
    >>> len(found.graph.arcs), len(found.candidates.edges)
    (5, 6)

    References
    ----------
    Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure learning algorithm,
    Machine Learning 65. Lesson 14.
    """
    table = as_table(table) if oracle is None or score is None else table
    oracle = GSquare(table, alpha, rows_per_cell=1) if oracle is None else oracle
    score = BIC(table) if score is None else score
    check_variables(oracle, score)
    known = Constraints.read(score.variables, required, forbidden, tiers, max_parents)
    edges, tests = yield from candidate_edges(oracle, max_conditioning, known)
    allowed = {frozenset(edge) for edge in edges}
    excluded = [(a, b) for a, b in permutations(score.variables, 2)
                if frozenset((a, b)) not in allowed or not known.allows(a, b)]
    found = yield from hill_climb.steps(score, tabu=tabu, max_parents=max_parents, required=known.required,
                                        forbidden=excluded)
    yield Finished(found.graph, score(found.graph))
    return HybridResult(found.graph, score=found.score, evaluated=found.evaluated, final_scores=found.final_scores,
                        candidates=PDAG((), edges, oracle.variables), tests=tests)


def check_variables(oracle: Oracle, score: Score) -> None:
    """Raise an error unless the tests and the score have the same variables."""
    check_oracle(oracle, "mmhc")
    if only := sorted({*oracle.variables} ^ {*score.variables}):
        raise ValueError(f"the tests and the score have different variables: {', '.join(only)} in one only. "
                         f"Make both from the same data.")


@stepwise
def mmpc(oracle: Oracle, max_conditioning: int | None = None) -> Generator[Step, None, Result[PDAG]]:
    """Find the candidate edges of max-min parents and children: the first half of `mmhc`.

    Parameters
    ----------
    oracle : Oracle
    max_conditioning : int, optional
        The largest number of variables to condition on.

    Returns
    -------
    Result
        ``graph`` is a PDAG without arcs.

    Examples
    --------
    >>> from bnteach import DAG, DSeparation
    >>> mmpc(DSeparation(DAG("A->C, B->C, C->D", "ABCD"))).graph
    PDAG('A-C, B-C, C-D')

    References
    ----------
    Tsamardinos, Brown and Aliferis (2006), Machine Learning 65, algorithms 1 and 2. Lesson 14.
    """
    edges, _ = yield from candidate_edges(oracle, max_conditioning)
    return Result(PDAG((), edges, oracle.variables))


def candidate_edges(oracle: Oracle, max_conditioning: int | None,
                    known: Constraints = UNCONSTRAINED) -> Generator[Step, None, tuple[list[Pair], int]]:
    """The pairs of which each is a candidate of the other, or that are required, and the number of tests."""
    check_oracle(oracle, "mmhc")
    cached = CachedOracle(oracle)
    yield Started(cached.variables)
    chosen: dict[str, Names] = {}
    for target in cached.variables:
        chosen[target] = yield from parents_and_children(target, cached, max_conditioning)
    for a in chosen:
        for b in chosen[a]:
            if a not in chosen[b]:
                yield OneSided(a, b)
    mutual = [(a, b) for a, b in combinations(chosen, 2) if b in chosen[a] and a in chosen[b]]
    edges = yield from apply_knowledge(mutual, known, cached.variables)
    yield Allowed(tuple(edges), cached.distinct)
    return edges, cached.distinct


def apply_knowledge(edges: list[Pair], known: Constraints, names: Names) -> Generator[Step, None, list[Pair]]:
    """The edges without those that are forbidden in both directions, and with those that are required."""
    for a, b in edges:
        if not known.allows(a, b) and not known.allows(b, a):
            yield Excluded(a, b)
    missing = [(a, b) for a, b in known.required if (a, b) not in edges and (b, a) not in edges]
    yield from (Included(a, b) for a, b in missing)
    wanted = {frozenset(edge) for edge in (*edges, *missing)}
    return [(a, b) for a, b in combinations(names, 2)
            if frozenset((a, b)) in wanted and (known.allows(a, b) or known.allows(b, a))]


def parents_and_children(target: str, oracle: CachedOracle,
                         max_conditioning: int | None) -> Generator[Step, None, Names]:
    """Add the variable of greatest minimum association while one is dependent; then the backward phase."""
    others = [x for x in oracle.variables if x != target]
    weakest = dict(zip(others, oracle.answer_all([(x, target, ()) for x in others])))
    if untested := tuple(x for x, v in weakest.items() if not getattr(v, "tested", True)):
        yield NotTested(target, untested)
    chosen: list[str] = []
    while best := strongest({x: v for x, v in weakest.items() if not v and x not in chosen}):
        yield Added(target, best, weakest[best].p_value, weakest[best].statistic)
        left = [x for x, v in weakest.items() if not v and x not in (best, *chosen)]
        tests = oracle.until_independent([(x, target, subsets(chosen, max_conditioning, best)) for x in left])
        for x, answers in zip(left, tests):
            weakest[x] = yield from weaken(x, target, weakest[x], answers)
        chosen.append(best)
    for x in list(chosen):
        sets = subsets([c for c in chosen if c != x], max_conditioning)
        for given, verdict in next(oracle.until_independent([(x, target, sets)])):
            if verdict:
                yield Removed(target, x, given, verdict.p_value)
                chosen.remove(x)
    candidates = tuple(x for x in oracle.variables if x in chosen)
    yield Chosen(target, candidates)
    return candidates


def weaken(x: str, target: str, before: Verdict, answers: Answers) -> Generator[Step, None, Verdict]:
    """The weakest association of x with the target: the one so far, or one of these answers."""
    weakest = before
    by: Names = ()
    for given, verdict in answers:
        if not _stronger(verdict, weakest):
            weakest, by = verdict, given
    if weakest is not before:
        yield Weakened(target, x, by, weakest.p_value, bool(weakest))
    return weakest


def strongest(verdicts: Mapping[str, Verdict]) -> str | None:
    """The name of the strongest association: smallest p-value, then largest statistic, then first named."""
    best = None
    for name, verdict in verdicts.items():
        if best is None or _stronger(verdict, verdicts[best]):
            best = name
    return best


def _stronger(one: Verdict, other: Verdict) -> bool:
    """p-values and statistics whose ratio differs from 1 by less than TOLERANCE are equal."""
    if one.independent != other.independent:
        return other.independent
    p, q = one.p_value or 0.0, other.p_value or 0.0
    if abs(p - q) > TOLERANCE * max(p, q):
        return p < q
    s, t = abs(one.statistic or 0.0), abs(other.statistic or 0.0)
    return s - t > TOLERANCE * max(s, t)


def subsets(names: Sequence[str], limit: int | None, *always: str) -> Iterator[Names]:
    """All subsets of these names, each with those that are always included; small ones first, none empty."""
    sizes = range(0 if always else 1, len(names) + 1)
    return ((*part, *always) for size in sizes if limit is None or size + len(always) <= limit
            for part in combinations(names, size))
