"""Linear Gaussian networks against numpy, scipy and closed forms."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import multivariate_normal

import bnteach as bn
from bnteach.scores.gaussian import GaussianFamilies

CHAIN = bn.GaussianNetwork(bn.DAG("x->y, y->z"), {"x": 1, "y": 0, "z": -1}, {"y": [2], "z": [0.5]},
                           {"x": 1, "y": 0.25, "z": 2})


def random_measurements(seed, n=4, m=60):
    random = np.random.default_rng(seed)
    mixed = random.normal(size=(m, n)) @ random.normal(size=(n, n)) + random.normal(size=n)
    return bn.Measurements(dict(zip("abcdefgh", mixed.T)))


def random_dag(variables, seed):
    random = np.random.default_rng(seed)
    order = random.permutation(list(variables))
    arcs = [(a, b) for i, a in enumerate(order) for b in order[i + 1:] if random.random() < .6]
    return bn.DAG(arcs, variables)


# -- fitting ---------------------------------------------------------------------------------------------
def test_regressions_are_least_squares_with_an_intercept():
    data = random_measurements(1)
    network = bn.fit("a->c, b->c, c->d", data)
    x = np.column_stack([np.ones(len(data)), data.column("a"), data.column("b")])
    expected, squares, *_ = np.linalg.lstsq(x, data.column("c"))
    assert [network.intercepts["c"], *network.coefficients["c"]] == pytest.approx(expected)
    assert network.variances["c"] == pytest.approx(squares[0] / (len(data) - 1))


def test_without_parents_the_parameters_are_mean_and_sample_variance():
    data = random_measurements(2)
    network = bn.fit(bn.DAG((), data.variables), data)
    assert [network.intercepts[v] for v in "abcd"] == pytest.approx(data.values.mean(axis=0))
    assert [network.variances[v] for v in "abcd"] == pytest.approx(data.values.var(axis=0, ddof=1))


def test_dividing_by_m_maximizes_the_likelihood():
    data, m = random_measurements(3), 60
    dag = bn.DAG("a->b, b->c, a->d")
    greatest = bn.GaussianNetwork.fit(dag, data, variance="m")
    report = bn.GaussianNetwork.fit(dag, data)
    loss = 4 * (m / 2 * np.log(m / (m - 1)) - 1 / 2)
    assert greatest.log_likelihood(data) - report.log_likelihood(data) == pytest.approx(loss)
    for factor in (.9, 1.1):
        other = bn.GaussianNetwork(dag, greatest.intercepts, greatest.coefficients,
                                   {v: factor * s for v, s in greatest.variances.items()})
        assert other.log_likelihood(data) < greatest.log_likelihood(data)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000))
def test_log_likelihood_is_the_score_and_the_density_is_scipys(seed):
    data = random_measurements(seed)
    dag = random_dag(data.variables, seed)
    network = bn.fit(dag, data)
    assert network.log_likelihood(data) == pytest.approx(bn.LogLikelihood(data)(dag))
    joint = multivariate_normal(network.mean, network.covariance)
    order = data.select(*network.dag.nodes).values
    assert network.densities(data) == pytest.approx(joint.pdf(order))
    assert network.log_likelihood(data) == pytest.approx(joint.logpdf(order).sum())


def test_the_complete_graph_reproduces_mean_and_covariance_of_the_data():
    data = random_measurements(5)
    network = bn.fit("a->b, a->c, a->d, b->c, b->d, c->d", data)
    assert network.mean == pytest.approx(data.values.mean(axis=0))
    assert network.covariance == pytest.approx(np.cov(data.values.T))


def test_nodes_may_be_in_another_order_than_columns():
    data = random_measurements(6)
    one, other = bn.fit(bn.DAG("d->a, b->a, c"), data), bn.fit(bn.DAG("b->a, d->a, c", nodes="abcd"), data)
    assert one.log_likelihood(data) == pytest.approx(other.log_likelihood(data))
    assert one.given({"a": 1}).loc["d"].tolist() == pytest.approx(other.given({"a": 1}).loc["d"].tolist())


# -- by hand ---------------------------------------------------------------------------------------------
def test_a_chain_by_hand():
    assert CHAIN.mean.tolist() == pytest.approx([1, 2, 0])
    assert CHAIN.covariance == pytest.approx(np.array([[1, 2, 1], [2, 4.25, 2.125], [1, 2.125, 3.0625]]))
    assert CHAIN.parameters == 8
    assert CHAIN.equation("y") == "y = 0 + 2 x, residual variance 0.25"
    assert CHAIN.equation("z") == "z = -1 + 0.5 y, residual variance 2"


def test_density_of_one_row_is_the_product_of_its_factors():
    row = {"x": 1.5, "y": 2.5, "z": 0}
    factors = CHAIN.factors({v: [value] for v, value in row.items()})
    expected = np.exp(-.5**2 / 2) / np.sqrt(2 * np.pi)
    assert factors["x"].item() == pytest.approx(expected)
    assert CHAIN.density(row) == pytest.approx(factors.to_numpy().prod())


def test_evidence_conditions_the_joint_normal():
    posterior = CHAIN.given({"z": 1})
    assert posterior.index.tolist() == ["x", "y"]
    assert posterior["mean"].tolist() == pytest.approx([1 + 1 / 3.0625, 2 + 2.125 / 3.0625])
    assert posterior["sd"].tolist() == pytest.approx([np.sqrt(1 - 1 / 3.0625), np.sqrt(4.25 - 2.125**2 / 3.0625)])
    assert CHAIN.given({})["mean"].tolist() == pytest.approx([1, 2, 0])


def test_the_middle_of_a_chain_separates_its_ends():
    assert CHAIN.given({"y": 3, "x": 0}).loc["z"].tolist() == pytest.approx(CHAIN.given({"y": 3}).loc["z"].tolist())
    assert CHAIN.given({"x": 0}).loc["z", "mean"] != pytest.approx(CHAIN.given({"x": 2}).loc["z", "mean"])


# -- prediction and sampling -----------------------------------------------------------------------------
def test_prediction_uses_all_evidence_or_what_is_named():
    rows = {"x": [0, 1], "z": [3, -1]}
    both = CHAIN.predict("y", rows)
    assert both.tolist() == pytest.approx([CHAIN.given({"x": x, "z": z}).loc["y", "mean"]
                                           for x, z in zip(*rows.values())])
    assert CHAIN.predict("y", {**rows, "y": [9, 9], "other": [5, 6]}).tolist() == both.tolist()
    assert CHAIN.predict("y", rows, given="x").tolist() == pytest.approx([0, 2])
    assert CHAIN.predict("y", rows, given=()).tolist() == pytest.approx([2, 2])
    assert CHAIN.predict("x", rows).tolist() == pytest.approx(
        [CHAIN.given({"z": z}).loc["x", "mean"] for z in rows["z"]]), "a child is evidence too"


def test_an_intervention_cuts_the_arcs_into_a_variable():
    after = CHAIN.do({"y": 3})
    assert after.dag == bn.DAG("y->z, x") and after.given({})["mean"]["x"] == pytest.approx(CHAIN.mean[0])
    assert after.given({"x": 5}).loc["z"].tolist() == pytest.approx(CHAIN.given({"y": 3, "x": 5}).loc["z"].tolist())
    assert after.given({"x": 5, "y": 3}).loc["z"].tolist() == pytest.approx(after.given({}).loc["z"].tolist())
    assert after.sample(5).y.tolist() == [3.0] * 5
    with pytest.raises(ValueError, match="y is set to a value by an intervention, and so it has no density"):
        after.log_likelihood({"x": [1], "y": [3], "z": [1]})


def test_saved_and_loaded(tmp_path):
    network = bn.fit("a->b, a->c, c->d", random_measurements(8))
    assert bn.GaussianNetwork.load(network.save(tmp_path / "net.json")) == network
    assert network != bn.fit("a->b, a->c, c->d", random_measurements(9)) and network != 1
    with pytest.raises(ValueError, match="this is not a saved GaussianNetwork, but"):
        bn.GaussianNetwork.from_json("[1]")


def test_prediction_given_all_others_in_the_complete_graph_is_regression_on_all_others():
    data = random_measurements(8)
    network = bn.fit("a->b, a->c, a->d, b->c, b->d, c->d", data)
    x = np.column_stack([np.ones(len(data)), *(data.column(v) for v in "bcd")])
    expected = x @ np.linalg.lstsq(x, data.column("a"))[0]
    assert network.predict("a", data, given="b, c, d") == pytest.approx(expected)


def test_samples_have_mean_and_covariance_of_the_network():
    rows = CHAIN.sample(200_000, seed=4)
    assert rows.mean().tolist() == pytest.approx(CHAIN.mean.tolist(), abs=.03)
    assert rows.cov().to_numpy() == pytest.approx(CHAIN.covariance, abs=.06)
    assert CHAIN.sample(5, seed=4).equals(CHAIN.sample(5, seed=4))
    assert not CHAIN.sample(5, seed=4).equals(CHAIN.sample(5, seed=5))


def test_the_table_has_one_row_per_variable():
    table = CHAIN.table()
    assert table.columns.tolist() == ["intercept", "x", "y", "variance"]
    assert table.loc["z", "y"] == .5 and np.isnan(table.loc["z", "x"]) and table.loc["x", "variance"] == 1
    assert repr(CHAIN) == "GaussianNetwork on 3 variables, 2 arcs, 8 parameters"


def test_fit_distinguishes_measurements_from_categories():
    assert isinstance(bn.fit("a->b, c, d", random_measurements(1)), bn.GaussianNetwork)
    assert isinstance(bn.fit("A->B, C, D", bn.datasets.five_rows()), bn.CategoricalNetwork)


# -- errors ----------------------------------------------------------------------------------------------
def test_a_constant_column_is_named():
    with pytest.raises(bn.DataError, match="column 'b' is 3 in every row"):
        bn.fit("a->b", bn.Measurements({"a": [1, 2, 4], "b": [3, 3, 3]}))


def test_collinear_columns_are_named():
    data = bn.Measurements({"a": [1, 2, 4, 7, 5], "b": [1, 0, 2, 1, 3], "n": [5, 1, 2, 4, 9], "c": [3, 2, 8, 9, 11]})
    with pytest.raises(bn.DataError, match="'c' is a linear function of a, b in every row"):
        bn.fit("a->c, b->c, n", data)
    with pytest.raises(bn.DataError, match="'c' is a linear function of a, b in every row"):
        GaussianFamilies(data).log_likelihood("n", ("a", "b", "c"))
    assert bn.fit("a->c, b, n", data).parameters == 9


def test_too_few_rows():
    data = random_measurements(1, m=4)
    with pytest.raises(bn.DataError, match="3 parents has 5 parameters, and there are 4 rows"):
        bn.fit("a->d, b->d, c->d", data)
    assert bn.fit("a->d, b->d, c", data).parameters == 10
    with pytest.raises(bn.DataError, match="at least two rows"):
        bn.fit("a->b", bn.Measurements({"a": [1], "b": [2]}))


@pytest.mark.parametrize(("call", "error", "words"), [
    (lambda: CHAIN.equation("w"), bn.UnknownVariable, "no variable 'w' in the network"),
    (lambda: CHAIN.predict("w", {"x": [1]}), bn.UnknownVariable, "no variable 'w' in the network"),
    (lambda: CHAIN.predict("y", {"y": [1], "x": [1]}, given="x, y"), ValueError, "y is to be predicted and is also"),
    (lambda: CHAIN.predict("y", {"x": [1], "u": [1]}, given="u"), bn.UnknownVariable, "no variable 'u' in the network"),
    (lambda: CHAIN.given({"w": 1}), bn.UnknownVariable, "no variable 'w' in the network"),
    (lambda: CHAIN.given({"x": float("nan")}), ValueError, "Omit variables that were not observed"),
    (lambda: CHAIN.density({"x": 1}), ValueError, "the row has no value for y, z"),
    (lambda: CHAIN.given({"x": "tall"}), ValueError, "x is given as tall; evidence must be a finite number"),
    (lambda: CHAIN.log_likelihood({"x": [1], "y": [1], "z": [1]}, base=0), ValueError, "base=0 cannot be the base"),
    (lambda: CHAIN.sample(0), ValueError, "n=0 must be a whole number, at least 1"),
    (lambda: bn.GaussianNetwork.fit("x->y", {"x": [1, 2, 3], "y": [1, 3, 2]}, variance="n"), ValueError, "'m-1'"),
    (lambda: bn.GaussianNetwork(bn.DAG("x->y"), {"x": 0, "y": 0}, {}, {"x": 1, "y": 1}), ValueError,
     "y has 0 coefficients and 1 parents"),
    (lambda: bn.GaussianNetwork(bn.DAG("x"), {"x": 0}, {}, {"x": -1}), ValueError, "residual variance of x is -1"),
    (lambda: bn.fit("x->y", bn.Measurements({"x": [1, 2, 3], "y": [1, 3, 2], "z": [3, 2, 1.5]})), ValueError,
     "has no node z"),
])
def test_errors(call, error, words):
    with pytest.raises(error, match=words):
        call()
