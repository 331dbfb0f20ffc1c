"""The process from which sandboxes are forked: warm, so that a submission need not wait for imports.

It loads numpy, pandas, networkx, scipy and bnteach (not the questions, not the grader), moves into the view, and then
waits for requests. Each comes with a socket, which it hands to a new process without reading from it; so what one
submission says or hears is never in the memory of the process that the next one is forked from.

    zygote          in the view already; kills what takes too long, and says how it ended
      └── runner    the first process of its world: inside.py. When it ends, everything in that world ends
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
from collections.abc import Callable, Mapping
from contextlib import nullcontext, suppress
from types import ModuleType
from typing import Any

import bnteach
from bnteach.course.grading import inside, namespaces, withhold
from bnteach.course.grading.view import SCRATCH, view

LEFT_OUT = ("bnteach.course", "bnteach.bench", "bnteach.cli", "bnteach.commands", "bnteach.classroom",
            "bnteach.__main__")
MUST_NOT_BE_THERE = ("bnteach.course.questions", "bnteach.course.release", "bnteach.course.grade.",
                     "bnteach.course.grading.marking")


def main(control_number: int, settings: Mapping[str, Any], forget: Callable[[], None] = lambda: None) -> None:
    """Warm up, enter the sandbox, say so, and serve requests until the other side is gone.

    `forget` deletes the library's files, once they are loaded, where that is needed.
    """
    control = socket.socket(fileno=control_number)
    try:
        index, modules = warm_up(settings["withheld"])
        home = _enter(settings["sandbox"], modules)
        forget()
    except Exception as error:
        control.send(json.dumps({"refused": f"{type(error).__name__}: {error}"}).encode())
        return
    with suppress(ConnectionError):  # nobody listens any more
        control.send(json.dumps({"ready": settings["sandbox"]}).encode())
        while True:
            message, sockets, _, _ = socket.recv_fds(control, 4096, 4)
            if not message:
                return
            control.send(json.dumps(serve(sockets[0], json.loads(message), index, home)).encode())


def serve(number: int, limits: dict[str, int], index: Any, home: int | None) -> dict[str, Any]:
    """Start a runner that talks over the socket of that number, end it in time, and say how it ended."""
    folder = SCRATCH if home else tempfile.mkdtemp(prefix="bnteach-")
    begun = time.monotonic()
    try:
        with namespaces.next_world(home) if home else nullcontext():
            if (runner := os.fork()) == 0:
                run(number, limits, index, folder, bool(home))
        status, late = wait_for(runner, limits["wall"])
    except OSError as error:
        return {"failed": f"{type(error).__name__}: {error}"}
    finally:
        os.close(number)
        if not home:
            shutil.rmtree(folder, ignore_errors=True)
    return {"late": late, "status": status, "seconds": time.monotonic() - begun}


def warm_up(withheld: list[str]) -> tuple[Any, list[str]]:
    """Load everything that a submission may use, and list the functions that may have to be withheld."""
    import networkx  # noqa: F401
    import pandas as pd
    import scipy.optimize
    import scipy.stats  # noqa: F401

    load_all(bnteach)
    if there := [name for name in sys.modules if name.startswith(MUST_NOT_BE_THERE)]:
        raise RuntimeError(f"{there[0]} is loaded, and a submission could ask it for answers")
    modules = withhold.load(withheld)
    pd.DataFrame({"warm": pd.Categorical.from_codes([0, 1], ["a", "b"])}).describe()
    return withhold.Index(), modules


def load_all(package: ModuleType) -> None:
    """Import every module of the package but those of the course, of which only what all others need is there."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        with suppress(ImportError):  # what needs a notebook's widgets is not needed here
            if not module.name.startswith(LEFT_OUT):
                loaded = importlib.import_module(module.name)
                if module.ispkg:
                    load_all(loaded)


def _enter(sandbox: str, modules: list[str]) -> int | None:
    """Into the sandbox; returns the way back from a question's world, if there are such worlds."""
    global _in_use
    _in_use = namespaces.addresses_in_use()
    namespaces.die_with_parent()
    home = namespaces.enter(view(modules)) if sandbox == "namespaces" else namespaces.keep_to_oneself()
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


def run(number: int, limits: dict[str, int], index: Any, folder: str, isolated: bool) -> None:
    """The runner: nothing open but its channel, limits set, no privileges; then the submission. Does not return."""
    try:
        os.setsid()
        namespaces.die_with_parent()
        channel = socket.socket(fileno=number)
        os.closerange(3, number)
        os.closerange(number + 1, 1024)
        if isolated:
            namespaces.isolate()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        os.close(nothing)
        os.chdir(folder)
        namespaces.confine({**limits, "memory": _in_use + limits["memory"]})
        inside.run(channel, index)
    except BaseException as error:
        os.write(number, json.dumps({"trouble": f"{type(error).__name__}: {error}"}).encode() + b"\n")
    finally:
        os._exit(1)
