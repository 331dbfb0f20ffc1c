"""The exchange: a folder in which a class hands out and hands in, laid out as nbgrader lays out its own.

    EXCHANGE/COURSE/outbound/07_chow_liu/07_chow_liu.ipynb       handed out: everybody reads
    EXCHANGE/COURSE/inbound/ann+07_chow_liu+TIME+RANDOM/…        handed in: everybody drops, instructors read

So the commands here and those of nbgrader, its list of assignments in JupyterLab among them, work on one folder, and
nbgrader need not be there. What the file system then sees to:

    inbound is -wx for students: they can drop something, but see nothing of what others dropped, not even names
    it is sticky: nobody but its owner can rename or remove what was dropped
    it hands its group on: what is dropped belongs to the instructors' group, and others may not open it
"""

from __future__ import annotations

import os
import re
import secrets
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bnteach.course.commands.course import write_whole
from bnteach.course.exercises.release import find_exercises, student_file

COURSE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
ALL_READ, DROP, ALL_READ_FILE = 0o755, 0o3733, 0o644
LIST_BY_GROUP = 0o040
TIME = "%Y-%m-%d %H:%M:%S.%f UTC"  # as nbgrader writes it


class ClassError(ValueError):
    """An error that the user can correct; the message says how."""


@dataclass(frozen=True)
class Exchange:
    """Where a course hands out and hands in."""

    root: Path
    course: str

    @property
    def outbound(self) -> Path:
        """What is handed out, one folder per exercise."""
        return self.root / self.course / "outbound"

    @property
    def inbound(self) -> Path:
        """What is handed in, one folder per hand-in."""
        return self.root / self.course / "inbound"

    def released(self) -> list[str]:
        """The names of the exercises that have been handed out."""
        if not self.outbound.is_dir():
            return []
        return sorted(place.name for place in self.outbound.iterdir() if (place / f"{place.name}.ipynb").is_file())


def find_exchange(root: str | None = None, course: str | None = None) -> Exchange:
    """The exchange that is named, or else that of the environment, as a Hub sets it for its students."""
    if not hasattr(os, "geteuid"):
        raise ClassError("a class's exchange is kept on Linux or macOS, whose rights on files keep students apart; on "
                         "Windows, use the Windows Subsystem for Linux.")
    root, course = root or os.environ.get("BNTEACH_EXCHANGE"), course or os.environ.get("BNTEACH_COURSE") or "bnteach"
    if not root:
        raise ClassError("where is the class's exchange? Give --exchange FOLDER, or set BNTEACH_EXCHANGE. (On the "
                         "class's JupyterHub it is set; on your own computer, hand in as your instructor asks.)")
    return Exchange(Path(root), check_course(course))


def check_course(course: str) -> str:
    """The course's short name, if it can be a folder's, nbgrader's and a volume's."""
    if not COURSE.fullmatch(course):
        raise ClassError(f"{course!r} cannot be the short name of a course: take letters, digits, - and _, as in "
                         f"bnteach-2026.")
    return course


def open_exchange(exchange: Exchange, group: str | None = None) -> None:
    """Make the folders, if they are not there yet, with the rights that keep students apart."""
    for folder, mode in ((exchange.root, 0o1777), (exchange.outbound.parent, ALL_READ),
                         (exchange.outbound, ALL_READ), (exchange.inbound, DROP | (LIST_BY_GROUP if group else 0))):
        try:
            folder.mkdir(parents=True)
        except FileExistsError:
            check_owner(folder)
            continue
        except OSError as error:
            raise ClassError(f"{folder} cannot be made: {error.strerror}. The exchange is made once, by somebody who "
                             f"may write there.") from None
        if group and folder == exchange.inbound:
            hand_to_group(folder, group)
        folder.chmod(mode)  # after the group, which takes away bits; and mkdir would heed the umask


def check_owner(folder: Path) -> None:
    """Check that an existing folder was not prepared by a student."""
    if folder.stat().st_uid not in (os.geteuid(), 0):
        raise ClassError(f"{folder} is there, and belongs to somebody else. Hand out from the account that made it.")


def hand_to_group(folder: Path, group: str) -> None:
    """Give a folder to the instructors' group."""
    import shutil

    try:
        shutil.chown(folder, group=group)
    except (LookupError, OSError) as error:
        folder.rmdir()
        raise ClassError(f"{folder} cannot be given to the group {group!r}: {error}. Is there such a group, and are "
                         f"you in it?") from None


def release_to(exchange: Exchange, asked: str, again: bool = False) -> list[Path]:
    """Hand out exercises, without their solutions; one that is out already is changed only if that is asked for."""
    written = []
    for exercise in find_exercises(asked):
        target = exchange.outbound / exercise.name / exercise.path.name
        content = student_file(exercise.path)
        if target.exists() and target.read_bytes() != content and not again:
            raise ClassError(f"{exercise.name} is handed out already, in another edition. Students who have fetched it "
                             f"keep theirs. To hand out the new one to those who come later, give --again.")
        write_whole(target, content)
        target.parent.chmod(ALL_READ)
        target.chmod(ALL_READ_FILE)
        written.append(target)
    return written


def entry_name(student: str, exercise: str, now: datetime) -> str:
    """The name of the folder in which something is handed in; nobody can guess it.

    >>> entry_name("ann", "07_chow_liu", datetime(2026, 5, 1, 23, 59, tzinfo=UTC))
    'ann+07_chow_liu+2026-05-01 23:59:00.000000 UTC+...'
    """
    return "+".join((student, exercise, now.astimezone(UTC).strftime(TIME), secrets.token_urlsafe(18)))


def read_entry_name(name: str) -> tuple[str, str, str] | None:
    """(student, exercise, time) as such a name claims them; None if it is no such name. A student may have a +.

    >>> read_entry_name("a+b+07_chow_liu+2026-05-01 23:59:00.000000 UTC+xYz")
    ('a+b', '07_chow_liu', '2026-05-01 23:59:00.000000 UTC')
    """
    parts = name.rsplit("+", 3)
    return (parts[0], parts[1], parts[2]) if len(parts) == 4 and all(parts) else None
