"""Wrong programs for exercise 1."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise
from math import comb

import bnteach as bn
from tests.course.exercises.wrong import wrong


# -- 1.1 -------------------------------------------------------------------------------------------------------------
def term(ways, sign=lambda i: (-1) ** (i + 1)):
    """A term with another number of ways to choose the arcs, or another sign."""
    return lambda n, i, rest: sign(i) * comb(n, i) * ways(n, i) * rest


wrong("1.1", "the parents of one sink only")(term(lambda n, i: 2 ** (n - i)))
wrong("1.1", "the number of possible arcs, not of their sets")(term(lambda n, i: i * (n - i)))
wrong("1.1", "arcs from the sinks to themselves")(term(lambda n, i: 2 ** (i * n)))
wrong("1.1", "arcs among the sinks, too")(term(lambda n, i: 2 ** (i * (n - i) + comb(i, 2))))
wrong("1.1", "arcs in either direction")(term(lambda n, i: 3 ** (i * (n - i))))
wrong("1.1", "exactly one parent for each sink")(term(lambda n, i: (n - i) ** i))
wrong("1.1", "the sign does not alternate")(term(lambda n, i: 2 ** (i * (n - i)), sign=lambda i: 1))
wrong("1.1", "a table that ends at eleven nodes")(
    term(lambda n, i: {(m, k): 2 ** (k * (m - k)) for m in range(12) for k in range(m + 1)}[n, i]))


@wrong("1.1", "the number of DAGs on the rest from a table, not from the argument")
def term_of_all(n, i, rest):
    return (-1) ** (i + 1) * comb(n, i) * 2 ** (i * (n - i)) * [1, 1, 3, 25, 543, 29281, 3781503][n - i]


# -- 1.2 -------------------------------------------------------------------------------------------------------------
def choices(others, sizes):
    return sum(comb(others, k) for k in sizes)


def recurrence(ways=choices, sign=-1, power=lambda i: i, first=1, last=0, begin=1, choose=comb):
    """Robinson's recurrence with one thing changed."""
    def count_dags(n, sizes):
        dags = [begin]
        for m in range(1, n + 1):
            dags.append(sum(sign ** (i + 1) * choose(m, i) * ways(m - i, sizes) ** power(i) * dags[m - i]
                            for i in range(first, m + 1 - last)))
        return dags[n]
    return count_dags


wrong("1.2", "the sign does not alternate")(recurrence(sign=1))
wrong("1.2", "all sinks choose their parents together")(recurrence(power=lambda i: 1))
wrong("1.2", "one sink only")(recurrence(power=lambda i: 1, choose=lambda m, i: m * (i == 1)))
wrong("1.2", "all DAGs")(recurrence(lambda others, sizes: 2 ** others))
wrong("1.2", "the term for m sinks is forgotten")(recurrence(last=1))
wrong("1.2", "the largest number of parents only")(recurrence(lambda others, sizes: comb(others, max(sizes))))
wrong("1.2", "up to the largest number of parents")(
    recurrence(lambda others, sizes: choices(others, range(max(sizes) + 1))))
wrong("1.2", "fewer than the largest number")(recurrence(lambda others, sizes: choices(others, sizes[:-1])))
wrong("1.2", "a node without parents is forgotten")(
    recurrence(lambda others, sizes: choices(others, [k for k in sizes if k]) or 1))
wrong("1.2", "the sinks are not chosen")(recurrence(choose=lambda m, i: 1))
wrong("1.2", "parents in order")(
    recurrence(lambda others, sizes: sum(comb(others, k) * max(1, k) for k in sizes)))


# -- 1.3 -------------------------------------------------------------------------------------------------------------
def sinks(left, arcs):
    return [node for node in left if not any(a == node and b in left for a, b in arcs)]


@wrong("1.3", "incoming arcs are not removed")
def only_the_first_sinks(nodes, arcs):
    yield from (node for node in nodes if all(a != node for a, _ in arcs))


@wrong("1.3", "sources in place of sinks")
def sources(nodes, arcs):
    yield from only_every(nodes, [(b, a) for a, b in arcs])


def only_every(nodes, arcs, rounds=99):
    """All sinks, round by round."""
    left = list(nodes)
    for _ in range(rounds):
        found = sinks(left, arcs)
        yield from found
        left = [node for node in left if node not in found]


wrong("1.3", "three rounds at most")(lambda nodes, arcs: only_every(nodes, arcs, 3))
wrong("1.3", "nodes without arcs are forgotten")(
    lambda nodes, arcs: only_every(sorted({node for arc in arcs for node in arc}), arcs))
