"""Results as JSON, and back: graphs, steps and numbers, nothing that could run.

What JSON has is written as it is, and everything else as an object with one key that says what it is:

    {"tuple": [...]}    {"dict": [[key, value], ...]}    {"float": "inf"}
    {"bnteach.graphs.dag.DAG": {"arcs": ..., "nodes": ...}}    an object: its class and the arguments that make it

A file names classes, and only two kinds are made: those that the caller allows (steps and results, of bnteach or of a
module that is already imported), and the few in PLAIN. So a file from somebody else can be opened without fear.

>>> read(write({("A", "B"): 0.5}, allowed=()), allowed=())
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
from typing import Any

PLAIN = ("bnteach.graphs.dag.DAG", "bnteach.graphs.pdag.PDAG", "bnteach.models.categorical.CategoricalNetwork",
         "bnteach.models.gaussian.GaussianNetwork")
OURS = re.compile(r"bnteach\.(graphs|learn|models|course\.supplements)(\.[a-z]\w*)*")  # imported to read a file

Classes = tuple[type, ...]


class NotSaved(ValueError):
    """A file or text that is not a saved result."""


def write(value: Any, allowed: Classes) -> str:
    """The value as JSON."""
    return json.dumps(_encode(value, allowed), ensure_ascii=False, allow_nan=False)


def read(text: str, allowed: Classes) -> Any:
    """The value that `write` has written."""
    try:
        return _decode(json.loads(text), allowed)
    except NotSaved:
        raise
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise NotSaved(f"this is not a saved result: {error}") from None


def _encode(value: Any, allowed: Classes) -> Any:
    if hasattr(value, "tolist"):  # numpy's arrays and numbers
        value = value.tolist()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return float(value) if isfinite(value) else {"float": str(float(value))}
    if isinstance(value, list):
        return [_encode(item, allowed) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [_encode(item, allowed) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[_encode(key, allowed), _encode(item, allowed)] for key, item in value.items()]}
    name = f"{type(value).__module__}.{type(value).__qualname__}"
    arguments = signature(_find(name, allowed)).parameters
    return {name: {argument: _encode(getattr(value, argument), allowed) for argument in arguments}}


def _decode(plain: Any, allowed: Classes) -> Any:
    if isinstance(plain, list):
        return [_decode(item, allowed) for item in plain]
    if not isinstance(plain, dict):
        return plain
    ((kind, content),) = plain.items()
    if kind == "float":
        return float(content)
    if kind == "tuple":
        return tuple(_decode(item, allowed) for item in content)
    if kind == "dict":
        return {_decode(key, allowed): _decode(item, allowed) for key, item in content}
    return _find(kind, allowed)(**{str(name): _decode(item, allowed) for name, item in content.items()})


def _find(name: str, allowed: Classes) -> type:
    """The class of this name, if it is one that a file may hold."""
    module, _, short = name.rpartition(".")
    if module not in sys.modules and OURS.fullmatch(module) and find_spec(module):
        import_module(module)
    found = getattr(sys.modules.get(module), short, None)
    if not isinstance(found, type) or not (name in PLAIN or issubclass(found, allowed)):
        raise NotSaved(f"{name} cannot be part of a saved result. It may hold graphs, and steps and results that are "
                       f"defined at the top level of an imported module.")
    return found
