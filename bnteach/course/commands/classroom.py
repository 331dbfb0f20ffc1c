"""bnteach class: everything around a class."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from inspect import cleandoc
from pathlib import Path

from bnteach.course.commands.common import CommandError, nearest
from bnteach.course.commands.nbgrading import MOVED, Act, say_grades
from bnteach.course.commands.nbgrading import PARTS as NBGRADING


def classroom(arguments: Sequence[str]) -> int:
    """Run a class: set it up, hand out, return, add up. Handing in and collecting are nbgrader's.

    The instructor's files, for JupyterHub on one machine or on Kubernetes, with nbgrader:
      bnteach class init FOLDER       write them; the README there says the rest
      bnteach class release 07        hand an exercise out
      nbgrader collect 07_chow_liu    collect what was handed in, for bnteach grade
      bnteach class mark ann 7.4 3    change a mark by hand; a later grading keeps it
      bnteach class return 07         return each student's feedback page
      bnteach class gradebook         enter the marks in nbgrader's gradebook
      bnteach class totals            the term's table, and files for Moodle and Canvas
    For students:
      bnteach class lessons           bring the lessons up to date; what you changed stays as it is
      nbgrader submit 07_chow_liu     hand in; again, if you like: all are kept

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


# -- after grading ---------------------------------------------------------------------------------------------
def mark(asked: argparse.Namespace) -> int:
    """Change the mark of a student for a question by hand, with a reason. It is kept when you grade again.

    Examples:
      bnteach class mark ann 7.4 3 --reason "right, but the nodes have other names"
      bnteach class mark ann 7.4 judged           the judge's own mark again
    """
    from bnteach.course.exercises.grading.by_hand import change_mark
    from bnteach.course.exercises.grading.dashboard import read_records, write_dashboard
    from bnteach.course.exercises.grading.report import write_csv

    try:
        points = None if asked.points == "judged" else float(asked.points)
    except ValueError:
        raise CommandError(f"points are a number, or `judged` for the judge's own mark; {asked.points!r} is "
                           "neither.") from None
    record = change_mark(asked.grades, asked.student, asked.question, points, asked.reason)
    write_csv(asked.grades / "grades.csv", read_records(asked.grades))
    write_dashboard(asked.grades)
    print(f"{asked.student} has {record['points']} of {record['of']} points in {record['exercise']}")
    return 0


def mark_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("student", help="as in the column `student` of grades.csv")
    parser.add_argument("question", help="as 7.4")
    parser.add_argument("points", help="the new points, or `judged`")
    parser.add_argument("--reason", default="", help="why; the student reads it too")
    say_grades(parser)


def term(asked: argparse.Namespace) -> int:
    """Make the term's table of marks, or fill in a file that Moodle or Canvas has exported.

    Exit code 3 if some marks found no row in that file; they are listed.

    Examples:
      bnteach class totals grades/ --students students.txt
      bnteach class totals grades/ --moodle worksheet.csv --exercise 07 --out to-moodle.csv
      bnteach class totals grades/ --canvas gradebook.csv --exercise 07 --column "Exercise 7" --out to-canvas.csv
    """
    from bnteach.course.classroom.totals import fill_canvas, fill_moodle, totals, write_totals
    from bnteach.course.exercises.grading.dashboard import read_roster
    from bnteach.course.exercises.release import find_exercises

    table = totals(asked.grades, read_roster(asked.students) if asked.students else ())
    if not (asked.moodle or asked.canvas):
        write_totals(table, asked.out)
        print(f"{asked.out}: {len(table.students)} students, {len(table.exercises)} exercises")
        return 0
    if not asked.exercise:
        raise CommandError("say which exercise the file is for, with --exercise 07.")
    exercise = find_exercises(asked.exercise)[0].name
    left = fill_moodle(asked.moodle, table, exercise, asked.out) if asked.moodle else (
        fill_canvas(asked.canvas, table, exercise, asked.out, asked.column))
    given = sum(done == exercise for _, done in table.points) - len(left)
    print(f"{asked.out}: {given} marks of {exercise}")
    if left:
        print(f"No row, or more than one, for {len(left)}: {', '.join(left)}")
    return 3 if left else 0


def term_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("grades", type=Path, nargs="+", metavar="GRADES", help="folders that bnteach grade has written")
    parser.add_argument("--students", type=Path, metavar="FILE", help="who is expected to hand in, one per line")
    parser.add_argument("--moodle", type=Path, metavar="FILE", help="a grading worksheet of Moodle to fill in")
    parser.add_argument("--canvas", type=Path, metavar="FILE", help="a gradebook of Canvas to fill in")
    parser.add_argument("--exercise", metavar="NUMBER", help="the exercise that the file is for")
    parser.add_argument("--column", default="", metavar="TITLE", help="the assignment's column in Canvas' gradebook")
    parser.add_argument("--out", type=Path, default=Path("totals.csv"), metavar="FILE", help="where to write it")


PARTS: dict[str, tuple[Act, Callable[[argparse.ArgumentParser], None]]] = {
    **NBGRADING, "mark": (mark, mark_arguments), "totals": (term, term_arguments)}
