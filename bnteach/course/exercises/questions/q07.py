"""Exercise 7: mutual information and the maximum-weight spanning tree. Lesson 07_chow_liu."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import log2
from typing import Any

import bnteach as bn
from bnteach.course.comparing import close, show
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, names, shuffled, table, table_of, weights
from bnteach.course.exercises.questions.read import read_columns, read_weights
from bnteach.datasets import five_rows

TREES = ("learn", "networkx.algorithms.tree", "networkx.algorithms.operators", "scipy.sparse.csgraph",
         "scipy.cluster")
INFORMATION = ("information", "scores.categorical", "scores", "independence.chi_square", "scipy.stats._entropy",
               "scipy.stats._stats_py", "scipy.stats.contingency")


# -- 7.1 to 7.3: information ---------------------------------------------------------------------------------
def draw_cell(random: Random) -> tuple[int, int, int, int]:
    """The counts of one cell: n is at most both margins, and the margins are consistent with the number of rows."""
    rows = int(random.integers(8, 40))
    n_x, n_y = (int(random.integers(2, rows)) for _ in range(2))
    return int(random.integers(max(1, n_x + n_y - rows), min(n_x, n_y) + 1)), n_x, n_y, rows


def cell(n: int, n_x: int, n_y: int, rows: int) -> float:
    """P log2 R of one cell; 0 if it is empty."""
    return n / rows * log2(n * rows / (n_x * n_y)) if n else 0.0


def draw_pair(random: Random) -> tuple:
    t = table(random, 3, rows=int(random.integers(6, 11)), states=(2, 3, 2))
    x, y = random.choice(t.variables, size=2, replace=False).tolist()
    return t, x, y


def pair_traps(random: Random) -> list[tuple]:
    """Three states each, with an empty cell before, between and after others; and no empty cell."""
    one = table_of(random, [0, 0, 0, 1, 1, 1, 2, 2, 2, 2], [0, 0, 1, 1, 2, 2, 0, 0, 0, 2])
    two = table_of(random, [0, 0, 0, 1, 1, 1, 2, 2, 2, 2], [0, 1, 2, 0, 1, 2, 0, 1, 2, 2])
    return [(one, *one.variables), (one, *one.variables[::-1]), (two, *two.variables)]


def joint_entropy(t: bn.Table, x: str, given: str) -> float:
    """The result if n is divided by the number of all rows instead of those with the condition."""
    return bn.entropy(t, [x, given])


def sum_of_logs(t: bn.Table, x: str, y: str) -> float:
    """The result if the logarithms are not weighted by their probabilities."""
    counts, rows = t.counts(x, y), len(t)
    both = zip(counts, counts.sum(axis=1))
    return sum(log2(n * rows / (n_x * n_y)) for line, n_x in both for n, n_y in zip(line, counts.sum(axis=0)) if n)


# -- 7.4 and 7.5: trees --------------------------------------------------------------------------------------
def draw_weights(random: Random) -> tuple:
    return (turned(random, weights(random, 5, ties=random.random() < 0.4)),)


def turned(random: Random, drawn: dict) -> dict:
    """The same weights, some of the pairs the other way round, and in another order."""
    return {pair[::-1] if random.random() < 0.5 else pair: drawn[pair] for pair in shuffled(random, list(drawn))}


def draw_rooted(random: Random) -> tuple:
    (drawn,) = draw_weights(random)
    return drawn, str(random.choice(sorted({node for edge in drawn for node in edge})))


def rooted_traps(random: Random) -> Iterator[tuple[dict, str]]:
    """A triangle; two components joined late, and a cycle of four; a return to the root; weights of 0; equal weights."""
    for text, n, low, drop in (("ab bc ac", 4, 0.4, 0.05), ("ab cd bc ad ef", 6, 0.4, 0.02), ("ab bc cd ae", 5, 0.4, 0.02),
                               ("ab bc cd", 5, 0, 0), ("", 4, 0.4, 0)):
        letter = dict(zip("abcdef", shuffled(random, names(random, n))))
        heavy = [tuple(sorted(letter[end] for end in pair)) for pair in text.split()]
        light = [pair for pair in combinations(sorted(letter.values()), 2) if pair not in heavy]
        drawn = {pair: round(0.9 - 0.05 * i, 2) for i, pair in enumerate(heavy)}
        drawn |= {pair: round(low - drop * i, 2) for i, pair in enumerate(shuffled(random, light))}
        yield turned(random, drawn), letter["a"]


def weight_traps(random: Random) -> list[tuple[dict]]:
    return [(drawn,) for drawn, _ in rooted_traps(random)]


def heaviest(edges: dict[frozenset[str], float]) -> list[frozenset[str]]:
    """The edges of greatest weight; several if they tie."""
    return [edge for edge, weight in edges.items() if close(weight, max(edges.values()))]


def as_edge(step: Any) -> frozenset[str]:
    """The ends of an edge, if it is one."""
    ends = step if isinstance(step, tuple | list | set | frozenset) else ()
    return frozenset(end for end in ends if isinstance(end, str))


def kruskal_options(weights: dict, taken: list) -> Options:
    component = {node: node for edge in weights for node in edge}
    for a, b in map(tuple, taken):
        component = {node: component[a] if c == component[b] else c for node, c in component.items()}
    joining = {frozenset(edge): w for edge, w in weights.items() if component[edge[0]] != component[edge[1]]}
    if not joining:
        return Options([], "all nodes are connected, and one more edge would close a cycle")

    def why(step: Any) -> str:
        edge = as_edge(step)
        if edge in {frozenset(e) for e in weights} - set(joining):
            return "yours would close a cycle with the edges added before"
        return f"of the edges that close no cycle it is the heaviest ({max(joining.values()):.2f})"
    return Options(heaviest(joining), why)


def prim_options(weights: dict, root: str, taken: list) -> Options:
    inside = {root}.union(*taken)
    leaving = {frozenset(edge): w for edge, w in weights.items() if len(inside.intersection(edge)) == 1}
    tree = "{" + ", ".join(sorted(inside)) + "}"
    if not leaving:
        return Options([], f"the tree {tree} has all nodes")

    def why(step: Any) -> str:
        edge = as_edge(step)
        if not inside & edge:
            return f"yours does not touch the tree {tree}; Kruskal might add it, but Prim grows a single tree"
        if edge <= inside:
            return f"both ends of yours are in the tree {tree} already"
        return f"of the edges that leave {tree} it is the heaviest ({max(leaving.values()):.2f})"
    return Options(heaviest(leaving), why)


def prim(weights: dict, root: str) -> list[tuple[str, str]]:
    """The library's own run."""
    return list(bn.prim(weights, root).edges)


