"""Exercise 10: K3 step by step, the bound, and orders for which K3 fails. Lesson 10_parents_in_order."""

from __future__ import annotations

from functools import partial
from itertools import combinations, permutations
from typing import Any

import bnteach as bn
from bnteach.course.exercises.questions import constructed
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, shuffled, table
from bnteach.course.exercises.questions.read import read_order
from bnteach.datasets import five_rows
from bnteach.learn.search.ties import TOLERANCE

LEARNERS = ("learn",)
FAILING = (1, 4, 9, 34, 42, 45, 72, 76, 82, 83, 93, 95, 100, 110, 122, 136, 165, 182, 188, 205, 206, 208, 210)
RARE = (552, 862, 5899, 6846, 15229)
Names = tuple[str, ...]


def mdl(random: Random, variables: int = 4, low: int = 12, high: int = 30) -> bn.MDL:
    return bn.MDL(table(random, variables, rows=int(random.integers(low, high))))


def gains(score: bn.Score, child: str, parents: Names, candidates: Names) -> dict[str, float]:
    """The gain in score of each candidate."""
    now = score.family(child, parents)
    return {name: score.family(child, [*parents, name]) - now for name in candidates if name not in parents}


# -- 10.1 to 10.4: greedy parents --------------------------------------------------------------------------------
def draw_candidates(random: Random) -> tuple:
    """A child with a parent, and candidates of which one is clearly the best, but not the best without that parent."""
    while True:
        score = mdl(random, 5)
        child, parent, *candidates = shuffled(random, list(score.variables))
        ranked = sorted(gains(score, child, (parent,), tuple(candidates)).values(), reverse=True)
        alone = best_candidate(score, child, [], candidates)
        if ranked[0] - ranked[1] > 1e-3 and alone != best_candidate(score, child, [parent], candidates):
            return score, child, [parent], candidates


def best_candidate(score: bn.Score, child: str, parents: list[str], candidates: list[str]) -> str:
    found = gains(score, child, tuple(parents), tuple(candidates))
    return max(found, key=found.get)


def candidates_that_mislead(random: Random) -> list[tuple]:
    """One that is the best only if all present parents count; one with many states, which fits best and scores less;
    and candidates none of which raises the score."""
    score, child, (a, b, c, coin, copy) = constructed.parity_and_copy(random)
    other, second, (near, fine, worse) = constructed.many_states(random)
    return [(score, child, [a, b], [copy, coin, c]), (other, second, [], [near, fine, worse]),
            (other, second, [near], shuffled(random, [fine, worse]))]


def draw_step(random: Random) -> tuple:
    """A child with no or one parent; sometimes no candidate raises the score, otherwise one clearly does."""
    finished = random.random() < 0.4
    while True:
        score = mdl(random, 5)
        child, *others = shuffled(random, list(score.variables))
        cut = int(random.integers(2))
        low, high = sorted(gains(score, child, tuple(others[:cut]), tuple(others[cut:])).values())[-2:]
        if high < -1e-3 if finished else high > max(low, 0) + 1e-3:
            return score, child, others[:cut], others[cut:]


def steps_that_mislead(random: Random) -> list[tuple]:
    """Several candidates raise the score, the best in the middle; one needs all present parents; one beats only the
    child without parents; one changes nothing."""
    score, child, (first, *others, _) = constructed.heads_of(random, 4, 150, 180)
    found = gains(score, child, (first,), tuple(others))
    low, second, top = sorted(found, key=found.get)
    if found[top] - found[second] < 1e-3:
        return steps_that_mislead(random)
    even, parity, (a, b, c, coin, copy) = constructed.parity_and_copy(random)
    other, third, (near, fine, worse) = constructed.many_states(random)
    equal, last, two = constructed.nothing_gained(random)
    return [(score, child, [first], [low, top, second]), (even, parity, [a, b], [coin, c, copy]),
            (other, third, [near], shuffled(random, [fine, worse])), (equal, last, [], shuffled(random, two))]


def next_parent(score: bn.Score, child: str, parents: list[str], candidates: list[str]) -> str | None:
    """The best candidate if it raises the score."""
    found = gains(score, child, tuple(parents), tuple(candidates))
    best = max(found, key=found.get)
    return best if found[best] > TOLERANCE else None


def last_of_the_better(score: bn.Score, child: str, parents: list[str], candidates: list[str]) -> str:
    """The last candidate that raises the score at all, as if the best so far were not remembered."""
    found = gains(score, child, tuple(parents), tuple(candidates))
    return [name for name in candidates if found[name] > TOLERANCE][-1]


def draw_child(random: Random) -> tuple:
    """A child with three or four candidates, and at least one parent in the end."""
    while True:
        score = mdl(random, 5, 20, 40)
        child, *before = shuffled(random, list(score.variables))
        if greedy(score, child, before):
            return score, child, before


