"""What runs in the sandbox: the cells of a submission, and then the function that a question asks for.

It receives the cells and the name of the function, and the inputs only when the cells have run. Its messages come from
a process in which a student's code has run, so they are not trusted: only right answers to inputs that it could not
foresee earn points.

    in    {"question", "cells": [[number, source], ...],                              out   {"cell": number} ...
           "function", "withheld", "ours": [name, ...]}                                     {"failed": number, "error"}
    in    the inputs, as plain JSON, once it is ready                                       {"ready": true}
                                                                                            {"answer"} or {"error"} ...
                                                                                            {"used": sentence}, and end
    in    {"answer"} or {"error"}, what our own function says                               {"ask": name, "arguments"}
"""

from __future__ import annotations

import inspect
import io
import json
import os
import sys
import threading
from collections.abc import Callable
from socket import socket
from typing import Any

import bnteach
from bnteach.course.exercises.check import describe
from bnteach.course.exercises.grading import objects  # noqa: F401  needed by plain.py after the files have been removed
from bnteach.course.exercises.grading.cells import Nothing, Pictures, Shell, run_cell
from bnteach.course.exercises.grading.plain import read_plain, write_plain
from bnteach.course.exercises.grading.withhold import Noticing

RECURSION = 3000  # as in a notebook


class Printed(io.TextIOBase):
    """Counts what is printed, and discards it."""

    letters = 0

    def write(self, text: str) -> int:
        Printed.letters += len(text)
        return len(text)

    def writable(self) -> bool:
        return True


def run(channel: socket) -> None:
    """Do one job, communicating over the channel. Does not return."""
    lines = channel.makefile("rb")

    def say(**what: Any) -> None:
        channel.sendall(json.dumps(what).encode() + b"\n")

    job = json.loads(lines.readline())
    sys.stdout = sys.stderr = Printed()
    sys.setrecursionlimit(RECURSION)
    space: dict[str, Any] = {"__name__": "__main__", "display": Nothing()}
    space["get_ipython"] = lambda: Shell(space)
    bnteach.check, bnteach.draw, bnteach.play, bnteach.practice = _no_check, Nothing(), Nothing(), Nothing()
    sys.meta_path.append(Pictures())
    for number, source in job["cells"]:
        say(cell=number)
        try:
            run_cell(source, f"<cell {number}>", space)
        except BaseException as error:  # SystemExit too: later cells are still run
            say(failed=number, error=describe(error))
    answer(space, job, lines, say)
    say(printed=Printed.letters)
    os._exit(0)


def answer(space: dict[str, Any], job: dict[str, Any], lines: Any, say: Callable[..., None]) -> None:
    """Call the function on every input, with our functions in place of the student's where the job says so."""
    def used(sentence: str) -> None:
        say(used=sentence)
        os._exit(0)  # whatever it would return is worth nothing

    function = space.get(job["function"])
    if not callable(function):
        return say(missing=True)
    ours = [Ours(name, space.get(name), lines, say) for name in job.get("ours", ())]
    space.update({one.name: one for one in ours})
    say(ready=True)
    for arguments in read_plain(lines.readline(), inputs=True):
        noticing = Noticing(job["withheld"], job["question"], used)
        for one in ours:
            one.noticing = noticing
        if not hasattr(threading, "setprofile_all_threads") and len(sys._current_frames()) > 1:  # Python 3.11
            used("a thread that was started before must not run on while an answer is asked for: end it first.")
        try:
            with noticing:
                text = write_plain(function(*arguments))
            say(answer=text)
        except NotImplementedError:
            return say(unwritten=True)
        except BaseException as error:
            return say(error=describe(error))
    return None


class Ours:
    """Our function in place of the student's own: it asks the grader, so that nothing but its answers is here."""

    one_at_a_time = threading.Lock()

    def __init__(self, name: str, own: Any, lines: Any, say: Callable[..., None]):
        self.name, self.own, self.lines, self.say = name, own, lines, say
        self.noticing: Any = None

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        if named:  # by the names that the student's own function has
            arguments = inspect.signature(self.own).bind(*arguments, **named).args
        with self.one_at_a_time:
            self.noticing.paused = True  # making the values is no call of what is withheld
            try:
                self.say(ask=self.name, arguments=write_plain(arguments))
                reply = json.loads(self.lines.readline())
                if "error" in reply:
                    raise ValueError(reply["error"])
                return read_plain(reply["answer"], inputs=True)
            finally:
                self.noticing.paused = False


def _no_check(*_: Any, **__: Any) -> None:
    """bn.check does nothing here: the grader judges outside the sandbox."""


def _no_inputs(*_: Any) -> None:
    raise RuntimeError("bn.check.inputs is not available during grading; use it in a cell of its own")


_no_check.inputs = _no_inputs
