"""Moves from one equivalence class to the next: insert an edge, delete one, turn (reverse) one.

A class is represented by its CPDAG. Each move does to some DAG of the class what hill climbing does to one DAG: it
adds, removes or reverses one arc between x and y. Which DAG? One in which the parents of y are

    Pa(y), the tails of the arcs into y, and a clique C of neighbours of y (other ends of its undirected edges).

Every clique of neighbours can be chosen, since each clique is first in the order of some DAG of the class. So a move
is (x, y, C), and its gain needs the families of y alone, or those of x and y if the edge is turned:

    insert x -> y     family(y, Pa(y) + C + x) - family(y, Pa(y) + C)     C includes all neighbours adjacent to x
    delete x -> y     family(y, Pa(y) + C) - family(y, Pa(y) + C + x)     all of C are adjacent to x
    turn y -> x       both of the above: into y inserted, into x deleted

An Insert is valid if C interrupts every path from y to x along arcs and edges; otherwise a directed cycle could close.
Chickering writes T for the neighbours in C that are not adjacent to x, and H for those adjacent to x and not in C.
Chickering (2002), Optimal structure identification with greedy search, JMLR 3, theorems 15 and 17. Hauser and Bühlmann
(2012), Characterization and greedy learning of interventional Markov equivalence classes, JMLR 13. Lesson 17.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from bnteach.errors import NoExtension
from bnteach.graphs.dag import DAG
from bnteach.graphs.equivalence import cpdag
from bnteach.graphs.extension import extend
from bnteach.graphs.pdag import PDAG
from bnteach.graphs.reachability import leads_to, reachable
from bnteach.learn.search.constraints import Constraints
from bnteach.learn.search.ties import TOLERANCE
from bnteach.scores.base import Score

Names = tuple[str, ...]


class ClassMove(NamedTuple):
    """Insert or delete x -> y, or turn y -> x, in a DAG in which `clique` are the neighbours of y that are parents."""

    change: str
    x: str
    y: str
    clique: Names
    gain: float


class Classes:
    """An equivalence class that is changed move by move, with the moves that raise its score."""

    def __init__(self, score: Score, graph: PDAG, constraints: Constraints):
        self.score, self.graph, self.constraints = score, graph, constraints
        self.limit = len(score.variables) if constraints.max_parents is None else constraints.max_parents
        self._known: dict[tuple[str, str], tuple[object, list[ClassMove]]] = {}

    def better(self, change: str) -> list[ClassMove]:
        """The moves of this kind that raise the score, the best first; of equal ones, by x, by y, by clique.

        Whether they are valid is not checked yet, since most need not be looked at.
        """
        index = {name: i for i, name in enumerate(self.graph.nodes)}
        moves = [move for y in self.graph.nodes for move in self._into(change, y) if move.gain > TOLERANCE]
        return sorted(moves, key=lambda m: (-round(m.gain, 7), index[m.x], index[m.y], [index[c] for c in m.clique]))

    def _into(self, change: str, y: str) -> list[ClassMove]:
        """The moves (x, y, C) of this kind, computed again only if something about y has changed."""
        g = self.graph
        around = g.parents(y), g.children(y), [(n, g.adjacent_to(n)) for n in g.neighbours(y)]
        about_x = [g.parents(x) for x in g.adjacent_to(y)] if change == "turn" else ()
        known = self._known.get((change, y))
        if known is None or known[0] != (around, about_x):
            known = self._known[change, y] = (around, about_x), list(MOVES[change](self, y))
        return known[1]

    def insertions(self, y: str) -> Iterator[ClassMove]:
        """All insertions of x -> y, for any x that is not adjacent to y."""
        g, neighbours = self.graph, self.graph.neighbours(y)
        others = {x: {n for n in neighbours if g.adjacent(n, x)} for x in g.nodes
                  if x != y and not g.adjacent(x, y) and self.constraints.allows(x, y)}
        for clique in cliques(g, neighbours):
            parents = frozenset((*g.parents(y), *clique))
            if len(parents) < self.limit and others:
                now, scores = self.score.family(y, parents), self.score.with_one_more_parent(y, parents)
                for x, common in others.items():
                    if common.issubset(clique):
                        yield ClassMove("insert", x, y, clique, scores[x] - now)

    def deletions(self, y: str) -> Iterator[ClassMove]:
        """All deletions of x -> y or x - y."""
        g = self.graph
        for x in (*g.parents(y), *g.neighbours(y)):
            for clique in cliques(g, [n for n in g.neighbours(y) if g.adjacent(n, x)]):
                rest = frozenset((*g.parents(y), *clique)) - {x}
                gain = self.score.family(y, rest) - self.score.family(y, rest | {x})
                yield ClassMove("delete", x, y, clique, gain)

    def turns(self, y: str) -> Iterator[ClassMove]:
        """All reversals of y -> x, if y -> x or y - x."""
        g, family = self.graph, self.score.family
        for x in (*g.children(y), *g.neighbours(y)):
            for clique in cliques(g, [n for n in g.neighbours(y) if n != x]):
                into_y = frozenset((*g.parents(y), *clique))
                into_x = frozenset((*g.parents(x), *_before_both(g, x, clique))) - {y}
                if len(into_y) < self.limit:
                    gain = family(y, into_y | {x}) - family(y, into_y) + family(x, into_x) - family(x, into_x | {y})
                    yield ClassMove("turn", x, y, clique, gain)

    def after(self, move: ClassMove) -> PDAG | None:
        """The CPDAG to which a move leads, or None if the move is not valid."""
        g, (change, x, y, clique, _) = self.graph, move
        if change == "insert" and x in reachable([y], lambda n: {*g.children(n), *g.neighbours(n)} - set(clique)):
            return None
        dag = member(g, move)
        if dag is None or (change == "turn" and leads_to(dag.without_arc(y, x), y, x)):
            return None
        dag = dag.with_arc(x, y) if change == "insert" else dag.without_arc(*((y, x) if change == "turn" else (x, y)))
        return cpdag(dag.with_arc(x, y) if change == "turn" else dag)


MOVES: dict[str, Callable[[Classes, str], Iterator[ClassMove]]] = {
    "insert": Classes.insertions, "delete": Classes.deletions, "turn": Classes.turns}


def cliques(g: PDAG, nodes: Iterable[str]) -> Iterator[Names]:
    """All sets of nodes in which any two are adjacent, the smallest first, beginning with the empty set.

    >>> list(cliques(PDAG("A-B, B-C"), "ABC"))
    [(), ('A',), ('B',), ('C',), ('A', 'B'), ('B', 'C')]
    """
    nodes = list(nodes)
    found: list[Names] = [()]
    for clique in found:  # which grows
        yield clique
        later = nodes[nodes.index(clique[-1]) + 1:] if clique else nodes
        found += [(*clique, n) for n in later if all(g.adjacent(n, c) for c in clique)]


def member(g: PDAG, move: ClassMove) -> DAG | None:
    """A DAG of the class in which the parents of y are as the move says; for a turn, y -> x. None if there is none."""
    change, x, y, clique, _ = move
    heads = {n: (n, y) if n in clique or (n == x and change == "delete") else (y, n) for n in g.neighbours(y)}
    if change == "turn":
        before = _before_both(g, x, clique)
        heads |= {f"{x} {n}": (n, x) if n in before else (x, n) for n in g.neighbours(x) if n != y}
    for arc in heads.values():
        g = g.with_arc(*arc)
    try:
        return extend(g)
    except NoExtension:
        return None


def _before_both(g: PDAG, x: str, clique: Names) -> list[str]:
    """The nodes of the clique that are neighbours of x, too: parents of both if y -> x can be turned."""
    return [n for n in clique if g.has_edge(n, x)]
