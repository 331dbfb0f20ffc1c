"""bnteach grade: marks and feedback for a class."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence

from bnteach.course.commands.common import CommandError, parser_of

IN_THE_IMAGE = """the sandbox needs Linux. Grade in the course's image: in the checkout, once,
    docker build -t bnteach .
and then, in the folder of the class,
    docker run --rm --privileged --user root -v "{here}:/class" -w /class bnteach bnteach grade {arguments}
--privileged lets the container make the namespaces of the sandbox; submissions get none of its rights."""


def grade(arguments: Sequence[str]) -> int:
    """Grade a folder of submissions, each in a sandbox.

    Understands folders as nbgrader, Gradescope and Moodle make them. Writes grades.csv, a record and a page with
    feedback for each submission; run again, it continues where it stopped. Exit code 0 if every file could be graded,
    3 if some could not: grades.csv says which, and why.

    Examples:
      bnteach grade submitted/ --out grades/
      bnteach grade submitted/ --out grades/ --jobs 4 --due "2026-05-01 23:59+02:00"
    """
    if sys.platform != "linux" and not {"--unsafe", "-h", "--help"} & set(arguments):
        quoted = subprocess.list2cmdline(arguments) if sys.platform == "win32" else shlex.join(arguments)
        raise CommandError(IN_THE_IMAGE.format(here=os.getcwd(), arguments=quoted))
    from bnteach.course.exercises.grade import GradeError, add_arguments, grade_from

    parser = parser_of(grade)
    add_arguments(parser)
    try:
        return grade_from(parser.parse_args(arguments))
    except GradeError as error:
        raise CommandError(str(error)) from None
    except OSError as error:  # a folder without permission, a full disk
        problem = f"{error.filename or 'the grades'}: {error.strerror or error}"
        raise CommandError(f"{problem}. What was graded is kept: correct that, and run it again.") from None
    except KeyboardInterrupt:
        raise CommandError("stopped. What was graded is kept: run it again to continue.") from None
