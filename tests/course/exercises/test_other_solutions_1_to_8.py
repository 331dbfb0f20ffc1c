"""Exercises 1 to 8, solved in other ways and forms than in their sources: every right answer is accepted."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations, product
from math import comb, inf, log, log2, prod

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import bnteach as bn
from bnteach.course.exercises.questions import lessons, of_lesson

OTHERS = {}


def answers(id):
    """Register a function as another answer to a question."""
    return lambda function: OTHERS.setdefault(id, function)


@pytest.mark.parametrize("id", [question.id for lesson in lessons()[:8] for question in of_lesson(lesson)
                                if question.kind != "practice"])
def test_another_solution_is_right(id):
    assert bn.check(id, OTHERS[id])


def triples(graph):
    return {(a, b, c) for c in graph.nodes for a, b in combinations(sorted(graph.parents(c)), 2)
            if not graph.adjacent(b, a)}


def along(order, edges):
    """Edges oriented along an order."""
    return [(a, b) if order.index(a) < order.index(b) else (b, a) for a, b in edges]


# -- 1 ---------------------------------------------------------------------------------------------------------------
OTHERS["1.1"] = lambda n, i, rest: (-1) ** (i - 1) * comb(n, n - i) * (2.0 ** (n - i)) ** i * rest
OTHERS["1.5"] = lambda dags: np.array(sorted(Counter(
    (frozenset(map(frozenset, dag.arcs)), frozenset(triples(dag))) for dag in dags).values()))
OTHERS["1.7"] = lambda nodes, m: {(node, nodes[0]) for node in nodes[1:m + 1]}


@answers("1.2")
def count_dags(n, sizes):
    """Layer by layer, without signs: a node has a parent in the layer before its own, and none further on."""
    def sets(others):
        return sum(comb(others, k) for k in sizes)

    @cache
    def ways(before, layer, left):
        return sum(comb(left, k) * (sets(before + layer) - sets(before)) ** k * ways(before + layer, k, left - k)
                   for k in range(1, left + 1)) if left else 1
    return sum(comb(n, k) * ways(0, k, n - k) for k in range(1, n + 1))


@answers("1.3")
def remove_sinks(nodes, arcs):
    graph, taken = nx.DiGraph(arcs), []
    graph.add_nodes_from(nodes)
    while sinks := [node for node in graph if graph.out_degree(node) == 0]:
        taken += reversed(sinks)
        graph.remove_nodes_from(sinks)
    return taken


@answers("1.4")
def v_structures(dag):
    graph = dag.to_networkx()
    return [[a, b, c] for c in graph for a, b in product(graph.predecessors(c), repeat=2)
            if a < b and not graph.has_edge(a, b) and not graph.has_edge(b, a)]


@answers("1.6")
def twin(dag):
    for order in permutations(dag.nodes):
        other = bn.DAG(along(order, dag.skeleton), dag.nodes)
        if other != dag and triples(other) == triples(dag):
            return other.to_networkx()


# -- 2 ---------------------------------------------------------------------------------------------------------------
OTHERS["2.3"] = lambda dag, x, y, seen: (
    path for path in nx.all_simple_paths(dag.to_networkx().to_undirected(), x, y) if not blockers(dag, path, seen))
OTHERS["2.4"] = lambda dag, x, y: {
    frozenset(given) for size in range(len(dag.nodes)) for given in combinations(set(dag.nodes) - {x, y}, size)
    if nx.is_d_separator(dag.to_networkx(), x, y, set(given))}
OTHERS["2.6"] = lambda p0, p1: np.array([[0.45, 0.55], [0.45 + 0.1 * p0 - 0.05 * p1, 0.5 + 0.1 * p0 - 0.05 * p1]])
OTHERS["2.7"] = lambda nodes: f"{nodes[1]}->{nodes[3]}, {nodes[2]}->{nodes[3]}, {nodes[2]}->{nodes[0]}"


@answers("2.1")
def kind(dag, before, node, after):
    ends = {before, after}
    return "collider" if ends <= set(dag.parents(node)) else "fork" if ends <= set(dag.children(node)) else "chain"


@answers("2.2")
def blockers(dag, path, observed):
    above = set(observed).union(*(dag.ancestors(node) for node in observed))
    return tuple(node for before, node, after in zip(path, path[1:], path[2:])
                 if (node not in above if kind(dag, before, node, after) == "collider" else node in observed))


@answers("2.5")
def minimal_imap(oracle, order):
    def needed(x, rest, given):
        return any(not oracle(x, y, (*given, *rest[:i])) for i, y in enumerate(rest))
    steps = []
    for i, x in enumerate(order):
        parents = list(order[:i])
        for y in order[:i]:  # remove each that is not needed
            fewer = [p for p in parents if p != y]
            parents = parents if needed(x, [p for p in order[:i] if p not in fewer], fewer) else fewer
        steps.append([x, frozenset(parents)])
    return steps


# -- 3 ---------------------------------------------------------------------------------------------------------------
OTHERS["3.1"] = lambda n, n_x, n_y, N: Fraction((n * N - n_x * n_y) ** 2, n_x * n_y * N)
OTHERS["3.3"] = lambda t, x, y, given: np.prod([len(t.states(v)) - (v in (x, y)) for v in (x, y, *given)])
OTHERS["3.7"] = lambda t, x, y, given: sum(
    (stratum[x].nunique() - 1) * (stratum[y].nunique() - 1)
    for _, stratum in (t.to_frame().groupby(given, observed=True) if given else [((), t.to_frame())]))
OTHERS["3.6"] = lambda t, alpha: nx.Graph(
    [(b, a) for a, b in combinations(t.variables, 2)
     if bn.ChiSquare(t)(a, b).p_value < alpha / comb(len(t.variables), 2)]).edges


@answers("3.2")
def chi_square(table, x, y):
    seen = np.histogram2d(table.codes(x), table.codes(y), bins=[len(table.states(v)) for v in (x, y)])[0]
    return len(table) * ((seen**2 / np.outer(seen.sum(axis=1), seen.sum(axis=0))).sum() - 1)


@answers("3.4")
def chi_square_given(table, x, y, given):
    frame = table.to_frame()
    strata = [stratum for _, stratum in frame.groupby(list(given), observed=True)] if given else [frame]
    return sum(_stratum(pd.crosstab(stratum[x], stratum[y]).to_numpy()) for stratum in strata)


def _stratum(seen):
    expected = np.outer(seen.sum(axis=1), seen.sum(axis=0)) / seen.sum()
    return ((seen - expected)[expected > 0] ** 2 / expected[expected > 0]).sum()


@answers("3.5")
def g_square(table, x, y):
    def h(*names):
        return -sum(n * log(n / len(table)) for n in table.counts(*names).flat if n)
    return 2 * (h(x) + h(y) - h(x, y))


@answers("3.8")
def explained(names, n):
    half = np.arange(n // 2)
    x, y = (np.concatenate([column, ~column]) for column in (half % 5 == 0, half // 5 % 5 == 0))
    return pd.DataFrame(dict(zip(names, (x, y, np.repeat(["old", "young"], n // 2)))))


# -- 4 ---------------------------------------------------------------------------------------------------------------
OTHERS["4.1"] = lambda skeleton, x, y, given: set(skeleton.neighbours(x)) & set(skeleton.neighbours(y)) - set(given)
OTHERS["4.2"] = lambda skeleton, separating_sets: [
    [end, z] for pair, given in separating_sets.items() for z in OTHERS["4.1"](skeleton, *pair, given) for end in pair]
OTHERS["4.3"] = lambda g: nx.DiGraph([(b, c) for edge in g.edges for b, c in (edge, edge[::-1])
                                      if any(not g.adjacent(a, c) for a in g.parents(b))]).edges()
OTHERS["4.6"] = lambda nodes: [nx.DiGraph([(nodes[i], nodes[j]) for i, j in ((3, 2), (0, 2), (1, 0), (3, 0))]),
                               (nodes[3], nodes[2], set())]
OTHERS["4.7"] = lambda nodes: ([(nodes[2], nodes[0]), (nodes[4], nodes[0]), (nodes[3], nodes[2]), (nodes[3], nodes[1]),
                                (nodes[1], nodes[4])], (nodes[4], nodes[2], {nodes[0]}))


@answers("4.4")
def skeleton(oracle):
    names = oracle.variables
    return nx.Graph([pair for pair in combinations(names, 2) if not any(
        oracle(*pair, given) for size in range(len(names)) for given in combinations(set(names) - set(pair), size))])


@answers("4.5")
def level(oracle, neighbours, size):
    tested, done = set(), set()
    for x, y in [(a, b) for a in reversed(list(neighbours)) for b in neighbours[a]]:
        for given in map(frozenset, combinations(set(neighbours[x]) - {y}, size)):
            if {x, y} in done or (frozenset((x, y)), given) in tested:
                continue
            tested.add((frozenset((x, y)), given))
            done |= {frozenset((x, y))} if oracle(x, y, given) else set()
            yield x, y, set(given)


# -- 5 ---------------------------------------------------------------------------------------------------------------
OTHERS["5.1"] = lambda g: {n for n in g.nodes if not g.children(n) and all(
    a == b or g.adjacent(a, b) for a, b in product(g.neighbours(n), g.adjacent_to(n)))}
OTHERS["5.2"] = lambda dag, pdag: [number for number, fails in enumerate((
    {*map(frozenset, dag.arcs)} != {*map(frozenset, pdag.arcs + pdag.edges)},
    not all(dag.has_arc(*arc) for arc in pdag.arcs), triples(dag) - triples(pdag)), start=1) if fails]
OTHERS["5.4"] = lambda g: [dag.arcs for dag in {bn.DAG(along(order, g.skeleton), g.nodes)
                                                for order in permutations(g.nodes)} if not OTHERS["5.2"](dag, g)]
OTHERS["5.6"] = lambda nodes: nx.Graph(list(product(nodes[:2], nodes[2:])))
OTHERS["5.7"] = lambda nodes: bn.PDAG([(nodes[0], nodes[1]), (nodes[3], nodes[2])],
                                      [(nodes[1], nodes[2]), *((nodes[3], end) for end in nodes[4:])], nodes)


@answers("5.3")
def remove_possible_sinks(g):
    taken = []
    while sinks := OTHERS["5.1"](g):
        taken.append(max(sinks))
        g = g.without_node(taken[-1])
    return tuple(taken)


@answers("5.5")
def class_graph(dag):
    graphs = [bn.DAG(along(order, dag.skeleton), dag.nodes) for order in permutations(dag.nodes)]
    every = [set(one.arcs) for one in graphs if triples(one) == triples(dag)]
    arcs = set.intersection(*every)
    return bn.PDAG(arcs, {tuple(sorted(arc)) for arc in set.union(*every) - arcs}, dag.nodes)


# -- 6 ---------------------------------------------------------------------------------------------------------------
OTHERS["6.1"] = lambda t, x, state, z, given: (t.to_frame().query(f"{z} == @given")[x] == state).mean()
OTHERS["6.2"] = lambda parents, tables, row: np.prod(
    [tables[x][tuple(row[p] for p in above)][row[x]] for x, above in parents.items()])
OTHERS["6.4"] = lambda chances: pd.Series([log2(p) if p else -inf for p in chances]).cumsum()
OTHERS["6.6"] = lambda dag, other: {head for _, head in set(dag.arcs) ^ set(other.arcs)}


@answers("6.3")
def fractions(rows, x, parents):
    observed = defaultdict(Counter)
    for row in rows:
        observed[tuple(row[p] for p in parents)][row[x]] += 1
    return {states: {state: Fraction(n, c.total()) for state, n in c.items()} for states, c in observed.items()}


@answers("6.5")
def log_likelihood(table, dag):
    rows = [dict(zip(table.variables, row)) for row in zip(*map(table.codes, table.variables))]

    def n(row, names):
        return sum(all(row[name] == other[name] for name in names) for other in rows)
    return sum(log2(n(row, [x, *dag.parents(x)]) / n(row, dag.parents(x))) for row in rows for x in dag.nodes)


@answers("6.7")
def fatal_row(table, dag):
    for x in dag.nodes:  # a cell that is empty, below a combination that occurs
        counts = table.counts(x, given=dag.parents(x))
        for index in zip(*np.nonzero((counts == 0) & (counts.sum(axis=0) > 0))):
            names = x, *dag.parents(x)
            first = {name: table.states(name)[0] for name in table.variables}
            return pd.Series(first | {name: table.states(name)[i] for name, i in zip(names, index)})


# -- 7 ---------------------------------------------------------------------------------------------------------------
def h(counts):
    return -sum(n / np.sum(counts) * log2(n / np.sum(counts)) for n in np.ravel(counts) if n)


OTHERS["7.1"] = lambda n, n_x, n_y, N: n / N * (log2(n) + log2(N) - log2(n_x) - log2(n_y)) if n else 0
OTHERS["7.2"] = lambda t, x, z: h(t.counts(x, z)) - h(t.counts(z))
OTHERS["7.3"] = lambda t, x, y: h(t.counts(x)) + h(t.counts(y)) - h(t.counts(x, y))
OTHERS["7.6"] = lambda nodes: {frozenset(pair): 9.0 - 4 * (nodes[0] in pair) - 0.1 * i
                               for i, pair in enumerate(combinations(nodes, 2))}
OTHERS["7.7"] = lambda names, n: np.array([[i % 2, i // 2 % 2, i % 2 == i // 2 % 2] for i in range(n)])


@answers("7.4")
def kruskal(weights):
    graph = nx.Graph()
    graph.add_nodes_from(node for edge in weights for node in edge)
    for edge in sorted(weights, key=lambda edge: (-weights[edge], edge[::-1])):
        if not nx.has_path(graph, *edge):
            graph.add_edge(*edge)
            yield frozenset(edge)


@answers("7.5")
def prim(weights, root):
    both = {**weights, **{edge[::-1]: weight for edge, weight in weights.items()}}
    inside, outside, taken = [root], {node for edge in weights for node in edge} - {root}, []
    while outside:
        old, new = max(product(inside, sorted(outside)), key=both.get)
        taken.append([new, old])
        inside.append(new)
        outside.remove(new)
    return taken


# -- 8 ---------------------------------------------------------------------------------------------------------------
OTHERS["8.1"] = lambda t, x, parents: prod(t.counts(*parents).shape) * (len(t.states(x)) - 1.0) if parents else \
    len(t.states(x)) - 1
OTHERS["8.2"] = lambda t, dag: bn.LogLikelihood(t)(dag) - bn.dimension(dag, t) * np.log2(np.sqrt(len(t)))
OTHERS["8.3"] = lambda t, dag, a, b: (bn.dimension(dag.with_arc(a, b), t) - bn.dimension(dag, t)) * log2(len(t)) / 2
OTHERS["8.5"] = lambda x: searched(x, lambda t: (bn.AIC(t), bn.MDL(t)))
OTHERS["8.6"] = lambda x: pd.Series(searched(x, lambda t: (bn.AIC(t), bn.AIC(t, base=2)))).map("abcd".__getitem__)


@answers("8.4")
def held_out(train, test, dag):
    rows = [dict(zip(train.variables, row)) for row in zip(*map(train.codes, train.variables))]
    total = 0.0
    for row, x in product(range(len(test)), dag.nodes):
        above = [other[x] for other in rows if all(other[p] == test.codes(p)[row] for p in dag.parents(x))]
        n = above.count(test.codes(x)[row])
        total += log2(n / len(above)) if n else -inf
    return total


def searched(x, criteria):
    """A column of up to four states, drawn until two criteria disagree."""
    random = np.random.default_rng(0)
    while True:
        y = random.integers(random.integers(2, 5), size=len(x))
        scores = criteria(bn.Table({"one": x, "two": y}))
        one, other = (score.family("one", ["two"]) - score.family("one") for score in scores)
        if one * other < -1e-6:
            return y
