"""Wrong programs for exercise 5."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations, product

import bnteach as bn
from tests.course.exercises.wrong import wrong


def colliders(graph):
    """The v-structures of a DAG or a PDAG."""
    return {(c, frozenset((a, b))) for c in graph.nodes for a, b in combinations(graph.parents(c), 2)
            if not graph.adjacent(a, b)}


def all_pairs(graph, some, others):
    """Whether each of some is adjacent to each of the others."""
    return all(a == b or graph.adjacent(a, b) for a, b in product(some, others))


def fits(g, node):
    """Whether a node can be a sink: right."""
    return not g.children(node) and all_pairs(g, g.neighbours(node), g.adjacent_to(node))


# -- 5.1 -------------------------------------------------------------------------------------------------------------
wrong("5.1", "condition (a) alone")(lambda g: {n for n in g.nodes if not g.children(n)})
wrong("5.1", "condition (b) alone")(lambda g: {n for n in g.nodes if all_pairs(g, g.neighbours(n), g.adjacent_to(n))})
wrong("5.1", "neighbours need not be adjacent to parents")(
    lambda g: {n for n in g.nodes if not g.children(n) and all_pairs(g, g.neighbours(n), g.neighbours(n))})
wrong("5.1", "neighbours need to be adjacent to parents only")(
    lambda g: {n for n in g.nodes if not g.children(n) and all_pairs(g, g.neighbours(n), g.parents(n))})
wrong("5.1", "parents must be adjacent to each other too")(
    lambda g: {n for n in g.nodes if not g.children(n) and all_pairs(g, g.adjacent_to(n), g.adjacent_to(n))})
wrong("5.1", "only the first neighbour is checked")(
    lambda g: {n for n in g.nodes if not g.children(n) and all_pairs(g, g.neighbours(n)[:1], g.adjacent_to(n))})
wrong("5.1", "adjacent to one other is enough")(
    lambda g: {n for n in g.nodes if not g.children(n) and all(
        g.adjacent_to(n) == (a,) or any(g.adjacent(a, b) for b in g.adjacent_to(n) if b != a)
        for a in g.neighbours(n))})
wrong("5.1", "adjacent only along undirected edges")(
    lambda g: {n for n in g.nodes if not g.children(n) and all(
        a == b or g.has_edge(a, b) for a, b in product(g.neighbours(n), g.adjacent_to(n)))})
wrong("5.1", "a node without undirected edges is left out")(
    lambda g: {n for n in g.nodes if g.neighbours(n) and fits(g, n)})
wrong("5.1", "a node without any edge is left out")(lambda g: {n for n in g.nodes if g.adjacent_to(n) and fits(g, n)})
wrong("5.1", "sources in place of sinks")(
    lambda g: {n for n in g.nodes if not g.parents(n) and all_pairs(g, g.neighbours(n), g.adjacent_to(n))})


@wrong("5.1", "the last neighbour decides alone")
def sinks(g):
    found = []
    for node in g.nodes:
        fits = not g.children(node)
        for a in g.neighbours(node):
            fits = all(g.adjacent(a, b) for b in g.adjacent_to(node) if b != a)
        if fits:
            found.append(node)
    return found


# -- 5.2 -------------------------------------------------------------------------------------------------------------
def conditions(dag, pdag, **other):
    """The numbers of the broken conditions, with some conditions replaced."""
    edges = {frozenset(edge) for edge in dag.skeleton}, {frozenset(edge) for edge in pdag.skeleton}
    holds = {"first": edges[0] == edges[1], "second": set(pdag.arcs) <= set(dag.arcs),
             "third": colliders(dag) <= colliders(pdag)} | other
    return {number for number, held in enumerate(holds.values(), start=1) if not held}


wrong("5.2", "skeletons as pairs in the order of the nodes")(
    lambda dag, pdag: conditions(dag, pdag, first=set(dag.skeleton) == set(pdag.skeleton)))
wrong("5.2", "an edge may be missing")(
    lambda dag, pdag: conditions(dag, pdag, first=all(pdag.adjacent(a, b) for a, b in dag.skeleton)))
wrong("5.2", "an edge may be added")(
    lambda dag, pdag: conditions(dag, pdag, first=all(dag.adjacent(a, b) for a, b in pdag.skeleton)))
wrong("5.2", "as many edges are enough")(
    lambda dag, pdag: conditions(dag, pdag, first=len(dag.skeleton) == len(pdag.skeleton)))
wrong("5.2", "every arc of the DAG must be in the PDAG")(
    lambda dag, pdag: conditions(dag, pdag, second=set(dag.arcs) <= set(pdag.arcs)))
wrong("5.2", "an arc may be reversed")(
    lambda dag, pdag: conditions(dag, pdag, second=all(dag.adjacent(a, b) for a, b in pdag.arcs)))
wrong("5.2", "the PDAG's v-structures among the DAG's")(
    lambda dag, pdag: conditions(dag, pdag, third=colliders(dag) >= colliders(pdag)))
wrong("5.2", "the same v-structures")(lambda dag, pdag: conditions(dag, pdag, third=colliders(dag) == colliders(pdag)))
wrong("5.2", "as many v-structures")(
    lambda dag, pdag: conditions(dag, pdag, third=len(colliders(dag)) <= len(colliders(pdag))))
wrong("5.2", "colliders without their parents")(
    lambda dag, pdag: conditions(dag, pdag, third={c for c, _ in colliders(dag)} <= {c for c, _ in colliders(pdag)}))
wrong("5.2", "any two parents are a v-structure")(
    lambda dag, pdag: conditions(dag, pdag, third=all(
        len(dag.parents(n)) < 2 or set(dag.parents(n)) <= set(pdag.parents(n)) for n in dag.nodes)))
wrong("5.2", "the first broken condition alone")(lambda dag, pdag: set(sorted(conditions(dag, pdag))[:1]))
wrong("5.2", "numbers from 0")(lambda dag, pdag: {number - 1 for number in conditions(dag, pdag)})


# -- 5.3 -------------------------------------------------------------------------------------------------------------
def removed(g, rule=fits, stop=0):
    """Remove the nodes that fit a rule."""
    taken = []
    while len(g.nodes) > stop and (found := [node for node in g.nodes if rule(g, node)]):
        taken.append(found[0])
        g = g.without_node(found[0])
    return taken


wrong("5.3", "condition (a) alone")(lambda g: removed(g, lambda g, n: not g.children(n)))
wrong("5.3", "condition (b) alone")(lambda g: removed(g, lambda g, n: all_pairs(g, g.neighbours(n), g.adjacent_to(n))))
wrong("5.3", "neighbours need not be adjacent to parents")(
    lambda g: removed(g, lambda g, n: not g.children(n) and all_pairs(g, g.neighbours(n), g.neighbours(n))))
wrong("5.3", "only the first neighbour is checked")(
    lambda g: removed(g, lambda g, n: not g.children(n) and all_pairs(g, g.neighbours(n)[:1], g.adjacent_to(n))))
wrong("5.3", "parents must be adjacent to each other too")(
    lambda g: removed(g, lambda g, n: not g.children(n) and all_pairs(g, g.adjacent_to(n), g.adjacent_to(n))))
wrong("5.3", "nothing is removed")(lambda g: [node for node in g.nodes if fits(g, node)])
wrong("5.3", "the last node is forgotten")(lambda g: removed(g, stop=1))
wrong("5.3", "the other way round, from the sources")(lambda g: removed(g)[::-1])
wrong("5.3", "no steps where there is no extension")(lambda g: removed(g) if len(removed(g)) == len(g.nodes) else [])
wrong("5.3", "the remaining nodes where none can be a sink")(
    lambda g: [*removed(g), *(node for node in g.nodes if node not in removed(g))])
wrong("5.3", "nodes without an edge are not removed")(
    lambda g: removed(g, lambda g, n: g.adjacent_to(n) and fits(g, n)))


@wrong("5.3", "one pass over the nodes")
def one_pass(g):
    for node in g.nodes:
        if fits(g, node):
            yield node
            g = g.without_node(node)


# -- 5.4 -------------------------------------------------------------------------------------------------------------
def orientations(pdag):
    """Every orientation of the undirected edges."""
    for reversals in product([False, True], repeat=len(pdag.edges)):
        yield [*pdag.arcs, *(edge[::-1] if reverse else edge for edge, reverse in zip(pdag.edges, reversals))]


def dags(pdag):
    """Every orientation without a cycle."""
    for arcs in orientations(pdag):
        try:
            yield bn.DAG(arcs, pdag.nodes)
        except bn.CycleError:
            continue


def members(pdag):
    """All DAGs of a PDAG: right."""
    return [dag for dag in dags(pdag) if colliders(dag) <= colliders(pdag)]


wrong("5.4", "new v-structures are allowed")(lambda g: list(dags(g)))
wrong("5.4", "one of them")(lambda g: members(g)[:1])
wrong("5.4", "one less")(lambda g: members(g)[1:])
wrong("5.4", "some more than once")(lambda g: [*members(g), *members(g)[:1]])
wrong("5.4", "cycles are allowed")(lambda g: [
    arcs for arcs in orientations(g) if colliders(bn.PDAG(arcs, (), g.nodes)) <= colliders(g)])
wrong("5.4", "only cycles of three nodes are noticed")(lambda g: [
    arcs for arcs in orientations(g) if colliders(bn.PDAG(arcs, (), g.nodes)) <= colliders(g)
    and not any({(a, b), (b, c), (c, a)} <= set(arcs) for a, b, c in permutations(g.nodes, 3))])
wrong("5.4", "only cycles of up to four nodes are noticed")(lambda g: [
    arcs for arcs in orientations(g) if colliders(bn.PDAG(arcs, (), g.nodes)) <= colliders(g)
    and not any({(a, b), (b, c), (c, a)} <= set(arcs) for a, b, c in permutations(g.nodes, 3))
    and not any({(a, b), (b, c), (c, d), (d, a)} <= set(arcs) for a, b, c, d in permutations(g.nodes, 4))])
wrong("5.4", "v-structures of two new arcs alone are noticed")(lambda g: [
    dag for dag in dags(g) if not any(g.has_edge(a, c) and all(g.has_edge(b, c) for b in ends - {a})
                                      for c, ends in colliders(dag) - colliders(g) for a in ends)])
wrong("5.4", "colliders without their parents")(lambda g: [
    dag for dag in dags(g) if {c for c, _ in colliders(dag)} <= {c for c, _ in colliders(g)}])
wrong("5.4", "the arcs outside v-structures are forgotten")(lambda g: [
    dag for dag in dags(bn.PDAG((), g.skeleton, g.nodes)) if colliders(dag) == colliders(g)])
wrong("5.4", "at most one edge is reversed at a time")(lambda g: [
    dag for dag in members(g) if sum(not dag.has_arc(*edge) for edge in g.edges) < 2])


# -- 5.5 -------------------------------------------------------------------------------------------------------------
def oriented(dag, rules, rounds=99):
    """The v-structures, and what follows from some of Meek's rules."""
    arcs = {(a, c) for c, ends in colliders(dag) for a in ends}
    for _ in range(rounds):
        graph = bn.PDAG(arcs, set(dag.arcs) - arcs, dag.nodes)
        more = {arc for arc in dag.arcs if arc not in arcs and any(rule(graph, *arc) for rule in rules)}
        if not more:
            break
        arcs |= more
    return bn.PDAG(arcs, set(dag.arcs) - arcs, dag.nodes)


