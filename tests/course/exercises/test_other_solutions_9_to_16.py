"""Exercises 9 to 18, solved in other ways and forms than in their sources: every right answer is accepted."""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import suppress
from fractions import Fraction
from itertools import chain, combinations, permutations, product
from math import e, exp, fsum, log, log2, pi, prod, sqrt

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import bnteach as bn
from bnteach.course.exercises.questions import constructed, lessons, of_lesson, q09, q10
from bnteach.course.exercises.questions.inputs import disguised

OTHERS = {}


def answers(id):
    """Register a function as another answer to a question."""
    return lambda function: OTHERS.setdefault(id, function)


@pytest.mark.parametrize("id", [question.id for lesson in lessons()[8:16] for question in of_lesson(lesson)
                                if question.kind != "practice"])
def test_another_solution_is_right(id):
    assert bn.check(id, OTHERS[id])


XOR_LIKE = [(lambda random: constructed.xor_like(random).data, seed) for seed in q10.FAILING]


@pytest.mark.parametrize("make, seed", [*XOR_LIKE, *((q10.small_network, seed) for seed in q10.RARE)])
def test_k3_fails_under_every_disguise(make, seed):
    """The number of failing orders stays the same: with ties it would depend on the names, and might be 0."""
    data, random = make(np.random.default_rng(seed)), np.random.default_rng(1)
    scores = [bn.MDL(data), *(bn.MDL(disguised(random, data)) for _ in range(8))]
    failing = {sum(q10.fails(score, order) for order in permutations(score.variables)) for score in scores}
    assert len(failing) == 1 and 0 < min(failing) <= 8


@pytest.mark.parametrize("change, seed", [*product(["remove"], q09.REMOVING), *product(["reverse"], q09.REVERSING)])
def test_hill_climbing_needs_the_move_however_ties_are_settled(change, seed):
    score = bn.MDL(constructed.network_rows(np.random.default_rng(seed), "ABCDE", 150))
    left = [bn.DAG((), score.variables)]
    reached = set(left)  # by right runs without such a move; none of these graphs is the end of a run
    while left:
        dag = left.pop()
        gains = {move: score(changed(dag, *move)) - score(dag) for move in map(tuple, neighbours(dag))}
        top = max(gains.values())
        assert top > 1e-7
        new = {changed(dag, *move) for move in gains if gains[move] > top - 1e-7 and move[0] != change} - reached
        left, reached = [*left, *new], reached | new


def subsets(items):
    return list(chain.from_iterable(combinations(items, size) for size in range(len(items) + 1)))


def changed(dag, change, a, b):
    return {"add": dag.with_arc, "remove": dag.without_arc, "reverse": dag.with_reversed}[change](a, b)


def toggled(dag, arc):
    return dag.without_arc(*arc) if dag.has_arc(*arc) else dag.with_arc(*arc)


# -- 9 ---------------------------------------------------------------------------------------------------------------
OTHERS["9.1"] = lambda score, dag, a, b: score(dag.with_arc(a, b)) - score(dag)
OTHERS["9.2"] = lambda score, dag, change, a, b: np.float64(score(changed(dag, change, a, b))) - score(dag)
OTHERS["9.5"] = lambda score, starts: np.max([score(bn.hill_climb(score, start=start).graph) for start in starts])


@answers("9.3")
def neighbours(dag):
    moves = []
    for change, (a, b) in product(("add", "remove", "reverse"), permutations(dag.nodes, 2)):
        if dag.has_arc(a, b) == (change != "add") and not dag.has_arc(b, a):
            with suppress(bn.CycleError):
                changed(dag, change, a, b)
                moves.append([change, a, b])
    return moves


