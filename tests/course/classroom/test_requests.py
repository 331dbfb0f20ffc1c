"""Requests for another look, and solutions after the deadline."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bnteach.course.classroom.exchange import ClassError
from bnteach.course.classroom.requests import MAX_BYTES, ask, collected, read
from bnteach.course.classroom.solutions import still_open, write_solution
from bnteach.course.commands.main import main
from bnteach.course.exercises.grading import report
from bnteach.course.exercises.grading.asked import read_requests
from bnteach.course.exercises.grading.late import extend
from bnteach.course.exercises.grading.settle import settle_all, terms_of
from bnteach.course.exercises.release import exercises
from tests.course.exercises.test_dashboard import question, record

CLASS = [{**record("ann", question("7.1", "right", 2), question("7.2", "wrong")), "time": "", "due": ""},
         {**record("bob", question("7.1", "right", 2), question("7.2", "wrong")), "time": "", "due": ""}]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A class's folder with grades, beside an exchange; we are ann."""
    monkeypatch.setenv("BNTEACH_EXCHANGE", str(tmp_path / "exchange"))
    monkeypatch.setenv("BNTEACH_COURSE", "stats")
    monkeypatch.setenv("JUPYTERHUB_USER", "ann")
    (tmp_path / "exchange" / "stats" / "inbound").mkdir(parents=True)
    (tmp_path / "submitted").mkdir()
    for i, one in enumerate(CLASS):
        report.write_record(tmp_path / "grades", f"name-{i}", one)
    report.write_csv(tmp_path / "grades" / "grades.csv", CLASS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_asked_listed_answered_and_kept(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["class", "ask", "7.2", "the edges <b>are</b> tied"]) == 0
    assert main(["class", "requests"]) == 0
    said = capsys.readouterr().out
    assert "the edges <b>are</b> tied" in said and "0 of 2 points: So wrong" in said
    assert "bnteach class answer ann 7.2" in said
    assert main(["class", "answer", "ann", "7.2", "--points", "99", "--reason", "so they are"]) == 1
    assert "99.0 is not between 0 and 2" in capsys.readouterr().err
    assert main(["class", "requests"]) == 0 and "answered" not in capsys.readouterr().out, "still to be answered"
    assert main(["class", "answer", "ann", "7.2", "--points", "1.5", "--reason", "so they are"]) == 0
    assert "1.5 of 2 points" in capsys.readouterr().out
    page = (folder / "grades" / "feedback" / "name-0.html").read_text()
    assert "You asked for another look: the edges &lt;b&gt;are&lt;/b&gt; tied" in page
    assert "The answer: so they are" in page and "3.5 of 4 points" in page
    assert "asked" not in (folder / "grades" / "feedback" / "name-1.html").read_text()
    assert main(["class", "requests"]) == 0 and "All requests are answered" in capsys.readouterr().out
    assert main(["class", "requests", "--all"]) == 0 and "answered: so they are" in capsys.readouterr().out

    report.write_record(folder / "grades", "name-0", CLASS[0])  # as a new grading leaves it
    assert settle_all(folder / "grades", terms_of(folder / "submitted", folder / "grades")) == 1
    assert "so they are" in (folder / "grades" / "feedback" / "name-0.html").read_text()


def test_what_was_asked_elsewhere_is_noted(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["class", "ask", "7.2", "after the lecture", "--student", "bob"]) == 0
    assert main(["class", "answer", "bob", "7.2", "--reason", "no"]) == 0
    page = (folder / "grades" / "feedback" / "name-1.html").read_text()
    assert "after the lecture" in page and "The answer: no" in page and "2 of 4 points" in page
    assert main(["class", "ask", "7.2", "x", "--student", "zoe"]) == 1
    assert main(["class", "answer", "ann", "7.2", "--reason", "no"]) == 1
    assert "ann has not asked about 7.2" in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "says"), [
    (("ask", "7.99", "x"), "there is no question '7.99'"), (("ask", "7.2", " "), "say why, in at most"),
    (("ask", "7.2", "x" * 3000), "say why, in at most"), (("answer", "ann", "7.2", "--reason", " "), "has not asked")])
