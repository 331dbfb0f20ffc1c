"""Exercise 1: counting DAGs, and DAGs that no data can distinguish. Lesson 01_how_many_graphs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from math import comb
from typing import Any

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.grading.plain import Odd
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled, under_names
from bnteach.course.exercises.questions.read import read_dag

COUNTING, SORTING = ("graphs.counting",), ("networkx.algorithms.dag", "graphlib")
CLASSES = ("graphs.counting", "graphs.equivalence", "graphs.extension", "graphs.imap", "learn", "networkx.algorithms.dag")
Arcs = list[tuple[str, str]]


# -- 1.1 and 1.2: Robinson ---------------------------------------------------------------------------------------
def draw_term(random: Random) -> tuple[int, int, int]:
    n = int(random.integers(3, 31))
    return n, int(random.integers(1, n + 1)), int(random.integers(1, 2**24))


def term(n: int, i: int, rest: int) -> int:
    """One term of Robinson's sum."""
    return (-1) ** (i + 1) * comb(n, i) * 2 ** (i * (n - i)) * rest


def draw_sizes(random: Random) -> tuple[int, list[int]]:
    sizes = random.choice(range(1, 11), size=int(random.integers(2, 6)), replace=False)
    return int(random.integers(6, 21)), [0, *sorted(sizes.tolist())]


def parent_sets(others: int, sizes: Iterable[int]) -> int:
    """In how many ways a sink can choose its parents among the others."""
    return sum(comb(others, k) for k in sizes)


def robinson(n: int, sizes: list[int], sign: int = -1,
             ways: Any = lambda i, others, sizes: parent_sets(others, sizes) ** i) -> int:
    """The recurrence when the number of parents is one of `sizes`; `sign` and `ways` allow for common mistakes."""
    dags = [1]
    for m in range(1, n + 1):
        dags.append(sum(sign ** (i + 1) * comb(m, i) * ways(i, m - i, sizes) * dags[m - i] for i in range(1, m + 1)))
    return dags[n]


# -- 1.3: sinks ----------------------------------------------------------------------------------------------------
def draw_arcs(random: Random) -> tuple[list[str], Arcs]:
    """A graph on six nodes; half of the time it has a cycle."""
    graph = dag(random, 6, arcs=int(random.integers(6, 9)))
    arcs = shuffled(random, graph.arcs)
    if random.random() < 0.5:
        paths = [(a, c) for a, b in arcs for b_, c in arcs if b == b_ and not graph.adjacent(a, c)]
        a, c = paths[random.integers(len(paths))] if paths else arcs[0]
        arcs = [*arcs, (c, a)] if paths else arcs
    return list(graph.nodes), arcs


def hard_arcs(random: Random) -> Iterable[tuple[list[str], Arcs]]:
    """A long path, an isolated node, a node with several parents; nodes that lead into a cycle, or hang off it."""
    for text in ("ca ae eb bf fd", "ab bc cd de", "dc cb ba ea", "ea ge ab bc ca cd df", "ab ba ca bd fc"):
        nodes, arcs = under_names(random, "abcdefgh", text)
        yield list(nodes), [tuple(arc) for arc in shuffled(random, arcs.split())]


def sinks(nodes: list[str], arcs: Arcs, removed: list[str]) -> list[str]:
    """The nodes without outgoing arcs once some nodes are removed."""
    left = [node for node in nodes if node not in removed]
    return [node for node in left if not any(a == node and b in left for a, b in arcs)]


def remove_sinks(nodes: list[str], arcs: Arcs) -> list[str]:
    removed: list[str] = []
    while found := sinks(nodes, arcs, removed):
        removed.append(found[0])
    return removed


def remove_sinks_options(nodes: list[str], arcs: Arcs, taken: list) -> Options:
    found = sinks(nodes, arcs, taken)

    def why(step: Any) -> str:
        if isinstance(step, str) and step in taken:
            return f"{step} was removed before"
        out = [b for a, b in arcs if a == step and b not in taken]
        if not isinstance(step, Odd) and out:
            return f"{step} is not a sink, because of {step} -> {out[0]}"
        return "it has no outgoing arc any more" if found else "each remaining node has an outgoing arc" if \
            len(taken) < len(nodes) else "all nodes are removed"
    return Options(found, why)


# -- 1.4 and 1.5: classes -----------------------------------------------------------------------------------------
def draw_v_structures(random: Random) -> tuple[bn.DAG]:
    """A DAG with a v-structure, and with two parents of a child that are adjacent."""
    while True:
        graph = dag(random, shuffled(random, names(random, 6)), density=0.55)
        if bn.v_structures(graph) and v_structures(graph) != collider_triples(graph):
            return (graph,)


