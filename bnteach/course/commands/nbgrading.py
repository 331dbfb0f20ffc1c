"""The parts of bnteach class that set nbgrader up and work with it: init, release, lessons, return, gradebook."""

from __future__ import annotations

import argparse
import contextlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bnteach.course.classroom.exchange import Nbgrader

from bnteach.course.commands.after_grading import Act, say_grades

MOVED = {"fetch": "nbgrader fetch_assignment 07_chow_liu, or the button Fetch in Nbgrader > Assignment List; the "
                  "lessons come by `bnteach class lessons`",
         "hand-in": "nbgrader submit 07_chow_liu, or the button Submit in Nbgrader > Assignment List",
         "collect": "nbgrader collect 07_chow_liu, in the class's folder"}


# -- init ------------------------------------------------------------------------------------------------------
def init(asked: argparse.Namespace) -> int:
    """Write the files of an instructor's own repository. None that is there is overwritten.

    Among them are nbgrader's settings, and an environment in which every version is given, with bnteach's own wheel.

    Example:
      bnteach class init spring-2027 --course bnteach-2027
    """
    from bnteach.course.classroom.scaffold import write_class

    written = write_class(asked.folder, asked.course)
    for one in written:
        print(f"{one.path}: {one.what}" + (", and differs from what would be written" if one.what == "kept" else ""))
    if any(one.what == "kept" for one in written):
        print("To compare: bnteach class init SOMEWHERE-ELSE, and diff -r.")
    print(f"Begin with {asked.folder / 'README.md'}.")
    return 0


def init_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="where to write them")
    parser.add_argument("--course", default="bnteach", metavar="NAME", help="the course's short name (bnteach)")


# -- release ---------------------------------------------------------------------------------------------------
def release(asked: argparse.Namespace) -> int:
    """Hand exercises out by nbgrader, without solutions; the first time makes the exchange. In the class's folder.

    A deadline is kept in nbgrader's gradebook. Given for an exercise that is handed out already, it alone is changed.

    Examples:
      bnteach class release 07 --due "2027-05-01 23:59+02:00"
      bnteach class release 07 --again
    """
    from bnteach.course.classroom.exchange import release as hand_out
    from bnteach.course.exercises.release import find_exercises

    for exercise in find_exercises(asked.exercise):  # a wrong name makes no folders
        out = hand_out(asked.folder, exercise, asked.due, asked.again)
        print(f"{out}: handed out" + (f", due {asked.due}" if asked.due else ""))
    return 0


def release_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", help="a number (07), a name (07_chow_liu), or all")
    parser.add_argument("--due", default="", metavar="TIME", help="the deadline (UTC, or with an offset)")
    parser.add_argument("--again", action="store_true", help="replace an edition that is handed out already")
    say_folder(parser)


def say_folder(parser: argparse.ArgumentParser) -> None:
    """The argument that selects the class's folder."""
    parser.add_argument("--folder", type=Path, default=Path(), metavar="FOLDER", help="the class's folder (here)")


# -- lessons ---------------------------------------------------------------------------------------------------
def lessons(asked: argparse.Namespace) -> int:
    """Bring the lessons in your home up to date. What you have changed stays as it is.

    Exercises are not among them: fetch those that are handed out, in Nbgrader > Assignment List.

    Example:
      bnteach class lessons
    """
    from bnteach.course.classroom.lessons import fetch_lessons

    with contextlib.redirect_stdout(io.StringIO()) if asked.quiet else contextlib.nullcontext():
        print(f"The lessons are in {fetch_lessons(asked.home)}.")
    return 0


def lessons_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--home", type=Path, default=Path.home(), metavar="FOLDER", help="where to put them (~)")
    parser.add_argument("--quiet", action="store_true", help="say only what goes wrong")


# -- return and gradebook --------------------------------------------------------------------------------------
def give_back(asked: argparse.Namespace) -> int:
    """Return each student's feedback page: by nbgrader, whose list in JupyterLab then has "Fetch Feedback".

    The marks are entered in nbgrader's gradebook, too. With --out, or where there is no nbgrader, the pages go into a
    folder, one for each student, with a table for a mail merge; so do those of students who handed in another way.
    Exit code 3 if some pages have to be sent, or some submissions graded once more.

    Examples:
      bnteach class return 07
      bnteach class return 07 --out returned
    """
    from bnteach.course.classroom.exchange import SETTINGS, nbgrader_in
    from bnteach.course.classroom.returning import return_pages
    from bnteach.course.exercises.release import find_exercises

    by_mail = asked.out is not None or not (asked.folder / SETTINGS).is_file()
    out = asked.out or asked.folder / "returned"
    status = 0
    for exercise in find_exercises(asked.exercise):
        if not by_mail:
            status = max(status, by_nbgrader(nbgrader_in(asked.folder), asked.grades, exercise.name, out))
            continue
        pages = return_pages(asked.grades, exercise.name, out)
        print(f"{exercise.name}: {len(pages)} pages in {out}, and {out / 'mail.csv'}")
    return status


def by_nbgrader(nbgrader: Nbgrader, grades: Path, exercise: str, out: Path) -> int:
    """Return the pages of an exercise by nbgrader, and lay out what it has not collected; the exit code."""
    from bnteach.course.classroom.returning import records_of, return_by_nbgrader, return_pages

    done, left = return_by_nbgrader(nbgrader, grades, exercise)
    print(f"{exercise}: {len(done)} pages returned by nbgrader")
    enter_marks(nbgrader, grades, records_of(grades, exercise))
    for student, why in left.items():
        print(f"  {student}: {why}")
    if mailed := [student for student, why in left.items() if why.startswith("not collected")]:
        return_pages(grades, exercise, out, mailed)
        print(f"  {len(mailed)} to be sent, in {out}, with {out / 'mail.csv'}")
    return 3 if left else 0


def give_back_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", help="a number (07) or a name (07_chow_liu)")
    say_grades(parser)
    say_folder(parser)
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="put all pages into this folder, to be sent")


def gradebook(asked: argparse.Namespace) -> int:
    """Enter the marks in nbgrader's gradebook, for formgrader and `nbgrader export`. Return does so, too.

    Example:
      bnteach class gradebook
    """
    from bnteach.course.classroom.exchange import nbgrader_in
    from bnteach.course.exercises.grading.dashboard import read_records

    return enter_marks(nbgrader_in(asked.folder), asked.grades, read_records(asked.grades))


def gradebook_arguments(parser: argparse.ArgumentParser) -> None:
    say_grades(parser)
    say_folder(parser)


def enter_marks(nbgrader: Nbgrader, grades: Path, records: list) -> int:
    """Enter marks in nbgrader's gradebook, and say which have been changed there; exit code 3 if some have."""
    from bnteach.course.classroom.gradebook import write_marks

    count, others = write_marks(nbgrader, grades, records)
    print(f"{count} submissions in nbgrader's gradebook")
    for sentence in others:
        print(f"  {sentence}: left as it is; bnteach class mark changes it here")
    return 3 if others else 0


PARTS: dict[str, tuple[Act, Callable[[argparse.ArgumentParser], None]]] = {
    "init": (init, init_arguments), "release": (release, release_arguments), "lessons": (lessons, lessons_arguments),
    "return": (give_back, give_back_arguments), "gradebook": (gradebook, gradebook_arguments)}
