"""All questions of all exercises, by id. One module per lesson: q07.py has 7.1, 7.2, ... of 07_chow_liu."""

from __future__ import annotations

import difflib
import importlib
import pkgutil

from bnteach.course.exercises.questions.base import Question


class UnknownQuestion(LookupError):
    """There is no question with this id."""


def lessons() -> list[int]:
    """The lessons that have questions."""
    return sorted(int(module.name[1:]) for module in pkgutil.iter_modules(__path__) if module.name[1:].isdigit())


def of_lesson(lesson: int) -> tuple[Question, ...]:
    """The questions of one lesson, in order; what is practised comes last."""
    from bnteach.course.exercises.questions.practised import QUESTIONS

    own = importlib.import_module(f"{__name__}.q{lesson:02}").QUESTIONS
    return (*own, *(question for question in QUESTIONS if question.id.startswith(f"{lesson}.")))


def find(id: str) -> Question:
    """The question with this id; an error that names the closest id if there is none."""
    if callable(id):
        raise UnknownQuestion("give the question first and then the function, as in bn.check('7.2', entropy).")
    lesson, _, number = str(id).strip().partition(".")
    known = of_lesson(int(lesson)) if lesson.isdigit() and int(lesson) in lessons() else ()
    for question in known:
        if question.id == f"{int(lesson)}.{number}":
            return question
    if known:
        raise UnknownQuestion(f"there is no question {id!r}; lesson {int(lesson)} has "
                              f"{', '.join(question.id for question in known)}.")
    every = [question for number in lessons() for question in of_lesson(number)]
    near = difflib.get_close_matches(str(id), [*(q.id for q in every), *(q.function for q in every)], n=1)
    meant = next((q for q in every if near and near[0] in (q.id, q.function)), None)
    hint = f"Did you mean {meant.id!r} ({meant.title})?" if meant else \
        f"There are questions for the lessons {', '.join(map(str, lessons()))}."
    raise UnknownQuestion(f"there is no question {id!r}. {hint}")
