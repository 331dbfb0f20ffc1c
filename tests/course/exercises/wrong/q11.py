"""Wrong programs for exercise 11."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb

import networkx as nx

from tests.course.exercises.wrong import wrong
from tests.course.exercises.wrong.q10 import all_sets, greedy, slices, subsets


# -- 11.1: all swaps ---------------------------------------------------------------------------------------------------
def exchanged(order, i, j):
    other = list(order)
    other[i], other[j] = other[j], other[i]
    return tuple(other)


def adjacent_swaps(order):
    return [exchanged(order, i, i + 1) for i in range(len(order) - 1)]


def in_place(order):
    """The swaps are made one after the other in the same list."""
    found = []
    for i in range(len(order) - 1):
        order = exchanged(order, i, i + 1)
        found.append(order)
    return found


SWAPS = {
    "any two variables": lambda order: [exchanged(order, i, j) for i, j in combinations(range(len(order)), 2)],
    "the last swap forgotten": lambda order: adjacent_swaps(order)[:-1],
    "the first swap forgotten": lambda order: adjacent_swaps(order)[1:],
    "the given order among them": lambda order: [tuple(order), *adjacent_swaps(order)],
    "the first with the last too": lambda order: [*adjacent_swaps(order), exchanged(order, 0, -1)],
    "one swap after the other in the same list": in_place,
    "the variables after the pair forgotten": lambda order:
        [(*order[:i], order[i + 1], order[i]) for i in range(len(order) - 1)],
    "the variables before the pair forgotten": lambda order:
        [(order[i + 1], order[i], *order[i + 2:]) for i in range(len(order) - 1)],
    "two places apart": lambda order: [exchanged(order, i, i + 2) for i in range(len(order) - 2)],
    "each variable to the front": lambda order: [(x, *(y for y in order if y != x)) for x in order[1:]],
    "swaps of the sorted order": lambda order: adjacent_swaps(sorted(order)),
    "at most three swaps": lambda order: adjacent_swaps(order)[:3],
}
for mistake, program in SWAPS.items():
    wrong("11.1", mistake)(program)


# -- 11.2: the score of an order ---------------------------------------------------------------------------------------
def sum_of_best(parents, before=lambda order, i: order[:i]):
    """The score of an order with one's own search for the parents or one's own candidates."""
    return lambda score, order: sum(score.family(x, parents(score, x, before(order, i))) for i, x in enumerate(order))


def limited(largest):
    return lambda *arguments: all_sets(*arguments, largest=largest)


right_score = sum_of_best(all_sets)
SCORES = {
    "the parents that K3 finds": sum_of_best(greedy),
    "at most one parent": sum_of_best(limited(1)),
    "at most two parents": sum_of_best(limited(2)),
    "at most three parents": sum_of_best(limited(3)),
    "all predecessors as parents": sum_of_best(lambda score, x, before: before),
    "no parents": sum_of_best(lambda score, x, before: []),
    "the empty set forgotten": sum_of_best(lambda score, x, before:
                                           all_sets(score, x, before, smallest=1) if before else []),
    "the set of all predecessors forgotten": sum_of_best(lambda score, x, before:
                                                         all_sets(score, x, before, largest=max(len(before) - 1, 0))),
    "neighbouring predecessors only": sum_of_best(slices),
    "all other variables are candidates": sum_of_best(all_sets, lambda order, i: [*order[:i], *order[i + 1:]]),
    "the later variables are candidates": sum_of_best(all_sets, lambda order, i: order[i + 1:]),
    "the nearest predecessor is left out": sum_of_best(all_sets, lambda order, i: order[:max(i - 1, 0)]),
    "the first variable is no candidate": sum_of_best(all_sets, lambda order, i: order[1:i]),
    "the order of the columns": lambda score, order: right_score(score, list(score.variables)),
    "the last variable is not counted": lambda score, order: right_score(score, order[:-1]),
    "the fit without the penalty": lambda score, order:
        sum(score.fit(x, order[:i]) for i, x in enumerate(order)),
    "the sum over all sets": lambda score, order:
        sum(sum(score.family(x, some) for some in subsets(order[:i])) for i, x in enumerate(order)),
}
for mistake, program in SCORES.items():
    wrong("11.2", mistake)(program)


# -- 11.3: hill climbing over orders -----------------------------------------------------------------------------------
def first_better(options, value, least):
    return next((option for option in options if value(option) > least), options[0])


def highest(options, value, least):
    return max(options, key=value)


def climb_with(score_of=right_score, swaps=adjacent_swaps, choose=highest, least=1e-9, most=40):
    """Hill climbing of at most 40 swaps with one's own score of an order, swaps or choice."""
    def program(score, order):
        now = tuple(order)
        for _ in range(most):
            here = score_of(score, now)
            best = choose(swaps(now), lambda other: score_of(score, other), here + least)
            if score_of(score, best) <= here + least:
                return
            yield best
            now = best
    return program


