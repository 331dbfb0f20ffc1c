"""Wrong programs for exercise 13."""

from __future__ import annotations

from itertools import permutations
from math import exp, sqrt

import numpy as np

import bnteach as bn
from tests.course.exercises.wrong import wrong

# -- 13.1: the acceptance probability --------------------------------------------------------------------------
wrong("13.1", "no minimum: more than 1 for a gain")(lambda gain, t: exp(gain / t))
wrong("13.1", "the sign is wrong")(lambda gain, t: min(1.0, exp(-gain / t)))
wrong("13.1", "multiplied by the temperature")(lambda gain, t: min(1.0, exp(gain * t)))
wrong("13.1", "the temperature divided by the gain")(lambda gain, t: 1.0 if gain >= 0 else exp(t / gain))
wrong("13.1", "no temperature")(lambda gain, t: min(1.0, exp(gain)))
wrong("13.1", "a power of 2")(lambda gain, t: min(1.0, 2 ** (gain / t)))
wrong("13.1", "the probability of rejection")(lambda gain, t: 0.0 if gain >= 0 else 1 - exp(gain / t))
wrong("13.1", "the logistic function")(lambda gain, t: 1 / (1 + exp(-gain / t)))
wrong("13.1", "the size of the change, whatever its sign")(lambda gain, t: exp(-abs(gain) / t))
wrong("13.1", "greedy: no loss is accepted")(lambda gain, t: float(gain >= 0))
wrong("13.1", "a gain of 0 is accepted half the time")(
    lambda gain, t: 0.5 if gain == 0 else 1.0 if gain > 0 else exp(gain / t))
wrong("13.1", "a temperature of at least 1")(lambda gain, t: min(1.0, exp(gain / max(t, 1))))
wrong("13.1", "rounded to four decimals")(lambda gain, t: round(min(1.0, exp(gain / t)), 4))


# -- 13.2: the temperatures --------------------------------------------------------------------------------------
def cooled(numbers, transform, final):
    return [*map(transform, numbers), *final]


wrong("13.2", "from cold to hot")(
    lambda n, d, p, final: cooled(range(1, n + 1), lambda x: (x / d) ** p, [0.001] * final))
wrong("13.2", "n - 1 down to 0")(
    lambda n, d, p, final: cooled(range(n - 1, -1, -1), lambda x: (x / d) ** p, [0.001] * final))
wrong("13.2", "n down to 0")(lambda n, d, p, final: cooled(range(n, -1, -1), lambda x: (x / d) ** p, [0.001] * final))
wrong("13.2", "n down to 2")(lambda n, d, p, final: cooled(range(n, 1, -1), lambda x: (x / d) ** p, [0.001] * final))
wrong("13.2", "no final steps")(lambda n, d, p, final: cooled(range(n, 0, -1), lambda x: (x / d) ** p, []))
wrong("13.2", "one final step only")(lambda n, d, p, final: cooled(range(n, 0, -1), lambda x: (x / d) ** p, [0.001]))
wrong("13.2", "two final steps, whatever is asked for")(
    lambda n, d, p, final: cooled(range(n, 0, -1), lambda x: (x / d) ** p, [0.001] * 2))
wrong("13.2", "final steps at temperature 0")(
    lambda n, d, p, final: cooled(range(n, 0, -1), lambda x: (x / d) ** p, [0.0] * final))
wrong("13.2", "the final steps are among the n")(
    lambda n, d, p, final: cooled(range(n, final, -1), lambda x: (x / d) ** p, [0.001] * final))
wrong("13.2", "first the power, then the division")(
    lambda n, d, p, final: cooled(range(n, 0, -1), lambda x: x**p / d, [0.001] * final))
wrong("13.2", "multiplied by the power")(
    lambda n, d, p, final: cooled(range(n, 0, -1), lambda x: x / d * p, [0.001] * final))
