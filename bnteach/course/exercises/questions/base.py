"""What a question is: how its inputs are drawn, what the right answer is, and how an answer is judged.

Every answer is a function that the student writes, and it is called on newly drawn inputs, so that no constant can be
the answer. It is judged in one of three ways.

    right       the library computes the right answer, and the two are compared (course/comparing.py). `mistakes` lists
                the results of common mistakes: an answer that equals one of them gets its sentence.
    options     the answer is a walk, a generator of steps. Wherever ties leave a choice, `options` lists all right next
                steps; the first step that is not among them is reported, with what a right run does there, and why.
    examine     the answer is a construction, such as a counterexample. The algorithm is run on it.

A wrong answer earns nothing, except where steps are asked for: there it keeps a share of the points (`Question.credit`).
On each input the share is the number of right steps before the first wrong one, divided by the number of steps of a
right run plus one for stopping in time. The mean of the shares is taken over the inputs that were drawn and whose right
run has two steps or more, and the points are rounded down to a tenth. So the lesson's own example, a first step that is
wrong, an immediate stop and an answer that is the same for all inputs earn nothing, and full marks need every input.

A question is data and plain functions; it never sees a student's code, only what that code has returned, as plain
data (grading/plain.py). `withheld` names what the answer must not call (grading/withhold.py), since the student
is asked to write it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np

from bnteach.course.comparing import NO_RETURN, difference, items_of, kind, same, show, slip
from bnteach.course.exercises.grading.plain import Odd, One, Steps
from bnteach.graphs.dag import DAG
from bnteach.graphs.pdag import PDAG

MAX_SENTENCE = 1000  # characters
MAX_RUN = 1000  # steps
KINDS = ("one line", "three lines", "lines in order", "function", "steps", "build", "practice")


class Judgement(NamedTuple):
    """Whether an answer is right; if not, a helpful sentence, the first wrong step, or the common mistake that it is."""

    ok: bool
    sentence: str = ""
    step: int = 0
    mistake: str = ""
    right: int = 0  # how many steps are right before the first wrong one
    length: int = 0  # how many steps a right run has

    @property
    def share(self) -> Fraction:
        """How much of a right run there is before the first wrong step; stopping in time counts as a step."""
        return Fraction(1) if self.ok else Fraction(self.right, self.length + 1)


class Options(NamedTuple):
    """The steps that may come next (none at the end) and the reason; `why` may depend on the step that was taken."""

    steps: Sequence[Any]
    why: str | Callable[[Any], str]


@dataclass(frozen=True)
class Question:
    """One question of an exercise."""

    id: str  # "7.2"
    title: str
    function: str  # the name of the function that the student writes
    kind: str
    draw: Callable[[np.random.Generator], tuple]
    right: Callable[..., Any]
    points: int = 1
    first: tuple[tuple, ...] = ()  # inputs that are always used first: the lesson's own example
    draws: int = 4
    adversarial: Callable[[np.random.Generator], Iterable[tuple]] | None = None  # where common mistakes show
    mistakes: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    options: Callable[..., Options] | None = None
    examine: Callable[..., str] | None = None
    withheld: tuple[str, ...] = ()

    def inputs(self, seed: int | Sequence[int]) -> list[tuple]:
        """The arguments of each call: the fixed ones, the adversarial ones under drawn names, then those drawn freely."""
        random = np.random.default_rng(seed)
        adversarial = self.adversarial(random) if self.adversarial else ()
        return [*self.first, *adversarial, *(self.draw(random) for _ in range(self.draws))]

    def judge(self, answer: Any, arguments: tuple) -> Judgement:
        """Judge what the function returned for these arguments."""
        if self.options is not None:
            return judge_walk(answer, lambda taken: self.options(*arguments, taken=taken))
        problem, mistake = self._compare(answer, arguments) if self.examine is None else (
            self._examine(answer, arguments), "")
        return Judgement(not problem, problem[:MAX_SENTENCE], mistake=mistake)

    def credit(self, answers: Sequence[Any], inputs: Sequence[tuple]) -> float:
        """The points that answers keep of which not all are right; those that are missing at the end count as wrong."""
        known = len(self.first)
        answers, inputs = answers[known:], inputs[known:]
        if self.options is None or all(answer == answers[0] for answer in answers):
            return 0
        judged = [self.judge(answer, arguments) for answer, arguments in zip_longest(answers, inputs)]
        return self.keeps([one.share for one in judged if one.length > 1])

    def keeps(self, shares: Sequence[Fraction]) -> float:
        """The points for the mean of these shares, rounded down to a tenth, and never all of them."""
        tenths = int(10 * self.points * sum(shares) / len(shares)) if shares else 0
        return as_points(min(tenths, 10 * self.points - 1) / 10)

    def _examine(self, answer: Any, arguments: tuple) -> str:
        """Run the algorithm on the construction; a right one is not shown, since there is only one idea to find."""
        if isinstance(answer, Steps) and not answer.cut:
            answer = answer.steps
        if isinstance(answer, dict):
            answer = {key: value.item() if isinstance(value, One) else value for key, value in answer.items()}
        if answer is None:
            return f"there is no answer (None): {NO_RETURN}"
        if isinstance(answer, Odd | Steps):
            given = "an endless generator" if isinstance(answer, Steps) else show(answer)
            return f"you give {given}, and {kind(self.right(*arguments))} is asked for"
        return self.examine(answer, *arguments)

    def _compare(self, answer: Any, arguments: tuple) -> tuple[str, str]:
        """A sentence, empty if the answer is right, and the common mistake that it is, if any."""
        problem = difference(answer, self.right(*arguments))
        for sentence, wrong in self.mistakes.items() if problem else ():
            try:
                if same(answer, wrong(*arguments)):
                    return f"{problem.partition(': this')[0]}: {sentence}", sentence
            except (ArithmeticError, ValueError, LookupError):
                continue  # this mistake is impossible with these arguments
        return problem, ""

    def call(self, arguments: tuple) -> str:
        """The call as text: "prim({...}, 'A')"."""
        return f"{self.function}({', '.join(map(show_input, arguments))})"


def as_points(points: float) -> float:
    """Points with one decimal, where one is needed.

    >>> as_points(0.1 + 0.2), as_points(2.0)
    (0.3, 2)
    """
    points = round(points, 1)
    return int(points) if points == int(points) else points


_END = Odd("the end")


def judge_walk(answer: Any, options: Callable[[list[Any]], Options]) -> Judgement:
    """Follow a student's steps as long as each is right; why the first wrong one is wrong, and its number."""
    steps = answer.steps if isinstance(answer, Steps) else answer
    if problem := _no_steps(steps, options([]).steps):
        return Judgement(False, problem[:MAX_SENTENCE], length=_length([], options))
    taken: list[Any] = []
    for step in [*items_of(steps), _END]:
        allowed, why = options(taken)
        match = next((right for right in allowed if step is not _END and same(step, right)), None)
        if match is not None:
            taken.append(match)
        elif step is _END and not allowed:
            return Judgement(True, right=len(taken), length=len(taken))
        else:
            break
    right, problem = len(taken), _wrong_step(step, len(taken) + 1, allowed, why)
    return Judgement(False, problem[:MAX_SENTENCE], right + 1, right=right, length=_length(taken, options))


