"""Results as JSON, and back: graphs, steps and numbers, nothing that could run.

What JSON has is written as it is, and everything else as an object with one key that says what it is:

    {"tuple": [...]}    {"dict": [[key, value], ...]}    {"float": "inf"}
    {"bnteach.graphs.dag.DAG": {"arcs": ..., "nodes": ...}}    an object: its class and the arguments that make it

A file names classes, and only those are made that are `Savable`, of bnteach or of a module that is already imported. So
a file from somebody else can be opened without fear.

>>> read('{"dict": [[{"tuple": ["A", "B"]}, 0.5]]}')
{('A', 'B'): 0.5}
"""

from __future__ import annotations

import json
import re
import sys
from importlib import import_module
from importlib.util import find_spec
from inspect import signature
from math import isfinite
from pathlib import Path
from typing import Any, Self

from bnteach.errors import described, read_path

OURS = re.compile(r"bnteach\.(graphs|learn|models|course\.supplements)(\.[a-z]\w*)*")  # imported to read a file


class NotSaved(ValueError):
    """A file or text that is not a saved result."""


class Savable:
    """What a file may hold: graphs, steps, traces, results and networks are."""

    __slots__ = ()


class Saved(Savable):
    """A result or a network: can be saved as JSON, and loaded again."""

    def to_json(self) -> str:
        """The whole as JSON: graphs, numbers with every digit, states with their types, every step of a trace."""
        return json.dumps(_encode(self), ensure_ascii=False, allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> Self:
        """What `to_json` has written. Graphs and steps are objects of their classes again."""
        if not isinstance(found := read(text), cls):
            raise NotSaved(f"this is not a saved {cls.__name__}, but {described(found)}.")
        return found

    def save(self, path: str | Path) -> Path:
        """Write it to a file, as JSON."""
        target = read_path(path, "the file to write")
        target.write_text(self.to_json(), encoding="utf-8")
        return target

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file that `save` has written."""
        source = read_path(path, "a saved result")
        try:
            return cls.from_json(source.read_text(encoding="utf-8"))
        except (NotSaved, UnicodeDecodeError) as error:
            raise NotSaved(f"cannot read {str(source)!r}: {error}") from None


def read(text: str) -> Any:
    """What a text of JSON holds."""
    try:
        return _decode(json.loads(text))
    except NotSaved:
        raise
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise NotSaved(f"this is not a saved result: {error}") from None


def _encode(value: Any) -> Any:
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        value = value.tolist()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return float(value) if isfinite(value) else {"float": str(float(value))}
    if isinstance(value, list):
        return [_encode(item) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [_encode(item) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[_encode(key), _encode(item)] for key, item in value.items()]}
    name = f"{type(value).__module__}.{type(value).__qualname__}"
    arguments = signature(_find(name)).parameters
    return {name: {argument: _encode(getattr(value, argument)) for argument in arguments}}


def _decode(plain: Any) -> Any:
    if isinstance(plain, list):
        return [_decode(item) for item in plain]
    if not isinstance(plain, dict):
        return plain
    ((kind, content),) = plain.items()
    if kind == "float":
        return float(content)
    if kind == "tuple":
        return tuple(_decode(item) for item in content)
    if kind == "dict":
        return {_decode(key): _decode(item) for key, item in content}
    return _find(kind)(**{str(name): _decode(item) for name, item in content.items()})


def _find(name: str) -> type:
    """The class of this name, if it is one that a file may hold."""
    module, _, short = name.rpartition(".")
    if module not in sys.modules and OURS.fullmatch(module) and find_spec(module):
        import_module(module)
    found = getattr(sys.modules.get(module), short, None)
    if not isinstance(found, type) or not issubclass(found, Savable):
        raise NotSaved(f"{name} cannot be part of a saved result. It may hold graphs, and steps and results that are "
                       f"defined at the top level of an imported module.")
    return found