def first_rule(g, b, c):
    return any(not g.adjacent(a, c) for a in g.parents(b))


def second_rule(g, a, c):
    return bool(set(g.children(a)) & set(g.parents(c)))


def third_rule(g, a, b):
    return any(not g.adjacent(c, d) for c, d in combinations(set(g.neighbours(a)) & set(g.parents(b)), 2))


@wrong("5.5", "all arcs below a v-structure")
def all_below(dag):
    below = {node for c, _ in colliders(dag) for node in (c, *dag.descendants(c))}
    arcs = {(a, c) for c, ends in colliders(dag) for a in ends} | {arc for arc in dag.arcs if arc[0] in below}
    return bn.PDAG(arcs, set(dag.arcs) - arcs, dag.nodes)


@wrong("5.5", "all arcs into a collider")
def all_into(dag):
    arcs = {(a, c) for c, _ in colliders(dag) for a in dag.parents(c)}
    return bn.PDAG(arcs, set(dag.arcs) - arcs, dag.nodes)


@wrong("5.5", "any two parents are a v-structure")
def any_two_parents(dag):
    arcs = {arc for arc in dag.arcs if len(dag.parents(arc[1])) > 1}
    return bn.PDAG(arcs, set(dag.arcs) - arcs, dag.nodes)


@wrong("5.5", "nodes without an edge are lost")
def lost_nodes(dag):
    graph = oriented(dag, (first_rule, second_rule, third_rule))
    return bn.PDAG(graph.arcs, graph.edges)