def one_pass(score, order):
    """Each pair once, from left to right."""
    for i in range(len(order) - 1):
        other = exchanged(order, i, i + 1)
        if right_score(score, other) > right_score(score, order) + 1e-9:
            yield (order := other)


def compared_with_the_start(score, order):
    start, now = right_score(score, order), tuple(order)
    for _ in range(12):
        now = max(adjacent_swaps(now), key=lambda other: right_score(score, other))
        if right_score(score, now) <= start + 1e-9:
            return
        yield now


CLIMBERS = {
    "the first better swap": climb_with(choose=first_better),
    "any two variables": climb_with(swaps=SWAPS["any two variables"]),
    "the first with the last too": climb_with(swaps=SWAPS["the first with the last too"]),
    "the last swap forgotten": climb_with(swaps=SWAPS["the last swap forgotten"]),
    "the parents that K3 finds": climb_with(SCORES["the parents that K3 finds"]),
    "all predecessors as parents": climb_with(SCORES["all predecessors as parents"]),
    "at most one parent": climb_with(SCORES["at most one parent"]),
    "at most two parents": climb_with(SCORES["at most two parents"]),
    "at most three parents": climb_with(SCORES["at most three parents"]),
    "one swap only": climb_with(most=1),
    "two swaps only": climb_with(most=2),
    "one pass from left to right": one_pass,
    "compared with the first order": compared_with_the_start,
    "an equally good order is accepted": climb_with(least=-1e-9),
    "the given order is yielded too": lambda score, order: [tuple(order), *climb_with()(score, order)],
    "the last order forgotten": lambda score, order: list(climb_with()(score, order))[:-1],
    "only the last order": lambda score, order: list(climb_with()(score, order))[-1:],
}
for mistake, program in CLIMBERS.items():
    wrong("11.3", mistake)(program)


# -- 11.4: dynamic programming over subsets ----------------------------------------------------------------------------
def subset_search(largest=lambda size: size - 1, smallest=0, sinks=lambda chosen: chosen, value="family", choose=max):
    """Dynamic programming with sets of other sizes, fewer sinks, or another value of a family."""
    def program(score):
        best = {frozenset(): 0.0}
        for size in range(1, len(score.variables) + 1):
            for chosen in combinations(score.variables, size):
                values = []
                for x in sinks(chosen):
                    others = [y for y in chosen if y != x]
                    sets = subsets(others, min(smallest, len(others)), max(largest(size), 0))
                    values.append(best[frozenset(others)] + max(getattr(score, value)(x, s) for s in sets))
                best[frozenset(chosen)] = choose(values)
        return best[frozenset(score.variables)]
    return program


def of_all_orders(score_of):
    return lambda score: max(score_of(score, order) for order in permutations(score.variables))


def climbing(score):
    """The local optimum of hill climbing over orders."""
    return right_score(score, [score.variables, *climb_with()(score, score.variables)][-1])


BEST = {
    "at most one parent": subset_search(lambda size: min(size - 1, 1)),
    "at most two parents": subset_search(lambda size: min(size - 1, 2)),
    "at most three parents": subset_search(lambda size: min(size - 1, 3)),
    "the set of all others forgotten": subset_search(lambda size: size - 2),
    "the empty set forgotten": subset_search(smallest=1),
    "only the last variable as the sink": subset_search(sinks=lambda chosen: chosen[-1:]),
    "only the first variable as the sink": subset_search(sinks=lambda chosen: chosen[:1]),
    "the first variable is never the sink": subset_search(sinks=lambda chosen: chosen[1:] or chosen),
    "the value of the last sink, not of the best": subset_search(choose=lambda values: values[-1]),
    "the fit without the penalty": subset_search(value="fit"),
    "the worst sink": subset_search(choose=min),
    "K3 for the best of all orders": of_all_orders(SCORES["the parents that K3 finds"]),
    "the best parents among all others, cycles allowed": lambda score:
        SCORES["all other variables are candidates"](score, list(score.variables)),
    "a local optimum over orders": climbing,
    "no parents": lambda score: sum(map(score.family, score.variables)),
}
for mistake, program in BEST.items():
    wrong("11.4", mistake)(program)


