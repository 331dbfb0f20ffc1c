"""Hill climbing: change one arc at a time, always the one that raises the score most.

    1. start from some graph;
    2. evaluate its neighbourhood: every DAG that differs by one arc added, removed or reversed;
    3. if the best neighbour is better, move there and repeat; otherwise stop.

It ends in a local optimum, a graph that no single move improves. That need not be the best graph: several moves
together might lead higher. Restarts run again from random graphs and keep the best result. Tabu search goes on
downhill for a while, and a tabu list keeps it from undoing its last moves. Lesson 9.

Ties: of equal gains (search/ties.py), the first counts, by parent, then by child in the order of the variables, then
add before remove before reverse. So the order of the columns can decide.

>>> from bnteach import MDL, datasets
>>> found = hill_climb(MDL(datasets.five_rows()))
>>> print(found.trace)
1. start from the empty graph: score -21.5726
2. add A->C: gain 0.449, score -21.1240
3. add B->C: gain 0.923, score -20.2008
4. add B->D: gain 0.449, score -19.7521
5. no move raises the score (the best, reverse B->D, changes nothing): local optimum -19.7521
>>> found.graph, found.evaluated
(DAG('A->C, B->C, B->D'), 48)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import read_names
from bnteach.learn.search.constraints import Arcs, Constraints
from bnteach.learn.search.neighbourhood import MOVES, Bools, Floats, Neighbourhood
from bnteach.learn.search.starts import first_graph
from bnteach.learn.search.ties import TOLERANCE, first_maximum
from bnteach.learn.steps.hill_climb import Chose, Considered, Move, Moved, Started, Stopped
from bnteach.scores.base import Score
from bnteach.trace import Result, Step, stepwise


@dataclass(frozen=True)
class ClimbResult(Result[DAG]):
    """A Result with the number of graphs evaluated, and the final score of each run."""

    evaluated: int = 0
    final_scores: tuple[float, ...] = ()


@stepwise
def hill_climb(score: Score, start: DAG | str | None = None, restarts: int = 0, seed: int = 0,
               moves: str | Iterable[str] = "add remove reverse", tabu: int = 0, max_parents: int | None = None,
               required: Arcs = (), forbidden: Arcs = (), considered: bool = False,
               ) -> Generator[Step, None, ClimbResult]:
    """Learn a DAG by hill climbing or tabu search over single arcs.

    Parameters
    ----------
    score : Score
    start : DAG or str, optional
        A graph, "tree" for the Chow-Liu tree, or "random"; by default the empty graph.
    restarts : int
        How many further runs start from random graphs.
    seed : int
        Of the random graphs.
    moves : str or names
        Which of add, remove and reverse may be made.
    tabu : int
        Continue downhill until so many moves in a row have found no better graph, and meanwhile do not change the
        last so many pairs again. 0 is plain hill climbing.
    max_parents : int, optional
        The largest number of parents of a variable.
    required, forbidden : str or pairs
        Arcs such as ``"A->B, C->D"``.
    considered : bool
        Report all moves that were evaluated, too.

    Returns
    -------
    ClimbResult
        ``graph``, ``score``, the number of graphs ``evaluated`` and the ``final_scores`` of all runs.

    Examples
    --------
    >>> from bnteach import MDL, datasets
    >>> hill_climb(MDL(datasets.five_rows()), max_parents=1, forbidden="A->C").graph
    DAG('B->C, B->D, C->A')

    References
    ----------
    Heckerman, Geiger and Chickering (1995), Learning Bayesian networks, Machine Learning 20; Glover (1989), Tabu
    search, part I, ORSA Journal on Computing 1. Lesson 9.
    """
    constraints = Constraints.read(score.variables, required, forbidden, max_parents=max_parents)
    allowed, random = read_moves(moves), np.random.default_rng(seed)
    runs: list[tuple[float, DAG]] = []
    evaluated = 0
    for run in range(1, restarts + 2):
        graph, description = first_graph(start if run == 1 else "random", score, constraints, random)
        yield Started(run, graph, description, score(graph))
        graph, neighbours = yield from climb(Neighbourhood(score, graph, constraints), allowed, tabu, considered)
        runs.append((score(graph), graph))
        evaluated += neighbours
    final_scores = tuple(total for total, _ in runs)
    best = first_maximum(final_scores)
    top, graph = runs[best]
    if restarts:
        yield Chose(best + 1, final_scores, graph)
    return ClimbResult(graph, score=top, evaluated=evaluated, final_scores=final_scores)


def climb(neighbourhood: Neighbourhood, allowed: Bools, tabu: int = 0,
          considered: bool = False) -> Generator[Step, None, tuple[DAG, int]]:
    """One run: make the best move until none raises the score. The best graph, and how many were evaluated."""
    best, best_graph, idle, evaluated = neighbourhood.total, neighbourhood.dag(), 0, 0
    recent: deque[tuple[int, int]] = deque(maxlen=tabu)
    while True:
        gains = np.where(allowed, neighbourhood.gains(), -np.inf)
        evaluated += int(np.isfinite(gains).sum())
        if considered:
            yield Considered(by_gain(gains, neighbourhood.names))
        gains = mask_tabu(gains, recent, best - neighbourhood.total)
        a, b, kind = (int(i) for i in np.unravel_index(first_maximum(gains), gains.shape))
        move = named(gains, neighbourhood.names, a, b, kind)
        if move.gain == -np.inf or (move.gain <= TOLERANCE and idle >= tabu):
            break
        neighbourhood.make(a, b, kind)
        recent.append((a, b))
        idle += 1
        yield Moved(*move, neighbourhood.total)
        if neighbourhood.total > best + TOLERANCE:
            best, best_graph, idle = neighbourhood.total, neighbourhood.dag(), 0
    yield Stopped(best, move if move.gain > -np.inf else None, idle, best_graph)
    return best_graph, evaluated


def mask_tabu(gains: Floats, recent: Iterable[tuple[int, int]], aspiration: float) -> Floats:
    """Mask tabu moves unless they beat the best (aspiration)."""
    gains = gains.copy()
    for a, b in recent:
        for pair in ((a, b), (b, a)):
            gains[pair] = np.where(gains[pair] > aspiration + TOLERANCE, gains[pair], -np.inf)
    return gains


def read_moves(moves: str | Iterable[str]) -> Bools:
    """Which of the moves add, remove and reverse may be made."""
    names = moves.replace(",", " ").split() if isinstance(moves, str) else read_names(moves or ())
    if not names or not set(names) <= set(MOVES):
        unknown = next((name for name in names if name not in MOVES), moves)
        raise ValueError(f"moves={moves!r}: {unknown!r} is not a move; choose among {', '.join(MOVES)}.")
    return np.array([name in names for name in MOVES])


def named(gains: Floats, names: Sequence[str], a: int, b: int, kind: int) -> Move:
    """A move with the names of its variables and its gain."""
    return Move(MOVES[kind], names[a], names[b], float(gains[a, b, kind]))


def by_gain(gains: Floats, names: Sequence[str]) -> tuple[Move, ...]:
    """All legal moves, the best first."""
    legal = (named(gains, names, a, b, kind) for a, b, kind in np.argwhere(np.isfinite(gains)).tolist())
    return tuple(sorted(legal, key=lambda move: -round(move.gain, 7)))
