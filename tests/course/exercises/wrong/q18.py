"""Wrong programs for exercise 18."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise, permutations, product
from math import exp, log2

import numpy as np

import bnteach as bn
from tests.course.exercises.wrong import wrong


# -- 18.1: the share of an edge ----------------------------------------------------------------------------------------
def fraction(of, graphs):
    return sum(map(bool, map(of, graphs))) / len(graphs)


SHARES = {
    "arcs a->b only": lambda graphs, a, b: fraction(lambda g: g.has_arc(a, b), graphs),
    "arcs in either direction, no undirected edges": lambda graphs, a, b:
        fraction(lambda g: g.has_arc(a, b) or g.has_arc(b, a), graphs),
    "undirected edges only": lambda graphs, a, b: fraction(lambda g: (a, b) in g.edges or (b, a) in g.edges, graphs),
    "a->b or undirected, b->a forgotten": lambda graphs, a, b:
        fraction(lambda g: g.adjacent(a, b) and not g.has_arc(b, a), graphs),
    "the number, not the share": lambda graphs, a, b: sum(g.adjacent(a, b) for g in graphs),
    "divided by one less": lambda graphs, a, b: sum(g.adjacent(a, b) for g in graphs) / (len(graphs) - 1),
    "the skeleton's pairs in one order only": lambda graphs, a, b: fraction(lambda g: (a, b) in g.skeleton, graphs),
    "different graphs only": lambda graphs, a, b: fraction(lambda g: g.adjacent(a, b), list(dict.fromkeys(graphs))),
}
for mistake, program in SHARES.items():
    wrong("18.1", mistake)(program)


# -- 18.2: edge and direction ------------------------------------------------------------------------------------------
def confidences(change, dags, a, b, whole=None):
    graphs = [change(dag) for dag in dags]
    edge = fraction(lambda g: g.adjacent(a, b), graphs)
    arcs = fraction(lambda g: g.has_arc(a, b), graphs), fraction(lambda g: g.has_arc(b, a), graphs)
    return (edge, *arcs) if whole is None else whole(edge, *arcs)


DIRECTIONS = {
    "the arcs of the DAGs": lambda dags, a, b: confidences(lambda dag: dag, dags, a, b),
    "v-structures alone, without the orientation rules": lambda dags, a, b: confidences(bn.pattern, dags, a, b),
    "the directions exchanged": lambda dags, a, b: confidences(bn.cpdag, dags, a, b, lambda e, f, r: (e, r, f)),
    "shares among the graphs with the edge": lambda dags, a, b:
        confidences(bn.cpdag, dags, a, b, lambda e, f, r: (e, f / e, r / e)),
    "open directions shared out evenly": lambda dags, a, b:
        confidences(bn.cpdag, dags, a, b, lambda e, f, r: (e, f + (e - f - r) / 2, r + (e - f - r) / 2)),
    "the other direction is the rest": lambda dags, a, b:
        confidences(bn.cpdag, dags, a, b, lambda e, f, r: (e, f, e - f)),
    "the edge is the sum of the directions": lambda dags, a, b:
        confidences(bn.cpdag, dags, a, b, lambda e, f, r: (f + r, f, r)),
}
for mistake, program in DIRECTIONS.items():
    wrong("18.2", mistake)(program)


# -- 18.3: the bootstrap -----------------------------------------------------------------------------------------------
def counted(graphs, variables, of=None):
    of = of or (lambda g, a, b: g.adjacent(a, b))
    return {(a, b): sum(of(g, a, b) for g in graphs) / len(graphs) for a, b in combinations(variables, 2)}


def climbs(table, draws):
    return [bn.hill_climb(bn.MDL(table.take(np.array(numbers)))).graph for numbers in draws]


BOOTSTRAPS = {
    "the table in place of the resample": lambda table, draws:
        counted([bn.hill_climb(bn.MDL(table)).graph], table.variables),
    "every row once": lambda table, draws: counted(climbs(table, [sorted(set(one)) for one in draws]), table.variables),
    "the first resample only": lambda table, draws: counted(climbs(table, draws[:1]), table.variables),
    "the last resample only": lambda table, draws: counted(climbs(table, draws[-1:]), table.variables),
    "the last resample forgotten": lambda table, draws: counted(climbs(table, draws[:-1]), table.variables),
    "arcs in the order of the columns": lambda table, draws:
        counted(climbs(table, draws), table.variables, lambda g, a, b: g.has_arc(a, b)),
    "numbers in place of shares": lambda table, draws:
        {pair: one * len(draws) for pair, one in counted(climbs(table, draws), table.variables).items()},
    "divided by the number of rows": lambda table, draws:
        {pair: one * len(draws) / len(table) for pair, one in counted(climbs(table, draws), table.variables).items()},
    "pairs that are never adjacent left out": lambda table, draws:
        {pair: one for pair, one in counted(climbs(table, draws), table.variables).items() if one},
}
for mistake, program in BOOTSTRAPS.items():
    wrong("18.3", mistake)(program)


# -- 18.4: all resamples -----------------------------------------------------------------------------------------------
def among(draws, keep=lambda one: True, compare=lambda bits, least: bits > least):
    def program(table, a, b, least):
        some = [one for one in draws(range(len(table)), len(table)) if keep(one)]
        return sum(compare(bn.mutual_information(table.take(np.array(one)), a, b), least) for one in some) / len(some)
    return program


def tuples(rows, n):
    return list(product(rows, repeat=n))


RESAMPLES = {
    "multisets, each once": among(lambda rows, n: list(combinations_with_replacement(rows, n))),
    "without replacement": among(lambda rows, n: list(permutations(rows))),
    "resamples that repeat no row left out": among(tuples, lambda one: len(set(one)) < len(one)),
    "one row fewer": among(lambda rows, n: list(product(rows, repeat=n - 1))),
    "edges below the limit": among(tuples, compare=lambda bits, least: bits <= least),
    "N times the information": lambda table, a, b, least: among(tuples, compare=lambda bits, least:
                                                                len(table) * bits > least)(table, a, b, least),
    "information in nats": among(tuples, compare=lambda bits, least: bits * 0.6931471805599453 > least),
    "200 random resamples": lambda table, a, b, least: np.mean(
        [bn.mutual_information(table.take(numbers), a, b) > least
         for numbers in np.random.default_rng(0).integers(0, len(table), (200, len(table)))]),
    "the number of resamples": lambda table, a, b, least: among(tuples)(table, a, b, least) * len(table) ** len(table),
}
for mistake, program in RESAMPLES.items():
    wrong("18.4", mistake)(program)


# -- 18.5: the threshold -----------------------------------------------------------------------------------------------
def reached(shares, height):
    return next((one for one in sorted(shares) if np.mean([s <= one for s in shares]) >= height - 1e-9), 1.0)


def heights(shares):
    knots = sorted({0.0, 1.0, *shares})
    return [(np.mean([one <= low for one in shares]), high - low) for low, high in pairwise(knots)]


def mean_of_f(shares):
    return sum(height * length for height, length in heights(shares))


THRESHOLDS = {
    "always one half": lambda shares: 0.5,
    "the median of the shares": lambda shares: float(np.median(shares)),
    "the lower median of the shares": lambda shares: sorted(shares)[(len(shares) - 1) // 2],
    "the mean of the shares": lambda shares: float(np.mean(shares)),
    "the mean of F in place of its median": lambda shares: reached(shares, mean_of_f(shares)),
    "the median of the heights of F, whatever their lengths": lambda shares:
        reached(shares, sorted(height for height, _ in heights(shares))[len(heights(shares)) // 2]),
    "the longest piece of F": lambda shares: reached(shares, max(heights(shares), key=lambda one: one[1])[0]),
    "F at the middle": lambda shares: float(np.mean([one <= 0.5 for one in shares])),
    "the least share above one half": lambda shares: min((one for one in shares if one > 0.5), default=1.0),
    "the median of the different shares": lambda shares: float(np.median(list(set(shares)))),
}


def known_right(shares):
    total = 0.0
    for height, length in heights(shares):
        total += length
        if total >= 0.5:
            return reached(shares, height) if height else 0.0
    return 1.0


THRESHOLDS["no special case where F starts at 0"] = lambda shares: known_right(shares) or min(shares)
THRESHOLDS["the next share"] = lambda shares: min((one for one in shares if one > known_right(shares)), default=1.0)
for mistake, program in THRESHOLDS.items():
    wrong("18.5", mistake)(program)


# -- 18.6: the averaged graph ------------------------------------------------------------------------------------------
def reaches(arcs, start, goal, undirected=()):
    found, queue = {start}, [start]
    while queue:
        node = queue.pop()
        for a, b in [*arcs, *undirected, *((b, a) for a, b in undirected)]:
            if a == node and b not in found:
                found.add(b)
                queue.append(b)
    return goal in found


def average(order=lambda item: -item[1][0], above=lambda edge, least: edge > least,
            half=lambda most, edge: most > edge / 2, closes=reaches):
    def program(shares, least):
        arcs, edges = [], []
        for (a, b), (edge, forward, backward) in sorted(shares.items(), key=order):
            if above(edge, least):
                tail, head, most = (a, b, forward) if forward >= backward else (b, a, backward)
                if half(most, edge) and not closes(arcs, head, tail):
                    arcs.append((tail, head))
                    yield "arc", tail, head
                else:
                    edges.append((a, b))
                    yield "edge", a, b
    return program


AVERAGES = {
    "cycles are not looked for": average(closes=lambda arcs, start, goal: False),
    "only cycles of two and three arcs": average(closes=lambda arcs, start, goal: any(
        (start, m) in arcs and (m, goal) in arcs for m in {x for arc in arcs for x in arc})),
    "the threshold itself is enough": average(above=lambda edge, least: edge >= least),
    "half is enough for a direction": average(half=lambda most, edge: most >= edge / 2),
    "more than half of all resamples": average(half=lambda most, edge: most > 0.5),
    "the more frequent direction, always": average(half=lambda most, edge: most > 0),
    "never directed": average(half=lambda most, edge: False),
    "in the order of the dictionary": average(order=lambda item: 0),
    "the least sure first": average(order=lambda item: item[1][0]),
    "no threshold": average(above=lambda edge, least: edge > 0),
}
for mistake, program in AVERAGES.items():
    wrong("18.6", mistake)(program)


@wrong("18.6", "an arc that would close a cycle is left out")
def left_out(shares, least):
    arcs = []
    for kind, a, b in average(closes=lambda *_: False)(shares, least):
        if kind == "edge" or not reaches(arcs, b, a):
            arcs += [(a, b)] * (kind == "arc")
            yield kind, a, b


# -- 18.7: the posterior of an edge ------------------------------------------------------------------------------------
def weighted(weights, dags, there):
    return sum(w for w, dag in zip(weights, dags) if there(dag)) / sum(weights)


def softened(scores, base=None):
    return [(base or 2.718281828459045) ** (score - max(scores)) for score in scores]


POSTERIORS = {
    "exponentials of the scores themselves": lambda dags, scores, a, b:
        weighted([exp(score) for score in scores], dags, lambda dag: dag.adjacent(a, b)),
    "each DAG counts the same": lambda dags, scores, a, b: sum(dag.adjacent(a, b) for dag in dags) / len(dags),
    "the scores as weights": lambda dags, scores, a, b: weighted(scores, dags, lambda dag: dag.adjacent(a, b)),
    "the arc a->b": lambda dags, scores, a, b: weighted(softened(scores), dags, lambda dag: dag.has_arc(a, b)),
    "powers of two": lambda dags, scores, a, b: weighted(softened(scores, 2), dags, lambda dag: dag.adjacent(a, b)),
    "the best DAG only": lambda dags, scores, a, b: float(dags[int(np.argmax(scores))].adjacent(a, b)),
    "not divided by the sum": lambda dags, scores, a, b:
        sum(w for w, dag in zip(softened(scores), dags) if dag.adjacent(a, b)),
    "the lowest score is the best": lambda dags, scores, a, b:
        weighted(softened([-score for score in scores]), dags, lambda dag: dag.adjacent(a, b)),
    "odds in place of a probability": lambda dags, scores, a, b:
        weighted(softened(scores), dags, lambda dag: dag.adjacent(a, b))
        / (1 - weighted(softened(scores), dags, lambda dag: dag.adjacent(a, b))),
}
for mistake, program in POSTERIORS.items():
    wrong("18.7", mistake)(program)


# -- 18.8: an edge that does not last ----------------------------------------------------------------------------------
def of_cells(x, y, cells):
    rows = [divmod(i, 2) for i, times in enumerate(cells) for _ in range(times)]
    return {x: [row[0] for row in rows], y: [row[1] for row in rows]}


def bits(columns):
    xs, ys = columns.values()
    n, both, one, other = len(xs), Counter(zip(xs, ys)), Counter(xs), Counter(ys)
    return sum(k * log2(k * n / (one[i] * other[j])) for (i, j), k in both.items())


WEAK = {
    "always equal": lambda x, y, n: of_cells(x, y, (n // 2, 0, 0, n - n // 2)),
    "two coins": lambda x, y, n: of_cells(x, y, (n // 4, n // 4, n // 4, n - 3 * (n // 4))),
    "equal but for one row": lambda x, y, n: of_cells(x, y, (n // 2 - 1, 1, 0, n - n // 2)),
    "equal in nearly all rows": lambda x, y, n: of_cells(x, y, (n // 2 - 1, 1, 1, n - n // 2 - 1)),
    "the most information": lambda x, y, n: max((of_cells(x, y, (i, j, k, n - i - j - k)) for i, j, k in product(
        range(1, n // 2), repeat=3) if i + j + k < n), key=bits),
    "just below what an edge needs": lambda x, y, n: max(
        (one for i, j, k in product(range(1, n), repeat=3) if i + j + k < n
         for one in [of_cells(x, y, (i, j, k, n - i - j - k))] if bits(one) <= log2(n) / 2), key=bits),
    "a table of 12 rows, whatever n": lambda x, y, n: of_cells(x, y, (2, 3, 6, 1)),
}
for mistake, program in WEAK.items():
    wrong("18.8", mistake)(program)
