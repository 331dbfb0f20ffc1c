"""What runs in the sandbox: the cells of a submission, and then the function that a question asks for.

It is told the cells and the name of the function, and only when the cells have run, the inputs. Whatever it says is
said by a process in which a student's code has run, and so believed by nobody: it may claim what it likes, but
only right answers to inputs that it could not foresee are worth anything.

    in    {"question", "cells": [[number, source], ...], "function", "withheld"}      out   {"cell": number} ...
                                                                                            {"failed": number, "error"}
    in    the inputs, as plain JSON, once it is ready                                       {"ready": true}
                                                                                            {"answer"} or {"error"} ...
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import sys
from collections.abc import Callable
from socket import socket
from typing import Any

import bnteach
from bnteach.course.check import describe
from bnteach.course.grading import objects  # noqa: F401  what plain.py will need, when there are no files any more
from bnteach.course.grading.plain import read_plain, write_plain
from bnteach.course.grading.withhold import Index, empty

MAGIC = re.compile(r"^\s*(%%?|!|\?)|^.*\?\s*$")
HARMLESS = re.compile(r"^\s*%%?(matplotlib|precision|config|load_ext|autoreload|time|timeit|capture)\b")


class Printed(io.TextIOBase):
    """Counts what is printed, and lets it go."""

    letters = 0

    def write(self, text: str) -> int:
        Printed.letters += len(text)
        return len(text)

    def writable(self) -> bool:
        return True


def run(channel: socket, index: Index) -> None:
    """Do one job, talking over the channel. Does not return."""
    lines = channel.makefile("rb")

    def say(**what: Any) -> None:
        channel.sendall(json.dumps(what).encode() + b"\n")

    job = json.loads(lines.readline())
    empty(index.find(job["withheld"]), job["question"])
    sys.stdout = sys.stderr = Printed()
    space: dict[str, Any] = {"__name__": "__main__", "display": lambda *_, **__: None}
    bnteach.check = _no_check
    for number, source in job["cells"]:
        say(cell=number)
        try:
            run_cell(source, f"<cell {number}>", space)
        except BaseException as error:  # SystemExit too: the cells after it still count
            say(failed=number, error=describe(error))
    _answer(space.get(job["function"]), lines, say)
    say(printed=Printed.letters)
    os._exit(0)


def _answer(function: Any, lines: Any, say: Callable[..., None]) -> None:
    if not callable(function):
        return say(missing=True)
    say(ready=True)
    for arguments in read_plain(lines.readline(), inputs=True):
        try:
            say(answer=write_plain(function(*arguments)))
        except NotImplementedError:
            return say(unwritten=True)
        except BaseException as error:
            return say(error=describe(error))
    return None


def run_cell(source: str, name: str, space: dict[str, Any]) -> None:
    """Run the code of a cell as a notebook would, but for what only a notebook can do."""
    try:
        tree = ast.parse(source, name)
    except SyntaxError:
        tree = ast.parse(without_magics(source), name)
    exec(compile(tree, name, "exec"), space)


def without_magics(source: str) -> str:
    """The code without IPython's harmless magics; an error that says so if it needs a real notebook.

    >>> without_magics("%matplotlib inline\\nx = 1")
    '\\nx = 1'
    """
    lines = source.split("\n")
    for i, line in enumerate(lines):
        if HARMLESS.match(line):
            lines[i] = re.sub(r"^\s*%timeit?\s*", "", line) if re.match(r"^\s*%timeit?\b", line) else ""
        elif MAGIC.match(line):
            raise SyntaxError(f"the line {line.strip()[:60]!r} is for notebooks only, and the grader runs plain "
                              f"Python: put it in a cell of its own, or leave it out")
    return "\n".join(lines)


def _no_check(*_: Any, **__: Any) -> None:
    """bn.check has nothing to say here: the grader judges, elsewhere."""
