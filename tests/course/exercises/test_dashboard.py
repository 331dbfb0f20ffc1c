"""The instructor's page: it counts what the records say, and nothing in it can be more than text."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest

from bnteach.course.commands import main as cli
from bnteach.course.exercises.grade import GradeError, Settings, grade
from bnteach.course.exercises.grading import report
from bnteach.course.exercises.grading.class_records import fallen_behind
from bnteach.course.exercises.grading.dashboard import describe_mistakes, read_records, reasons, write_dashboard
from bnteach.course.exercises.grading.sessions import Limits
from tests.course.exercises.submissions.notebooks import untouched, with_answers, write

needs_sandbox = pytest.mark.usefixtures("namespaces")


def question(id: str, how: str, points: int = 0, **more: Any) -> dict[str, Any]:
    return {"id": id, "title": f"Title {id}", "points": points, "of": 2, "how": how, "sentence": f"So {how} <i>.",
            "call": "", **more}


def record(student: str, *questions: dict[str, Any], result: str = "graded", problem: str = "", late: str = "",
           notes: tuple[str, ...] = ()) -> dict[str, Any]:
    points = sum(q["points"] for q in questions) if result == "graded" else 0
    return {"student": student, "exercise": "07_chow_liu", "result": result, "points": points, "of": 4, "late": late,
            "problem": problem, "notes": list(notes), "file": f"{student}/a.ipynb", "sha256": "", "key": "",
            "questions": list(questions)}


CLASS = [
    record("ann", question("7.1", "right", 2), question("7.2", "right", 2)),
    record("bob", question("7.1", "right", 2), question("7.2", "wrong", step=3)),
    record("cy", question("7.1", "wrong", mistake="the logarithm has base e"), question("7.2", "wrong", step=3)),
    record("dee", question("7.1", "wrong", mistake="the logarithm has base e"), question("7.2", "wrong", step=1),
           late="2 h 0 min"),
    record("<b>=eve", question("7.1", "unjudged"), question("7.2", "timeout")),
    record("fay", question("7.1", "crash"), question("7.2", "timeout"),
           notes=("the cell answer_7_1 is gone", "it prints a lot", "the cell answer_7_2 is gone")),
    record("gus", result="unreadable", problem="The file is empty."),
]


@pytest.fixture
def grades(tmp_path: Path) -> Path:
    for i, one in enumerate(CLASS):
        report.write_record(tmp_path, f"name-{i}", one)
    report.write_csv(tmp_path / "grades.csv", CLASS)
    return tmp_path


def text(page: str) -> str:
    return " ".join(html.unescape(re.sub(r"<style>.*?</style>|<[^>]+>", " ", page, flags=re.S)).split())


def test_it_counts_what_the_records_say(grades: Path) -> None:
    page = write_dashboard(grades, ["ann", "bob", "zoe"]).read_text()
    said = text(page)
    assert "2 of 3 students have handed in 7 submissions 6 graded 1 late 3 need a look" in said
    assert "2 of 3 have handed it in; 6 graded, 1.0 of 4 points on average" in said
    assert "Number of students by points: 4 with 0, 1 with 2, 1 with 4" in page
    assert "aria-label='2 right, 2 wrong, 1 crash, 1 unjudged'" in page and "33%" in said
    assert "aria-label='1 right, 3 wrong, 2 timeout'" in page and "17%" in said
    assert "7.1 Title 7.1 2 2 ×: the logarithm has base e." in said
    assert "7.2 Title 7.2 3 The first wrong step is step 3 (2 students), step 1 (1)." in said
    assert "Not handed in 07_chow_liu 1: zoe" in said
    assert "Not on your list 5: <b>=eve, cy, dee, fay, gus" in said
    assert write_dashboard(grades).read_text() == page, "the list is kept"


def test_who_needs_a_look_and_why(grades: Path) -> None:
    assert [reasons(one) for one in CLASS[:4]] == [[]] * 4
    assert reasons(CLASS[4])[0] == "7.1: So unjudged <i>."
    assert reasons(CLASS[5]) == ["gone: answer_7_1, answer_7_2",
                                 "nothing is right, and 2 answers stop with an error or do not end: perhaps one slip"]
    assert reasons(CLASS[6]) == ["The file is empty."]
    page = write_dashboard(grades).read_text()
    assert "<a href='feedback/name-6.html'>gus</a>" in page and "Not handed in" not in page


def test_every_figure_leads_to_its_students(grades: Path, tmp_path: Path) -> None:
    write(untouched(), tmp_path / "in" / "bob" / "a.ipynb")
    page = write_dashboard(grades, ["ann", "zoe"], tmp_path / "in").read_text()
    details = (grades / "dashboard" / "07_chow_liu.html").read_text()
    led_to = re.findall(r"href='([^']+)'", page)
    assert {"#students", "#late", "#look"} <= {*led_to} and len(led_to) > 30
    for address in led_to:
        file, _, place = address.partition("#")
        assert f"id='{place}'" in (grades / (file or "dashboard.html")).read_text() or not place, address
    for address in re.findall(r"href='([^']+)'", details):
        file, _, place = address.partition("#")
        assert f"id='{place}'" in (grades / "dashboard" / file).read_text() or not place, address
    said = text(details)
    assert "✗ not right: 3 student points what happened notebook" in said and "∞ took too long: 2" in said
    assert "0 points: 4 <b>=eve , cy , dee , fay" in said
    assert details.count("href='../in/bob/a.ipynb'>file") == details.count(">file") == 1, "the only one that is there"
    assert write_dashboard(grades).read_text() == page, "where the notebooks are is kept"


def test_the_pages_of_exercises_that_are_gone_go_too(grades: Path) -> None:
    write_dashboard(grades)
    (grades / "dashboard" / "01_old.html").write_text("an exercise that nobody has any more")
    write_dashboard(grades)
    assert [path.name for path in (grades / "dashboard").iterdir()] == ["07_chow_liu.html"]


def test_a_table_over_the_term_and_who_has_fallen_behind(tmp_path: Path) -> None:
    marks = {"ann": (4, 4, 4), "bob": (4, 1, 0), "cy": (3, None, None), "dee": (4, None, 4), "eve": (2, 4, 4)}
    records = [{**record(student, question("7.1", "right", points)), "exercise": f"0{week}_week", "points": points,
                "file": f"{student}/{week}.ipynb"}
               for student, row in marks.items() for week, points in enumerate(row, 1) if points is not None]
    for i, one in enumerate(records):
        report.write_record(tmp_path, f"name-{i}", one)
    report.write_csv(tmp_path / "grades.csv", records)
    page = write_dashboard(tmp_path, [*marks, "zoe"]).read_text()
    said = text(page)
    assert "student 01_week 02_week 03_week total ann 4 4 4 12 of 12 bob 4 1 0 5 of 12 cy 3 – – 3 of 12" in said
    assert "zoe – – – 0 of 12" in said and page.count("class='mark low'") == 2, "bob's second and third"
    assert fallen_behind(records, [*marks, "zoe"], ["01_week", "02_week", "03_week"]) == {
        "cy": "2 of the last 3 exercises not handed in: 02_week, 03_week",
        "zoe": "3 of the last 3 exercises not handed in: 01_week, 02_week, 03_week"}
    records = [one for one in records if one["student"] != "bob" or one["exercise"] != "01_week"]
    assert fallen_behind(records, ["bob"], ["01_week", "02_week", "03_week"]) == {
        "bob": "12% of the points in 02_week, 03_week, where the class has 75%"}
    assert fallen_behind(records, ["zoe"], ["01_week"]) == {}, "one exercise says nothing yet"


def test_late_is_unknown_without_a_time_and_not_asked_without_a_deadline(grades: Path) -> None:
    records = [{**CLASS[0], "time": "", "due": "2027-05-01T22:00:00+00:00", "late": "unknown"}, CLASS[1]]
    report.write_record(grades, "name-0", records[0])
    report.write_csv(grades / "grades.csv", records)
    assert "0 late 1 without a time: late or not is unknown" in text(write_dashboard(grades).read_text())
    report.write_record(grades, "name-0", CLASS[0])
    report.write_csv(grades / "grades.csv", CLASS[:2])
    assert "– late: no deadline was given" in text(write_dashboard(grades).read_text())


def test_names_and_answers_are_text_only(grades: Path) -> None:
    page = write_dashboard(grades, ["<script>alert(1)</script>"]).read_text()
    assert "<b>=eve" not in page and "&lt;b&gt;=eve" in page
    assert "<script" not in page and "http" not in page and "<i>." not in page


def test_a_record_that_is_no_longer_in_the_grades_is_left_alone(grades: Path) -> None:
    report.write_csv(grades / "grades.csv", CLASS[:2])
    assert [one["student"] for one in read_records(grades)] == ["ann", "bob"]


@pytest.mark.parametrize("content", ["", "[]", "{}", None])
def test_a_row_without_a_record_is_not_passed_over(grades: Path, content: str | None) -> None:
    path = grades / "records" / "name-0.json"
    path.unlink() if content is None else path.write_text(content)
    with pytest.raises(GradeError, match=r"1 of the 7 rows .* have no record"):
        read_records(grades)


def test_records_of_an_older_grader(grades: Path) -> None:
    assert describe_mistakes([question("7.1", "wrong")]) == ""


def test_the_command(grades: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "students.csv").write_text("student,mail\nann,a@example.org\n# gone: bob\nzoe # new\n\nzoe,twice\n")
    assert cli.main(["dashboard", str(grades), "--students", str(tmp_path / "students.csv")]) == 0
    assert capsys.readouterr().out.strip() == str(grades / "dashboard.html")
    said = text((grades / "dashboard.html").read_text())
    assert "1 of 2 students have handed in" in said and "07_chow_liu 1: zoe" in said
    assert cli.main(["dashboard", str(tmp_path / "nowhere")]) == 1
    assert "there is no grades.csv in it" in capsys.readouterr().err
    assert cli.main(["dashboard", str(grades), "--students", str(tmp_path / "none.csv")]) == 1
    assert "cannot be read" in capsys.readouterr().err
    (grades / "dashboard.html").unlink()
    (grades / "dashboard.html").mkdir()
    assert cli.main(["dashboard", str(grades)]) == 1
    assert "Is a directory" in capsys.readouterr().err


@needs_sandbox
def test_grading_makes_it_and_knows_the_first_wrong_step(tmp_path: Path) -> None:
    lightest = "def kruskal(weights):\n    return sorted(weights, key=weights.get)"
    write(with_answers(["7.1"], {"7.4": lightest}), tmp_path / "in" / "ann" / "07_chow_liu.ipynb")
    write(untouched(), tmp_path / "in" / "bob" / "07_chow_liu.ipynb")
    grade(Settings(tmp_path / "in", tmp_path / "out", limits=Limits(seconds=3)))
    said = text((tmp_path / "out" / "dashboard.html").read_text())
    assert "The first wrong step is step 1 (1 student)." in said and "2 students have handed in" in said
