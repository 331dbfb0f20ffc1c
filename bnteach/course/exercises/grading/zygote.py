"""The process from which runners are forked: its imports are done, so that a submission need not wait for them.

It loads numpy, pandas, networkx, scipy and bnteach (not the questions, not the grader), moves into the view, and then
waits for requests. Each comes with a socket, which it passes to a new process without reading from it; so the messages
of one submission are never in the memory of the process that the next one is forked from.

    zygote          inside the view; kills a runner that takes too long, and reports how it ended
      ├── runner    the first process of its PID namespace: inside.py. When it ends, the whole namespace ends
      └── runner    the next one, prepared while the one before is at work; it waits for its socket
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
MUST_NOT_BE_LOADED = tuple(f"{EXERCISES}.{name}" for name in ("questions", "release", "grade.", "grading.marking"))


def main(control_number: int, sandbox: str, forget: Callable[[], None] = lambda: None) -> None:
    """Import everything, enter the sandbox, report that it is ready, and serve requests until the other side closes.

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
    with suppress(ConnectionError):  # the other side has closed
        control.send(json.dumps({"ready": sandbox}).encode())
        while True:
            message, sockets, _, _ = socket.recv_fds(control, 4096, 4)
            if not message:
                return
            control.send(json.dumps(runners.serve(sockets[0], json.loads(message))).encode())


class Runners:
    """Starts one runner after the other; with namespaces, each next one is started before it is requested."""

    def __init__(self, home: int | None, sandbox: str):
        self.home, self.sandbox = home, sandbox
        self.spare: tuple[int, socket.socket] | None = None

    def serve(self, number: int, limits: dict[str, int]) -> dict[str, Any]:
        """Give a runner the socket of that number, kill it at the time limit, and report how it ended."""
        folder = SCRATCH if self.sandbox != "none" else tempfile.mkdtemp(prefix="bnteach-")
        begun = time.monotonic()
        try:
            runner, control = self.spare or self.start(folder)
            self.spare = None
            socket.send_fds(control, [json.dumps(limits).encode()], [number])
            self.spare = self.start(folder) if self.home else None
            status, late = wait_for(runner, limits["wall"] - (time.monotonic() - begun))
            if trouble := control.recv(4096):
                return {"failed": trouble.decode()}
            control.close()
        except OSError as error:
            return {"failed": f"{type(error).__name__}: {error}"}
        finally:
            os.close(number)
            clean = bool(self.home) or cleared(folder)
        return {"late": late, "status": status, "seconds": time.monotonic() - begun, "clean": clean}

    def start(self, folder: str) -> tuple[int, socket.socket]:
        """A new runner, and the socket over which it is given its channel."""
        ours, theirs = socket.socketpair()
        with namespaces.new_pid_namespace(self.home) if self.home else nullcontext():
            if (runner := os.fork()) == 0:
                run(theirs, folder, bool(self.home))
        theirs.close()
        return runner, ours


def cleared(folder: str) -> bool:
    """Delete a folder with its contents, or only its contents if the folder must stay; whether nothing is left."""
    with suppress(RecursionError):  # deeply nested folders
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
    if there := [name for name in sys.modules if name.startswith(MUST_NOT_BE_LOADED)]:
        raise RuntimeError(f"{there[0]} is loaded, and a submission could get answers from it")
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
    """Enter the sandbox; returns a handle of the PID namespace to return to after each question, if there is one."""
    global _in_use
    _in_use = namespaces.addresses_in_use()
    namespaces.die_with_parent()
    home = namespaces.enter(view()) if sandbox == "namespaces" else namespaces.keep_to_oneself()
    gc.collect()
    gc.freeze()  # keeps the pages that are shared with the children shared
    return home


_in_use = 0  # the address space in use before a submission runs


def wait_for(runner: int, seconds: float) -> tuple[int, bool]:
    """Wait for a process, and kill it at the time limit: (exit status or minus the signal, was it late?)."""
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
        os.killpg(runner, signal.SIGKILL)  # without a PID namespace, at least its group ends
    os.kill(runner, signal.SIGKILL)
    _, status = os.waitpid(runner, 0)
    return os.waitstatus_to_exitcode(status), late


def run(control: socket.socket, folder: str, isolated: bool) -> None:
    """The runner: close all but its channel, set limits, drop privileges, and run the submission. Does not return."""
    number = control.fileno()  # where errors are reported
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
        message, (number, *_), _, _ = socket.recv_fds(control, 4096, 1)
        control.close()
        limits = json.loads(message)
        namespaces.confine({**limits, "memory": _in_use + limits["memory"]}, strict=isolated)
        inside.run(socket.socket(fileno=number))
    except BaseException as error:
        os.write(number, json.dumps({"trouble": f"{type(error).__name__}: {error}"}).encode() + b"\n")
    finally:
        os._exit(1)
