"""Reading data: from DataFrames, dictionaries and CSV files to clean columns, or to a helpful error.

Data often differ from what one expects: a missing value, a repeated name, a real number among categories. Each has its
own message, which says what was found, where, and what to do about it.
"""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Mapping, Sequence
from datetime import date, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

AT_ONCE = 2**20  # up to so many values, columns of integers are read all at once
FIRST = 100  # rows in which one looks first for all states of a column


def read_frame(data: Any) -> pd.DataFrame:
    """A DataFrame with at least one column, at least one row, and no repeated name."""
    import pandas as pd

    if isinstance(data, str | Path):
        data = _read_csv(Path(data))
    frame = data if isinstance(data, pd.DataFrame) else _make_frame(data)
    if frame.shape[1] == 0:
        raise DataError("the data have no columns; give at least one, such as Table({'A': [0, 1]}).")
    if frame.shape[0] == 0:
        raise DataError(f"the data have columns ({', '.join(map(str, frame.columns[:8]))}) but no rows.")
    names = [str(column) for column in frame.columns]
    if len(set(names)) < len(names):
        repeated = next(name for name in names if names.count(name) > 1)
        raise DataError(f"more than one column is called {repeated!r}; give each a name of its own.")
    return frame


def _make_frame(data: Any) -> pd.DataFrame:
    import pandas as pd

    try:
        if hasattr(data, "nodes") or isinstance(data, set | frozenset):
            raise TypeError("it has no rows and columns")
        return pd.DataFrame(data)
    except (ValueError, TypeError) as error:
        raise DataError(f"cannot read a {type(data).__name__} as a table ({error}). Give a DataFrame, a dictionary "
                        f"of columns such as {{'A': [0, 1], 'B': [1, 1]}}, or the path of a CSV file.") from None


def _read_csv(path: Path) -> pd.DataFrame:
    import pandas as pd

    if len(path.name) > 255 or not path.is_file():  # longer than any file name
        there = sorted(p.name for p in path.parent.glob("*.csv")) if path.parent.is_dir() else []
        similar = difflib.get_close_matches(path.name, there, n=1)
        hint = f" Did you mean {similar[0]!r}?" if similar else f" CSV files there: {', '.join(there) or 'none'}."
        raise DataError(f"there is no file {str(path)[:400]!r}.{hint}")
    try:
        return pd.read_csv(path, keep_default_na=False, na_values=[""], skipinitialspace=True)
    except (pd.errors.EmptyDataError, pd.errors.ParserError, UnicodeDecodeError) as error:
        raise DataError(f"{str(path)!r} cannot be read as CSV: {error}") from None


def read_columns(frame: pd.DataFrame, missing: str) -> tuple[dict[str, tuple[Any, ...]], dict[str, np.ndarray]]:
    """The states of each column, and its codes: for each row the index of its state, -1 for a missing value."""
    names = [str(column) for column in frame.columns]
    at_once = frame.size <= AT_ONCE and all(map(_is_integer, set(frame.dtypes)))
    found: Any = _small_numbers(frame.to_numpy().T) if at_once else None
    if found is None:
        found = zip(*[categories(name, column, missing) for name, (_, column) in zip(names, frame.items())])
    states, codes = found
    return dict(zip(names, states)), dict(zip(names, codes))


def _is_integer(dtype: Any) -> bool:
    """Is it numpy's type of integers, of which none is missing?"""
    return isinstance(dtype, np.dtype) and dtype.kind == "i"


def categories(name: str, column: pd.Series, missing: str = "error") -> tuple[tuple[Any, ...], np.ndarray]:
    """The states of a column, and for each row the index of its state; -1 for a missing value, if these are kept."""
    import pandas as pd

    if _is_integer(column.dtype) and (found := _small_numbers(column.to_numpy()[None])):
        return found[0][0], found[1][0]
    if missing == "keep":
        _check_any_value(name, column)
    else:
        _check_no_missing(name, column, "; or keep them, as in lesson 15: Table(data, missing=\"keep\")")
    if isinstance(column.dtype, pd.CategoricalDtype):
        states, codes = column.array.categories.tolist(), column.array.codes
    else:
        _check_no_time(name, column)
        codes, values = _factorize(name, column)
        if pd.api.types.is_float_dtype(column.dtype):
            values = _whole(name, values)
        order = sorted(range(len(values)), key=lambda i: (_kind(values[i]), values[i]))
        states = [values[i] for i in order]
        codes = np.append(np.argsort(order), -1)[codes]  # a missing value has the code -1, the last index
    small = np.int8 if len(states) < 128 else np.min_scalar_type(-len(states) - 1)
    return tuple(s.item() if isinstance(s, np.generic) else s for s in states), codes.astype(small)


def _factorize(name: str, column: pd.Series) -> tuple[np.ndarray, Any]:
    import pandas as pd

    try:
        return pd.factorize(column)
    except TypeError:
        raise DataError(f"column {name!r} holds {column.iloc[0]!r}, which is not a category: a state is text, a whole "
                        f"number, or true or false. Convert it first, for example with str.") from None


