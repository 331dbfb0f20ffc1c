"""From real numbers to categories: cut the range of each column into intervals.

    quantiles      intervals with equally many rows
    equal width    intervals of equal length
    hartemink      intervals that keep the mutual information of the columns: start from many quantiles, and merge, in
                   each column in turn, the two adjacent intervals whose merger loses least of it

Something is always lost. Equal width leaves intervals almost empty if a column is skewed; quantiles cut through the
middle of a cluster; and no method keeps that 5.1 is closer to 5.2 than to 9. Merging two rows i and k of a table of
counts loses, with f(c) = c log c summed over its cells,

    f(row i) + f(row k) - f(row i + row k)    of the cells, less the same of the margin, over the number of rows.

Hartemink (2001), Principled computational methods for the validation and discovery of genetic regulatory networks,
PhD thesis, MIT. Lesson 20.
"""

from __future__ import annotations

import warnings
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from bnteach.errors import DataError, whole_number
from bnteach.tables.ingest import read_frame
from bnteach.tables.measurements import Measurements

if TYPE_CHECKING:
    from bnteach.show.picture import Row

Floats = npt.NDArray[np.float64]
Counts = dict[tuple[str, str], Floats]
METHODS = ("quantiles", "equal width", "hartemink")
FEW = 5  # rows in an interval, below which a warning is given


class Discretised(pd.DataFrame):
    """Columns cut into intervals, as `discretise` returns them: a DataFrame with a picture of what was done.

    ``before`` has the columns as they were. What is made from it, such as ``.dropna()``, is a plain DataFrame.
    """

    _metadata: ClassVar = ["before"]  # pandas' list of attributes that are not columns
    before: pd.DataFrame

    @property
    def _constructor(self) -> type[pd.DataFrame]:
        return pd.DataFrame

    def kept(self) -> pd.Series:
        """Of each column that was cut, the share of its variance that lies between the intervals; the rest is lost."""
        shares = {}
        for name in self.attrs["cuts"]:
            values = self.before[name].astype(float)
            means = values.groupby(self[name], observed=True).transform("mean")
            shares[name] = float(means.var(ddof=0) / values.var(ddof=0))
        return pd.Series(shares, dtype=float)

    def picture(self, *columns: str) -> Row:
        """A histogram of each column that was cut, or of those named: its cut points, and the rows of each interval."""
        from bnteach.show.intervals import intervals

        return intervals(self, columns or tuple(self.attrs["cuts"]))

    def _repr_html_(self) -> str:
        table = pd.DataFrame(self)._repr_html_()  # type: ignore[operator]
        return f"{self.picture()._repr_html_() if self.attrs['cuts'] else ''}{table}"


def discretise(frame: Any, how: str = "quantiles", bins: int = 3, initial: int = 20) -> Discretised:
    """Cut the numeric columns of a table into intervals.

    Parameters
    ----------
    frame : DataFrame, Measurements, mapping, or path of a CSV file
        Columns with at most ``bins`` distinct values, and those that are not numbers, stay as they are.
    how : {"quantiles", "equal width", "hartemink"}
        Where to cut.
    bins : int
        How many intervals.
    initial : int
        For hartemink, how many quantiles to start from.

    Returns
    -------
    Discretised
        A DataFrame of ordered categories such as ``"3.2 to 4.1"``. ``attrs["cuts"]`` has the cut points of each column,
        ``picture()`` shows them, and ``kept()`` is the share of each column's variance that is left.

    Examples
    --------
    >>> import pandas as pd
    >>> heights = pd.DataFrame({"height": [1.5, 1.6, 1.7, 1.8, 1.9, 2.2], "sex": list("fmfmfm")})
    >>> discretise(heights, bins=2)["height"].tolist()
    ['up to 1.75', 'up to 1.75', 'up to 1.75', 'above 1.75', 'above 1.75', 'above 1.75']
    >>> discretise(heights, how="equal width", bins=2).attrs["cuts"]
    {'height': [1.85]}

    References
    ----------
    Hartemink (2001), PhD thesis, MIT. Lesson 20.
    """
    if how not in METHODS:
        raise ValueError(f"how={how!r} is not known; choose {', '.join(map(repr, METHODS[:-1]))} or {METHODS[-1]!r}.")
    read = frame.to_frame() if isinstance(frame, Measurements) else read_frame(frame)
    bins = whole_number("bins", bins, least=2)
    columns = {str(name): column for name, column in read.items() if _is_long(column, bins)}
    start = whole_number("initial", initial, least=bins) if how == "hartemink" else bins
    cuts = {name: _cuts(column, how, start) for name, column in columns.items()}
    if how == "hartemink":
        if len(columns) < 2:
            raise DataError("hartemink keeps the information that columns have about each other, and there is only "
                            f"{len(columns)} numeric column: use how='quantiles'.")
        cuts = _merge(columns, cuts, bins)
    cut = {name: _cut(name, columns[name], points, bins) for name, points in cuts.items()}
    found = Discretised(read.assign(**cut))
    found.before = read
    found.attrs["cuts"] = {name: [float(point) for point in points] for name, points in cuts.items()}
    return found


