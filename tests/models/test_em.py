"""Expected counts and EM, against enumeration and closed forms."""

from itertools import combinations, pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.models import calibration, expected
from bnteach.models.elimination import Intractable
from bnteach.models.em import Finished, Iteration, Started, em, random_cpts
from bnteach.models.expected import ExpectedCounts, IncompleteRows
from bnteach.models.inference import Impossible
from bnteach.tables.missing import mask, with_missing
from tests.models.random_networks import joint, networks


def incomplete(network, rows, seed, share=.3):
    """Rows drawn from a network, with missing values; all states kept."""
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


@given(networks(max_nodes=4, zeros=False), st.integers(0, 2**16), st.booleans())
@settings(max_examples=60)
def test_expected_counts_are_what_plain_loops_count(network, seed, by_elimination):
    table = incomplete(network, 9, seed)
    rows = IncompleteRows.of(table)
    if by_elimination:
        rows.__dict__["completions"] = None
    names = tuple(np.random.default_rng(seed).permutation(network.dag.nodes)[:2].tolist())
    counts, logs = expected_by_hand(network, table, names)
    completed = ExpectedCounts(table, network, rows)
    assert completed.counts(*names) == pytest.approx(counts, abs=1e-9)
    assert completed.log_likelihood == pytest.approx(logs, abs=1e-9)
    assert network.log_likelihood(table, base=np.e) == pytest.approx(logs, abs=1e-9)


@given(networks(max_nodes=5), st.integers(0, 2**16), st.sampled_from([2**24, 40]))
@settings(max_examples=60)
def test_all_families_at_once_are_what_plain_loops_count(network, seed, cells):
    table = incomplete(network, 9, seed)
    rows = IncompleteRows.of(table)
    rows.__dict__["completions"] = None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(calibration, "MAX_CELLS", cells)  # few cells: a few rows at a time
        found = ExpectedCounts(table, network, rows).family_counts()
    for node in network.dag.nodes:
        family = (*network.dag.parents(node), node)
        assert found[node] == pytest.approx(expected_by_hand(network, table, family)[0], abs=1e-9)


def test_families_whose_cliques_are_too_large_are_counted_one_after_the_other(monkeypatch):
    network = bn.datasets.network("asia")
    rows = IncompleteRows.of(incomplete(network, 100, 1))
    rows.__dict__["completions"] = None
    completed = ExpectedCounts(incomplete(network, 100, 1), network, rows)
    at_once = completed.family_counts()

    def refuse(largest):
        raise Intractable("too large")

    monkeypatch.setattr(calibration, "check_size", refuse)
    assert all(np.allclose(at_once[node], counts) for node, counts in completed.family_counts().items())


def test_too_many_completions_are_not_listed(monkeypatch):
    network = bn.datasets.network("asia")
    table = incomplete(network, 300, 1, share=.2)
    assert IncompleteRows.of(table).completions is not None
    listed = em(network.dag, table, max_iterations=4).network
    monkeypatch.setattr(expected, "MAX_COMPLETIONS", 10)
    assert IncompleteRows.of(table).completions is None
    eliminated = em(network.dag, table, max_iterations=4).network
    assert all(np.allclose(listed.cpts[n], eliminated.cpts[n]) for n in network.dag.nodes)


@given(networks(max_nodes=5), st.integers(0, 2**16), st.sampled_from([.1, .5]))
@settings(max_examples=60)
def test_counts_with_each_by_messages_are_the_counts_of_one_after_the_other(network, seed, share):
    table = incomplete(network, 25, seed, share=share)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(expected, "MAX_COMPLETIONS", 0)
        counts = ExpectedCounts(table, network)
        for size in range(4):
            for names in combinations(table.variables, size):
                found = np.split(counts.counts_with_each(names), counts.offsets[1:], axis=-1)
                for other, one in zip(table.variables, found):
                    assert other in names or np.allclose(one, counts.counts(*names, other), atol=1e-9)


def test_counts_with_each_where_messages_would_be_too_large(monkeypatch):
    network = bn.datasets.network("asia")
    monkeypatch.setattr(expected, "MAX_COMPLETIONS", 0)
    table = incomplete(network, 50, 3)
    by_messages = ExpectedCounts(table, network).counts_with_each(("lung",))

    def refuse(largest):
        raise Intractable("too large")

    monkeypatch.setattr(calibration, "check_size", refuse)
    one_by_one, other = ExpectedCounts(table, network).counts_with_each(("lung",)), table.offsets != table.offsets[3]
    assert by_messages.shape == one_by_one.shape == (2, 16)
    assert np.allclose(np.add.reduceat(by_messages, table.offsets, axis=1)[:, other],
                       np.add.reduceat(one_by_one, table.offsets, axis=1)[:, other])