wrong("13.2", "no power")(lambda n, d, p, final: cooled(range(n, 0, -1), lambda x: x / d, [0.001] * final))
wrong("13.2", "whole numbers only")(
    lambda n, d, p, final: cooled(range(n, 0, -1), lambda x: (x // d) ** p, [0.001] * final))


# -- 13.3: the gain of one move ----------------------------------------------------------------------------------
def toggled(dag, arc):
    return dag.without_arc(*arc) if dag.has_arc(*arc) else dag.with_arc(*arc)


def change(score, child, after, before):
    return score.family(child, after) - score.family(child, before)


wrong("13.3", "the score of the new graph")(lambda score, dag, arc: score(toggled(dag, arc)))
wrong("13.3", "the new family's score")(lambda score, dag, arc: score.family(arc[1], toggled(dag, arc).parents(arc[1])))
wrong("13.3", "before minus after")(lambda score, dag, arc: score(dag) - score(toggled(dag, arc)))
wrong("13.3", "an arc is only ever added")(
    lambda score, dag, arc: change(score, arc[1], {*dag.parents(arc[1]), arc[0]}, dag.parents(arc[1])))
wrong("13.3", "the gain of adding, also for a removal")(
    lambda score, dag, arc: change(score, arc[1], {*dag.parents(arc[1]), arc[0]}, {*dag.parents(arc[1])} - {arc[0]}))
wrong("13.3", "the other parents are ignored")(
    lambda score, dag, arc: (-1 if dag.has_arc(*arc) else 1) * change(score, arc[1], {arc[0]}, ()))
wrong("13.3", "compared with no parents at all")(
    lambda score, dag, arc: change(score, arc[1], {*dag.parents(arc[1])} ^ {arc[0]}, ()))
wrong("13.3", "the parent's family")(
    lambda score, dag, arc: change(score, arc[0], {*dag.parents(arc[0])} ^ {arc[1]}, dag.parents(arc[0])))
wrong("13.3", "the size of the change, without sign")(
    lambda score, dag, arc: abs(score(toggled(dag, arc)) - score(dag)))
wrong("13.3", "a removal costs nothing")(
    lambda score, dag, arc: 0.0 if dag.has_arc(*arc) else score(dag.with_arc(*arc)) - score(dag))
wrong("13.3", "the likelihood, without the penalty")(
    lambda score, dag, arc: gain(bn.LogLikelihood(score.data, base=2), dag, arc))


def gain(score, dag, arc):
    return score(toggled(dag, arc)) - score(dag)


# -- 13.4: which moves there are ---------------------------------------------------------------------------------
def reaches(dag, start, goal, steps):
    """Whether a directed path of at most so many arcs leads from start to goal."""
    near = {start}
    for _ in range(steps):
        near |= {child for node in near for child in dag.children(node)}
    return goal in near


def moves(dag, steps):
    return {(a, b) for a, b in permutations(dag.nodes, 2) if dag.has_arc(a, b) or not reaches(dag, b, a, steps)}


wrong("13.4", "cycles are allowed")(lambda dag: set(permutations(dag.nodes, 2)))
wrong("13.4", "only cycles of two arcs are avoided")(lambda dag: moves(dag, 1))
wrong("13.4", "only cycles of up to three arcs are avoided")(lambda dag: moves(dag, 2))
wrong("13.4", "only cycles of up to four arcs are avoided")(lambda dag: moves(dag, 3))
wrong("13.4", "nothing can be removed")(lambda dag: moves(dag, 9) - set(dag.arcs))
wrong("13.4", "only removals")(lambda dag: set(dag.arcs))
wrong("13.4", "ancestors and descendants are swapped")(
    lambda dag: {(a, b) for a, b in permutations(dag.nodes, 2) if dag.has_arc(a, b) or b not in dag.descendants(a)})
wrong("13.4", "an arc from a node to itself")(
    lambda dag: {(a, b) for a in dag.nodes for b in dag.nodes if b not in dag.ancestors(a)})
wrong("13.4", "arcs can be reversed")(lambda dag: moves(dag, 9) | {arc[::-1] for arc in dag.arcs})
wrong("13.4", "nodes without arcs are forgotten")(
    lambda dag: {(a, b) for a, b in moves(dag, 9) if all(dag.neighbours(node) for node in (a, b))})
wrong("13.4", "no arc between nodes that a path connects")(
    lambda dag: {(a, b) for a, b in permutations(dag.nodes, 2)
                 if dag.has_arc(a, b) or not {a, b} & {*dag.ancestors(a), *dag.ancestors(b)}})


# -- 13.5: a walk ------------------------------------------------------------------------------------------------
def walk(score, temperatures, arcs, numbers, accept, record=lambda scores, new, accepted: [*scores, new]):
    """A walk whose moves `accept(gain, t, number)` decides, and whose scores `record` collects."""
    dag, scores = bn.DAG((), score.variables), []
    for t, arc, number in zip(temperatures, arcs, numbers):
        accepted = accept(gain(score, dag, arc), t, number)
        dag = toggled(dag, arc) if accepted else dag
        scores = record(scores, score(dag), accepted)
    return scores


def metropolis(gain, t, number):
    return number < min(1.0, exp(min(0.0, gain / t)))


def wrong_rule(mistake, accept):
    wrong("13.5", mistake)(lambda *arguments: walk(*arguments, accept))


wrong_rule("greedy: no loss is accepted", lambda gain, t, number: gain >= 0)
wrong_rule("every move is accepted", lambda gain, t, number: True)
wrong_rule("accepted if the number is above the probability", lambda gain, t, number: not metropolis(gain, t, number))
wrong_rule("a loss is accepted if the number is above", lambda gain, t, number: gain >= 0 or number > exp(gain / t))
wrong_rule("multiplied by the temperature", lambda gain, t, number: gain >= 0 or number < exp(gain * t))
wrong_rule("no temperature", lambda gain, t, number: gain >= 0 or number < exp(gain))
wrong_rule("a power of 2", lambda gain, t, number: gain >= 0 or number < 2 ** (gain / t))
wrong_rule("one half in place of the number", lambda gain, t, number: gain >= 0 or exp(gain / t) > 0.5)
wrong_rule("the sign of the gain is wrong", lambda gain, t, number: metropolis(-gain, t, number))
wrong_rule("a gain also needs luck", lambda gain, t, number: number < exp(-abs(gain) / t))
wrong("13.5", "the temperature of the next step")(
    lambda score, hot, arcs, numbers: walk(score, [*hot[1:], hot[-1]], arcs, numbers, metropolis))
wrong("13.5", "the temperature of the step before")(
    lambda score, hot, arcs, numbers: walk(score, [hot[0], *hot], arcs, numbers, metropolis))
wrong("13.5", "the number of the next step")(
    lambda score, hot, arcs, numbers: walk(score, hot, arcs, [*numbers[1:], numbers[0]], metropolis))
wrong("13.5", "the best score so far")(
    lambda *arguments: walk(*arguments, metropolis, lambda scores, new, _: [*scores, max([*scores, new])]))
wrong("13.5", "rejected steps are not reported")(
    lambda *arguments: walk(*arguments, metropolis, lambda scores, new, accepted: [*scores, *[new] * accepted]))


@wrong("13.5", "an accepted loss does not change the score")
def score_stays(score, temperatures, arcs, numbers):
    dag = bn.DAG((), score.variables)
    now = score(dag)
    for t, arc, number in zip(temperatures, arcs, numbers):
        rise = gain(score, dag, arc)
        if metropolis(rise, t, number):
            dag, now = toggled(dag, arc), max(now, now + rise)
        yield now


@wrong("13.5", "arcs are never removed")
def only_added(score, temperatures, arcs, numbers):
    dag = bn.DAG((), score.variables)
    for t, arc, number in zip(temperatures, arcs, numbers):
        if not dag.has_arc(*arc) and metropolis(score(dag.with_arc(*arc)) - score(dag), t, number):
            dag = dag.with_arc(*arc)
        yield score(dag)


@wrong("13.5", "each gain is that of the empty graph")
def always_from_empty(score, temperatures, arcs, numbers):
    dag = empty = bn.DAG((), score.variables)
    for t, arc, number in zip(temperatures, arcs, numbers):
        if metropolis(gain(score, empty, arc), t, number):
            dag = toggled(dag, arc)
        yield score(dag)


@wrong("13.5", "compared with the best graph so far")
def compared_with_the_best(score, temperatures, arcs, numbers):
    dag = bn.DAG((), score.variables)
    best = score(dag)
    for t, arc, number in zip(temperatures, arcs, numbers):
        if metropolis(score(toggled(dag, arc)) - best, t, number):
            dag = toggled(dag, arc)
            best = max(best, score(dag))
        yield score(dag)


# -- 13.6: effect or chance --------------------------------------------------------------------------------------
def skill_and_luck(grid, of_means=1, within=1, divide=lambda runs: sqrt(runs.shape[1])):
    runs = np.array(list(grid.values()))
    return runs.mean(axis=1).std(ddof=of_means), runs.std(axis=1, ddof=within).mean() / divide(runs)


wrong("13.6", "both divide by N")(lambda grid: skill_and_luck(grid, 0, 0))
wrong("13.6", "within a transform, divided by N")(lambda grid: skill_and_luck(grid, within=0))
wrong("13.6", "for the means, divided by N")(lambda grid: skill_and_luck(grid, of_means=0))
wrong("13.6", "not divided by the root of r")(lambda grid: skill_and_luck(grid, divide=lambda runs: 1))
wrong("13.6", "divided by r")(lambda grid: skill_and_luck(grid, divide=lambda runs: runs.shape[1]))
wrong("13.6", "divided by the root of the number of transforms")(
    lambda grid: skill_and_luck(grid, divide=lambda runs: sqrt(runs.shape[0])))
wrong("13.6", "divided by the root of r - 1")(
    lambda grid: skill_and_luck(grid, divide=lambda runs: sqrt(runs.shape[1] - 1)))
wrong("13.6", "swapped")(lambda grid: skill_and_luck(grid)[::-1])


@wrong("13.6", "over runs in place of transforms")
def other_axis(grid):
    runs = np.array(list(grid.values()))
    return runs.mean(axis=0).std(ddof=1), runs.std(axis=0, ddof=1).mean() / sqrt(runs.shape[0])


@wrong("13.6", "the root of the mean variance")
def pooled(grid):
    runs = np.array(list(grid.values()))
    return runs.mean(axis=1).std(ddof=1), sqrt(runs.var(axis=1, ddof=1).mean() / runs.shape[1])


@wrong("13.6", "medians in place of means")
def medians(grid):
    runs = np.array(list(grid.values()))
    return np.median(runs, axis=1).std(ddof=1), runs.std(axis=1, ddof=1).mean() / sqrt(runs.shape[1])


@wrong("13.6", "the deviation of all runs together")
def all_together(grid):
    runs = np.array(list(grid.values()))
    return runs.mean(axis=1).std(ddof=1), runs.std(ddof=1) / sqrt(runs.shape[1])


# -- 13.7: a local optimum ---------------------------------------------------------------------------------------
def coins(n):
    return [i // 2 % 2 for i in range(n)], [i % 2 for i in range(n)], [i // 4 % 2 for i in range(n)]


def wrong_trap(mistake, third, of=lambda names, n: coins(n)):
    """Two coins, a third column made of them, and a coin if there is a fourth variable."""
    @wrong("13.7", mistake)
    def trap(names, n):
        a, b, d = of(names, n)
        return dict(zip(names, (a, b, [third(x, y, i) for i, (x, y) in enumerate(zip(a, b))], d)))


wrong_trap("the third is one of the first two", lambda x, y, i: x)
wrong_trap("the third is independent", lambda x, y, i: i // 8 % 2)
wrong_trap("and in place of exclusive or", lambda x, y, i: x & y)
wrong_trap("or in place of exclusive or", lambda x, y, i: x | y)
wrong_trap("a sum: three states", lambda x, y, i: x + y)
wrong_trap("noise in every second row", lambda x, y, i: x ^ y ^ (i // 4 % 2))
wrong_trap("the third coin is a copy", lambda x, y, i: x ^ y, lambda names, n: (*coins(n)[:2], coins(n)[0]))
wrong_trap("always eight rows", lambda x, y, i: x ^ y, lambda names, n: coins(8))
wrong_trap("three variables only", lambda x, y, i: x ^ y, lambda names, n: (*coins(n)[:2], [0] * n))
