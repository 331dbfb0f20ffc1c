"""Tables: counts against plain loops, and every bad input with a message of its own."""

from collections import Counter
from datetime import date, time
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.tables.counts import Columns, Counts


@st.composite
def frames(draw, max_rows=200, max_columns=5, max_states=4):
    """DataFrames of small integers, with up to 200 rows: a word of bits ends at 64."""
    rows = draw(st.integers(1, max_rows))
    columns = draw(st.integers(1, max_columns))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return pd.DataFrame({f"v{i}": random.integers(0, draw(st.integers(1, max_states)), rows) for i in range(columns)})


@given(frames(), st.randoms(use_true_random=False))
@settings(max_examples=80, deadline=None)
def test_counts_equal_a_plain_loop(frame, random):
    table = bn.Table(frame)
    asked = random.sample(table.variables, random.randint(1, len(table.variables)))
    seen = Counter(zip(*(frame[name] for name in asked)))
    counts = table.counts(*asked[:1], given=asked[1:])
    for cell in product(*(enumerate(table.states(name)) for name in asked)):
        place, states = zip(*cell)
        assert counts[place] == seen[states]
    assert counts.sum() == len(frame)


def test_many_cells_are_counted_as_few_are():
    random = np.random.default_rng(1)
    frame = pd.DataFrame(random.integers(0, 5, (3000, 4)), columns=list("abcd"))
    table = bn.Table(frame)
    many = table.counts("a", "b", given="cd")  # 625 cells: cells are numbered
    assert many.size > 64
    for i, j in product(range(5), repeat=2):  # 25 cells: sets of rows are intersected
        assert table.counts("a", "b")[i, j] == many[i, j].sum() == ((frame.a == i) & (frame.b == j)).sum()


def test_pair_counts_are_the_counts_of_all_pairs():
    random = np.random.default_rng(2)
    table = bn.Table(pd.DataFrame({"x": random.integers(0, 2, 130), "y": random.integers(0, 3, 130), "z": [0] * 130}))
    counts, begin = table.pair_counts(), table.offsets
    size = [2, 3, 1]
    for (i, a), (j, b) in product(enumerate(table.variables), repeat=2):
        block = counts[begin[i]:begin[i] + size[i], begin[j]:begin[j] + size[j]]
        expected = np.diag(table.counts(a)) if a == b else table.counts(a, b)
        assert np.array_equal(block, expected)


class Plain(Columns, Counts):
    """Counts that inherit all they can."""

    def __init__(self, table):
        self.table, self.variables = table, table.variables

    def __len__(self):
        return len(self.table)

    def states(self, variable):
        return self.table.states(variable)

    def counts(self, *variables, given=()):
        return self.table.counts(*self._axes(variables, given))


@given(frames(max_columns=4))
@settings(max_examples=30, deadline=None)
def test_a_table_counts_as_the_general_methods_do(frame):
    table = bn.Table(frame)
    plain = Plain(table)
    assert isinstance(plain, Counts) and plain.sizes == table.sizes and np.array_equal(plain.offsets, table.offsets)
    for k in range(len(table.variables)):
        general, fast = (some.counts_with_each(table.variables[:k])[..., sum(list(table.sizes.values())[:k]):]
                         for some in (plain, table))  # the states of the other variables
        assert np.array_equal(general, fast)
    for max_size, max_cells in ((4, np.inf), (2, np.inf), (4, 3), (0, np.inf)):
        general, fast = ({index: (sorted(counts[counts > 0]), cells) for index, counts, cells
                          in some.counts_over_subsets(max_size, max_cells)} for some in (plain, table))
        assert general == fast
    assert bn.MDL(plain)(bn.DAG((), table.variables)) == bn.MDL(table)(bn.DAG((), table.variables))


def test_what_is_counted_over_subsets():
    found = {index: (counts.tolist(), cells) for index, counts, cells in bn.datasets.five_rows().counts_over_subsets(4)}
    assert len(found) == 16 and found[0b0000] == ([5], 1) and found[0b1100] == ([3, 1, 1], 4), "A and B"


def test_five_rows_by_hand():
    t = bn.datasets.five_rows()
    assert t.variables == ("A", "B", "C", "D") and len(t) == 5
    assert t.states("A") == ("a", "~a")
    assert t.counts("A", "B").tolist() == [[3, 1], [1, 0]]
    assert t.counts("B").tolist() == [4, 1]
    assert t.counts("A", given="CD").shape == (2, 2, 2)