wrong("1.3", "nothing at all if there is a cycle")(
    lambda nodes, arcs: removed if len(removed := list(only_every(nodes, arcs))) == len(nodes) else [])


@wrong("1.3", "each node is looked at once, the last one first")
def one_pass(nodes, arcs):
    left = list(nodes)
    for node in reversed(nodes):
        if node in sinks(left, arcs):
            left.remove(node)
            yield node


@wrong("1.3", "the cycle is broken and removed")
def through_the_cycle(nodes, arcs):
    left = list(nodes)
    while left:
        node = (sinks(left, arcs) or left)[0]
        left.remove(node)
        yield node


@wrong("1.3", "only the cycle itself remains, not what leads into it")
def all_but_the_cycle(nodes, arcs):
    below = {node: {b for a, b in arcs if a == node} for node in nodes}
    for _ in nodes:
        below = {node: below[node].union(*(below[b] for b in below[node])) for node in nodes}
    left = [node for node in nodes if node not in below[node]]
    while left:
        found = sinks(left, arcs)
        yield found[0]
        left.remove(found[0])


@wrong("1.3", "a removed node frees only its first parent")
def frees_one(nodes, arcs):
    out = Counter(a for a, _ in arcs)
    waiting = [node for node in nodes if not out[node]]
    while waiting:
        yield (node := waiting.pop())
        for a in [a for a, b in arcs if b == node][:1]:
            out[a] -= 1
            waiting += [a] if not out[a] else []


@wrong("1.3", "a parent is freed by its first removed child")
def frees_at_once(nodes, arcs):
    waiting, seen = [node for node in nodes if all(a != node for a, _ in arcs)], set()
    while waiting:
        yield (node := waiting.pop())
        seen.add(node)
        waiting += [a for a, b in arcs if b == node and a not in seen and a not in waiting]


# -- 1.4 -------------------------------------------------------------------------------------------------------------
def triples(dag, pairs=lambda parents: combinations(sorted(parents), 2), when=lambda dag, a, b: not dag.adjacent(a, b)):
    return {(a, b, c) for c in dag.nodes for a, b in pairs(dag.parents(c)) if when(dag, a, b)}


wrong("1.4", "parents that are adjacent, too")(lambda dag: triples(dag, when=lambda dag, a, b: True))
wrong("1.4", "the child in the middle")(lambda dag: {(a, c, b) for a, b, c in triples(dag)})
wrong("1.4", "adjacent only if there is an arc a -> b")(
    lambda dag: triples(dag, when=lambda dag, a, b: not dag.has_arc(a, b)))
wrong("1.4", "the first two parents only")(
    lambda dag: triples(dag, lambda parents: combinations(sorted(parents)[:2], 2)))
wrong("1.4", "neighbouring parents in the list only")(
    lambda dag: triples(dag, lambda parents: pairwise(sorted(parents))))
wrong("1.4", "children with two parents only")(
    lambda dag: triples(dag, lambda parents: combinations(sorted(parents), 2) if len(parents) == 2 else ()))
wrong("1.4", "one v-structure for each child")(
    lambda dag: set({c: (a, b, c) for a, b, c in sorted(triples(dag))}.values()))
wrong("1.4", "in the order of the nodes, not of the alphabet")(
    lambda dag: triples(dag, lambda parents: combinations(parents, 2)))
wrong("1.4", "no v-structure if one parent is an ancestor of the other")(
    lambda dag: triples(dag, when=lambda dag, a, b: a not in dag.ancestors(b) and b not in dag.ancestors(a)))
wrong("1.4", "no v-structure if the parents have a common parent")(
    lambda dag: {(a, b, c) for a, b, c in triples(dag) if not {*dag.parents(a)} & {*dag.parents(b)}})


# -- 1.5 -------------------------------------------------------------------------------------------------------------
def skeleton(dag):
    return frozenset(map(frozenset, dag.skeleton))


def sizes_by(*features):
    return lambda dags: sorted(Counter(tuple(feature(dag) for feature in features) for dag in dags).values())


def v_structures(dag):
    return frozenset(triples(dag))


class_sizes = sizes_by(skeleton, v_structures)
wrong("1.5", "the skeleton only")(sizes_by(skeleton))
wrong("1.5", "the v-structures only")(sizes_by(v_structures))
wrong("1.5", "the number of v-structures")(sizes_by(skeleton, lambda dag: len(triples(dag))))
wrong("1.5", "the number of edges")(sizes_by(lambda dag: len(dag.arcs), v_structures))
wrong("1.5", "the colliders, whatever their parents")(
    sizes_by(skeleton, lambda dag: frozenset(c for _, _, c in triples(dag))))
