"""Marking a question that is answered by practice: the choices are read from the source of a cell, and replayed.

Nothing of the submission is run, here or in a sandbox: the call bn.practice("4.8", "Ann Lee", "3f2a: 2 1 3") is read as
text. A name that is not that of the submission, or choices for another instance, are no mistake in a step: they are
reported to the instructor as not judged, with what they would be worth.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from bnteach.course.exercises.check import kept
from bnteach.course.exercises.grading.judging import JUDGE_SECONDS, Mark, judge_failed, make_mark, time_limit
from bnteach.course.exercises.grading.similarity import parse
from bnteach.course.exercises.grading.submissions import Submission
from bnteach.course.exercises.questions.practised import Practised, replay
from bnteach.course.exercises.release import cell_id
from bnteach.course.practice.graded import Graded, NotReadable, name_key


def mark_practice(one: Submission, question: Practised) -> Mark:
    """The mark of the choices that a submission holds."""
    try:
        name, choices = written(one, question)
        with time_limit(JUDGE_SECONDS):
            session = Graded(question, name, choices, one.class_seed)
            judged = replay(session)
    except NotReadable as error:
        return make_mark(question, "missing", str(error))
    except Exception as error:  # must neither cost points silently nor stop the grading
        return make_mark(question, "unjudged", judge_failed(error))
    if session.foreign:
        return make_mark(question, "unjudged", judged.sentence)
    points = question.points if judged.ok else question.keeps([judged.share])
    if name_key(name) != name_key(one.student):
        return make_mark(question, "unjudged", f"the choices are for the name {name!r}, and the submission is that of "
                         f"{one.student!r}. For that name they would be worth {points} of {question.points} points")
    if judged.ok:
        return replace(make_mark(question, "right", f"right, all {judged.length} choices"), points=points)
    wrong = replace(make_mark(question, "wrong", judged.sentence), points=points, step=judged.step)
    return replace(wrong, sentence=f"{wrong.sentence} {kept(points, question.points)}") if points else wrong


def written(one: Submission, question: Practised) -> tuple[Any, Any]:
    """The name and the choices in the last call of bn.practice for this question, its own cell first."""
    own = cell_id("answer", question.id)
    calls = [call for id, source in sorted(one.cells, key=lambda cell: cell[0] == own)  # its own cell counts most
             for call in calls_in(parse(source), question.id)]
    if not calls:
        raise NotReadable(f'no choices are written yet: {question.function} should return bn.practice("{question.id}", '
                          f'"your name", "your choices")')
    named = {target.id: node.value for _, source in one.cells for node in parse(source).body
             if isinstance(node, ast.Assign) for target in node.targets if isinstance(target, ast.Name)}
    name, choices = (literal(calls[-1].get(what, ast.Constant("")), named) for what in ("name", "choices"))
    return name or one.student, choices


def calls_in(tree: ast.Module, id: str) -> Iterator[dict[str | None, ast.expr]]:
    """The arguments, by name, of each call of practice for this question."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "practice":
            given = dict(zip(("id", "name", "choices"), node.args)) | {word.arg: word.value for word in node.keywords}
            if isinstance(first := given.get("id"), ast.Constant) and first.value == id:
                yield given


def literal(node: ast.expr, named: dict[str, ast.expr]) -> Any:
    """What is written there, or under a name that a cell gives to it."""
    node = named.get(node.id, node) if isinstance(node, ast.Name) else node
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise NotReadable(f"write your name and your choices in the call itself, and not {ast.unparse(node)[:80]!r}: "
                          f"they are read from the cell, and the cell is not run") from None
