"""Bayesian scores: the marginal likelihood, the probability of the data averaged over all parameters.

LogLikelihood, AIC, MDL and BIC take the maximum-likelihood estimates of a graph, and all but the first subtract a
penalty for their number. A Bayesian score averages over the parameters instead. With a Dirichlet prior, whose
parameters act as pseudo-counts added to the data, the average has a closed form in gamma functions. The scores differ
in their priors:

    K2      a pseudo-count of 1 for every cell of every family's table           Cooper and Herskovits 1992
    BDeu    `ess` pseudo-counts in all, spread evenly over each family's table   Heckerman, Geiger, Chickering 1995

Under K2 a variable with many parents has many pseudo-counts, one without parents few. So A->B and B->A, which represent
the same distributions, have different priors and different scores. BDeu gives equivalent graphs equal scores:

>>> from bnteach.datasets import five_rows
>>> t = five_rows()
>>> one, other = "A->C, B, D", "C->A, B, D"
>>> round(BDeu(t)(one), 4), round(BDeu(t)(other), 4)
(-15.9581, -15.9581)
>>> round(K2(t)(one), 4), round(K2(t)(other), 4)
(-14.5856, -14.7679)

Both are log-probabilities, in nats unless `base=` says otherwise. Lesson 9.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import inf, log
from numbers import Real
from typing import Any

import numpy as np

from bnteach.scores.base import Names, Score, differences_of_sets
from bnteach.scores.set_terms import SetTerms
from bnteach.tables.counts import Counts
from bnteach.tables.table import as_counts


class BDeu(Score):
    """The marginal likelihood with a Dirichlet prior of `ess` pseudo-counts, spread evenly over each family's table.

    Parameters
    ----------
    data
        A Table, or anything that can be read as one.
    ess
        The equivalent sample size, above 0. A small one favours sparse graphs, a large one dense graphs.
    base
        The base of the logarithm; by default e (nats).

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> round(BDeu(five_rows(), ess=10)("A->C, B, D"), 4)
    -13.8782

    References
    ----------
    Heckerman, Geiger and Chickering (1995), Learning Bayesian networks: the combination of knowledge and statistical
    data.
    """

    data: Counts

    def __init__(self, data: Any, ess: float = 1, base: float | None = None):
        super().__init__(as_counts(data), base)
        if not (isinstance(ess, Real) and 0 < ess < inf):
            raise ValueError(f"ess={ess!r} is not an equivalent sample size; give a number above 0, such as 1 or 10.")
        self.ess: float = ess
        self._terms: SetTerms = SetTerms(self.data, self.term)

    def compute_family(self, child: str, parents: Names) -> float:
        """The term of child and parents together less the term of the parents alone."""
        joint = self.data.counts(child, given=parents)
        alone = joint.sum(axis=0)
        return self.term(joint[joint > 0], joint.size) - self.term(alone[alone > 0], alone.size)

    def families(self, child: str, sets: Sequence[Names]) -> list[float]:
        """The terms of the child with each of many sets of parents; every set is counted once."""
        return self._terms.families(child, sets)

    def over_subsets(self, max_parents: int | None = None) -> Iterator[np.ndarray]:
        """For each variable the scores of all its families; see `Score.over_subsets`."""
        n = len(self.variables)
        sets = self.data.counts_over_subsets(n if max_parents is None else max_parents + 1)
        return differences_of_sets(((index, self.term(counts, cells)) for index, counts, cells in sets), n)

    def term(self, counts: np.ndarray, cells: float) -> float:
        """The term of a set of variables; cells without rows add nothing to it."""
        from scipy.special import gammaln

        pseudo = self.ess / cells
        return float((gammaln(pseudo + counts) - gammaln(pseudo)).sum()) / log(self.base)

    def __repr__(self) -> str:
        return f"{super().__repr__()}, equivalent sample size {self.ess:g}"


class K2(Score):
    """The marginal likelihood with a Dirichlet prior of one pseudo-count per cell. It is not score equivalent.

    Parameters
    ----------
    data
        A Table, or anything that can be read as one.
    base
        The base of the logarithm; by default e (nats).

    Examples
    --------
    >>> from bnteach.datasets import five_rows
    >>> round(K2(five_rows())("A->C, B, D"), 4)
    -14.5856

    References
    ----------
    Cooper and Herskovits (1992), A Bayesian method for the induction of probabilistic networks from data.
    """

    data: Counts
    score_equivalent = False

    def __init__(self, data: Any, base: float | None = None):
        super().__init__(as_counts(data), base)
        sizes = {1, *self.data.sizes.values()}
        self._terms: dict[int, SetTerms] = {
            states: SetTerms(self.data, partial(self.term, states=states)) for states in sizes}

    def compute_family(self, child: str, parents: Names) -> float:
        """The log-probability of the child's column given its parents'."""
        joint = self.data.counts(child, given=parents)
        return self.term(joint) - self.term(joint.sum(axis=0), states=len(joint))

    def families(self, child: str, sets: Sequence[Names]) -> list[float]:
        """The terms of the child with each of many sets of parents; every set is counted once."""
        alone = self._terms[self.data.sizes[child]](sets)
        return [both - parents for both, parents in zip(self._terms[1].together(child, sets), alone)]

    def term(self, counts: np.ndarray, cells: float = 0, states: int = 1) -> float:
        """The term of a set of variables with a pseudo-count for each of so many states in every cell."""
        from scipy.special import gammaln

        return float((gammaln(states + counts) - gammaln(states)).sum()) / log(self.base)
