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

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from bnteach.models.calibration import family_counts, marginals
from bnteach.models.categorical import CategoricalNetwork
from bnteach.models.elimination import Intractable, query
from bnteach.models.inference import Impossible
from bnteach.tables.contingency import DistinctRows, merge_rows, row_numbers
from bnteach.tables.counts import Columns, Counts
from bnteach.tables.table import Table

MAX_COMPLETIONS = 2**17  # of all distinct rows together


class IncompleteRows(DistinctRows):
    """The distinct rows of a table with missing values, whose code is -1."""

    @classmethod
    def of(cls, table: Table) -> IncompleteRows:
        """Merge the rows of a table."""
        rows = table.once()
        codes, index = merge_rows({name: rows.codes(name) for name in rows.variables}, len(rows))
        return cls(codes, table.sizes, np.bincount(index, table.row_weights).astype(np.int64))

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
        return Completions(self) if self.ways.sum() <= MAX_COMPLETIONS else None

    @property
    def ways(self) -> np.ndarray:
        """The number of completions of each row."""
        ways = [np.where(code < 0, float(self.sizes[name]), 1) for name, code in self.codes.items()]
        return np.asarray(np.prod(ways, axis=0))


class Completions:
    """The complete rows that incomplete rows may be: distinct `codes`, and the `row` and `index` of each completion."""

    def __init__(self, rows: IncompleteRows):
        """Number the completions of each row, and read the number as the states of its missing values, by digits."""
        ways = rows.ways.astype(np.int64)
        self.row = np.repeat(np.arange(len(rows)), ways)
        number = np.arange(len(self.row)) - np.repeat(np.cumsum(ways) - ways, ways)
        codes = {}
        for name, given in rows.codes.items():
            code = given[self.row].astype(np.int64)
            missing = code < 0
            code[missing] = number[missing] % rows.sizes[name]
            number[missing] //= rows.sizes[name]
            codes[name] = code
        self.codes, self.index = merge_rows(codes, len(self.row))

    def weights(self, logs: np.ndarray, of_rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The weights of the rows, divided by the probabilities of their completions, and the logs of the rows' own."""
        largest = np.maximum.reduceat(logs, np.flatnonzero(np.diff(self.row, prepend=-1)))
        parts = np.exp(logs - np.where(np.isneginf(largest), 0, largest)[self.row])
        total = np.bincount(self.row, parts)
        with np.errstate(divide="ignore"):
            return (of_rows / np.where(total > 0, total, 1))[self.row] * parts, largest + np.log(total)


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

    def counts_with_each(self, names: Sequence[str]) -> np.ndarray:
        """The counts of some variables jointly with every state of every other, as in `Counts`, by messages.

        Rows in which these variables are observed need the posteriors of all others. A row in which some are missing is
        completed in these first, and each completion has posteriors of its own.
        """
        if self.rows.completions is not None or not self._tractable:
            return super().counts_with_each(names)
        shape, observed = [self.sizes[name] for name in names], self.rows.observed(names)
        sums = np.zeros((prod(shape), sum(self.sizes.values())))
        _add(sums, self.rows.where(observed), names, self._posteriors[observed])
        if not observed.all():
            rows, posteriors = self._completed_in(names, self.rows.where(~observed))
            _add(sums, rows, names, posteriors)
        return sums.reshape(*shape, -1)

    def _completed_in(self, names: Sequence[str], rows: IncompleteRows) -> tuple[IncompleteRows, np.ndarray]:
        """The completions of these rows in some variables, and the posteriors of all others for each."""
        done = Completions(IncompleteRows({name: rows.codes[name] for name in names}, self.sizes, rows.weights))
        codes = {name: done.codes[name][done.index] if name in names else code[done.row]
                 for name, code in rows.codes.items()}
        posteriors, logs = marginals(self.network, codes, len(done.row))
        return IncompleteRows(codes, self.sizes, done.weights(logs, rows.weights)[0]), posteriors

    @cached_property
    def _posteriors(self) -> np.ndarray:
        """For each row the probabilities of all states of all variables."""
        return marginals(self.network, self.rows.codes, len(self.rows))[0]

    @cached_property
    def _tractable(self) -> bool:
        """Can the posteriors of all variables be computed at once?"""
        with suppress(Intractable):
            return len(self._posteriors) > 0
        return False

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
        logs = query(self.network, (), completions.codes)[1][completions.index]
        weights, of_rows = completions.weights(logs, self.rows.weights)
        return DistinctRows(completions.codes, self.rows.sizes, np.bincount(completions.index, weights)), of_rows

    def _impossible(self, row: int) -> Impossible:
        observed = ", ".join(f"{name} = {self.states(name)[code[row]]}" for name, code in self.rows.codes.items()
                             if code[row] >= 0)
        return Impossible(f"the row {observed} has probability 0 in this network, so its missing values have no "
                          f"distribution. Start from CPTs without zeros.")


def _add(sums: np.ndarray, rows: IncompleteRows, names: Sequence[str], posteriors: np.ndarray) -> None:
    """Add each row's weighted posteriors to the cell of some variables to which the row belongs."""
    numbers = row_numbers([rows.codes[name] for name in names], [rows.sizes[name] for name in names])
    cell = np.broadcast_to(numbers, len(rows))
    order = np.argsort(cell, kind="stable")
    occurring, begin = np.unique(cell[order], return_index=True)
    if len(occurring):
        sums[occurring] += np.add.reduceat((rows.weights[:, None] * posteriors)[order], begin, axis=0)
