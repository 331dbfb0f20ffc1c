"""Distinct rows: bits, projections and numbered cells give what a plain loop counts."""

from collections import Counter
from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.tables import bit_rows
from bnteach.tables.bit_rows import BitRows
from bnteach.tables.contingency import DistinctRows, merge_rows, row_numbers


@st.composite
def columns(draw, max_rows=300, max_columns=5, max_states=4):
    """Columns in which rows repeat: often few states and many rows, so that weights go up to hundreds."""
    rows = draw(st.integers(1, max_rows))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    sizes = {f"v{i}": draw(st.integers(1, max_states)) for i in range(draw(st.integers(1, max_columns)))}
    return {name: random.integers(0, size, rows).astype(np.int8) for name, size in sizes.items()}, sizes


def loop(codes, names):
    """How often each combination of states occurs, row by row."""
    return Counter(zip(*(codes[name].tolist() for name in names)))


def as_counter(counts):
    return Counter({cell: int(counts[cell]) for cell in np.ndindex(counts.shape) if counts[cell]})


@given(columns())
@settings(max_examples=80, deadline=None)
def test_every_distinct_row_occurs_once_with_its_weight(data):
    codes, sizes = data
    rows = BitRows.merge(codes, sizes)
    expected = loop(codes, codes)
    found = dict(zip(zip(*(rows.codes[name].tolist() for name in codes)), rows.weights.tolist(), strict=True))
    assert found == expected and len(rows) == len(expected) and rows.weights.sum() == len(codes["v0"])


