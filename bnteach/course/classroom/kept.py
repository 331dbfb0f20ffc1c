"""What an instructor has collected: every attempt of every student, and of each the one that is to be graded.

    attempts/ann/07_chow_liu/20270501T215900.123456Z-5f2c…/07_chow_liu.ipynb     all, and never removed
    attempts.csv                                                                 one line each
    submitted/ann/07_chow_liu/07_chow_liu.ipynb, timestamp.txt                   the one that counts
    submitted/.deadlines.json                                                    for bnteach grade

submitted/ is nbgrader's own folder; attempts/ is what nbgrader lacks, whose collect copies the newest alone.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from bnteach.course.classroom.inbound import SECRET, Attempt, attempts, printable, read_file
from bnteach.course.exercises.grading.late import read_extensions
from bnteach.course.exercises.grading.report import harmless, write_whole
from bnteach.course.exercises.grading.times import DEADLINES, deadlines_in, lateness

RECORD = "attempt.json"
TIME = "%Y-%m-%d %H:%M:%S.%f UTC"  # as nbgrader writes it
COLUMNS = ("student", "exercise", "time", "late", "counts", "notes", "folder")
Deadlines = Mapping[tuple[str, str], str]
"""{(student, exercise): time in ISO form}; a student's own, if there is one."""


@dataclass(frozen=True)
class Collected:
    """How a collection went."""

    found: list[Attempt]  # what lies in the exchange
    failed: list[str]  # what could not be copied, and why
    new: int
    counting: int
    changed: int

    def __str__(self) -> str:
        return (f"{len(self.found)} attempts in the exchange, {self.new} new; all are kept in attempts/. "
                f"{self.counting} to be graded, {self.changed} of them changed: bnteach grade submitted/ --out grades/")


def collect(inbound: Path, root: Path, exercise: str, deadlines: Deadlines, limit: int,
            student: str = "*") -> Collected:
    """Copy what is new of an exercise out of the exchange, and lay out what counts."""
    found, failed = attempts(inbound, exercise, limit)
    found, new = [one for one in found if student in ("*", one.student)], 0
    with one_at_a_time(root):
        for one in found:
            try:
                new += keep(one, inbound, root, limit)
            except OSError as error:
                failed.append(f"{printable(one.entry)}: {error.strerror or error}")
        everything = all_kept(root)
        chosen = [one for one in counting(everything, deadlines) if one.exercise == exercise]
        changed = sum(lay_out(one, root) for one in chosen)
        note_deadline(exercise, deadlines.get(("", exercise), ""), root)
        write_list(everything, deadlines, root)
    return Collected(found, failed, new, len(chosen), changed)


