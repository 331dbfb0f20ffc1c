"""Marking as a task: what a process must know to mark one submission, here or on a cluster, and what comes back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from bnteach.course.exercises.grading.marking import mark_safely, tidy
from bnteach.course.exercises.grading.sandboxes import GradeError, choose_sandbox
from bnteach.course.exercises.grading.sessions import Limits, Sandbox
from bnteach.course.exercises.grading.submissions import Submission
from bnteach.course.exercises.grading.workers import WorkerEnded, Workers, as_done
from bnteach.course.exercises.release import Exercise, exercises
from bnteach.progress import Progress


@dataclass(frozen=True)
class Job:
    """Everything that it takes to mark one submission."""

    submission: Submission
    secret: bytes
    limits: Limits
    sandbox: str = ""  # which one; empty if the machine that does it has to choose
    unsafe: bool = False


def mark_job(job: Job) -> tuple[Any, Any]:
    """The marks and notes of a submission, in this process and its sandbox."""
    sandbox = sandbox_of_this_process(job.sandbox or choose_sandbox(job.unsafe))
    return mark_safely(job.submission, known()[job.submission.exercise], sandbox, job.secret, job.limits)


@cache
def sandbox_of_this_process(kind: str) -> Sandbox:
    """One sandbox, for all that this process marks."""
    return Sandbox(kind)


@cache
def known() -> dict[str, Exercise]:
    """The exercises, read once per process."""
    return exercises()


def marked(jobs: list[Job], workers: Workers) -> Iterator[tuple[Submission, tuple[Any, Any]]]:
    """(submission, its marks and notes) as they are done; (None, why) where the grader failed."""
    futures = {workers.submit(mark_job, job): job.submission for job in jobs}
    with Progress("grading", total=len(jobs), unit=" submissions") as progress:
        for one, future in as_done(futures, workers):
            progress.step()
            error = future.exception()
            if isinstance(error, GradeError):
                raise error
            if isinstance(error, WorkerEnded):
                yield one, (None, str(error))
            elif error:
                yield one, (None, f"no worker could do it: {type(error).__name__}: {tidy(str(error))}")
            else:
                yield one, future.result()
