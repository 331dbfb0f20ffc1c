"""Dor and Tarsi: an extension wherever there is one, and a clear error wherever there is none."""

import pytest

import bnteach as bn
from bnteach import DAG, PDAG, NoExtension
from bnteach.graphs.extension import NotASink, RemovedSink, dor_tarsi


def test_every_pdag_on_four_nodes(pdags_and_their_dags):
    """All 4,096: one of its DAGs if it has any, else NoExtension; and the list of its DAGs is complete."""
    without = 0
    for pdag, dags in pdags_and_their_dags:
        if dags:
            assert bn.extend(pdag) in dags
            assert set(bn.equivalence_class(pdag)) == set(dags)
        else:
            without += 1
            with pytest.raises(NoExtension):
                bn.extend(pdag)
    assert 500 < without < 1000  # both occur


def test_extension_of_every_cpdag_on_five_nodes(classes_5):
    for members in classes_5[::4]:
        assert bn.extend(bn.cpdag(members[-1])) in members


def test_arcs_follow_the_order_of_the_nodes_where_they_may():
    assert bn.extend(PDAG("A-B, B-C, A-C")) == DAG("A->B, A->C, B->C")
    assert bn.extend(PDAG("A-B, B-C", nodes="CBA")) == DAG("C->B, B->A")
    assert bn.extend(PDAG("A->B, C")) == DAG("A->B, C")
    assert bn.extend(DAG("B->A")) == DAG("B->A")


def test_the_trace():
    result = dor_tarsi(PDAG("A-B, A-C, B->D, C->D"))
    assert result.graph == DAG("A->B, A->C, B->D, C->D")
    assert [str(step) for step in result.trace] == [
        "Start from A-B, A-C, B->D, C->D.",
        "D can be a sink: remove it.",
        "C can be a sink: orient A → C and remove it.",
        "B can be a sink: orient A → B and remove it.",
        "A can be a sink: remove it."]
    assert [step.node for step in result.trace.only(RemovedSink)] == list("DCBA")
    last = list(result.trace.replay())[-1][1]
    assert last.edges["A", "C"].directed and last.nodes["D"] == "removed"


def test_the_trace_says_which_nodes_cannot_be_sinks():
    trace = dor_tarsi(PDAG("A-B, B-D, B->C", nodes="ADCB")).trace
    assert [str(step) for step in trace[1:3]] == ["B cannot be a sink: the arc B → C leaves it.",
                                                  "C can be a sink: remove it."]
    assert [str(step) for step in trace.only(NotASink)[1:]] == [
        "B cannot be a sink: A → B ← D would be a new v-structure."]


def test_no_extension_says_where_it_is_stuck():
    with pytest.raises(NoExtension, match="none of A, B, C, D can be a sink") as caught:
        bn.extend(PDAG("A-B, B-C, C-D, D-A, D->E"))
    assert caught.value.stuck == {
        "A": "B → A ← D would be a new v-structure", "B": "A → B ← C would be a new v-structure",
        "C": "B → C ← D would be a new v-structure", "D": "A → D ← C would be a new v-structure"}
    with pytest.raises(NoExtension, match="A: the arc A → B leaves it; B: the arc B → C leaves it; C: the arc C → A"):
        bn.extend(PDAG("A->B, B->C, C->A, D"))
    with pytest.raises(NoExtension):  # R1 twice: C->B and, the other way, B->C
        bn.extend(PDAG("A->B, B-C, D->C"))


def test_text_is_read():
    assert bn.extend("A-B, B-C") == DAG("A->B, B->C")
