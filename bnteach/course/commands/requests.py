"""The parts of `bnteach class` about what students want to know after grading: requests, answers, solutions."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from bnteach.course.commands.after_grading import count_again, say_grades, say_submitted
from bnteach.course.commands.common import CommandError
from bnteach.course.commands.privacy import say_where


# -- requests --------------------------------------------------------------------------------------------------
def ask(asked: argparse.Namespace) -> int:
    """For students: ask for another look at a mark, with a reason. For instructors: note what was asked elsewhere.

    Examples:
      bnteach class ask 7.4 "my tree has the same weight: A-C and B-C are tied"
      bnteach class ask 7.4 "asked after the lecture" --student ann
    """
    from bnteach.course.classroom import requests

    if asked.student:
        requests.find_mark(asked.grades, asked.student, asked.question)
        requests.note(asked.grades, asked.student, asked.question, asked.reason)
        print(f"noted: {asked.student}, {asked.question}")
        return count_again(asked)
    requests.ask(exchange_from(asked), asked.question, asked.reason)
    print(f"Sent: a request for another look at {asked.question}. The answer will be on your feedback page.")
    return 0


def ask_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", help="as 7.4")
    parser.add_argument("reason", help="why the mark should be another")
    parser.add_argument("--student", default="", help="note it for this student, in the grades")
    say_where(parser)
    say_submitted(parser)
    say_grades(parser)


def list_requests(asked: argparse.Namespace) -> int:
    """Collect the requests for another look at a mark, and list those that have no answer yet.

    Examples:
      bnteach class requests
      bnteach class requests --all                the answered ones too
    """
    from bnteach.course.classroom import requests
    from bnteach.course.classroom.privacy import exchange_of

    exchange = exchange_of(asked.folder, asked.exchange, asked.course)
    found = requests.collected(exchange, asked.grades) if exchange else requests.read_requests(asked.grades)
    shown = {key: one for key, one in sorted(found.items(), key=lambda pair: pair[1]["time"])
             if asked.all or not one["answer"]}
    for key, one in shown.items():
        student, question = key.rsplit("/", 2)[0], key.rsplit("/", 1)[1]
        print(f"{student}, {question}, {one['time'][:16].replace('T', ' ')} UTC: {one['asked']}")
        print(f"    {requests.mark_now(asked.grades, student, question)}")
        print(f"    answered: {one['answer']}" if one["answer"] else
              f"    bnteach class answer {shlex.quote(student)} {question} [--points N] --reason \"…\"")
    if not shown:
        print("Nobody has asked." if not found else "All requests are answered; --all lists them.")
    return 0


def list_requests_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="list the answered ones too")
    say_where(parser)
    say_grades(parser)


def answer(asked: argparse.Namespace) -> int:
    """Answer a request, with other points or without. Question, answer and mark are on the student's page.

    Examples:
      bnteach class answer ann 7.4 --points 3 --reason "you are right: the edges are tied"
      bnteach class answer ann 7.4 --reason "the root is not among the given ones"
    """
    from bnteach.course.classroom import requests
    from bnteach.course.exercises.grading.settle import change_mark, check_points

    mark = requests.find_mark(asked.grades, asked.student, asked.question)
    if asked.points is not None:
        check_points(mark, asked.points)  # before anything is kept
    requests.answer(asked.grades, asked.student, asked.question, asked.reason)
    if asked.points is not None:
        change_mark(asked.grades, asked.student, asked.question, asked.points, asked.reason)
    print(f"{asked.student}, {asked.question}: {requests.mark_now(asked.grades, asked.student, asked.question)}")
    return count_again(asked)


def answer_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("student", help="as `bnteach class requests` lists it")
    parser.add_argument("question", help="as 7.4")
    parser.add_argument("--points", type=float, help="the new points; without it the mark stays")
    parser.add_argument("--reason", default="", help="the answer, which the student reads")
    say_submitted(parser)
    say_grades(parser)


def exchange_from(asked: argparse.Namespace) -> Path:
    """The course's exchange; an error if it is not named."""
    from bnteach.course.classroom.privacy import exchange_of

    if exchange := exchange_of(asked.folder, asked.exchange, asked.course):
        return exchange
    raise CommandError("where is the class's exchange? Give --exchange FOLDER and --course NAME, or set "
                       "BNTEACH_EXCHANGE and BNTEACH_COURSE, as the class's JupyterHub does. Without it, ask your "
                       "instructor directly.")


# -- solutions -------------------------------------------------------------------------------------------------
def solutions(asked: argparse.Namespace) -> int:
    """Write an exercise with its solutions, once the deadline is over for everybody, those with an extension too.

    Example:
      bnteach class solutions 07 && nbgrader release_assignment 07_chow_liu_solution
    """
    from bnteach.course.classroom.solutions import write_solution
    from bnteach.course.exercises.release import find_exercises

    for exercise in find_exercises(asked.exercise):
        path = write_solution(exercise, asked.out, asked.submitted, asked.force)
        print(f"{path}: to hand it out by nbgrader, nbgrader release_assignment {path.stem}")
    return 0


def solutions_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("exercise", help="a number (07) or a name (07_chow_liu)")
    parser.add_argument("--out", type=Path, default=Path("release"), metavar="FOLDER", help="where to write (release)")
    parser.add_argument("--force", action="store_true", help="although somebody can still hand in")
    say_submitted(parser)


PARTS = {"ask": (ask, ask_arguments), "requests": (list_requests, list_requests_arguments),
         "answer": (answer, answer_arguments), "solutions": (solutions, solutions_arguments)}
