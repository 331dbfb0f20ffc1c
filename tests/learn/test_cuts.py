"""Cutting planes: no DAG violates them, and solutions that are no DAG do."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnteach.learn.search.cuts.clusters import add_clusters, violated_clusters
from bnteach.learn.search.cuts.cycles import cycles
from bnteach.learn.search.cuts.zero_half import add_zero_half_cuts
from bnteach.learn.search.parent_sets import ParentSets
from bnteach.learn.search.relaxation import Relaxation
from tests.learn.brute_force import all_dags, names_of

NAMES = "ABCDEFGH"


def random_program(seed: int, n: int, limit: int) -> Relaxation:
    """Every family of n variables with up to so many parents, with random scores that grow with the parents."""
    random = np.random.default_rng(seed)
    return Relaxation([ParentSets(x, {parents: float(random.normal() + 2 * size ** 0.5) for size in range(limit + 1)
                                      for parents in combinations([y for y in NAMES[:n] if y != x], size)})
                       for x in NAMES[:n]])


def as_solution(relaxation: Relaxation, families: dict[str, tuple[str, ...]]) -> np.ndarray:
    return np.array([families[child] == parents for child, parents in relaxation.families], dtype=float)


def random_dags(seed: int, n: int, limit: int, number: int) -> list[dict[str, tuple[str, ...]]]:
    random, found = np.random.default_rng(seed), []
    for _ in range(number):
        order = [NAMES[i] for i in random.permutation(n)]
        found.append({x: tuple(sorted(random.permutation(order[:i])[:random.integers(limit + 1)].tolist()))
                      for i, x in enumerate(order)})
    return found


def small_dags() -> list[dict[str, tuple[str, ...]]]:
    return [{x: names_of(graph[i], tuple("ABCD")) for i, x in enumerate("ABCD")} for graph in all_dags(4)]


def check_that_no_dag_violates(relaxation: Relaxation, dags: list[dict[str, tuple[str, ...]]]) -> None:
    solutions = np.array([as_solution(relaxation, dag) for dag in dags])
    assert (solutions.sum(axis=1) == len(relaxation.names)).all()
    assert (relaxation.rows @ solutions.T <= relaxation.limits[:, None] + 1e-9).all()


def test_every_cluster_constraint_of_four_variables_holds_in_every_dag():
    relaxation = random_program(0, 4, 3)
    clusters = np.array([[i in c for i in range(4)] for size in (2, 3, 4) for c in combinations(range(4), size)])
    for k in (1, 2, 3):
        add_clusters(relaxation, clusters[clusters.sum(axis=1) > k], k)
    check_that_no_dag_violates(relaxation, small_dags())
    assert len(relaxation.limits) == 11 + 5 + 1


@pytest.mark.parametrize(("n", "limit"), [(4, 3), (5, 4), (6, 3), (8, 2)])
def test_no_dag_violates_a_cut_that_was_found(n, limit):
    halves = 0
    for seed in range(6):
        relaxation, random = random_program(seed, n, limit), np.random.default_rng(seed)
        for _ in range(15):
            relaxation.solve()
            for k in (1, 2, 3):
                clusters, before = violated_clusters(relaxation, k), len(relaxation.limits)
                add_clusters(relaxation, clusters, k)
                assert (relaxation.rows[before:] @ relaxation.solution > relaxation.limits[before:] + 1e-4).all()
            halves += add_zero_half_cuts(relaxation, random)
        check_that_no_dag_violates(relaxation, small_dags() if n == 4 else random_dags(seed, n, limit, 2000))
    assert halves > 0


def test_a_constraint_that_is_too_tight_would_be_noticed():
    relaxation = random_program(0, 4, 3)
    relaxation.add(np.ones((1, len(relaxation.families))), np.array([3.0]))
    with pytest.raises(AssertionError):
        check_that_no_dag_violates(relaxation, small_dags())


def test_k_parents_in_a_cluster():
    """Each of A, B, C, D by half with two of the others as parents: more than |C| - 2 have two parents inside."""
    relaxation = random_program(0, 4, 2)
    relaxation.solution = as_solution(relaxation, dict(zip("ABCD", [("B", "C"), ("C", "D"), ("A", "D"), ()])))
    assert [row.tolist() for row in violated_clusters(relaxation, 2)] == [[True] * 4]


def test_the_violated_clusters_of_a_fractional_solution():
    relaxation = random_program(0, 3, 1)
    values = {("A", ("B",)): 0.5, ("A", ("C",)): 0.5, ("B", ("C",)): 1.0, ("C", ("A",)): 1.0}
    relaxation.solution = np.array([values.get(family, 0.0) for family in relaxation.families])
    first, *more = violated_clusters(relaxation, 1).tolist()
    assert first == [True, True, True]  # violated by 1
    assert more == [[True, False, True]]  # by a half
    relaxation.solution[relaxation.families.index(("C", ("A",)))] = 0.0
    assert len(violated_clusters(relaxation, 1)) == 0


def test_a_zero_half_cut():
    """Three rows, each with two of three families, sum to 2 z1 + 2 z2 + 2 z3 <= 3: so z1 + z2 + z3 <= 1."""
    relaxation = random_program(0, 3, 1)
    three = [relaxation.families.index(family) for family in [("A", ("B",)), ("B", ("C",)), ("C", ("A",))]]
    rows = np.zeros((3, len(relaxation.families)))
    for row, left_out in zip(rows, three):
        row[[family for family in three if family != left_out]] = 1
    relaxation.add(rows, np.ones(3))
    relaxation.solution = np.array([0.5 if i in three or not parents else 0.0
                                    for i, (_, parents) in enumerate(relaxation.families)])
    assert add_zero_half_cuts(relaxation, np.random.default_rng(0)) == 1
    assert np.flatnonzero(relaxation.rows.toarray()[-1]).tolist() == sorted(three) and relaxation.limits[-1] == 1


@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda arc: arc[0] != arc[1]), max_size=14))
def test_cycles_are_clusters_in_which_all_have_a_parent(arcs):
    families = {str(x): tuple(sorted({str(a) for a, b in arcs if b == x})) for x in range(7)}
    found = cycles(families)
    assert (found == ()) == nx.is_directed_acyclic_graph(nx.DiGraph(arcs))
    for cluster in found:
        assert all(set(families[x]) & set(cluster) for x in cluster)