@contextmanager
def one_at_a_time(root: Path) -> Iterator[None]:
    """Wait until nobody else collects into this folder, and remove what one that was killed has left half done."""
    import fcntl

    root.mkdir(parents=True, exist_ok=True)
    with open(root / ".collecting", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for unfinished in root.glob(".collecting-*"):
            shutil.rmtree(unfinished, ignore_errors=True)
        yield


@contextmanager
def beside(root: Path) -> Iterator[Path]:
    """A new folder on the same disk, to be renamed; it goes if it was not."""
    folder = Path(tempfile.mkdtemp(prefix=".collecting-", dir=root))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


# -- every attempt ---------------------------------------------------------------------------------------------
def folder_of(attempt: Attempt, root: Path) -> Path:
    """Where an attempt is kept."""
    return root / "attempts" / attempt.student / attempt.exercise / attempt.key


def keep(attempt: Attempt, inbound: Path, root: Path, limit: int) -> bool:
    """Copy an attempt, whole or not at all; whether it is new."""
    folder = folder_of(attempt, root)
    if folder.is_dir():
        return False
    content = {name: read_file(inbound, attempt, name, limit) for name in (*attempt.files, SECRET)}
    with beside(root) as part:
        for name, text in content.items():
            (part / name).write_bytes(text)
        (part / RECORD).write_text(json.dumps(asdict(attempt), indent=1) + "\n", encoding="utf-8")
        folder.parent.mkdir(parents=True, exist_ok=True)
        part.rename(folder)
    return True


def all_kept(root: Path) -> list[Attempt]:
    """All attempts that were ever kept, in order of students, exercises and times."""
    records = (json.loads(path.read_text(encoding="utf-8")) for path in (root / "attempts").glob(f"*/*/*/{RECORD}"))
    found = [Attempt(**{**record, "notes": tuple(record["notes"]), "files": tuple(record["files"])})
             for record in records]
    return sorted(found, key=lambda one: (one.student, one.exercise, one.key))


# -- the one that counts ---------------------------------------------------------------------------------------
def counting(kept: Iterable[Attempt], deadlines: Deadlines) -> list[Attempt]:
    """Of each student and exercise the newest; where there is a deadline the newest before it, if there is one.

    An attempt without a notebook that can be read does not take the place of one with.
    """
    def worth(one: Attempt) -> tuple[bool, bool, str]:
        deadline = deadline_of(one, deadlines)
        return bool(one.files), not deadline or one.time[:19] <= deadline[:19], one.key

    best: dict[tuple[str, str], Attempt] = {}
    for one in sorted(kept, key=worth):
        best[one.student, one.exercise] = one
    return list(best.values())


def deadline_of(attempt: Attempt, deadlines: Deadlines) -> str:
    """The student's own deadline for the exercise, or else everybody's; empty if there is none."""
    return deadlines.get((attempt.student, attempt.exercise)) or deadlines.get(("", attempt.exercise), "")


def lay_out(attempt: Attempt, root: Path) -> bool:
    """Put an attempt into submitted/, in the place of an older one; whether it was not there yet."""
    place, source = root / "submitted" / attempt.student / attempt.exercise, folder_of(attempt, root)
    stamp = datetime.fromisoformat(attempt.time).strftime(TIME)
    written = place / "timestamp.txt"
    if written.is_file() and written.read_text(encoding="utf-8") == stamp:
        return False
    own = f"{attempt.exercise}.ipynb"
    with beside(root) as new, beside(root) as old:
        for name in (*((own,) if own in attempt.files else attempt.files), SECRET):
            shutil.copyfile(source / name, new / name)
        if not attempt.files:
            (new / "problem.txt").write_text("; ".join(attempt.notes) or "no notebook\n", encoding="utf-8")
        (new / "timestamp.txt").write_text(stamp, encoding="utf-8")
        new.chmod(0o755)
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists():
            place.rename(old / "replaced")
        new.rename(place)
    return True


def extensions_in(root: Path) -> Deadlines:
    """The deadlines of students to whom `bnteach class extend` has given more time."""
    return {(student, exercise): one["until"] for exercise, those in read_extensions(root / "submitted").items()
            for student, one in those.items()}


def note_deadline(exercise: str, due: str, root: Path) -> None:
    """Tell `bnteach grade` the deadline of an exercise, or that there is none any more."""
    before = deadlines_in(root / "submitted")
    now = {name: time for name, time in before.items() if name != exercise} | ({exercise: due} if due else {})
    if now != before:
        write_whole(root / "submitted" / DEADLINES, json.dumps(now, indent=1, sort_keys=True) + "\n")


def write_list(kept: Iterable[Attempt], deadlines: Deadlines, root: Path) -> None:
    """One line per attempt, for spreadsheets."""
    kept = list(kept)
    chosen = {one.key for one in counting(kept, deadlines)}
    text = io.StringIO()
    rows = csv.writer(text)
    rows.writerow(COLUMNS)
    for one in kept:
        late = lateness(one.time[:19] + "+00:00", deadline_of(one, deadlines))
        rows.writerow([harmless(printable(cell)) for cell in (
            one.student, one.exercise, one.time, late, "counts" if one.key in chosen else "", "; ".join(one.notes),
            folder_of(one, root).relative_to(root).as_posix())])
    write_whole(root / "attempts.csv", text.getvalue(), mode=0o600)
