"""Minimal I-maps, against the definition: claim nothing that is not so, and no arc to spare."""

from itertools import combinations, permutations

import networkx as nx
import numpy as np
import pytest

import bnteach as bn
from bnteach.learn.minimal_imap import Chose
from tests.graphs.brute import by_class, every_dag

METHODS = ("smallest first", "backward")


def separations(dag):
    """Every d-separation of two nodes, by networkx."""
    graph = dag.to_networkx()
    return frozenset((x, y, z) for x, y in combinations("ABCD", 2) for size in range(3)
                     for z in combinations([n for n in "ABCD" if n not in (x, y)], size)
                     if nx.is_d_separator(graph, {x}, {y}, set(z)))


@pytest.fixture(scope="module")
def claims():
    """What each of the 543 DAGs claims."""
    return {dag: separations(dag) for dag in every_dag("ABCD")}


@pytest.mark.parametrize("method", METHODS)
def test_minimal_by_the_definition_for_every_class_and_every_order(claims, method):
    """An oracle depends on the class alone, so one DAG of each of the 185 classes covers all 543."""
    for truth, *_ in by_class(claims):
        for order in permutations("ABCD"):
            found = bn.minimal_imap(bn.DSeparation(truth), order, method=method).graph
            assert found.nodes == order
            assert all(order.index(a) < order.index(b) for a, b in found.arcs)
            assert claims[found] <= claims[truth]
            assert not any(claims[found.without_arc(*arc)] <= claims[truth] for arc in found.arcs)


def test_in_an_order_of_the_dag_itself_nothing_is_added(claims):
    for truth in claims:
        assert bn.minimal_imap(bn.DSeparation(truth), truth.order).graph == truth


@pytest.mark.parametrize("method", METHODS)
def test_two_coins_and_whether_they_agree(method):
    """Pair by pair all three are independent, and yet the third needs both as parents."""
    a, b = np.array([[0, 0, 1, 1], [0, 1, 0, 1]]).repeat(250, axis=1)
    oracle = bn.ChiSquare({"A": a, "B": b, "X": a ^ b})
    assert all(oracle(*pair) for pair in combinations("ABX", 2))
    for order in permutations("ABX"):
        last = order[-1]
        found = bn.minimal_imap(oracle, order, method=method).graph
        assert set(found.arcs) == {(order[0], last), (order[1], last)}


def test_from_data():
    rng = np.random.default_rng(5)
    a = rng.random(5000) < 0.5
    b, c = (rng.random((2, 5000)) < np.where(a, 0.8, 0.2))
    table = bn.Table({"A": a, "B": b, "C": c})
    assert bn.minimal_imap(bn.ChiSquare(table, alpha=0.01), "ABC").graph == bn.DAG("A->B, A->C")
    assert bn.minimal_imap(bn.ChiSquare(table, alpha=0.01), "BCA").graph == bn.DAG("B->C, B->A, C->A")


def test_the_trace_says_why():
    result = bn.minimal_imap(bn.DSeparation(bn.DAG("A->C, B->C", "ABC")), "ACB")
    assert [str(step) for step in result.trace] == [
        "A is first in the order: it has no parents.",
        "C, preceded by A.",
        "Marginally, C is not independent of A.",
        "So the parent of C is A.",
        "B, preceded by A, C.",
        "Marginally, B is not independent of {A, C}: it depends on C.",
        "Given A, B is not independent of C.",
        "Given C, B is not independent of A.",
        "So the parents of B are A, C.",
    ]
    *_, (_, drawing) = result.trace.replay()
    assert set(drawing.edges) == set(result.graph.arcs)
    assert len(result.trace.only(Chose)) == 2


def test_errors():
    oracle = bn.Statements("A _||_ B", variables="ABC")
    with pytest.raises(ValueError, match="the order A, B leaves out C"):
        bn.minimal_imap(oracle, "AB")
    with pytest.raises(ValueError, match="B occurs twice in the order A, B, B, C"):
        bn.minimal_imap(oracle, "ABBC")
    with pytest.raises(bn.UnknownVariable, match="no variable 'D' in the oracle"):
        bn.minimal_imap(oracle, "ABCD")
    with pytest.raises(ValueError, match="method='guess' is unknown"):
        bn.minimal_imap(oracle, "ABC", method="guess")
    with pytest.raises(TypeError, match=r"not a Table. Make one: bn.minimal_imap\(bn.ChiSquare\(table\)\)"):
        bn.minimal_imap(bn.Table({"A": [0, 1]}), "A")
