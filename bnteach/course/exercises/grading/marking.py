"""Marking one submission: run each question's function in the sandbox, judge what comes back here.

Nothing in this process runs a student's code. What comes from the sandbox is text of limited length, read as plain
JSON; what is judged is data. A question ends in one of these ways, and each has its own sentence:

    right      wrong      the function gave an answer to every input, or (wrong) called what it should have written
    crash      it stopped with an error, or its process ended
    timeout    it did not end in time
    missing    there is no function of that name, or it is not written yet
    unjudged   the judge failed on the answer: no verdict, and the instructor should look at it

Where steps are asked for, an answer that is not right keeps a share of the points (questions/base.py). Where it calls
the function of an earlier question, and that one is not right, it runs once more with our own function in that place:
what counts is the better of the two. Our function stays here; the sandbox sends its arguments and receives its result.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import signal
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, NamedTuple

from bnteach.course.exercises.check import NOT_WRITTEN
from bnteach.course.exercises.grading.judging import Mark, judge, make_mark, our_answer, tidy, with_credit
from bnteach.course.exercises.grading.plain import write_plain
from bnteach.course.exercises.grading.replay import mark_practice
from bnteach.course.exercises.grading.sandboxes import GO_ON, GradeError
from bnteach.course.exercises.grading.sessions import Ended, Limits, Sandbox, SandboxError
from bnteach.course.exercises.grading.submissions import Submission, program
from bnteach.course.exercises.questions.base import Question
from bnteach.course.exercises.questions.practised import Practised
from bnteach.course.exercises.release import Exercise, cell_id


@dataclass
class Heard:
    """What came out of the sandbox for one question."""

    cell: int | None = None
    failed: dict[int, str] = field(default_factory=dict)
    ready: bool = False
    missing: bool = False
    unwritten: bool = False
    error: str = ""
    used: str = ""  # the withheld function that was called
    answers: list[str] = field(default_factory=list)
    asked: dict[str, Question] = field(default_factory=dict)  # the questions whose function was ours
    printed: int = 0
    trouble: str = ""


def mark(one: Submission, exercise: Exercise, sandbox: Sandbox, secret: bytes,
         limits: Limits) -> tuple[list[Mark], list[str]]:
    """The marks of all questions, and notes on the submission as a whole."""
    marks, endless, printed, failed = [], set(), 0, {}
    for question in exercise.questions:
        if isinstance(question, Practised):
            marks.append(mark_practice(one, question))
            continue
        if missing := nowhere(one, exercise, question):
            marks.append(make_mark(question, "missing", missing))
            continue
        run = Run(one, exercise, question, sandbox, secret, limits, frozenset(endless))
        heard, judged = mark_question(run)
        if judged.how != "right" and (ours := wrong_helpers(run, marks)):
            judged = better(judged, *mark_question(run, ours))
        marks.append(judged)
        printed, failed = max(printed, heard.printed), failed | heard.failed
        if judged.how == "timeout" and not heard.ready and heard.cell is not None:
            endless.add(heard.cell)  # it would take as long again for the next question
    notes = [f"{cell_name(one, number)} did not end in time, and was left out for the questions after it"
             for number in sorted(endless)]
    notes += [f"a line of {cell_name(one, number)} stopped with {error}" for number, error in sorted(failed.items())]
    notes += [f"it prints {printed:,} letters, which are discarded here"] if printed > 100_000 else []
    notes += [f"the cell {id} is gone" for id in exercise.stubs if id not in one.ids]
    return marks, notes


def mark_safely(one: Submission, exercise: Exercise, sandbox: Sandbox, secret: bytes,
                limits: Limits) -> tuple[list[Mark] | None, Any]:
    """The marks and notes; or (None, what went wrong) if it was the grader that failed. No sandbox ends all grading."""
    try:
        return mark(one, exercise, sandbox, secret, limits)
    except SandboxError as error:
        raise GradeError(f"the sandbox does not start: {error}. {GO_ON}") from None
    except Exception as error:
        sandbox.close()
        return None, f"the grader failed: {type(error).__name__}: {tidy(str(error))}"


def nowhere(one: Submission, exercise: Exercise, question: Question) -> str:
    """A sentence if the cell is unchanged or deleted, and no other contains the function's name: nothing to run."""
    own = cell_id("answer", question.id)
    cells = [(id, source) for id, source in one.cells if not (id or "").startswith("check_")]
    answers = [source.strip() for id, source in cells if id == own]
    if any(source != exercise.stubs[own].strip() for source in answers):
        return ""
    if any(question.function in source for id, source in cells if id != own):
        return ""
    return NOT_WRITTEN if answers else f"there is no function {question.function}"


class Run(NamedTuple):
    """What it takes to run one question."""

    one: Submission
    exercise: Exercise
    question: Question
    sandbox: Sandbox
    secret: bytes
    limits: Limits
    endless: frozenset[int]  # cells that do not end

    def cells(self) -> list[tuple[int, str]]:
        """The cells to run."""
        cells = program(self.one, self.exercise, self.question.id)
        return [cell for cell in cells if cell[0] not in self.endless]


