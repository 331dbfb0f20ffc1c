"""bn.hint: every question of exercises 1 to 8, 17 and 18 has a ladder, and no hint gives the solution away."""

import json
import re

import pytest

import bnteach as bn
from bnteach.course.exercises.copies import BEGIN, END, source_of
from bnteach.course.exercises.hints import RUNGS, ladders
from bnteach.course.exercises.questions import of_lesson
from bnteach.course.exercises.release import find_exercises

QUESTIONS = [question.id for lesson in (*range(1, 9), 17, 18) for question in of_lesson(lesson)]


def test_every_question_has_a_question_a_step_and_the_idea():
    assert sorted(ladders()) == sorted(QUESTIONS)
    for id, rungs in ladders().items():
        assert len(rungs) == len(RUNGS) and len(set(rungs)) == len(RUNGS), id
        assert "?" in rungs[0] and all(rung.endswith((".", "?", ")")) for rung in rungs), id
        assert all(20 <= len(rung) <= 400 for rung in rungs), id


def solution_lines():
    """The lines of all solutions, without spaces, that are long enough to give something away."""
    for exercise in find_exercises("all"):
        for cell in json.loads(exercise.path.read_text(encoding="utf-8"))["cells"]:
            for solution in re.findall(rf"{BEGIN}\n(.*?){END}", source_of(cell), re.DOTALL):
                bare = (re.sub(r"\s|^\s*return ", "", line) for line in solution.splitlines())
                yield from (line for line in bare if len(line) >= 12)


def test_no_hint_has_a_line_of_a_solution():
    lines = set(solution_lines())
    assert len(lines) > 150
    said = re.sub(r"\s", "", " ".join(" ".join(rungs) for rungs in ladders().values()))
    assert [line for line in lines if line in said] == []


def test_code_in_hints_is_a_name_or_an_example_of_one():
    for id, rungs in ladders().items():
        for code in re.findall(r"`([^`]+)`", " ".join(rungs)):
            assert re.fullmatch(r"\w+", code), (id, code)


def test_text_and_page():
    first, all_of_it = bn.hint("4.5"), bn.hint("4.5", 3)
    assert repr(first).count("\n") == 1 and repr(first).endswith('(bn.hint("4.5", 2) adds a step.)')
    assert [line.split(":")[0] for line in repr(all_of_it).splitlines()] == list(RUNGS)
    html = first._repr_html_()
    assert html.count("<details") == html.count("</details>") == 2 and " open" not in html
    assert all_of_it._repr_html_().count(" open>") == 2


@pytest.mark.parametrize(("ask", "message"), [
    (lambda: bn.hint("4.5", 4), "1, 2 and 3; 4 is none"),
    (lambda: bn.hint("9.1"), r"question 9\.1, .* has no hints yet"),
    (lambda: bn.hint("4.55"), r"no question '4\.55'; lesson 4 has 4\.1")])
def test_what_there_is_no_hint_for(ask, message):
    with pytest.raises((ValueError, LookupError), match=message):
        ask()
