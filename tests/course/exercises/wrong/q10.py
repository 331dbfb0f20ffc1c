"""Wrong programs for exercise 10."""

from __future__ import annotations

from itertools import combinations, permutations

import bnteach as bn
from tests.course.exercises.wrong import wrong


def subsets(items, smallest=0, largest=None):
    largest = len(items) if largest is None else largest
    return [some for size in range(smallest, largest + 1) for some in combinations(items, size)]


# -- 10.1: the best candidate ------------------------------------------------------------------------------------------
def best_by(value):
    return lambda score, child, parents, names: max(names, key=lambda name: value(score, child, parents, name))


best_candidate = best_by(lambda score, child, parents, name: score.family(child, [*parents, name]))


def raises(score, child, parents, name):
    return score.family(child, [*parents, name]) > score.family(child, parents) + 1e-9


CANDIDATES = {
    "without the present parents": best_by(lambda score, child, parents, name: score.family(child, [name])),
    "only the first of the present parents": best_by(lambda score, child, parents, name:
                                                     score.family(child, [*parents[:1], name])),
    "only the last of the present parents": best_by(lambda score, child, parents, name:
                                                    score.family(child, [*parents[-1:], name])),
    "the fit without the penalty": best_by(lambda score, child, parents, name: score.fit(child, [*parents, name])),
    "the child as a parent of the candidate": best_by(lambda score, child, parents, name:
                                                      score.family(name, [*parents, child])),
    "the worst one": best_by(lambda score, child, parents, name: -score.family(child, [*parents, name])),
    "the first that raises the score": lambda score, child, parents, names:
        next((name for name in names if raises(score, child, parents, name)), None),
    "none if none raises the score": lambda score, child, parents, names:
        next_parent(score, child, parents, names),
    "the first two candidates only": lambda score, child, parents, names:
        best_candidate(score, child, parents, names[:2]),
}
for mistake, program in CANDIDATES.items():
    wrong("10.1", mistake)(program)


# -- 10.2: one step of K3 ----------------------------------------------------------------------------------------------
def one_step(value=None, present=None, remember=True, least=1e-9, stop_at=None):
    """One step with one's own family score, score of the present family, or loop."""
    value = value or (lambda score, child, parents, name: score.family(child, [*parents, name]))
    present = present or (lambda score, child, parents: score.family(child, parents))

    def program(score, child, parents, names):
        best, best_score = None, present(score, child, parents)
        for name in names:
            now = value(score, child, parents, name)
            if now > best_score + least:
                best, best_score = name, now if remember else best_score
            if (now > present(score, child, parents) + least) == stop_at:
                break
        return best
    return program


next_parent = one_step()
STEPS = {
    "the best candidate joins in any case": best_candidate,
    "the best score so far is not remembered": one_step(remember=False),
    "the first candidate that raises the score": one_step(stop_at=True),
    "stops at the first candidate that does not raise the score": one_step(stop_at=False),
    "compared with the child without parents": one_step(present=lambda score, child, parents: score.family(child)),
    "the present parents are left out of the new family": one_step(lambda score, child, parents, name:
                                                                  score.family(child, [name])),
    "the present parents are left out everywhere": lambda score, child, parents, names:
        next_parent(score, child, [], names),
    "a candidate that changes nothing joins too": one_step(least=-1e-9),
    "the fit without the penalty": one_step(lambda score, child, parents, name: score.fit(child, [*parents, name]),
                                            lambda score, child, parents: score.fit(child, parents)),
    "only the last of the present parents": lambda score, child, parents, names:
        next_parent(score, child, parents[-1:], names),
    "best = 0 at the start": one_step(present=lambda score, child, parents: 0.0),
    "the first candidate only": lambda score, child, parents, names: next_parent(score, child, parents, names[:1]),
}
for mistake, program in STEPS.items():
    wrong("10.2", mistake)(program)


# -- 10.3: greedy parents ----------------------------------------------------------------------------------------------
def greedy_with(step, most=99):
    """K3 for one child with one's own step and at most so many parents."""
    def program(score, child, before):
        parents, left = [], list(before)
        while left and len(parents) < most and (name := step(score, child, parents, left)):
            parents.append(name)
            left.remove(name)
        return parents
    return program


def single_pass(score, child, before):
    """Each candidate once, in the given order."""
    parents = []
    for name in before:
        if raises(score, child, parents, name):
            parents.append(name)
    return parents


