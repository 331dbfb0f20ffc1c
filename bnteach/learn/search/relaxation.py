"""The LP relaxation of the integer program: a column per family, and rows that every DAG obeys.

    maximise      the sum of score(X, U) z(X, U),   z between 0 and 1
    subject to    one parent set per child X:       the sum over U of z(X, U) is 1
                  the cuts so far:                  the sum over some families of z(X, U) is at most a limit

HiGHS keeps the program and its last basis, so that after new rows it goes on from the last solution (a warm start).

The upper bound is not the solver's optimum, which is exact only within its tolerances, but what the prices of the cuts
(their dual values) prove: charge every family the prices of the cuts that contain it, and let every child choose its
best family at these prices, cycles or not. A DAG pays at most limit x price for each cut, so no DAG scores more than

    the sum over children of the best priced score  +  the sum over cuts of limit x price.

A child that chooses another family than its best lowers this bound by the difference. If the bound then falls to the
score of a known graph, the family is in no better one and is left out (reduced-cost fixing).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bnteach.learn.search.parent_sets import Names, ParentSets

ZERO = 1e-6  # fractions below this are 0
EXACT = 1e-9  # the solver's tolerance
SLACK = 1e-3  # a cut with more room than this is not tight

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


class Relaxation:
    """The relaxation with the cuts so far. `solution` and `bound` are those of the last `solve`."""

    def __init__(self, choices: Sequence[ParentSets]):
        self.names: Names = tuple(choice.child for choice in choices)
        self.families = [(choice.child, parents) for choice in choices for parents in choice.sets]
        index = {name: i for i, name in enumerate(self.names)}
        self.child = np.array([index[child] for child, _ in self.families])
        self.inside = np.array([[name in parents for name in self.names] for _, parents in self.families])
        least = np.array([next(iter(choice.sets.values())) for choice in choices])  # without optional parents
        self.base = float(least.sum())
        self.gains = np.array([value for choice in choices for value in choice.sets.values()]) - least[self.child]
        self.first = np.flatnonzero(np.diff(self.child, prepend=-1))  # the first family of each child
        self.kept = np.ones(len(self.families), dtype=bool)  # not yet left out by reduced costs
        self.allowed = self.kept.copy()  # of these, the families that the current node allows
        self.solution, self.bound, self.loss = np.zeros(len(self.families)), np.inf, np.zeros(len(self.families))
        self._start()

    def _start(self) -> None:
        import highspy
        from scipy.sparse import csr_array

        size = len(self.families)
        self.lp: Any = highspy.Highs()  # type: ignore[no-untyped-call]
        self.optimal, self.infeasible = highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kInfeasible
        for option, value in {"output_flag": False, "threads": 1, "random_seed": 0, "dual_feasibility_tolerance": EXACT,
                              "primal_feasibility_tolerance": EXACT}.items():
            self.lp.setOptionValue(option, value)
        self._columns = np.arange(size, dtype=np.int32)
        self.lp.addVars(size, np.zeros(size), np.full(size, np.inf))
        self.lp.changeColsCost(size, self._columns, -self.gains.round(7))  # so that rounding decides no tie
        self.rows: Any = csr_array((0, size))
        self.limits = np.zeros(0)
        rows, ones = self.all_rows()
        self._add_rows(rows, ones, ones)

    def add(self, rows: Any, limits: Floats) -> int:
        """Add cuts: rows @ solution <= limits. Return their number."""
        from scipy.sparse import csr_array, vstack

        cuts = csr_array(rows, dtype=float)
        self._add_rows(cuts, np.full(len(limits), -np.inf), limits)
        self.rows, self.limits = vstack([self.rows, cuts], format="csr"), np.append(self.limits, limits)
        return len(limits)

    def all_rows(self) -> tuple[Any, Floats]:
        """The rows of the children and the cuts, with their limits."""
        from scipy.sparse import csr_array, vstack

        one_each = csr_array(self.child == np.arange(len(self.names))[:, None], dtype=float)
        return vstack([one_each, self.rows], format="csr"), np.append(np.ones(len(self.names)), self.limits)

    def _add_rows(self, rows: Any, lower: Floats, upper: Floats) -> None:
        self.lp.addRows(len(upper), lower, upper, rows.nnz, rows.indptr[:-1].astype(np.int32),
                        rows.indices.astype(np.int32), rows.data)

    def allow(self, allowed: Bools) -> None:
        """Restrict the program to some of the families that are kept."""
        self.allowed = allowed & self.kept
        upper = np.where(self.allowed, np.inf, 0.0)
        self.lp.changeColsBounds(len(upper), self._columns, np.zeros(len(upper)), upper)

    def solve(self) -> float:
        """Solve the program and return an upper bound; minus infinity if no solution is left."""
        self.bound = -np.inf
        if np.logical_or.reduceat(self.allowed, self.first).all() and self._run() == self.optimal:
            found = self.lp.getSolution()
            self.solution = np.array(found.col_value)
            self._price(np.maximum(-np.array(found.row_dual)[len(self.names):], 0))
        return self.bound

    def _run(self) -> Any:
        """Run the solver, if need be once more from scratch; return whether the program is optimal or infeasible."""
        for _ in range(2):
            self.lp.run()
            if (status := self.lp.getModelStatus()) in (self.optimal, self.infeasible):
                return status
            self.lp.clearSolver()
        raise RuntimeError(f"the solver stopped without a solution: {self.lp.modelStatusToString(status)}. "
                           f"Try a smaller max_parents.")

    def _price(self, prices: Floats) -> None:
        """The bound that prices of the cuts prove, and by how much each family lowers it."""
        priced = np.where(self.allowed, self.gains - self.rows.T @ prices, -np.inf)
        best = np.maximum.reduceat(priced, self.first)
        self.bound = self.base + float(best.sum() + prices @ self.limits)
        self.loss = best[self.child] - priced

    def leave_out(self, score: float) -> None:
        """Leave out the families with which no graph scores more than this: the bound falls below it."""
        self.kept &= self.bound - self.loss > score
        self.allow(self.allowed)

    def drop_slack_cuts(self) -> None:
        """Delete the cuts that are not tight in the solution."""
        loose = self.limits - self.rows @ self.solution > SLACK
        places = (len(self.names) + np.flatnonzero(loose)).astype(np.int32)
        self.lp.deleteRows(len(places), places)
        self.rows, self.limits = self.rows[~loose], self.limits[~loose]

    @property
    def crowded(self) -> bool:
        """Are there many more cuts than the solution needs?"""
        return len(self.limits) > 1200 + 3 * int((self.solution > ZERO).sum())

    # -- the solution ------------------------------------------------------------------------------------
    @property
    def integral(self) -> bool:
        """Is every family chosen or not, and none by a fraction?"""
        return not ((self.solution > ZERO) & (self.solution < 1 - ZERO)).any()

    def chosen(self) -> dict[str, Names]:
        """The parents of each variable, if the solution is in whole numbers."""
        return dict(self.families[i] for i in np.flatnonzero(self.solution > 0.5).tolist())

    @property
    def arcs(self) -> Floats:
        """How much of each arc the solution has: parents x children."""
        found = np.zeros((len(self.names), len(self.names)))
        used = np.flatnonzero(self.solution > ZERO)
        np.add.at(found.T, self.child[used], self.inside[used] * self.solution[used, None])
        return found

    def named_arcs(self) -> tuple[tuple[str, str, float], ...]:
        """The arcs of the solution: parent, child, and how much of the arc."""
        arcs = self.arcs.round(4)
        return tuple((self.names[a], self.names[b], float(arcs[a, b])) for a, b in np.argwhere(arcs > 0).tolist())
