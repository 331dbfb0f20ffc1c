"""Grading a class: bnteach grade submissions/ --out grades/

The authors of submissions are not trusted. What they may try, and what prevents it:

    to run on for ever, to fill memory, disk, screen or    limits for each question (sessions.Limits), enforced by the
    the table of processes                                 kernel and from outside, on CPU time: none costs others marks
    to use the kernel in ways nobody thought of            all system calls but those of a list are refused (calls.py)
    to reach the network, other submissions, solutions     the sandbox has no network and sees Python, a few libraries
    or the grades                                          and its own scratch folder (view.py, namespaces.py)
    to leave something behind that meets the next one      every question has its own processes and its own scratch
                                                           folder, and both end with it
    to patch numpy, json, bnteach or the check             all of that is in a process which decides nothing
    to return something that is equal to everything        what comes back is text, read as plain JSON (plain.py)
    to write answers, marks or exit codes by hand          an answer is worth what it is: it is compared with what
                                                           the library computes for inputs drawn from a secret,
                                                           which are handed over when the code has been loaded
    to have the answers ready                              the inputs depend on the secret and on the file itself
    to call what they were to write                        every call is noticed while an answer runs (withhold.py),
                                                           and costs it; the library's source is not there as a file
    to hand in what cannot be read, or under odd names     read as data with limits on size and depth; links are not
                                                           followed; names become harmless file names and cells

What is not prevented: copying a solution, from another student or from the library's source, into the notebook (what
looks like it is listed for the instructor, without a verdict: similarity.py);
elaborate ways to hide a call (withhold.py says what is noticed); signals between students who agree on them, by what
the kernel keeps of files that were read; and a flaw in the kernel. With --unsafe, where no sandbox is available, only
the limits on time and memory remain, and the command says so. A sandbox that does not start costs no student points:
grading does not begin, or stops.

The grader draws inputs, reads answers, compares, and writes grades.csv, a record and a page for each submission. It
goes on where it stopped: a record whose file, exercise, judge and secret are the same is not made again, unless
something in it took too long, and there is more time now.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import secrets
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from bnteach.course.exercises.grading import report
from bnteach.course.exercises.grading.cluster import cluster
from bnteach.course.exercises.grading.dashboard import write_dashboard
from bnteach.course.exercises.grading.editions import edition_and_earlier, edition_of
from bnteach.course.exercises.grading.jobs import Job, marked
from bnteach.course.exercises.grading.marking import Mark, tidy
from bnteach.course.exercises.grading.sandboxes import NOT_ENFORCED, GradeError, choose_sandbox
from bnteach.course.exercises.grading.sessions import Limits
from bnteach.course.exercises.grading.settle import Terms, terms_of
from bnteach.course.exercises.grading.similarity import write_looks
from bnteach.course.exercises.grading.submissions import Submission, find
from bnteach.course.exercises.grading.workers import LocalWorkers, Workers, stoppable
from bnteach.course.exercises.questions.base import as_points
from bnteach.course.exercises.release import Exercise, cell_id, exercises
from bnteach.course.practice.graded import class_seed

SHOWN = 5_000  # letters of an answer that are shown beside its mark


@dataclass(frozen=True)
class Settings:
    """How a class is graded."""

    folder: Path
    out: Path
    sandbox: str = "namespaces"
    jobs: int = 1
    secret: Path | None = None
    due: str = ""
    class_seed: str = "0"
    again: bool = False
    dask: str = ""
    unsafe: bool = False
    limits: Limits = field(default_factory=Limits)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("folder", type=Path, help="the submissions")
    parser.add_argument("--out", type=Path, default=Path("grades"), metavar="FOLDER", help="where to write the grades")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at once (one per processor)")
    parser.add_argument("--dask", default="", metavar="ADDRESS",
                        help="let the workers of this Dask cluster do it, as tcp://10.0.0.1:8786")
    parser.add_argument("--secret", type=Path, metavar="FILE",
                        help="what the inputs are drawn from; made on first use, in the grades' folder unless given")
    parser.add_argument("--due", default="", metavar="TIME", help="report what came later (UTC, or with an offset);"
                        " without it, the deadline given to bnteach class release")
    parser.add_argument("--class-seed", default=class_seed(), metavar="SEED", help="of the instances that students"
                        " practise on, as you have published it (without it: $BNTEACH_COURSE, or 0)")
    parser.add_argument("--seconds", type=float, default=20.0, help="the CPU time that one question may take (20); with"
                        " more than before, what took too long is graded anew")
    parser.add_argument("--again", action="store_true", help="grade anew what was graded before")
    parser.add_argument("--unsafe", action="store_true", help="go on without a sandbox if none can be had")


def grade_from(asked: argparse.Namespace) -> int:
    """The command: grade, and say in the end how it went. 0 if every file was graded, 3 if some were not."""
    if asked.jobs < 1 or not (1 <= asked.seconds <= 3600 and asked.seconds.is_integer()):
        raise GradeError("--jobs is 1 or more, and --seconds a whole number from 1 to 3600.")
    sandbox = "each worker's own" if asked.dask else choose_sandbox(asked.unsafe)
    if sandbox == "none" or (asked.dask and asked.unsafe):
        print(NOT_ENFORCED, file=sys.stderr)
    limits = Limits(seconds=int(asked.seconds))
    records = grade(Settings(asked.folder, asked.out, sandbox, asked.jobs, asked.secret, asked.due, asked.class_seed,
                             asked.again, asked.dask, asked.unsafe, limits))
    print(report.summary(records, asked.out))
    return 0 if all(record["result"] == "graded" for record in records) else 3


def grade(settings: Settings, tell: Callable[[str], None] = print) -> list[report.Record]:
    """Grade all submissions of a folder; returns the records, which are also in the out folder."""
    check_folders(settings)
    known, terms = exercises(), terms_of(settings.folder, settings.out, settings.due)
    settings.out.mkdir(parents=True, exist_ok=True)
    with only_one(settings.out):
        secret = read_secret(settings.secret or settings.out / "secret")
        found = find_all(settings, known)
        key = partial(key_of, known=known, secret=secret)
        records, waiting = graded_before(found, key, settings, terms)
        if records:
            tell(f"{len(records)} of {len(found)} were graded before and are kept.")
        with (stoppable(lambda: f"{len(records)} of {len(found)} submissions are graded and saved in {settings.out}"),
              workers_for(settings, waiting, known) as workers):
            for one, marks in work(waiting, secret, settings, workers):
                record = terms.settled(make_record(one, known, marks, key(one), settings), one.time)
                report.write_record(settings.out, name_of(one), record)
                records[name_of(one)] = record
            report.write_csv(settings.out / "grades.csv", records.values())
            write_looks(settings.out, found, known, workers)
        write_dashboard(settings.out, submissions=settings.folder)
    return list(records.values())


def workers_for(settings: Settings, waiting: list[Submission],
                known: dict[str, Exercise]) -> AbstractContextManager[Workers]:
    """The workers of the cluster that was asked for, or of this machine."""
    if settings.dask and waiting:
        editions = {one.exercise: known[one.exercise].digest for one in waiting if one.exercise in known}
        return cluster(settings.dask, editions, settings.unsafe)
    return LocalWorkers(settings.jobs)


def check_folders(settings: Settings) -> None:
    """An error if there is no folder of submissions, or if the grades would be written to it."""
    if not settings.folder.is_dir():
        unpack = " Unpack it, and give the folder." if settings.folder.suffix == ".zip" else ""
        raise GradeError(f"{settings.folder} is not a folder of submissions.{unpack}")
    if settings.folder.resolve() == settings.out.resolve():
        raise GradeError(f"--out {settings.out} is the folder of the submissions; give another one for the grades.")


def find_all(settings: Settings, known: dict[str, Exercise]) -> list[Submission]:
    """All submissions of the folder, or an error if there is none."""
    found = [replace(one, class_seed=settings.class_seed)
             for one in find(settings.folder, known.values(), settings.out)]
    if not found:
        raise GradeError(f"there are no submissions in {settings.folder}: no notebooks (.ipynb), and no folders "
                         f"with some.")
    check_names(found)
    return found


def graded_before(found: list[Submission], key: Callable[[Submission], str], settings: Settings,
                  terms: Terms) -> tuple[dict[str, report.Record], list[Submission]]:
    """The records of what was graded before and is the same, as they count now; and the other submissions."""
    records: dict[str, report.Record] = {}
    others: list[Submission] = []
    for one in found:
        before = None if settings.again else report.read_record(settings.out, name_of(one))
        if not before or before.get("key") != key(one) or out_of_time(before, settings.limits.seconds):
            others.append(one)
            continue
        records[name_of(one)] = terms.settled(before, one.time)
        if records[name_of(one)] != before:
            report.write_record(settings.out, name_of(one), records[name_of(one)])
    return records, others


def check_names(found: list[Submission]) -> None:
    """An error if two students would have the same name in grades.csv, as with letters that only look alike."""
    shown: dict[str, str] = {}
    for one in found:
        name = unicodedata.normalize("NFC", tidy(one.student, 120))
        if shown.setdefault(name, one.student) != one.student:
            raise GradeError(f"two students have the name {name!r}: their folders or files are called "
                             f"{shown[name]!a} and {one.student!a}. Rename one of them.")


def work(waiting: list[Submission], secret: bytes, settings: Settings,
         workers: Workers) -> Iterator[tuple[Submission, tuple[Any, Any]]]:
    """(submission, its marks and notes), one after the other as they are done."""
    yield from ((one, ([], [])) for one in waiting if one.result != "graded")
    sandbox = "" if settings.dask else settings.sandbox
    yield from marked([Job(one, secret, settings.limits, sandbox, settings.unsafe)
                       for one in waiting if one.result == "graded"], workers)


def make_record(one: Submission, known: dict[str, Exercise], done: tuple[list[Mark] | None, Any], key: str,
                settings: Settings) -> report.Record:
    """Everything that is known of a submission, as plain data."""
    marks, remarks = done
    result, problem, notes = one.result, one.problem, [*one.notes]
    if marks is None:
        result, marks = "not graded", []
        problem = f"{remarks[:1].upper()}{remarks[1:]}. That says nothing about the submission: grade again."
    else:
        notes += remarks
    exercise = known.get(one.exercise)
    points = as_points(sum(m.points for m in marks)) if marks else "" if result in ("double", "not graded") else 0
    before = report.read_record(settings.out, name_of(one))
    return {"student": tidy(one.student, 120), "exercise": one.exercise, "result": result, "points": points,
            "of": sum(q.points for q in exercise.questions) if exercise else "", "late": "",
            "due": before.get("due", "") if before and before["sha256"] == one.digest else "",
            "problem": tidy(problem, 800), "notes": [tidy(note) for note in notes], "file": tidy(one.file, 300),
            "sha256": one.digest, "questions": [asdict(m) for m in marks], "code": code_of(one, marks),
            "seconds": settings.limits.seconds,
            "key": "" if result == "not graded" else key, **edition_and_earlier(exercise, before, one.digest)}


def code_of(one: Submission, marks: list[Mark]) -> dict[str, str]:
    """What was handed in for each question, for the page that shows the mark."""
    cells = {mark.id: "\n\n".join(source for id, source in one.cells if id == cell_id("answer", mark.id))
             for mark in marks}
    return {id: code if len(code) <= SHOWN else f"{code[:SHOWN]}\n…" for id, code in cells.items() if code.strip()}


def name_of(one: Submission) -> str:
    """The name of its files in the out folder."""
    return report.safe_name(one.student, one.exercise, one.file)


def key_of(one: Submission, known: dict[str, Exercise], secret: bytes) -> str:
    """What a record depends on: if none of it has changed, the record stands."""
    exercise = known.get(one.exercise)
    parts = [one.student, one.file, one.digest, one.result, one.problem, one.time, *one.notes,
             edition_of(exercise) if exercise else "", *([one.class_seed] if one.class_seed != "0" else [])]
    return hashlib.sha256(secret + "\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def out_of_time(before: report.Record, seconds: float) -> bool:
    """Did something take too long, when there was less time than there is now?"""
    return before.get("seconds", seconds) < seconds and any(q["how"] == "timeout" for q in before["questions"])


def read_secret(path: Path) -> bytes:
    """The class's secret; made on first use, completely or not at all, and readable by its owner only."""
    if not os.path.lexists(path):
        report.write_whole(path, secrets.token_hex(32) + "\n", mode=0o600)
    secret = path.read_bytes()
    if len(secret) < 16:
        raise GradeError(f"the secret in {path} is too short; give a file with 16 bytes or more, or delete it, and one "
                         f"will be made.")
    return secret


@contextmanager
def only_one(out: Path) -> Iterator[None]:
    """Two graders must not write into the same folder; the lock goes when its holder ends, however it ends."""
    with open(out / ".lock", "w") as lock:
        try:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # not on Windows
            pass
        except OSError:
            raise GradeError(f"another grader is at work in {out}; wait for it, or stop it.") from None
        yield
