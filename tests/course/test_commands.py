"""The command bnteach: what it says, what it copies, and what it starts."""

from __future__ import annotations

import builtins
import errno
import importlib.util
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.sign import NotebookNotary
from nbformat.v4 import new_code_cell, new_notebook, new_output

import bnteach
from bnteach.course.commands import course as files
from bnteach.course.commands import main as cli
from bnteach.course.commands.lab import COPIES, KEPT_AT_HOME, jupyter_arguments

NAMES = ("00_start_here", "06_likelihood", "07_chow_liu")


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A course of three lessons, packed as in an installed package; we stand in an empty folder."""
    package = tmp_path / "installed"
    for name in NAMES:
        (package / "lessons").mkdir(parents=True, exist_ok=True)
        nbformat.write(new_notebook(cells=[new_code_cell(f"'{name}'", id="a")]), package / f"lessons/{name}.ipynb")
    (package / "lessons/pictures").mkdir()
    (package / "lessons/pictures/a.svg").write_text("<svg/>")
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    monkeypatch.setattr(files, "PACKAGE", package)
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    return package / "lessons"


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What JupyterLab would have been started with."""
    from jupyterlab.labapp import LabApp

    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "someones")
    calls: list[list[str]] = []
    monkeypatch.setattr(LabApp, "launch_instance", lambda arguments: calls.append(list(arguments)))
    return calls


# --- what it says -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["help"]])
def test_overview_lists_every_command(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 0
    said = capsys.readouterr().out
    assert all(f"  {name} " in said for name in cli.COMMANDS)
    assert "Example: bnteach lab" in said


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.split() == ["bnteach", bnteach.__version__]


@pytest.mark.parametrize("name", cli.COMMANDS)
def test_every_command_has_help_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main([name, "--help"])
    assert end.value.code == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: bnteach {name}")
    assert f"\n  bnteach {name}" in said.partition("Example")[2]


def test_a_wrong_command_suggests_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["lba"]) == 2
    assert "Did you mean 'lab'?" in capsys.readouterr().err
    assert cli.main(["zzz"]) == 2
    assert "There is: lab" in capsys.readouterr().err


