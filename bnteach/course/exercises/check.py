"""Feedback while working: bn.check("7.2", entropy) says whether it is right, and if not, why.

    bn.check("7.2", entropy)            call the function on several inputs, and judge what it returns
    bn.check.inputs("7.2", 3)           the inputs of the third call, to try by hand

The inputs are always the same here, so that a mistake can be investigated; the grader draws others. The library's own
version of what a question asks for must not be called while the function runs, neither here nor there.
"""

from __future__ import annotations

import os
import re
import signal
import site
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import bnteach
from bnteach.show.picture import CARD
from bnteach.show.style import FAINT_INK, GREEN, RUST, VERMILLION
from bnteach.show.theme import themed

if TYPE_CHECKING:
    from bnteach.course.exercises.questions.base import Question
    from bnteach.course.exercises.questions.practised import Practised

SEED = 1968  # Chow and Liu
NOT_THE_STUDENTS = tuple(os.path.join(folder, "") for folder in (
    os.path.dirname(bnteach.__file__), os.path.dirname(os.__file__), *site.getsitepackages(),
    site.getusersitepackages()))  # the folders of this library, of Python and of other libraries
MADE = re.compile(r"<(string|frozen.*)>")  # the file name of generated code
LOG_0 = ("math domain error", "expected a positive input")  # the message of math.log2(0), before and since Python 3.14
TIMEOUT = 20  # seconds for one call, after which it is interrupted
NOT_WRITTEN = "it is not written yet: put your code in place of the line with NotImplementedError"


class WrongAnswer(AssertionError):
    """Raised instead of shown when nbgrader runs the notebook: an error there means no points."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]  # the sentence says what went wrong; a traceback of our code would not help


@dataclass(frozen=True, repr=False)
class Checked:
    """The result of bn.check: a card in a notebook, a line of text elsewhere. True if the answer is right."""

    id: str
    title: str
    ok: bool
    sentence: str
    where: str = ""  # the call that went wrong
    points: float = 0

    def __bool__(self) -> bool:
        return self.ok

    def __repr__(self) -> str:
        where = f"\n  {self.where}" if self.where else ""
        return f"{'✓' if self.ok else '✗'} {self.id} {self.title}: {self.sentence}{where}"

    def _repr_html_(self) -> str:
        mark, word = (GREEN, GREEN) if self.ok else (VERMILLION, RUST)
        style = f"{CARD};border-left:5px solid {mark};padding:8px 14px;line-height:1.45"
        return (themed(f'<div class="bnteach-check" role="status" style="{style}"><div><b style="color:{word}">'
                       f'{"✓ right" if self.ok else "✗ not yet"}</b> <span style="color:{FAINT_INK};margin-left:.6em">')
                + f'{escape(self.id)} {escape(self.title)}</span></div>'
                  f'<div style="max-width:46em;margin-top:3px">{escape(self.sentence)}</div>{self._where()}</div>')

    def _where(self) -> str:
        style = f"color:{FAINT_INK};font-size:.93em;max-width:52em;margin-top:5px"
        return f'<div style="{themed(style)}">{escape(self.where)}</div>' if self.where else ""


def check(id: str, answer: Callable[..., Any]) -> Checked | float | None:
    """Judge an answer to a question of the exercises and give feedback in a sentence."""
    from bnteach.course.exercises.questions import find

    question = find(id)
    problem, where, points = _feedback(question, answer)
    right = "right, all choices" if question.kind == "practice" else f"right, on {len(question.inputs(SEED))} inputs"
    said = as_sentence(problem or right, question)
    if problem and points:
        said = f"{said} {kept(points, question.points, 'As it is, this would keep')}"
    result = Checked(question.id, question.title, not problem, said, where, points)
    return _for_nbgrader(result) if os.environ.get("NBGRADER_EXECUTION") else result


def as_sentence(said: str, question: Question) -> str:
    """Start with a capital letter, unless it begins with the name of a function, and end with a full stop."""
    named = said.startswith(question.function) or re.match(r"\S+ of \S+ must not be used", said)
    return (said if named else said[:1].upper() + said[1:]).rstrip(".") + "."


def kept(points: float, of: int, verb: str = "You keep") -> str:
    """The sentence about points that are kept.

    >>> kept(1.2, 3)
    'You keep 1.2 of 3 points for the steps that come before the first wrong one.'
    """
    return f"{verb} {points} of {of} points for the steps that come before the first wrong one."


def _for_nbgrader(result: Checked) -> float | None:
    """For nbgrader an error means no points, printed text full points, and a number as the cell's result so many."""
    if not result.points:
        raise WrongAnswer(repr(result))
    print(result)
    return None if result else result.points


def inputs(id: str, number: int = 1) -> tuple:
    """The arguments of one call that bn.check makes: bn.check.inputs("7.2", 3)."""
    from bnteach.course.exercises.grading.plain import read_plain, write_plain
    from bnteach.course.exercises.questions import find

    drawn = read_plain(write_plain(find(id).inputs(SEED)), inputs=True)  # a copy, which may be changed
    if not 1 <= number <= len(drawn):
        raise ValueError(f"question {id} is checked on {len(drawn)} inputs; ask for number 1 to {len(drawn)}.")
    return drawn[number - 1]


