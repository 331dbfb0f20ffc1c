"""Grading on several machines: Dask carries the submissions, and every worker has the sandbox of one machine.

A worker that dies costs a retry: Dask gives its submission to another one. What comes back is the marks of one
submission, so the records, and grades.csv, do not depend on the worker; a worker that would judge otherwise, because
its bnteach, Python or numpy is another one, is not let near them. The secret travels with the work: where others can
listen, give the cluster certificates (an address that starts with tls://).
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import bnteach
from bnteach.course.exercises.grading.marking import tidy
from bnteach.course.exercises.grading.sandboxes import GO_ON, GradeError, choose_sandbox
from bnteach.course.exercises.grading.workers import Processes
from bnteach.course.exercises.release import exercises

RETRIES = 5
SECONDS_TO_CONNECT = 15
SECONDS_ALONE = 60  # how long a cluster may be without any worker: they may be on their way back
Editions = dict[str, str]


@cache
def edition() -> Editions:
    """What marks depend on besides the exercise: where it is the same, so are the grades."""
    import numpy

    package = Path(bnteach.__file__).parent
    names = sorted(path.relative_to(package).as_posix() for path in package.rglob("*.py"))
    sources = hashlib.sha256()
    for name in names:
        if not name.startswith("lessons/"):  # which lie elsewhere in a checkout
            sources.update(name.encode() + b"\0" + (package / name).read_bytes())
    return {"bnteach": f"{bnteach.__version__} ({sources.hexdigest()[:8]})", "numpy": numpy.__version__,
            "Python": ".".join(map(str, sys.version_info[:2]))}


# -- the grader's side -----------------------------------------------------------------------------------------
@contextmanager
def cluster(address: str, editions: Mapping[str, str], unsafe: bool = False) -> Iterator[Cluster]:
    """The workers of the cluster at an address, all of which can mark these editions of exercises."""
    with connect(address) as client:
        check_workers(client, dict(editions), unsafe)
        yield Cluster(client, dict(editions))


class Cluster:
    """The workers of a cluster."""

    def __init__(self, client: Any, editions: Editions) -> None:
        self._client, self._ours = client, {**edition(), **editions}
        self._executor = client.get_executor(retries=RETRIES, pure=False)
        self._alone_since: float | None = None

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Have function(*arguments) computed by a process of some worker."""
        return self._executor.submit(compute_there, self._ours, function, *arguments)

    def look(self) -> None:
        """An error if for a while there has been nobody to do it."""
        if self._client.scheduler_info()["workers"]:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = time.monotonic()
        elif time.monotonic() - self._alone_since > SECONDS_ALONE:
            raise GradeError(f"the cluster has no workers any more; start some with `dask worker ADDRESS`. {GO_ON}")


def connect(address: str) -> Any:
    """A client of the cluster at that address."""
    try:
        from distributed import Client
    except ImportError:
        raise GradeError(f"for --dask, Dask must be installed, here and on the workers:\n"
                         f"    {sys.executable} -m pip install \"bnteach[class]\"") from None
    for name in ("distributed", "distributed.client"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what is the matter is said here, and in one sentence
    try:
        with ThreadPoolExecutor(1) as aside:  # in a notebook, this thread has a loop already
            there = aside.submit(asyncio.run, asyncio.wait_for(who_is_there(address), SECONDS_TO_CONNECT)).result()
    except Exception as error:  # Dask has many kinds
        there = tidy(str(error)) or f"no answer within {SECONDS_TO_CONNECT} seconds"
    if there != "Scheduler":
        raise GradeError(f"there is no Dask scheduler at {address!r} ({there}). Start one with `dask scheduler`, "
                         f"workers with `dask worker ADDRESS`.")
    return Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)


async def who_is_there(address: str) -> str:
    """Which part of Dask answers at an address. A client that is let go before it has one waits half a minute."""
    from distributed.core import rpc
    from distributed.security import Security

    async with rpc(address, connection_args=Security().get_connection_args("client")) as other:
        return (await other.identity())["type"]


def check_workers(client: Any, editions: Editions, unsafe: bool = False) -> None:
    """See that there are workers, and that each has a sandbox, our exercises, and our own edition of everything."""
    if not client.scheduler_info()["workers"]:
        raise GradeError("the cluster has no workers; start some with `dask worker ADDRESS`.")
    ours = {**edition(), **editions}
    for worker, trouble in client.run(trouble_there, ours, unsafe, on_error="return").items():
        if isinstance(trouble, Exception):
            trouble = (f"it has no bnteach, or one that is not ours ({tidy(str(trouble))}); install bnteach "
                       f"{edition()['bnteach']} there.")
        if trouble:
            raise GradeError(f"the worker {worker} cannot grade: {trouble}")


# -- the worker's side -----------------------------------------------------------------------------------------
_here = Processes()


def compute_there(ours: Editions, function: Callable[..., Any], *arguments: Any) -> Any:
    """Compute function(*arguments) in a process of this worker; an error if it is one that has come in the middle."""
    if other := other_edition(ours):
        raise GradeError(f"a worker on {platform.node()} cannot grade: {other} {GO_ON}")
    return _here.run(function, *arguments)


def trouble_there(ours: Editions, unsafe: bool) -> str:
    """Why this machine cannot grade; an empty text if it can."""
    if other := other_edition(ours):
        return other
    try:
        choose_sandbox(unsafe)
    except GradeError as error:
        return str(error)
    return ""


def other_edition(ours: Editions) -> str:
    """What is not here as it is where the grades are written; an empty text if all is."""
    known, here = exercises(), edition()
    for what, version in ours.items():
        if what in here and here[what] != version:
            return f"it has {what} {here[what]}, and you have {version}; install the same."
        if what not in here and (what not in known or known[what].digest != version):
            return f"its bnteach has {'another edition of' if what in known else 'no'} exercise {what}."
    return ""
