"""Data: a `Table` of categories, or `Measurements` of real numbers.

A Table knows for each variable its states, in order, and answers one question: how often?

>>> t = Table({"rain": ["no", "yes", "yes", "no"], "wet": ["no", "yes", "yes", "yes"]})
>>> t.states("rain")
('no', 'yes')
>>> t.counts("rain", "wet")
array([[1, 1],
       [0, 2]])

How it counts, and why that is quick, stands in merged_rows.py: equal rows are merged, sets of rows are kept as bits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.errors import DataError, UnknownVariable
from bnteach.graphs.notation import listed, read_names
from bnteach.tables.contingency import MergedRows
from bnteach.tables.ingest import categories, numbers, read_frame

if TYPE_CHECKING:
    import pandas as pd

MOST_CELLS = 2**26  # a question with more cells than this would fill the memory with zeros


class _Columns:
    """What Table and Measurements share: named variables and a number of rows."""

    variables: tuple[str, ...]

    def names(self, names: str | Iterable[str]) -> tuple[str, ...]:
        """One name, several names, or text such as "A, B" or "AB", as a tuple of variables that exist."""
        if isinstance(names, str):
            names = [names] if names in self._place or not self._all_known(read_names(names)) else read_names(names)
        names = tuple(listed(names))
        for name in names:
            if not isinstance(name, str) or name not in self._place:
                raise UnknownVariable(name, self.variables, "the data")
        return names

    def _all_known(self, names: list[str]) -> bool:
        return all(name in self._place for name in names)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.variables)}

    def _repr_html_(self) -> str:
        frame = self.to_frame()  # type: ignore[attr-defined]
        return f"<p>{self!r}</p>" + frame.head(10).to_html(notebook=True, border=0)


class Table(_Columns):
    """Categorical columns.

    From a DataFrame, a dictionary of columns, or the path of a CSV file. The states of a column are its
    categories in their order if it is a pandas Categorical (states that never occur included), and
    otherwise the values that occur, sorted.

    A gap is an error, unless `missing="keep"`: then its code is -1. Such a table is not `complete`; it cannot be
    counted, but it can be learned from (bn.em, bn.structural_em). Lesson 15.

    >>> holes = Table({"A": [0, 1, None], "B": ["x", "y", "y"]}, missing="keep")
    >>> holes.complete, holes.codes("A").tolist(), len(holes.complete_rows())
    (False, [0, 1, -1], 2)
    """

    def __init__(self, data: pd.DataFrame | Mapping[str, Iterable[Any]] | str | Path | Table, missing: str = "error"):
        if missing not in ("error", "keep"):
            raise ValueError(f"missing={missing!r} is not known here; use 'error' or 'keep'.")
        if isinstance(data, Table):
            self.variables, self._states, self._codes = data.variables, data._states, data._codes
            return
        if isinstance(data, Measurements):
            raise DataError("categories are needed here and Measurements are real numbers: "
                            "cut the columns into classes first (pandas.cut), or use a method for real numbers.")
        frame = read_frame(data)
        self.variables = tuple(map(str, frame.columns))
        columns = [categories(name, column, missing) for name, (_, column) in zip(self.variables, frame.items())]
        self._states = {name: states for name, (states, _) in zip(self.variables, columns)}
        self._codes = {name: codes for name, (_, codes) in zip(self.variables, columns)}

    def __len__(self) -> int:
        return len(self._codes[self.variables[0]])

    @cached_property
    def complete(self) -> bool:
        """Is there a state in every row of every column?"""
        return all(codes.min() >= 0 for codes in self._codes.values())

    def complete_rows(self) -> Table:
        """The rows without a gap, with all states kept."""
        whole = np.flatnonzero(np.all([codes >= 0 for codes in self._codes.values()], axis=0))
        if len(whole) == 0:
            raise DataError(f"every one of the {len(self):,} rows has a gap; there is no complete one.")
        return self.take(whole)

    def states(self, variable: str) -> tuple[Any, ...]:
        """The states of a variable, in order."""
        (name,) = self.names([variable])
        return self._states[name]

    def counts(self, *variables: str, given: str | Iterable[str] = ()) -> np.ndarray:
        """How many rows there are for each combination of states.

        The answer has an axis for each variable in the order asked, and then one for each variable of
        `given`: `t.counts("A", "B", given="C")[i, j, k]`. With no variable at all it is the number of rows.

        >>> t = Table({"A": [0, 0, 1], "B": ["x", "y", "y"]})
        >>> t.counts("B", "A").tolist(), t.counts("A", given="B").tolist(), t.counts().tolist()
        ([[1, 0], [1, 1]], [[1, 1], [0, 1]], 3)
        """
        asked = (*self.names(variables), *self.names(given))
        if len(set(asked)) < len(asked):
            twice = next(name for name in asked if asked.count(name) > 1)
            raise DataError(f"{twice!r} is given twice in counts{asked}; name each variable once.")
        shape = tuple(len(self._states[name]) for name in asked)
        if prod(shape) > MOST_CELLS:
            raise DataError(f"counting {len(asked)} variables at once needs {prod(shape):,} cells; "
                            f"at most {MOST_CELLS:,} are counted. Ask about fewer variables, or merge states.")
        if not asked:
            return np.array(len(self))
        return self.merged.counts(asked)

    def check_complete(self) -> None:
        """An error unless the table is complete."""
        if not self.complete:
            rows = np.any([codes < 0 for codes in self._codes.values()], axis=0).sum()
            raise DataError(f"{rows:,} of the {len(self):,} rows have gaps, which cannot be counted. Learn from them "
                            f"with bn.em or bn.structural_em (lesson 15), or take the rest: table.complete_rows().")

    @cached_property
    def merged(self) -> MergedRows:
        """The different rows, and how often each occurs."""
        self.check_complete()
        return MergedRows(self._codes, {name: len(states) for name, states in self._states.items()})

    def pair_counts(self) -> tuple[np.ndarray, np.ndarray]:
        """All counts of two variables at once: a square matrix over all states of all variables, and the
        index at which each variable's states begin in it."""
        begin = np.cumsum([0] + [len(self._states[name]) for name in self.variables[:-1]])
        return self.merged.pair_counts().astype(np.int64), begin

    def codes(self, variable: str) -> np.ndarray:
        """The state of each row as a number: its place in `states(variable)`."""
        return self._codes[self.names([variable])[0]]

    def tally(self, *variables: str) -> pd.DataFrame:
        """The counts as a list of combinations, for reading: a row for each combination of states."""
        import pandas as pd

        states = [self._states[name] for name in self.names(variables)]
        index = pd.MultiIndex.from_product(states, names=variables)
        return pd.DataFrame({"count": self.counts(*variables).ravel()}, index=index).reset_index()

    def select(self, *variables: str) -> Table:
        """The same rows, with these variables only, in this order."""
        names = self.names(variables)
        if not names:
            raise DataError(f"no variables are left; name at least one of {', '.join(self.variables)}.")
        return self._like({name: self._codes[name] for name in names})

    def take(self, rows: slice | Iterable[int]) -> Table:
        """Some of the rows, with all states kept: `t.take(slice(0, 100))`, `t.take([0, 3])`."""
        rows = rows if isinstance(rows, slice) else np.asarray(list(rows))
        try:
            taken = {name: codes[rows] for name, codes in self._codes.items()}
        except IndexError:
            raise DataError(f"not all of these are rows of the table: {', '.join(map(str, rows[:8])) or 'none'}. "
                            f"Give numbers from 0 to {len(self) - 1}, or a slice.") from None
        if len(taken[self.variables[0]]) == 0:
            raise DataError("no rows are left; a Table has at least one.")
        return self._like(taken)

    def _like(self, codes: dict[str, np.ndarray]) -> Table:
        other = Table.__new__(Table)
        other.variables = tuple(codes)
        other._states = {name: self._states[name] for name in codes}
        other._codes = codes
        return other

    def to_frame(self) -> pd.DataFrame:
        """A DataFrame with categorical columns."""
        import pandas as pd

        return pd.DataFrame({name: pd.Categorical.from_codes(self._codes[name], list(self._states[name]))
                             for name in self.variables})

    def __repr__(self) -> str:
        return f"Table of {len(self):,} rows{'' if self.complete else ' with gaps'}: " + ", ".join(
            f"{name} ({len(self._states[name])})" for name in self.variables[:8]) + (
            f", … {len(self.variables)} variables" if len(self.variables) > 8 else "")


