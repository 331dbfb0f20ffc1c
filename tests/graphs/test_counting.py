"""Counts against brute force, against the published numbers, and against a congruence."""

import networkx as nx
import numpy as np
import pytest

import bnteach as bn
from bnteach.graphs import chordal
from bnteach.graphs.chordal import _canonical, _up_to_isomorphism, chordal_by_cliques, labelled_chordal
from bnteach.graphs.counting import chordal_forests, cpdags_by_cliques
from tests.graphs.brute import by_class, every_dag

# OEIS A003024, A007984 (as corrected in 2007) and the lecture's table.
DAGS = [1, 3, 25, 543, 29281, 3781503, 1138779265, 783702329343, 1213442454842881, 4175098976430598143]
CLASSES = [1, 2, 11, 185, 8782, 1067825, 312510571, 212133402500, 326266056291213, 1118902054495975181]


def test_numbers_of_dags_agree_with_the_table_and_brute_force():
    assert [bn.count_dags(n) for n in range(1, 11)] == DAGS
    assert [sum(1 for _ in every_dag("ABCD"[:n])) for n in range(1, 5)] == DAGS[:4]


def test_numbers_of_classes_agree_with_the_table():
    assert [bn.count_classes(n) for n in range(1, 9)] == CLASSES[:8]


def test_numbers_of_classes_and_singletons_agree_with_brute_force(classes_5):
    for nodes in ("A", "AB", "ABC", "ABCD"):
        classes = by_class(every_dag(nodes))
        assert bn.count_classes(len(nodes)) == len(classes)
        assert bn.count_singleton_classes(len(nodes)) == sum(len(members) == 1 for members in classes)
        assert bn.count_dags(len(nodes)) == sum(map(len, classes))
    assert bn.count_classes(5) == len(classes_5)
    assert bn.count_singleton_classes(5) == sum(len(members) == 1 for members in classes_5) == 2616
    assert bn.count_dags(5) == sum(map(len, classes_5))


def test_a_large_count_is_exact():
    """The number of DAGs on n labelled nodes is odd, and for n = 200 it has as many bits as expected."""
    large = bn.count_dags(200)
    assert large % 2 == 1 and 200 * 199 / 2 < large.bit_length() < 200 * 199 / 2 * 1.2
    for p in (3, 5, 7, 11):  # only a DAG without arcs is the same after rotating p labels
        assert bn.count_dags(p) % p == 1
    assert bn.count_dags(0) == bn.count_classes(0) == bn.count_singleton_classes(0) == 1


@pytest.mark.parametrize("count", [bn.count_dags, bn.count_classes, bn.count_singleton_classes])
@pytest.mark.parametrize("n", [-1, 2.0, "3", None, True])
def test_invalid_numbers_of_nodes(count, n):
    with pytest.raises(ValueError, match=r"n=.* must be a whole number"):
        count(n)


@pytest.mark.parametrize("count", [bn.count_dags, bn.count_classes, bn.count_singleton_classes])
def test_numpy_integers_do_not_overflow(count):
    chordal_forests.cache_clear(), cpdags_by_cliques.cache_clear()
    assert count(np.int8(8)) == count(8) > 2**35


def test_connected_chordal_graphs():
    """Counted by networkx for up to six nodes, by the published numbers for up to eight."""
    assert [labelled_chordal(n) for n in range(1, 9)] == [1, 1, 4, 35, 541, 13302, 489287, 25864897]
    atlas = [g for g in nx.graph_atlas_g() if 1 <= len(g) <= 6 and nx.is_connected(g) and nx.is_chordal(g)]
    for n in range(1, 7):
        graphs = [g for g in atlas if len(g) == n]
        assert len(_up_to_isomorphism(n)) == len(graphs)
        cliques = sorted(sum(1 for _ in nx.enumerate_all_cliques(g)) for g in graphs)
        assert sorted(set(cliques)) == sorted(chordal_by_cliques(n))


