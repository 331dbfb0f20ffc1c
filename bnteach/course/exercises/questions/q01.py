"""Exercise 1: counting DAGs, and DAGs that no data can tell apart. Lesson 01_how_many_graphs."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb
from typing import Any

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.grading.plain import Odd
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled
from bnteach.course.exercises.questions.read import read_dag

COUNTING, SORTING = ("graphs.counting",), ("networkx.algorithms.dag", "graphlib")
CLASSES = ("graphs.counting", "graphs.equivalence", "graphs.extension", "graphs.imap", "learn", "networkx.algorithms.dag")
Arcs = list[tuple[str, str]]


# -- 1.1 and 1.2: Robinson ---------------------------------------------------------------------------------------
def draw_term(random: Random) -> tuple[int, int, int]:
    n = int(random.integers(3, 12))
    i = int(random.integers(1, n))
    return n, i, bn.count_dags(n - i)


def term(n: int, i: int, rest: int) -> int:
    """One term of Robinson's sum."""
    return (-1) ** (i + 1) * comb(n, i) * 2 ** (i * (n - i)) * rest


def draw_limit(random: Random) -> tuple[int, int]:
    return int(random.integers(7, 19)), int(random.integers(2, 6))


def parent_sets(others: int, max_parents: int) -> int:
    """In how many ways a last node chooses its parents among the others."""
    return sum(comb(others, k) for k in range(max_parents + 1))


def robinson(n: int, max_parents: int, sign: int = -1,
             ways: Any = lambda i, others, most: parent_sets(others, most) ** i) -> int:
    """The recurrence when no node has more parents than that, with room for mistakes."""
    dags = [1]
    for m in range(1, n + 1):
        dags.append(sum(sign ** (i + 1) * comb(m, i) * ways(i, m - i, max_parents) * dags[m - i]
                        for i in range(1, m + 1)))
    return dags[n]


# -- 1.3: last nodes -----------------------------------------------------------------------------------------------
def draw_arcs(random: Random) -> tuple[list[str], Arcs]:
    """A graph on six nodes; half of the time its arrows close a circle."""
    graph = dag(random, 6, arcs=int(random.integers(6, 9)))
    arcs = shuffled(random, graph.arcs)
    if random.random() < 0.5:
        paths = [(a, c) for a, b in arcs for b_, c in arcs if b == b_ and not graph.adjacent(a, c)]
        a, c = paths[random.integers(len(paths))] if paths else arcs[0]
        arcs = [*arcs, (c, a)] if paths else arcs
    return list(graph.nodes), arcs


def can_go(nodes: list[str], arcs: Arcs, gone: list[str]) -> list[str]:
    """The nodes that no arrow leaves any more."""
    left = [node for node in nodes if node not in gone]
    return [node for node in left if not any(a == node and b in left for a, b in arcs)]


def take_off(nodes: list[str], arcs: Arcs) -> list[str]:
    gone: list[str] = []
    while last := can_go(nodes, arcs, gone):
        gone.append(last[0])
    return gone


def take_off_options(nodes: list[str], arcs: Arcs, taken: list) -> Options:
    last = can_go(nodes, arcs, taken)

    def why(step: Any) -> str:
        if isinstance(step, str) and step in taken:
            return f"{step} was taken off before"
        out = [b for a, b in arcs if a == step and b not in taken]
        if not isinstance(step, Odd) and out:
            return f"{step} -> {out[0]} still leaves {step}"
        return "no arrow leaves it any more" if last else "an arrow leaves each node that is left" if \
            len(taken) < len(nodes) else "all nodes are gone"
    return Options(last, why)


# -- 1.4 and 1.5: classes -----------------------------------------------------------------------------------------
def draw_moral(random: Random) -> tuple[bn.DAG]:
    """A DAG with an immorality, and with two parents that are joined."""
    while True:
        graph = dag(random, 6, density=0.55)
        if bn.v_structures(graph) and immoralities(graph) != meetings(graph):
            return (graph,)


def meetings(graph: bn.DAG) -> set[tuple[str, str, str]]:
    """Two parents of a child, joined or not."""
    return {(*sorted((a, b)), c) for c in graph.nodes for a, b in combinations(graph.parents(c), 2)}


def immoralities(graph: bn.DAG) -> set[tuple[str, str, str]]:
    return {(a, b, c) for a, b, c in meetings(graph) if not graph.adjacent(a, b)}


def draw_dags(random: Random) -> tuple[list[bn.DAG]]:
    """Twelve DAGs on the same four nodes, with few skeletons, so that some are equivalent."""
    while True:
        nodes = names(random, 4)
        kinds = [dag(random, nodes, arcs=int(random.integers(3, 5))).skeleton for _ in range(3)]
        dags = []
        for _ in range(12):
            order, lines = shuffled(random, nodes), kinds[random.integers(3)]
            dags.append(bn.DAG([(a, b) if order.index(a) < order.index(b) else (b, a) for a, b in lines], nodes))
        if class_sizes(dags) != by_lines(dags):
            return (dags,)


def class_sizes(dags: list[bn.DAG]) -> list[int]:
    return sorted(Counter(map(bn.cpdag, dags)).values())


def by_lines(dags: list[bn.DAG]) -> list[int]:
    """As if the lines alone decided."""
    return sorted(Counter(frozenset(map(frozenset, one.skeleton)) for one in dags).values())