def test_states_are_sorted_and_categoricals_keep_their_order():
    t = bn.Table({"n": [10, 2, 2], "s": ["b", "a", "b"], "flag": [True, False, True]})
    assert t.states("n") == (2, 10) and t.states("s") == ("a", "b") and t.states("flag") == (False, True)
    size = pd.Categorical(["S", "L", "S"], categories=["S", "M", "L"])
    t = bn.Table(pd.DataFrame({"size": size}))
    assert t.states("size") == ("S", "M", "L") and t.counts("size").tolist() == [2, 0, 1]


@pytest.mark.parametrize("values", [
    [0, 1, 1], [3, 3, 3], [5, 0, 2, 5], [-1, 1], [-100, 0], [100, 0, 50], [0, 101], [2**60, 2**60 + 1], [7, -(2**62)]])
@pytest.mark.parametrize("kind", ["int8", "int16", "int64", "uint8", "uint64", "Int64", "object", "float64"])
def test_whole_numbers_are_the_same_states_however_they_are_kept(values, kind):
    try:
        column = pd.Series(values, dtype=kind)
    except (OverflowError, ValueError):
        return
    if [int(v) for v in column] != values:
        return  # too large for this kind
    t = bn.Table(pd.DataFrame({"x": column}))
    assert t.states("x") == tuple(sorted(set(values))) and all(type(state) is int for state in t.states("x"))
    assert [t.states("x")[code] for code in t.codes("x")] == values
    assert t.counts("x").tolist() == [values.count(state) for state in sorted(set(values))]


def test_states_do_not_depend_on_the_order_of_rows():
    frame = pd.DataFrame({"x": ["c", "a", "b", "a"], "y": [1, "one", 2, "two"]})
    assert bn.Table(frame)._states == bn.Table(frame[::-1])._states


def test_constant_columns_and_single_rows_work():
    t = bn.Table({"x": ["same"], "y": [1]})
    assert len(t) == 1 and t.counts("x", "y").tolist() == [[1]]
    assert bn.entropy(t, "x") == 0 and bn.mutual_information(t, "x", "y") == 0
    assert bn.chow_liu(t).score == 0


def test_whole_floats_are_categories():
    assert bn.Table({"x": [0.0, 1.0, 1.0]}).states("x") == (0, 1)


def test_more_states_than_a_byte_holds():
    with pytest.warns(UserWarning, match="nearly as many states as rows"):
        t = bn.Table({"x": range(1000), "y": [i % 2 for i in range(1000)]})
    assert t.counts("x").tolist() == [1] * 1000
    assert t.counts("x", "y").sum(axis=0).tolist() == [500, 500]


def test_columns_like_identifiers_are_named_in_a_warning():
    random = np.random.default_rng(3)
    frame = pd.DataFrame({"id": range(200), "x": random.integers(0, 2, 200), "name": [f"n{i // 2}" for i in range(200)],
                          "when": [f"{i:03}" for i in range(200)]})
    message = r"rows \(200\) in 'id' \(200\), 'when' \(200\),.*drop\(columns='id'\)"
    with pytest.warns(UserWarning, match=message) as warned:
        t = bn.Table(frame)
    assert len(warned) == 1 and warned[0].filename == __file__
    bn.Table(t), t.take([0, 1]), bn.ChiSquare(t)  # said once
    bn.Table(frame.head(50)), bn.Table({"x": range(50)})  # small tables have few rows per state by nature


@pytest.mark.parametrize("values", [pd.to_datetime(["2020-01-01", None]), [date(2020, 1, 1), None],
                                    pd.to_timedelta([1, 2], unit="D"), pd.period_range("2020-01", periods=2, freq="M"),
                                    [time(12), time(13)], np.array(["2020-01-01", "2020"], dtype="datetime64[D]")])
def test_dates_and_times_are_no_categories(values):
    with pytest.raises(bn.DataError, match=r"column 'day' holds dates or times .*\.dt\.month"):
        bn.Table({"day": values}, missing="keep")
    assert len(bn.Table(pd.DataFrame({"day": pd.Categorical(values)}), missing="keep").states("day")) in (1, 2)


def test_large_whole_floats_stay_apart():
    assert bn.Table({"a": [1e19, 2e19, 3.0, -1e300]}).states("a") == (-int(1e300), 3, 10**19, 2 * 10**19)


