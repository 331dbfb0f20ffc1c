"""The wine report, figure by figure, and what beats it."""

import hashlib
from itertools import pairwise
from math import log

import numpy as np
import pandas as pd
import pytest

import bnteach as bn
from bnteach.datasets import data_path

WINE = bn.datasets.wine_report()
QUALITY_FIRST = WINE.select("quality", *WINE.variables[:-1])  # the order in which the report's figures come out
FIT = bn.LogLikelihood(WINE)
HALF_LOG = log(1199) / 2

# Table 1 of the report
RANGES = {"fixed acidity": (4.7, 15.9), "volatile acidity": (0.12, 1.58), "citric acid": (0, 1),
          "residual sugar": (0.9, 15.5), "chlorides": (0.012, 0.611), "free sulfur dioxide": (1, 72),
          "total sulfur dioxide": (6, 289), "density": (0.99007, 1.00369), "pH": (2.74, 4.01),
          "sulphates": (0.37, 2.00), "alcohol": (8.4, 14.9), "quality": (3, 8)}
BEST_BY_SIZE = [.3903, .5505, .5646, .5746, .5738, .5863, .5863, .5888, .5880, .5922, .5863, .5838]


# -- the data --------------------------------------------------------------------------------------------
def test_the_file_is_the_one_that_was_published():
    content = data_path("winequality-red.csv").read_bytes()
    assert len(content) == 84_199
    assert hashlib.sha256(content).hexdigest() == "4a402cf041b025d4566d954c3b9ba8635a3a8a01e039005d97d6a710278cf05e"


def test_all_wines_in_the_file_s_order():
    wine = bn.datasets.wine()
    assert wine.variables == tuple(RANGES) and wine.values.shape == (1599, 12)
    assert wine.values[0].tolist() == [7.4, .7, 0, 1.9, .076, 11, 34, .9978, 3.51, .56, 9.4, 5]


def test_the_report_s_rows_have_the_ranges_of_table_1():
    assert WINE.values.shape == (1199, 12)
    for name, (low, high) in RANGES.items():
        assert (WINE.column(name).min(), WINE.column(name).max()) == (low, high)
    assert set(WINE.column("quality")) == {3, 4, 5, 6, 7, 8}


def test_another_shuffle_would_not_have_them():
    other = bn.datasets.wine().take(np.random.RandomState(1).permutation(1599)[400:])
    assert any((other.column(v).min(), other.column(v).max()) != bounds for v, bounds in RANGES.items())


def test_copies_and_other_splits():
    """240 of the 1599 rows are copies, 84 of the 400 held-out rows copy a fitted one, and Table 1 fits seven seeds."""
    everything = bn.datasets.wine()
    assert len({tuple(row) for row in everything.values}) == 1359 and len({tuple(row) for row in WINE.values}) == 1059
    held_out, fitted = everything.values[np.random.RandomState(0).permutation(1599)[:400]], set(map(tuple, WINE.values))
    assert sum(tuple(row) in fitted for row in held_out) == 84
    low, high = np.array(list(RANGES.values())).T
    kept = {seed: everything.values[np.random.RandomState(seed).permutation(1599)[400:]] for seed in range(200)}
    assert [s for s, v in kept.items() if (v.min(axis=0) == low).all() and (v.max(axis=0) == high).all()] == [0, 114]
    other = bn.accuracy_by_parents(everything.take(np.random.RandomState(114).permutation(1599)[400:]), "quality")
    assert round(other.accuracy.max(), 4) == .6055


def test_children_of_quality_help_to_predict_it():
    best = bn.exact(bn.BIC(WINE)).graph
    network, truth = bn.fit(best, WINE), WINE.column("quality")
    given = best.parents("quality"), None
    by = [np.mean(network.predict("quality", WINE, names).round() == truth) for names in given]
    assert np.round(by, 4).tolist() == [.4712, .5788] and len(best.children("quality")) == 4


