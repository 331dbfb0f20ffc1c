"""Branch and bound: the best parents for each variable among those before it, without looking at every set.

The sets of parents of X form a tree. Its root is the empty set; below a set are those with one candidate more,
taken from the candidates after its last one, so that every set comes once: 2^m sets for m candidates. Walk
through the tree depth first, and remember the best score s so far. At a set U,

    every set below U lies between U and U+, which is U and all candidates that may still be added.
    Its fit is at most that of U+, since more parents never fit worse; its penalty is at least that of U.
    So no set at or below U scores more than     fit(X, U+) - penalty(X, U).

If that bound is not above s, U and all below it are pruned. What is left is the true optimum for this order.
The slides print the penalty of the bound as psi(N) ||U||; a family's is psi(N) ||X U||, which prunes more.
Candidates that lower the entropy of X most, put first, lead to good sets early, and so to more pruning.
Suzuki 1996, Tian 2000; Darwiche 2009, chapter 17. Lesson 10.

>>> from bnteach.datasets import five_rows
>>> from bnteach.scores.base import MDL
>>> found = branch_and_bound(MDL(five_rows()), "ABCD")
>>> found.graph, found.visited, found.pruned
(DAG('A->C, B->C, B->D'), 8, 7)
>>> print(found.search("D"))
1. D has 8 sets of parents among A, B, C
...
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from math import comb, prod

from bnteach.graphs.dag import DAG
from bnteach.learn.k3 import graph_of, read_order
from bnteach.scores.base import PenalisedLikelihood, Score
from bnteach.tables.table import Table
from bnteach.trace import Drawing, Result, Step, Trace, stepwise

SAME = 1e-9  # a bound that is above the best by less is not above it
MANY_CELLS = 4096  # up to here counting cells costs next to nothing
DRAWN = 5  # candidates of which the whole tree (32 sets) is still worth drawing

Names = tuple[str, ...]


@dataclass(frozen=True)
class BoundResult(Result[DAG]):
    """A Result with the number of sets visited and pruned, and the search for each variable's parents."""

    visited: int = 0
    pruned: int = 0

    def search(self, child: str) -> Trace:
        """The steps of the search for the parents of one variable: to print, to table, to play."""
        steps = [step for step in self.trace if getattr(step, "child", None) == child]
        if not steps:
            raise ValueError(f"no parents were looked for for {child!r}; it was done for "
                             f"{', '.join(self.graph.nodes)}.")
        return Trace(steps)

    def tree(self, child: str) -> Drawing:
        """The tree of parent sets of one variable as it was searched, what was pruned in grey: for bn.draw."""
        return list(self.search(child).replay())[-1][1]


# -- what the algorithm says -----------------------------------------------------------------------------
def name_set(child: str, parents: Iterable[str]) -> str:
    """How a node of the search tree is called: "D | A, B", and "D" for no parents."""
    return f"{child} | {', '.join(parents)}" if parents else child


@dataclass(frozen=True, slots=True)
class Began(Step):
    """The tree of all parent sets of a variable, not yet searched."""

    child: str
    candidates: Names

    def __str__(self) -> str:
        among = ", ".join(self.candidates)
        return f"{self.child} has {2 ** len(self.candidates):,} sets of parents among {among}" if among else (
            f"{self.child} comes first and has no parents to choose from")

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes([self.child])
        if len(self.candidates) <= DRAWN:
            for parents, below in tree_lines(self.candidates):
                drawing.add_arc(name_set(self.child, parents), name_set(self.child, below), style="plain")


@dataclass(frozen=True, slots=True)
class Visited(Step):
    """A set that might be the best, or might have the best below it, and its score."""

    child: str
    parents: Names
    bound: float
    score: float
    best: float

    def __str__(self) -> str:
        better = "the best so far" if self.score > self.best + SAME else f"not above {self.best:.4f}"
        return f"visit {_shown(self.parents)}: {self.score:.4f}, {better}"

    def draw(self, drawing: Drawing) -> None:
        here, better = name_set(self.child, self.parents), self.score > self.best + SAME
        if here in drawing.nodes:
            if better:
                _take_back(drawing, self.child)
            drawing.style_nodes(here, style="oriented" if better else "considered")
        if self.parents and here in drawing.nodes:
            drawing.style_edge(name_set(self.child, self.parents[:-1]), here, style="kept")


@dataclass(frozen=True, slots=True)
class Pruned(Step):
    """A set that cannot be the best, nor can any below it."""

    child: str
    parents: Names
    bound: float
    best: float
    below: int
    later: Names = field(repr=False)

    def __str__(self) -> str:
        sets = f"and {self.below - 1:,} below it" if self.below > 1 else "alone"
        return (f"prune {_shown(self.parents)} {sets}: with perfect luck {self.bound:.4f}, "
                f"and {self.best:.4f} is already there")

    def draw(self, drawing: Drawing) -> None:
        here = name_set(self.child, self.parents)
        if here not in drawing.nodes:
            return
        pairs = [(name_set(self.child, self.parents[:-1]), here)] if self.parents else []
        pairs += [(name_set(self.child, self.parents + a), name_set(self.child, self.parents + b))
                  for a, b in tree_lines(self.later)]
        for a, b in pairs:
            drawing.style_edge(a, b, style="pruned")
            drawing.style_nodes(b, style="pruned")


