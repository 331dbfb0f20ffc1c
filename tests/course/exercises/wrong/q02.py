"""Wrong programs for exercise 2."""

from __future__ import annotations

from itertools import combinations, pairwise

import bnteach as bn
from bnteach.graphs.paths import all_paths
from tests.course.exercises.wrong import wrong

KINDS = ["fork", "chain", "collider"]


# -- 2.1 -------------------------------------------------------------------------------------------------------------
wrong("2.1", "the arcs out of the node")(
    lambda dag, before, node, after: KINDS[dag.has_arc(node, before) + dag.has_arc(node, after)])
wrong("2.1", "the arcs along the path")(
    lambda dag, before, node, after: KINDS[dag.has_arc(before, node) + dag.has_arc(node, after)])
wrong("2.1", "the first arc decides")(lambda dag, before, node, after: KINDS[2 * dag.has_arc(before, node)])
wrong("2.1", "all parents of the node, not only those on the path")(
    lambda dag, before, node, after: KINDS[min(2, len(dag.parents(node)))])
wrong("2.1", "forks are forgotten")(
    lambda dag, before, node, after: KINDS[1 + (dag.has_arc(before, node) and dag.has_arc(after, node))])
wrong("2.1", "no collider if its parents are adjacent")(
    lambda dag, before, node, after: KINDS[dag.has_arc(before, node) + (
        dag.has_arc(after, node) and not dag.adjacent(before, after))])
wrong("2.1", "chains in one direction only")(
    lambda dag, before, node, after: "chain" if dag.has_arc(before, node) and dag.has_arc(node, after) else
    "collider" if dag.has_arc(before, node) else "fork")


# -- 2.2 -------------------------------------------------------------------------------------------------------------
def kind(dag, before, node, after):
    return KINDS[dag.has_arc(before, node) + dag.has_arc(after, node)]


def below(dag, node, depth=9):
    """The node and what lies below it, down to some depth."""
    found = {node}
    for _ in range(depth):
        found |= {child for one in found for child in dag.children(one)}
    return found


def opened(dag, node, observed):
    return below(dag, node) & set(observed)


def observes(dag, node, observed):
    return node in observed


def path_blockers(collider=opened, other=observes, kind=kind):
    """The blockers of a path, with other rules for what opens a collider and what blocks the others."""
    def blockers(dag, path, observed):
        triples = zip(path, path[1:], path[2:])
        return [node for before, node, after in triples if (
            not collider(dag, node, observed) if kind(dag, before, node, after) == "collider"
            else other(dag, node, observed))]
    return blockers


RULES = {
    "a collider is opened by its children only, not by all descendants": path_blockers(
        lambda dag, node, observed: below(dag, node, 1) & set(observed)),
    "a collider is opened down to its grandchildren": path_blockers(
        lambda dag, node, observed: below(dag, node, 2) & set(observed)),
    "a collider is opened by its descendants, not by itself": path_blockers(
        lambda dag, node, observed: below(dag, node) & set(observed) - {node}),
    "descendants of a collider are forgotten": path_blockers(observes),
    "a collider is opened by its ancestors": path_blockers(
        lambda dag, node, observed: {node, *dag.ancestors(node)} & set(observed)),
    "a collider is never open": path_blockers(lambda dag, node, observed: False),
    "a collider is like the others": path_blockers(lambda dag, node, observed: node not in observed),
    "a collider is open only if all observed nodes are below it": path_blockers(
        lambda dag, node, observed: observed and set(observed) <= below(dag, node)),
    "only the first observed node opens a collider": path_blockers(
        lambda dag, node, observed: opened(dag, node, observed[:1])),
    "chains and forks are blocked by descendants, too": path_blockers(other=opened),
    "chains and forks are opened by what blocks them": path_blockers(
        other=lambda dag, node, observed: node not in observed),
    "only the first observed node blocks a chain or a fork": path_blockers(
        other=lambda dag, node, observed: node in observed[:1]),
    "no collider if its parents are adjacent": path_blockers(
        kind=lambda dag, before, node, after: "" if dag.adjacent(before, after) else kind(dag, before, node, after)),
    "a collider is a node with two parents, on the path or not": path_blockers(
        kind=lambda dag, before, node, after: "collider" if len(dag.parents(node)) > 1 else "chain"),
}
right_blockers = path_blockers()
for mistake, program in RULES.items():
    wrong("2.2", mistake)(program)
