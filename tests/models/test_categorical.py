"""Categorical networks: CPTs, probabilities, sampling."""

import numpy as np
import pandas as pd
import pytest

import bnteach as bn


def test_the_cpts_of_the_slides():
    network = bn.fit("A->B, A->C, B->D", bn.datasets.five_rows())
    assert network.cpts["A"].tolist() == [4 / 5, 1 / 5]
    assert network.cpts["B"].tolist() == [[3 / 4, 1 / 4], [1, 0]]
    assert network.cpts["C"].tolist() == [[1 / 4, 3 / 4], [1, 0]]
    assert network.cpts["D"].tolist() == [[1 / 4, 3 / 4], [1, 0]]
    assert network.cpt("D").loc["~b"].tolist() == [1, 0]


def test_probabilities_of_rows():
    t = bn.datasets.five_rows()
    network = bn.fit("A->B, A->C, A->D", t)
    assert network.probabilities(t) == pytest.approx([.225, .225, .025, .2, .225])
    assert network.probability({"A": "a", "B": "b", "C": "~c", "D": "d"}) == pytest.approx(.225)
    assert network.log_likelihood(t) == pytest.approx(bn.LogLikelihood(t)("A->B, A->C, A->D"))


def test_all_probabilities_sum_to_one():
    t = bn.datasets.five_rows()
    network = bn.fit("B->C, B->D, C->A, D->A", t)
    total = sum(network.probability(dict(zip("ABCD", (a, b, c, d))))
                for a in t.states("A") for b in t.states("B") for c in t.states("C") for d in t.states("D"))
    assert total == pytest.approx(1)


def test_a_row_of_probability_0():
    t = bn.datasets.five_rows()
    network = bn.fit("A->B, A->C, B->D", t)
    row = pd.DataFrame([{"A": "~a", "B": "~b", "C": "c", "D": "d"}])
    assert network.log_likelihood(row) == -np.inf


def test_unseen_parent_states_give_a_uniform_distribution():
    size = pd.Categorical(["S", "L"], categories=["S", "M", "L"])
    network = bn.fit("size->x", pd.DataFrame({"size": size, "x": [0, 1]}))
    assert network.cpts["x"].tolist() == [[1, 0], [.5, .5], [0, 1]]


def test_samples_follow_the_cpts_and_the_seed():
    network = bn.CategoricalNetwork(bn.DAG("R->W, S->W"), {"R": (0, 1), "S": (0, 1), "W": ("dry", "wet", "soaked")}, {
        "R": [.8, .2], "S": [.5, .5], "W": [[[.9, .1, 0], [.2, .7, .1]], [[.1, .8, .1], [0, .3, .7]]]})
    frame = network.sample(60_000, seed=3)
    assert frame.equals(network.sample(60_000, seed=3)) and not frame.equals(network.sample(60_000, seed=4))
    again = bn.fit(network.dag, frame)
    for node, tolerance in (("R", 0.007), ("S", 0.007), ("W", 0.02)):
        assert np.abs(again.cpts[node] - network.cpts[node]).max() < tolerance
    assert ((frame.R == 0) & (frame.S == 0) & (frame.W == "soaked")).sum() == 0
    assert bn.Table(network.sample(1)).states("W") == ("dry", "wet", "soaked")


def test_fit_maximizes_the_likelihood():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.integers(0, 2, (40, 3)), columns=list("xyz"))
    network = bn.fit("x->z, y->z", frame)
    for _ in range(50):
        cpts = {n: np.clip(t + random.normal(0, .05, t.shape), 1e-3, None) for n, t in network.cpts.items()}
        other = bn.CategoricalNetwork(network.dag, network.states,
                                      {n: t / t.sum(axis=-1, keepdims=True) for n, t in cpts.items()})
        assert other.log_likelihood(frame) <= network.log_likelihood(frame) + 1e-9


def test_equality_ignores_the_order_of_parents():
    frame = pd.DataFrame({"x": [0, 1, 1, 0], "y": [0, 0, 1, 1], "z": [0, 1, 1, 1]})
    one, two = bn.fit("x->z, y->z", frame), bn.fit("y->z, x->z", frame)
    assert one == two and one != bn.fit("x->z, y", frame)


@pytest.mark.parametrize(("call", "message"), [
    (lambda n: n.probability({"A": "a"}), "the row has no value for B"),
    (lambda n: n.probability({"A": "a", "B": "b", "Z": 1}), "no variable 'Z' in the network"),
    (lambda n: n.probability({"A": "yes", "B": "b"}), "A has no state 'yes'; its states are 'a', '~a'"),
    (lambda n: n.sample(0), "n=0 must be a whole number, at least 1"),
    (lambda n: n.sample(2.5), "n=2.5 must be"),
    (lambda n: n.sample(1, seed="x"), "seed='x' must be"),
    (lambda n: n.log_likelihood({"A": ["a"], "B": ["b"]}, base=1), "base=1 cannot be the base"),
    (lambda n: n.log_likelihood({"A": ["q"], "B": ["b"]}), "A has no state 'q'"),
    (lambda n: bn.CategoricalNetwork(n.dag, n.states, {"A": [1.0], "B": [[1, 0], [0, 1]]}), "has shape"),
    (lambda n: bn.CategoricalNetwork(n.dag, n.states, {"A": [.5, .6], "B": [[1, 0], [0, 1]]}), "sum to 1"),
])
def test_errors(call, message):
    network = bn.fit("A->B", bn.datasets.five_rows().select("A", "B"))
    with pytest.raises((ValueError, KeyError), match=message):
        call(network)
