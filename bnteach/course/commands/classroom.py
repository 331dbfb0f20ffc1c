"""bnteach class: everything around a class."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from inspect import cleandoc

from bnteach.course.commands.after_grading import PARTS as AFTER_GRADING
from bnteach.course.commands.after_grading import Act
from bnteach.course.commands.common import CommandError, nearest
from bnteach.course.commands.nbgrading import MOVED
from bnteach.course.commands.nbgrading import PARTS as NBGRADING
from bnteach.course.commands.privacy import PARTS as PRIVACY
from bnteach.course.commands.requests import PARTS as REQUESTS


def classroom(arguments: Sequence[str]) -> int:
    """Run a class: set it up, hand out, return, add up. Handing in and collecting are nbgrader's.

    The instructor's files, for JupyterHub on one machine or on Kubernetes, with nbgrader:
      bnteach class init FOLDER       write them; the README there says the rest
      bnteach class release 07        hand an exercise out
      nbgrader collect 07_chow_liu    collect what was handed in, for bnteach grade
      bnteach class mark ann 7.4 3    change a mark by hand; a later grading keeps it
      bnteach class extend ann 07 …   give one student more time
      bnteach class late 10%          what a day of lateness costs
      bnteach class requests          who asks for another look at a mark; bnteach class answer answers
      bnteach class solutions 07      the solutions, after the deadline
      bnteach class return 07         return each student's feedback page
      bnteach class gradebook         enter the marks in nbgrader's gradebook
      bnteach class totals            the term's table, and files for Moodle and Canvas
      bnteach class privacy           what is kept of students, and where
      bnteach class delete ann        delete what is kept of a student, or of all
    For students:
      bnteach class lessons           bring the lessons up to date; what you changed stays as it is
      nbgrader submit 07_chow_liu     hand in; again, if you like: all are kept
      bnteach class ask 7.4 "…"       ask for another look at a mark

    Examples:
      bnteach class init spring-2027 --course bnteach-2027
      bnteach class release 07 --due "2027-05-01 23:59+02:00"
    """
    from bnteach.course.classroom.exchange import ClassError
    from bnteach.course.exercises.grading.sandboxes import GradeError
    from bnteach.course.exercises.release import ExerciseError

    parser = parser_with_parts()
    if arguments and arguments[0] in MOVED:
        raise CommandError(f"that is nbgrader's: {MOVED[arguments[0]]}.")
    if arguments and not arguments[0].startswith("-") and arguments[0] not in PARTS:
        raise CommandError(f"there is no part {arguments[0]!r}. {nearest(arguments[0], PARTS)}")
    asked = parser.parse_args(arguments or ["--help"])
    try:
        return PARTS[asked.part][0](asked)
    except (ClassError, ExerciseError, GradeError) as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename or 'a file'}: {error.strerror}.") from None


def parser_with_parts() -> argparse.ArgumentParser:
    """The parser of the command, with one of its own for each part."""
    look = {"formatter_class": argparse.RawDescriptionHelpFormatter}
    parser = argparse.ArgumentParser(prog="bnteach class", description=cleandoc(classroom.__doc__ or ""),
                                     usage="bnteach class PART ...", **look)
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART", help=argparse.SUPPRESS)
    for name, (act, add_arguments) in PARTS.items():
        add_arguments(parts.add_parser(name, prog=f"bnteach class {name}", description=cleandoc(act.__doc__ or ""),
                                       **look))
    return parser


PARTS: dict[str, tuple[Act, Callable[[argparse.ArgumentParser], None]]] = {
    **NBGRADING, **AFTER_GRADING, **REQUESTS, **PRIVACY}