@given(networks(max_nodes=5), st.integers(0, 2**16), st.sampled_from([0.0, 0.5]))
@settings(max_examples=80)
def test_the_likelihood_never_decreases(network, seed, smoothing):
    table = incomplete(network, 30, seed, share=.35)
    found = em(network.dag, table, seed=seed, max_iterations=25, smoothing=smoothing)
    values = [step.log_likelihood for step in found.trace if isinstance(step, Started | Iteration)]
    assert all(after >= before - 1e-7 for before, after in pairwise(values))
    assert found.score == values[-1]


@given(networks(max_nodes=5), st.integers(0, 2**16))
@settings(max_examples=40)
def test_complete_data_need_one_iteration_and_give_relative_frequencies(network, seed):
    table = bn.Table(network.sample(40, seed=seed))
    found, ideal = em(network.dag, table, seed=seed), bn.fit(network.dag, table)
    assert len(found.trace.only(Iteration)) <= 2, "the second iteration only finds that nothing changes"
    first = em(network.dag, table, seed=seed, max_iterations=1).network
    for node in network.dag.nodes:
        assert found.network.cpts[node] == pytest.approx(ideal.cpts[node], abs=1e-12)
        assert first.cpts[node] == pytest.approx(ideal.cpts[node], abs=1e-12)
    assert found.score == pytest.approx(ideal.log_likelihood(table))


def test_missing_values_of_a_leaf_carry_no_information_and_a_closed_form_is_reached():
    frame = pd.DataFrame({"A": list("aaaabbbb"), "B": ["x", "x", "y", None, "y", "y", None, None]})
    found = em("A->B", frame)
    assert found.network.cpts["A"] == pytest.approx([.5, .5])
    assert found.network.cpts["B"] == pytest.approx(np.array([[2 / 3, 1 / 3], [0, 1]]), abs=1e-4)


def test_a_maximum_is_a_maximum():
    table = incomplete(bn.datasets.network("asia"), 400, 3, share=.2)
    dag = bn.DAG("smoke->lung, smoke->bronc, tub, asia, either, xray, dysp")
    found, random = em(dag, table, tolerance=1e-9), np.random.default_rng(0)
    best = found.network.log_likelihood(table)
    for _ in range(20):
        tables = {n: np.clip(t + random.normal(0, .02, t.shape), 1e-4, None) for n, t in found.network.cpts.items()}
        other = bn.CategoricalNetwork(found.network.dag, found.network.states,
                                      {n: t / t.sum(axis=-1, keepdims=True) for n, t in tables.items()})
        assert other.log_likelihood(table) < best


def test_values_missing_at_random_bias_the_complete_rows_and_not_em():
    truth = bn.CategoricalNetwork(bn.DAG("A->B"), {"A": (0, 1), "B": (0, 1)}, {
        "A": [.5, .5], "B": [[.8, .2], [.3, .7]]})
    masked = mask(truth.sample(40_000, seed=1), "A", lambda rows: (rows.B == 1) * .8, seed=2)
    assert em("A->B", masked).network.cpts["A"] == pytest.approx([.5, .5], abs=.02)
    assert bn.fit("A->B", masked.complete_rows()).cpts["A"][0] > .6


def test_a_hidden_variable_is_found_from_its_three_children():
    truth = bn.CategoricalNetwork(bn.DAG("H->x, H->y, H->z"), dict.fromkeys("Hxyz", (0, 1)), {
        "H": [.6, .4], **{v: [[.9, .1], [.2, .8]] for v in "xyz"}})
    rows = truth.sample(5_000, seed=4)
    rows["H"] = pd.Categorical([None] * len(rows), categories=[0, 1])
    found = em("H->x, H->y, H->z", rows, restarts=3)
    h = sorted(found.network.cpts["H"].tolist())
    assert h == pytest.approx([.4, .6], abs=.05)
    assert found.score >= truth.log_likelihood(bn.Table(rows, missing="keep"))
    assert len(found.trace.only(Finished)) == 4


def test_the_best_of_several_starts_counts():
    random = np.random.default_rng(3)
    rows = pd.DataFrame(random.integers(0, 2, (60, 4)), columns=list("wxyz"))
    rows["H"] = pd.Categorical([None] * 60, categories=[0, 1, 2])
    for seed in (0, 2, 5):
        found = em("H->w, H->x, H->y, H->z", rows, restarts=4, seed=seed, max_iterations=60)
        final = [step.log_likelihood for step in found.trace.only(Finished)]
        assert max(final) - min(final) > .01, "the starts differ, or this tests nothing"
        assert found.score == pytest.approx(max(final), abs=1e-5)
        assert found.network.log_likelihood(bn.Table(rows, missing="keep")) == pytest.approx(found.score)


