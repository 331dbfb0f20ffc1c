"""Wrong programs for exercise 14."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations
from statistics import mean, median

import bnteach as bn
from tests.course.exercises.wrong import wrong


def sets(items, largest=99):
    items = list(items)
    return [given for size in range(min(len(items), largest) + 1) for given in combinations(items, size)]


# -- 14.1: the weakest association -------------------------------------------------------------------------------
wrong("14.1", "the strongest")(lambda statistics: max(statistics.values()))
wrong("14.1", "the marginal one")(lambda statistics: statistics[()])
wrong("14.1", "given all others only")(lambda statistics: statistics[max(statistics, key=len)])
wrong("14.1", "the empty set is left out")(
    lambda statistics: min(value for given, value in statistics.items() if given))
wrong("14.1", "the full set is left out")(
    lambda statistics: min(value for given, value in statistics.items() if given != max(statistics, key=len)))
wrong("14.1", "sets of at most one variable")(
    lambda statistics: min(value for given, value in statistics.items() if len(given) < 2))
wrong("14.1", "sets of at most two variables")(
    lambda statistics: min(value for given, value in statistics.items() if len(given) < 3))
wrong("14.1", "the smaller of the first and the last")(
    lambda statistics: min(statistics[()], list(statistics.values())[-1]))
wrong("14.1", "the mean")(lambda statistics: mean(statistics.values()))
wrong("14.1", "the median")(lambda statistics: median(statistics.values()))
wrong("14.1", "the set in place of its statistic")(lambda statistics: min(statistics, key=statistics.get))
wrong("14.1", "the smallest key's statistic")(lambda statistics: statistics[min(statistics)])
wrong("14.1", "a statistic of 0 is left out")(lambda statistics: min(filter(None, statistics.values())))
wrong("14.1", "starts at 1000")(lambda statistics: min(1000, *statistics.values()))


# -- 14.2: which variable joins next -----------------------------------------------------------------------------
def joins(strengths, least, weakest=lambda given: min(given.values()), choose=max):
    left = {x: weakest(given) for x, given in strengths.items() if weakest(given) >= least}
    return choose(left, key=left.get) if left else None


def wrong_weakest(mistake, weakest):
    wrong("14.2", mistake)(lambda strengths, least: joins(strengths, least, weakest))


wrong_weakest("a maximum of maxima", lambda given: max(given.values()))
wrong_weakest("marginal associations", lambda given: given[()])
wrong_weakest("given all others only", lambda given: given[max(given, key=len)])
wrong_weakest("the mean of the associations", lambda given: mean(given.values()))
wrong_weakest("the empty set is left out", lambda given: min(value for some, value in given.items() if some))
wrong_weakest("sets of at most one variable",
              lambda given: min(value for some, value in given.items() if len(some) < 2))
wrong("14.2", "a minimum of minima")(lambda strengths, least: joins(strengths, least, choose=min))
wrong("14.2", "nobody is excluded")(lambda strengths, least: joins(strengths, 0))
wrong("14.2", "3.84, whatever the threshold")(lambda strengths, least: joins(strengths, 3.84))
wrong("14.2", "the first that is not excluded")(
    lambda strengths, least: joins(strengths, least, choose=lambda left, key: next(iter(left))))
wrong("14.2", "the last that is not excluded")(
    lambda strengths, least: joins(strengths, least, choose=lambda left, key: list(left)[-1]))
wrong("14.2", "the number in place of the name")(
    lambda strengths, least: max(
        (low for given in strengths.values() if (low := min(given.values())) >= least), default=None))
wrong("14.2", "None as soon as one is excluded")(
    lambda strengths, least: None if any(min(given.values()) < least for given in strengths.values())
    else joins(strengths, least))
wrong("14.2", "the first in place of None")(
    lambda strengths, least: joins(strengths, least) or next(iter(strengths)))


@wrong("14.2", "excluded by the marginal association only")
def excluded_marginally(strengths, least):
    left = {x: min(given.values()) for x, given in strengths.items() if given[()] >= least}
    return max(left, key=left.get) if left else None


@wrong("14.2", "not excluded as long as one set leaves an association")
def excluded_by_all(strengths, least):
    left = {x: min(given.values()) for x, given in strengths.items() if max(given.values()) >= least}
    return max(left, key=left.get) if left else None


@wrong("14.2", "the maximum of maxima among those that remain")
def strongest_of_the_rest(strengths, least):
    left = {x: max(given.values()) for x, given in strengths.items() if min(given.values()) >= least}
    return max(left, key=left.get) if left else None


# -- 14.3: the forward phase -------------------------------------------------------------------------------------
def grow(table, target, alpha, given_by=sets, weakest=min, strength=lambda v: (-v.p_value, v.statistic), choose=max,
         exclude=any):
    test, chosen = bn.GSquare(table, alpha, adjust=True), []
    while True:
        verdicts = {x: [test(x, target, given) for given in given_by(chosen)] for x in table.variables
                    if x != target and x not in chosen}
        left = {x: weakest(map(strength, all_of)) for x, all_of in verdicts.items() if not exclude(all_of)}
        if not left:
            return chosen
        chosen.append(choose(left, key=left.get))


def wrong_growth(mistake, **options):
    wrong("14.3", mistake)(lambda *arguments: grow(*arguments, **options))


wrong_growth("marginal associations only", given_by=lambda chosen: [()])
wrong_growth("given all candidates only", given_by=lambda chosen: [tuple(chosen)])
wrong_growth("sets of at most one variable", given_by=lambda chosen: sets(chosen, 1))
wrong_growth("sets of at most two variables", given_by=lambda chosen: sets(chosen, 2))
wrong_growth("the empty set is forgotten", given_by=lambda chosen: sets(chosen)[1:] or [()])
wrong_growth("given the last candidate or nothing", given_by=lambda chosen: [(), tuple(chosen[-1:])])
wrong_growth("a maximum of maxima", weakest=max)
wrong_growth("a minimum of minima", choose=min)
wrong_growth("the statistic alone", strength=lambda verdict: verdict.statistic)
wrong_growth("p-values the wrong way round", strength=lambda verdict: verdict.p_value)
wrong_growth("excluded only if every set separates", exclude=all)
wrong_growth("excluded by the last set only", exclude=lambda verdicts: verdicts[-1])
wrong_growth("the first variable that is left", choose=lambda left, key: next(iter(left)))
wrong("14.3", "a level of 0.05, whatever is asked for")(lambda table, target, alpha: grow(table, target, 0.05))
wrong("14.3", "the first variable only")(lambda *arguments: grow(*arguments)[:1])
wrong("14.3", "all in the order of the first step")(
    lambda table, target, alpha: sorted(
        set(grow(table, target, alpha)),
        key=lambda x: (v := bn.GSquare(table, alpha, adjust=True)(x, target)).p_value * 1e9 - v.statistic))


# -- 14.4: the backward phase ------------------------------------------------------------------------------------
def backward(oracle, target, chosen, given_by=sets, removed_count=False):
    left = list(chosen)
    for x in chosen:
        others = [y for y in (chosen if removed_count else left) if y != x]
        if any(oracle(x, target, given) for given in given_by(others)):
            left.remove(x)
    return left


wrong("14.4", "nothing is removed")(lambda oracle, target, chosen: chosen)
wrong("14.4", "given all others only")(lambda *arguments: backward(*arguments, lambda others: [tuple(others)]))
wrong("14.4", "sets of at most one variable")(lambda *arguments: backward(*arguments, lambda others: sets(others, 1)))
wrong("14.4", "sets of at most two variables")(lambda *arguments: backward(*arguments, lambda others: sets(others, 2)))
wrong("14.4", "removed variables still count among the others")(
    lambda *arguments: backward(*arguments, removed_count=True))
wrong("14.4", "those that are removed")(
    lambda oracle, target, chosen: set(chosen) - set(backward(oracle, target, chosen)))
wrong("14.4", "backwards through the list")(
    lambda oracle, target, chosen: backward(oracle, target, chosen[::-1]))
wrong("14.4", "kept if some set leaves them dependent")(
    lambda oracle, target, chosen: [x for x in chosen if not all(
        oracle(x, target, given) for given in sets(y for y in chosen if y != x))])
wrong("14.4", "only the variables before it are tried")(
    lambda oracle, target, chosen: [x for i, x in enumerate(chosen) if not any(
        oracle(x, target, given) for given in sets(chosen[:i]))])


@wrong("14.4", "the list shrinks while it is gone through")
def shrinks(oracle, target, chosen):
    for x in chosen:
        if any(oracle(x, target, given) for given in sets(y for y in chosen if y != x)):
            chosen.remove(x)
    return chosen


@wrong("14.4", "stops after the first removal")
def one_removal(oracle, target, chosen):
    for x in chosen:
        others = [y for y in chosen if y != x]
        if any(oracle(x, target, given) for given in sets(others)):
            return others
    return chosen


# -- 14.5: symmetry correction -----------------------------------------------------------------------------------
wrong("14.5", "one side is enough")(
    lambda chosen: [(a, b) for a, b in combinations(chosen, 2) if b in chosen[a] or a in chosen[b]])
wrong("14.5", "exactly one side")(
    lambda chosen: [(a, b) for a, b in combinations(chosen, 2) if (b in chosen[a]) != (a in chosen[b])])
wrong("14.5", "only the first of the pair is asked")(
    lambda chosen: [(a, b) for a, b in combinations(chosen, 2) if b in chosen[a]])
wrong("14.5", "only the second of the pair is asked")(
    lambda chosen: [(a, b) for a, b in combinations(chosen, 2) if a in chosen[b]])
wrong("14.5", "neighbours in the list only")(
    lambda chosen: [(a, b) for a, b in pairwise(chosen) if b in chosen[a] and a in chosen[b]])
wrong("14.5", "every pair")(lambda chosen: list(combinations(chosen, 2)))
wrong("14.5", "returns inside the loop")(
    lambda chosen: [(a, b) for a, b in list(combinations(chosen, 2))[:1] if b in chosen[a] and a in chosen[b]])
wrong("14.5", "the list is made anew in each turn of the loop")(
    lambda chosen: [(a, b) for a, b in list(combinations(chosen, 2))[-1:] if b in chosen[a] and a in chosen[b]])
wrong("14.5", "returns at the first pair that is found")(
    lambda chosen: [(a, b) for a, b in combinations(chosen, 2) if b in chosen[a] and a in chosen[b]][:1])
wrong("14.5", "each variable in one edge only")(
    lambda chosen: list({a: (a, b) for a, b in combinations(chosen, 2) if b in chosen[a] and a in chosen[b]}.values()))


# -- 14.6: restricted hill climbing ------------------------------------------------------------------------------
def both(edges):
    return [*edges, *[(b, a) for a, b in edges]]


def no_cycle(graph, a, b):
    return not graph.adjacent(a, b) and b not in graph.ancestors(a)


def rise(score, graph, a, b):
    return score.family(b, (*graph.parents(b), a)) - score.family(b, graph.parents(b))


def climb(score, arcs, allowed=no_cycle, rise=rise, choose=max, stop=1e-7, most=99):
    graph, taken = bn.DAG((), score.variables), []
    while len(taken) < most:
        gains = {(a, b): rise(score, graph, a, b) for a, b in arcs if allowed(graph, a, b)}
        good = {arc: gain for arc, gain in gains.items() if gain > stop}
        if not good:
            break
        taken.append(choose(good, key=good.get))
        graph = graph.with_arc(*taken[-1])
    return taken


def wrong_climb(mistake, arcs=lambda score, edges: both(edges), **options):
    wrong("14.6", mistake)(lambda score, edges: climb(score, arcs(score, edges), **options))


wrong_climb("every pair may be connected", lambda score, edges: list(permutations(score.variables, 2)))
wrong_climb("edges in the given direction only", lambda score, edges: edges)
wrong_climb("the first arc that raises the score", choose=lambda good, key: next(iter(good)))
wrong_climb("the smallest rise", choose=min)
wrong_climb("no stop", stop=-1e9)
wrong_climb("one arc only", most=1)
wrong_climb("three arcs at most", most=3)
wrong_climb("gains of the empty graph", rise=lambda score, graph, a, b: score.family(b, [a]) - score.family(b, ()))
wrong_climb("compared with no parents",
            rise=lambda score, graph, a, b: score.family(b, [*graph.parents(b), a]) - score.family(b, ()))
wrong_climb("the new family's score alone", stop=-1e9,
            rise=lambda score, graph, a, b: score.family(b, [*graph.parents(b), a]))
wrong_climb("the likelihood, without the penalty",
            rise=lambda score, graph, a, b: rise(bn.LogLikelihood(score.data), graph, a, b))
wrong_climb("one parent at most", allowed=lambda graph, a, b: no_cycle(graph, a, b) and not graph.parents(b))
wrong_climb("two parents at most", allowed=lambda graph, a, b: no_cycle(graph, a, b) and len(graph.parents(b)) < 2)
wrong_climb("no arc between nodes that are connected already",
            allowed=lambda graph, a, b: no_cycle(graph, a, b) and not (
                {a, *graph.ancestors(a)} & {b, *graph.ancestors(b)}))


def wrong_cycles(mistake, reached):
    """Cycles are found only if the child is in `reached(parents, a)`; the graph is a dictionary of parents."""
    @wrong("14.6", mistake)
    def careless(score, edges):
        parents, taken = {x: set() for x in score.variables}, []
        while len(taken) < 12:
            gains = {(a, b): score.family(b, parents[b] | {a}) - score.family(b, parents[b])
                     for a, b in both(edges) if a not in parents[b] and b not in reached(parents, a)}
            if not gains or max(gains.values()) < 1e-7:
                break
            a, b = max(gains, key=gains.get)
            taken.append((a, b))
            parents[b].add(a)
        return taken


wrong_cycles("only cycles of two arcs are avoided", lambda parents, a: parents[a])
wrong_cycles("only cycles of up to three arcs are avoided",
             lambda parents, a: parents[a].union(*(parents[x] for x in parents[a])))


# -- 14.7: an edge that the tests miss ---------------------------------------------------------------------------
def wrong_table(mistake, either, error, rows=lambda n: n):
    """Two coins, e made of them, and x, a copy of e with errors."""
    @wrong("14.7", mistake)
    def lost_edge(a, b, e, x, n):
        one, two = [i // 2 % 2 for i in range(rows(n))], [i % 2 for i in range(rows(n))]
        made = [either(i, j) for i, j in zip(one, two)]
        return {a: one, b: two, e: made, x: [v ^ error(i) for i, v in enumerate(made)]}


wrong_table("x is independent of e", lambda i, j: i | j, lambda i: i // 4 % 2)
wrong_table("x is e", lambda i, j: i, lambda i: 0)
wrong_table("e is a alone", lambda i, j: i, lambda i: i // 4 % 10 == 0)
wrong_table("too many errors", lambda i, j: i | j, lambda i: i // 4 % 5 < 2)
wrong_table("always 120 rows", lambda i, j: i | j, lambda i: i // 4 % 10 == 0, rows=lambda n: 120)
wrong_table("one row is missing", lambda i, j: i | j, lambda i: i // 4 % 10 == 0, rows=lambda n: n - 1)
wrong("14.7", "x depends on a and b, but not through e")(
    lambda a, b, e, x, n: {a: [i // 2 % 2 for i in range(n)], b: [i % 2 for i in range(n)],
                           e: [i // 4 % 2 for i in range(n)], x: [(i // 2 | i) % 2 for i in range(n)]})
wrong("14.7", "the columns have their letters as names")(
    lambda a, b, e, x, n: {"a": [i // 2 % 2 for i in range(n)], "b": [i % 2 for i in range(n)],
                           "e": [(i // 2 | i) % 2 for i in range(n)],
                           "x": [(i // 2 | i) % 2 ^ (i // 4 % 10 == 0) for i in range(n)]})
