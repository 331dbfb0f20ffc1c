"""Exercise 11: swaps, the score of an order, dynamic programming over subsets, and cluster constraints. Lesson 11_searching_orders."""

from __future__ import annotations

from itertools import combinations
from math import comb
from typing import Any

import numpy as np

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.grading.plain import Graph
from bnteach.course.exercises.questions import constructed
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, names, shuffled, table
from bnteach.course.exercises.questions.q10 import best, greedy
from bnteach.datasets import five_rows
from bnteach.learn.search.ties import TOLERANCE

LEARNERS = ("learn",)
Order = tuple[str, ...]


# -- 11.1: swaps -------------------------------------------------------------------------------------------------
def swaps(order: list[str]) -> set[Order]:
    """All orders with two adjacent variables exchanged."""
    return {(*order[:i], order[i + 1], order[i], *order[i + 2:]) for i in range(len(order) - 1)}


def draw_names(random: Random) -> tuple[list[str]]:
    return (shuffled(random, names(random, int(random.integers(5, 9)))),)


def any_two(order: list[str]) -> set[Order]:
    """All orders with any two exchanged."""
    return {tuple({order[i]: order[j], order[j]: order[i]}.get(x, x) for x in order)
            for i, j in combinations(range(len(order)), 2)}


# -- 11.2 and 11.3: orders and their scores ------------------------------------------------------------------------
def draw_score(random: Random) -> bn.MDL:
    if random.random() < 0.4:
        return constructed.xor_like(random)
    return bn.MDL(table(random, 4, rows=int(random.integers(15, 30))))


def draw_order(random: Random) -> tuple:
    score = draw_score(random)
    return score, shuffled(random, list(score.variables))


def orders_that_mislead(random: Random) -> list[tuple]:
    """The last variable has four parents, with another variable between them; or the third has two, which K3 does not find."""
    score, child, (a, b, c, d, other) = constructed.parity_of(random, 4, 75, 90)
    pair, parity, (x, y, z) = constructed.hidden_pair(random)
    return [(score, [a, b, other, c, d, child]), (pair, [x, y, parity, z])]


def order_score(score: bn.Score, order: Any) -> float:
    """The best score of a graph whose arcs all follow the order."""
    return sum(score.family(x, best(score, x, list(order[:i]))) for i, x in enumerate(order))


def k3_score(score: bn.Score, order: list[str]) -> float:
    return sum(score.family(x, greedy(score, x, order[:i])) for i, x in enumerate(order))


def draw_climb(random: Random) -> tuple:
    """A score and an order that at least one swap improves."""
    while True:
        score, order = draw_order(random)
        if climb(score, order):
            return score, order


def climbs_that_mislead(random: Random) -> list[tuple]:
    return [constructed.three_swaps(random), constructed.last_but_one(random), draw_ends(random)]


def draw_ends(random: Random) -> tuple:
    """A score and an order that gain more by exchanging the first variable with the last than by any adjacent swap."""
    while True:
        score, order = draw_climb(random)
        ends = [order[-1], *order[1:-1], order[0]]
        if order_score(score, ends) > order_score(score, climb(score, order)[0]) + 1e-6:
            return score, order


def climb(score: bn.Score, order: list[str]) -> list[Order]:
    """The orders that hill climbing by swaps reaches."""
    now, found = tuple(order), []
    while True:
        top = max(sorted(swaps(list(now))), key=lambda o: order_score(score, o))
        if order_score(score, top) <= order_score(score, now) + TOLERANCE:
            return found
        found.append(now := top)


def climb_options(score: bn.Score, order: list[str], taken: list) -> Options:
    now = taken[-1] if taken else tuple(order)
    here, neighbours = order_score(score, now), {o: order_score(score, o) for o in sorted(swaps(list(now)))}
    top = max(neighbours.values())
    if top <= here + TOLERANCE:
        return Options([], f"no swap of adjacent variables raises the score of {', '.join(now)}, {here:.4f}")

    def why(step: Any) -> str:
        step = tuple(step) if isinstance(step, list | tuple) and all(isinstance(x, str) for x in step) else None
        if step in neighbours:
            return f"yours scores {neighbours[step]:.4f}, and the best swap scores {top:.4f}"
        return f"from {', '.join(now)} it is the best swap of two adjacent variables, with a score of {top:.4f}"
    return Options([o for o, value in neighbours.items() if value >= top - TOLERANCE], why)


# -- 11.4: dynamic programming over subsets -------------------------------------------------------------------------
def exact_score(score: bn.Score) -> float:
    return bn.exact(score).score


def four_parents(random: Random) -> list[tuple[bn.Score]]:
    return [constructed.parity_of(random, 4, 75, 90)[:1]]


# -- 11.5 and 11.6: the integer program ------------------------------------------------------------------------------
def families(candidates: dict[str, list[str]], max_parents: int) -> int:
    """The unknowns of the integer program."""
    return sum(comb(len(names), size) for names in candidates.values() for size in range(max_parents + 1))


def draw_candidates(random: Random) -> tuple[dict[str, list[str]], int]:
    """Different numbers of candidates for each variable; one has none, and one has all others."""
    nodes = names(random, int(random.integers(6, 11)))
    sizes = shuffled(random, [0, len(nodes) - 1, *random.integers(1, len(nodes), size=len(nodes) - 2).tolist()])
    others = {x: shuffled(random, [y for y in nodes if y != x]) for x in nodes}
    return {x: sorted(others[x][:size]) for x, size in zip(nodes, sizes)}, int(random.integers(2, 5))


