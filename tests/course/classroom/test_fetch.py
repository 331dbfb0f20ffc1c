"""What arrives in a student's home, and that nothing there is overwritten."""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary
from nbformat.v4 import new_code_cell, new_notebook

from bnteach.course.classroom.exchange import ClassError, Exchange, release_to
from bnteach.course.classroom.fetch import fetch_exercise, fetch_lessons, places
from bnteach.course.exercises.release import ExerciseError, exercises
from tests.course.exercises.submissions.notebooks import with_answers, write
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


def test_solutions_do_not_come_along(course: Path, home: Path) -> None:
    text = (fetch_lessons(home, course) / "exercises" / "07_chow_liu.ipynb").read_text()
    assert "return 1" not in text and "NotImplementedError" in text


def test_the_real_course_arrives(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = fetch_lessons(home)
    assert [path.name for path in lesson_files(folder)] == [path.name for path in lesson_files()]
    assert {path.stem for path in (folder / "exercises").glob("*.ipynb")} == set(exercises())
    assert not any("BEGIN SOLUTION" in path.read_text(encoding="utf-8") for path in folder.rglob("*.ipynb"))
    assert (home / "exercises").is_dir()
    capsys.readouterr()
    fetch_lessons(home)
    assert capsys.readouterr().out == "", "nothing to say when nothing is new"


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


# -- exercises ---------------------------------------------------------------------------------------------------
def test_an_exercise_is_fetched_once_and_then_kept(exchange: Exchange, home: Path) -> None:
    copy = home / "exercises" / "07_chow_liu" / "07_chow_liu.ipynb"
    assert fetch_exercise("07", exchange, home) == [f"{copy}: fetched"]
    assert copy.read_bytes() == (exchange.outbound / "07_chow_liu" / "07_chow_liu.ipynb").read_bytes()
    assert fetch_exercise("chow_liu", exchange, home) == [f"{copy}: there already"]
    write(with_answers(["7.1"]), copy)
    mine = copy.read_bytes()
    (message,) = fetch_exercise("07", exchange, home)
    assert "kept as you have it" in message and copy.read_bytes() == mine


def test_only_what_is_handed_out_can_be_fetched(exchange: Exchange, home: Path) -> None:
    with pytest.raises(ClassError, match=r"08_overfitting_and_mdl has not been handed out yet. Handed out so far: 07_"):
        fetch_exercise("08", exchange, home)
    with pytest.raises(ExerciseError, match="no exercise '99'"):
        fetch_exercise("99", exchange, home)
    for asked in ("07", "all"):
        with pytest.raises(ClassError, match=r"nothing has been handed out yet, in .*/nowhere/bn/outbound"):
            fetch_exercise(asked, Exchange(home / "nowhere", "bn"), home)
    assert not (home / "exercises").exists()


def test_all_that_is_handed_out_can_be_fetched(exchange: Exchange, home: Path) -> None:
    release_to(exchange, "08")
    assert len(fetch_exercise("all", exchange, home)) == 2
    assert {path.stem for path in (home / "exercises").rglob("*.ipynb")} == {"07_chow_liu", "08_overfitting_and_mdl"}


def test_places_are_named_once(exchange: Exchange, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fetch_exercise("07", exchange, home)
    monkeypatch.chdir(home / "exercises" / "07_chow_liu")
    assert places("07_chow_liu", home) == [home / "exercises" / "07_chow_liu" / "07_chow_liu.ipynb"]
    json.loads(places("07_chow_liu", home)[0].read_text(encoding="utf-8"))
