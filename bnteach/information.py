"""Entropy and mutual information of the empirical distribution, by default in bits.

    H(X)        the uncertainty about X
    H(X | Z)    the uncertainty about X that remains once Z is known
    I(X; Y)     the reduction in uncertainty about X from knowing Y: H(X) - H(X | Y)

0 log 0 counts as 0: a combination that never occurs adds nothing. Lessons 6 and 7.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from math import log, prod
from typing import Any

import numpy as np

from bnteach.errors import check_base
from bnteach.tables.counts import Counts
from bnteach.tables.table import as_counts, as_table

Names = str | Iterable[str]


def n_log_n(counts: np.ndarray) -> np.ndarray:
    """n log n of each count (natural), with 0 log 0 = 0."""
    return counts * np.log(np.where(counts > 0, counts, 1))


def entropy(t: Any, x: Names, given: Names = (), base: float = 2) -> float:
    """The (conditional) entropy H(X | given).

    Parameters
    ----------
    t
        A Table, or anything that can be read as one.
    x
        One variable, or several for their joint entropy.
    given
        The variables to condition on.
    base
        The base of the logarithm: 2 for bits, ``math.e`` for nats.

    Returns
    -------
    float
        The entropy, 0 or more.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> round(entropy(five_rows(), "B"), 4), round(entropy(five_rows(), "A", given="CD"), 4)
    (0.7219, 0.0)
    """
    t = as_counts(t)
    joint = t.counts(*t.names(x), given=given).reshape(-1, _cells(t, given))
    terms = n_log_n(joint.sum(axis=0)).sum() - n_log_n(joint).sum()
    return max(0.0, float(terms) / len(t) / log(check_base(base)))


def mutual_information(t: Any, x: Names, y: Names, given: Names = (), base: float = 2) -> float:
    """The (conditional) mutual information I(X; Y | given).

    Parameters
    ----------
    t
        A Table, or anything that can be read as one.
    x, y
        One variable each, or several.
    given
        The variables to condition on.
    base
        The base of the logarithm: 2 for bits, ``math.e`` for nats.

    Returns
    -------
    float
        The mutual information, 0 or more; 0 if X and Y are independent in the data.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> round(mutual_information(five_rows(), "A", "B"), 4)
    0.0729
    """
    t = as_counts(t)
    n = t.counts(*t.names(x), *t.names(y), given=given).reshape(_cells(t, x), _cells(t, y), _cells(t, given))
    terms = (n_log_n(n).sum() + n_log_n(n.sum(axis=(0, 1))).sum()
             - n_log_n(n.sum(axis=0)).sum() - n_log_n(n.sum(axis=1)).sum())
    return max(0.0, float(terms) / len(t) / log(check_base(base)))


def entropies(t: Any, base: float = 2) -> dict[str, float]:
    """The entropy of every variable.

    Parameters
    ----------
    t
        A Table, or anything that can be read as one.
    base
        The base of the logarithm: 2 for bits, ``math.e`` for nats.

    Returns
    -------
    dict
        By variable, in order.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> {x: round(bits, 2) for x, bits in entropies(five_rows()).items()}
    {'A': 0.72, 'B': 0.72, 'C': 0.97, 'D': 0.97}
    """
    t = as_counts(t)
    terms = np.add.reduceat(n_log_n(t.counts_with_each(())), t.offsets)
    return dict(zip(t.variables, (np.maximum(log(len(t)) - terms / len(t), 0.0) / log(check_base(base))).tolist()))


def mutual_informations(t: Any, base: float = 2) -> dict[tuple[str, str], float]:
    """The mutual information of every pair of variables.

    Parameters
    ----------
    t
        A Table, or anything that can be read as one.
    base
        The base of the logarithm: 2 for bits, ``math.e`` for nats.

    Returns
    -------
    dict
        By pair, in the order of the variables.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> {f"{a}{b}": round(mi, 2) for (a, b), mi in mutual_informations(five_rows()).items()}
    {'AB': 0.07, 'AC': 0.32, 'AD': 0.17, 'BC': 0.32, 'BD': 0.32, 'CD': 0.02}
    """
    t = as_table(t)
    joint, n = t.pair_sums(n_log_n), len(t)
    single = joint.diagonal()
    information = np.maximum(joint + n * log(n) - single[:, None] - single, 0.0) / n / log(check_base(base))
    first, second = np.triu_indices(len(t.variables), 1)
    return dict(zip(combinations(t.variables, 2), information[first, second].tolist()))


def _cells(t: Counts, names: Names) -> int:
    return prod(t.sizes[name] for name in t.names(names))
