"""Lemma 1: adjacency and d-separation. For two nodes x and y of a DAG, four statements are equivalent. Lesson 2.

    (i)    there is an arc between them
    (ii)   no set of other nodes d-separates them
    (iii)  the ancestors of both, other than x and y, do not d-separate them
    (iv)   the parents of both, other than x and y, do not d-separate them
"""

from __future__ import annotations

from itertools import combinations

from bnteach.graphs.dag import DAG
from bnteach.graphs.separation import d_separated, read_query


def is_adjacent(dag: DAG, x: str, y: str) -> bool:
    """Lemma 1 (i): is there an arc between x and y?

    Parameters
    ----------
    dag : DAG
    x, y : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_adjacent(DAG("A->B, B->C"), "C", "B")
    True
    """
    read_query(dag, [x], [y], ())
    return dag.adjacent(x, y)


def no_separating_set(dag: DAG, x: str, y: str) -> bool:
    """Lemma 1 (ii): is there no set of other nodes that d-separates x and y? Tries all 2^(n-2) of them.

    Parameters
    ----------
    dag : DAG
    x, y : str

    Returns
    -------
    bool

    Examples
    --------
    >>> no_separating_set(DAG("A->B, B->C"), "A", "C")
    False
    """
    read_query(dag, [x], [y], ())
    others = [node for node in dag.nodes if node not in (x, y)]
    return not any(d_separated(dag, x, y, given) for size in range(len(others) + 1)
                   for given in combinations(others, size))


def not_separated_by_ancestors(dag: DAG, x: str, y: str) -> bool:
    """Lemma 1 (iii): do the ancestors of x and of y, other than x and y, fail to d-separate them?

    Parameters
    ----------
    dag : DAG
    x, y : str

    Returns
    -------
    bool

    Examples
    --------
    >>> not_separated_by_ancestors(DAG("A->B, B->C"), "A", "C")
    False
    """
    read_query(dag, [x], [y], ())
    return not d_separated(dag, x, y, {*dag.ancestors(x), *dag.ancestors(y)} - {x, y})


def not_separated_by_parents(dag: DAG, x: str, y: str) -> bool:
    """Lemma 1 (iv): do the parents of x and of y, other than x and y, fail to d-separate them?

    Parameters
    ----------
    dag : DAG
    x, y : str

    Returns
    -------
    bool

    Examples
    --------
    >>> not_separated_by_parents(DAG("A->B, B->C"), "B", "C")
    True
    """
    read_query(dag, [x], [y], ())
    return not d_separated(dag, x, y, {*dag.parents(x), *dag.parents(y)} - {x, y})
