"""Entropy and mutual information of the empirical distribution, by default in bits.

    H(X)        how uncertain one is of X
    H(X | Z)    how uncertain one still is of X when Z is known
    I(X; Y)     by how much knowing Y lessens that: H(X) - H(X | Y)

0 log 0 counts as 0: a combination that never occurs adds nothing. Lessons 6 and 7.

>>> from bnteach.datasets import five_rows
>>> t = five_rows()
>>> round(entropy(t, "B"), 4), round(entropy(t, "A", given="CD"), 4)
(0.7219, 0.0)
>>> round(mutual_information(t, "A", "B"), 4)
0.0729
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log, prod
from typing import Any

import numpy as np

from bnteach.errors import check_base
from bnteach.tables.table import Table, as_table

Names = str | Iterable[str]


def n_log_n(counts: np.ndarray, axis: int | None = None) -> Any:
    """The sum of n log n (natural), with 0 log 0 = 0. All of this module's sums are made of it."""
    return (counts * np.log(np.where(counts > 0, counts, 1))).sum(axis=axis)


def entropy(t: Table, x: Names, given: Names = (), base: float = 2) -> float:
    """H(X | given). `x` may be one variable or several, for their joint entropy."""
    t = as_table(t)
    x, given = t.names(x), t.names(given)
    together = t.counts(*x, given=given).reshape(-1, _cells(t, given))
    conditions = together.sum(axis=0)
    return max(0.0, float(n_log_n(conditions) - n_log_n(together)) / len(t) / log(check_base(base)))


def mutual_information(t: Table, x: Names, y: Names, given: Names = (), base: float = 2) -> float:
    """I(X; Y | given): what X and Y tell about each other. Never negative, 0 when independent."""
    t = as_table(t)
    x, y, given = t.names(x), t.names(y), t.names(given)
    n = t.counts(*x, *y, given=given).reshape(_cells(t, x), _cells(t, y), _cells(t, given))
    terms = n_log_n(n) + n_log_n(n.sum(axis=(0, 1))) - n_log_n(n.sum(axis=0)) - n_log_n(n.sum(axis=1))
    return max(0.0, float(terms) / len(t) / log(check_base(base)))


def mutual_informations(t: Table, base: float = 2) -> dict[tuple[str, str], float]:
    """The mutual information of every pair of variables, in the order of the variables.

    >>> from bnteach.datasets import five_rows
    >>> {f"{a}{b}": round(mi, 2) for (a, b), mi in mutual_informations(five_rows()).items()}
    {'AB': 0.07, 'AC': 0.32, 'AD': 0.17, 'BC': 0.32, 'BD': 0.32, 'CD': 0.02}
    """
    t = as_table(t)
    counts, begin = t.pair_counts()
    terms = counts * np.log(np.maximum(counts, 1))
    joint = np.add.reduceat(np.add.reduceat(terms, begin, axis=0), begin, axis=1)
    alone = joint.diagonal()
    information = (joint + n_log_n(np.array(len(t))) - alone[:, None] - alone) / len(t) / log(check_base(base))
    names = t.variables
    return {(names[i], names[j]): max(0.0, float(information[i, j]))
            for i in range(len(names)) for j in range(i + 1, len(names))}


def _cells(t: Table, names: tuple[str, ...]) -> int:
    return prod(len(t.states(name)) for name in names)
