"""Simulated annealing: a search that may step downhill, and does so less and less.

    start with no arcs; for each temperature t, from hot to cold:
        propose one move, drawn evenly from all arcs that can be removed or legally added;
        if it does not lower the score, take it;
        if it does, take it all the same with chance exp(gain / t), gain being below 0;
        remember the best graph so far.

While it is hot nearly every move is taken and the walk goes everywhere; when it is cold only improvements are,
and it is a local search. In between it can leave a local optimum by the way down. Kirkpatrick, Gelatt and Vecchi
1983; for wine, Lippmann 2023. Lesson 13.

On which scale? Our scores are log-likelihoods less a penalty, and higher is better. The wine report, as is
usual, lowers AIC and BIC, which are -2 times ours: a loss of 1 here is one of 2 there. With `scale=2` a move is
taken with chance exp(2 gain / t), and the report's temperatures mean here what they mean there.

>>> from bnteach.datasets import five_rows
>>> from bnteach.learn.search.cooling import cooling_schedule
>>> from bnteach.scores.base import MDL
>>> found = anneal(MDL(five_rows()), cooling_schedule("x/50", n=300, slide=50), seed=1)
>>> round(found.score, 4)
-19.7521
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from math import exp

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.scores.base import Score, as_dag
from bnteach.trace import Drawing, Result, Step, stepwise

Arc = tuple[str, str]
SAME = 1e-9  # a graph is better than the best so far only if it is so by more than rounding


@dataclass(frozen=True)
class AnnealResult(Result[DAG]):
    """A Result with where the walk began and ended, and when it was at its best."""

    start: float = 0.0
    last: DAG | None = None
    best_at: int = 0

    @property
    def tried(self) -> list[Tried]:
        """The proposals alone, one for each temperature."""
        return [step for step in self.trace if isinstance(step, Tried)]

    @property
    def scores(self) -> np.ndarray:
        """The score of the current graph: at the start, and after each temperature."""
        return self.start + np.cumsum([0.0, *(step.gain if step.taken else 0.0 for step in self.tried)])


# -- what the algorithm says -----------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Started(Step):
    """The graph from which the walk begins."""

    graph: DAG
    score: float

    def __str__(self) -> str:
        arcs = len(self.graph.arcs)
        return f"start with {arcs or 'no'} arc{'' if arcs == 1 else 's'}: score {self.score:.4f}"

    def draw(self, drawing: Drawing) -> None:
        drawing.add_nodes(self.graph.nodes)
        for a, b in self.graph.arcs:
            drawing.add_arc(a, b)


@dataclass(frozen=True, slots=True)
class Tried(Step):
    """One move was proposed, and taken or not."""

    move: str
    arc: Arc
    gain: float
    temperature: float
    chance: float
    taken: bool

    def __str__(self) -> str:
        what = f"t = {self.temperature:.3g}: {self.move} {self.arc[0]}->{self.arc[1]}"
        if self.gain >= 0:
            return f"{what} gains {self.gain:.3f}: take it"
        return f"{what} loses {-self.gain:.3f}, chance {self.chance:.3f}: {'take it' if self.taken else 'leave it'}"

    def draw(self, drawing: Drawing) -> None:
        if not self.taken:
            drawing.style_edge(*self.arc, style="considered")
        elif self.move == "add":
            drawing.add_arc(*self.arc)
        else:
            drawing.remove_edge(*self.arc)


@dataclass(frozen=True, slots=True)
class Kept(Step):
    """The walk is over; the best graph that it met is the answer."""

    graph: DAG
    score: float
    after: int

    def __str__(self) -> str:
        return (f"the best graph was that after {self.after:,} proposals: {len(self.graph.arcs)} arcs, "
                f"score {self.score:.4f}")

    def draw(self, drawing: Drawing) -> None:
        for a, b in list(drawing.edges):
            if not self.graph.has_arc(a, b):
                drawing.remove_edge(a, b)
        for a, b in self.graph.arcs:
            drawing.add_arc(a, b, style="kept")


# -- the algorithm ---------------------------------------------------------------------------------------
@stepwise
def anneal(score: Score, temperatures: Iterable[float], seed: int = 0, start: DAG | str | None = None,
           scale: float = 1.0) -> Generator[Step, None, AnnealResult]:
    """Walk from graph to graph, taking losses with a chance that falls with the temperature. Lesson 13.

    `scale` is what one unit of the score counts in units of temperature: 2 for the wine report's temperatures.
    """
    walk, temperatures = Walk(score, start), _check(temperatures, scale)
    now = best = walk.score()
    kept, best_at, begun = walk.families(), 0, best
    yield Started(walk.dag(kept), begun)
    random = np.random.default_rng(seed).random((len(temperatures), 2)).tolist()
    for i, (temperature, (which, luck)) in enumerate(zip(temperatures, random), start=1):
        arc = walk.moves[int(which * len(walk.moves))]
        gain = walk.gain(arc)
        chance = acceptance(scale * gain, temperature)
        yield Tried(walk.what(arc), arc, gain, temperature, chance, taken=luck < chance)
        if luck < chance:
            walk.take(arc)
            now += gain
        if now > best + SAME:
            best, best_at, kept = now, i, walk.families()
    graph = walk.dag(kept)
    yield Kept(graph, score(graph), best_at)
    return AnnealResult(graph, score=score(graph), start=begun, last=walk.dag(walk.families()), best_at=best_at)


def acceptance(gain: float, temperature: float) -> float:
    """The chance of taking a move: 1 for a gain, exp(gain / temperature) for a loss.

    >>> [round(acceptance(-10, t), 4) for t in (1000, 10, 1, 0)]
    [0.99, 0.3679, 0.0, 0.0]
    """
    if gain >= 0:
        return 1.0
    return exp(gain / temperature) if temperature > 0 else 0.0


class Walk:
    """A graph on its way: the parents of each variable, and every move that keeps it acyclic.

    A move takes an arc a->b away or puts it there. It is illegal only if a lies below b, since then the arc
    would close a circle. Who lies below whom is kept as bits, one number for each variable.
    """

    def __init__(self, score: Score, start: DAG | str | None):
        self.family, self.variables = score.family, score.variables
        if len(self.variables) < 2:
            raise ValueError(f"there is only {self.variables[0]}; without a second variable no arc can be drawn.")
        dag = DAG((), self.variables) if start is None else as_dag(start, self.variables)
        self.parents = {v: frozenset(dag.parents(v)) for v in self.variables}
        self._arcs = [(a, b, 1 << i) for i, a in enumerate(self.variables) for b in self.variables if a != b]
        self._find_moves()

    def what(self, arc: Arc) -> str:
        """Does the move add the arc or remove it?"""
        return "remove" if arc[0] in self.parents[arc[1]] else "add"

    def gain(self, arc: Arc) -> float:
        """What the move would do to the score: only the child's family changes."""
        parent, child = arc
        before = self.parents[child]
        return self.family(child, before ^ {parent}) - self.family(child, before)

    def take(self, arc: Arc) -> None:
        """Make the move."""
        parent, child = arc
        self.parents[child] ^= {parent}
        self._find_moves()

    def score(self) -> float:
        """The score of the graph as it stands."""
        return sum(self.family(v, self.parents[v]) for v in self.variables)

    def families(self) -> dict[str, frozenset[str]]:
        """The graph as it stands, to be kept."""
        return dict(self.parents)

    def dag(self, families: dict[str, frozenset[str]]) -> DAG:
        """The DAG of some families."""
        return DAG([(a, b) for b in self.variables for a in families[b]], self.variables)

    def _find_moves(self) -> None:
        """All arcs that can be removed or legally added, by parent and then by child."""
        below = self._below()
        self.moves = [(a, b) for a, b, bit in self._arcs if not below[b] & bit]

    def _below(self) -> dict[str, int]:
        """For each variable the set of those below it, as bits (Warshall's algorithm)."""
        below = dict.fromkeys(self.variables, 0)
        for i, child in enumerate(self.variables):
            for parent in self.parents[child]:
                below[parent] |= 1 << i
        for i, middle in enumerate(self.variables):
            for v in self.variables:
                if below[v] >> i & 1:
                    below[v] |= below[middle]
        return below


def _check(temperatures: Iterable[float], scale: float) -> list[float]:
    if isinstance(temperatures, str | type) or not hasattr(temperatures, "__iter__"):
        raise TypeError(f"temperatures={temperatures!r} is not a series of temperatures; make one with "
                        f"bn.cooling_schedule('x/4'), or give a list of numbers.")
    if not scale > 0:
        raise ValueError(f"scale={scale!r}: a loss must count for something; use 1, or 2 for the wine report's scale.")
    temperatures = list(temperatures)
    if not temperatures:
        raise ValueError("the series of temperatures is empty; each temperature is one step of the walk.")
    if bad := [t for t in temperatures if not (isinstance(t, int | float | np.number) and 0 <= t < float("inf"))]:
        raise ValueError(f"{bad[0]} is no temperature; it must be a finite number, 0 or more.")
    return [float(t) for t in temperatures]