wrong("2.2", "the first blocker only")(lambda dag, path, observed: right_blockers(dag, path, observed)[:1])
wrong("2.2", "in alphabetical order")(lambda dag, path, observed: sorted(right_blockers(dag, path, observed)))
wrong("2.2", "the last inner node is forgotten")(
    lambda dag, path, observed: right_blockers(dag, path[:-1] if len(path) > 3 else path, observed))
wrong("2.2", "the nodes that do not block")(
    lambda dag, path, observed: [node for node in path[1:-1] if node not in right_blockers(dag, path, observed)])


# -- 2.3 -------------------------------------------------------------------------------------------------------------
def paths_by(blockers):
    return lambda dag, x, y, observed: [path for path in all_paths(dag, x, y) if not blockers(dag, path, observed)]


right_paths = paths_by(right_blockers)
for mistake, program in RULES.items():
    wrong("2.3", mistake)(paths_by(program))
wrong("2.3", "the blocked paths")(
    lambda dag, x, y, observed: [path for path in all_paths(dag, x, y) if right_blockers(dag, path, observed)])
wrong("2.3", "the first open path only")(lambda dag, x, y, observed: right_paths(dag, x, y, observed)[:1])
wrong("2.3", "the shortest open paths only")(lambda dag, x, y, observed: [
    path for path in right_paths(dag, x, y, observed)
    if len(path) == min(map(len, right_paths(dag, x, y, observed)))])
wrong("2.3", "from y to x")(lambda dag, x, y, observed: right_paths(dag, y, x, observed))
wrong("2.3", "one open node on the path is enough")(lambda dag, x, y, observed: [
    path for path in all_paths(dag, x, y) if len(right_blockers(dag, path, observed)) < max(1, len(path) - 2)])
wrong("2.3", "directed paths only")(lambda dag, x, y, observed: [
    path for path in right_paths(dag, x, y, observed)
    if all(dag.has_arc(*arc) for arc in pairwise(path)) or all(dag.has_arc(*arc) for arc in zip(path[1:], path))])
wrong("2.3", "paths without observed nodes, and no colliders")(lambda dag, x, y, observed: [
    path for path in right_paths(dag, x, y, observed) if not set(path) & set(observed)])


# -- 2.4 -------------------------------------------------------------------------------------------------------------
def others_than(dag, x, y):
    return [node for node in dag.nodes if node not in (x, y)]


def sets_by(sizes=lambda others: range(len(others) + 1), others=others_than, separates=bn.d_separated):
    return lambda dag, x, y: [given for size in sizes(others(dag, x, y))
                              for given in combinations(others(dag, x, y), size) if separates(dag, x, y, given)]


all_sets = sets_by()
wrong("2.4", "the set of all others is forgotten")(sets_by(lambda others: range(len(others))))
wrong("2.4", "the empty set is forgotten")(sets_by(lambda others: range(1, len(others) + 1)))
wrong("2.4", "at most two nodes")(sets_by(lambda others: range(3)))
wrong("2.4", "the first set only")(lambda dag, x, y: all_sets(dag, x, y)[:1])
wrong("2.4", "sets of the smallest size only")(lambda dag, x, y: [
    given for given in all_sets(dag, x, y) if len(given) == len(all_sets(dag, x, y)[0])])
wrong("2.4", "minimal sets only")(lambda dag, x, y: [given for given in all_sets(dag, x, y) if not any(
    set(fewer) < set(given) for fewer in all_sets(dag, x, y))])
