"""What has been handed in, as it lies in the exchange: whose it is, when it came, and what is odd about it.

The students, who own everything below inbound, are not trusted. So

    whose     the owner of the folder says it, not its name. On Kubernetes, where all run under one number, each
              student is given a folder of her own in inbound, and that folder's name says it, or whether a claim
              is true: ann-lee-uni-edu---27c51fd4 is made from ann.lee@uni.edu, and from no other name
    when      the file system's time of the last change says it, which cannot be set back: an attempt that is
              touched after the deadline is late
    what      plain files that belong to the same owner, opened without following a link; of other things, a note
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from bnteach.course.classroom.exchange import read_entry_name
from bnteach.course.classroom.hand_in import UNFINISHED
from bnteach.course.exercises.grading.submissions import MAX_BYTES
from bnteach.course.exercises.grading.times import read_time

CLAIM = "the name is the student's own claim"
MAX_FILES = 50


@dataclass(frozen=True)
class Attempt:
    """One time that somebody handed something in."""

    student: str
    exercise: str
    entry: str  # where it lies, relative to inbound
    time: str  # when it came, in ISO form with microseconds
    claimed: str  # the time in its name
    notes: tuple[str, ...] = ()
    files: tuple[str, ...] = field(default=(), repr=False)  # the notebooks in it that can be read

    @property
    def key(self) -> str:
        """A name for it that sorts by time: no two attempts share one, and a changed attempt has another."""
        moment = re.sub(r"[-:]", "", self.time.partition("+")[0])
        return f"{moment}Z-{hashlib.sha256(self.entry.encode('utf-8', 'replace')).hexdigest()[:10]}"


def attempts(inbound: Path, claimed_times: bool = False) -> tuple[list[Attempt], list[str]]:
    """(everything that has been handed in, oldest first; what could not be looked at, and why)."""
    instructor = inbound.stat().st_uid
    found, failed = [], []
    for where, given in entries(inbound, failed):
        try:
            found.append(read_attempt(inbound, where, instructor, given, claimed_times))
        except OSError as error:
            failed.append(f"{printable(where.as_posix())}: {error.strerror}")
    return sorted(found, key=lambda one: one.key), failed


def entries(inbound: Path, failed: list[str]) -> Iterator[tuple[Path, str]]:
    """(folder in inbound, name of the student's own folder around it). What is no hand-in is passed over."""
    for entry in sorted(os.scandir(inbound), key=lambda entry: entry.name):
        if not entry.is_dir(follow_symlinks=False) or entry.name.startswith(UNFINISHED):
            continue
        if read_entry_name(entry.name):
            yield Path(entry.name), ""
            continue
        try:
            inside = sorted(os.listdir(entry.path))
        except OSError as error:
            failed.append(f"{printable(entry.name)}: {error.strerror}")
            continue
        yield from ((Path(entry.name, name), entry.name) for name in inside if read_entry_name(name))


def read_attempt(inbound: Path, where: Path, instructor: int, given: str, claimed_times: bool) -> Attempt:
    """Look at one attempt, without reading its files."""
    claimed_by, exercise, claimed = read_entry_name(where.name)
    number = open_folder(inbound / where)
    try:
        own = os.fstat(number)
        files, changed, notes = look_inside(number, own)
    finally:
        os.close(number)
    student, note = whose(own.st_uid, instructor, claimed_by, given)
    time = datetime.fromtimestamp(changed / 1e9, UTC).isoformat(timespec="microseconds")
    if claimed_times and read_time(claimed):
        time = read_time(claimed).replace("+00:00", f".{fraction(claimed)}+00:00")
    return Attempt(safe_name(student), exercise, where.as_posix(), time, claimed, (*note, *notes), tuple(files))


def open_folder(path: Path) -> int:
    """A handle of a folder, which stays the same folder whatever its owner puts in its place."""
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)


def look_inside(number: int, own: os.stat_result) -> tuple[list[str], int, list[str]]:
    """(notebooks that can be read, time of the last change, notes) of one attempt's folder."""
    files, changed, notes = [], own.st_ctime_ns, []
    for name in sorted(os.listdir(number))[:MAX_FILES]:
        status = os.stat(name, dir_fd=number, follow_symlinks=False)
        if not name.endswith(".ipynb"):
            continue
        changed = max(changed, status.st_ctime_ns)
        if problem := trouble(status, own):
            notes.append(f"{name} {problem}")
        else:
            files.append(name)
    return files, changed, notes


def trouble(status: os.stat_result, own: os.stat_result) -> str:
    """Why a file is not taken; empty if it is."""
    if stat.S_ISLNK(status.st_mode):
        return "is a link, and not followed"
    if not stat.S_ISREG(status.st_mode):
        return "is not a plain file"
    if status.st_uid != own.st_uid or status.st_nlink > 1:
        return "belongs to somebody else, or is in a second place too"
    if status.st_size > MAX_BYTES:
        return f"has {status.st_size / 1e6:.0f} MB; those of more than {MAX_BYTES / 1e6:.0f} MB are not read"
    return ""


def read_file(inbound: Path, attempt: Attempt, name: str) -> bytes:
    """A notebook of an attempt. It is looked at once more, now that it is open."""
    folder = open_folder(inbound / attempt.entry)
    try:
        number = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        with os.fdopen(number, "rb") as file:
            if problem := trouble(os.fstat(number), os.fstat(folder)):
                raise OSError(f"{name} {problem}")
            return file.read(MAX_BYTES)
    finally:
        os.close(folder)


# -- whose -----------------------------------------------------------------------------------------------------
def whose(owner: int, instructor: int, claimed: str, given: str) -> tuple[str, tuple[str, ...]]:
    """(student, notes). Files of the instructor's own number say nothing: there all run under one number."""
    if owner == instructor:
        return (claimed if made_from(given, claimed) else given, ()) if given else (claimed, (CLAIM,))
    name = system_name(owner)
    if name is None:
        return claimed, (f"number {owner} has no name on this machine: {CLAIM}",)
    return name, () if name == claimed else (f"handed in under the name {claimed}",)


def made_from(folder: str, name: str) -> bool:
    """Whether KubeSpawner makes this folder for somebody of that name: it ends in a sum of the name.

    >>> [made_from("ann-lee-uni-edu---27c51fd4", name) for name in ("ann.lee@uni.edu", "bob@uni.edu")]
    [True, False]
    """
    return folder.endswith(f"---{hashlib.sha256(name.encode('utf-8', 'replace')).hexdigest()[:8]}")


def system_name(number: int) -> str | None:
    """The name of a user of this machine, or None."""
    import pwd

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return None


def safe_name(student: str) -> str:
    """A name that is a harmless folder's name; two students never share one.

    >>> safe_name("ann.lee@uni"), safe_name("..")
    ('ann.lee@uni', 'student-5ec1f7')
    """
    if re.fullmatch(r"\w[\w.@+-]*", student):
        return student
    cleaned = re.sub(r"[^\w@+-]", "", student)[:40] or "student"
    return f"{cleaned}-{hashlib.sha256(student.encode('utf-8', 'replace')).hexdigest()[:6]}"


def fraction(claimed: str) -> str:
    """The microseconds of a time as the exchange writes it.

    >>> fraction("2026-05-01 23:59:00.123456 UTC"), fraction("2026-05-01 23:59:00 UTC")
    ('123456', '000000')
    """
    found = re.search(r":\d\d\.(\d{1,6})", claimed)
    return found[1].ljust(6, "0") if found else "000000"


def printable(text: str) -> str:
    """A file's name as text that can be printed and saved, whatever bytes it has."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