def test_stopped_by_hand_it_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stopped(_: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setitem(cli.COMMANDS, "site", stopped)
    assert cli.main(["site"]) == 130
    assert capsys.readouterr().err == "\nbnteach site: stopped.\n"


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """We stand in a folder in which nothing can be written, whichever user runs this."""
    here = tmp_path / "read-only"
    here.mkdir()
    monkeypatch.chdir(here)

    def refused(path: object, flags: bool) -> None:
        if flags and isinstance(path, (str, os.PathLike)) and Path(path).absolute().is_relative_to(here):
            raise PermissionError(errno.EACCES, "Permission denied", os.fspath(path))

    real_open, real_mkdir = io.open, os.mkdir

    def open_it(file: object, mode: str = "r", *others: object, **more: object) -> object:
        refused(file, bool(set("wax+") & set(mode)))
        return real_open(file, mode, *others, **more)  # type: ignore[call-overload]

    def make(path: object, *others: object, **more: object) -> None:
        refused(path, True)
        real_mkdir(path, *others, **more)  # type: ignore[arg-type]

    for where, name, replacement in ((io, "open", open_it), (builtins, "open", open_it), (os, "mkdir", make)):
        monkeypatch.setattr(where, name, replacement)
    return here


@pytest.mark.parametrize("arguments, advice", [
    (["lab"], "start it in a folder of your own"), (["lab", "07"], "bnteach lab --sources"),
    (["slides", "00"], "with --out FOLDER"), (["release", "07", "--out", "h"], "with --out FOLDER"),
    (["release", "--instructor", "--out", "h"], "with --out FOLDER"),
    (["class", "init", "mine"], "mine cannot be written"), (["class", "lessons", "--home", "."], "bnteach-lessons: "),
    (["grade", "."], "run it again"), (["dashboard", "."], "holds no grades"),
], ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_a_read_only_folder_is_a_sentence(arguments: list[str], advice: str, read_only: Path, started: list[list[str]],
                                          capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(arguments) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"bnteach {arguments[0]}: ") and advice in said and "Traceback" not in said
    assert not list(read_only.iterdir()) and not started


@pytest.mark.parametrize("arguments, advice", [
    (["slides", "99"], "there is no lesson '99'"), (["slides", "lessons/"], "there is no lesson 'lessons/'"),
    (["slides", "00", "--out", "a_file"], "choose a folder"), (["release", "99"], "there is no exercise '99'"),
    (["release", "07", "--out", "a_file"], "choose a folder"), (["grade", "nowhere"], "is not a folder of submissions"),
    (["grade", "a_file"], "is not a folder of submissions"), (["dashboard", "a_file"], "holds no grades"),
    (["dashboard", ".", "--students", "nowhere.csv"], "cannot be read"),
    (["class", "init", "a_file"], "a file is in the way"),
    (["class", "release", "07", "--folder", "nowhere"], "is not a class's folder"),
    (["class", "hand-in", "a.ipynb"], "nbgrader submit 07_chow_liu"),
    (["practice", "--out", "a_folder", "--instances", "0"], "at least 1 instance"),
], ids=lambda value: " ".join(value) if isinstance(value, list) else "")
def test_what_is_confused_is_a_sentence(arguments: list[str], advice: str, tmp_path: Path,
                                        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a_file").write_text("")
    Path("a_folder").mkdir()
    assert cli.main(arguments) == 1
    said = capsys.readouterr().err
    assert advice in said and len(said.splitlines()) < 5


@pytest.mark.parametrize("error, said", [
    (OSError(errno.ENOSPC, "No space left on device"), "bnteach site: No space left on device.\n"),
    (IsADirectoryError(errno.EISDIR, "Is a directory", "there"), "bnteach site: there: Is a directory.\n")])
def test_what_no_command_explains_is_a_sentence_too(error: OSError, said: str, monkeypatch: pytest.MonkeyPatch,
                                                    capsys: pytest.CaptureFixture[str]) -> None:
    def fails(_: list[str]) -> int:
        raise error

    monkeypatch.setitem(cli.COMMANDS, "site", fails)
    assert cli.main(["site"]) == 1
    assert capsys.readouterr().err == said


def test_it_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "bnteach", "lba"], capture_output=True, text=True)
    assert done.returncode == 2 and "'lab'" in done.stderr


# --- which lesson -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("asked", ["7", "07", "chow_liu", "07_chow_liu", "07_chow_liu.ipynb", "lessons/07_chow_liu"])
def test_lessons_are_found_by_number_or_name(asked: str, course: Path) -> None:
    assert files.find_lesson(asked, course) == "07_chow_liu.ipynb"


@pytest.mark.parametrize("asked, hint", [("chowliu", "'chow_liu'"), ("07_chow", "'07_chow_liu'"),
                                         ("23", "00_start_here, 06_likelihood, 07_chow_liu")])
def test_an_unknown_lesson_suggests_the_nearest(asked: str, hint: str, course: Path,
                                                capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["lab", asked]) == 1
    said = capsys.readouterr().err
    assert f"there is no lesson '{asked}'" in said and hint in said
    assert not Path(COPIES).exists(), "nothing is copied for a lesson that is not there"


def test_no_lessons_at_all(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in course.glob("*.ipynb"):
        path.unlink()
    assert cli.main(["lab"]) == 1
    assert "install bnteach again" in capsys.readouterr().err


# --- what is started --------------------------------------------------------------------------------------

def test_lab_opens_the_start_of_the_course(course: Path, started: list[list[str]]) -> None:
    assert cli.main(["lab"]) == 0
    (arguments,) = started
    assert f"--ServerApp.root_dir={Path(COPIES).resolve()}" in arguments
    assert "--LabApp.default_url=/lab/tree/00_start_here.ipynb" in arguments


@pytest.mark.parametrize("given, lesson, passed_on", [
    (["--no-browser", "--port", "8899"], "00_start_here", ["--no-browser", "--port", "8899"]),
    (["07", "--port", "8899"], "07_chow_liu", ["--port", "8899"]),
    (["06", "--", "--port=1"], "06_likelihood", ["--port=1"]),
    (["--", "--help"], "00_start_here", ["--help"]),
])
def test_other_arguments_go_to_jupyterlab(given: list[str], lesson: str, passed_on: list[str], course: Path,
                                          started: list[list[str]]) -> None:
    assert cli.main(["lab", *given]) == 0
    (arguments,) = started
    assert f"--LabApp.default_url=/lab/tree/{lesson}.ipynb" in arguments
    assert arguments[-len(passed_on):] == passed_on


def test_jupyterlab_does_not_ask_about_news(course: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from jupyterlab.labapp import LabApp
    from jupyterlab_server.config import get_static_page_config

    monkeypatch.setenv("JUPYTER_CONFIG_PATH", "someones")
    seen: list[dict] = []
    monkeypatch.setattr(LabApp, "launch_instance", lambda arguments: seen.append(get_static_page_config(level="all")))
    assert cli.main(["lab"]) == 0
    assert seen[0]["disabledExtensions"]["@jupyterlab/apputils-extension:announcements"] is True
    assert os.environ["JUPYTER_CONFIG_PATH"].endswith(f"{os.pathsep}someones")


@pytest.mark.parametrize("home, kept", [("home", True), ("nowhere", False)])
def test_a_home_that_cannot_be_written_gets_a_stand_in(home: str, kept: bool, course: Path, tmp_path: Path,
                                                       monkeypatch: pytest.MonkeyPatch,
                                                       capsys: pytest.CaptureFixture[str]) -> None:
    from jupyterlab.labapp import LabApp

    (tmp_path / "home").mkdir()
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path / home))
    for name in KEPT_AT_HOME:
        monkeypatch.delenv(name, raising=False)
    seen: list[dict[str, str]] = []
    monkeypatch.setattr(LabApp, "launch_instance", lambda arguments: seen.append(dict(os.environ)))
    assert cli.main(["lab"]) == 0
    assert [name in seen[0] for name in KEPT_AT_HOME] == [not kept] * len(KEPT_AT_HOME)
    assert ("home folder cannot be written" in capsys.readouterr().out) is not kept


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="there is no root on Windows")
@pytest.mark.parametrize("user, allowed", [(0, True), (1000, False)])
def test_root_is_allowed_and_told(user: int, allowed: bool, monkeypatch: pytest.MonkeyPatch,
                                  capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: user)
    assert ("--allow-root" in jupyter_arguments(Path("."), "a.ipynb", [])) is allowed
    assert ("--allow-root" in capsys.readouterr().out) is allowed
    assert jupyter_arguments(Path("."), "a.ipynb", ["--allow-root"]).count("--allow-root") == 1


