"""A query about one row takes the network's own elimination order: the same answers as with the order of the query."""

import numpy as np
import pytest

import bnteach as bn
from bnteach.models import elimination
from bnteach.models.elimination import Intractable, eliminate, elimination_order, indicators, query, reduced_cpts


def by_its_own_order(network, targets, codes):
    """The answer by the min-fill order that takes the evidence into account."""
    factors = reduced_cpts(network, targets, codes) + indicators(network, targets, codes)
    return eliminate(factors, elimination_order(factors, targets, network)[0], targets, 1)


@pytest.mark.parametrize("seed", range(20))
def test_a_query_does_not_depend_on_the_order(seed):
    network, random = bn.datasets.network("alarm"), np.random.default_rng(seed)
    row = network.sample(1, seed=seed).iloc[0]
    names = random.permutation(network.dag.nodes).tolist()
    targets = tuple(names[:1 + seed % 2])
    codes = {v: np.array([network.state_index(v, row[v])]) for v in names[1:2 + seed % 20]}  # some of a target, too
    found, expected = query(network, targets, codes), by_its_own_order(network, targets, codes)
    assert network.elimination_order != elimination_order(reduced_cpts(network, targets, codes), targets, network)[0]
    assert found[0] == pytest.approx(expected[0], abs=1e-12) and found[1] == pytest.approx(expected[1], abs=1e-9)


def binary(arcs, cpts):
    """A network whose variables have two states."""
    return bn.CategoricalNetwork(bn.DAG(arcs, cpts), dict.fromkeys(cpts, (0, 1)), cpts)


def test_an_order_that_needs_too_large_a_factor_is_replaced(monkeypatch):
    leaves = [f"x{i}" for i in range(13)]
    network = binary([("c", x) for x in leaves] + [(x, f"z{x}") for x in leaves],
                     {"c": [.5, .5]} | {x: [[.9, .1], [.2, .8]] for x in leaves}
                     | {f"z{x}": [[.7, .3], [.4, .6]] for x in leaves})
    evidence = {f"z{x}": i % 2 for i, x in enumerate(leaves)}
    wanted = network.posterior("x0", evidence).tolist()
    vars(network)["elimination_order"] = ["c", *leaves]  # the first product is over c and all x
    monkeypatch.setattr(elimination, "MAX_CELLS", 1000)
    assert network.posterior("x0", evidence).tolist() == pytest.approx(wanted)
    with pytest.raises(Intractable, match="a factor over 14 variables with 16,384 cells; the limit is 1,000"):
        eliminate(reduced_cpts(network, ("x0",), {z: np.array([code]) for z, code in evidence.items()}),
                  ["c", *leaves[1:]], ("x0",), 1)


def test_many_factors_of_one_variable():
    names = [f"x{i}" for i in range(80)]
    network = binary([("h", "A"), *(("A", x) for x in names)],
                     {"h": [.5, .5], "A": [[.5, .5], [.5, .5]]} | {x: [[.25, .75], [.5, .5]] for x in names})
    for number in (20, 80):
        posterior = network.posterior("h", dict.fromkeys(names[:number], 0))
        assert posterior.tolist() == pytest.approx([.5, .5])
    assert network.posterior("A", dict.fromkeys(names[:5], 0))[1] == pytest.approx(1 / (1 + 2.0**-5))


def test_evidence_more_improbable_than_the_smallest_number():
    """A hidden chain h0 -> h1 -> ..., each with an observation that is improbable in both states."""
    chain = {"h0": [.5, .5]} | {f"h{i}": [[.9, .1], [.2, .8]] for i in range(1, 400)}
    seen = {f"x{i}": [[.05, .95], [.10, .90]] for i in range(400)}
    arcs = [(f"h{i}", f"h{i + 1}") for i in range(399)] + [(f"h{i}", f"x{i}") for i in range(400)]
    posterior, logs = query(binary(arcs, chain | seen), ("h0",), dict.fromkeys(seen, np.array([0])))
    weights = np.array([.5, .5])  # forwards by hand, rescaled at each step
    by_hand = 0.0
    for i in range(400):
        weights = (weights if i == 0 else weights @ [[.9, .1], [.2, .8]]) * [.05, .10]
        by_hand, weights = by_hand + np.log(weights.sum()), weights / weights.sum()
    assert logs[0] == pytest.approx(by_hand) and by_hand < np.log(1e-300)
    assert posterior.sum() == pytest.approx(1)
