"""Exact search: the best of all DAGs, by dynamic programming over subsets of the variables.

Every DAG has a sink, a variable that is no parent. Remove the sink of the best graph, and the rest must be the best
graph on the other variables. So, for every subset S of the variables, from small ones to large ones:

    best(S)  =  max over X in S of   best(S without X)  +  best family score of X with parents within S without X

The best parents of X within a set C are C itself, or the best within C without one of its members. At the end, read
the sinks back from the set of all variables: one after the other, they give an order in reverse. The search visits
2^n subsets in place of all DAGs, of which there are more than 2^(n(n-1)/2). Silander and Myllymäki 2006. Lesson 11.

Time and memory double with each variable: 20 binary variables x 1,000 rows take seconds and 130 MB, and about 25
variables fill the memory of a computer. `limit` is the number of MB that may be used.

Ties: of graphs with equal scores, one with fewer parents is found, whose arcs lead from earlier variables to later
ones where possible.

>>> from bnteach import MDL, datasets
>>> found = exact(MDL(datasets.five_rows()))
>>> found.graph, round(found.score, 4), found.order
(DAG('A->C, B->C, B->D'), -19.7521, ('A', 'B', 'C', 'D'))
>>> print(found.trace[-4:])
1. the sink of A, B, C, D is D, with parents {B}: -5.5670
2. the sink of A, B, C is C, with parents {A, B}: -4.6439
3. the sink of A, B is B, with parents {}: -4.7706
4. the sink of A is A, with parents {}: -4.7706
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.learn.search.constraints import Arcs, Constraints, Tiers
from bnteach.learn.search.orders import graph_of
from bnteach.learn.steps.exact import Layered, Names, Placed, Planned, Solved
from bnteach.scores.base import Score
from bnteach.tables.contingency import subset_bit
from bnteach.trace import Result, Step, stepwise

REPORTED = 5  # up to this many variables, the trace reports the best graph on every subset


class TooLarge(ValueError):
    """The search would need more memory than is allowed."""


@dataclass(frozen=True)
class ExactResult(Result[DAG]):
    """A Result with a topological order of the graph."""

    order: Names = ()


@stepwise
def exact(score: Score, max_parents: int | None = None, limit: float = 4000, required: Arcs = (),
          forbidden: Arcs = (), tiers: Tiers = ()) -> Generator[Step, None, ExactResult]:
    """Find the best of all DAGs by dynamic programming over subsets.

    Parameters
    ----------
    score : Score
    max_parents : int, optional
        The largest number of parents of a variable.
    limit : float
        The memory that may be used, in MB; a larger search is refused before it begins.
    required, forbidden, tiers
        Background knowledge, as in `hill_climb`.

    Returns
    -------
    ExactResult
        ``graph``, ``score`` and ``order``, a topological order.

    Examples
    --------
    >>> from bnteach import MDL, datasets
    >>> exact(MDL(datasets.five_rows()), max_parents=1).graph
    DAG('A->C, B->D, C->B')

    References
    ----------
    Silander and Myllymäki (2006), A simple approach for finding the globally optimal Bayesian network structure,
    UAI. Lesson 11.
    """
    names = score.variables
    constraints = Constraints.read(names, required, forbidden, tiers, max_parents)
    yield plan(names, limit)
    best = [best_within(constraints.restrict(child, [name for name in names if name != child], families))
            for child, families in zip(names, score.over_subsets(max_parents))]
    subsets = Subsets(names, best, tolerance=1e-12 * max(1.0, abs(score(DAG((), names)))))
    for size in range(1, len(names) + 1):
        subsets.solve(size)
        yield from subsets.report(size)
    families: dict[str, Names] = {}
    rest = names
    while rest:
        sink, parents, value = subsets.sink_of(rest)
        yield Placed(sink, parents, value, rest)
        families[sink] = parents
        rest = tuple(name for name in rest if name != sink)
    graph = graph_of(families, score)
    return ExactResult(graph, score=score(graph), order=tuple(families)[::-1])


def plan(names: Names, limit: float) -> Planned:
    """The size of the search; an error if it is too large."""
    n = len(names)
    subsets, families = 2**n, n * 2 ** (n - 1)
    megabytes = (8 * families + 40 * subsets) / 1e6
    if megabytes > limit:
        raise TooLarge(f"exact search over {n} variables needs {megabytes:,.0f} MB of memory, and {limit:,.0f} MB may "
                       f"be used (limit=). Use {_largest(limit)} variables or fewer, bn.ilp(score, max_parents=3) or "
                       f"bn.hill_climb(score), or raise the limit if this machine has that much memory.")
    return Planned(names, subsets, families, megabytes)


def _largest(limit: float) -> int:
    """The largest number of variables that fits into so much memory."""
    return max((n for n in range(1, 60) if (4 * n + 40) * 2**n / 1e6 <= limit), default=1)


def best_within(families: np.ndarray) -> np.ndarray:
    """For each set of candidates the best score of parents within it: of the set itself, or without one member."""
    best = families.copy()
    for axis in range(best.ndim):
        halves = np.moveaxis(best, axis, 0)  # the sets without this candidate, then those with it
        np.maximum(halves[1:], halves[:1], out=halves[1:])
    return best


class Subsets:
    """For each subset the best total score and the sink of the best graph.

    A subset is a number with one bit per variable; the first variable has the highest bit. Of A, B, C, the subset
    {A, C} is 0b101. It does not contain B; among the subsets of A and C, without the bit of B, it is 0b11. This is its
    index in `best` of B, which has the best score of B with parents within each subset of the others.
    """

    def __init__(self, names: Names, best: list[np.ndarray], tolerance: float):
        self.names, self.n, self.tolerance = names, len(names), tolerance
        self.best = [table.ravel() for table in best]
        self.total = np.full(2**self.n, -np.inf)
        self.total[0] = 0.0
        self.sink = np.zeros(2**self.n, dtype=np.int8)
        self._sizes = np.bitwise_count(np.arange(2**self.n, dtype=np.uint32))

    def solve(self, size: int) -> None:
        """The best sink of every subset of this size; of equal ones, the last in the order of the variables."""
        subsets = np.flatnonzero(self._sizes == size)
        for x in reversed(range(self.n)):
            bit = subset_bit(x, self.n)
            here = subsets[(subsets & bit) > 0]
            rest = here - bit  # the same subsets without x
            value = self.total[rest] + self.best[x][self.among_others(rest, x)]
            better = value > self.total[here] + self.tolerance
            self.total[here[better]] = value[better]
            self.sink[here[better]] = x

    def among_others(self, subsets: np.ndarray, x: int) -> np.ndarray:
        """Subsets that do not contain x, as subsets of the other variables: the bits above that of x move down."""
        below = subset_bit(x, self.n) - 1
        return (subsets >> 1 & ~below) | (subsets & below)

    def number(self, names: Iterable[str]) -> int:
        """The number of a subset."""
        return sum(subset_bit(self.names.index(name), self.n) for name in names)

    def sink_of(self, among: Names) -> tuple[str, Names, float]:
        """The sink of the best graph on these variables, its best parents, and their score."""
        x = int(self.sink[self.number(among)])
        candidates = [name for name in among if name != self.names[x]]
        value = self._within(x, candidates)
        for name in reversed(candidates):  # drop the parents that are not needed
            fewer = [other for other in candidates if other != name]
            if self._within(x, fewer) >= value - self.tolerance:
                candidates = fewer
        return self.names[x], tuple(candidates), float(value)

    def _within(self, x: int, candidates: list[str]) -> float:
        return float(self.best[x][self.among_others(np.array(self.number(candidates)), x)])

    def report(self, size: int) -> Iterator[Step]:
        """The steps for the subsets of one size."""
        subsets = list(combinations(self.names, size)) if self.n <= REPORTED else []
        for names in subsets:
            if (total := float(self.total[self.number(names)])) > -np.inf:  # otherwise a required parent is missing
                sink, parents, _ = self.sink_of(names)
                yield Solved(names, sink, parents, total)
        if not subsets:
            yield Layered(size, int((self._sizes == size).sum()))