def children_that_mislead(random: Random) -> list[tuple]:
    """Four parents, the first among the candidates being the last to join; none, although a set would be better; and
    two candidates that exchange their ranks when the first parent has joined."""
    score, child, before = constructed.heads_of(random, 4, 150, 180)
    pair, parity, three = constructed.hidden_pair(random)
    changing, last, others = constructed.ranks_exchanged(random)
    four, two = greedy(score, child, before), greedy(changing, last, others)
    return [(score, child, [*(x for x in before if x not in four), *four[::-1]]), (pair, parity, shuffled(random, three)),
            (changing, last, [*two, *(x for x in others if x not in two)])]


def greedy(score: bn.Score, child: str, before: list[str]) -> list[str]:
    parents: list[str] = []
    while found := gains(score, child, tuple(parents), tuple(before)):
        best = max(found, key=found.get)
        if found[best] <= TOLERANCE:
            break
        parents.append(best)
    return parents


def greedy_options(score: bn.Score, child: str, before: list[str], taken: list) -> Options:
    found = gains(score, child, tuple(taken), tuple(before))
    top = max(found.values(), default=0.0)
    has = f"{child} with {', '.join(taken)}" if taken else f"{child} without parents"
    if top <= TOLERANCE:
        return Options([], f"no candidate raises the score of {has}")

    def why(step: Any) -> str:
        if isinstance(step, str) and step in found:
            return f"for {has} yours gains {found[step]:.4f}, and the best candidate gains {top:.4f}"
        return f"for {has} it has the largest gain, {top:.4f}"
    return Options([name for name, gain in found.items() if gain >= top - TOLERANCE], why)


def draw_order(random: Random) -> tuple:
    while True:
        score = mdl(random, 4, 15, 35)
        order = shuffled(random, list(score.variables))
        if len(k3(score, order)) >= 2:
            return score, order


def orders_that_mislead(random: Random) -> list[tuple]:
    """The same children at the end of an order."""
    return [(score, [*before, child]) for score, child, before in children_that_mislead(random)]


def k3(score: bn.Score, order: list[str]) -> list[tuple[str, str]]:
    """The arcs in the order in which K3 adds them."""
    return [(parent, child) for i, child in enumerate(order) for parent in greedy(score, child, order[:i])]


def k3_options(score: bn.Score, order: list[str], taken: list) -> Options:
    last = max((order.index(child) for _, child in taken), default=0)
    for i in range(last, len(order)):
        parents = [parent for parent, child in taken if child == order[i]]
        steps, why = greedy_options(score, order[i], order[:i], parents)
        if steps:
            def because(step: Any, child: str = order[i], why: Any = why) -> str:
                parent, other = step if isinstance(step, list | tuple) and len(step) == 2 else ("", "")
                if parent in order and other in order and order.index(parent) >= order.index(other):
                    return f"{parent} does not precede {other} in the order and cannot be its parent; an arc is (parent, child)"
                return f"{child} is the next child; " + (why(parent) if other == child else why(None))
            return Options([(parent, order[i]) for parent in steps], because)
    return Options([], "no variable has a candidate left that raises the score")


# -- 10.5 and 10.6: the bound, and all sets ----------------------------------------------------------------------
def draw_bound(random: Random) -> tuple:
    score = bn.MDL(table(random, 5, rows=int(random.integers(15, 40)), states=random.integers(2, 4, size=5).tolist()))
    child, *others = shuffled(random, list(score.variables))
    cut = int(random.integers(0, 3))
    return score, child, others[:cut], others[cut: cut + int(random.integers(1, 3))]


def bound_of_many(random: Random) -> list[tuple]:
    """Two parents, and two or three candidates that may still join."""
    score = bn.MDL(table(random, 6, rows=int(random.integers(90, 120)), states=random.integers(2, 4, size=6).tolist()))
    child, *others = shuffled(random, list(score.variables))
    return [(score, child, others[:2], others[2:4]), (score, child, others[:2], others[2:])]


def bound(score: Any, child: str, parents: list[str], later: list[str], penalty: str = "small") -> float:
    penalised = {"small": parents, "large": [*parents, *later]}
    fit = score.fit(child, [*parents, *later])
    return fit if penalty == "none" else fit - score.penalty * score.parameters(child, penalised[penalty])


def draw_sets(random: Random) -> tuple:
    """A child whose best set of parents is clearly better than any other, and sometimes not the greedy one."""
    wanted = random.random() < 0.6
    while True:
        score = constructed.xor_like(random) if wanted else mdl(random, 4, 15, 30)
        child, *before = shuffled(random, list(score.variables))
        values = sorted((score.family(child, s) for n in range(4) for s in combinations(before, n)), reverse=True)
        missed = set(greedy(score, child, before)) != best(score, child, before)
        if values[0] - values[1] > 1e-3 and (missed or not wanted):
            return score, child, before