def test_what_cannot_be_is_refused(folder: Path, arguments: tuple[str, ...], says: str,
                                   capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["class", *arguments]) == 1 and says in capsys.readouterr().err
    assert not list((folder / "exchange" / "stats" / "inbound").iterdir())


def test_a_second_request_asks_anew_and_the_first_is_not_read_twice(folder: Path) -> None:
    exchange, grades = folder / "exchange" / "stats", folder / "grades"
    ask(exchange, "7.2", "first")
    assert [one["asked"] for one in collected(exchange, grades).values()] == ["first"]
    assert main(["class", "answer", "ann", "7.2", "--reason", "no"]) == 0
    assert [one["answer"] for one in collected(exchange, grades).values()] == ["no"]
    requests = read_requests(grades)
    key, = requests
    requests[key]["time"] = "2020-01-01T00:00:00+00:00"
    (grades / "requests.json").write_text(json.dumps(requests))
    assert collected(exchange, grades)[key]["answer"] == "", "a newer one has no answer yet"


TRICKS: dict[str, Callable[[Path, Path], object]] = {
    "a link": lambda file, secret: file.symlink_to(secret),
    "no JSON": lambda file, _: file.write_text("{"),
    "another question": lambda file, _: file.write_text('{"question": "../7.2", "reason": "x"}'),
    "no such question": lambda file, _: file.write_text('{"question": "7.99", "reason": "x"}'),
    "a list": lambda file, _: file.write_text("[]"),
    "deep": lambda file, _: file.write_text("[" * MAX_BYTES),
    "a pipe": lambda file, _: os.mkfifo(file),
    "a second place": lambda file, secret: os.link(secret, file),
}


@pytest.mark.parametrize("trick", TRICKS)
def test_what_is_no_request_is_passed_over(trick: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text('{"question": "7.2", "reason": "a secret"}')
    (tmp_path / "entry").mkdir()
    TRICKS[trick](tmp_path / "entry" / "request.json", secret)
    assert read(tmp_path / "entry") is None


# -- solutions ---------------------------------------------------------------------------------------------------
def test_solutions_come_out_after_the_last_deadline(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    exercise, submitted = exercises()["07_chow_liu"], folder / "submitted"
    assert main(["class", "solutions", "07"]) == 1
    assert "no deadline of 07_chow_liu is known" in capsys.readouterr().err
    (submitted / ".deadlines.json").write_text('{"07_chow_liu": "2099-05-01T22:00:00+00:00"}')
    with pytest.raises(ClassError, match=r"is due 2099-05-01 22:00 UTC\. .* give --force"):
        write_solution(exercise, folder / "release", submitted)
    (submitted / ".deadlines.json").write_text('{"07_chow_liu": "2020-05-01T22:00:00+00:00"}')
    extend(submitted, "ann", "07_chow_liu", "2099-05-08 12:00", "in hospital")
    assert still_open("07_chow_liu", submitted) == "07_chow_liu was due, but ann has until 2099-05-08 12:00 UTC."
    assert main(["class", "solutions", "07"]) == 1 and not (folder / "release").exists()
    extend(submitted, "ann", "07_chow_liu", "", "")
    assert main(["class", "solutions", "07"]) == 0
    written = json.loads((folder / "release" / "07_chow_liu_solution" / "07_chow_liu_solution.ipynb").read_text())
    code = ["".join(cell["source"]) for cell in written["cells"] if cell["cell_type"] == "code"]
    assert not any("SOLUTION" in one or "NotImplementedError" in one for one in code)
    assert any("ratio = p / (n_x / N * n_y / N)\n    return" in one for one in code)
    (submitted / ".deadlines.json").unlink()
    assert main(["class", "solutions", "07", "--force", "--out", "elsewhere"]) == 0


def test_every_exercise_keeps_its_code_without_the_marks_of_solutions(tmp_path: Path) -> None:
    for exercise in exercises().values():
        written = json.loads(write_solution(exercise, tmp_path, tmp_path, force=True).read_text())
        for before, after in zip(exercise.notebook["cells"], written["cells"], strict=True):
            lines = [line for line in "".join(before["source"]).splitlines() if " SOLUTION" not in line]
            assert "".join(after["source"]).splitlines() == lines