def _wrong_step(step: Any, number: int, allowed: Sequence[Any], why: str | Callable[[Any], str]) -> str:
    """Why a step is wrong, or why it is wrong to stop."""
    because = slip(step, allowed[0]) if len(allowed) == 1 else ""
    because = because or (why(step) if callable(why) else why)
    if step is _END:
        so_far = f"{number - 1} step{'s' * (number != 2)}"
        return f"it stops after {so_far}, and step {number} should be {_or(allowed)}: {because}"
    right = f"it should be {_or(allowed)}" if allowed else "there should be no more"
    return f"step {number} is {show(step)}, and {right}: {because}"


def _length(taken: list[Any], options: Callable[[list[Any]], Options]) -> int:
    """How many steps a right run has that begins with these."""
    taken = [*taken]
    while len(taken) < MAX_RUN and (allowed := options(taken).steps):
        taken.append(allowed[0])
    return len(taken)


def _no_steps(steps: Any, first: Sequence[Any]) -> str:
    """A sentence if these are no steps at all, or a single step that was returned instead of yielded."""
    if steps is None:
        return "there is no answer (None): perhaps a yield is missing"
    if isinstance(steps, Odd | set | frozenset) or items_of(steps) is None:
        return "steps are asked for: a generator that yields them, or a list, and you give " + show(steps)
    if not isinstance(steps, One) and any(same(steps, step) for step in first):
        return f"this is one step, {show(steps)}: a return ends the function, so yield each step, or return a list of all"
    whole = items_of(steps)
    if len(whole) == 1 and items_of(whole[0]) and any(same(items_of(whole[0])[0], step) for step in first):
        return f"all steps come at once, {show(whole[0])}: yield each of them separately"
    return ""


def _or(steps: Sequence[Any]) -> str:
    shown = [show(step) for step in steps[:3]]
    return " or ".join(shown) + (f" (or one of {len(steps) - 3} more)" if len(steps) > 3 else "")


def show_input(value: Any) -> str:
    """A short description of an argument; a small table row by row."""
    from bnteach.scores.base import Score
    from bnteach.tables.measurements import Measurements
    from bnteach.tables.table import Table

    if isinstance(value, Table) and len(value) <= 12 and len(value.variables) <= 5:
        rows = zip(*([value.states(name)[code] for code in value.codes(name)] for name in value.variables))
        return f"[{', '.join(value.variables)}: {'; '.join(' '.join(map(str, row)) for row in rows)}]"
    if isinstance(value, Table | Measurements):
        return f"a table of {len(value)} rows over {', '.join(value.variables)}"
    if isinstance(value, Score):
        return f"{type(value).__name__} of {show_input(value.data)}"
    if isinstance(value, float):
        return f"{value:.10g}"
    if isinstance(value, DAG | PDAG):
        return repr(value)
    if isinstance(value, list | tuple) and len(value) <= 20:
        inside = ", ".join(map(show_input, value))
        return f"[{inside}]" if isinstance(value, list) else f"({inside}{',' * (len(value) == 1)})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{show_input(k)}: {show_input(v)}" for k, v in list(value.items())[:20]) + "}"
    return show(value, 240)
