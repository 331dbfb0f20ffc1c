"""bnteach dashboard: the class at a glance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bnteach.course.commands.common import CommandError, parser_of


def dashboard(arguments: Sequence[str]) -> int:
    """Make the instructor's page from the grades.

    How many have handed in, marks by question, which step goes wrong first, and which notebooks need a look.
    `bnteach grade` makes it too; this makes it again, with a list of students if you have one.

    Examples:
      bnteach dashboard grades/
      bnteach dashboard grades/ --students students.csv
    """
    from bnteach.course.exercises.grading.dashboard import read_roster, write_dashboard
    from bnteach.course.exercises.grading.sandboxes import GradeError

    parser = parser_of(dashboard)
    parser.add_argument("grades", type=Path, help="the folder that bnteach grade has written")
    parser.add_argument("--students", type=Path, metavar="FILE", help="who is expected to hand in, one per line")
    asked = parser.parse_args(arguments)
    try:
        print(write_dashboard(asked.grades, read_roster(asked.students) if asked.students else ()))
    except GradeError as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"{error.filename or asked.grades}: {error.strerror}.") from None
    return 0
