"""Wrong programs for exercise 4."""

from __future__ import annotations

from itertools import combinations, pairwise

import bnteach as bn
from tests.course.exercises.wrong import wrong


# -- 4.1 and 4.2 -----------------------------------------------------------------------------------------------------
def common(skeleton, x, y):
    return [z for z in skeleton.neighbours(x) if z in skeleton.neighbours(y)]


def both_arcs(colliders):
    """The arcs of the v-structures, by a rule for the colliders of a pair."""
    return lambda skeleton, separating_sets: {
        (end, z) for pair, given in separating_sets.items() for z in colliders(skeleton, *pair, given) for end in pair}


def right_colliders(skeleton, x, y, given):
    return [z for z in common(skeleton, x, y) if z not in given]


COLLIDERS = {
    "inside the separating set": lambda g, x, y, given: [z for z in common(g, x, y) if z in given],
    "all common neighbours": lambda g, x, y, given: common(g, x, y),
    "neighbours of x only": lambda g, x, y, given: [z for z in g.neighbours(x) if z not in given],
    "neighbours of y only": lambda g, x, y, given: [z for z in g.neighbours(y) if z not in given],
    "neighbours of x or y": lambda g, x, y, given: [
        z for z in {*g.neighbours(x), *g.neighbours(y)} if z not in given],
    "the first collider only": lambda g, x, y, given: right_colliders(g, x, y, given)[:1],
    "the first of the separating set only": lambda g, x, y, given: [z for z in common(g, x, y) if z not in given[:1]],
    "none if the separating set is empty": lambda g, x, y, given: right_colliders(g, x, y, given) if given else [],
    "none if the separating set has a common neighbour": lambda g, x, y, given: [
        z for z in common(g, x, y) if not set(given) & set(common(g, x, y))],
    "only if the separating set is empty": lambda g, x, y, given: [] if given else common(g, x, y),
    "all nodes outside the separating set": lambda g, x, y, given: [z for z in g.nodes if z not in (x, y, *given)],
    "none if a neighbour of it is in the separating set": lambda g, x, y, given: [
        z for z in right_colliders(g, x, y, given) if not set(g.neighbours(z)) & set(given)],
}
for mistake, program in COLLIDERS.items():
    wrong("4.1", mistake)(program)
    wrong("4.2", mistake)(both_arcs(program))
wrong("4.2", "one arc of each v-structure")(
    lambda g, sets: {(x, z) for (x, y), given in sets.items() for z in right_colliders(g, x, y, given)})
wrong("4.2", "the arcs point away from the collider")(
    lambda g, sets: {(z, x) for x, z in both_arcs(right_colliders)(g, sets)})
wrong("4.2", "the first pair only")(
    lambda g, sets: both_arcs(right_colliders)(g, dict(list(sets.items())[:1])))
wrong("4.2", "the last pair only")(
    lambda g, sets: both_arcs(right_colliders)(g, dict(list(sets.items())[-1:])))
wrong("4.2", "it stops at the first v-structure")(
    lambda g, sets: next(({(x, z), (y, z)} for (x, y), given in sets.items()
                          for z in right_colliders(g, x, y, given)), set()))


# -- 4.3 -------------------------------------------------------------------------------------------------------------
def rule(when, pdag):
    return {(b, c) for a, b in pdag.arcs for c in pdag.neighbours(b) if when(pdag, a, b, c)}


def apart(pdag, a, b, c):
    return not pdag.adjacent(a, c)


def right_rule(pdag):
    return rule(apart, pdag)


def repeated(pdag):
    while found := right_rule(pdag):
        pdag = bn.PDAG([*pdag.arcs, *found], [e for e in pdag.edges if not {e, e[::-1]} & found], pdag.nodes)
    return pdag


wrong("4.3", "a and c may be adjacent")(lambda g: rule(lambda g, a, b, c: True, g))
wrong("4.3", "the arcs reversed")(lambda g: {(c, b) for b, c in right_rule(g)})
wrong("4.3", "until nothing changes")(lambda g: set(repeated(g).arcs) - set(g.arcs))
wrong("4.3", "with the arcs that were there")(lambda g: right_rule(g) | set(g.arcs))
wrong("4.3", "an arc a -> c only counts as adjacent")(lambda g: rule(lambda g, a, b, c: (a, c) not in g.arcs, g))
wrong("4.3", "an edge a - c only counts as adjacent")(lambda g: rule(lambda g, a, b, c: c not in g.neighbours(a), g))
wrong("4.3", "an arc a -> c or an edge a - c counts as adjacent, c -> a does not")(
    lambda g: rule(lambda g, a, b, c: c not in g.neighbours(a) and (a, c) not in g.arcs, g))
wrong("4.3", "no parent of b may be adjacent to c")(
    lambda g: rule(lambda g, a, b, c: not any(g.adjacent(p, c) for p, head in g.arcs if head == b), g))
wrong("4.3", "the first arc only")(lambda g: set(sorted(right_rule(g))[:1]))
wrong("4.3", "one arc for each b")(lambda g: set(dict(sorted(right_rule(g))).items()))
wrong("4.3", "children of b, too")(lambda g: right_rule(g) | {
    (b, c) for a, b in g.arcs for b_, c in g.arcs if b == b_ and not g.adjacent(a, c)})
