"""Discretisation: counts per interval, and Hartemink's mergers against mutual information computed from tables."""

import numpy as np
import pandas as pd
import pytest

import bnteach as bn
from bnteach import DataError, Table, discretise, mutual_information
from bnteach.tables.discretise import _cut, _cuts, _losses


def measured(seed: int = 0, rows: int = 200) -> pd.DataFrame:
    random = np.random.default_rng(seed)
    a = random.normal(size=rows)
    return pd.DataFrame({"a": a, "b": a + random.normal(size=rows), "c": random.exponential(size=rows),
                         "d": random.choice(["x", "y"], rows), "e": random.integers(0, 2, rows)})


def test_quantiles_have_equally_many_rows_and_equal_width_equal_lengths():
    frame = measured()
    found = discretise(frame, bins=4)
    assert all(found[name].value_counts().tolist() == [50] * 4 for name in "abc")
    cuts = discretise(frame[["a"]], how="equal width", bins=2).attrs["cuts"]["a"]
    assert np.allclose(np.diff([frame.a.min(), *cuts, frame.a.max()]), np.ptp(frame.a) / 2)
    assert found["d"].equals(frame["d"]) and found["e"].equals(frame["e"]), "categories stay as they are"


def test_the_order_of_the_intervals_is_that_of_the_values():
    frame = measured()
    codes = discretise(frame, bins=5)["a"].cat.codes
    assert (np.diff(codes[np.argsort(frame["a"])]) >= 0).all()


@pytest.mark.parametrize("seed", range(4))
def test_what_a_merger_loses_is_mutual_information(seed):
    frame = measured(seed)[["a", "b", "c"]]
    columns = dict(frame.items())
    cuts = {name: _cuts(column, "quantiles", 6) for name, column in columns.items()}
    def total(points):
        table = Table({name: _cut(name, columns[name], points[name], 2).astype(str) for name in columns})
        return sum(mutual_information(table, "a", other) for other in "bc")
    for i, loss in enumerate(_losses(columns, cuts, "a")):
        without = {**cuts, "a": np.delete(cuts["a"], i)}
        assert loss == pytest.approx(total(cuts) - total(without), abs=1e-9)


def test_hartemink_keeps_more_information_than_quantiles():
    random = np.random.default_rng(2)
    x = random.uniform(0, 1, 800)
    frame = pd.DataFrame({"x": x, "y": np.where(x < 0.1, 5.0, 0.0) + random.normal(size=800) * 0.3})
    kept = {how: mutual_information(Table(discretise(frame, how=how, bins=2).astype(str)), "x", "y")
            for how in ("quantiles", "hartemink")}
    assert kept["hartemink"] > 2 * kept["quantiles"]
    assert discretise(frame, how="hartemink", bins=2).attrs["cuts"]["x"] == pytest.approx([0.1], abs=0.02)


def test_missing_values_stay_missing_and_a_table_can_be_learned_from():
    frame = measured()
    frame.loc[3, "a"] = np.nan
    found = discretise(frame)
    assert found["a"].isna().sum() == 1 and bn.chow_liu(Table(found.dropna().reset_index(drop=True))).graph.arcs


def test_warnings_and_errors():
    ties = pd.DataFrame({"a": [0.0] * 80 + list(range(1, 21)), "b": range(100)})
    with pytest.warns(UserWarning, match="in place of 4, since many of its values are equal"):
        discretise(ties, bins=4)
    skewed = pd.DataFrame({"a": [*range(99), 10_000]})
    with pytest.warns(UserWarning, match=r"has 0 rows|has 1 rows"):
        discretise(skewed, how="equal width")
    with pytest.raises(ValueError, match="'quantiles', 'equal width' or 'hartemink'"):
        discretise(measured(), how="kmeans")
    with pytest.raises(DataError, match="only 1 numeric column"):
        discretise(skewed, how="hartemink")
    with pytest.raises(ValueError, match="bins"):
        discretise(measured(), bins=1)
