"""Branch and bound: the best for every order, every set visited or pruned, every bound a bound."""

from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnteach import AIC, BIC, K2, MDL, BDeu, LogLikelihood, Measurements, branch_and_bound, datasets, entropy, k3
from bnteach.learn.branch_and_bound import sets_below
from bnteach.learn.steps.branch_and_bound import Chosen, Incumbent, Pruned, Started, Visited, tree_edges
from tests.learn.brute_force import best_in_order, best_score, xor_table
from tests.random_tables import random_table, tables

SCORES = [LogLikelihood, AIC, MDL, BIC]


@settings(max_examples=40)
@given(tables(), st.sampled_from(SCORES), st.sampled_from(["given", "entropy"]), st.data())
def test_the_best_of_an_order(table, kind, candidates, data):
    order, score = tuple(data.draw(st.permutations(table.variables))), kind(table)
    found = branch_and_bound(score, order, candidates=candidates)
    assert found.score == pytest.approx(best_in_order(score, order), abs=1e-8)
    assert found.visited + found.pruned == sum(2**i for i in range(len(order)))
    assert all(order.index(a) < order.index(b) for a, b in found.graph.arcs)


@settings(max_examples=6)
@given(tables(most=4), st.sampled_from(SCORES))
def test_over_all_orders_the_best_of_all(table, kind):
    score = kind(table)
    best = max(branch_and_bound(score, order).score for order in permutations(table.variables))
    assert best == pytest.approx(best_score(score), abs=1e-9)


def test_over_all_orders_of_five_variables():
    score = MDL(random_table(4, 5, 50))
    best = max(branch_and_bound(score, order).score for order in permutations("ABCDE"))
    assert best == pytest.approx(best_score(score), abs=1e-9)


def test_the_five_rows():
    score = MDL(datasets.five_rows())
    assert branch_and_bound(score, "ABCD").score == pytest.approx(-19.7521, abs=5e-5)
    assert max(branch_and_bound(score, order).score for order in permutations("ABCD")) == pytest.approx(
        -19.7521, abs=5e-5)


def test_xor_is_found():
    found = branch_and_bound(MDL(xor_table()), "ABC")
    assert found.graph.parents("C") == ("A", "B")


@settings(max_examples=30)
@given(tables(least=4), st.sampled_from([AIC, MDL]))
def test_no_pruned_set_was_better_than_the_bound_or_the_best(table, kind):
    score, order = kind(table), table.variables
    found = branch_and_bound(score, order)
    for step in found.trace.only(Pruned, Visited):
        later = order[order.index(step.parents[-1]) + 1 if step.parents else 0:order.index(step.child)]
        below = [score.family(step.child, (*step.parents, *more)) for size in range(len(later) + 1)
                 for more in combinations(later, size)]
        assert max(below) <= step.bound + 1e-9
        if isinstance(step, Pruned):
            assert step.below == len(below)
            assert max(below) <= step.best + 2e-9


def test_the_slides_tree():
    """X5 with X1 to X4: 16 sets, and at and below {X2} the four between {X2} and {X2, X3, X4}."""
    candidates = ("X1", "X2", "X3", "X4")
    lines = tree_edges(candidates)
    sets = {(), *(below for _, below in lines)}
    assert len(lines) == 15 and len(sets) == 16 == sets_below(4, 4)
    below = [s for s in sets if s[:1] == ("X2",)]
    assert sorted(below) == [("X2",), ("X2", "X3"), ("X2", "X3", "X4"), ("X2", "X4")]
    assert len(below) == sets_below(2, 3) == 4


def test_the_slides_bound():
    """On the five rows, for D at {B} with A, B, C to choose from: the family's penalty, not that of B alone."""
    score = MDL(datasets.five_rows())
    bound = score.upper_bound("D", ("B",), ("C",))
    left = 5 * entropy(score.data, "D", given="BC")
    assert bound == pytest.approx(-left - np.log2(5) / 2 * 2, abs=1e-9)
    assert bound == pytest.approx(-5.0768, abs=5e-5)
    assert -left - np.log2(5) / 2 == pytest.approx(-3.9159, abs=5e-5)


def test_candidates_by_entropy_prune_more():
    score = BIC(datasets.asia(500))
    order = datasets.network("asia").dag.order
    given_, sorted_ = branch_and_bound(score, order), branch_and_bound(score, order, candidates="entropy")
    assert sorted_.score == pytest.approx(given_.score, abs=1e-9)
    assert sorted_.visited < given_.visited
    for step in sorted_.trace.only(Started):
        left = [entropy(score.data, step.child, given=[name]) for name in step.candidates]
        assert left == sorted(left)


def test_real_numbers_and_many_cells():
    random = np.random.default_rng(1)
    x = random.normal(size=(60, 5))
    x[:, 3] += x[:, 0] * 2 - x[:, 2]
    score = BIC(Measurements(dict(zip("vwxyz", x.T))))
    assert branch_and_bound(score, "vwxyz").score == pytest.approx(best_in_order(score, tuple("vwxyz")), abs=1e-9)
    alarm = MDL(datasets.alarm(50))
    assert alarm.upper_bound("HISTORY", (), alarm.variables[1:]) == -alarm.penalty * alarm.parameters("HISTORY")


def test_the_limit_on_parents():
    score = LogLikelihood(datasets.five_rows())
    found = branch_and_bound(score, "ABCD", max_parents=1)
    assert all(len(found.graph.parents(x)) <= 1 for x in "ABCD")
    assert found.visited + found.pruned == 1 + 2 + 3 + 4


