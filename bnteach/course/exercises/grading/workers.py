"""Several submissions at once, on this machine or on several: both offer `submit()`, and everything else is the same.

    LocalWorkers.submit ── a thread ────── a process ── sandbox       one machine
    Cluster.submit ─────── Dask's worker ─ a process ── sandbox       several (cluster.py)

The process judges, in its main thread, where time can be limited; it never runs a student's code. If it ends
unexpectedly, that costs only the task it was at (WorkerEnded; Dask tries elsewhere), and another one takes its place.
If the process that waits for it ends, even by kill -9, it ends too.
"""

from __future__ import annotations

import os
import pickle
import signal
import struct
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO, Protocol

from bnteach.course.exercises.grading.sandboxes import GO_ON, GradeError

START = ("import sys; sys.path[:] = sys.argv[1:]\n"  # not what lies in the folder of the class
         "from bnteach.course.exercises.grading.workers import serve; serve()")
LOOK_AFTER = 10  # seconds without a result


class WorkerEnded(RuntimeError):
    """The process that was at a task ended before the task did."""


class Workers(Protocol):
    """What takes tasks: LocalWorkers or Cluster."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:
        """Have function(*arguments) computed by some process."""

    def look(self) -> None:
        """Called when nothing has come for a while; an error if nothing will."""


# -- processes -------------------------------------------------------------------------------------------------
class Process:
    """A process of its own that computes one function after another."""

    def __init__(self) -> None:
        command = [sys.executable, "-P", "-c", START, *filter(None, sys.path)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        """What the function returns, or the exception that it raises."""
        send(self.process.stdin, (function, arguments))
        return receive(self.process.stdout)

    def end(self) -> None:
        """Let it go."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        with suppress(OSError):  # what could not be sent any more
            self.process.stdin.close()


class Processes:
    """As many processes as are needed at once; each is kept for the next task."""

    def __init__(self) -> None:
        self._idle: deque[Process] = deque()
        self._all: list[Process] = []
        self._lock = threading.Lock()
        self._ended = False

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Compute function(*arguments) in one of them."""
        process = self._take()
        try:
            done = process.ask(function, arguments)
        except (OSError, EOFError) as error:
            process.end()
            raise WorkerEnded("the grader's own worker ended while it was at this submission") from error
        self._idle.append(process)
        if isinstance(done, Exception):
            raise done
        return done

    def _take(self) -> Process:
        with suppress(IndexError):
            return self._idle.pop()
        with self._lock:
            if self._ended:
                raise WorkerEnded("no more is begun")
            self._all.append(Process())
            return self._all[-1]

    def kill(self) -> None:
        """End all of them, also those that are at work."""
        with self._lock:
            self._ended = True
            for process in self._all:
                process.process.kill()

    def end(self) -> None:
        """End all of them, once nobody waits for any."""
        self.kill()
        for process in self._all:
            process.end()


def serve() -> None:
    """Compute what comes in, until nothing does."""
    from bnteach.course.exercises.grading.namespaces import die_with_parent

    die_with_parent(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the grader decides when to stop
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed must not get between the answers
    with suppress(EOFError, BrokenPipeError):
        while True:
            function, arguments = receive(requests)
            try:
                done = function(*arguments)
            except Exception as error:
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


# -- on this machine -------------------------------------------------------------------------------------------
class LocalWorkers(ThreadPoolExecutor):
    """Some processes on this machine, each with a thread that waits for it."""

    def __init__(self, jobs: int = 1) -> None:
        super().__init__(jobs)
        self._processes = Processes()

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Future[Any]:  # type: ignore[override]
        """Have function(*arguments) computed; both must be importable there, and picklable."""
        return super().submit(self._processes.run, function, *arguments)

    def look(self) -> None:
        """They are here."""

    def __exit__(self, *_: object) -> None:
        self.shutdown(wait=False, cancel_futures=True)
        self._processes.kill()
        self.shutdown()
        self._processes.end()


def as_done(futures: Mapping[Future[Any], Hashable], workers: Workers) -> Iterator[tuple[Any, Future[Any]]]:
    """(task, its future) as they are done."""
    waiting = set(futures)
    while waiting:
        done, waiting = wait(waiting, timeout=LOOK_AFTER, return_when=FIRST_COMPLETED)
        if not done:
            workers.look()
        if any(future.cancelled() for future in done):  # as Dask does when its scheduler is gone
            raise GradeError(f"the scheduler of the cluster is gone. {GO_ON}")
        yield from ((futures[future], future) for future in done)


@contextmanager
def stoppable(saved: Callable[[], str]) -> Iterator[None]:
    """Ctrl+C and SIGTERM end the work with a sentence: what is saved, and how to go on."""
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, stop) if main else None
    try:
        yield
    except KeyboardInterrupt:
        raise GradeError(f"stopped. {saved()}: run the same command again to go on.") from None
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)
