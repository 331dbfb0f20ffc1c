"""The integer program against brute force and exact search, its cuts, and what it reports about its limit."""

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnteach import AIC, BIC, K2, MDL, BDeu, DataError, datasets, exact, ilp
from bnteach.learn.search.cutting_planes import Program, cycles, most_violated
from bnteach.learn.search.parent_sets import undominated
from bnteach.learn.search.ties import TOLERANCE
from bnteach.learn.steps.ilp import Limited, Listed, Relaxed, Solved
from tests.learn.brute_force import best_score, family_table, names_of, xor_table
from tests.random_tables import random_table, tables

SCORES = [AIC, MDL, BIC, BDeu, K2]


@settings(max_examples=20)
@given(tables(), st.sampled_from(SCORES), st.booleans())
def test_the_best_of_all_dags(table, kind, relax):
    score = kind(table)
    found = ilp(score, relax=relax)
    assert found.score == pytest.approx(best_score(score), abs=1e-9)
    assert found.score == pytest.approx(score(found.graph), abs=1e-9)
    assert found.limited is False


@settings(max_examples=25)
@given(tables(least=3), st.sampled_from(SCORES), st.integers(0, 2))
def test_the_limit_on_parents_and_what_is_known_about_it(table, kind, limit):
    score = kind(table)
    found = ilp(score, max_parents=limit)
    best, limited = best_score(score), best_score(score, limit)
    assert found.score == pytest.approx(limited, abs=1e-7)
    if found.limited is not None:
        assert found.limited is (best > limited + TOLERANCE)


def test_it_is_known_that_a_limit_excludes_nothing_or_something():
    """False by the upper bounds of larger sets, True by one more parent of the graph that was found, otherwise None."""
    score = BIC(random_table(3, 5, 40))
    known = {limit: ilp(score, max_parents=limit).limited for limit in range(5)}
    assert known[0] is True and known[3] is False and known[4] is False
    assert ilp(MDL(xor_table()), max_parents=1).limited is None  # two more parents would raise the score, one does not
    assert ilp(BDeu(datasets.asia(100)), max_parents=3).limited is None  # a score without an upper bound


@pytest.mark.parametrize("kind", [BIC, BDeu])
def test_asia(kind):
    score = kind(datasets.asia(1000))
    assert ilp(score).score == pytest.approx(exact(score).score, abs=1e-8)


def test_twelve_variables_of_alarm():
    table = datasets.alarm(1000)
    score = BIC(table.select(*table.variables[:12]))
    assert ilp(score).score == pytest.approx(exact(score).score, abs=1e-8)


def test_twenty_variables_with_at_most_three_parents():
    score = BIC(datasets.child(300))
    found = ilp(score, max_parents=3)
    assert found.score == pytest.approx(exact(score, max_parents=3).score, abs=1e-8)
    assert max(len(found.graph.parents(x)) for x in found.graph) <= 3


def test_the_five_rows_round_by_round():
    found = ilp(MDL(datasets.five_rows()), relax=False)
    rounds = found.trace.only(Solved)
    assert found.score == pytest.approx(-19.7521, abs=5e-5)
    assert rounds[0].score == pytest.approx(-18.8548, abs=5e-5)  # every variable with its best parents, cycles or not
    assert [bool(step.clusters) for step in rounds] == [True] * (len(rounds) - 1) + [False]
    assert found.rounds == len(rounds) > 1 and found.cuts == rounds[-1].cuts


def test_the_drawing_shows_cycles_and_ends_in_the_graph():
    found = ilp(MDL(datasets.five_rows()), relax=False)
    frames = [drawing.copy() for _, drawing in found.trace.replay()]
    assert any(edge.label == "both directions" and not edge.directed for edge in frames[1].edges.values())
    frames[-1].next_step()
    assert {pair for pair, edge in frames[-1].edges.items() if edge.style != "removed"} == set(found.graph.arcs)