wrong("4.3", "a - b and b -> c")(lambda g: {(a, b) for b, c in g.arcs for a in g.neighbours(b) if not g.adjacent(a, c)})
wrong("4.3", "only if b has two parents")(
    lambda g: rule(lambda g, a, b, c: apart(g, a, b, c) and sum(head == b for _, head in g.arcs) > 1, g))


# -- 4.4 -------------------------------------------------------------------------------------------------------------
def edges_by(sizes=lambda n: range(n - 1), others=lambda oracle, x, y: [z for z in oracle.variables if z not in (x, y)],
             when=any):
    return lambda oracle: [(x, y) for x, y in combinations(oracle.variables, 2) if not when(
        oracle(x, y, given) for size in sizes(len(oracle.variables))
        for given in combinations(others(oracle, x, y), size))]


wrong("4.4", "the empty set is forgotten")(edges_by(lambda n: range(1, n - 1)))
wrong("4.4", "the set of all others is forgotten")(edges_by(lambda n: range(n - 2)))
wrong("4.4", "at most one variable given")(edges_by(lambda n: range(2)))
wrong("4.4", "at most two variables given")(edges_by(lambda n: range(3)))
wrong("4.4", "the set of all others only")(edges_by(lambda n: [n - 2]))
wrong("4.4", "the empty set only")(edges_by(lambda n: [0]))
wrong("4.4", "separated by every set")(edges_by(when=all))
wrong("4.4", "variables before x and y only")(edges_by(others=lambda oracle, x, y: [
    z for z in oracle.variables[:oracle.variables.index(y)] if z != x]))
wrong("4.4", "variables after x only")(edges_by(others=lambda oracle, x, y: [
    z for z in oracle.variables[oracle.variables.index(x):] if z not in (x, y)]))
wrong("4.4", "the removed edges")(lambda oracle: [
    pair for pair in combinations(oracle.variables, 2) if pair not in edges_by()(oracle)])
wrong("4.4", "it returns after the first size")(edges_by(lambda n: range(1)))


@wrong("4.4", "edges are removed from the list that is gone through")
def while_iterating(oracle):
    edges = list(combinations(oracle.variables, 2))
    for size in range(len(oracle.variables) - 1):
        for x, y in edges:
            others = [z for z in oracle.variables if z not in (x, y)]
            if any(oracle(x, y, given) for given in combinations(others, size)):
                edges.remove((x, y))
    return edges


@wrong("4.4", "sets of neighbours of x only")
def neighbours_of_x(oracle):
    left = {x: [y for y in oracle.variables if y != x] for x in oracle.variables}
    for size in range(len(oracle.variables) - 1):
        for x, y in combinations(oracle.variables, 2):
            if y in left[x] and any(oracle(x, y, z) for z in combinations([z for z in left[x] if z != y], size)):
                left[x].remove(y)
                left[y].remove(x)
    return [(x, y) for x, y in combinations(oracle.variables, 2) if y in left[x]]


# -- 4.5 -------------------------------------------------------------------------------------------------------------
def without(items, *left_out):
    return [item for item in items if item not in left_out]


def sets_of_both(neighbours, x, y, size):
    sets = [*combinations(without(neighbours[x], y), size), *combinations(without(neighbours[y], x), size)]
    return list({frozenset(given): given for given in sets}.values())


def tests_by(sets=sets_of_both, stop=True, pairs=lambda neighbours: [
        (x, y) for x, y in combinations(neighbours, 2) if y in neighbours[x]]):
    """The tests of a level, with other sets or other pairs."""
    def level(oracle, neighbours, size):
        for x, y in pairs(neighbours):
            for given in sets(neighbours, x, y, size):
                yield x, y, given
                if stop and oracle(x, y, given):
                    break
    return level


wrong("4.5", "neighbours of x only")(tests_by(lambda near, x, y, size: combinations(without(near[x], y), size)))
wrong("4.5", "neighbours of y only")(tests_by(lambda near, x, y, size: combinations(without(near[y], x), size)))
wrong("4.5", "it does not stop at a separating set")(tests_by(stop=False))
wrong("4.5", "all sets, not only neighbours")(
    tests_by(lambda near, x, y, size: combinations(without(near, x, y), size)))
wrong("4.5", "neighbours of x and y mixed")(tests_by(lambda near, x, y, size: combinations(
    without(dict.fromkeys([*near[x], *near[y]]), x, y), size)))
wrong("4.5", "common neighbours only")(tests_by(lambda near, x, y, size: combinations(
    [z for z in near[x] if z in near[y]], size)))
wrong("4.5", "sets of both are tested twice")(tests_by(lambda near, x, y, size: [
    *combinations(without(near[x], y), size), *combinations(without(near[y], x), size)]))
wrong("4.5", "sets with y itself")(tests_by(lambda near, x, y, size: list({frozenset(given): given for given in (
    *combinations(near[x], size), *combinations(near[y], size))}.values())))
