"""Merged rows: bits, parts and numbered cells give what a plain loop counts."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.tables import contingency
from bnteach.tables.contingency import MergedRows, merge, number


@st.composite
def columns(draw, most_rows=300, most_columns=5, most_states=4):
    """Columns in which rows repeat: often few states and many rows, so that times go up to hundreds."""
    rows = draw(st.integers(1, most_rows))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sizes = {f"v{i}": draw(st.integers(1, most_states)) for i in range(draw(st.integers(1, most_columns)))}
    return {name: random.integers(0, size, rows).astype(np.int8) for name, size in sizes.items()}, sizes


def loop(codes, names):
    """How often each combination of states occurs, row by row."""
    return Counter(zip(*(codes[name].tolist() for name in names)))


def as_counter(counts):
    return Counter({cell: int(counts[cell]) for cell in np.ndindex(counts.shape) if counts[cell]})


@given(columns())
@settings(max_examples=80, deadline=None)
def test_every_row_stands_once_with_its_times(data):
    codes, sizes = data
    rows = MergedRows(codes, sizes)
    seen = loop(codes, codes)
    assert dict(zip(zip(*(rows.codes[name].tolist() for name in codes)), rows.times.tolist(), strict=True)) == seen
    assert len(rows) == len(seen) and rows.times.sum() == len(codes["v0"])


@given(columns(), st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_bits_and_numbers_count_alike(data, random):
    codes, sizes = data
    rows = MergedRows(codes, sizes)
    asked = tuple(random.sample(sorted(codes), random.randint(1, len(codes))))
    by_bits = rows.how_many(rows.intersections(asked)).reshape([sizes[name] for name in asked])
    assert as_counter(rows.counts(asked)) == as_counter(by_bits) == loop(codes, asked)
    assert as_counter(rows.part(asked).counts(asked)) == loop(codes, asked)


@given(columns(most_columns=5), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_many_sets_side_by_side(data, random):
    codes, sizes = data
    codes, sizes = {**codes, "x": codes["v0"][::-1], "y": np.roll(codes["v0"], 1)}, {
        **sizes, "x": sizes["v0"], "y": sizes["v0"]}
    others = [name for name in codes if name not in "xy"]
    sets = [tuple(c) for size in range(len(others) + 1) for c in combinations(others, size)]
    sets = random.sample(sets, random.randint(1, len(sets)))
    rows, begin = MergedRows(codes, sizes), 0
    counts = rows.side_by_side("x", "y", sets)
    for z in sets:
        alone = rows.counts(("x", "y", *z)).reshape(sizes["x"], sizes["y"], -1)
        assert np.array_equal(counts[:, :, begin:begin + alone.shape[2]], alone)
        begin += alone.shape[2]
    assert begin == counts.shape[2]


@pytest.mark.parametrize("at_once", [1, 2**15])
def test_pairs_are_counted_in_pieces_of_any_size(monkeypatch, at_once):
    monkeypatch.setattr(contingency, "AT_ONCE", at_once)
    random = np.random.default_rng(3)
    codes = {name: random.integers(0, 3, 500) for name in "abc"}
    counts = MergedRows(codes, dict.fromkeys("abc", 3)).pair_counts()
    for (i, a), (j, b) in product(enumerate("abc"), repeat=2):
        for s, t in product(range(3), repeat=2):
            assert counts[3 * i + s, 3 * j + t] == ((codes[a] == s) & (codes[b] == t)).sum()


def test_a_word_is_filled_up_with_bits_that_count_nothing():
    rows = MergedRows({"a": np.arange(65) % 5, "b": np.arange(65)}, {"a": 5, "b": 65})  # 65 different rows, two words
    assert len(rows.value) == 2 and rows.counts(("a",)).tolist() == [13] * 5


def test_a_row_that_occurs_very_often():
    rows = MergedRows({"a": np.array([0, 1])}, {"a": 2}, np.array([2**40 + 3, 1]))
    assert rows.counts(("a",)).tolist() == [2**40 + 3, 1]
    assert np.bitwise_count(rows.bits("a")).sum(axis=1).tolist() == [3, 1]  # 2^40 + 2 + 1


def test_more_columns_than_fit_into_one_number():
    random = np.random.default_rng(4)
    codes = {f"v{i}": random.integers(0, 4, 200) for i in range(100)}  # 2^200 rows could be
    codes = {name: np.concatenate([code, code[:50]]) for name, code in codes.items()}
    rows = MergedRows(codes, dict.fromkeys(codes, 4))
    assert len(rows) == 200 and sorted(rows.times.tolist()) == [1] * 150 + [2] * 50
    assert len(np.unique(number(codes.values(), [4] * 100))) == 200


def test_merging_merged_rows_adds_their_times():
    times = np.array([5, 7, 11])
    for sizes in ({"a": 2}, {"a": 1000}):  # a place for each possible row, or sorted
        codes, added = merge({"a": np.array([1, 0, 1])}, sizes, times)
        assert codes["a"].tolist() == [0, 1] and added.tolist() == [7, 16]


def test_a_million_rows_are_few_different_ones():
    table = bn.datasets.playlists(20_000, seed=0)
    small = table.merged.part(table.variables[:10])
    assert len(table.merged) < 2_500 and len(small) < 400
    assert table.merged.times.sum() == small.times.sum() == 20_000
