"""Extensions and late rules: applied to what is graded, with their reasons, and taken back without a trace."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from bnteach.course.commands.main import main
from bnteach.course.exercises.grading import report
from bnteach.course.exercises.grading.late import EXTENSIONS, Rule, read_extensions, set_rule
from bnteach.course.exercises.grading.sandboxes import GradeError
from bnteach.course.exercises.grading.settle import change_mark, settle_all, terms_of
from tests.course.exercises.test_dashboard import question, record

DUE = "2027-05-01T22:00:00+00:00"
CAME = {"ann": "2027-05-02T23:00:00+00:00", "bob": "2027-05-01T22:10:00+00:00", "cy": "", "dee": DUE}
CLASS = [{**record(student, question("7.1", "right", 2), question("7.2", "right", 2)), "time": time, "due": DUE}
         for student, time in CAME.items()]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A class's folder, with grades and submissions."""
    for i, one in enumerate(CLASS):
        report.write_record(tmp_path / "grades", f"name-{i}", one)
    report.write_csv(tmp_path / "grades" / "grades.csv", CLASS)
    (tmp_path / "submitted").mkdir()
    (tmp_path / "submitted" / ".deadlines.json").write_text(json.dumps({"07_chow_liu": DUE}))
    return tmp_path


def run(folder: Path, *arguments: str) -> int:
    return main(["class", *arguments, "--grades", str(folder / "grades"), "--submitted", str(folder / "submitted")])


def marks(folder: Path) -> dict[str, tuple[str, str]]:
    with open(folder / "grades" / "grades.csv", encoding="utf-8", newline="") as file:
        return {row["student"]: (row["points"], row["late"]) for row in csv.DictReader(file)}


def test_a_day_costs_what_the_rule_says_and_no_more_when_it_is_gone(folder: Path,
                                                                    capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "late", "25%", "--grace", "15") == 0
    assert "all: 25% per day begun, after 15 minutes of grace" in capsys.readouterr().out
    assert marks(folder) == {"ann": ("2", "1 d 1 h"), "bob": ("4", "10 min"), "cy": ("4", "unknown"), "dee": ("4", "")}
    page = (folder / "grades" / "feedback" / "name-0.html").read_text()
    assert "2 points are lost for lateness: 25% per day begun" in page and "2 of 4 points" in page
    assert "2 points lost for lateness: 25% per day begun" in (folder / "grades" / "grades.csv").read_text()
    assert "it is not known" not in page
    assert "is not known" in (folder / "grades" / "feedback" / "name-2.html").read_text()

    assert run(folder, "late", "1", "--student", "ann", "--reason", "a long way") == 0
    assert marks(folder)["ann"] == ("2", "1 d 1 h")
    assert run(folder, "late", "0", "--student", "ann", "--reason", "a long way") == 0
    assert marks(folder)["ann"] == ("4", "1 d 1 h")
    assert run(folder, "late", "none", "--student", "ann") == run(folder, "late", "none") == 0
    assert marks(folder)["ann"] == ("4", "1 d 1 h") and "costs nothing" in capsys.readouterr().out


def test_an_extension_counts_for_one_student_and_is_shown_with_its_reason(folder: Path) -> None:
    assert run(folder, "late", "1") == 0
    assert run(folder, "extend", "ann", "07", "2027-05-03 00:00+02:00", "--reason", "in <hospital>") == 0
    assert marks(folder)["ann"] == ("3", "1 h 0 min"), "an hour after her own deadline"
    assert run(folder, "extend", "ann", "07", "2027-05-08 00:00+02:00", "--reason", "in <hospital>") == 0
    assert marks(folder) == {"ann": ("4", ""), "bob": ("3", "10 min"), "cy": ("4", "unknown"), "dee": ("4", "")}
    assert "extended to 2027-05-07 22:00 UTC: in &lt;hospital&gt;" in (
        folder / "grades" / "feedback" / "name-0.html").read_text()
    assert run(folder, "extend", "ann", "07", "none") == 0
    assert marks(folder)["ann"] == ("2", "1 d 1 h") and read_extensions(folder / "submitted") == {}


def test_a_name_that_nobody_has_is_pointed_out(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "submitted" / "annabel").mkdir()
    assert run(folder, "extend", "anabel", "07", "2027-05-08 23:59", "--reason", "x") == 0
    assert "has nothing of anabel yet. Did you mean 'annabel'?" in capsys.readouterr().out
    (folder / "submitted" / ".deadlines.json").write_text("[]")
    assert run(folder, "extend", "ann", "07", "2027-05-08 23:59", "--reason", "x") == 1
    assert "cannot be read" in capsys.readouterr().err


def test_rules_and_marks_by_hand_go_together(folder: Path) -> None:
    set_rule(folder / "grades", "", Rule("50%", at_most="2.5"))
    assert settle_all(folder / "grades", terms_of(folder / "submitted", folder / "grades")) == 3, "dee was in time"
    assert change_mark(folder / "grades", "ann", "7.1", 1, "half right")["points"] == 0.5, "3 points, and 2.5 are lost"
    assert change_mark(folder / "grades", "ann", "7.1", 0, "wrong")["points"] == 0, "no less than nothing"
    assert change_mark(folder / "grades", "ann", "7.1", None, "")["points"] == 1.5
    assert settle_all(folder / "grades", terms_of(folder / "submitted", folder / "grades")) == 0, "once is enough"


@pytest.mark.parametrize(("arguments", "says"), [
    (("extend", "ann", "07", "soon", "--reason", "x"), "'soon' is no time"),
    (("extend", "ann", "07", "2027-05-08 23:59"), "needs a reason"),
    (("extend", "ann", "07", "2027-04-08 23:59", "--reason", "x"), "before the class's deadline"),
    (("extend", "ann", "07", "none"), "ann has no extension"),
    (("late", "much"), "'much' is neither points nor a share"),
    (("late", "1", "--student", "ann"), "needs a reason"), (("late", "1", "--grace", "-5"), "-5 minutes of grace")])
def test_what_cannot_be_is_refused_and_nothing_changes(folder: Path, arguments: tuple[str, ...], says: str,
                                                       capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert run(folder, *arguments) == 1
    assert says in capsys.readouterr().err
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_files_that_are_spoilt_are_not_passed_over(folder: Path) -> None:
    (folder / "submitted" / EXTENSIONS).write_text('{"07_chow_liu": {"ann": "later"}}')
    with pytest.raises(GradeError, match=r"extensions in .* cannot be read"):
        terms_of(folder / "submitted", folder / "grades")
    (folder / "submitted" / EXTENSIONS).unlink()
    (folder / "grades" / "late_rule.json").write_text('{"": {"per_day": "lots"}}')
    with pytest.raises(GradeError, match="late rule in"):
        terms_of(folder / "submitted", folder / "grades")
