"""bn.practice: the reader makes the next step of an algorithm.

    bn.practice("kruskal")                    a fresh instance, drawn from a seed
    bn.practice(bn.pc, bn.DSeparation(dag))   an instance of your own

An algorithm is a generator of steps, and a step that is a decision says how it is asked (`Step.question`). The run
stops before it, the reader answers, the step judges the answer and gives the reason, and the algorithm goes on.
`Practice` is the session without any display: questions, answers, marks. In a notebook it is shown as a widget
(widget.py), and many sessions make a page that needs no kernel (page.py).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from html import escape
from inspect import cleandoc
from typing import Any, NamedTuple

from bnteach.course.practice.topics import TOPICS, draw, learner_named, run, topic_named
from bnteach.questions import Question
from bnteach.show.standalone import live, view
from bnteach.steps import Asked
from bnteach.trace import Stepwise


def practice(learner: Stepwise[..., Any, Any] | str, *args: Any, level: int = 1, seed: int = 0,
             **kwargs: Any) -> Practice:
    """Make the steps of an algorithm yourself: it stops before each decision and asks.

    Parameters
    ----------
    learner : learner or str
        A learner such as ``bn.kruskal``, or its name; or a question of an exercise, such as ``"4.8"``.
    *args, **kwargs
        What the learner is given. Without any, an instance is drawn. For a question: your name, and your choices.
    level : {1, 2, 3}
        How large an instance is drawn.
    seed : int
        Of the instance that is drawn; or of the learner, if it has a seed and arguments are given.

    Returns
    -------
    Practice
        Shown with buttons in a running notebook. Elsewhere, ``question`` and ``answer`` do the same.

    Examples
    --------
    >>> import bnteach as bn
    >>> session = bn.practice(bn.kruskal, {("A", "B"): 0.3, ("A", "C"): 0.5, ("B", "C"): 0.2})
    >>> print(session.question.prompt)
    Kruskal: which edge is considered next?
    >>> session.answer("A-B")
    Feedback(right=False, text='A-B weighs 0.300; A-C weighs 0.500, which is more.')
    >>> session.answer("A-C").right, session.question.prompt
    (True, 'Is A-C accepted?')
    """
    if isinstance(learner, str) and learner[:1].isdigit():
        from bnteach.course.practice.graded import graded

        return graded(learner, *args, seed=seed, **kwargs)
    if isinstance(learner, str):
        topic_named(learner)
        learner = learner_named(learner)
    if not isinstance(learner, Stepwise):
        raise TypeError(f"bn.practice takes a learner such as bn.kruskal, or its name, not {type(learner).__name__}. "
                        f"For example: bn.practice('kruskal').")
    name = learner.__name__
    if not args and not kwargs:
        return Practice(learner, draw(name, level, seed), level, seed, drawn=True)
    if "seed" in learner.__signature__.parameters:
        kwargs["seed"] = seed
    return Practice(learner, learner.__signature__.bind(*args, **kwargs).arguments)


class Feedback(NamedTuple):
    """What is said to an answer: is it right, and why (not)?"""

    right: bool
    text: str


@dataclass(frozen=True)
class Summary:
    """How a session went: how many answers were right at the first try, which kinds of step went wrong."""

    asked: int
    right: int
    wrong: dict[str, int]  # what a step of this kind does -> how often it went wrong
    lesson: str = ""
    section: str = ""

    def __str__(self) -> str:
        said = [f"{self.right} of {self.asked} right at the first try."]
        said += [f"{times} wrong: {kind}" for kind, times in self.wrong.items()]
        if self.lesson:
            said.append(f"Lesson {self.lesson[:2]} explains it, in the section \"{self.section}\".")
        return "\n".join(said)


class Practice:
    """A session of practice: the questions of one run, the answers so far, and their marks.

    The first answer to a question decides its mark; wrong ones may be corrected, or shown by `reveal`.
    """

    def __init__(self, learner: Stepwise[..., Any, Any], given: dict[str, Any], level: int = 1, seed: int = 0,
                 drawn: bool = False):
        self.learner, self.given, self.level, self.seed, self.drawn = learner, given, level, seed, drawn
        self.result, self.asked = run(learner, given)
        self.answers: list[list[str]] = [[] for _ in self.asked]
        self.at = 0
        self._widget: Any = None
        if not self.asked:
            name = learner.__name__
            raise ValueError(f"{name} decides nothing here that can be asked: give it a larger instance, or have one "
                             f"drawn with bn.practice({name!r})." if name in TOPICS else
                             f"no step of {name} is a question: give its steps a method `question`.")

    @property
    def title(self) -> str:
        """What is practised."""
        name = self.learner.__name__
        return TOPICS[name].title if name in TOPICS else name

    @property
    def done(self) -> bool:
        """Have all questions been answered?"""
        return self.at == len(self.asked)

    @property
    def current(self) -> Asked | None:
        """The question that is to be answered now, with its step; None at the end."""
        return None if self.done else self.asked[self.at]

    @property
    def question(self) -> Question | None:
        """The question that is to be answered now; None at the end."""
        return None if self.done else self.asked[self.at].question

    def answer(self, answer: str) -> Feedback:
        """Judge an answer; if it is right, the run goes on to the next question."""
        if self.done:
            raise ValueError("all questions have been answered; see summary().")
        asked = self.asked[self.at]
        if answer not in asked.question.options:
            raise ValueError(f"{answer!r} is not one of the answers: {', '.join(asked.question.options)}.")
        self.answers[self.at].append(answer)
        if not asked.question.is_right(answer):
            return Feedback(False, asked.question.options[answer])
        self.at += 1
        return Feedback(True, praise(asked, answer))

    def reveal(self) -> Feedback:
        """Give the answer away, and go on. The question counts as not answered."""
        asked = self.asked[self.at]
        self.answers[self.at].append("")
        self.at += 1
        said = "" if asked.question.then else f" {asked.step}"
        return Feedback(False, f"The answer is {asked.question.choice}.{said}")

    def marks(self) -> list[bool]:
        """For each question so far: was the first answer right?"""
        return [bool(given) and bool(given[0]) and one.question.is_right(given[0])
                for one, given in zip(self.asked[:self.at], self.answers)]

    def summary(self) -> Summary:
        """How it went so far."""
        marks = self.marks()
        wrong = Counter(kind_of(one) for one, right in zip(self.asked, marks) if not right)
        topic = TOPICS.get(self.learner.__name__)
        where = (topic.lesson, topic.section) if topic else ("", "")
        return Summary(len(marks), sum(marks), dict(wrong), *where)

    def another(self) -> Practice:
        """A session with the next instance; of an instance that was given, the same again."""
        if not self.drawn:
            return Practice(self.learner, self.given)
        return practice(self.learner.__name__, level=self.level, seed=self.seed + 1)

    # -- display -----------------------------------------------------------------------------------------------
    def widget(self) -> Any:
        """The session as an ipywidgets widget, made once."""
        if self._widget is None:
            from bnteach.course.practice.widget import practice_widget

            self._widget = practice_widget(self)
        return self._widget

    def __repr__(self) -> str:
        if self.question is None:
            return f"Practice: {self.title}. {self.summary()}"
        return "\n".join([f"Practice: {self.title}, question {self.at + 1} of {len(self.asked)}",
                          *self.question.facts, self.question.prompt, *(f"  {one}" for one in self.question.options)])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        from bnteach.course.practice.page import session_html

        shown = {"text/plain": repr(self), "text/html": session_html(self)}  # the latter stays in the saved notebook
        return {**shown, **view(self.widget())} if live() else shown


def praise(asked: Asked, answer: str) -> str:
    """What is said to a right answer: the step in its own words, and which others are right too."""
    question, others = asked.question, [one for one in asked.question.right if one != answer]
    said = "" if question.then else str(asked.step)  # which would answer the next question too
    if not others:
        return said or f"{answer} is right."
    also = f"{', '.join(others)} {'is' if len(others) == 1 else 'are'} right as well"
    goes_on = "" if answer == question.choice else f"; the algorithm goes on with {question.choice}"
    return f"{also}{goes_on}. {said}".strip()


def kind_of(asked: Asked) -> str:
    """What a step of this kind does, from the first line of its class."""
    return escape(cleandoc(type(asked.step).__doc__ or type(asked.step).__name__).splitlines()[0], quote=False)
