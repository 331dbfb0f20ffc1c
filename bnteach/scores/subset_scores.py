"""The scores of all families at once, from one term for each set of variables.

LogLikelihood, AIC, MDL, BIC and BDeu have this in common: the score of a family is a difference of two terms,

    family(X, U)  =  term(X and U together)  -  term(U alone)

where for the likelihood and its relatives

    term(S)  =  sum of n log n over the cells of S  -  penalty x (number of cells of S).

For real numbers it is the log-density of the columns of S together, less the penalty for 2, 3, 4 ... parameters: what
the variables of S cost as the first, the second, the third of them, each with all before it as parents.

Sum that over a graph and the terms of A->B, or of B->A, come to the same. That is why equivalent graphs score the
same, and why counting can be shared: n variables have n 2^(n-1) families, but only 2^n sets. For 20 variables that
is one million counts in place of ten million.

Which sets can be left out? The fit of a family is at most 0, the logarithm of a certain event. So U cannot be the
best set of parents of X if its penalty alone is as large as what X costs without parents: the empty set is then
as good, and so it is for every set that contains U.

>>> from bnteach.datasets import five_rows
>>> from bnteach.scores.base import MDL
>>> score = MDL(five_rows())
>>> terms = joint_terms(score)
>>> terms.shape                                # an axis for each variable: is it in the set?
(2, 2, 2, 2)
>>> float(round(terms[1, 1, 1, 0] - terms[1, 1, 0, 0], 6)) == round(score.family("C", "AB"), 6)
True
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from math import log

import numpy as np

from bnteach.information import n_log_n
from bnteach.progress import Progress
from bnteach.scores.base import PenalisedLikelihood, Score
from bnteach.scores.bayesian import BDeu
from bnteach.scores.parent_gains import counts_rows
from bnteach.tables.table import Measurements, Table

Term = Callable[[np.ndarray, float], float]


def has_joint_terms(score: Score) -> bool:
    """Is a family of this score a difference of two terms?"""
    how = type(score).compute_family
    return (counts_rows(score) or (type(score.data) is Table and how is BDeu.compute_family)
            or (type(score.data) is Measurements and how is PenalisedLikelihood.compute_family))


def joint_terms(score: Score, max_parents: int | None = None) -> np.ndarray:
    """The term of every set of variables, an axis for each; minus infinity where a set is not needed."""
    return (counted_terms if type(score.data) is Table else gaussian_terms)(score, max_parents)


def gaussian_terms(score: PenalisedLikelihood, max_parents: int | None) -> np.ndarray:
    """The terms of sets of real-valued variables."""
    n, unit, penalty = len(score.variables), log(score.base), score.penalty
    terms = np.full(2**n, -np.inf)
    with Progress("measuring sets", total=2**n, unit=" sets") as progress:
        for size in range(n + 1 if max_parents is None else min(max_parents + 1, n) + 1):
            for places in combinations(range(n), size):
                fit = score.likelihood.joint_log_likelihood(list(places)) / unit
                terms[sum(bit(i, n) for i in places)] = fit - penalty * size * (size + 3) / 2  # 2 + 3 + ... parameters
                progress.step()
    return terms.reshape((2,) * n)


def counted_terms(score: Score, max_parents: int | None) -> np.ndarray:
    """The terms of sets of categorical variables."""
    table, term = score.data, _term(score)
    sizes = [len(table.states(name)) for name in table.variables]
    codes = [code.astype(np.int64) for code in table.merged.codes.values()]
    weights = table.merged.times.astype(float)
    most_size, most_cells = len(sizes) if max_parents is None else max_parents + 1, _most_cells(score)
    terms = np.full(2 ** len(sizes), -np.inf)

    def visit(chosen: int, size: int, cell: np.ndarray, cells: float, largest: int, first: int) -> None:
        """Note the term of a set; then the sets with one later variable more, if they are needed.

        A set is needed if all of it but one variable may be the best parents of that one.
        """
        counts = np.bincount(cell, weights)
        terms[chosen] = term(counts, cells)
        progress.step()
        for i in range(first, len(sizes)):
            most = max(largest, sizes[i])
            if size < most_size and cells * sizes[i] / most < most_cells:
                finer = without_empty(cell, counts) * sizes[i] + codes[i]
                visit(chosen | bit(i, len(sizes)), size + 1, finer, cells * sizes[i], most, i + 1)

    with Progress("counting sets", total=2 ** len(sizes), unit=" sets") as progress:
        visit(0, 0, np.zeros(len(weights), dtype=np.int64), 1.0, 1, 0)
    return terms.reshape((2,) * len(sizes))


def bit(i: int, n: int) -> int:
    """A set as a number: the first variable is the highest bit, so that sets count like the axes of an array."""
    return 1 << (n - 1 - i)


def without_empty(cell: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """The cells numbered anew, without those that have no rows, once these are the most."""
    return cell if len(counts) < 2 * len(cell) else (np.cumsum(counts > 0) - 1)[cell]


def _term(score: Score) -> Term:
    if isinstance(score, BDeu):
        return score.joint_term  # cells without rows add nothing to it
    unit, penalty = log(score.base), score.penalty
    return lambda counts, cells: n_log_n(counts) / unit - penalty * cells


def _most_cells(score: Score) -> float:
    """A set of parents with so many cells or more is never needed: it costs too much. The empty set has 1 and is."""
    if not isinstance(score, PenalisedLikelihood) or score.penalty == 0:
        return np.inf
    spare = [-score.family(x) / max(1, len(score.data.states(x)) - 1) for x in score.variables]
    return max(1.0, max(spare) / score.penalty) * (1 + 1e-9)
