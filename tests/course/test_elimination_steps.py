"""Variable elimination step by step: the same order, factors and posterior as the algorithm itself."""

from itertools import product

import numpy as np
import pytest

from bnteach.course.practice.topics import draw
from bnteach.course.supplements.elimination_steps import Eliminated, Normalized, Reduced, variable_elimination

NETWORKS = [draw("variable_elimination", level, seed) for level in (1, 2, 3) for seed in range(5)]


@pytest.mark.parametrize("given", NETWORKS, ids=range(len(NETWORKS)))
def test_the_posterior_is_that_of_the_joint_distribution(given):
    network, target, evidence = given["network"], given["target"], given["evidence"]
    last = variable_elimination(**given).trace[-1]
    assert isinstance(last, Normalized)
    names = network.dag.nodes
    rows = [dict(zip(names, states)) for states in product(*(network.states[x] for x in names))]
    rows = [row for row in rows if all(row[x] == state for x, state in evidence.items())]
    joint = np.array([sum(network.probability(row) for row in rows if row[target] == state)
                      for state in network.states[target]])
    shown = [f"{state} {p:.3f}" for state, p in zip(network.states[target], joint / joint.sum())]
    assert last.posterior.endswith(f"is {', '.join(shown)}")


@pytest.mark.parametrize("given", NETWORKS, ids=range(len(NETWORKS)))
def test_every_factor_is_used_once_and_only_the_query_variable_is_left(given):
    trace = variable_elimination(**given).trace
    factors = dict(trace.only(Reduced)[0].factors)
    assert all(not set(given["evidence"]) & set(names) for names in factors.values())
    for step in trace.only(Eliminated):
        assert step.multiplied == {name: names for name, names in factors.items() if step.variable in names}
        ((new, scope),) = step.new.items()
        assert {*scope, step.variable} == {x for names in step.multiplied.values() for x in names}
        assert new not in factors and step.variable not in scope
        factors = {name: names for name, names in factors.items() if name not in step.multiplied} | step.new
        assert factors == step.factors
    assert {x for names in factors.values() for x in names} == {given["target"]}
