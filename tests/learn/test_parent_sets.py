"""Parent sets: those that are left out are never needed, under any score and any constraints."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnteach import AIC, BIC, K2, MDL, BDeu, LogLikelihood, datasets
from bnteach.learn.search.constraints import Constraints
from bnteach.learn.search.parent_sets import undominated
from tests.learn.brute_force import family_table, names_of
from tests.learn.test_ilp import random_measurements
from tests.random_tables import random_table, tables

SCORES = [AIC, MDL, BDeu, K2, LogLikelihood]


def check(score):
    """Among any candidates, the best undominated set is as good as the best of all sets."""
    every, variables = family_table(score), score.variables
    for x, child in enumerate(variables):
        kept = undominated(score, child)
        assert kept.complete
        for parents, value in kept.sets.items():
            assert value == pytest.approx(score.family(child, parents), abs=1e-9)
            for size in range(len(parents)):
                assert all(value > score.family(child, fewer) for fewer in combinations(parents, size))
        for mask in (m for m in range(2 ** len(variables)) if not m >> x & 1):
            allowed = set(names_of(mask, variables))
            best = max(value for parents, value in kept.sets.items() if set(parents) <= allowed)
            within = [m for m in range(mask + 1) if m & ~mask == 0]
            assert best == pytest.approx(every[x, within].max(), abs=1e-6)


@settings(max_examples=40)
@given(tables(), st.sampled_from(SCORES))
def test_sets_that_are_left_out_are_never_needed(table, kind):
    check(kind(table))


@settings(max_examples=10)
@given(st.integers(0, 2**32), st.sampled_from([AIC, BIC]))
def test_nor_on_real_numbers(seed, kind):
    check(kind(random_measurements(seed, 5)))


@settings(max_examples=40)
@given(st.integers(0, 2**32), st.data())
def test_constraints(seed, data):
    score = AIC(random_table(seed, 5, 30))
    always = set(data.draw(st.lists(st.sampled_from("ABCD"), max_size=2, unique=True)))
    never = set(data.draw(st.lists(st.sampled_from("ABCD"), max_size=2, unique=True))) - always
    limit = data.draw(st.sampled_from([None, len(always), 3]))
    constraints = Constraints(tuple((x, "E") for x in always), tuple((x, "E") for x in never), limit)
    kept = undominated(score, "E", constraints).sets
    allowed = [parents for size in range(5 if limit is None else limit + 1) for parents in combinations("ABCD", size)
               if always <= set(parents) and not never & set(parents)]
    assert set(kept) <= set(allowed)
    assert max(kept.values()) == pytest.approx(max(score.family("E", parents) for parents in allowed), abs=1e-6)


def test_a_set_can_be_dominated_by_one_much_smaller():
    """{A, C, D} is better than all sets of two of them, and still no better than fewer."""
    score = AIC(random_table(23, 5, 20, most_states=2))
    value = score.family("E", "ACD")
    assert all(value > score.family("E", pair) for pair in combinations("ACD", 2))
    assert ("A", "C", "D") not in undominated(score, "E").sets


def test_fewer_sets_are_evaluated_and_kept():
    found = [undominated(MDL(datasets.asia(1000)), child) for child in datasets.asia(10).variables]
    assert sum(len(one.sets) for one in found) < sum(one.evaluated for one in found) < 8 * 2**7


def test_a_limit_that_leaves_out_sets_is_reported():
    score = MDL(datasets.five_rows())
    complete = {limit: undominated(score, "C", Constraints(max_parents=limit)).complete for limit in (0, 1, 2)}
    assert complete == {0: False, 1: False, 2: True}
