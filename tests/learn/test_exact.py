"""Exact search against brute force over all DAGs, and what it says before it begins."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnteach import (
    AIC,
    BIC,
    DAG,
    K2,
    MDL,
    BDeu,
    LogLikelihood,
    Measurements,
    Score,
    Table,
    datasets,
    exact,
    hill_climb,
    ilp,
)
from bnteach.learn.exact import TooLarge
from bnteach.learn.steps.exact import Layered, Placed, Planned, Solved
from tests.learn.brute_force import best_score, xor_table
from tests.random_tables import random_table, tables

SCORES = [LogLikelihood, AIC, MDL, BIC, BDeu, K2]


@settings(max_examples=30)
@given(tables(), st.sampled_from(SCORES))
def test_the_best_of_all_dags(table, kind):
    score = kind(table)
    found = exact(score)
    assert found.score == pytest.approx(best_score(score), abs=1e-9)
    assert found.score == pytest.approx(score(found.graph), abs=1e-9)


@settings(max_examples=20)
@given(tables(least=3), st.sampled_from(SCORES), st.integers(0, 4))
def test_the_best_with_few_parents(table, kind, most):
    score = kind(table)
    found = exact(score, max_parents=most)
    assert found.score == pytest.approx(best_score(score, most), abs=1e-9)
    assert all(len(found.graph.parents(x)) <= most for x in found.graph)


@settings(max_examples=10)
@given(st.integers(0, 2**32), st.sampled_from([AIC, BIC, LogLikelihood]))
def test_real_numbers_as_well(seed, kind):
    random = np.random.default_rng(seed)
    values = random.normal(size=(30, 4))
    values[:, 2] += values[:, 0] - values[:, 1]
    score = kind(Measurements(dict(zip("wxyz", values.T))))
    assert exact(score).score == pytest.approx(best_score(score), abs=1e-9)


def test_the_five_rows():
    found = exact(MDL(datasets.five_rows()))
    assert found.score == pytest.approx(-19.7521, abs=5e-5)
    assert found.graph == DAG("A->C, B->C, B->D")


def test_xor_is_found():
    found = exact(MDL(xor_table()))
    assert len(found.graph.arcs) == 2
    assert sorted(len(found.graph.parents(x)) for x in "ABC") == [0, 0, 2]


@pytest.mark.parametrize("columns", ["ABCDE", "EDCBA", "CAEBD"])
def test_the_order_of_columns_changes_no_score(columns):
    table = random_table(5, 5, 60)
    assert exact(BIC(table.select(*columns))).score == pytest.approx(exact(BIC(table)).score, abs=1e-9)


def test_equal_graphs_are_settled_by_the_order_of_the_variables():
    coins = Table({"A": [0, 0, 1, 1] * 4, "B": [0, 1, 0, 1] * 4})
    assert exact(LogLikelihood(coins)).graph == DAG("A, B")
    copies = Table({"B": [0, 1] * 8, "A": [0, 1] * 8})
    assert exact(MDL(copies)).graph == DAG("B->A")
    assert exact(MDL(copies.select("A", "B"))).graph == DAG("A->B")


def test_the_trace_tells_the_best_graph_on_every_set():
    score = MDL(datasets.five_rows())
    trace = exact(score).trace
    solved = trace.only(Solved)
    assert len(solved) == 15
    for step in solved:
        part = MDL(score.data.select(*step.names))
        assert step.score == pytest.approx(best_score(part), abs=1e-9)
        assert set(step.parents) <= set(step.names) - {step.sink}
    placed = trace.only(Placed)
    assert sum(step.score for step in placed) == pytest.approx(-19.7521, abs=5e-5)


def test_an_order_comes_with_the_graph():
    found = exact(AIC(random_table(3, 6, 40)))
    place = {name: i for i, name in enumerate(found.order)}
    assert sorted(found.order) == sorted(found.graph.nodes)
    assert all(place[a] < place[b] for a, b in found.graph.arcs)
    assert [step.subsets for step in found.trace.only(Layered)] == [6, 15, 20, 15, 6, 1]


def test_memory_is_said_beforehand_and_refused_if_too_much():
    score = BIC(datasets.alarm(10))
    with pytest.raises(TooLarge, match=r"37 variables needs 25,8\d\d,\d\d\d MB of memory, and 4,000 MB may be used"):
        exact(score)
    with pytest.raises(TooLarge, match=r"Use 9 variables or fewer"):
        exact(BIC(datasets.child(10)), limit=0.04)
    first = exact(MDL(datasets.five_rows())).trace[0]
    assert isinstance(first, Planned)
    assert str(first) == "4 variables have 16 subsets and 32 families: this needs less than 1 MB"


@pytest.mark.parametrize("kind", SCORES)
def test_columns_that_never_change(kind):
    for a, b in (("xxx", "yyy"), ("x", "y"), ("xx", "yz")):
        assert exact(kind(Table({"A": list(a), "B": list(b)}))).graph == DAG("A, B")


def test_a_variable_alone_and_a_score_of_ones_own():
    assert exact(MDL(Table({"A": [0, 1, 1]}))).graph == DAG("A")

    class FewParents(Score):
        """Only that A and B have a child C counts."""

        def compute_family(self, child, parents):
            return float(child == "C" and set(parents) == {"A", "B"})

    found = exact(FewParents(datasets.five_rows()))
    assert found.graph == DAG("A->C, B->C, D")
    assert found.score == 1


class NoChildrenOfB(BIC):
    """A score of one's own, made from another: B is a parent of nobody."""

    def compute_family(self, child, parents):
        return super().compute_family(child, parents) - 1000 * ("B" in parents)


def test_a_score_made_from_another_is_asked_and_not_bypassed():
    for search in (exact, hill_climb, ilp):
        found = search(NoChildrenOfB(datasets.five_rows()))
        assert found.graph.children("B") == ()
        assert found.score == pytest.approx(best_score(NoChildrenOfB(datasets.five_rows())), abs=1e-9)
