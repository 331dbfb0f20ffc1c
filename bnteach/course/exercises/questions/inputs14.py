"""Inputs of exercise 14: drawn freely, and adversarial ones, on which common mistakes show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import numpy as np

import bnteach as bn
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled, table, under_names
from bnteach.graphs.dag import DAG
from bnteach.independence.d_separation import DSeparation
from bnteach.models.categorical import CategoricalNetwork

THRESHOLDS = (2.71, 3.84, 5.02, 6.63)  # an association below one of these counts as independence, in 14.2
HARD = (802, 804, 1107, 1482)  # seeds of draw_target: tables on which all sets matter, their p-values, and the level
Given = dict[tuple[str, ...], float]


def subsets(items: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """All subsets, the empty one first."""
    items = list(items)
    return (part for size in range(len(items) + 1) for part in combinations(items, size))


# -- 14.1 and 14.2: statistics ----------------------------------------------------------------------------------
def draw_statistics(random: Random, chosen: list[str], low: float, high: float) -> Given:
    """A statistic for each subset of the chosen variables."""
    return {given: round(float(random.uniform(low, high)), 1) for given in subsets(chosen)}


def draw_weakest(random: Random) -> tuple[Given]:
    return (draw_statistics(random, names(random, int(random.integers(1, 4))), 0, 200),)


def weakest_by_size(random: Random) -> Iterator[tuple[Given]]:
    """The weakest association given none, one, two and all of three variables; 0; and strong ones only."""
    chosen = names(random, 3)
    for size, least in enumerate((20.5, 11.3, 0.0, 3.1)):
        low = next(given for given in subsets(shuffled(random, chosen)) if len(given) == size)
        yield (draw_statistics(random, chosen, 30, 300) | {tuple(sorted(low)): least},)
    yield (draw_statistics(random, chosen, 1100, 9000),)


def draw_candidates(random: Random) -> tuple[dict[str, Given], float]:
    """Three to five candidates; sometimes each of them is independent given some set."""
    nodes = shuffled(random, names(random, 2 + int(random.integers(3, 6))))
    strengths = {x: draw_statistics(random, nodes[:2], 5, 120) for x in nodes[2:]}
    for i, x in enumerate(strengths):
        if random.random() < 0.3 or nodes[0] < nodes[1] < nodes[2]:
            strengths[x][tuple(nodes[:1])] = round(0.3 + 0.7 * i, 1)
    weakest = [min(given.values()) for given in strengths.values()]
    least = float(random.choice(THRESHOLDS))
    return (strengths, least) if len(set(weakest)) == len(weakest) else draw_candidates(random)


def weak_given_one_set(random: Random) -> Iterator[tuple[dict[str, Given], float]]:
    """The strongest candidate is independent given one set only, first this and then that; in the end all are."""
    one, two, *candidates = shuffled(random, names(random, 5))
    for excluded in subsets((one, two)):
        strengths = {x: draw_statistics(random, [one, two], 10 * i, 10 * i + 9) for i, x in enumerate(candidates, start=1)}
        strengths[candidates[-1]][excluded] = round(float(random.uniform(3.9, 4.9)), 1)
        yield {x: strengths[x] for x in shuffled(random, candidates)}, THRESHOLDS[-1]
    yield {x: given | {(one,): 3.95 + i / 2} for i, (x, given) in enumerate(strengths.items())}, THRESHOLDS[-2]


# -- 14.3: the forward phase -----------------------------------------------------------------------------------
def draw_target(random: Random) -> tuple[bn.Table, str, float]:
    """Five variables, each mostly 1 if one of its parents is 1, and rarely otherwise."""
    graph = dag(random, 5, 0.5)
    tables = {}
    for node in graph.nodes:
        tables[node] = np.full((2,) * (len(graph.parents(node)) + 1), [0.15, 0.85])
        tables[node][(0,) * len(graph.parents(node))] = [0.85, 0.15] if graph.parents(node) else [0.5, 0.5]
    network = CategoricalNetwork(graph, dict.fromkeys(graph.nodes, (0, 1)), tables)
    t = bn.Table(network.sample(int(random.integers(150, 300)), seed=int(random.integers(10**6))))
    return t, str(random.choice(t.variables)), float(random.choice([0.01, 0.05, 0.1]))


def hard_targets(random: Random) -> Iterator[tuple[bn.Table, str, float]]:
    """Tables on which common mistakes show, under drawn names."""
    for seed in HARD:
        t, target, alpha = draw_target(np.random.default_rng(seed))
        new = dict(zip(shuffled(random, t.variables), names(random, len(t.variables))))
        yield bn.Table({new[x]: t.codes(x).tolist() for x in new}), new[target], alpha


# -- 14.4 and 14.5: backward phase, symmetry correction --------------------------------------------------------
def draw_chosen(random: Random) -> tuple[DSeparation, str, list[str]]:
    """All variables that are marginally dependent on the target, three at least."""
    while True:
        oracle = DSeparation(dag(random, 6, 0.4))
        target = str(random.choice(oracle.variables))
        chosen = shuffled(random, [x for x in oracle.variables if x != target and not oracle(x, target)])
        if len(chosen) > 2:
            return oracle, target, chosen


def hard_chosen(random: Random) -> Iterator[tuple[DSeparation, str, list[str]]]:
    """In the first graph only three variables together separate one, in the second the order matters."""
    for texts in (("a->c, a->e, d->a, d->c, e->c, t->b, t->d, t->e", "t", "ecabd"),
                  ("b->d, c->a, c->b, d->a, e->c, e->t, t->b", "t", "dceba")):
        graph, target, chosen = under_names(random, *texts)
        yield DSeparation(DAG(graph)), target, list(chosen)


def draw_choices(random: Random, density: float = 0.5) -> tuple[dict[str, list[str]]]:
    nodes = names(random, 6)
    return ({a: [b for b in nodes if b != a and random.random() < density] for a in nodes},)


# -- 14.6: restricted hill climbing ----------------------------------------------------------------------------
def draw_climb(random: Random) -> tuple[bn.BIC, list[tuple[str, str]]]:
    t = table(random, 4, rows=int(random.integers(40, 90)))
    pairs = [tuple(shuffled(random, pair)) for pair in combinations(t.variables, 2)]
    return bn.BIC(t), shuffled(random, pairs)[: int(random.integers(3, 6))]


def hard_climbs(random: Random) -> Iterator[tuple[bn.BIC, list[tuple[str, str]]]]:
    """A majority of three parents, all edges allowed; then copies of a coin with errors, along a cycle of edges."""
    for copies in (False, False, False, *[True] * 5):
        nodes, rows = shuffled(random, names(random, 4)), 200
        coins, errors = random.integers(2, size=(3, rows)), random.random((4, rows)) < 0.1
        columns = coins[0] ^ errors if copies else [*coins, (coins.sum(axis=0) > 1) ^ (errors[0] & errors[1])]
        edges = zip(nodes, [*nodes[1:], nodes[0]]) if copies else combinations(nodes, 2)
        yield bn.BIC(bn.Table(dict(zip(nodes, columns)))), list(edges)
