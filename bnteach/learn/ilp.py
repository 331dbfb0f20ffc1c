"""The integer program: structure learning as linear inequalities, given to a solver.

A variable z for each family (child X with parents U), 1 if the graph has it and 0 if not. The score is a sum over
families, so it is linear in z:

    greatest   sum of score(X, U) z(X, U)
    so that    each X has one set of parents:                     sum over U of z(X, U) = 1
               each cluster C of variables has one that comes first: a member whose parents are all outside C:
                                                  sum over X in C, U outside C of z(X, U) >= 1

The cluster constraints say just that there is no circle: the variables on a circle all have a parent on it. There
are 2^n of them, so they are added only when they are broken: solve, look for circles, forbid those clusters, solve
again. Each answer before the last is a bound: no graph scores more. To solve with fractions allowed is much quicker
than with whole numbers, so most clusters are found that way first (the relaxation). scipy brings the solver, HiGHS.
Families that cannot be part of a best graph are left out (parent_sets.py); `max_parents` keeps the rest few.

Jaakkola et al. 2010, Cussens 2011. Lesson 11.

>>> from bnteach.datasets import five_rows
>>> from bnteach.scores.penalised import MDL
>>> found = ilp(MDL(five_rows()))
>>> round(found.score, 4), found.limited
(-19.7521, False)
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass

from bnteach.graphs.dag import DAG
from bnteach.learn.exact import exact
from bnteach.learn.search.cutting_planes import Program, circles
from bnteach.learn.search.orders import graph_of
from bnteach.learn.search.parent_sets import ParentSets, worthwhile
from bnteach.progress import Progress
from bnteach.scores.base import Score
from bnteach.trace import Drawing, Result, Step, stepwise

SAME = 1e-9  # a graph that scores more by less does not score more
FEW = 12  # with so few variables it is looked up whether a limit on parents costs anything

Names = tuple[str, ...]


@dataclass(frozen=True)
class ProgramResult(Result):
    """A Result with the rounds and cuts it took, and whether the limit on parents is in the way of a better graph.

    `limited` is False if no graph at all scores more, True if one with more parents is known that does, and None
    if that is not known.
    """

    limited: bool | None = False
    rounds: int = 0
    cuts: int = 0


# -- what the algorithm says -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Listed(Step):
    """The families that the program may choose from."""

    variables: Names
    looked: int
    kept: int

    def __str__(self) -> str:
        return f"of {self.looked:,} families looked at, {self.kept:,} can be part of a best graph"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.variables)


@dataclass(frozen=True, slots=True)
class Relaxed(Step):
    """Fractions of families were allowed, and the clusters forbidden that this broke."""

    rounds: int
    cuts: int
    bound: float

    def __str__(self) -> str:
        return (f"with fractions allowed: {_counted(self.rounds, 'round')}, {_counted(self.cuts, 'cluster')} "
                f"forbidden, and no graph scores more than {self.bound:.4f}")


@dataclass(frozen=True, slots=True)
class Solved(Step):
    """The solver's answer to the constraints so far, and the clusters in which it still has circles."""

    round: int
    score: float
    cuts: int
    families: dict[str, Names]
    clusters: tuple[Names, ...]

    def __str__(self) -> str:
        found = f"round {self.round}, {_counted(self.cuts, 'cluster')} forbidden: {self.score:.4f}"
        if not self.clusters:
            return f"{found}, and no circle: this is the best"
        shown = ", ".join("{" + ", ".join(cluster) + "}" for cluster in self.clusters[:4])
        more = f" and {len(self.clusters) - 4} more" if len(self.clusters) > 4 else ""
        return f"{found}, but circles in {shown}{more}: forbid them"

    def draw(self, drawing: Drawing) -> None:
        for a, b in list(drawing.edges):
            if a not in self.families[b] and b not in self.families[a]:
                drawing.remove_edge(a, b)
        around = [set(cluster) for cluster in self.clusters]
        for child, parents in self.families.items():
            for parent in parents:
                if child in self.families[parent]:
                    drawing.add_edge(parent, child, style="considered", label="both ways")
                else:
                    on_circle = any({child, parent} <= cluster for cluster in around)
                    drawing.add_arc(parent, child, style="considered" if on_circle else "kept")


