"""One rule for ties: values that differ by less than TOLERANCE are equal, and the first in order is taken.

Sums of logarithms come out differently in their last bits on another processor. Without a tolerance these bits would
decide a tie, and the same data would give another graph there. Order means the order of the variables as given.

Rounding grows with the scores: the gains of A -> B and of B -> A, which are equal, come out up to 1e-8 apart with a
million rows. A difference of 1e-7 is above that, and far too small to prefer one graph to another.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
import numpy.typing as npt

TOLERANCE = 1e-7

Key = TypeVar("Key")


def first_best(values: Mapping[Key, float]) -> Key | None:
    """The first key whose value is the greatest, up to rounding; None if there is no key.

    >>> first_best({"A": 0.5, "B": 0.5 + 1e-12, "C": 0.25})
    'A'
    """
    top = max(values.values(), default=0.0)
    return next((key for key, value in values.items() if value >= top - TOLERANCE), None)


def first_maximum(values: npt.ArrayLike) -> int:
    """The index of the first of the greatest values, up to rounding; in an array of several axes, counted row by row.

    >>> first_maximum([1.0, 2.0, 2.0 + 1e-12])
    1
    """
    values = np.asarray(values)
    return int((values >= values.max() - TOLERANCE).argmax())
