"""Marking one submission: run each question's function in the sandbox, judge what comes back here.

Nothing in this process runs a student's code. What comes from the sandbox is text of limited length, read as plain
JSON; what is judged is data. A question ends in one of these ways, and each has its own sentence:

    right      wrong      the function gave an answer to every input, or (wrong) called what it should have written
    crash      it stopped with an error, or its process ended
    timeout    it did not end in time
    missing    there is no function of that name, or it is not written yet
    unjudged   the judge failed on the answer: no verdict, and the instructor should look at it
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import resource
import signal
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from bnteach.course.exercises.check import NOT_WRITTEN, as_sentence
from bnteach.course.exercises.grading.namespaces import addresses_in_use
from bnteach.course.exercises.grading.plain import NotPlain, read_plain, write_plain
from bnteach.course.exercises.grading.sandboxes import GO_ON, GradeError
from bnteach.course.exercises.grading.sessions import Ended, Limits, Sandbox, SandboxError
from bnteach.course.exercises.grading.submissions import Submission, program
from bnteach.course.exercises.questions.base import Question
from bnteach.course.exercises.release import Exercise, cell_id

JUDGE_SECONDS, JUDGE_BYTES = 20, 2 << 30


@dataclass(frozen=True)
class Mark:
    """The points for a question, how it ended, and the feedback."""

    id: str
    title: str
    points: int
    of: int
    how: str
    sentence: str
    call: str = ""
    step: int = 0  # the first wrong one, where steps were asked for
    mistake: str = ""  # the common mistake that was recognised


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
    printed: int = 0
    trouble: str = ""


def mark(one: Submission, exercise: Exercise, sandbox: Sandbox, secret: bytes,
         limits: Limits) -> tuple[list[Mark], list[str]]:
    """The marks of all questions, and notes on the submission as a whole."""
    marks, endless, printed, failed = [], set(), 0, {}
    for question in exercise.questions:
        if missing := nowhere(one, exercise, question):
            marks.append(_mark(question, "missing", missing))
            continue
        heard, judged = mark_question(one, exercise, question, sandbox, secret, limits, endless)
        marks.append(judged)
        printed, failed = max(printed, heard.printed), failed | heard.failed
        if judged.how == "timeout" and not heard.ready and heard.cell is not None:
            endless.add(heard.cell)  # it would take as long again for the next question
    notes = [f"{cell_name(one, number)} did not end in time, and was left out for the questions after it"
             for number in sorted(endless)]
    notes += [f"{cell_name(one, number)} stopped with {error}" for number, error in sorted(failed.items())]
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


def mark_question(one: Submission, exercise: Exercise, question: Question, sandbox: Sandbox, secret: bytes,
                  limits: Limits, endless: set[int]) -> tuple[Heard, Mark]:
    """Run and judge one question."""
    inputs = question.inputs(seed(secret, exercise, question, one.digest))
    cells = [cell for cell in program(one, exercise, question.id) if cell[0] not in endless]
    heard = Heard()
    with sandbox.session(limits) as session:
        session.send(json.dumps({"question": question.id, "cells": cells, "function": question.function,
                                 "withheld": question.withheld}))
        for message in session.messages():
            asked_before = heard.ready
            listen(heard, message, len(inputs))
            if heard.ready and not asked_before:
                session.send(write_plain(inputs))
    if heard.trouble:
        raise RuntimeError(f"the sandbox failed before the submission ran: {heard.trouble}")
    where = question.function if heard.ready else cell_name(one, heard.cell)
    ending = how_it_ended(heard, session.ended, session.garbled, question, inputs, where, limits.seconds)
    return heard, ending or judge(question, heard.answers, inputs)


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
        return _mark(question, "wrong", heard.used, call)
    if ended.late:
        why = (f"did not end within {seconds} CPU seconds: look for an endless loop" if ended.used >= seconds else
               "waited for something that never came, and did not end: look for sleep, input or a thread")
        return _mark(question, "timeout", f"{where} {why}", call)
    if garbled:
        return _mark(question, "crash", "what came back was no answer: it was too long, or something else was written "
                                        "to the channel for answers")
    if heard.missing:
        return _missing(question, heard.failed, where)
    if heard.unwritten:
        return _mark(question, "missing", NOT_WRITTEN)
    if heard.error:
        return _mark(question, "crash", f"{name} stopped with {heard.error}", call)
    if len(heard.answers) < len(inputs):
        sentence = f"the process ended in {where} before there was an answer ({_end(ended.status)})"
        return _mark(question, "crash", sentence, call)
    return None


def _missing(question: Question, failed: dict[int, str], where: str) -> Mark:
    if not failed:
        return _mark(question, "missing", f"there is no function {question.function}")
    sentence = f"there is no function {question.function}; {where} stopped with {failed[max(failed)]}"
    return _mark(question, "crash", sentence)


def _end(status: int) -> str:
    if status >= 0:
        return f"it left with exit code {status}, as os._exit does"
    try:
        return f"it was ended by the signal {signal.Signals(-status).name}"
    except ValueError:
        return f"it was ended by the signal {-status}"


# -- judging ---------------------------------------------------------------------------------------------------
def judge(question: Question, answers: list[str], inputs: list[tuple]) -> Mark:
    """Judge the answers one by one; the first that is not right decides."""
    for text, arguments in zip(answers, inputs):
        try:
            with time_limit(JUDGE_SECONDS), memory_limit(JUDGE_BYTES):
                judged = question.judge(read_plain(text), arguments)
        except NotPlain as error:
            return _mark(question, "crash", f"what came back was no answer: {error}", question.call(arguments))
        except Exception as error:  # must neither cost points silently nor stop the grading
            sentence = f"the judge failed ({type(error).__name__}: {tidy(str(error))}); an instructor will look at it"
            return _mark(question, "unjudged", sentence, question.call(arguments))
        if not judged.ok:
            wrong = _mark(question, "wrong", judged.sentence, question.call(arguments))
            return replace(wrong, step=judged.step, mistake=judged.mistake)
    return replace(_mark(question, "right", f"right, on {len(inputs)} inputs"), points=question.points)


@contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise a TimeoutError after so many seconds of CPU time. In the main thread only; elsewhere there is no limit."""
    def stop(*_: object) -> None:
        raise TimeoutError(f"it took more than {seconds} CPU seconds")

    try:
        before = signal.signal(signal.SIGPROF, stop)
    except (ValueError, AttributeError):
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def memory_limit(more: int) -> Iterator[None]:
    """Limit this process to so many more bytes, then a MemoryError is raised, where the system has such limits."""
    in_use = addresses_in_use()
    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = in_use + more if hard == resource.RLIM_INFINITY else min(in_use + more, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit if in_use else before, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, hard))


def _mark(question: Question, how: str, sentence: str, call: str = "") -> Mark:
    said = tidy(as_sentence(sentence, question), 800)
    return Mark(question.id, question.title, 0, question.points, how, said, tidy(call, 600))


def tidy(text: str, limit: int = 400) -> str:
    """Text in one line, without control characters, and not too long."""
    text = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text[: 4 * limit])
    text = re.sub(r" at 0x[0-9a-f]+", "", " ".join(text.split()))  # addresses differ from run to run
    return text if len(text) <= limit else text[: limit - 1] + "…"
