"""Algorithms as generators of steps.

A learner is written as a generator that yields a `Step` wherever a teacher would say something, and
returns a graph. `@stepwise` makes two things of it:

    chow_liu(table)          runs it to the end and gives a Result: graph, trace, score
    chow_liu.steps(table)    is the generator itself, to be walked with next()

Everything that shows an algorithm (sentences, tables, pictures, players, exercise checks) reads these
steps; nothing is computed a second time to be shown. A step holds what changed, not a copy of the graph:
`Trace.replay` rebuilds any moment by applying the changes to a `Drawing`.

>>> from dataclasses import dataclass
>>> from bnteach.graphs.dag import DAG
>>> @dataclass(frozen=True, slots=True)
... class Added(Step):
...     parent: str
...     child: str
...     def __str__(self):
...         return f"add {self.parent} -> {self.child}"
>>> @stepwise
... def chain(names):
...     dag = DAG(nodes=names)
...     for parent, child in zip(names, names[1:]):
...         yield Added(parent, child)
...         dag = dag.with_arc(parent, child)
...     return dag
>>> chain("ABC").graph
DAG('A->B, B->C')
>>> print(chain("ABC").trace)
1. add A -> B
2. add B -> C
>>> next(chain.steps("ABC"))
Added(parent='A', child='B')
"""

from __future__ import annotations

import functools
import gc
import inspect
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from html import escape
from types import MethodType
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast, get_args, get_origin, overload

import numpy as np

from bnteach.drawing import Drawing
from bnteach.errors import check_arguments, described, types_of
from bnteach.progress import Progress
from bnteach.saving import Saved
from bnteach.steps import Step, Trace
from bnteach.why import Why

__all__ = ["Drawing", "Result", "Step", "Stepwise", "Trace", "Why", "stepwise"]

if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVarWithDefault

    from bnteach.graphs.dag import DAG
    from bnteach.graphs.pdag import PDAG

    G = TypeVarWithDefault("G", bound=DAG | PDAG, default=DAG | PDAG, covariant=True)
else:
    G = TypeVar("G")

P = ParamSpec("P")  # the parameters of a learner
T = TypeVar("T")  # what its generator returns
R = TypeVar("R", bound="Result[Any]")  # what a call of it returns


@dataclass(frozen=True)
class Result(Saved, Generic[G]):
    """What a learner found: the graph, its score if it has one, and how it got there.

    Parameters
    ----------
    graph
        A DAG, or a PDAG where the learner leaves edges undirected.
    trace
        All steps of the run.
    score
        The score of the graph, if the learner has one.
    learner
        The name of the learner.

    Examples
    --------
    >>> import bnteach as bn
    >>> found = bn.chow_liu(bn.datasets.five_rows(), root="B")
    >>> found.graph
    DAG('B->C, B->D, C->A')
    >>> bn.Result.from_json(found.to_json()) == found
    True
    """

    graph: G
    trace: Trace = field(default_factory=Trace, repr=False)
    score: float | None = None
    learner: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.trace, Trace):
            raise TypeError(f"the trace of a result is a Trace, not {described(self.trace)}.")

    def __str__(self) -> str:
        score = "" if self.score is None else f", score {self.score:.4f}"
        return f"{self.learner or 'result'}: {self.graph}{score} ({len(self.trace):,} steps)"

    def _repr_html_(self) -> str:
        picture = self.graph._repr_html_() if hasattr(self.graph, "_repr_html_") else escape(str(self.graph))
        return f"<div class='bnteach-result'>{picture}<p>{escape(str(self))}</p></div>"

    def why(self, a: str, b: str) -> Why:
        """What in the trace decided whether a and b are adjacent, and in which direction.

        Parameters
        ----------
        a, b : str
            Two variables, adjacent or not.

        Returns
        -------
        Why
            Sentences, a ``table()`` and a ``picture`` of the steps that concern the pair.

        Examples
        --------
        >>> import bnteach as bn
        >>> print(bn.hill_climb(bn.MDL(bn.datasets.five_rows())).why("B", "C"))
        B->C is in the graph.
        step 3: add B->C: gain 0.923, score -20.2008
        step 5: at the local optimum the best move of this pair, reverse B->C, loses 0.475
        """
        return Why.of(a, b, self.graph, self.trace)


class Stepwise(Generic[P, T, R]):
    """A generator function that can be run to its end, or walked through step by step with `.steps`."""

    __name__: str
    __signature__: inspect.Signature

    def __init__(self, function: Callable[P, Generator[Step, None, T]]):
        functools.update_wrapper(self, function)
        self.function = function
        self.__signature__ = _signature(function)

    def steps(self, *args: P.args, **kwargs: P.kwargs) -> Generator[Step, None, T]:
        """The bare generator: nothing happens until next() is called."""
        try:
            given = self.__signature__.bind(*args, **kwargs)
        except TypeError as error:
            said = str(error).partition(". Did you mean")[0]  # which newer Pythons add
            raise TypeError(f"{self.__name__}: {said}. It takes {', '.join(self.__signature__.parameters)}.") from None
        given.arguments = {name: value.item() if isinstance(value, np.generic) else value  # numbers of numpy
                           for name, value in given.arguments.items()}
        walk = self.function(*given.args, **given.kwargs)
        if not isinstance(walk, Generator):
            raise TypeError(f"{self.__name__} returned {described(walk)} and reported no steps: `yield` a Step in it.")
        check_arguments(self.function, given.arguments)
        return walk

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        found: list[Any] = []

        def walk() -> Iterator[Step]:
            found.append((yield from self.steps(*args, **kwargs)))

        with _no_garbage_collection(), Progress(self.__name__) as progress:
            trace = Trace(progress.counted(walk()))
        result = found[0] if isinstance(found[0], Result) else Result(found[0])
        return cast(R, replace(result, trace=trace, learner=self.__name__))

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """As a method, if a class has it; and so `help` shows the signature, as of every function."""
        return self if instance is None else MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<learner {self.__name__}: {self.__name__}(...) runs it, {self.__name__}.steps(...) walks through it>"


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Steps are many small objects without reference cycles: searching them for cycles can take a third of a run.

    Nor are they searched when it is enabled again: they go to the oldest generation, as if they had been.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.freeze()
            gc.unfreeze()
            gc.enable()


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """The signature of a call: annotations as types, and a Result in place of the generator."""
    written, types = inspect.signature(function), types_of(function)
    parameters = [p.replace(annotation=types.get(p.name, p.annotation)) for p in written.parameters.values()]
    *_, found = get_args(types.get("return")) or (Result,)
    is_result = issubclass(get_origin(found) or found, Result)
    return written.replace(parameters=parameters, return_annotation=found if is_result else cast(Any, Result)[found])


@overload
def stepwise(function: Callable[P, Generator[Step, None, R]]) -> Stepwise[P, R, R]: ...
@overload
def stepwise(function: Callable[P, Generator[Step, None, G]]) -> Stepwise[P, G, Result[G]]: ...
def stepwise(function: Callable[P, Generator[Step, None, Any]]) -> Stepwise[P, Any, Any]:
    """Make a learner of a generator of steps.

    Parameters
    ----------
    function
        A generator function that yields steps, and returns a graph or a Result with graph and score.

    Returns
    -------
    Stepwise
        The learner: a call runs it to the end and returns a Result; `.steps(...)` is the bare generator.
    """
    return Stepwise(function)
