"""Orienting a skeleton when the demands may contradict each other: knowledge, v-structures, rules.

Background knowledge is certain and comes first. A v-structure is drawn unless knowledge forbids it, it would close a
directed cycle, or an earlier v-structure demands the opposite direction; which of those two is kept is the policy:
"keep first", "keep last", or "raise" an error. Where a rule would close a cycle, acyclicity wins. Lesson 4.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from functools import partial

from bnteach.graphs.notation import Pair
from bnteach.graphs.orientation import RULES, RULES_WITH_KNOWLEDGE, next_orientation
from bnteach.graphs.pdag import PDAG
from bnteach.graphs.reachability import leads_to, path_exists
from bnteach.learn.search.constraints import Constraints
from bnteach.learn.steps.pc import Conflict, Kept, OrientedByKnowledge, Removed, Vote, VStructure
from bnteach.trace import Step

POLICIES = ("keep first", "keep last", "raise")


class Orienting:
    """Keeps, removes and orients the edges of a PDAG as the constraints and a policy for conflicts say."""

    def __init__(self, constraints: Constraints, conflicts: str):
        if conflicts not in POLICIES:
            raise ValueError(f"conflicts={conflicts!r} is unknown; use one of {', '.join(map(repr, POLICIES))}.")
        self.constraints, self.conflicts = constraints, conflicts
        self.ambiguous: set[tuple[str, str, str]] = set()  # triples that may or may not be v-structures

    def keep_required(self, pairs: Iterable[Pair]) -> Generator[Step, None, list[Pair]]:
        """The pairs to test: edges that are required are kept without a test."""
        if not self.constraints.required:
            return list(pairs)
        to_test = []
        for x, y in pairs:
            if reason := self._required(x, y):
                yield Kept(x, y, reason)
            else:
                to_test.append((x, y))
        return to_test

    def _required(self, x: str, y: str) -> str:
        known = self.constraints
        return next((known.reason_for(*arc) for arc in ((x, y), (y, x)) if arc in known.required), "")

    def remove_forbidden(self, adjacent: dict[str, dict[str, None]]) -> Generator[Step, None, None]:
        """Remove the edges that are forbidden in both directions."""
        for x, y in self.constraints.forbidden:
            if y in adjacent[x] and not self.constraints.allows(y, x):
                del adjacent[x][y], adjacent[y][x]
                yield Removed(x, y, None)

    def by_knowledge(self, graph: PDAG) -> Generator[Step, None, PDAG]:
        """Orient the edges whose direction is required, or whose other direction is forbidden."""
        for x, y in graph.edges:
            for a, b in ((x, y), (y, x)):
                if reason := self.constraints.reason_for(a, b):
                    if leads_to(graph, b, a):
                        raise ValueError(f"the required and forbidden arcs force a cycle through {a}->{b} in the "
                                         f"skeleton {graph}: allow one more direction.")
                    yield OrientedByKnowledge((a, b), reason)
                    graph = graph.with_arc(a, b)
        return graph

    def v_structure(self, graph: PDAG, found: VStructure | Vote) -> Generator[Step, None, PDAG]:
        """Orient x -> z <- y, unless knowledge, acyclicity or an earlier v-structure stands against it."""
        x, z, y = found.x, found.z, found.y
        if graph.has_arc(x, z) and graph.has_arc(y, z):  # by earlier ones
            yield found
            return graph
        opposite = [(z, a) for a in (x, y) if graph.has_arc(z, a)]
        known = [reason for arc in opposite if (reason := self.constraints.reason_for(*arc))]
        claim = f"{x} → {z} ← {y} is a v-structure"
        if known:
            yield from self._report(Conflict(claim, known[0], "background knowledge is kept", nodes=(x, z, y)))
        elif path_exists(graph, {*graph.successors(z)} - {x, y}, {x, y}):
            yield from self._report(Conflict(claim, "it would close a cycle with earlier arcs", "it is left out",
                                             nodes=(x, z, y)))
        elif opposite and self.conflicts != "keep last":
            yield from self._report(Conflict(claim, _earlier(opposite), "the first v-structure is kept",
                                             nodes=(x, z, y)))
        elif opposite:
            yield Conflict(claim, _earlier(opposite), "the last v-structure is kept", ((x, z), (y, z)), (x, z, y))
            return graph.with_arc(x, z).with_arc(y, z)
        else:
            yield found
            return graph.with_arc(x, z).with_arc(y, z)
        return graph

    def by_rules(self, graph: PDAG) -> Generator[Step, None, PDAG]:
        """Apply the orientation rules until none applies."""
        rules = [partial(rule, ambiguous=self.ambiguous)
                 for rule in (RULES_WITH_KNOWLEDGE if self.constraints or self.ambiguous else RULES)]
        while found := next_orientation(graph, rules):
            a, b = found.arc
            demand = f"{found.rule} demands {a} → {b}"
            if leads_to(graph, b, a):
                yield from self._report(Conflict(demand, "that would close a cycle", f"{b} → {a} is oriented instead",
                                                 ((b, a),)))
                a, b = b, a
            elif new := self._new_v_structure(graph, a, b):
                yield from self._report(Conflict(demand, f"{a} → {b} ← {new} would be a new v-structure",
                                                 "the rule is followed", ((a, b),), (a, b, new)))
            else:
                yield found
            graph = graph.with_arc(a, b)
        return graph

    def _new_v_structure(self, graph: PDAG, a: str, b: str) -> str | None:
        """A parent of b that is not adjacent to a; never if the answers are those of a DAG."""
        return None if self.constraints else next((c for c in graph.parents(b) if not graph.adjacent(a, c)), None)

    def _report(self, conflict: Conflict) -> Iterator[Conflict]:
        if self.conflicts == "raise":
            raise ValueError(f"{conflict.found}, but {conflict.against}: the test results contradict each other. "
                             f"conflicts='keep first' goes on and reports the conflict in the trace.")
        yield conflict


def _earlier(arcs: Iterable[Pair]) -> str:
    return " and ".join(f"{a} → {b}" for a, b in arcs) + " was oriented before"
