"""The process from which sandboxes are forked: warm, so that a submission need not wait for imports.

It loads numpy, pandas, networkx, scipy and bnteach (not the questions, not the grader), moves into the view, and then
waits for requests. Each comes with a socket, which it hands to a new process without reading from it; so what one
submission says or hears is never in the memory of the process that the next one is forked from.

    zygote ── keeper          in namespaces of its own; kills what takes too long, reports how it ended
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
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import ModuleType
from typing import Any

LEFT_OUT = ("bnteach.course.questions", "bnteach.course.grade", "bnteach.course.grading", "bnteach.course.release",
            "bnteach.cli", "bnteach.__main__")


def main(control_number: int, settings: Mapping[str, Any], forget: Callable[[], None] = lambda: None) -> None:
    """Warm up, enter the sandbox, say so, and serve requests until the other side is gone.

    `forget` deletes the library's files, once they are loaded, where that is needed.
    """
    control = socket.socket(fileno=control_number)
    try:
        index, modules = warm_up(settings["withheld"])
        _enter(settings["sandbox"], modules)
        forget()
    except Exception as error:
        control.send(json.dumps({"refused": f"{type(error).__name__}: {error}"}).encode())
        return
    control.send(json.dumps({"ready": settings["sandbox"]}).encode())
    while True:
        message, sockets, _, _ = socket.recv_fds(control, 4096, 4)
        if not message:
            return
        limits = json.loads(message)
        if os.fork() == 0:
            keep(control, sockets[0], limits, index, settings["sandbox"])
        for number in sockets:
            os.close(number)
        os.wait()


def warm_up(withheld: list[str]) -> tuple[Any, list[str]]:
    """Load everything that a submission may use, and list the functions that may have to be withheld."""
    import networkx  # noqa: F401
    import pandas as pd
    import scipy.optimize
    import scipy.stats  # noqa: F401

    import bnteach
    from bnteach.course.grading import inside, namespaces, objects, plain, view, withhold  # noqa: F401

    load_all(bnteach)
    modules = withhold.load(withheld)
    pd.DataFrame({"warm": pd.Categorical.from_codes([0, 1], ["a", "b"])}).describe()
    return withhold.Index(), modules


def load_all(package: ModuleType) -> None:
    """Import every module of the package but those of the grader, whose code is nobody's business in there."""
    for module in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        with suppress(ImportError):  # what needs a notebook's widgets is not needed here
            if not module.name.startswith(LEFT_OUT):
                loaded = importlib.import_module(module.name)
                if module.ispkg:
                    load_all(loaded)


def _enter(sandbox: str, modules: list[str]) -> None:
    from bnteach.course.grading import namespaces
    from bnteach.course.grading.view import view

    namespaces.die_with_parent()
    global _in_use
    _in_use = namespaces.addresses_in_use()
    if sandbox == "namespaces":
        namespaces.enter(view(modules))
    else:
        namespaces.keep_to_oneself()
    gc.collect()
    gc.freeze()  # what is shared with the children stays untouched, and so shared


_in_use = 0


def keep(control: socket.socket, number: int, limits: dict[str, int], index: Any, sandbox: str) -> None:
    """The keeper: start the runner in its own world, end it in time, say how it ended. Does not return."""
    from bnteach.course.grading import namespaces

    try:
        os.setsid()
        namespaces.die_with_parent()
        if sandbox == "namespaces":
            namespaces.isolate()
        folder = "/tmp" if sandbox == "namespaces" else tempfile.mkdtemp(prefix="bnteach-")
        begun = time.monotonic()
        if (runner := os.fork()) == 0:
            runner_main(number, limits, index, folder)
        os.close(number)
        status, late = wait_for(runner, limits["wall"])
        end_group(runner)
        if sandbox != "namespaces":
            shutil.rmtree(folder, ignore_errors=True)
        control.send(json.dumps({"late": late, "status": status, "seconds": time.monotonic() - begun}).encode())
    except BaseException as error:
        control.send(json.dumps({"failed": f"{type(error).__name__}: {error}"}).encode())
    finally:
        os._exit(0)


def end_group(runner: int) -> None:
    """Where there is no world that ends with its first process, at least end the group of processes."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(runner, signal.SIGKILL)


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
    if late:
        os.kill(runner, signal.SIGKILL)
    _, status = os.waitpid(runner, 0)
    return os.waitstatus_to_exitcode(status), late


def runner_main(number: int, limits: dict[str, int], index: Any, folder: str) -> None:
    """The runner: nothing open but its channel, limits set, no privileges; then the submission. Does not return."""
    from bnteach.course.grading import inside, namespaces

    try:
        namespaces.die_with_parent()
        os.setsid()
        channel = socket.socket(fileno=number)
        os.closerange(3, number)
        os.closerange(number + 1, 1024)
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

