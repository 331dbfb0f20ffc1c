"""Greedy equivalence search (GES): hill climbing from class to class in place of graph to graph.

Equivalent DAGs have equal scores. Hill climbing over DAGs can stand on one of them, unable to move, while another
member of the same class has a better neighbour. GES never sees single DAGs:

    1. start from the class of the empty graph;
    2. forward phase: while some Insert raises the score, make the best one;
    3. backward phase: while some Delete raises the score, make the best one.

With a score that is consistent (BIC, MDL, BDeu) and enough data from a distribution that a DAG represents faithfully,
the forward phase ends in a class that contains the distribution, and the backward phase in the true class (Chickering
2002). With few data neither is certain: after the Deletes an Insert may raise the score again, so `repeat=True` goes
on, and `turn=True` adds a phase that reverses edges. search/classes.py has the moves. Lesson 17.

Ties: of equal gains (search/ties.py) the first counts, by x, by y, then by the clique, in the order of the variables.

>>> from bnteach import MDL, datasets
>>> found = ges(MDL(datasets.five_rows()))
>>> print(found.trace)
1. start from the empty graph: score -21.5726
2. insert A->C: gain 0.449, score -21.1240; now A-C, B, D
3. insert B->C with A->C: gain 0.923, score -20.2008; now A->C, B->C, D
4. insert B->D: gain 0.449, score -19.7521; now A->C, B->C, B-D
5. the forward phase ends: no insert raises the score -19.7521
6. the backward phase ends: no delete raises the score -19.7521
>>> found.graph
PDAG('A->C, B->C, B-D')
"""

from __future__ import annotations

from collections.abc import Generator

from bnteach.graphs.dag import DAG
from bnteach.graphs.equivalence import cpdag
from bnteach.graphs.extension import extend
from bnteach.graphs.pdag import PDAG
from bnteach.learn.search.classes import Classes
from bnteach.learn.search.constraints import Arcs, Constraints
from bnteach.learn.steps.ges import Considered, Ended, Moved, Started
from bnteach.scores.base import Score, as_dag
from bnteach.trace import Result, Step, stepwise


@stepwise
def ges(score: Score, start: DAG | PDAG | str | None = None, turn: bool = False, repeat: bool = False,
        max_parents: int | None = None, forbidden: Arcs = (), considered: bool = False,
        ) -> Generator[Step, None, Result[PDAG]]:
    """Learn a CPDAG by greedy equivalence search.

    Parameters
    ----------
    score : Score
        Must give equivalent DAGs the same score: BIC, MDL, AIC, BDeu or LogLikelihood, not K2.
    start : DAG, PDAG or str, optional
        A graph whose class the search starts from; by default the empty graph.
    turn : bool
        Add a turning phase after the backward phase.
    repeat : bool
        Go through the phases again until none of them finds a better class.
    max_parents : int, optional
        The largest number of parents of a variable in the DAG that a move changes.
    forbidden : str or pairs
        Pairs that may not be adjacent, ``"A-B, C-D"``.
    considered : bool
        Report all moves that raise the score, too.

    Returns
    -------
    Result
        ``graph``, the CPDAG of the class found, and its ``score``.

    Examples
    --------
    >>> from bnteach import MDL, datasets
    >>> ges(MDL(datasets.five_rows()), forbidden="A-C").graph
    PDAG('B-C, B-D, A')

    References
    ----------
    Chickering (2002), Optimal structure identification with greedy search, JMLR 3. Lesson 17.
    """
    check_equivalent(score)
    classes = Classes(score, *read_start(score, start, max_parents, forbidden))
    total = score(extend(classes.graph))
    yield Started(classes.graph, "the empty graph" if start is None else "the graph given", total)
    phases = ("insert", "delete", "turn") if turn else ("insert", "delete")
    while True:
        before = total
        for change in phases:
            total = yield from phase(classes, change, total, considered)
        if not repeat or total == before:
            return Result(classes.graph, score=score(extend(classes.graph)))


def phase(classes: Classes, change: str, total: float, considered: bool) -> Generator[Step, None, float]:
    """Make the best move of one kind until none raises the score, which is returned."""
    while True:
        moves = classes.better(change)
        if considered:
            moves = [move for move in moves if classes.after(move)]
            yield Considered(change, tuple(moves))
        found = next(((move, after) for move in moves if (after := classes.after(move))), None)
        if found is None:
            yield Ended(change, total)
            return total
        move, classes.graph = found
        total += move.gain
        yield Moved(*move, total, classes.graph)


def read_start(score: Score, start: DAG | PDAG | str | None, max_parents: int | None,
               forbidden: Arcs) -> tuple[PDAG, Constraints]:
    """The CPDAG to start from, and the constraints; an error if they say something about directions."""
    constraints = Constraints.read(score.variables, forbidden=forbidden, max_parents=max_parents)
    if one_way := [(a, b) for a, b in constraints.forbidden if constraints.allows(b, a)]:
        a, b = one_way[0]
        raise ValueError(f"forbidden={a}->{b} excludes one direction, and a class has DAGs with both. Write {a}-{b} to "
                         f"exclude the edge, or use hill_climb, which searches DAGs.")
    given = PDAG(start, nodes=score.variables) if start is not None else PDAG(nodes=score.variables)
    graph = cpdag(as_dag(extend(given), score.variables))
    if wrong := [pair for pair in graph.skeleton if not constraints.allows(*pair)]:
        raise ValueError(f"the search cannot start from this graph: {'-'.join(wrong[0])} is forbidden.")
    return graph, constraints


def check_equivalent(score: Score) -> None:
    """Raise ValueError for a score that tells equivalent DAGs apart."""
    if not getattr(score, "score_equivalent", True):
        raise ValueError(f"{type(score).__name__} gives equivalent DAGs different scores, and ges needs one score per "
                         f"class. Use BDeu, BIC or MDL.")
