"""The grader against bad submissions: nobody gets more than is honest, nobody stops the others, everybody is told."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bnteach.course.grade import Settings, grade
from bnteach.course.grading import namespaces
from bnteach.course.grading.marking import tidy
from bnteach.course.grading.sessions import Limits
from tests.submissions.sins import SINS, make_all

QUICK = Limits(wall=3, cpu=3)
needs_sandbox = pytest.mark.skipif(bool(namespaces.available()), reason="no namespaces here: " + namespaces.available())


@pytest.fixture(scope="module")
def sinners(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, dict]]:
    """All sins, graded together: the folder of submissions, and the record of each sin."""
    folder = tmp_path_factory.mktemp("sins")
    students = make_all(folder / "submitted")
    records = grade(Settings(folder / "submitted", folder / "out", jobs=2, limits=QUICK))
    return folder, {sin: record for sin, student in students.items() for record in records
                    if record["student"] == tidy(student)}


@needs_sandbox
@pytest.mark.parametrize("name", SINS)
def test_a_sin_earns_what_is_honest_and_is_told(name: str, sinners: tuple[Path, dict[str, dict]]) -> None:
    sin, record = SINS[name], sinners[1][name]
    assert record["points"] == sin.earns, json.dumps(record, indent=1)
    question = next((q for q in record["questions"] if q["id"] == "7.4"), None)
    assert sin.how == (question["how"] if question else record["result"]), json.dumps(record, indent=1)
    told = " ".join([record["problem"], *record["notes"], *(q["sentence"] for q in record["questions"])])
    assert sin.words.lower() in told.lower(), told
    assert told or record["points"] == record["of"], "somebody who does not get all points is told why"
