"""Alt texts that are made from a plot: its labels and its values, so that lessons need not write them.

    bn.plots.bars({"tree": -20.2, "DAG": -20.5}, xlabel="MDL")      ->  "Bars, MDL: tree -20.2, DAG -20.5."

A lesson gives `alt=` only where what matters cannot be read from the values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

MAX_NAMED = 25  # bars and points that are named; of more, the first and the last are


def bars_alt(values: Mapping[str, float], xlabel: str, highlight: Sequence[str], form: str) -> str:
    """Every bar with its value.

    >>> bars_alt({"tree": -20.2266, "DAG": -20.5485}, "MDL", ["tree"], "{:.2f}")
    'Bars, MDL: tree -20.23 (highlighted), DAG -20.55.'
    """
    named = [f"{name} {form.format(value)}{' (highlighted)' * (name in highlight)}" for name, value in values.items()]
    return f"Bars{_of(xlabel)}: {_listed(named)}."


def curves_alt(xs: Sequence[float], series: Mapping[str, Sequence[float]], xlabel: str, ylabel: str) -> str:
    """Where each curve starts and ends, and its extremes if they lie between.

    >>> curves_alt([1, 2, 3], {"DAGs": [1, 3, 25]}, "nodes", "graphs")
    'graphs against nodes from 1 to 3. DAGs: from 1 to 25.'
    """
    if not len(xs):
        return f"{ylabel or 'y'} against {xlabel or 'x'}, without values."
    curves = " ".join(f"{name}: {_course(xs, ys)}." for name, ys in series.items())
    return f"{ylabel or 'Curves'} against {xlabel or 'x'} from {_n(xs[0])} to {_n(xs[-1])}. {curves}"


def points_alt(xs: Sequence[float], ys: Sequence[float], names: Sequence[str], xlabel: str, ylabel: str) -> str:
    """How many points there are, their ranges, and the points that have a name.

    >>> points_alt([1, 2, 4], [3, 5, 4], ["", "best", ""], "size", "fit")
    '3 points: size from 1 to 4, fit from 3 to 5. Labelled: best at (2, 5).'
    """
    named = [f"{name} at ({_n(x)}, {_n(y)})" for name, x, y in zip(names, xs, ys) if name]
    labelled = f" Labelled: {_listed(named)}." if named else ""
    return f"{len(xs)} points: {xlabel or 'x'} {_range(xs)}, {ylabel or 'y'} {_range(ys)}.{labelled}"


def histogram_alt(values: Sequence[float], marks: Mapping[str, float], xlabel: str) -> str:
    """How many values there are, their range and quartiles, and what is marked.

    >>> histogram_alt([1, 2, 2, 3], {"mean": 2}, "weight")
    'Histogram of 4 values, weight: from 1 to 3, half of them between 1.75 and 2.25. Marked: mean 2.'
    """
    import numpy as np

    low, high = np.quantile(values, [0.25, 0.75])
    marked = f" Marked: {', '.join(f'{name} {_n(x)}'.strip() for name, x in marks.items())}." if marks else ""
    return (f"Histogram of {len(values):,} values{_of(xlabel)}: {_range(values)}, half of them between {_n(low)} and "
            f"{_n(high)}.{marked}")


def figure_alt(fig: Any) -> str:
    """The axes of a matplotlib figure: their titles and labels, and the curves in them."""
    return " ".join(_axes_alt(ax) for ax in fig.axes) or "An empty figure."


def _axes_alt(ax: Any) -> str:
    curves = {line.get_label(): line.get_ydata() for line in ax.get_lines()
              if len(line.get_xdata()) > 1 and not line.get_label().startswith("_")}
    named = "".join(f" {name}: {_range(ys)}." for name, ys in curves.items())
    title = f"{ax.get_title(loc='left') or ax.get_title()}: ".removeprefix(": ")
    return f"{title}{ax.get_ylabel() or 'y'} against {ax.get_xlabel() or 'x'}.{named}"


def _course(xs: Sequence[float], ys: Sequence[float]) -> str:
    """From where to where a curve goes, and its highest and lowest point if neither is an end."""
    ends = f"from {_n(ys[0])} to {_n(ys[-1])}" if ys[0] != ys[-1] or len(set(ys)) > 1 else f"{_n(ys[0])} throughout"
    inner = [("highest", list(ys).index(max(ys))), ("lowest", list(ys).index(min(ys)))]
    extremes = [f"{word} {_n(ys[i])} at {_n(xs[i])}" for word, i in inner if ys[i] not in (ys[0], ys[-1])]
    return ", ".join([ends, *extremes])


def _range(values: Sequence[float]) -> str:
    return f"from {_n(min(values))} to {_n(max(values))}"


def _listed(items: list[str]) -> str:
    if len(items) <= MAX_NAMED:
        return ", ".join(items)
    return f"{', '.join(items[:MAX_NAMED - 1])}, {len(items) - MAX_NAMED} more, {items[-1]}"


def _of(label: str) -> str:
    return f", {label}" if label else ""


def _n(number: float) -> str:
    """A number to three digits, whole numbers in full."""
    number = float(number)
    return f"{number:,.0f}" if number.is_integer() and abs(number) < 1e15 else f"{number:.3g}"
