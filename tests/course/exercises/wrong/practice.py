"""Wrong choices in what is practised: the same for every question of this kind."""

from __future__ import annotations

from bnteach.course.exercises.questions.practised import QUESTIONS, Practised, right_choices
from bnteach.course.practice.graded import Graded
from tests.course.exercises.wrong import wrong


def register(question: Practised) -> None:
    """The wrong programs of one question."""
    def choices(name: str, seed: int, change) -> str:
        session = Graded(question, name, seed=seed)
        code, _, right = right_choices(session).partition(": ")
        return f"{code}: {' '.join(map(str, change(session, list(map(int, right.split())))))}"

    def first_wrong(session: Graded, i: int) -> int:
        options = session.asked[i].question.options
        return next(number for number, reason in enumerate(options.values(), start=1) if reason)

    @wrong(question.id, "wrong at every step")
    def never(name, seed):
        return choices(name, seed, lambda session, right: [first_wrong(session, i) for i in range(len(right))])

    @wrong(question.id, "one mistake, at the end")
    def one_mistake(name, seed):
        return choices(name, seed, lambda session, right: [*right[:-1], first_wrong(session, len(right) - 1)])

    @wrong(question.id, "the last choice is not made")
    def too_few(name, seed):
        return choices(name, seed, lambda session, right: right[:-1])

    @wrong(question.id, "one choice more")
    def too_many(name, seed):
        return choices(name, seed, lambda session, right: [*right, 1])

    @wrong(question.id, "the first option throughout")
    def first(name, seed):
        return choices(name, seed, lambda session, right: [1] * len(right))

    @wrong(question.id, "another student's choices")
    def copied(name, seed):
        return question.right("Bob Ray", seed)

    @wrong(question.id, "another student's choices, under the code of one's own")
    def copied_under_own_code(name, seed):
        return choices(name, seed, lambda session, right: question.right("Bob Ray", seed).partition(": ")[2].split())

    @wrong(question.id, "the choices of another class")
    def other_class(name, seed):
        return question.right(name, seed + 1)


for each in QUESTIONS:
    register(each)