wrong("2.4", "the list is emptied for each size")(lambda dag, x, y: [
    given for given in all_sets(dag, x, y) if len(given) == len(dag.nodes) - 2])
wrong("2.4", "neighbours of x and y only")(sets_by(others=lambda dag, x, y: [
    node for node in others_than(dag, x, y) if dag.adjacent(node, x) or dag.adjacent(node, y)]))
wrong("2.4", "ancestors of x and y only")(sets_by(others=lambda dag, x, y: [
    node for node in others_than(dag, x, y) if node in {*dag.ancestors(x), *dag.ancestors(y)}]))
wrong("2.4", "more than a separating set separates, too")(sets_by(separates=lambda dag, x, y, given: any(
    set(fewer) <= set(given) for fewer in all_sets(dag, x, y))))
wrong("2.4", "sets that meet every path")(sets_by(separates=lambda dag, x, y, given: all(
    set(path[1:-1]) & set(given) for path in all_paths(dag, x, y))))
wrong("2.4", "a collider is opened by its children only")(sets_by(separates=lambda dag, x, y, given: all(
    RULES["a collider is opened by its children only, not by all descendants"](dag, path, given)
    for path in all_paths(dag, x, y))))


# -- 2.5 -------------------------------------------------------------------------------------------------------------
def jointly(oracle, x, others, given):
    return all(oracle(x, y, (*given, *others[:i])) for i, y in enumerate(others))


def imap(independent=jointly, sizes=lambda i: range(i + 1)):
    """Parents by trying sets, the smallest first, with another test or other sets."""
    def minimal_imap(oracle, order):
        for i, x in enumerate(order):
            sets = [s for size in sizes(i) for s in combinations(order[:i], size)]
            rest = {s: [y for y in order[:i] if y not in s] for s in sets}
            yield x, next((s for s in sets if independent(oracle, x, rest[s], s)), sets[-1])
    return minimal_imap


def dependent_on(x_needs):
    """Each earlier variable is a parent or not, by a rule of its own."""
    return lambda oracle, order: [(x, tuple(y for y in order[:i] if x_needs(oracle, x, y, order[:i])))
                                  for i, x in enumerate(order)]


wrong("2.5", "all variables before it")(lambda oracle, order: [(x, tuple(order[:i])) for i, x in enumerate(order)])
wrong("2.5", "the one before it")(lambda oracle, order: [(x, tuple(order[:i][-1:])) for i, x in enumerate(order)])
wrong("2.5", "dependent without a condition")(dependent_on(lambda oracle, x, y, before: not oracle(x, y, ())))
wrong("2.5", "dependent given every set")(dependent_on(lambda oracle, x, y, before: not any(
    oracle(x, y, given) for size in range(len(before)) for given in combinations([z for z in before if z != y], size))))
wrong("2.5", "sets of at most one parent")(imap(sizes=lambda i: range(min(i, 1) + 1)))
wrong("2.5", "sets of at most two parents")(imap(sizes=lambda i: range(min(i, 2) + 1)))
wrong("2.5", "sets of at most three parents")(imap(sizes=lambda i: range(min(i, 3) + 1)))
wrong("2.5", "the largest set first")(imap(sizes=lambda i: range(i, -1, -1)))
wrong("2.5", "the empty set is not tried")(imap(sizes=lambda i: range(min(i, 1), i + 1)))
wrong("2.5", "the set of all is not tried")(imap(sizes=lambda i: range(max(1, i))))
wrong("2.5", "independent of each of the others, not of all together")(
    imap(lambda oracle, x, others, given: all(oracle(x, y, given) for y in others)))
wrong("2.5", "independent of one of the others")(
    imap(lambda oracle, x, others, given: not others or any(oracle(x, y, given) for y in others)))