class Measurements(_Columns):
    """Real-valued columns, from a DataFrame, a dictionary of columns, or the path of a CSV file.

    >>> m = Measurements({"height": [1.5, 1.8, 1.7], "weight": [60, 80, 70]})
    >>> m.values.shape, m.column("weight").tolist()
    ((3, 2), [60.0, 80.0, 70.0])
    """

    def __init__(self, data: pd.DataFrame | Mapping[str, Iterable[float]] | str | Path | Measurements):
        if isinstance(data, Measurements):
            self.variables, self.values = data.variables, data.values
            return
        if isinstance(data, Table):
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
        return self.values[:, self._place[self.names([variable])[0]]]

    def select(self, *variables: str) -> Measurements:
        """The same rows, with these variables only, in this order."""
        names = self.names(variables)
        return self._like(names, self.values[:, [self._place[name] for name in names]])

    def take(self, rows: slice | Iterable[int]) -> Measurements:
        """Some of the rows: `m.take(slice(0, 100))`, `m.take([0, 3])`."""
        taken = self.values[rows if isinstance(rows, slice) else np.asarray(list(rows))]
        if len(taken) == 0:
            raise DataError("no rows are left; Measurements have at least one.")
        return self._like(self.variables, taken)

    def _like(self, variables: tuple[str, ...], values: np.ndarray) -> Measurements:
        other = Measurements.__new__(Measurements)
        other.variables, other.values = variables, values
        return other

    def to_frame(self) -> pd.DataFrame:
        """A DataFrame with the same columns."""
        import pandas as pd

        return pd.DataFrame(self.values, columns=list(self.variables))

    def __repr__(self) -> str:
        more = f", … {len(self.variables)} variables" if len(self.variables) > 8 else ""
        return f"Measurements, {len(self):,} rows: {', '.join(self.variables[:8])}{more}"


def as_table(data: Any) -> Table:
    """A Table, or whatever one can be made of."""
    return data if isinstance(data, Table) else Table(data)