@answers("9.4")
def climb(score):
    dag, taken = bn.DAG((), score.variables), []
    while True:  # ties go to the last move
        gains = {tuple(move): score(changed(dag, *move)) - score(dag) for move in reversed(neighbours(dag))}
        best = max(gains, key=lambda move: round(gains[move], 9))
        if gains[best] <= 1e-7:
            return taken
        taken.append(list(best))
        dag = changed(dag, *best)


@answers("9.6")
def misleading_columns(table):
    scores = {order: bn.hill_climb(bn.MDL(table.select(*order))).score for order in permutations(table.variables)}
    return np.array(min(scores, key=scores.get))


# -- 10 --------------------------------------------------------------------------------------------------------------
OTHERS["10.1"] = lambda score, child, parents, names: max((score.family(child, {x, *parents}), x) for x in names)[1]
OTHERS["10.4"] = lambda score, order: [[parent, child] for i, child in enumerate(order)
                                       for parent in greedy_parents(score, child, order[:i])]
OTHERS["10.5"] = lambda score, child, parents, later: score.family(child, [*parents, *later]) + score.penalty * (
    score.parameters(child, [*parents, *later]) - score.parameters(child, parents))
OTHERS["10.6"] = lambda score, child, names: max((score.family(child, some), some) for some in subsets(names))[1]


@answers("10.2")
def next_parent(score, child, parents, candidates):
    value, name = max((score.family(child, [*parents, name]), name) for name in candidates)
    return name if value - score.family(child, parents) > 1e-9 else None


@answers("10.3")
def greedy_parents(score, child, before):
    parents = []
    while len(parents) < len(before) and (name := next_parent(score, child, parents, set(before) - set(parents))):
        parents.append(name)
    return tuple(parents)


@answers("10.7")
def failing_order(score):
    for order in reversed(list(permutations(score.variables))):
        if bn.branch_and_bound(score, order).score - bn.k3(score, order).score > 1e-6:
            return "".join(order)


# -- 11 --------------------------------------------------------------------------------------------------------------
OTHERS["11.2"] = lambda score, order: fsum(max(score.family(x, some) for some in subsets(order[:i]))
                                           for i, x in enumerate(order))
OTHERS["11.4"] = lambda score: max(OTHERS["11.2"](score, order) for order in permutations(score.variables))
OTHERS["11.5"] = lambda candidates, limit: len([some for names in candidates.values() for some in subsets(names)
                                                if len(some) <= limit])
OTHERS["11.6"] = lambda parents: {a for a, _ in nx.find_cycle(nx.DiGraph(parents))}


@answers("11.1")
def swaps(order):
    for i in range(1, len(order)):
        other = list(order)
        other[i], other[i - 1] = other[i - 1], other[i]
        yield other


@answers("11.3")
def climb_orders(score, order):
    path = [list(order)]
    while True:
        best = max(swaps(path[-1]), key=lambda other: (round(OTHERS["11.2"](score, other), 9), other))
        if OTHERS["11.2"](score, best) <= OTHERS["11.2"](score, path[-1]) + 1e-9:
            return path[1:]
        path.append(best)


# -- 12 --------------------------------------------------------------------------------------------------------------
def residuals(data, child, parents):
    design = np.stack([np.ones(len(data)), *map(data.column, parents)], axis=1)
    return data.column(child) - design @ np.linalg.lstsq(design, data.column(child), rcond=None)[0]


OTHERS["12.1"] = lambda x, mean, variance: log(exp(-((x - mean) / sqrt(2 * variance)) ** 2) / sqrt(2 * pi * variance))
OTHERS["12.3"] = lambda data, child, parents: (residuals(data, child, parents) ** 2).sum() / (len(data) - 1)
OTHERS["12.5"] = lambda data, dag: sum(family(data, x, dag.parents(x)) for x in dag.nodes) - np.log(len(data)) * (
    len(dag.nodes) + len(dag.arcs) / 2)
OTHERS["12.8"] = lambda x, y, n: pd.DataFrame({x: np.linspace(-3, 3, n).round(9)}).assign(**{y: lambda t: abs(t[x])})


