"""Fisher's z against regressions, and in batches against one test at a time."""

from itertools import chain, combinations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import bnteach as bn


def gaussian(n=200, seed=0):
    rng = np.random.default_rng(seed)
    z, w = rng.normal(size=(2, n))
    return pd.DataFrame({"x": z + rng.normal(size=n), "y": 5 * z - w + rng.normal(size=n), "z": z, "w": w})


@pytest.mark.parametrize("given_", [(), ("z",), ("z", "w")])
def test_fisher_z_is_the_correlation_of_the_residuals(given_):
    frame = gaussian()
    design = np.column_stack([np.ones(len(frame)), *(frame[name] for name in given_)])
    residuals = [frame[v] - design @ np.linalg.lstsq(design, frame[v], rcond=None)[0] for v in "xy"]
    r = np.corrcoef(*residuals)[0, 1]
    z = np.sqrt(len(frame) - len(given_) - 3) * np.arctanh(r)
    verdict = bn.FisherZ(frame)("x", "y", given_)
    assert verdict.statistic == pytest.approx(z, abs=1e-9)
    assert verdict.p_value == pytest.approx(2 * norm.sf(abs(z)), abs=1e-12)
    assert verdict.independent == (verdict.p_value >= 0.05)
    assert bn.FisherZ(frame)("y", "x", given_).statistic == pytest.approx(z, abs=1e-9)


def test_fisher_z_rejects_one_true_independence_in_twenty():
    noise = np.random.default_rng(3).normal(size=(100, 100))
    oracle = bn.FisherZ({f"m{i}": noise[:, i] for i in range(100)})
    rejected = [not oracle(x, y) for x, y in combinations(oracle.variables, 2)]
    assert 0.04 < np.mean(rejected) < 0.06


def test_a_constant_column_is_named():
    for constant in (0.1, 0.0):
        with pytest.raises(bn.DataError, match=f"column 'b' is {constant:g} in every row"):
            bn.FisherZ({"a": [1.0, 2.0, 3.0], "b": [constant] * 3})
    with pytest.raises(bn.DataError, match="at least two rows"):
        bn.FisherZ({"a": [1.0]})


def test_copies_and_sums():
    frame = gaussian().assign(copy=lambda f: -2 * f["x"] + 7, total=lambda f: f["x"] + f["z"])
    oracle = bn.FisherZ(frame)
    copy = oracle("x", "copy")
    assert not copy and copy.statistic == -np.inf and copy.p_value == 0
    determined = oracle("total", "y", ("x", "z"))
    assert determined and determined.p_value == 1 and "total or y is a linear function of x, z" in str(determined)
    # the conditioning set may be collinear: the copy of x adds nothing to x
    assert oracle("y", "w", ("x", "copy")).statistic == pytest.approx(
        oracle("y", "w", ("x",)).statistic * np.sqrt((200 - 5) / (200 - 4)), rel=1e-6)


def test_too_few_rows_cannot_reject():
    verdict = bn.FisherZ(gaussian(5))("x", "y", ("z", "w"))
    assert verdict and verdict.p_value == 1 and "needs more than 5 rows, and there are 5" in str(verdict)


def test_many_sets_at_once_are_answered_as_one_by_one():
    """Sets of sizes 0 to 4 in any order, some of them collinear or determining x."""
    frame = gaussian().assign(copy=lambda f: 3 * f["z"] + 1, total=lambda f: f["z"] + f["w"], again=lambda f: f["w"])
    oracle, others = bn.FisherZ(frame), [name for name in frame if name not in ("x", "total")]
    sets = list(chain.from_iterable(combinations(others, size) for size in (2, 0, 1, 4, 3)))
    answered = oracle.answer_all([("x", "total", z) for z in sets])
    for z, found in zip(sets, answered, strict=True):
        alone = oracle("x", "total", z)
        assert (found.independent, found.statistic, found.p_value) == pytest.approx(
            (alone.independent, alone.statistic, alone.p_value), abs=1e-6)
    assert {found.p_value == 1 for found in answered} == {True, False}
    assert bn.FisherZ(frame.head(5)).answer_all([("x", "y", ("z", "w"))]) == [bn.Verdict(True, 0, None, 1)]
