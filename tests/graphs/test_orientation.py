"""The four rules: an example of each by hand, and soundness and completeness by trying all PDAGs on four nodes."""

import pytest

import bnteach as bn
from bnteach import PDAG
from bnteach.graphs.orientation import (
    RULES_WITH_KNOWLEDGE,
    Oriented,
    closure,
    next_orientation,
    orient,
    rule_1,
    rule_2,
    rule_3,
    rule_4,
)


@pytest.mark.parametrize("rule, before, arc", [
    (rule_1, "A->B, B-C", ("B", "C")),
    (rule_2, "A->B, B->C, A-C", ("A", "C")),
    (rule_3, "A-B, A-C, A-D, C->B, D->B", ("A", "B")),
    (rule_4, "A-B, A-C, A-D, C->D, D->B", ("A", "B")),
])
def test_each_rule_by_hand(rule, before, arc):
    found = rule(PDAG(before))
    assert found.arc == arc and found.rule == f"R{rule.__name__[-1]}"
    others = [other for other in RULES_WITH_KNOWLEDGE if other is not rule]
    assert not any(other(PDAG(before)) for other in others)  # so that this rule alone applies


@pytest.mark.parametrize("rule, graph", [
    (rule_1, "A->B, B-C, A-C"),  # adjacent: no v-structure
    (rule_1, "A-B, B-C"),
    (rule_2, "A->B, C->B, A-C"),
    (rule_2, "A->B, B-C, A-C"),
    (rule_3, "A-B, A-C, A-D, C->B, D->B, C-D"),
    (rule_3, "A-B, A-C, D->A, C->B, D->B"),
    (rule_4, "A-B, A-C, C->D, D->B"),  # A and D not adjacent
    (rule_4, "A-B, A-C, A-D, C->D, D->B, C-B"),
])
def test_where_a_rule_must_not_apply(rule, graph):
    assert rule(PDAG(graph)) is None


def test_the_rules_are_sound(pdags_and_their_dags):
    """An orientation by a rule is in every DAG that the PDAG represents; and each rule finds some."""
    used = dict.fromkeys(RULES_WITH_KNOWLEDGE, 0)
    for pdag, dags in pdags_and_their_dags:
        for rule in RULES_WITH_KNOWLEDGE:
            found = rule(pdag)
            if found and dags:
                used[rule] += 1
                assert pdag.has_edge(*found.arc)
                assert all(dag.has_arc(*found.arc) for dag in dags), (pdag, found)
    assert all(count > 0 for count in used.values()), used


def test_with_the_fourth_rule_they_are_complete(pdags_and_their_dags):
    """An edge that no rule orients has one direction in some of the DAGs and the other in others."""
    fourth_needed = 0
    for pdag, dags in pdags_and_their_dags:
        if dags:
            common = set.intersection(*(set(dag.arcs) for dag in dags))
            assert set(closure(pdag, RULES_WITH_KNOWLEDGE).arcs) == common, pdag
            fourth_needed += set(closure(pdag).arcs) != common
    assert fourth_needed > 0


def test_a_pattern_never_needs_the_fourth_rule(classes_4):
    for members in classes_4:
        assert rule_4(closure(bn.pattern(members[0]))) is None


def test_the_trace_of_a_chain_of_orientations():
    result = orient(PDAG("A->B, C->B, B-D, D-E"))
    assert orient("A->B, C->B, B-D, D-E").graph == result.graph
    assert result.graph == PDAG("A->B, C->B, B->D, D->E")
    assert [step.arc for step in result.trace.only(Oriented)] == [("B", "D"), ("D", "E")]
    assert str(result.trace[1]) == ("R1: B → D, since A → B and A, D are not adjacent: "
                                    "B ← D would be a new v-structure.")
    last = list(result.trace.replay())[-1][1]
    assert last.edges["D", "E"].directed and last.edges["D", "E"].style == "oriented"
    assert last.edges["A", "B"].directed and last.edges["A", "B"].style == "plain"


@pytest.mark.parametrize("before, sentence", [
    ("A->B, B->C, A-C", "R2: A → C, since A → B → C: A ← C would close a cycle."),
    ("A-B, A-C, A-D, C->B, D->B", "R3: A → B, since A ← B would force C → A ← D (no cycle through C → B or D → B), "
                                  "a new v-structure."),
    ("A-B, A-C, A-D, C->D, D->B", "R4: A → B, since A ← B would force A → C (no new v-structure at A), and "
                                  "A → C → D → B → A is a cycle."),
])
def test_the_reasons_in_words(before, sentence):
    assert str(next_orientation(PDAG(before), RULES_WITH_KNOWLEDGE)) == sentence