# -- 4.1, prediction -------------------------------------------------------------------------------------
def test_all_2048_sets_of_parents():
    table = bn.accuracy_by_parents(WINE, "quality")
    assert len(table) == 2048 == len(set(table.parents))
    assert table.groupby("size").accuracy.max().round(4).tolist() == BEST_BY_SIZE
    best = table[table.right == table.right.max()]
    assert len(best) == 1 and best.right.item() == 710
    assert set(best.parents.item()) == set(WINE.variables) - {"quality", "density", "pH"}


def test_accuracy_is_that_of_a_fitted_network():
    table = bn.accuracy_by_parents(WINE, "quality")
    for parents, right in table.iloc[[0, 5, 700, 1986, 2047]][["parents", "right"]].itertuples(index=False):
        dag = bn.DAG([(parent, "quality") for parent in parents], WINE.variables)
        predicted = bn.fit(dag, WINE).predict("quality", WINE)
        assert (predicted.round() == WINE.column("quality")).sum() == right


def test_accuracy_needs_whole_numbers_and_few_variables():
    with pytest.raises(bn.DataError, match="values of 'pH' are not whole numbers"):
        bn.accuracy_by_parents(WINE, "pH")
    wide = bn.Measurements({f"x{i}": np.random.default_rng(i).integers(0, 9, 30) for i in range(16)})
    with pytest.raises(bn.DataError, match=r"the limit is 2\^14"):
        bn.accuracy_by_parents(wide, "x0")


# -- 4.2, local search -----------------------------------------------------------------------------------
@pytest.mark.parametrize(("kind", "moves", "fit", "parameters", "evaluated"), [
    (bn.BIC, "add", -5699.4249, 65, 3158), (bn.BIC, "add remove", -5699.4249, 65, 4019),
    (bn.AIC, "add", -5672.7364, 75, 3366), (bn.AIC, "add remove", -5672.7364, 75, 4692),
])
def test_local_search_with_quality_as_first_column(kind, moves, fit, parameters, evaluated):
    found = bn.hill_climb(kind(QUALITY_FIRST), moves=moves)
    assert FIT(found.graph) == pytest.approx(fit, abs=5e-5)
    assert bn.dimension(found.graph, WINE) == parameters == len(found.graph.arcs) + 24
    assert found.evaluated == evaluated


@pytest.mark.parametrize(("kind", "fit", "parameters"), [(bn.BIC, -5692.21, 67), (bn.AIC, -5672.64, 75)])
def test_local_search_in_the_file_s_order(kind, fit, parameters):
    found = bn.hill_climb(kind(WINE), moves="add")
    assert (FIT(found.graph), bn.dimension(found.graph, WINE)) == (pytest.approx(fit, abs=.005), parameters)


def test_the_runs_diverge_at_the_tie_of_alcohol_and_quality():
    one, other = (bn.hill_climb(bn.BIC(data), moves="add").trace for data in (QUALITY_FIRST, WINE))
    moves = [[(step.parent, step.child) for step in trace if hasattr(step, "child")] for trace in (one, other)]
    pairs = [[frozenset(arc) for arc in arcs] for arcs in moves]
    where = next(i for i, (a, b) in enumerate(zip(*moves)) if a != b)
    assert moves[0][where] == ("quality", "alcohol") and moves[1][where] == ("alcohol", "quality")
    assert pairs[0][:where + 1] == pairs[1][:where + 1]


@pytest.mark.parametrize(("kind", "low", "high"), [(bn.BIC, 56, 60), (bn.AIC, 70, 72)])
def test_on_the_printed_scale_it_stops_earlier(kind, low, high):
    for data in (QUALITY_FIRST, WINE):
        found = bn.hill_climb(kind(data, scale="printed"), moves="add")
        assert low <= bn.dimension(found.graph, WINE) <= high


def test_variance_by_m_adds_a_little_to_every_graph():
    dag = bn.hill_climb(bn.BIC(WINE), moves="add").graph
    best = bn.GaussianNetwork.fit(dag, WINE, variance="m").log_likelihood(WINE)
    assert best - FIT(dag) == pytest.approx(.0025, abs=5e-5)


