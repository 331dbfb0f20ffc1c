"""What branch and bound reports, and the search tree that it draws."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from bnteach.drawing import Drawing
from bnteach.learn.search.ties import TOLERANCE
from bnteach.questions import Moment, Question, yes_or_no
from bnteach.steps import Step, as_set

DRAWN = 5  # candidates up to which the whole tree (32 sets) is drawn

Names = tuple[str, ...]


def tree_edges(candidates: Names) -> list[tuple[Names, Names]]:
    """The edges of the search tree: from each set to those with one later candidate more.

    >>> tree_edges(("A", "B"))
    [((), ('A',)), (('A',), ('A', 'B')), ((), ('B',))]
    """
    edges: list[tuple[Names, Names]] = []
    for i, name in enumerate(candidates):
        edges.append(((), (name,)))
        edges += [((name, *a), (name, *b)) for a, b in tree_edges(candidates[i + 1:])]
    return edges


def node_name(child: str, parents: Iterable[str]) -> str:
    """The name of a node of the search tree: "D | A, B", or "D" for no parents."""
    return f"{child} | {', '.join(parents)}" if parents else child


@dataclass(frozen=True, slots=True)
class Started(Step):
    """The tree of all parent sets of a variable, before the search."""

    child: str
    candidates: Names
    required: Names = ()

    def __str__(self) -> str:
        among, always = ", ".join(self.candidates), f", each with {', '.join(self.required)}" if self.required else ""
        return (f"{self.child} has {2 ** len(self.candidates):,} parent sets among {among}{always}" if among
                else f"{self.child} has no candidate parents" + (f" but {', '.join(self.required)}" if always else ""))

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes([node_name(self.child, self.required)])
        if len(self.candidates) <= DRAWN:
            for parents, below in tree_edges(self.candidates):
                drawing.add_arc(node_name(self.child, self.required + parents),
                                node_name(self.child, self.required + below), style="plain")


@dataclass(frozen=True, slots=True)
class Incumbent(Step):
    """The parents of a known graph: the best set before the search begins."""

    child: str
    parents: Names
    score: float

    def __str__(self) -> str:
        return f"start from {as_set(self.parents)}, the parents in the graph given: score {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        if (here := node_name(self.child, self.parents)) in drawing.nodes:
            drawing.style_nodes(here, style="oriented")


@dataclass(frozen=True, slots=True)
class Visited(Step):
    """A set whose upper bound exceeds the best score so far, and its score."""

    child: str
    parents: Names
    bound: float
    score: float
    best: float

    def __str__(self) -> str:
        better = "the best so far" if self.score > self.best + TOLERANCE else f"not above {self.best:.4f}"
        return f"visit {as_set(self.parents)}: score {self.score:.4f}, {better}"

    @property
    def label(self) -> str:
        """What to write into the node of the search tree."""
        return f"{as_set(self.parents)} score {self.score:.2f}, bound {self.bound:.2f}"

    def draw(self, drawing: Drawing) -> None:
        here, better = node_name(self.child, self.parents), self.score > self.best + TOLERANCE
        if here in drawing.nodes:
            if better:
                _unmark_best(drawing, self.child)
            drawing.style_nodes(here, style="oriented" if better else "considered")
        above = node_name(self.child, self.parents[:-1])
        if self.parents and {above, here} <= set(drawing.nodes):
            drawing.style_edge(above, here, style="kept")

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if _concerns(self.child, self.parents, a, b) else ""

    def question(self, before: Moment) -> Question | None:
        return _visit_or_prune(self, True, before)

    @classmethod
    def summary(cls, steps: Sequence[Step]) -> str:
        visits = [step for step in steps if isinstance(step, cls)]
        best = max(visits, key=lambda visit: visit.score)
        return (f"{len(visits)} sets with this arc were visited; the best, {as_set(best.parents)}, "
                f"scores {best.score:.4f}")


@dataclass(frozen=True, slots=True)
class Pruned(Step):
    """A set whose upper bound does not exceed the best score: neither it nor any set below it can be better."""

    child: str
    parents: Names
    bound: float
    best: float
    below: int
    later: Names = field(repr=False)

    def __str__(self) -> str:
        sets = f"and {self.below - 1:,} below it" if self.below > 1 else "alone"
        return (f"prune {as_set(self.parents)} {sets}: upper bound {self.bound:.4f}, "
                f"not above the best so far, {self.best:.4f}")

    @property
    def label(self) -> str:
        """What to write into the node of the search tree."""
        return f"{as_set(self.parents)} bound {self.bound:.2f}"

    def draw(self, drawing: Drawing) -> None:
        here = node_name(self.child, self.parents)
        if here not in drawing.nodes:
            return
        above = node_name(self.child, self.parents[:-1])
        pairs = [(above, here)] if self.parents and above in drawing.nodes else []
        pairs += [(node_name(self.child, self.parents + a), node_name(self.child, self.parents + b))
                  for a, b in tree_edges(self.later)]
        for a, b in pairs:
            drawing.style_edge(a, b, style="pruned")
            drawing.style_nodes(b, style="pruned")

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if _concerns(self.child, (*self.parents, *self.later), a, b) else ""

    def question(self, before: Moment) -> Question | None:
        return _visit_or_prune(self, False, before)

    @classmethod
    def summary(cls, steps: Sequence[Step]) -> str:
        return f"{len(steps)} branches with this arc were pruned"


@dataclass(frozen=True, slots=True)
class Chosen(Step):
    """The best parent set."""

    child: str
    parents: Names
    score: float
    visited: int
    pruned: int

    def __str__(self) -> str:
        return (f"the best parents of {self.child} are {as_set(self.parents)}: {self.score:.4f}, "
                f"with {self.visited:,} sets visited and {self.pruned:,} pruned")

    def draw(self, drawing: Drawing) -> None:
        _unmark_best(drawing, self.child)
        if (best := node_name(self.child, self.parents)) in drawing.nodes:
            drawing.style_nodes(best, style="kept")

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        return str(self) if _concerns(self.child, self.parents, a, b) else ""


def _visit_or_prune(step: Visited | Pruned, visit: bool, before: Moment) -> Question | None:
    """Is the upper bound above the best score so far? Not asked of the first set, which is always visited."""
    if step.best == float("-inf"):
        return None
    score, candidates = before.given["score"], before.last(Started).candidates
    later = candidates[candidates.index(step.parents[-1]) + 1:] if step.parents else candidates
    penalty, here = score.penalty * score.parameters(step.child, step.parents), as_set(step.parents)
    fit = f"{step.bound + penalty:.3f}"
    facts = [f"fit of {step.child} with {as_set((*step.parents, *later))}, all that may be added: {fit}",
             f"penalty of {here}: {penalty:.3f}", f"best score so far: {step.best:.3f}"]
    because = (f"The upper bound of {here} is {fit} - {penalty:.3f} = {step.bound:.3f}, which is "
               f"{'above' if visit else 'not above'} the best so far, {step.best:.3f}.")
    return yes_or_no(f"Parents of {step.child}: is {here} visited or pruned?", "visited", "pruned", visit, because,
                     facts=facts, marked=[node_name(step.child, step.parents)])


def _concerns(child: str, parents: Names, a: str, b: str) -> bool:
    """Does a family of this child have one of the pair as the child and the other among its parents?"""
    return {a: b, b: a}.get(child) in parents


def _unmark_best(drawing: Drawing, child: str) -> None:
    """The best set so far is no longer the best."""
    for node, style in drawing.nodes.items():
        if style == "oriented" and node.partition(" | ")[0] == child:
            drawing.style_nodes(node, style="plain")
