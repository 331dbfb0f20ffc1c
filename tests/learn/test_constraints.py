"""Background knowledge: every search obeys it, and exact search finds the best of all DAGs that do."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from tests.graphs.brute import every_dag
from tests.random_tables import random_table

DAGS = list(every_dag("ABCD"))
SEARCHES = {
    "hill_climb": bn.hill_climb, "tabu": lambda score, **known: bn.hill_climb(score, tabu=3, **known),
    "order_search": bn.order_search, "exact": bn.exact,
    "anneal": lambda score, **known: bn.anneal(score, [2.0, 1.0] * 30, **known),
    "k3": lambda score, **known: bn.k3(score, "ABCD", **known),
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
