"""Algorithms as generators of steps.

A learner is written as a generator that yields a `Step` wherever a teacher would say something, and
returns a graph. `@stepwise` makes two things of it:

    chow_liu(table)          runs it to the end and gives a Result: graph, trace, score
    chow_liu.steps(table)    is the generator itself, to be walked with next()

Everything that shows an algorithm (sentences, tables, pictures, players, exercise checks) reads these
steps; nothing is computed a second time to be shown. A step holds what changed, not a copy of the graph:
`Trace.replay` rebuilds any moment by applying the changes to a `Drawing`.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, slots=True)
... class Doubled(Step):
...     number: int
...     def __str__(self):
...         return f"{self.number} becomes {2 * self.number}"
>>> @stepwise
... def double(n, times):
...     for _ in range(times):
...         yield Doubled(n)
...         n = 2 * n
...     return n
>>> double(3, times=2).graph
12
>>> print(double(3, times=2).trace)
1. 3 becomes 6
2. 6 becomes 12
>>> next(double.steps(3, times=2))
Doubled(number=3)
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import os
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from html import escape
from typing import TYPE_CHECKING, Any, overload

from bnteach.drawing import Drawing, DrawnEdge
from bnteach.errors import check_hints

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Drawing", "DrawnEdge", "Progress", "Result", "Step", "Stepwise", "Trace", "stepwise"]


class Step:
    """One thing that an algorithm did, in words (`str`) and, if it likes, as a change to a drawing.

    Steps are frozen dataclasses; their fields are the columns of `Trace.table()`.
    """

    __slots__ = ()

    def draw(self, drawing: Drawing) -> None:
        """Change the drawing as this step changes the graph. The default changes nothing."""


class Trace(Sequence[Step]):
    """All steps of one run: to print, to tabulate, to filter and to replay."""

    def __init__(self, steps: Iterable[Step] = ()):
        self._steps = tuple(steps)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> Trace: ...
    def __getitem__(self, index):
        return Trace(self._steps[index]) if isinstance(index, slice) else self._steps[index]

    def __len__(self) -> int:
        return len(self._steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and self._steps == other._steps

    def only(self, *kinds: type[Step]) -> Trace:
        """The steps of some kinds alone: `result.trace.only(Removed)`."""
        if bad := [kind for kind in kinds if not isinstance(kind, type)]:
            raise TypeError(f"a kind of step is a class, such as type(trace[0]), not {bad[0]!r}; here there are "
                            f"{', '.join(dict.fromkeys(type(step).__name__ for step in self._steps))}.")
        return Trace(step for step in self._steps if isinstance(step, kinds))

    def sentences(self, most: int | None = None) -> list[tuple[int | None, str]]:
        """(number, sentence) of each step; with `most`, the middle of a long trace is left out."""
        if most is None or len(self) <= most:
            return [(i, str(step)) for i, step in enumerate(self._steps, start=1)]
        head, tail = most - most // 3, len(self) - most // 3
        return [*((i + 1, str(self._steps[i])) for i in range(head)),
                (None, f"… {tail - head:,} more steps …"),
                *((i + 1, str(self._steps[i])) for i in range(tail, len(self)))]

    def text(self, most: int | None = None) -> str:
        """The trace as numbered sentences."""
        return "\n".join(sentence if i is None else f"{i}. {sentence}" for i, sentence in self.sentences(most))

    def __str__(self) -> str:
        return self.text(most=60)

    def __repr__(self) -> str:
        return f"<Trace of {len(self):,} steps>"

    def _repr_html_(self) -> str:
        items = "".join(f"<li style='list-style:none'>{escape(text)}</li>" if i is None
                        else f"<li value='{i}'>{escape(text)}</li>" for i, text in self.sentences(most=60))
        return f"<ol class='bnteach-trace'>{items}</ol>"

    def table(self, most: int | None = None) -> pd.DataFrame:
        """The trace as a DataFrame: a row a step, what it is called, its fields, its sentence.

        With `most`, only that many rows, the middle left out.
        """
        import pandas as pd

        numbers = [i for i, _ in self.sentences(most) if i is not None]
        rows = [_row(i, self._steps[i - 1]) for i in numbers]
        columns = list(dict.fromkeys(name for row in rows for name in row if name != "sentence"))
        return pd.DataFrame(rows, columns=[*columns, "sentence"] if rows else ["step", "what", "sentence"])

    def replay(self) -> Iterator[tuple[Step, Drawing]]:
        """Each step with the drawing as it stands after it. The drawing is the same object throughout."""
        drawing = Drawing()
        for step in self._steps:
            drawing.next_step()
            step.draw(drawing)
            yield step, drawing


def _row(number: int, step: Step) -> dict[str, Any]:
    told = fields(step) if dataclasses.is_dataclass(step) else ()
    return {"step": number, "what": type(step).__name__,
            **{f.name: getattr(step, f.name) for f in told}, "sentence": str(step)}


@dataclass(frozen=True)
class Result:
    """What a learner found: the graph, its score if it has one, and how it got there."""

    graph: Any
    trace: Trace = field(default_factory=Trace, repr=False)
    score: float | None = None
    learner: str = field(default="", repr=False)

    def __str__(self) -> str:
        score = "" if self.score is None else f", score {self.score:.4f}"
        return f"{self.learner or 'result'}: {self.graph}{score} ({len(self.trace):,} steps)"

    def _repr_html_(self) -> str:
        picture = self.graph._repr_html_() if hasattr(self.graph, "_repr_html_") else escape(str(self.graph))
        return f"<div class='bnteach-result'>{picture}<p>{escape(str(self))}</p></div>"


class Stepwise:
    """A generator function that can be run to its end, or walked step by step with `.steps`."""

    def __init__(self, function: Callable[..., Generator[Step, None, Any]]):
        functools.update_wrapper(self, function)
        self.function = function

    def steps(self, *args: Any, **kwargs: Any) -> Generator[Step, None, Any]:
        """The bare generator: nothing happens until next() is called."""
        try:
            walk = self.function(*args, **kwargs)
        except TypeError as error:
            said = str(error).partition(". Did you mean")[0]  # which newer Pythons add
            raise TypeError(f"{said}. It takes {', '.join(self._signature.parameters)}.") from None
        if not inspect.isgenerator(walk):
            raise TypeError(f"{self.__name__} gave a {type(walk).__name__} and no steps: say `yield` a Step in it.")
        check_hints(self.function, self._signature.bind(*args, **kwargs).arguments)
        return walk

    @functools.cached_property
    def _signature(self) -> inspect.Signature:
        return inspect.signature(self.function)

    def __call__(self, *args: Any, **kwargs: Any) -> Result:
        walk, steps = self.steps(*args, **kwargs), []
        with Progress(self.__name__) as progress:
            while True:
                try:
                    steps.append(next(walk))
                except StopIteration as end:
                    found = end.value
                    break
                progress.step()
        result = found if isinstance(found, Result) else Result(found)
        return replace(result, trace=Trace(steps), learner=self.__name__)

    def __repr__(self) -> str:
        return f"<learner {self.__name__}: {self.__name__}(...) runs it, {self.__name__}.steps(...) walks it>"


def stepwise(function: Callable[..., Generator[Step, None, Any]]) -> Stepwise:
    """Make a learner of a generator of steps. It returns a graph, or a Result with graph and score."""
    return Stepwise(function)


class Progress:
    """A progress bar that appears only when something has taken a second and a half, and leaves nothing behind.

    It appears only where someone watches, so that it never ends up in a file or in the outputs of a notebook that a
    program runs. BNTEACH_PROGRESS=off in the environment keeps it away everywhere.
    """

    def __init__(self, what: str, total: int | None = None, unit: str = " steps"):
        self.what, self.total, self.unit = what, total, unit
        self.done, self.bar = 0, None
        self.late = float("inf") if os.environ.get("BNTEACH_PROGRESS") == "off" else time.monotonic() + 1.5

    def __enter__(self) -> Progress:
        return self

    def step(self, by: int = 1) -> None:
        """Count what was done; look at the clock now and then."""
        self.done += by
        if self.bar is not None:
            self.bar.update(by)
        elif (self.done < 64 or self.done % 64 == 0) and time.monotonic() > self.late:
            self._appear()

    def _appear(self) -> None:
        self.late = float("inf")
        if (where := _watched()) is not None:
            from tqdm import tqdm

            self.bar = tqdm(desc=self.what, total=self.total, unit=self.unit, initial=self.done, leave=False,
                            file=where)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.close()


def _watched() -> Any:
    """Where someone watches: a terminal, or a notebook in a page, which names the cell it runs. Otherwise None."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if getattr(shell, "kernel", None) is None:
        return sys.stderr if sys.stderr.isatty() else None
    return _Page() if "cellId" in shell.get_parent().get("metadata", {}) else None


class _Page:
    """A line in a cell's output that is written anew each time. What is saved of it in the end is an empty output."""

    encoding = "utf-8"

    def __init__(self):
        from IPython.display import display

        self.line = display({}, raw=True, display_id=True)

    def write(self, text: str) -> None:
        self.line.update({"text/plain": text.strip()} if text.strip() else {}, raw=True)

    def flush(self) -> None:
        """Nothing is kept back."""
