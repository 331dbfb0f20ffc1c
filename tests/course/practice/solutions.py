"""Write the solutions of what is practised into the exercises again: python -m tests.course.practice.solutions

They change when an algorithm's steps, or how instances are drawn, change.
"""

from __future__ import annotations

import re

from bnteach.course.exercises.questions.practised import QUESTIONS
from bnteach.course.exercises.release import find_exercises


def main() -> None:
    """Replace the choices of Ann Lee in every exercise."""
    for question in QUESTIONS:
        (exercise,) = find_exercises(question.id.partition(".")[0])
        call = re.escape(f'bn.practice(\\"{question.id}\\", \\"Ann Lee\\", \\"')
        text = exercise.path.read_text(encoding="utf-8")
        choices = question.right("Ann Lee", 0)
        exercise.path.write_text(re.sub(f'({call})[0-9a-f: ]+', rf"\g<1>{choices}", text), encoding="utf-8")


if __name__ == "__main__":
    main()