def draw_cycle(random: Random) -> tuple[dict[str, list[str]]]:
    """Parents for each variable: a cycle among some, variables above it, and variables below it or apart from it."""
    nodes = names(random, 7)
    mixed = shuffled(random, nodes)
    start = int(random.integers(3))
    cycle = mixed[start: start + int(random.integers(2, 5))]
    parents = {x: [y for y in mixed[: start if x in cycle else i] if random.random() < 0.4] for i, x in enumerate(mixed)}
    for a, b in zip(cycle, [*cycle[1:], cycle[0]]):
        parents[b].append(a)
    return ({x: shuffled(random, parents[x]) for x in nodes},)


def cycles_below_a_path(random: Random) -> list[tuple[dict[str, list[str]]]]:
    """A path of three variables leads to each of the five on a cycle; as their first parent, or as their last."""
    nodes = names(random, 10)
    root, middle, end, below, apart, *cycle = shuffled(random, nodes)
    both = {x: [end, before] for x, before in zip(cycle, [cycle[-1], *cycle])}
    rest = {root: [], middle: [root], end: [middle], below: [end, cycle[0]], apart: []}
    return [({x: (rest | both)[x][::step] for x in nodes},) for step in (1, -1)]


def cluster(parents: dict[str, list[str]]) -> set[str]:
    """Remove every variable without a remaining parent; the rest is a cluster whose constraint is violated."""
    left = set(parents)
    while first := {x for x in left if not left & set(parents[x])}:
        left -= first
    return left


def examine_cluster(answer: Any, parents: dict[str, list[str]]) -> str:
    if not isinstance(answer, list | tuple | set) or isinstance(answer, Graph):
        return f"a set of variables is asked for, and you give {show(answer)}"
    chosen = sorted({str(x) for x in answer})
    if strange := [x for x in chosen if x not in parents]:
        return f"{strange[0][:40]} is not one of the variables"
    if not chosen:
        return "the empty set is not a cluster"
    for x in chosen:
        if not set(parents[x]) & set(chosen):
            outside = f"its parents, {', '.join(parents[x])}, are all outside" if parents[x] else "it has no parents"
            return f"{x} has no parent in {{{', '.join(chosen)}}} ({outside}), so this cluster constraint is not violated"
    return ""


FIVE = bn.MDL(five_rows())
COINS = constructed.xor_like(np.random.default_rng(0))
QUESTIONS = (
    Question("11.1", "All swaps", "swaps", "one line", draw_names, swaps,
             first=((list("DCBA"),),), withheld=LEARNERS, mistakes={
                 "these exchange any two variables; exchange only adjacent ones": any_two,
             }),
    Question("11.2", "The score of an order", "order_score", "three lines", draw_order, order_score, points=2, draws=5,
             first=((FIVE, list("DCBA")), (COINS, list(COINS.variables))), adversarial=orders_that_mislead,
             withheld=LEARNERS, mistakes={
                 "this is the score that K3 reaches; the best parents of each variable are asked for": k3_score,
                 "here every variable chooses among all others, not only among its predecessors": lambda score, order:
                     sum(score.family(x, best(score, x, [y for y in order if y != x])) for x in order),
             }),
    Question("11.3", "Hill climbing over orders", "climb_orders", "steps", draw_climb, climb, points=3, options=climb_options,
             first=((FIVE, list("DCBA")),), adversarial=climbs_that_mislead, withheld=LEARNERS),
    Question("11.4", "Dynamic programming over subsets, line by line", "best_score", "lines in order", lambda random: (draw_score(random),),
             exact_score, points=3, first=((FIVE,), (COINS,)), adversarial=four_parents,
             withheld=(*LEARNERS, "graphs.counting"), mistakes={
                 "this is the best score for the order of the columns; any variable may be the sink":
                     lambda score: order_score(score, score.variables),
                 "here every variable has its best parents among all others, and the result need not be a DAG": lambda score:
                     sum(score.family(x, best(score, x, [y for y in score.variables if y != x])) for x in score.variables),
             }),
    Question("11.5", "The unknowns of the program", "unknowns", "function", draw_candidates, families, points=1,
             first=(({x: [y for y in "ABCD" if y != x] for x in "ABCD"}, 3),), draws=5, mistakes={
                 "this counts all sets of candidates; a set has at most max_parents of them": lambda candidates, limit:
                     families(candidates, 10),
                 "these sets have exactly max_parents elements; smaller ones count too": lambda candidates, limit:
                     families(candidates, limit) - families(candidates, limit - 1),
                 "sets of max_parents elements count too": lambda candidates, limit: families(candidates, limit - 1),
                 "not every variable has all others as candidates": lambda candidates, limit:
                     families(dict.fromkeys(candidates, list(candidates)[1:]), limit),
                 "the empty set is a set of parents too": lambda candidates, limit:
                     families(candidates, limit) - len(candidates),
             }),
    Question("11.6", "A violated cluster constraint", "cluster", "build", draw_cycle, cluster, points=3, examine=examine_cluster,
             first=(({"A": ["B"], "B": ["C"], "C": ["A"], "D": ["A"]},),), adversarial=cycles_below_a_path),
)