def test_rows_that_are_counted_already():
    counted = pd.DataFrame({"x": ["a", "b", "a", "c"], "y": [0, 1, 1, 1], "n": [3, 2, 1, 0]})
    t = bn.Table(counted[["x", "y"]], weights=counted["n"])
    repeated = counted.loc[counted.index.repeat(counted["n"]), ["x", "y"]]
    assert len(t) == 6 and t.counts("x", "y").tolist() == [[3, 1], [0, 2], [0, 0]]
    assert t.states("x") == ("a", "b", "c"), "a state with weight 0 is declared"
    assert bn.entropy(t, "x") == bn.entropy(repeated, "x")
    assert bn.Table(bn.datasets.five_rows(), weights=[2] * 5).counts("A").tolist() == [8, 2]
    for weights in ([1, 2], [1, .5, 1, 1], [1, -1, 1, 1], [0] * 4, "n", ["a"] * 4):
        with pytest.raises(bn.DataError, match="weights say how often each of the 4 rows occurs: a whole number"):
            bn.Table(counted[["x", "y"]], weights=weights)


def test_weights_are_counts_and_not_copies():
    """Weights that sum to ten billion: copies of the rows would need more memory than there is."""
    rows = pd.DataFrame({"x": [0, 0, 1, 1], "y": [0, 1, 0, 1], "z": [0, 0, None, 1]})
    weights = np.array([4, 1, 1, 4])
    small, large = (bn.Table(rows, missing="keep", weights=weights * times) for times in (1, 10**9))
    assert len(large) == 10**10 and len(large.complete_rows()) == 9 * 10**9
    assert large.select("x", "y").counts("x", "y").tolist() == [[4 * 10**9, 10**9], [10**9, 4 * 10**9]]
    assert (large.complete_rows().counts("z", "x") == 10**9 * small.complete_rows().counts("z", "x")).all()
    pair = large.select("x", "y")
    assert bn.entropy(pair, "x", given="y") == pytest.approx(bn.entropy(small.select("x", "y"), "x", given="y"))
    assert bn.hill_climb(bn.BIC(pair)).graph.skeleton == (("x", "y"),)
    assert bn.pc(bn.ChiSquare(pair)).graph.edges == (("x", "y"),) and bn.chow_liu(pair).graph.skeleton == (("x", "y"),)
    network = bn.fit("x->y", pair)
    assert network.cpts["y"].tolist() == [[0.8, 0.2], [0.2, 0.8]]
    assert network.log_likelihood(pair) == pytest.approx(10**9 * network.log_likelihood(small.select("x", "y")))
    for table in (small, bn.Table(small.to_frame(), missing="keep")):
        assert bn.em("x->y, x->z", table).score == pytest.approx(bn.em("x->y, x->z", small).score)
        assert table.codes("x").tolist() == [0] * 5 + [1] * 5 and table.take([4, 5]).codes("y").tolist() == [1, 0]
    assert bn.em("x->y, x->z", large).score == pytest.approx(1e9 * bn.em("x->y, x->z", small).score, rel=1e-6)
    with pytest.raises(bn.DataError, match="1,000,000,000 of the 10,000,000,000 rows have missing values"):
        large.counts("x")


def test_rows_are_taken_from_a_table_with_weights():
    t = bn.Table({"x": [0, 1, 2]}, weights=[2, 1, 3])
    chosen = [False, True, True, False, False, True]
    for rows in (slice(1, 5), slice(None, None, -2), slice(4, 100), [0, 2, -1], chosen):
        assert t.take(rows).codes("x").tolist() == np.repeat([0, 1, 2], [2, 1, 3])[rows].tolist()
    for rows in ([6], [-7], [.5], [], [True, False]):
        with pytest.raises(bn.DataError, match=r"not all of these are rows|no rows are left"):
            t.take(rows)
    large = bn.Table({"x": [0, 1]}, weights=[10**10, 10**10])
    assert large.take([10**10 - 1, 10**10]).codes("x").tolist() == [0, 1]
    assert large._repr_html_().count("<tr") == 11, "the first rows, not all of them"


def test_declared_states_stay():
    x = pd.Categorical(["a", "c", "a", None], categories=["a", "b", "c"])
    t = bn.Table(pd.DataFrame({"x": x, "y": [0, 1, 1, 0]}), missing="keep")
    for same in (t, t.complete_rows(), t.take([0, 2]), t.select("x"), bn.Table(t, missing="keep"),
                 bn.Table(t.to_frame(), missing="keep"), bn.with_missing(t.complete_rows(), .5)):
        assert same.states("x") == ("a", "b", "c")
    assert t.complete_rows().counts("x").tolist() == [2, 0, 1] == t.complete_rows().tally("x")["count"].tolist()


