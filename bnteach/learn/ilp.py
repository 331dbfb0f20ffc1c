"""Structure learning as an integer linear program, solved by branch and cut.

A variable z per family (child X with parents U), 1 if the graph has it and 0 if not. The score is a sum over families,
so it is linear in z:

    maximise      the sum of score(X, U) z(X, U)
    subject to    one parent set per X:     the sum over U of z(X, U) is 1
                  cluster constraints:      each cluster C of variables has a member whose parents are all outside C

The cluster constraints say that there is no cycle, since all variables on a cycle have a parent on it. There are 2^n of
them, and whole numbers are hard, so

    relax     let z be a fraction and leave the constraints out: a linear program (LP), solved at once;
    bound     its optimum is an upper bound: no graph scores more. If a known graph, the incumbent, does as well, stop;
    cut       add inequalities that every DAG obeys and this solution does not (search/cuts), and solve again;
    branch    where no cut helps, split the problem: graphs with some arc, and graphs without it (search/branching.py).

The first incumbent comes from a search over orders (search/best_in_order.py), the next ones from the solutions of the
relaxation. Families that cannot be part of a best graph are left out (search/parent_sets.py), and `max_parents` keeps
the others few. HiGHS solves the linear programs (search/relaxation.py). Lesson 11.

>>> from bnteach import MDL, datasets
>>> found = ilp(MDL(datasets.five_rows()))
>>> round(found.score, 4), found.gap, found.limited
(-19.7521, 0.0, False)
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from bnteach.errors import DataError
from bnteach.graphs.dag import DAG
from bnteach.learn.search.best_in_order import BestInOrder, Order
from bnteach.learn.search.branching import Node, OpenNodes, branch
from bnteach.learn.search.constraints import Arcs, Constraints, Tiers
from bnteach.learn.search.cuts.clusters import add_clusters, violated_clusters
from bnteach.learn.search.cuts.cycles import cycles
from bnteach.learn.search.cuts.zero_half import add_zero_half_cuts
from bnteach.learn.search.orders import graph_of
from bnteach.learn.search.parent_sets import ParentSets, undominated
from bnteach.learn.search.relaxation import Relaxation
from bnteach.learn.search.ties import TOLERANCE
from bnteach.learn.steps.ilp import Branched, Cut, Improved, Interrupted, Limited, Listed, Proved, Relaxed, Started
from bnteach.progress import Progress
from bnteach.scores.base import Score
from bnteach.trace import Result, Step, stepwise

RESTARTS = 100  # of the search over orders
FEW_CUTS = 10  # with fewer cluster constraints than this, zero-half cuts are looked for as well
STALLED = {True: 10, False: 4}  # rounds without progress after which to branch, at the root and below it


@dataclass(frozen=True)
class ProgramResult(Result[DAG]):
    """A Result with an upper bound on all graphs, and what it took to find it.

    `gap` is the bound less the score; 0 means that the graph is proven to be optimal. `limited` is False if the limit
    on parents excludes no better graph, True if one with more parents is known, and None if that is not known.
    """

    bound: float = np.inf
    gap: float = np.inf
    limited: bool | None = False
    rounds: int = 0
    cuts: int = 0
    nodes: int = 0


@stepwise
def ilp(score: Score, max_parents: int | None = None, required: Arcs = (), forbidden: Arcs = (), tiers: Tiers = (),
        zero_half: bool = True) -> Generator[Step, None, ProgramResult]:
    """Find the best of all DAGs by integer linear programming.

    An interrupt (Ctrl-C, or the stop button of a notebook) ends the search with the best graph so far and its gap.

    Parameters
    ----------
    score : Score
    max_parents : int, optional
        The largest number of parents of a variable. It keeps the program small.
    required, forbidden : str or pairs
        Arcs such as ``"A->B, C->D"``.
    tiers : sequence of names
        Groups of variables in time: no arc leads from a later group to an earlier one.
    zero_half : bool
        Use zero-half cuts. False uses cluster constraints alone, and branches more.

    Returns
    -------
    ProgramResult
        ``graph``, ``score``, ``bound`` and ``gap``, the numbers of ``rounds``, ``cuts`` and ``nodes``, and ``limited``:
        whether max_parents excludes a better graph.

    Examples
    --------
    >>> from bnteach import MDL, datasets
    >>> found = ilp(MDL(datasets.five_rows()), max_parents=2)
    >>> found.graph, found.gap, found.limited
    (DAG('A->C, B->C, B->D'), 0.0, False)

    References
    ----------
    Jaakkola, Sontag, Globerson and Meila (2010), Learning Bayesian network structure using LP relaxations, AISTATS;
    Cussens (2011), Bayesian network learning with cutting planes, UAI; Bartlett and Cussens (2017), Integer linear
    programming for the Bayesian network structure learning problem, Artificial Intelligence 244. Lesson 11.
    """
    constraints = Constraints.read(score.variables, required, forbidden, tiers, max_parents)
    choices = list_families(score, constraints)
    yield Listed(score.variables, sum(c.evaluated for c in choices), sum(len(c.sets) for c in choices))
    search = Search(choices, constraints.adapted(score.variables), zero_half)
    yield Started(search.score, search.families)
    try:
        with Progress("branch and cut", unit=" rounds") as progress:
            while search.bound > search.target:
                search.next_node()
                yield from search.relax_and_cut(progress)
                if search.node.bound > search.target:
                    yield search.branch()
        yield Proved(search.score, search.families, search.nodes)
    except KeyboardInterrupt:
        yield Interrupted(search.score, search.families, search.bound)
    graph = graph_of(search.families, score)
    limit = find_limit(score, graph, choices, max_parents)
    if limit:
        yield limit
    total = score(graph)
    gap = max(0.0, search.bound - search.score) if search.bound > search.target else 0.0
    return ProgramResult(graph, score=total, bound=total + gap, gap=gap, limited=limit.limited if limit else False,
                         rounds=search.rounds, cuts=search.cuts, nodes=search.nodes)


def list_families(score: Score, constraints: Constraints) -> list[ParentSets]:
    """The undominated parent sets of each variable."""
    found = []
    with Progress("listing families", total=len(score.variables), unit=" variables") as progress:
        for child in score.variables:
            found.append(undominated(score, child, constraints))
            progress.step()
    return found


class Search:
    """The state of branch and cut: the relaxation, the incumbent (`order`, `families`, `score`) and the open nodes."""

    def __init__(self, choices: Sequence[ParentSets], start: Sequence[str], zero_half: bool = True):
        self.relaxation, self.orders = Relaxation(choices), BestInOrder(choices)
        self.zero_half, self.random = zero_half, np.random.default_rng(0)
        self.tolerance = TOLERANCE * len(choices)  # a score is a sum, and each term is exact up to TOLERANCE
        order = tuple(self.relaxation.names.index(name) for name in start)
        self._set_incumbent(self.orders.search(order, RESTARTS))
        self.node = Node(sum(max(choice.sets.values()) for choice in choices))  # cycles or not, no graph scores more
        self.open = OpenNodes(self.node)
        self.rounds = self.cuts = self.nodes = 0

    def _set_incumbent(self, order: Order) -> None:
        self.order, self.score, self.families = order, self.orders.score(order), self.orders.families(order)
        self.target = self.score + self.tolerance

    @property
    def bound(self) -> float:
        """An upper bound on the score of every graph."""
        return max(self.score, self.node.bound, self.open.bound)

    def next_node(self) -> None:
        """Restrict the relaxation to the open node with the greatest bound."""
        self.node, self.nodes = self.open.take(), self.nodes + 1
        self.relaxation.allow(self.node.families(self.relaxation))

    def relax_and_cut(self, progress: Progress) -> Generator[Step, None, None]:
        """Solve the relaxation and add cuts, until the bound falls to the incumbent, no cut is found, or none helps."""
        stalled, root = 0, not self.node.decisions
        while stalled < STALLED[root]:
            before = self.node.bound
            self._solve()
            if self._improve():
                yield Improved(self.score, self.families)
            yield Relaxed(self.nodes, self.rounds, self.node.bound, self.score, self.relaxation.named_arcs())
            progress.step()
            progress.show(f"incumbent {self.score:.4f}, bound {self.bound:.4f}, gap {self.bound - self.score:.4f}")
            if self.node.bound <= self.target or not (cut := self._cut()).cuts:
                if self.relaxation.integral:  # a DAG, so the incumbent scores as much, up to the solver's tolerance
                    self.node = self.node.bounded(self.score)
                break
            if root and not cut.cycles:
                self.relaxation.leave_out(self.target)
            yield cut
            stalled = stalled + 1 if before - self.node.bound < 0.01 * (self.node.bound - self.score) else 0

    def _solve(self) -> None:
        if self.relaxation.crowded:
            self.relaxation.drop_slack_cuts()
        self.rounds += 1
        self.node = self.node.bounded(self.relaxation.solve())

    def _improve(self) -> bool:
        """Look for a better graph near the solution, from an order that agrees with it."""
        order = self.orders.climb(self.orders.near(self.relaxation))
        if better := self.orders.score(order) > self.target:
            self._set_incumbent(order)
        return better

    def _cut(self) -> Cut:
        """Add cuts: of cycles, if the solution is in whole numbers; otherwise clusters, and if few, zero-half cuts."""
        if self.relaxation.integral:
            found = cycles(self.relaxation.chosen())
            members = np.array([[name in cluster for name in self.relaxation.names] for cluster in found], dtype=bool)
            clusters, halves = add_clusters(self.relaxation, members), 0
        else:
            found, new = (), [(violated_clusters(self.relaxation, k), k) for k in (1, 2, 3)]
            clusters, halves = sum(add_clusters(self.relaxation, some, k) for some, k in new), 0
            if self.zero_half and clusters < FEW_CUTS:
                halves = add_zero_half_cuts(self.relaxation, self.random)
        self.cuts += clusters + halves
        return Cut(found, clusters, halves)

    def branch(self) -> Branched:
        """Split the node in two, with and without an arc, and open those whose bound exceeds the incumbent."""
        (a, b), nodes = branch(self.relaxation, self.node, self.score)
        for node in nodes:
            if node.bound > self.target:
                self.open.add(node)
        bound, self.node = self.node.bound, self.node.bounded(-np.inf)
        return Branched((self.relaxation.names[a], self.relaxation.names[b]), bound, *(node.bound for node in nodes))


def find_limit(score: Score, graph: DAG, choices: list[ParentSets], max_parents: int | None) -> Limited | None:
    """Whether graphs with more parents can be better: no by the upper bounds, yes by an example, or not known."""
    if max_parents is None or max_parents >= len(score.variables) - 1:
        return None
    if all(choice.complete for choice in choices):
        return Limited(max_parents, False, "no larger parent set can raise the score of its child")
    with suppress(DataError):  # some larger parent sets may have no score
        for child, name, gain in one_more_parent(score, graph, max_parents):
            return Limited(max_parents, True, f"with {name} as one more parent, {child} would gain {gain:.4f}")
    return Limited(max_parents, None, "larger parent sets were not evaluated")


def one_more_parent(score: Score, graph: DAG, max_parents: int) -> Iterator[tuple[str, str, float]]:
    """Each child at the limit with another parent that closes no cycle and raises the score, and the gain."""
    for child in (x for x in graph.nodes if len(graph.parents(x)) == max_parents):
        now, descendants = score.family(child, graph.parents(child)), graph.descendants(child)
        for name, value in score.with_one_more_parent(child, graph.parents(child)).items():
            if name not in descendants and value > now + TOLERANCE:
                yield child, name, value - now