def ranked_once(score, child, before):
    """The gains without parents decide, and are not computed again."""
    gains = {name: score.family(child, [name]) - score.family(child) for name in before}
    return sorted((name for name in before if gains[name] > 1e-9), key=lambda name: -gains[name])


def ranked_then_tested(score, child, before):
    """The order of the candidates is computed once, and each joins if it raises the score."""
    return single_pass(score, child, sorted(before, key=lambda name: -score.family(child, [name])))


def all_sets(score, child, before, smallest=0, largest=None):
    return list(max(subsets(before, smallest, largest), key=lambda some: score.family(child, some)))


greedy = greedy_with(next_parent)
GREEDY = {
    "at most one parent": greedy_with(next_parent, most=1),
    "at most two parents": greedy_with(next_parent, most=2),
    "at most three parents": greedy_with(next_parent, most=3),
    "the first candidate that raises the score": greedy_with(STEPS["the first candidate that raises the score"]),
    "the last candidate that raises the score": greedy_with(one_step(remember=False)),
    "each candidate once, in the given order": single_pass,
    "all candidates that raise the score on their own": ranked_once,
    "the candidates are ranked only once": ranked_then_tested,
    "never stops before all candidates have joined": greedy_with(best_candidate),
    "the best set instead of the greedy one": all_sets,
    "the fit without the penalty": greedy_with(STEPS["the fit without the penalty"]),
    "the parents in the order of the candidates": lambda score, child, before:
        [name for name in before if name in greedy(score, child, before)],
    "the first parent in any case": lambda score, child, before:
        greedy(score, child, before) or [best_candidate(score, child, [], before)],
}
for mistake, program in GREEDY.items():
    wrong("10.3", mistake)(program)


# -- 10.4: K3 ----------------------------------------------------------------------------------------------------------
def k3_with(parents, before=lambda order, i: order[:i]):
    """K3 with one's own search for the parents or one's own candidates."""
    def program(score, order):
        for i, child in enumerate(order):
            for parent in parents(score, child, before(order, i)):
                yield parent, child
    return program


right_k3 = k3_with(greedy)
K3 = {
    **{mistake: k3_with(GREEDY[mistake]) for mistake in (
        "at most one parent", "at most two parents", "at most three parents", "each candidate once, in the given order",
        "the first candidate that raises the score", "the candidates are ranked only once",
        "the best set instead of the greedy one", "the parents in the order of the candidates")},
    "all other variables are candidates": k3_with(greedy, lambda order, i: [*order[:i], *order[i + 1:]]),
    "the later variables are candidates": k3_with(greedy, lambda order, i: order[i + 1:]),
    "the nearest predecessor is left out": k3_with(greedy, lambda order, i: order[:max(i - 1, 0)]),
    "the first variable is no candidate": k3_with(greedy, lambda order, i: order[1:i]),
    "only the nearest predecessor": k3_with(greedy, lambda order, i: order[max(i - 1, 0):i]),
    "only the two nearest predecessors": k3_with(greedy, lambda order, i: order[max(i - 2, 0):i]),
    "the order of the columns": lambda score, order: right_k3(score, list(score.variables)),
    "the order backwards": lambda score, order: right_k3(score, order[::-1]),
    "(child, parent)": lambda score, order: [arc[::-1] for arc in right_k3(score, order)],
    "the last variable gets no parents": lambda score, order: right_k3(score, order[:-1]),
}
for mistake, program in K3.items():
    wrong("10.4", mistake)(program)


# -- 10.5: the bound ---------------------------------------------------------------------------------------------------
def bound_with(fit, penalised, sign=-1):
    def program(score, child, parents, later):
        return score.fit(child, fit(parents, later)) + sign * score.penalty * score.parameters(
            child, penalised(parents, later))
    return program


def both(parents, later):
    return [*parents, *later]


def present(parents, later):
    return parents


BOUNDS = {
    "the penalty of the largest set": bound_with(both, both),
    "the score of the set itself": bound_with(present, present),
    "the penalty of the largest set, the fit of the smallest": bound_with(present, both),
    "the penalty added": bound_with(both, present, sign=1),
    "the penalty of no parents": bound_with(both, lambda parents, later: []),
    "the penalty of the later candidates": bound_with(both, lambda parents, later: later),
    "the fit of the later candidates only": bound_with(lambda parents, later: later, present),
    "only the first of the later candidates": bound_with(lambda parents, later: [*parents, *later[:1]], present),
    "only the last of the later candidates": bound_with(lambda parents, later: [*parents, *later[-1:]], present),
    "no penalty": lambda score, child, parents, later: score.fit(child, [*parents, *later]),
    "a penalty per parent": lambda score, child, parents, later:
        score.fit(child, [*parents, *later]) - score.penalty * len(parents),
    "a penalty of 1 per parameter": lambda score, child, parents, later:
        score.fit(child, [*parents, *later]) - score.parameters(child, parents),
    "the best score of all extensions": lambda score, child, parents, later:
        max(score.family(child, [*parents, *some]) for some in subsets(later)),
}
for mistake, program in BOUNDS.items():
    wrong("10.5", mistake)(program)


