"""Every DAG on a few variables, tried one by one: what the searches are compared with."""

from functools import cache
from itertools import combinations, permutations

import numpy as np

from bnteach import DAG, Score, Table

COUNTS = {1: 1, 2: 3, 3: 25, 4: 543, 5: 29281}  # Robinson's numbers


@cache
def all_dags(n: int) -> np.ndarray:
    """Each DAG as a row: for each variable its parents, as bits."""
    choices = [[mask for mask in range(2**n) if not mask >> x & 1] for x in range(n)]
    graphs = np.stack(np.meshgrid(*choices, indexing="ij"), axis=-1).reshape(-1, n)
    gone = np.zeros(len(graphs), dtype=np.int64)  # variables that have been taken off, since no parent was left
    for _ in range(n):
        for x in range(n):
            gone |= np.where(graphs[:, x] & ~gone == 0, 1 << x, 0)
    found = graphs[gone == 2**n - 1]
    assert len(found) == COUNTS[n]
    return found


def names_of(mask: int, variables: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(name for i, name in enumerate(variables) if mask >> i & 1)


def family_table(score: Score) -> np.ndarray:
    """table[x, mask]: the score of the family of x with the parents of the mask."""
    n = len(score.variables)
    return np.array([[score.family(child, names_of(mask, score.variables)) if not mask >> x & 1 else -np.inf
                      for mask in range(2**n)] for x, child in enumerate(score.variables)])


def best_score(score: Score, max_parents: int | None = None) -> float:
    """The best score of all DAGs, each looked at."""
    n, table = len(score.variables), family_table(score)
    graphs = all_dags(n)
    if max_parents is not None:
        graphs = graphs[(np.bitwise_count(graphs) <= max_parents).all(axis=1)]
    return float(sum(table[x, graphs[:, x]] for x in range(n)).max())


def best_in_order(score: Score, order: tuple[str, ...]) -> float:
    """The best score of the DAGs whose arcs lead forward in an order: every set of parents is tried."""
    return sum(max(score.family(child, parents) for size in range(i + 1) for parents in combinations(order[:i], size))
               for i, child in enumerate(order))


def neighbours(dag: DAG) -> list[tuple[str, str, str, DAG]]:
    """Every DAG that differs by one arc added, removed or reversed."""
    found = []
    for a, b in permutations(dag.nodes, 2):
        if dag.has_arc(a, b):
            found.append(("remove", a, b, dag.without_arc(a, b)))
            changes = [("reverse", dag.without_arc(a, b), (b, a))]
        else:
            changes = [("add", dag, (a, b))]
        for what, base, arc in changes:
            if not base.adjacent(*arc) and arc[0] not in base.descendants(arc[1]):
                found.append((what, a, b, base.with_arc(*arc)))
    return found


def xor_table(times: int = 8) -> Table:
    """A and B are coins, C is 1 if they differ; every combination as often as any other."""
    rows = [(a, b, a ^ b) for a in (0, 1) for b in (0, 1)] * times
    return Table(dict(zip("ABC", zip(*rows))))
