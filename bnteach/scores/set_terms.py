"""Terms of sets of categorical variables, from which the scores of many families are computed at once.

    family(X, U)  =  term(X and U together)  -  term(U alone)

A term is computed from the counts of a set's cells: a sum of n log n, or of logarithms of gamma functions. The families
of different children share their sets, so each set is counted once: four variables have four families with three
parents, and one set.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod

import numpy as np

from bnteach.tables.counts import Counts

Names = tuple[str, ...]


class SetTerms:
    """The terms of sets of variables; `term` computes one from the counts of the cells and the number of cells."""

    def __init__(self, data: Counts, term: Callable[[np.ndarray, float], float]):
        self.data, self.term = data, term
        self._index = {name: i for i, name in enumerate(data.variables)}
        self._known: dict[Names, float] = {}

    def __call__(self, sets: Sequence[Names]) -> list[float]:
        """The terms of sets, whose variables come in the order of the data."""
        new = list(dict.fromkeys(names for names in sets if names not in self._known))
        for names, counts in zip(new, self.data.counts_of_sets(new)):
            self._known[names] = self.term(counts, prod([self.data.sizes[name] for name in names]))
        return [self._known[names] for names in sets]

    def together(self, child: str, sets: Sequence[Names]) -> list[float]:
        """The terms of the child together with each set of parents."""
        return self([tuple(sorted((child, *parents), key=self._index.__getitem__)) for parents in sets])

    def families(self, child: str, sets: Sequence[Names]) -> list[float]:
        """The scores of the child with each set of parents."""
        return [both - alone for both, alone in zip(self.together(child, sets), self(sets))]
