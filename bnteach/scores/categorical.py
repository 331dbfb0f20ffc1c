"""The log-likelihood of a family, and of a family of categorical variables.

Whatever the data, a score asks for two things: how well the maximum-likelihood estimates of a family fit (a
log-likelihood, in nats), and how many parameters they are. `FamilyLikelihood` is this question; CategoricalFamilies
answers it for categories, GaussianFamilies (gaussian.py) for real numbers. So every score, and every search that uses
one, works on both.

For categories the maximum-likelihood estimates are relative frequencies, and the fit is -N times a conditional entropy.
It is a difference of two terms, each a sum of n log n over the cells of a set of variables; and so is the number of
parameters, (states of the child - 1) x (cells of the parents) = (cells of both) - (cells of the parents).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf, prod
from typing import Protocol

import numpy as np

from bnteach.information import n_log_n
from bnteach.scores.set_terms import SetTerms
from bnteach.tables.counts import Counts

Names = tuple[str, ...]

FEW_CELLS = 64  # with more cells of child and parents, counting parent by parent is as quick
MANY_CELLS = 4096  # up to here counting cells costs next to nothing


class FamilyLikelihood(Protocol):
    """What a penalised likelihood asks of the data. Parents come in the order of the variables."""

    default_base: float  # the units in which the course's documents print it
    variables: Names

    def log_likelihood(self, child: str, parents: Names) -> float:
        """The maximum log-likelihood of the child given its parents, in nats."""
        ...

    def parameters(self, child: str, parents: Names) -> int:
        """The number of free parameters of the family."""
        ...

    def over_subsets(self, max_size: int, penalty: float) -> Iterator[tuple[int, float, float]]:
        """For each set of variables: its index, its log-likelihood, its number of parameters.

        Those of a family are the differences between child with parents and parents alone. Sets may be left out that
        are no part of a best family if each parameter has this penalty.
        """
        ...

    def log_likelihoods(self, child: str, sets: Sequence[Names]) -> list[float]:
        """The log-likelihoods of the child with each of many sets of parents."""
        return [self.log_likelihood(child, parents) for parents in sets]

    def with_one_more_parent(self, child: str, parents: Names) -> dict[str, float]:
        """The log-likelihoods with each other variable in turn as one more parent."""
        return {name: self.log_likelihood(child, tuple(v for v in self.variables if v in parents or v == name))
                for name in self.variables if name != child and name not in parents}

    def upper_bound(self, child: str, parents: Names) -> float:
        """A number that the log-likelihood with these parents, or with some of them, does not exceed."""
        return self.log_likelihood(child, parents)


class CategoricalFamilies(FamilyLikelihood):
    """The log-likelihood of families of categorical variables, from their counts."""

    default_base = 2

    def __init__(self, data: Counts):
        self.data, self.variables = data, data.variables
        self._terms = SetTerms(data, _sum_n_log_n)

    def log_likelihood(self, child: str, parents: Names) -> float:
        """-N H(child | parents), in nats."""
        joint = self.data.counts(child, given=parents)
        return float(n_log_n(joint).sum() - n_log_n(joint.sum(axis=0)).sum()) + 0.0

    def parameters(self, child: str, parents: Names) -> int:
        """(states of the child - 1) x (combinations of the parents' states), observed or not."""
        return (self.data.sizes[child] - 1) * self._cells(parents)

    def log_likelihoods(self, child: str, sets: Sequence[Names]) -> list[float]:
        """The log-likelihoods of the child with each of many sets of parents; every set is counted once."""
        return self._terms.families(child, sets)

    def with_one_more_parent(self, child: str, parents: Names) -> dict[str, float]:
        """The log-likelihoods with each other variable in turn as one more parent, from one call for all counts."""
        if self._cells((child, *parents)) > FEW_CELLS:
            return super().with_one_more_parent(child, parents)
        counts = self.data.counts_with_each((child, *parents))
        fits = self._sums(counts) - self._sums(counts.sum(axis=0))
        return {name: fit for name, fit in zip(self.variables, fits.tolist()) if name != child and name not in parents}

    def over_subsets(self, max_size: int, penalty: float) -> Iterator[tuple[int, float, float]]:
        """The sum of n log n over the cells, and the number of cells.

        A log-likelihood is at most 0. So a set of parents is not the best one if its penalty alone is as large as the
        loss without parents: then the empty set is as good, and as good as every superset too.
        """
        needed = 1.0  # a set of parents with fewer cells than this may be the best; the empty set has 1
        for child in self.variables if penalty else ():
            if (free := self.data.sizes[child] - 1) > 0:
                needed = max(needed, 1 - self.log_likelihood(child, ()) / free / penalty)
        for index, counts, cells in self.data.counts_over_subsets(max_size, needed * (1 + 1e-9) if penalty else inf):
            yield index, _sum_n_log_n(counts, cells), cells

    def upper_bound(self, child: str, parents: Names) -> float:
        """The log-likelihood; 0, which none exceeds, where there are so many cells that few hold more than a row."""
        few = self._cells((child, *parents)) <= max(MANY_CELLS, 4 * len(self.data))
        return self.log_likelihood(child, parents) if few else 0.0

    def _sums(self, counts: np.ndarray) -> np.ndarray:
        """The sum of n log n for each variable, whose states are on the last axis."""
        return np.add.reduceat(n_log_n(counts).reshape(-1, counts.shape[-1]).sum(axis=0), self.data.offsets)

    def _cells(self, names: Names) -> int:
        sizes = self.data.sizes
        return prod([sizes[name] for name in names])


def _sum_n_log_n(counts: np.ndarray, cells: float) -> float:
    return float(n_log_n(counts).sum())
