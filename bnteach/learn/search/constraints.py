"""Constraints on a graph: arcs that are required or forbidden, tiers, and a limit on the number of parents.

"Smoking comes before cancer" forbids cancer -> smoking; "the switch works the lamp" requires switch -> lamp. Tiers
order groups of variables in time: no arc leads from a later tier to an earlier one. Every search obeys the same
object, and PC uses it as background knowledge. Constraints that contradict each other are an error.

>>> known = Constraints.read("ABCD", required="A->B", forbidden="B->C, C-D", max_parents=1)
>>> known.forbidden
(('B', 'C'), ('C', 'D'), ('D', 'C'))
>>> known.objection(DAG("A->B, C, D"), "C", "B")
'B would have more than 1 parent'
>>> known.build([("C", "D"), ("B", "D"), ("D", "A")], "ABCD")
DAG('A->B, B->D, C')
>>> Constraints.read("ABC", tiers=["A", "BC"]).forbidden
(('B', 'A'), ('C', 'A'))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bnteach.errors import CycleError, UnknownVariable, whole_number
from bnteach.graphs.dag import DAG, read_pair
from bnteach.graphs.notation import Pair, read_graph, read_names

Arcs = str | Iterable[Pair]
Tiers = Sequence[str | Iterable[str]]


@dataclass(frozen=True)
class Constraints:
    """Required and forbidden arcs and a limit on parents, checked against each other. False if there are none."""

    required: tuple[Pair, ...] = ()
    forbidden: tuple[Pair, ...] = ()
    max_parents: int | None = None

    @classmethod
    def read(cls, variables: Iterable[str], required: Arcs = (), forbidden: Arcs = (), tiers: Tiers = (),
             max_parents: int | None = None) -> Constraints:
        """From text or pairs. In `forbidden`, A-B means both A->B and B->A."""
        excluded = dict.fromkeys([*_read_arcs(forbidden, "forbidden"), *_against_tiers(tiers)])
        found = cls(_read_arcs(required, "required"), tuple(excluded), max_parents)
        found._check(tuple(variables))
        return found

    def __bool__(self) -> bool:
        return bool(self.required or self.forbidden or self.max_parents is not None)

    @cached_property
    def _excluded(self) -> frozenset[Pair]:
        return frozenset(self.forbidden)

    def allows(self, a: str, b: str) -> bool:
        """Is a -> b not forbidden?"""
        return (a, b) not in self._excluded

    def _check(self, variables: tuple[str, ...]) -> None:
        named = dict.fromkeys(name for arc in self.required + self.forbidden for name in arc)
        if unknown := [name for name in named if name not in variables]:
            raise UnknownVariable(unknown[0], variables, "what you learn from")
        try:
            DAG(self.required)
        except CycleError as cycle:
            raise CycleError(f"the required arcs contradict each other: {cycle}") from None
        if both := [arc for arc in self.required if not self.allows(*arc)]:
            raise ValueError(f"{both[0][0]}->{both[0][1]} is both required and forbidden: leave out one of the two.")
        if self.max_parents is not None:
            self._check_limit(whole_number("max_parents", self.max_parents, or_none=True))

    def _check_limit(self, limit: int) -> None:
        heads = [b for _, b in self.required]
        for child in dict.fromkeys(heads):
            if heads.count(child) > limit:
                raise ValueError(f"{child} has {heads.count(child)} required parents, and max_parents={limit}: "
                                 f"require fewer arcs or raise the limit.")

    # -- for constraint-based learning ---------------------------------------------------------------------
    def reason_for(self, a: str, b: str) -> str:
        """Why an edge between a and b must be a -> b; an empty text if it need not."""
        if (a, b) in self.required:
            return f"{a} → {b} is required"
        if self.allows(a, b) and not self.allows(b, a):
            return f"{b} → {a} is forbidden"
        return ""

    # -- for searches over parents -------------------------------------------------------------------------
    def required_parents(self, child: str) -> tuple[str, ...]:
        """The parents that a variable must have."""
        return tuple(a for a, b in self.required if b == child)

    def candidates(self, child: str, among: Iterable[str]) -> list[str]:
        """The variables that may be parents of the child."""
        return [name for name in among if name != child and (name, child) not in self._excluded]

    def check_order(self, order: Sequence[str]) -> None:
        """An error if a required arc leads against the order."""
        for a, b in self.required:
            if order.index(a) > order.index(b):
                raise ValueError(f"{a}->{b} is required, and {b} precedes {a} in the order {', '.join(order)}: change "
                                 f"the order or leave out the arc.")

    def adapted(self, order: Sequence[str]) -> tuple[str, ...]:
        """The order, changed only as far as the required arcs demand."""
        import networkx as nx

        return tuple(nx.lexicographical_topological_sort(DAG(self.required, order).to_networkx(), order.index))

    def restrict(self, child: str, others: Sequence[str], families: np.ndarray) -> np.ndarray:
        """The scores of all families of a child (`Score.over_subsets`), minus infinity for those not allowed."""
        families, required = families.copy(), self.required_parents(child)
        for axis, name in enumerate(others):
            without, with_it = np.moveaxis(families, axis, 0)
            if name in required:
                without[...] = -np.inf
            if not self.allows(name, child):
                with_it[...] = -np.inf
        return families

    # -- for searches over arcs --------------------------------------------------------------------------------------
    def objection(self, dag: DAG, a: str, b: str) -> str:
        """What speaks against adding a -> b to the graph; an empty text if nothing does."""
        if not self.allows(a, b):
            return f"{a}->{b} is forbidden"
        if a in dag.descendants(b):
            return f"{a}->{b} would close a cycle"
        if self.max_parents is not None and len(dag.parents(b)) >= self.max_parents:
            return f"{b} would have more than {self.max_parents} parent{'' if self.max_parents == 1 else 's'}"
        return ""

    def build(self, arcs: Iterable[Pair], nodes: Iterable[str], strict: bool = False) -> DAG:
        """The required arcs, then these as far as they are allowed; if strict, an error where one is not."""
        dag = DAG(self.required, nodes)
        for a, b in arcs:
            if not dag.has_arc(a, b):
                if not (reason := self.objection(dag, a, b)):
                    dag = dag.with_arc(a, b)
                elif strict:
                    raise ValueError(f"the search cannot start from this graph: {reason}. Change the start or the "
                                     f"constraints.")
        return dag


def _read_arcs(arcs: Arcs, what: str) -> tuple[Pair, ...]:
    if not isinstance(arcs, str):
        return tuple(dict.fromkeys(read_pair(arc) for arc in arcs))
    _, pairs, edges = read_graph(arcs)
    if edges and what == "required":
        a, b = edges[0]
        raise ValueError(f"{a}-{b} has no direction, and a required arc has one: write {a}->{b} or {b}->{a}.")
    return tuple(dict.fromkeys([*pairs, *edges, *((b, a) for a, b in edges)]))


def _against_tiers(tiers: Tiers) -> list[Pair]:
    """The arcs from a later tier to an earlier one."""
    groups = [read_names(tier) for tier in tiers]
    if twice := [name for i, group in enumerate(groups) for name in group if any(name in g for g in groups[:i])]:
        raise ValueError(f"{twice[0]} is in two tiers; name each variable once.")
    return [(late, early) for i, group in enumerate(groups) for early in group
            for later in groups[i + 1:] for late in later]


UNCONSTRAINED = Constraints()
