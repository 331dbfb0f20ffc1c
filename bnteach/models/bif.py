"""Reading and writing networks in BIF, the Interchange Format for Bayesian networks.

A BIF file declares the variables with their states, and then gives the CPT of each variable:

    network dog { }
    variable out   { type discrete [ 2 ] { yes, no }; }
    variable light { type discrete [ 2 ] { yes, no }; }
    probability ( out )         { table 0.15, 0.85; }
    probability ( light | out ) { (yes) 0.6, 0.4;  (no) 0.05, 0.95; }

All rows of a CPT may also follow `table` at once, with the child's states varying slowest, and `default` gives every
row that is not listed. Commas are optional, `property` lines and comments are skipped, and names may be quoted. A file
that is not valid raises a `BIFError` with the line, what was expected there and what was found.

The format: F. G. Cozman, The Interchange Format for Bayesian Networks, 1998.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import IO, Any

from bnteach.errors import read_path
from bnteach.models.bif_parser import STATES, Parser
from bnteach.models.bif_tokens import BIFError
from bnteach.models.categorical import CategoricalNetwork


def read_bif(source: str | Path | IO[str] | IO[bytes]) -> CategoricalNetwork:
    """Read a network from a BIF file.

    Parameters
    ----------
    source : str, Path or file object
        A path (gzip-compressed files are decompressed), or a file open for reading.

    Returns
    -------
    CategoricalNetwork
        Its states are text, unless `write_bif` has marked them as numbers or truth values. Rows of a CPT that sum to
        1 only approximately, because the file has few digits, are normalized.

    References
    ----------
    F. G. Cozman, The Interchange Format for Bayesian Networks, 1998.

    Examples
    --------
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
    """
    content: str | bytes
    if isinstance(source, str | Path) or not hasattr(source, "read"):
        path = read_path(source, "a .bif or .bif.gz file")
        if not path.is_file():
            raise BIFError(f"there is no file {str(path)!r}; give the path of a .bif or .bif.gz file.")
        name, content = path.name, path.read_bytes()
    else:
        name, content = str(getattr(source, "name", "the text")), source.read()
    return Parser(content if isinstance(content, str) else _decoded(content, name), name).network()


def _decoded(data: bytes, name: str) -> str:
    try:
        return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
    except (UnicodeDecodeError, EOFError, OSError) as error:
        raise BIFError(f"{name} is neither text nor gzip-compressed text: {error}.") from None


def write_bif(network: CategoricalNetwork, path: str | Path | IO[str], name: str = "unknown") -> None:
    """Write a network to a BIF file.

    Every digit is written, so that reading the file gives the same numbers. States that are numbers or truth values are
    marked as such in a property, which `read_bif` understands and other programs skip.

    Parameters
    ----------
    network : CategoricalNetwork
        The network.
    path : str, Path or file object
        A path (compressed if it ends in .gz), or a file open for writing text.
    name : str
        The name of the network in the file.

    Examples
    --------
    >>> import sys
    >>> write_bif(CategoricalNetwork.fit("A", {"A": ["a", "~a", "a", "a"]}), sys.stdout, name="coin")
    network coin {
    }
    variable A {
      type discrete [ 2 ] { a, ~a };
    }
    probability ( A ) {
      table 0.75, 0.25;
    }
    """
    if not isinstance(network, CategoricalNetwork):
        raise TypeError(f"write_bif needs a CategoricalNetwork, such as bn.fit(dag, table) returns, "
                        f"not a {type(network).__name__}.")
    text = "".join(_blocks(network, name))
    if isinstance(path, str | Path) or not hasattr(path, "write"):
        _write_text(read_path(path, "a .bif or .bif.gz file"), text)
    else:
        path.write(text)


def _write_text(path: Path, text: str) -> None:
    data = gzip.compress(text.encode(), mtime=0) if path.suffix == ".gz" else text.encode()  # no date: reproducible
    try:
        path.write_bytes(data)
    except OSError as error:
        raise BIFError(f"cannot write {str(path)!r}: {error.strerror}. Give the path of a file in an existing "
                       f"folder.") from None


def _blocks(network: CategoricalNetwork, name: str) -> Iterator[str]:
    """The blocks of a file: the network, its variables, their CPTs."""
    yield f"network {_quoted(name)} {{\n}}\n"
    for node, states in network.states.items():
        words = [_quoted(state) for state in states]
        if len(set(words)) < len(words):
            raise BIFError(f"two states of {node} ({', '.join(map(repr, states))}) are the same as text; "
                           f"rename one of them before writing.")
        kinds = {type(state).__name__ for state in states}
        kind = f"  property bnteach_states {kinds.pop()};\n" if kinds <= set(STATES) and len(kinds) == 1 else ""
        yield f"variable {_quoted(node)} {{\n  type discrete [ {len(words)} ] {{ {', '.join(words)} }};\n{kind}}}\n"
    for node in network.dag.nodes:
        parents = network.dag.parents(node)
        condition = f" | {', '.join(map(_quoted, parents))}" if parents else ""
        yield f"probability ( {_quoted(node)}{condition} ) {{\n"
        combinations = product(*(network.states[p] for p in parents))
        for states, row in zip(combinations, network.cpts[node].reshape(-1, len(network.states[node]))):
            head = f"({', '.join(map(_quoted, states))})" if states else "table"
            yield f"  {head} {', '.join(repr(float(p)) for p in row)};\n"
        yield "}\n"


def _quoted(name: Any) -> str:
    """A name in BIF, in quotation marks where it would be ambiguous without."""
    text = str(name)
    if '"' in text or "\n" in text:
        raise BIFError(f"the name {text!r} contains a quotation mark or a line break, which BIF cannot represent; "
                       f"rename it.")
    plain = re.fullmatch(r"(?!//|/\*)[^][{}(),;|\s]+", text)
    return text if plain and text not in ("property", "table", "default", "type") else f'"{text}"'