@dataclass(frozen=True, slots=True)
class Limited(Step):
    """Is the limit on parents what keeps the graph from being better? True, False, or None if that is not known."""

    max_parents: int
    limited: bool | None
    why: str

    def __str__(self) -> str:
        return self.why


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


# -- the algorithm ---------------------------------------------------------------------------------------
@stepwise
def ilp(score: Score, max_parents: int | None = None, relax: bool = True) -> Generator[Step, None, ProgramResult]:
    """The best graph as the solution of an integer program, circles forbidden as they turn up. Lesson 11.

    With `relax`, clusters are first found with fractions allowed; without, only from circles, which is slower
    and easier to follow.
    """
    with Progress("listing families", total=len(score.variables), unit=" variables") as progress:
        choices = [_listed(score, child, max_parents, progress) for child in score.variables]
    yield Listed(score.variables, sum(c.looked for c in choices), sum(len(c.sets) for c in choices))
    program, rounds = Program(choices), 0
    if relax:
        yield relax_first(program, sum(choice.sets[()] for choice in choices))
    while True:
        rounds += 1
        families = program.solve()
        clusters = circles(families)
        yield Solved(rounds, _total(choices, families), len(program.clusters), families, clusters)
        if not clusters:
            break
        program.forbid(clusters)
    graph = graph_of(families, score)
    limit = find_limit(score, graph, choices, max_parents)
    if limit is not None:
        yield limit
    return ProgramResult(graph, score=score(graph), limited=limit is not None and limit.limited, rounds=rounds,
                         cuts=len(program.clusters))


# -- before and after the rounds -----------------------------------------------------------------------------
def relax_first(program: Program, empty: float) -> Relaxed:
    """Forbid clusters with fractions allowed, until none is broken."""
    program.forbid_pairs()
    with Progress("relaxation", unit=" rounds") as progress:
        while True:
            progress.step()
            gain, cluster = program.relax()
            if cluster is None:
                return Relaxed(progress.done, len(program.clusters), empty + gain)
            program.forbid([cluster])


def find_limit(score: Score, graph: DAG, choices: list[ParentSets], max_parents: int | None) -> Limited | None:
    """Whether graphs with more parents could be better: no, yes by an example, or not known."""
    if max_parents is None or max_parents >= len(score.variables) - 1:
        return None
    limit = f"the limit of {_counted(max_parents, 'parent')}"
    if all(choice.complete for choice in choices):
        return Limited(max_parents, False, f"{limit} is not in the way: no larger set of parents could pay for itself")
    if len(score.variables) <= FEW:
        more = exact(score).score - score(graph)
        why = f"is in the way: without it there is a graph with {more:.4f} more" if more > SAME else (
            "is not in the way: without it no graph is better")
        return Limited(max_parents, more > SAME, f"{limit} {why}")
    for child, name, gain in one_more_parent(score, graph, max_parents):
        return Limited(max_parents, True, f"{limit} is in the way: with {name} too, {child} would gain {gain:.4f}")
    return Limited(max_parents, None, f"{limit} may be in the way: larger sets of parents were not looked at")


def one_more_parent(score: Score, graph: DAG, max_parents: int) -> Iterator[tuple[str, str, float]]:
    """Children at the limit, a parent more that closes no circle, and what it would gain, if it would."""
    for child in (x for x in graph.nodes if len(graph.parents(x)) == max_parents):
        parents, below = graph.parents(child), graph.descendants(child)
        for name in (x for x in graph.nodes if x not in (child, *parents, *below)):
            gain = score.family(child, (*parents, name)) - score.family(child, parents)
            if gain > SAME:
                yield child, name, gain


def _listed(score: Score, child: str, max_parents: int | None, progress: Progress) -> ParentSets:
    progress.step()
    return worthwhile(score, child, max_parents)


def _total(choices: Iterable[ParentSets], families: dict[str, Names]) -> float:
    return sum(choice.sets[families[choice.child]] for choice in choices)