@answers("12.2")
def line(x, y):
    slope, intercept = np.polyfit(x, y, 1)
    return np.array([intercept, slope, ((np.array(y) - np.polyval([slope, intercept], x)) ** 2).sum() / (len(x) - 1)])


@answers("12.4")
def family(data, child, parents):
    variance = OTHERS["12.3"](data, child, parents)
    return sum(-(log(2 * pi * variance) + r**2 / variance) / 2 for r in residuals(data, child, parents))


@answers("12.6")
def means(dag, families):
    def mean(x):
        return families[x][0] + sum(slope * mean(parent) for parent, slope in families[x][1].items())
    return pd.Series({x: mean(x) for x in reversed(dag.nodes)})


@answers("12.7")
def given(mean, variance, line, y):
    intercept, slope, noise = line
    precision = 1 / variance + slope**2 / noise
    return [(mean / variance + slope * (y - intercept) / noise) / precision, 1 / precision]


# -- 13 --------------------------------------------------------------------------------------------------------------
OTHERS["13.1"] = lambda gain, t: min(1, e ** (gain / t))
OTHERS["13.2"] = lambda n, d, p, final: np.concatenate([(np.arange(n, 0, -1) / d) ** p, np.full(final, 1e-3)])
OTHERS["13.3"] = lambda score, dag, arc: score(toggled(dag, arc)) - score(dag)
OTHERS["13.4"] = lambda dag: [[a, b] for a, b in permutations(dag.nodes, 2) if a not in dag.descendants(b)]
OTHERS["13.6"] = lambda grid: (pd.DataFrame(grid).mean().std(), pd.DataFrame(grid).sem().mean())


