"""What Chow-Liu, Prim and Kruskal say, and how they draw it (chow_liu.py). Lesson 7."""

from __future__ import annotations

from dataclasses import dataclass

from bnteach.trace import Drawing, Step

Edge = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Weighed(Step):
    """Every pair of variables has got its weight."""

    weights: dict[Edge, float]

    def __str__(self) -> str:
        pairs = [f"{a}-{b} {w:.3f}" for (a, b), w in self.weights.items()]
        shown = pairs if len(pairs) <= 10 else [*pairs[:10], f"… {len(pairs)} pairs in all"]
        return "weigh every pair by its mutual information: " + ", ".join(shown)

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(dict.fromkeys(node for edge in self.weights for node in edge))
        if len(self.weights) <= 28:  # up to 8 variables the complete graph can still be read
            for (a, b), weight in self.weights.items():
                drawing.add_edge(a, b, label=f"{weight:.2f}")


@dataclass(frozen=True, slots=True)
class Grew(Step):
    """Prim's tree grows by the heaviest edge that leaves it."""

    edge: Edge
    weight: float
    tree: tuple[str, ...]

    def __str__(self) -> str:
        a, b = self.edge
        tree = "{" + ", ".join(self.tree) + "}" if len(self.tree) <= 8 else f"the tree of {len(self.tree)}"
        return f"heaviest edge that leaves {tree}: {a}-{b} {self.weight:.3f}, so {b} joins"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_edge(*self.edge, style="kept", label=f"{self.weight:.2f}")
        drawing.style_nodes(*self.edge, style="kept")


@dataclass(frozen=True, slots=True)
class Looked(Step):
    """Kruskal looks at the heaviest edge left."""

    edge: Edge
    weight: float
    joins: bool

    def __str__(self) -> str:
        verdict = "joins two parts, keep it" if self.joins else "would close a circle, skip it"
        return f"{self.edge[0]}-{self.edge[1]} {self.weight:.3f}: {verdict}"

    def draw(self, drawing: Drawing) -> None:
        if self.joins:
            drawing.add_edge(*self.edge, style="kept", label=f"{self.weight:.2f}")
        else:
            drawing.remove_edge(*self.edge)


@dataclass(frozen=True, slots=True)
class Cut(Step):
    """An edge of the tree tells less than it costs: the tree falls into a forest."""

    edge: Edge
    weight: float
    least: float

    def __str__(self) -> str:
        a, b = self.edge
        return f"cut {a}-{b}: its {self.weight:.3f} bits are not more than the {self.least:.3f} an edge must bring here"

    def draw(self, drawing: Drawing) -> None:
        drawing.remove_edge(*self.edge)


@dataclass(frozen=True, slots=True)
class Spanned(Step):
    """The tree is there; the edges that are not in it go."""

    tree: tuple[Edge, ...]
    weight: float
    others: tuple[Edge, ...]

    def __str__(self) -> str:
        edges = ", ".join(f"{a}-{b}" for a, b in self.tree[:12]) + (" …" if len(self.tree) > 12 else "")
        return f"the tree: {edges or 'no edges'}, of weight {self.weight:.4f}"

    def draw(self, drawing: Drawing) -> None:
        for a, b in self.others:
            drawing.remove_edge(a, b)


@dataclass(frozen=True, slots=True)
class Rooted(Step):
    """All arcs lead away from the root."""

    root: str
    arcs: tuple[Edge, ...]

    def __str__(self) -> str:
        arcs = ", ".join(f"{a}->{b}" for a, b in self.arcs[:12]) + (" …" if len(self.arcs) > 12 else "")
        return f"choose {self.root} as root and point its edges away from it: {arcs or 'it has none'}"

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(self.root, style="oriented")
        for a, b in self.arcs:
            drawing.add_arc(a, b)