wrong("1.5", "v-structures with adjacent parents")(
    sizes_by(skeleton, lambda dag: frozenset(triples(dag, when=lambda dag, a, b: True))))
wrong("1.5", "the same DAG counted once")(lambda dags: class_sizes(set(dags)))
wrong("1.5", "each DAG is a class")(sizes_by(lambda dag: dag))
wrong("1.5", "the largest first")(lambda dags: class_sizes(dags)[::-1])
wrong("1.5", "in the order of appearance")(
    lambda dags: list(Counter((skeleton(dag), v_structures(dag)) for dag in dags).values()))
wrong("1.5", "the classes are emptied for each DAG")(lambda dags: class_sizes(dags[-1:]))


# -- 1.6 -------------------------------------------------------------------------------------------------------------
def reversals(dag, arcs=None):
    """The DAGs with one arc reversed."""
    for a, b in dag.arcs if arcs is None else arcs:
        try:
            yield dag.with_reversed(a, b)
        except bn.CycleError:
            continue


def reversing(when):
    """Reverse the first arc that meets a condition."""
    return lambda dag: next(reversals(dag, [arc for arc in dag.arcs if when(dag, *arc)]))


wrong("1.6", "the first arc is reversed")(reversing(lambda dag, a, b: True))
wrong("1.6", "all arcs are reversed")(lambda dag: bn.DAG([(b, a) for a, b in dag.arcs], dag.nodes))
wrong("1.6", "an arc between nodes without other parents")(
    reversing(lambda dag, a, b: not dag.parents(a) and dag.parents(b) == (a,)))
wrong("1.6", "an arc to a node without other parents")(reversing(lambda dag, a, b: dag.parents(b) == (a,)))
wrong("1.6", "an arc from a node without parents")(reversing(lambda dag, a, b: not dag.parents(a)))
wrong("1.6", "the same parents, the arc itself forgotten")(
    reversing(lambda dag, a, b: set(dag.parents(a)) == set(dag.parents(b))))
wrong("1.6", "b has no parents that a has not")(
    reversing(lambda dag, a, b: set(dag.parents(b)) <= {*dag.parents(a), a}))
wrong("1.6", "a has no parents that b has not")(
    reversing(lambda dag, a, b: set(dag.parents(a)) <= set(dag.parents(b))))
wrong("1.6", "as many parents")(reversing(lambda dag, a, b: len(dag.parents(a)) + 1 == len(dag.parents(b))))
wrong("1.6", "as many v-structures")(
    lambda dag: next(other for other in reversals(dag) if len(triples(other)) == len(triples(dag))))
wrong("1.6", "no new v-structures")(
    lambda dag: next(other for other in reversals(dag) if triples(other) <= triples(dag)))
wrong("1.6", "no v-structure lost")(
    lambda dag: next(other for other in reversals(dag) if triples(other) >= triples(dag)))
wrong("1.6", "the same colliders")(lambda dag: next(
    other for other in reversals(dag) if {c for _, _, c in triples(other)} == {c for _, _, c in triples(dag)}))


# -- 1.7 -------------------------------------------------------------------------------------------------------------
wrong("1.7", "a chain")(lambda nodes, m: bn.DAG(list(pairwise(nodes))[:m], nodes))
wrong("1.7", "one parent of all")(lambda nodes, m: bn.DAG([(nodes[0], node) for node in nodes[1:m + 1]], nodes))
wrong("1.7", "one arc too few")(lambda nodes, m: bn.DAG([(node, nodes[-1]) for node in nodes[:m - 1]], nodes))
wrong("1.7", "every node but the last is a parent of the last")(
    lambda nodes, m: bn.DAG([(node, nodes[-1]) for node in nodes[:-1]], nodes))
wrong("1.7", "parents that are adjacent")(lambda nodes, m: bn.DAG(list(combinations(nodes, 2))[:m], nodes))
wrong("1.7", "one v-structure, and more arcs from its parents")(lambda nodes, m: bn.DAG(
    [(nodes[0], nodes[1]), (nodes[2], nodes[1]), *((nodes[0], node) for node in nodes[3:])][:m], nodes))
wrong("1.7", "v-structures side by side, and one arc more if m is odd")(lambda nodes, m: bn.DAG(
    [(a, b) for i in range(1, len(nodes), 3) for a, b in ((nodes[i - 1], nodes[i]), *(((nodes[i + 1], nodes[i]),)
     if i + 1 < len(nodes) else ()))][:m], nodes))
wrong("1.7", "at most three parents")(lambda nodes, m: bn.DAG([(node, nodes[3]) for node in nodes[:3]][:m], nodes))