check.inputs = inputs  # type: ignore[attr-defined]


def _feedback(question: Question, answer: Any) -> tuple[str, str, float]:
    """A sentence, empty if everything is right, the call that it refers to, and the points that the answer keeps."""
    from bnteach.course.exercises.grading.plain import read_plain, write_plain
    from bnteach.course.exercises.questions.practised import Practised

    if not callable(answer):
        return (f"give the function itself, bn.check({question.id!r}, {question.function}), not its result; "
                f"this is {type(answer).__name__} {str(answer)[:60]}"), "", 0
    if isinstance(question, Practised):
        return _practised(question, answer)
    drawn = question.inputs(SEED)
    copies = read_plain(write_plain(drawn), inputs=True)  # copies, which the function may change
    given = []
    while len(given) < len(copies) and not (given and given[-1][1]):  # an error ends the check
        given.append(_call(question, answer, copies[len(given)]))
    for number, (arguments, (text, error)) in enumerate(zip(drawn, given), start=1):
        if error.endswith(NOT_WRITTEN):
            return error, "", 0
        if problem := error or question.judge(read_plain(text), arguments).sentence:
            where = (f"Call {number}: {question.call(arguments)}. "
                     f"To try it: {question.function}(*bn.check.inputs({question.id!r}, {number}))")
            return problem, where, question.credit([read_plain(text) for text, error in given if not error], drawn)
    return "", "", question.points


def _practised(question: Practised, answer: Callable[..., Any]) -> tuple[str, str, float]:
    """Where the first wrong choice is, without the reason, which would give the answer away; and the player."""
    from bnteach.course.exercises.questions.practised import replay
    from bnteach.course.practice.graded import Graded, name_key, show, students_name

    try:
        session = answer()
    except NotImplementedError:
        return NOT_WRITTEN, "", 0
    except Exception as raised:
        return f"{question.function} stopped with {describe(raised)}", "", 0
    if not isinstance(session, Graded) or session.exercise.id != question.id:
        return f'{question.function} should return bn.practice("{question.id}", "your name")', "", 0
    if students_name() and name_key(students_name()) != name_key(session.name):
        return f"this is the instance of {session.name!r}, and your name here is {students_name()!r}: write that", "", 0
    judged = replay(session, reasons=False)
    if not judged.ok:
        show(session)
    return judged.sentence, "", question.points if judged.ok else question.keeps([judged.share])


def _call(question: Question, answer: Callable[..., Any], arguments: tuple) -> tuple[str, str]:
    """The function's result as plain JSON, and an empty string; or an empty string, and what went wrong."""
    from bnteach.course.exercises.grading.plain import write_plain
    from bnteach.course.exercises.grading.withhold import Noticing

    used: list[str] = []
    text = error = ""
    try:
        with Noticing(question.withheld, question.id, used.append), _timeout():
            text = write_plain(answer(*arguments))
    except NotImplementedError as raised:
        error = _unwritten(question, raised)
    except KeyboardInterrupt as raised:
        where = describe(raised).removeprefix("KeyboardInterrupt")
        error = f"{question.function} was interrupted before it finished{where}: look for an endless loop"
    except Exception as raised:  # whatever a student's function raises is reported
        error = f"{question.function} stopped with {describe(raised)}"
    return ("", used[0]) if used else (text, error)


@contextmanager
def _timeout() -> Iterator[None]:
    """Interrupt a call that takes too long, as Ctrl-C would; no timeout where there are no such signals."""
    if not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGALRM, signal.default_int_handler)
    timer = signal.setitimer(signal.ITIMER_REAL, TIMEOUT)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *timer)
        signal.signal(signal.SIGALRM, handler or signal.SIG_DFL)


def _unwritten(question: Question, error: NotImplementedError) -> str:
    """Say that the function, or another one that it calls, is not written yet."""
    from bnteach.course.exercises.questions import of_lesson

    where = traceback.extract_tb(error.__traceback__)[-1].name
    other = [q for q in of_lesson(int(question.id.partition(".")[0])) if q.function == where and q is not question]
    return f"{question.function} calls {where}, of question {other[0].id}, and {NOT_WRITTEN}" if other else NOT_WRITTEN


def describe(error: BaseException, limit: int = 300) -> str:
    """An error in one line: its type, its message, and where in the student's own code it was raised."""
    try:
        said = " ".join(str(error).split())[:limit].rstrip(".")
    except Exception:  # its message cannot be shown, but it is still an error
        said = ""
    if isinstance(error, ValueError) and said.startswith(LOG_0):
        said += " (the logarithm of 0 is minus infinity; 0 log 0 counts as 0)"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if not frame.filename.startswith(NOT_THE_STUDENTS) and not MADE.fullmatch(frame.filename)]
    where = f", in line {frames[-1].lineno} of {frames[-1].name}" if frames and frames[-1].name != "<module>" else ""
    return f"{type(error).__name__}{f': {said}' if said else ''}{where}"
