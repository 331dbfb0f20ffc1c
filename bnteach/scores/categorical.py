"""The log-likelihood of one family, for each kind of data.

A family is a variable with its parents. Whatever the data, a score wants to know two things of it: how well
its best parameters fit (a log-likelihood, in nats), and how many parameters that takes. Scores ask these
two questions here and never look at the data themselves, so every score, and every search that uses one,
works on categories and on real numbers alike.
"""

from __future__ import annotations

from typing import Any, Protocol

from bnteach.information import n_log_n
from bnteach.tables.table import Measurements, Table


class FamilyLikelihood(Protocol):
    """What a score asks of the data. Parents come in the order of the variables."""

    default_base: float  # the units in which the documents of the course print it

    def log_likelihood(self, child: str, parents: tuple[str, ...]) -> float:
        """The greatest log-likelihood of the child given its parents, in nats."""
        ...

    def parameters(self, child: str, parents: tuple[str, ...]) -> int:
        """The number of free parameters of the family."""
        ...


class CategoricalFamilies:
    """Categories: the best parameters are fractions, and the fit is -N times a conditional entropy."""

    default_base = 2

    def __init__(self, table: Table):
        self.table = table

    def log_likelihood(self, child: str, parents: tuple[str, ...]) -> float:
        """-N H(child | parents): the sum of n log n over the cells less that over the parents' cells."""
        together = self.table.counts(child, given=parents)
        return float(n_log_n(together) - n_log_n(together.sum(axis=0))) + 0.0

    def parameters(self, child: str, parents: tuple[str, ...]) -> int:
        """(states of the child - 1) x (combinations of the parents' states), seen or not."""
        size = len(self.table.states(child)) - 1
        for parent in parents:
            size *= len(self.table.states(parent))
        return size


def likelihood_of(data: Any) -> FamilyLikelihood:
    """The right kind of likelihood for these data; whatever is not Measurements is read as a Table."""
    if isinstance(data, Measurements):
        from bnteach.scores.gaussian import GaussianFamilies

        return GaussianFamilies(data)
    return CategoricalFamilies(data)
