"""What a function is given, checked before it begins: errors that say what was expected and what to do.

The hints of a learner say what it takes: `score: Score`, `max_parents: int | None`. `check_hints` holds them to it,
for every learner alike, so that none has to do it itself and all complain in the same words.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from math import inf
from numbers import Real
from typing import Any


def check_hints(function: Callable[..., Any], given: Mapping[str, Any]) -> None:
    """An error if a score is none, or if a whole number is none, where the hints of the function want one."""
    for name, value in given.items():
        hint = function.__annotations__.get(name)
        if value is None and str(hint).endswith("| None"):
            continue
        if hint in ("Score", "Score | None"):
            check_score(value, function.__name__)
        elif hint in ("int", "int | None"):
            whole_number(name, value, or_none=hint != "int")


def check_score(score: Any, learner: str) -> None:
    """An error that helps if something else than a score was given to a learner."""
    if isinstance(score, type) or not (callable(score) and hasattr(score, "family") and hasattr(score, "variables")):
        what = f"the class {score.__name__}" if isinstance(score, type) else f"a {type(score).__name__}"
        kind = f"bn.{score.__name__}(table)" if isinstance(score, type) else {
            "Measurements": "bn.BIC(measurements)"}.get(type(score).__name__, "bn.MDL(table)")
        raise TypeError(f"{learner} asks a score of some data, and {what} is none. Make one, such as {kind}.")


def whole_number(name: str, value: Any, least: int = 0, or_none: bool = False) -> int:
    """The value as a whole number, or an error that names what it is for."""
    try:
        number = operator.index(value)
    except TypeError:
        number = None
    if number is None or number < least:
        none = ", or None for no limit" if or_none else ""
        raise ValueError(f"{name}={value!r} must be a whole number from {least} on{none}.")
    return number


def check_base(base: Any) -> float:
    """The base of a logarithm, or an error that names the usual ones."""
    if not (isinstance(base, Real) and 1 < base < inf):
        raise ValueError(f"base={base!r} is no base for a logarithm here; use 2 for bits, math.e for nats.")
    return base