@settings(max_examples=30)
@given(tables(least=4), st.sampled_from([AIC, MDL]), st.integers(0, 3))
def test_visited_and_pruned_sets_are_all_within_the_limit_on_parents(table, kind, limit):
    order = table.variables
    found = branch_and_bound(kind(table), order, max_parents=limit)
    every = [sum(1 for size in range(limit + 1) for _ in combinations(order[:i], size)) for i in range(len(order))]
    assert [step.visited + step.pruned for step in found.trace.only(Chosen)] == every
    assert found.visited + found.pruned == sum(every)
    for step in found.trace.only(Pruned):
        below = [more for size in range(limit - len(step.parents) + 1) for more in combinations(step.later, size)]
        assert step.below == len(below)


def test_the_tree_can_be_drawn_with_pruned_parts():
    found = branch_and_bound(MDL(datasets.five_rows()), "ABCD")
    tree = found.tree("D")
    assert len(tree.nodes) == 8 and len(tree.edges) == 7
    (chosen,) = found.search("D").only(Chosen)
    assert tree.nodes["D | B"] == "kept"
    assert sum(look == "pruned" for look in tree.nodes.values()) == chosen.pruned
    assert len(found.search("A")) == 3
    with pytest.raises(ValueError, match="no search for the parents of 'X'"):
        found.tree("X")
    many = branch_and_bound(MDL(random_table(2, 7, 40)), "ABCDEFG")
    assert list(many.tree("G").nodes) == ["G"]  # 64 sets are not drawn


def test_labels_have_the_score_and_the_bound_of_each_set_that_was_met():
    found = branch_and_bound(MDL(datasets.five_rows()), "ABCD")
    labels = found.labels("D")
    assert labels["D"] == "{} score -6.02, bound -3.92"
    assert labels["D | B"] == "{B} score -5.57, bound -5.08"
    assert labels["D | A, B"] == "{A, B} bound -7.40"
    assert set(found.tree("D").nodes) - set(labels) == {"D | A, B, C"}  # below a pruned set: no bound was computed


def test_bad_input_is_explained():
    table = datasets.five_rows()
    for score in (BDeu(table), K2(table)):
        with pytest.raises(ValueError, match=f"not {type(score).__name__}. Use bn.exact"):
            branch_and_bound(score, "ABCD")
    with pytest.raises(ValueError, match="candidates='best' is unknown"):
        branch_and_bound(MDL(table), "ABCD", candidates="best")
    with pytest.raises(ValueError, match="leaves out D"):
        branch_and_bound(MDL(table), "ABC")


@settings(max_examples=25)
@given(tables(least=3), st.sampled_from(SCORES), st.data())
def test_a_start_prunes_more_and_changes_no_score(table, kind, data):
    order, score = tuple(data.draw(st.permutations(table.variables))), kind(table)
    plain, found = branch_and_bound(score, order), branch_and_bound(score, order, start=k3(score, order))
    assert found.score == pytest.approx(plain.score, abs=1e-6)
    assert found.visited <= plain.visited and found.visited + found.pruned == plain.visited + plain.pruned
    (first, *_) = found.trace.only(Incumbent)
    assert str(first).startswith("start from {}, the parents in the graph given: score ")


def test_a_start_must_follow_the_order():
    score = MDL(datasets.five_rows())
    with pytest.raises(ValueError, match="D->B does not follow the order A, B, C, D: start from a graph"):
        branch_and_bound(score, "ABCD", start="A->C, D->B")
    with pytest.raises(ValueError, match="A->C is forbidden"):
        branch_and_bound(score, "ABCD", start="A->C, B, D", forbidden="A->C")


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(SCORES), st.data())
def test_the_constraints(seed, kind, data):
    """The best sets among those that the constraints allow, each tried."""
    score, order = kind(random_table(seed, 4, 30)), ("A", "B", "C", "D")
    chosen = data.draw(st.lists(st.sampled_from(list(combinations(order, 2))), max_size=4, unique=True))
    required, forbidden, limit = chosen[:1], chosen[1:], data.draw(st.sampled_from([None, 1, 2]))
    found = branch_and_bound(score, order, max_parents=limit, required=required, forbidden=forbidden)
    best = 0.0
    for i, child in enumerate(order):
        always, never = ({a for a, b in arcs if b == child} for arcs in (required, forbidden))
        best += max(score.family(child, parents) for size in range(1 + (i if limit is None else min(i, limit)))
                    for parents in combinations(order[:i], size) if always <= set(parents) and not never & set(parents))
    assert found.score == pytest.approx(best, abs=1e-6)
    assert set(required) <= set(found.graph.arcs) and not set(forbidden) & set(found.graph.arcs)


def test_required_arcs_and_tiers_in_words():
    score = MDL(datasets.five_rows())
    found = branch_and_bound(score, "ABCD", required="A->D", tiers=["AB", "CD"])
    assert str(found.search("D")[0]) == "D has 4 parent sets among B, C, each with A"
    assert found.tree("D").nodes[f"D | {', '.join(found.search('D')[-1].parents)}"] == "kept"
    with pytest.raises(ValueError, match="D->A is required, and A precedes D in the order"):
        branch_and_bound(score, "ABCD", required="D->A")
    assert str(branch_and_bound(score, "ABCD", required="A->B", forbidden="A->C, B->C").search("C")[0]) == (
        "C has no candidate parents")


def test_more_variables_than_rows():
    few = Measurements(dict(zip("ABCDEFGH", np.random.default_rng(4).normal(size=(6, 8)).T)))
    found = branch_and_bound(BIC(few), "ABCDEFGH", max_parents=2)
    best = sum(max(BIC(few).family(child, parents) for size in range(min(i, 2) + 1)
                   for parents in combinations("ABCDEFGH"[:i], size)) for i, child in enumerate("ABCDEFGH"))
    assert found.score == pytest.approx(best, abs=1e-9)
