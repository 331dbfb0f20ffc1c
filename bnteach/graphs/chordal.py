"""Connected chordal graphs, counted by their number of cliques.

A graph is chordal if every circle of four or more nodes has a shortcut. The undirected parts of an essential
graph are connected chordal graphs, so whoever wants to count classes of DAGs has to count these first.

Every chordal graph has a simplicial node, one whose neighbours form a clique; without it, the rest is still
chordal, and still connected. So all connected chordal graphs on n nodes come from those on n - 1, by joining
a new node to a clique. One graph comes about in as many ways as it has simplicial nodes, hence the weights:

    labelled(G) = n / simplicial(G) * sum of labelled(H) over the pairs of a smaller H and a clique of H
                                      that make G

Graphs are kept up to isomorphism as far as a cheap canonical form finds it out. Where it does not, one graph
is kept as two with its weight divided between them: that costs time, and changes no count.

>>> [labelled_chordal(n) for n in range(1, 8)]
[1, 1, 4, 35, 541, 13302, 489287]

A graph is a tuple of integers: bit j of row i says that i and j are joined.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache

from bnteach.progress import Progress

Rows = tuple[int, ...]
LARGE_PRIME = (1 << 61) - 1


def labelled_chordal(n: int) -> int:
    """The number of connected chordal graphs on n labelled nodes."""
    return sum(chordal_by_cliques(n).values())


@cache
def chordal_by_cliques(n: int) -> dict[int, int]:
    """How many connected chordal graphs on n labelled nodes have c cliques of one node or more: {c: number}."""
    if n == 1:
        return {1: 1}
    ways: Counter[tuple[int, int]] = Counter()
    for graph, labelled in _up_to_isomorphism(n - 1).items():
        cliques, simplicial = _cliques(graph), _simplicial(graph)
        bits = sum(1 << i for i in simplicial)
        around = Counter(graph[i] | 1 << i for i in simplicial)
        for clique in cliques:
            with_new = len(cliques) + (1 << clique.bit_count())
            # Simplicial are then: the new node, the old ones outside the clique, and those whose
            # neighbours were just the rest of the clique.
            ways[with_new, 1 + (bits & ~clique).bit_count() + around[clique]] += labelled
    totals: Counter[int] = Counter()
    for (cliques, simplicial), number in sorted(ways.items()):
        totals[cliques] += _divided(n * number, simplicial)
    return {cliques: int(total) for cliques, total in totals.items()}


@cache
def _up_to_isomorphism(n: int) -> dict[Rows, int | Fraction]:
    """Connected chordal graphs on n nodes, each with the number of its labelled forms."""
    if n == 1:
        return {(0,): 1}
    smaller = _up_to_isomorphism(n - 1)
    ways: dict[Rows, int | Fraction] = {}
    with Progress(f"chordal graphs on {n} nodes", total=len(smaller), unit=" graphs") as progress:
        for graph, labelled in smaller.items():
            for clique in _cliques(graph):
                bigger = _canonical(_joined(graph, clique))
                ways[bigger] = ways.get(bigger, 0) + labelled
            progress.step()
    return {graph: _divided(n * number, len(_simplicial(graph))) for graph, number in ways.items()}


def _cliques(graph: Rows) -> list[int]:
    """All cliques of one node or more, each as an integer with the bits of its nodes."""
    cliques = []
    grow = [(1 << i, row & (1 << i) - 1) for i, row in enumerate(graph)]
    while grow:
        clique, joined_to_all = grow.pop()  # only nodes below its lowest are added, so each comes up once
        cliques.append(clique)
        grow += [(clique | 1 << i, joined_to_all & graph[i] & (1 << i) - 1) for i in _bits(joined_to_all)]
    return cliques


def _simplicial(graph: Rows) -> list[int]:
    """The nodes whose neighbours are all joined to each other."""
    return [i for i, row in enumerate(graph) if all(row & ~graph[j] == 1 << j for j in _bits(row))]


def _joined(graph: Rows, clique: int) -> Rows:
    """The graph and a new node, joined to the nodes of a clique."""
    new = 1 << len(graph)
    return (*(row | new if clique >> i & 1 else row for i, row in enumerate(graph)), clique)


def _canonical(graph: Rows) -> Rows:
    """The graph with its nodes in an order that isomorphic graphs nearly always share.

    Nodes get colours, at first by degree. A new colour is made of a node's own and its neighbours', again and
    again until no more nodes are told apart; then one of those that still look alike gets a new colour.
    """
    near = [_bits(row) for row in graph]
    colours, kinds = [len(joined) + 1 for joined in near], 0
    while kinds < len(graph):
        while len(set(colours)) > kinds:
            kinds = len(set(colours))
            colours = _recoloured(colours, near)
        if kinds < len(graph):
            alike = min(c for c in colours if colours.count(c) > 1)
            colours[colours.index(alike)] += 1
    order = sorted(range(len(graph)), key=colours.__getitem__)
    bit = {node: 1 << place for place, node in enumerate(order)}
    return tuple(sum([bit[j] for j in near[i]]) for i in order)


def _recoloured(colours: list[int], near: list[list[int]]) -> list[int]:
    mixed = [(c**3 + 0x9E3779B97F4A7C15 * c) % LARGE_PRIME for c in colours]
    return [(3 * own + sum([mixed[j] for j in joined])) % LARGE_PRIME for own, joined in zip(mixed, near)]


def _divided(number: int | Fraction, by: int) -> int | Fraction:
    """An exact quotient, as a whole number where it is one."""
    quotient = Fraction(number) / by
    return int(quotient) if quotient.denominator == 1 else quotient


def _bits(number: int) -> list[int]:
    """The places of the ones in a binary number: 0b1011 has 0, 1 and 3."""
    places = []
    while number:
        lowest = number & -number
        places.append(lowest.bit_length() - 1)
        number ^= lowest
    return places
