"""From a PDAG to a DAG: the algorithm of Dor and Tarsi.

A consistent extension of a PDAG is a DAG with the same skeleton, all arcs of the PDAG, and no v-structure that the
PDAG does not have. The algorithm builds one from its sinks backwards. A node can be a sink if

    (a) no arc leaves it, and
    (b) each neighbour over an undirected edge is adjacent to every other node that is adjacent to the node,
        so that orienting these edges towards the node creates no v-structure.

Orient its edges towards it, remove it, and continue with the rest. If no remaining node can be a sink, there is no
extension, and the remaining nodes are the reason. (Any node that can be a sink will do: the choice never matters for
whether an extension is found.)

>>> extend(PDAG("A-B, A-C, B->D, C->D"))
DAG('A->B, A->C, B->D, C->D')
>>> extend(PDAG("A-B, B-C, C-D, D-A"))
Traceback (most recent call last):
    ...
bnteach.errors.NoExtension: the PDAG has no consistent extension: none of A, B, C, D can be a sink.
A: B → A ← D would be a new v-structure; B: A → B ← C would be a new v-structure;
C: B → C ← D would be a new v-structure; D: A → D ← C would be a new v-structure.

Among the nodes that can be a sink, the last in the order of the nodes is removed, so that arcs follow this order
where they may. `dor_tarsi` returns a Result with the steps, `extend` the DAG alone.

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
from bnteach.questions import Moment, Question
from bnteach.trace import Step, stepwise


@dataclass(frozen=True, slots=True)
class NotASink(Step):
    """A node that cannot be a sink of the remaining graph."""

    node: str
    because: str

    def __str__(self) -> str:
        return f"{self.node} cannot be a sink: {self.because}."

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.node)


@dataclass(frozen=True, slots=True)
class RemovedSink(Step):
    """A node became a sink, its edges oriented towards it, and was removed."""

    node: str
    arcs: tuple[Pair, ...]

    def __str__(self) -> str:
        oriented = ", ".join(f"{a} → {b}" for a, b in self.arcs)
        return f"{self.node} can be a sink: " + (f"orient {oriented} and remove it." if oriented else "remove it.")

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.node, style="removed")
        for arc in self.arcs:
            drawing.add_arc(*arc, style="oriented")

    def question(self, before: Moment) -> Question:
        """Which node can be a sink? Any that can is right."""
        rest = before.steps[0].graph  # type: ignore[attr-defined]
        for step in before.steps:
            rest = rest.without_node(step.node) if isinstance(step, RemovedSink) else rest
        reasons = {node: not_a_sink(rest, node) for node in rest.nodes}
        options = {node: reason and f"{node} cannot be a sink: {reason}." for node, reason in reasons.items()}
        rejected = next(i for i, step in enumerate(reversed(before.steps)) if not isinstance(step, NotASink))
        return Question("Which node can be a sink of what is left, and is removed next?", options, self.node,
                        click="node", reveals=rejected)


@stepwise
def dor_tarsi(pdag: PDAG | DAG | str) -> Generator[Step, None, DAG]:
    """A consistent extension of a PDAG, with the steps that lead to it.

    Parameters
    ----------
    pdag : PDAG, DAG or str

    Returns
    -------
    Result
        The DAG, and a trace with one step per node that is examined.

    Raises
    ------
    NoExtension
        If the PDAG has no consistent extension.

    Examples
    --------
    >>> print(dor_tarsi(PDAG("A-B, B->C")).trace)
    1. Start from A-B, B->C.
    2. C can be a sink: remove it.
    3. B can be a sink: orient A → B and remove it.
    4. A can be a sink: remove it.

    References
    ----------
    Dor and Tarsi (1992), A simple algorithm to construct a consistent extension of a partially oriented graph,
    Technical report R-185, UCLA.
    """
    rest = given = PDAG(pdag)
    arcs = list(given.arcs)
    yield Started(given)
    while len(rest):
        stuck: dict[str, str] = {}
        for node in reversed(rest.nodes):
            if reason := not_a_sink(rest, node):
                stuck[node] = reason
                yield NotASink(node, reason)
            else:
                break
        else:
            raise NoExtension({node: stuck[node] for node in rest.nodes})
        oriented = tuple((other, node) for other in rest.neighbours(node))
        yield RemovedSink(node, oriented)
        arcs += oriented
        rest = rest.without_node(node)
    return DAG(arcs, given.nodes)


def extend(pdag: PDAG | DAG | str) -> DAG:
    """A consistent extension of a PDAG: a DAG with its skeleton, its arcs and no other v-structures.

    Parameters
    ----------
    pdag : PDAG, DAG or str

    Returns
    -------
    DAG

    Raises
    ------
    NoExtension
        If the PDAG has no consistent extension.

    Examples
    --------
    >>> extend(PDAG("A-B, B-C"))
    DAG('A->B, B->C')

    References
    ----------
    Dor and Tarsi (1992), Technical report R-185, UCLA.
    """
    dag: DAG = dor_tarsi(pdag).graph
    return dag


def not_a_sink(g: PDAG, node: str) -> str:
    """Why a node cannot be a sink of an extension of the graph, or an empty text if it can."""
    if children := g.children(node):
        return f"the arc {node} → {children[0]} leaves it"
    for a in g.neighbours(node):
        for b in g.adjacent_to(node):
            if a != b and not g.adjacent(a, b):
                return f"{a} → {node} ← {b} would be a new v-structure"
    return ""
