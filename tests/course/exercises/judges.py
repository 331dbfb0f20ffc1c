"""How often wrong programs earn full marks (`make judges`, or `make judges ARGS="10.6 --secrets 20"`).

Each question is drawn for many class secrets, as the grader draws it, and each wrong program is judged on those inputs.
Two programs come free with every question: a lookup table of all answers to the inputs of other classes, and one that
returns nothing. A program may earn full marks for at most 1 of 100 secrets.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import Any

from bnteach.course.exercises.grading.marking import seed
from bnteach.course.exercises.grading.plain import read_plain, write_plain
from bnteach.course.exercises.questions import find, lessons, of_lesson
from bnteach.course.exercises.questions.base import Question
from bnteach.course.exercises.release import exercises
from tests.course.exercises.wrong import programs_of

ALLOWED = 1 / 100


def inputs_for(question: Question, secret: int) -> list[tuple]:
    """The inputs for one class."""
    lesson = f"{int(question.id.partition('.')[0]):02}_"
    exercise = next(one for name, one in exercises().items() if name.startswith(lesson))
    return question.inputs(seed(f"class {secret}".encode(), exercise, question, "one student"))


def full_marks(question: Question, program: Callable[..., Any], inputs: list[tuple]) -> bool:
    """Whether the program is right on all inputs."""
    copies = read_plain(write_plain(inputs), inputs=True)  # which the program may change
    return all(right(question, program, *both) for both in zip(copies, inputs))


def right(question: Question, program: Callable[..., Any], given: tuple, arguments: tuple) -> bool:
    """Whether the program's answer to one input is right; an error is not."""
    try:
        answer = write_plain(program(*given))
    except Exception:  # as any crash of a student's program
        return False
    return question.judge(read_plain(answer), arguments).ok


def lookup(question: Question, secrets: range) -> Callable[..., Any]:
    """A program that knows the right answers to the inputs of these classes, and no others."""
    inputs = [arguments for secret in secrets for arguments in inputs_for(question, secret)]
    known = {write_plain(list(arguments)): arguments for arguments in inputs}
    return lambda *arguments: question.right(*known[write_plain(list(arguments))])


def rates(question: Question, secrets: int) -> dict[str, float]:
    """For each wrong program the share of secrets for which it earns full marks."""
    programs = {**programs_of(question.id), "a lookup table": lookup(question, range(1000, 1020)),
                "no answer": lambda *_: None}
    drawn = [inputs_for(question, secret) for secret in range(secrets)]
    return {mistake: sum(full_marks(question, program, inputs) for inputs in drawn) / secrets
            for mistake, program in programs.items()}


def main(arguments: list[str]) -> int:
    """Print a line per program; 1 if any earns full marks too often."""
    parser = argparse.ArgumentParser(prog="make judges", description="How often wrong programs earn full marks.")
    parser.add_argument("questions", nargs="*", help="such as 10.6, or 10 for all of exercise 10; default: all")
    parser.add_argument("--secrets", type=int, default=100, help="how many classes to draw for")
    asked = parser.parse_args(arguments)
    ids = [question.id for lesson in lessons() for question in of_lesson(lesson)]
    ids = [id for id in ids if not asked.questions or id in asked.questions or id.partition(".")[0] in asked.questions]
    failed = 0
    for question in map(find, ids):
        for mistake, rate in rates(question, asked.secrets).items():
            failed += rate > ALLOWED
            print(f"{question.id:5} {rate:5.0%}  {'TOO OFTEN  ' * (rate > ALLOWED)}{mistake}", flush=True)
    print(f"{failed} wrong programs earn full marks too often" if failed else "No wrong program earns full marks")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
