"""Exercise 9: the gain of a move, the neighbours of a graph, a climb, and columns that mislead it. 09_local_search."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, dag, disguised, table
from bnteach.course.exercises.questions.read import read_order
from bnteach.datasets import five_rows
from bnteach.graphs.dag import DAG

CLIMBING = ("learn",)
SAME = 1e-7
MISLEADING = (3, 4, 16, 43, 51, 58, 60, 68, 73, 79, 80, 103, 131, 150, 174, 180, 192, 215, 217, 228, 239, 240, 241, 245)
Move = tuple[str, str, str]  # "add", "remove" or "reverse", and the arc as it is, or as it comes


def score_of(t: bn.Table) -> bn.MDL:
    return bn.MDL(t)


# -- 9.1 to 9.3: moves and their gains -------------------------------------------------------------------------
def moves(graph: DAG, circles: bool = False) -> set[Move]:
    """All changes of one arc that leave a DAG; with `circles`, whatever they leave."""
    found: set[Move] = {("remove", a, b) for a, b in graph.arcs}
    for a in graph.nodes:
        for b in graph.nodes:
            if a != b and not graph.adjacent(a, b) and (circles or a not in graph.descendants(b)):
                found.add(("add", a, b))
    for a, b in graph.arcs:
        if circles or b not in graph.without_arc(a, b).descendants(a):
            found.add(("reverse", a, b))
    return found


def after(graph: DAG, move: Move) -> DAG:
    change, a, b = move
    done = {"add": graph.with_arc, "remove": graph.without_arc, "reverse": graph.with_reversed}
    return done[change](a, b)


def gain(score: bn.Score, graph: DAG, change: str, a: str, b: str) -> float:
    """The difference of the two scores, family by family."""
    changed = after(graph, (change, a, b))
    return sum(score.family(x, changed.parents(x)) - score.family(x, graph.parents(x)) for x in (a, b))


def half(score: bn.Score, graph: DAG, change: str, a: str, b: str) -> float:
    """What comes out if only the family of b is looked at."""
    parents = set(graph.parents(b)) ^ {a}
    return score.family(b, parents) - score.family(b, graph.parents(b))


def draw_move(random: Random) -> tuple:
    t = table(random, 4, rows=int(random.integers(10, 25)), states=(2, 3, 2, 2))
    graph = dag(random, t.variables, arcs=int(random.integers(3, 6)))
    possible = sorted(moves(graph))
    kinds = sorted({change for change, _, _ in possible})
    change = kinds[int(random.integers(len(kinds)))]
    chosen = [move for move in possible if move[0] == change]
    return score_of(t), graph, *chosen[int(random.integers(len(chosen)))]


def draw_adding(random: Random) -> tuple:
    while True:
        score, graph, change, a, b = draw_move(random)
        if change == "add":
            return score, graph, a, b


def draw_graph(random: Random) -> tuple[DAG]:
    """A graph in which some arc cannot be turned, and some cannot be put in."""
    while True:
        graph = dag(random, 4, arcs=int(random.integers(3, 5)))
        kinds = {change for change, _, _ in moves(graph, circles=True) - moves(graph)}
        if kinds == {"add", "reverse"}:
            return (graph,)


# -- 9.4: a climb ------------------------------------------------------------------------------------------------
def draw_score(random: Random) -> tuple[bn.Score]:
    while True:
        score = score_of(table(random, 4, rows=int(random.integers(15, 30))))
        if len(climb(score)) >= 2:
            return (score,)


def climb(score: bn.Score) -> list[Move]:
    """The library's own climb from the graph without arcs."""
    steps = bn.hill_climb(score).trace
    return [(step.change, step.parent, step.child) for step in steps if hasattr(step, "change")]


def climb_options(score: bn.Score, taken: list) -> Options:
    graph = DAG((), score.variables)
    for move in taken:
        graph = after(graph, move)
    gains = {move: gain(score, graph, *move) for move in sorted(moves(graph))}
    top = max(gains.values())
    if top <= SAME:
        return Options([], f"no change of one arc raises the score of {show(graph)}")

    def why(step: Any) -> str:
        move = tuple(step) if isinstance(step, list | tuple) and all(isinstance(part, str) for part in step) else None
        if move in gains:
            return f"yours gains {gains[move]:.4f}, and {top:.4f} can be had"
        if move in moves(graph, circles=True):
            return f"yours would close a circle in {show(graph)}"
        return f"in {show(graph)} it gains most, {top:.4f}; a step is written ('add', a, b)"
    return Options([move for move, value in gains.items() if value >= top - SAME], why)