wrong("5.5", "the v-structures alone")(lambda dag: oriented(dag, ()))
wrong("5.5", "one round of the first rule")(lambda dag: oriented(dag, (first_rule,), rounds=1))
wrong("5.5", "the first rule alone")(lambda dag: oriented(dag, (first_rule,)))
wrong("5.5", "without the third rule")(lambda dag: oriented(dag, (first_rule, second_rule)))
wrong("5.5", "without the second rule")(lambda dag: oriented(dag, (first_rule, third_rule)))
wrong("5.5", "the skeleton")(lambda dag: bn.PDAG((), dag.arcs, dag.nodes))
wrong("5.5", "the DAG itself")(lambda dag: dag)


# -- 5.6 -------------------------------------------------------------------------------------------------------------
wrong("5.6", "a path")(lambda n: bn.PDAG([], list(pairwise(n)), n))
wrong("5.6", "a star")(lambda n: bn.PDAG([], [(n[0], other) for other in n[1:]], n))
wrong("5.6", "all pairs")(lambda n: bn.PDAG([], list(combinations(n, 2)), n))
wrong("5.6", "a triangle with a tail")(lambda n: bn.PDAG([], [*pairwise(n), (n[0], n[2])], n))
wrong("5.6", "a cycle with one chord")(lambda n: bn.PDAG([], [*pairwise(n), (n[-1], n[0]), (n[0], n[2])], n))
wrong("5.6", "a cycle with all chords from one node")(
    lambda n: bn.PDAG([], [*pairwise(n), *((n[0], other) for other in n[2:])], n))
