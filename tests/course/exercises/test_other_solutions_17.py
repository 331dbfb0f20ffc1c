"""Exercise 17, solved in other ways and forms than in its source: every right answer is accepted."""

from __future__ import annotations

from itertools import chain, combinations, permutations

import numpy as np
import pytest

import bnteach as bn
from bnteach.course.exercises.questions import of_lesson, q17

OTHERS = {}


def answers(id):
    """Register a function as another answer to a question."""
    return lambda function: OTHERS.setdefault(id, function)


@pytest.mark.parametrize("id", [question.id for question in of_lesson(17) if question.kind != "practice"])
def test_another_solution_is_right(id):
    assert bn.check(id, OTHERS[id])


def subsets(items):
    return chain.from_iterable(combinations(sorted(items), size) for size in range(len(items) + 1))


@answers("17.1")
def covered(dag):
    """By reversing: the same skeleton, and the same pairs of parents that are not adjacent."""
    def colliders(g):
        return {(c, *pair) for c in g.nodes for pair in combinations(sorted(g.parents(c)), 2) if not g.adjacent(*pair)}

    return [list(arc) for arc in dag.arcs if arc[1] not in dag.without_arc(*arc).descendants(arc[0])
            and colliders(dag) == colliders(dag.with_reversed(*arc))]


@answers("17.3")
def members(dag):
    """By depth-first search."""
    seen = {dag}

    def visit(g):
        for x, y in g.arcs:
            if set(g.parents(x)) == set(g.parents(y)) - {x} and (other := g.with_reversed(x, y)) not in seen:
                seen.add(other)
                visit(other)
    visit(dag)
    return tuple(sorted(map(str, seen)))


def dags(pdag, x, y, t):
    """The DAGs of the class in which T and the common neighbours, and no other neighbours, are parents of y."""
    wanted = {*t, *(n for n in pdag.neighbours(y) if pdag.adjacent(n, x)), *pdag.parents(y)}
    return [one for one in bn.equivalence_class(pdag) if set(one.parents(y)) == wanted]


@answers("17.2")
def gain_by_rescoring(score, pdag, x, y, t):
    one = next(one for one in dags(pdag, x, y, t) if x not in one.descendants(y))
    return np.float64(score(one.with_arc(x, y)) - score(one))


@answers("17.4")
def valid_by_all_dags(pdag, x, y):
    free = [n for n in pdag.neighbours(y) if not pdag.adjacent(n, x)]
    return frozenset(t for t in subsets(free) if any(x not in one.descendants(y) for one in dags(pdag, x, y, t)))


@answers("17.5")
def delete_by_rescoring(score, pdag):
    return max(score(one.without_arc(*arc)) - score(one) for one in bn.equivalence_class(pdag) for arc in one.arcs)


@answers("17.6")
def forward_by_all_dags(score):
    now, found = bn.cpdag(bn.DAG((), score.variables)), []
    while True:
        after = {bn.cpdag(one.with_arc(x, y)) for one in bn.equivalence_class(now)
                 for x, y in permutations(one.nodes, 2) if not one.adjacent(x, y) and x not in one.descendants(y)}
        best = max(after, key=lambda g: (round(score(bn.extend(g)), 7), str(g)), default=now)
        if score(bn.extend(best)) <= score(bn.extend(now)) + 1e-7:
            return found
        found.append(now := best)


@answers("17.7")
def stuck_by_moves(score, dag):
    def neighbours(g):
        for a, b in permutations(g.nodes, 2):
            if g.has_arc(a, b):
                yield g.without_arc(a, b)
                if b not in g.without_arc(a, b).descendants(a):
                    yield g.with_reversed(a, b)
            elif not g.adjacent(a, b) and a not in g.descendants(b):
                yield g.with_arc(a, b)

    return [g for g in bn.equivalence_class(dag) if max(map(score, neighbours(g))) < score(g) + 1e-7][-1].arcs


@pytest.mark.parametrize("seed", q17.STUCK)
def test_some_members_are_stuck_and_some_are_not(seed):
    """At most a quarter is, so that a guess is seldom right."""
    score, one = q17.stuck_table(np.random.default_rng(seed))
    stuck = [q17.is_stuck(score, other) for other in bn.equivalence_class(one)]
    assert 0 < sum(stuck) <= len(stuck) / 4 and not q17.is_stuck(score, one)


@pytest.mark.parametrize("text", [text for text, *_ in (*q17.VALID, *q17.INSERTS)])
def test_the_graphs_are_classes(text):
    assert bn.is_cpdag(bn.PDAG(text))
