"""The objects that questions hand to a student's function, taken apart into plain data and put together again."""

from __future__ import annotations

from typing import Any

from bnteach.course.exercises.grading.plain import NotPlain, Odd
from bnteach.independence.d_separation import DSeparation
from bnteach.independence.statements import Statements
from bnteach.scores.base import Score
from bnteach.scores.penalised import AIC, BIC, MDL, LogLikelihood
from bnteach.tables.measurements import Measurements
from bnteach.tables.table import Table

SCORES = {kind.__name__: kind for kind in (LogLikelihood, AIC, MDL, BIC)}


def take_apart(value: Any) -> dict[str, Any] | None:
    """{what it is: what it is made of}, or None for anything else."""
    if isinstance(value, Table):
        return {"table": [[name, list(value.states(name)), value.codes(name).tolist()] for name in value.variables]}
    if isinstance(value, Measurements):
        return {"measurements": [[name, value.column(name).tolist()] for name in value.variables]}
    if isinstance(value, Score) and type(value).__name__ in SCORES:
        return {"score": [type(value).__name__, value.data, value.base]}
    if isinstance(value, DSeparation):
        return {"d-separation": value.dag}
    if isinstance(value, Statements):
        return {"statements": [list(value.variables), list(value.statements)]}
    return None


def put_together(tag: str, content: Any) -> Any:
    """The object of that kind with these parts."""
    if tag == "table":
        return table(content)
    if tag == "measurements":
        return Measurements(dict(content))
    if tag == "score":
        kind, data, base = content
        return SCORES[kind](data, base=base)
    if tag == "d-separation":
        return DSeparation(content)
    if tag == "statements":
        variables, statements = content
        return Statements(*statements, variables=variables)
    raise ValueError(f"there is no input of the kind {tag!r}.")


def columns_of(tag: str, content: Any) -> Any:
    """A table that came as an answer, as a dictionary of columns: it may hold anything."""
    if tag in ("score", "d-separation", "statements"):
        return Odd(f"a {tag}")
    try:
        if tag == "table":
            there = ((name, [*states, None], codes) for name, states, codes in content)  # -1 is a gap: the last
            return {str(name): [states[code] for code in codes] for name, states, codes in there}
        if tag == "measurements":
            return {str(name): list(values) for name, values in content}
    except (TypeError, ValueError, IndexError):
        raise NotPlain("the table is not made as tables are.") from None
    raise NotPlain(f"there is nothing with the part {tag[:80]!r} in plain JSON.")


def table(columns: list[tuple[str, list[Any], list[int]]]) -> Table:
    """A Table of (name, states, codes), states that never occur included."""
    import pandas as pd

    return Table(pd.DataFrame({name: pd.Categorical.from_codes(codes, states) for name, states, codes in columns}))
