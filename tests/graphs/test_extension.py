"""Dor and Tarsi: an extension wherever there is one, and a clear refusal wherever there is none."""

import pytest

import bnteach as bn
from bnteach import DAG, PDAG, NoExtension
from bnteach.graphs.extension import NotLast, TookLast, dor_tarsi


def test_every_pdag_on_four_nodes(pdags_and_their_dags):
    """All 4,096: one of its DAGs if it has any, else NoExtension; and the list of its DAGs is complete."""
    refused = 0
    for pdag, dags in pdags_and_their_dags:
        if dags:
            assert bn.extend(pdag) in dags
            assert set(bn.equivalence_class(pdag)) == set(dags)
        else:
            refused += 1
            with pytest.raises(NoExtension):
                bn.extend(pdag)
    assert 500 < refused < 1000  # both happen


def test_extension_of_every_cpdag_on_five_nodes(classes_5):
    for members in classes_5[::4]:
        assert bn.extend(bn.cpdag(members[-1])) in members


def test_arrows_go_with_the_order_of_the_nodes_where_they_may():
    assert bn.extend(PDAG("A-B, B-C, A-C")) == DAG("A->B, A->C, B->C")
    assert bn.extend(PDAG("A-B, B-C", nodes="CBA")) == DAG("C->B, B->A")
    assert bn.extend(PDAG("A->B, C")) == DAG("A->B, C")
    assert bn.extend(DAG("B->A")) == DAG("B->A")


def test_the_trace():
    result = dor_tarsi(PDAG("A-B, A-C, B->D, C->D"))
    assert result.graph == DAG("A->B, A->C, B->D, C->D")
    assert [str(step) for step in result.trace] == [
        "Start from A-B, A-C, B->D, C->D.",
        "D can come last: take it away.",
        "C can come last: point A → C and take it away.",
        "B can come last: point A → B and take it away.",
        "A can come last: take it away."]
    assert [step.node for step in result.trace.only(TookLast)] == list("DCBA")
    last = list(result.trace.replay())[-1][1]
    assert last.edges["A", "C"].directed and last.nodes["D"] == "pruned"


def test_the_trace_says_who_cannot_come_last():
    told = dor_tarsi(PDAG("A-B, B-D, B->C", nodes="ADCB")).trace
    assert [str(step) for step in told[1:3]] == ["B cannot come last: B → C leads out of it.",
                                                 "C can come last: take it away."]
    assert [str(step) for step in told.only(NotLast)[1:]] == [
        "B cannot come last: A and D would meet in it without being adjacent."]


def test_no_extension_says_where_it_is_stuck():
    with pytest.raises(NoExtension, match="none of A, B, C, D can come last") as caught:
        bn.extend(PDAG("A-B, B-C, C-D, D-A, D->E"))
    assert caught.value.stuck == {
        "A": "B and D would meet in it without being adjacent", "B": "A and C would meet in it without being adjacent",
        "C": "B and D would meet in it without being adjacent", "D": "A and C would meet in it without being adjacent"}
    with pytest.raises(NoExtension, match="A: A → B leads out of it; B: B → C leads out of it; C: C → A leads out"):
        bn.extend(PDAG("A->B, B->C, C->A, D"))
    with pytest.raises(NoExtension):  # R1 twice: C->B and, the other way, B->C
        bn.extend(PDAG("A->B, B-C, D->C"))


def test_text_is_read():
    assert bn.extend("A-B, B-C") == DAG("A->B, B->C")
