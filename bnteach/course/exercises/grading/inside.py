"""What runs in the sandbox: the cells of a submission, and then the function that a question asks for.

It is told the cells and the name of the function, and only when the cells have run, the inputs. Whatever it says is
said by a process in which a student's code has run, and so believed by nobody: it may claim what it likes, but
only right answers to inputs that it could not foresee are worth anything.

    in    {"question", "cells": [[number, source], ...], "function", "withheld"}      out   {"cell": number} ...
                                                                                            {"failed": number, "error"}
    in    the inputs, as plain JSON, once it is ready                                       {"ready": true}
                                                                                            {"answer"} or {"error"} ...
                                                                                            {"used": sentence}, and end
"""

from __future__ import annotations

import ast
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from socket import socket
from types import ModuleType
from typing import Any

import bnteach
from bnteach.course.exercises.check import describe
from bnteach.course.exercises.grading import objects  # noqa: F401  what plain.py will need, when there are no files any more
from bnteach.course.exercises.grading.plain import read_plain, write_plain
from bnteach.course.exercises.grading.withhold import Noticing

MAGIC = re.compile(r"^\s*(%|!)")
HARMLESS = re.compile(r"^(\s*)(%%?(matplotlib|precision|config|load_ext|autoreload|time|timeit|capture)\b|"
                      r"\?\??[\w.]+\s*$|[\w.]+\?\??\s*$)")  # the last two ask for help


class Printed(io.TextIOBase):
    """Counts what is printed, and lets it go."""

    letters = 0

    def write(self, text: str) -> int:
        Printed.letters += len(text)
        return len(text)

    def writable(self) -> bool:
        return True


def run(channel: socket) -> None:
    """Do one job, talking over the channel. Does not return."""
    lines = channel.makefile("rb")

    def say(**what: Any) -> None:
        channel.sendall(json.dumps(what).encode() + b"\n")

    job = json.loads(lines.readline())
    sys.stdout = sys.stderr = Printed()
    space: dict[str, Any] = {"__name__": "__main__", "display": Nothing(), "get_ipython": Nothing()}
    bnteach.check, bnteach.draw, bnteach.play = _no_check, Nothing(), Nothing()
    sys.meta_path.append(Pictures())
    for number, source in job["cells"]:
        say(cell=number)
        try:
            run_cell(source, f"<cell {number}>", space)
        except BaseException as error:  # SystemExit too: the cells after it still count
            say(failed=number, error=describe(error))
    _answer(space.get(job["function"]), job, lines, say)
    say(printed=Printed.letters)
    os._exit(0)


def _answer(function: Any, job: dict[str, Any], lines: Any, say: Callable[..., None]) -> None:
    def used(sentence: str) -> None:
        say(used=sentence)
        os._exit(0)  # whatever it would return is worth nothing

    if not callable(function):
        return say(missing=True)
    say(ready=True)
    for arguments in read_plain(lines.readline(), inputs=True):
        try:
            with Noticing(job["withheld"], job["question"], used):
                text = write_plain(function(*arguments))
            say(answer=text)
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

    >>> without_magics("%matplotlib inline\\nif x:\\n    %time x = 1")
    'pass\\nif x:\\n    x = 1'
    """
    lines = source.split("\n")
    for i, line in enumerate(lines):
        if timed := re.match(r"^(\s*)%time\s+(\S.*)", line):
            lines[i] = timed[1] + timed[2]
        elif harmless := HARMLESS.match(line):
            lines[i] = harmless[1] + "pass"
        elif MAGIC.match(line):
            raise SyntaxError(f"the line {line.strip()[:60]!r} is for notebooks only, and the grader runs plain "
                              f"Python: put it in a cell of its own, or leave it out")
    return "\n".join(lines)


def _no_check(*_: Any, **__: Any) -> None:
    """bn.check has nothing to say here: the grader judges, elsewhere."""


def _no_inputs(*_: Any) -> None:
    raise RuntimeError("bn.check.inputs is not there when it is graded; use it in a cell of its own")


_no_check.inputs = _no_inputs


# -- pictures, which nobody looks at here ----------------------------------------------------------------------------
class Nothing:
    """Whatever is asked of it, it is nothing again: enough for fig, ax = plt.subplots() and ax[0].set(...)."""

    def __getattr__(self, name: str) -> Nothing:
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *_: Any, **__: Any) -> Nothing:
        return self

    __getitem__ = __enter__ = __call__

    def __exit__(self, *_: Any) -> None:
        pass

    def __setitem__(self, *_: Any) -> None:
        pass

    def __iter__(self) -> Iterator[Nothing]:
        return iter((self, self))


class Pictures:
    """Lets a submission import matplotlib where it is not there: code that also draws is not lost for it."""

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        return spec_from_loader(name, self, is_package=True) if name.partition(".")[0] == "matplotlib" else None

    def create_module(self, spec: ModuleSpec) -> None:
        pass

    def exec_module(self, module: ModuleType) -> None:
        module.__getattr__ = Nothing().__getattr__
