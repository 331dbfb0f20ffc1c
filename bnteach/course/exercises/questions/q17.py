"""Exercise 17: covered arcs, Inserts and Deletes of equivalence classes, and the forward phase. Lesson 17_searching_classes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.constructed import coins, named, wrong_at
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled, table, traps_of, under_names
from bnteach.course.exercises.questions.read import read_dag
from bnteach.datasets import five_rows
from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG
from bnteach.learn.search.neighbourhood import Neighbourhood

CLASSES, SEARCH, TOLERANCE = ("graphs.equivalence", "learn"), ("learn",), 1e-7
STUCK = (3, 6, 43, 51, 58, 60, 122, 124, 162, 174, 182, 192, 200, 241)  # seeds of tables, found in advance
Names = tuple[str, ...]


# -- 17.1 and 17.3: covered arcs -----------------------------------------------------------------------------------
def covered(graph: DAG) -> set[tuple[str, str]]:
    return {(x, y) for x, y in graph.arcs if set(graph.parents(y)) == {*graph.parents(x), x}}


def draw_half_covered(random: Random) -> tuple[DAG]:
    """A DAG in which some arcs are covered and some are not."""
    while True:
        graph = dag(random, 5, arcs=int(random.integers(4, 8)))
        if 0 < len(covered(graph)) < len(graph.arcs):
            return (graph,)


# y has a parent more; x has one more; as many, but others; a complete DAG; a node of three parents
cover_traps = traps_of(DAG, "a->c, b->c, a->d", "a->b, b->c, c->d, e->d", "p->x, x->y, q->y, p->q", "b->a, b->c, c->a, b->d, c->d, a->d",
                       "a->d, b->d, c->d, a->b, b->c, a->c, d->e, a->e, b->e, c->e")


def members(graph: DAG) -> list[str]:
    """The DAGs of the class, as sorted texts."""
    return sorted(map(str, bn.equivalence_class(graph)))


def draw_class(random: Random) -> tuple[DAG]:
    """A DAG with four to twelve members in its class, of which not all are one reversal away."""
    while True:
        graph = dag(random, 5, arcs=int(random.integers(4, 7)))
        if 4 <= bn.class_size(graph) <= 12 and bn.class_size(graph) > len(covered(graph)) + 1:
            return (graph,)


class_traps = traps_of(DAG, "a->b, b->c, c->d, d->e, e->f", "a->b, a->c, b->c, a->d, b->d, c->d", "c->a, c->b, b->d, e->d, c->f")


# -- 17.2 and 17.4: Inserts -------------------------------------------------------------------------------------------
def common(pdag: PDAG, x: str, y: str) -> set[str]:
    """The neighbours of y that are adjacent to x."""
    return {n for n in pdag.neighbours(y) if pdag.adjacent(n, x)}


def candidates(pdag: PDAG, x: str, y: str) -> list[Names]:
    """All sets T, sorted."""
    free = sorted(set(pdag.neighbours(y)) - common(pdag, x, y))
    return [some for size in range(len(free) + 1) for some in combinations(free, size)]


def valid(pdag: PDAG, x: str, y: str) -> set[Names]:
    """The sets T for which there is a DAG of the class to which x -> y can be added, found by trying all of them."""
    found = set()
    for one in bn.equivalence_class(pdag):
        chosen = set(one.parents(y)) & set(pdag.neighbours(y))
        if common(pdag, x, y) <= chosen and x not in one.descendants(y):
            found.add(tuple(sorted(chosen - common(pdag, x, y))))
    return found


def gain_of_insert(score: bn.Score, pdag: PDAG, x: str, y: str, t: Any) -> float:
    parents = {*pdag.parents(y), *common(pdag, x, y), *t}
    return score.family(y, parents | {x}) - score.family(y, parents)


def pairs(pdag: PDAG) -> list[tuple[str, str]]:
    return [(x, y) for x in pdag.nodes for y in pdag.nodes if x != y and not pdag.adjacent(x, y)]


def draw_insert(random: Random) -> tuple:
    """A score, a class and an Insert with a common neighbour, or one in T, and best with both."""
    t = table(random, 5, rows=int(random.integers(20, 40)))
    while True:
        pdag = bn.cpdag(dag(random, t.variables, arcs=int(random.integers(4, 7))))
        for x, y in shuffled(random, pairs(pdag)):
            for some in sorted(valid(pdag, x, y), key=len, reverse=True):
                if some or common(pdag, x, y):
                    return bn.MDL(t), pdag, x, y, list(some)


# x with a common neighbour n of y, T = {t}; then a neighbour that stays out; then arcs into y; then a common child
INSERTS = (("x-n, n-y, n-t, t-y", "x", "y", "t"), ("x-n, n-y, n-t, t-y, y-u, x-w", "x", "y", "t"),
           ("p->y, q->y, p->n, q->n, y-n, x", "x", "y", "n"), ("p->y, q->y, p->n, q->n, y-n, n-x, p->x, q->x", "x", "y", ""),
           ("x->c, y->c, y-t", "x", "y", "t"))


def insert_traps(random: Random) -> Iterator[tuple]:
    for text, x, y, t in INSERTS:
        text, x, y, *rest = under_names(random, text, x, y, *t)
        pdag = PDAG(text)
        yield bn.MDL(table(random, sorted(pdag.nodes), rows=int(random.integers(25, 40)))), pdag, x, y, rest


def draw_valid(random: Random) -> tuple[PDAG, str, str]:
    """A pair with two neighbours of y or more, for which some sets T are valid and some are not."""
    while True:
        pdag = bn.cpdag(dag(random, 5, arcs=int(random.integers(4, 7))))
        for x, y in shuffled(random, pairs(pdag)):
            if 0 < len(valid(pdag, x, y)) < len(candidates(pdag, x, y)):
                return pdag, x, y


VALID = (("x-a, a-b, b-y", "x", "y"), ("x-n, n-y, n-t, t-y", "x", "y"), ("a-y, b-y, x", "x", "y"),
         ("a-b, a-y, b-y, x", "x", "y"), ("a-b, a-c, b-c, a-y, b-y, c-y, x", "x", "y"), ("y->c, z->c, c->x", "x", "y"),
         ("y->x, z->x, y-w, w-v, z", "v", "z"), ("y-w, w->c, z->c, c->x", "x", "y"), ("x->c, y->c", "x", "y"), ("x->c, z->c, c->y", "x", "y"))


def valid_traps(random: Random) -> Iterator[tuple]:
    for text, x, y in VALID:
        text, x, y = under_names(random, text, x, y)
        yield PDAG(text), x, y


# -- 17.5: the best Delete ----------------------------------------------------------------------------------------------
def best_delete(score: bn.Score, pdag: PDAG) -> float:
    """The largest gain of removing one arc from one DAG of the class."""
    return max(score.family(y, set(one.parents(y)) - {x}) - score.family(y, one.parents(y))
               for one in bn.equivalence_class(pdag) for x, y in one.arcs)


def one_delete(score: bn.Score, pdag: PDAG) -> float:
    """The result if only one DAG of the class is considered."""
    one = bn.extend(pdag)
    return max(score.family(y, set(one.parents(y)) - {x}) - score.family(y, one.parents(y)) for x, y in one.arcs)


def draw_delete(random: Random) -> tuple[bn.Score, PDAG]:
    """A score and a class in which the best Delete is not that of the first DAG."""
    while True:
        score = bn.MDL(table(random, 4, rows=int(random.integers(15, 30))))
        pdag = bn.cpdag(dag(random, score.variables, arcs=int(random.integers(4, 7))))
        if best_delete(score, pdag) > one_delete(score, pdag) + 1e-3:
            return score, pdag


def delete_traps(random: Random) -> Iterator[tuple[bn.Score, PDAG]]:
    """Where the best Delete is of an arc, or needs two neighbours as parents, or none; and where none raises the score."""
    tosses = coins(random, 3, 60, 90)
    for columns in ([tosses.sum(axis=0) % 2, *tosses], [tosses.sum(axis=0) >= 2, *tosses]):
        score, child, others = named(random, columns)
        yield score, PDAG([], list(combinations(score.variables, 2)), score.variables)
        yield score, PDAG([(other, child) for other in others], [], score.variables)
    pair = coins(random, 2, 60, 90)
    both = pair[0] & pair[1]
    score, y, (x, *rest) = named(random, [both, wrong_at(random, both, 0.1), *pair])  # given both coins, y needs no x,
    yield score, PDAG([], [(x, y), *((a, b) for a in rest for b in (x, y))], score.variables)  # but they are no clique
    yield draw_delete(random)


# -- 17.6: the forward phase --------------------------------------------------------------------------------------------
def inserted(score: bn.Score, pdag: PDAG) -> dict[PDAG, float]:
    """All classes that one Insert leads to, each with its gain."""
    found = {}
    for one in bn.equivalence_class(pdag):
        for x, y in pairs(pdag):
            if x not in one.descendants(y):
                gain = score.family(y, {*one.parents(y), x}) - score.family(y, one.parents(y))
                found[bn.cpdag(one.with_arc(x, y))] = gain
    return found


def forward(score: bn.Score) -> list[PDAG]:
    """The classes of the forward phase."""
    now, found = PDAG([], [], score.variables), []
    while gains := inserted(score, now):
        now = max(gains, key=lambda graph: round(gains[graph], 7))
        if gains[now] <= TOLERANCE:
            break
        found.append(now)
    return found


def forward_options(score: bn.Score, taken: list) -> Options:
    now = taken[-1] if taken else PDAG([], [], score.variables)
    gains = inserted(score, now)
    top = max(gains.values(), default=0.0)
    if top <= TOLERANCE:
        return Options([], f"no Insert raises the score of {show(now)}")
    return Options([graph for graph, gain in gains.items() if gain >= top - TOLERANCE],
                   f"in {show(now)} the best Insert gains {top:.4f}; yield the CPDAG that it leads to")


def draw_forward(random: Random) -> tuple[bn.Score]:
    """Data on which the forward phase makes three Inserts or more, and one of them is out of reach of a single DAG."""
    while True:
        score = bn.MDL(table(random, 4, rows=int(random.integers(15, 30))))
        if len(forward(score)) >= 3:
            return (score,)


def forward_traps(random: Random) -> Iterator[tuple[bn.Score]]:
    """The five rows under other names, C first, where a DAG search gets stuck; the majority of three coins; a chain whose
    middle edge is the weakest, so that both of its ends have a neighbour before."""
    rows = five_rows().to_frame()[list("CABD")]
    yield (bn.MDL(rows.set_axis(shuffled(random, names(random, 4)), axis=1)),)
    tosses = coins(random, 3, 60, 90)
    yield (named(random, [tosses.sum(axis=0) >= 2, *tosses])[0],)
    one = coins(random, 1, 70, 90)[0]
    other = wrong_at(random, one, 0.2)
    yield (named(random, [one, wrong_at(random, one, 0.05), other, wrong_at(random, other, 0.05)])[0],)


# -- 17.7: the stuck member -----------------------------------------------------------------------------------------------
def is_stuck(score: bn.Score, one: DAG) -> bool:
    return bool(Neighbourhood(score, one).gains().max() < TOLERANCE)


def stuck_table(random: Random) -> tuple[bn.Score, DAG] | None:
    """A score and a DAG that is not stuck, in a class in which another is."""
    score = bn.MDL(table(random, "ABCD", rows=int(random.integers(6, 13))))
    for _ in range(6):
        one = bn.hill_climb(score, start=dag(random, "ABCD", arcs=int(random.integers(1, 6)))).graph
        free = [other for other in bn.equivalence_class(one) if not is_stuck(score, other)]
        if free:
            return score, free[int(random.integers(len(free)))]
    return None


def draw_stuck(random: Random) -> tuple[bn.Score, DAG]:
    """Such tables are rare, so their seeds are listed; names and columns are drawn."""
    score, one = stuck_table(np.random.default_rng(int(random.choice(STUCK))))
    new = dict(zip("ABCD", shuffled(random, names(random, 4))))
    frame = score.data.to_frame().rename(columns=new)
    columns = shuffled(random, sorted(new.values()))
    return bn.MDL(frame[columns]), DAG([(new[a], new[b]) for a, b in one.arcs], columns)


def examine_stuck(answer: Any, score: bn.Score, one: DAG) -> str:
    other, problem = read_dag(answer, score.variables)
    if problem:
        return problem
    if not bn.markov_equivalent(other, one):
        return f"{show(other)} is not in the class of {show(one)}"
    if not is_stuck(score, other):
        best = bn.hill_climb(score, start=other)
        return f"from {show(other)} hill climbing goes on to {show(best.graph)}, so it is not stuck"
    return ""


TREE, SQUARE = DAG("C->A, C->B, B->D"), PDAG("A-B, B-C, C-D")
QUESTIONS = (
    Question("17.1", "Covered arcs", "covered_arcs", "one line", draw_half_covered, covered, points=1, withheld=CLASSES,
             first=((TREE,), (DAG("A->B, A->C, B->C"),)), adversarial=cover_traps, mistakes={
                 "here the two nodes have the same number of other parents; they must have the same ones": lambda graph:
                     {(x, y) for x, y in graph.arcs if len(graph.parents(y)) == len(graph.parents(x)) + 1},
                 "the parents of y without x must be those of x, not only contain them": lambda graph:
                     {(x, y) for x, y in graph.arcs if set(graph.parents(x)) <= set(graph.parents(y))},
                 "here y may have fewer parents than x": lambda graph:
                     {(x, y) for x, y in graph.arcs if {*graph.parents(y)} <= {*graph.parents(x), x}},
             }),
    Question("17.2", "The gain of an Insert", "gain_of_insert", "three lines", draw_insert, gain_of_insert, points=2,
             withheld=SEARCH, first=((bn.MDL(five_rows()), PDAG("A-C, B, D"), "B", "C", ["A"]),), adversarial=insert_traps,
             mistakes={
                 "the neighbours of y that are adjacent to x are parents too": lambda score, g, x, y, t:
                     score.family(y, {*g.parents(y), *t, x}) - score.family(y, {*g.parents(y), *t}),
                 "the arcs into y stay: Pa is missing": lambda score, g, x, y, t:
                     score.family(y, {*common(g, x, y), *t, x}) - score.family(y, {*common(g, x, y), *t}),
                 "neighbours of y that are neither in T nor adjacent to x are no parents": lambda score, g, x, y, t:
                     score.family(y, {*g.parents(y), *g.neighbours(y), x}) - score.family(y, {*g.parents(y), *g.neighbours(y)}),
             }),
    Question("17.3", "Through the class, line by line", "members", "lines in order", draw_class, members, points=2,
             withheld=CLASSES, first=((TREE,),), adversarial=class_traps, draws=2),
    Question("17.4", "Which sets T are valid?", "valid_sets", "function", draw_valid, valid, points=3, withheld=SEARCH,
             first=((SQUARE, "A", "D"), (PDAG("A-C, B, D"), "B", "C")), adversarial=valid_traps, mistakes={
                 "all sets are listed; some are not valid": lambda g, x, y: set(candidates(g, x, y)),
             }),
    Question("17.5", "The best Delete", "best_delete", "function", draw_delete, best_delete, points=3, withheld=SEARCH,
             first=((bn.MDL(five_rows()), PDAG("A-B, A-C, B-C, D")),), adversarial=delete_traps, draws=3, mistakes={
                 "this is the best of one DAG of the class; another may have a better one": one_delete,
             }),
    Question("17.6", "The forward phase", "forward", "steps", draw_forward, forward, points=3, options=forward_options,
             withheld=SEARCH, first=((bn.MDL(five_rows()),),), adversarial=forward_traps, draws=2),
    Question("17.7", "The stuck member", "stuck_member", "build", draw_stuck, lambda score, one:
             next(other for other in bn.equivalence_class(one) if is_stuck(score, other)), points=3, examine=examine_stuck, draws=5,
             first=((bn.MDL(five_rows()), DAG("B->C, C->A, B->D", "ABCD")),)),
)
