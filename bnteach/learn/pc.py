"""The PC algorithm (Peter Spirtes and Clark Glymour): a class of DAGs from answers about independence.

    1. Start with the complete graph.
    2. For sizes 0, 1, 2, ...: for each edge x - y left, ask of every set of that size among the neighbours
       of x, and among those of y, whether it makes x and y independent. The first that does is their
       witness: remove the edge.
    3. For each pair x, y with its edge removed: a common neighbour z that is not in the witness is one
       where arrows meet: x -> z <- y, an immorality.
    4. Direct what follows from these arrows (rules R1 to R3; R4 too, with background knowledge).

If the answers are those of some DAG, the outcome is the essential graph of its class, `cpdag(dag)`. Asking of
neighbours is enough, because nodes that are not adjacent are separated by the parents of one of them.

>>> from bnteach.independence.oracle import Statements
>>> found = pc(Statements("B _||_ C | A", "A _||_ D | B, C", variables="ABCD"))
>>> found.graph
PDAG('A-B, A-C, B->D, C->D')
>>> found.separating_sets
{('A', 'D'): ('B', 'C'), ('B', 'C'): ('A',)}

Answers from data err, and then steps 3 and 4 can ask for both directions of an edge, or for a circle. The trace
says so, `conflicts` says what is done about it, and the outcome never has a circle.

Spirtes, Glymour and Scheines (2000), Causation, Prediction, and Search, section 5.4.2. Colombo and Maathuis
(2014), Order-independent constraint-based causal structure learning, JMLR 15, for `stable`. Lesson 4.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from bnteach.graphs.notation import Pair
from bnteach.graphs.orientation import RULES, RULES_WITH_KNOWLEDGE, next_orientation
from bnteach.graphs.pdag import PDAG
from bnteach.independence.oracle import Oracle, answers, check_oracle
from bnteach.learn.search.knowledge import Arcs, Knowledge
from bnteach.learn.steps.pc import (
    Asked,
    Began,
    Conflict,
    Ended,
    Kept,
    Level,
    NoVStructure,
    OrientedByKnowledge,
    Removed,
    Skeleton,
    VStructure,
)
from bnteach.trace import Result, Step, stepwise

POLICIES = ("keep first", "keep last", "raise")
SeparatingSets = dict[Pair, tuple[str, ...]]


@dataclass(frozen=True)
class PCResult(Result[PDAG]):
    """A Result with the witness of each pair that was separated."""

    separating_sets: SeparatingSets = field(default_factory=dict, repr=False)

    @property
    def tests(self) -> int:
        """How many questions the oracle was asked."""
        return len(self.trace.only(Asked))


@stepwise
def pc(oracle: Oracle, stable: bool = True, max_conditioning: int | None = None, required: Arcs = (), forbidden: Arcs = (),
       conflicts: str = "keep first") -> Generator[Step, None, PCResult]:
    """The essential graph behind an oracle's answers. Lesson 4.

    `stable` asks about the neighbours as they were when the level began, so that the order of the variables
    does not matter to the skeleton; False is the original, which uses every removal at once.
    `max_conditioning` is the largest number of variables given. `required` and `forbidden` are arcs, "A->B, C->D".
    `conflicts`: which immorality counts when two ask for both directions of an edge, "keep first" or
    "keep last", or "raise" an error. None that would close a circle or go against knowledge is drawn.
    """
    known = _check(oracle, max_conditioning, required, forbidden, conflicts)
    yield Began(tuple(oracle.variables))
    skeleton, separating_sets = yield from find_skeleton(oracle, stable, max_conditioning, known)
    graph = yield from use_knowledge(skeleton, known)
    graph = yield from find_v_structures(graph, separating_sets, known, conflicts)
    graph = yield from apply_rules(graph, known, conflicts)
    yield Ended(graph.edges)
    return PCResult(graph, separating_sets=separating_sets)


# -- which edges -------------------------------------------------------------------------------------------
def find_skeleton(oracle: Oracle, stable: bool, max_conditioning: int | None,
                  known: Knowledge) -> Generator[Step, None, tuple[PDAG, SeparatingSets]]:
    """Step 2: remove every edge whose ends some set of neighbours separates."""
    near = {x: [y for y in oracle.variables if y != x] for x in oracle.variables}
    pairs = yield from keep_required(list(combinations(near, 2)), known)
    separating_sets: SeparatingSets = {}
    size = 0
    while any(len(near[x]) > size for x in near) and (max_conditioning is None or size <= max_conditioning):
        edges = [(x, y) for x, y in pairs if y in near[x]]
        yield Level(size, len(edges))
        neighbours = {x: list(near[x]) for x in near} if stable else near
        for x, y in edges:
            witness = yield from find_separating_set(oracle, x, y, candidates(x, y, neighbours, size))
            if witness is not None:
                near[x].remove(y), near[y].remove(x)
                separating_sets[x, y] = witness
                yield Removed(x, y, witness)
        size += 1
    yield from remove_forbidden(near, known)
    skeleton = PDAG((), [(x, y) for x, y in combinations(near, 2) if y in near[x]], near)
    yield Skeleton(skeleton.edges, max_conditioning if any(len(near[x]) > size for x in near) else None)
    return skeleton, {pair: separating_sets[pair] for pair in pairs if pair in separating_sets}


def find_separating_set(oracle: Oracle, x: str, y: str,
                 sets: Iterable[tuple[str, ...]]) -> Generator[Step, None, tuple[str, ...] | None]:
    """The first of the sets that makes x and y independent, if one does."""
    for given, verdict in answers(oracle, x, y, sets):
        yield Asked(x, y, given, bool(verdict), getattr(verdict, "p_value", None))
        if verdict:
            return given
    return None


def candidates(x: str, y: str, near: dict[str, list[str]], size: int) -> Iterator[tuple[str, ...]]:
    """The sets of this size among the neighbours of x, then those among the neighbours of y; none twice."""
    of_x = [z for z in near[x] if z != y]
    yield from combinations(of_x, size)
    if size > 0:
        of_y = [z for z in near[y] if z != x]
        yield from (given for given in combinations(of_y, size) if not set(of_x).issuperset(given))


def keep_required(pairs: list[Pair], known: Knowledge) -> Generator[Step, None, list[Pair]]:
    """Edges that knowledge requires are not asked about."""
    kept = [(x, y) for x, y in pairs if (x, y) in known.required or (y, x) in known.required]
    for x, y in kept:
        yield Kept(x, y, known.decides(x, y) or known.decides(y, x))
    return [pair for pair in pairs if pair not in kept] if kept else pairs


def remove_forbidden(near: dict[str, list[str]], known: Knowledge) -> Generator[Step, None, None]:
    """Edges that the oracle would keep, but that knowledge forbids either way."""
    for x, y in dict.fromkeys(known.forbidden):
        if known.separates(x, y) and y in near[x]:
            near[x].remove(y), near[y].remove(x)
            yield Removed(x, y, None)


# -- which arrows ------------------------------------------------------------------------------------------
def use_knowledge(graph: PDAG, known: Knowledge) -> Generator[Step, None, PDAG]:
    """Draw the arrows that are required, and those whose other direction is forbidden."""
    for x, y in graph.edges:
        for a, b in ((x, y), (y, x)):
            if because := known.decides(a, b):
                if leads_to(graph, b, a):
                    raise ValueError(f"the required and forbidden arcs force a circle through {a}->{b} in the skeleton "
                                     f"{graph}: allow one more direction.")
                yield OrientedByKnowledge((a, b), because)
                graph = graph.with_arc(a, b)
    return graph


def find_v_structures(graph: PDAG, separating_sets: SeparatingSets, known: Knowledge,
                      conflicts: str) -> Generator[Step, None, PDAG]:
    """Step 3: arrows meet in the common neighbours that are not in the witness."""
    near = {x: set(graph.adjacent_to(x)) for x in graph.nodes}
    for x, y in combinations(graph.nodes, 2):
        common = [z for z in graph.nodes if z in near[x] and z in near[y]] if y not in near[x] else []
        if common:
            witness = separating_sets.get((x, y))
            outside = [z for z in common if z not in witness] if witness is not None else []
            if not outside:
                yield NoVStructure(x, y, witness)
            for z in outside:
                graph = yield from orient_v_structure(graph, VStructure(x, z, y, witness), known, conflicts)
    return graph


def orient_v_structure(graph: PDAG, found: VStructure, known: Knowledge, conflicts: str) -> Generator[Step, None, PDAG]:
    """Draw x -> z <- y, unless earlier arrows or knowledge stand against it."""
    x, z, y = found.x, found.z, found.y
    against = [(z, a) for a in (x, y) if graph.has_arc(z, a)]
    turned = graph.with_arc(x, z).with_arc(y, z)
    told = f"{x} → {z} ← {y} is found"
    if by := [known.decides(*arc) for arc in against if known.decides(*arc)]:
        yield from _settle(conflicts, Conflict(told, by[0], "knowledge stands"))
    elif leads_to(turned, z, x) or leads_to(turned, z, y):
        yield from _settle(conflicts, Conflict(told, "with earlier arrows it closes a circle", "it is left out"))
    elif against and conflicts != "keep last":
        yield from _settle(conflicts, Conflict(told, _arrows(against), "what was found first stands"))
    elif against:
        yield Conflict(told, _arrows(against), "what was found last stands", ((x, z), (y, z)))
        return turned
    else:
        yield found
        return turned
    return graph


def apply_rules(graph: PDAG, known: Knowledge, conflicts: str) -> Generator[Step, None, PDAG]:
    """Step 4: the orientation rules, until none applies. Where a rule would close a circle, no circle comes first."""
    rules = RULES_WITH_KNOWLEDGE if known.required or known.forbidden else RULES
    while found := next_orientation(graph, rules):
        a, b = found.arc
        if leads_to(graph, b, a):
            told = f"{found.rule} asks for {a} → {b}"
            yield from _settle(conflicts, Conflict(told, "that closes a circle", f"so {b} → {a}", ((b, a),)))
            a, b = b, a
        else:
            yield found
        graph = graph.with_arc(a, b)
    return graph


def leads_to(graph: PDAG, start: str, end: str) -> bool:
    """Do arrows lead from one node to the other?"""
    seen, stack = {start}, [start]
    while stack:
        for node in graph.children(stack.pop()):
            if node == end:
                return True
            if node not in seen:
                seen.add(node)
                stack.append(node)
    return False


# -- small things ------------------------------------------------------------------------------------------
def _settle(conflicts: str, conflict: Conflict) -> Iterator[Conflict]:
    if conflicts == "raise":
        raise ValueError(f"{conflict.found}, but {conflict.against}: the answers contradict each other. "
                         f"conflicts='keep first' goes on all the same, and tells it in the trace.")
    yield conflict


def _arrows(arcs: Iterable[Pair]) -> str:
    return " and ".join(f"{a} → {b}" for a, b in arcs) + " was found before"


def _check(oracle: Any, max_conditioning: Any, required: Arcs, forbidden: Arcs, conflicts: str) -> Knowledge:
    check_oracle(oracle, "pc")
    if conflicts not in POLICIES:
        raise ValueError(f"conflicts={conflicts!r} is not known here; use one of {', '.join(map(repr, POLICIES))}.")
    if max_conditioning is not None and (not isinstance(max_conditioning, int) or max_conditioning < 0):
        raise ValueError(f"max_conditioning={max_conditioning!r} must be a whole number from 0 on, or None for no limit.")
    return Knowledge.read(required, forbidden, tuple(oracle.variables))
