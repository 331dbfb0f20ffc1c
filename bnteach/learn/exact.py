"""Exact search: the best of all graphs, by dynamic programming over sets of variables.

Some variable of the best graph is last: a sink, which is nobody's parent. Take it away, and what remains must be
the best graph on the other variables. So, for every set S of variables, from small sets to large ones:

    best(S)  =  the greatest, over the variables X in S, of   best(S without X) + best parents of X within S without X

and the best parents of X within a set C are C itself, or the best within C less one variable. At the end, read the
sinks back from the set of all variables: they come off one by one, and are an order. This looks at 2^n sets in
place of all DAGs, of which there are more than 2^(n(n-1)/2). Silander and Myllymäki 2006. Lesson 11.

Time and memory double with each variable: 20 binary variables x 1,000 rows take seconds and 130 MB, and at about
25 a computer's memory is full. `limit` says how many MB may be used.

Ties: of graphs that score the same, one with fewer parents is found, whose arcs lead from earlier variables to
later ones where they can.

>>> from bnteach.datasets import five_rows
>>> from bnteach.scores.base import MDL
>>> found = exact(MDL(five_rows()))
>>> found.graph, round(found.score, 4), found.order
(DAG('A->C, B->C, B->D'), -19.7521, ('A', 'B', 'C', 'D'))
>>> print(found.trace[-4:])
1. last of A, B, C, D comes D, with parents {B}: -5.5670
2. last of A, B, C comes C, with parents {A, B}: -4.6439
3. last of A, B comes B, with parents {}: -4.7706
4. last of A comes A, with parents {}: -4.7706
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.learn.k3 import graph_of
from bnteach.progress import Progress
from bnteach.scores.base import Score
from bnteach.scores.subset_scores import bit, has_joint_terms, joint_terms
from bnteach.trace import Drawing, Result, Step, stepwise

TOLD = 5  # up to so many variables the trace tells the best graph on every set, and above that only their number

Names = tuple[str, ...]


class TooLarge(ValueError):
    """The search would need more memory than it may use."""


@dataclass(frozen=True)
class ExactResult(Result[DAG]):
    """A Result with an order in which the graph's arcs lead forward."""

    order: Names = ()


# -- what the algorithm says -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Planned(Step):
    """How large the search is, said before it begins."""

    variables: Names
    sets: int
    families: int
    megabytes: float

    def __str__(self) -> str:
        memory = f"{self.megabytes:,.0f}" if self.megabytes >= 1 else "less than 1"
        return (f"{len(self.variables)} variables have {self.sets:,} sets and {self.families:,} families: "
                f"this needs {memory} MB")

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.variables)


@dataclass(frozen=True, slots=True)
class Solved(Step):
    """The best graph on one set: which variable is last, and what the others add to."""

    names: Names
    sink: str
    parents: Names
    score: float

    def __str__(self) -> str:
        return f"best on {_shown(self.names)}: {self.sink} last, with parents {_shown(self.parents)}: {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        for name in drawing.nodes:
            drawing.style_nodes(name, style="plain")
        drawing.style_nodes(*self.names, style="considered")
        for parent in self.parents:
            drawing.style_edge(parent, self.sink, style="considered")


@dataclass(frozen=True, slots=True)
class Layered(Step):
    """The best graphs on all sets of one size."""

    size: int
    sets: int

    def __str__(self) -> str:
        return f"best graphs on the {self.sets:,} sets of {self.size} variables"


@dataclass(frozen=True, slots=True)
class Placed(Step):
    """Reading back: the last variable of the best graph on what remains."""

    child: str
    parents: Names
    score: float
    among: Names

    def __str__(self) -> str:
        among = ", ".join(self.among[:8]) + (f", … {len(self.among)} variables" if len(self.among) > 8 else "")
        return f"last of {among} comes {self.child}, with parents {_shown(self.parents)}: {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.child, style="kept")
        for parent in self.parents:
            drawing.add_arc(parent, self.child, style="kept")


def _shown(names: Names) -> str:
    return "{" + ", ".join(names) + "}"


# -- the algorithm ---------------------------------------------------------------------------------------
@stepwise
def exact(score: Score, max_parents: int | None = None, limit: float = 4000) -> Generator[Step, None, ExactResult]:
    """The best of all graphs, by dynamic programming over sets of variables. Lesson 11.

    `limit` is the memory that may be used, in MB; what would need more is refused before it begins.
    """
    names = score.variables
    yield plan(names, limit)
    best = [best_within(families) for families in family_scores(score, max_parents)]
    tables = Tables(names, best, same=1e-12 * max(1.0, abs(score(DAG((), names)))))
    for size in range(1, len(names) + 1):
        tables.solve(size)
        yield from tables.tell(size)
    families: dict[str, Names] = {}
    rest = names
    while rest:
        child, parents, value = tables.last(rest)
        yield Placed(child, parents, value, rest)
        families[child] = parents
        rest = tuple(name for name in rest if name != child)
    graph = graph_of(families, score)
    return ExactResult(graph, score=score(graph), order=tuple(families)[::-1])


