"""What is kept of students is listed, and deleted on request: all of one student, nothing of others or outside."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from bnteach.course.classroom.privacy import exchange_of
from bnteach.course.commands.main import main
from bnteach.course.exercises.grading import report
from bnteach.course.exercises.grading.dashboard import write_dashboard
from bnteach.course.exercises.grading.late import Rule, extend, set_rule
from bnteach.course.exercises.grading.settle import change_mark
from tests.course.exercises.test_dashboard import question, record

STUDENTS = ("ann", "bob", "annabel")
TIME = "2027-05-01 21:59:00.000000 UTC"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A class's folder with everything that a term leaves, and something beside it."""
    for name in ("BNTEACH_EXCHANGE", "BNTEACH_COURSE"):
        monkeypatch.delenv(name, raising=False)
    folder, outside = tmp_path / "class", tmp_path / "outside"
    for student in STUDENTS:
        for part in ("submitted", "attempts", "autograded", "feedback"):
            text(folder / part / student / "07_chow_liu" / "07_chow_liu.ipynb", student)
        text(tmp_path / "exchange" / "stats" / "inbound" / f"{student}+07_chow_liu+{TIME}+x" / "a.ipynb", student)
        text(tmp_path / "exchange" / "stats" / "feedback" / f"{student}.html", f"<title>07_chow_liu: {student}</title>")
        text(folder / "returned" / f"{student}-1" / "07_chow_liu.html", student)
    text(folder / "returned" / "mail.csv", "student,file\r\n" + "".join(f"{s},{s}-1/07.html\r\n" for s in STUDENTS))
    text(folder / "attempts.csv", "student,exercise\r\n" + "".join(f"{s},07\r\n" for s in STUDENTS))
    text(folder / "students.txt", "\n".join(STUDENTS) + "\n")
    text(folder / ".nbgrader.log", "".join(f"[I] copied {s}+07 of {s}\n" for s in STUDENTS))
    text(folder / "nbgrader_config.py", f"c = get_config()\nc.Exchange.root = '{tmp_path / 'exchange'}'\n"
                                        f"c.CourseDirectory.course_id = 'stats'\n")
    write_grades(folder)
    text(outside / "ann" / "thesis.txt", "ann")
    (folder / "submitted" / "ann" / "link").symlink_to(outside / "ann")
    return folder


def text(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, encoding="utf-8", newline="")


def write_grades(folder: Path) -> None:
    grades = folder / "grades"
    records = [{**record(student, question("7.1", "right", 2)), "file": f"{student}/07_chow_liu/07_chow_liu.ipynb"}
               for student in STUDENTS]
    for student, one in zip(STUDENTS, records):
        report.write_record(grades, f"{student}-x", one)
    report.write_csv(grades / "grades.csv", records)
    text(grades / "worth_a_look.csv", "exercise,student,other student,what\n07_chow_liu,ann,bob,same\n"
                                      "07_chow_liu,annabel,bob,same\n07_chow_liu,bob,ann,same\n")
    write_dashboard(grades, STUDENTS)
    for student in STUDENTS:
        change_mark(grades, student, "7.1", 1, "r")
        set_rule(grades, student, Rule("1", reason="r"))
        extend(folder / "submitted", student, "07_chow_liu", "2027-05-08 12:00", "r")


def names(folder: Path, student: str) -> list[str]:
    """Where a student is still named: in names of files, or in what they hold."""
    found = []
    for path in (one for one in folder.rglob("*") if one.is_file()):
        words = (path.relative_to(folder).as_posix() + " " + path.read_text(encoding="utf-8")).replace("annabel", "")
        found += [str(path)] if student in words else []
    return found


