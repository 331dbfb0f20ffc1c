"""Every exercise: solved it gets full marks, untouched none; its source is what nbgrader and our grader expect."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from bnteach.course.commands import main as cli
from bnteach.course.exercises.copies import END, student_file, without_solution
from bnteach.course.exercises.grade import Settings, choose_sandbox, grade
from bnteach.course.exercises.grading.sessions import Limits
from bnteach.course.exercises.questions import lessons, of_lesson
from bnteach.course.exercises.release import (
    BEGIN,
    Exercise,
    ExerciseError,
    cell_id,
    exercises,
    find_exercises,
    grade_id,
    release,
    release_archive,
    source_of,
    student_copy,
)
from tests.course.exercises.submissions.notebooks import source, untouched, write

ALL = exercises()
each = pytest.mark.parametrize("exercise", ALL.values(), ids=list(ALL))


# -- solved and untouched ------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict]:
    """The records of every exercise, solved and untouched: one class, graded at once."""
    folder = tmp_path_factory.mktemp("exercises")
    for name in ALL:
        write(source(name), folder / "in" / "Ann Lee" / name / f"{name}.ipynb")
        write(untouched(name), folder / "in" / "untouched" / name / f"{name}.ipynb")
    limits = Limits(seconds=30)
    settings = Settings(folder / "in", folder / "out", choose_sandbox(unsafe=True), jobs=2, limits=limits)
    return {(record["student"], record["exercise"]): record for record in grade(settings)}


@each
def test_solved_gets_full_marks(exercise: Exercise, records: dict) -> None:
    record = records["Ann Lee", exercise.name]  # what is practised depends on the name
    assert record["notes"] == [] and record["problem"] == ""
    assert [(q["id"], q["how"], q["sentence"]) for q in record["questions"] if q["how"] != "right"] == []
    assert record["points"] == record["of"] == sum(question.points for question in exercise.questions) > 0


@each
def test_untouched_gets_none(exercise: Exercise, records: dict) -> None:
    record = records["untouched", exercise.name]
    assert record["points"] == 0
    assert {q["how"] for q in record["questions"]} == {"missing"}


# -- the sources -----------------------------------------------------------------------------------------------------
def test_every_lesson_with_questions_has_its_exercise() -> None:
    assert [exercise.lesson for exercise in ALL.values()] == lessons()


@each
def test_every_question_has_its_cells_and_its_points(exercise: Exercise) -> None:
    cells = {grade_id(cell): cell for cell in exercise.notebook["cells"]}
    assert len(cells) == len(exercise.notebook["cells"]), "every cell has an id of its own"
    assert 4 <= len(exercise.questions) <= 9
    for question in exercise.questions:
        answer, check = cells[cell_id("answer", question.id)], cells[cell_id("check", question.id)]
        assert source_of(check) == f'bn.check("{question.id}", {question.function})'
        assert check["metadata"]["nbgrader"]["points"] == question.points
        assert f"def {question.function}(" in source_of(answer)
        assert BEGIN in source_of(answer) and END in source_of(answer)
        text = "\n".join(source_of(cell) for cell in exercise.notebook["cells"] if cell["cell_type"] == "markdown")
        assert f"## {question.id} {question.title}" in text
    ids = [id for id in cells if id.startswith(("answer", "check"))]
    assert len(ids) == 2 * len(exercise.questions)


@each
def test_every_kind_of_question_is_asked_from_easy_to_hard(exercise: Exercise) -> None:
    kinds = [question.kind for question in exercise.questions if question.kind != "practice"]  # which comes last
    assert kinds[:2] == ["one line", "three lines"] and kinds[-1] == "build"
    assert "lines in order" in kinds and {"function", "steps"} & set(kinds)


@each
def test_lines_to_put_in_order_are_those_of_the_solution(exercise: Exercise) -> None:
    cells = {grade_id(cell): source_of(cell) for cell in exercise.notebook["cells"]}
    for question in exercise.questions:
        if question.kind == "lines in order":
            text = next(text for text in cells.values() if text.startswith(f"## {question.id} "))
            given = [line.strip() for line in text.splitlines() if line.startswith("    ")]
            answer = cells[cell_id("answer", question.id)]
            solution = [line.strip() for line in answer.partition(BEGIN)[2].partition(END)[0].strip().splitlines()]
            extra = [line for line in given if line not in solution]
            assert sorted(solution) == sorted(line for line in given if line in solution) and solution != given
            assert len(extra) == ("not\nbelong" in text or "not belong" in text), extra


@each
def test_metadata_are_nbgraders(exercise: Exercise) -> None:
    for cell in exercise.notebook["cells"]:
        found = cell["metadata"]["nbgrader"]
        answer, check = found["grade_id"].startswith("answer"), found["grade_id"].startswith("check")
        assert (found["solution"], found["locked"], found["grade"]) == (answer, not answer, check)
        assert found["schema_version"] == 3 and found["task"] is False
        assert ("points" in found) == check
        assert cell.get("outputs", []) == [] and cell.get("execution_count") is None


@each
def test_given_code_needs_no_answer(exercise: Exercise) -> None:
    assert exercise.given, "a first cell that imports the library"
    space: dict = {"__name__": "__main__"}
    for code in exercise.given:
        exec(code, space)
    assert space["bn"].__name__ == "bnteach"
    assert not {question.function for question in exercise.questions} & set(space)


@each
def test_links_lead_somewhere(exercise: Exercise) -> None:
    import re

    text = "\n".join(source_of(cell) for cell in exercise.notebook["cells"] if cell["cell_type"] == "markdown")
    for target in re.findall(r"\]\((?!https?:|#)([^)\s]+)\)", text):
        assert (exercise.path.parent / target).exists(), f"a link to {target}"


# -- the students' copies ----------------------------------------------------------------------------------------------
@each
def test_no_solution_is_left(exercise: Exercise) -> None:
    copy = student_copy(exercise.notebook)
    text = json.dumps(copy)
    assert "SOLUTION" not in text and text.count("raise NotImplementedError()") >= len(exercise.questions)
    for cell, ours in zip(copy["cells"], exercise.notebook["cells"]):
        assert cell["metadata"] == ours["metadata"] and cell["id"] == ours["id"]
        if (grade_id(cell) or "").startswith("answer"):
            compile(source_of(cell), "copy", "exec")
            solution = [line for line in source_of(ours).splitlines() if line not in source_of(cell).splitlines()]
            assert len(solution) > 2 and not any(line.strip() and line in source_of(cell) for line in solution)
        else:
            assert source_of(cell) == source_of(ours)


def test_the_archive_for_instructors_has_both(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["release", "--instructor", "--out", str(tmp_path)]) == 0
    (path,) = map(Path, capsys.readouterr().out.split())
    archive = zipfile.ZipFile(path)
    assert len(archive.namelist()) == 2 * len(ALL) + 1 and "exam.md" in archive.namelist()
    for exercise in ALL.values():
        assert archive.read(f"solutions/{exercise.path.name}") == exercise.path.read_bytes()
        assert archive.read(f"students/{exercise.path.name}") == student_file(exercise.path)
    before = path.read_bytes()
    assert cli.main(["release", "--instructor", "--out", str(tmp_path)]) == 0 and path.read_bytes() == before


def test_where_there_are_only_copies_there_is_no_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exercise = ALL["07_chow_liu"]
    copied = Exercise(tmp_path / exercise.path.name)
    copied.path.write_bytes(student_file(exercise.path))
    assert copied.stubs == exercise.stubs and copied.given == exercise.given and copied.digest == exercise.digest
    monkeypatch.setattr("bnteach.course.exercises.release.exercises", lambda: {copied.name: copied})
    with pytest.raises(ExerciseError, match="Run this in a checkout"):
        release_archive("all", tmp_path)


def test_a_source_is_not_changed_by_making_a_copy() -> None:
    before = source("07_chow_liu")
    student_copy(ALL["07_chow_liu"].notebook)
    assert source("07_chow_liu") == before


@pytest.mark.parametrize("code, words", [
    (f"{BEGIN}\n{BEGIN}\n{END}", "begins inside another"), (f"{BEGIN}\nx = 1", "has no ### END SOLUTION")])
def test_solutions_without_end_are_an_error(code: str, words: str) -> None:
    with pytest.raises(ExerciseError, match=words):
        without_solution(code)


def test_several_solutions_in_a_cell() -> None:
    code = f"a = 1\nif a:\n    {BEGIN}\n    b = 2\n    {END}\n{BEGIN}\nc = 3\n{END}\nd = 4"
    assert without_solution(code).split("\n") == [
        "a = 1", "if a:", "    # YOUR CODE HERE", "    raise NotImplementedError()", "# YOUR CODE HERE",
        "raise NotImplementedError()", "d = 4"]


@pytest.mark.parametrize("asked", ["7", "07", "chow_liu", "07_chow_liu", "07_chow_liu.ipynb"])
def test_exercises_are_found_by_number_or_name(asked: str) -> None:
    assert [exercise.name for exercise in find_exercises(asked)] == ["07_chow_liu"]


def test_the_command_writes_copies_and_never_over_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["release", "07", "--out", str(tmp_path)]) == 0
    (written,) = tmp_path.iterdir()
    assert capsys.readouterr().out.split() == [str(written)]
    assert cli.main(["release", "all", "--out", str(tmp_path)]) == 0
    assert sorted(path.stem for path in tmp_path.iterdir()) == list(ALL)
    written.write_text("my work")
    assert cli.main(["release", "07", "--out", str(tmp_path)]) == 1
    assert "move it away first" in capsys.readouterr().err and written.read_text() == "my work"
    assert cli.main(["release", "chowliu", "--out", str(tmp_path)]) == 1
    assert "there is no exercise 'chowliu'" in capsys.readouterr().err


def test_of_lesson_matches_the_numbers() -> None:
    for lesson in lessons():
        assert [question.id for question in of_lesson(lesson)] == [
            f"{lesson}.{i}" for i in range(1, len(of_lesson(lesson)) + 1)]


# -- nbgrader itself -------------------------------------------------------------------------------------------------
def test_nbgrader_agrees(tmp_path: Path) -> None:
    """nbgrader's own generate, autograde and validate: solved gives full marks, untouched none."""
    if find_spec("nbgrader") is None:  # looked for, not imported: it wants to be the first to load setuptools
        pytest.skip("nbgrader is not installed: make class")
    name = "07_chow_liu"
    write(source(name), tmp_path / "source" / name / f"{name}.ipynb")
    release("07", tmp_path / "copies")
    write(source(name), tmp_path / "submitted" / "solved" / name / f"{name}.ipynb")
    write(json.loads((tmp_path / "copies" / f"{name}.ipynb").read_text()),
          tmp_path / "submitted" / "untouched" / name / f"{name}.ipynb")

    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # it calls alembic by name

    def nbgrader(*arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run([Path(sys.executable).with_name("nbgrader"), *arguments], cwd=tmp_path, text=True,
                              capture_output=True, env={**os.environ, "HOME": str(tmp_path), "PATH": path})

    assert nbgrader("generate_assignment", name).returncode == 0
    made = json.loads((tmp_path / "release" / name / f"{name}.ipynb").read_text())
    assert [source_of(cell) for cell in made["cells"]] == [
        source_of(cell) for cell in student_copy(source(name))["cells"]], "our copy is nbgrader's"
    assert nbgrader("autograde", name).returncode == 0
    assert nbgrader("export").returncode == 0
    rows = (tmp_path / "grades.csv").read_text().splitlines()[1:]
    assert {row.split(",")[3]: float(row.split(",")[-2]) for row in rows} == {"solved": 17, "untouched": 0}
    solved, blank = (str(tmp_path / "submitted" / who / name / f"{name}.ipynb") for who in ("solved", "untouched"))
    assert "Success!" in nbgrader("validate", solved).stdout
    assert nbgrader("validate", blank).stdout.count("It is not written yet") == len(of_lesson(7))
