"""The PC algorithm (Peter Spirtes and Clark Glymour): a CPDAG from conditional-independence tests.

    1. Start with the complete undirected graph.
    2. For sizes 0, 1, 2, ...: for each remaining edge x - y, test whether x and y are independent given a set of
       that size among the neighbours of x, or among those of y. The first set that separates them is their
       separating set: remove the edge.
    3. For each pair x, y that is not adjacent: a common neighbour z outside their separating set is a collider.
       Orient the v-structure x -> z <- y.
    4. Orient the edges whose direction follows (rules R1 to R3; R4 too, with background knowledge).

If the answers are those of a DAG, the outcome is the CPDAG of its equivalence class, ``cpdag(dag)``. Conditioning
on neighbours is enough: of two nodes that are not adjacent, one is not a descendant of the other, and the parents of
that other one separate them (the local Markov property). So background knowledge saves tests: neighbours that cannot
be parents of a node, such as those in later tiers, are not among the sets of its neighbours.

>>> from bnteach.independence.statements import Statements
>>> found = pc(Statements("B _||_ C | A", "A _||_ D | B, C", variables="ABCD"))
>>> found.graph
PDAG('A-B, A-C, B->D, C->D')
>>> found.separating_sets
{('A', 'D'): ('B', 'C'), ('B', 'C'): ('A',)}

Tests on data make errors, and the answers may then be those of no DAG. Steps 3 and 4 may demand both directions of an
edge, or a cycle: the trace reports it, and ``conflicts`` decides it (search/orienting.py). The outcome is then a PDAG
without directed cycles, but not always the CPDAG of a DAG; ``result.is_cpdag`` and the last step say which it is.
``orient`` chooses how cautiously v-structures are inferred (search/colliders.py).

Spirtes, Glymour and Scheines (2000), Causation, Prediction, and Search, section 5.4.2. Colombo and Maathuis
(2014), Order-independent constraint-based causal structure learning, JMLR 15, for ``stable``. Lesson 4.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations, filterfalse
from typing import Any

from bnteach.graphs.equivalence import is_cpdag
from bnteach.graphs.notation import Pair
from bnteach.graphs.pdag import PDAG
from bnteach.independence.oracle import Answers, Oracle, PairOfSets, as_oracle, check_oracle
from bnteach.learn.search.colliders import read_policy, vote_on_v_structures
from bnteach.learn.search.constraints import Arcs, Constraints, Tiers
from bnteach.learn.search.orienting import Orienting
from bnteach.learn.steps.pc import (
    Finished,
    IndependenceTest,
    Level,
    NoVStructure,
    Removed,
    Skeleton,
    Started,
    VStructure,
)
from bnteach.trace import Result, Step, stepwise

Names = tuple[str, ...]
Adjacent = dict[str, dict[str, None]]  # the neighbours of each variable, in order
SeparatingSets = dict[Pair, Names]


@dataclass(frozen=True)
class PCResult(Result[PDAG]):
    """A Result with the separating set of each pair that is not adjacent, and whether the graph is a CPDAG."""

    separating_sets: SeparatingSets = field(default_factory=dict, repr=False)
    is_cpdag: bool = True

    @property
    def tests(self) -> int:
        """The number of conditional-independence tests."""
        return len(self.trace.only(IndependenceTest))


@stepwise
def pc(oracle: Oracle, stable: bool = True, max_conditioning: int | None = None, required: Arcs = (),
       forbidden: Arcs = (), tiers: Tiers = (), conflicts: str = "keep first",
       orient: str = "standard") -> Generator[Step, None, PCResult]:
    """Learn a PDAG from an independence oracle: the CPDAG, if the answers are those of a DAG.

    Parameters
    ----------
    oracle : Oracle
        Answers whether x and y are independent given z: ``DSeparation(dag)``, ``ChiSquare(table)`` and others.
    stable : bool
        Use the neighbours as they were when a level began, so that the skeleton does not depend on the order of
        the variables. False is the original algorithm, in which every removal takes effect at once.
    max_conditioning : int, optional
        The largest number of variables to condition on.
    required, forbidden : str or pairs
        Background knowledge: arcs such as ``"A->B, C->D"``.
    tiers : groups of names
        Groups in order, ``["age sex", "smoke", "cancer"]``: no arc leads from a later group to an earlier one.
    conflicts : {"keep first", "keep last", "raise"}
        Which v-structure is kept when two of them demand both directions of an edge.
    orient : {"standard", "conservative", "majority"}
        How v-structures are inferred: from the first separating set, or from all of them, if all or most agree.

    Returns
    -------
    PCResult
        ``graph``, a PDAG without directed cycles, and ``separating_sets``. ``is_cpdag`` is false if the graph is not
        the CPDAG of any DAG: contradictory answers, background knowledge and ambiguous triples can lead to this.

    Examples
    --------
    >>> from bnteach import DAG, DSeparation
    >>> pc(DSeparation(DAG("A->C, B->C, C->D", "ABCD"))).graph
    PDAG('A->C, B->C, C->D')

    References
    ----------
    Spirtes, Glymour and Scheines (2000), Causation, Prediction, and Search. Ramsey, Zhang and Spirtes (2006) and
    Colombo and Maathuis (2014) for ``orient``. Lesson 4.
    """
    check_oracle(oracle, "pc")
    known = Constraints.read(oracle.variables, required, forbidden, tiers)
    orienting = Orienting(known, conflicts)
    policy = read_policy(orient)
    yield Started(tuple(oracle.variables))
    pairs = yield from orienting.keep_required(combinations(oracle.variables, 2))
    adjacent, separating_sets = yield from find_skeleton(oracle, pairs, stable, max_conditioning, known)
    yield from orienting.remove_forbidden(adjacent)
    graph = PDAG((), [(x, y) for x, y in combinations(adjacent, 2) if y in adjacent[x]], adjacent)
    limited = max_conditioning is not None and sets_are_left(adjacent, max_conditioning + 1, known)
    yield Skeleton(graph.edges, max_conditioning if limited else None)
    graph = yield from orienting.by_knowledge(graph)
    if policy is None:
        graph = yield from find_v_structures(graph, separating_sets, orienting)
    else:
        graph = yield from vote_on_v_structures(oracle, graph, separating_sets, orienting, policy, max_conditioning)
    graph = yield from orienting.by_rules(graph)
    fits = is_cpdag(graph)
    yield Finished(graph.edges, fits or bool(known or orienting.ambiguous))
    return PCResult(graph, separating_sets=separating_sets, is_cpdag=fits)


def find_skeleton(oracle: Oracle, pairs: list[Pair], stable: bool, max_conditioning: int | None,
                  known: Constraints) -> Generator[Step, None, tuple[Adjacent, SeparatingSets]]:
    """Step 2: remove every edge whose ends are separated by a set of neighbours."""
    adjacent = {x: dict.fromkeys(y for y in oracle.variables if y != x) for x in oracle.variables}
    separating_sets: SeparatingSets = {}
    edges, size = pairs, 0
    while sets_are_left(adjacent, size, known) and (max_conditioning is None or size <= max_conditioning):
        yield Level(size, len(edges))
        at_first = possible_parents(adjacent, known, adjacent)
        queries = ((x, y, subsets(x, y, at_first if stable else possible_parents(adjacent, known, (x, y)), size))
                   for x, y in edges)
        for (x, y), tests in zip(edges, search(oracle, queries, together=stable)):
            separating_set = yield from find_separating_set(x, y, tests)
            if separating_set is not None:
                del adjacent[x][y], adjacent[y][x]
                separating_sets[x, y] = separating_set
                yield Removed(x, y, separating_set)
        edges = [(x, y) for x, y in edges if y in adjacent[x]]
        size += 1
    return adjacent, {pair: separating_sets[pair] for pair in pairs if pair in separating_sets}


def search(oracle: Any, queries: Iterator[PairOfSets], together: bool) -> Iterator[Answers]:
    """For each edge the tests given one set after the other, until one finds its ends independent.

    Together, several edges may be tested at once: of a stable level, no test depends on the outcome of another.
    """
    test = as_oracle(oracle).until_independent
    return test(queries) if together else (tests for query in queries for tests in test([query]))


def find_separating_set(x: str, y: str, tests: Answers) -> Generator[Step, None, Names | None]:
    """The first of the sets given which x and y are independent, if there is one."""
    for given, verdict in tests:
        yield IndependenceTest(x, y, given, verdict.independent, verdict.p_value)
        if verdict.independent:
            return given
    return None


def possible_parents(adjacent: Adjacent, known: Constraints, nodes: Iterable[str]) -> dict[str, list[str]]:
    """The neighbours of each of these nodes that may be its parents: all of them, without background knowledge."""
    return {x: known.candidates(x, adjacent[x]) for x in nodes}


def subsets(x: str, y: str, neighbours: dict[str, list[str]], size: int) -> Iterable[Names]:
    """The sets of this size among the neighbours of x, then those among the neighbours of y; none twice."""
    if size == 0:
        return [()]
    of_x, of_y = [z for z in neighbours[x] if z != y], [z for z in neighbours[y] if z != x]
    return chain(combinations(of_x, size), filterfalse(set(of_x).issuperset, combinations(of_y, size)))


def sets_are_left(adjacent: Adjacent, size: int, known: Constraints) -> bool:
    """Does the end of some edge have so many other neighbours that may be its parents?"""
    parents = possible_parents(adjacent, known, adjacent)
    return any(len(parents[x]) >= size + known.allows(y, x) for x in adjacent for y in adjacent[x])


def find_v_structures(graph: PDAG, separating_sets: SeparatingSets,
                      orienting: Orienting) -> Generator[Step, None, PDAG]:
    """Step 3: a common neighbour outside the separating set is a collider."""
    adjacent = {x: set(graph.adjacent_to(x)) for x in graph.nodes}
    for x, y in combinations(graph.nodes, 2):
        if y in adjacent[x] or adjacent[x].isdisjoint(adjacent[y]):
            continue
        separating_set, common = separating_sets.get((x, y)), [z for z in graph.adjacent_to(x) if z in adjacent[y]]
        colliders = [z for z in common if separating_set is not None and z not in separating_set]
        if not colliders:
            yield NoVStructure(x, y, separating_set)
        for z in colliders:
            graph = yield from orienting.v_structure(graph, VStructure(x, z, y, separating_sets[x, y]))
    return graph
