"""Discretisation: counts per interval, and Hartemink's mergers against mutual information computed from tables."""

import re

import numpy as np
import pandas as pd
import pytest

import bnteach as bn
from bnteach import DataError, Table, discretise, mutual_information
from bnteach.tables.discretise import _counts, _cut, _cuts, _losses, _merge


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
    for i, loss in enumerate(_losses(_counts(columns, cuts), "a")):
        without = {**cuts, "a": np.delete(cuts["a"], i)}
        assert loss == pytest.approx(total(cuts) - total(without), abs=1e-9)


def test_hartemink_adds_up_the_counts_of_merged_intervals():
    columns = {name: column for name, column in measured().items() if name != "d"}
    cuts = {name: _cuts(column, "quantiles", 9) for name, column in columns.items()}
    wanted = dict(cuts)
    while any(len(points) >= 3 for points in wanted.values()):
        for name in columns:
            if len(wanted[name]) >= 3:  # here everything is counted anew
                wanted[name] = np.delete(wanted[name], _losses(_counts(columns, wanted), name).argmin())
    assert {name: points.tolist() for name, points in _merge(columns, cuts, 3).items()} == {
        name: points.tolist() for name, points in wanted.items()}


def test_hartemink_keeps_more_information_than_quantiles():
    random = np.random.default_rng(2)
    x = random.uniform(0, 1, 800)
    frame = pd.DataFrame({"x": x, "y": np.where(x < 0.1, 5.0, 0.0) + random.normal(size=800) * 0.3})
    kept = {how: mutual_information(Table(discretise(frame, how=how, bins=2).astype(str)), "x", "y")
            for how in ("quantiles", "hartemink")}
    assert kept["hartemink"] > 2 * kept["quantiles"]
    assert discretise(frame, how="hartemink", bins=2).attrs["cuts"]["x"] == pytest.approx([0.1], abs=0.02)


def test_what_is_kept_is_the_variance_between_the_intervals():
    frame = pd.DataFrame({"x": [0.0, 2.0, 10.0, 12.0], "y": ["a", "b", "a", "b"]})
    found = discretise(frame, bins=2)
    assert found.kept().to_dict() == {"x": pytest.approx(25 / 26)}  # means 1 and 11, 5 from the middle; 26 in all
    assert discretise(bn.Measurements(measured()[["a", "b"]]), bins=12).kept().min() > 0.9
    assert type(found.dropna()) is pd.DataFrame and found.before is frame


def test_the_picture_shows_cut_points_and_rows():
    found = discretise(measured(), bins=4)
    assert len(found.picture().pictures) == 3 and len(found.picture("c").pictures) == 1
    (c,) = found.picture("c").pictures
    assert "50, 50, 50, 50 rows" in c.alt and c.svg.count("stroke-dasharray") == 3 and c.svg.count(">50<") == 4
    numbers = [float(x) for x in re.findall(r"cut at ([\d., ]+): 50", c.alt)[0].split(", ")]
    assert numbers == pytest.approx(found.attrs["cuts"]["c"], rel=1e-3)
    assert found._repr_html_().count("<svg") == 3 and "<table" in found._repr_html_()
    assert "<svg" not in discretise(measured()[["d"]])._repr_html_()
    with pytest.raises(bn.UnknownVariable, match="d"):
        found.picture("d")


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
    with pytest.raises(DataError, match="column 'a' has infinite values"):
        discretise(pd.DataFrame({"a": [1.5, np.inf, 2.0, 3.0]}), bins=2)