# -- 1.6 and 1.7: to build ----------------------------------------------------------------------------------------
def draw_twin(random: Random) -> tuple[bn.DAG]:
    """A DAG that is not alone in its class, and some of whose arrows cannot be turned."""
    while True:
        graph = dag(random, 5, arcs=int(random.integers(4, 7)))
        if bn.class_size(graph) > 1 and bn.v_structures(graph):
            return (graph,)


def twin(graph: bn.DAG) -> bn.DAG:
    return next(one for one in bn.equivalence_class(graph) if one != graph)


def examine_twin(answer: Any, graph: bn.DAG) -> str:
    """Another DAG of the same class."""
    other, problem = read_dag(answer, graph.nodes)
    if problem:
        return problem
    if other == graph:
        return "this is the same DAG; at least one arrow is to be turned"
    if wrong := {frozenset(e) for e in graph.skeleton} ^ {frozenset(e) for e in other.skeleton}:
        return f"the lines differ, in {show(min(wrong, key=sorted))}: data can tell the two apart"
    if wrong := sorted(immoralities(graph) ^ immoralities(other)):
        a, b, c = wrong[0]
        where = "yours has" if wrong[0] in immoralities(other) else "yours lacks"
        return f"{where} the immorality {a} -> {c} <- {b}, so data can tell the two apart"
    return ""


def draw_size(random: Random) -> tuple[list[str], int]:
    nodes = names(random, int(random.integers(4, 8)))
    return nodes, int(random.integers(2, len(nodes)))


def examine_alone(answer: Any, nodes: list[str], lines: int) -> str:
    """Alone in its class, with so many arrows."""
    graph, problem = read_dag(answer, nodes)
    if problem:
        return problem
    if len(graph.arcs) != lines:
        return f"your graph has {len(graph.arcs)} arrows, and it should have {lines}"
    if (size := bn.class_size(graph)) > 1:
        other = twin(graph)
        return f"its class has {size} members: {show(other)} says the same"
    return ""


def alone(nodes: list[str], lines: int) -> bn.DAG:
    """So many nodes point at the last one: an immorality for each two of them."""
    return bn.DAG([(node, nodes[-1]) for node in nodes[:lines]], nodes)


QUESTIONS = (
    Question("1.1", "One term of Robinson's sum", "term", "one line", draw_term, term, points=1,
             first=((3, 1, 3), (3, 2, 1), (3, 3, 1)), withheld=COUNTING, mistakes={
                 "each of the n - i others may or may not point at each of the i last ones: i (n - i) arrows":
                     lambda n, i, rest: term(n, i, rest) // 2 ** (i * (n - i)) * 2 ** (n - i),
                 "an arrow is there or not: 2 to the power of their number, and not the number itself":
                     lambda n, i, rest: term(n, i, rest) // 2 ** (i * (n - i)) * i * (n - i),
                 "the last nodes have no arrows among themselves, and the rest is counted elsewhere: only i (n - i) "
                 "arrows are to choose": lambda n, i, rest: term(n, i, rest) // 2 ** (i * (n - i)) * 2 ** (i * n),
             }),
    Question("1.2", "Robinson's recurrence", "count_dags", "three lines", draw_limit, robinson, points=2,
             first=((3, 2), (3, 1), (4, 2)), withheld=COUNTING, mistakes={
                 "DAGs with several last nodes are counted several times: the sign must alternate":
                     lambda n, most: robinson(n, most, sign=1),
                 "only the sign is wrong: the term for one last node is added":
                     lambda n, most: -robinson(n, most),
                 "this counts all DAGs; a last node chooses at most max_parents parents":
                     lambda n, most: bn.count_dags(n),
                 "each of the i last nodes chooses its parents: their ways to the power i":
                     lambda n, most: robinson(n, most, ways=lambda i, others, most: parent_sets(others, most)),
                 "each of the i last nodes may have max_parents parents, and not all of them together":
                     lambda n, most: robinson(n, most, ways=lambda i, others, most: parent_sets(i * others, most)),
                 "fewer than max_parents parents are allowed too":
                     lambda n, most: robinson(n, most, ways=lambda i, others, most: comb(others, most) ** i),
                 "max_parents parents are allowed, and this stops at one fewer":
                     lambda n, most: robinson(n, most - 1),
             }),
    Question("1.3", "Taking off last nodes", "take_off", "steps", draw_arcs, take_off, points=2,
             first=((list("ABC"), [("A", "B"), ("B", "C")]), (list("ABCD"), [("A", "B"), ("B", "C"), ("C", "A"),
                                                                             ("C", "D")])),
             options=take_off_options, withheld=SORTING),
    Question("1.4", "Immoralities", "immoralities", "function", draw_moral, immoralities, points=2,
             first=((bn.DAG("A->B, C->B"),), (bn.DAG("A->B, C->B, A->C"),)), withheld=CLASSES, mistakes={
                 "two parents that are joined to each other make no immorality": meetings,
                 "the child comes last: (a, b, c) for a -> c <- b":
                     lambda graph: {(a, c, b) for a, b, c in immoralities(graph)},
             }),
    Question("1.5", "Into classes, line by line", "class_sizes", "lines in order", draw_dags, class_sizes, points=2,
             withheld=CLASSES, mistakes={
                 "the same lines are not enough: the immoralities must be the same too": by_lines,
             }),
    Question("1.6", "A twin", "twin", "build", draw_twin, twin, points=2, first=((bn.DAG("A->B, B->C"),),),
             examine=examine_twin, withheld=CLASSES),
    Question("1.7", "Alone in its class", "alone", "build", draw_size, alone, points=2, examine=examine_alone,
             withheld=CLASSES),
)
