"""Scores: how well does a graph explain these data? Higher is always better.

A score is a sum over families, where a family is a variable with its parents (a decomposable score). If one family
changes, only its term changes. So a score answers two questions, and caches every answer to the first:

    score.family("C", ("A", "B"))    the term of C with parents A and B
    score(dag)                       the sum over all variables

penalised.py has log-likelihoods with a penalty per parameter, bayesian.py marginal likelihoods. Lessons 6, 8 and 9.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import e, inf
from typing import Any

import numpy as np

from bnteach.errors import check_base, checks, described
from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG
from bnteach.progress import Progress
from bnteach.tables.contingency import subsets
from bnteach.tables.counts import Counts
from bnteach.tables.measurements import Measurements
from bnteach.tables.table import as_counts

Names = tuple[str, ...]


class Score:
    """A decomposable score. A subclass defines `compute_family`.

    Parameters
    ----------
    data
        A Table, expected counts, or Measurements; anything else is read as a Table.
    base
        The base of the logarithm: 2 for bits, ``math.e`` for nats.

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> class Arcs(Score):
    ...     "Prefers graphs with few arcs."
    ...     def compute_family(self, child, parents):
    ...         return -len(parents)
    >>> Arcs(five_rows())("A->B, A->C, D")
    -2
    """

    default_base: float = e
    score_equivalent = True  # do all DAGs of an equivalence class get the same score?

    def __init__(self, data: Any, base: float | None = None):
        self.data: Counts | Measurements = data if isinstance(data, Measurements) else as_counts(data)
        self.base = self.default_base if base is None else check_base(base)
        self._families: dict[tuple[str, frozenset[str]], float] = {}

    def __init_subclass__(cls) -> None:
        """A subclass with its own `compute_family` gets the general methods back, which call it."""
        if "compute_family" in vars(cls):
            for name in ("with_one_more_parent", "families", "over_subsets", "upper_bounds"):
                if name not in vars(cls):
                    setattr(cls, name, getattr(Score, name))

    @property
    def variables(self) -> Names:
        """The variables of the data, in order."""
        return self.data.variables

    def names(self, names: str | Iterable[str]) -> Names:
        """Names, however they are written, as a tuple of variables of the data."""
        return self.data.names(names)

    def family(self, child: str, parents: str | Iterable[str] = ()) -> float:
        """The term of a variable with these parents."""
        if isinstance(parents, str):
            parents = self.names(parents)
        try:
            known = self._families.get(key := (child, frozenset(parents)))
        except TypeError:
            raise TypeError(f"a family is a name and the names of its parents, as in family('A', ['B', 'C']), "
                            f"not {child!r} and {parents!r}.") from None
        if known is None:
            known = self._families[key] = self.compute_family(*self.in_order(*key))
        return known

    def compute_family(self, child: str, parents: Names) -> float:
        """The term of a family, not from the cache; parents come in the order of the variables."""
        raise NotImplementedError

    def families(self, child: str, sets: Sequence[Names]) -> list[float]:
        """The terms of a variable with each of many sets of parents, which come in the order of the variables."""
        return [self.compute_family(child, parents) for parents in sets]

    def with_one_more_parent(self, child: str, parents: Iterable[str] = ()) -> dict[str, float]:
        """The family score with each other variable in turn as one more parent: what hill climbing asks for."""
        chosen = frozenset(parents)
        return {name: self.family(child, chosen | {name})
                for name in self.variables if name != child and name not in chosen}

    def over_subsets(self, max_parents: int | None = None) -> Iterator[np.ndarray]:
        """For each variable the scores of all its families: an array with an axis of length 2 per other variable.

        Minus infinity where a set of parents is too large, or cannot be the best one.
        """
        n = len(self.variables) - 1
        with Progress("scoring families", total=(n + 1) * 2**n, unit=" families") as progress:
            for child in self.variables:
                others = [name for name in self.variables if name != child]
                scores = np.full(2**n, -inf)
                for index, chosen in subsets(n, n if max_parents is None else max_parents):
                    scores[index] = self.compute_family(child, tuple(others[i] for i in chosen))
                    progress.step()
                yield scores.reshape((2,) * n)

    def upper_bound(self, child: str, parents: Iterable[str], candidates: Iterable[str]) -> float:
        """A number that no family of the child exceeds whose parents include `parents` and add only candidates."""
        parents = tuple(parents)
        return self.upper_bounds(child, [parents], (*parents, *candidates))[0]

    def upper_bounds(self, child: str, sets: Sequence[Names], candidates: Iterable[str]) -> list[float]:
        """For each set a number that no family of the child exceeds whose parents include it, all being candidates."""
        return [inf] * len(sets)

    def __call__(self, graph: DAG | str) -> float:
        """The score of a whole graph."""
        dag = as_dag(graph, self.variables)
        return sum(self.family(node, dag.parents(node)) for node in self.variables)

    def __repr__(self) -> str:
        units = {2: "bits", e: "nats"}.get(self.base, f"base {self.base:g}")
        return f"{type(self).__name__} on {len(self.data):,} rows, in {units}"

    def in_order(self, child: str, parents: Iterable[str]) -> tuple[str, Names]:
        """The same family with its parents in the order of the variables, or an error."""
        (child,), chosen = self.names([child]), set(self.names(parents))
        if child in chosen:
            raise ValueError(f"{child} cannot be its own parent; leave it out of the parents.")
        return child, tuple(v for v in self.variables if v in chosen)


@checks(Score)
def check_score(score: Any, learner: str) -> None:
    """Raise TypeError unless this is a score."""
    if isinstance(score, type) or not (callable(score) and hasattr(score, "family") and hasattr(score, "variables")):
        make = f"bn.{score.__name__}(table)" if isinstance(score, type) else (
            "bn.BIC(measurements)" if isinstance(score, Measurements) else "bn.MDL(table)")
        raise TypeError(f"{learner} needs a score, not {described(score)}. Make one, such as {make}.")


def differences_of_sets(terms: Iterable[tuple[int, float]], n: int) -> Iterator[np.ndarray]:
    """The scores of all families, if the score of a family is a difference of two terms, each of a set of variables:

        family(X, U)  =  term(X and U together)  -  term(U alone)

    Summed over a graph, the terms of A->B and of B->A are the same: this is why equivalent graphs have equal scores,
    and why counting can be shared. n variables have n 2^(n-1) families but only 2^n sets. `terms` gives the index of
    each set (`subset_bit`) with its term; a set that is left out makes the scores of its families minus infinity.
    """
    table = np.full(2**n, -inf)
    with Progress("scoring sets", total=2**n, unit=" sets") as progress:
        for index, term in terms:
            table[index] = term
            progress.step()
    table = table.reshape((2,) * n)
    for x in range(n):
        alone, together = np.moveaxis(table, x, 0)
        yield np.subtract(together, alone, out=np.full((2,) * (n - 1), -inf), where=together > -inf)


def as_dag(graph: Any, variables: Iterable[str]) -> DAG:
    """A DAG over exactly these variables, or an error that says what differs."""
    variables = tuple(variables)
    dag = graph.to_dag() if isinstance(graph, PDAG) else graph if isinstance(graph, DAG) else DAG(graph)
    if missing := [v for v in variables if v not in dag]:
        raise ValueError(f"the graph {dag} has no node {', '.join(missing)}, but the data do. Name it too: "
                         f"DAG(\"{dag}, {', '.join(missing)}\").")
    if extra := [node for node in dag.nodes if node not in variables]:
        raise ValueError(f"the graph has {', '.join(extra)}, which the data do not; "
                         f"they have {', '.join(variables)}.")
    return dag
