"""Zero-half cuts: rows added up, halved and rounded down.

Add up some rows  a z <= b,  and halve the sum. Every z is 0 or 1 in a DAG, hence at least 0, so its coefficient may be
rounded down; then the left side is a whole number, so the right side may be rounded down too. If the sum of the right
sides is odd, rounding gains 1/2. It costs half the slack of the rows and half of each z with an odd coefficient; the
cut is violated if that is below 1/2. Caprara and Fischetti 1996.

Which rows? All that counts is whether coefficients are odd, so this is linear algebra modulo 2: eliminate the families
of the solution one after the other, those with large z first, from rows that have little slack, and look at the sums
that this makes (Koster, Zymolka and Kutschka 2009). Several passes break ties differently, by random numbers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bnteach.learn.search.relaxation import ZERO, Bools, Floats, Relaxation

TIGHT = 0.1  # rows with more slack than this are not used
VIOLATION = 0.02  # what a cut must be violated by to be added
PASSES, CUTS, TERMS = 6, 60, 16  # passes of elimination; cuts added at once; rows in a sum, at most


def add_zero_half_cuts(relaxation: Relaxation, random: np.random.Generator) -> int:
    """Add the zero-half cuts that the solution violates most, as far as elimination finds them."""
    rows, limits = relaxation.all_rows()
    slack = limits - rows @ relaxation.solution
    tight = np.flatnonzero(slack < TIGHT)
    rows, limits, slack = rows[tight], limits[tight], np.maximum(slack[tight], 0).round(6)
    found: dict[bytes, tuple[float, Bools]] = {}
    for _ in range(PASSES):
        found |= _Elimination(relaxation, rows, limits, slack, random).run()
    best = sorted(found.values(), key=lambda pair: pair[0])[:CUTS]
    return _add(relaxation, rows, limits, np.array([chosen for _, chosen in best])) if best else 0


def _add(relaxation: Relaxation, rows: Any, limits: Floats, sums: Bools) -> int:
    """Add up the rows of each sum, halve, round down, and add those that are violated."""
    from scipy.sparse import csr_array

    chosen = csr_array(sums, dtype=float)
    cuts, bounds = csr_array(chosen @ rows), np.floor(chosen @ limits / 2)
    cuts.data = np.floor(cuts.data / 2)
    cuts.eliminate_zeros()
    good = cuts @ relaxation.solution - bounds > VIOLATION
    return relaxation.add(cuts[good], bounds[good]) if good.any() else 0


class _Elimination:
    """Rows modulo 2: `odd` coefficients, `odd_limit`, `slack`, and in `sums` which of the rows were added up."""

    def __init__(self, relaxation: Relaxation, rows: Any, limits: Floats, slack: Floats, random: np.random.Generator):
        used = np.flatnonzero(relaxation.solution > ZERO)
        self.values, self.random = relaxation.solution[used], random
        self.odd = rows[:, used].toarray() % 2 > 0.5
        self.odd_limit, self.slack = limits % 2 > 0.5, slack.copy()
        self.sums, self.free = np.eye(len(limits), dtype=bool), np.ones(len(limits), dtype=bool)

    def run(self) -> dict[bytes, tuple[float, Bools]]:
        """The sums that lead to violated cuts, each with its cost and which rows it adds up."""
        found: dict[bytes, tuple[float, Bools]] = {}
        for column in np.argsort(-(self.values + 0.3 * self.random.random(len(self.values)))):
            rows = np.flatnonzero(self.odd[:, column] & self.free)
            if len(rows):
                changed = self.eliminate(rows)
                for cost, row in zip(self.costs(changed), changed):
                    if cost < 0.9 and (terms := self.sums[row].sum()) < TERMS:
                        found[self.sums[row].tobytes()] = cost + 0.01 * terms, self.sums[row].copy()
        return found

    def eliminate(self, rows: np.ndarray) -> np.ndarray:
        """Add the best of these rows to the others, which makes their coefficients even; return the others."""
        rank = 10 * self.slack[rows] + self.sums[rows].sum(axis=1) + self.random.random(len(rows))
        pivot = rows[np.argmin(rank)]
        self.free[pivot] = False
        others = rows[rows != pivot]
        for part in (self.odd, self.odd_limit, self.sums):
            part[others] ^= part[pivot]
        self.slack[others] += self.slack[pivot]
        return np.asarray(others[self.odd_limit[others]])

    def costs(self, rows: np.ndarray) -> list[float]:
        """Twice what rounding costs: the slack, and the families with odd coefficients."""
        costs: list[float] = (self.slack[rows] + self.odd[rows] @ self.values).round(6).tolist()
        return costs
