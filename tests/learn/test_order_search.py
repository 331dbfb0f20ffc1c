"""Order search: K3's graph for the order it ends in, no swap of neighbours better, never above the best."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnteach import AIC, BIC, K2, MDL, BDeu, datasets, k3, order_search
from bnteach.learn.order_search import swapped
from bnteach.learn.steps.hill_climb import Chose
from bnteach.learn.steps.order_search import Started, Stopped, Swapped
from tests.learn.brute_force import best_score, xor_table
from tests.random_tables import random_table, tables

SCORES = [AIC, MDL, BIC, BDeu, K2]


@settings(max_examples=40)
@given(tables(), st.sampled_from(SCORES), st.integers(0, 99))
def test_no_swap_is_better_and_nothing_above_the_best(table, kind, seed):
    score = kind(table)
    found = order_search(score, seed=seed, restarts=2)
    assert found.score <= best_score(score) + 1e-9
    assert found.score == pytest.approx(k3(score, found.order).score, abs=1e-9)
    assert found.graph == k3(score, found.order).graph
    for stop in found.trace.only(Stopped):
        for i in range(len(stop.order) - 1):
            assert k3(score, swapped(stop.order, i)).score <= stop.score + 1e-8


@settings(max_examples=20)
@given(st.integers(0, 2**32), st.sampled_from(SCORES))
def test_every_swap_is_the_first_of_the_best(seed, kind):
    score = kind(random_table(seed, 6, 100))
    start = order = tuple("ABCDEF"[i] for i in np.random.default_rng(seed).permutation(6))
    found = order_search(score, restarts=0, start=start)
    for step in found.trace.only(Swapped):
        now = k3(score, order).score
        gains = [k3(score, swapped(order, i)).score - now for i in range(len(order) - 1)]
        i = next(i for i, gain in enumerate(gains) if gain >= max(gains) - 1e-8)
        assert step.order == swapped(order, i)
        assert (step.first, step.second) == (order[i], order[i + 1])
        assert step.gain == pytest.approx(gains[i], abs=1e-8)
        assert step.score == pytest.approx(now + gains[i], abs=1e-8)
        graph = k3(score, step.order).graph
        assert all(set(graph.parents(child)) == set(parents) for child, parents in step.parents.items())
        order = step.order
    assert order == found.order


def test_the_five_rows_from_a_poor_order():
    found = order_search(MDL(datasets.five_rows()), start="DCBA", restarts=0)
    assert found.score == pytest.approx(-19.7521, abs=5e-5)
    assert k3(MDL(datasets.five_rows()), "DCBA").score < found.score


def test_xor_stays_hidden_from_k3_in_every_order():
    assert order_search(MDL(xor_table())).graph.arcs == ()


def test_restarts_have_seeds_and_the_best_counts():
    score = BIC(random_table(9, 7, 80))
    found = order_search(score, seed=1, restarts=5)
    assert found.trace == order_search(score, seed=1, restarts=5).trace
    assert len(found.final_scores) == 6 and found.score == pytest.approx(max(found.final_scores))
    starts = [step.order for step in found.trace.only(Started)]
    assert starts[0] == score.variables and len(set(starts)) > 3
    assert starts[1:] != [step.order for step in order_search(score, seed=2, restarts=5).trace.only(Started)][1:]
    assert len(found.trace.only(Chose)) == 1


def test_the_drawing_ends_in_the_graph():
    score = BIC(random_table(9, 6, 80))
    found = order_search(score, restarts=2)
    *_, (_, drawing) = found.trace.replay()
    drawing.next_step()
    assert set(drawing.edges) == set(found.graph.arcs)


def test_the_limit_on_parents_and_orders_that_are_none():
    found = order_search(AIC(random_table(3, 6, 50)), max_parents=1)
    assert all(len(found.graph.parents(x)) <= 1 for x in found.graph)
    with pytest.raises(ValueError, match="leaves out D"):
        order_search(MDL(datasets.five_rows()), start="ABC")
