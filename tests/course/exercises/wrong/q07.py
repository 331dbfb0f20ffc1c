"""Wrong programs for exercise 7."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from math import log, log2

import numpy as np

from tests.course.exercises.wrong import wrong

# -- 7.1 -------------------------------------------------------------------------------------------------------------
wrong("7.1", "one margin alone")(lambda n, n_x, n_y, N: n / N * log2(n / n_x) if n else 0.0)
wrong("7.1", "margins not divided by N")(lambda n, n_x, n_y, N: n / N * log2(n / N / (n_x * n_y)) if n else 0.0)
wrong("7.1", "N nowhere inside the logarithm")(lambda n, n_x, n_y, N: n / N * log2(n / (n_x * n_y)) if n else 0.0)
wrong("7.1", "one N too many")(lambda n, n_x, n_y, N: n / N * log2(n * N * N / (n_x * n_y)) if n else 0.0)
wrong("7.1", "the logarithm alone")(lambda n, n_x, n_y, N: log2(n * N / (n_x * n_y)) if n else 0.0)
wrong("7.1", "nats")(lambda n, n_x, n_y, N: n / N * log(n * N / (n_x * n_y)) if n else 0.0)
wrong("7.1", "the ratio upside down")(lambda n, n_x, n_y, N: n / N * log2(n_x * n_y / (n * N)) if n else 0.0)
wrong("7.1", "never negative")(lambda n, n_x, n_y, N: max(0.0, n / N * log2(n * N / (n_x * n_y))) if n else 0.0)
wrong("7.1", "the sum of the margins")(lambda n, n_x, n_y, N: n / N * log2(n * N / (n_x + n_y)) if n else 0.0)
wrong("7.1", "an empty cell is an error")(lambda n, n_x, n_y, N: n / N * log2(n * N / (n_x * n_y)))
wrong("7.1", "expected counts rounded")(
    lambda n, n_x, n_y, N: n / N * log2(n / max(1, round(n_x * n_y / N))) if n else 0.0)
wrong("7.1", "the count in place of P")(lambda n, n_x, n_y, N: n * log2(n * N / (n_x * n_y)) if n else 0.0)
wrong("7.1", "one margin twice")(lambda n, n_x, n_y, N: n / N * log2(n * N / (n_x * n_x)) if n else 0.0)


# -- 7.2 and 7.3 -----------------------------------------------------------------------------------------------------
def h(counts):
    """The entropy of counts: right."""
    shares = np.ravel(counts) / np.sum(counts)
    return float(-sum(p * log2(p) for p in shares if p))


def columns(t, x, z):
    return list(t.counts(x, given=z).T)


def first_cells(column):
    """The cells before the first empty one."""
    return column[: list(column).index(0)] if 0 in column else column


wrong("7.2", "the joint entropy")(lambda t, x, z: h(t.counts(x, z)))
wrong("7.2", "without the condition")(lambda t, x, z: h(t.counts(x)))
wrong("7.2", "condition and variable exchanged")(lambda t, x, z: h(t.counts(x, z)) - h(t.counts(x)))
wrong("7.2", "nats")(lambda t, x, z: (h(t.counts(x, z)) - h(t.counts(z))) * log(2))
wrong("7.2", "the other sign")(lambda t, x, z: h(t.counts(z)) - h(t.counts(x, z)))
wrong("7.2", "the columns' entropies added")(lambda t, x, z: sum(map(h, columns(t, x, z))))
wrong("7.2", "the columns' entropies averaged without weights")(
    lambda t, x, z: sum(map(h, columns(t, x, z))) / len(columns(t, x, z)))
wrong("7.2", "the difference of the two entropies")(lambda t, x, z: h(t.counts(x)) - h(t.counts(z)))
wrong("7.2", "ends at the first empty cell of a column")(lambda t, x, z: -sum(
    n / len(t) * log2(n / column.sum()) for column in columns(t, x, z) for n in first_cells(column)))
wrong("7.2", "a column with an empty cell is left out")(lambda t, x, z: -sum(
    n / len(t) * log2(n / column.sum()) for column in columns(t, x, z) if all(column) for n in column))
wrong("7.2", "an empty cell is an error")(lambda t, x, z: -sum(
    n / len(t) * log2(n / column.sum()) for column in columns(t, x, z) for n in column))
wrong("7.2", "the first two states alone")(lambda t, x, z: -sum(
    n / len(t) * log2(n / column.sum()) for column in columns(t, x, z) for n in column[:2] if n))
wrong("7.2", "N - 1 rows")(lambda t, x, z: (h(t.counts(x, z)) - h(t.counts(z))) * len(t) / (len(t) - 1))


def cells(t, x, y):
    """P and R of each cell that is not empty."""
    counts = t.counts(x, y)
    return [(n / len(t), n * len(t) / (counts[i].sum() * counts[:, j].sum()), i, j)
            for (i, j), n in zip(product(*map(range, counts.shape)), counts.flat) if n]


wrong("7.3", "nats")(lambda t, x, y: sum(p * log(r) for p, r, *_ in cells(t, x, y)))
wrong("7.3", "the conditional entropy")(lambda t, x, y: h(t.counts(x, y)) - h(t.counts(y)))
wrong("7.3", "the joint entropy")(lambda t, x, y: h(t.counts(x, y)))
wrong("7.3", "the other sign")(lambda t, x, y: h(t.counts(x, y)) - h(t.counts(x)) - h(t.counts(y)))
wrong("7.3", "the entropy of y less that of x given y")(lambda t, x, y: 2 * h(t.counts(y)) - h(t.counts(x, y)))
wrong("7.3", "cells with R above 1 alone")(lambda t, x, y: sum(p * log2(r) for p, r, *_ in cells(t, x, y) if r > 1))
wrong("7.3", "the terms without their signs")(lambda t, x, y: sum(abs(p * log2(r)) for p, r, *_ in cells(t, x, y)))
wrong("7.3", "the first two states alone")(
    lambda t, x, y: sum(p * log2(r) for p, r, i, j in cells(t, x, y) if i < 2 and j < 2))
wrong("7.3", "the diagonal alone")(lambda t, x, y: sum(p * log2(r) for p, r, i, j in cells(t, x, y) if i == j))
wrong("7.3", "without the factor P")(lambda t, x, y: sum(log2(r) for _, r, *_ in cells(t, x, y)))
wrong("7.3", "N times too large")(lambda t, x, y: len(t) * sum(p * log2(r) for p, r, *_ in cells(t, x, y)))
wrong("7.3", "0 where a cell is empty")(
    lambda t, x, y: sum(p * log2(r) for p, r, *_ in cells(t, x, y)) if t.counts(x, y).all() else 0.0)
wrong("7.3", "an empty cell is an error")(
    lambda t, x, y: h(t.counts(x)) + h(t.counts(y)) + sum(n / len(t) * log2(n / len(t)) for n in t.counts(x, y).flat))


# -- 7.4 -------------------------------------------------------------------------------------------------------------
def nodes_of(weights):
    return sorted({node for edge in weights for node in edge})


def sorted_edges(weights):
    return sorted(weights, key=weights.get, reverse=True)


def accepted(weights, edges, relabel=lambda component, u, v: [n for n in component if component[n] == component[v]]):
    """Kruskal on edges in some order, where `relabel` chooses the nodes that get u's component."""
    component, tree = {node: node for node in nodes_of(weights)}, []
    for u, v in edges:
        if component[u] != component[v]:
            tree.append((u, v))
            component |= dict.fromkeys(relabel(component, u, v), component[u])
    return tree