# -- 9.5: restarts -----------------------------------------------------------------------------------------------
def draw_starts(random: Random) -> tuple[bn.Score, list[DAG]]:
    """Three graphs to climb from, of which neither the first nor the last leads highest."""
    while True:
        score = score_of(table(random, 4, rows=int(random.integers(10, 25))))
        starts = [dag(random, score.variables, arcs=int(random.integers(1, 6))) for _ in range(3)]
        (_, one), (middle, other), (high, best) = sorted(zip(ends(score, starts), starts), key=lambda end: end[0])
        if high > middle + 1e-3:
            return score, [one, best, other]


def ends(score: bn.Score, starts: list[DAG]) -> list[float]:
    """Where the climbs end."""
    return [bn.hill_climb(score, start=start).score for start in starts]


# -- 9.6: columns that mislead -----------------------------------------------------------------------------------
def end_of(t: bn.Table, order: Any) -> float:
    """Where a climb ends if the columns come in this order."""
    return bn.hill_climb(score_of(t.select(*order))).score


def misleading(t: bn.Table) -> tuple[str, ...] | None:
    top = bn.exact(score_of(t)).score
    return next((order for order in permutations(t.variables) if end_of(t, order) < top - 1e-6), None)


def draw_misleading(random: Random) -> tuple[bn.Table]:
    """A table on which some order of the columns leads to the top, and some does not.

    They are rare: some that were found before are drawn from, with other names, other columns and other states.
    """
    found = np.random.default_rng(MISLEADING[int(random.integers(len(MISLEADING)))])
    return (disguised(random, table(found, "ABCD", rows=int(found.integers(6, 13)))),)


def examine_columns(answer: Any, t: bn.Table) -> str:
    order, problem = read_order(answer, t.variables)
    if problem:
        return problem
    top, end = bn.exact(score_of(t)).score, end_of(t, order)
    if end < top - 1e-6:
        return ""
    return f"with the columns in the order {', '.join(order)} the climb reaches the top, {top:.4f}"


TREE = DAG("B->C, B->D, C->A")
QUESTIONS = (
    Question("9.1", "What an arc brings", "gain_of_adding", "one line", draw_adding,
             lambda score, graph, a, b: gain(score, graph, "add", a, b), points=1, withheld=CLIMBING,
             first=((score_of(five_rows()), TREE, "D", "A"), (score_of(five_rows()), DAG("A, B, C, D"), "B", "D")),
             mistakes={
                 "this is the family with the arc; take off what it was without": lambda score, graph, a, b:
                     score.family(b, [*graph.parents(b), a]),
                 "this puts the arc the other way round": lambda score, graph, a, b:
                     score.family(a, [*graph.parents(a), b]) - score.family(a, graph.parents(a)),
                 "this forgets the parents that the child has already": lambda score, graph, a, b:
                     score.family(b, [a]) - score.family(b),
             }),
    Question("9.2", "The gain of one move", "gain", "three lines", draw_move, gain, points=2, withheld=CLIMBING,
             draws=6, first=((score_of(five_rows()), TREE, "reverse", "C", "A"),), mistakes={
                 "an arc that is turned round changes two families, and this is one of them": half,
             }),
    Question("9.3", "All neighbours", "neighbours", "function", draw_graph, moves, points=3, withheld=CLIMBING,
             first=((DAG("A->B, B->C"),),), mistakes={
                 "some of these close a circle": lambda graph: moves(graph, circles=True),
                 "turning an arc round can close a circle too, if there is another way from its tail to its head":
                     lambda graph: moves(graph) | {("reverse", a, b) for a, b in graph.arcs},
                 "these are the arcs to add and to remove; an arc can also be reversed":
                     lambda graph: {move for move in moves(graph) if move[0] != "reverse"},
             }),
    Question("9.4", "A climb", "climb", "steps", draw_score, climb, points=3, options=climb_options, withheld=CLIMBING,
             first=((score_of(five_rows()),),)),
    Question("9.5", "Restarts, line by line", "best_of_restarts", "lines in order", draw_starts,
             lambda score, starts: max(ends(score, starts)), points=2, draws=3, mistakes={
                 "this is where the last climb ends; keep the best of all": lambda score, starts: ends(score, starts)[-1],
                 "this is where the first climb ends; others may end higher": lambda score, starts: ends(score, starts)[0],
                 "this is the best of the starts; climb from each of them": lambda score, starts: max(map(score, starts)),
             }),
    Question("9.6", "Columns that mislead", "misleading_columns", "build", draw_misleading, misleading, points=3,
             examine=examine_columns, first=((five_rows(),),), draws=8),
)