def hard_v_structures(random: Random) -> Iterable[tuple[bn.DAG]]:
    """Parents that are connected but not adjacent, and parents with an arc from the later to the earlier name."""
    for text in ("a->b, b->c, a->d, c->d", "b->a, a->c, b->c, d->c", "e->b, e->d, b->a, d->a, c->a"):
        nodes, arcs = under_names(random, "edcba", text)
        yield (bn.DAG(arcs, nodes),)


def collider_triples(graph: bn.DAG) -> set[tuple[str, str, str]]:
    """Two parents of a child, adjacent or not."""
    return {(*sorted((a, b)), c) for c in graph.nodes for a, b in combinations(graph.parents(c), 2)}


def v_structures(graph: bn.DAG) -> set[tuple[str, str, str]]:
    return {(a, b, c) for a, b, c in collider_triples(graph) if not graph.adjacent(a, b)}


def draw_dags(random: Random) -> tuple[list[bn.DAG]]:
    """Twelve DAGs on the same four nodes, with few skeletons, so that some are equivalent."""
    while True:
        nodes = names(random, 4)
        kinds = [dag(random, nodes, arcs=int(random.integers(3, 5))).skeleton for _ in range(3)]
        dags = []
        for _ in range(12):
            order, edges = shuffled(random, nodes), kinds[random.integers(3)]
            dags.append(bn.DAG([(a, b) if order.index(a) < order.index(b) else (b, a) for a, b in edges], nodes))
        if class_sizes(dags) != by_skeleton(dags):
            return (dags,)


def hard_dags(random: Random) -> Iterable[tuple[list[bn.DAG]]]:
    """As many v-structures, or the same colliders, and still another class; and the same DAG twice."""
    texts = under_names(random, "a->c, b->c, c->d", "a->c, d->c, c->b", "a->c, d->c, c->b", "a->b, c->b, c->d",
                        "a->b, b->c, d->c", "a->b, b->c, c->d", "d->c, c->b, b->a", "b->a, b->c, c->d", "c->a, a->b, b->d",
                        "a->b, a->c, b->c", "c->b, c->a, b->a")
    yield ([bn.DAG(text, sorted(set("".join(texts)) - set("->, "))) for text in shuffled(random, texts)],)


def class_sizes(dags: list[bn.DAG]) -> list[int]:
    return sorted(Counter(map(bn.cpdag, dags)).values())


def by_skeleton(dags: list[bn.DAG]) -> list[int]:
    """As if the skeleton alone decided."""
    return sorted(Counter(frozenset(map(frozenset, one.skeleton)) for one in dags).values())


# -- 1.6 and 1.7: to build ----------------------------------------------------------------------------------------
def draw_twin(random: Random) -> tuple[bn.DAG]:
    """A DAG that is not alone in its class, and some of whose arcs cannot be reversed."""
    while True:
        graph = dag(random, 5, arcs=int(random.integers(4, 7)))
        if bn.class_size(graph) > 1 and bn.v_structures(graph):
            return (graph,)


def hard_twins(random: Random) -> Iterable[tuple[bn.DAG]]:
    """One covered arc, with parents, or beside arcs that only look as if they could be reversed."""
    for text in ("a->c, b->c, a->d, b->d, c->d", "c->a, d->a, a->b, e->f", "a->b, c->b, d->b, e->f", "c->a, a->b, d->b, e->f"):
        nodes, arcs = under_names(random, "abcdef", text)
        yield from ((bn.DAG(arcs, order),) for order in (nodes, nodes[::-1]))


def twin(graph: bn.DAG) -> bn.DAG:
    return next(one for one in bn.equivalence_class(graph) if one != graph)


def examine_twin(answer: Any, graph: bn.DAG) -> str:
    """Another DAG of the same class."""
    other, problem = read_dag(answer, graph.nodes)
    if problem:
        return problem
    if other == graph:
        return "this is the same DAG; at least one arc must be reversed"
    if wrong := {frozenset(e) for e in graph.skeleton} ^ {frozenset(e) for e in other.skeleton}:
        return f"the skeletons differ, in {show(min(wrong, key=sorted))}: data can distinguish the two"
    if wrong := sorted(v_structures(graph) ^ v_structures(other)):
        a, b, c = wrong[0]
        where = "yours has" if wrong[0] in v_structures(other) else "yours lacks"
        return f"{where} the v-structure {a} -> {c} <- {b}, so data can distinguish the two"
    return ""


def draw_size(random: Random) -> tuple[list[str], int]:
    nodes = names(random, int(random.integers(4, 8)))
    return nodes, int(random.integers(2, len(nodes)))


def hard_sizes(random: Random) -> list[tuple[list[str], int]]:
    """The least and the greatest number of arcs, and numbers between."""
    return [(names(random, n), m) for n, m in ((3, 2), (4, 3), (6, 3), (8, 4), (8, 7))]


