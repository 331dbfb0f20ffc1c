"""Expected counts: what a table with gaps would count, if a network is right about the gaps.

A row that says `A = a` and nothing of B is counted as a part of a row with `b` and a part with `~b`, the parts
being the probabilities of b and ~b given all that the row does say. A complete row counts as itself.

>>> from bnteach.graphs.dag import DAG
>>> table = Table({"A": ["a", "a", "~a"], "B": ["b", None, "~b"]}, missing="keep")
>>> network = CategoricalNetwork(DAG("A->B"), {"A": ("a", "~a"), "B": ("b", "~b")},
...                              {"A": [.5, .5], "B": [[.75, .25], [.5, .5]]})
>>> ExpectedTable(table, network).counts("A", "B")
array([[1.75, 0.25],
       [0.  , 1.  ]])

Such counts may be used wherever a score uses counts; a family is then worth what it is expected to be worth.

Equal rows are merged. If there are few enough ways to fill the gaps, they are all written down, once, and every
network has only to say how probable each is. If there are too many, each question about some variables is put
to variable elimination (elimination.py), for all rows at once. Both give the same counts. Lesson 15.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from bnteach.models.categorical import CategoricalNetwork
from bnteach.models.elimination import Codes, query
from bnteach.models.inference import Impossible, merge_rows
from bnteach.scores.base import PenalisedLikelihood, Score
from bnteach.scores.categorical import CategoricalFamilies
from bnteach.tables.contingency import MergedRows
from bnteach.tables.table import Table

MOST_FILLINGS = 2**17  # ways to fill the gaps, all different rows together


@dataclass(frozen=True)
class DistinctRows:
    """Every different row of a table once, as codes, and how often it occurs (or is expected to)."""

    codes: Codes
    times: np.ndarray
    sizes: dict[str, int]  # how many states each variable has

    @classmethod
    def of(cls, table: Table) -> DistinctRows:
        codes, which = merge_rows({name: table.codes(name) for name in table.variables}, len(table))
        return cls(codes, np.bincount(which), {name: len(table.states(name)) for name in table.variables})

    def __len__(self) -> int:
        return len(self.times)

    def some(self, rows: np.ndarray) -> DistinctRows:
        """Those rows for which `rows` is true."""
        return DistinctRows({name: code[rows] for name, code in self.codes.items()}, self.times[rows], self.sizes)

    def known(self, names: Iterable[str]) -> np.ndarray:
        """Which rows have a state for all of these variables?"""
        return np.all([np.ones(len(self), dtype=bool), *(self.codes[name] >= 0 for name in names)], axis=0)

    def count(self, asked: tuple[str, ...]) -> np.ndarray:
        """How often each combination of states occurs, in rows that have no gap there."""
        cell, shape = np.zeros(len(self), dtype=np.int64), tuple(self.sizes[name] for name in asked)
        for name, size in zip(asked, shape):
            cell = cell * size + self.codes[name]
        return np.bincount(cell, weights=self.times, minlength=prod(shape)).reshape(shape)

    @cached_property
    def fillings(self) -> Fillings | None:
        """Every way to fill the gaps of every row, or None if there are too many."""
        ways = np.prod([np.where(code < 0, float(self.sizes[name]), 1) for name, code in self.codes.items()], axis=0)
        return Fillings.of(self, ways.astype(np.int64)) if ways.sum() <= MOST_FILLINGS else None


@dataclass(frozen=True)
class Fillings:
    """The complete rows that rows with gaps may be: which row each filling fills, and what it makes of it."""

    fills: np.ndarray
    makes: np.ndarray
    complete: Codes

    @classmethod
    def of(cls, rows: DistinctRows, ways: np.ndarray) -> Fillings:
        """Number the fillings of each row, and read the number as the states of its gaps, digit by digit."""
        fills = np.repeat(np.arange(len(rows)), ways)
        number = np.arange(len(fills)) - np.repeat(np.cumsum(ways) - ways, ways)
        codes = {}
        for name, size in rows.sizes.items():
            code = rows.codes[name][fills].astype(np.int64)
            gap = code < 0
            code[gap] = number[gap] % size
            number[gap] //= size
            codes[name] = code
        complete, makes = merge_rows(codes, len(fills))
        return cls(fills, makes, complete)


class ExpectedTable(Table):
    """A table with gaps and a network that says what is probable there; counted, it gives expected counts."""

    def __init__(self, table: Table, network: CategoricalNetwork, rows: DistinctRows | None = None):
        self.variables, self._states, self._codes = table.variables, table._states, table._codes
        self.network = network
        self.rows = DistinctRows.of(table) if rows is None else rows

    def counts(self, *variables: str, given: str | Iterable[str] = ()) -> np.ndarray:
        """The expected number of rows for each combination of states; axes as in Table.counts."""
        asked = (*self.names(variables), *self.names(given))
        if self.rows.fillings is not None:
            return self._filled[0].count(asked)
        known = self.rows.known(asked)
        counts, gaps = self.rows.some(known).count(asked), self.rows.some(~known)
        if len(gaps) == 0:
            return counts
        return counts + np.tensordot(gaps.times, query(self.network, asked, gaps.codes)[0], axes=1)

    @property
    def log_likelihood(self) -> float:
        """The logarithm (natural) of the probability of all that the table says."""
        logs = query(self.network, (), self.rows.codes)[1] if self.rows.fillings is None else self._filled[1]
        if np.isneginf(logs).any():
            self._complain(int(np.argmin(logs)))
        return float(self.rows.times @ logs)

    @cached_property
    def _filled(self) -> tuple[DistinctRows, np.ndarray]:
        """All complete rows with their expected numbers; and the log-probability of what each row with gaps says."""
        fills, makes, complete = vars(self.rows.fillings).values()
        logs = query(self.network, (), complete)[1][makes]
        largest = np.maximum.reduceat(logs, np.flatnonzero(np.diff(fills, prepend=-1)))
        parts = np.exp(logs - np.where(np.isneginf(largest), 0, largest)[fills])
        total = np.bincount(fills, weights=parts)
        weights = (self.rows.times / np.where(total > 0, total, 1))[fills] * parts
        with np.errstate(divide="ignore"):
            return DistinctRows(complete, np.bincount(makes, weights=weights), self.rows.sizes), largest + np.log(total)

    def _complain(self, row: int) -> None:
        said = ", ".join(f"{name} = {self._states[name][code[row]]}" for name, code in self.rows.codes.items()
                         if code[row] >= 0)
        raise Impossible(f"the row {said} has probability 0 in this network, so nothing can be expected of its gaps. "
                         f"Start from tables without zeros.")

    @property
    def merged(self) -> MergedRows:
        """Parts of rows cannot be merged: how many they are depends on what is asked."""
        raise TypeError("expected counts are of parts of rows, which merged rows cannot hold; use counts(...).")


class ExpectedFamilies(CategoricalFamilies):
    """The expected log-likelihood of a family. Counts below 1 occur here, and n log n is then below 0."""

    def log_likelihood(self, child: str, parents: tuple[str, ...]) -> float:
        together = self.table.counts(child, given=parents)
        return _n_log_n(together) - _n_log_n(together.sum(axis=0))


def _n_log_n(counts: np.ndarray) -> float:
    return float((counts * np.log(np.where(counts > 0, counts, 1))).sum())


def expected_score(kind: type[Score], table: ExpectedTable) -> Score:
    """A score of this kind on expected counts."""
    score: Any = kind(table)
    if isinstance(score, PenalisedLikelihood):
        score.likelihood = ExpectedFamilies(table)
    return score