# -- 7.6 and 7.7: to build -----------------------------------------------------------------------------------
def examine_third(answer: Any, nodes: list[str]) -> str:
    """All weights differ, and the third heaviest edge is not in the maximum-weight spanning tree."""
    given, problem = read_weights(answer, nodes)
    if problem:
        return problem
    ranked = sorted(given, key=lambda edge: -given[edge])
    if any(close(given[a], given[b]) for a, b in pairwise(ranked)):
        return "two of your weights are equal; make them all different, so that there is only one maximum-weight spanning tree"
    tree = {frozenset(edge) for edge in bn.kruskal(given).edges}
    third = ranked[2]
    if third in {tuple(edge) for edge in ranked if frozenset(edge) in tree}:
        return (f"with your weights the maximum-weight spanning tree is {', '.join(sorted(show(e) for e in tree))}, and "
                f"the third heaviest edge, {third[0]}-{third[1]}, is in it: it closes no cycle with the two heavier ones")
    return ""


def triangle(nodes: list[str]) -> dict:
    """The three heaviest edges form a triangle."""
    pairs = sorted(combinations(nodes, 2), key=lambda pair: pair[1] not in nodes[:3])
    return {pair: (len(pairs) - i) / 10 for i, pair in enumerate(pairs)}


def examine_xor(answer: Any, nodes: list[str], rows: int) -> str:
    """Every pair is independent, and the first two variables determine the third."""
    columns, problem = read_columns(answer, nodes, rows)
    if problem:
        return problem
    t = bn.Table(columns)
    for pair, bits in bn.mutual_informations(t).items():
        if bits > 1e-9:
            return f"{pair[0]} and {pair[1]} have {bits:.4f} bits of mutual information; every pair should have 0"
    gain = bn.mutual_information(t, nodes[2], nodes[:2])
    return "" if gain > 0.9 else (f"{nodes[0]} and {nodes[1]} together have {gain:.4f} bits of information about "
                                  f"{nodes[2]}; it should be at least 0.9")


