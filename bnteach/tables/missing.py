"""Making gaps: a table with some of its values rubbed out, to see what a method makes of the rest.

Three ways in which values get lost (Rubin 1976), and what they do to learning:

    completely at random    a coin decides, whatever the values are: only rows are lost, nothing is distorted
    at random               the chance depends on other values that are seen: EM is still right
    not at random           the chance depends on the lost value itself: no method that ignores this is right

`with_missing` makes the first kind, `mask` the other two. Lesson 15.

>>> from bnteach.datasets import five_rows
>>> with_missing(five_rows(), share=0.25, seed=1).to_frame().isna().sum().sum()
np.int64(5)
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
    """The same table with this share of its values lost, completely at random; in some columns only, if named.

    The number of gaps is the share of the values, rounded. All states are kept, even if none of their rows is left.
    """
    table = as_table(data)
    if not (isinstance(share, Real) and 0 <= share < 1):
        raise ValueError(f"share={share!r} is no share of values to lose: it is from 0 to less than 1, such as 0.2.")
    names = table.variables if columns is None else table.names(columns)
    cells = len(table) * len(names)
    lost = np.zeros(cells, dtype=bool)
    lost[np.random.default_rng(whole_number("seed", seed)).permutation(cells)[: round(share * cells)]] = True
    return _without(table, dict(zip(names, lost.reshape(len(names), len(table)))))


def mask(data: Any, column: str, chance: Callable[[pd.DataFrame], Any], seed: int = 0) -> Table:
    """The same table with gaps in one column; `chance` says from the rows how likely each is to lose its value.

    >>> from bnteach.datasets import five_rows
    >>> mask(five_rows(), "C", lambda rows: (rows.C == "c") * 1.0).codes("C").tolist()
    [1, 1, -1, -1, 1]
    """
    table = as_table(data)
    (column,) = table.names([column])
    chances = np.asarray(chance(table.to_frame()), dtype=float)
    if chances.shape != (len(table),) or chances.min() < 0 or chances.max() > 1:
        raise DataError(f"the chance to lose {column} is needed for each of the {len(table):,} rows, from 0 to 1.")
    return _without(table, {column: np.random.default_rng(whole_number("seed", seed)).random(len(table)) < chances})


def _without(table: Table, lost: dict[str, np.ndarray]) -> Table:
    import pandas as pd

    frame = pd.DataFrame({name: pd.Categorical.from_codes(
        np.where(lost[name], -1, table.codes(name)) if name in lost else table.codes(name), list(table.states(name)))
        for name in table.variables})
    return Table(frame, missing="keep")