@given(columns(), st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_bits_and_numbers_give_the_same_counts(data, random):
    codes, sizes = data
    rows = BitRows.merge(codes, sizes)
    asked = tuple(random.sample(sorted(codes), random.randint(1, len(codes))))
    by_bits = rows.count_bits(rows.intersections(asked)).reshape([sizes[name] for name in asked])
    assert as_counter(rows.counts(asked)) == as_counter(by_bits) == loop(codes, asked)
    assert as_counter(DistinctRows.merge(codes, sizes).counts(asked)) == loop(codes, asked)
    assert as_counter(rows.project(asked).counts(asked)) == loop(codes, asked)


@given(columns(max_columns=5), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_strata_of_many_sets(data, random):
    codes, sizes = data
    codes, sizes = {**codes, "x": codes["v0"][::-1], "y": np.roll(codes["v0"], 1)}, {
        **sizes, "x": sizes["v0"], "y": sizes["v0"]}
    others = [name for name in codes if name not in "xy"]
    sets = [tuple(c) for size in range(len(others) + 1) for c in combinations(others, size)]
    sets = random.sample(sets, random.randint(1, len(sets)))
    rows, begin = BitRows.merge(codes, sizes), 0
    counts = rows.strata_of_sets("x", "y", sets)
    for z in sets:
        single = rows.counts(("x", "y", *z)).reshape(sizes["x"], sizes["y"], -1)
        assert np.array_equal(counts[:, :, begin:begin + single.shape[2]], single)
        occurring, of_x, of_y, stratum = rows.occurring_cells("x", "y", z)
        strata = np.flatnonzero(single.sum(axis=(0, 1)))[stratum]
        assert np.array_equal(single[of_x, of_y, strata], occurring) and occurring.sum() == single.sum()
        begin += single.shape[2]
    assert begin == counts.shape[2]


@pytest.mark.parametrize("chunk", [1, 2**15])
def test_pairs_are_counted_in_chunks_of_any_size(monkeypatch, chunk):
    monkeypatch.setattr(bit_rows, "CHUNK", chunk)
    random = np.random.default_rng(3)
    codes = {name: random.integers(0, 3, 500) for name in "abc"}
    rows = BitRows.merge(codes, dict.fromkeys("abc", 3))
    counts = rows.pair_counts()
    for (i, a), (j, b) in product(enumerate("abc"), repeat=2):
        for s, t in product(range(3), repeat=2):
            assert counts[3 * i + s, 3 * j + t] == ((codes[a] == s) & (codes[b] == t)).sum()
    assert np.array_equal(rows.counts_with_each(["b"]), counts[3:6])


def test_a_word_is_padded_with_bits_that_count_nothing():
    rows = BitRows.merge({"a": np.arange(65) % 5, "b": np.arange(65)}, {"a": 5, "b": 65})  # 65 distinct rows, two words
    assert len(rows.bit_weights) == 2 and rows.counts(("a",)).tolist() == [13] * 5


def test_a_row_that_occurs_very_often():
    rows = BitRows.merge({"a": np.array([0, 1])}, {"a": 2}, np.array([2**40 + 3, 1]))
    assert rows.counts(("a",)).tolist() == [2**40 + 3, 1]
    assert np.bitwise_count(rows.bits("a")).sum(axis=1).tolist() == [3, 1]  # 2^40 + 2 + 1


def test_more_columns_than_fit_into_one_number():
    random = np.random.default_rng(4)
    codes = {f"v{i}": random.integers(0, 4, 200) for i in range(100)}  # 2^200 possible rows
    codes = {name: np.concatenate([code, code[:50]]) for name, code in codes.items()}
    rows = BitRows.merge(codes, dict.fromkeys(codes, 4))
    assert len(rows) == 200 and sorted(rows.weights.tolist()) == [1] * 150 + [2] * 50
    assert len(np.unique(row_numbers(codes.values(), [4] * 100))) == 200


def test_merging_distinct_rows_adds_their_weights():
    for sizes in ({"a": 2}, {"a": 1000}):  # every possible row is counted, or the rows are sorted
        for weights in (np.array([5, 7, 11]), np.array([.5, .75, 1])):
            rows = DistinctRows.merge({"a": np.array([1, 0, 1])}, sizes, weights)
            assert rows.codes["a"].tolist() == [0, 1]
            assert rows.weights.tolist() == [weights[1], weights[0] + weights[2]]
            assert rows.weights.dtype == weights.dtype == rows.counts(["a"]).dtype


@given(columns(max_rows=60))
@settings(max_examples=40, deadline=None)
def test_merged_rows_and_the_index_of_each(data):
    codes = {name: code - 1 for name, code in data[0].items()}  # -1 is a missing value
    distinct, index = merge_rows(codes, len(codes["v0"]))
    for name, code in codes.items():
        assert np.array_equal(distinct[name][index], code)
    assert len(set(zip(*(code.tolist() for code in distinct.values())))) == index.max() + 1
    none, index = merge_rows({}, 3)
    assert none == {} and index.tolist() == [0, 0, 0]


def test_many_rows_are_few_distinct_ones():
    table = bn.datasets.playlists(20_000, seed=0)
    small = table.distinct_rows.project(table.variables[:10])
    assert len(table.distinct_rows) < 2_500 and len(small) < 400
    assert table.distinct_rows.weights.sum() == small.weights.sum() == 20_000


@settings(max_examples=40)
@given(columns(), st.randoms(use_true_random=False))
def test_counts_of_sets_in_any_order(given_columns, random):
    codes, sizes = given_columns
    rows = DistinctRows.merge(codes, sizes)
    sets = [names for size in range(len(codes) + 1) for names in combinations(codes, size)]
    random.shuffle(sets)
    for names, counts in zip(sets, rows.counts_of_sets(sets), strict=True):
        cells = Counter(zip(*(codes[name].tolist() for name in names))) if names else {(): rows.weights.sum()}
        assert sorted(counts[counts > 0].tolist()) == sorted(cells.values())


def test_large_counts_are_made_in_small_parts(monkeypatch):
    """Larger products would start the threads of a linear-algebra library."""
    random = np.random.default_rng(3)
    rows = BitRows.merge({name: random.integers(0, 50, 5000) for name in "AB"}, {"A": 50, "B": 50})
    words, parts, count = len(rows.bit_weights), [], np.bitwise_count
    monkeypatch.setattr(bit_rows, "CHUNK", 3 * words)
    monkeypatch.setattr(np, "bitwise_count", lambda bits: parts.append(bits.size) or count(bits))
    assert rows.count_bits(rows.bits("A")).tolist() == rows.counts(["A"]).tolist()
    assert len(parts) >= 50 / 3 and max(parts) <= 3 * words