# -- 10.6: all sets ----------------------------------------------------------------------------------------------------
def backward(score, child, candidates):
    """Start from all candidates and leave out what lowers the score least, as long as it rises."""
    chosen = list(candidates)
    while chosen:
        worst = max(chosen, key=lambda name: score.family(child, [x for x in chosen if x != name]))
        fewer = [x for x in chosen if x != worst]
        if score.family(child, fewer) <= score.family(child, chosen) + 1e-9:
            break
        chosen = fewer
    return chosen


def both_ways(score, child, candidates):
    """The better of forward and backward search."""
    return max([backward(score, child, candidates), greedy(score, child, candidates)],
               key=lambda some: score.family(child, some))


def slices(score, child, candidates):
    runs = [candidates[i:j] for i in range(len(candidates) + 1) for j in range(i, len(candidates) + 1)]
    return max(runs, key=lambda some: score.family(child, some))


SETS = {
    "at most one parent": lambda *a: all_sets(*a, largest=1),
    "at most two parents": lambda *a: all_sets(*a, largest=2),
    "at most three parents": lambda *a: all_sets(*a, largest=3),
    "the empty set forgotten": lambda *a: all_sets(*a, smallest=1),
    "the set of all candidates forgotten": lambda *a: all_sets(*a, largest=len(a[2]) - 1),
    "the parents that K3 finds": greedy,
    "leaving out one candidate at a time": backward,
    "the better of adding and of leaving out": both_ways,
    "neighbouring candidates only": slices,
    "all candidates that raise the score on their own": ranked_once,
    "the fit without the penalty": lambda score, child, names: max(subsets(names), key=lambda s: score.fit(child, s)),
    "the worst set": lambda score, child, names: min(subsets(names), key=lambda s: score.family(child, s)),
    "the first candidate forgotten": lambda score, child, names: all_sets(score, child, names[1:]),
    "the last candidate forgotten": lambda score, child, names: all_sets(score, child, names[:-1]),
}
for mistake, program in SETS.items():
    wrong("10.6", mistake)(lambda *a, program=program: set(program(*a)))


# -- 10.7: an order for which K3 fails ---------------------------------------------------------------------------------
def first_order(score, wanted, orders=None):
    return next((order for order in orders or permutations(score.variables) if wanted(order)), None)


def missed(score, order):
    return bn.k3(score, order).score < bn.branch_and_bound(score, order).score - 1e-6


ORDERS = {
    "the columns as they are": lambda score: score.variables,
    "the columns reversed": lambda score: score.variables[::-1],
    "the lowest score of K3": lambda score: min(permutations(score.variables), key=lambda o: bn.k3(score, o).score),
    "the highest score of K3": lambda score: max(permutations(score.variables), key=lambda o: bn.k3(score, o).score),
    "lower than the best graph of all orders": lambda score:
        first_order(score, lambda order: bn.k3(score, order).score < bn.exact(score).score - 1e-6),
    "lower than with the columns as they are": lambda score:
        first_order(score, lambda order: bn.k3(score, order).score < bn.k3(score, score.variables).score - 1e-6),
    "cyclic shifts only": lambda score: first_order(score, lambda order: missed(score, order), [
        (*score.variables[i:], *score.variables[:i]) for i in range(len(score.variables))]),
    "one swap of neighbours only": lambda score: first_order(score, lambda order: missed(score, order), [
        (*score.variables[:i], score.variables[i + 1], score.variables[i], *score.variables[i + 2:])
        for i in range(len(score.variables) - 1)]),
    "an order of the best graph": lambda score: bn.exact(score).graph.order,
    "an order in which K3 finds no arc": lambda score:
        first_order(score, lambda order: not bn.k3(score, order).graph.arcs),
}
for mistake, program in ORDERS.items():
    wrong("10.7", mistake)(program)
