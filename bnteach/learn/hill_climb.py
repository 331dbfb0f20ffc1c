"""Hill climbing: change one arc at a time, always the one that raises the score most.

    1. start from some graph;
    2. evaluate its neighbourhood: every DAG that differs by one arc added, removed or reversed;
    3. if the best neighbour is better, move there and repeat; otherwise stop.

It ends in a local optimum, a graph that no single move improves. That need not be the best graph: several moves
together might lead higher. Restarts run again from random graphs and keep the best result. Tabu search goes on
downhill for a while, and a tabu list of the graphs visited last keeps it from going round in a cycle. Lesson 9.

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
from bnteach.learn.search.constraints import Arcs, Constraints, Tiers
from bnteach.learn.search.neighbourhood import MOVES, REVERSE, Bools, Floats, Neighbourhood
from bnteach.learn.search.starts import first_graph
from bnteach.learn.search.ties import TOLERANCE, first_maximum
from bnteach.learn.steps.hill_climb import Chose, Considered, Move, Moved, Started, Stopped
from bnteach.scores.base import Score
from bnteach.trace import Result, Step, stepwise

Index = tuple[int, int, int]  # of a move: its kind, its parent, its child
REPORTED = 30  # up to this many variables, the trace reports what was rejected at the end


@dataclass(frozen=True)
class ClimbResult(Result[DAG]):
    """A Result with the number of graphs evaluated, and the final score of each run."""

    evaluated: int = 0
    final_scores: tuple[float, ...] = ()


@stepwise
def hill_climb(score: Score, start: DAG | str | None = None, restarts: int = 0, seed: int = 0,
               moves: str | Iterable[str] = "add remove reverse", tabu: int = 0, max_parents: int | None = None,
               required: Arcs = (), forbidden: Arcs = (), tiers: Tiers = (), considered: bool = False,
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
        Go on where no move raises the score, so many times without finding a better graph, and never return to
        one of the last so many graphs. 0 is plain hill climbing.
    max_parents : int, optional
        The largest number of parents of a variable.
    required, forbidden : str or pairs
        Arcs such as ``"A->B, C->D"``; in ``forbidden``, ``"A-B"`` means both directions.
    tiers : groups of names
        Groups in order, ``["age sex", "smoke", "cancer"]``: no arc leads from a later group to an earlier one.
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
    constraints = Constraints.read(score.variables, required, forbidden, tiers, max_parents)
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
    best, best_arcs, evaluated = neighbourhood.total, neighbourhood.arcs.copy(), 0
    since_best: list[float] = []  # the gains of the moves since the best graph; plain hill climbing makes none
    recent: deque[Bools] = deque(maxlen=tabu)
    while True:
        gains = neighbourhood.gains()
        gains[~allowed] = -np.inf
        evaluated += int((gains > -np.inf).sum())
        if considered:
            yield Considered(by_gain(gains, neighbourhood.names))
        mask_tabu(gains, neighbourhood.arcs, recent)
        moves = best_moves(gains)
        move = named(gains, neighbourhood.names, *moves[0]) if moves else None
        if move is None or (move.gain <= TOLERANCE and sum(gain <= TOLERANCE for gain in since_best) >= tabu):
            break
        recent.append(neighbourhood.arcs.copy())
        neighbourhood.make(*moves[0])
        since_best.append(move.gain)
        yield Moved(*move, neighbourhood.total, tied=len(moves) - 1)
        if neighbourhood.total > best + TOLERANCE:
            best, best_arcs, since_best = neighbourhood.total, neighbourhood.arcs.copy(), []
    graph = neighbourhood.dag(best_arcs)
    yield Stopped(best, move, len(since_best), graph, rejected(gains, neighbourhood.names))
    return graph, evaluated


def best_moves(gains: Floats) -> list[Index]:
    """The moves with the greatest gain, up to rounding: by parent, then by child, then add, remove, reverse."""
    top = gains.max()
    ties = np.argwhere(gains >= top - TOLERANCE).tolist() if top > -np.inf else []
    return sorted(((kind, a, b) for kind, a, b in ties), key=lambda move: (*move[1:], move[0]))


def mask_tabu(gains: Floats, arcs: Bools, recent: Iterable[Bools]) -> None:
    """Mask the moves that lead back to a recent graph: one that differs by an arc, or by the direction of one."""
    for graph in recent:
        a, b = np.nonzero(graph ^ arcs)
        if len(a) == 1:
            gains[:REVERSE, a, b] = -np.inf
        elif len(a) == 2 and a[0] == b[1] and a[1] == b[0]:
            gains[REVERSE, a, b] = -np.inf


def read_moves(moves: str | Iterable[str]) -> Bools:
    """Which of the moves add, remove and reverse may be made."""
    names = moves.replace(",", " ").split() if isinstance(moves, str) else read_names(moves or ())
    if not names or not set(names) <= set(MOVES):
        unknown = next((name for name in names if name not in MOVES), moves)
        raise ValueError(f"moves={moves!r}: {unknown!r} is not a move; choose among {', '.join(MOVES)}.")
    return np.array([name in names for name in MOVES])


def named(gains: Floats, names: Sequence[str], kind: int, a: int, b: int) -> Move:
    """A move with the names of its variables and its gain."""
    return Move(MOVES[kind], names[a], names[b], float(gains[kind, a, b]))


def by_gain(gains: Floats, names: Sequence[str]) -> tuple[Move, ...]:
    """All legal moves, the best first; of equal ones, by parent, then by child."""
    kind, a, b = legal = np.nonzero(gains > -np.inf)
    order = np.lexsort((kind, b, a, -np.round(gains[legal], 7)))
    moves = zip(kind[order].tolist(), a[order].tolist(), b[order].tolist(), gains[legal][order].tolist())
    return tuple([Move(MOVES[i], names[j], names[k], gain) for i, j, k, gain in moves])


def rejected(gains: Floats, names: Sequence[str]) -> tuple[Move, ...]:
    """What was left when a run stopped: the best move of each pair, the best first. Not for many variables."""
    moves = by_gain(gains, names) if len(names) <= REPORTED else ()
    return tuple({frozenset(move[1:3]): move for move in reversed(moves)}.values())[::-1]