wrong("4.5", "smaller sets, too")(tests_by(lambda near, x, y, size: [
    given for smaller in range(size + 1) for given in sets_of_both(near, x, y, smaller)]))
wrong("4.5", "each edge from both ends")(tests_by(pairs=lambda near: [(x, y) for x in near for y in near[x]]))
wrong("4.5", "all pairs, adjacent or not")(tests_by(pairs=lambda near: list(combinations(near, 2))))
wrong("4.5", "the end with fewer neighbours only")(tests_by(lambda near, x, y, size: combinations(
    without(min(near[x], near[y], key=len), x, y), size)))
wrong("4.5", "an edge is skipped if x has too few neighbours")(tests_by(lambda near, x, y, size: sets_of_both(
    near, x, y, size) if len(near[x]) > size else []))
wrong("4.5", "an edge is skipped if either end has too few neighbours")(tests_by(lambda near, x, y, size: sets_of_both(
    near, x, y, size) if min(len(near[x]), len(near[y])) > size else []))


@wrong("4.5", "the level ends at the first separating set")
def ends_at_once(oracle, neighbours, size):
    for x, y, given in tests_by()(oracle, neighbours, size):
        yield x, y, given
        if oracle(x, y, given):
            return


@wrong("4.5", "removed neighbours are not used again")
def not_stable(oracle, neighbours, size):
    left = {x: list(near) for x, near in neighbours.items()}
    for x, y in [(x, y) for x, y in combinations(neighbours, 2) if y in neighbours[x]]:
        for given in sets_of_both(left, x, y, size):
            yield x, y, given
            if oracle(x, y, given):
                left[x].remove(y)
                left[y].remove(x)
                break


@wrong("4.5", "after a separating set among the neighbours of x those of y are still tested")
def stops_for_x(oracle, neighbours, size):
    for x, y in [(x, y) for x, y in combinations(neighbours, 2) if y in neighbours[x]]:
        seen = set()
        for near in (without(neighbours[x], y), without(neighbours[y], x)):
            for given in map(frozenset, combinations(near, size)):
                if given in seen:
                    continue
                seen.add(given)
                yield x, y, given
                if oracle(x, y, given):
                    break


# -- 4.6 and 4.7 -----------------------------------------------------------------------------------------------------
def built(arcs, x, y, given=""):
    """A DAG and a query, with the nodes as a, b, c, d, e."""
    def build(nodes):
        name = dict(zip("abcde", nodes))
        return (bn.DAG([(name[a], name[b]) for a, b in arcs.split()], nodes),
                (name[x], name[y], [name[z] for z in given]))
    return build


wrong("4.6", "a query that PC never makes")(built("ab", "a", "c", "b"))
wrong("4.6", "a wrong separating set, the edge is gone all the same")(built("ab bc cd", "a", "c"))
wrong("4.6", "an independence that is found given other variables, too")(built("ab bc", "a", "c"))
wrong("4.6", "an edge is lost, and none is extra")(built("ab bc cd", "a", "b"))
wrong("4.6", "an edge of a diamond is lost, and none is extra")(built("ab ac bd cd", "a", "b"))
wrong("4.6", "an edge is extra, and none is lost")(built("ab bc", "a", "c", "b"))
wrong("4.6", "an edge of a v-structure is extra, and none is lost")(built("ac bc cd", "a", "b"))
wrong("4.6", "the lost neighbour is not needed to separate the others")(built("ac bc cd", "c", "d"))
wrong("4.6", "the DAG only")(lambda nodes: bn.DAG(list(pairwise(nodes)), nodes))
wrong("4.6", "the query only")(lambda nodes: (nodes[0], nodes[1], []))
wrong("4.6", "a set of given variables that PC does not reach")(built("ab", "a", "b", "c"))
wrong("4.6", "a graph with a cycle, as text")(lambda nodes: (
    f"{nodes[0]}->{nodes[1]}, {nodes[1]}->{nodes[2]}, {nodes[2]}->{nodes[0]}", (nodes[0], nodes[1], [])))

wrong("4.7", "an edge is lost")(built("ab bc cd", "a", "b"))
wrong("4.7", "an edge is not removed")(built("ab bc", "a", "c", "b"))
wrong("4.7", "a query that PC never makes")(built("ab bc", "a", "d", "c"))
wrong("4.7", "nothing changes")(built("cd", "a", "b"))
wrong("4.7", "a v-structure is found that is not there")(built("ab bc cd", "a", "c"))
wrong("4.7", "a v-structure is missed, and its edge is lost")(built("ac bc", "a", "c"))
wrong("4.7", "one is missed, and another is found that is not there")(built("ca cb da db", "a", "b", "c"))
wrong("4.7", "as in the lesson, with one separating set for a pair")(built("ab bc cd de", "a", "c"))
wrong("4.7", "a true separating set is tested before the collider")(built("ae be ca cd db", "a", "b", "e"))
wrong("4.7", "the parents are separated before the collider is tested")(built("ac bc", "a", "b", "c"))
wrong("4.7", "the same variable twice")(built("ab bc", "a", "a"))
wrong("4.7", "the DAG only")(lambda nodes: bn.DAG(list(pairwise(nodes)), nodes))
