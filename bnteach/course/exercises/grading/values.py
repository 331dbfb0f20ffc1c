"""What an answer may hold besides numbers, texts, lists and dictionaries, as plain data (plain.py)."""

from __future__ import annotations

from typing import Any, NamedTuple


class NotPlain(ValueError):
    """The text is not in the form that plain.py writes."""


class Odd(NamedTuple):
    """Something that no question asks for; `what` names it."""

    what: str


class Steps(NamedTuple):
    """What a generator yielded, and what it returned."""

    steps: list[Any]
    returned: Any = None
    cut: bool = False  # there were more


class One(list[Any]):
    """An array with one element: a list, and it may stand for the element."""

    def item(self) -> Any:
        """The element."""
        return self[0].item() if isinstance(self[0], One) else self[0]


class Series(dict[Any, Any]):
    """A column of pandas: a dictionary, and its values may stand for a list."""


class Graph(NamedTuple):
    """A graph as it was given: a DAG may have a cycle here. `kind` is "dag" or "pdag"."""

    kind: str
    nodes: tuple[str, ...]
    arcs: tuple[tuple[str, str], ...]
    edges: tuple[tuple[str, str], ...] = ()
