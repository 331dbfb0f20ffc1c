"""Practice as a question of an exercise: everyone has an instance of their own, and the choices are graded.

    return bn.practice("4.8", "Ann Lee")                       the steps are made where bn.check shows it
    return bn.practice("4.8", "Ann Lee", "3f2a: 2 1 1 3")      and the choices are kept in the cell, as this line

The instance is drawn from the class's seed, which is no secret, the question and the student's name. Choices are the
numbers of the options, in order; before them is a code of the instance, so that the choices for another one are
recognised. Nothing is judged while the steps are made: `bn.check` and the grader do that, by the trace.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import unicodedata
from typing import TYPE_CHECKING, Any

from bnteach.course.practice.session import Feedback, Practice
from bnteach.course.practice.topics import draw, learner_named
from bnteach.show.standalone import live, view

if TYPE_CHECKING:
    from bnteach.course.exercises.questions.practised import Practised

CHOICES = re.compile(r"\s*([0-9a-f]{4})\s*:([\d\s,]*)")


class NotReadable(ValueError):
    """A name or choices that are not written as they should be."""


def graded(id: str, name: str = "", choices: str = "", seed: Any = 0) -> Graded:
    """The session of a question of an exercise, with the choices that have been made."""
    from bnteach.course.exercises.questions import find
    from bnteach.course.exercises.questions.practised import Practised

    question = find(id)
    if not isinstance(question, Practised):
        raise ValueError(f"question {id} is not answered by practice: write {question.function}, and check it with "
                         f"bn.check({id!r}, {question.function}).")
    return Graded(question, name or students_name(), choices, seed)


def students_name() -> str:
    """The name of the account on a JupyterHub; empty elsewhere."""
    return os.environ.get("BNTEACH_STUDENT") or os.environ.get("JUPYTERHUB_USER", "")


def class_seed() -> str:
    """The seed of the class: on its JupyterHub the name of the course (`bnteach class init`), elsewhere 0."""
    return os.environ.get("BNTEACH_COURSE", "0")


def name_key(name: str) -> str:
    """A name without what is easily written in another way: capitals, punctuation, order, Moodle's number.

    >>> name_key("Lee, Ann") == name_key("ann  lee") == name_key("Ann Lee_1234567")
    True
    """
    plain = unicodedata.normalize("NFKC", re.sub(r"_\d+$", "", name)).casefold()
    return " ".join(sorted(re.findall(r"\w+", plain.replace("_", " "))))


class Graded(Practice):
    """A session whose choices are recorded, and judged later."""

    def __init__(self, question: Practised, name: str, choices: str = "", seed: Any = 0):
        if not isinstance(name, str) or not name_key(name):
            raise NotReadable(f"everyone has an instance of their own: give your name, as your course knows it, "
                              f'return bn.practice("{question.id}", "Ann Lee"); you give {name!r}.')
        self.exercise, self.name, self.class_seed = question, name, str(seed or class_seed())
        key = f"{self.class_seed} {question.id} {name_key(name)}"
        given = draw(question.topic, question.level, key, question.make)
        super().__init__(learner_named(question.topic), given, question.level)
        options = [[one.question.prompt, *one.question.options] for one in self.asked]
        self.code = hashlib.sha256(json.dumps([key, options]).encode()).hexdigest()[:4]
        self.foreign, self.numbers = self._read(choices)
        self.at = min(len(self.numbers), len(self.asked))

    def _read(self, choices: str) -> tuple[str, list[int]]:
        """The code, if it is that of another instance, and the choices, if they are for this one."""
        found = CHOICES.fullmatch(choices) if isinstance(choices, str) and choices.strip() else None
        if not found and choices:
            raise NotReadable(f'choices are written as bn.practice shows them, "{self.code}: 2 1 3", and you give '
                              f"{str(choices)[:80]!r}.")
        if not found or found[1] == self.code:
            return "", [int(number) for number in re.findall(r"\d+", found[2])] if found else []
        return found[1], []

    def answer(self, answer: str) -> Feedback:
        """Record a choice, by its text or its number, and go on; nothing is judged."""
        options = list(self.question.options) if self.question else []
        if answer not in options:
            raise ValueError(f"{answer!r} is not one of the answers: {', '.join(options) or 'all have been given'}.")
        self.numbers[self.at:] = [options.index(answer) + 1]
        self.at += 1
        return Feedback(True, "")

    def back(self) -> None:
        """Take the last choice back."""
        self.at = max(0, self.at - 1)
        del self.numbers[self.at:]

    @property
    def line(self) -> str:
        """What the cell should hold, so that the choices are kept and can be graded."""
        choices = f"{self.code}: {' '.join(map(str, self.numbers))}"
        seed = f", seed={self.class_seed!r}" if self.class_seed != class_seed() else ""
        return (f'return bn.practice("{self.exercise.id}", '
                f'{json.dumps(self.name, ensure_ascii=False)}, "{choices}"{seed})')

    def widget(self) -> Any:
        if self._widget is None:
            from bnteach.course.practice.widget import GradedView

            self._widget = GradedView(self).box
        return self._widget

    def __repr__(self) -> str:
        if self.question is None:
            return f"All {len(self.asked)} choices are made. Keep them in {self.exercise.function}:\n{self.line}"
        return f"{super().__repr__()}\nSo far: {self.line}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/plain": repr(self), **(view(self.widget()) if live() else {})}


def show(session: Graded) -> None:
    """Show the player above what bn.check says, where there is a kernel and somebody to play."""
    if live() and not os.environ.get("NBGRADER_EXECUTION"):
        from IPython.display import display

        display(session)  # type: ignore[no-untyped-call]