def everything(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_first_it_is_only_listed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = everything(folder.parent)
    assert main(["class", "delete", "ann", "--folder", str(folder)]) == 0
    said = capsys.readouterr().out
    for place in ("attempts/ann: the folder, with 1 files", "grades/by_hand.json: 1 lines or entries",
                  "feedback/ann.html: the file", "ann+07_chow_liu", "Nothing has been deleted"):
        assert place in said
    assert "annabel" not in said and "bob" not in said
    assert everything(folder.parent) == before


def test_a_student_is_deleted_everywhere_and_nobody_else(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    others = {path: content for path, content in everything(folder.parent).items() if "bob" in path.name}
    command = ["class", "delete", "ann", "--delete", "--folder", str(folder)]
    monkeypatch.setattr("builtins.input", lambda question: "annabel")
    assert main(command) == 1 and names(folder, "ann"), "another name was typed"
    monkeypatch.setattr("builtins.input", lambda question: "ann")
    assert main(command) == 0
    assert names(folder, "ann") == names(folder.parent / "exchange", "ann") == []
    assert everything(folder.parent / "outside"), "a link in a hand-in is not followed"
    assert {path: path.read_bytes() for path in others} == others
    for student in ("bob", "annabel"):
        assert (folder / "submitted" / student / "07_chow_liu" / "07_chow_liu.ipynb").read_text() == student
        assert f"{student}/07_chow_liu/7.1" in json.loads((folder / "grades" / "by_hand.json").read_text())
        assert student in (folder / "grades" / "dashboard.html").read_text()
    assert (folder / ".nbgrader.log").read_text().count("copied") == 2
    assert len((folder / "grades" / "worth_a_look.csv").read_text().splitlines()) == 2
    assert main(command) == 1, "nothing is left of her"


def test_a_class_is_deleted_and_the_instructors_files_stay(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text(folder / "README.md", "mine")
    text(folder.parent / "exchange" / "other" / "inbound" / "ann+07+x+y" / "a.ipynb", "another course")
    assert main(["class", "privacy", "--folder", str(folder)]) == 0
    said = capsys.readouterr().out
    assert "attempts: 3 files" in said and "stats/inbound: 3 files" in said and "students' homes" in said
    assert main(["class", "delete", "--all", "--delete", "--yes", "--folder", str(folder)]) == 0
    assert sorted(path.name for path in folder.iterdir()) == ["README.md", "nbgrader_config.py"]
    assert not list((folder.parent / "exchange" / "stats" / "inbound").iterdir())
    assert everything(folder.parent / "exchange" / "other") and everything(folder.parent / "outside")
    assert main(["class", "delete", "--all", "--folder", str(folder)]) == 1


@pytest.mark.parametrize("name", ["..", "../outside", "."])
def test_a_name_that_leads_elsewhere_is_refused(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = everything(folder.parent)
    assert main(["class", "delete", name, "--delete", "--yes", "--folder", str(folder)]) == 1
    assert "cannot be the name of a student" in capsys.readouterr().err and everything(folder.parent) == before


def test_a_folder_that_is_a_link_is_left_alone(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.rename(folder / "attempts", folder.parent / "large-disk")
    (folder / "attempts").symlink_to(folder.parent / "large-disk")
    assert main(["class", "delete", "ann", "--delete", "--yes", "--folder", str(folder)]) == 1
    assert "a folder above it is a link. Nothing has been deleted" in capsys.readouterr().err
    assert names(folder, "ann") and (folder.parent / "large-disk" / "ann").is_dir()


def test_a_misspelt_name_and_no_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["class", "delete", "bobb", "--folder", str(folder)]) == 1
    assert "Did you mean 'bob'?" in capsys.readouterr().err
    assert main(["class", "delete", "--folder", str(folder)]) == 1
    assert "say who" in capsys.readouterr().err


@pytest.mark.filterwarnings("ignore:Object of type")  # SQLAlchemy's, on how nbgrader adds a submission
def test_the_student_leaves_nbgraders_gradebook_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    api = pytest.importorskip("nbgrader.api", reason="pip install bnteach[class]")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")  # for alembic
    with api.Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        monkeypatch.undo()
        gradebook.add_assignment("07_chow_liu")
        for student in STUDENTS:
            gradebook.add_student(student)
            gradebook.add_submission("07_chow_liu", student)
    assert main(["class", "delete", "ann", "--delete", "--yes", "--folder", str(folder)]) == 0
    with api.Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        assert {one.id for one in gradebook.students} == {"bob", "annabel"}
        assert {one.student.id for one in gradebook.assignment_submissions("07_chow_liu")} == {"bob", "annabel"}


def test_the_exchange_is_the_one_that_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert exchange_of(folder) == folder.parent / "exchange" / "stats"
    monkeypatch.setenv("BNTEACH_COURSE", "nothing")
    assert exchange_of(folder) is None
