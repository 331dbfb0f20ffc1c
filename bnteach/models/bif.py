"""Reading and writing networks in BIF, the Interchange Format for Bayesian networks.

A BIF file names the variables with their states, and then gives a table for each variable:

    network dog { }
    variable out   { type discrete [ 2 ] { yes, no }; }
    variable light { type discrete [ 2 ] { yes, no }; }
    probability ( out )         { table 0.15, 0.85; }
    probability ( light | out ) { (yes) 0.6, 0.4;  (no) 0.05, 0.95; }

Rows may also come all at once after `table`, the child's states slowest, or after `default` for every row
that is not given. Commas are free, `property` lines and comments are passed over, names may stand in
quotes. A file that is not like this gives a `BIFError`: the line, what was expected there, what was found.

>>> import io
>>> network = read_bif(io.StringIO('''
...     variable rain { type discrete [ 2 ] { yes, no }; }
...     variable wet  { type discrete [ 2 ] { yes, no }; }
...     probability ( rain ) { table 0.25, 0.75; }
...     probability ( wet | rain ) { (yes) 0.5, 0.5;  (no) 0.0, 1.0; }'''))
>>> network
CategoricalNetwork on 2 variables, 1 arcs, 3 parameters
>>> network.probability({"rain": "yes", "wet": "no"})
0.125

The format: F. G. Cozman, The Interchange Format for Bayesian Networks, 1998.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np

from bnteach.errors import CycleError, read_path
from bnteach.graphs.dag import DAG
from bnteach.models.bif_tokens import BIFError, Token, Tokens
from bnteach.models.categorical import CategoricalNetwork

_CLOSE = 0.001  # a row may miss 1 by so much, since files print few digits; it is then made to sum to 1
_EXACT = 1e-6  # a row that misses 1 by less is left as it is


@dataclass
class Family:
    """What a file says of one variable and its parents."""

    child: str
    parents: list[str]
    line: int
    rows: dict[tuple[str, ...], list[float]] = field(default_factory=dict)
    table: list[float] | None = None
    default: list[float] | None = None


# -- reading ---------------------------------------------------------------------------------------------
def read_bif(source: str | Path | IO[str]) -> CategoricalNetwork:
    """The network in a BIF file: a path (`.gz` is unpacked), or a file open for reading."""
    if hasattr(source, "read"):
        name, text = str(getattr(source, "name", "the text")), source.read()
    else:
        path = read_path(source, "a .bif or .bif.gz file")
        if not path.is_file():
            raise BIFError(f"there is no file {str(path)!r}; give the path of a .bif or .bif.gz file.")
        name, text = path.name, path.read_bytes()
    return _Reader(Tokens(text if isinstance(text, str) else _unpacked(text, name), name)).network()


def _unpacked(data: bytes, name: str) -> str:
    try:
        return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
    except (UnicodeDecodeError, EOFError, OSError) as error:
        raise BIFError(f"{name} is neither text nor text packed by gzip: {error}.") from None


class _Reader:
    """Reads a file; each method reads one piece of the format."""

    def __init__(self, tokens: Tokens):
        self.tokens = tokens
        self.states: dict[str, tuple[str, ...]] = {}
        self.families: dict[str, Family] = {}

    def network(self) -> CategoricalNetwork:
        pieces = {"network": self._header, "variable": self._variable, "probability": self._probability}
        while self.tokens.next.kind != "end":
            if self.tokens.next.text not in pieces:
                raise self.tokens.error("'network', 'variable' or 'probability'", self.tokens.next)
            pieces[self.tokens.take().text]()
        if not self.states:
            raise self.tokens.error("at least one 'variable' block", self.tokens.next)
        for variable in self.states:
            if variable not in self.families:
                raise self.tokens.error(f"a block 'probability ( {variable} … )'", self.tokens.next)
        return self._assemble()

    def _header(self) -> None:
        self.tokens.word("the network's name")
        self.tokens.expect("{")
        while not self.tokens.taken("}"):
            self.tokens.pass_property("'property' or '}'")

    def _variable(self) -> None:
        name = self.tokens.word("the name of a variable")
        if name.text in self.states:
            raise self.tokens.error("the name of a new variable", name, f"{name.text!r} a second time")
        self.tokens.expect("{")
        while not self.tokens.taken("}"):
            if self.tokens.taken("type"):
                self.states[name.text] = self._type()
            else:
                self.tokens.pass_property("'type', 'property' or '}'")
        if name.text not in self.states:
            raise self.tokens.error(f"'type discrete [ … ] {{ … }};' for {name.text}", self.tokens.last)

    def _type(self) -> tuple[str, ...]:
        self.tokens.expect("discrete")
        self.tokens.expect("[")
        size = self.tokens.word("the number of states")
        self.tokens.expect("]")
        self.tokens.expect("{")
        states = [token.text for token in self.tokens.words("a state", "}")]
        if size.text != str(len(states)) or not states:
            raise self.tokens.error(f"as many states as [ {size.text} ] says", size,
                                    f"{len(states)}: {', '.join(states) or 'none'}")
        if len(set(states)) < len(states):
            raise self.tokens.error("states with different names", size, ", ".join(states))
        self.tokens.expect(";")
        return tuple(states)

    def _probability(self) -> None:
        self.tokens.expect("(")
        child = self._known_variable()
        if child.text in self.families:
            raise self.tokens.error("one probability block for each variable", child, f"a second for {child.text}")
        family = Family(child.text, [], child.line)
        if self.tokens.taken("|"):
            while not self.tokens.taken(")"):
                family.parents.append(self._known_variable().text)
                self.tokens.taken(",")
        else:
            self.tokens.expect(")")
        if len({child.text, *family.parents}) <= len(family.parents):
            raise self.tokens.error("each variable once", child, f"{child.text} | {', '.join(family.parents)}")
        self.families[child.text] = family
        self.tokens.expect("{")
        while not self.tokens.taken("}"):
            self._entry(family)

    def _entry(self, family: Family) -> None:
        """`table …;`, `default …;` or `(states of the parents) …;`"""
        size = len(self.states[family.child])
        if self.tokens.taken("table"):
            cells = size * prod(len(self.states[p]) for p in family.parents)
            family.table = self._numbers(cells, f"the whole table of {family.child}")
        elif self.tokens.taken("default"):
            family.default = self._numbers(size, f"a row of {family.child}")
        elif self.tokens.taken("("):
            given = self._given(family, self.tokens.words("a state of a parent", ")"))
            family.rows[given] = self._numbers(size, f"a row of {family.child}")
        else:
            self.tokens.pass_property("'table', 'default', 'property', '(' or '}'")

    def _given(self, family: Family, words: list[Token]) -> tuple[str, ...]:
        """The states of the parents at the head of a row."""
        at = words[0] if words else self.tokens.last
        if len(words) != len(family.parents):
            raise self.tokens.error(f"a state for each parent ({', '.join(family.parents) or 'there is none'})", at,
                                    f"{len(words)}: {', '.join(word.text for word in words) or 'none'}")
        for word, parent in zip(words, family.parents):
            if word.text not in self.states[parent]:
                raise self.tokens.error(f"a state of {parent} ({', '.join(self.states[parent])})", word)
        given = tuple(word.text for word in words)
        if given in family.rows:
            raise self.tokens.error("each row once", at, f"({', '.join(given)}) a second time")
        return given

    def _numbers(self, count: int, what: str) -> list[float]:
        words = self.tokens.words("a probability", ";")
        if len(words) != count:
            raise self.tokens.error(f"{count} probabilities for {what}", words[0] if words else self.tokens.last,
                                    str(len(words)))
        return [self._number(word) for word in words]

    def _number(self, word: Token) -> float:
        try:
            value = float(word.text)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 1 + _CLOSE:
            raise self.tokens.error("a probability from 0 to 1", word)
        return value

    def _known_variable(self) -> Token:
        if (token := self.tokens.word("the name of a variable")).text not in self.states:
            raise self.tokens.error("a variable declared before", token)
        return token

    # -- from what was read to a network ---------------------------------------------------------------
    def _assemble(self) -> CategoricalNetwork:
        try:
            dag = DAG([(parent, f.child) for f in self.families.values() for parent in f.parents], self.states)
        except CycleError as error:
            raise BIFError(f"{self.tokens.name}: the probability blocks close a circle. {error}") from None
        return CategoricalNetwork(dag, self.states, {x: self._table(self.families[x], dag) for x in self.states})

    def _table(self, family: Family, dag: DAG) -> np.ndarray:
        """The table of a family, with the parents in the order of the DAG."""
        shape = [len(self.states[p]) for p in family.parents]
        if family.table is not None:
            rows = np.moveaxis(np.reshape(family.table, [len(self.states[family.child]), *shape]), 0, -1)
        else:
            combinations = product(*(self.states[p] for p in family.parents))
            rows = np.reshape([self._row(family, given) for given in combinations], [*shape, -1])
        total = rows.sum(axis=-1, keepdims=True)
        if (off := np.abs(total - 1)).max() > _CLOSE:
            raise BIFError(f"{self.tokens.name}, line {family.line}: expected rows of probabilities that sum to 1 "
                           f"for {family.child}, found one that sums to {total.ravel()[off.argmax()]:.6g}.")
        rows = np.where(off > _EXACT, rows / total, rows)
        return rows.transpose(*(family.parents.index(p) for p in dag.parents(family.child)), len(shape))

    def _row(self, family: Family, given: tuple[str, ...]) -> list[float]:
        row = family.rows.get(given, family.default)
        if row is None:
            missing = f"the row ({', '.join(given)})" if given else "'table'"
            raise BIFError(f"{self.tokens.name}, line {family.line}: expected {missing} among the probabilities "
                           f"of {family.child}, found none.")
        return row


# -- writing ---------------------------------------------------------------------------------------------
def write_bif(network: CategoricalNetwork, path: str | Path | IO[str], name: str = "unknown") -> None:
    """Write a network as BIF, to a path (`.gz` is packed) or to a file open for writing text.

    Every digit is written, so that reading gives the same numbers. States become text, as BIF has no other.
    """
    if not isinstance(network, CategoricalNetwork):
        raise TypeError(f"BIF holds a network of categories with its tables, such as bn.fit(dag, table) gives; "
                        f"a {type(network).__name__} is none.")
    text = "".join(_blocks(network, name))
    if hasattr(path, "write"):
        path.write(text)
    else:
        _write_text(read_path(path, "a .bif or .bif.gz file"), text)


def _write_text(path: Path, text: str) -> None:
    data = gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text.encode()
    try:
        path.write_bytes(data)  # packed without a date: same network, same file
    except OSError as error:
        raise BIFError(f"cannot write {str(path)!r}: {error.strerror}. Give the path of a file in a folder that "
                       f"exists.") from None


def _blocks(network: CategoricalNetwork, name: str) -> Iterator[str]:
    yield f"network {_written(name)} {{\n}}\n"
    for node, states in network.states.items():
        words = [_written(state) for state in states]
        if len(set(words)) < len(words):
            raise BIFError(f"the states of {node} ({', '.join(map(repr, states))}) are not all different as text; "
                           f"rename one of them before writing.")
        yield f"variable {_written(node)} {{\n  type discrete [ {len(words)} ] {{ {', '.join(words)} }};\n}}\n"
    for node in network.dag.nodes:
        yield f"probability ( {' | '.join([_written(node), *_listed(network.dag.parents(node))])} ) {{\n"
        yield from _rows(network, node)
        yield "}\n"


def _rows(network: CategoricalNetwork, node: str) -> Iterator[str]:
    combinations = product(*(network.states[p] for p in network.dag.parents(node)))
    for given, row in zip(combinations, network.tables[node].reshape(-1, len(network.states[node]))):
        head = f"({', '.join(map(_written, given))})" if given else "table"
        yield f"  {head} {', '.join(repr(float(p)) for p in row)};\n"


def _listed(names: tuple[str, ...]) -> list[str]:
    return [", ".join(map(_written, names))] if names else []


def _written(name: Any) -> str:
    """A name as BIF has it: in quotes where it could be mistaken for something else."""
    text = str(name)
    if '"' in text or "\n" in text:
        raise BIFError(f"the name {text!r} holds a quotation mark or a new line, which BIF cannot write; rename it.")
    plain = re.fullmatch(r"(?!//|/\*)[^][{}(),;|\s]+", text)
    return text if plain and text not in ("property", "table", "default", "type") else f'"{text}"'
