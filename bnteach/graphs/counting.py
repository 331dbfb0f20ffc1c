"""How many DAGs are there on n labelled nodes, and how many Markov equivalence classes?

    DAGs                 Robinson's recurrence: remove the sinks ...
    classes of size one  ... the same, with fewer ways to choose their parents (Steinsky)
    all classes          ... the same, with connected chordal graphs in place of single nodes

All three use inclusion and exclusion over the last part of a graph. The undirected components of a CPDAG
(equivalence.py), its chain components, are connected chordal graphs, and all nodes of a chain component have the same
parents. Remove a last chain component. Its parents may be any set of the m other nodes, except those sets that would
leave an arc reversible: the parents of some chain component together with a clique of it. So if the chain components
of the rest have c cliques, the last one can choose its parents in 2^m - c ways.

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

from bnteach.errors import whole_number
from bnteach.graphs.chordal import chordal_by_cliques
from bnteach.graphs.dag import DAG
from bnteach.graphs.equivalence import cpdag
from bnteach.graphs.notation import Pair, read_names
from bnteach.graphs.pdag import PDAG
from bnteach.graphs.reachability import reachable


def count_dags(n: int) -> int:
    """The number of DAGs on n labelled nodes, exactly.

    Parameters
    ----------
    n : int
        At most 300, which takes seconds.

    Returns
    -------
    int

    Examples
    --------
    >>> count_dags(4)
    543

    References
    ----------
    Robinson (1973), Counting labeled acyclic digraphs.
    """
    n = _number_of_nodes(n)
    dags = [1]
    for m in range(1, n + 1):
        terms = ((-1) ** (i + 1) * comb(m, i) * 2 ** (i * (m - i)) * dags[m - i] for i in range(1, m + 1))
        dags.append(sum(terms))
    return dags[n]


def count_singleton_classes(n: int) -> int:
    """The number of classes with a single DAG, in which independences determine every direction.

    Parameters
    ----------
    n : int
        The number of labelled nodes, at most 300.

    Returns
    -------
    int

    Examples
    --------
    >>> count_singleton_classes(4)
    59

    References
    ----------
    Steinsky (2003), Discrete Mathematics 270.
    """
    n = _number_of_nodes(n)
    alone = [1]
    for m in range(1, n + 1):
        terms = ((-1) ** (i + 1) * comb(m, i) * (2 ** (m - i) - (m - i)) ** i * alone[m - i] for i in range(1, m + 1))
        alone.append(sum(terms))
    return alone[n]


def count_classes(n: int) -> int:
    """The number of Markov equivalence classes of DAGs on n labelled nodes, exactly.

    Parameters
    ----------
    n : int
        Up to 10 takes seconds, 11 a minute or two, each further node more than ten times as long.

    Returns
    -------
    int

    Examples
    --------
    >>> count_classes(4)
    185

    References
    ----------
    Steinsky (2003), Discrete Mathematics 270. Gillispie and Perlman (2001), UAI.
    """
    return sum(cpdags_by_cliques(_number_of_nodes(n, limit=20)).values())


def _number_of_nodes(n: int, limit: int = 300) -> int:
    """The number as an int of Python, which cannot overflow, or an error."""
    number = whole_number("n", n)
    if number > limit:
        raise ValueError(f"{number:,} nodes would take too long to count; give {limit:,} or fewer.")
    return number


@cache
def cpdags_by_cliques(n: int) -> dict[int, int]:
    """CPDAGs on n labelled nodes, by the number of cliques in their chain components: {cliques: number}."""
    if n == 0:
        return {0: 1}
    total: Counter[int] = Counter()
    for last in range(1, n + 1):
        for components, forests in chordal_forests(last).items():
            sign = (-1) ** (components + 1) * comb(n, last)
            for cliques_before, number in cpdags_by_cliques(n - last).items():
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

    A DAG on all nodes but one is extended by that node: choose its children, then its parents among the nodes that
    are neither children nor descendants of them.

    Parameters
    ----------
    nodes : str or iterable of str
        At most six names.

    Yields
    ------
    DAG

    Examples
    --------
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
        children_of = {node: [b for a, b in arcs if a == node] for node in first}
        below = {node: reachable([node], children_of.__getitem__) for node in first}
        for children in _subsets(first):
            excluded = set().union(*(below[child] for child in children))
            for parents in _subsets([node for node in first if node not in excluded]):
                yield [*arcs, *((p, new) for p in parents), *((new, c) for c in children)]


def _subsets(nodes: list[str]) -> Iterator[tuple[str, ...]]:
    return (some for size in range(len(nodes) + 1) for some in combinations(nodes, size))


def all_classes(nodes: str | Iterable[str]) -> dict[PDAG, tuple[DAG, ...]]:
    """Every Markov equivalence class on these nodes: its CPDAG and its DAGs, by the number of adjacent pairs.

    Parameters
    ----------
    nodes : str or iterable of str
        At most six names.

    Returns
    -------
    dict
        From the CPDAG of each class to its members.

    Examples
    --------
    >>> for graph, dags in all_classes("AB").items():
    ...     print(graph, "|", *dags, sep="  ")
    A, B  |  A, B
    A-B  |  A->B  B->A
    """
    classes: dict[PDAG, list[DAG]] = {}
    for dag in all_dags(nodes):
        classes.setdefault(cpdag(dag), []).append(dag)
    return {g: tuple(classes[g]) for g in sorted(classes, key=_by_size)}


def _by_size(g: PDAG) -> tuple[int, int, list[list[int]], list[list[int]]]:
    """For sorting: the number of adjacent pairs, the number of arcs, then which, in the order of the nodes."""
    pairs, arcs = ([[g.nodes.index(node) for node in pair] for pair in pairs] for pairs in (g.skeleton, g.arcs))
    return len(pairs), len(arcs), pairs, arcs
