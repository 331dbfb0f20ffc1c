"""K3: greedy in every step, forward in the order, and never above the best."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnteach import AIC, BIC, DAG, K2, MDL, BDeu, UnknownVariable, datasets, k3
from bnteach.learn.steps.k3 import Added, Finished, Started
from tests.learn.brute_force import best_in_order, xor_table
from tests.random_tables import tables

SCORES = [AIC, MDL, BIC, BDeu, K2]


@settings(max_examples=40)
@given(tables(), st.sampled_from(SCORES), st.data())
def test_greedy_forward_and_never_above_the_best_of_its_order(table, kind, data):
    order, score = data.draw(st.permutations(table.variables)), kind(table)
    found = k3(score, order)
    assert found.score <= best_in_order(score, tuple(order)) + 1e-9
    for i, child in enumerate(order):
        parents, before = [], order[:i]
        assert set(found.graph.parents(child)) <= set(before)
        while True:  # the same once more, in the plainest words
            now = score.family(child, parents)
            better = [(score.family(child, [*parents, p]), p) for p in table.variables
                      if p in before and p not in parents and score.family(child, [*parents, p]) > now + 1e-9]
            if not better:
                break
            top = max(value for value, _ in better)
            parents.append(next(p for value, p in better if value >= top - 1e-9))
        assert set(parents) == set(found.graph.parents(child))


def test_the_candidates_are_those_before():
    began = k3(MDL(datasets.five_rows()), "ABCD").trace.only(Started)
    assert [len(step.candidates) for step in began] == [0, 1, 2, 3]


def test_the_five_rows_in_two_orders():
    score = MDL(datasets.five_rows())
    good, poor = k3(score, "ABCD"), k3(score, "DCBA")
    assert good.score == pytest.approx(-19.7521, abs=5e-5)
    assert poor.score < good.score - 0.1
    assert [(step.child, step.parent) for step in good.trace.only(Added)] == [("C", "A"), ("C", "B"), ("D", "B")]


def test_xor_is_not_found_in_any_order():
    for order in ("ABC", "CAB", "BCA"):
        found = k3(MDL(xor_table()), order)
        assert found.graph == DAG("A, B, C")
    last = found.trace.only(Finished)[-1]
    assert max(last.gains.values()) < 0
    assert "would lose" in str(last)


def test_the_limit_on_parents():
    score = MDL(datasets.five_rows())
    found = k3(score, "ABCD", max_parents=1)
    assert found.graph == DAG("A->C, B->D")
    assert "is over the limit" in str(found.trace.only(Finished)[2])


def test_orders_that_are_none():
    score = MDL(datasets.five_rows())
    with pytest.raises(ValueError, match="leaves out C, D; name every variable once"):
        k3(score, "AB")
    with pytest.raises(ValueError, match="A occurs twice"):
        k3(score, "ABCDA")
    with pytest.raises(UnknownVariable, match="no variable 'X'"):
        k3(score, "ABCX")
    assert k3(score, ["A", "B", "C", "D"]).graph == k3(score, "A, B, C, D").graph
