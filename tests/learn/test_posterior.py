"""The posterior of arcs against the sum over all DAGs, and the bootstrap against the posterior."""

import math

import numpy as np
import pytest
from hypothesis import given, settings

from bnteach import K2, BDeu, all_dags, arc_posterior, datasets
from tests.random_tables import random_table, tables


def enumerated(score):
    """The posterior of every arc, one DAG after the other."""
    dags = list(all_dags(score.variables))
    logs = np.array([score(dag) for dag in dags])
    weights = np.exp(logs - logs.max())
    found = {(a, b): 0.0 for a in score.variables for b in score.variables}
    for dag, weight in zip(dags, weights / weights.sum()):
        for arc in dag.arcs:
            found[arc] += weight
    return found


@settings(max_examples=15)
@given(tables(1, 4))
def test_the_posterior_is_the_sum_over_all_dags(table):
    for kind in (BDeu, K2):
        score = kind(table)
        found = arc_posterior(score)
        assert all(found.loc[a, b] == pytest.approx(share, abs=1e-9) for (a, b), share in enumerated(score).items())


def test_five_variables_and_many_rows():
    """With 20,000 rows the terms of a sum differ by thousands of orders of magnitude."""
    for rows in (50, 20_000):
        score = BDeu(random_table(7, 5, rows))
        found = arc_posterior(score)
        assert all(found.loc[a, b] == pytest.approx(share, abs=1e-9) for (a, b), share in enumerated(score).items())


def test_the_base_of_the_logarithm_does_not_matter():
    table = random_table(1, 4, 60)
    assert np.allclose(arc_posterior(BDeu(table)), arc_posterior(BDeu(table, base=2)), atol=1e-12)
    assert arc_posterior(BDeu(table)).to_numpy().max() <= 1 and math.isclose(np.trace(arc_posterior(BDeu(table))), 0)


def test_asia_in_a_few_seconds_and_errors():
    found = arc_posterior(BDeu(datasets.asia(500)))
    assert found.loc["smoke", "bronc"] + found.loc["bronc", "smoke"] > 0.99
    with pytest.raises(ValueError, match=r"at most 12 variables, and the data have 37"):
        arc_posterior(BDeu(datasets.alarm(50)))
    with pytest.raises(TypeError, match="score"):
        arc_posterior(datasets.asia(50))
