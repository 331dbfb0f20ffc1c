"""d-separation path by path: which are open, which are blocked, at which node and by which rule.

>>> g = DAG("rain->wet, sprinkler->wet, wet->slippery")
>>> print(explain_separation(g, "rain", "sprinkler", given=["slippery"]).trace)
1. Are rain and sprinkler separated given slippery? Look at each path between them.
2. rain → wet ← sprinkler is open: wet is a collider and its descendant slippery is observed.
3. An open path is enough: rain and sprinkler are not separated given slippery.

The rules are those at the head of separation.py. Lesson 2.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from bnteach.drawing import Drawing
from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import Pair
from bnteach.graphs.separation import Names, read_nodes, read_question
from bnteach.trace import Step, stepwise

MOST_WALKS = 20_000  # more than this is no explanation


@dataclass(frozen=True, slots=True)
class Asked(Step):
    """The question."""

    x: tuple[str, ...]
    y: tuple[str, ...]
    given: tuple[str, ...]
    dag: DAG

    def __str__(self) -> str:
        return f"Are {_question(self.x, self.y, self.given)}? Look at each path between them."

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.dag.nodes)
        for a, b in self.dag.arcs:
            drawing.add_arc(a, b, style="plain")
        drawing.style_nodes(*self.given, style="kept")


class Meeting(NamedTuple):
    """How a path meets one of its inner nodes, and whether it gets through there."""

    node: str
    kind: str
    passes: bool
    because: str

    def __str__(self) -> str:
        return f"{self.node} is {self.kind} and {self.because}"


@dataclass(frozen=True, slots=True)
class Followed(Step):
    """One path: open, or blocked at a node."""

    path: str
    open: bool
    at: str | None
    because: str
    lines: tuple[Pair, ...]
    given: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.path} is {'open' if self.open else f'blocked at {self.at}'}: {self.because}."

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(*self.given, style="kept")
        for a, b in self.lines:
            drawing.style_edge(a, b, "considered")
        drawing.style_nodes(*([self.at] if self.at else dict.fromkeys(n for line in self.lines for n in line)))


@dataclass(frozen=True, slots=True)
class Concluded(Step):
    """The answer."""

    x: tuple[str, ...]
    y: tuple[str, ...]
    given: tuple[str, ...]
    separated: bool
    paths: int

    def __str__(self) -> str:
        answer = _question(self.x, self.y, self.given, self.separated)
        if not self.separated:
            return f"An open path is enough: {answer}."
        reason = {0: "There is no path at all", 1: "The only path is blocked", 2: "Both paths are blocked"}
        return f"{reason.get(self.paths, f'All {self.paths:,} paths are blocked')}: {answer}."

    def draw(self, drawing: Drawing) -> None:
        drawing.style_nodes(*self.given, style="kept")


@stepwise
def explain_separation(dag: DAG, x: Names, y: Names, given: Names = ()) -> Generator[Step, None, bool]:
    """Why x and y are d-separated or not: a step a path, shortest first. `.graph` is the verdict."""
    xs, ys, observed = read_question(dag, x, y, given)
    seen = tuple(node for node in dag.nodes if node in observed)
    yield Asked(xs, ys, seen, dag)
    any_open, paths = False, all_paths(dag, xs, ys)
    for path in paths:
        met = [meeting(dag, path[i - 1], path[i], path[i + 1], observed) for i in range(1, len(path) - 1)]
        step = _followed(dag, path, met, seen)
        any_open = any_open or step.open
        yield step
    yield Concluded(xs, ys, seen, not any_open, len(paths))
    return not any_open


def meeting(dag: DAG, before: str, node: str, after: str, observed: frozenset[str]) -> Meeting:
    """The three rules: how a path that goes before, node, after gets through the node, or does not."""
    from_before, from_after = dag.has_arc(before, node), dag.has_arc(after, node)
    if from_before and from_after:
        below = [d for d in dag.descendants(node) if d in observed]
        if node in observed or below:
            because = "observed" if node in observed else f"its descendant {below[0]} is observed"
            return Meeting(node, "a collider", True, because)
        return Meeting(node, "a collider", False, "neither it nor a descendant of it is observed")
    kind = "in a chain" if from_before or from_after else "a fork"
    return Meeting(node, kind, node not in observed, "observed" if node in observed else "not observed")


def _followed(dag: DAG, path: tuple[str, ...], met: list[Meeting], given: tuple[str, ...]) -> Followed:
    """The step for a path: the first node that blocks it, or why every node lets through."""
    block = next((m for m in met if not m.passes), None)
    reasons = [block] if block else met
    because = "; ".join(map(str, reasons)) or "nothing lies between its ends"
    at = block.node if block else None
    return Followed(arrows(dag, path), block is None, at, because, tuple(pairwise(path)), given)


def arrows(dag: DAG, path: Iterable[str]) -> str:
    """A path as text, with its arrows: A → C ← B."""
    path = tuple(path)
    return path[0] + "".join(f" {'→' if dag.has_arc(a, b) else '←'} {b}" for a, b in pairwise(path))


def all_paths(dag: DAG, x: Names, y: Names) -> list[tuple[str, ...]]:
    """Every path from x to y that visits no node twice, shortest first, then in the order of the nodes."""
    xs, ys = read_nodes(dag, x), read_nodes(dag, y)
    place = {node: i for i, node in enumerate(dag.nodes)}
    return sorted(_walk(dag, xs, ys), key=lambda path: (len(path), [place[node] for node in path]))


def _walk(dag: DAG, xs: tuple[str, ...], ys: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    stack, looked = [(x,) for x in xs], 0
    while stack:
        path = stack.pop()
        for node in dag.neighbours(path[-1]):
            if node in ys:
                yield (*path, node)
            elif node not in path and node not in xs:
                stack.append((*path, node))
        looked += 1
        if looked > MOST_WALKS:
            raise ValueError(f"there are too many paths between {_and(xs)} and {_and(ys)} to look at them one "
                             f"by one. bn.d_separated answers without listing them.")


def _question(x: tuple, y: tuple, given: tuple, answer: bool | None = None) -> str:
    """'A and B separated given C' as a question, or with 'are' and 'are not' as an answer."""
    verb = {None: "", True: "are ", False: "are not "}[answer]
    sides = " and ".join(side[0] if len(side) == 1 else f"{{{', '.join(side)}}}" for side in (x, y))
    return f"{sides} {verb}separated" + (f" given {_and(given)}" if given else "")


def _and(names: Iterable[str]) -> str:
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
