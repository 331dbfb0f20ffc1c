"""The parts of `bnteach class` that come after grading: marks by hand, the term's totals, extensions, lateness."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from bnteach.course.commands.common import CommandError, nearest

Act = Callable[[argparse.Namespace], int]


def say_grades(parser: argparse.ArgumentParser) -> None:
    """The argument that selects the grades."""
    parser.add_argument("--grades", type=Path, default=Path("grades"), metavar="FOLDER",
                        help="the folder that bnteach grade has written (grades)")


def say_submitted(parser: argparse.ArgumentParser) -> None:
    """The argument that selects the submissions."""
    parser.add_argument("--submitted", type=Path, default=Path("submitted"), metavar="FOLDER",
                        help="the folder that bnteach grade reads (submitted)")


def written_again(grades: Path) -> None:
    """Write grades.csv and the instructor's page from the records."""
    from bnteach.course.exercises.grading.dashboard import read_records, write_dashboard
    from bnteach.course.exercises.grading.report import write_csv

    write_csv(grades / "grades.csv", read_records(grades))
    write_dashboard(grades)


# -- marks by hand ---------------------------------------------------------------------------------------------
def mark(asked: argparse.Namespace) -> int:
    """Change the mark of a student for a question by hand, with a reason. It is kept when you grade again.

    Examples:
      bnteach class mark ann 7.4 3 --reason "right, but the nodes have other names"
      bnteach class mark ann 7.4 judged           the judge's own mark again
    """
    from bnteach.course.exercises.grading.settle import change_mark

    try:
        points = None if asked.points == "judged" else float(asked.points)
    except ValueError:
        raise CommandError(f"points are a number, or `judged` for the judge's own mark; {asked.points!r} is "
                           "neither.") from None
    record = change_mark(asked.grades, asked.student, asked.question, points, asked.reason)
    written_again(asked.grades)
    print(f"{asked.student} has {record['points']} of {record['of']} points in {record['exercise']}")
    return 0


def mark_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("student", help="as in the column `student` of grades.csv")
    parser.add_argument("question", help="as 7.4")
    parser.add_argument("points", help="the new points, or `judged`")
    parser.add_argument("--reason", default="", help="why; the student reads it too")
    say_grades(parser)


# -- the term ------------------------------------------------------------------------------------------------
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
        print(f"Not filled in (no row, more than one, or excused) for {len(left)}: {', '.join(left)}")
    return 3 if left else 0


def term_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("grades", type=Path, nargs="+", metavar="GRADES", help="folders that bnteach grade has written")
    parser.add_argument("--students", type=Path, metavar="FILE", help="who is expected to hand in, one per line")
    parser.add_argument("--moodle", type=Path, metavar="FILE", help="a grading worksheet of Moodle to fill in")
    parser.add_argument("--canvas", type=Path, metavar="FILE", help="a gradebook of Canvas to fill in")
    parser.add_argument("--exercise", metavar="NUMBER", help="the exercise that the file is for")
    parser.add_argument("--column", default="", metavar="TITLE", help="the assignment's column in Canvas' gradebook")
    parser.add_argument("--out", type=Path, default=Path("totals.csv"), metavar="FILE", help="where to write it")


# -- deadlines -------------------------------------------------------------------------------------------------
def extend(asked: argparse.Namespace) -> int:
    """Give one student more time for an exercise, with a reason. What is graded already is counted again.

    Examples:
      bnteach class extend ann 07 "2027-05-08 23:59+02:00" --reason "in hospital"
      bnteach class extend ann 07 none            take it back
    """
    from bnteach.course.exercises.grading import late
    from bnteach.course.exercises.release import find_exercises

    exercise = find_exercises(asked.exercise)[0].name
    if not asked.submitted.is_dir():
        raise CommandError(f"there is no folder {asked.submitted}, where the extension would be kept beside the "
                           "deadlines; say where the submissions are, with --submitted FOLDER.")
    late.extend(asked.submitted, asked.student, exercise, "" if asked.until == "none" else asked.until, asked.reason)
    until = late.read_extensions(asked.submitted).get(exercise, {}).get(asked.student, {}).get("until", "")
    print(f"{asked.student} has until {until} for {exercise}" if until else
          f"{asked.student} has the class's deadline for {exercise}")
    hint_at_name(asked.student, asked.submitted)
    return count_again(asked)


def hint_at_name(student: str, submitted: Path) -> None:
    """Say if nothing of a student is there yet: it may be early, or misspelt."""
    there = [path.name for path in submitted.iterdir() if path.is_dir()]
    if there and student not in there:
        print(f"{submitted} has nothing of {student} yet. {nearest(student, there, there[:5])}")


def extend_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("student", help="as in the column `student` of grades.csv")
    parser.add_argument("exercise", help="a number (07) or a name (07_chow_liu)")
    parser.add_argument("until", help="the student's own deadline (UTC, or with an offset), or `none`")
    parser.add_argument("--reason", default="", help="why; the student reads it too")
    say_submitted(parser)
    say_grades(parser)


def lateness(asked: argparse.Namespace) -> int:
    """What lateness costs, for all or for one student. What is graded already is counted again.

    Points or a share of the exercise's points, for each day begun; without any, the rules are shown.

    Examples:
      bnteach class late 10% --grace 15 --at-most 50%
      bnteach class late 0 --student ann --reason "no connection at home"
      bnteach class late none                     no rule any more
    """
    from bnteach.course.exercises.grading import late

    if not asked.grades.is_dir():
        raise CommandError(f"there are no grades in {asked.grades}: grade first, or say where, with --grades FOLDER.")
    if asked.per_day:
        rule = late.Rule(asked.per_day, asked.at_most, asked.grace, asked.reason)
        late.set_rule(asked.grades, asked.student, None if asked.per_day == "none" else rule)
    rules = late.read_rules(asked.grades)
    for student, rule in sorted(rules.items()):
        print(f"{student or 'all'}: {rule}")
    if not rules:
        print("Being late costs nothing.")
    return count_again(asked) if asked.per_day else 0


def lateness_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("per_day", nargs="?", default="", metavar="PER-DAY", help="as 1, 0.5, 10%% or none")
    parser.add_argument("--at-most", default="100%", metavar="POINTS", help="no more than this is lost (100%%)")
    parser.add_argument("--grace", type=int, default=0, metavar="MINUTES", help="so much lateness costs nothing (0)")
    parser.add_argument("--student", default="", help="a rule for one student")
    parser.add_argument("--reason", default="", help="why a student has another rule; the student reads it too")
    say_submitted(parser)
    say_grades(parser)


def count_again(asked: argparse.Namespace) -> int:
    """Apply deadlines, extensions and late rules to what is graded."""
    from bnteach.course.exercises.grading.settle import settle_all, terms_of

    if (asked.grades / "grades.csv").is_file():
        changed = settle_all(asked.grades, terms_of(asked.submitted, asked.grades))
        written_again(asked.grades)
        print(f"{changed} graded submission{'s' * (changed != 1)} counted again: {asked.grades / 'grades.csv'}")
    return 0


PARTS: dict[str, tuple[Act, Callable[[argparse.ArgumentParser], None]]] = {
    "mark": (mark, mark_arguments), "extend": (extend, extend_arguments), "late": (lateness, lateness_arguments),
    "totals": (term, term_arguments)}
