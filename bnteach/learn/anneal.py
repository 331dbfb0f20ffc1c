"""Simulated annealing: a search that may go downhill, and does so less and less.

    start from the empty graph; for each temperature t, from hot to cold:
        propose a move, drawn uniformly from all arcs that can be removed or legally added;
        if it does not lower the score, accept it;
        if it does, accept it with probability exp(gain / t), where gain is negative;
        remember the best graph so far.

At high temperatures nearly every move is accepted, and the search goes everywhere; at low ones only improvements
are, and it is a local search. In between it can leave a local optimum by going downhill. Lesson 13.

On which scale? Our scores are log-likelihoods less a penalty, and higher is better. The wine report, as is usual,
minimises AIC and BIC, which are -2 times ours: a loss of 1 on our scale is a loss of 2 on the report's. With
`scale=2` the acceptance probability is exp(2 gain / t), and the report's temperatures mean the same here as there.

>>> from bnteach import MDL, cooling_schedule, datasets
>>> found = anneal(MDL(datasets.five_rows()), cooling_schedule("x/50", n=300, final_steps=50), seed=1)
>>> round(found.score, 4)
-19.7521
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np
import numpy.typing as npt

from bnteach.graphs.dag import DAG
from bnteach.learn.search.constraints import Arcs, Constraints, Tiers
from bnteach.learn.search.neighbourhood import ADD, MOVES, REMOVE, Neighbourhood
from bnteach.learn.search.starts import first_graph
from bnteach.learn.search.ties import TOLERANCE
from bnteach.learn.steps.anneal import Kept, Proposed, Started
from bnteach.scores.base import Score
from bnteach.trace import Result, Step, stepwise


@dataclass(frozen=True)
class AnnealResult(Result[DAG]):
    """A Result with the score of the start, the last graph, when the best one was found, and the moves accepted."""

    start: float = 0.0
    last: DAG | None = None
    best_at: int = 0
    accepted: int = 0

    @property
    def proposals(self) -> list[Proposed]:
        """The proposals alone, one per temperature."""
        return [step for step in self.trace if isinstance(step, Proposed)]

    @property
    def scores(self) -> npt.NDArray[np.float64]:
        """The score of the current graph: at the start, and after each proposal."""
        return self.start + np.cumsum([0.0, *(step.gain if step.accepted else 0.0 for step in self.proposals)])


@stepwise
def anneal(score: Score, temperatures: Iterable[float], seed: int = 0, start: DAG | str | None = None,
           scale: float = 1.0, max_parents: int | None = None, required: Arcs = (),
           forbidden: Arcs = (), tiers: Tiers = ()) -> Generator[Step, None, AnnealResult]:
    """Learn a DAG by simulated annealing over single arcs.

    Parameters
    ----------
    score : Score
    temperatures : numbers
        The cooling schedule, one proposal per temperature: ``cooling_schedule("x/4")``, or a list of numbers.
    seed : int
        Of the proposals and of what is accepted.
    start : DAG or str, optional
        A graph, "tree" for the Chow-Liu tree, or "random"; by default the empty graph.
    scale : float
        Units of temperature per unit of the score: 2 for the wine report's temperatures.
    max_parents : int, optional
        The largest number of parents of a variable.
    required, forbidden, tiers
        Background knowledge, as in `hill_climb`.

    Returns
    -------
    AnnealResult
        ``graph``, the best one; ``proposals`` and ``scores``, step by step; ``best_at`` and ``accepted``.

    Examples
    --------
    >>> from bnteach import MDL, datasets
    >>> found = anneal(MDL(datasets.five_rows()), [2.0, 1.0, 0.0], seed=1)
    >>> len(found.proposals), len(found.scores)
    (3, 4)

    References
    ----------
    Kirkpatrick, Gelatt and Vecchi (1983), Optimization by simulated annealing, Science 220. Lesson 13.
    """
    temperatures, random = read_temperatures(temperatures, scale), np.random.default_rng(seed)
    constraints = Constraints.read(score.variables, required, forbidden, tiers, max_parents)
    graph, _ = first_graph(start, score, constraints, random)
    current, first = Neighbourhood(score, graph, constraints), score(graph)
    first_moves(current)
    yield Started(graph, first)
    graph, best_at, accepted = yield from walk(current, first, temperatures, scale, random)
    yield Kept(graph, score(graph), best_at)
    return AnnealResult(graph, score=score(graph), start=first, last=current.dag(), best_at=best_at, accepted=accepted)


def walk(current: Neighbourhood, now: float, temperatures: list[float], scale: float,
         random: np.random.Generator) -> Generator[Step, None, tuple[DAG, int, int]]:
    """One proposal per temperature. Returns the best graph, after how many proposals it was found, and how many
    were accepted."""
    moves, graph, best, best_at, accepted = first_moves(current), current.dag(), now, 0, 0
    numbers = random.random((len(temperatures), 2)).tolist()
    for i, (t, (which, uniform)) in enumerate(zip(temperatures, numbers), 1):
        a, b = moves[int(which * len(moves))].tolist()
        move, gain = REMOVE if current.arcs[a, b] else ADD, current.toggle_gain(a, b)
        probability, arc = acceptance(scale * gain, t), (current.names[a], current.names[b])
        yield Proposed(MOVES[move], arc, gain, t, probability, accepted=uniform < probability, uniform=uniform)
        if uniform < probability:
            current.make(move, a, b)
            moves = current.toggles()
            now += gain
            accepted += 1
        if now > best + TOLERANCE:
            best, best_at, graph = now, i, current.dag()
    return graph, best_at, accepted


def first_moves(start: Neighbourhood) -> npt.NDArray[np.intp]:
    """The arcs that can be added or removed at the start, or an error if there is none."""
    if not len(moves := start.toggles()):
        raise ValueError(f"no arc can be added or removed on {', '.join(start.names)}: annealing needs at least two "
                         f"variables, and constraints that leave it a choice.")
    return moves


def acceptance(gain: float, temperature: float) -> float:
    """The acceptance probability: 1 for a gain, exp(gain / temperature) for a loss.

    >>> [round(acceptance(-10, t), 4) for t in (1000, 10, 1, 0)]
    [0.99, 0.3679, 0.0, 0.0]
    """
    if gain >= 0:
        return 1.0
    return exp(gain / temperature) if temperature > 0 else 0.0


def read_temperatures(temperatures: Any, scale: float) -> list[float]:
    """The temperatures as a list of numbers, or an error that says what is wrong with them."""
    if isinstance(temperatures, str | type) or not hasattr(temperatures, "__iter__"):
        raise TypeError(f"temperatures={temperatures!r} is not a series of temperatures; make one with "
                        f"bn.cooling_schedule('x/4'), or give a list of numbers.")
    if not scale > 0:
        raise ValueError(f"scale={scale!r} must be above 0; use 1, or 2 for the wine report's temperatures.")
    temperatures = list(temperatures)
    if not temperatures:
        raise ValueError("the series of temperatures is empty; give one temperature per proposal.")
    if bad := [t for t in temperatures if not (isinstance(t, int | float | np.number) and 0 <= t < float("inf"))]:
        raise ValueError(f"{bad[0]} is no temperature; it must be a finite number, 0 or more.")
    return [float(t) for t in temperatures]
