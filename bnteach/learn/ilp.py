"""Structure learning as an integer linear program, solved with cutting planes.

A variable z per family (child X with parents U), 1 if the graph has it and 0 if not. The score is a sum over families,
so it is linear in z:

    maximise      the sum of score(X, U) z(X, U)
    subject to    one parent set per X:     the sum over U of z(X, U) is 1
                  cluster constraints:      each cluster C of variables has a member whose parents are all outside C,
                                            the sum over X in C and U outside C of z(X, U) is at least 1

The cluster constraints say that there is no cycle, since all variables on a cycle have a parent on it. There are 2^n of
them, so they are added as cutting planes: solve, find cycles, add the constraints of their clusters, solve again. Each
solution before the last has cycles and is an upper bound: no graph scores more. The LP relaxation, in which z may be a
fraction, is solved much faster, so most constraints are found with it first. scipy brings the solver, HiGHS. Families
that cannot be part of a best graph are left out (search/parent_sets.py), and `max_parents` keeps the others few.
Lesson 11.

>>> from bnteach import MDL, datasets
>>> found = ilp(MDL(datasets.five_rows()))
>>> round(found.score, 4), found.limited
(-19.7521, False)
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from bnteach.graphs.dag import DAG
from bnteach.learn.search.cutting_planes import Program, cycles
from bnteach.learn.search.orders import graph_of
from bnteach.learn.search.parent_sets import ParentSets, undominated
from bnteach.learn.search.ties import TOLERANCE
from bnteach.learn.steps.ilp import Limited, Listed, Relaxed, Solved
from bnteach.progress import Progress
from bnteach.scores.base import Score
from bnteach.trace import Result, Step, stepwise


@dataclass(frozen=True)
class ProgramResult(Result[DAG]):
    """A Result with the rounds and cuts that it took, and whether the limit on parents excludes a better graph.

    `limited` is False if no graph at all scores more, True if one with more parents is known that does, and None
    if that is not known.
    """

    limited: bool | None = False
    rounds: int = 0
    cuts: int = 0


@stepwise
def ilp(score: Score, max_parents: int | None = None, relax: bool = True) -> Generator[Step, None, ProgramResult]:
    """Find the best of all DAGs by integer linear programming.

    Parameters
    ----------
    score : Score
    max_parents : int, optional
        The largest number of parents of a variable. It keeps the program small.
    relax : bool
        Add cluster constraints from the LP relaxation first. False adds only those of cycles, which takes longer and is
        easier to follow.

    Returns
    -------
    ProgramResult
        ``graph``, ``score``, the numbers of ``rounds`` and ``cuts``, and ``limited``: whether max_parents excludes a
        better graph.

    Examples
    --------
    >>> from bnteach import MDL, datasets
    >>> found = ilp(MDL(datasets.five_rows()), max_parents=2)
    >>> found.graph, found.limited
    (DAG('A->C, B->C, B->D'), False)

    References
    ----------
    Jaakkola, Sontag, Globerson and Meila (2010), Learning Bayesian network structure using LP relaxations, AISTATS;
    Cussens (2011), Bayesian network learning with cutting planes, UAI. Lesson 11.
    """
    choices = list_families(score, max_parents)
    yield Listed(score.variables, sum(c.evaluated for c in choices), sum(len(c.sets) for c in choices))
    program, rounds = Program(choices), 0
    if relax:
        yield relax_first(program)
    while True:
        rounds += 1
        families = program.solve()
        clusters = cycles(families)
        total = sum(choice.sets[families[choice.child]] for choice in choices)
        yield Solved(rounds, total, len(program.clusters), families, clusters)
        if not clusters:
            break
        program.add_cuts(clusters)
    graph = graph_of(families, score)
    limit = find_limit(score, graph, choices, max_parents)
    if limit:
        yield limit
    return ProgramResult(graph, score=score(graph), limited=limit.limited if limit else False, rounds=rounds,
                         cuts=len(program.clusters))


def list_families(score: Score, max_parents: int | None) -> list[ParentSets]:
    """The undominated parent sets of each variable."""
    found = []
    with Progress("listing families", total=len(score.variables), unit=" variables") as progress:
        for child in score.variables:
            found.append(undominated(score, child, max_parents))
            progress.step()
    return found


def relax_first(program: Program) -> Relaxed:
    """Solve the LP relaxation and add the most violated cluster constraint, until none is violated."""
    program.add_pair_cuts()
    with Progress("LP relaxation", unit=" rounds") as progress:
        while True:
            progress.step()
            bound, cluster = program.relax()
            if cluster is None:
                return Relaxed(progress.done, len(program.clusters), bound)
            program.add_cuts([cluster])


def find_limit(score: Score, graph: DAG, choices: list[ParentSets], max_parents: int | None) -> Limited | None:
    """Whether graphs with more parents can be better: no by the upper bounds, yes by an example, or not known."""
    if max_parents is None or max_parents >= len(score.variables) - 1:
        return None
    if all(choice.complete for choice in choices):
        return Limited(max_parents, False, "no larger parent set can raise the score of its child")
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
