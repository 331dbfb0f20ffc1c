"""Connected chordal graphs, counted by their number of cliques.

A graph is chordal if every cycle of four or more nodes has a chord. The chain components of a CPDAG are connected
chordal graphs, so counting classes of DAGs requires counting these first.

Every chordal graph has a simplicial node, one whose neighbours form a clique. Without it, the rest is still chordal,
and still connected. So all connected chordal graphs on n nodes arise from those on n - 1 by adding a node that is
adjacent to a clique. A graph arises in as many ways as it has simplicial nodes, hence the weights:

    labelled(G) = n / simplicial(G) * sum of labelled(H) over the pairs of a smaller H and a clique of H
                                      from which G arises

Graphs are stored up to isomorphism, as far as a cheap canonical form detects it. Where it does not, one graph is
stored twice with its weight divided between the copies: that costs time and changes no count.

>>> [labelled_chordal(n) for n in range(1, 8)]
[1, 1, 4, 35, 541, 13302, 489287]

A graph is a tuple of integers: bit j of row i is set if i and j are adjacent.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache

from bnteach.progress import Progress

Rows = tuple[int, ...]
Number = int | Fraction
LARGE_PRIME = (1 << 61) - 1


def labelled_chordal(n: int) -> int:
    """The number of connected chordal graphs on n labelled nodes."""
    return sum(chordal_by_cliques(n).values())


@cache
def chordal_by_cliques(n: int) -> dict[int, int]:
    """How many connected chordal graphs on n labelled nodes have c cliques of one node or more: {c: number}."""
    if n == 1:
        return {1: 1}
    ways: defaultdict[tuple[int, int], Number] = defaultdict(int)
    for graph, labelled in _up_to_isomorphism(n - 1).items():
        cliques, simplicial = _cliques(graph), _simplicial(graph)
        bits = sum(1 << i for i in simplicial)
        closed = Counter(graph[i] | 1 << i for i in simplicial)  # neighbourhoods with the node itself
        for clique in cliques:
            with_new = len(cliques) + (1 << clique.bit_count())
            # Simplicial are then the new node, the old simplicial nodes outside the clique, and those whose
            # neighbours were exactly the rest of the clique.
            ways[with_new, 1 + (bits & ~clique).bit_count() + closed[clique]] += labelled
    totals: defaultdict[int, Number] = defaultdict(int)
    for (size, among), number in sorted(ways.items()):  # cliques, simplicial nodes
        totals[size] += _divided(n * number, among)
    return {size: int(total) for size, total in totals.items()}


@cache
def _up_to_isomorphism(n: int) -> dict[Rows, Number]:
    """Connected chordal graphs on n nodes, each with the number of its labellings."""
    if n == 1:
        return {(0,): 1}
    smaller = _up_to_isomorphism(n - 1)
    ways: dict[Rows, Number] = {}
    with Progress(f"chordal graphs on {n} nodes", total=len(smaller), unit=" graphs") as progress:
        for graph, labelled in smaller.items():
            for clique in _cliques(graph):
                bigger = _canonical(_with_node(graph, clique))
                ways[bigger] = ways.get(bigger, 0) + labelled
            progress.step()
    return {graph: _divided(n * number, len(_simplicial(graph))) for graph, number in ways.items()}


def _cliques(graph: Rows) -> list[int]:
    """All cliques of one node or more, each as an integer with the bits of its nodes."""
    cliques = []
    stack = [(1 << i, row & (1 << i) - 1) for i, row in enumerate(graph)]
    while stack:
        clique, adjacent_to_all = stack.pop()  # only nodes below its lowest are added, so each is found once
        cliques.append(clique)
        stack += [(clique | 1 << i, adjacent_to_all & graph[i] & (1 << i) - 1) for i in _bits(adjacent_to_all)]
    return cliques


def _simplicial(graph: Rows) -> list[int]:
    """The nodes whose neighbours form a clique."""
    return [i for i, row in enumerate(graph) if all(row & ~graph[j] == 1 << j for j in _bits(row))]


def _with_node(graph: Rows, clique: int) -> Rows:
    """The graph with a new node, adjacent to the nodes of a clique."""
    new = 1 << len(graph)
    return (*(row | new if clique >> i & 1 else row for i, row in enumerate(graph)), clique)


def _canonical(graph: Rows) -> Rows:
    """The graph with its nodes in an order that is nearly always the same for isomorphic graphs.

    Colour refinement: nodes are coloured, at first by degree. A node's new colour depends on its own and those of
    its neighbours, until no more nodes are distinguished; then one node of those with equal colours gets a new one.
    """
    neighbours = [_bits(row) for row in graph]
    colours, kinds = [len(adjacent) + 1 for adjacent in neighbours], 0
    while kinds < len(graph):
        while len(set(colours)) > kinds:
            kinds = len(set(colours))
            colours = _recoloured(colours, neighbours)
        if kinds < len(graph):
            shared = min(c for c in colours if colours.count(c) > 1)
            colours[colours.index(shared)] += 1
    order = sorted(range(len(graph)), key=colours.__getitem__)
    bit = {node: 1 << i for i, node in enumerate(order)}
    return tuple(sum([bit[j] for j in neighbours[i]]) for i in order)


def _recoloured(colours: list[int], neighbours: list[list[int]]) -> list[int]:
    mixed = [(c**3 + 0x9E3779B97F4A7C15 * c) % LARGE_PRIME for c in colours]
    return [(3 * own + sum([mixed[j] for j in adjacent])) % LARGE_PRIME for own, adjacent in zip(mixed, neighbours)]


def _divided(number: Number, by: int) -> Number:
    """An exact quotient, as a whole number where it is one."""
    quotient = Fraction(number) / by
    return int(quotient) if quotient.denominator == 1 else quotient


def _bits(number: int) -> list[int]:
    """The positions of the ones in a binary number: 0b1011 has 0, 1 and 3."""
    positions = []
    while number:
        lowest = number & -number
        positions.append(lowest.bit_length() - 1)
        number ^= lowest
    return positions
