"""Values in words, the same every time: what was given, what was expected, and of which kind."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from bnteach.course.exercises.grading.plain import Graph, Odd
from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG


def show(value: Any, limit: int = 160) -> str:
    """A value in a few words, the same every time."""
    text = full_text(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def full_text(value: Any) -> str:
    """A value in words, however long."""
    if isinstance(value, Odd):
        return value.what
    if isinstance(value, float):
        return f"{value:.4f}" if value == 0 or 1e-3 <= abs(value) < 1e6 else f"{value:.4g}"
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, Graph):
        return ", ".join([*map("->".join, value.arcs), *map("-".join, value.edges)]) or "a graph without arcs"
    if isinstance(value, DAG | PDAG):
        return str(value) if value.skeleton else "a graph without arcs"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{full_text(k)}: {full_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, set | frozenset):
        edge = isinstance(value, frozenset) and is_pair(value)
        return "-".join(sorted(value)) if edge else "{" + ", ".join(sorted(map(full_text, value))) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(full_text, value)) + "]"
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return "(" + ", ".join(map(full_text, value)) + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def few(items: list[Any]) -> str:
    """The first three of some values, and how many more there are."""
    return ", ".join(map(show, items[:3])) + (f" and {len(items) - 3} more" if len(items) > 3 else "")


def kind(want: Any) -> str:
    """What is asked for, in words."""
    return next((name for kinds, name in KINDS.items() if isinstance(want, kinds)), "something else")


KINDS: dict[Any, str] = {bool: "True or False", int | float | Decimal: "a number", str: "a text", dict: "a dictionary",
                         list | tuple: "a list", set | frozenset: "a set", DAG | PDAG: "a graph"}


def is_pair(value: Any) -> bool:
    """Is it an arc or an edge?"""
    return isinstance(value, tuple | frozenset) and len(value) == 2 and all(isinstance(end, str) for end in value)
