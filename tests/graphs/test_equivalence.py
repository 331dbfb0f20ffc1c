"""Classes of DAGs, against brute force: all of them on four nodes, and on five."""

import math
from itertools import combinations, pairwise

import numpy as np
import pytest

import bnteach as bn
from bnteach import DAG, PDAG
from tests.graphs.brute import essential, fingerprint, random_dag


def arcs_and_edges(graph):
    return set(graph.arcs), {frozenset(edge) for edge in graph.edges}


def test_v_structures():
    assert bn.v_structures(DAG("A->C, B->C, C->D")) == (("A", "C", "B"),)
    assert bn.v_structures(DAG("A->C, B->C, A->B")) == ()
    assert bn.v_structures(PDAG("C->B, A->B, B-D", nodes="ABCD")) == (("A", "B", "C"),)
    assert bn.v_structures(DAG("A->D, B->D, C->D, A->B")) == (("A", "D", "C"), ("B", "D", "C"))


def test_v_structures_of_all_small_dags(dags_4):
    for dag in dags_4:
        assert {(frozenset((a, b)), c) for a, c, b in bn.v_structures(dag)} == fingerprint(dag)[1]


def test_cpdag_of_every_dag_on_four_nodes(classes_4):
    assert len(classes_4) == 185
    for members in classes_4:
        for dag in members:
            assert arcs_and_edges(bn.cpdag(dag)) == essential(members)


def test_all_classes_on_five_nodes(classes_5):
    """CPDAGs and sizes of all, members of some."""
    assert len(classes_5) == 8782
    total = 0
    for i, members in enumerate(classes_5):
        graph = bn.cpdag(members[0])
        assert arcs_and_edges(graph) == essential(members)
        total += (size := bn.class_size(graph))
        assert size == len(members)
        if i % 10 == 0:
            assert bn.cpdag(members[-1]) == graph
            assert set(bn.equivalence_class(graph)) == set(members)
    assert total == 29281


def test_the_members_of_every_class_on_four_nodes(classes_4):
    for members in classes_4:
        for graph in (members[-1], bn.cpdag(members[0])):
            found = bn.equivalence_class(graph)
            assert len(found) == len(members) and set(found) == set(members)


def test_equivalent_dags_have_the_same_d_separations(dags_4):
    rng = np.random.default_rng(0)
    holds = {}
    for i in rng.integers(len(dags_4), size=60):
        holds[dags_4[i]] = frozenset(bn.independences(dags_4[i]))
    for a, b in combinations(holds, 2):
        assert bn.markov_equivalent(a, b) == (holds[a] == holds[b])
    chain, fork, collider = DAG("A->B, B->C"), DAG("B->A, B->C"), DAG("A->B, C->B")
    assert bn.markov_equivalent(chain, fork) and not bn.markov_equivalent(chain, collider)
    assert bn.markov_equivalent(PDAG("A-B, B-C"), chain)
    assert not bn.markov_equivalent(DAG("A->B"), DAG("A->B, C"))
    assert bn.markov_equivalent(DAG("A->B", nodes="BA"), DAG("B->A"))


def test_pattern_and_cpdag_differ_where_a_rule_applies():
    dag = DAG("A->B, C->B, B->D")
    assert bn.pattern(dag) == PDAG("A->B, C->B, B-D")
    assert bn.cpdag(dag) == PDAG(dag)
    assert bn.cpdag(PDAG("A->B, C->B, B-D")) == bn.cpdag(dag)


def test_is_cpdag(classes_4, dags_4):
    graphs = {bn.cpdag(members[0]) for members in classes_4}
    assert all(bn.is_cpdag(graph) for graph in graphs)
    for dag in dags_4[::5]:
        assert bn.is_cpdag(PDAG(dag)) == (PDAG(dag) in graphs)
    assert not bn.is_cpdag(PDAG("A-B, B-C, C-D, D-A"))
    assert not bn.is_cpdag(PDAG("A->B, B-C"))
    assert not bn.is_cpdag(PDAG("A->B, B->C, C->A"))
    assert not bn.is_cpdag(PDAG("A->B"))  # an arc too many
    assert bn.is_cpdag(PDAG("A, B")) and bn.is_cpdag(PDAG(""))


def test_the_four_variable_example_has_three_dags():
    assert [str(dag) for dag in bn.equivalence_class(PDAG("A-B, A-C, B->D, C->D"))] == [
        "A->B, A->C, B->D, C->D", "A->B, B->D, C->A, C->D", "A->C, B->A, B->D, C->D"]


@pytest.mark.parametrize("n", [1, 2, 5, 10])
def test_the_class_of_a_chain_has_as_many_dags_as_nodes(n):
    nodes = "ABCDEFGHIJ"[:n]
    chain = DAG(list(pairwise(nodes)), nodes)
    members = bn.equivalence_class(chain)
    assert len(members) == len(set(members)) == n == bn.class_size(chain)
    assert {dag.order[0] for dag in members} == set(nodes)


def test_the_class_of_a_complete_graph_has_as_many_dags_as_orders():
    complete = DAG(list(combinations("ABCDEF", 2)))
    assert len(set(bn.equivalence_class(complete))) == 720
    assert bn.class_size(complete) == 720
    assert bn.class_size(DAG(list(combinations("ABCDEFGH", 2)))) == math.factorial(8)


def test_size_and_list_agree_on_random_graphs():
    rng = np.random.default_rng(3)
    for _ in range(25):
        dag = random_dag(rng, 8, density=0.4)
        members = bn.equivalence_class(dag)
        assert dag in members and len(set(members)) == len(members) == bn.class_size(dag)
        assert all(fingerprint(member) == fingerprint(dag) for member in members)


def test_an_added_arc_leaves_the_members_that_have_it():
    complete = PDAG("A-B, A-C, B-C, A-D, B-D")
    everything = bn.equivalence_class(complete)
    for arc in [("A", "B"), ("D", "A"), ("C", "B")]:
        remaining = bn.equivalence_class(complete.with_arc(*arc))
        assert set(remaining) == {dag for dag in everything if dag.has_arc(*arc)}


def test_errors():
    with pytest.raises(bn.NoExtension, match="none of A, B, C, D can be a sink"):
        bn.equivalence_class(PDAG("A-B, B-C, C-D, D-A"))
    for ask in (bn.cpdag, bn.pattern, bn.v_structures):
        with pytest.raises(TypeError, match=r"a DAG or a PDAG is needed here, not str 'A->B'.*bn\.DAG"):
            ask("A->B")


def test_the_classes_of_complete_graphs_are_large(monkeypatch):
    complete = [(f"v{i}", f"v{j}") for i in range(25) for j in range(i + 1, 25)]
    assert bn.class_size(DAG(complete)) == math.factorial(25)
    monkeypatch.setattr("bnteach.graphs.equivalence.MAX_LISTED", 6)
    assert len(bn.equivalence_class(DAG("A->B, A->C, B->C"))) == 6
    with pytest.raises(ValueError, match="more than 6 DAGs, too many to list"):
        bn.equivalence_class(DAG("A->B, A->C, A->D, B->C, B->D, C->D"))
