"""Scores of real-valued data: against residuals, against each other, and on both scales."""

from itertools import combinations, pairwise
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

import bnteach as bn
from bnteach.scores.gaussian import GaussianFamilies

WINE = bn.datasets.wine_report()


def random_measurements(seed, n=4, m=50):
    random = np.random.default_rng(seed)
    return bn.Measurements(dict(zip("abcdefgh", (random.normal(size=(m, n)) @ random.normal(size=(n, n))).T)))


def by_residuals(data, child, parents, ddof):
    """The same log-likelihood the long way: fit, take residuals, add up normal log-densities."""
    x = np.column_stack([np.ones(len(data)), *(data.column(p) for p in parents)])
    y = data.column(child)
    residuals = y - x @ np.linalg.lstsq(x, y)[0]
    return norm(0, np.sqrt(residuals @ residuals / (len(y) - ddof))).logpdf(residuals).sum()


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 6), st.booleans())
def test_the_fit_of_a_family_is_that_of_its_residuals(seed, n, maximum):
    data = random_measurements(seed, n)
    families = GaussianFamilies(data, variance="m" if maximum else "m-1")
    for size in range(n):
        for parents in combinations(data.variables[1:], size):
            expected = by_residuals(data, "a", parents, ddof=0 if maximum else 1)
            assert families.log_likelihood("a", parents) == pytest.approx(expected, rel=1e-9)


def test_columns_of_very_different_size_lose_no_digits():
    parents = ("alcohol", "total sulfur dioxide", "chlorides", "pH")
    assert bn.LogLikelihood(WINE).family("density", parents) == pytest.approx(
        by_residuals(WINE, "density", parents, ddof=1), rel=1e-10)


def test_units_of_measurement_shift_every_graph_alike():
    data = random_measurements(3)
    grams = bn.Measurements({v: data.column(v) * (1000 if v == "b" else 1) for v in data.variables})
    for graph in ("a->b, c, d", "b->a, b->c, d", "a, b, c, d"):
        shift = bn.BIC(grams)(graph) - bn.BIC(data)(graph)
        assert shift == pytest.approx(-len(data) * log(1000))


def test_equivalent_dags_score_alike_and_others_do_not():
    score = bn.BIC(random_measurements(7))
    values = {}
    for dag in bn.all_dags("abcd"):
        values.setdefault(bn.cpdag(dag), []).append(score(dag))
    assert len(values) == 185
    for alike in values.values():
        assert max(alike) - min(alike) < 1e-9
    levels = sorted(alike[0] for alike in values.values())
    assert min(b - a for a, b in pairwise(levels)) > 1e-6


def test_equivalent_dags_score_alike_on_wine():
    dag = bn.DAG("alcohol->density, alcohol->quality, density->residual sugar, fixed acidity->density",
                 nodes=WINE.variables)
    members = bn.equivalence_class(dag)
    assert len(members) > 1
    for score in (bn.BIC(WINE), bn.AIC(WINE), bn.LogLikelihood(WINE)):
        assert [score(member) for member in members] == pytest.approx([score(dag)] * len(members), abs=1e-8)


def test_parameters_are_two_per_variable_and_one_per_arc():
    dag = bn.DAG("a->b, a->c, b->c, d")
    assert bn.dimension(dag, random_measurements(1)) == 2 * 4 + 3
    assert bn.BIC(random_measurements(1)).parameters("c", "a, b") == 4


def test_the_usual_scale_and_the_printed_one():
    data, dag, m = random_measurements(2), "a->b, b->c, d", 50
    fit, k = bn.LogLikelihood(data)(dag), 10
    assert bn.BIC(data)(dag) == pytest.approx(fit - k * log(m) / 2)
    assert bn.AIC(data)(dag) == pytest.approx(fit - k)
    assert bn.BIC(data, scale="printed")(dag) == pytest.approx(fit - k * log(m))
    assert bn.AIC(data, scale="printed")(dag) == pytest.approx(fit - 2 * k)
    assert "printed scale" in repr(bn.BIC(data, scale="printed")) and "printed" not in repr(bn.BIC(data))
    with pytest.raises(ValueError, match="'usual', or 'printed'"):
        bn.AIC(data, scale="double")


def test_the_penalty_of_bic_exceeds_that_of_aic_from_eight_rows_on():
    penalties = {m: bn.BIC(random_measurements(1, n=2, m=m)).penalty for m in (7, 8)}
    assert penalties[7] < bn.AIC(random_measurements(1, n=2, m=7)).penalty < penalties[8]


def test_more_parents_never_fit_worse():
    fit = bn.LogLikelihood(WINE)
    parents = []
    for parent in WINE.variables[:-1]:
        before = fit.family("quality", parents)
        parents.append(parent)
        assert fit.family("quality", parents) >= before


def test_column_order_changes_no_score():
    data = random_measurements(4)
    other = data.select("d", "b", "a", "c")
    for graph in ("a->b, c->b, d", "d->a, a->b, b->c"):
        assert bn.BIC(data)(graph) == pytest.approx(bn.BIC(other)(graph), abs=1e-10)


def test_fit_is_in_nats_by_default():
    data = random_measurements(5)
    assert bn.LogLikelihood(data, base=2)("a->b, c, d") == pytest.approx(bn.LogLikelihood(data)("a->b, c, d") / log(2))
