"""Exercise 11: swaps, the score of an order, exact search, and clusters. Lesson 11_searching_orders."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import comb
from typing import Any

import numpy as np

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.grading.plain import Graph
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, names, shuffled, table
from bnteach.course.exercises.questions.q10 import best, greedy, xor_like
from bnteach.datasets import five_rows

LEARNERS = ("learn",)
SAME = 1e-9
Order = tuple[str, ...]


# -- 11.1: swaps -------------------------------------------------------------------------------------------------
def swaps(order: list[str]) -> set[Order]:
    """All orders with two neighbours exchanged."""
    return {(*order[:i], order[i + 1], order[i], *order[i + 2:]) for i in range(len(order) - 1)}


def any_two(order: list[str]) -> set[Order]:
    """All orders with any two exchanged."""
    return {tuple({order[i]: order[j], order[j]: order[i]}.get(x, x) for x in order)
            for i, j in combinations(range(len(order)), 2)}


# -- 11.2 and 11.3: orders and their scores ------------------------------------------------------------------------
def draw_score(random: Random) -> bn.MDL:
    if random.random() < 0.4:
        return xor_like(random)
    return bn.MDL(table(random, 4, rows=int(random.integers(15, 30))))


def draw_order(random: Random) -> tuple:
    score = draw_score(random)
    return score, shuffled(random, list(score.variables))


def order_score(score: bn.Score, order: Any) -> float:
    """The best score of a graph whose arcs all lead forward."""
    return sum(score.family(x, best(score, x, list(order[:i]))) for i, x in enumerate(order))


def k3_score(score: bn.Score, order: list[str]) -> float:
    return sum(score.family(x, greedy(score, x, order[:i])) for i, x in enumerate(order))


def draw_climb(random: Random) -> tuple:
    """A score and an order from which at least one swap leads up."""
    while True:
        score, order = draw_order(random)
        if climb(score, order):
            return score, order


def climb(score: bn.Score, order: list[str]) -> list[Order]:
    """The orders that a climb by swaps comes to."""
    now, found = tuple(order), []
    while True:
        top = max(sorted(swaps(list(now))), key=lambda o: order_score(score, o))
        if order_score(score, top) <= order_score(score, now) + SAME:
            return found
        found.append(now := top)


def climb_options(score: bn.Score, order: list[str], taken: list) -> Options:
    now = taken[-1] if taken else tuple(order)
    here, near = order_score(score, now), {o: order_score(score, o) for o in sorted(swaps(list(now)))}
    top = max(near.values())
    if top <= here + SAME:
        return Options([], f"no swap of neighbours raises the score of {', '.join(now)}, {here:.4f}")

    def why(step: Any) -> str:
        step = tuple(step) if isinstance(step, list | tuple) and all(isinstance(x, str) for x in step) else None
        if step in near:
            return f"yours scores {near[step]:.4f}, and {top:.4f} can be had by another swap"
        return f"from {', '.join(now)} it is the best swap of two neighbours, with a score of {top:.4f}"
    return Options([o for o, value in near.items() if value >= top - SAME], why)


# -- 11.4: exact search --------------------------------------------------------------------------------------------
def exact_score(score: bn.Score) -> float:
    return bn.exact(score).score


# -- 11.5 and 11.6: the integer program ------------------------------------------------------------------------------
def families(n: int, most: int) -> int:
    """The unknowns of the integer program."""
    return n * sum(comb(n - 1, size) for size in range(most + 1))


def draw_circles(random: Random) -> tuple[dict[str, list[str]]]:
    """Parents for each variable, with a circle among some of them, and a variable that is in none."""
    nodes = names(random, 6)
    mixed = shuffled(random, nodes)
    size = int(random.integers(2, 5))
    ring, rest = mixed[:size], mixed[size:]
    parents: dict[str, set[str]] = {node: set() for node in nodes}
    for a, b in [*pairwise(ring), (ring[-1], ring[0])]:
        parents[b].add(a)
    for node in rest:  # these come after the circle or stand alone: nobody in the circle has them as a parent
        parents[node] |= {other for other in mixed[: mixed.index(node)] if random.random() < 0.4}
    return ({node: sorted(parents[node]) for node in nodes},)


def cluster(parents: dict[str, list[str]]) -> set[str]:
    """Take away whoever has no parent left; what remains is a cluster in which nobody comes first."""
    left = set(parents)
    while first := {x for x in left if not left & set(parents[x])}:
        left -= first
    return left


def examine_cluster(answer: Any, parents: dict[str, list[str]]) -> str:
    if not isinstance(answer, list | tuple | set) or isinstance(answer, Graph):
        return f"a set of variables is asked for, and you give {show(answer)}"
    chosen = sorted({str(x) for x in answer})
    if strange := [x for x in chosen if x not in parents]:
        return f"{strange[0][:40]} is none of the variables"
    if not chosen:
        return "the empty set is no cluster"
    for x in chosen:
        if not set(parents[x]) & set(chosen):
            outside = f"its parents {', '.join(parents[x])} are all outside" if parents[x] else "it has no parents"
            return f"in {{{', '.join(chosen)}}} the variable {x} comes first ({outside}), so this cluster forbids nothing here"
    return ""


FIVE = bn.MDL(five_rows())
COINS = xor_like(np.random.default_rng(0))
QUESTIONS = (
    Question("11.1", "All swaps", "swaps", "one line", lambda random: (names(random, int(random.integers(3, 7))),), swaps,
             first=((list("DCBA"),),), withheld=LEARNERS, mistakes={
                 "these exchange any two; only neighbours in the order are to be exchanged": any_two,
             }),
    Question("11.2", "The score of an order", "order_score", "three lines", draw_order, order_score, points=2, draws=5,
             first=((FIVE, list("DCBA")), (COINS, list(COINS.variables))), withheld=LEARNERS, mistakes={
                 "this is the score that K3 reaches; the best parents of each variable are asked for": k3_score,
                 "here every variable chooses among all others, and not only among those before it": lambda score, order:
                     sum(score.family(x, best(score, x, [y for y in order if y != x])) for x in order),
             }),
    Question("11.3", "Climbing over orders", "climb_orders", "steps", draw_climb, climb, points=3, options=climb_options,
             first=((FIVE, list("DCBA")),), withheld=LEARNERS),
    Question("11.4", "Exact search, line by line", "best_score", "lines in order", lambda random: (draw_score(random),),
             exact_score, points=3, first=((FIVE,), (COINS,)), withheld=(*LEARNERS, "graphs.counting"), mistakes={
                 "this is the best score along the order of the columns; some variable is last, and it may be any":
                     lambda score: order_score(score, score.variables),
                 "here every variable has its best parents among all others, which need not be a DAG": lambda score:
                     sum(score.family(x, best(score, x, [y for y in score.variables if y != x])) for x in score.variables),
             }),
    Question("11.5", "The unknowns of the program", "unknowns", "function",
             lambda random: (n := int(random.integers(5, 40)), int(random.integers(1, min(n, 6)))), families, points=1,
             first=((4, 3), (20, 2)), draws=5, mistakes={
                 "this is for one variable; each has its own": lambda n, most: families(n, most) // n,
                 "a variable is not its own parent: it chooses among n - 1": lambda n, most:
                     n * sum(comb(n, size) for size in range(most + 1)),
                 "the empty set is a set of parents too": lambda n, most: families(n, most) - n,
             }),
    Question("11.6", "A cluster to forbid", "cluster", "build", draw_circles, cluster, points=3, examine=examine_cluster,
             first=(({"A": ["B"], "B": ["C"], "C": ["A"], "D": ["A"]},),)),
)
