"""Queries with one row of evidence: the same answers as elimination.py gives, and what is left to it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.models import one_row
from bnteach.models.elimination import eliminate, elimination_order, indicators, query, reduced_cpts
from bnteach.models.one_row import elimination_places, quick_query
from tests.models.random_networks import networks


def by_elimination(network, targets, codes):
    """The answer of the general algorithm."""
    factors = reduced_cpts(network, targets, codes) + indicators(network, targets, codes)
    return eliminate(factors, elimination_order(factors, targets, network)[0], targets, 1)


def in_alarm(seed):
    """A query on ALARM: targets, and evidence from a row that it makes."""
    network, random = bn.datasets.network("alarm"), np.random.default_rng(seed)
    row = network.sample(1, seed=seed).iloc[0]
    names = random.permutation(network.dag.nodes).tolist()
    evidence = {v: network.state_index(v, row[v]) for v in names[2:2 + seed % 20]}
    return network, tuple(names[:1 + seed % 2]), evidence


@pytest.mark.parametrize("seed", range(20))
def test_quick_queries_equal_variable_elimination(seed):
    network, targets, evidence = in_alarm(seed)
    found = quick_query(network, targets, evidence)
    posterior, logs = by_elimination(network, targets, {v: np.array([code]) for v, code in evidence.items()})
    assert found is not None
    assert found[0] == pytest.approx(posterior[0], abs=1e-12) and found[1] == pytest.approx(logs[0], abs=1e-9)


@given(networks(), st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_what_is_too_large_is_left_to_variable_elimination(network, seed):
    nodes, random = network.dag.nodes, np.random.default_rng(seed)
    target, *given_ = random.permutation(nodes).tolist()
    codes = {v: random.integers(0, len(network.states[v]), 1) for v in given_[:len(nodes) // 2]}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(one_row, "SMALL", 4)
        found = query(network, (target,), codes)
    expected = by_elimination(network, (target,), codes)
    assert all(np.allclose(a, b, atol=1e-12) for a, b in zip(found, expected))


def binary(arcs, cpts):
    """A network whose variables have two states."""
    return bn.CategoricalNetwork(bn.DAG(arcs, cpts), dict.fromkeys(cpts, (0, 1)), cpts)


def test_a_joint_posterior_of_many_variables_is_not_quick():
    network = binary([], {f"x{i}": [.5, .5] for i in range(60)})
    assert quick_query(network, network.dag.nodes, {}) is None
    assert quick_query(network, ("x0", "x59"), {})[0].tolist() == [[.25, .25], [.25, .25]]


def test_improbable_evidence_is_left_to_variable_elimination():
    """A hidden chain h0 -> h1 -> ..., each with an observation that is improbable in both states."""
    chain = {"h0": [.5, .5]} | {f"h{i}": [[.9, .1], [.2, .8]] for i in range(1, 400)}
    seen = {f"x{i}": [[.05, .95], [.10, .90]] for i in range(400)}
    arcs = [(f"h{i}", f"h{i + 1}") for i in range(399)] + [(f"h{i}", f"x{i}") for i in range(400)]
    network = binary(arcs, chain | seen)
    for number in (20, 400):
        evidence = dict.fromkeys(list(seen)[:number], 0)
        assert (quick_query(network, ("h0",), evidence) is None) == (number == 400)
        expected = by_elimination(network, ("h0",), {v: np.array([0]) for v in evidence})[0]
        assert network.posterior("h0", evidence).to_numpy() == pytest.approx(expected[0], abs=1e-12)


def test_many_factors_of_one_variable_are_left_to_variable_elimination():
    names = [f"x{i}" for i in range(40)]
    network = binary([("A", x) for x in names], {"A": [.5, .5]} | {x: [[.25, .75], [.5, .5]] for x in names})
    for some in (names[:20], names):
        evidence = dict.fromkeys(some, 0)
        assert (quick_query(network, ("A",), evidence) is None) == (some is names)
        assert network.posterior("A", evidence)[1] == pytest.approx(1 / (1 + 2.0**-len(some)))


def test_a_variable_whose_product_is_large_has_no_place():
    parents = [f"x{i}" for i in range(13)]
    network = binary([(x, "y") for x in parents] + [("y", "z")],
                     {x: [.5, .5] for x in parents} | {"y": np.full((2,) * 14, .5), "z": [[.9, .1], [.2, .8]]})
    assert list(elimination_places(network)) == ["z"]
    assert network.posterior("z").tolist() == pytest.approx([.55, .45])
