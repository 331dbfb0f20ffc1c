"""Held-out log-likelihood by cross-validation, computed again by hand."""

import numpy as np
import pandas as pd
import pytest

import bnteach as bn

LEARNERS = {"tree": bn.chow_liu, "BIC": lambda table: bn.hill_climb(bn.BIC(table)),
            "PC": lambda table: bn.pc(bn.ChiSquare(table))}


def test_every_row_is_predicted_by_a_network_that_has_not_seen_it():
    table = bn.datasets.asia(120, seed=2)
    found = bn.cross_validate(LEARNERS, table, folds=4, seed=7, smoothing=0.5)
    fold = np.random.default_rng(7).permutation(np.arange(120) % 4)
    for k in range(4):
        train = table.take(np.flatnonzero(fold != k))
        graph = bn.chow_liu(train).graph
        network = bn.fit(graph, train, smoothing=0.5)
        for i in np.flatnonzero(fold == k)[:5]:
            row = {name: table.states(name)[table.codes(name)[i]] for name in table.variables}
            assert found.rows["tree"][i] == pytest.approx(np.log2(network.probability(row)))
        assert found.graphs["tree"][k] == graph
    means = found.table()
    assert means.loc["BIC", "bits per row"] == pytest.approx(found.rows["BIC"].mean())
    difference = found.rows["PC"] - found.rows["tree"]
    assert means.loc["PC"].iloc[2:].tolist() == pytest.approx([difference.mean(), difference.std(ddof=1) / 120**.5])
    assert found.best == means["bits per row"].idxmax() and "bits per row" in found._repr_html_()


def test_real_numbers_and_one_learner():
    random = np.random.default_rng(0)
    x = random.normal(size=60)
    data = bn.Measurements(pd.DataFrame({"x": x, "y": x + random.normal(size=60)}))
    learners = {"arc": lambda data: bn.DAG("x->y"), "none": lambda data: bn.DAG("x, y")}
    assert bn.cross_validate(learners, data, folds=3, base=np.e).best == "arc"
    assert bn.cross_validate(lambda data: "x->y", data, folds=3).table().index.tolist() == ["<lambda>"]


def test_the_same_seed_gives_the_same_folds():
    table = bn.datasets.five_rows()
    one, other = (bn.cross_validate(bn.chow_liu, table, folds=2, seed=s) for s in (3, 3))
    assert one.rows["chow_liu"].tolist() == other.rows["chow_liu"].tolist()


def test_errors():
    with pytest.raises(bn.DataError, match="5 rows cannot be divided into 6 folds"):
        bn.cross_validate(bn.chow_liu, bn.datasets.five_rows(), folds=6)
    with pytest.raises(ValueError, match="folds"):
        bn.cross_validate(bn.chow_liu, bn.datasets.five_rows(), folds=1)


def test_smoothing_adds_pseudo_counts():
    network = bn.fit("A->B, A->C, B->D", bn.datasets.five_rows(), smoothing=2)
    assert network.cpt("C").to_numpy() == pytest.approx(np.array([[3 / 8, 5 / 8], [3 / 5, 2 / 5]]))
    for wrong in (-1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="is no pseudo-count"):
            bn.fit("A->B, C, D", bn.datasets.five_rows(), smoothing=wrong)
    with pytest.raises(ValueError, match="these data are real numbers"):
        bn.fit("x->y", bn.Measurements({"x": [1, 2, 3.5], "y": [2, 1, 3.5]}), smoothing=1)
