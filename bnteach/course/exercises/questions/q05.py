"""Exercise 5: possible sinks, all DAGs of a PDAG, and PDAGs that represent none. Lesson 05_from_pattern_to_dag."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import bnteach as bn
from bnteach.course.comparing import as_graph, show
from bnteach.course.exercises.grading.plain import Graph
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled, traps_of, under_names
from bnteach.course.exercises.questions.no_extension import (
    cycle,
    every_size,
    examine_tree,
    examine_undirected,
    squeezed,
)
from bnteach.graphs.extension import not_a_sink
from bnteach.graphs.pdag import PDAG

EXTENSION = ("graphs.extension", "graphs.equivalence")
SQUARE, PATTERN = PDAG("A-B, B-D, D-C, C-A", nodes="ABCD"), PDAG("A-B, A-C, B->D, C->D")


# -- 5.1 and 5.3: sinks ----------------------------------------------------------------------------------------
def draw_class(random: Random) -> PDAG:
    """The CPDAG of a class with two to twenty members."""
    while True:
        graph = bn.cpdag(dag(random, 5, arcs=int(random.integers(4, 8))))
        if 2 <= bn.class_size(graph) <= 20:
            return graph


def draw_any(random: Random) -> tuple[PDAG]:
    """A PDAG; sometimes its edges are oriented at random, so that it may represent no DAG."""
    graph = draw_class(random)
    if random.random() < 0.5:
        for a, b in graph.skeleton:
            draw = random.integers(4)
            graph = graph.with_edge(a, b) if draw < 2 else graph.with_arc(a, b) if draw == 2 else graph.with_arc(b, a)
    return (graph,)


# a neighbour that fits before or after one that does not; a node without an edge; a sink, and then none
sink_traps = traps_of(PDAG, "a-d, b-d, c-d, a-b, a-c", "a-b, a-c, a-d, b-d, c-d, e", "a->b, b-c, d->c, c->e",
                      "a-b, b-c, c-d, d-a, a->e")


def sinks(g: PDAG) -> set[str]:
    """The nodes that can be a sink."""
    return {node for node in g.nodes if not not_a_sink(g, node)}


def partly(g: PDAG, neighbours: Callable, others: Callable) -> set[str]:
    """As if only some of the neighbours had to be adjacent, or only to some of the others."""
    return {n for n in g.nodes if not g.children(n) and
            all(a == b or g.adjacent(a, b) for a, b in product(neighbours(n), others(n)))}


def forgetful(g: PDAG) -> set[str]:
    """As if the last neighbour that was checked decided alone."""
    fits = {n: not g.children(n) for n in g.nodes}
    fits |= {n: all(a == b or g.adjacent(a, b) for b in g.adjacent_to(n)) for n in g.nodes for a in g.neighbours(n)}
    return {n for n in g.nodes if fits[n]}


def remove_sinks(g: PDAG) -> list[str]:
    """One right run: the sinks in the order in which they are removed, as long as there is one."""
    taken = []
    while found := sinks(g):
        taken.append(min(found))
        g = g.without_node(taken[-1])
    return taken


def sink_options(g: PDAG, taken: list) -> Options:
    for node in taken:
        g = g.without_node(node)
    left = ", ".join(g.nodes)

    def why(step: Any) -> str:
        if isinstance(step, str) and step in g:
            return f"of {left}, {step} cannot be a sink: {not_a_sink(g, step)}"
        if isinstance(step, str) and step in taken:
            return f"{step} was removed before"
        return f"of {left} it can be a sink" if sinks(g) else "no remaining node can be a sink"
    return Options(sorted(sinks(g)), why)


# -- 5.2: what an extension is -----------------------------------------------------------------------------------
def draw_candidate(random: Random) -> tuple[bn.DAG, PDAG]:
    """A DAG and a PDAG: an extension, or a DAG with another skeleton or other orientations."""
    pdag = draw_class(random)
    one = bn.extend(pdag)
    kind = random.integers(4)
    if kind == 1:
        a, b = one.arcs[random.integers(len(one.arcs))]
        one = one.without_arc(a, b)
    elif kind > 1:  # every edge oriented along some order: arcs are reversed, v-structures come and go
        order = shuffled(random, pdag.nodes)
        one = bn.DAG([(a, b) if order.index(a) < order.index(b) else (b, a) for a, b in pdag.skeleton], pdag.nodes)
    return reordered(random, one), pdag


def reordered(random: Random, one: bn.DAG) -> bn.DAG:
    """The same DAG with its nodes in another order, so that its edges are written otherwise."""
    return bn.DAG(one.arcs, shuffled(random, one.nodes))


def candidate_traps(random: Random) -> Iterator[tuple[bn.DAG, PDAG]]:
    """Skeletons with more, fewer and as many edges; one condition broken alone; as many v-structures, but others."""
    for one, pdag in (("a->b, b->c, a->c", "a-b, b-c"), ("a->b, c", "a-b, b-c"), ("a->b, b->c, b->d", "a-b, b-c, c-d"),
                      ("b->a, b->c", "a->b, b-c"), ("c->a, b->c", "a->c, b->c"), ("a->c, b->c, d->c", "a->c, b->c, c-d"),
                      ("c->a, b->c, d->c", "a->c, b->c, c-d"), ("a->b, a->c, b->c", "a-b, a-c, b-c")):
        one, pdag = under_names(random, one, pdag)
        yield reordered(random, bn.DAG(one)), PDAG(pdag)


def v_structures(graph: Any) -> set[tuple[str, frozenset[str]]]:
    return {(c, frozenset((a, b))) for a, c, b in bn.v_structures(graph)}


def broken(one: bn.DAG, pdag: PDAG, **otherwise: bool) -> set[int]:
    """The numbers of the conditions that do not hold, where one of them may be read otherwise."""
    skeletons = {frozenset(edge) for edge in one.skeleton} == {frozenset(edge) for edge in pdag.skeleton}
    holds = {"skeleton": skeletons, "arcs": set(pdag.arcs) <= set(one.arcs),
             "v_structures": v_structures(one) <= v_structures(pdag)} | otherwise
    return {number for number, held in enumerate(holds.values(), start=1) if not held}


# -- 5.4: the class ----------------------------------------------------------------------------------------------
def all_orientations(pdag: PDAG, any_v_structures: bool = False) -> set[frozenset]:
    """The arcs of every DAG with this skeleton and these arcs; with `any_v_structures`, new v-structures are allowed."""
    found = set()
    for reversals in product([False, True], repeat=len(pdag.edges)):
        arcs = [*pdag.arcs, *((b, a) if reverse else (a, b) for (a, b), reverse in zip(pdag.edges, reversals))]
        try:
            one = bn.DAG(arcs, pdag.nodes)
        except bn.CycleError:
            continue
        if any_v_structures or v_structures(one) <= v_structures(pdag):
            found.add(frozenset(arcs))
    return found


def draw_small(random: Random) -> tuple[PDAG]:
    """A PDAG with few undirected edges; sometimes some are oriented as by background knowledge, sometimes it has no DAG."""
    while True:
        (graph,) = draw_any(random)
        if 2 <= len(graph.edges) <= 6 and all_orientations(graph) != all_orientations(graph, any_v_structures=True):
            return (graph,)


# a cycle of five; a collider that an edge could enter; an arc outside v-structures
class_traps = traps_of(PDAG, "a-b, b-c, c-d, d-e, e-a", "a->c, b->c, c-d", "a->b, b-c, c-d")


def examine_all(answer: Any, pdag: PDAG) -> str:
    """Every DAG of the PDAG once, and nothing else, in any order."""
    if not isinstance(answer, list | tuple | set | frozenset) or isinstance(answer, Graph):
        return f"a list of DAGs is asked for, and you give {show(answer)}"
    right, loose = all_orientations(pdag), all_orientations(pdag, any_v_structures=True)
    graphs = [as_graph(one) for one in answer]
    if strange := [i for i, graph in enumerate(graphs, start=1) if not graph or any(len(a) != 2 for a in graph.arcs)]:
        return f"a list of DAGs is asked for, and number {strange[0]} of yours is not a graph"
    for graph in graphs:
        if set(graph.arcs) not in right:
            why = "it has a v-structure that the PDAG does not have" if set(graph.arcs) in loose else \
                "its skeleton or one of its arcs differs from the PDAG's, or it has a cycle"
            return f"{show(graph)} does not belong there: {why}"
    given = [frozenset(graph.arcs) for graph in graphs]
    if len(set(given)) < len(given):
        return f"{show(next(g for g in graphs if given.count(frozenset(g.arcs)) > 1))} is there more than once"
    if lacking := sorted(sorted(arcs) for arcs in right - set(given)):
        return f"you give {len(given)}, and there are {len(right)}: {show(bn.DAG(lacking[0]))} is missing"
    return ""


# -- 5.5: what all agree on --------------------------------------------------------------------------------------
def draw_member(random: Random) -> tuple[bn.DAG]:
    """A DAG whose CPDAG has arcs and undirected edges; half of the time more arcs than those of its v-structures."""
    follows = random.random() < 0.5
    while True:
        graph = dag(random, 5, arcs=int(random.integers(4, 8)))
        whole = bn.cpdag(graph)
        if whole.arcs and whole.edges and (not follows or whole != bn.pattern(graph)):
            return (graph,)


# Meek's second and third rule; the first one twice, and a node without an edge; an edge below a v-structure
member_traps = traps_of(bn.DAG, "a->c, a->d, b->d, d->c", "a->c, b->c, b->d, d->a, d->c", "a->c, b->c, c->d, d->e, f",
                        "a->c, b->c, a->d, b->d, c->d")


QUESTIONS = (
    Question("5.1", "Which nodes can be sinks?", "sinks", "one line", draw_any, sinks, points=1, adversarial=sink_traps,
             first=((PATTERN,), (SQUARE,), (PDAG("A->B, B-C"),), (PDAG("A-B, A-C, B->C"),)), withheld=EXTENSION, mistakes={
                 "combine with the earlier result, fits = fits and ...; yours drops (a), and all neighbours but one":
                     forgetful,
                 "an undirected neighbour must be adjacent to the parents of the node as well":
                     lambda g: partly(g, g.neighbours, g.neighbours),
                 "condition (b) is missing: its neighbours must be adjacent to each other":
                     lambda g: {n for n in g.nodes if not g.children(n)},
                 "a neighbour must be adjacent to all others, and yours asks for one of them":
                     lambda g: {n for n in g.nodes if not g.children(n) and all(
                         any(g.adjacent(a, b) for b in g.adjacent_to(n) if b != a) for a in g.neighbours(n))},
                 "every neighbour must be checked, and yours decides after the first":
                     lambda g: partly(g, lambda n: g.neighbours(n)[:1], g.adjacent_to),
             }),
    Question("5.2", "Which condition breaks?", "broken", "three lines", draw_candidate, broken, points=2,
             first=((bn.DAG("B->A, C->A, B->D, C->D"), PATTERN), (bn.DAG("A->B, A->C, B->D, C->D"), PATTERN)),
             adversarial=candidate_traps, withheld=("graphs.extension",), mistakes={
                 "for the same skeleton the DAG must have no other edges either":
                     lambda one, pdag: broken(one, pdag, skeleton=all(one.adjacent(a, b) for a, b in pdag.skeleton)),
                 "condition 3 says nothing about v-structures of the PDAG that the DAG lacks":
                     lambda one, pdag: broken(one, pdag, v_structures=v_structures(one) == v_structures(pdag)),
                 "condition 3 is reversed here: the v-structures of the DAG must be among those of the PDAG":
                     lambda one, pdag: broken(one, pdag, v_structures=v_structures(pdag) <= v_structures(one)),
                 "condition 2 asks for the PDAG's arcs only; a DAG has more, where the PDAG has undirected edges":
                     lambda one, pdag: broken(one, pdag, arcs=set(pdag.arcs) == set(one.arcs)),
                 "an edge can be written either way round: compare sets of frozensets":
                     lambda one, pdag: broken(one, pdag, skeleton=set(one.skeleton) == set(pdag.skeleton)),
                 "all broken conditions are asked for": lambda one, pdag: set(sorted(broken(one, pdag))[:1]),
             }),
    Question("5.3", "Dor and Tarsi, step by step", "remove_sinks", "steps", draw_any, remove_sinks, points=3,
             first=((PATTERN,), (SQUARE,)), adversarial=sink_traps, options=sink_options, withheld=EXTENSION),
    Question("5.4", "The whole class, line by line", "all_extensions", "lines in order", draw_small,
             lambda g: [bn.DAG(sorted(arcs), g.nodes) for arcs in sorted(all_orientations(g), key=sorted)], points=2,
             first=((PATTERN,), (SQUARE,)), adversarial=class_traps, examine=examine_all, withheld=EXTENSION),
    Question("5.5", "What all agree on", "class_graph", "function", draw_member, bn.cpdag, points=3,
             first=((bn.DAG("A->B, A->C, B->D, C->D"),), (bn.DAG("A->C, B->C, C->D"),)), adversarial=member_traps,
             withheld=(*EXTENSION, "learn", "graphs.orientation"), mistakes={
                 "only the v-structures are oriented here; some more edges have only one possible orientation, since "
                 "the other would make a new v-structure or a cycle": bn.pattern,
                 "nothing is oriented here; all members agree on the arcs of the v-structures":
                     lambda one: PDAG((), one.skeleton, one.nodes),
             }),
    Question("5.6", "Undirected edges without an extension", "no_dag", "build",
             lambda random: (names(random, int(random.integers(4, 7))),), cycle, points=2, draws=1, adversarial=every_size,
             examine=examine_undirected),
    Question("5.7", "A tree without an extension", "squeezed_tree", "build",
             lambda random: (names(random, int(random.integers(4, 7))),), squeezed, points=3, draws=1,
             adversarial=every_size, examine=examine_tree),
)
