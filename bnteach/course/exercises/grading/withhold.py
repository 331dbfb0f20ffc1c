"""Noticing that an answer calls what it should write itself.

A question that asks for entropy withholds `bn.entropy`. No function is changed for that. While an answer runs, Python
reports every call (sys.setprofile), and the name of the function with its module is compared with what is withheld:

    "information.entropy"     one function of bnteach.information
    "information"             all functions of the module
    "scores.MDL"              all methods of a class
    "networkx.algorithms.tree.mst"    a module of another library
    "statistics"              Python's own module

The function is noticed under whatever name it is called, and so is any library function that calls it, whether the
call ends in an error or not; so is a call that would end the reports. Compiled functions are not reported, unless they
call a function that is: those of scipy.sparse.csgraph do. Not noticed are a copy of the library's code in the notebook,
results computed before the answer was called, other processes, and what is first called after `QUIET` reports in a row
without a new function: then the reports are switched off, since they take longer than the calls.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from types import CodeType, FrameType
from typing import Any

LIBRARIES = ("bnteach", "networkx", "scipy", "pandas", "numpy", "graphlib", "statistics")
SWITCHES = ("sys.setprofile", "sys._setprofile", "sys.monitoring", "threading.setprofile")
QUIET = 500_000


def full_name(name: str) -> str:
    """The name with its library: bnteach's, unless it starts with another's.

    >>> full_name("scores.MDL"), full_name("networkx.algorithms.tree.mst")
    ('bnteach.scores.MDL', 'networkx.algorithms.tree.mst')
    """
    return name if name.partition(".")[0] in LIBRARIES else f"bnteach.{name}"


class Noticing:
    """While active, calls `report` with a sentence at the first call of a withheld function, before its code runs."""

    def __init__(self, names: Iterable[str], question: str, report: Callable[[str], object]):
        self.names = (*SWITCHES, *(f"{full_name(name)}." for name in names))
        self.question, self.report = question, report
        self.known: dict[int, CodeType] = {}  # not withheld; by id, since hashing the code is slow
        self.quiet, self.over, self.paused = 0, False, False

    def __enter__(self) -> None:
        self.before = sys.getprofile(), threading.getprofile()
        if hasattr(threading, "setprofile_all_threads"):  # from Python 3.12; this thread is one of them
            threading.setprofile_all_threads(self.look)
        else:
            threading.setprofile(self.look)
            sys.setprofile(self.look)

    def __exit__(self, *_: object) -> None:
        self.over = True
        mine, of_threads = self.before
        if hasattr(mine, "enable"):  # cProfile's, up to Python 3.11
            mine.enable()
        else:
            sys.setprofile(mine)
        threading.setprofile(of_threads)

    def look(self, frame: FrameType, event: str, called: Any) -> None:
        """Called by Python with a function's frame and "call", or with "c_call" and the compiled function."""
        self.quiet += 1
        if event == "call":
            if id(frame.f_code) not in self.known:
                self.judge(frame)
        elif event == "c_call" and getattr(called, "__module__", None) in ("sys", "sys.monitoring"):
            self.notice(called.__module__, called.__name__)
        if self.quiet > QUIET or self.over:
            sys.setprofile(None)

    def judge(self, frame: FrameType) -> None:
        """Handle a function that is called for the first time."""
        module, function = f"{frame.f_globals.get('__name__')}", frame.f_code.co_qualname
        if not f"{module}.{function}.".startswith(self.names):
            self.known[id(frame.f_code)], self.quiet = frame.f_code, 0
        elif not self.paused and not _while_loading(frame):
            self.notice(module, function)

    def notice(self, module: str, function: str) -> None:
        """Report the first call of a withheld function."""
        if f"{module}.{function}.".startswith(self.names) and not self.over:
            self.over = True
            why = "" if f"{module}.{function}".startswith(SWITCHES) else ": write it yourself"
            self.report(f"{function.partition('.')[0]} of {module.partition('.')[0]} must not be used in question "
                        f"{self.question}{why}.")


def _while_loading(frame: FrameType | None) -> bool:
    """Whether a library module is being imported; calls made then do not count."""
    while frame is not None and frame.f_code.co_name != "<module>":
        frame = frame.f_back
    return frame is not None and f"{frame.f_globals.get('__name__')}".partition(".")[0] in LIBRARIES
