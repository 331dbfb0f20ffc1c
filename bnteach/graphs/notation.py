"""The text notation of graphs: "A->C, B->C, B-D, E".

Commas (or new lines, or semicolons) separate pieces. A piece is a node alone or nodes joined by
arrows: `->` and `<-` for arcs, `-` for undirected edges. Chains are allowed: "A->B<-C" is two arcs.
The printed arrows → ← — are read as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

Pair = tuple[str, str]

_ARROW = re.compile(r"\s*(<->|<-->|-->|<--|->|<-|→|←|--|—|–|-)\s*")
_RIGHT, _LEFT, _BOTH = {"->", "-->", "→"}, {"<-", "<--", "←"}, {"<->", "<-->"}


def read_graph(text: str) -> tuple[list[str], list[Pair], list[Pair]]:
    """Nodes in order of appearance, arcs, and undirected edges of a graph written as text.

    >>> read_graph("A->C<-B, B-D, E")
    (['A', 'C', 'B', 'D', 'E'], [('A', 'C'), ('B', 'C')], [('B', 'D')])
    """
    nodes, arcs, edges = {}, [], []
    for piece in re.split(r"[,;\n]", text):
        if not piece.strip():
            continue
        words = _ARROW.split(piece.strip())
        names, arrows = words[0::2], words[1::2]
        if not all(names):
            raise ValueError(f"cannot read {piece.strip()!r}: a node is missing beside an arrow. "
                             f"Write for example 'A->B' or 'A-B'.")
        if odd := re.search(r"[<>{}]", "".join(names)):
            raise ValueError(f"cannot read {piece.strip()!r}: {odd[0]!r} is no part of an arrow or a name here. Write "
                             f"for example 'A->B, A->C'; such a name can be given in a list of pairs.")
        nodes.update(dict.fromkeys(names))
        for left, arrow, right in zip(names, arrows, names[1:]):
            if arrow in _BOTH:
                raise ValueError(f"cannot read {piece.strip()!r}: an arrow has one head. "
                                 f"Write {left}->{right} or {left}<-{right}, or {left}-{right} for no direction.")
            if arrow in _RIGHT:
                arcs.append((left, right))
            elif arrow in _LEFT:
                arcs.append((right, left))
            else:
                edges.append((left, right))
    return list(nodes), arcs, edges


def read_names(names: str | Iterable[object]) -> list[str]:
    """A list of variable names, however it was given: "ABCD", "A, B", "age, smokes" or a list.

    A text without commas or spaces is read letter by letter, as in "ABCD".

    >>> read_names("ABC"), read_names("rain, sun"), read_names(["x", 1])
    (['A', 'B', 'C'], ['rain', 'sun'], ['x', '1'])
    """
    if isinstance(names, str):
        if re.search("->|<-|→|←", names):
            raise ValueError(f"names are needed here, such as 'A, B', and {names!r} has arrows in it. "
                             f"Arcs belong together in one text: bn.DAG('A->B, B->C').")
        if re.search(r"[,;\n]", names):
            return [name.strip() for name in re.split(r"[,;\n]", names) if name.strip()]
        return names.split() if " " in names.strip() else list(names.strip())
    return [str(name) for name in listed(names)]


def listed(names: Iterable[object]) -> list[object]:
    """What should be several names as a list, or an error that says what was given instead."""
    try:
        return list(names)
    except TypeError:
        raise TypeError(f"names are needed here, such as 'A, B' or ['A', 'B'], not {names!r}.") from None


def write_graph(nodes: Iterable[str], arcs: Iterable[Pair], edges: Iterable[Pair] = ()) -> str:
    """The inverse of `read_graph`; nodes without a line come last.

    >>> write_graph("ABCD", [("A", "C")], [("A", "B")])
    'A-B, A->C, D'
    """
    place = {node: i for i, node in enumerate(nodes)}
    lines = [(a, b, "->") for a, b in arcs] + [(a, b, "-") for a, b in edges]
    lines.sort(key=lambda line: (place[line[0]], place[line[1]]))
    touched = {node for a, b, _ in lines for node in (a, b)}
    return ", ".join([f"{a}{arrow}{b}" for a, b, arrow in lines] + [n for n in place if n not in touched])
