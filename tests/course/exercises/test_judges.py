"""No wrong program earns full marks: a sample of what `make judges` runs."""

from __future__ import annotations

import pytest

from bnteach.course.exercises.questions import find, lessons, of_lesson
from tests.course.exercises.judges import full_marks, inputs_for, rates
from tests.course.exercises.wrong import programs_of

IDS = [question.id for lesson in lessons() for question in of_lesson(lesson)]


@pytest.mark.parametrize("id", IDS)
def test_no_wrong_program_earns_full_marks(id: str) -> None:
    assert len(programs_of(id)) >= 5, "every question needs five plausible wrong programs, or more"
    assert {mistake: rate for mistake, rate in rates(find(id), secrets=3).items() if rate} == {}


@pytest.mark.parametrize("id", IDS)
def test_the_right_program_earns_full_marks(id: str) -> None:
    assert full_marks(find(id), find(id).right, inputs_for(find(id), 0))
