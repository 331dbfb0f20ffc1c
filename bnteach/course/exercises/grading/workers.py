"""Several submissions at once: worker processes, each with its own sandbox, and one process that distributes the work.

A worker judges; it never runs a student's code. If one ends unexpectedly, its submission is reported as not graded, a
new worker takes its place, and grading continues; an error that a worker raises ends the work of all. If the grader
itself is killed, its workers end with it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from typing import Any

from bnteach.course.exercises.grading.namespaces import die_with_parent
from bnteach.course.exercises.grading.sandboxes import GradeError

Work = Callable[[Any], Any]


class Worker:
    """A process that does one task after another."""

    def __init__(self, prepare: Callable[[], Work]):
        context = multiprocessing.get_context("fork")
        self.ours, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, self.ours, prepare), daemon=True)
        self.process.start()
        theirs.close()
        self.task: Any = None

    def give(self, number: int, task: Any) -> None:
        """Hand over a task."""
        self.task = (number, task)
        self.ours.send(self.task)

    def end(self) -> None:
        """End the process."""
        self.ours.close()
        self.process.terminate()
        self.process.join()


def _work(channel: Connection, not_ours: Connection, prepare: Callable[[], Work]) -> None:
    not_ours.close()
    die_with_parent(channel.fileno())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process decides when to stop
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    work = prepare()
    while True:
        try:
            number, task = channel.recv()
        except EOFError:
            os._exit(0)  # its sandbox ends with it
        try:
            done = work(task)
        except Exception as error:
            done = error
        channel.send((number, done))


def in_parallel(prepare: Callable[[], Work], tasks: Iterable[Any], jobs: int) -> Iterator[tuple[Any, Any]]:
    """(task, result) as they are done; None if the worker ended before."""
    waiting = deque(enumerate(tasks))
    workers = [Worker(prepare) for _ in range(min(jobs, len(waiting)))]
    try:
        for worker in workers:
            worker.give(*waiting.popleft())
        while busy := {worker.ours: worker for worker in workers if worker.task is not None}:
            for channel in wait(list(busy)):
                worker = busy[channel]
                _, task = worker.task
                try:
                    _, done = channel.recv()
                except (EOFError, OSError):
                    worker.end()
                    workers.remove(worker)
                    worker, done = Worker(prepare), None
                    workers.append(worker)
                if isinstance(done, Exception):
                    raise done
                worker.task = None
                if waiting:
                    worker.give(*waiting.popleft())
                yield task, done
    finally:
        for worker in workers:
            worker.end()


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
