"""Collecting: every attempt is kept with its time, and the newest of each student is laid out to be graded.

    attempts/ann/07_chow_liu/20260501T235900.123456Z-5f2c…/07_chow_liu.ipynb     all, and never removed
    attempts.csv                                                                 one line each
    submitted/ann/07_chow_liu/07_chow_liu.ipynb, timestamp.txt                   the newest: bnteach grade submitted
    submitted/.deadlines.json                                                    each exercise's, once given with --due

Collect as often as you like: what was collected before is not copied again, and nothing is taken away from the
exchange. submitted/ is as nbgrader lays it out, too.
"""

from __future__ import annotations

import csv
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

from bnteach.course.classroom.attempts import Attempt, attempts, printable, read_file
from bnteach.course.classroom.exchange import TIME, ClassError, Exchange
from bnteach.course.exercises.grading.report import harmless, write_whole
from bnteach.course.exercises.grading.times import DEADLINES, deadlines_in, lateness, read_time
from bnteach.course.exercises.release import exercises, find_exercises

RECORD = "attempt.json"
COLUMNS = ("student", "exercise", "time", "late", "counts", "notes", "claimed", "entry", "folder")


@dataclass
class Collected:
    """How a collection went."""

    attempts: list[Attempt] = field(default_factory=list)  # all that are kept, those of earlier collections too
    new: int = 0
    chosen: set[str] = field(default_factory=set)  # the keys of those that count
    failed: list[str] = field(default_factory=list)  # what could not be copied, and why
    others: int = 0  # hand-ins that are none of the course's exercises


def collect(exchange: Exchange, out: Path, asked: str = "all", due: str = "", claimed_times: bool = False) -> Collected:
    """Copy what is new out of the exchange, and lay out what counts."""
    deadline = read_time(due)
    if due and not deadline:
        raise ClassError(f"--due {due!r} is no time; write it as 2026-05-01 23:59 or 2026-05-01 23:59+02:00.")
    wanted = {exercise.name for exercise in find_exercises(asked)}
    found, failed = found_in(exchange, claimed_times)
    done = Collected(failed=failed, others=sum(one.exercise not in exercises() for one in found))
    with one_at_a_time(out):
        deadlines = remember(dict.fromkeys(wanted, deadline) if due else {}, out)
        for attempt in found:
            if attempt.exercise in wanted:
                keep(attempt, exchange.inbound, out, done)
        done.attempts = kept_in(out / "attempts")
        for attempt in newest(done.attempts, deadlines):
            done.chosen.add(attempt.key)
            if attempt.exercise in wanted:
                lay_out(attempt, out)
        write_list(done, deadlines, out)
    return done


def remember(new: Mapping[str, str], out: Path) -> dict[str, str]:
    """The deadlines of all exercises: those given before, and the new ones."""
    try:
        deadlines = {**deadlines_in(out / "submitted"), **new}
    except ValueError as error:
        raise ClassError(str(error)) from None
    if new:
        write_whole(out / "submitted" / DEADLINES, json.dumps(deadlines, indent=1, sort_keys=True) + "\n")
    return deadlines


