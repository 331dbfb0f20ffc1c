"""Handing in: one notebook goes into the exchange, whole or not at all.

It is written into a folder that nobody collects from, flushed to the disk, and then renamed in one step to

    inbound/ann+07_chow_liu+2026-05-01 23:59:00.000000 UTC+RANDOM/07_chow_liu.ipynb

A second one, even in the same second, has another name: nothing is ever replaced. The time in the name is the
student's own claim; what counts is when the file system says the file was last changed, which nobody can set back.
"""

from __future__ import annotations

import contextlib
import getpass
import hashlib
import os
import secrets
import shutil
import stat
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bnteach.course.classroom.exchange import TIME, ClassError, Exchange, entry_name
from bnteach.course.classroom.fetch import places
from bnteach.course.exercises.grading.submissions import Submission, identify, read, read_bytes
from bnteach.course.exercises.release import Exercise, exercises, find_exercises

UNFINISHED = ".incoming-"  # a name that begins so is not collected


@dataclass(frozen=True)
class Receipt:
    """What was handed in, and when."""

    exercise: str
    notebook: Path
    time: str
    digest: str
    answered: int
    questions: int
    entry: Path

    def __str__(self) -> str:
        return (f"Handed in: {self.exercise}, {self.answered} of {self.questions} answers written, {self.time}\n"
                f"  from {self.notebook}\n  sha256 {self.digest}\n"
                f"You can hand in again: all are kept, and the newest counts.")


def hand_in(asked: str, exchange: Exchange, home: Path, student: str | None = None) -> Receipt:
    """Hand in an exercise, by its name or number or as a file, and return the receipt."""
    found = named_file(asked) or find_work(asked, home)
    exercise, answered = look_at(found)
    content, _ = read_bytes(found)
    now = datetime.now(UTC)
    entry = drop(exchange.inbound, entry_name(student or own_name(), exercise.name, now), exercise.path.name, content)
    return Receipt(exercise.name, found, now.strftime(TIME), hashlib.sha256(content).hexdigest(), answered,
                   len(exercise.questions), entry)


def own_name() -> str:
    """Who is handing in: the Hub's name, or else the system's."""
    with contextlib.suppress(KeyError, OSError):
        return (os.environ.get("JUPYTERHUB_USER") or getpass.getuser()).replace("/", "_")
    return f"user {os.getuid()}"


# -- which notebook --------------------------------------------------------------------------------------------
def named_file(asked: str) -> Path | None:
    """The notebook's file, if one was named, and not an exercise. Never another one in its place."""
    path = Path(asked).expanduser()
    if path.name == asked and path.suffix != ".ipynb":
        return None
    if not path.is_file():
        raise ClassError(f"there is no file {asked} (looked for from {Path.cwd()}). Name the file, or give the "
                         f"exercise's number, as in: bnteach class hand-in 07")
    return path


def find_work(asked: str, home: Path) -> Path:
    """The student's notebook of an exercise: the one place in which something has been written."""
    found = find_exercises(asked)
    if len(found) > 1:
        raise ClassError("one exercise at a time: bnteach class hand-in 07")
    there = places(found[0].name, home)
    if not there:
        raise ClassError(f"there is no {found[0].path.name} in {home / 'exercises'} or {home / 'bnteach-lessons'}. "
                         f"Get it with `bnteach class fetch`, or name the file.")
    written = [path for path in there if look_at(path)[1]]
    if len(written) == 1:
        return written[0]
    if written:
        raise ClassError("you have written answers in more than one notebook: " + ", ".join(map(str, written)) +
                         ". Say which one: bnteach class hand-in FILE")
    raise ClassError(f"no answer has been written yet in {', '.join(map(str, there))}. Is the notebook saved (Ctrl+S)? "
                     f"To hand it in as it is, name the file.")


def look_at(path: Path) -> tuple[Exercise, int]:
    """Which exercise a notebook is, and how many of its answers are no longer as they were handed out."""
    known = exercises()
    names = {exercise.lesson: exercise.name for exercise in known.values()}
    one = identify(read(Submission("", path, path.name)), names)
    if one.problem:
        raise ClassError(f"{path} cannot be handed in. {one.problem}")
    exercise = known[one.exercise]
    here = {id: source for id, source in one.cells if id}
    return exercise, sum(here.get(id, stub).strip() != stub.strip() for id, stub in exercise.stubs.items())


# -- into the exchange -----------------------------------------------------------------------------------------
def drop(inbound: Path, name: str, file: str, content: bytes) -> Path:
    """Write a file into a new folder of this name; either all of it is there in the end, or nothing."""
    if not inbound.is_dir():
        raise ClassError(f"nothing can be handed in yet: {inbound} is not there. Tell your instructor.")
    unfinished, entry = inbound / f"{UNFINISHED}{secrets.token_urlsafe(12)}", inbound / name
    try:
        unfinished.mkdir(0o700)
        write_to_disk(unfinished / file, content)
        (unfinished / "timestamp.txt").write_text(name.split("+")[-2], encoding="utf-8")
        open_to_instructors(unfinished, inbound)
        unfinished.rename(entry)
    except OSError as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise ClassError(f"IT WAS NOT HANDED IN: {error.strerror} ({inbound}). Try again, and tell your instructor if "
                         f"it stays so.") from None
    return entry


def write_to_disk(path: Path, content: bytes) -> None:
    """Write a file, and wait until it is on the disk."""
    with open(path, "xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def open_to_instructors(folder: Path, inbound: Path) -> None:
    """Let the instructors' group read, if inbound hands its group on; otherwise the name alone keeps it secret."""
    handed_on = inbound.stat().st_mode & stat.S_ISGID and folder.stat().st_gid == inbound.stat().st_gid
    for path in folder.iterdir():
        path.chmod(0o640 if handed_on else 0o644)
    folder.chmod(0o750 if handed_on else 0o755)
