"""After grading: marks by hand, feedback returned, the term's table, and files for Moodle and Canvas."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from bnteach.course.classroom.exchange import ClassError
from bnteach.course.classroom.totals import fill_canvas, fill_moodle, totals, write_totals
from bnteach.course.commands.main import main
from bnteach.course.exercises.grade import Settings, grade
from bnteach.course.exercises.grading import report
from bnteach.course.exercises.grading.by_hand import applied, read_changes
from bnteach.course.exercises.grading.sandboxes import GradeError, refused
from bnteach.course.exercises.grading.settle import change_mark
from tests.course.exercises.submissions.notebooks import untouched, write
from tests.course.exercises.test_dashboard import question, record

CLASS = [
    record("ann@example.edu", question("7.1", "right", 2), question("7.2", "wrong", 1)),
    record("bob", question("7.1", "right", 2), question("7.2", "right", 2)),
    record("Cy Young_1234567", question("7.1", "wrong"), question("7.2", "right", 2)),
    record("=dee", question("7.1", "wrong"), question("7.2", "wrong")),
    record("gus", result="unreadable", problem="The file is empty."),
]


@pytest.fixture
def grades(tmp_path: Path) -> Path:
    folder = tmp_path / "grades"
    for i, one in enumerate(CLASS):
        report.write_record(folder, f"name-{i}", one)
    report.write_csv(folder / "grades.csv", CLASS)
    return folder


def rows_of(path: Path) -> list[dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


# -- the term's table ----------------------------------------------------------------------------------------------
def test_the_table_has_everyone_and_adds_up(grades: Path, tmp_path: Path) -> None:
    other = {**CLASS[1], "exercise": "08_overfitting_and_mdl", "points": 3, "of": 6, "file": "bob/b.ipynb"}
    report.write_record(tmp_path / "more", "name", other)
    report.write_csv(tmp_path / "more" / "grades.csv", [other])
    table = totals([grades, tmp_path / "more"], ["bob", "zoe"])
    write_totals(table, tmp_path / "totals.csv")
    found = {row["student"]: row for row in rows_of(tmp_path / "totals.csv")}
    assert list(found) == ["'=dee", "Cy Young_1234567", "ann@example.edu", "bob", "zoe"]
    assert list(found["bob"].values()) == ["bob", "4", "3", "7", "10", "70.0"]
    assert found["zoe"]["07_chow_liu"] == "" and found["zoe"]["total"] == "0"
    assert found["'=dee"]["07_chow_liu"] == "0", "handed in, and nothing right: not the same as not handed in"


def test_the_same_mark_twice_is_an_error(grades: Path) -> None:
    with pytest.raises(ClassError, match="has two marks for 07_chow_liu"):
        totals([grades, grades])


# -- Moodle and Canvas ---------------------------------------------------------------------------------------------
MOODLE = ("Identifier,Full name,Email address,Status,Grade,Maximum grade,Grade can be changed,"
          "Last modified (submission),Last modified (grade),Feedback comments\r\n"
          'Participant 99,Ann Lee,ann@example.edu,Submitted,,100.00,Yes,-,"Monday, 2 March 2026",\r\n'
          "Participant 1234567,Cy Young,cy@example.edu,Submitted,,100.00,Yes,-,-,\r\n"
          "Participant 5,Bob Ray,bob@example.edu,Submitted,12.00,100.00,Yes,-,-,well done\r\n"
          "Participant 6,Eve Poe,eve@example.edu,No submission,,100.00,Yes,-,-,\r\n")


def test_moodles_worksheet_is_filled_in_and_nothing_else_changes(grades: Path, tmp_path: Path) -> None:
    worksheet, out = tmp_path / "worksheet.csv", tmp_path / "filled.csv"
    worksheet.write_text("\ufeff" + MOODLE, encoding="utf-8", newline="")
    assert fill_moodle(worksheet, totals([grades]), "07_chow_liu", out) == ["=dee"]
    before, after = rows_of(worksheet), rows_of(out)
    assert [row["Grade"] for row in after] == ["75", "50", "100", ""], "3, 2 and 4 of 4 points, in hundredths"
    rest = [key for key in after[0] if key not in ("Grade", "Identifier")]
    assert [[row[key] for key in rest] for row in after] == [[row[key] for key in rest] for row in before]
    assert [row["Identifier"] for row in after][:2] == ["Participant 99", "Participant 1234567"]


CANVAS = ("Student,ID,SIS User ID,SIS Login ID,Section,07_chow_liu (4711),Exercise 8 (4712),Final Score\r\n"
          "    Points Possible,,,,,8.0,6.0,(read only)\r\n"
          '"Lee, Ann",1,s1,ann@example.edu,A,,,50\r\n'
          '"Ray, Bob",2,s2,bob,A,1,,60\r\n'
          '"Roy, Bob",3,s3,bob2,B,,,60\r\n'
          '"Student, Test",4,,t,B,,,\r\n')


def test_canvas_gradebook_is_filled_in(grades: Path, tmp_path: Path) -> None:
    gradebook, out = tmp_path / "gradebook.csv", tmp_path / "filled.csv"
    gradebook.write_text(CANVAS, encoding="utf-8", newline="")
    left = fill_canvas(gradebook, totals([grades]), "07_chow_liu", out)
    assert sorted(left) == ["=dee", "Cy Young_1234567"]
    after = rows_of(out)
    assert [row["07_chow_liu (4711)"] for row in after] == ["8.0", "6", "8", "", ""], "of 8 points there, 4 here"
    assert [row["Exercise 8 (4712)"] for row in after] == ["6.0", "", "", "", ""]
    with pytest.raises(ClassError, match="0 columns called 'Exercise 7'"):
        fill_canvas(gradebook, totals([grades]), "07_chow_liu", out, "Exercise 7")


def test_canvas_with_semicolons_last_names_and_somebody_excused(grades: Path, tmp_path: Path) -> None:
    """As Canvas also exports it, and reads it back: separators by the first lines, last and first names apart."""
    text = ("LastName;FirstName;ID;SIS Login ID;Section;07_chow_liu (4711)\r\n;;;;;Manual Posting\r\n"
            "    Points Possible;;;;;8,0\r\nLee;Ann;1;ann@example.edu;A;EX\r\nRay;Bob;2;bob;A;1,5\r\n")
    (tmp_path / "g.csv").write_text(text, encoding="utf-8", newline="")
    left = fill_canvas(tmp_path / "g.csv", totals([grades]), "07_chow_liu", tmp_path / "o.csv")
    assert sorted(left) == ["=dee", "Cy Young_1234567", "ann@example.edu (excused in Canvas)"]
    assert (tmp_path / "o.csv").read_text(encoding="utf-8") == text.replace("1,5", "8").replace("\r", "")
    (tmp_path / "g.csv").write_text(text.replace("8,0", "(read only)"), encoding="utf-8", newline="")
    with pytest.raises(ClassError, match="read only in Canvas"):
        fill_canvas(tmp_path / "g.csv", totals([grades]), "07_chow_liu", tmp_path / "o.csv")


@pytest.mark.parametrize(("text", "says"), [("a,b\r\n1,2\r\n", "no column 'Identifier'"), ("", "no column")])
def test_another_file_is_refused_and_nothing_is_written(text: str, says: str, grades: Path, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.csv"
    wrong.write_text(text)
    with pytest.raises(ClassError, match=says):
        fill_moodle(wrong, totals([grades]), "07_chow_liu", tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_a_name_that_two_rows_have_gets_no_mark(grades: Path, tmp_path: Path) -> None:
    twice = MOODLE.replace("Eve Poe,eve@example.edu", "Bob,bob@other.edu")
    (tmp_path / "w.csv").write_text(twice, encoding="utf-8", newline="")
    assert "bob" in fill_moodle(tmp_path / "w.csv", totals([grades]), "07_chow_liu", tmp_path / "o.csv")


# -- by hand -------------------------------------------------------------------------------------------------------
def test_a_mark_is_changed_with_a_reason_and_back(grades: Path, capsys: pytest.CaptureFixture) -> None:
    command = ["class", "mark", "bob", "7.2", "--grades", str(grades)]
    assert main([*command, "0.5", "--reason", "copied <b>"]) == 0
    assert "bob has 2.5 of 4 points" in capsys.readouterr().out
    assert {row["student"]: row["points"] for row in rows_of(grades / "grades.csv")}["bob"] == "2.5"
    page = (grades / "feedback" / "name-1.html").read_text()
    assert "Marked by hand, 0.5 in place of 2: copied &lt;b&gt;" in page
    assert main([*command, "judged"]) == 0
    assert json.loads((grades / "records" / "name-1.json").read_text()) == CLASS[1]
    assert "by hand" not in (grades / "feedback" / "name-1.html").read_text()
    assert read_changes(grades) == {}


@pytest.mark.parametrize(("student", "which", "points", "reason", "says"), [
    ("bob", "7.2", 9, "x", "9 is not between 0 and 2"), ("bob", "7.2", 1, " ", "needs a reason"),
    ("bob", "7.9", 1, "x", "no graded submission of 'bob'"), ("bo", "7.2", 1, "x", "no graded submission"),
    ("bob", "7.2", None, "", "was not changed by hand")])
def test_what_cannot_be_is_refused(grades: Path, student: str, which: str, points: float | None, reason: str,
                                   says: str) -> None:
    with pytest.raises(GradeError, match=says):
        change_mark(grades, student, which, points, reason)
    assert read_changes(grades) == {}


def test_applying_twice_is_applying_once() -> None:
    changes = {"bob/07_chow_liu/7.1": {"points": 1, "reason": "r", "time": ""}}
    once = applied(CLASS[1], changes)
    assert once["points"] == 3 and applied(once, changes) == once and applied(once, {}) == CLASS[1]


def test_a_mark_by_hand_is_kept_when_all_is_graded_again(tmp_path: Path) -> None:
    if why := refused():
        pytest.skip(f"no namespaces here: {why}")
    write(untouched("07_chow_liu"), tmp_path / "in" / "ann" / "07_chow_liu.ipynb")
    settings = Settings(tmp_path / "in", tmp_path / "grades")
    grade(settings, tell=lambda _: None)
    change_mark(tmp_path / "grades", "ann", "7.1", 1, "explained it at the board")
    for again in (False, True):
        after, = grade(Settings(tmp_path / "in", tmp_path / "grades", again=again), tell=lambda _: None)
        assert after["points"] == 1 and after["questions"][0]["judged"] == 0


def test_a_spoilt_file_of_marks_stops_grading(grades: Path) -> None:
    (grades / "by_hand.json").write_text('{"bob/07_chow_liu/7.1": 3}')
    with pytest.raises(GradeError, match="marks that were changed by hand"):
        read_changes(grades)


# -- returning -----------------------------------------------------------------------------------------------------
def test_each_student_gets_their_own_page_and_no_other(grades: Path, tmp_path: Path,
                                                       capsys: pytest.CaptureFixture) -> None:
    out = tmp_path / "returned"
    assert main(["class", "return", "07", "--grades", str(grades), "--out", str(out)]) == 0
    rows = rows_of(out / "mail.csv")
    assert [row["student"] for row in rows] == ["'=dee", "Cy Young_1234567", "ann@example.edu", "bob", "gus"]
    for row, one in zip(rows, sorted(CLASS, key=lambda one: one["student"])):
        page = (out / row["file"]).read_text()
        assert f"{one['points']} of 4 points" in page
        assert not any(other["student"] in page for other in CLASS if other is not one and other["student"] != "=dee")
    assert len({row["file"] for row in rows}) == len(rows)
    assert main(["class", "return", "08", "--grades", str(grades), "--out", str(out)]) == 1
    assert "has no grades of 08" in capsys.readouterr().err


def test_the_command_for_moodle_lists_whom_it_did_not_find(grades: Path, tmp_path: Path,
                                                           capsys: pytest.CaptureFixture) -> None:
    (tmp_path / "w.csv").write_text(MOODLE, encoding="utf-8", newline="")
    asked = ["class", "totals", str(grades), "--moodle", str(tmp_path / "w.csv"), "--out", str(tmp_path / "o.csv")]
    assert main(asked) == 1 and "--exercise 07" in capsys.readouterr().err
    assert main([*asked, "--exercise", "07"]) == 3
    said = capsys.readouterr().out
    assert "3 marks of 07_chow_liu\nNot filled in (no row, more than one, or excused) for 1: =dee" in said
