"""Exercise 14: a maximum of minima, and restricted hill climbing. Lesson 14_hybrid."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import names
from bnteach.course.exercises.questions.inputs14 import (
    Given,
    draw_candidates,
    draw_choices,
    draw_chosen,
    draw_climb,
    draw_target,
    draw_weakest,
    hard_chosen,
    hard_climbs,
    hard_targets,
    subsets,
    weak_given_one_set,
    weakest_by_size,
)
from bnteach.course.exercises.questions.read import read_columns
from bnteach.graphs.dag import DAG
from bnteach.independence.d_separation import DSeparation
from bnteach.independence.oracle import Verdict
from bnteach.learn.mmhc import strongest

LEARNERS = ("learn",)
TOLERANCE = 1e-7


# -- 14.1 and 14.2: a minimum, and a maximum of minima ---------------------------------------------------------
def max_min(strengths: dict[str, Given], least: float, of: Any = min, choose: Any = max) -> str | None:
    """The name of the candidate whose weakest association is strongest; None if all are independent."""
    weakest = {x: of(given.values()) for x, given in strengths.items()}
    weakest = {x: value for x, value in weakest.items() if value >= least}
    return choose(weakest, key=weakest.get) if weakest else None


# -- 14.3: the forward phase -----------------------------------------------------------------------------------
def weakest_verdict(test: bn.GSquare, x: str, target: str, chosen: list[str]) -> tuple[Verdict, tuple[str, ...]]:
    """The minimum association over all subsets of the chosen variables, and the subset that attains it."""
    verdicts = {given: test(x, target, given) for given in subsets(chosen)}
    weakest, by = verdicts[()], ()
    for given, verdict in verdicts.items():
        if strongest({"weakest": weakest, "this": verdict}) == "weakest":
            weakest, by = verdict, given
    return weakest, by


def tied(one: Verdict, other: Verdict) -> bool:
    """Whether both are equally strong, up to rounding."""
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
            by = ", ".join(weakest[step][1]) or "the empty set"
            return f"given {by}, {step} is independent of {target} (p = {weakest[step][0].p_value:.3g}), so it is excluded"
        if best is None:
            return f"each of the others is independent of {target} given some subset of {chosen}"
        numbers = "; ".join(f"{x} {v.statistic:.1f} (p = {v.p_value:.2g})" for x, v in left.items())
        return f"the weakest associations over all subsets of {chosen} are: {numbers}; the strongest of these joins"
    return Options([x for x in left if x == best or tied(left[x], left[best])], why)


def grown(t: bn.Table, target: str, alpha: float) -> list[str]:
    """All steps of a right run."""
    taken: list[str] = []
    while steps := grow_options(t, target, alpha, taken=taken).steps:
        taken.append(steps[0])
    return taken


# -- 14.4 and 14.5: backward phase, symmetry correction --------------------------------------------------------
def backward_phase(oracle: DSeparation, target: str, chosen: list[str], tried: Any = subsets) -> set[str]:
    """The variables that no subset of the other remaining ones makes independent of the target."""
    left = list(chosen)
    for x in chosen:
        others = [y for y in left if y != x]
        left = others if any(oracle(x, target, given) for given in tried(others)) else left
    return set(left)


def symmetric(chosen: dict[str, list[str]], rule: Any = all) -> set[frozenset[str]]:
    return {frozenset((a, b)) for a, b in combinations(chosen, 2) if rule((b in chosen[a], a in chosen[b]))}


# -- 14.6: restricted hill climbing ----------------------------------------------------------------------------
def climb_options(score: bn.BIC, edges: list[tuple[str, str]], taken: list) -> Options:
    graph = DAG(taken, score.variables)
    gains = {(a, b): score.family(b, {*graph.parents(b), a}) - score.family(b, graph.parents(b))
             for edge in edges for a, b in (edge, edge[::-1])
             if not graph.adjacent(a, b) and b not in graph.ancestors(a)}
    best = max(gains.values(), default=0.0)

    def why(step: Any) -> str:
        arc = tuple(step) if isinstance(step, list | tuple) and len(step) == 2 else ("", "")
        arc = arc if all(isinstance(end, str) for end in arc) else ("", "")
        if arc in gains and gains[arc] <= TOLERANCE:
            return f"yours changes the score by {gains[arc]:+.4f}, and no arc that is allowed raises it any more"
        if arc in gains:
            return f"yours gains {gains[arc]:.4f}, and the best allowed arc gains {best:.4f}"
        if arc[0] in graph and arc[1] in graph and arc[1] in graph.ancestors(arc[0]):
            return "yours would create a cycle with the arcs before it"
        if set(arc) <= set(score.variables) and set(arc) not in map(set, edges):
            return f"the tests do not allow the edge {arc[0]}-{arc[1]}"
        return f"of the arcs that are allowed and create no cycle it has the largest gain ({best:.4f})" if best > TOLERANCE else \
            "no arc that is allowed raises the score any more"
    return Options([arc for arc, gain in gains.items() if best > TOLERANCE and abs(gain - best) < TOLERANCE], why)


def climbed(score: bn.BIC, edges: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """All steps of a right run."""
    taken: list[tuple[str, str]] = []
    while steps := climb_options(score, edges, taken=taken).steps:
        taken.append(steps[0])
    return taken


# -- 14.7: to build --------------------------------------------------------------------------------------------
def examine_lost(answer: Any, a: str, b: str, e: str, x: str, n: int) -> str:
    """The tests and the score, each run on the construction."""
    columns, problem = read_columns(answer, [a, b, e, x], n, states=3)
    if problem:
        return problem
    t = bn.Table(columns)
    climbed = bn.hill_climb(bn.BIC(t)).graph
    if not climbed.adjacent(e, x):
        return f"hill climbing with BIC ends in {show(climbed)}, where {e} and {x} are not adjacent; they should be"
    allowed = bn.mmpc(bn.GSquare(t, 0.05, adjust=True)).graph
    return f"the tests allow {show(allowed)}: {e}-{x} is among these edges, and the tests should remove it" \
        if allowed.adjacent(e, x) else ""


def lost(a: str, b: str, e: str, x: str, n: int) -> dict[str, list[int]]:
    """e is a or b, and x is e with an error in every tenth row."""
    one, two = [i // 2 % 2 for i in range(n)], [i % 2 for i in range(n)]
    either = [i | j for i, j in zip(one, two)]
    return {a: one, b: two, e: either, x: [v ^ (i // 4 % 10 == 0) for i, v in enumerate(either)]}


BRONC = {"lung": {(): 9.7, ("dysp",): 35.0}, "smoke": {(): 184.1, ("dysp",): 77.1},  # -log10 p, as in the lesson
         "xray": {(): 3.0, ("dysp",): 34.9}, "tub": {(): 0.7, ("dysp",): 13.9}}
PAPER = {"X": {(): 12.0, ("Z",): 9.0}, "Y": {(): 10.0, ("Z",): 11.0}}
BACK = ((DSeparation(DAG("A->T, B->T, A->X, B->X")), "T", ["X", "A", "B"]),  # only A and B together
        (DSeparation(DAG("T->A, A->X, T->C, X->C")), "T", ["A", "X", "C"]))  # only A alone

QUESTIONS = (
    Question("14.1", "The weakest association", "weakest", "one line", draw_weakest,
             lambda given: min(given.values()), first=((BRONC["lung"],), (BRONC["smoke"],)),
             adversarial=weakest_by_size, withheld=LEARNERS, mistakes={
                 "this is the strongest; one set that makes the variable independent is enough":
                     lambda given: max(given.values()),
                 "this is the marginal association; consider the other subsets of the chosen variables too":
                     lambda given: given[()],
                 "this is the association given all chosen variables; consider smaller sets too":
                     lambda given: given[max(given, key=len)],
                 "this leaves out the empty set": lambda given: min(value for some, value in given.items() if some),
                 "larger sets count too": lambda given: min(value for some, value in given.items() if len(some) < 2),
                 "a minimum is asked for, not an average": lambda given: sum(given.values()) / len(given),
             }),
    Question("14.2", "Which variable joins next?", "next_to_join", "three lines", draw_candidates, max_min, points=2,
             first=((BRONC, 1.3), (PAPER, 1.3), ({"X": {(): 20.5, ("Z",): 0.9}}, 1.3)),
             adversarial=weak_given_one_set, withheld=LEARNERS, mistakes={
                 "all are independent given some set, so none can join":
                     lambda s, least: max_min(s, float("-inf")),
                 "this one has the largest maximum; compare the minima of the candidates":
                     lambda s, least: max_min(s, least, of=max),
                 "the candidate with the largest minimum joins, and this one has the smallest":
                     lambda s, least: max_min(s, least, choose=min),
                 "this compares marginal associations; take the minimum over all sets":
                     lambda s, least: max_min({x: {(): given[()]} for x, given in s.items()}, least),
             }),
    Question("14.3", "The forward phase, step by step", "grow", "steps", draw_target, grown, points=3,
             adversarial=hard_targets, options=grow_options, withheld=LEARNERS),
    Question("14.4", "The backward phase", "backward_phase", "function", draw_chosen, backward_phase, points=2, first=BACK,
             adversarial=hard_chosen, withheld=LEARNERS, mistakes={
                 "the set of all others is only one of the sets to test":
                     lambda oracle, target, chosen: backward_phase(oracle, target, chosen, lambda others: [others]),
                 "sets of several variables must be tested too":
                     lambda oracle, target, chosen: backward_phase(oracle, target, chosen, lambda others:
                                                                   [(), *((other,) for other in others)]),
                 "sets of three and more variables must be tested too":
                     lambda oracle, target, chosen: backward_phase(oracle, target, chosen, lambda others:
                                                                   (given for given in subsets(others) if len(given) < 3)),
                 "go through the variables in order; one that is removed no longer counts among the others":
                     lambda oracle, target, chosen: {x for x in chosen if x in backward_phase(
                         oracle, target, [x, *(y for y in chosen if y != x)])},
                 "these are the removed variables; return those that remain":
                     lambda oracle, target, chosen: set(chosen) - backward_phase(oracle, target, chosen),
             }),
    Question("14.5", "Symmetry correction, line by line", "candidate_edges", "lines in order", draw_choices, symmetric,
             first=(({"A": ["B", "C"], "B": ["A"], "C": []},),), adversarial=lambda random: [draw_choices(random, 0.8)],
             withheld=LEARNERS, mistakes={
                 "one side is not enough: each must be a candidate of the other": lambda chosen: symmetric(chosen, any),
                 "these are the pairs of which only one is a candidate of the other":
                     lambda chosen: symmetric(chosen, any) - symmetric(chosen),
             }),
    Question("14.6", "Restricted hill climbing", "climb", "steps", draw_climb, climbed, points=3,
             adversarial=hard_climbs, options=climb_options, withheld=LEARNERS),
    Question("14.7", "An edge that the tests miss", "lost_edge", "build",
             lambda random: (*names(random, 4), 20 * int(random.integers(6, 11))), lost, points=3, draws=2,
             adversarial=lambda random: [(*names(random, 4), n) for n in (120, 200)], examine=examine_lost),
)
