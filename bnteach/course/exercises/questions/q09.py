"""Exercise 9: the gain of a move, the neighbours of a graph, hill climbing, and column orders that mislead it. 09_local_search."""

from __future__ import annotations

from itertools import pairwise, permutations
from typing import Any

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.constructed import coins, named, network_rows, no_shift, one_found
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled, table
from bnteach.course.exercises.questions.read import read_order
from bnteach.datasets import five_rows
from bnteach.graphs.dag import DAG

CLIMBING = ("learn",)
TOLERANCE = 1e-7
MISLEADING = (3, 4, 51, 58, 68, 73, 80, 103, 150, 174, 192, 215, 217, 245)  # seeds of tables, found in advance
REMOVING, REVERSING = (972, 976, 9939), (708, 895, 1910, 6626, 13118)
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


def short_sighted(graph: DAG) -> set[Move]:
    """The additions that create a cycle of more than three arcs."""
    below = {x: {z for y in graph.children(x) for z in (y, *graph.children(y))} for x in graph.nodes}
    return {("add", a, b) for change, a, b in moves(graph, cycles=True) if change == "add" and a not in below[b]}


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


def alone(score: bn.Score, graph: DAG, change: str, a: str, b: str) -> float:
    """The result if the arc that is added or reversed is the only one of its new family."""
    new, old = (a, b) if change == "add" else (b, a)
    return score.family(old, [new]) - score.family(old, graph.parents(old)) + (
        score.family(b, set(graph.parents(b)) - {a}) - score.family(b, graph.parents(b)) if change == "reverse" else 0.0)


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


def moves_among_parents(random: Random) -> list[tuple]:
    """Each kind of move where the nodes have other parents too, which do not change."""
    score = score_of(table(random, 4, rows=int(random.integers(15, 25)), states=(2, 3, 2, 2)))
    a, b, p, q = shuffled(random, score.variables)
    arcs = {"add": [(p, b), (q, b)], "remove": [(p, b), (q, b), (a, b)], "reverse": [(p, a), (p, b), (q, b), (a, b)]}
    return [(score, DAG(some, score.variables), change, a, b) for change, some in arcs.items()]


def adding_among_parents(random: Random) -> list[tuple]:
    score, graph, _, a, b = moves_among_parents(random)[0]
    return [(score, graph, a, b)]


def draw_graph(random: Random) -> tuple[DAG]:
    """A graph in which some arc cannot be reversed, and some arc cannot be added."""
    while True:
        graph = dag(random, 4, arcs=int(random.integers(3, 5)))
        kinds = {change for change, _, _ in moves(graph, cycles=True) - moves(graph)}
        if kinds == {"add", "reverse"}:
            return (graph,)


def long_path(random: Random) -> list[tuple[DAG]]:
    """A directed path through six nodes, an arc from its first to its last, and an isolated node."""
    nodes = names(random, 7)
    path = shuffled(random, nodes)[:6]
    return [(DAG([*pairwise(path), (path[0], path[-1])], nodes),)]


# -- 9.4: hill climbing ------------------------------------------------------------------------------------------
def draw_score(random: Random) -> tuple[bn.Score]:
    while True:
        score = score_of(table(random, 4, rows=int(random.integers(15, 30))))
        if len(climb(score)) >= 2:
            return (score,)


def climbs_with_every_move(random: Random) -> list[tuple[bn.Score]]:
    """Where every run removes an arc, reverses one, or gives a variable three parents, however ties are settled."""
    tables = [one_found(random, seeds, lambda found: network_rows(found, "ABCDE", 150)) for seeds in (REMOVING, REVERSING)]
    tosses = coins(random, 3, 60, 90)
    majority, _, _ = named(random, [tosses.sum(axis=0) >= 2, *tosses])
    return [*((score_of(t),) for t in tables), (majority,)]


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
def several_starts(random: Random) -> tuple[bn.Score, list[DAG], list[float]]:
    """Eight starting graphs and the scores that they lead to."""
    score = score_of(table(random, 4, rows=int(random.integers(10, 25))))
    starts = [dag(random, score.variables, arcs=int(random.integers(1, 6))) for _ in range(8)]
    return score, starts, optima(score, starts)


