"""The errors of the library, and how arguments are checked: what was given, what was expected, what to do.

The annotations of a learner say what it takes: `score: Score`, `max_parents: int | None`. `check_arguments` compares
the arguments with them, for every learner alike, so that none has to do it itself and all complain in the same words;
`@checked` does the same for a plain function. Numbers are checked here. A class of which an instance may be needed
registers its check in `CHECKS`, by `@checks(Score)`, where it is defined.
"""

from __future__ import annotations

import difflib
import operator
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from inspect import signature
from math import inf
from numbers import Real
from pathlib import Path
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

P = ParamSpec("P")
R = TypeVar("R")
Check = Callable[[Any, str], object]  # gets the argument and the name of the function; raises TypeError

CHECKS: dict[type, Check] = {}


# -- errors ------------------------------------------------------------------------------------------------
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
    """The PDAG has no consistent extension. `.stuck` maps each remaining node to why it cannot be a sink."""

    def __init__(self, stuck: dict[str, str]):
        self.stuck = stuck
        reasons = "; ".join(f"{node}: {why}" for node, why in stuck.items())
        super().__init__(f"the PDAG has no consistent extension: none of {', '.join(stuck)} can be a sink. {reasons}.")


# -- arguments against annotations --------------------------------------------------------------------------
def checks(kind: type) -> Callable[[Check], Check]:
    """Register a function as the check of every parameter that is annotated with this class."""
    def register(check: Check) -> Check:
        CHECKS[kind] = check
        return check
    return register


def needs_instance(kind: type, how: str) -> None:
    """Register a plain check: an instance of this class is needed; `how` says how to make one."""
    @checks(kind)
    def check(value: Any, function: str) -> None:
        if not isinstance(value, kind):
            raise TypeError(f"{function} needs a {kind.__name__}, not {described(value)}. {how}")


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """The same function, which checks its arguments first."""
    parameters = tuple(signature(function).parameters)

    @wraps(function)
    def checking(*args: P.args, **kwargs: P.kwargs) -> R:
        check_arguments(function, {**dict(zip(parameters, args)), **kwargs})
        return function(*args, **kwargs)
    return checking


def check_arguments(function: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """Raise an error if an argument is not what the annotation of its parameter asks for."""
    hints = types_of(function)
    for name, value in given.items():
        kind, or_none = _kind(hints.get(name))
        if value is None and or_none:
            continue
        if kind is int:
            whole_number(name, value, or_none=or_none)
        elif kind is float:
            check_base(value) if name == "base" else real_number(name, value)
        elif kind in CHECKS:
            CHECKS[kind](value, function.__name__)


@cache
def types_of(function: Callable[..., Any]) -> dict[str, Any]:
    """The annotations of a function as types; a text that names something unknown stays a text."""
    return {name: _evaluated(name, hint, function) for name, hint in function.__annotations__.items()}


def _evaluated(name: str, hint: Any, function: Callable[..., Any]) -> Any:
    try:
        return get_type_hints(SimpleNamespace(__annotations__={name: hint}), getattr(function, "__globals__", {}))[name]
    except Exception:  # a name that type checkers alone know, or words
        return hint


def _kind(hint: Any) -> tuple[Any, bool]:
    """`int | None` is (int, True), `DAG` is (DAG, False), `DAG | str` is (None, False): no single type to check."""
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    others = [kind for kind in kinds if kind is not NoneType]
    return others[0] if len(others) == 1 and isinstance(others[0], type) else None, len(others) < len(kinds)


# -- values ------------------------------------------------------------------------------------------------
def described(value: Any) -> str:
    """What was given, for an error: "a Table", or "the class DAG" if a class was given in place of an instance."""
    if value is None:
        return "None"
    name = (value if isinstance(value, type) else type(value)).__name__
    return f"the class {name}" if isinstance(value, type) else f"{'an' if name[0] in 'AEIOaeiou' else 'a'} {name}"


def whole_number(name: str, value: Any, least: int = 0, or_none: bool = False) -> int:
    """The value as a whole number, or an error that names the argument."""
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < least:
        none = ", or None for no limit" if or_none else ""
        raise ValueError(f"{name}={value!r} must be a whole number, at least {least}{none}.")
    return number


def real_number(name: str, value: Any) -> float:
    """The value, if it is a finite number and at least 0, or an error that names the argument."""
    if not (isinstance(value, Real) and 0 <= float(value) < inf):
        raise ValueError(f"{name}={value!r} must be a number, at least 0.")
    return float(value)


def read_path(path: Any, what: str) -> Path:
    """The path of a file, or an error that says what was given instead."""
    if not isinstance(path, str | Path) or not Path(path).name or len(Path(path).name) > 255:
        raise TypeError(f"the path of {what} is needed here, not {str(path)[:60]!r}.")
    return Path(path)


def check_base(base: Any) -> float:
    """The base of a logarithm, or an error that names the usual ones."""
    if not (isinstance(base, Real) and 1 < float(base) < inf):
        raise ValueError(f"base={base!r} cannot be the base of a logarithm here; use 2 for bits, math.e for nats.")
    return float(base)
