"""Exercise 13: simulated annealing. Lesson 13_simulated_annealing."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations, pairwise, permutations
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
    return (int(random.integers(4, 30)), int(random.integers(2, 16)), round(float(random.uniform(0.5, 0.95)), 2),
            int(random.integers(3, 20)))


def series(n: int, divisor: int, power: float, final_steps: int) -> list[float]:
    return cooling_schedule(f"(x/{divisor})**{power}", n, final_steps).tolist()


# -- 13.3 and 13.4: moves --------------------------------------------------------------------------------------
def draw_move(random: Random) -> tuple[bn.MDL, DAG, Arc]:
    """A score, a graph, and an arc that is in it or may be added."""
    t = table(random, 4, rows=int(random.integers(8, 14)))
    graph = dag(random, t.variables, arcs=3)
    arcs = sorted(graph.arcs) if random.random() < 0.5 else sorted(moves(graph) - set(graph.arcs))
    return bn.MDL(t), graph, arcs[int(random.integers(len(arcs)))]


def third_parent(random: Random) -> Iterator[tuple[bn.MDL, DAG, Arc]]:
    """Adding a third parent and removing it again: one of the two lowers the score."""
    t = table(random, 4, rows=int(random.integers(8, 14)))
    *parents, child = shuffled(random, t.variables)
    graph, arc = DAG([(parent, child) for parent in parents], t.variables), (parents[0], child)
    yield bn.MDL(t), graph, arc
    yield bn.MDL(t), graph.without_arc(*arc), arc


def toggled(graph: DAG, arc: Arc) -> DAG:
    """The graph with the arc added if absent, and removed if present."""
    return graph.without_arc(*arc) if graph.has_arc(*arc) else graph.with_arc(*arc)


def gain(score: bn.MDL, graph: DAG, arc: Arc) -> float:
    parent, child = arc
    before = set(graph.parents(child))
    return score.family(child, before ^ {parent}) - score.family(child, before)


def moves(graph: DAG) -> set[Arc]:
    """All arcs that can be removed, or added without creating a cycle."""
    return {(a, b) for a, b in permutations(graph.nodes, 2) if graph.has_arc(a, b) or b not in graph.ancestors(a)}


def long_path(random: Random) -> Iterator[tuple[DAG]]:
    """A directed path of six nodes, which a cycle of any length can close, and a node without arcs."""
    nodes = names(random, 7)
    yield (DAG(pairwise(shuffled(random, nodes)[1:]), nodes),)


# -- 13.5: a walk with given proposals and random numbers-------------------------------------------------------
def draw_walk(random: Random) -> tuple[bn.MDL, list[float], list[Arc], list[float]]:
    """Proposals along one order, so that none creates a cycle; the numbers are near the acceptance probabilities."""
    score, steps = bn.MDL(table(random, 3, rows=int(random.integers(8, 14)))), int(random.integers(10, 15))
    arcs = list(combinations(shuffled(random, score.variables), 2))
    proposals = [arcs[i] for i in random.integers(3, size=steps)]
    hot, numbers = series(steps - 2, 3, 1, 2), []
    while len(numbers) < steps:
        _, probability, _ = walked(score, hot, proposals, [*numbers, 0.0])[-1]
        numbers.append(number_near(random, probability))
    return score, hot, proposals, numbers


def number_near(random: Random, probability: float) -> float:
    """A number a little below the probability, or a little above it; never so near that rounding decides."""
    near = float(random.uniform(0.02, 0.12))
    below = random.random() < 0.6 if 0.05 < probability < 0.95 else probability > 0.5
    return round(probability * (1 - near) if below else probability + (1 - probability) * near, 3)


def walked(score: bn.MDL, temperatures: list[float], proposals: list[Arc], numbers: list[float]) -> list[tuple]:
    """For each step: the gain of the move, its acceptance probability, and whether it is accepted."""
    graph, steps = DAG((), score.variables), []
    for t, arc, number in zip(temperatures, proposals, numbers):
        change = gain(score, graph, arc)
        steps.append((change, acceptance(change, t), number < acceptance(change, t)))
        if steps[-1][2]:
            graph = toggled(graph, arc)
    return steps


def walk_scores(score: bn.MDL, temperatures: list[float], proposals: list[Arc], numbers: list[float]) -> list[float]:
    """The score of the graph after each step."""
    now, scores = score(DAG((), score.variables)), []
    for gain, _, accepted in walked(score, temperatures, proposals, numbers):
        now += gain if accepted else 0.0
        scores.append(now)
    return scores


def walk_options(score: bn.MDL, temperatures: list[float], proposals: list[Arc], numbers: list[float],
                 taken: list) -> Options:
    i = len(taken)
    if i == len(numbers):
        return Options([], "there are no more temperatures")
    scores = [score(DAG((), score.variables)), *walk_scores(score, temperatures, proposals, numbers)]
    gain, probability, accepted = walked(score, temperatures, proposals, numbers)[i]

    def why(step: Any) -> str:
        move = (f"{'->'.join(proposals[i])} changes the score by {gain:+.4f} and is accepted with probability "
                f"{probability:.4f}; the random number is {numbers[i]:.2f}")
        other = scores[i] if accepted else scores[i] + gain
        if isinstance(step, int | float) and close(step, other):
            return f"{move}, so it is {'accepted, and the score changes with the graph' if accepted else 'rejected'}"
        if isinstance(step, int | float) and close(step, gain):
            return "this is the gain; give the score of the graph after the step"
        return f"{move}, so it is {'accepted' if accepted else 'rejected'}"
    return Options([scores[i + 1]], why)


# -- 13.6: effect or chance ------------------------------------------------------------------------------------
def draw_grid(random: Random) -> tuple[dict[str, list[float]]]:
    runs = int(random.integers(5, 10))
    transforms = [f"x/{divisor}" for divisor in sorted(random.choice(range(2, 16), size=4, replace=False).tolist())]
    return ({name: random.normal(-5930, 9, runs).round(2).tolist() for name in transforms},)


def skill_and_luck(grid: dict[str, list[float]], less: int = 1, root: bool = True) -> tuple[float, float]:
    """How much the means differ, and how much they would differ by chance alone."""
    means = np.std([np.mean(runs) for runs in grid.values()], ddof=less)
    within = np.mean([np.std(runs, ddof=less) for runs in grid.values()])
    return float(means), float(within / math.sqrt(len(next(iter(grid.values())))) if root else within)


# -- 13.7: to build --------------------------------------------------------------------------------------------
def examine_trap(answer: Any, nodes: list[str], rows: int) -> str:
    """Hill climbing, annealing and exact search, each run on the construction."""
    columns, problem = read_columns(answer, nodes, rows, states=2)
    if problem:
        return problem
    score = bn.MDL(bn.Table(columns))
    climbed, best = bn.hill_climb(score), bn.exact(score)
    if climbed.graph.arcs:
        return f"hill climbing from the empty graph ends in {show(climbed.graph)}; no first arc should raise the score"
    if best.score < climbed.score + 1:
        return (f"the best graph scores {best.score:.4f} and the empty graph {climbed.score:.4f}; "
                f"the best should be at least 1 bit higher")
    walks = [bn.anneal(score, cooling_schedule("x/100", 300, 50), seed=seed).score for seed in range(3)]
    if max(walks) < climbed.score + 1:
        return f"the best of three annealing runs ends at {max(walks):.4f}, in the local optimum; make it easier to leave"
    return ""


def sizes(random: Random) -> Iterator[tuple[list[str], int]]:
    """Three and four variables, with few rows and with many."""
    yield names(random, 3), 40
    yield names(random, 4), 16


def trap(nodes: list[str], rows: int) -> dict[str, list[int]]:
    """Two coins, and whether they differ; a third coin if there is a fourth variable."""
    a, b, d = ([i // part % 2 for i in range(rows)] for part in (2, 1, 4))
    return dict(zip(nodes, (a, b, [x ^ y for x, y in zip(a, b)], d)))


QUESTIONS = (
    Question("13.1", "The acceptance probability", "acceptance", "one line", draw_gain, acceptance,
             first=((-1.5, 1.0), (-1.5, 0.1), (2.0, 1.0), (-3.0, 2.0), (0.0, 1.5)), withheld=LEARNERS, mistakes={
                 "a probability is at most 1; a loss has a gain below 0, so no minus sign is needed":
                     lambda gain, t: math.exp(-gain / t),
                 "divide by the temperature; this multiplies, so that losses are accepted at low temperatures":
                     lambda gain, t: math.exp(gain * t),
                 "the temperature is missing": lambda gain, t: math.exp(gain),
                 "this is a power of 2, and the rule uses e": lambda gain, t: 2 ** (gain / t),
                 "this is the rule for the report's scale, on which a loss counts twice":
                     lambda gain, t: math.exp(2 * gain / t),
             }),
    Question("13.2", "A series of temperatures", "temperatures", "three lines", draw_series, series, points=2,
             first=((4, 4, 1.0, 2),), withheld=LEARNERS, mistakes={
                 "from hot to cold: x counts down from n to 1": lambda n, divisor, power, final_steps:
                     [*series(n, divisor, power, 0)[::-1], *[0.001] * final_steps],
                 "x goes from n down to 1, not from n - 1 down to 0": lambda n, divisor, power, final_steps:
                     [*[(x / divisor) ** power for x in range(n - 1, -1, -1)], *[0.001] * final_steps],
                 "the temperature of the final steps is 0.001, not 0": lambda n, divisor, power, final_steps:
                     [*series(n, divisor, power, 0), *[0.0] * final_steps],
                 "the final steps are missing": lambda n, divisor, power, final_steps: series(n, divisor, power, 0),
                 "divide first, then take the power": lambda n, divisor, power, final_steps:
                     [*[x**power / divisor for x in range(n, 0, -1)], *[0.001] * final_steps],
             }),
    Question("13.3", "The gain of one move", "gain", "function", draw_move, gain, points=2, adversarial=third_parent,
             withheld=LEARNERS, mistakes={
                 "this is the score of the new graph; the gain is the difference from the old one":
                     lambda score, graph, arc: score(toggled(graph, arc)),
                 "this is the score of the child's new family alone; subtract that of the old one":
                     lambda score, graph, arc: score.family(arc[1], toggled(graph, arc).parents(arc[1])),
                 "the child keeps its other parents: they are in both families":
                     lambda score, graph, arc: (-1 if graph.has_arc(*arc) else 1)
                     * (score.family(arc[1], arc[:1]) - score.family(arc[1], ())),
                 "an arc that the graph has is removed, not added":
                     lambda score, graph, arc: gain(score, toggled(graph, arc) if graph.has_arc(*arc) else graph, arc),
                 "the child is second in the pair: its family changes, not the parent's":
                     lambda score, graph, arc: score.family(arc[0], {*graph.parents(arc[0])} ^ {arc[1]})
                     - score.family(arc[0], graph.parents(arc[0])),
             }),
    Question("13.4", "Which moves are there?", "moves", "function", lambda random: (dag(random, 5, arcs=5),), moves,
             points=2, first=((DAG("A->B, B->C"),),), adversarial=long_path, withheld=LEARNERS, mistakes={
                 "some of these would create a cycle": lambda graph: set(permutations(graph.nodes, 2)),
                 "removing an arc of the graph is a move too":
                     lambda graph: moves(graph) - set(graph.arcs),
                 "an arc a->b creates a cycle if b is an ancestor of a, not only if b is a parent of a":
                     lambda graph: {(a, b) for a, b in permutations(graph.nodes, 2) if not graph.has_arc(b, a)},
                 "an arc needs two different nodes": lambda graph: moves(graph) | {(a, a) for a in graph.nodes},
                 "arcs are not reversed in one move": lambda graph: moves(graph) | {arc[::-1] for arc in graph.arcs},
             }),
    Question("13.5", "A walk, step by step", "walk", "steps", draw_walk, walk_scores, points=3, draws=6,
             options=walk_options, withheld=LEARNERS),
    Question("13.6", "Effect or chance, line by line", "skill_and_luck", "lines in order", draw_grid, skill_and_luck,
             points=2, mistakes={
                 "the sample standard deviation divides by N - 1, and this divides by N (numpy: ddof=1)":
                     lambda grid: skill_and_luck(grid, less=0),
                 "the mean of r runs varies less than one run, by the square root of r":
                     lambda grid: skill_and_luck(grid, root=False),
                 "the two are swapped": lambda grid: skill_and_luck(grid)[::-1],
             }),
    Question("13.7", "A local optimum", "trap", "build",
             lambda random: (names(random, int(random.integers(3, 5))), 8 * int(random.integers(2, 6))), trap, points=3,
             draws=2, adversarial=sizes, examine=examine_trap),
)