def draw_starts(random: Random, place: int | None = None) -> tuple[bn.Score, list[DAG]]:
    """Four starting graphs. One, in the given place, leads to the best local optimum, and is not the best itself."""
    while True:
        score, starts, reached = several_starts(random)
        lower = [start for start, value in zip(starts, reached) if value < max(reached) - 1e-3][:3]
        best = starts[reached.index(max(reached))]
        if len(lower) == 3 and score(best) < max(map(score, lower)) - 1e-3:
            lower.insert(int(random.integers(4)) if place is None else place, best)
            return score, lower


def bad_starts(random: Random) -> tuple[bn.Score, list[DAG]]:
    """Starting graphs that are all worse than the empty one."""
    while True:
        score, starts, reached = several_starts(random)
        lower = [start for start, value in zip(starts, reached) if value < bn.hill_climb(score).score - 1e-3]
        if len(lower) >= 3:
            return score, lower[:4]


def telling_starts(random: Random) -> list[tuple]:
    return [draw_starts(random, 0), draw_starts(random, 3), bad_starts(random)]


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
    """A table on which most orders of the columns lead to the best graph, and some do not. Such tables are rare."""
    return (one_found(random, MISLEADING, lambda found: table(found, "ABCD", rows=int(found.integers(6, 13)))),)


def misleading_as_they_are(random: Random) -> list[tuple[bn.Table]]:
    """A table whose own order misleads, and one for which no cyclic shift of its order does."""
    (first,), (second,) = draw_misleading(random), draw_misleading(random)
    top = bn.exact(score_of(second)).score
    order = no_shift(second.variables, lambda order: final_score(second, order) < top - 1e-6)
    return [(first.select(*misleading(first)),), (second.select(*order),)]


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
             adversarial=adding_among_parents,
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
             first=((score_of(five_rows()), TREE, "reverse", "C", "A"),), adversarial=moves_among_parents, mistakes={
                 "reversing an arc changes two families, and this is one of them": half,
                 "the present parents stay; here they are lost": alone,
                 "only the sign differs; the gain is the score after the move less the score before it":
                     lambda *arguments: -gain(*arguments),
             }),
    Question("9.3", "All neighbours", "neighbours", "function", draw_graph, moves, points=3, withheld=CLIMBING,
             first=((DAG("A->B, B->C"),),), adversarial=long_path, mistakes={
                 "some of these create a cycle": lambda graph: moves(graph, cycles=True),
                 "reversing an arc can create a cycle too, if there is another directed path from its tail to its head":
                     lambda graph: moves(graph) | {("reverse", a, b) for a, b in graph.arcs},
                 "these are the arcs to add and to remove; an arc can also be reversed":
                     lambda graph: {move for move in moves(graph) if move[0] != "reverse"},
                 "a cycle may be long; look for directed paths of any length":
                     lambda graph: moves(graph) | short_sighted(graph),
                 "a node without arcs can get one too": lambda graph:
                     {move for move in moves(graph) if all(any(x in arc for arc in graph.arcs) for x in move[1:])},
             }),
    Question("9.4", "Hill climbing", "climb", "steps", draw_score, climb, points=3, options=climb_options, withheld=CLIMBING,
             first=((score_of(five_rows()),),), adversarial=climbs_with_every_move, draws=3),
    Question("9.5", "Restarts, line by line", "best_of_restarts", "lines in order", draw_starts,
             lambda score, starts: max(optima(score, starts)), points=2, draws=2, adversarial=telling_starts, mistakes={
                 "this is the score of the last run; keep the best of all": lambda score, starts: optima(score, starts)[-1],
                 "this is the score of the first run; others may end higher": lambda score, starts: optima(score, starts)[0],
                 "this is the best score of the starting graphs; run hill climbing from each of them": lambda score, starts: max(map(score, starts)),
                 "this is the best score of all graphs; from these starts hill climbing does not reach it":
                     lambda score, starts: bn.exact(score).score,
             }),
    Question("9.6", "A misleading order of columns", "misleading_columns", "build", draw_misleading, misleading, points=3,
             examine=examine_columns, first=((five_rows(),),), adversarial=misleading_as_they_are, draws=7),
)
