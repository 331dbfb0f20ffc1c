"""What students have handed in, as it lies in nbgrader's exchange: whose it is, when it came, and what is odd about it.

    inbound/ann+07_chow_liu+2027-05-01 21:59:00.000000 UTC+RANDOM/07_chow_liu.ipynb, submission_secret.txt

The students, who own everything below inbound, are not trusted. So

    whose     the owner of the folder says it, not its name. On Kubernetes, where all run under one number, each
              student is given a folder of her own in inbound, and that folder's name says it, or whether a claim
              is true: ann-lee-uni-edu---27c51fd4 is made from ann.lee@uni.edu, and from no other name
    when      the file system's time of the last change says it, which cannot be set back: an attempt that is
              touched after the deadline is late
    what      plain files that belong to the same owner, opened without following a link; of other things, a note

nbgrader writes the secret last, so an attempt without one was interrupted, and its student has seen an error.
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

CLAIM = "the name is the student's own claim"
SECRET = "submission_secret.txt"
MAX_FILES = 50


@dataclass(frozen=True)
class Attempt:
    """One time that somebody handed something in."""

    student: str
    exercise: str
    entry: str  # where it lies, relative to inbound
    time: str  # when it came, in ISO form with microseconds
    notes: tuple[str, ...] = ()
    files: tuple[str, ...] = field(default=(), repr=False)  # the notebooks in it that can be read

    @property
    def key(self) -> str:
        """A name for it that sorts by time: no two attempts share one, and a changed attempt has another."""
        moment = re.sub(r"[-:]", "", self.time.partition("+")[0])
        return f"{moment}Z-{hashlib.sha256(self.entry.encode('utf-8', 'replace')).hexdigest()[:10]}"


def attempts(inbound: Path, exercise: str, limit: int) -> tuple[list[Attempt], list[str]]:
    """(what has been handed in for an exercise, oldest first; what could not be looked at, and why)."""
    instructor = inbound.stat().st_uid
    found, failed = [], []
    for where, given in entries(inbound, instructor, failed):
        if claims(where.name)[1] != exercise:
            continue
        try:
            found.append(read_attempt(inbound, where, instructor, given, limit))
        except OSError as error:
            failed.append(f"{printable(where.as_posix())}: {error.strerror or error}")
    return sorted(found, key=lambda one: one.key), failed


def entries(inbound: Path, instructor: int, failed: list[str]) -> Iterator[tuple[Path, str]]:
    """(folder in inbound, name of the student's own folder around it). What is no hand-in is passed over."""
    for entry in sorted(os.scandir(inbound), key=lambda entry: entry.name):
        if not entry.is_dir(follow_symlinks=False):
            continue
        if claims(entry.name)[1]:
            yield Path(entry.name), ""
        elif entry.stat(follow_symlinks=False).st_uid == instructor:  # no student can have made it
            try:
                inside = sorted(os.listdir(entry.path))
            except OSError as error:
                failed.append(f"{printable(entry.name)}: {error.strerror}")
                continue
            yield from ((Path(entry.name, name), entry.name) for name in inside if claims(name)[1])


def sent(inbound: Path) -> Iterator[tuple[str, str, Path]]:
    """(student, for what, folder) of all that lies there: work, and requests for another look at a mark."""
    if not inbound.is_dir():
        return
    instructor = inbound.stat().st_uid
    for where, given in entries(inbound, instructor, []):
        claimed, what = claims(where.name)
        owner = (inbound / where).lstat().st_uid
        yield safe_name(whose(owner, instructor, claimed, given)[0]), what, inbound / where


def claims(name: str) -> tuple[str, str]:
    """(student, exercise) as the name of a folder claims them; nothing if it is no hand-in. A student may have a +.

    >>> claims("a+b+07_chow_liu+2026-05-01 23:59:00.000000 UTC+xYz"), claims("ann-lee---27c51fd4")
    (('a+b', '07_chow_liu'), ('', ''))
    """
    parts = name.rsplit("+", 3)
    return (parts[0], parts[1]) if len(parts) == 4 and all(parts) else ("", "")


def read_attempt(inbound: Path, where: Path, instructor: int, given: str, limit: int) -> Attempt:
    """Look at one attempt, without reading its files."""
    claimed, exercise = claims(where.name)
    number = open_folder(inbound / where)
    try:
        own = os.fstat(number)
        files, changed, notes = look_inside(number, own, limit)
    finally:
        os.close(number)
    student, note = whose(own.st_uid, instructor, claimed, given)
    time = datetime.fromtimestamp(changed / 1e9, UTC).isoformat(timespec="microseconds")
    return Attempt(safe_name(student), exercise, where.as_posix(), time, (*note, *notes), tuple(files))


def open_folder(path: Path) -> int:
    """A handle of a folder, which stays the same folder whatever its owner puts in its place."""
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)


def look_inside(number: int, own: os.stat_result, limit: int) -> tuple[list[str], int, list[str]]:
    """(notebooks that can be read, time of the last change, notes) of one attempt's folder."""
    files, changed, notes, names = [], own.st_ctime_ns, [], sorted(os.listdir(number))
    if SECRET not in names:
        raise OSError(f"is not complete, or nbgrader did not make it: there is no {SECRET} in it")
    for name in [name for name in names if name.endswith(".ipynb")][:MAX_FILES]:
        status = os.stat(name, dir_fd=number, follow_symlinks=False)
        changed = max(changed, status.st_ctime_ns)
        if problem := trouble(status, own, limit):
            notes.append(f"{printable(name)} {problem}")
        else:
            files.append(name)
    return files, changed, notes


def trouble(status: os.stat_result, own: os.stat_result, limit: int) -> str:
    """Why a file is not taken; empty if it is."""
    if stat.S_ISLNK(status.st_mode):
        return "is a link, and not followed"
    if not stat.S_ISREG(status.st_mode):
        return "is not a plain file"
    if status.st_uid != own.st_uid or status.st_nlink > 1:
        return "belongs to somebody else, or is in a second place too"
    if status.st_size > limit:
        return f"has {status.st_size / 1e6:.1f} MB; those of more than {limit / 1e6:.1f} MB are not read"
    return ""


def read_file(inbound: Path, attempt: Attempt, name: str, limit: int) -> bytes:
    """A file of an attempt. It is looked at once more, now that it is open."""
    folder = open_folder(inbound / attempt.entry)
    try:
        number = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
        with os.fdopen(number, "rb") as file:
            if problem := trouble(os.fstat(number), os.fstat(folder), limit):
                raise OSError(f"{name} {problem}")
            return file.read(limit)
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
    return name, () if name == claimed else (f"handed in under the name {printable(claimed)}",)


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


def printable(text: str) -> str:
    """A file's name as text that can be printed and saved, whatever bytes it has."""
    return re.sub(r"[\x00-\x1f\x7f]", "?", text).encode("utf-8", "backslashreplace").decode("utf-8")
