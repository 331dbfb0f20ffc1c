"""Branch and bound: the best parents for each variable among those before it, without scoring every set.

The parent sets of X form a tree. Its root is the empty set; the children of a set add one candidate after its last
one, so that every set occurs once: 2^m sets for m candidates. Search the tree depth first, and keep the best score s
so far. At a set U,

    every set below U lies between U and U+, which is U with all candidates that may still be added.
    Its fit is at most that of U+, since more parents never lower the fit; its penalty is at least that of U.
    So no set at or below U scores more than the upper bound     fit(X, U+) - penalty(X, U).

If this bound does not exceed s, U and all sets below it are pruned. The result is the optimum for this order.
The slides print the penalty of the bound as psi(N) ||U||; that of a family is psi(N) ||X U||, which prunes more.
Candidates in order of the entropy that they leave lead to good sets early, and so to more pruning.
Suzuki 1996, Tian 2000; Darwiche 2009, chapter 17. Lesson 10.

>>> from bnteach import MDL, datasets
>>> found = branch_and_bound(MDL(datasets.five_rows()), "ABCD")
>>> found.graph, found.visited, found.pruned
(DAG('A->C, B->C, B->D'), 8, 7)
>>> print(found.search("D"))
1. D has 8 parent sets among A, B, C
...
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from math import comb

from bnteach.graphs.dag import DAG
from bnteach.learn.search.constraints import Arcs, Constraints, Tiers
from bnteach.learn.search.orders import graph_of, read_order
from bnteach.learn.search.ties import TOLERANCE
from bnteach.learn.steps.branch_and_bound import Chosen, Incumbent, Names, Pruned, Started, Visited, node_name
from bnteach.scores.base import Score, as_dag
from bnteach.scores.penalised import PenalisedLikelihood
from bnteach.trace import Drawing, Result, Step, Trace, stepwise


@dataclass(frozen=True)
class BoundResult(Result[DAG]):
    """A Result with the number of parent sets visited and pruned, and the search for each variable."""

    visited: int = 0
    pruned: int = 0

    def search(self, child: str) -> Trace:
        """The steps of the search for the parents of one variable: to print, to tabulate, to play."""
        steps = [step for step in self.trace if getattr(step, "child", None) == child]
        if not steps:
            raise ValueError(f"there was no search for the parents of {child!r}; the variables are "
                             f"{', '.join(self.graph.nodes)}.")
        return Trace(steps)

    def tree(self, child: str) -> Drawing:
        """The tree of parent sets of one variable after the search, pruned sets in grey: for bn.draw."""
        return list(self.search(child).replay())[-1][1]

    def labels(self, child: str) -> dict[str, str]:
        """The score and the upper bound of each set that was visited or pruned: for bn.draw's ``node_labels``."""
        return {node_name(child, step.parents): step.label for step in self.search(child)
                if isinstance(step, Visited | Pruned)}


@stepwise
def branch_and_bound(score: Score, order: str | Iterable[str], candidates: str = "given",
                     max_parents: int | None = None, start: DAG | Result[DAG] | str | None = None, required: Arcs = (),
                     forbidden: Arcs = (), tiers: Tiers = ()) -> Generator[Step, None, BoundResult]:
    """Find the best parents for each variable among those before it.

    Parameters
    ----------
    score : Score
        A penalised likelihood (LogLikelihood, AIC, MDL, BIC), which gives an upper bound.
    order : str or names
        All variables, each once.
    candidates : {"given", "entropy"}
        Search the candidates in the order given, or those first that leave the least entropy of the child.
    max_parents : int, optional
        The largest number of parents of a variable.
    start : DAG, Result or str, optional
        A graph whose arcs follow the order, such as K3's: its parent sets are the first incumbents, so that sets are
        pruned from the beginning.
    required, forbidden : str or pairs
        Arcs such as ``"A->B, C->D"``.
    tiers : sequence of names
        Groups of variables in time: no arc leads from a later group to an earlier one.

    Returns
    -------
    BoundResult
        ``graph``, the numbers ``visited`` and ``pruned``, and ``search(child)``.

    Examples
    --------
    >>> from bnteach import MDL, datasets, k3
    >>> branch_and_bound(MDL(datasets.five_rows()), "ABCD", candidates="entropy").pruned
    7
    >>> score = MDL(datasets.five_rows())
    >>> branch_and_bound(score, "ABCD", start=k3(score, "ABCD")).visited
    6

    References
    ----------
    Suzuki (1996), ICML; Tian (2000), UAI; Darwiche (2009), Modeling and Reasoning with Bayesian Networks,
    chapter 17. Lesson 10.
    """
    order, arrange, penalised = read_order(order, score.variables), _arrangement(candidates), _check(score)
    constraints = Constraints.read(order, required, forbidden, tiers, max_parents)
    constraints.check_order(order)
    known = None if start is None else _read_start(start, order, constraints)
    families, visited, pruned = {}, 0, 0
    for i, child in enumerate(order):
        always = tuple(name for name in order[:i] if name in constraints.required_parents(child))
        optional = [name for name in constraints.candidates(child, order[:i]) if name not in always]
        search, among = Search(penalised, child, max_parents), arrange(penalised, child, optional)
        yield Started(child, among, always)
        if known is not None:
            yield search.begin(known.parents(child))
        yield from search.descend(always, among)
        yield Chosen(child, search.parents, search.best, search.visited, search.pruned)
        families[child] = search.parents
        visited, pruned = visited + search.visited, pruned + search.pruned
    graph = graph_of(families, score)
    return BoundResult(graph, score=score(graph), visited=visited, pruned=pruned)


