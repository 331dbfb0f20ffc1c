"""Background knowledge: every search obeys it, and exact search finds the best of all DAGs that do."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from tests.graphs.brute import by_class, essential, every_dag
from tests.random_tables import random_table

DAGS = list(every_dag("ABCD"))
CHAIN = bn.DAG("A->B, B->C, C->D")


def with_gaps(score):
    return bn.with_missing(score.data, .1, seed=2)


SEARCHES = {
    "hill_climb": bn.hill_climb, "tabu": lambda score, **known: bn.hill_climb(score, tabu=3, **known),
    "order_search": bn.order_search, "exact": bn.exact,
    "anneal": lambda score, **known: bn.anneal(score, [2.0, 1.0] * 30, **known),
    "k3": lambda score, **known: bn.k3(score, "ABCD", **known),
    "mmhc": lambda score, **known: bn.mmhc(score.data, score=score, **known),
    "structural_em": lambda score, **known: bn.structural_em(with_gaps(score), "AIC", restarts=2, **known),
}


def knowledge(seed):
    """Required arcs that follow the alphabet, forbidden ones that leave them out, and a limit."""
    random = np.random.default_rng(seed)
    pairs = list(permutations("ABCD", 2))
    forward = [(a, b) for a, b in pairs if a < b]
    required = [forward[i] for i in random.choice(6, size=random.integers(3), replace=False)]
    others = [pair for pair in pairs if pair not in required]
    forbidden = [others[i] for i in random.choice(len(others), size=random.integers(6), replace=False)]
    return required, forbidden, int(random.integers(2, 4))


def allowed(dag, required, forbidden, limit):
    return (set(required) <= set(dag.arcs) and not set(forbidden) & set(dag.arcs)
            and all(len(dag.parents(x)) <= limit for x in "ABCD"))


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_every_search_obeys_and_exact_search_finds_the_best(seed):
    required, forbidden, limit = knowledge(seed)
    score = bn.AIC(random_table(seed, 4, 40))
    found = {name: search(score, required=required, forbidden=forbidden, max_parents=limit)
             for name, search in SEARCHES.items()}
    for name, result in found.items():
        assert allowed(result.graph, required, forbidden, limit), name
    best = max(score(dag) for dag in DAGS if allowed(dag, required, forbidden, limit))
    assert found["exact"].score == pytest.approx(best)


@pytest.mark.parametrize("name", SEARCHES)
def test_tiers(name):
    score = bn.AIC(random_table(5, 4, 40))
    graph = SEARCHES[name](score, tiers=["AB", "C", "D"]).graph
    assert not [(a, b) for a, b in graph.arcs if (a in "CD" and b in "AB") or (a, b) == ("D", "C")]


def test_an_order_against_a_required_arc_is_an_error():
    score = bn.AIC(random_table(5, 4, 40))
    with pytest.raises(ValueError, match="D->A is required, and A precedes D in the order A, B, C, D"):
        bn.k3(score, "ABCD", required="D->A")
    found = bn.order_search(score, required="D->A")
    assert found.order.index("D") < found.order.index("A") and found.graph.has_arc("D", "A")


def test_required_against_the_limit_is_an_error():
    score = bn.AIC(random_table(5, 4, 40))
    for search in SEARCHES.values():
        with pytest.raises(ValueError, match="C has 2 required parents, and max_parents=1"):
            search(score, required="A->C, B->C", max_parents=1)


def test_k3_reports_what_is_required():
    found = bn.k3(bn.AIC(random_table(5, 4, 40)), "ABCD", required="A->D")
    assert "D: with its required parents A " in str(found.trace) and "required" in str(found.why("A", "D"))


# -- PC: the DAGs of the class that obey, by brute force ---------------------------------------------------------
def earlier(a, b, tiers):
    tier = {name: i for i, names in enumerate(tiers) for name in names}
    return tier[a] <= tier[b]


@pytest.mark.parametrize("orient", ["standard", "conservative"])
@pytest.mark.parametrize("tiers", [["A", "BCD"], ["CD", "AB"], ["BD", "A", "C"], list("DCBA")])
def test_pc_with_tiers_finds_what_the_members_of_the_class_that_obey_agree_on(tiers, orient):
    obey = [dag for dag in DAGS if all(earlier(a, b, tiers) for a, b in dag.arcs)]
    for members in by_class(obey):
        found = bn.pc(bn.DSeparation(members[0]), tiers=tiers, orient=orient)
        assert found.graph == bn.PDAG(*essential(members), "ABCD")
        assert not found.trace.only("Conflict")


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_pc_obeys_whatever_the_tests_say(seed):
    required, forbidden, _ = knowledge(seed)
    oracle = bn.ChiSquare(random_table(seed, 4, 40), alpha=.3)
    try:
        graph = bn.pc(oracle, required=required, forbidden=forbidden, tiers=["A", "BCD"]).graph
    except ValueError as error:  # random knowledge may contradict itself
        assert "force a cycle" in str(error) or "both required and forbidden" in str(error)
        return
    assert set(required) <= set(graph.arcs)
    for a, b in [*forbidden, *((b, "A") for b in "BCD")]:
        assert not graph.has_arc(a, b) and not (graph.adjacent(a, b) and not graph.has_arc(b, a))


def test_pc_conditions_on_nothing_of_a_tier_later_than_both():
    tiers = ["AB", "C", "D"]
    result = bn.pc(bn.DSeparation(bn.DAG("A->C, B->C, A->D, C->D")), tiers=tiers)
    late = {"A": 0, "B": 0, "C": 1, "D": 2}
    tests = result.trace.only("IndependenceTest")
    assert any(test.given for test in tests)
    assert all(late[z] <= max(late[test.x], late[test.y]) for test in tests for z in test.given)
    assert len(tests) < bn.pc(bn.DSeparation(bn.DAG("A->C, B->C, A->D, C->D"))).tests


def test_pc_counts_a_level_only_if_it_has_tests():
    found = bn.pc(bn.DSeparation(CHAIN), tiers="ABCD")
    levels = [i for i, step in enumerate(found.trace) if type(step).__name__ == "Level"]
    assert all(type(found.trace[i + 1]).__name__ == "IndependenceTest" for i in levels)


# -- MMHC and structural EM --------------------------------------------------------------------------------------
def test_mmhc_reports_what_knowledge_adds_and_removes():
    table = bn.datasets.asia(2000)
    found = bn.mmhc(table, required="asia->dysp", forbidden="smoke-lung, bronc->smoke", max_parents=2)
    assert found.graph.has_arc("asia", "dysp") and not found.graph.adjacent("smoke", "lung")
    assert not found.graph.has_arc("bronc", "smoke") and all(len(found.graph.parents(x)) <= 2 for x in table.variables)
    assert found.candidates.adjacent("asia", "dysp") and not found.candidates.adjacent("smoke", "lung")
    assert "asia->dysp is required: a candidate edge, whatever the tests say" in str(found.why("asia", "dysp"))
    assert "both directions of smoke-lung are forbidden: no edge" in str(found.why("lung", "smoke"))
    plain = bn.mmhc(table)
    assert plain.candidates.adjacent("smoke", "lung") and not plain.candidates.adjacent("asia", "dysp")


def test_structural_em_refuses_a_start_against_the_constraints():
    gaps = bn.with_missing(random_table(5, 4, 40), .1)
    with pytest.raises(ValueError, match="the search cannot start from this graph: A->B is forbidden"):
        bn.structural_em(gaps, start="A->B, C, D", forbidden="A->B")
    trace = bn.structural_em(gaps, restarts=1, required="A->B").trace
    assert "start 2: the required arcs" in map(str, trace.only("Start"))


@pytest.mark.parametrize("learner", [bn.pc, bn.chow_liu, bn.minimal_imap])
def test_a_constraint_that_a_learner_has_not_is_an_error(learner):
    given_ = {bn.pc: bn.DSeparation(CHAIN), bn.chow_liu: random_table(5, 4, 40), bn.minimal_imap: bn.DSeparation(CHAIN)}
    with pytest.raises(TypeError, match="max_parents"):
        learner(given_[learner], *["ABCD"][:learner is bn.minimal_imap], max_parents=1)
