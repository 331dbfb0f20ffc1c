"""Feedback while working: bn.check("7.2", entropy) says that it is right, or what to look at next.

    bn.check("7.2", entropy)            call the function on several inputs, and judge what it returns
    bn.check.inputs("7.2", 3)           the inputs of the third call, to try by hand

The inputs are always the same here, so that a mistake can be looked into; the grader draws others. What a question
asks to write is not available from the library while the function runs, here as there.
"""

from __future__ import annotations

import os
import re
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from bnteach.show.picture import CARD
from bnteach.show.style import FAINT_INK, GREEN, RUST, VERMILLION

if TYPE_CHECKING:
    from bnteach.course.questions.base import Question

SEED = 1968  # Chow and Liu
OURS = re.compile(r"[/\\](bnteach|site-packages|dist-packages)[/\\]|^<(string|frozen.*)>$")  # not the student's code
NOT_WRITTEN = "it is not written yet: put your code in place of the line with NotImplementedError"


class WrongAnswer(AssertionError):
    """Raised instead of shown when nbgrader runs the notebook, which takes an error for no points."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]  # what went wrong is in the sentence, and not in our code


@dataclass(frozen=True, repr=False)
class Checked:
    """What bn.check says to an answer: a card on a page, a line of text elsewhere. True if the answer is right."""

    id: str
    title: str
    ok: bool
    sentence: str
    where: str = ""  # the call that went wrong

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        where = f"\n  {self.where}" if self.where else ""
        return f"{'✓' if self.ok else '✗'} {self.id} {self.title}: {self.sentence}{where}"

    def _repr_html_(self) -> str:
        mark, word = (GREEN, GREEN) if self.ok else (VERMILLION, RUST)
        style = f"{CARD};border-left:5px solid {mark};padding:8px 14px;line-height:1.45"
        return (f'<div class="bnteach-check" role="status" style="{style}"><div><b style="color:{word}">'
                f'{"✓ right" if self.ok else "✗ not yet"}</b> <span style="color:{FAINT_INK};margin-left:.6em">'
                f'{escape(self.id)} {escape(self.title)}</span></div>'
                f'<div style="max-width:46em;margin-top:3px">{escape(self.sentence)}</div>{self._where()}</div>')

    def _where(self) -> str:
        style = f"color:{FAINT_INK};font-size:.93em;max-width:52em;margin-top:5px"
        return f'<div style="{style}">{escape(self.where)}</div>' if self.where else ""


def check(id: str, answer: Callable[..., Any]) -> Checked | None:
    """Judge an answer to a question of the exercises, at once and in a sentence."""
    from bnteach.course.questions import find

    question = find(id)
    told, where = _feedback(question, answer)
    said = told or f"right, on {len(question.inputs(SEED))} inputs"
    said = said if said.startswith(question.function) else said[:1].upper() + said[1:]
    result = Checked(question.id, question.title, not told, said.rstrip(".") + ".", where)
    return _for_nbgrader(result) if os.environ.get("NBGRADER_EXECUTION") else result


def _for_nbgrader(result: Checked) -> None:
    """nbgrader takes an error for no points, and anything printed for full points."""
    if not result:
        raise WrongAnswer(repr(result))
    print(result)


def inputs(id: str, number: int = 1) -> tuple:
    """The arguments of one call that bn.check makes: bn.check.inputs("7.2", 3)."""
    from bnteach.course.questions import find

    drawn = find(id).inputs(SEED)
    if not 1 <= number <= len(drawn):
        raise ValueError(f"question {id} is checked on {len(drawn)} inputs; ask for number 1 to {len(drawn)}.")
    return drawn[number - 1]


check.inputs = inputs  # type: ignore[attr-defined]


def _feedback(question: Question, answer: Any) -> tuple[str, str]:
    """A sentence, empty if everything is right, and the call that it is about."""
    from bnteach.course.grading.plain import read_plain, write_plain
    from bnteach.course.grading.withhold import withheld

    if not callable(answer):
        return (f"give the function itself, bn.check({question.id!r}, {question.function}), and not what it returns; "
                f"this is {type(answer).__name__} {str(answer)[:60]}"), ""
    drawn = question.inputs(SEED)
    copies = read_plain(write_plain(drawn), inputs=True)  # for the function to do with what it likes
    with withheld(question.withheld, question.id):
        given = [_call(answer, arguments) for arguments in copies]
    for number, (arguments, (text, error)) in enumerate(zip(drawn, given), start=1):
        if error == NOT_WRITTEN:
            return NOT_WRITTEN, ""
        told = f"{question.function} stopped with {error}" if error else ""
        if told := told or question.judge(read_plain(text), arguments).sentence:
            return told, (f"Call {number}: {question.call(arguments)}. "
                          f"To try it: {question.function}(*bn.check.inputs({question.id!r}, {number}))")
    return "", ""


def _call(answer: Callable[..., Any], arguments: tuple) -> tuple[str, str]:
    """What the function returns, as plain JSON, and an empty text; or nothing, and what went wrong."""
    from bnteach.course.grading.plain import write_plain

    try:
        return write_plain(answer(*arguments)), ""
    except NotImplementedError:
        return "", NOT_WRITTEN
    except Exception as error:  # whatever a student's function raises is reported, not ours to handle
        return "", describe(error)


def describe(error: BaseException, most: int = 300) -> str:
    """An error in a line: its kind, what it says, and where in the student's own code it came up."""
    try:
        said = " ".join(str(error).split())[:most].rstrip(".")
    except Exception:  # an error that cannot be shown is one all the same
        said = ""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if not OURS.search(frame.filename) and not frame.filename.startswith(os.path.dirname(os.__file__))]
    where = f", in line {frames[-1].lineno} of {frames[-1].name}" if frames and frames[-1].name != "<module>" else ""
    return f"{type(error).__name__}{f': {said}' if said else ''}{where}"
