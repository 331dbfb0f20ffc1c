"""`Measurements`: real-valued data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bnteach.errors import DataError
from bnteach.tables.counts import Columns
from bnteach.tables.ingest import frame_html, listed_variables, numbers, read_frame

if TYPE_CHECKING:
    import pandas as pd


class Measurements(Columns):
    """Real-valued columns, without missing values.

    Parameters
    ----------
    data
        A DataFrame, a dictionary of columns, the path of a CSV file, or other Measurements.

    Examples
    --------
    >>> m = Measurements({"height": [1.5, 1.8, 1.7], "weight": [60, 80, 70]})
    >>> m.values.shape, m.column("weight").tolist()
    ((3, 2), [60.0, 80.0, 70.0])
    """

    values: np.ndarray

    def __init__(self, data: pd.DataFrame | Mapping[str, Iterable[float]] | str | Path | Measurements):
        if isinstance(data, Measurements):
            self.variables, self.values = data.variables, data.values
            return
        if isinstance(data, Columns):
            raise DataError("real numbers are needed here, and a Table holds categories: "
                            "use Measurements(data) of the data themselves, or a method for categories.")
        frame = read_frame(data)
        self.variables = tuple(map(str, frame.columns))
        self.values = np.column_stack([numbers(name, frame[column])
                                       for name, column in zip(self.variables, frame.columns)])

    def __len__(self) -> int:
        return len(self.values)

    def column(self, variable: str) -> np.ndarray:
        """All values of one variable."""
        return self.values[:, self._index[self.names([variable])[0]]]

    @cached_property
    def std(self) -> np.ndarray:
        """The standard deviation of each column, or an error if one is constant."""
        if len(self) < 2:
            raise DataError("one row has no variance; give at least two rows, and more for families with parents.")
        for name, low, high in zip(self.variables, self.values.min(axis=0), self.values.max(axis=0)):
            if high - low <= 1e-12 * max(abs(low), abs(high)):
                raise DataError(f"column {name!r} is {low:g} in every row: a constant has no correlations and no "
                                f"density. Leave it out, as with data.select(...).")
        return np.asarray(self.values.std(axis=0, ddof=1))

    @cached_property
    def correlation(self) -> np.ndarray:
        """The correlation matrix."""
        standard = (self.values - self.values.mean(axis=0)) / self.std
        return np.asarray(standard.T @ standard / (len(self) - 1))

    def select(self, *variables: str) -> Measurements:
        """The same rows, with these variables only, in this order."""
        names = self.names(variables)
        return self._with_values(names, self.values[:, [self._index[name] for name in names]])

    def take(self, rows: slice | Iterable[int]) -> Measurements:
        """Some of the rows: ``m.take(slice(0, 100))``, ``m.take([0, 3])``."""
        taken = self.values[rows if isinstance(rows, slice) else np.asarray(list(rows))]
        if len(taken) == 0:
            raise DataError("no rows are left; Measurements have at least one.")
        return self._with_values(self.variables, taken)

    def _with_values(self, variables: tuple[str, ...], values: np.ndarray) -> Measurements:
        other = Measurements.__new__(Measurements)
        other.variables, other.values = variables, values
        return other

    def to_frame(self) -> pd.DataFrame:
        """A DataFrame with the same columns."""
        import pandas as pd

        return pd.DataFrame(self.values, columns=list(self.variables))

    def __repr__(self) -> str:
        return f"Measurements, {len(self):,} rows: {listed_variables(self.variables)}"

    _repr_html_ = frame_html
