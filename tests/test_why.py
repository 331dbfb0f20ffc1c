"""result.why: the steps that decided about a pair, for every learner, from the trace alone."""

from itertools import combinations

import pytest

import bnteach as bn
from bnteach.why import LISTED
from tests.examples import LEARNERS, run, tables

DECIDES = ("branch_and_bound", "chow_liu", "exact", "hill_climb", "ilp", "k3", "kruskal", "minimal_imap", "mmhc", "pc",
           "prim", "structural_em")  # learners whose trace begins without edges, or tests every pair


@pytest.mark.parametrize("name", LEARNERS)
def test_every_pair_of_every_learner(name):
    found = run(name, next(tables()))
    for a, b in combinations(found.graph.nodes, 2):
        why = found.why(a, b)
        assert bool(why.edge) == found.graph.adjacent(a, b)
        assert (why.edge or f"{a} and {b} are not adjacent") in why.sentences()[0]
        numbers = [number for number, _, _ in why.steps]
        assert numbers == sorted(set(numbers)) and all(found.trace[i - 1] == step for i, step, _ in why.steps)
        assert len(why.table()) == len(why.steps) and why._repr_html_()
        assert [sentence for _, _, sentence in found.why(b, a).steps] == [
            sentence for _, _, sentence in why.steps] or name == "chow_liu"  # which names the pair as asked
        if name in DECIDES and why.edge:
            assert why.steps, (name, why.edge)


@pytest.mark.parametrize("name", [name for name in DECIDES if name in LEARNERS])
def test_the_last_step_that_draws_an_edge_is_among_the_reasons(name):
    found = run(name, next(tables()))
    last = {}
    for number, (_, drawing) in enumerate(found.trace.replay(), start=1):
        for pair in found.graph.skeleton if hasattr(found.graph, "skeleton") else found.graph.arcs:
            edge = drawing.edges.get(tuple(pair)) or drawing.edges.get(tuple(pair)[::-1])
            if edge is not None and last.get(tuple(pair), (0, None))[1] != edge.directed:
                last[tuple(pair)] = number, edge.directed
    for pair, (number, _) in last.items():
        first = number == 1  # the complete graph, which concerns no pair in particular
        assert first or number in [i for i, _, _ in found.why(*pair).steps], (pair, number)


def test_pc_names_the_test_that_removed_an_edge_and_the_rule_that_oriented_one():
    found = bn.pc(bn.DSeparation(bn.DAG("A->C, B->C, C->D")))
    *_, test, removed, unchanged = found.why("A", "D").steps
    assert test[2] == "A and D given C: independent." and test[0] == removed[0] - 1
    assert removed[2] == "Remove A-D; the separating set is S_AD = {C}." and "no v-structure" in unchanged[2]
    assert "orient A → C ← B" in str(found.why("A", "C"))
    assert "R1: C → D" in str(found.why("D", "C"))


def test_many_tests_are_summed_up_by_the_largest_p_value():
    found = bn.pc(bn.ChiSquare(bn.datasets.asia(2000, seed=3)))
    for a, b in found.graph.skeleton:
        tests = [s for s in found.trace.only("IndependenceTest") if {s.x, s.y} == {a, b}]
        said = str(found.why(a, b))
        if len(tests) > LISTED:
            assert f"{len(tests)} tests" in said and f"{max(t.p_value for t in tests):.3g}" in said
            break
    else:
        raise AssertionError("no edge of this example has many tests")


def test_the_rejected_edge_of_a_tree_closes_a_cycle():
    why = bn.chow_liu(bn.datasets.five_rows(), root="B").why("A", "B")
    assert str(why).splitlines() == [
        "A and B are not adjacent in the graph.", "step 1: the mutual information is 0.073; 4 of 6 pairs have more",
        "step 5: A-B would close a cycle with A-C-B, whose edges weigh as much or more"]


def test_a_loaded_result_says_the_same():
    found = bn.hill_climb(bn.MDL(bn.datasets.five_rows()), considered=True)
    again = bn.Result.from_json(found.to_json())
    assert str(again.why("A", "D")) == str(found.why("A", "D")) and "evaluated: add A->D" in str(found.why("A", "D"))


def test_the_picture_marks_the_pair():
    found = bn.hill_climb(bn.MDL(bn.datasets.five_rows()))
    assert "B to C labelled steps 3, 5 (kept)" in found.why("B", "C").picture.alt
    assert "A - B" in (alt := found.why("A", "B").picture.alt) and "(removed)" in alt


def test_wrong_names():
    found = bn.hill_climb(bn.MDL(bn.datasets.five_rows()))
    with pytest.raises(bn.UnknownVariable, match="there is no variable 'E'"):
        found.why("A", "E")
    with pytest.raises(ValueError, match="A is given twice"):
        found.why("A", "A")
