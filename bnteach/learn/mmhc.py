"""Max-min hill climbing: first ask which arcs are possible at all, then search among those.

Tests of independence are good at saying that two variables are not neighbours; a score is good at saying which way
an arc should go, and whether it is worth its parameters. This hybrid uses each for what it is good at:

    for each variable T, the max-min parents and children:
        1. the association of T with a variable X is the weakest that any set of those chosen so far leaves of it:
           a minimum over sets. Choose the X for which it is strongest, a maximum; go on until none is left that
           is still dependent on T;
        2. look back: take out again each X that some set of the others makes independent of T.
    X and T may be joined only if each is among the chosen of the other.
    Then climb the score by single arcs, with a tabu list (hill_climb.py), from no arcs; all other arcs are forbidden.

"Strong" is a small p-value; among equal ones (many are 0 to all decimals), a large statistic.

>>> from bnteach.datasets import asia
>>> found = mmhc(asia(10_000))
>>> found.candidates
PDAG('tub-either, smoke-lung, smoke-bronc, lung-either, bronc-dysp, asia, xray')

The true graph also has either-xray and either-dysp. But `either` says no more than tub and lung together do, so
given these it is independent of everything: a graph to which the data are not faithful, and no test can see it.

Tsamardinos, Brown and Aliferis (2006), The max-min hill-climbing Bayesian network structure learning algorithm,
Machine Learning 65. Lesson 14.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, tee
from typing import Any

from bnteach.graphs.notation import Pair
from bnteach.graphs.pdag import PDAG
from bnteach.independence.chi_square import GSquare
from bnteach.independence.oracle import Oracle, Verdict, answers, check_oracle
from bnteach.learn.hill_climb import ClimbResult, hill_climb
from bnteach.learn.steps.mmhc import Allowed, Chosen, Ended, Joined, Left, OneSided, Placed, Weakened
from bnteach.scores.base import Score
from bnteach.scores.penalised import BIC
from bnteach.tables.table import as_table
from bnteach.trace import Result, Step, stepwise

SAME = 1e-9  # statistics that differ by less, in proportion, are equal


@dataclass(frozen=True)
class HybridResult(ClimbResult):
    """A Result with the lines that the tests allowed, and how many tests were made."""

    candidates: PDAG | None = None
    tests: int = 0


# -- the algorithm ---------------------------------------------------------------------------------------
@stepwise
def mmhc(table: Any, alpha: float = 0.05, score: Score | None = None, oracle: Oracle | None = None,
         max_conditioning: int | None = None, tabu: int = 10) -> Generator[Step, None, HybridResult]:
    """Max-min parents and children, then hill climbing among them. Lesson 14.

    The tests are G-square at level `alpha`, with degrees of freedom for what occurs only, unless another `oracle` is
    given; the score is BIC, unless another is given. `max_conditioning` bounds the size of the sets that the tests condition
    on, `tabu` is that of hill_climb.
    """
    table = as_table(table) if oracle is None or score is None else table
    oracle = GSquare(table, alpha, adjust=True) if oracle is None else oracle
    score = BIC(table) if score is None else score
    check_variables(oracle, score)
    allowed, tests = yield from candidate_lines(oracle, max_conditioning)
    joined = {frozenset(line) for line in allowed}
    forbidden = [(a, b) for a in score.variables for b in score.variables if a != b and frozenset((a, b)) not in joined]
    found = yield from hill_climb.steps(score, forbidden=forbidden, tabu=tabu)
    yield Ended(found.graph.arcs, found.score)
    return HybridResult(found.graph, score=found.score, evaluated=found.evaluated, final_scores=found.final_scores,
                        candidates=PDAG((), allowed, oracle.variables), tests=tests)


def check_variables(oracle: Oracle, score: Score) -> None:
    """An error unless the tests and the score are of the same variables."""
    check_oracle(oracle, "mmhc")
    if only := sorted({*oracle.variables} ^ {*score.variables}):
        raise ValueError(f"the tests and the score are of different variables: {', '.join(only)} in one only. "
                         f"Make both of the same data.")


@stepwise
def mmpc(oracle: Oracle, max_conditioning: int | None = None) -> Generator[Step, None, Result]:
    """The first half alone: the lines that max-min parents and children allow, as an undirected graph."""
    allowed, _ = yield from candidate_lines(oracle, max_conditioning)
    return Result(PDAG((), allowed, oracle.variables))


def candidate_lines(oracle: Oracle, max_conditioning: int | None = None) -> Generator[Step, None, tuple[list[Pair], int]]:
    """The pairs that choose each other, and the number of tests."""
    check_oracle(oracle, "mmhc")
    variables, asked = oracle.variables, Memory(oracle)
    yield Placed(variables)
    chosen = {}
    for target in variables:
        chosen[target] = yield from parents_and_children(target, variables, asked, max_conditioning)
    for a in variables:
        for b in chosen[a]:
            if a not in chosen[b]:
                yield OneSided(a, b)
    lines = [(a, b) for a, b in combinations(variables, 2) if b in chosen[a] and a in chosen[b]]
    yield Allowed(tuple(lines), len(asked))
    return lines, len(asked)


def parents_and_children(target: str, variables: Sequence[str], asked: Memory,
                         max_conditioning: int | None) -> Generator[Step, None, tuple[str, ...]]:
    """Grow by the strongest of the weakest associations, then look back."""
    chosen: list[str] = []
    weakest = {x: v for x in variables if x != target for _, v in asked(x, target, [()])}
    while best := strongest({x: v for x, v in weakest.items() if not v and x not in chosen}):
        yield Joined(target, best, weakest[best].p_value, weakest[best].statistic)
        for x in [x for x, v in weakest.items() if not v and x not in (best, *chosen)]:
            weakest[x] = yield from weaken(x, target, weakest[x], _sets(chosen, max_conditioning, best), asked)
        chosen.append(best)
    for x in list(chosen):
        others = [c for c in chosen if c != x]
        for separator, verdict in asked(x, target, _sets(others, max_conditioning)):
            if verdict:
                yield Left(target, x, separator, verdict.p_value)
                chosen.remove(x)
                break
    chosen = [x for x in variables if x in chosen]
    yield Chosen(target, tuple(chosen))
    return tuple(chosen)


def weaken(x: str, target: str, before: Verdict, sets: Iterator[tuple[str, ...]],
           asked: Memory) -> Generator[Step, None, Verdict]:
    """The weakest association of x with the target that any of these sets leaves; independence ends the search."""
    now, by = before, ()
    for given, verdict in asked(x, target, sets):
        if strongest({"before": now, "now": verdict}) == "before":
            now, by = verdict, given
        if now:
            break
    if now is not before:
        yield Weakened(target, x, by, now.p_value, bool(now))
    return now


def strongest(verdicts: dict[str, Verdict]) -> str | None:
    """The name of the strongest association: smallest p-value, then largest statistic, then first named."""
    best = None
    for name, verdict in verdicts.items():
        if best is None or _stronger(verdict, verdicts[best]):
            best = name
    return best


def _stronger(one: Verdict, other: Verdict) -> bool:
    if one.independent != other.independent:
        return other.independent
    p, q = one.p_value or 0.0, other.p_value or 0.0
    if abs(p - q) > SAME * max(p, q):
        return p < q
    s, t = abs(one.statistic or 0.0), abs(other.statistic or 0.0)
    return s - t > SAME * max(s, t)


class Memory:
    """Ask each question once: that of (x, y) and that of (y, x) are the same."""

    def __init__(self, oracle: Oracle):
        self.oracle, self.verdicts = oracle, {}

    def __call__(self, x: str, y: str, sets: Iterable[tuple[str, ...]]) -> Iterator[tuple[tuple[str, ...], Verdict]]:
        """The verdicts on x and y for one given set after the other, each with its set."""
        sets, ahead = tee(sets)
        known = self.verdicts.setdefault(frozenset((x, y)), {})
        new = (tuple(sorted(z, key=self.oracle.variables.index)) for z in ahead if frozenset(z) not in known)
        verdicts = answers(self.oracle, x, y, new)
        for given in sets:
            if (key := frozenset(given)) not in known:
                _, known[key] = next(verdicts)
            yield given, known[key]

    def __len__(self) -> int:
        return sum(map(len, self.verdicts.values()))


def _sets(names: Sequence[str], most: int | None, *always: str) -> Iterator[tuple[str, ...]]:
    """All sets of these names and those that are always in, small ones first, none empty."""
    sizes = range(0 if always else 1, len(names) + 1)
    return ((*part, *always) for size in sizes for part in combinations(names, size)
            if most is None or size + len(always) <= most)
