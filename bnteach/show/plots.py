"""Plots that several lessons need, in the house's palette and sizes, each as a Picture with alt text.

    bn.plots.growth([1, 2, 3], {"DAGs": [1, 3, 25]}, ylabel="graphs", alt="The number of DAGs grows …")

Curves differ by marker and dashes as well as by colour, and carry their names at their ends. For anything else,
`fig, ax = bn.plots.canvas()` gives empty axes in the same style, and `bn.figure(fig, alt)` makes the picture.
matplotlib is loaded when the first plot is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bnteach.show.picture import Picture, figure
from bnteach.show.style import FAINT_INK, GREY, INK, PAPER, SERIES, SERIES_TEXT

MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
DASHES = ("-", "--", "-.", ":", (0, (6, 2)), (0, (3, 1, 1, 1, 1, 1)), (0, (1, 1)), (0, (8, 3)))

STYLE = {
    "font.family": "sans-serif", "font.sans-serif": ["DejaVu Sans", "Helvetica", "Arial"], "font.size": 11,
    "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": FAINT_INK, "axes.labelcolor": INK,
    "axes.titlesize": 12, "axes.titleweight": "bold", "axes.titlelocation": "left", "axes.axisbelow": True,
    "axes.grid": True, "grid.color": "#e3e7eb", "grid.linewidth": 0.8, "text.color": INK, "xtick.color": FAINT_INK,
    "ytick.color": FAINT_INK, "xtick.labelcolor": INK, "ytick.labelcolor": INK, "lines.linewidth": 2,
    "lines.markersize": 6, "figure.facecolor": PAPER, "axes.facecolor": PAPER, "legend.frameon": False,
}


def canvas(width: float = 6.4, height: float = 3.6, rows: int = 1, columns: int = 1) -> tuple[Any, Any]:
    """An empty figure and its axes in the house style; for `bn.figure(fig, alt)` when it is drawn."""
    import matplotlib
    from cycler import cycler
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**STYLE, "axes.prop_cycle": cycler(color=list(SERIES))}):
        fig = Figure(figsize=(width, height), layout="constrained")
        return fig, fig.subplots(rows, columns)


def growth(xs: Sequence[float], series: Mapping[str, Sequence[float]], *, log: bool = False, logx: bool = False,
           xlabel: str = "", ylabel: str = "", alt: str, title: str = "", markers: bool | None = None) -> Picture:
    """Curves over common x, each named at its end; `log` for a logarithmic y axis, `logx` for the other."""
    xs, series = _numbers("x", xs), {name: _numbers(name, ys) for name, ys in series.items()}
    fig, ax = canvas()
    with_markers = len(xs) <= 40 if markers is None else markers
    for i, (name, ys) in enumerate(series.items()):
        _same_length(name, xs, ys)
        ax.plot(xs, ys, color=SERIES[i % 8], linestyle=DASHES[i % 8], marker=MARKERS[i % 8] if with_markers else "")
    if log:
        ax.set_yscale("log")
    if logx:
        ax.set_xscale("log")
        ax.set_xticks(xs, [f"{x:,.6g}" for x in xs])
        ax.minorticks_off()
    else:
        _whole_numbers(ax, xs)
    _name_ends(ax, xs, series, log)
    return _done(fig, ax, xlabel, ylabel, alt, title)


def scatter(xs: Sequence[float], ys: Sequence[float], *, names: Sequence[str] = (), line: bool = False,
            xlabel: str = "", ylabel: str = "", alt: str, title: str = "") -> Picture:
    """Points; those with a name stand out and bear it. `line` adds the diagonal where x equals y."""
    _same_length("ys", xs, ys)
    fig, ax = canvas(5.2, 3.8)
    ax.scatter(xs, ys, s=36, facecolor="#9cc7e4", edgecolor=SERIES[0], linewidth=1)
    ax.autoscale_view()  # now, since names are set by how far points are apart
    named = [(name, x, y) for name, x, y in zip(names, xs, ys) if name]
    for name, x, y in named:
        free = not any(_soon_right(ax, (x, y), other) for _, *other in named)
        ax.plot([x], [y], "o", color=SERIES[1], markersize=7)
        ax.annotate(name, (x, y), xytext=(7 if free else -7, 5), ha="left" if free else "right",
                    textcoords="offset points", fontsize=10,
                    bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.6, "alpha": 0.85})
    if line:
        ends = [min(*xs, *ys), max(*xs, *ys)]
        ax.plot(ends, ends, color=GREY, linestyle="--", linewidth=1.2)
    return _done(fig, ax, xlabel, ylabel, alt, title)


def bars(values: Mapping[str, float], *, xlabel: str = "", alt: str, title: str = "", highlight: Sequence[str] = (),
         form: str = "{:.4g}") -> Picture:
    """Horizontal bars with their values beside them; highlighted ones are darker and hatched."""
    fig, ax = canvas(6.0, 0.75 + (0.36 if len(values) <= 12 else 0.28) * len(values))
    for i, (name, value) in enumerate(values.items()):
        told = name in highlight
        ax.barh(i, value, height=0.68, color=SERIES[0] if told else "#9cc7e4", edgecolor=PAPER if told else SERIES[0],
                hatch="//" if told else "", linewidth=1)
        ax.annotate(form.format(value), (value, i), xytext=(5 if value >= 0 else -5, 0), va="center",
                    ha="left" if value >= 0 else "right", textcoords="offset points", fontsize=10)
    ax.set_yticks(range(len(values)), list(values))
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.margins(x=0.16)
    return _done(fig, ax, xlabel, "", alt, title)


def histogram(values: Sequence[float], *, mark: Mapping[str, float] | float | None = None,
              bins: int | Sequence[float] = 30, xlabel: str = "", ylabel: str = "how many", alt: str,
              title: str = "") -> Picture:
    """How values are spread; `mark` draws named vertical lines."""
    fig, ax = canvas()
    ax.hist(values, bins=bins, color="#9cc7e4", edgecolor=SERIES[0], linewidth=0.8)
    marks = {} if mark is None else mark if isinstance(mark, Mapping) else {"": mark}
    top = ax.get_ylim()[1]
    for i, (name, x) in enumerate(marks.items()):
        ax.axvline(x, color=SERIES[1 + i % 7], linestyle=DASHES[(1 + i) % 8], linewidth=2.2)
        ax.annotate(f"{name} {x:.4g}".strip(), (x, top), xytext=(5, -4 - 15 * i), textcoords="offset points", va="top",
                    bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1})
    return _done(fig, ax, xlabel, ylabel, alt, title)


def _soon_right(ax: Any, point: Sequence[float], other: Sequence[float]) -> bool:
    """Does the other point lie where this one's name would stand?"""
    (x, y), (u, v) = ax.transLimits.transform([point, other])
    return 0 < u - x < 0.2 and -0.02 < v - y < 0.1


