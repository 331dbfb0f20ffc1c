"""bnteach release: the exercises as students get them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bnteach.course.commands.common import CommandError, not_written, parser_of
from bnteach.course.commands.course import course_folder


def release(arguments: Sequence[str]) -> int:
    """Write the students' copies of the exercises, without solutions.

    The copies carry nbgrader's metadata. The sources, with solutions, are in lessons/exercises of a checkout; an
    installed wheel does not have them. --instructor writes an archive with both, to pass on to other instructors.
    --colab writes lessons and exercises for Google Colab, with a first cell that installs the course there.

    Examples:
      bnteach release 07 --out handout
      bnteach release all --out handout
      bnteach release --instructor --out private
      bnteach release --colab https://example.edu/bnteach-0.1.0-py3-none-any.whl --out colab
    """
    from bnteach.course.exercises.colab import write_colab
    from bnteach.course.exercises.release import ExerciseError, release_archive
    from bnteach.course.exercises.release import release as write_copies

    parser = parser_of(release)
    parser.add_argument("exercise", nargs="?", default="all", help="a number (07), a name (07_chow_liu), or all")
    parser.add_argument("--out", type=Path, default=Path("exercises"), metavar="FOLDER", help="where to write them")
    parser.add_argument("--instructor", action="store_true", help="an archive with solutions and students' copies")
    parser.add_argument("--colab", metavar="WHEEL", help="all lessons and exercises for Colab; the wheel's address")
    asked = parser.parse_args(arguments)
    try:
        if asked.colab:
            written = write_colab(course_folder(), asked.colab, asked.out)
        elif asked.instructor:
            written = [release_archive(asked.exercise, asked.out)]
        else:
            written = write_copies(asked.exercise, asked.out)
        print(*written, sep="\n")
    except ExerciseError as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise not_written(error, str(asked.out)) from None
    return 0
