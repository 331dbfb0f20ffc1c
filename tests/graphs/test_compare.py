"""Comparison of a learned graph with the true one, on examples counted by hand."""

from itertools import permutations, product

import networkx as nx
import numpy as np
import pytest

import bnteach as bn
from bnteach import DAG, PDAG, compare
from tests.graphs.brute import every_dag, random_dag


def test_missing_extra_and_misoriented_are_counted_once_each():
    learned, truth = PDAG("A->B, C->B, C-D, A-E", nodes="ABCDE"), PDAG("A->B, B->C, C->D, D->E", nodes="ABCDE")
    found = compare(learned, truth)
    assert found.missing == (("D", "E"),)
    assert found.extra == (("A", "E"),)
    assert found.misoriented == (("B", "C"), ("C", "D"))  # one reversed, one undirected
    assert found.shd == 4
    assert found.precision == found.recall == found.f1 == 3 / 4
    assert found.sentences() == ["D->E is missing", "A-E is extra", "C->B should be B->C", "C-D should be C->D"]


def test_precision_and_recall_differ():
    found = compare(PDAG("A-B", nodes="ABCD"), PDAG("A-B, B-C, C-D, D-A"))
    assert (found.precision, found.recall, found.f1) == (1.0, 0.25, 0.4)
    back = compare(PDAG("A-B, B-C, C-D, D-A"), PDAG("A-B", nodes="ABCD"))
    assert (back.precision, back.recall, back.shd) == (0.25, 1.0, 3)


def test_dags_of_one_class_have_distance_zero():
    assert compare(DAG("A->B, B->C"), DAG("C->B, B->A")).shd == 0
    assert compare(DAG("A->B, B->C"), PDAG("A-B, B-C")).shd == 0
    assert compare(DAG("A->B, B->C"), DAG("A->B, C->B")).shd == 2
    assert str(compare(DAG("A->B"), DAG("B->A"))).endswith("structural Hamming distance 0")


def test_a_result_can_be_compared():
    assert compare(bn.dor_tarsi(PDAG("A-B, B-C")), DAG("A->B, B->C")).shd == 0


def test_nothing_learned_and_nothing_to_learn():
    empty, full = DAG("A, B"), DAG("A->B")
    nothing_learned = compare(empty, full)
    assert (nothing_learned.precision, nothing_learned.recall, nothing_learned.f1) == (1.0, 0.0, 0.0)
    nothing_there = compare(full, empty)
    assert (nothing_there.precision, nothing_there.recall, nothing_there.f1) == (0.0, 1.0, 0.0)
    assert compare(empty, empty).f1 == 1.0
    wrong = compare(DAG("A->B, C, D"), DAG("C->D, A, B"))
    assert (wrong.precision, wrong.recall, wrong.f1, wrong.shd) == (0.0, 0.0, 0.0, 2)


def test_the_distance_is_symmetric_and_zero_only_within_a_class():
    rng = np.random.default_rng(0)
    for _ in range(40):
        a, b = random_dag(rng, 5), random_dag(rng, 5)
        assert compare(a, b).shd == compare(b, a).shd
        assert (compare(a, b).shd == 0) == bn.markov_equivalent(a, b)
        assert compare(a, b).precision == compare(b, a).recall


def test_styles_for_the_drawing():
    found = compare(PDAG("A-B, C-D"), PDAG("B-C, C->D, A", nodes="ABCD"))
    assert found.styles == {("B", "C"): "removed", ("A", "B"): "pruned", ("C", "D"): "considered"}
    assert "learned" in found.picture.text and "truth" in found.picture.text


def test_html_and_text_report_the_same():
    found = compare(DAG("A->B, C"), DAG("A->C, B->C"))
    html = found._repr_html_()
    assert "structural Hamming distance</th><td style='text-align:right'>3</td>" in html
    assert "A-B is extra" in html and "A-&gt;C is missing" in html and "A->C is missing" in str(found)
    assert "nothing differs" in compare(DAG("A->B"), DAG("A->B"))._repr_html_()


def test_errors():
    with pytest.raises(ValueError, match="different nodes: C is in one only"):
        compare(DAG("A->B"), DAG("A->B, C"))
    with pytest.raises(ValueError, match="different nodes: A, B, X, Y are in one only"):
        compare(DAG("A->B"), DAG("X->Y"))
    with pytest.raises(TypeError, match=r"takes two graphs .*, not .*str"):
        compare("A->B", DAG("A->B"))


def effect(joint, parents, x, y):
    """P(y | do(x)) as adjusting for these parents of x gives it, from the joint distribution of binary variables."""
    axes = "ABC"
    if y in parents:
        other = tuple(i for i, name in enumerate(axes) if name != y)
        return np.array([joint.sum(axis=other)] * 2)
    letters = "".join(parents)
    given = np.einsum(f"ABC->{x}{letters}", joint)
    conditional = np.einsum(f"ABC->{x}{letters}{y}", joint) / given[..., None]
    return np.einsum(f"{x}{letters}{y},{letters}->{x}{y}", conditional, np.einsum(f"ABC->{letters}", joint))


def test_the_intervention_distance_counts_wrong_effects():
    """For all pairs of DAGs on three nodes: the effects computed from the joint distribution of a random network."""
    random, dags = np.random.default_rng(0), list(every_dag("ABC"))
    for truth in dags:
        cpts = {x: random.dirichlet([1, 1], size=[2] * len(truth.parents(x)) or None) for x in "ABC"}
        network = bn.CategoricalNetwork(truth, dict.fromkeys("ABC", (0, 1)), cpts)
        joint = np.array([network.probability(dict(zip("ABC", row))) for row in product((0, 1), repeat=3)])
        true = {(x, y): np.array([network.do({x: v}).posterior(y).to_numpy() for v in (0, 1)])
                for x, y in permutations("ABC", 2)}
        for learned in dags:
            wrong = [pair for pair in true
                     if not np.allclose(effect(joint.reshape(2, 2, 2), learned.parents(pair[0]), *pair), true[pair])]
            assert bn.compare(learned, truth).sid == len(wrong), (learned, truth)


def test_networkx_graphs_and_pdags():
    assert bn.compare(nx.DiGraph([("A", "B")]), bn.DAG("A->B")).shd == 0
    assert bn.compare(nx.Graph([("A", "B")]), bn.DAG("A->B")).shd == 0
    assert bn.compare(bn.PDAG("A-B"), bn.DAG("A->B")).sid is None
