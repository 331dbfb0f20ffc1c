"""A `Table` of categorical data, and its counts.

A Table stores for each variable its states, in order, and answers one question: how many rows have which states?

>>> t = Table({"rain": ["no", "yes", "yes", "no"], "wet": ["no", "yes", "yes", "yes"]})
>>> t.states("rain")
('no', 'yes')
>>> t.counts("rain", "wet")
array([[1, 1],
       [0, 2]])

How it counts, and why that is quick: contingency.py. Equal rows are merged, and sets of rows are stored as bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.errors import DataError
from bnteach.tables.bit_rows import Batch, BitRows, Query
from bnteach.tables.counts import Columns, Counts
from bnteach.tables.ingest import (
    frame_html,
    listed_variables,
    read_columns,
    read_frame,
    row_weights,
    warn_of_identifiers,
)

if TYPE_CHECKING:
    import pandas as pd


class Table(Columns, Counts):
    """Categorical columns.

    The states of a column are its categories in their order if it is a pandas Categorical (including states that never
    occur), and otherwise the values that occur, sorted.

    Parameters
    ----------
    data
        A DataFrame, a dictionary of columns, the path of a CSV file, or another Table.
    missing
        ``"error"`` rejects missing values. ``"keep"`` gives them the code -1; such a table is not `complete`. It cannot
        be counted, but ``bn.em`` and ``bn.structural_em`` learn from it.
    weights
        How often each row occurs, for data that are counted already: a whole number per row. Rows are not copied, so
        the weights may be large.

    Examples
    --------
    >>> Table({"A": ["no", "yes"], "B": [0, 1]}, weights=[30, 70]).counts("A").tolist()
    [30, 70]
    >>> t = Table({"A": [0, 1, None], "B": ["x", "y", "y"]}, missing="keep")
    >>> t.complete, t.codes("A").tolist(), len(t.complete_rows())
    (False, [0, 1, -1], 2)
    """

    _states: dict[str, tuple[Any, ...]]
    _codes: dict[str, np.ndarray]
    _weights: np.ndarray | None = None  # how often each of these rows occurs; None if once

    def __init__(self, data: pd.DataFrame | Mapping[str, Iterable[Any]] | str | Path | Table, missing: str = "error",
                 weights: Iterable[int] | None = None):
        if missing not in ("error", "keep"):
            raise ValueError(f"missing={missing!r} is not known here; use 'error' or 'keep'.")
        if isinstance(data, Table):
            if missing == "error":
                data.check_complete("; to keep them: Table(data, missing=\"keep\")")
            self.variables, self._states = data.variables, data._states
            self._codes, self._weights = (data._codes, data._weights) if weights is None else (data._every_row(), None)
        else:
            self._read(data, missing)
        if weights is not None:
            times = row_weights(weights, len(self))
            self._codes = {name: codes[times > 0] for name, codes in self._codes.items()}
            self._weights = times[times > 0]

    def _read(self, data: Any, missing: str) -> None:
        if isinstance(data, Columns):
            raise DataError("categories are needed here, and Measurements are real numbers: "
                            "cut the columns into intervals first (bn.discretise), or use a method for real numbers.")
        frame = read_frame(data)
        self.variables = tuple(map(str, frame.columns))
        self._states, self._codes = read_columns(frame, missing)
        warn_of_identifiers({name: len(states) for name, states in self._states.items()}, len(frame))

    def __len__(self) -> int:
        return len(self._codes[self.variables[0]]) if self._weights is None else int(self._weights.sum())

    # -- missing values --------------------------------------------------------------------------------
    @cached_property
    def complete(self) -> bool:
        """Does every row have a state for every variable?"""
        return all(codes.min() >= 0 for codes in self._codes.values())

    def complete_rows(self) -> Table:
        """The rows without missing values; all states are kept."""
        complete = np.all([codes >= 0 for codes in self._codes.values()], axis=0)
        if not complete.any():
            raise DataError(f"each of the {len(self):,} rows has a missing value; no row is complete.")
        return self._with_codes({name: codes[complete] for name, codes in self._codes.items()},
                                None if self._weights is None else self._weights[complete])

    def check_complete(self, hint: str = "") -> None:
        """Raise DataError if a value is missing."""
        if not self.complete:
            rows = (self.row_weights * np.any([codes < 0 for codes in self._codes.values()], axis=0)).sum()
            raise DataError(f"{rows:,} of the {len(self):,} rows have missing values, so they cannot be counted. Learn "
                            f"from them with bn.em or bn.structural_em (lesson 15), or use the complete rows only: "
                            f"table.complete_rows(){hint}.")

    # -- counts ----------------------------------------------------------------------------------------
    def states(self, variable: str) -> tuple[Any, ...]:
        """The states of a variable, in order."""
        (name,) = self.names([variable])
        return self._states[name]

    def codes(self, variable: str) -> np.ndarray:
        """The state of each row as its index in `states(variable)`; -1 for a missing value."""
        (name,) = self.names([variable])
        return self._codes[name] if self._weights is None else np.repeat(self._codes[name], self._weights)

    def once(self) -> Table:
        """The table with each row once, as it was given; `row_weights` says how often each of them occurs."""
        return self if self._weights is None else self._with_codes(self._codes)

    @property
    def row_weights(self) -> np.ndarray:
        """How often each row of `once()` occurs."""
        return np.ones(len(self), dtype=np.int64) if self._weights is None else self._weights

    @cached_property
    def distinct_rows(self) -> BitRows:
        """The distinct rows, and how often each occurs."""
        self.check_complete()
        return BitRows.merge(self._codes, self.sizes, self._weights)

    def counts(self, *variables: str, given: str | Iterable[str] = ()) -> np.ndarray:
        """The number of rows for each combination of states.

        Parameters
        ----------
        *variables, given
            The variables to count; `given` comes last.

        Returns
        -------
        numpy.ndarray
            An axis per variable, in the order asked: ``t.counts("A", "B", given="C")[i, j, k]``. Without variables, the
            number of rows.

        Examples
        --------
        >>> t = Table({"A": [0, 0, 1], "B": ["x", "y", "y"]})
        >>> t.counts("B", "A").tolist(), t.counts("A", given="B").tolist(), t.counts().tolist()
        ([[1, 0], [1, 1]], [[1, 1], [0, 1]], 3)
        """
        names = self._axes(variables, given)
        return self.distinct_rows.counts(names) if names else np.array(len(self))

    def counts_with_each(self, names: Sequence[str]) -> np.ndarray:
        """The counts of some variables jointly with every state of every variable: an axis each, then all states."""
        return self.distinct_rows.counts_with_each(names)

    def pair_counts(self) -> np.ndarray:
        """The counts of all pairs of states of all variables: a square matrix; see `offsets` for its order."""
        return self.distinct_rows.pair_counts().astype(np.int64)

    def counts_over_subsets(self, max_size: int, max_cells: float = inf) -> Iterator[tuple[int, np.ndarray, float]]:
        """For each set of variables: its index, the counts of its cells, the number of its cells.

        See `DistinctRows.counts_over_subsets`.
        """
        return self.distinct_rows.counts_over_subsets(max_size, max_cells)

    def counts_of_sets(self, sets: Iterable[Sequence[str]]) -> Iterator[np.ndarray]:
        """The counts of the cells of each of these sets of variables; see `DistinctRows.counts_of_sets`."""
        return self.distinct_rows.counts_of_sets(sets)

    def pair_sums(self, term: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
        """For each pair of variables the sum of a term over the counts of its cells; see `BitRows.pair_sums`."""
        return self.distinct_rows.pair_sums(term)

    def stratified_counts(self, queries: Sequence[Query]) -> Iterator[Batch]:
        """The counts of x and y in the strata of given, for many queries (x, y, given), batch by batch.

        See `BitRows.stratified_counts`.
        """
        return self.distinct_rows.stratified_counts(queries)

    def occurring_cells(self, x: str, y: str, given: Sequence[str]) -> tuple[np.ndarray, ...]:
        """The cells of a query that have rows, however many cells there are: see `BitRows.occurring_cells`."""
        return self.distinct_rows.occurring_cells(x, y, given)

    def tally(self, *variables: str) -> pd.DataFrame:
        """The counts as a DataFrame with one row per combination of states."""
        import pandas as pd

        states = [self._states[name] for name in self.names(variables)]
        index = pd.MultiIndex.from_product(states, names=variables)
        return pd.DataFrame({"count": self.counts(*variables).ravel()}, index=index).reset_index()

    # -- parts of the table ----------------------------------------------------------------------------
    def select(self, *variables: str) -> Table:
        """The same rows, with these variables only, in this order."""
        names = self.names(variables)
        if not names:
            raise DataError(f"no variables are left; name at least one of {', '.join(self.variables)}.")
        return self._with_codes({name: self._codes[name] for name in names}, self._weights)

    def take(self, rows: slice | Iterable[int]) -> Table:
        """Some of the rows, with all states kept: ``t.take(slice(0, 100))``, ``t.take([0, 3])``."""
        index: Any = rows if isinstance(rows, slice) else np.asarray(list(rows))
        try:
            index = index if self._weights is None else self._weighted_rows(index)
            taken = {name: codes[index] for name, codes in self._codes.items()}
        except IndexError:
            raise DataError(f"not all of these are rows of the table: {', '.join(map(str, index[:8])) or 'none'}. "
                            f"Give numbers from 0 to {len(self) - 1}, or a slice.") from None
        if len(taken[self.variables[0]]) == 0:
            raise DataError("no rows are left; a Table has at least one.")
        return self._with_codes(taken)

    def _weighted_rows(self, index: Any) -> np.ndarray:
        """For each of these rows the row of `once()` that it is; only these are listed."""
        n = len(self)
        rows = np.arange(*index.indices(n)) if isinstance(index, slice) else index
        rows = np.flatnonzero(rows) if rows.dtype == bool and len(rows) == n else rows
        if rows.dtype.kind not in "iu" or ((rows < -n) | (rows >= n)).any():
            raise IndexError
        return np.searchsorted(np.cumsum(self.row_weights), rows % n, side="right")

    def _every_row(self) -> dict[str, np.ndarray]:
        """The columns of codes with every row as often as it occurs."""
        return {name: self.codes(name) for name in self.variables}

    def _with_codes(self, codes: dict[str, np.ndarray], weights: np.ndarray | None = None) -> Table:
        """A table of the same states with these columns of codes, and these weights."""
        other = Table.__new__(Table)
        other.variables = tuple(codes)
        other._states = {name: self._states[name] for name in codes}
        other._codes, other._weights = codes, weights
        return other

    def to_frame(self) -> pd.DataFrame:
        """A DataFrame with categorical columns."""
        import pandas as pd

        return pd.DataFrame({name: pd.Categorical.from_codes(codes, dtype=pd.CategoricalDtype([*self._states[name]]))
                             for name, codes in self._every_row().items()})

    def __repr__(self) -> str:
        missing = "" if self.complete else " with missing values"
        return (f"Table of {len(self):,} rows{missing}: "
                + listed_variables([f"{name} ({size})" for name, size in self.sizes.items()]))

    _repr_html_ = frame_html


def as_table(data: Any) -> Table:
    """A Table; whatever is not one already is read as one."""
    return data if isinstance(data, Table) else Table(data)


def as_counts(data: Any) -> Counts:
    """Counts; whatever has none already is read as a Table."""
    return data if isinstance(data, Table | Counts) else Table(data)
