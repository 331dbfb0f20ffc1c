"""Orders of the variables, and the DAG of a choice of parents: what searches over orders share."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Any, TypeVar

from bnteach.errors import UnknownVariable
from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import read_names
from bnteach.scores.base import Score

Value = TypeVar("Value")


def read_order(order: str | Iterable[str], variables: tuple[str, ...], where: str = "the data") -> tuple[str, ...]:
    """An order of all variables, each once; an error says what is wrong with it."""
    names = tuple(read_names(getattr(order, "order", order)))
    for name in names:
        if name not in variables:
            raise UnknownVariable(name, variables, where)
    if twice := [name for name in dict.fromkeys(names) if names.count(name) > 1]:
        raise ValueError(f"{twice[0]} occurs twice in the order {', '.join(names)}; name each variable once.")
    if missing := [name for name in variables if name not in names]:
        raise ValueError(f"the order {', '.join(names)} leaves out {', '.join(missing)}; name every variable once.")
    return names


def graph_of(families: Mapping[str, Iterable[str]], score: Score) -> DAG:
    """The DAG in which each child has these parents."""
    return DAG([(parent, child) for child, parents in families.items() for parent in parents], score.variables)


def outcome(steps: Generator[Any, None, Value]) -> Value:
    """Run a generator of steps to its end and return its value."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value
