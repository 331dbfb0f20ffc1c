"""Exercise 18: shares of edges and directions, all resamples, a threshold, an averaged graph, a posterior. 18_how_sure_are_we."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb, log2, prod
from typing import Any

import numpy as np

import bnteach as bn
from bnteach.course.exercises.questions.base import Question
from bnteach.course.exercises.questions.inputs import Random, names
from bnteach.course.exercises.questions.inputs18 import (
    average_options,
    averaged,
    bootstrap,
    by_multisets,
    compelled_or_not,
    confidence,
    cycles_and_halves,
    draw_averages,
    draw_dags,
    draw_draws,
    draw_graphs,
    draw_posterior,
    draw_shares,
    draw_small,
    exact_share,
    many_rows,
    middle,
    only_directed,
    posterior,
    share,
    telling_shares,
    threshold,
)
from bnteach.course.exercises.questions.read import read_columns
from bnteach.graphs.dag import DAG

BOOTSTRAP = ("learn.bootstrap",)
LASTING = 0.65  # the greatest share of an edge that does not last


# -- 18.8: an edge that does not last ------------------------------------------------------------------------------
Cells = tuple[int, int, int, int]  # the counts of (0, 0), (0, 1), (1, 0) and (1, 1)


def information(cells: Cells) -> float:
    """N times the mutual information, in bits."""
    n, rows, columns = sum(cells), (cells[0] + cells[1], cells[2] + cells[3]), (cells[0] + cells[2], cells[1] + cells[3])
    return sum(k * log2(k * n / (rows[i // 2] * columns[i % 2])) for i, k in enumerate(cells) if k)


def has_edge(cells: Cells) -> bool:
    return information(cells) > log2(sum(cells)) / 2


def lasts(cells: Cells) -> float:
    """The share of all resamples of a 2 x 2 table that have the edge."""
    n = sum(cells)
    total = 0
    for drawn in product(*(range(n + 1 if k else 1) for k in cells[:3])):
        last = n - sum(drawn)
        if last >= 0 and (last == 0 or cells[3]) and has_edge((*drawn, last)):
            ways = comb(n, drawn[0]) * comb(n - drawn[0], drawn[1]) * comb(n - drawn[0] - drawn[1], drawn[2])
            total += ways * prod(k**d for k, d in zip(cells, (*drawn, last)))
    return total / n**n


def weak_edge(x: str, y: str, n: int) -> dict[str, list[int]]:
    """The table of n rows whose information is least above what an edge needs."""
    tables = [(i, j, k, n - i - j - k) for i, j, k in product(range(1, n), repeat=3) if i + j + k < n]
    cells = min((one for one in tables if has_edge(one)), key=information)
    rows = [divmod(i, 2) for i, times in enumerate(cells) for _ in range(times)]
    return {x: [row[0] for row in rows], y: [row[1] for row in rows]}


def draw_names(random: Random) -> tuple[str, str, int]:
    return (*names(random, 2), int(random.integers(11, 21)))


def examine_weak(answer: Any, x: str, y: str, n: int) -> str:
    columns, problem = read_columns(answer, [x, y], n, states=2)
    if problem:
        return problem
    states = [sorted(set(columns[name])) for name in (x, y)]
    cells = Counter((states[0].index(i), states[1].index(j)) for i, j in zip(columns[x], columns[y]))
    counts = (cells[0, 0], cells[0, 1], cells[1, 0], cells[1, 1])
    needed, there = log2(n) / 2, information(counts)
    if not has_edge(counts):
        return f"the table itself has no edge: N times MI is {there:.3f}, and more than {needed:.3f} is needed"
    if (found := lasts(counts)) > LASTING:
        return (f"the edge is found in {found:.3f} of all resamples, and at most {LASTING} is asked for; N times MI is "
                f"{there:.3f}, and {needed:.3f} would be just enough")
    return ""


FIVE = bn.datasets.five_rows()
CHAINS = [DAG("A->B, B->C"), DAG("C->B, B->A"), DAG("A->B, C->B"), DAG("A->C, B")]
QUESTIONS = (
    Question("18.1", "The share of an edge", "share", "one line", draw_graphs, share, withheld=BOOTSTRAP,
             first=(([bn.cpdag(one) for one in CHAINS], "A", "B"),), adversarial=only_directed, mistakes={
                 "this counts the arcs a->b alone; a and b are also adjacent by b->a or by an undirected edge":
                     lambda graphs, a, b: sum(g.has_arc(a, b) for g in graphs) / len(graphs),
                 "this is the number of graphs; divide by how many there are": lambda graphs, a, b:
                     sum(g.adjacent(a, b) for g in graphs),
                 "this counts undirected edges alone": lambda graphs, a, b:
                     sum(g.adjacent(a, b) and not g.has_arc(a, b) and not g.has_arc(b, a) for g in graphs) / len(graphs),
             }),
    Question("18.2", "Edge and direction", "confidence", "three lines", draw_dags, confidence, points=2, withheld=BOOTSTRAP,
             first=((CHAINS, "A", "B"),), adversarial=compelled_or_not, mistakes={
                 "these are the arcs of the DAGs; take the CPDAG of each": lambda dags, a, b: (
                     share(dags, a, b), *(sum(g.has_arc(*arc) for g in dags) / len(dags) for arc in ((a, b), (b, a)))),
                 "the directions are in the other order: first a->b": lambda dags, a, b: (
                     confidence(dags, a, b)[0], *confidence(dags, a, b)[:0:-1]),
                 "these are shares of the graphs that have the edge; divide by the number of all graphs": lambda dags, a, b:
                     (confidence(dags, a, b)[0], *(one / confidence(dags, a, b)[0] for one in confidence(dags, a, b)[1:])),
             }),
    Question("18.3", "The bootstrap, line by line", "bootstrap", "lines in order", draw_draws, bootstrap, points=2,
             withheld=BOOTSTRAP, draws=4, first=((FIVE, [[0, 1, 2, 3, 4], [0, 2, 2, 3, 4], [0, 0, 1, 4, 4]]),), mistakes={
                 "here the graph is learned from the table each time; learn it from the resample": lambda t, draws:
                     bootstrap(t, [list(range(len(t)))]),
                 "this is the last resample alone": lambda t, draws: bootstrap(t, draws[-1:]),
                 "this is the first resample alone; the return belongs after the loop": lambda t, draws:
                     bootstrap(t, draws[:1]),
                 "these are numbers of resamples; divide by how many there are": lambda t, draws:
                     {pair: one * len(draws) for pair, one in bootstrap(t, draws).items()},
             }),
    Question("18.4", "All resamples", "exact_share", "function", draw_small, exact_share, points=3, withheld=BOOTSTRAP, draws=5,
             first=((FIVE.take(np.arange(4)), "A", "C", 0.2),), mistakes={
                 "every multiset of rows counts once here; count each order in which it can be drawn": by_multisets,
                 "these are permutations of the rows; draw with replacement": lambda t, a, b, least:
                     float(bn.mutual_information(t, a, b) > least),
             }),
    Question("18.5", "The threshold", "threshold", "function", draw_shares, threshold, points=3, withheld=BOOTSTRAP,
             first=(([0.0, 0.0, 0.1, 0.9, 1.0],), ([0.0, 0.0, 1.0],)), adversarial=telling_shares, mistakes={
                 "this is the median of the shares; the median of F along the interval from 0 to 1 is asked for": middle,
                 "this is the fraction of pairs below the threshold; the share at which F reaches it is asked for":
                     lambda shares: float(sum(one <= threshold(shares) for one in shares) / len(shares)),
                 "this is the next share; the least one at which F reaches the median is asked for": lambda shares:
                     min((one for one in shares if one > threshold(shares)), default=1.0),
             }),
    Question("18.6", "The averaged graph", "averaged", "steps", draw_averages, averaged, points=3, options=average_options,
             withheld=BOOTSTRAP, adversarial=cycles_and_halves,
             first=(({("A", "B"): (0.9, 0.8, 0.0), ("B", "C"): (0.7, 0.1, 0.3), ("A", "C"): (0.2, 0.2, 0.0)}, 0.3),)),
    Question("18.7", "The posterior of an edge", "posterior", "function", draw_posterior, posterior, points=2,
             withheld=("learn.posterior",), first=(([DAG("A->B, C"), DAG("B->A, C"), DAG("A, B, C")], [-3.0, -3.0, -2.0], "A", "B"),),
             adversarial=many_rows, mistakes={
                 "this is the share of the DAGs; weight each of them by its score": lambda dags, scores, a, b:
                     share(dags, a, b),
                 "this is the posterior of the arc a->b; b->a makes the two adjacent as well": lambda dags, scores, a, b:
                     posterior([one if one.has_arc(a, b) else DAG((), one.nodes) for one in dags], scores, a, b),
                 "these weights are the scores; the weight of a DAG is the exponential of its score":
                     lambda dags, scores, a, b: sum(s for one, s in zip(dags, scores) if one.adjacent(a, b)) / sum(scores),
                 "this looks at the best DAG alone": lambda dags, scores, a, b:
                     float(dags[scores.index(max(scores))].adjacent(a, b)),
             }),
    Question("18.8", "An edge that does not last", "weak_edge", "build", draw_names, weak_edge, points=3, examine=examine_weak,
             first=(("A", "C", 12),), draws=4),
)
