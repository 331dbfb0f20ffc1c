"""Steps and traces: what an algorithm did, one sentence per step."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from bnteach.drawing import Drawing
from bnteach.errors import described
from bnteach.questions import Moment, Question
from bnteach.saving import Savable

if TYPE_CHECKING:
    import pandas as pd


class Step(Savable):
    """One thing that an algorithm did, in words (`str`) and, if it likes, as a change to a drawing.

    Steps are frozen dataclasses; their fields are the columns of `Trace.table()`.

    Examples
    --------
    >>> from bnteach.learn.k3 import Ordered
    >>> isinstance(Ordered(("A", "B")), Step)
    True
    """

    __slots__ = ()

    def draw(self, drawing: Drawing) -> None:
        """Change the drawing as this step changes the graph. The default changes nothing."""

    def about(self, a: str, b: str, drawing: Drawing) -> str:
        """What this step has to do with the pair a, b: a sentence, or empty (see `Result.why`).

        The default is the whole sentence if this step has drawn, styled or removed their edge. `drawing` is the
        drawing after the step.
        """
        return str(self) if drawing.touches(a, b) else ""

    def question(self, before: Moment) -> Question | None:
        """What `bn.practice` asks before this step. The default is None: the step is not a decision.

        `before` has the steps so far, the drawing after them, and what the learner was given.
        """
        return None

    @classmethod
    def summary(cls, steps: Sequence[Step]) -> str:
        """Several steps of this kind about one pair in one sentence. The default is empty: they are listed."""
        return ""


def counted(number: int, what: str) -> str:
    """'1 arc', '6 arcs'."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def signed(gain: float) -> str:
    """A gain with its sign: '+1.500', '-0.250'; a rounding error is '+0.000', whichever sign it has."""
    return f"{round(gain, 3) + 0.0:+.3f}"


def as_set(names: Iterable[str]) -> str:
    """A set of names: '{A, B}'."""
    return "{" + ", ".join(names) + "}"


class Asked(NamedTuple):
    """A question of a trace: about which step it is, and how many steps have been made when it is asked."""

    made: int
    number: int  # of the step, counted from 1
    step: Step
    question: Question


class Trace(Sequence[Step], Savable):
    """All steps of one run: to print, to tabulate, to filter and to replay.

    Parameters
    ----------
    steps
        The steps, in order.

    Examples
    --------
    >>> import bnteach as bn
    >>> trace = bn.chow_liu(bn.datasets.five_rows()).trace
    >>> len(trace), len(trace.only("Grew"))
    (6, 3)
    >>> trace.table()["what"].tolist()
    ['Weighed', 'Grew', 'Grew', 'Grew', 'Spanned', 'Rooted']
    """

    def __init__(self, steps: Iterable[Step] = ()):
        self.steps = tuple(steps)
        if strange := [kind for kind in set(map(type, self.steps)) if not issubclass(kind, Step)]:
            raise TypeError(f"a trace has steps, not {described(next(s for s in self.steps if type(s) in strange))}.")

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> Trace: ...
    def __getitem__(self, index: int | slice) -> Step | Trace:
        return Trace(self.steps[index]) if isinstance(index, slice) else self.steps[index]

    def __len__(self) -> int:
        return len(self.steps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and self.steps == other.steps

    def __hash__(self) -> int:
        return hash(self.steps)

    def only(self, *kinds: type[Step] | str) -> Trace:
        """The steps of some kinds alone, by class or by name.

        Parameters
        ----------
        *kinds
            Classes of steps, or their names: `result.trace.only("Removed", "Oriented")`.

        Returns
        -------
        Trace
            These steps, in the same order.
        """
        names = {_kind_name(kind, self) for kind in kinds if not isinstance(kind, type)}
        classes = tuple(kind for kind in kinds if isinstance(kind, type))
        return Trace(step for step in self.steps
                     if isinstance(step, classes) or names.intersection(c.__name__ for c in type(step).__mro__))

    def sentences(self, limit: int | None = None) -> list[tuple[int | None, str]]:
        """(number, sentence) of each step; with `limit`, the middle of a long trace is left out."""
        if limit is None or len(self) <= limit:
            return [(i, str(step)) for i, step in enumerate(self.steps, start=1)]
        head, tail = limit - limit // 3, len(self) - limit // 3
        return [*((i + 1, str(self.steps[i])) for i in range(head)),
                (None, f"… {tail - head:,} more steps …"),
                *((i + 1, str(self.steps[i])) for i in range(tail, len(self)))]

    def text(self, limit: int | None = None) -> str:
        """The trace as numbered sentences."""
        return "\n".join(sentence if i is None else f"{i}. {sentence}" for i, sentence in self.sentences(limit))

    def __str__(self) -> str:
        return self.text(limit=60)

    def __repr__(self) -> str:
        return f"<Trace of {len(self):,} steps>"

    def _repr_html_(self) -> str:
        items = "".join(f"<li style='list-style:none'>{escape(text)}</li>" if i is None
                        else f"<li value='{i}'>{escape(text)}</li>" for i, text in self.sentences(limit=60))
        return f"<ol class='bnteach-trace'>{items}</ol>"

    def table(self, limit: int | None = None) -> pd.DataFrame:
        """The trace as a DataFrame: a row per step, with its kind, its fields and its sentence.

        With `limit`, only that many rows, the middle left out.
        """
        import pandas as pd

        numbers = [i for i, _ in self.sentences(limit) if i is not None]
        rows = [_row(i, self.steps[i - 1]) for i in numbers]
        columns = list(dict.fromkeys(name for row in rows for name in row if name != "sentence"))
        return pd.DataFrame(rows, columns=[*columns, "sentence"] if rows else ["step", "what", "sentence"])

    def replay(self) -> Iterator[tuple[Step, Drawing]]:
        """Each step with the drawing after it. The drawing is the same object throughout."""
        drawing = Drawing()
        for step in self.steps:
            drawing.next_step()
            step.draw(drawing)
            yield step, drawing

    def questions(self, given: Mapping[str, Any] | None = None) -> list[Asked]:
        """What `bn.practice` asks about this trace; `given` is what the learner was given, by name."""
        drawing, found = Drawing(), []
        for i, step in enumerate(self.steps):
            drawing.next_step()
            if question := step.question(Moment(self.steps[:i], drawing, given or {})):
                found += [Asked(i - question.reveals, i + 1, step, one) for one in question.chain()]
            step.draw(drawing)
        return found


def _row(number: int, step: Step) -> dict[str, Any]:
    names: list[str] = [f.name for f in fields(step)] if is_dataclass(step) else []
    return {"step": number, "what": type(step).__name__,
            **{name: getattr(step, name) for name in names}, "sentence": str(step)}


def _kind_name(kind: Any, trace: Trace) -> str:
    """The name of a kind of step, which may be absent from this trace; an error if there is no such kind at all."""
    here = dict.fromkeys(type(step).__name__ for step in trace)
    if str(kind) in {known.__name__ for known in _subclasses(Step)}:
        return str(kind)
    close = difflib.get_close_matches(str(kind), here, n=1)
    raise ValueError(f"no step is called {kind!r}; this trace has {', '.join(here) or 'no steps'}."
                     + (f" Did you mean {close[0]!r}?" if close else ""))


def _subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for known in kind.__subclasses__():
        yield known
        yield from _subclasses(known)
