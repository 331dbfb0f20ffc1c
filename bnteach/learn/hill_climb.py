"""Hill climbing: change one arc at a time, always the one that raises the score most.

    1. start from some graph;
    2. look at every graph that differs by one arc added, removed or reversed and has no circle;
    3. if the best of them is better, go there and look again; if not, stop.

It always ends in a local optimum, a graph that no change of one arc improves. That need not be the best graph:
several changes at once might lead higher. Restarts climb again from random graphs and keep the best end; a tabu
list lets the search go on downhill for a while, without undoing what it has just done. Lesson 9.

Ties. Changes whose gains differ by less than SAME are equal: the first one counts, by parent, then by child in
the order of the variables, then add before remove before reverse. So the columns' order can decide.

>>> from bnteach.datasets import five_rows
>>> from bnteach.scores.base import MDL
>>> found = hill_climb(MDL(five_rows()))
>>> print(found.trace)
1. start from the graph without arcs: score -21.5726
2. add A->C: gain 0.449, score -21.1240
3. add B->C: gain 0.923, score -20.2008
4. add B->D: gain 0.449, score -19.7521
5. no change of one arc raises the score (the best, reverse B->D, changes nothing): stop at -19.7521
>>> found.graph, found.looked
(DAG('A->C, B->C, B->D'), 48)
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.learn.search.constraints import Rules, first_graph
from bnteach.learn.search.knowledge import Arcs
from bnteach.learn.search.neighbourhood import KINDS, Changes
from bnteach.scores.base import Score
from bnteach.scores.parent_gains import ParentGains
from bnteach.trace import Drawing, Result, Step, stepwise

if TYPE_CHECKING:
    import pandas as pd

SAME = 1e-7  # gains that differ by less are equal, and a gain of less is none
Told = tuple[str, str, str, float]  # what, parent, child, gain


@dataclass(frozen=True)
class ClimbResult(Result[DAG]):
    """A Result with how many graphs were looked at, and the score in which each climb ended."""

    looked: int = 0
    ends: tuple[float, ...] = ()


# -- what the algorithm says -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Started(Step):
    """A climb begins."""

    climb: int
    graph: DAG
    how: str
    score: float

    def __str__(self) -> str:
        again = f"climb {self.climb}: " if self.climb > 1 else ""
        return f"{again}start from {self.how}: score {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.redraw(self.graph, style="plain")


@dataclass(frozen=True, slots=True)
class Considered(Step):
    """All changes that could be made, the best first: (what, parent, child, gain)."""

    changes: tuple[Told, ...] = field(repr=False)

    def __str__(self) -> str:
        first = ", ".join(f"{kind} {a}->{b} {gain:+.3f}" for kind, a, b, gain in self.changes[:3])
        return f"look at {len(self.changes)} graphs: {first}{' …' if len(self.changes) > 3 else ''}"

    def table(self) -> pd.DataFrame:
        """The changes as a DataFrame, for reading."""
        import pandas as pd

        return pd.DataFrame(self.changes, columns=["change", "parent", "child", "gain"])


@dataclass(frozen=True, slots=True)
class Moved(Step):
    """An arc was added, removed or reversed."""

    change: str
    parent: str
    child: str
    gain: float
    score: float

    def __str__(self) -> str:
        lost = f"so lose {-self.gain:.3f}" if self.gain < -SAME else "and nothing is lost"
        gain = f"gain {self.gain:.3f}" if self.gain > SAME else f"nothing is better, {lost}"
        return f"{self.change} {self.parent}->{self.child}: {gain}, score {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        if self.change == "add":
            drawing.add_arc(self.parent, self.child, style="kept", label=f"{self.gain:+.2f}")
        elif self.change == "reverse":
            drawing.add_arc(self.child, self.parent, label=f"{self.gain:+.2f}")
        else:
            drawing.remove_edge(self.parent, self.child)


@dataclass(frozen=True, slots=True)
class Stopped(Step):
    """Nothing gets better any more. After changes that were no gain, the search goes back to the best graph."""

    score: float
    best: Told | None
    idle: int
    graph: DAG

    def __str__(self) -> str:
        if self.idle:
            last = "the last change" if self.idle == 1 else f"the last {self.idle} changes"
            return f"{last} found nothing higher: stop, and go back to the best, {self.score:.4f}"
        if self.best is None:
            return f"no change is possible: stop at {self.score:.4f}"
        kind, a, b, gain = self.best
        what = f"{kind} {a}->{b}, {f'would lose {-gain:.3f}' if gain < -SAME else 'changes nothing'}"
        return f"no change of one arc raises the score (the best, {what}): stop at {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        if self.idle:
            drawing.redraw(self.graph, style="kept")


@dataclass(frozen=True, slots=True)
class Chose(Step):
    """Of several climbs the highest counts."""

    climb: int
    ends: tuple[float, ...]
    graph: DAG

    def __str__(self) -> str:
        return f"the highest of {len(self.ends)} climbs was number {self.climb}: {self.ends[self.climb - 1]:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.redraw(self.graph, style="kept")


# -- the algorithm ---------------------------------------------------------------------------------------
@stepwise
def hill_climb(score: Score, start: DAG | str | None = None, restarts: int = 0, seed: int = 0,
               moves: str | Iterable[str] = "add remove reverse", tabu: int = 0, max_parents: int | None = None,
               required: Arcs = (), forbidden: Arcs = (), considered: bool = False,
               ) -> Generator[Step, None, ClimbResult]:
    """Climb by single arcs from a graph to a local optimum. Lesson 9.

    `start` is None for no arcs, a graph, "tree" for the Chow-Liu tree, or "random"; each of the `restarts` begins
    with another random graph. `tabu=k` goes on downhill until k changes in a row have found nothing better, and
    does not touch again the last k pairs it changed. With `considered`, the trace tells every change looked at.
    """
    rules, one_more = Rules(score, moves, max_parents, required, forbidden), ParentGains(score)
    random = np.random.default_rng(seed)
    starts = [start, *["random"] * restarts]
    ends: list[tuple[float, DAG]] = []
    looked = 0
    for number, begin in enumerate(starts, start=1):
        dag, how = first_graph(begin, score, rules, random)
        yield Started(number, dag, how, score(dag))
        changes = Changes(score, dag, max_parents, rules.required, rules.forbidden, one_more)
        graph, steps = yield from climb(changes, rules, tabu, considered)
        ends.append((score(graph), graph))
        looked += steps
    best = highest([end for end, _ in ends])
    top, graph = ends[best]
    if restarts:
        yield Chose(best + 1, tuple(end for end, _ in ends), graph)
    return ClimbResult(graph, score=top, looked=looked, ends=tuple(end for end, _ in ends))


def climb(changes: Changes, rules: Rules, tabu: int = 0,
          considered: bool = False) -> Generator[Step, None, tuple[DAG, int]]:
    """One climb: the best graph on the way, and how many graphs were looked at."""
    best, best_dag, idle, looked, recent = changes.total, changes.dag(), 0, 0, []
    while True:
        gains = rules.allow(changes.gains())
        looked += int(np.isfinite(gains).sum())
        if considered:
            yield Considered(_by_gain(gains, changes.names))
        change = first_of_the_best(_without(recent, gains, best - changes.total))
        if change is None or (gains[change] <= SAME and idle >= tabu):
            break
        gain = float(gains[change])
        a, b, kind = change
        changes.make(a, b, kind)
        recent = [*recent, (a, b)][-tabu:] if tabu else []
        yield Moved(KINDS[kind], changes.names[a], changes.names[b], gain, changes.total)
        idle += 1
        if changes.total > best + SAME:
            best, best_dag, idle = changes.total, changes.dag(), 0
    yield Stopped(best, None if change is None else _told(change, gains, changes.names), idle, best_dag)
    return best_dag, looked


def first_of_the_best(gains: np.ndarray) -> tuple[int, int, int] | None:
    """The change of greatest gain; among equal ones the first by parent, child and kind. None if there is none."""
    if (top := gains.max()) == -np.inf:
        return None
    a, b, kind = np.unravel_index(int((gains >= top - SAME).argmax()), gains.shape)
    return int(a), int(b), int(kind)


def highest(ends: Sequence[float]) -> int:
    """The first of the highest ends."""
    return next(i for i, end in enumerate(ends) if end >= max(ends) - SAME)


def _without(recent: list[tuple[int, int]], gains: np.ndarray, missing: float) -> np.ndarray:
    """Leave the pairs alone that were changed just now, unless that would lead higher than ever."""
    gains = gains.copy()
    for a, b in recent:
        for pair in ((a, b), (b, a)):
            gains[pair] = np.where(gains[pair] > missing + SAME, gains[pair], -np.inf)
    return gains


# -- telling ---------------------------------------------------------------------------------------------
def _told(change: tuple[int, int, int], gains: np.ndarray, names: Sequence[str]) -> Told:
    a, b, kind = change
    return KINDS[kind], names[a], names[b], float(gains[change])


def _by_gain(gains: np.ndarray, names: Sequence[str]) -> tuple[Told, ...]:
    legal = [tuple(int(i) for i in change) for change in np.argwhere(np.isfinite(gains))]
    return tuple(sorted((_told(change, gains, names) for change in legal), key=lambda told: -round(told[3], 7)))
