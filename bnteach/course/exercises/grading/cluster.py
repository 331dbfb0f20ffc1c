"""Grading on several machines: Dask carries the submissions, and every worker has the sandbox of one machine.

    grader ── Dask ── worker ── marker ── sandbox       the marker judges, in a process of its own and in its main
                   └─ worker ── marker ── sandbox       thread, where time can be limited; Dask's worker only waits

A worker that dies costs a retry: Dask gives its submission to another one. What comes back is the marks of one
submission, so the records, and grades.csv, are the same whoever made them; a worker that would judge otherwise, because
its bnteach, Python or numpy is another one, is not let near them. The secret travels with the work: where others can
listen, give the cluster certificates (an address that starts with tls://).
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import pickle
import platform
import queue
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import bnteach
from bnteach.course.exercises.grading.marking import mark_safely, tidy
from bnteach.course.exercises.grading.sandboxes import GO_ON, GradeError, choose_sandbox
from bnteach.course.exercises.grading.sessions import Limits, Sandbox
from bnteach.course.exercises.grading.submissions import Submission
from bnteach.course.exercises.release import exercises

RETRIES = 5
SECONDS_TO_CONNECT = 15
SECONDS_ALONE = 60  # how long a cluster may be without any worker: they may be on their way back


@dataclass(frozen=True)
class Job:
    """Everything that a worker must know to mark one submission."""

    submission: Submission
    edition: str  # of the exercise
    secret: bytes
    unsafe: bool
    limits: Limits


@cache
def edition() -> dict[str, str]:
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
def on_cluster(address: str, jobs: list[Job]) -> Iterator[tuple[Submission, Any]]:
    """(submission, its marks and notes) as they are done; (None, why) if several workers could not."""
    with connect(address) as client:
        check_workers(client, jobs)
        done: queue.SimpleQueue[Any] = queue.SimpleQueue()
        futures = {client.submit(mark_there, job, edition(), key=f"mark-{number}-{os.urandom(4).hex()}",
                                 retries=RETRIES): job for number, job in enumerate(jobs)}
        for future in futures:
            future.add_done_callback(done.put)
        for _ in futures:
            future = next_done(done, client)
            if future.cancelled():
                raise GradeError(f"the Dask scheduler at {address!r} is gone. {GO_ON}")
            error = future.exception()
            if isinstance(error, GradeError):
                raise error
            told = f"no worker could do it: {type(error).__name__}: {tidy(str(error))}"
            yield futures[future].submission, (None, told) if error else future.result()


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


def check_workers(client: Any, jobs: list[Job]) -> None:
    """See that there are workers, and that each has a sandbox, our exercises, and our own edition of everything."""
    editions = {job.submission.exercise: job.edition for job in jobs}
    if not client.scheduler_info()["workers"]:
        raise GradeError("the cluster has no workers; start some with `dask worker ADDRESS`.")
    unsafe = any(job.unsafe for job in jobs)
    for worker, trouble in client.run(trouble_there, editions, edition(), unsafe, on_error="return").items():
        if isinstance(trouble, Exception):
            trouble = (f"it has no bnteach, or one that is not ours ({tidy(str(trouble))}); install bnteach "
                       f"{edition()['bnteach']} there.")
        if trouble:
            raise GradeError(f"the worker {worker} cannot grade: {trouble}")


def next_done(done: queue.SimpleQueue[Any], client: Any) -> Any:
    """Wait for the next one that is done; an error if for a while there has been nobody to do it."""
    alone = 0
    while True:
        try:
            return done.get(timeout=SECONDS_ALONE / 6)
        except queue.Empty:
            alone = alone + 1 if not client.scheduler_info()["workers"] else 0
            if alone >= 6:
                raise GradeError(f"the cluster has no workers any more; start some with `dask worker ADDRESS`. "
                                 f"{GO_ON}") from None


# -- the worker's side -----------------------------------------------------------------------------------------
def trouble_there(editions: dict[str, str], ours: dict[str, str], unsafe: bool) -> str:
    """Why this machine cannot grade; an empty text if it can."""
    if other := other_edition(editions, ours):
        return other
    try:
        choose_sandbox(unsafe)
    except GradeError as error:
        return str(error)
    return ""


def other_edition(editions: dict[str, str], ours: dict[str, str]) -> str:
    """What is not here as it is where the grades are written; an empty text if all is."""
    known = exercises()
    for name, digest in editions.items():
        if name not in known or known[name].digest != digest:
            return f"its bnteach has {'another edition of' if name in known else 'no'} exercise {name}."
    for what, version in ours.items():
        if edition().get(what) != version:
            return f"it has {what} {edition().get(what)}, and you have {version}; install the same."
    return ""


_of_this_thread = threading.local()


def mark_there(job: Job, ours: dict[str, str]) -> tuple[Any, Any]:
    """Mark a submission, in a marker that this thread keeps for the next one."""
    if other := other_edition({job.submission.exercise: job.edition}, ours):  # one that has come in the middle
        raise GradeError(f"a worker on {platform.node()} cannot grade: {other} {GO_ON}")
    marker = getattr(_of_this_thread, "marker", None) or Marker()
    _of_this_thread.marker = None
    try:
        done = marker.ask(job)
    except (OSError, EOFError) as error:
        marker.end()
        raise RuntimeError("the marker ended") from error  # Dask tries again
    _of_this_thread.marker = marker
    if isinstance(done, GradeError):
        raise done
    return done


class Marker:
    """A process that marks one submission after another. It ends when nobody listens any more."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", "from bnteach.course.exercises.grading.cluster import serve; serve()"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, job: Job) -> tuple[Any, Any] | GradeError:
        """The marks and notes for a job, or why nothing can be graded here."""
        send(self.process.stdin, job)
        return receive(self.process.stdout)

    def end(self) -> None:
        """Let it go."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        with suppress(OSError):  # what could not be sent any more
            self.process.stdin.close()


# -- the marker ------------------------------------------------------------------------------------------------
def serve() -> None:
    """Mark what comes in, until nothing does."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed must not get between the answers
    known = exercises()
    sandbox = None
    with suppress(EOFError, BrokenPipeError):
        while True:
            job = receive(requests)
            one = job.submission
            try:
                sandbox = sandbox or Sandbox(choose_sandbox(job.unsafe))
                done = mark_safely(one, known[one.exercise], sandbox, job.secret, job.limits)
            except GradeError as error:
                done = error
            send(answers, done)


def send(pipe: BinaryIO, what: Any) -> None:
    """Send something to another process of ours: its length, and then itself."""
    content = pickle.dumps(what)
    pipe.write(struct.pack("!Q", len(content)) + content)
    pipe.flush()


def receive(pipe: BinaryIO) -> Any:
    """Wait for the next thing; EOFError if the other side is gone."""
    head = pipe.read(8)
    content = pipe.read(struct.unpack("!Q", head)[0]) if len(head) == 8 else b""
    if not content:
        raise EOFError
    return pickle.loads(content)
