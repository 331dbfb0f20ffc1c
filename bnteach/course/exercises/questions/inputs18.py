"""Exercise 18, questions 18.1 to 18.7: what is right, and how inputs are drawn."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, combinations_with_replacement, pairwise
from math import exp, factorial, fsum, prod

import numpy as np

import bnteach as bn
from bnteach.course.comparing import show
from bnteach.course.exercises.questions.base import Options
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled, table, under_names
from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG
from bnteach.graphs.reachability import leads_to

Shares = dict[tuple[str, str], tuple[float, float, float]]  # of a pair: adjacent, a -> b, b -> a
COMPELLED = "a->c, b->c, c->d"  # c->d is compelled, though in no v-structure


# -- 18.1 and 18.2: shares of edges and of directions --------------------------------------------------------------
def share(graphs: list[PDAG], a: str, b: str) -> float:
    return sum(graph.adjacent(a, b) for graph in graphs) / len(graphs)


def confidence(dags: list[DAG], a: str, b: str) -> tuple[float, float, float]:
    """The shares of the edge and of both directions, counted on CPDAGs."""
    graphs = [bn.cpdag(one) for one in dags]
    return share(graphs, a, b), *(sum(g.has_arc(*arc) for g in graphs) / len(graphs) for arc in ((a, b), (b, a)))


def draw_dags(random: Random) -> tuple[list[DAG], str, str]:
    """Some DAGs on four nodes; the pair is adjacent in some of them, in both directions, compelled or not."""
    nodes = names(random, 4)
    while True:
        dags = [dag(random, nodes, arcs=int(random.integers(2, 5))) for _ in range(int(random.integers(6, 12)))]
        a, b = shuffled(random, nodes)[:2]
        edge, forward, backward = confidence(dags, a, b)
        if 0 < forward < edge < 1 and 0 < backward != forward and edge > forward + backward:
            return dags, a, b


def draw_graphs(random: Random) -> tuple[list[PDAG], str, str]:
    dags, a, b = draw_dags(random)
    return [bn.cpdag(one) for one in dags], a, b


def compelled_or_not(random: Random) -> list[tuple]:
    """An arc that is compelled without a v-structure of its own; an arc of the DAG that its class leaves open."""
    texts = under_names(random, COMPELLED, "a->b, b->c, d", "a->b, c->b, d", "c", "d", "b")
    compelled, chain, collider, c, d, b = texts
    return [([DAG(compelled), DAG(chain), DAG(collider)], c, d), ([DAG(chain)] * 3 + [DAG(compelled)], b, c)]


def only_directed(random: Random) -> list[tuple]:
    """The pair is adjacent by an arc in one graph and by an undirected edge in others."""
    first, second, third, a, b = under_names(random, "a-b, c, d", "a->c, b->c, a-d", "b->a, c->a, d", "a", "b")
    graphs = [PDAG(first), PDAG(second), PDAG(third), PDAG(first), PDAG(second)]
    return [(graphs, a, b), (graphs, b, a)]


# -- 18.3: the bootstrap -------------------------------------------------------------------------------------------
def bootstrap(t: bn.Table, draws: list[list[int]]) -> dict[tuple[str, str], float]:
    graphs = [bn.hill_climb(bn.MDL(t.take(np.array(numbers)))).graph for numbers in draws]
    return {pair: sum(g.adjacent(*pair) for g in graphs) / len(graphs) for pair in combinations(t.variables, 2)}


def draw_draws(random: Random) -> tuple[bn.Table, list[list[int]]]:
    """A table and resamples of it, in which some pair has another share than 0 and 1."""
    while True:
        t = table(random, 3, rows=int(random.integers(12, 25)))
        draws = random.integers(0, len(t), (int(random.integers(5, 9)), len(t))).tolist()
        found = bootstrap(t, draws).values()
        whole = bn.hill_climb(bn.MDL(t)).graph
        if len(set(found)) > 1 and any(0 < one < 1 for one in found) and whole.arcs:
            return t, draws


# -- 18.4: all resamples -------------------------------------------------------------------------------------------
def exact_share(t: bn.Table, a: str, b: str, least: float) -> float:
    """Multisets of rows, each weighted by the number of ways to draw it."""
    total, n = 0, len(t)
    for numbers in combinations_with_replacement(range(n), n):
        if bn.mutual_information(t.take(np.array(numbers)), a, b) > least:
            total += factorial(n) // prod(map(factorial, Counter(numbers).values()))
    return total / n**n


def draw_small(random: Random) -> tuple[bn.Table, str, str, float]:
    """Four rows, different enough that the share is not 0 or 1, and equal enough that multisets are not alike."""
    while True:
        t = table(random, 3, rows=4)
        a, b = shuffled(random, t.variables)[:2]
        least = (0.25, 0.6, 0.7)[int(random.integers(3))]
        if 0.1 < exact_share(t, a, b, least) < 0.9:
            return t, a, b, least


def by_multisets(t: bn.Table, a: str, b: str, least: float) -> float:
    sets = list(combinations_with_replacement(range(len(t)), len(t)))
    return sum(bn.mutual_information(t.take(np.array(one)), a, b) > least for one in sets) / len(sets)


# -- 18.5: the threshold -------------------------------------------------------------------------------------------
def levels(shares: list[float]) -> list[tuple[float, float]]:
    """F between 0 and 1: its heights, and on what length it has each of them."""
    knots = sorted({0.0, 1.0, *shares})
    return [(sum(one <= low for one in shares) / len(shares), high - low) for low, high in pairwise(knots)]


def threshold(shares: list[float]) -> float:
    """The median of F, and the least share at which F reaches it."""
    length = 0.0
    for height, piece in levels(shares):  # F rises, so the heights are in order
        length += piece
        if length >= 0.5:
            return min((one for one in sorted(shares) if sum(s <= one for s in shares) / len(shares) >= height - 1e-9),
                       default=0.0) if height else 0.0
    return 1.0


def unclear(shares: list[float]) -> bool:
    """Is exactly half of the interval reached at the end of a piece? Then any height up to the next is as close."""
    return any(abs(total - 0.5) < 1e-6 for total in np.cumsum([piece for _, piece in levels(shares)]))


def draw_shares(random: Random) -> tuple[list[float]]:
    """Shares of 20 resamples: many of 0 and 1, and some between them."""
    while True:
        n = int(random.integers(6, 16))
        found = np.round(random.beta(0.3, 0.3, n) * 20).astype(int) / 20
        if len(set(found.tolist())) > 3 and not unclear(shares := found.tolist()):
            return (shares,)


def telling_shares(random: Random) -> list[tuple[list[float]]]:
    """Most shares are low, most are high, one piece decides; never 0.5, nor the median or the mean of the shares."""
    low, high, step = 0.05 * random.integers(1, 4), 0.05 * random.integers(16, 19), 0.05
    found = [[0.0] * 9 + [low, low, 1.0], [high, high, 1.0, 1.0, 1.0, low], [0.0, low, low + step, high, high, 1.0],
             [high, high + step, 1.0]]
    return [(shuffled(random, [round(float(x), 2) for x in one]),) for one in found]


def middle(shares: list[float]) -> float:
    return float(np.median(shares))


# -- 18.6: the averaged graph --------------------------------------------------------------------------------------
def averaged(shares: Shares, least: float) -> list[tuple[str, str, str]]:
    """The steps of a right run."""
    taken: list[tuple[str, str, str]] = []
    while steps := average_options(shares, least, taken).steps:
        taken.append(steps[0])
    return taken


def average_options(shares: Shares, least: float, taken: list) -> Options:
    graph = PDAG(nodes=sorted({node for pair in shares for node in pair}))
    for kind, a, b in taken:
        graph = graph.with_edge(a, b) if kind == "edge" else graph.with_edge(a, b).with_arc(a, b)
    left = {pair: one for pair, one in shares.items() if one[0] > least and not graph.adjacent(*pair)}
    if not left:
        return Options([], f"no other share is above {least:g}")
    (a, b), (edge, forward, backward) = max(left.items(), key=lambda item: item[1][0])
    tail, head, most = (a, b, forward) if forward >= backward else (b, a, backward)
    if most <= edge / 2:
        return Options([("edge", a, b), ("edge", b, a)], f"{a}-{b} is the surest that is left, {edge:g}, and neither "
                       f"direction, {forward:g} and {backward:g}, has more than half of that")
    if leads_to(graph, head, tail):
        return Options([("edge", a, b), ("edge", b, a)], f"{tail}->{head} would close a directed cycle in {show(graph)}")
    return Options([("arc", tail, head)], f"{a}-{b} is the surest that is left, {edge:g}, and {tail}->{head} has {most:g} "
                   f"of that, more than half")


def draw_averages(random: Random) -> tuple[Shares, float]:
    """Shares of all pairs of four nodes, in 40 resamples; no two edges have the same."""
    pairs = list(combinations(names(random, 4), 2))
    shares = {}
    for pair, edge in zip(pairs, random.choice(np.arange(2, 41), len(pairs), replace=False).tolist()):
        forward = int(random.integers(edge + 1)) if random.random() < 0.7 else edge
        backward = int(random.integers(edge - forward + 1))
        shares[pair] = (edge / 40, *((forward / 40, backward / 40)[::int(random.choice([1, -1]))]))
    return shares, float(random.choice([0.2, 0.3, 0.45]))


def cycles_and_halves(random: Random) -> list[tuple]:
    """A directed cycle of three and one of four arcs; a direction with exactly half; an edge at the threshold."""
    a, b, c, d = names(random, 4)
    three = {(a, b): (1.0, 0.9, 0.0), (b, c): (0.9, 0.8, 0.1), (a, c): (0.8, 0.1, 0.7), (c, d): (0.4, 0.4, 0.0),
             (a, d): (0.6, 0.3, 0.2), (b, d): (0.5, 0.1, 0.3)}
    four = {(a, b): (0.95, 0.95, 0.0), (b, c): (0.9, 0.9, 0.0), (c, d): (0.85, 0.85, 0.0), (a, d): (0.8, 0.0, 0.8),
            (a, c): (0.3, 0.3, 0.0), (b, d): (0.2, 0.1, 0.1)}
    return [(dict(shuffled(random, list(three.items()))), 0.4), (dict(shuffled(random, list(four.items()))), 0.3)]


# -- 18.7: a posterior ---------------------------------------------------------------------------------------------
def posterior(dags: list[DAG], scores: list[float], a: str, b: str) -> float:
    weights = [exp(score - max(scores)) for score in scores]
    return fsum(w for one, w in zip(dags, weights) if one.adjacent(a, b)) / fsum(weights)


def draw_posterior(random: Random, level: float = -20.0) -> tuple[list[DAG], list[float], str, str]:
    """Some DAGs with their scores; the best one does not decide."""
    nodes = names(random, 4)
    while True:
        dags = list(dict.fromkeys(dag(random, nodes, arcs=int(random.integers(1, 5))) for _ in range(7)))
        scores = [round(float(one), 3) for one in level + random.uniform(-3, 0, len(dags))]
        a, b = shuffled(random, nodes)[:2]
        if 0.15 < posterior(dags, scores, a, b) < 0.85 and len({one.has_arc(a, b) for one in dags}) == 2 \
                and any(one.has_arc(b, a) for one in dags):
            return dags, scores, a, b


def many_rows(random: Random) -> list[tuple]:
    """Scores of many rows, whose exponentials are all 0, and positive ones, whose exponentials are infinite."""
    return [draw_posterior(random, -5000.0), draw_posterior(random, 2000.0)]