def _is_long(column: pd.Series, bins: int) -> bool:
    """Are these numbers, with more distinct values than intervals?"""
    numeric = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    if numeric and np.isinf(column.to_numpy(dtype=float, na_value=np.nan)).any():
        raise DataError(f"column {str(column.name)!r} has infinite values, which belong to no interval. Make them "
                        f"missing with frame.replace([np.inf, -np.inf], np.nan), or leave their rows out.")
    return bool(numeric and column.nunique() > bins)


def _cuts(column: pd.Series, how: str, bins: int) -> Floats:
    """The points between the intervals, before any are merged."""
    values = column.dropna().to_numpy(dtype=float)
    if how == "equal width":
        return np.linspace(values.min(), values.max(), bins + 1)[1:-1]
    points = np.unique(np.quantile(values, np.arange(1, bins) / bins, method="midpoint"))
    inside: Floats = points[points < values.max()]
    return inside


def _merge(columns: dict[str, pd.Series], cuts: dict[str, Floats], bins: int) -> dict[str, Floats]:
    """Remove cut points, in each column in turn the one that loses least mutual information, until `bins` are left."""
    counts = _counts(columns, cuts)
    while any(len(points) >= bins for points in cuts.values()):
        for name in cuts:
            if len(cuts[name]) >= bins:
                least = int(_losses(counts, name).argmin())
                kept = np.delete(np.arange(len(cuts[name]) + 1), least + 1)  # where the intervals that are left begin
                cuts[name] = np.delete(cuts[name], least)
                for other in columns:
                    counts[name, other] = np.add.reduceat(counts[name, other], kept)
                    if other != name:
                        counts[other, name] = counts[name, other].T
    return cuts


def _counts(columns: dict[str, pd.Series], cuts: dict[str, Floats]) -> Counts:
    """For each pair of columns the rows in each pair of intervals; for a column with itself, those in each interval."""
    codes = {name: np.searchsorted(cuts[name], column.to_numpy(dtype=float)) for name, column in columns.items()}
    counts = {}
    for a, b in product(columns, repeat=2):
        observed = (columns[a].notna() & columns[b].notna()).to_numpy()
        cells = np.zeros((len(cuts[a]) + 1, len(cuts[b]) + 1))
        np.add.at(cells, (codes[a][observed], codes[b][observed]), 1)
        counts[a, b] = cells if a != b else cells.sum(axis=1, keepdims=True)
    return counts


def _losses(counts: Counts, name: str) -> Floats:
    """For each cut point of a column: the mutual information with all other columns that is lost without it."""
    others = [cells for (a, b), cells in counts.items() if a == name != b]
    lost = sum(map(_merged, others)) - len(others) * _merged(counts[name, name])
    rounded: Floats = np.round(lost / counts[name, name].sum(), 12)  # of equal losses the first, whatever the last bits
    return rounded


def _merged(counts: Floats) -> Floats:
    """What the sum of c log c loses if a row is merged with the next: f(row) + f(next) - f(row + next)."""
    def f(c: Floats) -> Floats:
        total: Floats = (c * np.log2(np.maximum(c, 1))).sum(axis=1)
        return total
    return f(counts[:-1]) + f(counts[1:]) - f(counts[:-1] + counts[1:])


def _cut(name: str, column: pd.Series, cuts: Floats, bins: int) -> Any:
    """The column as ordered categories, with a warning if an interval is missing or nearly empty."""
    digits = next(d for d in range(3, 18) if len({f"{p:.{d}g}" for p in cuts}) == len(cuts))
    texts = [f"{point:.{digits}g}" for point in cuts]
    labels = [f"up to {texts[0]}", *(f"{a} to {b}" for a, b in pairwise(texts)), f"above {texts[-1]}"]
    codes = np.searchsorted(cuts, column.to_numpy(dtype=float), side="left")
    found = pd.Categorical.from_codes(np.where(column.isna(), -1, codes).tolist(), pd.Index(labels), ordered=True)
    rows = np.bincount(codes[column.notna()], minlength=len(labels))
    if len(labels) < bins:
        warnings.warn(f"column {name!r} has {len(labels)} intervals in place of {bins}, since many of its values are "
                      f"equal.", stacklevel=3)
    elif rows.min() < FEW <= len(column) / bins:
        warnings.warn(f"column {name!r}: the interval {labels[int(rows.argmin())]!r} has {rows.min()} rows. Use fewer "
                      f"bins, or how='quantiles'.", stacklevel=3)
    return found