def sets_that_mislead(random: Random) -> list[tuple]:
    """The best set has four parents, with another candidate between them; has all candidates; is empty; and can be
    reached neither by adding nor by leaving out one candidate at a time."""
    four, child, (a, b, c, d, other) = constructed.parity_of(random, 4, 75, 90)
    pair, parity, coins = constructed.hidden_pair(random)
    pairs, last, others = constructed.two_pairs(random)
    return [(four, child, [a, b, other, c, d]), (pair, parity, coins[:2]), (pair, coins[0], coins[1:]),
            (pairs, last, shuffled(random, others))]


def best(score: bn.Score, child: str, candidates: list[str]) -> set[str]:
    """The best of all sets."""
    sets = [s for n in range(len(candidates) + 1) for s in combinations(candidates, n)]
    return set(max(sets, key=lambda s: score.family(child, s)))


# -- 10.7: an order for which K3 fails -----------------------------------------------------------------------------
def fails(score: bn.Score, order: Any) -> bool:
    """Does K3 miss the best parents for this order?"""
    return bn.k3(score, order).score < bn.branch_and_bound(score, order).score - 1e-6


def failing(score: bn.Score) -> Names | None:
    return next((order for order in permutations(score.variables) if fails(score, order)), None)


def draw_failing(random: Random) -> tuple[bn.Score]:
    """A score for which K3 fails with at most 8 of the 24 orders, whatever the names are, since it has no ties; one of
    some found in advance, with other names and columns."""
    return (bn.MDL(constructed.one_found(random, FAILING, lambda found: constructed.xor_like(found).data)),)


def rarely_failing(random: Random) -> list[tuple[bn.Score]]:
    """Scores for which K3 fails with at most 4 orders, not those with its lowest scores and none of the cyclic shifts."""
    scores = [bn.MDL(constructed.one_found(random, RARE, small_network)) for _ in range(2)]
    return [(bn.MDL(score.data.select(*constructed.no_shift(score.variables, partial(fails, score)))),) for score in scores]


def small_network(random: Random) -> bn.Table:
    rows = int(random.integers(15, 40))
    return constructed.network_rows(random, "ABCD", rows)


def examine_order(answer: Any, score: bn.Score) -> str:
    order, problem = read_order(answer, score.variables)
    if problem:
        return problem
    greedy_score, top = bn.k3(score, order).score, bn.branch_and_bound(score, order).score
    if greedy_score < top - 1e-6:
        return ""
    return f"for the order {', '.join(order)} K3 finds the best parents, and a score of {top:.4f}"


FIVE = bn.MDL(five_rows())
QUESTIONS = (
    Question("10.1", "The best candidate", "best_candidate", "one line", draw_candidates, best_candidate, points=1,
             withheld=LEARNERS, adversarial=candidates_that_mislead, mistakes={
                 "this one is the best without the present parents":
                     lambda score, child, parents, others: best_candidate(score, child, [], others),
                 "this is the worst of them": lambda score, child, parents, others:
                     min(found := gains(score, child, tuple(parents), tuple(others)), key=found.get),
             }),
    Question("10.2", "One step of K3", "next_parent", "three lines", draw_step, next_parent, points=2, withheld=LEARNERS,
             first=((FIVE, "D", [], ["A", "B", "C"]), (FIVE, "D", ["B"], ["A", "C"])), adversarial=steps_that_mislead, mistakes={
                 "a candidate joins only if it raises the score; compare with the present family": best_candidate,
                 "this candidate raises the score, but another raises it more; remember the best score so far too":
                     last_of_the_better,
             }),
    Question("10.3", "Greedy parents, line by line", "greedy_parents", "lines in order", draw_child, greedy, points=2,
             first=((FIVE, "D", ["A", "B", "C"]),), adversarial=children_that_mislead, options=greedy_options, withheld=LEARNERS),
    Question("10.4", "K3", "k3", "steps", draw_order, k3, points=3, first=((FIVE, list("ABCD")),),
             adversarial=orders_that_mislead, options=k3_options,
             withheld=LEARNERS),
    Question("10.5", "The bound", "bound", "function", draw_bound, bound, points=2, withheld=LEARNERS,
             first=((FIVE, "D", ["B"], ["C"]),), adversarial=bound_of_many, mistakes={
                 "the penalty is that of the largest set; other sets may have fewer parameters, so use that of the smallest":
                     lambda *a: bound(*a, penalty="large"),
                 "this leaves out the penalty, which is at least that of the present set": lambda *a: bound(*a, penalty="none"),
                 "this is the score of the set itself; its extensions may fit better":
                     lambda score, child, parents, later: score.family(child, parents),
             }),
    Question("10.6", "All sets", "best_parents", "function", draw_sets, best, points=2, adversarial=sets_that_mislead,
             mistakes={
                 "these are the parents that K3 finds; a set can be better although each single step towards it lowers the score":
                     lambda score, child, before: set(greedy(score, child, before)),
             }, withheld=LEARNERS),
    Question("10.7", "An order for which K3 fails", "failing_order", "build", draw_failing, failing, points=3,
             examine=examine_order, adversarial=rarely_failing, draws=6),
)
