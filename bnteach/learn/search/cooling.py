"""Cooling schedules for simulated annealing: temperatures that fall, then final steps at a low temperature.

The wine report counts down from 4000 to 1, transforms each number, and appends 300 temperatures of .001, which make
the end of a run a local search. Lesson 13.

>>> cooling_schedule("x/4", n=4, final_steps=2).tolist()
[1.0, 0.75, 0.5, 0.25, 0.001, 0.001]
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from bnteach.errors import checked

Floats = npt.NDArray[np.float64]

LONGEST = 10_000_000  # a run of so many steps takes hours
FUNCTIONS: dict[str, Callable[[Any], Any]] = {"log": np.log, "sqrt": np.sqrt, "exp": np.exp}
OPERATORS: dict[type[ast.AST], Callable[..., Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.Pow: operator.pow, ast.USub: operator.neg}


@checked
def cooling_schedule(transform: str | Callable[[Floats], npt.ArrayLike] = "(x/6)**0.7", n: int = 4000,
                     final_steps: int = 300, low: float = 0.001) -> Floats:
    """The temperatures n, n - 1, ..., 1, each transformed, then some final steps at a low temperature.

    Parameters
    ----------
    transform : str or function
        A formula in x such as "x/4" or "(x/6)**0.7", or a function of an array.
    n : int
        The number of temperatures before the final steps.
    final_steps : int
        How many temperatures of `low` follow.
    low : float
        The temperature of the final steps.

    Returns
    -------
    numpy.ndarray
        ``n + final_steps`` temperatures.

    Examples
    --------
    >>> cooling_schedule("sqrt(x)", n=4, final_steps=1).round(3).tolist()
    [2.0, 1.732, 1.414, 1.0, 0.001]
    """
    if not 1 <= n <= LONGEST - final_steps:
        raise ValueError(f"n={n} and final_steps={final_steps}: give at least one temperature before the final steps, "
                         f"and at most {LONGEST:,} in all.")
    x = np.arange(n, 0, -1, dtype=float)
    t = transform(x) if callable(transform) else evaluate(transform, x)
    t = np.concatenate([np.broadcast_to(np.asarray(t, dtype=float), n), np.full(final_steps, low)])
    if not np.isfinite(t).all() or (t < 0).any():
        raise ValueError(f"the transform {transform!r} gives {t[~(np.isfinite(t) & (t >= 0))][0]:g} for some x "
                         f"from {n} to 1; a temperature is a finite number, 0 or more.")
    return t


def evaluate(formula: str, x: Floats) -> Any:
    """The value of a formula in x: numbers, + - * / **, log, sqrt and exp, and nothing else."""
    try:
        tree = ast.parse(formula.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, AttributeError):
        tree = None

    def value(node: ast.AST | None) -> Any:
        match node:
            case ast.Constant(value=int() | float() as number):
                return number
            case ast.Name(id="x"):
                return x
            case ast.BinOp(left, op, right) if type(op) in OPERATORS:
                return OPERATORS[type(op)](value(left), value(right))
            case ast.UnaryOp(op, operand) if type(op) in OPERATORS:
                return OPERATORS[type(op)](value(operand))
            case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in FUNCTIONS:
                return FUNCTIONS[name](value(argument))
        raise ValueError(f"cannot read the transform {formula!r}. Write a formula in x, such as 'x/4', "
                         f"'(x/6)**0.7', 'log(x)' or 'sqrt(x)', or give a function.")

    with np.errstate(all="ignore"):
        return value(tree)
