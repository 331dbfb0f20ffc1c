"""The errors of the library, and how arguments are checked: what was given, what was expected, what to do.

The hints of a learner say what it takes: `score: Score`, `max_parents: int | None`. `check_hints` holds them to it,
for every learner alike, so that none has to do it itself and all complain in the same words. `@checked` does the same
for a plain function.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from math import inf
from numbers import Real
from pathlib import Path
from typing import Any

MAKE = {"DAG": "Write bn.DAG('A->B, B->C'), or bn.extend(pdag) for a DAG of a PDAG.",
        "CategoricalNetwork": "Make one of a graph and data: bn.fit(dag, table)."}


class DataError(ValueError):
    """Data that cannot be used as given; the message says what to do."""


class CycleError(ValueError):
    """The arcs close a directed cycle."""


class UnknownVariable(KeyError):
    """A name that the graph or the data does not have."""

    def __init__(self, name: object, known: Iterable[str], where: str = "the graph"):
        names = list(known)
        similar = difflib.get_close_matches(str(name), names, n=1)
        hint = f" Did you mean {similar[0]!r}?" if similar else ""
        shown = ", ".join(names[:12]) + (f", … ({len(names)} in all)" if len(names) > 12 else "")
        self.message = f"there is no variable {name!r} in {where}; it has {shown or 'none'}.{hint}"
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message


class NoExtension(ValueError):
    """The PDAG has no consistent extension. `.stuck` maps each remaining node to the reason that it is not a sink."""

    def __init__(self, stuck: dict[str, str]):
        self.stuck = stuck
        reasons = "; ".join(f"{node}: {why}" for node, why in stuck.items())
        super().__init__(f"no DAG has these lines and no other immoralities: none of {', '.join(stuck)} "
                         f"can come last. {reasons}.")


def checked(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function, held to its hints."""
    @wraps(function)
    def held(*args: Any, **kwargs: Any) -> Any:
        check_hints(function, {**dict(zip(function.__code__.co_varnames, args)), **kwargs})
        return function(*args, **kwargs)
    return held


def check_hints(function: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """An error if a score, a graph, a network or a number is none, where the hints of the function want one."""
    for name, value in given.items():
        hint = str(function.__annotations__.get(name))
        kind = hint.removesuffix(" | None")
        if value is None and kind != hint:
            continue
        if kind == "Score":
            check_score(value, function.__name__)
        elif kind == "int":
            whole_number(name, value, or_none=kind != hint)
        elif kind == "float" and name != "base":
            real_number(name, value)
        elif kind in MAKE and kind not in [known.__name__ for known in type(value).__mro__]:
            raise TypeError(f"a {kind} is needed here, and {described(value)} is none. {MAKE[kind]}")


def described(value: Any) -> str:
    """What was given, for an error: "a Table", or "the class DAG" if a class was given in place of one of its kind."""
    return f"the class {value.__name__}" if isinstance(value, type) else f"a {type(value).__name__}"


def check_score(score: Any, learner: str) -> None:
    """An error that helps if something else than a score was given to a learner."""
    if isinstance(score, type) or not (callable(score) and hasattr(score, "family") and hasattr(score, "variables")):
        kind = f"bn.{score.__name__}(table)" if isinstance(score, type) else {
            "Measurements": "bn.BIC(measurements)"}.get(type(score).__name__, "bn.MDL(table)")
        raise TypeError(f"{learner} asks a score of some data, and {described(score)} is none. "
                        f"Make one, such as {kind}.")


def whole_number(name: str, value: Any, least: int = 0, or_none: bool = False) -> int:
    """The value as a whole number, or an error that names what it is for."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < least:
        none = ", or None for no limit" if or_none else ""
        raise ValueError(f"{name}={value!r} must be a whole number from {least} on{none}.")
    return number


def real_number(name: str, value: Any) -> float:
    """The value, if it is a finite number from 0 on, or an error that names what it is for."""
    if not (isinstance(value, Real) and 0 <= value < inf):
        raise ValueError(f"{name}={value!r} must be a number, 0 or more.")
    return value


def read_path(path: Any, what: str) -> Path:
    """The path of a file, or an error that says what was given instead."""
    if not isinstance(path, str | Path) or not Path(path).name or len(Path(path).name) > 255:
        raise TypeError(f"the path of {what} is needed here, and {str(path)[:60]!r} is none.")
    return Path(path)


def check_base(base: Any) -> float:
    """The base of a logarithm, or an error that names the usual ones."""
    if not (isinstance(base, Real) and 1 < base < inf):
        raise ValueError(f"base={base!r} is no base for a logarithm here; use 2 for bits, math.e for nats.")
    return base
