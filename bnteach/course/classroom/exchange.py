"""The class's nbgrader: its settings, read as nbgrader reads them, and handing out by it.

    class/release/07_chow_liu/07_chow_liu.ipynb          the students' copy, without solutions
    class/source/07_chow_liu/07_chow_liu.ipynb           where there are solutions: a checkout, not a wheel
    class/gradebook.db                                   nbgrader's own: the exercise, its questions and its deadline
    EXCHANGE/COURSE/outbound/07_chow_liu/                what students fetch

nbgrader puts every exercise into a folder of its own, so links in the copies lead one folder higher.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bnteach.course.commands.common import is_installed
from bnteach.course.commands.course import write_whole
from bnteach.course.exercises.copies import BEGIN, links_to_folders, student_file
from bnteach.course.exercises.grading.times import read_time
from bnteach.course.exercises.release import Exercise

COURSE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
SETTINGS = "nbgrader_config.py"


class ClassError(ValueError):
    """An error that the user can correct; the message says how."""


def check_course(course: str) -> str:
    """The course's short name, if it can be a folder's, nbgrader's and a volume's."""
    if not COURSE.fullmatch(course):
        raise ClassError(f"{course!r} cannot be the short name of a course: take letters, digits, - and _, as in "
                         f"bnteach-2026.")
    return course


@dataclass(frozen=True)
class Nbgrader:
    """nbgrader, with the settings of a class's folder."""

    folder: Path
    config: Any
    coursedir: Any

    @property
    def gradebook(self) -> Any:
        """Its database of marks; to be used in a with statement."""
        from nbgrader.api import Gradebook

        return Gradebook(self.coursedir.db_url, self.coursedir.course_id)

    def folder_of(self, step: str, student: str, exercise: str) -> Path:
        """Where it keeps something: "submitted", "autograded", "feedback", or with the student "." "release"."""
        return Path(self.coursedir.format_path(getattr(self.coursedir, f"{step}_directory"), student, exercise))

    def exchange(self, part: str, exercise: str) -> None:
        """Let a part of its exchange do its work for an exercise."""
        from nbgrader.auth import Authenticator
        from nbgrader.exchange import ExchangeError, ExchangeFactory

        self.coursedir.assignment_id = exercise
        made = getattr(ExchangeFactory(config=self.config), part)(
            coursedir=self.coursedir, authenticator=Authenticator(config=self.config), config=self.config)
        try:
            with quiet(made.log):
                made.start()
        except ExchangeError as error:
            raise ClassError(f"nbgrader: {error}") from None


@contextlib.contextmanager
def quiet(log: Any) -> Iterator[None]:
    """Without what nbgrader says on the way: what matters is said by an error."""
    before = log.disabled
    log.disabled = True
    try:
        yield
    finally:
        log.disabled = before


def nbgrader_in(folder: Path, **settings: Any) -> Nbgrader:
    """nbgrader as it is set up in a class's folder; settings as ExchangeReleaseAssignment={"force": True}."""
    if not hasattr(os, "geteuid"):
        raise ClassError("nbgrader's exchange is kept on Linux or macOS, whose rights on files keep students apart; "
                         "on Windows, use the Windows Subsystem for Linux.")
    if not (folder / SETTINGS).is_file():
        raise ClassError(f"{folder.resolve()} is not a class's folder: there is no {SETTINGS} in it. Go to the folder "
                         "that `bnteach class init` has written, or make one.")
    if not is_installed("nbgrader"):
        raise ClassError("nbgrader must be installed for this: pip install \"bnteach[class]\"")
    from nbgrader.apps.baseapp import NbGrader
    from nbgrader.coursedir import CourseDirectory

    here = str(Path(sys.executable).parent)
    if here not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] += os.pathsep + here  # nbgrader calls alembic by its name
    with contextlib.chdir(folder):
        app = NbGrader()
        app.initialize([])
        app.config.merge(settings)
        return Nbgrader(folder, app.config, CourseDirectory(config=app.config, root=os.getcwd()))


# -- handing out -----------------------------------------------------------------------------------------------
def release(folder: Path, exercise: Exercise, due: str = "", again: bool = False) -> Path:
    """Hand an exercise out; one that is out already is changed only if that is asked for. Returns where it is."""
    deadline = check_time(due)
    nbgrader = nbgrader_in(folder, **({"ExchangeReleaseAssignment": {"force": True}} if again else {}))
    out = Path(exchange_root(nbgrader), nbgrader.coursedir.course_id, "outbound", exercise.name)
    if out.is_dir() and not again:
        if not due:
            raise ClassError(f"{exercise.name} is handed out already. Students who have fetched it keep theirs; to "
                             "hand out the present edition to those who come later, give --again.")
        enter(nbgrader, exercise, deadline)  # a deadline alone
        return out
    prepare(nbgrader, exercise)
    enter(nbgrader, exercise, deadline)
    nbgrader.exchange("ReleaseAssignment", exercise.name)
    return out


def exchange_root(nbgrader: Nbgrader) -> str:
    """Where nbgrader keeps its exchange."""
    from nbgrader.exchange.default import Exchange

    return str(Exchange(config=nbgrader.config).root)


def check_time(due: str) -> str:
    """A deadline in ISO form, or nothing if none is given."""
    if due and not read_time(due):
        raise ClassError(f"--due {due!r} is no time; write it as 2027-05-01 23:59 or \"2027-05-01 23:59+02:00\".")
    return read_time(due)


def prepare(nbgrader: Nbgrader, exercise: Exercise) -> None:
    """Write nbgrader's release folder, and where there are solutions its source folder."""
    content = exercise.path.read_bytes()
    steps = {"release": student_file(exercise.path), **({"source": content} if BEGIN.encode() in content else {})}
    for step, text in steps.items():
        write_whole(nbgrader.folder_of(step, ".", exercise.name) / exercise.path.name, links_to_folders(text))


def enter(nbgrader: Nbgrader, exercise: Exercise, deadline: str = "") -> None:
    """Enter an exercise into nbgrader's gradebook: its questions with their points, and its deadline."""
    import nbformat
    from nbgrader.preprocessors import SaveCells

    known = {"duedate": deadline} if deadline else {}
    with nbgrader.gradebook as gradebook:
        gradebook.update_or_create_assignment(exercise.name, **known)
    notebook = nbformat.reads(student_file(exercise.path).decode(), as_version=4)
    names = {"notebook": exercise.name, "assignment": exercise.name, "db_url": nbgrader.coursedir.db_url}
    try:
        SaveCells(config=nbgrader.config).preprocess(notebook, {"nbgrader": names})
    except RuntimeError as error:  # questions that came or went, though there are marks
        raise ClassError(f"nbgrader: {error}") from None