# -- 11.5: the unknowns of the program ---------------------------------------------------------------------------------
def counted(sets):
    return lambda candidates, limit: sum(sets(len(names), limit) for names in candidates.values())


UNKNOWNS = {
    "the empty set forgotten": counted(lambda k, limit: sum(comb(k, size) for size in range(1, limit + 1))),
    "the largest size forgotten": counted(lambda k, limit: sum(comb(k, size) for size in range(limit))),
    "sets of the largest size only": counted(comb),
    "no limit": counted(lambda k, limit: 2**k),
    "the variable among its own candidates": counted(lambda k, limit:
                                                     sum(comb(k + 1, size) for size in range(limit + 1))),
    "one less than the candidates": counted(lambda k, limit:
                                            sum(comb(max(k - 1, 0), size) for size in range(limit + 1))),
    "the number of arcs": counted(lambda k, limit: k),
    "lists in place of sets": counted(lambda k, limit: sum(k**size for size in range(limit + 1))),
    "all other variables are candidates": lambda candidates, limit:
        len(candidates) * sum(comb(len(candidates) - 1, size) for size in range(limit + 1)),
    "the number for the first variable times n": lambda candidates, limit:
        len(candidates) * sum(comb(len(next(iter(candidates.values()))), size) for size in range(limit + 1)),
    "the number for one variable": lambda candidates, limit:
        sum(comb(len(next(iter(candidates.values()))), size) for size in range(limit + 1)),
    "variables without candidates forgotten": lambda candidates, limit:
        sum(comb(len(names), size) for names in candidates.values() if names for size in range(limit + 1)),
    "at most two parents": lambda candidates, limit:
        sum(comb(len(names), size) for names in candidates.values() for size in range(min(limit, 2) + 1)),
}
for mistake, program in UNKNOWNS.items():
    wrong("11.5", mistake)(program)


# -- 11.6: a violated cluster constraint -------------------------------------------------------------------------------
def peel(parents, leaves, rounds=99):
    """Remove what `leaves` says as long as there is any; what remains."""
    left = set(parents)
    for _ in range(rounds):
        left -= {x for x in left if leaves(x, left)}
    return left


def follow(parents, start, pick=0):
    """From a variable to one of its parents, and on, until one comes again or has none."""
    path = [start]
    while parents[path[-1]] and (above := parents[path[-1]][pick]) not in path:
        path.append(above)
    return path


def children(parents, x):
    return [y for y in parents if x in parents[y]]


def small_cycle(parents, most):
    """The first closed walk of at most that many different variables."""
    return next((set(some) for size in range(2, most + 1) for some in permutations(parents, size)
                 if all(a in parents[b] for a, b in zip(some, (*some[1:], some[0])))), None)


CLUSTERS = {
    "all variables": set,
    "all variables with a parent": lambda parents: {x for x in parents if parents[x]},
    "removes roots only once": lambda parents: peel(parents, lambda x, left: not left & set(parents[x]), rounds=1),
    "removes roots only twice": lambda parents: peel(parents, lambda x, left: not left & set(parents[x]), rounds=2),
    "removes leaves in place of roots": lambda parents:
        peel(parents, lambda x, left: not left & set(children(parents, x))),
    "removes variables with any parent outside": lambda parents:
        peel(parents, lambda x, left: not set(parents[x]) <= left),
    "cycles of two only": lambda parents: small_cycle(parents, 2),
    "cycles of at most three": lambda parents: small_cycle(parents, 3),
    "the first parent of the first variable, and on": lambda parents: set(follow(parents, next(iter(parents)))),
    "the first parent of the last variable, and on": lambda parents: set(follow(parents, list(parents)[-1])),
    "only the first parent of each variable": lambda parents: next(
        (set(path) for path in (follow(parents, x) for x in parents) if parents[path[-1]]), None),
    "only the last parent of each variable": lambda parents: next(
        (set(path) for path in (follow(parents, x, -1) for x in parents) if parents[path[-1]]), None),
    "a variable and all its ancestors": lambda parents: max(
        ({x} | nx.descendants(nx.DiGraph(parents), x) for x in parents), key=len),
    "a variable on a cycle and its parents": lambda parents: next(
        {x, *parents[x]} for x in parents if x in nx.DiGraph(parents) and any(
            nx.has_path(nx.DiGraph(parents), above, x) for above in parents[x])),
    "the variables on no cycle": lambda parents: {
        x for x in parents if not any(nx.has_path(nx.DiGraph(parents), above, x) for above in parents[x])},
}
for mistake, program in CLUSTERS.items():
    wrong("11.6", mistake)(program)
