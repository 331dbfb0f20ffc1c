"""bnteach class: everything around a class."""

from __future__ import annotations

import argparse
import contextlib
import io
from collections.abc import Callable, Sequence
from inspect import cleandoc
from pathlib import Path

from bnteach.course.commands.common import CommandError, nearest

Act = Callable[[argparse.Namespace], int]


def classroom(arguments: Sequence[str]) -> int:
    """Run a class: set it up, hand out, hand in, collect.

    The instructor's files, for JupyterHub on one machine or on Kubernetes, with or without nbgrader:
      bnteach class init FOLDER       write them; the README there says the rest
      bnteach class release 07        hand an exercise out
      bnteach class collect 07        collect what was handed in, for bnteach grade
      bnteach class mark ann 7.4 3    change a mark by hand; a later grading keeps it
      bnteach class return 07         each student's feedback page, and a table for a mail merge
      bnteach class totals            the term's table, and files for Moodle and Canvas
    For students:
      bnteach class fetch             bring the lessons up to date; what you changed stays as it is
      bnteach class fetch 07          get an exercise that was handed out
      bnteach class hand-in 07        hand it in; again, if you like: all are kept

    Examples:
      bnteach class init spring-2027 --course bnteach-2027
      bnteach class hand-in 07
      bnteach class collect 07 --due "2027-05-01 23:59+02:00"
    """
    from bnteach.course.classroom.exchange import ClassError
    from bnteach.course.exercises.grading.sandboxes import GradeError
    from bnteach.course.exercises.release import ExerciseError

    parser = parser_with_parts()
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


def say_where(parser: argparse.ArgumentParser) -> None:
    """The arguments that select the exchange."""
    parser.add_argument("--exchange", metavar="FOLDER", help="the class's exchange (without it: $BNTEACH_EXCHANGE)")
    parser.add_argument("--course", metavar="NAME", help="the course's short name (without it: $BNTEACH_COURSE)")


# -- init ------------------------------------------------------------------------------------------------------
def init(asked: argparse.Namespace) -> int:
    """Write the files of an instructor's own repository. None that is there is overwritten.

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
    """Hand exercises out, without solutions, in the class's exchange; the first time makes the exchange.

    Example:
      bnteach class release 07 --exchange /srv/bnteach/exchange
    """
    from bnteach.course.classroom.exchange import find_exchange, open_exchange, release_to
    from bnteach.course.exercises.release import find_exercises

    exchange = find_exchange(asked.exchange, asked.course)
    find_exercises(asked.exercise)  # a wrong name makes no folders
    open_exchange(exchange, asked.group)
    for path in release_to(exchange, asked.exercise, asked.again):
        print(f"{path}: handed out")
    return 0


def release_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", help="a number (07), a name (07_chow_liu), or all")
    parser.add_argument("--group", metavar="NAME", help="the instructors' group, which may collect (the first time)")
    parser.add_argument("--again", action="store_true", help="replace an edition that is handed out already")
    say_where(parser)


# -- fetch -----------------------------------------------------------------------------------------------------
def fetch(asked: argparse.Namespace) -> int:
    """Bring the lessons in your home up to date, or get an exercise. What you have changed stays as it is.

    Examples:
      bnteach class fetch
      bnteach class fetch 07
    """
    from bnteach.course.classroom.exchange import find_exchange
    from bnteach.course.classroom.fetch import fetch_exercise, fetch_lessons

    with contextlib.redirect_stdout(io.StringIO()) if asked.quiet else contextlib.nullcontext():
        if asked.exercise:
            for line in fetch_exercise(asked.exercise, find_exchange(asked.exchange, asked.course), asked.home):
                print(line)
        else:
            print(f"The lessons are in {fetch_lessons(asked.home)}.")
    return 0


def fetch_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", nargs="?", help="a number (07), a name (07_chow_liu), or all that are handed out")
    parser.add_argument("--home", type=Path, default=Path.home(), metavar="FOLDER", help="where to put them (~)")
    parser.add_argument("--quiet", action="store_true", help="say only what goes wrong")
    say_where(parser)


# -- hand in ---------------------------------------------------------------------------------------------------
def hand_in(asked: argparse.Namespace) -> int:
    """Hand in an exercise. You can do so again: all are kept with their times, and the newest counts.

    Examples:
      bnteach class hand-in 07
      bnteach class hand-in exercises/07_chow_liu/07_chow_liu.ipynb
    """
    from bnteach.course.classroom import hand_in as handing
    from bnteach.course.classroom.exchange import find_exchange

    print(handing.hand_in(asked.exercise, find_exchange(asked.exchange, asked.course), asked.home))
    return 0


def hand_in_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", help="a number (07), a name (07_chow_liu), or a notebook's file")
    parser.add_argument("--home", type=Path, default=Path.home(), metavar="FOLDER", help="where your work is (~)")
    say_where(parser)


# -- collect ---------------------------------------------------------------------------------------------------
def collect(asked: argparse.Namespace) -> int:
    """Collect what was handed in: attempts/ has all, submitted/ what is to be graded. Again, as often as you like.

    A deadline is remembered, for the exercise and for bnteach grade, until another is given for it.
    Exit code 0 if everything could be read, 3 if something could not.

    Example:
      bnteach class collect 07 --due "2027-05-01 23:59+02:00"
    """
    from bnteach.course.classroom import collect as collecting
    from bnteach.course.classroom.exchange import find_exchange

    done = collecting.collect(find_exchange(asked.exchange, asked.course), asked.out, asked.exercise, asked.due,
                              asked.claimed_times)
    print(collecting.summary(done, asked.out))
    return 3 if done.failed else 0


def collect_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", nargs="?", default="all", help="a number (07), a name (07_chow_liu), or all")
    parser.add_argument("--out", type=Path, default=Path(), metavar="FOLDER", help="where to put them (here)")
    parser.add_argument("--due", default="", metavar="TIME", help="the newest before that time counts, if there is one")
    parser.add_argument("--claimed-times", action="store_true",
                        help="take the times that stand in the names: for an exchange restored from a backup")
    say_where(parser)


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


def say_grades(parser: argparse.ArgumentParser) -> None:
    """The argument that selects the grades."""
    parser.add_argument("--grades", type=Path, default=Path("grades"), metavar="FOLDER",
                        help="the folder that bnteach grade has written (grades)")


def mark_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("student", help="as in the column `student` of grades.csv")
    parser.add_argument("question", help="as 7.4")
    parser.add_argument("points", help="the new points, or `judged`")
    parser.add_argument("--reason", default="", help="why; the student reads it too")
    say_grades(parser)


def give_back(asked: argparse.Namespace) -> int:
    """Lay out each student's feedback page in a folder of their own, with a table for a mail merge.

    Example:
      bnteach class return 07 --out returned
    """
    from bnteach.course.classroom.returning import return_pages
    from bnteach.course.exercises.release import find_exercises

    for exercise in find_exercises(asked.exercise):
        pages = return_pages(asked.grades, exercise.name, asked.out)
        print(f"{exercise.name}: {len(pages)} pages in {asked.out}, and {asked.out / 'mail.csv'}")
    return 0


def give_back_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", help="a number (07) or a name (07_chow_liu)")
    say_grades(parser)
    parser.add_argument("--out", type=Path, default=Path("returned"), metavar="FOLDER", help="where to put them")


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
    "init": (init, init_arguments), "release": (release, release_arguments), "fetch": (fetch, fetch_arguments),
    "hand-in": (hand_in, hand_in_arguments), "collect": (collect, collect_arguments), "mark": (mark, mark_arguments),
    "return": (give_back, give_back_arguments), "totals": (term, term_arguments)}