def _done(fig: Any, ax: Any, xlabel: str, ylabel: str, alt: str, title: str) -> Picture:
    ax.set_xlabel(xlabel)
    ax.set_ylabel(ylabel)
    return figure(fig, alt, title)


def _name_ends(ax: Any, xs: Sequence[float], series: Mapping[str, Sequence[float]], log: bool) -> None:
    """The name of each curve at its end, moved apart where they would touch."""
    if len(series) == 1 or not len(xs):
        return
    low, high = ax.get_ylim()
    place = ax.yaxis.get_transform().transform
    scale = lambda y: float((place(y) - place(low)) / (place(high) - place(low)))  # noqa: E731
    ends = sorted((scale(ys[-1]), i, name) for i, (name, ys) in enumerate(series.items()))
    lowest = -1.0
    for height, i, name in ends:
        lowest = max(height, lowest + 0.065)
        ax.annotate(name, (1.01, lowest), xycoords="axes fraction", va="center", color=SERIES_TEXT[i % 8],
                    fontweight="bold", fontsize=10, annotation_clip=False)


def _whole_numbers(ax: Any, xs: Sequence[float]) -> None:
    """Ticks at whole numbers when all x are whole and few."""
    if len(xs) <= 12 and all(float(x).is_integer() for x in xs):
        ax.set_xticks(list(xs))


def _numbers(name: str, values: Iterable[Any]) -> list[float]:
    """Values as a list of plain numbers: from a list, an array, a Series, or of whole numbers of any size."""
    try:
        return [float(value) for value in values]
    except OverflowError:
        raise ValueError(f"{name} has a value of more than 308 digits, which is too large to draw: "
                         f"draw its logarithm, such as math.log10(...).") from None


def _same_length(name: str, xs: Sequence[float], ys: Sequence[float]) -> None:
    if len(xs) != len(ys):
        raise ValueError(f"{name} has {len(ys)} values for {len(xs)} x: give one for each.")
