"""The process from which sandboxes are forked: warm, so that a submission need not wait for imports.

It loads numpy, pandas, networkx, scipy and bnteach (not the questions, not the grader), moves into the view, and then
waits for requests. Each comes with a socket, which it hands to a new process without reading from it; so what one
submission says or hears is never in the memory of the process that the next one is forked from.

    zygote          in the view already; kills what takes too long, and says how it ended
      ├── runner    the first process of its world: inside.py. When it ends, everything in that world ends
      └── runner    the next one, in a world that is ready, while the one before is at work; it waits for its socket
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from types import ModuleType
from typing import Any

import bnteach
from bnteach import datasets
from bnteach.course.exercises.grading import inside, namespaces
from bnteach.course.exercises.grading.view import SCRATCH, view

LEFT_OUT = ("bnteach.course", "bnteach.__main__")
EXERCISES = "bnteach.course.exercises"
MUST_NOT_BE_THERE = tuple(f"{EXERCISES}.{name}" for name in ("questions", "release", "grade.", "grading.marking"))


def main(control_number: int, sandbox: str, forget: Callable[[], None] = lambda: None) -> None:
    """Warm up, enter the sandbox, say so, and serve requests until the other side is gone.

    `forget` deletes the library's files, once they are loaded, where that is needed.
    """
    control = socket.socket(fileno=control_number)
    try:
        warm_up()
        home = _enter(sandbox)
        forget()
    except Exception as error:
        control.send(json.dumps({"refused": f"{type(error).__name__}: {error}"}).encode())
        return
    runners = Runners(home, sandbox)
    with suppress(ConnectionError):  # nobody listens any more
        control.send(json.dumps({"ready": sandbox}).encode())
        while True:
            message, sockets, _, _ = socket.recv_fds(control, 4096, 4)
            if not message:
                return
            control.send(json.dumps(runners.serve(sockets[0], json.loads(message))).encode())


class Runners:
    """Starts one runner after the other; where each has a world of its own, the next one before it is asked for."""

    def __init__(self, home: int | None, sandbox: str):
        self.home, self.sandbox = home, sandbox
        self.spare: tuple[int, socket.socket] | None = None

    def serve(self, number: int, limits: dict[str, int]) -> dict[str, Any]:
        """Let a runner talk over the socket of that number, end it in time, and say how it ended."""
        folder = SCRATCH if self.sandbox != "none" else tempfile.mkdtemp(prefix="bnteach-")
        begun = time.monotonic()
        try:
            runner, way = self.spare or self.start(folder)
            self.spare = None
            socket.send_fds(way, [json.dumps(limits).encode()], [number])
            self.spare = self.start(folder) if self.home else None
            status, late = wait_for(runner, limits["wall"] - (time.monotonic() - begun))
            if trouble := way.recv(4096):
                return {"failed": trouble.decode()}
            way.close()
        except OSError as error:
            return {"failed": f"{type(error).__name__}: {error}"}
        finally:
            os.close(number)
            clean = bool(self.home) or cleared(folder)
        return {"late": late, "status": status, "seconds": time.monotonic() - begun, "clean": clean}

    def start(self, folder: str) -> tuple[int, socket.socket]:
        """A new runner, and the way to hand it a socket."""
        ours, theirs = socket.socketpair()
        with namespaces.next_world(self.home) if self.home else nullcontext():
            if (runner := os.fork()) == 0:
                run(theirs, folder, bool(self.home))
        theirs.close()
        return runner, ours


def cleared(folder: str) -> bool:
    """Delete a folder and what is in it, or only the latter if the folder must stay. Is all of that gone?"""
    with suppress(RecursionError):  # very deep
        shutil.rmtree(folder, ignore_errors=True)
    try:
        return not os.listdir(folder)
    except OSError as error:
        return isinstance(error, FileNotFoundError)


def warm_up() -> None:
    """Load everything that a submission may use."""
    import networkx  # noqa: F401
    import pandas as pd
    import scipy.optimize
    import scipy.stats  # noqa: F401

    load_all(bnteach)
    if there := [name for name in sys.modules if name.startswith(MUST_NOT_BE_THERE)]:
        raise RuntimeError(f"{there[0]} is loaded, and a submission could ask it for answers")
    pd.DataFrame({"warm": pd.Categorical.from_codes([0, 1], ["a", "b"])}).describe()
    datasets.five_rows()  # most notebooks begin with them, and what reads a file is loaded when the first is read


def load_all(package: ModuleType) -> None:
    """Import every module of the package but those of the course, of which only what all others need is there."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        with suppress(ImportError):  # what needs a notebook's widgets is not needed here
            if not module.name.startswith(LEFT_OUT):
                loaded = importlib.import_module(module.name)
                if module.ispkg:
                    load_all(loaded)


def _enter(sandbox: str) -> int | None:
    """Into the sandbox; returns the way back from a question's world, if there are such worlds."""
    global _in_use
    _in_use = namespaces.addresses_in_use()
    namespaces.die_with_parent()
    home = namespaces.enter(view()) if sandbox == "namespaces" else namespaces.keep_to_oneself()
    gc.collect()
    gc.freeze()  # what is shared with the children stays untouched, and so shared
    return home


_in_use = 0  # the addresses that are taken before a submission asks for more


def wait_for(runner: int, seconds: float) -> tuple[int, bool]:
    """Wait for a process, and kill it when the time is up: (its exit status or minus its signal, was it late?)."""
    if hasattr(os, "pidfd_open"):
        watch = os.pidfd_open(runner)
        late = not select.select([watch], [], [], seconds)[0]
        os.close(watch)
    else:  # not Linux
        end, late = time.monotonic() + seconds, True
        while late and time.monotonic() < end:
            if os.waitid(os.P_PID, runner, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                late = False
            else:
                time.sleep(0.01)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(runner, signal.SIGKILL)  # late or not: where its world does not end with it, at least its group does
    os.kill(runner, signal.SIGKILL)
    _, status = os.waitpid(runner, 0)
    return os.waitstatus_to_exitcode(status), late


def run(way: socket.socket, folder: str, isolated: bool) -> None:
    """The runner: nothing open but its channel, limits set, no privileges; then the submission. Does not return."""
    number = way.fileno()  # where trouble is told
    try:
        os.setsid()
        namespaces.die_with_parent()
        os.closerange(3, number)
        os.closerange(number + 1, 1024)
        if isolated:
            namespaces.isolate()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        os.close(nothing)
        os.chdir(folder)
        message, (number, *_), _, _ = socket.recv_fds(way, 4096, 1)
        way.close()
        limits = json.loads(message)
        namespaces.confine({**limits, "memory": _in_use + limits["memory"]}, strict=isolated)
        inside.run(socket.socket(fileno=number))
    except BaseException as error:
        os.write(number, json.dumps({"trouble": f"{type(error).__name__}: {error}"}).encode() + b"\n")
    finally:
        os._exit(1)
