"""Exercise 14: a maximum of minima, and a climb inside it. Lesson 14_hybrid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

import numpy as np

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled, table
from bnteach.course.exercises.questions.read import read_columns
from bnteach.graphs.dag import DAG
from bnteach.independence.d_separation import DSeparation
from bnteach.independence.oracle import Verdict
from bnteach.learn.mmhc import strongest
from bnteach.models.categorical import CategoricalNetwork

LEARNERS = ("learn",)
LEAST = 3.84  # a statistic below this counts as independence, in 14.2
SAME = 1e-7
Given = dict[tuple[str, ...], float]


def subsets(items: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """All sets of these, the empty one first."""
    items = list(items)
    return (part for size in range(len(items) + 1) for part in combinations(items, size))


# -- 14.1 and 14.2: a minimum, and a maximum of minima ---------------------------------------------------------
def draw_statistics(random: Random, chosen: list[str], low: float, high: float) -> Given:
    """A statistic for each set of the chosen."""
    return {given: round(float(random.uniform(low, high)), 1) for given in subsets(chosen)}


def draw_weakest(random: Random) -> tuple[Given]:
    return (draw_statistics(random, names(random, int(random.integers(1, 4))), 0, 200),)


def draw_candidates(random: Random) -> tuple[dict[str, Given], float]:
    """Three to five candidates; now and then all of them are independent given some set."""
    nodes = shuffled(random, names(random, 2 + int(random.integers(3, 6))))
    strengths = {x: draw_statistics(random, nodes[:2], 5, 120) for x in nodes[2:]}
    for i, x in enumerate(strengths):
        if random.random() < 0.3 or nodes[0] < nodes[1] < nodes[2]:
            strengths[x][tuple(nodes[:1])] = round(0.3 + 0.7 * i, 1)
    weakest = [min(given.values()) for given in strengths.values()]
    return (strengths, LEAST) if len(set(weakest)) == len(weakest) else draw_candidates(random)


def max_min(strengths: dict[str, Given], least: float, of: Any = min, choose: Any = max) -> str | None:
    """The name of the candidate whose weakest association is strongest; None if all are independent."""
    weakest = {x: of(given.values()) for x, given in strengths.items()}
    weakest = {x: value for x, value in weakest.items() if value >= least}
    return choose(weakest, key=weakest.get) if weakest else None


# -- 14.3: growing ---------------------------------------------------------------------------------------------
def draw_target(random: Random) -> tuple[bn.Table, str, float]:
    """Five variables, each 1 in most rows in which one of its parents is, and in few others."""
    graph = dag(random, 5, 0.5)
    tables = {}
    for node in graph.nodes:
        tables[node] = np.full((2,) * (len(graph.parents(node)) + 1), [0.15, 0.85])
        tables[node][(0,) * len(graph.parents(node))] = [0.85, 0.15] if graph.parents(node) else [0.5, 0.5]
    network = CategoricalNetwork(graph, dict.fromkeys(graph.nodes, (0, 1)), tables)
    t = bn.Table(network.sample(int(random.integers(150, 300)), seed=int(random.integers(10**6))))
    return t, str(random.choice(t.variables)), 0.05


def weakest_verdict(test: bn.GSquare, x: str, target: str, chosen: list[str]) -> tuple[Verdict, tuple[str, ...]]:
    """The weakest association that any set of the chosen leaves, and that set."""
    verdicts = {given: test(x, target, given) for given in subsets(chosen)}
    weakest, by = verdicts[()], ()
    for given, verdict in verdicts.items():
        if strongest({"weakest": weakest, "this": verdict}) == "weakest":
            weakest, by = verdict, given
    return weakest, by


def tied(one: Verdict, other: Verdict) -> bool:
    """Equally strong, but for rounding?"""
    return strongest({"a": one, "b": other}) == "a" and strongest({"b": other, "a": one}) == "b"


def grow_options(t: bn.Table, target: str, alpha: float, taken: list) -> Options:
    test = bn.GSquare(t, alpha, adjust=True)
    weakest = {x: weakest_verdict(test, x, target, taken) for x in t.variables if x != target and x not in taken}
    left = {x: verdict for x, (verdict, _) in weakest.items() if not verdict}
    best = strongest(left)
    chosen = "{" + ", ".join(taken) + "}"

    def why(step: Any) -> str:
        if step == target:
            return "yours is the target itself"
        if step in taken:
            return "yours has joined already"
        if isinstance(step, str) and step in weakest and weakest[step][0]:
            by = ", ".join(weakest[step][1]) or "nothing"
            return f"given {by}, {step} is independent of {target} (p = {weakest[step][0].p_value:.3g}), so it is out"
        if best is None:
            return f"each of the others is independent of {target} given some set of {chosen}"
        numbers = "; ".join(f"{x} {v.statistic:.1f} (p = {v.p_value:.2g})" for x, v in left.items())
        return f"the weakest associations over all sets of {chosen} are: {numbers}; the strongest of these joins"
    return Options([x for x in left if x == best or tied(left[x], left[best])], why)


def grown(t: bn.Table, target: str, alpha: float) -> list[str]:
    """All steps of a right run."""
    taken: list[str] = []
    while steps := grow_options(t, target, alpha, taken=taken).steps:
        taken.append(steps[0])
    return taken


# -- 14.4 and 14.5: looking back, choosing each other ----------------------------------------------------------
def draw_chosen(random: Random) -> tuple[DSeparation, str, list[str]]:
    """All variables that are dependent on the target if nothing is given; some of them have to leave."""
    while True:
        oracle = DSeparation(dag(random, 6, 0.4))
        target = str(random.choice(oracle.variables))
        chosen = shuffled(random, [x for x in oracle.variables if x != target and not oracle(x, target)])
        if 0 < len(look_back(oracle, target, chosen)) < len(chosen):
            return oracle, target, chosen


def look_back(oracle: DSeparation, target: str, chosen: list[str], sizes: Iterable[int] = range(9)) -> set[str]:
    """Those that no set of the others that are still there makes independent of the target."""
    left, sizes = list(chosen), set(sizes)
    for x in chosen:
        others = [y for y in left if y != x]
        if any(oracle(x, target, given) for given in subsets(others) if len(given) in sizes):
            left = others
    return set(left)


def all_at_once(oracle: DSeparation, target: str, chosen: list[str]) -> set[str]:
    """What comes out if only the set of all others is given."""
    left = list(chosen)
    for x in chosen:
        others = [y for y in left if y != x]
        left = others if oracle(x, target, others) else left
    return set(left)


def draw_choices(random: Random) -> tuple[dict[str, list[str]]]:
    nodes = names(random, 6)
    return ({a: [b for b in nodes if b != a and random.random() < 0.5] for a in nodes},)


def each_other(chosen: dict[str, list[str]], rule: Any = all) -> set[frozenset[str]]:
    return {frozenset((a, b)) for a, b in combinations(chosen, 2) if rule((b in chosen[a], a in chosen[b]))}


# -- 14.6: the climb -------------------------------------------------------------------------------------------
def draw_climb(random: Random) -> tuple[bn.BIC, list[tuple[str, str]]]:
    t = table(random, 4, rows=int(random.integers(40, 90)))
    pairs = [tuple(shuffled(random, pair)) for pair in combinations(t.variables, 2)]
    return bn.BIC(t), shuffled(random, pairs)[: int(random.integers(3, 6))]


def climb_options(score: bn.BIC, lines: list[tuple[str, str]], taken: list) -> Options:
    graph = DAG(taken, score.variables)
    gains = {(a, b): score.family(b, {*graph.parents(b), a}) - score.family(b, graph.parents(b))
             for line in lines for a, b in (line, line[::-1])
             if not graph.adjacent(a, b) and b not in graph.ancestors(a)}
    best = max(gains.values(), default=0.0)

    def why(step: Any) -> str:
        arc = tuple(step) if isinstance(step, list | tuple) and len(step) == 2 else ("", "")
        arc = arc if all(isinstance(end, str) for end in arc) else ("", "")
        if arc in gains and gains[arc] <= SAME:
            return f"yours changes the score by {gains[arc]:+.4f}, and no arc that is allowed raises it any more"
        if arc in gains:
            return f"yours gains {gains[arc]:.4f}, and the most that an allowed arc gains is {best:.4f}"
        if arc[0] in graph and arc[1] in graph and arc[1] in graph.ancestors(arc[0]):
            return "yours would close a circle with the arcs before it"
        if set(arc) <= set(score.variables) and set(arc) not in map(set, lines):
            return f"the tests do not allow the line {arc[0]}-{arc[1]}"
        return f"of the arcs that are allowed and close no circle it gains most ({best:.4f})" if best > SAME else \
            "no arc that is allowed raises the score any more"
    return Options([arc for arc, gain in gains.items() if best > SAME and abs(gain - best) < SAME], why)


def climbed(score: bn.BIC, lines: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """All steps of a right run."""
    taken: list[tuple[str, str]] = []
    while steps := climb_options(score, lines, taken=taken).steps:
        taken.append(steps[0])
    return taken


# -- 14.7: to build --------------------------------------------------------------------------------------------
def examine_lost(answer: Any, a: str, b: str, e: str, x: str, n: int) -> str:
    """The tests and the score, each run on what was built."""
    columns, problem = read_columns(answer, [a, b, e, x], n, states=3)
    if problem:
        return problem
    t = bn.Table(columns)
    climbed = bn.hill_climb(bn.BIC(t)).graph
    if not climbed.adjacent(e, x):
        return f"hill climbing with BIC ends in {show(climbed)}, where {e} and {x} are not joined; they should be"
    allowed = bn.mmpc(bn.GSquare(t, 0.05, adjust=True)).graph
    return f"the tests allow {show(allowed)}: {e}-{x} is among these lines, and they should deny it" \
        if allowed.adjacent(e, x) else ""


def lost(a: str, b: str, e: str, x: str, n: int) -> dict[str, list[int]]:
    """e is a or b, and x is e with an error in every tenth row."""
    one, two = [i // 2 % 2 for i in range(n)], [i % 2 for i in range(n)]
    either = [i | j for i, j in zip(one, two)]
    return {a: one, b: two, e: either, x: [v ^ (i // 4 % 10 == 0) for i, v in enumerate(either)]}


BRONC = {"lung": {(): 40.1, ("dysp",): 161.2}, "smoke": {(): 841.0, ("dysp",): 355.3},
         "xray": {(): 11.2, ("dysp",): 70.4}, "tub": {(): 0.4, ("dysp",): 41.0}}
PAPER = {"X": {(): 12.0, ("Z",): 9.0}, "Y": {(): 10.0, ("Z",): 11.0}}
BACK = ((DSeparation(DAG("A->T, B->T, A->X, B->X")), "T", ["X", "A", "B"]),  # only A and B together
        (DSeparation(DAG("T->A, A->X, T->C, X->C")), "T", ["A", "X", "C"]))  # only A alone
RACES = tuple(draw_target(np.random.default_rng(seed)) for seed in (8, 18))  # where pairs, and where only all, mislead

QUESTIONS = (
    Question("14.1", "The weakest association", "weakest", "one line", draw_weakest,
             lambda given: min(given.values()), first=((BRONC["lung"],), (BRONC["smoke"],)), withheld=LEARNERS, mistakes={
                 "this is the strongest; some set that shows a variable up is enough":
                     lambda given: max(given.values()),
                 "this is the association with nothing given; the sets of the chosen count too":
                     lambda given: given[()],
                 "this is with all of the chosen given; smaller sets count too":
                     lambda given: given[max(given, key=len)],
                 "a minimum is asked for, no average": lambda given: sum(given.values()) / len(given),
             }),
    Question("14.2", "Who joins next?", "next_to_join", "three lines", draw_candidates, max_min, points=2,
             first=((BRONC, LEAST), (PAPER, LEAST), ({"X": {(): 20.5, ("Z",): 2.1}}, LEAST)), withheld=LEARNERS,
             mistakes={
                 "all are independent given some set, so nobody is left to join":
                     lambda s, least: max_min(s, float("-inf")),
                 "its strongest association is strongest; compare the candidates at their weakest":
                     lambda s, least: max_min(s, least, of=max),
                 "of the weakest associations the strongest joins, and this is the weakest of them":
                     lambda s, least: max_min(s, least, choose=min),
                 "this goes by the association with nothing given; take the weakest over all sets":
                     lambda s, least: max_min({x: {(): given[()]} for x, given in s.items()}, least),
             }),
    Question("14.3", "Growing, step by step", "grow", "steps", draw_target, grown, points=3, first=RACES,
             options=grow_options, withheld=LEARNERS),
    Question("14.4", "Looking back", "look_back", "function", draw_chosen, look_back, points=2, first=BACK,
             withheld=LEARNERS, mistakes={
                 "a set of all others is only one of the sets to try": all_at_once,
                 "sets of several variables are to be tried too":
                     lambda oracle, target, chosen: look_back(oracle, target, chosen, (0, 1)),
                 "these are the ones that leave; give those that stay":
                     lambda oracle, target, chosen: set(chosen) - look_back(oracle, target, chosen),
             }),
    Question("14.5", "Each other, line by line", "candidate_lines", "lines in order", draw_choices, each_other,
             first=(({"A": ["B", "C"], "B": ["A"], "C": []},),), withheld=LEARNERS, mistakes={
                 "one side is not enough: each has to choose the other": lambda chosen: each_other(chosen, any),
                 "these are the pairs of which only one chose the other":
                     lambda chosen: each_other(chosen, any) - each_other(chosen),
             }),
    Question("14.6", "A climb among few lines", "climb", "steps", draw_climb, climbed, points=3, options=climb_options,
             withheld=LEARNERS),
    Question("14.7", "What no test can see", "lost_line", "build",
             lambda random: (*names(random, 4), 20 * int(random.integers(6, 11))), lost, points=3,
             examine=examine_lost),
)
