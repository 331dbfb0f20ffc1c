"""The text notation of graphs, "A->C, B->C, B-D, E", and of lists of names.

Commas (or line breaks, or semicolons) separate pieces. A piece is a single node, or nodes joined by `->` and `<-`
(arcs) or `-` (undirected edges). Chains are allowed: "A->B<-C" is two arcs. The typographic arrows → ← — are read
as well. A name that contains such characters stands in quotation marks: '"blood-pressure" -> stroke'.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from bnteach.errors import UnknownVariable

Pair = tuple[str, str]

_ARROW = re.compile(r"\s*(<->|<-->|-->|<--|->|<-|→|←|--|—|–|-)\s*")
_QUOTED = re.compile(r'"([^"\n]+)"')
_RIGHT, _LEFT, _BOTH = {"->", "-->", "→"}, {"<-", "<--", "←"}, {"<->", "<-->"}


def read_graph(text: str) -> tuple[list[str], list[Pair], list[Pair]]:
    """The nodes in order of appearance, the arcs and the undirected edges of a graph given as text.

    >>> read_graph("A->C<-B, B-D, E")
    (['A', 'C', 'B', 'D', 'E'], [('A', 'C'), ('B', 'C')], [('B', 'D')])
    >>> read_graph('"x-ray" -> y')
    (['x-ray', 'y'], [('x-ray', 'y')], [])
    """
    quoted = dict(enumerate(dict.fromkeys(_QUOTED.findall(text)), start=0xE000))  # each becomes a character of its own
    for code, name in quoted.items():
        text = text.replace(f'"{name}"', chr(code))
    nodes: dict[str, None] = {}
    arcs: list[Pair] = []
    edges: list[Pair] = []
    for piece in filter(str.strip, re.split(r"[,;\n]", text)):
        names, arrows = _read_chain(piece.strip(), quoted)
        nodes.update(dict.fromkeys(names))
        for left, arrow, right in zip(names, arrows, names[1:]):
            if arrow in _RIGHT:
                arcs.append((left, right))
            elif arrow in _LEFT:
                arcs.append((right, left))
            else:
                edges.append((left, right))
    return list(nodes), arcs, edges


def _read_chain(piece: str, quoted: dict[int, str]) -> tuple[list[str], list[str]]:
    """The names and the arrows between them, or an error that says what is wrong with them."""
    words = _ARROW.split(piece)
    names, arrows = words[0::2], words[1::2]
    if not all(names):
        raise ValueError(f"cannot read {piece!r}: a node is missing beside an arrow. "
                         f"Write for example 'A->B' or 'A-B'.")
    if odd := re.search(r"[<>{}]", "".join(names)):
        raise ValueError(f"cannot read {piece!r}: {odd[0]!r} is not part of an arrow or a name. Write for example "
                         f"'A->B, A->C'; to use such a name, give a list of pairs.")
    names = [name.translate(quoted) for name in names]
    if both := [i for i, arrow in enumerate(arrows) if arrow in _BOTH]:
        left, right = names[both[0]:both[0] + 2]
        raise ValueError(f"cannot read {piece!r}: an arc has one arrowhead. "
                         f"Write {left}->{right} or {left}<-{right}, or {left}-{right} for an undirected edge.")
    return names, arrows


def read_names(names: str | Iterable[object]) -> list[str]:
    """A list of variable names, given as "ABCD", "A, B", "age, smokes" or a list.

    Text without commas or spaces is read letter by letter.

    >>> read_names("ABC"), read_names("rain, sun"), read_names(["x", 1])
    (['A', 'B', 'C'], ['rain', 'sun'], ['x', '1'])
    """
    if isinstance(names, str):
        if re.search("->|<-|→|←", names):
            raise ValueError(f"names are needed here, such as 'A, B', and {names!r} contains arrows. "
                             f"Give all arcs in one text: bn.DAG('A->B, B->C').")
        if re.search(r"[,;\n]", names):
            return [name.strip() for name in re.split(r"[,;\n]", names) if name.strip()]
        return names.split() if " " in names.strip() else list(names.strip())
    return [str(name) for name in listed(names)]


def select_names(names: str | Iterable[object], known: Collection[str], where: str = "the graph") -> tuple[str, ...]:
    """Names that are known, as given; a text that is itself a known name is that name.

    >>> select_names("rain", ["rain", "r"]), select_names("BA", ["A", "B"]), select_names(["C"], ["C"])
    (('rain',), ('B', 'A'), ('C',))
    """
    if isinstance(names, str):
        several = [names] if names in known else read_names(names)
        names = several if all(name in known for name in several) else [names]
    selected = []
    for name in listed(names):
        if not isinstance(name, str) or name not in known:
            raise UnknownVariable(name, known, where)
        selected.append(name)
    return tuple(selected)


def listed(names: Iterable[object]) -> list[object]:
    """Several names as a list, or an error that says what was given instead."""
    try:
        return list(names)
    except TypeError:
        raise TypeError(f"names are needed here, such as 'A, B' or ['A', 'B'], not {names!r}.") from None


def write_graph(nodes: Iterable[str], arcs: Iterable[Pair], edges: Iterable[Pair] = ()) -> str:
    """The inverse of `read_graph`; isolated nodes come last.

    >>> write_graph("ABCD", [("A", "C")], [("A", "B")]), write_graph(["x-ray", "y"], [("x-ray", "y")])
    ('A-B, A->C, D', '"x-ray"->y')
    """
    index = {node: i for i, node in enumerate(nodes)}
    links = [(a, b, "->") for a, b in arcs] + [(a, b, "-") for a, b in edges]
    links.sort(key=lambda link: (index[link[0]], index[link[1]]))
    connected = {node for a, b, _ in links for node in (a, b)}
    return ", ".join([f"{_quoted(a)}{arrow}{_quoted(b)}" for a, b, arrow in links]
                     + [_quoted(n) for n in index if n not in connected])


def _quoted(name: str) -> str:
    """A name, in quotation marks if it could be read as something else."""
    return f'"{name}"' if _ARROW.search(name) or re.search(r"[,;\n<>{}]", name) or name != name.strip() else name