wrong("5.6", "a cycle of four, and nothing else")(lambda n: bn.PDAG([], [*pairwise(n[:4]), (n[3], n[0])], n))
wrong("5.6", "a cycle of arcs")(lambda n: bn.PDAG([*pairwise(n), (n[-1], n[0])], [], n))
wrong("5.6", "a cycle of all nodes but one")(lambda n: bn.PDAG([], [*pairwise(n), (n[-2], n[0])], n))


# -- 5.7 -------------------------------------------------------------------------------------------------------------
wrong("5.7", "an undirected path")(lambda n: bn.PDAG([], list(pairwise(n)), n))
wrong("5.7", "one arc")(lambda n: bn.PDAG([(n[0], n[1])], list(pairwise(n[1:])), n))
wrong("5.7", "arcs away from the middle")(
    lambda n: bn.PDAG([(n[1], n[0]), (n[-2], n[-1])], list(pairwise(n[1:-1])), n))
wrong("5.7", "arcs that follow each other")(
    lambda n: bn.PDAG([(n[0], n[1]), (n[-2], n[-1])], list(pairwise(n[1:-1])), n))
wrong("5.7", "a v-structure with a tail")(
    lambda n: bn.PDAG([(n[0], n[1]), (n[2], n[1])], [(n[1], n[3]), *pairwise(n[3:])], n))
wrong("5.7", "an undirected cycle")(lambda n: bn.PDAG([], [*pairwise(n), (n[-1], n[0])], n))
wrong("5.7", "right for four nodes, the others without an edge")(
    lambda n: bn.PDAG([(n[0], n[1]), (n[3], n[2])], [(n[1], n[2])], n))
wrong("5.7", "two arcs into the same node")(
    lambda n: bn.PDAG([(n[0], n[1]), (n[2], n[1])], [(n[0], other) for other in n[3:]], n))