@contextmanager
def one_at_a_time(out: Path) -> Iterator[None]:
    """Wait until nobody else collects into this folder, and remove what one that was killed has left half done."""
    import fcntl

    out.mkdir(parents=True, exist_ok=True)
    with open(out / ".collecting", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for unfinished in out.glob(".collecting-*"):
            shutil.rmtree(unfinished, ignore_errors=True)
        yield


@contextmanager
def beside(out: Path) -> Iterator[Path]:
    """A new folder on the same disk, to be renamed; it goes if it was not."""
    folder = Path(tempfile.mkdtemp(prefix=".collecting-", dir=out))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def found_in(exchange: Exchange, claimed_times: bool) -> tuple[list[Attempt], list[str]]:
    """What lies in the exchange, oldest first, and what could not be looked at."""
    try:
        return attempts(exchange.inbound, claimed_times)
    except FileNotFoundError:
        raise ClassError(f"there is no {exchange.inbound}. Has anything been handed out? "
                         f"`bnteach class release 07` makes the exchange.") from None
    except PermissionError as error:
        raise ClassError(f"{error.filename} cannot be read: collect from the account that opened the exchange, or "
                         f"from one in its group.") from None


# -- every attempt ---------------------------------------------------------------------------------------------
def folder_of(attempt: Attempt, out: Path) -> Path:
    """Where an attempt is kept."""
    return out / "attempts" / attempt.student / attempt.exercise / attempt.key


def keep(attempt: Attempt, inbound: Path, out: Path, done: Collected) -> None:
    """Copy an attempt, if it is not there yet: whole, or not at all."""
    folder = folder_of(attempt, out)
    if folder.is_dir():
        return
    try:
        content = {name: read_file(inbound, attempt, name) for name in attempt.files}
    except OSError as error:
        done.failed.append(f"{printable(attempt.entry)}: {error.strerror or error}")
        return
    with beside(out) as part:
        for name, text in content.items():
            (part / name).write_bytes(text)
        (part / RECORD).write_text(json.dumps(asdict(attempt), indent=1) + "\n", encoding="utf-8")
        folder.parent.mkdir(parents=True, exist_ok=True)
        part.rename(folder)
    done.new += 1


def kept_in(folder: Path) -> list[Attempt]:
    """All attempts that were ever kept, in order of students, exercises and times."""
    records = (json.loads(path.read_text(encoding="utf-8")) for path in folder.glob(f"*/*/*/{RECORD}"))
    found = [Attempt(**{**record, "notes": tuple(record["notes"]), "files": tuple(record["files"])})
             for record in records]
    return sorted(found, key=lambda one: (one.student, one.exercise, one.key))


# -- the one that counts ---------------------------------------------------------------------------------------
def newest(kept: Iterable[Attempt], deadlines: Mapping[str, str] | None = None) -> list[Attempt]:
    """Of each student and exercise the newest; where it has a deadline the newest before it, if there is one.

    An attempt without a notebook that can be read does not take the place of one with.
    """
    def worth(one: Attempt) -> tuple[bool, bool, str]:
        deadline = (deadlines or {}).get(one.exercise, "")
        return bool(one.files), not deadline or one.time[:19] <= deadline[:19], one.key

    best: dict[tuple[str, str], Attempt] = {}
    for one in sorted(kept, key=worth):
        best[one.student, one.exercise] = one
    return list(best.values())


def lay_out(attempt: Attempt, out: Path) -> None:
    """Put an attempt into submitted/, in the place of an older one."""
    place, source = out / "submitted" / attempt.student / attempt.exercise, folder_of(attempt, out)
    stamp = datetime.fromisoformat(attempt.time).strftime(TIME)
    written = place / "timestamp.txt"
    if written.is_file() and written.read_text(encoding="utf-8") == stamp:
        return
    own = f"{attempt.exercise}.ipynb"
    with beside(out) as new, beside(out) as old:
        for name in (own,) if own in attempt.files else attempt.files:
            shutil.copyfile(source / name, new / name)
        if not attempt.files:
            (new / "problem.txt").write_text("; ".join(attempt.notes) or "no notebook\n", encoding="utf-8")
        (new / "timestamp.txt").write_text(stamp, encoding="utf-8")
        new.chmod(0o755)
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            place.rename(old / "replaced")
        new.rename(place)


def write_list(done: Collected, deadlines: Mapping[str, str], out: Path) -> None:
    """One line per attempt, for spreadsheets."""
    with beside(out) as part:
        with open(part / "list", "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(COLUMNS)
            for one in done.attempts:
                late = lateness(one.time[:19] + "+00:00", deadlines.get(one.exercise, ""))
                counts = "counts" if one.key in done.chosen else ""
                rows.writerow([harmless(printable(cell)) for cell in (
                    one.student, one.exercise, one.time, late, counts, "; ".join(one.notes), one.claimed, one.entry,
                    folder_of(one, out).relative_to(out).as_posix())])
        (part / "list").rename(out / "attempts.csv")


def summary(done: Collected, out: Path) -> str:
    """How many there are, and where to look."""
    students = len({one.student for one in done.attempts})
    lines = [f"{len(done.attempts)} attempt{'s' * (len(done.attempts) != 1)} of {students} "
             f"student{'s' * (students != 1)}, {done.new} new: {out / 'attempts.csv'}",
             f"{len(done.chosen)} to be graded: bnteach grade {out / 'submitted'}"]
    if odd := [one for one in done.attempts if one.notes]:
        lines.append(f"  {len(odd)} with a note in attempts.csv, as {odd[0].student}: {odd[0].notes[0]}")
    lines += [f"  NOT COLLECTED {what}" for what in done.failed]
    if done.others:
        lines.append(f"  {done.others} of other assignments were left alone")
    return printable("\n".join(lines))
