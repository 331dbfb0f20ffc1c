"""One rule for ties: values that differ by less than TOLERANCE are equal, and the first in order is taken.

Sums of logarithms come out differently in their last bits on another processor. Without a tolerance these bits would
decide a tie, and the same data would give another graph there. Order means the order of the variables as given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

TOLERANCE = 1e-9

Key = TypeVar("Key")


def first_best(values: Mapping[Key, float]) -> Key | None:
    """The first key whose value is the greatest, up to rounding; None if there is no key.

    >>> first_best({"A": 0.5, "B": 0.5 + 1e-12, "C": 0.25})
    'A'
    """
    top = max(values.values(), default=0.0)
    return next((key for key, value in values.items() if value >= top - TOLERANCE), None)


def first_maximum(values: Iterable[float]) -> int:
    """The index of the first of the greatest values, up to rounding.

    >>> first_maximum([1.0, 2.0, 2.0 + 1e-12])
    1
    """
    values = list(values)
    return next(i for i, value in enumerate(values) if value >= max(values) - TOLERANCE)
