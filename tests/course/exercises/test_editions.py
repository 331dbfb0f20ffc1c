"""An exercise that is corrected in the middle of the term: nothing that was handed in, or marked by hand, is lost."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from bnteach.course.exercises.grade import Settings, grade
from bnteach.course.exercises.grading import editions
from bnteach.course.exercises.grading.report import Record, feedback_page
from bnteach.course.exercises.grading.sessions import Limits
from bnteach.course.exercises.grading.settle import change_mark
from bnteach.course.exercises.questions import q07
from tests.course.exercises.here import Here
from tests.course.exercises.submissions.notebooks import untouched, with_answers, write

pytestmark = pytest.mark.usefixtures("namespaces")
DOUBLED = ("from math import log2\ndef cell(n, n_x, n_y, rows):\n"
           "    return 2 * n / rows * log2(n * rows / (n_x * n_y)) if n else 0.0")


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Three who have handed in: a right answer, what the corrected judge asks for, and none."""
    monkeypatch.setattr("bnteach.course.exercises.grade.LocalWorkers", lambda jobs: Here())
    write(with_answers(["7.1"]), tmp_path / "in" / "ann" / "07_chow_liu.ipynb")
    write(with_answers([], {"7.1": DOUBLED}), tmp_path / "in" / "bob" / "07_chow_liu.ipynb")
    write(untouched(), tmp_path / "in" / "cy" / "07_chow_liu.ipynb")
    return Settings(tmp_path / "in", tmp_path / "out", limits=Limits(seconds=3))


def correct(monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge of 7.1 was wrong by a factor of two; now it is right, and 7.1 has two points."""
    corrected = replace(q07.QUESTIONS[0], right=lambda *counts: 2 * q07.cell(*counts), points=2, first=(), mistakes={})
    monkeypatch.setattr(q07, "QUESTIONS", (corrected, *q07.QUESTIONS[1:]))
    monkeypatch.setattr(editions, "judge", lambda lesson: "corrected")


def graded(settings: Settings) -> tuple[dict[str, Record], list[str]]:
    said: list[str] = []
    return {record["student"]: record for record in grade(settings, said.append)}, said


def test_old_hand_ins_are_graded_by_the_corrected_judge(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    before, _ = graded(settings)
    assert {student: record["points"] for student, record in before.items()} == {"ann": 1, "bob": 0, "cy": 0}
    change_mark(settings.out, "cy", "7.2", 1, "explained it at the board")
    handed_in = {path: path.read_bytes() for path in settings.folder.rglob("*.ipynb")}

    correct(monkeypatch)
    after, said = graded(settings)
    assert said == [], "nothing is kept as it was"
    assert {student: record["points"] for student, record in after.items()} == {"ann": 0, "bob": 2, "cy": 1}
    assert after["cy"]["questions"][1]["reason"] == "explained it at the board"
    assert {path: path.read_bytes() for path in settings.folder.rglob("*.ipynb")} == handed_in
    assert editions.corrections(after.values()) == [
        "07_chow_liu was corrected after 3 had been graded; marks changed for 2: ann: 7.1 1 → 0; bob: 7.1 0 → 2"]
    assert "the mark was 1 before" in feedback_page(after["ann"])
    assert "was corrected after" not in feedback_page(after["cy"])
    assert "marks changed for 2: ann" in (settings.out / "dashboard.html").read_text()

    again, said = graded(settings)
    assert said == ["3 of 3 were graded before and are kept."] and again == after
    assert graded(replace(settings, again=True))[0] == after, "earlier marks are not lost by grading anew"
    write(with_answers(["7.1", "7.2"]), settings.folder / "ann" / "07_chow_liu.ipynb")
    assert "earlier" not in graded(settings)[0]["ann"], "handed in after the correction"


def test_the_edition_of_a_judge_is_that_of_its_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = {path.name for path in editions.modules([f"{editions.QUESTIONS}.q07"])}
    assert {"q07.py", "base.py", "inputs.py", "read.py", "comparing.py"} <= names and "q08.py" not in names
    shutil.copytree(editions.PACKAGE / "course", tmp_path / "bnteach" / "course",
                    ignore=shutil.ignore_patterns("__pycache__", "pages", "classroom"))
    judges = {lesson: editions.judge(lesson) for lesson in (7, 10)}
    monkeypatch.setattr(editions, "PACKAGE", tmp_path / "bnteach")
    fresh = editions.judge.__wrapped__
    assert {lesson: fresh(lesson) for lesson in judges} == judges
    q7 = tmp_path / "bnteach" / "course" / "exercises" / "questions" / "q07.py"
    q7.write_text(q7.read_text() + "# corrected\n")
    assert fresh(7) != judges[7] and fresh(10) == judges[10]


def test_a_record_of_another_text_is_of_another_edition(settings: Settings) -> None:
    before = graded(settings)[0]["ann"]
    older = {**before, "edition": "another", "key": "another"}
    path = next((settings.out / "records").glob("ann*"))
    path.write_text(json.dumps(older))
    after = graded(settings)[0]["ann"]
    assert after["earlier"] == [{"edition": "another", "marks": {m["id"]: m["points"] for m in before["questions"]}}]
    assert editions.changed(after) == {}
