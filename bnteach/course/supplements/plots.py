"""Plots that several lessons need, in the palette of the course, each as a Picture with alt text.

    bn.plots.growth([1, 2, 3], {"DAGs": [1, 3, 25]}, xlabel="nodes", ylabel="graphs")

The alt text is made from the values (alt_texts.py) unless `alt=` says what they do not. Curves differ in marker
and dashes as well as in colour, and are labelled at their ends. For anything else, `fig, ax = bn.plots.canvas()`
returns empty axes in the same style, and `bn.figure(fig)` makes the picture. matplotlib is loaded when the first plot
is made.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bnteach.course.supplements.alt_texts import bars_alt, curves_alt, histogram_alt, points_alt
from bnteach.course.supplements.figures import figure
from bnteach.show.picture import Picture
from bnteach.show.style import FAINT_INK, GREY, INK, PAPER, SERIES, SERIES_TEXT

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", "-.", ":", (0, (6, 2)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)))

STYLE: dict[Any, Any] = {
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Helvetica", "Arial"], "font.size": 11,
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": FAINT_INK, "axes.labelcolor": INK,
    "axes.titlesize": 12, "axes.titleweight": "bold", "axes.titlelocation": "left", "axes.axisbelow": True,
    "axes.grid": True, "grid.color": "#e3e7eb", "grid.linewidth": 0.8, "text.color": INK, "xtick.color": FAINT_INK,
    "ytick.color": FAINT_INK, "xtick.labelcolor": INK, "ytick.labelcolor": INK, "lines.linewidth": 2,
    "lines.markersize": 6, "figure.facecolor": PAPER, "axes.facecolor": PAPER, "legend.frameon": False,
}


def canvas(width: float = 6.4, height: float = 3.6, rows: int = 1, columns: int = 1) -> tuple[Any, Any]:
    """Make an empty matplotlib figure and its axes in the style of the course.

    Parameters
    ----------
    width, height : float
        The size in inches.
    rows, columns : int
        The grid of axes.

    Returns
    -------
    (Figure, Axes or array of Axes)
        Turn the figure into a picture with ``bn.figure(fig, alt)``.

    Examples
    --------
    >>> import bnteach as bn
    >>> fig, axes = bn.plots.canvas(columns=2)
    >>> len(axes)
    2
    """
    import matplotlib
    from cycler import cycler
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**STYLE, "axes.prop_cycle": cycler(color=list(SERIES))}):
        fig = Figure(figsize=(width, height), layout="constrained")
        return fig, fig.subplots(rows, columns)


def growth(xs: Sequence[float], series: Mapping[str, Sequence[float]], *, log: bool = False, logx: bool = False,
           xlabel: str = "", ylabel: str = "", alt: str = "", title: str = "", markers: bool | None = None,
           errors: Mapping[str, Sequence[float]] | None = None) -> Picture:
    """Plot curves over a common x, each labelled at its end.

    Parameters
    ----------
    xs : sequence of numbers
        The common x values.
    series : mapping
        The y values of each curve, by its name.
    log, logx : bool
        Logarithmic y axis; logarithmic x axis.
    xlabel, ylabel : str
        Labels of the axes.
    alt, title : str, optional
        A sentence that describes what the plot shows, made from the values if it is not given; a title above it.
    markers : bool, optional
        Mark the points; by default if there are at most 40.
    errors : mapping, optional
        By the name of a curve, how far its error bars reach up and down at each x.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.plots.growth([1, 2, 3], {"DAGs": [1, 3, 25]}, log=True, xlabel="nodes", ylabel="graphs")
    graphs against nodes from 1 to 3. DAGs: from 1 to 25.
    """
    xs, series = _numbers("x", xs), {name: _numbers(name, ys) for name, ys in series.items()}
    fig, ax = canvas()
    with_markers = len(xs) <= 40 if markers is None else markers
    for i, (name, ys) in enumerate(series.items()):
        _same_length(name, xs, ys)
        ax.plot(xs, ys, color=SERIES[i % 8], linestyle=DASHES[i % 8], marker=MARKERS[i % 8] if with_markers else "")
        if errors and name in errors:
            _same_length(f"errors[{name!r}]", xs, reach := _numbers(name, errors[name]))
            ax.errorbar(xs, ys, reach, fmt="none", ecolor=SERIES[i % 8], capsize=3)
    if log:
        ax.set_yscale("log")
        ax.set_ylim(bottom=_power_of_ten_below(series.values()))
    if logx:
        ax.set_xscale("log")
        ax.set_xticks(xs, [f"{x:,.6g}" for x in xs])
        ax.minorticks_off()
    else:
        _whole_numbers(ax, xs)
    _label_ends(ax, xs, series)
    alt = alt or curves_alt(xs, series, xlabel, ylabel) + (" With error bars." if errors else "")
    return _labelled(fig, ax, xlabel, ylabel, alt, title)


def scatter(xs: Sequence[float], ys: Sequence[float], *, names: Sequence[str] = (), line: bool = False,
            xlabel: str = "", ylabel: str = "", alt: str = "", title: str = "") -> Picture:
    """Make a scatter plot.

    Parameters
    ----------
    xs, ys : sequence of numbers
        The points.
    names : sequence of str, optional
        A label per point; points with a label are highlighted, those with "" are not.
    line : bool
        Also draw the diagonal y = x.
    xlabel, ylabel : str
        Labels of the axes.
    alt, title : str, optional
        A sentence that describes what the plot shows, made from the values if it is not given; a title above it.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.plots.scatter([1, 2], [2, 1], names=["a", ""], alt="Two points, a is the higher one.")
    Two points, a is the higher one.
    """
    _same_length("ys", xs, ys)
    fig, ax = canvas(5.2, 3.8)
    ax.scatter(xs, ys, s=36, facecolor="#9cc7e4", edgecolor=SERIES[0], linewidth=1)
    ax.autoscale_view()  # now, since the positions of labels depend on the distances between points
    named = [(name, x, y) for name, x, y in zip(names, xs, ys) if name]
    for name, x, y in named:
        free = not any(_at_label(ax, (x, y), other) for _, *other in named)
        ax.plot([x], [y], "o", color=SERIES[1], markersize=7)
        ax.annotate(name, (x, y), xytext=(7 if free else -7, 5), ha="left" if free else "right",
                    textcoords="offset points", fontsize=10,
                    bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.6, "alpha": 0.85})
    if line:
        ends = [min(*xs, *ys), max(*xs, *ys)]
        ax.plot(ends, ends, color=GREY, linestyle="--", linewidth=1.2)
    return _labelled(fig, ax, xlabel, ylabel, alt or points_alt(xs, ys, names, xlabel, ylabel), title)


def bars(values: Mapping[str, float], *, xlabel: str = "", alt: str = "", title: str = "",
         highlight: Sequence[str] = (), form: str = "{:.4g}") -> Picture:
    """Make a horizontal bar chart with the values beside the bars.

    Parameters
    ----------
    values : mapping
        The length of each bar, by its name.
    xlabel : str
        Label of the x axis.
    alt, title : str, optional
        A sentence that describes what the plot shows, made from the values if it is not given; a title above it.
    highlight : sequence of str
        Names of bars to draw darker and hatched.
    form : str
        The format of the values.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.plots.bars({"AIC": -15.4, "MDL": -19.8}, highlight=["AIC"], xlabel="score")
    Bars, score: AIC -15.4 (highlighted), MDL -19.8.
    """
    fig, ax = canvas(6.0, 0.75 + (0.36 if len(values) <= 12 else 0.28) * len(values))
    for i, (name, value) in enumerate(values.items()):
        dark = name in highlight
        ax.barh(i, value, height=0.68, color=SERIES[0] if dark else "#9cc7e4", edgecolor=PAPER if dark else SERIES[0],
                hatch="//" if dark else "", linewidth=1)
        ax.annotate(form.format(value), (value, i), xytext=(5 if value >= 0 else -5, 0), va="center",
                    ha="left" if value >= 0 else "right", textcoords="offset points", fontsize=10)
    ax.set_yticks(range(len(values)), list(values))
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.margins(x=0.16)
    return _labelled(fig, ax, xlabel, "", alt or bars_alt(values, xlabel, highlight, form), title)


def histogram(values: Sequence[float], *, mark: Mapping[str, float] | float | None = None,
              bins: int | Sequence[float] = 30, xlabel: str = "", ylabel: str = "count", alt: str = "",
              title: str = "") -> Picture:
    """Make a histogram.

    Parameters
    ----------
    values : sequence of numbers
        The sample.
    mark : mapping or float, optional
        Values at which to draw vertical reference lines, by name.
    bins : int or sequence of numbers
        The number of bins, or their boundaries.
    xlabel, ylabel : str
        Labels of the axes.
    alt, title : str, optional
        A sentence that describes what the plot shows, made from the values if it is not given; a title above it.

    Returns
    -------
    Picture

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.plots.histogram([1, 2, 2, 3], mark={"mean": 2}, bins=3, alt="The mean is 2.")
    The mean is 2.
    """
    fig, ax = canvas()
    ax.hist(values, bins=bins, color="#9cc7e4", edgecolor=SERIES[0], linewidth=0.8)
    marks = {} if mark is None else mark if isinstance(mark, Mapping) else {"": mark}
    top = ax.get_ylim()[1]
    for i, (name, x) in enumerate(marks.items()):
        ax.axvline(x, color=SERIES[1 + i % 7], linestyle=DASHES[(1 + i) % 8], linewidth=2.2)
        ax.annotate(f"{name} {x:.4g}".strip(), (x, top), xytext=(5, -4 - 15 * i), textcoords="offset points", va="top",
                    bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1})
    return _labelled(fig, ax, xlabel, ylabel, alt or histogram_alt(values, marks, xlabel), title)


def _at_label(ax: Any, point: Sequence[float], other: Sequence[float]) -> bool:
    """Is the other point where the label of this one would be?"""
    (x, y), (u, v) = ax.transLimits.transform([point, other])
    return bool(0 < u - x < 0.2 and -0.02 < v - y < 0.1)


def _labelled(fig: Any, ax: Any, xlabel: str, ylabel: str, alt: str, title: str) -> Picture:
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    return figure(fig, alt, title)


def _label_ends(ax: Any, xs: Sequence[float], series: Mapping[str, Sequence[float]]) -> None:
    """Label each curve at its end; labels that would overlap are moved apart."""
    if len(series) == 1 or not len(xs):
        return
    low, high = ax.get_ylim()
    scaled = ax.yaxis.get_transform().transform
    bottom, top = scaled(low), scaled(high)
    ends = sorted((float((scaled(ys[-1]) - bottom) / (top - bottom)), i, name)
                  for i, (name, ys) in enumerate(series.items()))
    height = -1.0
    for end, i, name in ends:
        height = max(end, height + 0.065)
        ax.annotate(name, (1.01, height), xycoords="axes fraction", va="center", color=SERIES_TEXT[i % 8],
                    fontweight="bold", fontsize=10, annotation_clip=False)


def _power_of_ten_below(curves: Iterable[Sequence[float]]) -> float | None:
    """Where a logarithmic axis starts: at the power of ten below the least value."""
    positive = [y for ys in curves for y in ys if y > 0]
    return float(10.0 ** math.floor(math.log10(min(positive)))) if positive else None


def _whole_numbers(ax: Any, xs: Sequence[float]) -> None:
    """If all x are whole numbers, put a tick at each if they are few, and none between two of them."""
    if all(float(x).is_integer() for x in xs):
        if len(xs) <= 12:
            ax.set_xticks(list(xs))
        elif any(tick % 1 for tick in ax.get_xticks()):
            ax.xaxis.get_major_locator().set_params(integer=True)


def _numbers(name: str, values: Iterable[Any]) -> list[float]:
    """Values as a list of floats: from a list, an array or a Series, and from large whole numbers."""
    try:
        return [float(value) for value in values]
    except OverflowError:
        raise ValueError(f"{name} has a value of more than 308 digits, which is too large to plot: "
                         f"plot its logarithm, such as math.log10(...).") from None


def _same_length(name: str, xs: Sequence[float], ys: Sequence[float]) -> None:
    if len(xs) != len(ys):
        raise ValueError(f"{name} has {len(ys)} values for {len(xs)} x: give one for each.")