def test_the_canonical_form_is_the_same_graph_and_the_same_for_every_labelling():
    rng = np.random.default_rng(0)
    for graph in list(_up_to_isomorphism(7))[::3]:
        order = rng.permutation(7)
        index = {int(node): i for i, node in enumerate(order)}
        shuffled = tuple(sum(1 << index[j] for j in range(7) if graph[i] >> j & 1) for i in map(int, order))
        assert _canonical(shuffled) == _canonical(graph)
        assert nx.is_isomorphic(as_networkx(_canonical(shuffled)), as_networkx(graph))


def as_networkx(rows):
    return nx.Graph([(i, j) for i, row in enumerate(rows) for j in range(len(rows)) if row >> j & 1])


def test_an_imperfect_canonical_form_changes_no_count(monkeypatch):
    expected = chordal_by_cliques(6)
    chordal._up_to_isomorphism.cache_clear(), chordal_by_cliques.cache_clear()
    try:
        with monkeypatch.context() as patched:
            patched.setattr(chordal, "_canonical", lambda graph: graph)  # detects hardly any isomorphism
            assert chordal_by_cliques(6) == expected and len(_up_to_isomorphism(5)) > 15
    finally:
        chordal._up_to_isomorphism.cache_clear(), chordal_by_cliques.cache_clear()


def test_forests_and_cliques():
    """Two nodes: one edge (3 cliques) or two components (2). CPDAGs on three nodes by their cliques."""
    assert chordal_forests(2) == {1: {3: 1}, 2: {2: 1}}
    cliques = {}
    for members in by_class(every_dag("ABC")):
        undirected = nx.Graph(bn.cpdag(members[0]).edges)
        undirected.add_nodes_from("ABC")
        number = sum(1 for _ in nx.enumerate_all_cliques(undirected))
        cliques[number] = cliques.get(number, 0) + 1
    assert cpdags_by_cliques(3) == cliques


@pytest.mark.parametrize("nodes", ["", "A", "AB", "ABC", "ABCD"])
def test_all_dags(nodes):
    found = list(bn.all_dags(nodes))
    assert len(found) == len(set(found)) == bn.count_dags(len(nodes))
    assert set(found) == set(every_dag(nodes))
    assert found == list(bn.all_dags(list(nodes))) and not found[0].arcs


def test_all_dags_on_five_nodes():
    assert len({dag.arcs for dag in bn.all_dags("ABCDE")}) == 29281


def test_too_many_to_list():
    with pytest.raises(ValueError, match=r"7 nodes have 1,138,779,265 DAGs.*six nodes or fewer"):
        next(bn.all_dags("ABCDEFG"))


def test_all_classes(classes_4):
    classes = bn.all_classes("ABCD")
    assert len(classes) == 185
    assert {frozenset(members) for members in classes.values()} == {frozenset(members) for members in classes_4}
    assert all(bn.is_cpdag(graph) for graph in classes)
    sizes = [len(graph.skeleton) for graph in classes]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("n, prime", [(3, 3), (4, 3), (5, 3), (5, 5), (6, 5), (7, 5), (7, 7), (8, 7), (9, 7)])
def test_the_congruence(n, prime):
    fixed = bn.classes_fixed_by_rotation(n, prime)
    assert len(fixed) == len(set(fixed))
    assert len(fixed) % prime == CLASSES[n - 1] % prime


def test_the_fixed_classes_are_all_that_are_fixed():
    """On four nodes: rotate 0, 1, 2 in each of the 185 CPDAGs; which stay the same?."""
    rotation = {"0": "1", "1": "2", "2": "0", "3": "3"}
    fixed = {graph for graph in bn.all_classes("0123")
             if graph == bn.PDAG([(rotation[a], rotation[b]) for a, b in graph.arcs],
                                 [(rotation[a], rotation[b]) for a, b in graph.edges], graph.nodes)}
    assert set(bn.classes_fixed_by_rotation(4, 3)) == fixed


@pytest.mark.parametrize("n, prime", [(5, 4), (5, 7), (5, 2), (9, 9)])
def test_only_a_prime_can_be_rotated(n, prime):
    with pytest.raises(ValueError, match=f"give a prime number from 3 to n = {n}"):
        bn.classes_fixed_by_rotation(n, prime)