def test_csv_in_and_frame_out(tmp_path):
    path = tmp_path / "rain.csv"
    path.write_text("rain, wet\nno, NA\nyes, None\n")
    t = bn.Table(path)
    assert t.states("wet") == ("NA", "None"), "only an empty field is a missing value"
    assert bn.Table(t.to_frame()).counts("rain", "wet").tolist() == t.counts("rain", "wet").tolist()
    assert bn.Table(str(path)).variables == ("rain", "wet")


def test_take_select_and_tally():
    t = bn.datasets.five_rows()
    part = t.take([3])
    assert len(part) == 1 and part.states("B") == ("b", "~b"), "states stay, though only one occurs"
    assert t.select("D", "A").variables == ("D", "A")
    assert t.tally("A", "B")["count"].tolist() == [3, 1, 1, 0]
    with pytest.raises(bn.DataError, match="no rows are left"):
        t.take(slice(5, 9))


@pytest.mark.parametrize(("data", "message"), [
    ({"x": [1, None, 2]}, "column 'x' has 1 missing value .the first in row 2.*dropna"),
    ({"x": ["a", None, None]}, "has 2 missing values"),
    ({"alcohol": [9.4, 9.8, 10.1]}, "'alcohol' holds real numbers .*bn.Measurements.*bn.discretise"),
    ({"x": [float("inf"), 1.0]}, "holds real numbers"),
    ({}, "no columns"),
    ({"x": []}, "columns .x. but no rows"),
    (pd.DataFrame([[1, 2]], columns=["x", "x"]), "more than one column is called 'x'"),
    (pd.DataFrame([[1, 2]], columns=[1, "1"]), "more than one column is called '1'"),
    ({"x": [1, 2], "y": [1]}, "cannot read a dict as a table"),
    (5, "cannot read a int as a table"),
    ({"x": [[1], [2]]}, r"'x' holds \[1\], which is not a category"),
    (bn.Measurements({"x": [1.5]}), "categories are needed here"),
])
def test_bad_data_say_what_to_do(data, message):
    with pytest.raises(bn.DataError, match=message):
        bn.Table(data)


def test_bad_files_say_what_to_do(tmp_path):
    (tmp_path / "five_rows.csv").write_text("A\n1\n")
    with pytest.raises(bn.DataError, match=r"no file .*five_row.csv.*Did you mean 'five_rows.csv'"):
        bn.Table(tmp_path / "five_row.csv")
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(bn.DataError, match="cannot be read as CSV"):
        bn.Table(tmp_path / "empty.csv")


def test_bad_questions_say_what_to_do():
    t = bn.datasets.five_rows()
    with pytest.raises(bn.DataError, match="'A' is given twice"):
        t.counts("A", "B", given="A")
    with pytest.raises(bn.UnknownVariable, match="no variable 'E' in the data; it has A, B, C, D"):
        t.counts("A", "E")
    with pytest.raises(bn.UnknownVariable, match=r"no variable \['A', 'B'\]"):
        t.counts(["A", "B"])
    with pytest.raises(TypeError, match=r"names are needed here, such as 'A, B'.* not None"):
        t.counts("A", given=None)
    with pytest.raises(bn.UnknownVariable, match="'ABE'"):
        t.counts("A", given="ABE")
    rain = bn.Table({"rain": [0, 1], "sun": [1, 0]})
    with pytest.raises(bn.UnknownVariable, match=r"no variable 'rian'.* Did you mean 'rain'"):
        bn.entropy(rain, "rian")
    wide = bn.Table(pd.DataFrame(np.arange(40 * 9).reshape(9, 40).T % 37, columns=list("abcdefghi")))
    with pytest.raises(bn.DataError, match="cells, and the limit is"):
        wide.counts(*"abcdefghi")


def test_measurements():
    m = bn.Measurements({"x": [1, 2.5], "y": [True, False]})
    assert m.values.tolist() == [[1, 1], [2.5, 0]] and m.select("y").variables == ("y",) and len(m) == 2
    for data, message in [({"x": ["a"]}, "'a', which is not a number.*bn.Table"), ({"x": [1.0, None]}, "missing value"),
                          ({"x": [1.0, float("inf")]}, "infinite value in row 2"),
                          (bn.datasets.five_rows(), "real numbers are needed here, and a Table holds categories")]:
        with pytest.raises(bn.DataError, match=message):
            bn.Measurements(data)
    with pytest.raises(bn.DataError, match="categories are needed here"):
        bn.entropy(m, "x")
