"""Grading on several machines: Dask carries the submissions, and every worker has the sandbox of one machine.

    grader ── Dask ── worker ── marker ── sandbox       the marker judges, in a process of its own and in its main
                   └─ worker ── marker ── sandbox       thread, where time can be limited; Dask's worker only waits

A worker that dies costs a retry: Dask gives its submission to another one. What comes back is the marks of one
submission, so the records, and grades.csv, are the same whoever made them. The secret travels with the work: where
others can listen, give the cluster certificates (an address that starts with tls://).
"""

from __future__ import annotations

import os
import pickle
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO

from bnteach.course.grading.marking import mark_safely, tidy
from bnteach.course.grading.sandboxes import GradeError, choose_sandbox, open_sandbox
from bnteach.course.grading.sessions import Limits
from bnteach.course.grading.submissions import Submission
from bnteach.course.release import exercises

RETRIES = 5
SECONDS_TO_CONNECT = 15


@dataclass(frozen=True)
class Job:
    """Everything that a worker must know to mark one submission."""

    submission: Submission
    edition: str  # of the exercise
    secret: bytes
    unsafe: bool
    limits: Limits


# -- the grader's side -----------------------------------------------------------------------------------------
def on_cluster(address: str, jobs: list[Job]) -> Iterator[tuple[Submission, Any]]:
    """(submission, its marks and notes) as they are done; (None, why) if several workers could not."""
    with connect(address) as client:
        check_workers(client, jobs)
        from distributed import as_completed

        futures = {client.submit(mark_there, job, key=f"mark-{number}-{os.urandom(4).hex()}", retries=RETRIES): job
                   for number, job in enumerate(jobs)}
        for future in as_completed(futures, loop=client.loop):
            error = future.exception()
            told = f"no worker could do it: {type(error).__name__}: {tidy(str(error))}"
            yield futures[future].submission, (None, told) if error else future.result()


def connect(address: str) -> Any:
    """A client of the cluster at that address."""
    try:
        from distributed import Client
    except ImportError:
        raise GradeError(f"for --dask, Dask must be installed, here and on the workers:\n"
                           f"    {sys.executable} -m pip install \"bnteach[class]\"") from None
    try:
        return Client(address, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise GradeError(f"there is no Dask scheduler at {address!r} ({tidy(str(error)) or 'no answer'}). Start one "
                           f"with `dask scheduler`, workers with `dask worker ADDRESS`.") from None


def check_workers(client: Any, jobs: list[Job]) -> None:
    """See that there are workers, and that each has a sandbox and our exercises."""
    editions = {job.submission.exercise: job.edition for job in jobs}
    if not client.scheduler_info()["workers"]:
        raise GradeError("the cluster has no workers; start some with `dask worker ADDRESS`.")
    unsafe = any(job.unsafe for job in jobs)
    for worker, trouble in client.run(trouble_there, editions, unsafe).items():
        if trouble:
            raise GradeError(f"the worker {worker} cannot grade: {trouble}")


# -- the worker's side -----------------------------------------------------------------------------------------
def trouble_there(editions: dict[str, str], unsafe: bool) -> str:
    """Why this machine cannot grade; an empty text if it can."""
    known = exercises()
    for name, edition in editions.items():
        if name not in known or known[name].digest != edition:
            return f"its bnteach has {'another edition of' if name in known else 'no'} exercise {name}"
    try:
        choose_sandbox(unsafe)
    except GradeError as error:
        return str(error)
    return ""


_of_this_thread = threading.local()


def mark_there(job: Job) -> tuple[Any, Any]:
    """Mark a submission, in a marker that this thread keeps for the next one."""
    marker = getattr(_of_this_thread, "marker", None) or Marker()
    _of_this_thread.marker = None
    try:
        done = marker.ask(job)
    except (OSError, EOFError) as error:
        marker.end()
        raise RuntimeError("the marker ended") from error  # Dask tries again
    _of_this_thread.marker = marker
    return done


class Marker:
    """A process that marks one submission after another. It ends when nobody listens any more."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", "from bnteach.course.grading.cluster import serve; serve()"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, job: Job) -> tuple[Any, Any]:
        """The marks and notes for a job."""
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
            sandbox = sandbox or open_sandbox(choose_sandbox(job.unsafe))
            one = job.submission
            send(answers, mark_safely(one, known[one.exercise], sandbox, job.secret, job.limits))


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