def _small_numbers(values: np.ndarray) -> tuple[list[tuple[int, ...]], np.ndarray] | None:
    """States and codes of variables (variables x rows) with whole numbers in narrow ranges; None if one is wide."""
    low, high = values.min(axis=1), values.max(axis=1)
    width = high.astype(float) - low
    if width.max() > 100:
        return None
    codes = np.subtract(values, low[:, None], dtype=np.int8, casting="unsafe")  # modulo 256, and it is at most 100
    states = [tuple(range(a, b + 1)) for a, b in zip(low.tolist(), high.tolist())]
    for i in np.flatnonzero(width >= 2):  # of fewer, the lowest and the highest occur
        if len(set(codes[i, :FIRST].tolist())) == width[i] + 1:
            continue  # all occur in the first rows
        occurs = np.bincount(codes[i]) > 0
        states[i] = tuple(np.array(states[i])[occurs].tolist())
        codes[i] = (np.cumsum(occurs, dtype=np.int8) - 1)[codes[i]]
    return states, codes


def _kind(value: Any) -> str:
    """A sort key: numbers sort with numbers and text with text, should a column mix them."""
    return "number" if isinstance(value, int | float | np.number | np.bool_) else type(value).__name__


def _whole(name: str, values: Any) -> list[int]:
    """Floats that are whole numbers, as integers."""
    real = np.asarray(values, dtype=float)
    if np.isinf(real).any() or (real != real.round()).any():
        shown = ", ".join(f"{value:g}" for value in real[:3])
        raise DataError(f"column {name!r} holds real numbers ({shown}, …; {len(real):,} distinct values), "
                        f"and a Table holds categories. Use bn.Measurements for real numbers, "
                        f"or cut the columns into intervals first: bn.discretise(frame).")
    return [int(value) for value in real]


def _check_no_time(name: str, column: pd.Series) -> None:
    first = column.iloc[int(column.notna().to_numpy().argmax())]
    if isinstance(first, date | time | timedelta | np.datetime64 | np.timedelta64) or hasattr(first, "to_timestamp"):
        raise DataError(f"column {name!r} holds dates or times ({first}), and a Table holds categories. Make classes "
                        f"first, for example of the month: data[{name!r}].dt.month; or leave the column out.")


def warn_of_identifiers(states: Mapping[str, int], rows: int) -> None:
    """A warning that names the columns with nearly as many states as rows."""
    if wide := [name for name, number in states.items() if number > max(50, rows / 2)]:
        shown = ", ".join(f"{name!r} ({states[name]:,})" for name in wide[:5]) + (", …" if len(wide) > 5 else "")
        warnings.warn(f"there are nearly as many states as rows ({rows:,}) in {shown}, as if it were an identifier, a "
                      f"time or free text. Nothing can be learned about such a column, and it hides what others have "
                      f"in common. Leave it out, data.drop(columns={wide[0]!r}), or make a few classes of its values.",
                      stacklevel=4)


def row_weights(weights: Any, rows: int) -> np.ndarray:
    """How often each row occurs, or an error."""
    times = np.asarray(weights)
    if times.shape != (rows,) or not np.issubdtype(times.dtype, np.number) or not (times == times.round()).all() \
            or times.min() < 0 or times.max() == 0:
        raise DataError(f"weights say how often each of the {rows:,} rows occurs: a whole number for each, 0 or more, "
                        f"not {str(weights)[:60]}.")
    return times.astype(np.int64)


def _check_no_missing(name: str, column: pd.Series, alternative: str = "") -> None:
    missing = column.array.isna()
    if missing.any():
        raise DataError(f"column {name!r} has {missing.sum():,} missing value{'s' if missing.sum() > 1 else ''} "
                        f"(the first in row {int(missing.argmax()) + 1}). "
                        f"Fill them or drop such rows: data.dropna(){alternative}.")


def _check_any_value(name: str, column: pd.Series) -> None:
    import pandas as pd

    if column.isna().all() and not isinstance(column.dtype, pd.CategoricalDtype):
        raise DataError(f"column {name!r} has no values, so its states are unknown. To have it as a hidden variable, "
                        f"name them: pandas.Categorical([None] * {len(column)}, categories=[...]).")


def numbers(name: str, column: pd.Series) -> np.ndarray:
    """The values of a column of real numbers."""
    import pandas as pd

    _check_no_missing(name, column)
    if not pd.api.types.is_numeric_dtype(column.dtype):
        raise DataError(f"column {name!r} holds {column.iloc[0]!r}, which is not a number. "
                        f"Measurements are real numbers; use bn.Table for categories.")
    values = column.to_numpy(dtype=float)
    if np.isinf(values).any():
        raise DataError(f"column {name!r} has an infinite value in row {int(np.isinf(values).argmax()) + 1}.")
    return values


def listed_variables(names: Sequence[str]) -> str:
    """The first names, and how many there are if these are not all."""
    return ", ".join(names[:8]) + (f", … {len(names)} variables" if len(names) > 8 else "")


def frame_html(data: Any) -> str:
    """The first rows of a table as HTML, for notebooks."""
    return f"<p>{data!r}</p>{data.take(slice(10)).to_frame().to_html(notebook=True, border=0)}"
