"""What arrives in a student's home, and that nothing there is overwritten."""

from __future__ import annotations

import json
import re
from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary
from nbformat.v4 import new_code_cell, new_notebook, new_output

from bnteach.course.classroom.lessons import fetch_lessons
from bnteach.course.exercises.copies import links_to_folders
from bnteach.course.exercises.release import exercises
from tests.lessons import lesson_files

SOLVED = "def f():\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION"


@pytest.fixture(autouse=True)
def own_signatures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A course of two lessons and an exercise."""
    edition(tmp_path / "course", "first")
    return tmp_path / "course"


def edition(folder: Path, text: str) -> None:
    """Write an edition of the course."""
    files = {"06_likelihood": text, "07_chow_liu": text, "exercises/07_chow_liu": f"{SOLVED}\n# {text}"}
    for name, code in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(new_notebook(cells=[new_code_cell(code, id="a")]), folder / f"{name}.ipynb")


# -- lessons -----------------------------------------------------------------------------------------------------
def test_a_changed_lesson_survives_an_update_of_the_course(course: Path, home: Path) -> None:
    folder = fetch_lessons(home, course)
    mine = folder / "07_chow_liu.ipynb"
    mine.write_text(mine.read_text().replace("first", "my own work"))
    edition(course, "second")
    fetch_lessons(home, course)
    assert "my own work" in mine.read_text() and "second" not in mine.read_text()
    assert "second" in (folder / "06_likelihood.ipynb").read_text(), "what was not changed is brought up to date"
    edition(course, "third")
    fetch_lessons(home, course)
    assert "my own work" in mine.read_text()


def test_a_lesson_that_was_renamed_stays_and_the_new_edition_comes(course: Path, home: Path) -> None:
    folder = fetch_lessons(home, course)
    (folder / "07_chow_liu.ipynb").rename(folder / "mine.ipynb")
    edition(course, "second")
    fetch_lessons(home, course)
    assert "first" in (folder / "mine.ipynb").read_text() and "second" in (folder / "07_chow_liu.ipynb").read_text()


def test_a_lesson_that_was_only_opened_or_run_is_not_changed(course: Path, home: Path) -> None:
    """JupyterLab fills in what Python it was and saves by itself; running a cell adds its outputs."""
    folder = fetch_lessons(home, course)
    opened = folder / "07_chow_liu.ipynb"
    notebook = nbformat.read(opened, as_version=4)
    notebook.metadata["language_info"] = {"name": "python", "version": "3.12.1"}
    notebook.cells[0].update(execution_count=3, outputs=[new_output("stream", text="seen")])
    nbformat.write(notebook, opened)
    saved = opened.read_bytes()
    fetch_lessons(home, course)
    assert opened.read_bytes() == saved, "without a new edition it stays, outputs and all"
    edition(course, "second")
    fetch_lessons(home, course)
    assert "second" in opened.read_text() and "seen" not in opened.read_text()


def test_a_record_of_an_older_bnteach_is_understood(course: Path, home: Path) -> None:
    """It had the sum of a file's bytes alone."""
    folder = fetch_lessons(home, course)
    record = folder / ".copied-by-bnteach.json"
    old = {name: sums.split()[0] for name, sums in json.loads(record.read_text()).items()}
    record.write_text(json.dumps(old))
    mine = folder / "06_likelihood.ipynb"
    mine.write_text(mine.read_text().replace("first", "my own work"))
    edition(course, "second")
    fetch_lessons(home, course)
    assert "second" in (folder / "07_chow_liu.ipynb").read_text() and "my own work" in mine.read_text()


def test_exercises_and_exams_do_not_come_along(course: Path, home: Path) -> None:
    (course / "exam").mkdir()
    (course / "exam" / "solutions.toml").write_text("")
    folder = fetch_lessons(home, course)
    there = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.name[:1] != ".")
    assert there == ["06_likelihood.ipynb", "07_chow_liu.ipynb", "exercises"]


def test_the_real_course_arrives(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = fetch_lessons(home)
    assert [path.name for path in lesson_files(folder)] == [path.name for path in lesson_files()]
    capsys.readouterr()
    fetch_lessons(home)
    assert capsys.readouterr().out == "", "nothing to say when nothing is new"


def test_links_between_lessons_and_fetched_exercises_lead_somewhere(home: Path) -> None:
    folder, found = fetch_lessons(home), 0
    for name, exercise in exercises().items():
        fetched = folder / "exercises" / name / f"{name}.ipynb"
        fetched.parent.mkdir()
        fetched.write_bytes(links_to_folders(exercise.path.read_bytes()))
    for path in folder.rglob("*.ipynb"):
        for link in re.findall(r"\]\(([^):]+\.ipynb)", path.read_text(encoding="utf-8")):
            assert (path.parent / link).is_file(), f"{path.name}: {link}"
            found += 1
    assert found > 50


def test_lessons_are_trusted_but_not_what_a_student_changed(course: Path, home: Path) -> None:
    folder = fetch_lessons(home, course)
    mine = folder / "07_chow_liu.ipynb"
    mine.write_text(mine.read_text().replace("first", "from a friend"))
    edition(course, "second")
    fetch_lessons(home, course)
    notary = NotebookNotary()
    trusted = {path.stem: notary.check_signature(nbformat.read(path, 4)) for path in folder.glob("*.ipynb")}
    notary.store.close()
    assert trusted == {"06_likelihood": True, "07_chow_liu": False}
