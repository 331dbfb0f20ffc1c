"""Tables that keep their missing values, and deleting values."""

import numpy as np
import pandas as pd
import pytest

import bnteach as bn
from bnteach.tables.missing import mask, with_missing


def incomplete():
    return bn.Table({"x": [2, None, 1, 2], "y": ["b", "a", None, "b"]}, missing="keep")


def test_a_missing_value_has_code_minus_one_and_no_state():
    t = incomplete()
    assert not t.complete and t.states("x") == (1, 2) and t.states("y") == ("a", "b")
    assert t.codes("x").tolist() == [1, -1, 0, 1] and t.codes("y").tolist() == [1, 0, -1, 1]
    assert t.to_frame().isna().sum().tolist() == [1, 1] and "with missing values" in repr(t)
    assert bn.Table(t.to_frame(), missing="keep").codes("x").tolist() == t.codes("x").tolist()


@pytest.mark.parametrize("column", [
    pd.Series([1.0, None, 3.0]), pd.array([1, None, 3], dtype="Int64"), pd.array([True, None, False], dtype="boolean"),
    pd.array(["p", None, "q"], dtype="string"), pd.Categorical(["p", None, "q"]), ["p", float("nan"), "q"],
    pd.Series([1.0, None, 3.0], index=[0, 0, 0])])
def test_every_kind_of_column_may_have_missing_values(column):
    t = bn.Table(pd.DataFrame({"x": column}), missing="keep")
    codes = t.codes("x").tolist()
    assert codes[1] == -1 and sorted(codes) == [-1, 0, 1] and len(t.states("x")) == 2
    assert [t.states("x")[codes[0]], t.states("x")[codes[2]]] in ([1, 3], [True, False], ["p", "q"])


def test_complete_tables_are_complete_and_count_as_ever():
    five = bn.datasets.five_rows()
    assert five.complete and bn.Table(five.to_frame(), missing="keep").counts("A", "B").tolist() == [[3, 1], [1, 0]]
    assert incomplete().complete_rows().counts("x", "y").tolist() == [[0, 0], [0, 2]], "states stay, though rows go"
    assert incomplete().select("x").complete_rows().counts("x").tolist() == [1, 2]
    assert incomplete().take([0, 3]).complete


def test_missing_values_in_a_csv_file(tmp_path):
    path = tmp_path / "wet.csv"
    path.write_text("rain,wet\nno,\nyes,yes\n")
    assert bn.Table(path, missing="keep").codes("wet").tolist() == [-1, 0]
    with pytest.raises(bn.DataError, match=r"column 'wet' has 1 missing value .the first in row 1.*missing=\"keep\""):
        bn.Table(path)


def test_missing_values_never_enter_silently():
    t = incomplete()
    with pytest.raises(bn.DataError, match=r"2 of the 4 rows have missing values.*Table\(data, missing=\"keep\"\)"):
        bn.Table(t)
    with pytest.raises(bn.DataError, match="column 'x' has 1 missing value"):
        bn.Table(t.to_frame())
    kept = bn.Table(t, missing="keep")
    assert kept.codes("x").tolist() == t.codes("x").tolist() and not kept.complete
    assert bn.Table(t.complete_rows()).complete


@pytest.mark.parametrize(("ask", "message"), [
    (lambda: incomplete().counts("x"), "2 of the 4 rows have missing values"),
    (lambda: incomplete().pair_counts(), "2 of the 4 rows have missing values"),
    (lambda: bn.entropy(incomplete(), "x"), "have missing values"),
    (lambda: bn.BIC(incomplete()).family("x"), "have missing values"),
    (lambda: bn.Table({"x": [1, None]}, missing="ignore"), "missing='ignore' is not known here; use 'error' or 'keep'"),
    (lambda: bn.Table({"x": [None, None]}, missing="keep"), "has no values.*pandas.Categorical"),
    (lambda: incomplete().take([1, 2]).complete_rows(), "each of the 2 rows has a missing value"),
    (lambda: bn.Measurements({"x": [1.0, None]}), r"has 1 missing value .*data.dropna\(\)\.$"),
    (lambda: with_missing(bn.datasets.five_rows(), 1.5), "share=1.5 is not a share"),
    (lambda: with_missing(bn.datasets.five_rows(), "half"), "share='half' is not a share"),
    (lambda: mask(bn.datasets.five_rows(), "A", lambda rows: 2), "for each of the 5 rows, from 0 to 1"),
    (lambda: mask(bn.datasets.five_rows(), "Z", lambda rows: 0), "no variable 'Z'"),
])
def test_bad_input_says_what_to_do(ask, message):
    with pytest.raises((ValueError, KeyError), match=message):
        ask()


def test_a_hidden_variable_has_states_and_nothing_else():
    hidden = pd.Categorical([None] * 3, categories=["lo", "hi"])
    t = bn.Table(pd.DataFrame({"h": hidden, "x": [0, 1, 1]}), missing="keep")
    assert t.states("h") == ("lo", "hi") and t.codes("h").tolist() == [-1] * 3


def test_values_are_deleted_by_share_and_seed():
    asia = bn.datasets.asia(500)
    deleted = with_missing(asia, .1, seed=1)
    frame = deleted.to_frame()
    assert frame.isna().sum().sum() == 400 and deleted.states("asia") == asia.states("asia")
    assert (frame.isna() | (frame == asia.to_frame().astype(object))).all().all()
    assert frame.equals(with_missing(asia, .1, seed=1).to_frame())
    assert not frame.equals(with_missing(asia, .1, seed=2).to_frame())
    assert set(np.flatnonzero(with_missing(asia, .5, columns="tub").to_frame().isna().any())) == {1}
    assert with_missing(asia, 0).complete


def test_masking_follows_the_probability_of_each_row():
    rows = bn.Table(pd.DataFrame({"x": [0, 1] * 5_000, "y": [0] * 10_000}))
    deleted = mask(rows, "y", lambda rows: np.where(rows.x == 1, .3, 0), seed=2).to_frame()
    assert deleted.y[deleted.x == 0].notna().all()
    assert deleted.y[deleted.x == 1].isna().mean() == pytest.approx(.3, abs=.02)