# -- the optimum -----------------------------------------------------------------------------------------
def best_graph_by_subsets(score):
    """Dynamic programming over subsets: the best parents in every set, then the best sink of every set."""
    n, names = len(score.variables), score.variables
    best = []
    for child in names:
        among = {}
        for chosen in range(2**n):
            parents = [names[i] for i in range(n) if chosen >> i & 1]
            own = -np.inf if child in parents else score.family(child, parents)
            less = [among[chosen & ~(1 << i)] for i in range(n) if chosen >> i & 1]
            among[chosen] = max([own, *less])
        best.append(among)
    whole = {0: 0.0}
    for chosen in range(1, 2**n):
        whole[chosen] = max(whole[chosen & ~(1 << i)] + best[i][chosen & ~(1 << i)]
                            for i in range(n) if chosen >> i & 1)
    return whole[2**n - 1]


@pytest.mark.parametrize(("kind", "value", "fit", "parameters"), [
    (bn.BIC, -5903.6848, -5683.9183, 62), (bn.AIC, -5740.9754, -5673.9754, 67)])
def test_the_exact_optimum(kind, value, fit, parameters):
    score = kind(WINE)
    assert best_graph_by_subsets(score) == pytest.approx(value, abs=5e-5)
    found = bn.exact(score)
    assert found.score == pytest.approx(value, abs=5e-5) == pytest.approx(score(found.graph), abs=5e-5)
    assert FIT(found.graph) == pytest.approx(fit, abs=5e-5)
    assert bn.dimension(found.graph, WINE) == parameters


# -- 4.3, annealing --------------------------------------------------------------------------------------
def stored_grid():
    return pd.read_csv(data_path("wine_grid.csv"))


def test_the_stored_grid_is_whole_and_reaches_the_report():
    grid = stored_grid()
    seeds = grid.seed.nunique()
    for kind, at_least, at_most in ((bn.BIC, -5922.20, -5903.6848), (bn.AIC, -5745.41, -5740.9754)):
        runs = grid[grid.data.str.startswith(kind.__name__)]
        assert list(runs["transform"].unique()) == list(bn.REPORT_TRANSFORMS) and len(runs) == 46 * seeds
        assert at_least <= runs.score.max() <= at_most + 1e-4


def test_runs_of_the_stored_grid_come_out_again(tmp_path):
    for kind in (bn.BIC, bn.AIC):
        runs = stored_grid()
        runs = runs[runs.data.str.startswith(kind.__name__)]
        best = runs.loc[runs.score.idxmax()]
        again = bn.anneal_grid(kind(WINE), [best["transform"]], [best.seed])
        assert again.iloc[0].tolist()[:6] == best.tolist()[:6]  # the data's fingerprint among them
        assert again.score.item() == pytest.approx(best.score, abs=1e-5)
        assert again[["arcs", "best_at", "accepted"]].iloc[0].tolist() == best[["arcs", "best_at", "accepted"]].tolist()


def test_what_the_report_prints_of_its_two_graphs_adds_up():
    arcs = {"BIC": 64 - 24, "AIC": 72 - 24}
    equal, flipped, only_bic, only_aic = 23, 15, 2, 10
    assert (equal + flipped + only_bic, equal + flipped + only_aic) == (arcs["BIC"], arcs["AIC"])
    assert equal + (66 - equal - flipped - only_bic - only_aic) == 39


def test_reported_scores():
    assert -5695.34 - 64 * HALF_LOG == pytest.approx(-5922.20, abs=.005)
    assert -5673.41 - 72 == pytest.approx(-5745.41, abs=.005)


def test_accuracy_does_not_rise_steadily():
    falls = [size + 1 for size, (a, b) in enumerate(pairwise(BEST_BY_SIZE)) if b < a]
    assert falls == [4, 8, 10, 11]
