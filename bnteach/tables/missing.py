"""Delete values (MCAR, MAR, MNAR), to see what a method makes of the rest.

Three mechanisms by which values go missing (Rubin 1976), and their effect on learning:

    MCAR   missing completely at random   independent of all values: fewer data, but no bias
    MAR    missing at random              depends on observed values only: EM is still consistent
    MNAR   missing not at random          depends on the missing value itself: methods that ignore this are biased

`with_missing` makes the first kind, `mask` any of them. Lesson 15.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from bnteach.errors import DataError, whole_number
from bnteach.tables.table import Table, as_table

if TYPE_CHECKING:
    import pandas as pd


def with_missing(data: Any, share: float, seed: int = 0, columns: str | Iterable[str] | None = None) -> Table:
    """Delete a share of the values, completely at random.

    Parameters
    ----------
    data
        A Table, or anything that can be read as one.
    share
        The share of values to delete, from 0 to less than 1; their number is rounded.
    seed
        The seed of the random numbers.
    columns
        The variables that lose values; all by default.

    Returns
    -------
    Table
        The same rows and states, with missing values.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> int(with_missing(five_rows(), share=0.25, seed=1).to_frame().isna().sum().sum())
    5
    """
    table = as_table(data)
    if not (isinstance(share, Real) and 0 <= share < 1):
        raise ValueError(f"share={share!r} is not a share of values to delete: give 0 to less than 1, such as 0.2.")
    names = table.variables if columns is None else table.names(columns)
    cells = len(table) * len(names)
    deleted = np.zeros(cells, dtype=bool)
    deleted[np.random.default_rng(whole_number("seed", seed)).permutation(cells)[: round(share * cells)]] = True
    return _delete(table, dict(zip(names, deleted.reshape(len(names), len(table)))))


def mask(data: Any, column: str, chance: Callable[[pd.DataFrame], Any], seed: int = 0) -> Table:
    """Delete values of one column, each with a probability that may depend on the row.

    Parameters
    ----------
    data
        A Table, or anything that can be read as one.
    column
        The variable that loses values.
    chance
        A function of the rows, a DataFrame, that returns the probability of deletion for each row.
    seed
        The seed of the random numbers.

    Returns
    -------
    Table
        The same rows and states, with missing values.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> mask(five_rows(), "C", lambda rows: (rows.C == "c") * 1.0).codes("C").tolist()
    [1, 1, -1, -1, 1]
    """
    table = as_table(data)
    (column,) = table.names([column])
    chances = np.asarray(chance(table.to_frame()), dtype=float)
    if chances.shape != (len(table),) or chances.min() < 0 or chances.max() > 1:
        raise DataError(f"the probability of deleting {column} is needed for each of the {len(table):,} rows, "
                        f"from 0 to 1.")
    return _delete(table, {column: np.random.default_rng(whole_number("seed", seed)).random(len(table)) < chances})


def _delete(table: Table, deleted: dict[str, np.ndarray]) -> Table:
    """The same table without the values that are marked."""
    codes = {name: table.codes(name) for name in table.variables}
    return table._with_codes({**codes, **{name: np.where(marks, -1, codes[name]) for name, marks in deleted.items()}})
