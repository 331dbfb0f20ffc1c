"""Exercise 13: a walk that may step downhill. Lesson 13_simulated_annealing."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np

import bnteach as bn
from bnteach.course.comparing import close, show
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled, table
from bnteach.course.exercises.questions.read import read_columns
from bnteach.graphs.dag import DAG
from bnteach.learn.anneal import acceptance
from bnteach.learn.search.cooling import cooling_schedule

LEARNERS = ("learn",)
Arc = tuple[str, str]


# -- 13.1 and 13.2: the rule and the temperatures --------------------------------------------------------------
def draw_gain(random: Random) -> tuple[float, float]:
    gain = round(float(random.uniform(-8, 8)), 2)
    return gain if random.random() < 0.25 else -abs(gain), round(float(random.uniform(0.2, 9)), 2)


def draw_series(random: Random) -> tuple[int, int, float, int]:
    return (int(random.integers(4, 12)), int(random.integers(2, 9)), round(float(random.uniform(0.5, 0.9)), 1),
            int(random.integers(2, 6)))


def series(n: int, divisor: int, power: float, final_steps: int) -> list[float]:
    return cooling_schedule(f"(x/{divisor})**{power}", n, final_steps).tolist()


# -- 13.3 and 13.4: moves --------------------------------------------------------------------------------------
def draw_move(random: Random) -> tuple[bn.MDL, DAG, Arc]:
    """A score, a graph, and an arc that is in it or may be added."""
    t = table(random, 4, rows=int(random.integers(8, 14)))
    graph = dag(random, t.variables, arcs=3)
    arcs = sorted(graph.arcs) if random.random() < 0.5 else sorted(moves(graph) - set(graph.arcs))
    return bn.MDL(t), graph, arcs[int(random.integers(len(arcs)))]


def toggled(graph: DAG, arc: Arc) -> DAG:
    """The graph with the arc if it had not, and without it if it had."""
    return graph.without_arc(*arc) if graph.has_arc(*arc) else graph.with_arc(*arc)


def gain(score: bn.MDL, graph: DAG, arc: Arc) -> float:
    parent, child = arc
    before = set(graph.parents(child))
    return score.family(child, before ^ {parent}) - score.family(child, before)


def moves(graph: DAG) -> set[Arc]:
    """All arcs that can be removed, or added without a circle."""
    return {(a, b) for a, b in permutations(graph.nodes, 2) if graph.has_arc(a, b) or b not in graph.ancestors(a)}


# -- 13.5: a walk with given proposals and dice ----------------------------------------------------------------
def draw_walk(random: Random) -> tuple[bn.MDL, list[float], list[Arc], list[float]]:
    """Proposals that go along one order, so that none closes a circle; losses of both fates are among them."""
    while True:
        t = table(random, 3, rows=int(random.integers(8, 14)))
        order, steps = shuffled(random, t.variables), int(random.integers(7, 11))
        arcs = [tuple(sorted(random.choice(3, size=2, replace=False))) for _ in range(steps)]
        proposals = [(order[i], order[j]) for i, j in arcs]
        hot = series(steps - 2, 2, 1, 2)
        drawn = bn.MDL(t), hot, proposals, random.uniform(0.01, 0.99, steps).round(2).tolist()
        fates = {(won >= 0, took) for won, _, took in walked(*drawn)}
        if {(False, True), (False, False)} <= fates:
            return drawn


def walked(score: bn.MDL, temperatures: list[float], proposals: list[Arc], dice: list[float]) -> list[tuple]:
    """For each step: the gain of the move, its acceptance probability, and whether it is accepted."""
    graph, steps = DAG((), score.variables), []
    for t, arc, die in zip(temperatures, proposals, dice):
        won = gain(score, graph, arc)
        steps.append((won, acceptance(won, t), die < acceptance(won, t)))
        if steps[-1][2]:
            graph = toggled(graph, arc)
    return steps


def walk_scores(score: bn.MDL, temperatures: list[float], proposals: list[Arc], dice: list[float]) -> list[float]:
    """The score of the graph after each step."""
    now, scores = score(DAG((), score.variables)), []
    for won, _, took in walked(score, temperatures, proposals, dice):
        now += won if took else 0.0
        scores.append(now)
    return scores


def walk_options(score: bn.MDL, temperatures: list[float], proposals: list[Arc], dice: list[float],
                 taken: list) -> Options:
    i = len(taken)
    if i == len(dice):
        return Options([], "there are no more temperatures")
    scores = [score(DAG((), score.variables)), *walk_scores(score, temperatures, proposals, dice)]
    won, chance, took = walked(score, temperatures, proposals, dice)[i]

    def why(step: Any) -> str:
        told = f"{'->'.join(proposals[i])} changes the score by {won:+.4f} and is taken with chance {chance:.4f}"
        other = scores[i] if took else scores[i] + won
        if isinstance(step, int | float) and close(step, other):
            return (f"{told}; the number thrown is {dice[i]:.2f}, so it is "
                    f"{'taken, and the score changes with the graph' if took else 'not taken'}")
        if isinstance(step, int | float) and close(step, won):
            return "this is the gain; give the score of the graph after the step"
        return f"{told}; the number thrown is {dice[i]:.2f}, so it is {'' if took else 'not '}taken"
    return Options([scores[i + 1]], why)


# -- 13.6: skill or luck ---------------------------------------------------------------------------------------
def draw_grid(random: Random) -> tuple[dict[str, list[float]]]:
    runs = int(random.integers(4, 8))
    transforms = [f"x/{divisor}" for divisor in sorted(random.choice(range(2, 16), size=4, replace=False).tolist())]
    return ({name: random.normal(-5930, 9, runs).round(2).tolist() for name in transforms},)


def skill_and_luck(grid: dict[str, list[float]], less: int = 1, root: bool = True) -> tuple[float, float]:
    """How much the means differ, and how much they would by chance."""
    means = np.std([np.mean(runs) for runs in grid.values()], ddof=less)
    within = np.mean([np.std(runs, ddof=less) for runs in grid.values()])
    return float(means), float(within / math.sqrt(len(next(iter(grid.values())))) if root else within)


# -- 13.7: to build --------------------------------------------------------------------------------------------
def examine_trap(answer: Any, nodes: list[str], rows: int) -> str:
    """Hill climbing, annealing and the exact search, each run on what was built."""
    columns, problem = read_columns(answer, nodes, rows, states=2)
    if problem:
        return problem
    score = bn.MDL(bn.Table(columns))
    climbed, best = bn.hill_climb(score), bn.exact(score)
    if climbed.graph.arcs:
        return f"hill climbing from no arcs ends in {show(climbed.graph)}; it should not find a first step up"
    if best.score < climbed.score + 1:
        return (f"the best graph scores {best.score:.4f} and the one without arcs {climbed.score:.4f}; "
                f"the best should be at least 1 bit higher")
    walks = [bn.anneal(score, cooling_schedule("x/100", 300, 50), seed=seed).score for seed in range(3)]
    if max(walks) < climbed.score + 1:
        return f"three walks with annealing end at {max(walks):.4f} at best, and so in the trap; make its walls lower"
    return ""


def trap(nodes: list[str], rows: int) -> dict[str, list[int]]:
    """Two coins, and whether they differ; a third coin if there is a fourth variable."""
    a, b, d = ([i // part % 2 for i in range(rows)] for part in (2, 1, 4))
    return dict(zip(nodes, (a, b, [x ^ y for x, y in zip(a, b)], d)))


QUESTIONS = (
    Question("13.1", "The chance of a step down", "acceptance", "one line", draw_gain, acceptance,
             first=((-1.5, 1.0), (-1.5, 0.1), (2.0, 1.0), (-3.0, 2.0)), withheld=LEARNERS, mistakes={
                 "a chance is at most 1; a loss has a gain below 0, so there is no minus to add":
                     lambda gain, t: math.exp(-gain / t),
                 "divide by the temperature; this multiplies, so that losses are taken when it is cold":
                     lambda gain, t: math.exp(gain * t),
                 "the temperature is missing": lambda gain, t: math.exp(gain),
                 "this is a power of 2, and the rule has e": lambda gain, t: 2 ** (gain / t),
                 "this is the rule for the report's scale, on which a loss counts twice":
                     lambda gain, t: math.exp(2 * gain / t),
             }),
    Question("13.2", "A series of temperatures", "temperatures", "three lines", draw_series, series, points=2,
             first=((4, 4, 1.0, 2),), withheld=LEARNERS, mistakes={
                 "from hot to cold: x counts down from n to 1": lambda n, divisor, power, final_steps:
                     [*series(n, divisor, power, 0)[::-1], *[0.001] * final_steps],
                 "x goes from n down to 1, not from n - 1 down to 0": lambda n, divisor, power, final_steps:
                     [*[(x / divisor) ** power for x in range(n - 1, -1, -1)], *[0.001] * final_steps],
                 "the final steps are missing": lambda n, divisor, power, final_steps: series(n, divisor, power, 0),
                 "divide first, then take the power": lambda n, divisor, power, final_steps:
                     [*[x**power / divisor for x in range(n, 0, -1)], *[0.001] * final_steps],
             }),
    Question("13.3", "The gain of one move", "gain", "function", draw_move, gain, points=2, withheld=LEARNERS, mistakes={
                 "this is the score of the new graph; the gain is how much it differs from the old one":
                     lambda score, graph, arc: score(toggled(graph, arc)),
                 "this is the term of the child's new family alone; take off the old one":
                     lambda score, graph, arc: score.family(arc[1], toggled(graph, arc).parents(arc[1])),
                 "the child is the second of the pair: its family changes, not that of the parent":
                     lambda score, graph, arc: score.family(arc[0], {*graph.parents(arc[0])} ^ {arc[1]})
                     - score.family(arc[0], graph.parents(arc[0])),
             }),
    Question("13.4", "Which moves are there?", "moves", "function", lambda random: (dag(random, 5, arcs=5),), moves,
             points=2, first=((DAG("A->B, B->C"),),), withheld=LEARNERS, mistakes={
                 "some of these would close a circle": lambda graph: set(permutations(graph.nodes, 2)),
                 "arcs that are there can be removed, and that is a move too":
                     lambda graph: moves(graph) - set(graph.arcs),
                 "an arc a->b closes a circle if b is above a, by one arc or by several":
                     lambda graph: {(a, b) for a, b in permutations(graph.nodes, 2) if not graph.has_arc(b, a)},
             }),
    Question("13.5", "A walk, step by step", "walk", "steps", draw_walk, walk_scores, points=3, options=walk_options,
             withheld=LEARNERS),
    Question("13.6", "Skill or luck, line by line", "skill_and_luck", "lines in order", draw_grid, skill_and_luck,
             points=2, mistakes={
                 "a standard deviation of few numbers is taken with N - 1, and this divides by N (numpy: ddof=1)":
                     lambda grid: skill_and_luck(grid, less=0),
                 "the mean of r runs varies less than one run, by the square root of r":
                     lambda grid: skill_and_luck(grid, root=False),
                 "the two are swapped": lambda grid: skill_and_luck(grid)[::-1],
             }),
    Question("13.7", "A trap", "trap", "build",
             lambda random: (names(random, int(random.integers(3, 5))), 8 * int(random.integers(2, 6))), trap, points=3,
             examine=examine_trap),
)
