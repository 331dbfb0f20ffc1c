"""Max-min hill climbing: against a plain reading of the paper, against d-separation, and on known networks."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.learn.mmhc import mmhc, mmpc
from bnteach.learn.steps.hill_climb import Moved
from bnteach.learn.steps.mmhc import Added, Allowed, Chosen, NotTested, OneSided, Removed, Weakened


def subsets(names):
    return [part for size in range(len(names) + 1) for part in combinations(names, size)]


def plain_mmpc(oracle):
    """Algorithms 1 and 2 of Tsamardinos, Brown and Aliferis, word by word, without a cache."""
    def association(x, t, given):
        verdict = oracle(x, t, given)
        return (0, 0, 0) if verdict else (1, -(verdict.p_value or 0), verdict.statistic or 0)

    chosen = {}
    for t in oracle.variables:
        cpc = []
        while True:
            left = [x for x in oracle.variables if x != t and x not in cpc]
            weakest = {x: min(association(x, t, s) for s in subsets(cpc)) for x in left}
            best = max(left, key=weakest.get, default=None)
            if best is None or weakest[best] == (0, 0, 0):
                break
            cpc.append(best)
        for x in list(cpc):
            if any(oracle(x, t, s) for s in subsets([y for y in cpc if y != x])):
                cpc.remove(x)
        chosen[t] = cpc
    return {frozenset((a, b)) for a in chosen for b in chosen[a] if a in chosen[b]}


def edges(graph):
    return {frozenset(pair) for pair in graph.skeleton}


@pytest.mark.parametrize("make", [
    lambda: bn.GSquare(bn.datasets.asia(3000, seed=1), adjust=True), lambda: bn.ChiSquare(bn.datasets.asia(500), .01),
    lambda: bn.GSquare(bn.datasets.child(1000), adjust=True), lambda: bn.ChiSquare(bn.datasets.five_rows(), .4),
    lambda: bn.DSeparation(bn.datasets.network("asia").dag)])
def test_candidates_are_those_of_the_paper(make):
    assert edges(mmpc(make()).graph) == plain_mmpc(make())


@st.composite
def dags(draw, limit=6):
    names = "ABCDEF"[: draw(st.integers(2, limit))]
    order = draw(st.permutations(names))
    return bn.DAG([pair for pair in combinations(order, 2) if draw(st.booleans())], names)


@given(dags())
@settings(max_examples=80)
def test_an_oracle_without_errors_loses_no_edge(dag):
    assert edges(dag) <= edges(mmpc(bn.DSeparation(dag)).graph)


def test_an_oracle_without_errors_gives_the_skeletons_of_all_small_dags():
    wrong = [dag for dag in bn.all_dags("ABCD") if edges(mmpc(bn.DSeparation(dag)).graph) != edges(dag)]
    assert not wrong


def test_hill_climbing_uses_candidate_edges_only_and_ends_in_a_local_optimum():
    table = bn.datasets.child(2000)
    found, score = mmhc(table), bn.BIC(table)
    assert edges(found.graph) <= edges(found.candidates)
    assert found.score == pytest.approx(score(found.graph))
    for a, b in found.candidates.skeleton:
        for x, y in ((a, b), (b, a)):
            if not found.graph.adjacent(a, b) and x not in found.graph.descendants(y):
                assert score(found.graph.with_arc(x, y)) <= found.score + 1e-6


def test_the_trace_reports_both_halves():
    found = mmhc(bn.datasets.asia(2000))
    assert [type(step) for step in found.trace.only(Allowed)] == [Allowed]
    assert len(found.trace.only(Chosen)) == 8 and found.trace.only(Added) and found.trace.only(Moved)
    allowed = found.trace.only(Allowed)[0]
    assert allowed.edges == found.candidates.skeleton and allowed.tests == found.tests
    chosen = {step.target: step.chosen for step in found.trace.only(Chosen)}
    both = {frozenset((a, b)) for a in chosen for b in chosen[a] if a in chosen[b]}
    assert both == edges(found.candidates)
    assert {(s.chooser, s.other) for s in found.trace.only(OneSided)} == {
        (a, b) for a in chosen for b in chosen[a] if a not in chosen[b]}
    *_, (_, drawing) = found.trace.replay()
    assert {pair for pair, edge in drawing.edges.items() if edge.style != "removed"} == set(found.graph.arcs)


def test_the_backward_phase_removes_what_was_added_too_early():
    # X is a noisy copy of A + B: more informative about T than A or B alone, and independent of T given both.
    copy = [[[.9, .05, .05], [.05, .9, .05]], [[.05, .9, .05], [.05, .05, .9]]]
    states = {**dict.fromkeys("ABT", (0, 1)), "X": (0, 1, 2)}
    network = bn.CategoricalNetwork(bn.DAG("A->T, B->T, A->X, B->X"), states, {
        "A": [.5, .5], "B": [.5, .5], "T": [[[.9, .1], [.5, .5]], [[.5, .5], [.1, .9]]], "X": copy})
    found = mmpc(bn.GSquare(network.sample(4000, seed=1)))
    assert ("T", "X") in {(step.target, step.variable) for step in found.trace.only(Removed)}
    assert edges(found.graph) == edges(network.dag)


def stronger(one, other):
    """Dependent rather than independent, then the smaller p-value, then the larger statistic."""
    return (not one.independent, -one.p_value, one.statistic) > (not other.independent, -other.p_value, other.statistic)


@pytest.mark.parametrize("table", [bn.datasets.asia(3000, seed=1), bn.datasets.child(500)])
def test_every_weakening_is_reported_and_nothing_else(table):
    """After each addition: the variables whose association is weaker given a new set, with that set."""
    oracle, expected = bn.GSquare(table, adjust=True), []
    trace = mmpc(oracle).trace
    for target in table.variables:
        weakest = {x: oracle(x, target) for x in table.variables if x != target}
        chosen = []
        for added in [step.variable for step in trace.only(Added) if step.target == target]:
            for x in [x for x, verdict in weakest.items() if not verdict and x not in (added, *chosen)]:
                before, given = weakest[x], None
                for part in subsets(chosen):
                    now = oracle(x, target, given=[*part, added])
                    if not weakest[x] and not stronger(now, weakest[x]):
                        weakest[x], given = now, (*part, added)
                if weakest[x] is not before:
                    expected.append((target, x, given, weakest[x].independent))
            chosen.append(added)
    found = [(step.target, step.variable, step.given, step.independent) for step in trace.only(Weakened)]
    assert found == expected
    offered = sum(1 for step in trace.only(Added)) * (len(table.variables) - 2)
    assert 0 < len(found) < offered and {independent for *_, independent in found} == {True, False}


def test_the_order_of_columns_does_not_matter_to_the_candidates():
    table = bn.datasets.child(2000)
    backwards = table.select(*reversed(table.variables))
    assert edges(mmhc(table).candidates) == edges(mmhc(backwards).candidates)


def test_conditioning_sets_can_be_limited():
    table = bn.datasets.alarm(500)
    free, limited = mmhc(table), mmhc(table, max_conditioning=1)
    assert limited.tests < free.tests and edges(free.candidates) <= edges(limited.candidates)
    assert {len(step.given) for step in limited.trace.only(Removed, Weakened)} == {1}


def test_other_oracles_and_scores():
    wine = bn.datasets.wine_report()
    found = mmhc(wine, oracle=bn.FisherZ(wine), score=bn.BIC(wine))
    assert found.graph.arcs and edges(found.graph) <= edges(found.candidates)
    table = bn.datasets.asia(1000)
    bdeu = bn.BDeu(table)
    found = mmhc(table, score=bdeu)
    assert found.score == pytest.approx(bdeu(found.graph)) and found.graph.arcs


def test_bad_input_says_what_to_do():
    with pytest.raises(TypeError, match="mmhc takes an independence oracle"):
        mmhc(bn.datasets.asia(100), oracle=bn.DAG("A->B"))
    with pytest.raises(bn.DataError, match="have missing values"):
        mmhc(bn.with_missing(bn.datasets.asia(100), .1))
    with pytest.raises(ValueError, match="have different variables: C, D in one only"):
        mmhc(bn.datasets.five_rows(), score=bn.MDL(bn.datasets.five_rows().select("A", "B")))
    with pytest.raises(ValueError, match="alpha=2 is not a significance level"):
        mmhc(bn.datasets.asia(100), alpha=2)


def test_no_query_is_repeated():
    """Neither as it was nor with x and y swapped."""
    oracle = bn.CachedOracle(bn.DSeparation(bn.datasets.network("asia").dag))
    bn.mmpc(oracle)
    assert len(oracle.queries) == oracle.distinct > 28


def test_an_identifier_does_not_empty_the_graph():
    random = np.random.default_rng(0)
    a = random.integers(0, 2, 2000)
    frame = {"id": np.arange(2000), "a": a, "c": np.where(random.random(2000) < .3, 1 - a, a)}
    with pytest.warns(UserWarning, match="'id'"):
        found = mmhc(frame)
    assert found.graph.skeleton == (("a", "c"),)
    assert {(step.target, step.variables) for step in found.trace.only(NotTested)} == {
        ("id", ("a", "c")), ("a", ("id",)), ("c", ("id",))}
    assert "too few rows per combination of states" in str(found.why("id", "a"))
    with pytest.warns(UserWarning, match="'id'"):
        assert mmhc(frame, oracle=bn.GSquare(frame)).graph.skeleton == (), "without the rule it does"