def plan(names: Names, limit: float) -> Planned:
    """What the search will take, or an error if that is too much."""
    n = len(names)
    sets, families = 2**n, n * 2 ** (n - 1)
    megabytes = (8 * families + 40 * sets) / 1e6
    if megabytes > limit:
        raise TooLarge(f"exact search over {n} variables needs {megabytes:,.0f} MB of memory, and {limit:,.0f} MB may "
                       f"be used (limit=). Take {_fits(limit)} variables or fewer, use bn.ilp(score, max_parents=3) or "
                       f"bn.hill_climb(score), or raise the limit if this machine has so much memory.")
    return Planned(names, sets, families, megabytes)


def _fits(limit: float) -> int:
    return max((n for n in range(1, 60) if (4 * n + 40) * 2**n / 1e6 <= limit), default=1)


def family_scores(score: Score, max_parents: int | None) -> Iterator[np.ndarray]:
    """For each variable the scores of all its families: an array with an axis for each other variable."""
    n = len(score.variables)
    if has_joint_terms(score):
        terms = joint_terms(score, max_parents)
        for x in range(n):
            alone, together = np.moveaxis(terms, x, 0)
            yield np.subtract(together, alone, out=np.full((2,) * (n - 1), -np.inf), where=together > -np.inf)
        return
    most = n - 1 if max_parents is None else min(max_parents, n - 1)
    with Progress("scoring families", total=n * 2 ** (n - 1), unit=" families") as progress:
        for child in score.variables:
            others = [name for name in score.variables if name != child]
            scores = np.full(2 ** (n - 1), -np.inf)
            for chosen in (c for size in range(most + 1) for c in combinations(range(n - 1), size)):
                progress.step()
                parents = tuple(others[i] for i in chosen)
                scores[sum(bit(i, n - 1) for i in chosen)] = score.compute_family(child, parents)
            yield scores.reshape((2,) * (n - 1))


def best_within(families: np.ndarray) -> np.ndarray:
    """For each set of candidates the best score of parents within it: of the set, or of it less one variable."""
    best = families.copy()
    for axis in range(best.ndim):
        halves = np.moveaxis(best, axis, 0)  # the sets without this candidate, and those with it
        np.maximum(halves[1:], halves[:1], out=halves[1:])
    return best


class Tables:
    """The two tables of the search: for each set the best total, and which of its variables is last.

    A set is a number, a bit for each variable, the first variable the highest.
    """

    def __init__(self, names: Names, best: list[np.ndarray], same: float):
        self.names, self.n, self.same = names, len(names), same
        self.best = [table.ravel() for table in best]
        self.total = np.full(2**self.n, -np.inf)
        self.total[0] = 0.0
        self.sink = np.zeros(2**self.n, dtype=np.int8)
        self._sizes = np.bitwise_count(np.arange(2**self.n, dtype=np.uint32))

    def solve(self, size: int) -> None:
        """The best last variable of every set of this size; of equal ones, that which comes last in the data."""
        sets = np.flatnonzero(self._sizes == size)
        for x in reversed(range(self.n)):
            here = sets[(sets & bit(x, self.n)) > 0]
            rest = here ^ bit(x, self.n)
            value = self.total[rest] + self.best[x][self.leave_out(rest, x)]
            better = value > self.total[here] + self.same
            self.total[here[better]] = value[better]
            self.sink[here[better]] = x

    def leave_out(self, sets: np.ndarray, x: int) -> np.ndarray:
        """Sets without x as sets of the other variables: the bit of x is taken out."""
        low = bit(x, self.n) - 1
        return ((sets >> 1) & ~low) | (sets & low)

    def last(self, among: Names) -> tuple[str, Names, float]:
        """The last variable of the best graph on these, its best parents, and their score."""
        chosen = sum(bit(self.names.index(name), self.n) for name in among)
        x = int(self.sink[chosen])
        candidates = [name for name in among if name != self.names[x]]
        value = self._within(x, candidates)
        for name in reversed(candidates):  # leave out what is not needed
            fewer = [other for other in candidates if other != name]
            if self._within(x, fewer) >= value - self.same:
                candidates = fewer
        return self.names[x], tuple(candidates), float(value)

    def _within(self, x: int, candidates: list[str]) -> float:
        chosen = np.array(sum(bit(self.names.index(name), self.n) for name in candidates))
        return self.best[x][self.leave_out(chosen, x)]

    def tell(self, size: int) -> Iterator[Step]:
        """What to say of the sets of one size."""
        sets = list(combinations(self.names, size)) if self.n <= TOLD else []
        for names in sets:
            sink, parents, _ = self.last(names)
            chosen = sum(bit(self.names.index(name), self.n) for name in names)
            yield Solved(names, sink, parents, float(self.total[chosen]))
        if not sets:
            yield Layered(size, int((self._sizes == size).sum()))
