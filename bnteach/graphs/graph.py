"""What DAGs and PDAGs share: named nodes in a fixed order, and how a graph is shown."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from bnteach.errors import UnknownVariable
from bnteach.graphs.notation import Pair, write_graph
from bnteach.saving import Savable

if TYPE_CHECKING:
    import networkx as nx

T = TypeVar("T")


class Graph(Savable):
    """Named nodes in the order given, which settles ties; arcs, and undirected edges if it is a PDAG."""

    __slots__ = ("_hash", "_index", "_nodes")

    def __init__(self, nodes: Iterable[str]):
        self._index = {node: i for i, node in enumerate(dict.fromkeys(nodes))}
        self._nodes = tuple(self._index)
        self._hash: int | None = None

    @property
    def nodes(self) -> tuple[str, ...]:
        """All nodes, in the order given."""
        return self._nodes

    @property
    def arcs(self) -> tuple[Pair, ...]:
        """All arcs (tail, head), by tail and then by head."""
        raise NotImplementedError

    @property
    def _undirected(self) -> tuple[Pair, ...]:
        return ()

    @property
    def skeleton(self) -> tuple[Pair, ...]:
        """The adjacent pairs, without directions, in the order of the nodes."""
        index = self._index
        pairs = [(a, b) if index[a] < index[b] else (b, a) for a, b in (*self.arcs, *self._undirected)]
        return tuple(sorted(pairs, key=lambda pair: (index[pair[0]], index[pair[1]])))

    def to_networkx(self) -> nx.DiGraph[str]:
        """A networkx DiGraph; an undirected edge is two arcs, one in each direction."""
        import networkx as nx

        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(self.nodes)
        graph.add_edges_from([*self.arcs, *self._undirected, *((b, a) for a, b in self._undirected)])
        return graph

    def __contains__(self, node: object) -> bool:
        return node in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)

    def __hash__(self) -> int:  # a PDAG without edges is equal to a DAG with the same arcs
        if self._hash is None:
            undirected = frozenset(map(frozenset, self._undirected))
            self._hash = hash((frozenset(self.nodes), frozenset(self.arcs), undirected))
        return self._hash

    def __str__(self) -> str:
        return write_graph(self.nodes, self.arcs, self._undirected)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def _repr_html_(self) -> str:
        from bnteach.show.draw import draw

        return draw(self)._repr_html_()

    def _in_order(self, nodes: Container[str]) -> tuple[str, ...]:
        """These nodes, in the order of the graph."""
        return tuple([node for node in self._nodes if node in nodes])

    def _of(self, node: str, relation: Mapping[str, T]) -> T:
        """What a relation has for a node, or an error if there is no such node."""
        try:
            return relation[node]
        except (KeyError, TypeError):
            raise UnknownVariable(node, self.nodes) from None
