"""Judging what came out of the sandbox: the mark of a question, and the feedback.

Nothing here runs a student's code: an answer is text, read as plain data, and the time and memory that a judge may take
are limited.
"""

from __future__ import annotations

import re
import resource
import signal
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from bnteach.course.exercises.check import as_sentence, kept
from bnteach.course.exercises.grading.namespaces import addresses_in_use
from bnteach.course.exercises.grading.plain import NotPlain, read_arguments, read_plain, write_plain
from bnteach.course.exercises.questions.base import Question

JUDGE_SECONDS, JUDGE_BYTES = 20, 2 << 30


@dataclass(frozen=True)
class Mark:
    """The points for a question, how it ended, and the feedback."""

    id: str
    title: str
    points: float
    of: int
    how: str
    sentence: str
    call: str = ""
    step: int = 0  # the first wrong one, where steps were asked for
    mistake: str = ""  # the common mistake that was recognised


def judge(question: Question, answers: list[str], inputs: list[tuple]) -> Mark:
    """Judge the answers one by one; the first that is not right decides."""
    for text, arguments in zip(answers, inputs):
        try:
            with time_limit(JUDGE_SECONDS), memory_limit(JUDGE_BYTES):
                judged = question.judge(read_plain(text), arguments)
        except NotPlain as error:
            return make_mark(question, "crash", f"what came back was no answer: {error}", question.call(arguments))
        except Exception as error:  # must neither cost points silently nor stop the grading
            return make_mark(question, "unjudged", judge_failed(error), question.call(arguments))
        if not judged.ok:
            wrong = make_mark(question, "wrong", judged.sentence, question.call(arguments))
            return replace(wrong, step=judged.step, mistake=judged.mistake)
    return replace(make_mark(question, "right", f"right, on {len(inputs)} inputs"), points=question.points)


def with_credit(mark: Mark, question: Question, answers: list[str], inputs: list[tuple]) -> Mark:
    """A mark with the points that are kept for the steps before the first wrong one, where steps are asked for."""
    if mark.how not in ("wrong", "crash", "timeout"):
        return mark
    try:
        with time_limit(JUDGE_SECONDS), memory_limit(JUDGE_BYTES):
            points = question.credit([_read(text) for text in answers], inputs)
    except Exception as error:
        return replace(mark, how="unjudged", sentence=f"{mark.sentence} {judge_failed(error)}.")
    return replace(mark, points=points, sentence=f"{mark.sentence} {kept(points, question.points)}") if points else mark


def judge_failed(error: Exception) -> str:
    """What is said if the judge itself failed."""
    return f"The judge failed ({type(error).__name__}: {tidy(str(error))}); an instructor will look at it"


def _read(text: str) -> Any:
    """An answer as plain data; None if it cannot be read."""
    try:
        return read_plain(text)
    except NotPlain:
        return None


def our_answer(question: Question, arguments: str) -> dict[str, str]:
    """What our own function returns for arguments that come from the sandbox; or an error, in words."""
    try:
        with time_limit(JUDGE_SECONDS), memory_limit(JUDGE_BYTES):
            return {"answer": write_plain(question.right(*read_arguments(arguments)))}
    except Exception as error:
        return {"error": f"our {question.function} stopped with {type(error).__name__}: {tidy(str(error), 200)}"}


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


def make_mark(question: Question, how: str, sentence: str, call: str = "") -> Mark:
    said = tidy(as_sentence(sentence, question), 800)
    return Mark(question.id, question.title, 0, question.points, how, said, tidy(call, 600))


def tidy(text: str, limit: int = 400) -> str:
    """Text in one line, without control characters, and not too long."""
    text = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in text[: 4 * limit])
    text = re.sub(r" at 0x[0-9a-f]+", "", " ".join(text.split()))  # addresses differ from run to run
    return text if len(text) <= limit else text[: limit - 1] + "…"