@answers("13.7")
def trap(names, n):
    a, b, c = (np.arange(n) // part % 2 for part in (1, 2, 4))
    return pd.DataFrame(dict(zip(names, np.where([a == b, a == 1, b == 1, c == 1], "yes", "no"))))


@answers("13.5")
def walk(score, temperatures, arcs, numbers):
    dag, scores = bn.DAG((), score.variables), []
    for t, arc, number in zip(temperatures, arcs, numbers):
        gain = score(toggled(dag, arc)) - score(dag)
        dag = toggled(dag, arc) if gain >= 0 or number < exp(gain / t) else dag
        scores.append(score(dag))
    return np.array(scores)


# -- 14 --------------------------------------------------------------------------------------------------------------
OTHERS["14.1"] = lambda statistics: np.array(list(statistics.values())).min()
OTHERS["14.5"] = lambda chosen: nx.DiGraph([(a, b) for a in chosen for b in chosen[a]]).to_undirected(reciprocal=True)


@answers("14.2")
def next_to_join(strengths, least):
    left = sorted((min(given.values()), x) for x, given in strengths.items())
    return left[-1][1] if left[-1][0] > least else None


@answers("14.3")
def grow(table, target, alpha):
    test, chosen, left = bn.GSquare(table, alpha, adjust=True), [], set(table.variables) - {target}
    while True:
        verdicts = {x: [test(x, target, given) for given in subsets(chosen)] for x in sorted(left, reverse=True)}
        left = {x for x in left if not any(verdicts[x])}  # an excluded variable stays excluded
        if not left:
            return chosen
        chosen.append(max(left, key=lambda x: min((-v.p_value, v.statistic) for v in verdicts[x])))
        left.remove(chosen[-1])


@answers("14.4")
def backward_phase(oracle, target, chosen):
    stay = set(chosen)
    for x in chosen:
        if [given for given in subsets(stay - {x}) if oracle(target, x, given)]:
            stay.discard(x)
    return stay


@answers("14.6")
def restricted_climb(score, edges):
    dag = bn.DAG((), score.variables)
    while True:
        arcs = [arc for edge in reversed(edges) for arc in (edge[::-1], edge) if not dag.adjacent(*arc)]
        gains = {arc: score(dag.with_arc(*arc)) - score(dag) for arc in arcs if arc[0] not in dag.descendants(arc[1])}
        best = max(gains, key=lambda arc: round(gains[arc], 9), default=None)
        if best is None or gains[best] < 1e-7:
            return
        yield list(best)
        dag = dag.with_arc(*best)


@answers("14.7")
def lost_edge(a, b, e, x, n):
    one, two = np.arange(n) % 2, np.arange(n) // 2 % 2
    return pd.DataFrame({x: (one & two) ^ (np.arange(n) // 4 % 8 == 0), e: one & two, b: two, a: one})


# -- 15 --------------------------------------------------------------------------------------------------------------
OTHERS["15.1"] = lambda p, q, y: 1 / (1 + (1 - p) / p * (q[0] / q[1]) ** y * ((1 - q[0]) / (1 - q[1])) ** (1 - y))
OTHERS["15.6"] = lambda counts: sum(n * log2(n or 1) for n in counts.values()) + log2(sum(counts.values())) * (
    sum(counts.values()) - 0.5) - sum(n * log2(n) for axis in (0, 1) for n in (
        sum(n for cell, n in counts.items() if cell[axis] == state) for state in (0, 1)))


@answers("15.2")
def expected_counts(rows, p, q):
    counts = Counter()
    for x, y in rows:
        counts[1, y] += OTHERS["15.1"](p, q, y) if x is None else x
        counts[0, y] += 1 - OTHERS["15.1"](p, q, y) if x is None else 1 - x
    return counts


@answers("15.3")
def m_step(counts):
    table = np.array([[counts[x, y] for y in (0, 1)] for x in (0, 1)])
    return [table[1].sum() / table.sum(), dict(enumerate(table[:, 1] / table.sum(axis=1)))]


@answers("15.4")
def log_likelihood(rows, p, q):
    joint = {(x, y): (p if x else 1 - p) * (q[x] if y else 1 - q[x]) for x, y in product((0, 1), repeat=2)}
    return log2(prod(joint.get((x, y)) or joint[0, y] + joint[1, y] for x, y in rows))


@answers("15.5")
def em(rows, p, q, iterations):
    found = []
    while len(found) < iterations:
        found.append(m_step(expected_counts(rows, *(found[-1] if found else (p, q)))))
    return found


@answers("15.7")
def misled(x, y, n):
    observed = iter([0, 1, 1, 1])
    columns = {y: [i % 2 for i in range(n)], x: [next(observed, None) if i % 2 else int(i == 0) for i in range(n)]}
    return pd.DataFrame(columns)


# -- 16 --------------------------------------------------------------------------------------------------------------
OTHERS["16.1"] = lambda playlists, song, given: Fraction(sum(song in p and given in p for p in playlists),
                                                         sum(given in p for p in playlists))
OTHERS["16.2"] = lambda playlists, songs: pd.DataFrame({song: [song in p for p in playlists] for song in songs})
OTHERS["16.6"] = lambda network, playlist, n: tuple(
    sorted(set(network) - set(playlist), key=lambda song: -chance(network, song, playlist)))[:n]
OTHERS["16.7"] = lambda liking, tests, n: np.mean(
    [sum(liking[other] > liking[hidden] for other in set(liking) - set(shown)) < n for shown, hidden in tests])
OTHERS["16.8"] = lambda a, b, c: {c: ((b, a), {(0, 0): 0.05, (0, 1): 0.8, (1, 0): 0.8, (1, 1): 0.7}),
                                  b: ((), {(): 0.4}), a: ((), {(): 0.4})}


@answers("16.3")
def components(nodes, edges):
    component = {node: node for node in nodes}
    for a, b in edges:
        component = {node: component[a] if c == component[b] else c for node, c in component.items()}
    groups = defaultdict(list)
    for node, c in component.items():
        groups[c].append(node)
    return (group for group in groups.values())


@answers("16.4")
def smoothed(table, song, parents):
    counts = table.counts(*parents, song) + 1
    return {there: counts[there][1] / counts[there].sum() for there in np.ndindex(counts.shape[:-1])}


@answers("16.5")
def chance(network, song, playlist):
    totals = Counter()
    for states in product((0, 1), repeat=len(network)):
        row = dict(zip(network, states))
        p = [chances[tuple(map(row.get, parents))] for parents, chances in network.values()]
        totals[row[song]] += prod(q if state else 1 - q for q, state in zip(p, states)) * all(map(row.get, playlist))
    return totals[1] / totals.total()


# -- 18 --------------------------------------------------------------------------------------------------------------
OTHERS["18.1"] = lambda graphs, a, b: np.mean([{a, b} in map(set, graph.skeleton) for graph in graphs])
OTHERS["18.4"] = lambda table, a, b, least: Fraction(sum(
    bn.mutual_information(bn.Table(table.to_frame().iloc[list(numbers)].reset_index(drop=True)), a, b) > least
    for numbers in product(range(4), repeat=4)), 256)
OTHERS["18.7"] = lambda dags, scores, a, b: 1 / (1 + sum(exp(s - max(scores)) for g, s in zip(dags, scores)
                                                         if not g.adjacent(a, b))
                                                 / sum(exp(s - max(scores)) for g, s in zip(dags, scores)
                                                       if g.adjacent(a, b)))


@answers("18.2")
def confidence(dags, a, b):
    kinds = Counter((g.adjacent(a, b), g.has_arc(a, b), g.has_arc(b, a)) for g in map(bn.cpdag, dags))
    return [sum(n for kind, n in kinds.items() if kind[i]) / len(dags) for i in range(3)]


@answers("18.3")
def bootstrap(table, draws):
    found = Counter(frozenset(arc) for numbers in draws
                    for arc in bn.hill_climb(bn.MDL(table.take(np.array(numbers)))).graph.arcs)
    return {pair: found[frozenset(pair)] / len(draws) for pair in combinations(table.variables, 2)}


@answers("18.5")
def threshold(shares):
    """By trying every height that F has: the least mean distance on a fine grid."""
    grid = (np.arange(4000) + 0.5) / 4000
    f = np.mean([[share <= x for x in grid] for share in shares], axis=0)
    height = min(np.unique(f), key=lambda t: np.abs(f - t).mean())
    return min((share for share in shares if np.mean(np.array(shares) <= share) >= height), default=0) if height else 0


@answers("18.6")
def averaged(shares, least):
    graph, found = nx.DiGraph(), []
    for pair in sorted(shares, key=lambda pair: shares[pair][0], reverse=True):
        edge, *ways = shares[pair]
        if edge <= least:
            break
        arc = pair if ways[0] > ways[1] else pair[::-1]
        graph.add_edge(*arc)
        directed = max(ways) > edge / 2 and nx.is_directed_acyclic_graph(graph)
        if not directed:
            graph.remove_edge(*arc)
        found.append(["arc" if directed else "edge", *arc])
    return found


@answers("18.8")
def weak_edge(x, y, n):
    """The table whose information is least above what an edge needs."""
    def bits(cells):
        rows, columns = (cells[0] + cells[1], cells[2] + cells[3]), (cells[0] + cells[2], cells[1] + cells[3])
        return sum(c * log2(c * n / (rows[i // 2] * columns[i % 2])) for i, c in enumerate(cells))
    tables = [(i, j, k, n - i - j - k) for i, j, k in product(range(1, n), repeat=3) if i + j + k < n]
    best = min((cells for cells in tables if bits(cells) > log2(n) / 2), key=bits)
    return pd.DataFrame(np.repeat([[0, 0], [0, 1], [1, 0], [1, 1]], best, axis=0), columns=[x, y])
