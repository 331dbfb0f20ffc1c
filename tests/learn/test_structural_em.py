"""Structural EM: two searches whose score never decreases, and whose result is close to that of complete data."""

from itertools import pairwise
from math import e

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.learn.hill_climb import Moved, hill_climb
from bnteach.learn.steps.structural_em import Best, GraphStep, Start
from bnteach.learn.structural_em import structural_em
from bnteach.models.em import Iteration, Started
from tests.models.random_networks import networks


def values(trace):
    """The scores of the graphs, start by start."""
    runs = []
    for step in trace:
        if isinstance(step, Start):
            runs.append([])
        elif isinstance(step, GraphStep) and not isinstance(step, Best):
            runs[-1].append(step.score)
    return runs


@given(networks(max_nodes=5), st.integers(0, 2**16), st.sampled_from(["BIC", "MDL", "AIC"]))
@settings(max_examples=30)
def test_the_score_never_decreases(network, seed, score):
    table = bn.with_missing(network.sample(60, seed=seed), .25, seed)
    found = structural_em(table, score, restarts=2, seed=seed)
    runs = values(found.trace)
    assert len(runs) == 3
    for run in runs:
        assert all(after >= before - 1e-6 for before, after in pairwise(run))
    assert found.score == pytest.approx(max(run[-1] for run in runs), abs=.002)


def test_the_inner_search_begins_where_the_score_is_higher_already():
    table = bn.with_missing(bn.datasets.asia(1000), .3, seed=1)
    found = structural_em(table, start=bn.DAG((), table.variables), restarts=2)
    penalty, checked = bn.BIC(bn.datasets.asia(1000)).penalty, 0
    steps = [step for step in found.trace if isinstance(step, Start | Started | GraphStep)]
    for before, begin, after in zip(steps, steps[1:], steps[2:]):
        if isinstance(before, GraphStep) and isinstance(begin, Started):  # hill climbing has changed the graph
            assert begin.log_likelihood - penalty * bn.dimension(after.graph, table) > before.score
            checked += 1
    assert checked >= 3


def test_the_best_of_several_starts_counts():
    table = bn.with_missing(bn.datasets.asia(2000), .2)
    found = structural_em(table, start=bn.DAG((), table.variables), restarts=3)
    final = [run[-1] for run in values(found.trace)]
    assert final[0] < max(final) - 1 and found.score == pytest.approx(max(final), abs=.002)
    penalty = bn.BIC(bn.datasets.asia(2000)).penalty * bn.dimension(found.graph, table)
    assert found.score == pytest.approx(found.network.log_likelihood(table, base=e) - penalty, abs=.01)


def test_the_score_is_the_observed_data_log_likelihood_less_the_penalty():
    table = bn.with_missing(bn.datasets.asia(500), .2)
    for score, base in (("BIC", e), ("MDL", 2), (bn.AIC, e)):
        found = structural_em(table, score)
        kind = getattr(bn, score) if isinstance(score, str) else score
        fit = found.network.log_likelihood(table, base=base)
        penalty = kind(table.complete_rows()).penalty if kind is bn.AIC else kind(bn.datasets.asia(500)).penalty
        assert found.score == pytest.approx(fit - penalty * bn.dimension(found.graph, table), abs=1e-6)
        assert found.graph == found.network.dag


def test_complete_data_give_what_hill_climbing_gives():
    table = bn.datasets.asia(1000)
    found, climbed = structural_em(table), hill_climb(bn.BIC(table))
    assert found.graph == climbed.graph and found.score == pytest.approx(climbed.score)
    ideal = bn.fit(climbed.graph, table)
    assert all(found.network.cpts[n] == pytest.approx(ideal.cpts[n]) for n in ideal.dag.nodes)


def test_a_tenth_missing_costs_asia_little():
    truth, table = bn.datasets.network("asia").dag, bn.datasets.asia(10_000)
    complete = bn.compare(hill_climb(bn.BIC(table)), truth)
    incomplete = bn.compare(structural_em(bn.with_missing(table, .1)), truth)
    assert complete.f1 > .9 and incomplete.f1 >= complete.f1 - .05


def test_it_learns_more_than_the_complete_rows_alone():
    truth, table = bn.datasets.network("asia").dag, bn.with_missing(bn.datasets.asia(500, seed=12), .3, seed=2)
    rows = bn.compare(hill_climb(bn.BIC(table.complete_rows())), truth)
    assert len(table.complete_rows()) < 50
    assert bn.compare(structural_em(table, restarts=3), truth).f1 > rows.f1


def test_the_trace_reports_both_searches_and_the_seed_decides():
    table = bn.with_missing(bn.datasets.asia(300), .2)
    found = structural_em(table, restarts=2, seed=5)
    assert found.trace.only(Iteration) and found.trace.only(Moved) and len(found.trace.only(Start)) == 3
    assert found.trace == structural_em(table, restarts=2, seed=5).trace
    assert found.trace != structural_em(table, restarts=2, seed=6).trace
    (_, first), *_, (last, drawing) = found.trace.replay()
    assert tuple(first.nodes) == table.variables and isinstance(last, Best)
    assert {pair for pair, line in drawing.edges.items() if line.style != "removed"} == set(found.graph.arcs)


def test_no_complete_row_and_other_scores():
    table = bn.with_missing(bn.datasets.asia(40), .45, seed=3)
    with pytest.raises(bn.DataError, match="each of the 40 rows has a missing value"):
        table.complete_rows()
    assert "no arcs" in str(structural_em(table).trace[0])
    assert structural_em(bn.with_missing(bn.datasets.asia(500), .1), "BDeu", max_parents=1).graph.arcs
    assert "the graph given" in str(structural_em(table, start=bn.DAG((), table.variables)).trace[0])


@pytest.mark.parametrize(("ask", "message"), [
    (lambda t: structural_em(t, "bick"), "score='bick' is not a kind of score; use one of BIC, MDL"),
    (lambda t: structural_em(t, bn.BIC(t.complete_rows())), "is not a kind of score.*a new score for each network"),
    (lambda t: structural_em(t, start="A->B"), "has no node asia"),
    (lambda t: structural_em({"A": [None, None]}), "has no values"),
])
def test_bad_input_says_what_to_do(ask, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ask(bn.with_missing(bn.datasets.asia(50), .1))


@pytest.mark.parametrize("kind", ["BDeu", "K2", "BIC"])
def test_the_best_graph_on_the_way_is_the_result(kind):
    for seed in range(6):
        table = bn.with_missing(bn.datasets.asia(30, seed=seed).select("smoke", "lung", "bronc", "dysp"), .4, seed=seed)
        found = bn.structural_em(table, score=kind)
        assert found.score == max(step.score for step in found.trace.only("GraphStep"))


def test_random_starts_obey_the_limit():
    table = bn.with_missing(bn.datasets.asia(200, seed=1), .1, seed=1)
    found = bn.structural_em(table, restarts=3, max_parents=1)
    assert all(len(step.graph.parents(x)) <= 1 for step in found.trace.only("GraphStep") for x in table.variables)
