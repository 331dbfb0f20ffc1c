"""nbgrader's exchange for a class that cannot be trusted: four of its parts, as nbgrader_config.py names them.

    Submit             what is too large is refused in a sentence, never left out of what is handed in
    Collect            by the file's owner and the server's own clock; every attempt is kept (inbound.py, kept.py)
    ReleaseAssignment  nobody renames or removes what is not theirs: the exchange's folders are sticky
    ReleaseFeedback    where all run under one number, as on Kubernetes, each student's page in a folder of her own

Everything else is nbgrader's own. This module is imported by nbgrader alone, and needs it.
"""

from __future__ import annotations

import os
import shutil
import stat
from datetime import datetime
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.exchange.default import (
    ExchangeCollect,
    ExchangeReleaseAssignment,
    ExchangeReleaseFeedback,
    ExchangeSubmit,
)

from bnteach.course.classroom import kept
from bnteach.course.classroom.inbound import claims, entries, safe_name, whose


class Submit(ExchangeSubmit):
    """Handing in: stock nbgrader leaves out files that are too large, and says so where students do not look."""

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copy the student's folder, or say why not."""
        size, most = self.get_size(src), 1000 * min(self.coursedir.max_dir_size, self.coursedir.max_file_size)
        if size > most:
            self.fail(f"NOTHING WAS HANDED IN: {src} has {size / 1e6:.1f} MB, and at most {most / 1e6:.1f} MB can be. "
                      "Clear the outputs of all cells, move other files out of the folder, save, and submit again.")
        try:
            super().do_copy(src, dest)
        except (OSError, shutil.Error) as error:
            self.fail(f"IT WAS NOT HANDED IN ({error}). Try again, and tell your instructor if it stays so.")


class ReleaseAssignment(ExchangeReleaseAssignment):
    """Handing out: nbgrader makes the exchange's folders, and leaves those that all may write to without this bit."""

    def init_dest(self) -> None:
        """Make the folders, if they are not there, and make them sticky."""
        super().init_dest()
        for folder in (self.root, self.inbound_path):
            mode = os.stat(folder).st_mode
            if mode & stat.S_IWOTH and not mode & stat.S_ISVTX and os.stat(folder).st_uid in (os.geteuid(), 0):
                os.chmod(folder, stat.S_IMODE(mode) | stat.S_ISVTX)


class ReleaseFeedback(ExchangeReleaseFeedback):
    """Returning: nobody can list nbgrader's folder of feedback, unless all run under its owner's number."""

    def copy_files(self) -> None:
        """Release the pages, of each student into her own folder if she has one."""
        everybody, common = self.src_path, self.dest_path
        inbound = Path(self.root, self.coursedir.course_id, "inbound")
        own = {safe_name(student): folder for folder, student in own_folders(inbound)}
        for page in sorted(Path(self.coursedir.root).glob(os.path.relpath(everybody, self.coursedir.root))):
            self.src_path = str(page)
            self.dest_path = os.path.join(common, own.get(page.parent.name, ""))
            os.makedirs(self.dest_path, exist_ok=True)
            super().copy_files()


def own_folders(inbound: Path) -> list[tuple[str, str]]:
    """(name of a folder in inbound that is a student's own, name of that student)."""
    instructor = inbound.stat().st_uid
    return [(given, whose(instructor, instructor, claims(where.name)[0], given)[0])
            for where, given in entries(inbound, instructor, []) if given]


class Collect(ExchangeCollect):
    """Collecting: stock nbgrader believes the names and times that students give, and follows links."""

    def init_src(self) -> None:
        """Find what was handed in."""
        if not self.coursedir.course_id:
            self.fail("No course id specified. Re-run with --course flag.")
        self.inbound = Path(self.root, self.coursedir.course_id, "inbound")
        if not self.inbound.is_dir():
            self.fail(f"Course not found: {self.inbound}. `bnteach class release 01` makes it.")
        if not os.access(self.inbound, os.R_OK | os.X_OK):
            self.fail(f"You don't have read permissions for the directory: {self.inbound}. Collect from the account "
                      "that has released the assignments.")

    def init_dest(self) -> None:
        """Nothing is to be made beforehand."""

    def copy_files(self) -> None:
        """Keep what is new, lay out what counts, and say what is odd."""
        limit = 1000 * min(self.coursedir.max_dir_size, self.coursedir.max_file_size)
        try:
            done = kept.collect(self.inbound, Path(self.coursedir.root), self.coursedir.assignment_id,
                                self.deadlines(), limit, self.coursedir.student_id or "*")
        except ValueError as error:  # deadlines that cannot be read
            self.fail(str(error))
        for one in done.found:
            for note in one.notes:
                self.log.warning("%s, %s: %s", one.student, one.time[:19], note)
        for what in done.failed:
            self.log.warning("NOT COLLECTED %s", what)
        self.log.info("%s", done)

    def deadlines(self) -> kept.Deadlines:
        """The deadlines in nbgrader's gradebook, of all and of students with an extension; and those of bnteach."""
        found: dict[tuple[str, str], str] = {}
        if not self.before_duedate:
            return found
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            for assignment in (one for one in gradebook.assignments if one.duedate):
                found["", assignment.name] = iso(assignment.duedate)
                found.update({(one.student_id, assignment.name): iso(one.duedate)
                              for one in assignment.submissions if one.extension})
        return {**found, **kept.extensions_in(Path(self.coursedir.root))}


def iso(moment: datetime) -> str:
    """A time of nbgrader's, which is in UTC and does not say so, in ISO form."""
    return f"{moment.isoformat(timespec='seconds')}+00:00"
