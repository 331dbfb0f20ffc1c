"""What searches ask of a score at once: all subsets, one more parent, an upper bound; each against single families."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnteach import AIC, BIC, K2, MDL, BDeu, LogLikelihood, Measurements, Score, datasets, fit, with_missing
from bnteach.models.expected import ExpectedCounts
from tests.random_tables import tables

SCORES = [LogLikelihood, AIC, MDL, BIC, BDeu, K2]


def measurements(rows=12):
    values = np.random.default_rng(7).normal(3, 2, size=(rows, 4)) @ np.triu(np.ones((4, 4)))
    return Measurements(dict(zip("wxyz", values.T)))


def families(score, max_parents=None):
    """(child, parents, score in over_subsets) of all families."""
    for child, scores in zip(score.variables, score.over_subsets(max_parents), strict=True):
        others = [name for name in score.variables if name != child]
        for chosen in np.ndindex(scores.shape):
            yield child, [name for name, there in zip(others, chosen) if there], scores[chosen]


@settings(max_examples=25)
@given(tables(), st.sampled_from(SCORES), st.sampled_from([None, 0, 1, 2]))
def test_families_over_all_subsets_and_what_is_left_out_is_never_better(table, kind, max_parents):
    score, left_out = kind(table), 0
    for child, parents, value in families(score, max_parents):
        if np.isfinite(value):
            assert value == pytest.approx(score.family(child, parents), abs=1e-8)
        elif max_parents is None or len(parents) <= max_parents:
            assert score.family(child, parents) <= score.family(child) + 1e-9
            left_out += 1
    assert left_out == 0 or kind in (AIC, MDL, BIC)


@pytest.mark.parametrize("score", [AIC, BIC, LogLikelihood, lambda data: BIC(data, base=2, scale="printed")])
@pytest.mark.parametrize("max_parents", [None, 1])
def test_so_it_is_with_real_numbers(score, max_parents):
    score = score(measurements())
    for child, parents, value in families(score, max_parents):
        if max_parents is None or len(parents) <= max_parents:
            assert value == pytest.approx(score.family(child, parents), abs=1e-9)
        else:
            assert value == -np.inf


@settings(max_examples=25)
@given(tables(), st.sampled_from(SCORES), st.data())
def test_one_more_parent(table, kind, data):
    score = kind(table)
    child, *others = data.draw(st.permutations(table.variables))
    parents = others[: data.draw(st.integers(0, len(others)))]
    found = score.with_one_more_parent(child, parents)
    assert set(found) == set(others) - set(parents)
    for name, value in found.items():
        assert value == pytest.approx(score.family(child, [*parents, name]), abs=1e-8)
    assert score.with_one_more_parent(child, parents) == found


def test_one_more_parent_of_real_numbers_and_of_many_cells():
    for score in (BIC(measurements()), MDL(datasets.asia(300))):
        child, *others = score.variables
        for size in range(len(others)):  # asia: up to 2^7 cells of child and parents, beyond the limit for one call
            found = score.with_one_more_parent(child, others[:size])
            assert found == pytest.approx({name: score.family(child, [*others[:size], name]) for name in others[size:]})


@settings(max_examples=25)
@given(tables(), st.sampled_from(SCORES))
def test_no_family_exceeds_the_upper_bound(table, kind):
    score = kind(table)
    child, *others = table.variables
    for k in range(len(others) + 1):
        bound = score.upper_bound(child, others[:k], others[k:])
        for size in range(len(others) - k + 1):
            for more in combinations(others[k:], size):
                assert score.family(child, [*others[:k], *more]) <= bound + 1e-9


def test_the_upper_bound_of_many_cells_is_0_less_the_penalty():
    score = MDL(datasets.asia(10).select("asia", "tub", "smoke"))
    full = score.upper_bound("asia", (), ("tub", "smoke"))
    assert full == pytest.approx(score.fit("asia", ("tub", "smoke")) - score.penalty)
    wide = MDL(datasets.playlists(30, seed=0))
    child, *others = wide.variables
    assert wide.upper_bound(child, (), others) == -wide.penalty


class NoChildrenOfB(BIC):
    """A score derived from another: B is a parent of no variable."""

    def compute_family(self, child, parents):
        return super().compute_family(child, parents) - 1000 * ("B" in parents)


class Reward(BDeu):
    """A score derived from another that may exceed its bound."""

    def compute_family(self, child, parents):
        return super().compute_family(child, parents) + 1000 * len(parents)


@pytest.mark.parametrize("kind", [NoChildrenOfB, Reward])
def test_a_derived_score_is_asked_and_not_bypassed(kind):
    score = kind(datasets.five_rows())
    for child, parents, value in families(score):
        assert value == score.family(child, parents) <= score.upper_bound(child, (), "ABCD".replace(child, ""))
    for child, parent in product("ABCD", "ABCD"):
        if child != parent:
            assert score.with_one_more_parent(child)[parent] == score.family(child, parent)


def test_a_score_of_its_own_may_bring_its_own_methods():
    class Own(Score):
        def compute_family(self, child, parents):
            return 0.0

        def upper_bound(self, child, parents, candidates):
            return 5.0

    assert Own(datasets.five_rows()).upper_bound("A", (), "B") == 5.0


def test_names_are_read_as_the_data_read_them():
    score = MDL(datasets.five_rows())
    assert score.names("AB") == score.names("A, B") == score.names(["A", "B"]) == ("A", "B")


@settings(max_examples=25)
@given(tables(), st.sampled_from(SCORES), st.randoms(use_true_random=False))
def test_many_parent_sets_of_a_child_at_once(table, kind, random):
    score = kind(table)
    for child in table.variables:
        others = [name for name in table.variables if name != child]
        sets = [parents for size in range(len(others) + 1) for parents in combinations(others, size)]
        random.shuffle(sets)
        assert score.families(child, sets) == pytest.approx([score.family(child, each) for each in sets], abs=1e-8)


def test_many_parent_sets_of_expected_counts_and_of_real_numbers():
    table = datasets.asia(60).select("smoke", "lung", "bronc")
    expected = ExpectedCounts(with_missing(table, 0.3, seed=1), fit("smoke->bronc, lung", table))
    for score in (BIC(expected), BIC(measurements())):
        child, *others = score.variables
        sets = [parents for size in range(len(others) + 1) for parents in combinations(others, size)]
        assert score.families(child, sets) == pytest.approx([score.family(child, each) for each in sets], abs=1e-8)


def test_upper_bounds_are_those_of_single_sets():
    score = BIC(datasets.asia(200))
    child, *others = score.variables
    bounds = score.upper_bounds(child, [(), tuple(others[:1])], others)
    assert bounds == [score.upper_bound(child, (), others), score.upper_bound(child, others[:1], others[1:])]
    assert BDeu(datasets.asia(200)).upper_bounds(child, [(), ()], others) == [np.inf, np.inf]