def examine_alone(answer: Any, nodes: list[str], arcs: int) -> str:
    """Alone in its class, with that many arcs."""
    graph, problem = read_dag(answer, nodes)
    if problem:
        return problem
    if len(graph.arcs) != arcs:
        return f"your graph has {len(graph.arcs)} arcs, and it should have {arcs}"
    if (size := bn.class_size(graph)) > 1:
        other = twin(graph)
        return f"its class has {size} members: {show(other)} is equivalent to it"
    return ""


def alone(nodes: list[str], arcs: int) -> bn.DAG:
    """Arcs from that many nodes to the last one: a v-structure for each two of them."""
    return bn.DAG([(node, nodes[-1]) for node in nodes[:arcs]], nodes)


QUESTIONS = (
    Question("1.1", "One term of Robinson's sum", "term", "one line", draw_term, term, points=1, draws=6,
             first=((3, 1, 3), (3, 2, 1), (3, 3, 1)), withheld=COUNTING, mistakes={
                 "each of the n - i others may or may not be a parent of each of the i sinks: i (n - i) possible arcs":
                     lambda n, i, rest: term(n, i, rest) // 2 ** (i * (n - i)) * 2 ** (n - i),
                 "each arc is present or absent: 2 to the power of their number, not the number itself":
                     lambda n, i, rest: term(n, i, rest) // 2 ** (i * (n - i)) * i * (n - i),
                 "there are no arcs among the sinks, and the rest is counted elsewhere: only i (n - i) arcs can be "
                 "chosen": lambda n, i, rest: term(n, i, rest) // 2 ** (i * (n - i)) * 2 ** (i * n),
             }),
    Question("1.2", "Robinson's recurrence", "count_dags", "three lines", draw_sizes, robinson, points=2,
             first=((3, [0, 1, 2]), (3, [0, 1]), (3, [0, 2])), withheld=COUNTING, mistakes={
                 "DAGs with several sinks are counted several times: the sign must alternate":
                     lambda n, sizes: robinson(n, sizes, sign=1),
                 "only the sign is wrong: the term for one sink is added":
                     lambda n, sizes: -robinson(n, sizes),
                 "this counts all DAGs; the number of parents of a sink must be in the list":
                     lambda n, sizes: bn.count_dags(n),
                 "each of the i sinks chooses its parents: raise the number of ways to the power i":
                     lambda n, sizes: robinson(n, sizes, ways=lambda i, others, sizes: parent_sets(others, sizes)),
                 "each of the i sinks chooses its own parents, not all of them together":
                     lambda n, sizes: robinson(n, sizes, ways=lambda i, others, sizes: parent_sets(i * others, sizes)),
                 "each number in the list is allowed, not only the largest":
                     lambda n, sizes: robinson(n, sizes[-1:]),
                 "only the numbers in the list are allowed, not all up to the largest":
                     lambda n, sizes: robinson(n, list(range(sizes[-1] + 1))),
                 "the last number in the list is allowed, too": lambda n, sizes: robinson(n, sizes[:-1]),
             }),
    Question("1.3", "Removing sinks", "remove_sinks", "steps", draw_arcs, remove_sinks, points=2,
             first=((list("ABC"), [("A", "B"), ("B", "C")]), (list("ABCD"), [("A", "B"), ("B", "C"), ("C", "A"),
                                                                             ("C", "D")])),
             options=remove_sinks_options, adversarial=hard_arcs, withheld=SORTING),
    Question("1.4", "V-structures", "v_structures", "function", draw_v_structures, v_structures, points=2,
             first=((bn.DAG("A->B, C->B"),), (bn.DAG("A->B, C->B, A->C"),)), adversarial=hard_v_structures,
             withheld=CLASSES, mistakes={
                 "two adjacent parents of a node form no v-structure": collider_triples,
                 "the child comes last: (a, b, c) for a -> c <- b":
                     lambda graph: {(a, c, b) for a, b, c in v_structures(graph)},
             }),
    Question("1.5", "Into classes, line by line", "class_sizes", "lines in order", draw_dags, class_sizes, points=2,
             adversarial=hard_dags, withheld=CLASSES, mistakes={
                 "the same skeleton is not enough: the v-structures must be the same too": by_skeleton,
             }),
    Question("1.6", "A twin", "twin", "build", draw_twin, twin, points=2, first=((bn.DAG("A->B, B->C"),),),
             adversarial=hard_twins, examine=examine_twin, withheld=CLASSES),
    Question("1.7", "Alone in its class", "alone", "build", draw_size, alone, points=2, adversarial=hard_sizes,
             examine=examine_alone, withheld=CLASSES),
)
