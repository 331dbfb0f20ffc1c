"""How many DAGs are there on n labelled nodes, and how many classes of equivalent ones?

    DAGs                 Robinson's recurrence: take off the nodes that no arrow leaves ...
    classes of size one  ... the same, with fewer ways to choose their parents (Steinsky)
    all classes          ... the same, with connected chordal graphs in place of single nodes

All three are one idea, inclusion and exclusion over what comes last. An essential graph (equivalence.py) is a
graph of graphs: its undirected components are connected chordal graphs, and all nodes of a component have the
same parents. Take off a last component. Its parents may be any set of the m other nodes, except those sets
that would leave an arrow free to turn: the parents of some component, together with a clique of it. So if the
rest has c cliques in its components, the last component can choose its parents in 2^m - c ways.

>>> [count_dags(n) for n in range(1, 6)]
[1, 3, 25, 543, 29281]
>>> [count_singleton_classes(n) for n in range(1, 6)]
[1, 1, 4, 59, 2616]
>>> [count_classes(n) for n in range(1, 6)]
[1, 2, 11, 185, 8782]

Robinson (1973), Counting labeled acyclic digraphs. Steinsky (2003), Enumeration of labelled chain graphs and
labelled essential directed acyclic graphs, Discrete Mathematics 270. Gillispie and Perlman (2001), Enumerating
Markov equivalence classes of acyclic digraph models, UAI: the first to count them up to n = 10. Lesson 1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, product
from math import comb
from operator import index
from typing import Any

from bnteach.graphs.chordal import chordal_by_cliques
from bnteach.graphs.dag import DAG
from bnteach.graphs.equivalence import cpdag, is_cpdag
from bnteach.graphs.notation import Pair, read_names
from bnteach.graphs.pdag import PDAG


def count_dags(n: int) -> int:
    """The number of DAGs on n labelled nodes (Robinson). Exact; seconds for n = 300, the most it takes."""
    _check(n)
    dags = [1]
    for m in range(1, n + 1):
        terms = ((-1) ** (i + 1) * comb(m, i) * 2 ** (i * (m - i)) * dags[m - i] for i in range(1, m + 1))
        dags.append(sum(terms))
    return dags[n]


def count_singleton_classes(n: int) -> int:
    """The number of classes with one DAG only, all of whose arrows can be known (Steinsky)."""
    _check(n)
    alone = [1]
    for m in range(1, n + 1):
        terms = ((-1) ** (i + 1) * comb(m, i) * (2 ** (m - i) - (m - i)) ** i * alone[m - i] for i in range(1, m + 1))
        alone.append(sum(terms))
    return alone[n]


def count_classes(n: int) -> int:
    """The number of Markov equivalence classes of DAGs on n labelled nodes, computed.

    Seconds up to n = 10, a minute or two for n = 11, and more than ten times as long for each further node.
    """
    return sum(essential_by_cliques(_check(n, most=20)).values())


@cache
def essential_by_cliques(n: int) -> dict[int, int]:
    """Essential graphs on n labelled nodes, by the number of cliques in their components: {cliques: number}."""
    if n == 0:
        return {0: 1}
    total: Counter[int] = Counter()
    for last in range(1, n + 1):
        for components, forests in chordal_forests(last).items():
            sign = (-1) ** (components + 1) * comb(n, last)
            for cliques_before, number in essential_by_cliques(n - last).items():
                parents = (2 ** (n - last) - cliques_before) ** components
                for cliques, forest in forests.items():
                    total[cliques_before + cliques] += sign * forest * parents * number
    return {cliques: number for cliques, number in sorted(total.items()) if number}


@cache
def chordal_forests(n: int) -> dict[int, dict[int, int]]:
    """Ways to split n labelled nodes into k connected chordal graphs with c cliques: {k: {c: ways}}."""
    if n == 0:
        return {0: {0: 1}}
    ways: dict[int, Counter[int]] = {}
    for first in range(1, n + 1):  # the size of the component that holds the first node
        for k, rest in chordal_forests(n - first).items():
            count = ways.setdefault(k + 1, Counter())
            for (c, one), (d, others) in product(chordal_by_cliques(first).items(), rest.items()):
                count[c + d] += comb(n - 1, first - 1) * one * others
    return {k: dict(count) for k, count in ways.items()}


def all_dags(nodes: str | Iterable[str]) -> Iterator[DAG]:
    """Every DAG on these nodes, once each, the empty one first: 543 on four nodes, 29,281 on five.

    A DAG on the first nodes gets one node more: choose its children, and for parents any nodes that the
    children do not lead to.

    >>> [str(dag) for dag in all_dags("AB")]
    ['A, B', 'A->B', 'B->A']
    """
    names = read_names(nodes)
    if len(set(names)) < len(names):
        raise ValueError(f"a node is named twice in {', '.join(names)}; name each once.")
    if len(names) > 6:
        raise ValueError(f"{len(names)} nodes have {count_dags(len(names)):,} DAGs, too many to list. "
                         f"Give six nodes or fewer; bn.count_dags counts more.")
    for arcs in _all_arcs(names):
        yield DAG(arcs, names)


def _all_arcs(names: list[str]) -> Iterator[list[Pair]]:
    if not names:
        yield []
        return
    *first, new = names
    for arcs in _all_arcs(first):
        below = _reach(first, arcs)
        for children in _subsets(first):
            led_to = {node for child in children for node in below[child]}
            for parents in _subsets([node for node in first if node not in led_to]):
                yield [*arcs, *((p, new) for p in parents), *((new, c) for c in children)]


def _reach(nodes: list[str], arcs: list[Pair]) -> dict[str, set[str]]:
    """Each node with itself and all that arrows lead to from it."""
    below = {node: {node} for node in nodes}
    for _ in nodes:
        for a, b in arcs:
            below[a] |= below[b]
    return below


def _subsets(nodes: list[str]) -> Iterator[tuple[str, ...]]:
    return (some for size in range(len(nodes) + 1) for some in combinations(nodes, size))


def all_classes(nodes: str | Iterable[str]) -> dict[PDAG, tuple[DAG, ...]]:
    """Every class of DAGs on these nodes: its essential graph, and its members. Fewest lines first.

    >>> for essential, dags in all_classes("AB").items():
    ...     print(essential, "|", *dags, sep="  ")
    A, B  |  A, B
    A-B  |  A->B  B->A
    """
    classes: dict[PDAG, list[DAG]] = {}
    for dag in all_dags(nodes):
        classes.setdefault(cpdag(dag), []).append(dag)
    return {g: tuple(classes[g]) for g in sorted(classes, key=_few_lines_first)}


def _few_lines_first(g: PDAG) -> tuple:
    """For sorting: the number of lines, of arrows among them, then which lines, in the order of the nodes."""
    place = {node: i for i, node in enumerate(g.nodes)}
    return len(g.skeleton), len(g.arcs), *([(place[a], place[b]) for a, b in lines] for lines in (g.skeleton, g.arcs))


def classes_fixed_by_rotation(n: int, prime: int) -> list[PDAG]:
    """The essential graphs on n nodes that stay the same when the first `prime` labels are rotated.

    The rotation moves all other classes in circles of that length, so the number of classes and the number
    of these leave the same remainder when divided by the prime. And these are few. Rotation makes the ring
    of the first labels empty or complete: an arrow in it would be rotated into a circle, and of the
    undirected rings only these two are chordal. Each other node looks the same from all of the ring.

    >>> len(classes_fixed_by_rotation(5, 3)) % 3, count_classes(5) % 3
    (1, 1)
    """
    if not 3 <= prime <= n or any(prime % d == 0 for d in range(2, prime)):
        raise ValueError(f"{prime} labels cannot be rotated here: give a prime number from 3 to n = {n}.")
    ring, others = [str(i) for i in range(prime)], [str(i) for i in range(prime, n)]
    pairs = list(combinations(others, 2))
    fixed = []
    for whole in ([], list(combinations(ring, 2))):
        for kinds in product(("", "-", "->", "<-"), repeat=len(others) + len(pairs)):
            lines = [((r, o), kind) for o, kind in zip(others, kinds) for r in ring]
            lines += list(zip(pairs, kinds[len(others):]))
            candidate = _drawn(lines, whole, [*ring, *others])
            if is_cpdag(candidate):
                fixed.append(candidate)
    return fixed


def _drawn(lines: list[tuple[Pair, str]], edges: list[Pair], nodes: list[str]) -> PDAG:
    arcs = [(a, b) if kind == "->" else (b, a) for (a, b), kind in lines if kind in ("->", "<-")]
    return PDAG(arcs, [*edges, *(pair for pair, kind in lines if kind == "-")], nodes)


def _check(n: Any, most: int = 300) -> int:
    try:
        number = -1 if isinstance(n, bool) else index(n)  # numpy's whole numbers have an end, and Python's have none
    except TypeError:
        number = -1
    if number < 0:
        raise ValueError(f"the number of nodes is a whole number from 0 on, not {n!r}.")
    if number > most:
        raise ValueError(f"{number:,} nodes would take too long to count; give {most:,} or fewer.")
    return number
