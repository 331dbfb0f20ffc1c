"""From a PDAG to a DAG: the algorithm of Dor and Tarsi.

A consistent extension of a PDAG is a DAG with the same skeleton, the same arrows where the PDAG has some,
and no immorality that the PDAG does not have. To find one, build it from its last node backwards. A node
can come last if

    (a) no arrow leads out of it, and
    (b) each neighbour over an undirected edge is adjacent to everything else that the node is joined to,
        so that pointing these edges at the node makes no new immorality.

Point its edges at it, take it away, and go on with the rest. If no node of the rest can come last, there
is no extension, and the nodes left are the reason. (Whichever node is taken, nothing is lost by it.)

>>> extend(PDAG("A-B, A-C, B->D, C->D"))
DAG('A->B, A->C, B->D, C->D')
>>> extend(PDAG("A-B, B-C, C-D, D-A"))
Traceback (most recent call last):
    ...
bnteach.errors.NoExtension: no DAG has these lines and no other immoralities: none of A, B, C, D
can come last. A: B and D would meet in it without being adjacent; B: A and C would meet in it without being
adjacent; C: B and D would meet in it without being adjacent; D: A and C would meet in it without being adjacent.

Among nodes that can come last, the one given last is taken, so that arrows go with the order of the nodes
where they may. `extension` is the same with its steps: a Result with trace.

Dor and Tarsi (1992), A simple algorithm to construct a consistent extension of a partially oriented graph,
Technical report R-185, UCLA. Lesson 5.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from bnteach.drawing import Drawing
from bnteach.errors import NoExtension
from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import Pair
from bnteach.graphs.orientation import Started
from bnteach.graphs.pdag import PDAG
from bnteach.trace import Step, stepwise


@dataclass(frozen=True, slots=True)
class NotLast(Step):
    """A node that cannot come last among those left."""

    node: str
    because: str

    def __str__(self) -> str:
        return f"{self.node} cannot come last: {self.because}."

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.node)


@dataclass(frozen=True, slots=True)
class TookLast(Step):
    """A node was taken as the last of those left, and its edges were pointed at it."""

    node: str
    arcs: tuple[Pair, ...]

    def __str__(self) -> str:
        pointed = ", ".join(f"{a} → {b}" for a, b in self.arcs)
        return f"{self.node} can come last: " + (f"point {pointed} and take it away." if pointed else "take it away.")

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.node, style="pruned")
        for arc in self.arcs:
            drawing.add_arc(*arc, style="oriented")


@stepwise
def dor_tarsi(pdag: PDAG | DAG) -> Generator[Step, None, DAG]:
    """A DAG of the PDAG, with the steps that lead to it. NoExtension if there is none."""
    rest = given = PDAG(pdag)
    arcs = list(given.arcs)
    yield Started(given)
    while len(rest):
        stuck: dict[str, str] = {}
        for node in reversed(rest.nodes):
            if why := cannot_come_last(rest, node):
                stuck[node] = why
                yield NotLast(node, why)
            else:
                break
        else:
            raise NoExtension({node: stuck[node] for node in rest.nodes})
        pointed = tuple((other, node) for other in rest.neighbours(node))
        yield TookLast(node, pointed)
        arcs += pointed
        rest = rest.without_node(node)
    return DAG(arcs, given.nodes)


def extend(pdag: PDAG | DAG) -> DAG:
    """A DAG with the skeleton, the arrows and the immoralities of the PDAG. NoExtension if there is none."""
    return dor_tarsi(pdag).graph


def cannot_come_last(g: PDAG, node: str) -> str:
    """Why a node cannot be the last of a graph, or an empty text if it can."""
    if children := g.children(node):
        return f"{node} → {children[0]} leads out of it"
    for a in g.neighbours(node):
        for b in g.adjacent_to(node):
            if a != b and not g.adjacent(a, b):
                return f"{a} and {b} would meet in it without being adjacent"
    return ""
