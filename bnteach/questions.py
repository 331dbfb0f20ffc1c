"""A step as a question: what the reader is asked before the algorithm makes the step (`bn.practice`).

A step that is a decision overrides `Step.question`. The right answers come from the step itself, so the trace is the
judge; every other answer has a sentence that says why it is wrong. Where several answers are right, because of ties or
because the order does not matter, all of them are accepted, and the algorithm goes on with its own.

>>> asked = Question("Is A-B added?", {"yes": "", "no": "A and B are in two components."}, choice="yes")
>>> asked.right, asked.is_right("no")
(('yes',), False)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bnteach.drawing import Drawing
    from bnteach.steps import Step


@dataclass(frozen=True)
class Moment:
    """A moment in a run: the steps so far, the drawing after them, and what the learner was given."""

    steps: Sequence[Step]
    drawing: Drawing
    given: Mapping[str, Any] = field(default_factory=dict)

    def last(self, *kinds: type[Step]) -> Any:
        """The last step of these kinds so far; None if there is none."""
        return next((step for step in reversed(self.steps) if isinstance(step, kinds)), None)


@dataclass(frozen=True)
class Question:
    """What is asked before a step.

    Parameters
    ----------
    prompt : str
        The question.
    options : mapping
        Each answer with the reason why it is wrong; the reason is empty if the answer is right.
    choice : str
        The answer of the algorithm itself, which is right.
    facts : iterable of str
        What is needed to decide: scores of families, counts, a random number.
    click : {"", "edge", "node"}
        Whether the options are edges or nodes of the picture, which can be clicked.
    marked : iterable of str
        The nodes that the question is about.
    then : Question, optional
        A second question about the same step, asked after this one.
    reveals : int
        How many steps directly before this one would give the answer away: they are made after it.
    """

    prompt: str
    options: Mapping[str, str]
    choice: str
    facts: Iterable[str] = ()
    click: str = ""
    marked: Iterable[str] = ()
    then: Question | None = None
    reveals: int = 0

    def __post_init__(self) -> None:
        if self.options.get(self.choice) != "":
            raise ValueError(f"the algorithm's choice, {self.choice!r}, must be one of the options, and a right one: "
                             f"{dict(self.options)}.")

    @property
    def right(self) -> tuple[str, ...]:
        """The answers that are right."""
        return tuple(option for option, reason in self.options.items() if not reason)

    @property
    def is_open(self) -> bool:
        """Is there anything to decide? Not if every answer is right."""
        return len(self.right) < len(self.options)

    def is_right(self, answer: str) -> bool:
        """Is this answer right?"""
        return self.options[answer] == ""

    def chain(self) -> list[Question]:
        """This question and those that follow it about the same step, without those that leave nothing to decide."""
        rest = self.then.chain() if self.then else []
        return [replace(self, then=rest[0] if rest else None), *rest] if self.is_open else rest


def yes_or_no(prompt: str, yes: str, no: str, answer: bool, because: str, **more: Any) -> Question:
    """A question with two answers, of which one is right; `because` says why."""
    choice, wrong = (yes, no) if answer else (no, yes)
    return Question(prompt, {option: because if option == wrong else "" for option in (yes, no)}, choice, **more)