def mark_question(run: Run, ours: Mapping[str, Question] = MappingProxyType({})) -> tuple[Heard, Mark]:
    """Run and judge one question, with our functions for these names."""
    question, heard = run.question, Heard()
    inputs = question.inputs(seed(run.secret, run.exercise, question, run.one.digest))
    with run.sandbox.session(run.limits) as session:
        session.send(json.dumps({"question": question.id, "cells": run.cells(), "function": question.function,
                                 "withheld": question.withheld, "ours": list(ours)}))
        for message in session.messages():
            asked_before = heard.ready
            listen(heard, message, len(inputs))
            if heard.ready and not asked_before:
                session.send(write_plain(inputs))
            match message:
                case {"ask": str(name), "arguments": str(text)} if heard.ready and name in ours:
                    heard.asked[name] = ours[name]
                    session.send(json.dumps(our_answer(ours[name], text)))
    if heard.trouble:
        raise RuntimeError(f"the sandbox failed before the submission ran: {heard.trouble}")
    where = question.function if heard.ready else cell_name(run.one, heard.cell)
    ending = how_it_ended(heard, session.ended, session.garbled, question, inputs, where, run.limits.seconds)
    judged = ending or judge(question, heard.answers, inputs)
    return heard, judged if heard.used or session.garbled else with_credit(judged, question, heard.answers, inputs)


# -- functions of earlier questions ----------------------------------------------------------------------------
def wrong_helpers(run: Run, marks: list[Mark]) -> dict[str, Question]:
    """The earlier questions whose function is not right, and is mentioned in the code, not only defined."""
    code = "\n".join(source for _, source in run.cells())
    earlier = zip(run.exercise.questions, marks)  # as many as there are marks
    return {question.function: question for question, mark in earlier
            if mark.how != "right" and re.search(rf"(?<!def )\b{question.function}\b", code)}


def better(own: Mark, heard: Heard, with_ours: Mark) -> Mark:
    """The better of two marks: with the student's own functions, and with ours in place of those that are not right."""
    if with_ours.points <= own.points or not heard.asked:
        return own
    which = " and ".join(f"{name} (question {question.id})" for name, question in heard.asked.items())
    if with_ours.how == "right":
        return replace(with_ours, sentence=f"Right with our {which} in place of yours.")
    return replace(with_ours, sentence=tidy(f"With our {which} in place of yours: {with_ours.sentence}", 800))


def seed(secret: bytes, exercise: Exercise, question: Question, digest: str) -> list[int]:
    """The seed of the inputs: it cannot be predicted without the secret, and it differs for every file."""
    key = hmac.new(secret, f"{exercise.name}/{question.id}/{digest}".encode(), hashlib.sha256).digest()
    return [int.from_bytes(key[i:i + 4], "big") for i in range(0, 32, 4)]


def listen(heard: Heard, message: dict[str, Any], expected: int) -> None:
    """Record a message of the runner if it has the right form; others are ignored."""
    match message:
        case {"cell": int(number)}:
            heard.cell = number
        case {"failed": int(number), "error": str(error)} if len(heard.failed) < 50:
            heard.failed[number] = tidy(error)
        case {"answer": str(text)} if len(heard.answers) < expected:
            heard.answers.append(text)
        case {"error": str(error)}:
            heard.error = tidy(error) or "an error"
        case {"used": str(sentence)}:
            heard.used = tidy(sentence)
        case {"printed": int(letters)}:
            heard.printed = letters
        case {"trouble": str(trouble)}:  # ours, unless the submission has already run
            heard.trouble = tidy(trouble) if heard.cell is None else ""
            heard.error = tidy(trouble)
    for flag in ("ready", "missing", "unwritten"):
        if message.get(flag) is True:
            setattr(heard, flag, True)


def cell_name(one: Submission, number: int | None) -> str:
    """What a cell is called: by its question, or by its number among the code cells."""
    if number is None or not 1 <= number <= len(one.cells):
        return "the notebook"
    id, _ = one.cells[number - 1]
    if id and (answer := re.fullmatch(r"answer_(\d+)_(\d+)", id)):
        return f"the cell of question {answer[1]}.{answer[2]}"
    return f"code cell {number}"


def how_it_ended(heard: Heard, ended: Ended, garbled: bool, question: Question, inputs: list[tuple],
                 where: str, seconds: int) -> Mark | None:
    """A mark if there are no answers to judge; None if there are."""
    name, call = question.function, ""
    if heard.ready and len(heard.answers) < len(inputs):
        call = question.call(inputs[len(heard.answers)])
    if heard.used:
        return make_mark(question, "wrong", heard.used, call)
    if ended.late:
        why = (f"did not end within {seconds} CPU seconds: look for an endless loop" if ended.used >= seconds else
               "waited for something that never came, and did not end: look for sleep, input or a thread")
        return make_mark(question, "timeout", f"{where} {why}", call)
    if garbled:
        return make_mark(question, "crash", "what came back was no answer: it was too long, or something else was "
                                            "written to the channel for answers")
    if heard.missing:
        return _missing(question, heard.failed, where)
    if heard.unwritten:
        return make_mark(question, "missing", NOT_WRITTEN)
    if heard.error:
        return make_mark(question, "crash", f"{name} stopped with {heard.error}", call)
    if len(heard.answers) < len(inputs):
        sentence = f"the process ended in {where} before there was an answer ({_end(ended.status)})"
        return make_mark(question, "crash", sentence, call)
    return None


def _missing(question: Question, failed: dict[int, str], where: str) -> Mark:
    if not failed:
        return make_mark(question, "missing", f"there is no function {question.function}")
    sentence = f"there is no function {question.function}; {where} stopped with {failed[max(failed)]}"
    return make_mark(question, "crash", sentence)


def _end(status: int) -> str:
    if status >= 0:
        return f"it left with exit code {status}, as os._exit does"
    try:
        return f"it was ended by the signal {signal.Signals(-status).name}"
    except ValueError:
        return f"it was ended by the signal {-status}"