def test_every_round_gives_an_upper_bound():
    score = BIC(random_table(11, 7, 80))
    found, best = ilp(score, relax=False), exact(score).score
    bounds = [step.score for step in found.trace.only(Solved)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[-1] == pytest.approx(best, abs=1e-8)
    (relaxed,) = ilp(score).trace.only(Relaxed)
    assert relaxed.bound >= best - 1e-6


def test_xor_is_found():
    assert len(ilp(MDL(xor_table())).graph.arcs) == 2


@settings(max_examples=25)
@given(tables(), st.sampled_from([AIC, MDL, BDeu]))
def test_sets_that_are_left_out_are_never_needed(table, kind):
    """Among any candidates, the best undominated set is as good as the best of all sets."""
    score = kind(table)
    every = family_table(score)
    for x, child in enumerate(table.variables):
        kept = undominated(score, child)
        assert kept.complete
        for parents, value in kept.sets.items():
            for size in range(len(parents)):
                assert all(value > score.family(child, fewer) for fewer in combinations(parents, size))
        for mask in (m for m in range(2 ** len(table.variables)) if not m >> x & 1):
            allowed = set(names_of(mask, table.variables))
            best = max(value for parents, value in kept.sets.items() if set(parents) <= allowed)
            within = [m for m in range(mask + 1) if m & ~mask == 0]
            assert best == pytest.approx(every[x, within].max(), abs=1e-8)


def test_a_set_can_be_dominated_by_one_much_smaller():
    """{A, C, D} is better than all sets of two of them, and still no better than fewer."""
    score = AIC(random_table(23, 5, 20, most_states=2))
    value = score.family("E", "ACD")
    assert all(value > score.family("E", pair) for pair in combinations("ACD", 2))
    assert ("A", "C", "D") not in undominated(score, "E").sets


def test_fewer_sets_are_evaluated_and_kept():
    listed = ilp(MDL(datasets.asia(1000))).trace[0]
    assert isinstance(listed, Listed)
    assert listed.kept < listed.evaluated < 8 * 2**7


@settings(max_examples=100)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).filter(lambda arc: arc[0] != arc[1]), max_size=14))
def test_cycles_are_clusters_in_which_all_have_a_parent(arcs):
    families = {str(x): tuple(sorted({str(a) for a, b in arcs if b == x})) for x in range(7)}
    found = cycles(families)
    assert (found == ()) == nx.is_directed_acyclic_graph(nx.DiGraph(arcs))
    for cluster in found:
        assert all(set(families[x]) & set(cluster) for x in cluster)


def test_the_most_violated_cluster_of_a_fractional_solution():
    families = [("A", ("B",)), ("A", ("C",)), ("B", ("C",)), ("C", ("A",))]
    assert most_violated("ABC", families, np.array([0.0, 1.0, 0.0, 1.0])) == ("A", "C")
    # A has B as its parent by half and C by half, B has C, C has A: {A, C} has 1.5 families inside, all three have 3
    assert most_violated("ABC", families, np.array([0.5, 0.5, 1.0, 1.0])) == ("A", "B", "C")
    assert most_violated("ABC", families, np.array([0.5, 0.5, 1.0, 0.0])) is None


def test_the_limit_is_reported():
    score = MDL(datasets.five_rows())
    tight, wide = ilp(score, max_parents=1), ilp(score, max_parents=2)
    assert tight.score == pytest.approx(-20.2266, abs=5e-5)  # the tree
    assert tight.limited is None and wide.limited is False
    assert str(tight.trace[-1]) == ("the limit of 1 parent may exclude a better graph: "
                                    "larger parent sets were not evaluated")
    assert str(wide.trace[-1]) == ("the limit of 2 parents excludes no better graph: "
                                   "no larger parent set can raise the score of its child")
    assert not ilp(score).trace.only(Limited)
    child = ilp(BIC(datasets.child(300)), max_parents=1)
    assert child.limited is True
    assert "excludes a better graph: with " in str(child.trace[-1]) and "would gain" in str(child.trace[-1])


def test_nothing_to_choose():
    found = ilp(MDL(datasets.five_rows()), max_parents=0)
    assert found.graph.arcs == ()
    program = Program([undominated(MDL(datasets.five_rows()), "A", 0)])
    assert program.solve() == {"A": ()}
    with pytest.raises(DataError):
        ilp(BDeu({"x": [0.5, 1.5]}))
