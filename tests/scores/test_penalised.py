"""Scores: against the slides' figures, against row-by-row probabilities, and against all 543 DAGs."""

from itertools import combinations, pairwise, permutations, product
from math import e, log, log2

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings

import bnteach as bn
from bnteach.scores.base import as_dag
from tests.tables.test_table import frames

TREE, MORE, FULL = "B->C, B->D, C->A", "B->C, B->D, C->A, D->A", "B->C, B->D, D->C, B->A, C->A, D->A"


def every_dag(nodes):
    """All DAGs by brute force: every set of arcs without a cycle."""
    pairs = list(combinations(nodes, 2))
    for choice in product((None, 0, 1), repeat=len(pairs)):
        arcs = [pair if way == 0 else pair[::-1] for pair, way in zip(pairs, choice) if way is not None]
        if any(all(order.index(a) < order.index(b) for a, b in arcs) for order in permutations(nodes)):
            yield bn.DAG(arcs, nodes)


def test_the_figures_of_the_slides():
    t = bn.datasets.five_rows()
    ll, mdl = bn.LogLikelihood(t), bn.MDL(t)
    assert [round(ll(g), 4) for g in ("A->B, A->C, B->D", "A->B, A->C, A->D", TREE, MORE)] == \
        [-13.3450, -14.0999, -12.0999, -10.0999]
    assert [bn.dimension(g, t) for g in (TREE, MORE, FULL)] == [7, 9, 15]
    assert [round(mdl(g), 4) for g in (TREE, MORE, FULL, "A, B, C, D")] == [-20.2266, -20.5485, -27.0241, -21.5726]
    assert mdl.penalty == pytest.approx(log2(5) / 2)


def test_aic_changes_its_verdict_with_the_units():
    t = bn.datasets.five_rows()
    bits, nats = bn.AIC(t, base=2), bn.AIC(t)
    assert bits(TREE) == pytest.approx(bits(MORE), abs=1e-12) and round(bits(TREE), 4) == -19.0999
    assert [round(nats(g), 4) for g in (TREE, MORE)] == [-15.3870, -16.0007]


def test_mdl_and_bic_are_one_score_in_two_units():
    t = bn.datasets.five_rows()
    for g in (TREE, MORE, FULL):
        assert bn.BIC(t)(g) == pytest.approx(bn.MDL(t)(g) * log(2))
        assert bn.MDL(t, base=e)(g) == pytest.approx(bn.BIC(t)(g))


def test_the_best_of_all_543():
    t = bn.datasets.five_rows()
    mdl = bn.MDL(t)
    dags = list(every_dag("ABCD"))
    assert len(dags) == 543
    best = max(map(mdl, dags))
    assert round(best, 4) == -19.7521
    winners = {str(g) for g in dags if mdl(g) > best - 1e-9}
    assert winners == {"A->C, B->C, B->D", "A->C, B->C, D->B"}


@given(frames(max_rows=60, max_columns=4, max_states=3))
@settings(max_examples=25, deadline=None)
def test_the_likelihood_is_the_product_of_the_rows(frame):
    t = bn.Table(frame)
    random = np.random.default_rng(len(frame))
    order = list(random.permutation(t.variables))
    dag = bn.DAG([(a, b) for a, b in combinations(order, 2) if random.random() < 0.6], t.variables)
    rows = 0.0
    for i in range(len(frame)):
        for node in dag.nodes:
            same = frame
            for parent in dag.parents(node):
                same = same[same[parent] == frame[parent][i]]
            rows += log2((same[node] == frame[node][i]).sum() / len(same))
    assert bn.LogLikelihood(t)(dag) == pytest.approx(rows, abs=1e-7)


@given(frames(max_rows=80, max_columns=5))
@settings(max_examples=25, deadline=None)
def test_more_parents_never_lower_the_fit(frame):
    t = bn.Table(frame)
    child, *others = t.variables
    fits = [bn.LogLikelihood(t).family(child, others[:k]) for k in range(len(others) + 1)]
    assert all(more >= less - 1e-9 for less, more in pairwise(fits))


def test_column_order_never_changes_a_score():
    random = np.random.default_rng(5)
    frame = pd.DataFrame(random.integers(0, 3, (500, 4)), columns=list("ABCD"))
    for order in permutations("ABCD"):
        t = bn.Table(frame[list(order)])
        assert bn.MDL(t)(MORE) == pytest.approx(bn.MDL(bn.Table(frame))(MORE), rel=1e-12)


def test_families_are_cached_and_order_free():
    mdl = bn.MDL(bn.datasets.five_rows())
    first = mdl.family("A", "CD")
    mdl.likelihood = None  # computing a family fails from here on
    assert mdl.family("A", ("D", "C")) == mdl.family("A", ["C", "D"]) == first
    with pytest.raises(AttributeError):
        mdl.family("A", "B")


def test_unobserved_parent_states_have_a_penalty_and_no_fit():
    grade = pd.Categorical(["x", "y", "x"], categories=["x", "y", "z"])
    t = bn.Table(pd.DataFrame({"grade": grade, "pass": [1, 0, 1]}))
    assert bn.LogLikelihood(t).family("pass", "grade") == 0
    assert bn.LogLikelihood(t).parameters("pass", "grade") == 3
    assert bn.MDL(t).family("pass", ["grade"]) == pytest.approx(-3 * log2(3) / 2)


def test_table_of_families():
    table = bn.MDL(bn.datasets.five_rows()).table(TREE)
    assert table.index.tolist() == ["A | C", "B", "C | B", "D | B", "sum"]
    assert table.loc["sum", "parameters"] == 7 and round(table.loc["sum", "score"], 4) == -20.2266


@pytest.mark.parametrize(("ask", "message"), [
    (lambda s: s("A->B"), r"has no node C, D.*DAG\(\"A->B, C, D\"\)"),
    (lambda s: s("A->B, C->D, E"), "the graph has E, which the data do not"),
    (lambda s: s(bn.PDAG("A-B, C, D")), "A-B has no direction.*bn.extend"),
    (lambda s: s.family("A", "A"), "A cannot be its own parent"),
    (lambda s: s.family("A", "X"), "no variable 'X' in the data"),
    (lambda s: bn.MDL(s.data, base=1), "cannot be the base of a logarithm"),
    (lambda s: bn.MDL(s.data, base="e"), "base='e' cannot be the base"),
    (lambda s: s.family("A", None), r"family\('A', \['B', 'C'\]\), not 'A' and None"),
    (lambda s: s.family(["A"], "B"), r"not \['A'\] and \('B',\)"),
    (lambda s: bn.dimension(s.data, s.data), "a graph is needed here, not a Table"),
])
def test_bad_questions_say_what_to_do(ask, message):
    with pytest.raises((ValueError, KeyError, TypeError), match=message):
        ask(bn.MDL(bn.datasets.five_rows()))


def test_whatever_can_be_read_as_a_graph_or_a_table_is():
    t = bn.datasets.five_rows()
    assert bn.MDL(t.to_frame())(bn.DAG(TREE)) == bn.MDL(t)(bn.PDAG(TREE)) == bn.MDL(t)(bn.DAG(TREE).to_networkx())
    assert as_dag(TREE, "ABCD") == bn.DAG(TREE)