class Search:
    """The search for the parents of one variable: the best set so far, and the numbers visited and pruned."""

    def __init__(self, score: PenalisedLikelihood, child: str, max_parents: int | None = None):
        self.score, self.child = score, child
        self.limit = len(score.variables) if max_parents is None else max_parents
        self.best = float("-inf")
        self.parents: Names = ()
        self.visited = self.pruned = 0

    def begin(self, parents: Names) -> Incumbent:
        """Take the parents of a known graph for the best set so far."""
        self.parents, self.best = parents, self.score.family(self.child, parents)
        return Incumbent(self.child, parents, self.best)

    def descend(self, parents: Names, later: Names) -> Generator[Step, None, None]:
        """Visit a set and all below it, or prune them."""
        bound = self.score.upper_bound(self.child, parents, later)
        if bound <= self.best + TOLERANCE:
            below = sets_below(len(later), self.limit - len(parents))
            self.pruned += below
            yield Pruned(self.child, parents, bound, self.best, below, later)
            return
        value = self.score.family(self.child, parents)
        self.visited += 1
        yield Visited(self.child, parents, bound, value, self.best)
        if value > self.best + TOLERANCE:
            self.best, self.parents = value, parents
        if len(parents) < self.limit:
            for i, name in enumerate(later):
                yield from self.descend((*parents, name), later[i + 1:])


def sets_below(candidates: int, limit: int) -> int:
    """The number of sets that add at most `limit` of the candidates to a set, the set itself included.

    >>> sets_below(4, 4), sets_below(2, 3)      # all sets for X5 from X1 to X4; those below {X2}
    (16, 4)
    """
    return sum(comb(candidates, size) for size in range(min(candidates, limit) + 1))


def _arrangement(candidates: str) -> Callable[[PenalisedLikelihood, str, Iterable[str]], Names]:
    if candidates == "given":
        return lambda score, child, before: tuple(before)
    if candidates == "entropy":  # the fit is -N times the entropy of the child given the candidate
        return lambda score, child, before: tuple(sorted(before, key=lambda name: -round(score.fit(child, [name]), 9)))
    raise ValueError(f"candidates={candidates!r} is unknown; use 'given' for the order given, or 'entropy' "
                     f"for those first that leave the least entropy.")


def _check(score: Score) -> PenalisedLikelihood:
    if not isinstance(score, PenalisedLikelihood):
        raise ValueError(f"branch and bound needs a penalised likelihood (LogLikelihood, AIC, MDL, BIC) for its upper "
                         f"bound, not {type(score).__name__}. Use bn.exact for this score.")
    return score


def _read_start(start: DAG | Result[DAG] | str, order: Names, constraints: Constraints) -> DAG:
    """The graph to start from, if it follows the order and the constraints."""
    dag = as_dag(getattr(start, "graph", start), order)
    if against := [(a, b) for a, b in dag.arcs if order.index(a) > order.index(b)]:
        raise ValueError(f"{against[0][0]}->{against[0][1]} does not follow the order {', '.join(order)}: start from a "
                         f"graph that does, such as bn.k3(score, order).")
    return constraints.build(dag.arcs, order, strict=True)