def xor(nodes: list[str], rows: int) -> dict[str, list[int]]:
    """Two coins, and whether they differ."""
    a, b = [i // 2 % 2 for i in range(rows)], [i % 2 for i in range(rows)]
    return dict(zip(nodes, (a, b, [x ^ y for x, y in zip(a, b)])))


QUESTIONS = (
    Question("7.1", "One cell of the mutual information", "cell", "one line", draw_cell, cell, points=1,
             first=((3, 4, 4, 5), (0, 1, 1, 5)), withheld=INFORMATION, mistakes={
                 "divide by both margins; this divides by one only, as for a conditional probability":
                     lambda n, n_x, n_y, rows: n / rows * log2(n / n_x),
                 "R is a ratio of probabilities: the counts of the margins must be divided by N too":
                     lambda n, n_x, n_y, rows: n / rows * log2(n / rows / (n_x * n_y)),
                 "R is a ratio of probabilities: each of the three counts must be divided by N":
                     lambda n, n_x, n_y, rows: n / rows * log2(n / (n_x * n_y)),
                 "this is n log R; P is the relative frequency n / N":
                     lambda n, n_x, n_y, rows: n * log2(n * rows / (n_x * n_y)),
                 "this is log R; it must still be multiplied by P":
                     lambda n, n_x, n_y, rows: log2(n * rows / (n_x * n_y)),
             }),
    Question("7.2", "Conditional entropy", "entropy", "three lines", draw_pair, bn.entropy, points=2,
             first=((five_rows(), "A", "D"), (five_rows(), "D", "B")), adversarial=pair_traps, withheld=INFORMATION, mistakes={
                 "this is the joint entropy; inside the logarithm, divide by the number of rows with the condition": joint_entropy,
                 "this is the entropy without the condition": lambda t, x, given: bn.entropy(t, x),
                 "the condition and the variable are swapped": lambda t, x, given: bn.entropy(t, given, x),
                 "weight the entropy in each column by the share of its rows; this is their sum": lambda t, x, given: sum(
                     bn.entropy(t.take(t.codes(given) == code), x) for code in range(len(t.states(given)))),
                 "weight the entropy in each column by the share of its rows; this is their mean": lambda t, x, given: sum(
                     bn.entropy(t.take(t.codes(given) == code), x) for code in range(len(t.states(given)))) / len(t.states(given)),
                 "divide by N rows, not by N - 1":
                     lambda t, x, given: bn.entropy(t, x, given) * len(t) / (len(t) - 1),
             }),
    Question("7.3", "Mutual information", "mutual_information", "function", draw_pair, bn.mutual_information, points=2,
             first=((five_rows(), "A", "B"),), adversarial=pair_traps, withheld=INFORMATION, mistakes={
                 "this is H(X | Y), the remaining uncertainty; the information is how much Y reduces the uncertainty": bn.entropy,
                 "this is the joint entropy": joint_entropy,
                 "this is N times the mutual information": lambda t, x, y: len(t) * bn.mutual_information(t, x, y),
                 "this is a sum of log R; each must be multiplied by its P": sum_of_logs,
             }),
    Question("7.4", "Kruskal, line by line", "kruskal", "lines in order",
             draw_weights, lambda w: list(bn.kruskal(w).edges), points=2,
             adversarial=weight_traps, options=kruskal_options, withheld=TREES),
    Question("7.5", "Prim, step by step", "prim", "steps",
             draw_rooted, prim, points=3, adversarial=rooted_traps, options=prim_options, withheld=TREES),
    Question("7.6", "The third heaviest edge", "third_edge_out", "build", lambda random: (names(random, 4),), triangle,
             points=2, examine=examine_third),
    Question("7.7", "What no tree can represent", "blind_spot", "build",
             lambda random: (names(random, 3), 4 * int(random.integers(1, 6))), xor, points=3, draws=2,
             adversarial=lambda random: [(names(random, 3), n) for n in (4, 12, 20)], examine=examine_xor),
)