wrong("7.4", "the lightest edge first")(lambda w: accepted(w, sorted_edges(w)[::-1]))
wrong("7.4", "cycles are not looked for")(lambda w: sorted_edges(w)[: len(nodes_of(w)) - 1])
wrong("7.4", "edges in alphabetical order")(lambda w: accepted(w, sorted(w)))
wrong("7.4", "edges as they are given")(lambda w: accepted(w, w))
wrong("7.4", "one edge too few")(lambda w: accepted(w, sorted_edges(w))[:-1])
wrong("7.4", "v alone joins u's component")(lambda w: accepted(w, sorted_edges(w), lambda component, u, v: [v]))
wrong("7.4", "u and v alone join a component")(lambda w: accepted(w, sorted_edges(w), lambda component, u, v: [u, v]))
wrong("7.4", "edges by weight, equal weights lost")(
    lambda w: accepted(w, [edge for _, edge in sorted({w[edge]: edge for edge in w}.items(), reverse=True)]))
wrong("7.4", "an edge of weight 0 is left out")(lambda w: [edge for edge in accepted(w, sorted_edges(w)) if w[edge]])


@wrong("7.4", "an edge between two nodes that have edges is rejected")
def both_seen(weights):
    seen = set()
    for edge in sorted_edges(weights):
        if not seen.issuperset(edge):
            seen |= set(edge)
            yield edge


