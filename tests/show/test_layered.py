"""Layers without Graphviz, compared with brute force."""

from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest

import bnteach as bn
from bnteach.show.layered import (
    GAP,
    apart,
    chain,
    crossings,
    downwards,
    first_rows,
    layered,
    neighbours,
    ordered,
    ranks,
    rising,
)

DAGS = [dag for dag in bn.all_dags("ABCD") if dag.arcs]


def random_dag(n, share, seed):
    """A DAG on n nodes; each pair is adjacent with this probability."""
    names, draw = [f"X{i}" for i in range(n)], np.random.default_rng(seed)
    return names, [(a, b) for a, b in combinations(names, 2) if draw.random() < share]


@pytest.mark.parametrize("dag", DAGS[::7], ids=str)
def test_the_ranks_make_the_arcs_shortest_in_all(dag):
    def length(rank):
        return sum(rank[b] - rank[a] for a, b in dag.arcs)

    found = ranks(dag.nodes, dag.arcs)
    assert min(found.values()) == 0
    assert all(found[a] < found[b] for a, b in dag.arcs)
    possible = (dict(zip(dag.nodes, layers)) for layers in product(range(4), repeat=4))
    assert length(found) == min(length(rank) for rank in possible if all(rank[a] < rank[b] for a, b in dag.arcs))


@pytest.mark.parametrize("seed", range(12))
def test_nodes_do_not_overlap_and_children_are_below_their_parents(seed):
    names, arcs = random_dag(12, 0.25, seed)
    size = {name: (40.0 + 10 * i, 36.0) for i, name in enumerate(names)}
    at, paths = layered(names, arcs, size)
    for a, b in combinations(names, 2):
        (ax, ay), (bx, by) = at[a], at[b]
        assert abs(ax - bx) >= (size[a][0] + size[b][0]) / 2 + GAP / 2 - 1e-6 or abs(ay - by) >= 36
    for (a, b), path in paths.items():
        assert at[a][1] < at[b][1]
        assert path[0] == at[a] and path[-1] == at[b] and len(path) % 3 == 1


def two_layers(seed):
    """A random graph between two layers of four: its rows, its chains, and the fewest crossings of all orders."""
    draw = np.random.default_rng(seed)
    edges = [(a, b) for a, b in product("ABCD", "EFGH") if draw.random() < 0.4]
    nodes = [n for n in "ABCDEFGH" if any(n in edge for edge in edges)]
    rank = {node: int(node > "D") for node in nodes}
    chains = {edge: chain(edge, rank) for edge in edges}
    rows, near = first_rows(nodes, rank, chains), neighbours(chains)
    orders = product(permutations(rows[0]), permutations(rows[1]))
    return rows, chains, min(crossings([upper, lower], near) for upper, lower in orders)


def test_the_sweeps_mostly_find_the_order_with_the_fewest_crossings():
    found_best = []
    for seed in range(12):
        rows, chains, best = two_layers(seed)
        found = crossings(ordered(rows, chains), neighbours(chains))
        assert best <= found <= crossings(rows, neighbours(chains))
        found_best.append(found == best)
    assert sum(found_best) >= 9


def test_crossings_are_counted():
    chains = {edge: list(edge) for edge in [("A", "D"), ("B", "C"), ("A", "C")]}
    assert crossings([["A", "B"], ["C", "D"]], neighbours(chains)) == 1
    assert crossings([["B", "A"], ["C", "D"]], neighbours(chains)) == 0


@pytest.mark.parametrize("seed", range(20))
def test_positions_are_as_near_as_the_widths_allow(seed):
    """No small step that keeps the distances comes nearer: the problem is convex, so that is the optimum."""
    draw = np.random.default_rng(seed)
    wanted, widths = draw.uniform(-100, 100, 6), draw.uniform(20, 60, 6)
    found = np.array(apart(wanted, widths))
    least = (widths[:-1] + widths[1:]) / 2 + GAP
    assert np.all(np.diff(found) >= least - 1e-9)
    for _ in range(300):
        other = found + draw.normal(0, 2, 6) * draw.integers(0, 2, 6)
        if np.all(np.diff(other) >= least):
            assert ((other - wanted) ** 2).sum() >= ((found - wanted) ** 2).sum() - 1e-9


def test_what_rises_already_stays():
    assert list(rising([1.0, 2.0, 2.0, 5.0])) == [1.0, 2.0, 2.0, 5.0]
    assert list(rising([3.0, 1.0])) == [2.0, 2.0]


def test_cycles_are_broken_and_nothing_else_is_reversed():
    for arcs in ([("A", "B"), ("B", "C"), ("C", "A")], [("B", "A"), ("A", "C"), ("C", "B"), ("D", "B")]):
        down = downwards("ABCD", arcs)
        assert sum(a != b for a, b in zip(arcs, down)) == 1
        rank = ranks("ABCD", down)
        assert all(rank[a] < rank[b] for a, b in down)
    assert downwards("AB", [("A", "B")]) == [("A", "B")]


def test_an_edge_bends_in_every_layer_between():
    rank = {"A": 0, "B": 3}
    assert chain(("A", "B"), rank) == ["A", ("A", "B", 1), ("A", "B", 2), "B"]
    assert chain(("B", "A"), rank) == ["B", ("B", "A", 2), ("B", "A", 1), "A"]
    assert all(len(v) == 3 for v in chain(("A", "B"), rank)[1:-1])
    _, paths = layered("ABC", [("A", "B"), ("B", "C"), ("A", "C")], dict.fromkeys("ABC", (36.0, 36.0)))
    assert len(paths["A", "C"]) == 7, "two curves, over the layer of B"
    assert all(p != q for p, q in pairwise(paths["A", "C"]))
