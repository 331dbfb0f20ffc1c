"""Equivalence classes that stay the same when labels are rotated: a check on their number. Lesson 1."""

from __future__ import annotations

from itertools import combinations, product

from bnteach.graphs.equivalence import is_cpdag
from bnteach.graphs.notation import Pair
from bnteach.graphs.pdag import PDAG


def classes_fixed_by_rotation(n: int, prime: int) -> list[PDAG]:
    """The CPDAGs on n nodes that stay the same when the first `prime` labels are rotated.

    The rotation permutes all other classes in orbits of that length, so the number of classes and the number of
    fixed ones are congruent modulo the prime. And the fixed ones are few. Among the rotated labels, the graph is
    empty or complete: an arc would be rotated into a directed cycle, and of the undirected graphs that a rotation
    preserves only these two are chordal. Each other node is linked to all of them in the same way.

    Parameters
    ----------
    n : int
    prime : int
        A prime number from 3 to `n`.

    Returns
    -------
    list of PDAG

    Examples
    --------
    >>> from bnteach import count_classes
    >>> len(classes_fixed_by_rotation(5, 3)) % 3, count_classes(5) % 3
    (1, 1)
    """
    if not 3 <= prime <= n or any(prime % d == 0 for d in range(2, prime)):
        raise ValueError(f"{prime} labels cannot be rotated here: give a prime number from 3 to n = {n}.")
    rotated, others = [str(i) for i in range(prime)], [str(i) for i in range(prime, n)]
    pairs = list(combinations(others, 2))
    fixed = []
    for edges in ([], list(combinations(rotated, 2))):
        for kinds in product(("", "-", "->", "<-"), repeat=len(others) + len(pairs)):
            links = [((r, o), kind) for o, kind in zip(others, kinds) for r in rotated]
            links += list(zip(pairs, kinds[len(others):]))
            candidate = _linked(links, edges, [*rotated, *others])
            if is_cpdag(candidate):
                fixed.append(candidate)
    return fixed


def _linked(links: list[tuple[Pair, str]], edges: list[Pair], nodes: list[str]) -> PDAG:
    arcs = [(a, b) if kind == "->" else (b, a) for (a, b), kind in links if kind in ("->", "<-")]
    return PDAG(arcs, [*edges, *(pair for pair, kind in links if kind == "-")], nodes)
