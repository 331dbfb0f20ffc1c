"""What DAGs and PDAGs share: named nodes in a fixed order, and how a graph is shown."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from bnteach.saving import Savable


class Graph(Savable):
    """Named nodes in the order given, which settles ties."""

    __slots__ = ("_hash", "_index", "_nodes")

    def __init__(self, nodes: Iterable[str]):
        self._index = {node: i for i, node in enumerate(dict.fromkeys(nodes))}
        self._nodes = tuple(self._index)
        self._hash: int | None = None

    @property
    def nodes(self) -> tuple[str, ...]:
        """All nodes, in the order given."""
        return self._nodes

    def __contains__(self, node: object) -> bool:
        return node in self._index

    def __iter__(self) -> Iterator[str]:
        return iter(self._nodes)

    def __len__(self) -> int:
        return len(self._nodes)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def _repr_html_(self) -> str:
        from bnteach.show.draw import html_or_text

        return html_or_text(self)

    def _in_order(self, nodes: Container[str]) -> tuple[str, ...]:
        """These nodes, in the order of the graph."""
        return tuple([node for node in self._nodes if node in nodes])
