"""Expected counts and EM, against enumeration and closed forms."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.models import expected
from bnteach.models.em import Began, Finished, Round, em, random_tables
from bnteach.models.expected import DistinctRows, ExpectedTable, expected_score
from bnteach.models.inference import Impossible
from bnteach.tables.missing import mask, with_missing
from tests.models.random_networks import joint, networks


def gappy(network, rows, seed, share=.3):
    """Rows drawn from a network, with gaps; all states kept."""
    return with_missing(network.sample(rows, seed=seed), share, seed)


def expected_by_hand(network, table, names):
    """Every row, every way to complete it, its share of the row: plain loops."""
    nodes, counts = network.dag.nodes, np.zeros([len(network.states[n]) for n in names])
    logs = 0.0
    for i in range(len(table)):
        says = {n: int(table.codes(n)[i]) for n in nodes if table.codes(n)[i] >= 0}
        fits = {row: p for row, p in joint(network).items()
                if all(dict(zip(nodes, row))[n] == s for n, s in says.items())}
        total = sum(fits.values())
        logs += np.log(total)
        for row, p in fits.items():
            counts[tuple(dict(zip(nodes, row))[n] for n in names)] += p / total
    return counts, logs


@given(networks(most=4, zeros=False), st.integers(0, 2**16), st.booleans())
@settings(max_examples=60)
def test_expected_counts_are_what_plain_loops_count(network, seed, by_elimination):
    table = gappy(network, 9, seed)
    rows = DistinctRows.of(table)
    if by_elimination:
        rows.__dict__["fillings"] = None
    names = tuple(np.random.default_rng(seed).permutation(network.dag.nodes)[:2].tolist())
    counts, logs = expected_by_hand(network, table, names)
    completed = ExpectedTable(table, network, rows)
    assert completed.counts(*names) == pytest.approx(counts, abs=1e-9)
    assert completed.log_likelihood == pytest.approx(logs, abs=1e-9)
    assert network.log_likelihood(table, base=np.e) == pytest.approx(logs, abs=1e-9)


def test_too_many_fillings_are_not_written_down(monkeypatch):
    network = bn.datasets.network("asia")
    table = gappy(network, 300, 1, share=.2)
    assert DistinctRows.of(table).fillings is not None
    written = em(network.dag, table, rounds=4).network
    monkeypatch.setattr(expected, "MOST_FILLINGS", 10)
    assert DistinctRows.of(table).fillings is None
    eliminated = em(network.dag, table, rounds=4).network
    assert all(np.allclose(written.tables[n], eliminated.tables[n]) for n in network.dag.nodes)


@given(networks(most=5), st.integers(0, 2**16), st.sampled_from([0.0, 0.5]))
@settings(max_examples=80)
def test_the_likelihood_never_falls(network, seed, smoothing):
    table = gappy(network, 30, seed, share=.35)
    found = em(network.dag, table, seed=seed, rounds=25, smoothing=smoothing)
    values = [step.log_likelihood for step in found.trace if isinstance(step, Began | Round)]
    assert all(after >= before - 1e-7 for before, after in pairwise(values))
    assert found.score == values[-1]


@given(networks(most=5), st.integers(0, 2**16))
@settings(max_examples=40)
def test_complete_data_need_one_step_and_give_fractions(network, seed):
    table = bn.Table(network.sample(40, seed=seed))
    found, ideal = em(network.dag, table, seed=seed), bn.fit(network.dag, table)
    assert len(found.trace.only(Round)) <= 2, "the second round only sees that nothing changes"
    first = em(network.dag, table, seed=seed, rounds=1).network
    for node in network.dag.nodes:
        assert found.network.tables[node] == pytest.approx(ideal.tables[node], abs=1e-12)
        assert first.tables[node] == pytest.approx(ideal.tables[node], abs=1e-12)
    assert found.score == pytest.approx(ideal.log_likelihood(table))


def test_gaps_in_a_leaf_tell_nothing_and_a_closed_form_is_reached():
    frame = pd.DataFrame({"A": list("aaaabbbb"), "B": ["x", "x", "y", None, "y", "y", None, None]})
    found = em("A->B", frame)
    assert found.network.tables["A"] == pytest.approx([.5, .5])
    assert found.network.tables["B"] == pytest.approx(np.array([[2 / 3, 1 / 3], [0, 1]]), abs=1e-4)


def test_a_maximum_is_a_maximum():
    table = gappy(bn.datasets.network("asia"), 400, 3, share=.2)
    dag = bn.DAG("smoke->lung, smoke->bronc, tub, asia, either, xray, dysp")
    found, random = em(dag, table, tolerance=1e-9), np.random.default_rng(0)
    best = found.network.log_likelihood(table)
    for _ in range(20):
        tables = {n: np.clip(t + random.normal(0, .02, t.shape), 1e-4, None) for n, t in found.network.tables.items()}
        other = bn.CategoricalNetwork(found.network.dag, found.network.states,
                                      {n: t / t.sum(axis=-1, keepdims=True) for n, t in tables.items()})
        assert other.log_likelihood(table) < best


def test_values_lost_at_random_do_not_mislead_em_but_mislead_whoever_drops_rows():
    truth = bn.CategoricalNetwork(bn.DAG("A->B"), {"A": (0, 1), "B": (0, 1)}, {
        "A": [.5, .5], "B": [[.8, .2], [.3, .7]]})
    holes = mask(truth.sample(40_000, seed=1), "A", lambda rows: (rows.B == 1) * .8, seed=2)
    assert em("A->B", holes).network.tables["A"] == pytest.approx([.5, .5], abs=.02)
    assert bn.fit("A->B", holes.complete_rows()).tables["A"][0] > .6


def test_a_hidden_variable_is_found_from_its_three_children():
    truth = bn.CategoricalNetwork(bn.DAG("H->x, H->y, H->z"), dict.fromkeys("Hxyz", (0, 1)), {
        "H": [.6, .4], **{v: [[.9, .1], [.2, .8]] for v in "xyz"}})
    rows = truth.sample(5_000, seed=4)
    rows["H"] = pd.Categorical([None] * len(rows), categories=[0, 1])
    found = em("H->x, H->y, H->z", rows, restarts=3)
    h = sorted(found.network.tables["H"].tolist())
    assert h == pytest.approx([.4, .6], abs=.05)
    assert found.score >= truth.log_likelihood(bn.Table(rows, missing="keep"))
    assert len(found.trace.only(Finished)) == 4


def test_the_best_of_several_starts_counts():
    random = np.random.default_rng(3)
    rows = pd.DataFrame(random.integers(0, 2, (60, 4)), columns=list("wxyz"))
    rows["H"] = pd.Categorical([None] * 60, categories=[0, 1, 2])
    for seed in (0, 2, 5):
        found = em("H->w, H->x, H->y, H->z", rows, restarts=4, seed=seed, rounds=60)
        ends = [step.log_likelihood for step in found.trace.only(Finished)]
        assert max(ends) - min(ends) > .01, "the starts differ, or this tests nothing"
        assert found.score == pytest.approx(max(ends), abs=1e-5)
        assert found.network.log_likelihood(bn.Table(rows, missing="keep")) == pytest.approx(found.score)


def test_the_same_seed_gives_the_same_trace():
    table = gappy(bn.datasets.network("asia"), 100, 5)
    dag = bn.datasets.network("asia").dag
    assert em(dag, table, seed=3, rounds=5).trace == em(dag, table, seed=3, rounds=5).trace
    assert em(dag, table, seed=3, rounds=5).trace != em(dag, table, seed=4, rounds=5).trace
    start = random_tables(dag, table, 3)
    assert em(dag, table, start=start, rounds=5).trace == em(dag, table, seed=3, rounds=5).trace


def test_smoothing_keeps_probabilities_from_nought():
    frame = {"A": ["a", "a", "b"], "B": ["x", "x", "y"]}
    assert em("A->B", frame).network.tables["B"].min() == 0
    smooth = em("A->B", frame, smoothing=1).network.tables["B"]
    assert smooth == pytest.approx(np.array([[3 / 4, 1 / 4], [1 / 3, 2 / 3]]))


@given(networks(most=4, zeros=False), st.integers(0, 2**16))
@settings(max_examples=30)
def test_scores_of_expected_counts(network, seed):
    assume(len(network.dag) > 1)
    table = gappy(network, 8, seed)
    completed = ExpectedTable(table, network)
    child, parent = network.dag.nodes[:2]
    counts, _ = expected_by_hand(network, table, (child, parent))
    fit = sum(n * np.log(n / counts[:, j].sum()) for (_, j), n in np.ndenumerate(counts) if n > 1e-12)
    size = (counts.shape[0] - 1) * counts.shape[1]
    assert expected_score(bn.BIC, completed).family(child, [parent]) == pytest.approx(fit - size * np.log(8) / 2)
    assert expected_score(bn.BDeu, completed).family(child, [parent]) <= 1e-9
    complete = bn.Table(network.sample(8, seed=seed))
    same = expected_score(bn.BIC, ExpectedTable(complete, network))
    assert same.family(child, [parent]) == pytest.approx(bn.BIC(complete).family(child, [parent]))


@pytest.mark.parametrize(("ask", "message"), [
    (lambda t: em("A->B", t, start=bn.fit("A, B", t.complete_rows())), "has the graph A, B, not A->B"),
    (lambda t: em("A->B", t, start=random_tables(bn.DAG("A->B"), bn.Table({"A": [0, 1], "B": [0, 1]}), 0)),
     "A has the states 0, 1 in the network to start with, and a, b in the data"),
    (lambda t: em("A->B", t, rounds=0), "rounds=0 must be a whole number, at least 1"),
    (lambda t: em("A->B", t, smoothing=-1), "smoothing=-1 must be a number, at least 0"),
    (lambda t: em("A->C", t), "no node B"),
    (lambda t: em("A->B", t, start=bn.CategoricalNetwork(bn.DAG("A->B"), {"A": ("a", "b"), "B": ("x", "y")}, {
        "A": [1, 0], "B": [[.5, .5], [.5, .5]]})), "the row A = b, B = y has probability 0"),
    (lambda t: ExpectedTable(t, random_tables(bn.DAG("A->B"), t, 0)).merged, "parts of rows"),
    (lambda t: bn.fit("A->B", t), "1 of the 3 rows have gaps.*bn.em.*lesson 15.*complete_rows"),
    (lambda t: bn.fit("A->B", t.complete_rows()).factors(t), "1 of the 3 rows have gaps"),
    (lambda t: bn.chow_liu(t), "1 of the 3 rows have gaps"),
])
def test_bad_input_says_what_to_do(ask, message):
    table = bn.Table({"A": ["a", "a", "b"], "B": ["x", None, "y"]}, missing="keep")
    with pytest.raises((ValueError, TypeError, Impossible), match=message):
        ask(table)
