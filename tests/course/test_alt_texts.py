"""Alt texts made from plots: every value that matters is in them, and they follow the values."""

import re

import pytest

import bnteach as bn
from bnteach.course.supplements.alt_texts import MAX_NAMED, figure_alt


def test_bars_name_every_bar_or_say_how_many_more_there_are():
    assert bn.plots.bars({"a": 1.25, "b": 3}, xlabel="bits", form="{:.1f}").alt == "Bars, bits: a 1.2, b 3.0."
    many = bn.plots.bars({f"n{i}": i for i in range(MAX_NAMED + 5)}).alt
    assert "n0 0, n1 1" in many and many.endswith(f"n23 23, 5 more, n{MAX_NAMED + 4} {MAX_NAMED + 4}.")


def test_curves_say_where_they_go_and_turn():
    alt = bn.plots.growth([1, 2, 3, 4], {"up": [1, 2, 3, 4], "hill": [1, 5, 2, 1], "level": [2] * 4},
                          xlabel="rows", ylabel="score").alt
    assert alt == ("score against rows from 1 to 4. up: from 1 to 4. hill: from 1 to 1, highest 5 at 2. "
                   "level: 2 throughout.")


def test_error_bars_are_drawn_and_mentioned():
    curve = {"mean": [1, 2]}
    bars = bn.plots.growth([0, 1], curve, errors={"mean": [0.5, 0.5]}, xlabel="x", ylabel="y")
    assert bars.alt == "y against x from 0 to 1. mean: from 1 to 2. With error bars."
    ticks = [max(map(float, re.findall(r">(\d\.\d+)<", plot.svg))) for plot in (bars, bn.plots.growth([0, 1], curve))]
    assert ticks == [2.5, 2.0]  # the axis reaches to the ends of the bars
    with pytest.raises(ValueError, match=r"errors\['mean'\] has 1 values for 2 x"):
        bn.plots.growth([0, 1], curve, errors={"mean": [0.5]})


def test_points_and_histograms():
    assert bn.plots.scatter([1, 2], [0.5, 0.123456], names=["", "tree"], xlabel="dimension", ylabel="fit").alt == (
        "2 points: dimension from 1 to 2, fit from 0.123 to 0.5. Labelled: tree at (2, 0.123).")
    assert bn.plots.histogram(range(101), mark={"ours": 40}, xlabel="chi-square").alt == (
        "Histogram of 101 values, chi-square: from 0 to 100, half of them between 25 and 75. Marked: ours 40.")


def test_any_figure():
    fig, ax = bn.plots.canvas()
    ax.plot([0, 1], [2, 3], label="line")
    ax.set_xlabel("x in metres")
    ax.set_ylabel("speed")
    assert figure_alt(fig) == "speed against x in metres. line: from 2 to 3."
    assert bn.figure(fig).alt == figure_alt(fig)


def test_what_is_said_goes_first():
    assert bn.plots.bars({"a": 1}, alt="One bar.").alt == "One bar."
