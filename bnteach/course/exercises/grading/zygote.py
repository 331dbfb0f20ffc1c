"""The process from which runners are forked: its imports are done, so that a submission need not wait for them.

It loads numpy, pandas, networkx, scipy and bnteach (not the questions, not the grader), moves into the view, and then
waits for requests. Each comes with a socket, which it passes to a new process without reading from it; so the messages
of one submission are never in the memory of the process that the next one is forked from.

    zygote          inside the view; kills a runner that takes too long, and reports how it ended
      └── runner    the first process of its PID namespace: inside.py. When it ends, the whole namespace ends

A runner may use so many seconds of CPU time. How long that takes is the machine's affair: only one that waits, and uses
next to none, is stopped earlier (`patience`).
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import pkgutil
import random
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from contextlib import nullcontext, suppress
from types import ModuleType
from typing import Any

import numpy

import bnteach
from bnteach import datasets
from bnteach.course.exercises.grading import inside, namespaces
from bnteach.course.exercises.grading.view import SCRATCH, view

LEFT_OUT = ("bnteach.course", "bnteach.__main__")
EXERCISES = "bnteach.course.exercises"
MUST_NOT_BE_LOADED = tuple(f"{EXERCISES}.{name}" for name in ("questions", "release", "grade.", "grading.marking"))


def main(control_number: int, sandbox: str) -> None:
    """Import everything, enter the sandbox, report that it is ready, and serve requests until the other side closes."""
    namespaces.die_with_parent(control_number)
    control = socket.socket(fileno=control_number)
    try:
        warm_up()
        home = _enter(sandbox)
    except Exception as error:
        control.send(json.dumps({"refused": f"{type(error).__name__}: {error}"}).encode())
        return
    with suppress(ConnectionError):  # the other side has closed
        control.send(json.dumps({"ready": sandbox}).encode())
        while True:
            message, sockets, _, _ = socket.recv_fds(control, 4096, 4)
            if not message:
                return
            control.send(json.dumps(serve(home, sockets[0], json.loads(message))).encode())


def serve(home: int | None, number: int, limits: dict[str, int]) -> dict[str, Any]:
    """Give a new runner the socket of that number, stop it at the limit of time, and report how it ended."""
    folder = SCRATCH if home else tempfile.mkdtemp(prefix="bnteach-")
    try:
        runner, control = start(home, folder)
        socket.send_fds(control, [json.dumps(limits).encode()], [number])
        ended = wait_for(runner, limits["seconds"])
        if trouble := control.recv(4096):
            return {"failed": trouble.decode()}
        control.close()
    except OSError as error:
        return {"failed": f"{type(error).__name__}: {error}"}
    finally:
        os.close(number)
        clean = bool(home) or cleared(folder)
    return {**ended, "clean": clean}


def start(home: int | None, folder: str) -> tuple[int, socket.socket]:
    """A new runner, and the socket over which it is given its channel."""
    ours, theirs = socket.socketpair()
    with namespaces.new_pid_namespace(home) if home else nullcontext():
        if (runner := os.fork()) == 0:
            run(theirs, folder, bool(home))
    theirs.close()
    return runner, ours


def cleared(folder: str) -> bool:
    """Delete a folder with its contents; whether nothing is left."""
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
    load_all(bnteach.course.supplements)
    if there := [name for name in sys.modules if name.startswith(MUST_NOT_BE_LOADED)]:
        raise RuntimeError(f"{there[0]} is loaded, and a submission could get answers from it")
    pd.DataFrame({"warm": pd.Categorical.from_codes([0, 1], ["a", "b"])}).describe()
    datasets.five_rows()  # most notebooks begin with them, and what reads a file is loaded when the first is read


def load_all(package: ModuleType) -> None:
    """Import every module of the package but those of the course, of which only what all others need is there."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        with suppress(ImportError):  # what needs a notebook's widgets is not needed here
            if module.name not in LEFT_OUT:
                loaded = importlib.import_module(module.name)
                if module.ispkg:
                    load_all(loaded)


def _enter(sandbox: str) -> int | None:
    """Enter the sandbox; returns a handle of the PID namespace to return to after each question, if there is one."""
    global _in_use
    _in_use = namespaces.addresses_in_use()
    home = namespaces.enter(view()) if sandbox == "namespaces" else namespaces.keep_to_oneself()
    gc.collect()
    gc.freeze()  # keeps the pages that are shared with the children shared
    return home


_in_use = 0  # the address space in use before a submission runs


def wait_for(runner: int, seconds: int) -> dict[str, Any]:
    """Wait for a process, and kill it when it has used its CPU time, or when it only waits: how it ended."""
    begun, late = time.monotonic(), False
    while not (late or _has_ended(runner)):
        used = cpu_time(runner)
        late = used >= seconds or time.monotonic() - begun > patience(seconds, used)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(runner, signal.SIGKILL)  # without a PID namespace, at least its group ends
    os.kill(runner, signal.SIGKILL)
    _, status, usage = os.wait4(runner, 0)
    code, used = os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime
    return {"late": late or used >= seconds, "status": code, "used": used}


def patience(seconds: float, used: float) -> float:
    """How long a process may take in all, if it has used so much CPU time: much longer, the more it computes."""
    return 3 * seconds + 20 * used


def cpu_time(process: int) -> float:
    """The seconds of CPU time that a process has used; 0 where the system has no such clock."""
    try:
        return time.clock_gettime((~process << 3) | 2)  # as clock_getcpuclockid(3) does
    except OSError:
        return 0.0


def _has_ended(process: int) -> bool:
    """Wait a moment for a process to end."""
    if hasattr(os, "pidfd_open"):
        watch = os.pidfd_open(process)
        ended = bool(select.select([watch], [], [], 0.25)[0])
        os.close(watch)
        return ended
    time.sleep(0.01)  # not Linux
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def run(control: socket.socket, folder: str, isolated: bool) -> None:
    """The runner: close all but its channel, set limits, drop privileges, and run the submission. Does not return."""
    number = control.fileno()  # where errors are reported
    try:
        os.setsid()
        os.closerange(3, number)
        os.closerange(number + 1, 1024)
        if isolated:
            namespaces.isolate()
            namespaces.give_up_root()
        namespaces.die_with_parent(number)
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        os.close(nothing)
        os.chdir(folder)
        message, (number, *_), _, _ = socket.recv_fds(control, 4096, 1)
        control.close()
        limits = json.loads(message)
        more = {"memory": _in_use + limits["memory"], "seconds": 2 * limits["seconds"] + 5}  # for `wait_for` is exact
        namespaces.confine({**limits, **more}, strict=isolated)
        random.seed(0)  # what draws numbers without a seed of its own draws the same in every run
        numpy.random.seed(0)  # noqa: NPY002  the generator that students' code shares
        inside.run(socket.socket(fileno=number))
    except BaseException as error:
        os.write(number, json.dumps({"trouble": f"{type(error).__name__}: {error}"}).encode() + b"\n")
    finally:
        os._exit(1)