wrong("2.5", "independent of the first of the others")(
    imap(lambda oracle, x, others, given: all(oracle(x, y, given) for y in others[:1])))
wrong("2.5", "the order backwards")(lambda oracle, order: imap()(oracle, order[::-1]))
wrong("2.5", "the variables in the oracle's order")(lambda oracle, order: imap()(oracle, list(oracle.variables)))
wrong("2.5", "the last variable is forgotten")(lambda oracle, order: list(imap()(oracle, order))[:-1])


@wrong("2.5", "parents are added one by one, and none is removed")
def grow(oracle, order):
    for i, x in enumerate(order):
        parents = []
        for y in order[:i]:
            parents += [] if oracle(x, y, tuple(parents)) else [y]
        yield x, parents


# -- 2.6 -------------------------------------------------------------------------------------------------------------
def around(p0, p1, slope):
    """Z is 1 with probability 1/2 for both values of X."""
    return [[0.5 - slope * p, 0.5 + slope * (1 - p)] for p in (p0, p1)]


wrong("2.6", "Z depends on nothing")(lambda p0, p1: [[0.5, 0.5], [0.5, 0.5]])
wrong("2.6", "Z does not depend on X")(lambda p0, p1: [[0.2, 0.6], [0.2, 0.6]])
wrong("2.6", "Z does not depend on Y")(lambda p0, p1: [[0.2, 0.2], [0.6, 0.6]])
wrong("2.6", "exclusive or")(lambda p0, p1: [[0.1, 0.9], [0.9, 0.1]])
wrong("2.6", "rows and columns exchanged")(lambda p0, p1: [list(column) for column in zip(*around(p0, p1, 0.4))])
wrong("2.6", "p0 and p1 exchanged")(lambda p0, p1: around(p1, p0, 0.4))
wrong("2.6", "p0 for both values of X")(lambda p0, p1: [around(p0, p0, 0.4)[0], around(p0, p0, 0.3)[0]])
wrong("2.6", "the probability of Y = 0 for that of Y = 1")(lambda p0, p1: around(1 - p0, 1 - p1, 0.4))
wrong("2.6", "0 and 1 as probabilities")(lambda p0, p1: [[0, 1], [p0, p0]] if p0 != p1 else [[0, 1], [0, 1]])
wrong("2.6", "probabilities above 1 for some p0 and p1")(lambda p0, p1: around(p0, p1, 0.6))
wrong("2.6", "two entries chosen, one solved for, which may be no probability")(
    lambda p0, p1: [[0.3, 0.6], [0.4, (0.3 * (1 - p0) + 0.6 * p0 - 0.4 * (1 - p1)) / p1]])
wrong("2.6", "as if p0 were less than p1")(lambda p0, p1: around(min(p0, p1), max(p0, p1), 0.4))


# -- 2.7 -------------------------------------------------------------------------------------------------------------
def graph(*arcs, order=lambda nodes: nodes):
    """Arcs by position: "ad" is an arc from the first node to the fourth."""
    return lambda nodes: bn.DAG([tuple(order(nodes)["abcd".index(end)] for end in arc) for arc in arcs], nodes)


wrong("2.7", "d is a common child")(graph("ad", "bd"))
wrong("2.7", "c is a common child, d is below it")(graph("ac", "bc", "cd"))
wrong("2.7", "d is a common child, c is below it")(graph("ad", "bd", "dc"))
wrong("2.7", "two common children")(graph("ac", "bc", "ad", "bd"))
wrong("2.7", "c is a common parent")(graph("ca", "cb"))
wrong("2.7", "c is a common parent, d a common child")(graph("ca", "cb", "ad", "bd"))
wrong("2.7", "c and d exchanged")(graph("ac", "dc", "db"))
wrong("2.7", "in alphabetical order")(graph("ad", "cd", "cb", order=sorted))
wrong("2.7", "no arcs")(graph())
wrong("2.7", "a chain through c")(graph("ad", "dc", "cb"))