@dataclass(frozen=True, slots=True)
class Chosen(Step):
    """The best set of parents."""

    child: str
    parents: Names
    score: float
    visited: int
    pruned: int

    def __str__(self) -> str:
        return (f"{self.child} gets {_shown(self.parents)}: {self.score:.4f}, "
                f"after {self.visited:,} sets visited and {self.pruned:,} pruned")

    def draw(self, drawing: Drawing) -> None:
        _take_back(drawing, self.child)
        if (best := name_set(self.child, self.parents)) in drawing.nodes:
            drawing.style_nodes(best, style="kept")


def _take_back(drawing: Drawing, child: str) -> None:
    """What was the best so far is so no longer."""
    for node, style in drawing.nodes.items():
        if style == "oriented" and node.partition(" | ")[0] == child:
            drawing.style_nodes(node, style="plain")


def _shown(parents: Names) -> str:
    return "{" + ", ".join(parents) + "}"


# -- the algorithm ---------------------------------------------------------------------------------------
@stepwise
def branch_and_bound(score: Score, order: str | Iterable[str], candidates: str = "given",
                     max_parents: int | None = None) -> Generator[Step, None, BoundResult]:
    """The best parents for each variable among those before it. Lesson 10.

    `candidates` is "given" to search them in the order given, or "entropy" to put those first that leave
    the least entropy of the child.
    """
    order, arrange = read_order(order, score), _arrangement(candidates)
    _check(score)
    families, visited, pruned = {}, 0, 0
    for i, child in enumerate(order):
        search = Search(score, child, max_parents)
        yield Began(child, arrange(score, child, order[:i]))
        yield from search.descend((), arrange(score, child, order[:i]))
        yield Chosen(child, search.parents, search.best, search.visited, search.pruned)
        families[child] = search.parents
        visited, pruned = visited + search.visited, pruned + search.pruned
    graph = graph_of(families, score)
    return BoundResult(graph, score=score(graph), visited=visited, pruned=pruned)


class Search:
    """The search for the parents of one variable: the best set so far, and how many sets were seen."""

    def __init__(self, score: PenalisedLikelihood, child: str, max_parents: int | None = None):
        self.score, self.child = score, child
        self.most = len(score.variables) if max_parents is None else max_parents
        self.best, self.parents = float("-inf"), ()
        self.visited = self.pruned = 0

    def descend(self, parents: Names, later: Names) -> Generator[Step, None, None]:
        """Visit a set and all below it, or prune them."""
        bound = self.bound(parents, later)
        if bound <= self.best + SAME:
            below = sets_below(len(later), self.most - len(parents))
            self.pruned += below
            yield Pruned(self.child, parents, bound, self.best, below, later)
            return
        value = self.score.family(self.child, parents)
        self.visited += 1
        yield Visited(self.child, parents, bound, value, self.best)
        if value > self.best + SAME:
            self.best, self.parents = value, parents
        if len(parents) < self.most:
            for i, name in enumerate(later):
                yield from self.descend((*parents, name), later[i + 1:])

    def bound(self, parents: Names, later: Names) -> float:
        """What no set at or below this one can exceed: the fit of the largest set, the penalty of this one."""
        return best_fit(self.score, self.child, (*parents, *later)) - (
            self.score.penalty * self.score.parameters(self.child, parents))


# -- the tree, and the order of the candidates ---------------------------------------------------------------
def sets_below(candidates: int, most: int) -> int:
    """How many sets can be made by adding at most so many of the candidates, the set itself included.

    >>> sets_below(4, 4), sets_below(2, 3)      # all sets for X5 from X1 to X4; those below {X2}
    (16, 4)
    """
    return sum(comb(candidates, size) for size in range(min(candidates, most) + 1))


def tree_lines(candidates: Names) -> list[tuple[Names, Names]]:
    """The lines of the search tree: from each set to those with one later candidate more.

    >>> tree_lines(("A", "B"))
    [((), ('A',)), (('A',), ('A', 'B')), ((), ('B',))]
    """
    lines: list[tuple[Names, Names]] = []
    for i, name in enumerate(candidates):
        lines.append(((), (name,)))
        lines += [((name, *a), (name, *b)) for a, b in tree_lines(candidates[i + 1:])]
    return lines


def best_fit(score: PenalisedLikelihood, child: str, parents: Sequence[str]) -> float:
    """The fit with all these parents, which fewer cannot exceed; 0 where cells are too many to count."""
    if isinstance(score.data, Table):
        cells = prod(len(score.data.states(name)) for name in (child, *parents))
        if cells > max(MANY_CELLS, 4 * len(score.data)):
            return 0.0  # nearly every row is alone in its cell, and no logarithm of a probability is above 0
    return score.fit(child, parents)


def _arrangement(candidates: str):
    if candidates == "given":
        return lambda score, child, before: tuple(before)
    if candidates == "entropy":  # the fit is -N times the entropy of the child given the candidate
        return lambda score, child, before: tuple(sorted(before, key=lambda name: -round(score.fit(child, [name]), 9)))
    raise ValueError(f"candidates={candidates!r} is not known here; use 'given' for the order given, or 'entropy' "
                     f"for those first that leave the least entropy.")


def _check(score: Score) -> None:
    if not isinstance(score, PenalisedLikelihood):
        raise ValueError(f"the bound needs a score that is a fit less a penalty for parameters (LogLikelihood, AIC, "
                         f"MDL, BIC); {type(score).__name__} is none. For it, use bn.exact.")
