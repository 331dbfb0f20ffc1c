"""How each library does each work.

A module for each library has TASKS: the name of a task -> a function that prepares what the library wants to be
given (inputs.Input) and returns the call that is timed. The call returns

    edges (a, b, directed)                   of a graph that was learned
    {variable: (variables, probabilities)}   of the tables that were fitted: the axes and their values
    a DataFrame                              of rows that were sampled
    lists of probabilities                   that queries were answered with

The settings make the works as alike as the libraries allow: chi-square at .05, order-independent PC, no limit on
parents. A note says what differs; it stands under the table.
"""

from __future__ import annotations

import importlib
import importlib.util
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.benchmarks.bench.inputs import Input

Edge = tuple[str, str, bool]
Tasks = dict[str, Callable[[Input], Callable[[], Any]]]


@dataclass(frozen=True)
class Library:
    """A library: the module to look for, its package, what one writes before one can learn with it, what differs."""

    module: str
    package: str
    imports: str
    note: str = ""


LIBRARIES = {
    "bnteach": Library("bnteach", "bnteach", "import bnteach as bn"),
    "bnlearn": Library(
        "pybnlearn", "bnlearn-port", "import pybnlearn",
        "is the C code of R's bnlearn, called from Python (bnlearn-port, part of which is Python); with adjusted "
        "degrees of freedom it takes variables for independent where there are fewer than 5 rows per cell; its "
        "structural EM completes rows with sampled values, for at most 5 iterations"),
    "pyAgrum": Library(
        "pyagrum", "pyAgrum", "import pyagrum",
        "has p-values of chi-square with conditioning variables that differ from the definition; its Chow-Liu tree is "
        "made of the mutual informations that it computes; it fits with a pseudo-count, since it refuses rows that do "
        "not occur"),
    "causal-learn": Library(
        "causallearn", "causal-learn", "from causallearn.search.ConstraintBased.PC import pc",
        "has no networks, only graphs; its GES on categories maximises BDeu, since its BIC is for real numbers"),
    "pgmpy": Library(
        "pgmpy", "pgmpy", "from pgmpy.estimators import PC",
        "applies the Yates correction, and its PC asks about sets of at most 5 variables"),
}


def installed() -> list[str]:
    """The libraries that are there, bnteach first."""
    return [name for name, library in LIBRARIES.items() if importlib.util.find_spec(library.module) is not None]


def tasks_of(library: str) -> Tasks:
    """What a library can do. Imports the library."""
    warnings.simplefilter("ignore")
    return importlib.import_module(f"{__name__}.{library.replace('-', '_').lower()}").TASKS
