"""Background knowledge: arcs that must be there, and arcs that must not.

"Smoking comes before cancer" forbids cancer -> smoking; "the switch works the lamp" requires switch -> lamp.
Knowledge is certain, so it comes before what an oracle says; knowledge that contradicts itself is an error.

>>> known = Knowledge.read("switch->lamp", forbidden="lamp->mood, mood-switch", variables=["switch", "lamp", "mood"])
>>> known.required
(('switch', 'lamp'),)
>>> known.forbidden
(('lamp', 'mood'), ('mood', 'switch'), ('switch', 'mood'))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bnteach.errors import CycleError, UnknownVariable
from bnteach.graphs.dag import DAG, read_pair
from bnteach.graphs.notation import Pair, read_graph

Arcs = str | Iterable[Pair]


class Knowledge(NamedTuple):
    """Required and forbidden arcs, checked: names known, no circle required, nothing both required and forbidden."""

    required: tuple[Pair, ...] = ()
    forbidden: tuple[Pair, ...] = ()

    @classmethod
    def read(cls, required: Arcs, forbidden: Arcs, variables: Iterable[str]) -> Knowledge:
        """From text or pairs. In what is forbidden, A-B means both A->B and B->A."""
        known = cls(_read(required, "required"), _read(forbidden, "forbidden"))
        for name in (name for arc in known.required + known.forbidden for name in arc):
            if name not in variables:
                raise UnknownVariable(name, variables, "what you learn from")
        try:
            DAG(known.required)
        except CycleError as circle:
            raise CycleError(f"the required arcs contradict each other: {circle}") from None
        if both := [arc for arc in known.required if arc in known.forbidden]:
            raise ValueError(f"{both[0][0]}->{both[0][1]} is both required and forbidden: leave out one of the two.")
        return known

    def decides(self, a: str, b: str) -> str:
        """Why a line between a and b has to be a -> b, or an empty text if it has not."""
        if (a, b) in self.required:
            return f"{a} → {b} is required"
        if (b, a) in self.forbidden and (a, b) not in self.forbidden:
            return f"{b} → {a} is forbidden"
        return ""

    def separates(self, a: str, b: str) -> bool:
        """Is a line between a and b forbidden either way?"""
        return (a, b) in self.forbidden and (b, a) in self.forbidden


def _read(arcs: Arcs, what: str) -> tuple[Pair, ...]:
    if not isinstance(arcs, str):
        return tuple(dict.fromkeys(read_pair(arc) for arc in arcs))
    _, pairs, edges = read_graph(arcs)
    if edges and what == "required":
        a, b = edges[0]
        raise ValueError(f"{a}-{b} has no direction, and a required arc has one: write {a}->{b} or {b}->{a}.")
    return tuple(dict.fromkeys([*pairs, *edges, *((b, a) for a, b in edges)]))
