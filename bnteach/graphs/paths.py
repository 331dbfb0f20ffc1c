"""d-separation path by path: which paths are open, which are blocked, at which node and by which rule.

>>> g = DAG("rain->wet, sprinkler->wet, wet->slippery")
>>> print(explain_separation(g, "rain", "sprinkler", given=["slippery"]).trace)
1. Are rain and sprinkler d-separated given slippery? Examine each path between them.
2. rain → wet ← sprinkler is open: wet is a collider and its descendant slippery is observed.
3. One open path is enough: rain and sprinkler are not d-separated given slippery.

The rules are given at the beginning of separation.py. Lesson 2.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from bnteach.drawing import Drawing
from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import Pair
from bnteach.graphs.separation import Names, read_nodes, read_query
from bnteach.questions import Moment, Question, yes_or_no
from bnteach.steps import as_set
from bnteach.trace import Result, Step, stepwise

MAX_EXTENDED = 20_000  # partial paths; an explanation with more would not explain anything


@dataclass(frozen=True, slots=True)
class Asked(Step):
    """The query."""

    x: tuple[str, ...]
    y: tuple[str, ...]
    given: tuple[str, ...]
    dag: DAG

    def __str__(self) -> str:
        return f"Are {_query(self.x, self.y, self.given)}? Examine each path between them."

    def draw(self, drawing: Drawing) -> None:
        drawing.redraw(self.dag)
        drawing.style_nodes(*self.given, style="kept")


class InnerNode(NamedTuple):
    """An inner node of a path: its position there, and whether it is open."""

    node: str
    position: str
    open: bool
    because: str

    def __str__(self) -> str:
        return f"{self.node} is {self.position} and {self.because}"


@dataclass(frozen=True, slots=True)
class Examined(Step):
    """One path: open, or blocked at a node."""

    path: str
    open: bool
    blocked_at: str | None
    because: str
    pairs: tuple[Pair, ...]
    given: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.path} is {'open' if self.open else f'blocked at {self.blocked_at}'}: {self.because}."

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(*self.given, style="kept")
        for a, b in self.pairs:
            drawing.style_edge(a, b, "considered")
        on_path = dict.fromkeys(node for pair in self.pairs for node in pair)
        marked = [self.blocked_at] if self.blocked_at else on_path
        drawing.style_nodes(*(node for node in marked if node not in self.given))  # observed nodes keep their mark

    def question(self, before: Moment) -> Question:
        """Is the path open? If not, any node that blocks it is right."""
        dag, path = before.steps[0].dag, (self.pairs[0][0], *(b for _, b in self.pairs))  # type: ignore[attr-defined]
        inner = [inner_node(dag, *triple, frozenset(self.given)) for triple in zip(path, path[1:], path[2:])]
        options = {"open": "" if self.open else f"It is blocked at {self.blocked_at}: {self.because}."}
        options |= {f"blocked at {one.node}": f"{one}, so the path is open there." if one.open else "" for one in inner}
        return Question(f"Is the path {self.path} open{_observed(self.given)}?", options,
                        "open" if self.open else f"blocked at {self.blocked_at}", marked=path)


@dataclass(frozen=True, slots=True)
class Concluded(Step):
    """The answer."""

    x: tuple[str, ...]
    y: tuple[str, ...]
    given: tuple[str, ...]
    separated: bool
    paths: int

    def __str__(self) -> str:
        answer = _query(self.x, self.y, self.given, self.separated)
        if not self.separated:
            return f"One open path is enough: {answer}."
        reason = {0: "There is no path", 1: "The only path is blocked", 2: "Both paths are blocked"}
        return f"{reason.get(self.paths, f'All {self.paths:,} paths are blocked')}: {answer}."

    def question(self, before: Moment) -> Question:
        """Are the two d-separated?"""
        return yes_or_no(f"Are {_query(self.x, self.y, self.given)}?", "d-separated", "not d-separated",
                         self.separated, str(self), marked=(*self.x, *self.y))

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(*self.given, style="kept")


@dataclass(frozen=True)
class SeparationResult(Result):
    """A Result whose graph is the DAG, with the answer: are the two d-separated?"""

    separated: bool = False

    def __str__(self) -> str:
        return f"{'d-separated' if self.separated else 'not d-separated'} in {self.graph}"


@stepwise
def explain_separation(dag: DAG, x: Names, y: Names, given: Names = ()) -> Generator[Step, None, SeparationResult]:
    """Why x and y are d-separated or not: one step per path, shortest first.

    Parameters
    ----------
    dag : DAG
    x, y : str or iterable of str
        Two nodes, or two sets of nodes.
    given : str or iterable of str
        The observed nodes.

    Returns
    -------
    SeparationResult
        `.separated` is the answer, `.trace` the paths, `.graph` the DAG.

    Examples
    --------
    >>> explain_separation(DAG("A->C, C->B"), "A", "B", given="C").separated
    True

    References
    ----------
    Pearl (1988), Probabilistic Reasoning in Intelligent Systems, section 3.3.
    """
    xs, ys, observed = read_query(dag, x, y, given)
    seen = tuple(node for node in dag.nodes if node in observed)
    yield Asked(xs, ys, seen, dag)
    separated, paths = True, all_paths(dag, xs, ys)
    for path in paths:
        step = _examine(dag, path, observed, seen)
        separated = separated and not step.open
        yield step
    yield Concluded(xs, ys, seen, separated, len(paths))
    return SeparationResult(dag, separated=separated)


def inner_node(dag: DAG, before: str, node: str, after: str, observed: frozenset[str]) -> InnerNode:
    """The three rules: is a path that goes before, node, after open at the node?"""
    from_before, from_after = dag.has_arc(before, node), dag.has_arc(after, node)
    if from_before and from_after:
        below = [d for d in dag.descendants(node) if d in observed]
        if node in observed or below:
            because = "observed" if node in observed else f"its descendant {below[0]} is observed"
            return InnerNode(node, "a collider", True, because)
        return InnerNode(node, "a collider", False, "neither it nor any of its descendants is observed")
    position = "in a chain" if from_before or from_after else "a fork"
    return InnerNode(node, position, node not in observed, "observed" if node in observed else "not observed")


def _examine(dag: DAG, path: tuple[str, ...], observed: frozenset[str], given: tuple[str, ...]) -> Examined:
    """The step for a path: the first node that blocks it, or why each of its inner nodes is open."""
    inner = [inner_node(dag, *triple, observed) for triple in zip(path, path[1:], path[2:])]
    block = next((node for node in inner if not node.open), None)
    because = "; ".join(map(str, [block] if block else inner)) or "it has no inner nodes"
    return Examined(arrows(dag, path), block is None, block.node if block else None, because,
                    tuple(pairwise(path)), given)


def arrows(dag: DAG, path: Iterable[str]) -> str:
    """A path as text, with its arrows: A → C ← B."""
    path = tuple(path)
    return path[0] + "".join(f" {'→' if dag.has_arc(a, b) else '←'} {b}" for a, b in pairwise(path))


def all_paths(dag: DAG, x: Names, y: Names) -> list[tuple[str, ...]]:
    """Every path from x to y that visits no node twice, shortest first, then in the order of the nodes."""
    xs, ys = read_nodes(dag, x), read_nodes(dag, y)
    index = {node: i for i, node in enumerate(dag.nodes)}
    return sorted(_extend_paths(dag, xs, ys), key=lambda path: (len(path), [index[node] for node in path]))


def _extend_paths(dag: DAG, xs: tuple[str, ...], ys: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    partial: list[tuple[str, ...]] = [(x,) for x in xs]
    extended = 0
    while partial:
        path = partial.pop()
        for node in dag.neighbours(path[-1]):
            if node in ys:
                yield (*path, node)
            elif node not in path and node not in xs:
                partial.append((*path, node))
        extended += 1
        if extended > MAX_EXTENDED:
            raise ValueError(f"there are too many paths between {_and(xs)} and {_and(ys)} to examine each. "
                             f"bn.d_separated answers without listing them.")


def _query(x: tuple[str, ...], y: tuple[str, ...], given: tuple[str, ...], answer: bool | None = None) -> str:
    """'A and B d-separated given C' for a query, with 'are' or 'are not' for an answer."""
    verb = "" if answer is None else "are " if answer else "are not "
    sides = " and ".join(side[0] if len(side) == 1 else as_set(side) for side in (x, y))
    return f"{sides} {verb}d-separated" + (f" given {_and(given)}" if given else "")


def _observed(given: tuple[str, ...]) -> str:
    return f" if {_and(given)} {'is' if len(given) == 1 else 'are'} observed" if given else ""


def _and(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
