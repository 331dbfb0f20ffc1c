"""`Counts`: what scores and entropies ask of categorical data, which is how many rows have which states.

A complete Table counts its rows. Where values are missing, a network gives expected counts (models/expected.py). Both
follow this protocol, so every score and every search works on either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from math import inf, prod
from typing import Any, Protocol, runtime_checkable

import numpy as np

from bnteach.errors import DataError, UnknownVariable
from bnteach.graphs.notation import listed, read_names
from bnteach.tables.contingency import subsets

MAX_CELLS = 2**26  # more cells than this would fill the memory with zeros


class Columns:
    """Named variables, and how their names are read."""

    variables: tuple[str, ...]

    def names(self, names: str | Iterable[str]) -> tuple[str, ...]:
        """One name, several names, or text such as "A, B" or "AB", as a tuple of variables that exist."""
        if isinstance(names, str):
            parts = read_names(names) if names not in self._index else [names]
            names = parts if all(part in self._index for part in parts) else [names]
        known = []
        for name in listed(names):
            if not isinstance(name, str) or name not in self._index:
                raise UnknownVariable(name, self.variables, "the data")
            known.append(name)
        return tuple(known)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.variables)}


@runtime_checkable
class Counts(Protocol):
    """Counts of the states of categorical variables. A class that counts some variables inherits the rest."""

    variables: tuple[str, ...]

    def __len__(self) -> int:
        """The number of rows."""
        ...

    def names(self, names: str | Iterable[str]) -> tuple[str, ...]:
        """Names, however they are written, as a tuple of variables that exist."""
        ...

    def states(self, variable: str) -> tuple[Any, ...]:
        """The states of a variable, in order."""
        ...

    def counts(self, *variables: str, given: str | Iterable[str] = ()) -> np.ndarray:
        """The number of rows for each combination of states, with an axis per variable."""
        ...

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The number of states of each variable."""
        return {name: len(self.states(name)) for name in self.variables}

    @cached_property
    def offsets(self) -> np.ndarray:
        """Where the states of each variable begin if all states of all variables are listed."""
        return np.cumsum([0, *self.sizes.values()])[:-1]

    def counts_with_each(self, names: Sequence[str]) -> np.ndarray:
        """The counts of some variables jointly with every state of every other: an axis each, then all states.

        `offsets` has the order of the states; those of the variables themselves are there and mean nothing.
        """
        shape = [self.sizes[name] for name in names]
        return np.concatenate([np.zeros((*shape, size)) if other in names else self.counts(*names, other)
                               for other, size in self.sizes.items()], axis=-1)

    def counts_over_subsets(self, max_size: int, max_cells: float = inf) -> Iterator[tuple[int, np.ndarray, float]]:
        """For each set of variables: its index, the counts of its cells, the number of its cells.

        See `DistinctRows.counts_over_subsets`.
        """
        for index, chosen in subsets(len(self.variables), max_size):
            sizes = [self.sizes[self.variables[i]] for i in chosen]
            if prod(sizes) / max(sizes, default=1) < max_cells:
                yield index, self.counts(*(self.variables[i] for i in chosen)).ravel(), prod(sizes)

    def counts_of_sets(self, sets: Iterable[Sequence[str]]) -> Iterator[np.ndarray]:
        """The counts of the cells of each of these sets of variables; see `DistinctRows.counts_of_sets`."""
        return (self.counts(*names).ravel() for names in sets)

    def _axes(self, variables: Iterable[str], given: str | Iterable[str]) -> tuple[str, ...]:
        """The variables of a question in order, if each is named once and the answer is not too large."""
        names = (*self.names(variables), *self.names(given))
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise DataError(f"{twice!r} is given twice in counts{names}; name each variable once.")
        if (cells := prod(self.sizes[name] for name in names)) > MAX_CELLS:
            raise DataError(f"counting {len(names)} variables at once needs {cells:,} cells, and the limit is "
                            f"{MAX_CELLS:,}. Ask about fewer variables, or merge states.")
        return names
