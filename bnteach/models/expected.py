"""Expected counts: what a table with missing values would count, if a network is right about them.

A row with `A = a` and B missing is counted partly as a row with `b` and partly as one with `~b`, in proportion to their
probabilities given the observed values of the row. A complete row counts as itself.

>>> from bnteach.graphs.dag import DAG
>>> table = Table({"A": ["a", "a", "~a"], "B": ["b", None, "~b"]}, missing="keep")
>>> network = CategoricalNetwork(DAG("A->B"), {"A": ("a", "~a"), "B": ("b", "~b")},
...                              {"A": [.5, .5], "B": [[.75, .25], [.5, .5]]})
>>> ExpectedCounts(table, network).counts("A", "B")
array([[1.75, 0.25],
       [0.  , 1.  ]])

Expected counts follow the protocol `Counts`, so scores take them as they take a Table; a family's score is then an
expected score.

Equal rows are merged. If the missing values have few enough completions, all are listed once, and a network only gives
each its probability. If there are too many, every question about some variables is answered by variable elimination
(elimination.py), for all rows at once. Both give the same counts. Lesson 15.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from functools import cached_property
from typing import Any

import numpy as np

from bnteach.models.calibration import family_counts
from bnteach.models.categorical import CategoricalNetwork
from bnteach.models.elimination import Intractable, query
from bnteach.models.inference import Impossible
from bnteach.tables.contingency import DistinctRows, merge_rows
from bnteach.tables.counts import Columns, Counts
from bnteach.tables.table import Table

MAX_COMPLETIONS = 2**17  # of all distinct rows together


class IncompleteRows(DistinctRows):
    """The distinct rows of a table with missing values, whose code is -1."""

    @classmethod
    def of(cls, table: Table) -> IncompleteRows:
        """Merge the rows of a table."""
        codes, index = merge_rows({name: table.codes(name) for name in table.variables}, len(table))
        return cls(codes, table.sizes, np.bincount(index))

    def where(self, chosen: np.ndarray) -> IncompleteRows:
        """The rows for which `chosen` is true."""
        return IncompleteRows({name: code[chosen] for name, code in self.codes.items()}, self.sizes,
                              self.weights[chosen])

    def observed(self, names: Iterable[str]) -> np.ndarray:
        """Which rows have a state for all of these variables?"""
        observed = np.ones(len(self), dtype=bool)
        for name in names:
            observed &= self.codes[name] >= 0
        return observed

    @cached_property
    def completions(self) -> Completions | None:
        """Every completion of every row, or None if there are too many."""
        ways = np.prod([np.where(code < 0, float(self.sizes[name]), 1) for name, code in self.codes.items()], axis=0)
        return Completions(self, ways.astype(np.int64)) if ways.sum() <= MAX_COMPLETIONS else None


class Completions:
    """The complete rows that incomplete rows may be: distinct `codes`, and the `row` and `index` of each completion."""

    def __init__(self, rows: IncompleteRows, ways: np.ndarray):
        """Number the completions of each row, and read the number as the states of its missing values, by digits."""
        self.row = np.repeat(np.arange(len(rows)), ways)
        number = np.arange(len(self.row)) - np.repeat(np.cumsum(ways) - ways, ways)
        codes = {}
        for name, size in rows.sizes.items():
            code = rows.codes[name][self.row].astype(np.int64)
            missing = code < 0
            code[missing] = number[missing] % size
            number[missing] //= size
            codes[name] = code
        self.codes, self.index = merge_rows(codes, len(self.row))


class ExpectedCounts(Columns, Counts):
    """The counts that a network expects of a table with missing values."""

    def __init__(self, table: Table, network: CategoricalNetwork, rows: IncompleteRows | None = None):
        self.table, self.network, self.variables = table, network, table.variables
        self.rows = IncompleteRows.of(table) if rows is None else rows

    def with_network(self, network: CategoricalNetwork) -> ExpectedCounts:
        """The counts that another network expects of the same table."""
        return ExpectedCounts(self.table, network, self.rows)

    def __len__(self) -> int:
        return len(self.table)

    def states(self, variable: str) -> tuple[Any, ...]:
        """The states of a variable, in order."""
        return self.table.states(variable)

    def counts(self, *variables: str, given: str | Iterable[str] = ()) -> np.ndarray:
        """The expected number of rows for each combination of states; axes as in `Table.counts`."""
        names = self._axes(variables, given)
        if self.rows.completions is not None:
            return self._completed[0].counts(names)
        observed = self.rows.observed(names)
        counts, incomplete = self.rows.where(observed).counts(names), self.rows.where(~observed)
        if len(incomplete) == 0:
            return counts
        return counts + np.tensordot(incomplete.weights, query(self.network, names, incomplete.codes)[0], axes=1)

    def family_counts(self) -> dict[str, np.ndarray]:
        """The expected counts of the parents of each variable of the network and itself, all at once."""
        if self.rows.completions is None:
            with suppress(Intractable):  # one family after the other may need smaller factors
                return family_counts(self.network, self.rows.codes, self.rows.weights)
        dag = self.network.dag
        return {node: self.counts(*dag.parents(node), node) for node in dag.nodes}

    @property
    def log_likelihood(self) -> float:
        """The observed-data log-likelihood of the network, in nats."""
        logs = query(self.network, (), self.rows.codes)[1] if self.rows.completions is None else self._completed[1]
        if np.isneginf(logs).any():
            raise self._impossible(int(np.argmin(logs)))
        return float(self.rows.weights @ logs)

    @cached_property
    def _completed(self) -> tuple[DistinctRows, np.ndarray]:
        """All complete rows with their expected numbers; the log-probability of the observed values of each row."""
        completions = self.rows.completions
        assert completions is not None
        row, index = completions.row, completions.index
        logs = query(self.network, (), completions.codes)[1][index]
        largest = np.maximum.reduceat(logs, np.flatnonzero(np.diff(row, prepend=-1)))
        parts = np.exp(logs - np.where(np.isneginf(largest), 0, largest)[row])
        total = np.bincount(row, parts)
        weights = (self.rows.weights / np.where(total > 0, total, 1))[row] * parts
        with np.errstate(divide="ignore"):
            return (DistinctRows(completions.codes, self.rows.sizes, np.bincount(index, weights)),
                    largest + np.log(total))

    def _impossible(self, row: int) -> Impossible:
        observed = ", ".join(f"{name} = {self.states(name)[code[row]]}" for name, code in self.rows.codes.items()
                             if code[row] >= 0)
        return Impossible(f"the row {observed} has probability 0 in this network, so its missing values have no "
                          f"distribution. Start from CPTs without zeros.")
