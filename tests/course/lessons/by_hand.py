"""The five rows, counted by hand: fractions and logarithms, and nothing of the library."""

import itertools
import math
from fractions import Fraction

import networkx as nx

ROWS = [dict(zip("ABCD", row)) for row in [(1, 1, 0, 1), (1, 1, 0, 0), (1, 0, 1, 1), (0, 1, 1, 0), (1, 1, 0, 0)]]
N = len(ROWS)


def share(**states):
    return Fraction(sum(all(row[v] == s for v, s in states.items()) for row in ROWS), N)


def given(child, parents, row):
    """P(child | parents) as in the row, by counting."""
    return share(**{v: row[v] for v in (child, *parents)}) / share(**{v: row[v] for v in parents})


def row_probability(parents, row):
    return math.prod(given(x, parents.get(x, ""), row) for x in "ABCD")


def likelihood(parents):
    """In bits, row by row."""
    return sum(math.log2(row_probability(parents, row)) for row in ROWS)


def size(parents):
    return sum(2 ** len(parents.get(x, "")) for x in "ABCD")


def entropy(child, parents=""):
    return -sum(math.log2(given(child, parents, row)) for row in ROWS) / N


def information(x, y):
    cells = [(share(**{x: i, y: j}), share(**{x: i}) * share(**{y: j})) for i in (0, 1) for j in (0, 1)]
    return sum(float(p) * math.log2(p / q) for p, q in cells if p)


def mdl(parents):
    return likelihood(parents) - math.log2(N) / 2 * size(parents)


G = {"B": "A", "C": "A", "D": "B"}
GSTAR = {"B": "A", "C": "A", "D": "A"}
TREE = {"A": "C", "C": "B", "D": "B"}
DAG = {"A": "CD", "C": "B", "D": "B"}
COMPLETE = {"D": "B", "C": "BD", "A": "BCD"}
PAIRS = list(itertools.combinations("ABCD", 2))
MI = {a + b: information(a, b) for a, b in PAIRS}
TREES = [[("ABCD"[a], "ABCD"[b]) for a, b in nx.from_prufer_sequence(list(code)).edges]
         for code in itertools.product(range(4), repeat=2)]


def weight(edges, weights=MI):
    return sum(weights["".join(sorted(edge))] for edge in edges)


def text(edges):
    return ", ".join(sorted("-".join(sorted(edge)) for edge in edges))


def all_dags():
    for lines in itertools.product(("", "->", "<-"), repeat=6):
        arcs = [(a, b) if line == "->" else (b, a) for (a, b), line in zip(PAIRS, lines) if line]
        if nx.is_directed_acyclic_graph(nx.DiGraph(arcs)):
            yield {x: "".join(a for a, b in arcs if b == x) for x in "ABCD"}
