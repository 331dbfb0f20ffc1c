"""What order search reports."""

from __future__ import annotations

from dataclasses import dataclass

from bnteach.drawing import Drawing
from bnteach.graphs.dag import DAG
from bnteach.learn.search.asking import best_gain, swaps
from bnteach.questions import Moment, Question
from bnteach.trace import Step

Order = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Started(Step):
    """A run starts from an order, with the graph that K3 finds for it."""

    run: int
    order: Order
    score: float
    graph: DAG

    def __str__(self) -> str:
        again = f"run {self.run}: " if self.run > 1 else ""
        return f"{again}start from the order {_shown(self.order)}: score {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.graph.nodes)
        for child in self.graph.nodes:
            _redraw(drawing, child, self.graph.parents(child), style="plain")


@dataclass(frozen=True, slots=True)
class Swapped(Step):
    """Two adjacent variables were swapped; `parents` are those that K3 now finds for the two."""

    first: str
    second: str
    gain: float
    score: float
    order: Order
    parents: dict[str, tuple[str, ...]]

    def __str__(self) -> str:
        return f"swap {self.first} and {self.second}: gain {self.gain:.3f}, {_shown(self.order)}"

    def draw(self, drawing: Drawing) -> None:
        for child, parents in self.parents.items():
            _redraw(drawing, child, parents)
        drawing.style_nodes(self.first, self.second)

    def question(self, before: Moment) -> Question | None:
        return _which_swap(f"swap {self.first} and {self.second}", before)


@dataclass(frozen=True, slots=True)
class Stopped(Step):
    """No swap of adjacent variables raises the score: a local optimum."""

    order: Order
    score: float

    def __str__(self) -> str:
        return f"no swap raises the score: local optimum {self.score:.4f}, {_shown(self.order)}"

    def question(self, before: Moment) -> Question | None:
        return _which_swap("stop", before)


def _which_swap(choice: str, before: Moment) -> Question:
    """Which swap of adjacent variables raises the score most? K3's scores of the two families are given."""
    from bnteach.learn.order_search import Parents
    from bnteach.learn.search.constraints import Constraints

    given, order = before.given, before.last(Started, Swapped).order
    limits = [given[name] for name in ("required", "forbidden", "tiers", "max_parents")]
    parents = Parents(given["score"], Constraints.read(given["score"].variables, *limits))
    gains, facts = swaps(parents, order)
    return best_gain(f"The order is {_shown(order)}, and the scores are those of K3. Which swap raises the score most?",
                     gains, choice, "stop", facts)


def _shown(order: Order) -> str:
    return ", ".join(order[:12]) + (f", … {len(order)} variables" if len(order) > 12 else "")


def _redraw(drawing: Drawing, child: str, parents: tuple[str, ...], style: str = "kept") -> None:
    """Give a child these parents: remove other arcs into it, add new ones in this style."""
    for a, b in list(drawing.edges):
        if b == child and a not in parents:
            drawing.remove_edge(a, b)
    for parent in parents:
        if (parent, child) not in drawing.edges:
            drawing.add_arc(parent, child, style)