def test_the_same_seed_gives_the_same_trace():
    table = incomplete(bn.datasets.network("asia"), 100, 5)
    dag = bn.datasets.network("asia").dag
    assert em(dag, table, seed=3, max_iterations=5).trace == em(dag, table, seed=3, max_iterations=5).trace
    assert em(dag, table, seed=3, max_iterations=5).trace != em(dag, table, seed=4, max_iterations=5).trace
    start = random_cpts(dag, table, 3)
    assert em(dag, table, start=start, max_iterations=5).trace == em(dag, table, seed=3, max_iterations=5).trace


def test_smoothing_keeps_probabilities_above_zero():
    frame = {"A": ["a", "a", "b"], "B": ["x", "x", "y"]}
    assert em("A->B", frame).network.cpts["B"].min() == 0
    smooth = em("A->B", frame, smoothing=1).network.cpts["B"]
    assert smooth == pytest.approx(np.array([[3 / 4, 1 / 4], [1 / 3, 2 / 3]]))


@given(networks(max_nodes=4, zeros=False), st.integers(0, 2**16))
@settings(max_examples=30)
def test_scores_of_expected_counts(network, seed):
    assume(len(network.dag) > 1)
    table = incomplete(network, 8, seed)
    completed = ExpectedCounts(table, network)
    child, parent = network.dag.nodes[:2]
    counts, _ = expected_by_hand(network, table, (child, parent))
    fit = sum(n * np.log(n / counts[:, j].sum()) for (_, j), n in np.ndenumerate(counts) if n > 1e-12)
    size = (counts.shape[0] - 1) * counts.shape[1]
    assert bn.BIC(completed).family(child, [parent]) == pytest.approx(fit - size * np.log(8) / 2)
    assert bn.BDeu(completed).family(child, [parent]) <= 1e-9
    complete = bn.Table(network.sample(8, seed=seed))
    same = bn.BIC(ExpectedCounts(complete, network))
    assert same.family(child, [parent]) == pytest.approx(bn.BIC(complete).family(child, [parent]))


@pytest.mark.parametrize("max_completions", [2**17, 10])
def test_searches_on_expected_counts_ask_for_single_families_and_many_alike(monkeypatch, max_completions):
    monkeypatch.setattr(expected, "MAX_COMPLETIONS", max_completions)
    network = bn.CategoricalNetwork(bn.DAG("A->B, B->C"), dict.fromkeys("ABC", (0, 1)), {
        "A": [.5, .5], "B": [[.8, .2], [.3, .7]], "C": [[.9, .1], [.4, .6]]})
    for kind in (bn.BIC, bn.AIC, bn.BDeu, bn.K2):
        score = kind(ExpectedCounts(incomplete(network, 60, 2), network))
        for child, scores in zip("ABC", score.over_subsets()):
            others = "ABC".replace(child, "")
            assert scores[1, 0] == pytest.approx(score.family(child, others[0]))
            assert scores[1, 1] == pytest.approx(score.family(child, others))
            found = score.with_one_more_parent(child, others[0])
            assert found == pytest.approx({others[1]: score.family(child, others)})
        assert bn.exact(score).score >= bn.hill_climb(score).score - 1e-9


@pytest.mark.parametrize(("ask", "message"), [
    (lambda t: em("A->B", t, start=bn.fit("A, B", t.complete_rows())), "has the graph A, B, not A->B"),
    (lambda t: em("A->B", t, start=random_cpts(bn.DAG("A->B"), bn.Table({"A": [0, 1], "B": [0, 1]}), 0)),
     "A has the states 0, 1 in the network to start from, and a, b in the data"),
    (lambda t: em("A->B", t, max_iterations=0), "max_iterations=0 must be a whole number, at least 1"),
    (lambda t: em("A->B", t, smoothing=-1), "smoothing=-1 must be a number, at least 0"),
    (lambda t: em("A->C", t), "no node B"),
    (lambda t: em("A->B", t, start=bn.CategoricalNetwork(bn.DAG("A->B"), {"A": ("a", "b"), "B": ("x", "y")}, {
        "A": [1, 0], "B": [[.5, .5], [.5, .5]]})), "the row A = b, B = y has probability 0"),
    (lambda t: ExpectedCounts(t, random_cpts(bn.DAG("A->B"), t, 0)).counts("A", "A"), "'A' is given twice"),
    (lambda t: bn.fit("A->B", t), "1 of the 3 rows have missing values.*bn.em.*lesson 15.*complete_rows"),
    (lambda t: bn.fit("A->B", t.complete_rows()).factors(t), "1 of the 3 rows have missing values"),
    (lambda t: bn.chow_liu(t), "1 of the 3 rows have missing values"),
])
def test_bad_input_says_what_to_do(ask, message):
    table = bn.Table({"A": ["a", "a", "b"], "B": ["x", None, "y"]}, missing="keep")
    with pytest.raises((ValueError, TypeError, Impossible), match=message):
        ask(table)
