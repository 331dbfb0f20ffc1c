"""K3: parents for each variable among those before it, one at a time, the best first.

    given an order of the variables; for each variable X in it:
        start without parents;
        among the variables before X, find the one that raises the score of X's family most;
        if it raises the score, make it a parent and repeat; otherwise go on to the next variable.

All arcs lead forward in the order, so no cycle can arise and each variable is a problem of its own. The greedy
step is fast but not optimal: where two parents help only together (XOR), neither is ever added.
K3 is K2 (Cooper and Herskovits 1992) with MDL as its score (Bouckaert 1993). Lesson 10.

Ties are decided in the order of the data's variables (search/ties.py).

>>> from bnteach import MDL, datasets
>>> found = k3(MDL(datasets.five_rows()), "ABCD")
>>> found.graph, round(found.score, 4)
(DAG('A->C, B->C, B->D'), -19.7521)
>>> print(found.trace.only(Added))
1. C: add A, gain 0.449
2. C: add B, gain 0.923
3. D: add B, gain 0.449
"""

from __future__ import annotations

from collections.abc import Generator, Iterable

from bnteach.graphs.dag import DAG
from bnteach.learn.search.constraints import UNCONSTRAINED, Arcs, Constraints, Tiers
from bnteach.learn.search.orders import graph_of, read_order
from bnteach.learn.search.ties import TOLERANCE, first_best
from bnteach.learn.steps.k3 import Added, Finished, Ordered, Started
from bnteach.scores.base import Score
from bnteach.trace import Result, Step, stepwise


@stepwise
def k3(score: Score, order: str | Iterable[str], max_parents: int | None = None, required: Arcs = (),
       forbidden: Arcs = (), tiers: Tiers = ()) -> Generator[Step, None, Result[DAG]]:
    """Learn a DAG whose arcs respect an order, with greedily chosen parents.

    Parameters
    ----------
    score : Score
    order : str or names
        All variables, each once: ``"ABCD"``, ``"age, smokes"`` or a list.
    max_parents : int, optional
        The largest number of parents of a variable.
    required, forbidden, tiers
        Background knowledge, as in `hill_climb`.

    Returns
    -------
    Result
        ``graph`` is a DAG.

    Examples
    --------
    >>> from bnteach import MDL, datasets
    >>> k3(MDL(datasets.five_rows()), "DCBA", max_parents=1).graph
    DAG('C->A, C->B, D')

    References
    ----------
    Cooper and Herskovits (1992), Machine Learning 9; Bouckaert (1993), ECSQARU. Lesson 10.
    """
    order = read_order(order, score.variables)
    constraints = Constraints.read(score.variables, required, forbidden, tiers, max_parents)
    constraints.check_order(order)
    yield Ordered(order)
    families = {}
    for i, child in enumerate(order):
        families[child] = yield from greedy_parents(score, child, order[:i], constraints)
    graph = graph_of(families, score)
    return Result(graph, score=score(graph))


def greedy_parents(score: Score, child: str, before: Iterable[str],
                   constraints: Constraints = UNCONSTRAINED) -> Generator[Step, None, tuple[str, ...]]:
    """The parents of one variable: add the best candidate as long as it raises the score."""
    before = set(before)
    candidates = constraints.candidates(child, [name for name in score.variables if name in before])
    parents = list(constraints.required_parents(child))
    now = score.family(child, parents)
    yield Started(child, tuple(candidates), now, tuple(parents))
    while True:
        gains = {name: score.family(child, [*parents, name]) - now for name in candidates if name not in parents}
        best = first_best(gains)
        if best is None or gains[best] <= TOLERANCE or len(parents) == constraints.max_parents:
            break
        parents.append(best)
        now += gains[best]
        yield Added(child, best, gains[best], now, gains)
    yield Finished(child, tuple(parents), now, gains)
    return tuple(parents)
