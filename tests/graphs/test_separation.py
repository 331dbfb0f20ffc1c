"""d-separation against networkx and against its definition by paths; Lemma 1; errors."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest

import bnteach as bn
from bnteach import DAG, PDAG, UnknownVariable, d_separated, explain_separation
from bnteach.graphs import paths
from tests.graphs.brute import random_dag


def random_query(rng, dag):
    """Three disjoint sets; the third may be empty."""
    nodes = [dag.nodes[i] for i in rng.permutation(len(dag))]
    a, b = 1 + int(rng.integers(2)), 1 + int(rng.integers(2))
    return nodes[:a], nodes[a:a + b], nodes[a + b: a + b + int(rng.integers(len(dag) - a - b + 1))]


def test_agrees_with_networkx_on_thousands_of_queries():
    rng = np.random.default_rng(0)
    answers = []
    for n in (4, 5, 6, 7, 8):
        for _ in range(80):
            dag = random_dag(rng, n, density=rng.uniform(0.2, 0.7))
            graph = dag.to_networkx()
            for _ in range(10):
                x, y, z = random_query(rng, dag)
                answers.append(d_separated(dag, x, y, z))
                assert answers[-1] == nx.is_d_separator(graph, set(x), set(y), set(z)), (dag, x, y, z)
    assert len(answers) == 4000 and 400 < sum(answers) < 3600  # both answers occur often


def test_paths_agree_with_bayes_ball_on_every_query_of_small_dags(small_dags):
    for dag in small_dags[::3]:
        for x, y in combinations(dag.nodes, 2):
            others = [n for n in dag.nodes if n not in (x, y)]
            for size in range(len(others) + 1):
                for given in combinations(others, size):
                    verdict = d_separated(dag, x, y, given)
                    explained = explain_separation(dag, x, y, given)
                    assert explained.separated is verdict is d_separated(dag, y, x, given) and explained.graph is dag


def test_paths_agree_with_bayes_ball_on_larger_graphs_and_sets():
    rng = np.random.default_rng(1)
    for _ in range(150):
        dag = random_dag(rng, 7, density=0.35)
        x, y, z = random_query(rng, dag)
        assert explain_separation(dag, x, y, z).separated == d_separated(dag, x, y, z)


def test_all_paths_are_those_of_the_skeleton():
    rng = np.random.default_rng(2)
    for _ in range(30):
        dag = random_dag(rng, 6)
        found = paths.all_paths(dag, "A", "F")
        assert sorted(found) == sorted(map(tuple, nx.all_simple_paths(dag.to_networkx().to_undirected(), "A", "F")))
        assert [len(p) for p in found] == sorted(len(p) for p in found)


def test_paths_between_sets_pass_through_no_other_member():
    dag = DAG("A->B, B->C, C->D, A->D")
    assert paths.all_paths(dag, "A, B", "D") == [("A", "D"), ("B", "C", "D")]
    assert paths.all_paths(dag, "A", "C, D") == [("A", "D"), ("A", "B", "C")]


@pytest.mark.parametrize("text, given, opens, sentence", [
    ("A->C, C->B", "", True, "A → C → B is open: C is in a chain and not observed."),
    ("A->C, C->B", "C", False, "A → C → B is blocked at C: C is in a chain and observed."),
    ("C->A, C->B", "", True, "A ← C → B is open: C is a fork and not observed."),
    ("C->A, C->B", "C", False, "A ← C → B is blocked at C: C is a fork and observed."),
    ("A->C, B->C", "", False, "A → C ← B is blocked at C: C is a collider and neither it nor any of its "
                              "descendants is observed."),
    ("A->C, B->C", "C", True, "A → C ← B is open: C is a collider and observed."),
    ("A->C, B->C, C->D", "D", True, "A → C ← B is open: C is a collider and its descendant D is observed."),
    ("A->B", "", True, "A → B is open: it has no inner nodes."),
])
def test_each_rule_and_its_sentence(text, given, opens, sentence):
    result = explain_separation(DAG(text), "A", "B", given)
    _, examined, concluded = result.trace
    assert str(examined) == sentence
    assert examined.open == opens == (not result.separated) == (not concluded.separated)
    assert examined.blocked_at == (None if opens else "C")


def test_a_path_is_open_only_if_every_inner_node_is():
    dag = DAG("A->C, C<-D, D->E, E->B")
    assert explain_separation(dag, "A", "B", "D").trace[1].blocked_at == "C"  # the first node that blocks
    assert explain_separation(dag, "A", "B", "C, D").trace[1].blocked_at == "D"
    assert str(explain_separation(dag, "A", "B", "C").trace[1]) == (
        "A → C ← D → E → B is open: C is a collider and observed; D is a fork and not observed; "
        "E is in a chain and not observed.")


def test_the_conclusion_counts_paths():
    assert "There is no path: A and B are d-separated." in str(explain_separation(DAG("A, B"), "A", "B").trace)
    two = DAG("A->C, A->D, C->B, D->B")
    assert "Both paths are blocked: A and B are d-separated given C and D." in str(
        explain_separation(two, "A", "B", "C, D").trace)
    more = two.with_arc("C", "D")
    assert "All 4 paths are blocked" in str(explain_separation(more, "A", "B", "C, D").trace)
    assert "One open path is enough: {A, C} and B are not d-separated" in str(
        explain_separation(two, ["C", "A"], "B").trace)


def test_the_steps_draw_the_path_and_what_is_observed():
    dag = DAG("A->C, C->B, D")
    trace = explain_separation(dag, "A", "B", "C").trace
    first = [drawing.copy() for _, drawing in trace.replay()][1]
    assert {pair for pair, edge in first.edges.items() if edge.style == "considered"} == {("A", "C"), ("C", "B")}
    assert first.nodes["C"] == "kept" and first.nodes["D"] == "plain"  # observed, also where it blocks the path
    last = list(trace.replay())[-1][1]
    assert last.nodes["C"] == "kept" and all(edge.style == "plain" for edge in last.edges.values())


def test_sets_and_texts_are_read_alike():
    dag = DAG("A->C, B->C, C->D, E")
    assert d_separated(dag, "A", "B, E") is d_separated(dag, {"A"}, {"E", "B"}) is True
    assert d_separated(dag, "A", "B", given="D") is d_separated(dag, ["A"], ("B",), given=["D"]) is False
    assert d_separated(dag, "A", "BE") is True and d_separated(dag, "A", "B", given="DE") is False


def test_invalid_queries():
    dag = DAG("A->B, B->C")
    with pytest.raises(ValueError, match="A is in both sets"):
        d_separated(dag, "A", "A")
    with pytest.raises(ValueError, match="B is both queried and observed"):
        d_separated(dag, "A", "B", given="B")
    with pytest.raises(ValueError, match="the second set of nodes is empty"):
        d_separated(dag, "A", [])
    with pytest.raises(ValueError, match="the first set of nodes is empty"):
        d_separated(dag, (), "A")
    with pytest.raises(UnknownVariable, match="no variable 'Z'"):
        d_separated(dag, "A", "Z")
    with pytest.raises(UnknownVariable, match="no variable 'Z'"):
        explain_separation(dag, "A", "B", given=["Z"])
    with pytest.raises(UnknownVariable, match="no variable 'AZ'"):
        d_separated(dag, "B", "AZ")
    with pytest.raises(TypeError, match="names are needed here"):
        d_separated(dag, "A", "C", given=None)
    for other in (PDAG("A-B, B-C"), "A->B, B->C"):
        with pytest.raises(TypeError, match=r"a DAG is needed here.*bn\.extend\(pdag\)"):
            d_separated(other, "A", "C")


def test_too_many_paths_to_list_can_still_be_answered():
    nodes = [f"x{i}" for i in range(14)]
    dag = DAG(list(combinations(nodes, 2)))
    with pytest.raises(ValueError, match=r"too many paths between x0 and x13.*bn\.d_separated"):
        explain_separation(dag, "x0", "x13")
    assert not d_separated(dag, "x0", "x13")


LEMMA = (bn.is_adjacent, bn.no_separating_set, bn.not_separated_by_ancestors, bn.not_separated_by_parents)


def test_lemma_1_on_all_small_dags(small_dags):
    seen = set()
    for dag in small_dags:
        for x, y in combinations(dag.nodes, 2):
            statements = {statement(dag, x, y) for statement in LEMMA}
            assert len(statements) == 1, (dag, x, y)
            seen |= statements
    assert seen == {True, False}


def test_lemma_1_needs_the_parents_of_both():
    """Given the parents of x alone, x and its non-adjacent descendants stay connected."""
    dag = DAG("A->B, B->C")
    assert not d_separated(dag, "A", "C", dag.parents("A")) and not bn.not_separated_by_parents(dag, "A", "C")
