"""Directed acyclic graphs: the structure of a Bayesian network.

A `DAG` never changes. What would change it makes a new one, so that a graph kept in a trace, a set or
a dictionary is still the graph that was put there.

>>> g = DAG("A->C, B->C, B->D")
>>> g.parents("C")
('A', 'B')
>>> g.with_arc("D", "A").arcs
(('A', 'C'), ('B', 'C'), ('B', 'D'), ('D', 'A'))
>>> g.with_arc("C", "A")
Traceback (most recent call last):
    ...
bnteach.errors.CycleError: A -> C -> A is a circle, and a DAG has none: leave out or reverse one of these arcs.

Two DAGs are equal when they have the same nodes and the same arcs. The order of the nodes is not part
of that, but it is kept, since it settles ties: nodes come in the order given, arcs by parent, then child.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from bnteach.errors import CycleError, UnknownVariable, described, needs_instance
from bnteach.graphs.notation import Pair, read_graph, read_names, write_graph

if TYPE_CHECKING:
    import networkx as nx


class DAG:
    """A directed acyclic graph, written as text, as a list of arcs, or taken from networkx."""

    __slots__ = ("_children", "_hash", "_nodes", "_parents")

    def __init__(self, arcs: str | Iterable[Pair] | DAG | nx.DiGraph = (), nodes: str | Iterable[str] = ()):
        named, pairs = _read_arcs(arcs)
        self._nodes = tuple(dict.fromkeys([*read_names(nodes), *named, *(n for pair in pairs for n in pair)]))
        place = {node: i for i, node in enumerate(self.nodes)}
        self._parents: dict[str, tuple[str, ...]] = dict.fromkeys(self.nodes, ())
        self._children: dict[str, tuple[str, ...]] = dict.fromkeys(self.nodes, ())
        for a, b in sorted(set(pairs), key=lambda arc: (place[arc[0]], place[arc[1]])):
            self._parents[b] += (a,)
            self._children[a] += (b,)
        self._hash: int | None = None
        if circle := _find_circle(self._children):
            raise CycleError(f"{' -> '.join(circle)} is a circle, and a DAG has none: "
                              f"leave out or reverse one of these arcs.")

    # -- looking ---------------------------------------------------------------------------------------
    @property
    def nodes(self) -> tuple[str, ...]:
        """All nodes, in the order given."""
        return self._nodes

    @property
    def arcs(self) -> tuple[Pair, ...]:
        """All arcs (parent, child), by parent and then by child."""
        return tuple((a, b) for a in self.nodes for b in self._children[a])

    @property
    def skeleton(self) -> tuple[Pair, ...]:
        """The arcs without their heads: pairs in the order of the nodes."""
        place = {node: i for i, node in enumerate(self.nodes)}
        pairs = [(a, b) if place[a] < place[b] else (b, a) for a, b in self.arcs]
        return tuple(sorted(pairs, key=lambda pair: (place[pair[0]], place[pair[1]])))

    def parents(self, node: str) -> tuple[str, ...]:
        """The parents of a node, in the order of the nodes."""
        return self._look_up(self._parents, node)

    def children(self, node: str) -> tuple[str, ...]:
        """The children of a node, in the order of the nodes."""
        return self._look_up(self._children, node)

    def neighbours(self, node: str) -> tuple[str, ...]:
        """Parents and children of a node, in the order of the nodes."""
        near = {*self.parents(node), *self.children(node)}
        return tuple(n for n in self.nodes if n in near)

    def ancestors(self, node: str) -> tuple[str, ...]:
        """Every node from which arrows lead to this one, not itself."""
        return self._reach(self._look_up(self._parents, node), self._parents)

    def descendants(self, node: str) -> tuple[str, ...]:
        """Every node to which arrows lead from this one, not itself."""
        return self._reach(self._look_up(self._children, node), self._children)

    @property
    def order(self) -> tuple[str, ...]:
        """The nodes, parents before children; among those that may come next, the first given first."""
        waiting, order = {n: len(p) for n, p in self._parents.items()}, []
        while waiting:
            node = next(n for n, parents in waiting.items() if parents == 0)
            del waiting[node]
            order.append(node)
            for child in self._children[node]:
                waiting[child] -= 1
        return tuple(order)

    def has_arc(self, a: str, b: str) -> bool:
        """Is there an arc a -> b?"""
        return b in self.children(a)

    def adjacent(self, a: str, b: str) -> bool:
        """Is there an arc between a and b, either way?"""
        return b in self.children(a) or b in self.parents(a)

    # -- changing, which makes a new graph -------------------------------------------------------------
    def with_arc(self, a: str, b: str) -> DAG:
        """The same graph and the arc a -> b. An error if that closes a circle."""
        self.parents(a), self.parents(b)
        return DAG([*self.arcs, (a, b)], self.nodes)

    def without_arc(self, a: str, b: str) -> DAG:
        """The same graph without the arc a -> b. An error if it has none."""
        if not self.has_arc(a, b):
            other = f" There is {b}->{a}." if self.has_arc(b, a) else ""
            raise ValueError(f"there is no arc {a}->{b} to take away from {self}.{other}")
        return DAG([arc for arc in self.arcs if arc != (a, b)], self.nodes)

    def with_reversed(self, a: str, b: str) -> DAG:
        """The same graph with the arc a -> b turned round."""
        return self.without_arc(a, b).with_arc(b, a)

    # -- in and out ------------------------------------------------------------------------------------
    def to_networkx(self) -> nx.DiGraph:
        """A networkx DiGraph with the same nodes and arcs."""
        import networkx as nx

        graph = nx.DiGraph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from(self.arcs)
        return graph

    @classmethod
    def from_networkx(cls, graph: nx.DiGraph) -> DAG:
        """A DAG from a networkx DiGraph; names become text."""
        check_networkx(graph)
        if not graph.is_directed():
            raise TypeError("the networkx graph is undirected; a DAG has arcs. Give a DiGraph, or use PDAG.")
        return cls([(str(a), str(b)) for a, b in graph.edges()], [str(n) for n in graph.nodes])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DAG):
            return NotImplemented
        return set(self.nodes) == set(other.nodes) and set(self.arcs) == set(other.arcs)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash((frozenset(self.nodes), frozenset(self.arcs)))
        return self._hash

    def __reduce__(self) -> tuple:
        return DAG, (self.arcs, self.nodes)  # without the hash, which is another in another process

    def __contains__(self, node: object) -> bool:
        return node in self._parents

    def __iter__(self) -> Iterator[str]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)

    def __str__(self) -> str:
        return write_graph(self.nodes, self.arcs)

    def __repr__(self) -> str:
        return f"DAG({str(self)!r})"

    def _repr_html_(self) -> str:
        from bnteach.show.draw import html_or_text

        return html_or_text(self)

    # -- inside ----------------------------------------------------------------------------------------
    def _look_up(self, relation: dict[str, tuple[str, ...]], node: str) -> tuple[str, ...]:
        try:
            return relation[node]
        except (KeyError, TypeError):
            raise UnknownVariable(node, self.nodes) from None

    def _reach(self, start: Iterable[str], relation: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
        seen, stack = set(start), list(start)
        while stack:
            for node in relation[stack.pop()]:
                if node not in seen:
                    seen.add(node)
                    stack.append(node)
        return tuple(n for n in self.nodes if n in seen)


needs_instance(DAG, "Write bn.DAG('A->B, B->C'), or bn.extend(pdag) for a DAG of a PDAG.")


def _read_arcs(arcs: object) -> tuple[list[str], list[Pair]]:
    """Named nodes and arcs, from any form in which a DAG may be given."""
    if isinstance(arcs, str):
        named, pairs, edges = read_graph(arcs)
        if edges:
            a, b = edges[0]
            raise ValueError(f"{a}-{b} has no direction, and a DAG has arcs only: write {a}->{b} or {b}->{a}, "
                             f"or use bn.PDAG for graphs with undirected edges.")
        return named, pairs
    if isinstance(arcs, DAG):
        return list(arcs.nodes), list(arcs.arcs)
    if hasattr(arcs, "to_dag") or hasattr(arcs, "is_directed"):
        graph = arcs.to_dag() if hasattr(arcs, "to_dag") else DAG.from_networkx(arcs)  # type: ignore[arg-type]
        return list(graph.nodes), list(graph.arcs)
    return [], read_pairs(arcs)


def read_pairs(pairs: object) -> list[Pair]:
    """Pairs of names, or an error that says what was given instead."""
    if not hasattr(pairs, "__iter__") or isinstance(pairs, type):
        hint = "Give its graph: result.graph." if hasattr(pairs, "graph") else "Write for example 'A->B, B->C'."
        raise TypeError(f"a graph is needed here, and {described(pairs)} is none. {hint}")
    return [read_pair(pair) for pair in pairs]


def check_networkx(graph: object) -> None:
    """An error if this is no graph of networkx."""
    if not (hasattr(graph, "is_directed") and hasattr(graph, "adjacency")):
        raise TypeError(f"a networkx graph is needed here, such as networkx.DiGraph([('A', 'B')]), "
                        f"not a {type(graph).__name__}.")


def read_pair(pair: object) -> Pair:
    """Two names, or an error that says what was given instead."""
    if isinstance(pair, str) or not hasattr(pair, "__iter__") or len(ends := list(pair)) != 2:
        raise TypeError(f"an arc is a pair such as ('A', 'B'); {pair!r} is none. "
                        f"As one text, write 'A->B, B->C'.")
    return str(ends[0]), str(ends[1])


def _find_circle(children: dict[str, tuple[str, ...]]) -> list[str]:
    """Some circle as a list that ends where it began, or an empty list."""
    done: set[str] = set()
    for root in children:
        if root in done:
            continue
        path, walks = [root], [iter(children[root])]
        while path:
            for node in walks[-1]:
                if node in path:
                    return [*path[path.index(node):], node]
                if node not in done:
                    path.append(node)
                    walks.append(iter(children[node]))
                    break
            else:
                done.add(path.pop())
                walks.pop()
    return []