@wrong("7.4", "only cycles of three nodes are noticed")
def triangles(weights):
    tree = []
    for u, v in sorted_edges(weights):
        around = [{x for edge in tree if end in edge for x in edge} for end in (u, v)]
        if not around[0] & around[1]:
            tree.append((u, v))
    return tree[: len(nodes_of(weights)) - 1]


@wrong("7.4", "Prim's order")
def prims_order(weights):
    return grown(weights, nodes_of(weights)[0])


# -- 7.5 -------------------------------------------------------------------------------------------------------------
def grown(weights, root, value=None, nodes=None):
    """Prim, with another value of an edge, or from other nodes of the tree, than the right ones."""
    value = value or (lambda edge, inside: weights[edge])
    inside, taken = [root], []
    while len(inside) < len(nodes_of(weights)):
        among = set(nodes(inside)) if nodes else set(inside)
        leaving = [e for e in weights if among & set(e) and len(set(inside) & set(e)) == 1]
        taken.append(max(leaving, key=lambda edge: value(edge, inside)))
        inside += set(taken[-1]) - set(inside)
    return taken


wrong("7.5", "the lightest edge first")(lambda w, root: grown(w, root, lambda edge, inside: -w[edge]))
wrong("7.5", "the root is ignored")(lambda w, root: grown(w, nodes_of(w)[0]))
wrong("7.5", "Kruskal's order")(lambda w, root: accepted(w, sorted_edges(w)))
wrong("7.5", "only edges from the node that was added last")(
    lambda w, root: grown(w, root, nodes=lambda inside: inside[-1:]))
wrong("7.5", "only edges from the root")(lambda w, root: grown(w, root, nodes=lambda inside: inside[:1]))
wrong("7.5", "only edges from the last two nodes")(lambda w, root: grown(w, root, nodes=lambda inside: inside[-2:]))
wrong("7.5", "one edge too few")(lambda w, root: grown(w, root)[:-1])
wrong("7.5", "any edge that leaves the tree")(lambda w, root: grown(w, root, lambda edge, inside: 0))
wrong("7.5", "edges written from the tree outwards alone")(
    lambda w, root: grown(w, root, lambda edge, inside: w[edge] - (edge[0] not in inside)))
wrong("7.5", "an edge of weight 0 is left out")(lambda w, root: [edge for edge in grown(w, root) if w[edge]])


@wrong("7.5", "the heaviest edge that touches the tree, even inside it")
def touching(weights, root):
    inside, left = {root}, dict(weights)
    for _ in nodes_of(weights)[1:]:
        edge = max((edge for edge in left if inside & set(edge)), key=left.get)
        del left[edge]
        inside |= set(edge)
        yield edge


@wrong("7.5", "one pass over the sorted edges")
def one_pass(weights, root):
    inside = {root}
    for edge in sorted_edges(weights):
        if len(inside & set(edge)) == 1:
            inside |= set(edge)
            yield edge


@wrong("7.5", "the weights along the path from the root are added, as Dijkstra would")
def along_paths(weights, root):
    far = {root: 0.0}
    for _ in nodes_of(weights)[1:]:
        edge = max((e for e in weights if len(far.keys() & set(e)) == 1),
                   key=lambda e: weights[e] + sum(far.get(end, 0) for end in e))
        far |= {end: weights[edge] + sum(far.get(e, 0) for e in edge) for end in edge if end not in far}
        yield edge


