"""Exercise 9: the gain of a move, the neighbours of a graph, hill climbing, and column orders that mislead it. 09_local_search."""

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
TOLERANCE = 1e-7
MISLEADING = (3, 4, 16, 43, 51, 58, 60, 68, 73, 79, 80, 103, 131, 150, 174, 180, 192, 215, 217, 228, 239, 240, 241, 245)
Move = tuple[str, str, str]  # "add", "remove" or "reverse", and the arc before the move, or after it if added


def score_of(t: bn.Table) -> bn.MDL:
    return bn.MDL(t)


# -- 9.1 to 9.3: moves and their gains -------------------------------------------------------------------------
def moves(graph: DAG, cycles: bool = False) -> set[Move]:
    """All changes of one arc that result in a DAG; with `cycles`, also those that result in a cycle."""
    found: set[Move] = {("remove", a, b) for a, b in graph.arcs}
    for a in graph.nodes:
        for b in graph.nodes:
            if a != b and not graph.adjacent(a, b) and (cycles or a not in graph.descendants(b)):
                found.add(("add", a, b))
    for a, b in graph.arcs:
        if cycles or b not in graph.without_arc(a, b).descendants(a):
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
    """The result if only the change of b's family is counted."""
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
    """A graph in which some arc cannot be reversed, and some arc cannot be added."""
    while True:
        graph = dag(random, 4, arcs=int(random.integers(3, 5)))
        kinds = {change for change, _, _ in moves(graph, cycles=True) - moves(graph)}
        if kinds == {"add", "reverse"}:
            return (graph,)


# -- 9.4: hill climbing ------------------------------------------------------------------------------------------
def draw_score(random: Random) -> tuple[bn.Score]:
    while True:
        score = score_of(table(random, 4, rows=int(random.integers(15, 30))))
        if len(climb(score)) >= 2:
            return (score,)


def climb(score: bn.Score) -> list[Move]:
    """The library's own hill climbing from the empty graph."""
    steps = bn.hill_climb(score).trace
    return [(step.change, step.parent, step.child) for step in steps if hasattr(step, "change")]


def climb_options(score: bn.Score, taken: list) -> Options:
    graph = DAG((), score.variables)
    for move in taken:
        graph = after(graph, move)
    gains = {move: gain(score, graph, *move) for move in sorted(moves(graph))}
    top = max(gains.values())
    if top <= TOLERANCE:
        return Options([], f"no change of one arc raises the score of {show(graph)}")

    def why(step: Any) -> str:
        move = tuple(step) if isinstance(step, list | tuple) and all(isinstance(part, str) for part in step) else None
        if move in gains:
            return f"yours gains {gains[move]:.4f}, and the best move gains {top:.4f}"
        if move in moves(graph, cycles=True):
            return f"yours would create a cycle in {show(graph)}"
        return f"in {show(graph)} it has the largest gain, {top:.4f}; a step is written ('add', a, b)"
    return Options([move for move, value in gains.items() if value >= top - TOLERANCE], why)


# -- 9.5: restarts -----------------------------------------------------------------------------------------------
def draw_starts(random: Random) -> tuple[bn.Score, list[DAG]]:
    """Three starting graphs, of which neither the first nor the last leads to the best local optimum."""
    while True:
        score = score_of(table(random, 4, rows=int(random.integers(10, 25))))
        starts = [dag(random, score.variables, arcs=int(random.integers(1, 6))) for _ in range(3)]
        (_, one), (middle, other), (high, best) = sorted(zip(optima(score, starts), starts), key=lambda pair: pair[0])
        if high > middle + 1e-3:
            return score, [one, best, other]


def optima(score: bn.Score, starts: list[DAG]) -> list[float]:
    """The final scores of hill climbing from these graphs."""
    return [bn.hill_climb(score, start=start).score for start in starts]


# -- 9.6: misleading column orders -------------------------------------------------------------------------------
def final_score(t: bn.Table, order: Any) -> float:
    """The final score of hill climbing if the columns come in this order."""
    return bn.hill_climb(score_of(t.select(*order))).score


def misleading(t: bn.Table) -> tuple[str, ...] | None:
    top = bn.exact(score_of(t)).score
    return next((order for order in permutations(t.variables) if final_score(t, order) < top - 1e-6), None)


def draw_misleading(random: Random) -> tuple[bn.Table]:
    """A table on which some order of the columns leads to the best graph, and some does not.

    Such tables are rare: one of some found in advance is drawn, with other names, columns and states.
    """
    found = np.random.default_rng(MISLEADING[int(random.integers(len(MISLEADING)))])
    return (disguised(random, table(found, "ABCD", rows=int(found.integers(6, 13)))),)


def examine_columns(answer: Any, t: bn.Table) -> str:
    order, problem = read_order(answer, t.variables)
    if problem:
        return problem
    top, final = bn.exact(score_of(t)).score, final_score(t, order)
    if final < top - 1e-6:
        return ""
    return f"with the columns in the order {', '.join(order)} hill climbing reaches the best score, {top:.4f}"


TREE = DAG("B->C, B->D, C->A")
QUESTIONS = (
    Question("9.1", "The gain of an arc", "gain_of_adding", "one line", draw_adding,
             lambda score, graph, a, b: gain(score, graph, "add", a, b), points=1, withheld=CLIMBING,
             first=((score_of(five_rows()), TREE, "D", "A"), (score_of(five_rows()), DAG("A, B, C, D"), "B", "D")),
             mistakes={
                 "this is the family score with the arc; subtract the score without it": lambda score, graph, a, b:
                     score.family(b, [*graph.parents(b), a]),
                 "this adds the reversed arc": lambda score, graph, a, b:
                     score.family(a, [*graph.parents(a), b]) - score.family(a, graph.parents(a)),
                 "this ignores the parents that the child already has": lambda score, graph, a, b:
                     score.family(b, [a]) - score.family(b),
             }),
    Question("9.2", "The gain of one move", "gain", "three lines", draw_move, gain, points=2, withheld=CLIMBING,
             draws=6, first=((score_of(five_rows()), TREE, "reverse", "C", "A"),), mistakes={
                 "reversing an arc changes two families, and this is one of them": half,
             }),
    Question("9.3", "All neighbours", "neighbours", "function", draw_graph, moves, points=3, withheld=CLIMBING,
             first=((DAG("A->B, B->C"),),), mistakes={
                 "some of these create a cycle": lambda graph: moves(graph, cycles=True),
                 "reversing an arc can create a cycle too, if there is another directed path from its tail to its head":
                     lambda graph: moves(graph) | {("reverse", a, b) for a, b in graph.arcs},
                 "these are the arcs to add and to remove; an arc can also be reversed":
                     lambda graph: {move for move in moves(graph) if move[0] != "reverse"},
             }),
    Question("9.4", "Hill climbing", "climb", "steps", draw_score, climb, points=3, options=climb_options, withheld=CLIMBING,
             first=((score_of(five_rows()),),)),
    Question("9.5", "Restarts, line by line", "best_of_restarts", "lines in order", draw_starts,
             lambda score, starts: max(optima(score, starts)), points=2, draws=3, mistakes={
                 "this is the score of the last run; keep the best of all": lambda score, starts: optima(score, starts)[-1],
                 "this is the score of the first run; others may end higher": lambda score, starts: optima(score, starts)[0],
                 "this is the best score of the starting graphs; run hill climbing from each of them": lambda score, starts: max(map(score, starts)),
             }),
    Question("9.6", "A misleading order of columns", "misleading_columns", "build", draw_misleading, misleading, points=3,
             examine=examine_columns, first=((five_rows(),),), draws=8),
)
