"""Entropy and mutual information against their definitions, in fractions and plain sums."""

import tracemalloc
from fractions import Fraction
from itertools import combinations
from math import log2

import numpy as np
import pytest
from hypothesis import given, settings

import bnteach as bn
from bnteach.information import entropies
from tests.tables.test_table import frames


def by_definition(frame, x, y, z):
    """I(x; y | z) as the textbook has it, a term for each combination that occurs."""
    def p(columns):
        shares = frame.value_counts(columns) / len(frame) if columns else None
        return (lambda *values: shares[values]) if columns else (lambda: 1.0)
    total = 0.0
    for values in frame[[x, y, *z]].drop_duplicates().itertuples(index=False):
        vx, vy, *vz = values
        total += p([x, y, *z])(*values) * log2(
            p([x, y, *z])(*values) * p(z)(*vz) / (p([x, *z])(vx, *vz) * p([y, *z])(vy, *vz)))
    return total


@given(frames(max_rows=40, max_columns=4))
@settings(max_examples=30, deadline=None)
def test_mutual_information_is_its_definition(frame):
    t = bn.Table(frame)
    if len(t.variables) < 2:
        return
    x, y, *z = t.variables
    assert bn.mutual_information(t, x, y, given=z) == pytest.approx(by_definition(frame, x, y, z), abs=1e-9)
    together = bn.entropy(t, t.variables)
    chain = sum(bn.entropy(t, v, given=t.variables[:i]) for i, v in enumerate(t.variables))
    assert together == pytest.approx(chain, abs=1e-9), "the chain rule of entropy"
    pairs = bn.mutual_informations(t)
    assert list(pairs) == list(combinations(t.variables, 2))
    for (a, b), bits in pairs.items():
        assert bits == pytest.approx(bn.entropy(t, a) - bn.entropy(t, a, given=b), abs=1e-9)


def test_five_rows():
    t = bn.datasets.five_rows()
    p, r = Fraction(3, 5), Fraction(3, 5) / (Fraction(4, 5) * Fraction(4, 5))
    by_hand = float(p) * log2(r) + 2 * 0.2 * log2(1.25)
    assert bn.mutual_information(t, "A", "B") == pytest.approx(by_hand)
    rounded = {"".join(pair): round(bits, 4) for pair, bits in bn.mutual_informations(t).items()}
    assert rounded == {"AB": 0.0729, "AC": 0.3219, "AD": 0.1710, "BC": 0.3219, "BD": 0.3219, "CD": 0.0200}
    assert [round(bn.entropy(t, x, given=z), 4) for x, z in [("A", "C"), ("B", ()), ("C", "B"), ("D", "B")]] == \
        [0.4, 0.7219, 0.649, 0.649]


def test_units():
    t = bn.datasets.five_rows()
    assert bn.entropy(t, "B", base=np.e) == pytest.approx(bn.entropy(t, "B") * np.log(2))
    assert bn.mutual_information(t, "A", "C", base=4) == pytest.approx(bn.mutual_information(t, "A", "C") / 2)


def test_never_negative_and_zero_when_independent():
    t = bn.Table({"x": [0, 0, 1, 1] * 9, "y": [0, 1, 0, 1] * 9})
    assert bn.mutual_information(t, "x", "y") == 0.0
    assert bn.mutual_informations(t)["x", "y"] == 0.0
    t = bn.Table({"x": [i * i % 23 % 2 for i in range(40)], "y": [i * i % 23 for i in range(40)]})
    assert bn.entropy(t, "x", given="y") == 0.0, "y determines x, and rounding must not make it negative"


@pytest.mark.parametrize("base", [1, 0, -2, "e", None, float("inf")])
def test_what_is_no_base(base):
    t = bn.datasets.five_rows()
    for ask in (lambda: bn.entropy(t, "A", base=base), lambda: bn.mutual_information(t, "A", "B", base=base),
                lambda: bn.mutual_informations(t, base=base)):
        with pytest.raises(ValueError, match=f"base={base!r} cannot be the base of a logarithm here; use 2 for bits"):
            ask()


def test_pairs_of_variables_with_many_states():
    """Above 64 states only the cells with rows are counted; narrow and wide columns in any order."""
    random = np.random.default_rng(4)
    t = bn.Table({f"v{i}": random.integers(0, size, 800) for i, size in enumerate([3, 100, 2, 250, 64, 65])})
    for (a, b), bits in bn.mutual_informations(t).items():
        assert bits == pytest.approx(bn.mutual_information(t, a, b), abs=1e-12)


def test_thousands_of_states_need_little_memory():
    random = np.random.default_rng(5)
    t = bn.Table({name: random.integers(0, 4000, 20_000) for name in "ab"})
    tracemalloc.start()
    try:
        assert bn.chow_liu(t).weight > 8
        assert tracemalloc.get_traced_memory()[1] < 2**24
    finally:
        tracemalloc.stop()


@given(frames())
@settings(max_examples=20)
def test_entropies_of_all_variables_are_those_of_each(frame):
    table = bn.Table(frame)
    assert entropies(table, base=3) == pytest.approx({x: bn.entropy(table, x, base=3) for x in table.variables})
