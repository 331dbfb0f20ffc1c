"""What Chow-Liu, Prim and Kruskal report."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice

from bnteach.drawing import Drawing
from bnteach.learn.search.asking import greatest
from bnteach.questions import Moment, Question, yes_or_no
from bnteach.trace import Step

Edge = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Weighed(Step):
    """The weight of every pair of variables."""

    weights: dict[Edge, float]

    def __str__(self) -> str:
        return f"weight of every pair, its mutual information: {_shown(self.weights)}"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(dict.fromkeys(node for edge in self.weights for node in edge))
        if len(self.weights) <= 28:  # up to 8 variables the complete graph can still be read
            for (a, b), weight in self.weights.items():
                drawing.add_edge(a, b, label=f"{weight:.2f}")

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        weight = self.weights.get((a, b), self.weights.get((b, a), 0.0))
        heavier = sum(other > weight for other in self.weights.values())
        return f"the mutual information is {weight:.3f}; {heavier} of {len(self.weights)} pairs have more"


@dataclass(frozen=True, slots=True)
class Penalised(Step):
    """For a forest, the penalty of each edge is subtracted before the tree is spanned."""

    weights: dict[Edge, float]

    def __str__(self) -> str:
        return f"minus the penalty of an edge: {_shown(self.weights)}"


@dataclass(frozen=True, slots=True)
class Given(Weighed):
    """The weights that Prim or Kruskal was given."""

    def __str__(self) -> str:
        return f"find a maximum-weight spanning tree of {len(self.weights)} edges"


@dataclass(frozen=True, slots=True)
class Grew(Step):
    """Prim's tree grows by the edge of maximum weight that leaves it."""

    edge: Edge
    weight: float
    tree: tuple[str, ...]

    def __str__(self) -> str:
        a, b = self.edge
        tree = "{" + ", ".join(self.tree) + "}" if len(self.tree) <= 8 else f"the tree of {len(self.tree)}"
        return f"maximum-weight edge that leaves {tree}: {a}-{b} {self.weight:.3f}, add {b}"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_edge(*self.edge, style="kept", label=f"{self.weight:.2f}")
        drawing.style_nodes(*self.edge, style="kept")

    def question(self, before: Moment) -> Question:
        """Which edge leaves the tree with maximum weight? Edges that do not leave it are among the options."""
        weights = {_name(*edge): weight for edge, weight in before.last(Weighed, Penalised).weights.items()}
        leaving = {_name(a, b): weights[_name(a, b)] for a in self.tree for b in before.drawing.nodes
                   if b not in self.tree}
        tree = "{" + ", ".join(self.tree) + "}"
        asked = greatest(f"Prim: which edge is added to the tree on {tree}?", leaving, _name(*self.edge), "weighs")
        others = {name: f"{name} does not leave the tree on {tree}." for name in weights if name not in leaving}
        return replace(asked, options=dict(sorted({**asked.options, **others}.items())), click="edge")


@dataclass(frozen=True, slots=True)
class Considered(Step):
    """Kruskal considers the edge of maximum weight that is left."""

    edge: Edge
    weight: float
    accepted: bool

    def __str__(self) -> str:
        verdict = "joins two components, accept" if self.accepted else "would close a cycle, reject"
        return f"{self.edge[0]}-{self.edge[1]} {self.weight:.3f}: {verdict}"

    def draw(self, drawing: Drawing) -> None:
        if self.accepted:
            drawing.add_edge(*self.edge, style="kept", label=f"{self.weight:.2f}")
        else:
            drawing.remove_edge(*self.edge)

    def question(self, before: Moment) -> Question:
        """Which edge is considered next, and is it accepted?"""
        done = {step.edge for step in before.steps if isinstance(step, Considered)}
        weights = before.last(Weighed, Penalised).weights
        left = {_name(*edge): weight for edge, weight in weights.items() if edge not in done}
        then = yes_or_no(f"Is {_name(*self.edge)} accepted?", "accepted", "rejected", self.accepted, f"{self}.",
                         marked=self.edge)
        return replace(greatest("Kruskal: which edge is considered next?", left, _name(*self.edge), "weighs",
                                click="edge"), then=then)


@dataclass(frozen=True, slots=True)
class Cut(Step):
    """An edge of the tree whose mutual information does not exceed its penalty is removed: a forest remains."""

    edge: Edge
    weight: float
    threshold: float

    def __str__(self) -> str:
        a, b = self.edge
        return f"cut {a}-{b}: its {self.weight:.3f} bits do not exceed the threshold of {self.threshold:.3f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.remove_edge(*self.edge)


@dataclass(frozen=True, slots=True)
class Spanned(Step):
    """The spanning tree; all other edges are removed."""

    tree: tuple[Edge, ...]
    weight: float
    others: tuple[Edge, ...]

    def __str__(self) -> str:
        edges = ", ".join(f"{a}-{b}" for a, b in self.tree[:12]) + (" …" if len(self.tree) > 12 else "")
        return f"the tree: {edges or 'no edges'}, total weight {self.weight:.4f}"

    def draw(self, drawing: Drawing) -> None:
        for a, b in self.others:
            drawing.remove_edge(a, b)

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        import networkx as nx

        tree = nx.Graph(self.tree)
        if (a, b) in tree.edges or not (a in tree and b in tree and nx.has_path(tree, a, b)):
            return ""
        path = "-".join(nx.shortest_path(tree, a, b))
        return f"{a}-{b} would close a cycle with {path}, whose edges weigh as much or more"


@dataclass(frozen=True, slots=True)
class Rooted(Step):
    """All arcs lead away from the root."""

    root: str
    arcs: tuple[Edge, ...]

    def __str__(self) -> str:
        arcs = ", ".join(f"{a}->{b}" for a, b in self.arcs[:12]) + (" …" if len(self.arcs) > 12 else "")
        return f"root {self.root}, orient edges away from it: {arcs or 'it has none'}"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.root, style="oriented")
        for a, b in self.arcs:
            drawing.add_arc(a, b)

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        arc = next((f"{x}->{y}" for x, y in self.arcs if {x, y} == {a, b}), "")
        return f"orient {arc}, away from the root {self.root}" if arc else ""


def _shown(weights: dict[Edge, float]) -> str:
    pairs = [f"{a}-{b} {weight:.3f}" for (a, b), weight in islice(weights.items(), 10)]
    return ", ".join(pairs) + (f", … {len(weights)} pairs in all" if len(weights) > 10 else "")


def _name(a: str, b: str) -> str:
    """An edge as an answer: its ends in alphabetical order."""
    return "-".join(sorted((a, b)))
