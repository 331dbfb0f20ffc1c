"""Bayesian scores: how probable are the data, whatever the parameters may be?

LogLikelihood, AIC, MDL and BIC take the best parameters for a graph and, but for the first, pay for their
number. A Bayesian averages over all parameters instead. With a Dirichlet prior, which is as if some rows had
been seen before the first one came, the average has a closed form made of gamma functions. What is imagined
beforehand makes the difference:

    K2      one row in every cell of every family's table                Cooper and Herskovits 1992
    BDeu    `ess` rows in all, spread evenly over each family's table    Heckerman, Geiger, Chickering 1995

For K2 a variable with many parents brings many imagined rows, one without parents few. So A->B and B->A,
which can say just the same, rest on different imaginations and get different scores. BDeu was made to be fair:

>>> from bnteach.datasets import five_rows
>>> t = five_rows()
>>> one, other = "A->C, B, D", "C->A, B, D"
>>> round(BDeu(t)(one), 4), round(BDeu(t)(other), 4)
(-15.9581, -15.9581)
>>> round(K2(t)(one), 4), round(K2(t)(other), 4)
(-14.5856, -14.7679)

Both are logarithms of probabilities, in nats unless `base=` says otherwise. Lesson 9.
"""

from __future__ import annotations

from math import inf, log
from numbers import Real
from typing import Any

import numpy as np

from bnteach.scores.base import Score
from bnteach.tables.table import as_table


class BDeu(Score):
    """`ess` imagined rows, spread evenly over each family's table.

    Few imagined rows (the "equivalent sample size") ask for sparse graphs, many for dense ones.
    """

    def __init__(self, data: Any, ess: float = 1, base: float | None = None):
        super().__init__(as_table(data), base)
        if not (isinstance(ess, Real) and 0 < ess < inf):
            raise ValueError(f"ess={ess!r} is no number of imagined rows; give one above 0, such as 1 or 10.")
        self.ess = ess

    def compute_family(self, child: str, parents: tuple[str, ...]) -> float:
        together = self.data.counts(child, given=parents)
        conditions = together.sum(axis=0)
        return (self.joint_term(together[together > 0], together.size)
                - self.joint_term(conditions[conditions > 0], conditions.size))

    def joint_term(self, counts: np.ndarray, cells: int) -> float:
        """The term of a set of variables, from its counts; cells that never occur may be left out.

        A family is the term of child and parents together, less the term of the parents alone. Summed over
        A->B, or over B->A, that leaves the term of {A, B} less that of no variable at all: the same.
        """
        from scipy.special import gammaln

        rows = self.ess / cells
        return float((gammaln(rows + counts) - gammaln(rows)).sum()) / log(self.base)

    def __repr__(self) -> str:
        return f"{super().__repr__()}, with {self.ess:g} imagined row{'' if self.ess == 1 else 's'}"


class K2(Score):
    """One imagined row in every cell of a family's table. Equivalent graphs can get different scores."""

    score_equivalent = False

    def __init__(self, data: Any, base: float | None = None):
        super().__init__(as_table(data), base)

    def compute_family(self, child: str, parents: tuple[str, ...]) -> float:
        from scipy.special import gammaln

        together = self.data.counts(child, given=parents)
        states, conditions = len(together), together.sum(axis=0)
        logs = gammaln(1 + together).sum() - (gammaln(states + conditions) - gammaln(states)).sum()
        return float(logs) / log(self.base)