def test_without_jupyterlab_it_says_how_to_install_it(course: Path, monkeypatch: pytest.MonkeyPatch,
                                                      capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert cli.main(["lab"]) == 1
    assert 'pip install "bnteach[course]"' in capsys.readouterr().err


# --- what is copied and trusted ---------------------------------------------------------------------------

@pytest.mark.parametrize("checkout", [False, True])
def test_the_originals_open_where_they_are(checkout: bool, course: Path, started: list[list[str]],
                                           monkeypatch: pytest.MonkeyPatch) -> None:
    if checkout:
        monkeypatch.setattr(files, "PACKAGE", course.parent / "bnteach")
    assert cli.main(["lab", "--sources", "07", "--port", "1"]) == 0
    assert f"--ServerApp.root_dir={course}" in started[0] and started[0][-2:] == ["--port", "1"]
    assert "--LabApp.default_url=/lab/tree/07_chow_liu.ipynb" in started[0]
    assert not Path(COPIES).exists()


def test_in_a_checkout_too_a_learner_gets_copies_without_solutions(course: Path, started: list[list[str]],
                                                                   monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "PACKAGE", course.parent / "bnteach")
    solved = new_code_cell("def f():\n    ### BEGIN SOLUTION\n    return 7\n    ### END SOLUTION", id="f")
    (course / "exercises/.ipynb_checkpoints").mkdir(parents=True)
    for name in ("07_chow_liu", ".ipynb_checkpoints/07_chow_liu-checkpoint"):
        nbformat.write(new_notebook(cells=[solved]), course / f"exercises/{name}.ipynb")
    assert cli.main(["lab"]) == 0
    (copy,) = Path(COPIES, "exercises").rglob("*.*")
    assert "return 7" not in copy.read_text() and "NotImplementedError" in copy.read_text()
    copy.write_text(copy.read_text().replace("raise NotImplementedError()", "return 8"))
    assert cli.main(["lab"]) == 0
    assert "return 8" in copy.read_text(), "an answer stays"


def test_the_course_s_exercises_are_handed_out_without_solutions() -> None:
    given = {name: content.decode() for name, content in files.handouts(files.course_folder()) if ".ipynb" in name}
    exercises = [name for name in given if name.startswith("exercises/")]
    assert len(exercises) == len(list((files.course_folder() / "exercises").glob("*.ipynb"))) >= 18
    assert not any("BEGIN SOLUTION" in content for content in given.values())


def test_the_course_s_lessons_are_handed_out_without_notes_and_if_asked_without_outputs() -> None:
    course = files.course_folder()
    kept, fresh = (dict(files.handouts(course, fresh)) for fresh in (False, True))
    for path in course.glob("[0-9][0-9]_*.ipynb"):
        source, copy, bare = (json.loads(content) for content in (path.read_bytes(), kept[path.name], fresh[path.name]))
        others = [cell for cell in source["cells"] if cell["metadata"]["slideshow"]["slide_type"] != "notes"]
        assert len(others) < len(source["cells"]) and copy["cells"] == others
        assert any(cell.get("outputs") for cell in copy["cells"])
        assert [cell["source"] for cell in bare["cells"]] == [cell["source"] for cell in others]
        assert not any(cell.get("outputs") or cell.get("execution_count") for cell in bare["cells"])


def test_fresh_copies(course: Path, started: list[list[str]]) -> None:
    run = new_code_cell("1 + 1", id="a", execution_count=1, outputs=[new_output("execute_result", {"text/plain": "2"})])
    nbformat.write(new_notebook(cells=[run]), course / "06_likelihood.ipynb")
    copy = Path(COPIES, "06_likelihood.ipynb")
    for arguments, shown in ((["--fresh", "06"], 0), (["06"], 1), (["--fresh"], 0)):
        assert cli.main(["lab", *arguments]) == 0
        assert len(nbformat.read(copy, as_version=4).cells[0].outputs) == shown
    copy.write_text(copy.read_text().replace("1 + 1", "1 + 2"))
    assert cli.main(["lab", "06"]) == 0
    assert "1 + 2" in copy.read_text(), "what somebody has changed stays"
    with pytest.raises(SystemExit):
        cli.main(["lab", "--fresh", "--sources"])


def test_copies_are_made_kept_and_brought_up_to_date(course: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copies = Path(COPIES)
    files.copy_lessons(course, copies)
    assert capsys.readouterr().out == f"{COPIES}: 4 files copied\n"
    assert (copies / "pictures/a.svg").read_text() == "<svg/>"

    files.copy_lessons(course, copies)
    assert capsys.readouterr().out == "", "a second time there is nothing to do and nothing to tell"

    (copies / "06_likelihood.ipynb").write_text("my notes")
    for name in ("06_likelihood", "07_chow_liu"):
        (course / f"{name}.ipynb").write_text("a new edition")
    files.copy_lessons(course, copies)
    said = capsys.readouterr().out
    assert "1 brought up to date: 07_chow_liu.ipynb" in said and "1 kept as you changed it (rename" in said
    assert "06_likelihood.ipynb" in said.splitlines()[-1]
    assert (copies / "06_likelihood.ipynb").read_text() == "my notes"
    assert (copies / "07_chow_liu.ipynb").read_text() == "a new edition"


def test_a_file_that_was_there_before_is_never_overwritten(course: Path) -> None:
    copies = Path(COPIES)
    copies.mkdir()
    (copies / "00_start_here.ipynb").write_text("mine")
    files.copy_lessons(course, copies)
    assert (copies / "00_start_here.ipynb").read_text() == "mine"


def test_the_course_s_own_notebooks_are_trusted_and_no_others(course: Path, started: list[list[str]]) -> None:
    copies = Path(COPIES)
    files.copy_lessons(course, copies)
    changed, stranger = copies / "06_likelihood.ipynb", copies / "from_somewhere.ipynb"
    for path in (changed, stranger):
        nbformat.write(new_notebook(cells=[new_code_cell(f"'{path.name}'", id="b")]), path)
    assert cli.main(["lab"]) == 0
    notary = NotebookNotary()
    trusted = {path.stem for path in copies.glob("*.ipynb")
               if notary.check_signature(nbformat.read(path, as_version=4))}
    notary.store.close()
    assert trusted == {"00_start_here", "07_chow_liu"}


@pytest.mark.parametrize(("system", "quoted"), [("darwin", "'handed in'"), ("win32", '"handed in"')])
def test_where_there_is_no_linux_grade_prints_the_command_for_the_image(system, quoted, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.chdir(tmp_path)
    from bnteach.course.commands.main import main

    assert main(["grade", "handed in", "--out", "grades"]) == 1
    says = capsys.readouterr().err
    assert "docker build -t bnteach ." in says
    assert f'-v "{tmp_path}:/class" -w /class bnteach bnteach grade {quoted} --out grades' in says
    assert not (tmp_path / "grades").exists()