# -- 7.6 -------------------------------------------------------------------------------------------------------------
def ranked(pairs):
    """Weights that fall from the first pair to the last."""
    return {pair: (len(pairs) - i) / 10 for i, pair in enumerate(pairs)}


wrong("7.6", "a star")(lambda n: ranked(list(combinations(n, 2))))
wrong("7.6", "a path")(lambda n: ranked([*pairwise(n), (n[0], n[2]), (n[1], n[3]), (n[0], n[3])]))
wrong("7.6", "equal weights")(lambda n: dict.fromkeys(combinations(n, 2), 0.5))
wrong("7.6", "a triangle of equal weights")(lambda n: {
    pair: 0.9 if n[3] not in pair else 0.1 * n.index(pair[0]) + 0.1 for pair in combinations(n, 2)})
wrong("7.6", "a triangle of the lightest edges")(lambda n: ranked(
    [pair for pair in combinations(n, 2) if n[3] in pair] + [pair for pair in combinations(n, 2) if n[3] not in pair]))
wrong("7.6", "three pairs only")(lambda n: {(n[0], n[1]): 0.3, (n[1], n[2]): 0.2, (n[0], n[2]): 0.1})
wrong("7.6", "a cycle of four, whose fourth edge is out")(
    lambda n: ranked([*pairwise(n), (n[0], n[3]), (n[0], n[2]), (n[1], n[3])]))
wrong("7.6", "a negative weight for the edge")(lambda n: {**ranked(list(combinations(n, 2))), (n[0], n[3]): -1.0})


# -- 7.7 -------------------------------------------------------------------------------------------------------------
def table_of(names, x, y, function):
    return dict(zip(names, (x, y, [function(a, b) for a, b in zip(x, y)])))


wrong("7.7", "a copy")(lambda names, n: dict.fromkeys(names, [0, 1] * (n // 2)))
wrong("7.7", "and in place of exclusive or")(
    lambda names, n: table_of(names, [0, 0, 1, 1] * (n // 4), [0, 1] * (n // 2), lambda a, b: a & b))
wrong("7.7", "or in place of exclusive or")(
    lambda names, n: table_of(names, [0, 0, 1, 1] * (n // 4), [0, 1] * (n // 2), lambda a, b: a | b))
wrong("7.7", "four rows whatever n is")(
    lambda names, n: table_of(names, [0, 0, 1, 1], [0, 1, 0, 1], lambda a, b: a ^ b))
wrong("7.7", "the two columns are the same")(
    lambda names, n: table_of(names, [0, 1] * (n // 2), [0, 1] * (n // 2), lambda a, b: a ^ b))
wrong("7.7", "the third is a copy of the first")(
    lambda names, n: table_of(names, [0, 0, 1, 1] * (n // 4), [0, 1] * (n // 2), lambda a, b: a))
wrong("7.7", "the third is independent of both")(
    lambda names, n: dict(zip(names, ([i // period % 2 for i in range(n)] for period in (4, 2, 1)))))
wrong("7.7", "a sum of the two")(
    lambda names, n: table_of(names, [0, 0, 1, 1] * (n // 4), [0, 1] * (n // 2), lambda a, b: a + b))
wrong("7.7", "coins tossed once, not balanced")(lambda names, n: table_of(
    names, *np.random.default_rng(n).integers(2, size=(2, n)).tolist(), lambda a, b: a ^ b))
wrong("7.7", "right for multiples of 8")(lambda names, n: table_of(
    names, [0, 0, 0, 0, 1, 1, 1, 1] * (n // 8), [0, 0, 1, 1] * (n // 4), lambda a, b: a ^ b))
wrong("7.7", "the second column not balanced")(lambda names, n: table_of(
    names, [0] * (n // 2) + [1] * (n - n // 2), [0] * (n // 4) + [1] * (n - n // 4), lambda a, b: a ^ b))
