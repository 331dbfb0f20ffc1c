"""bnteach class: what it says and does, and what it does not bring along."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bnteach.course.commands import main as cli
from bnteach.course.commands.classroom import PARTS
from tests.course.classroom.accounts import ANN, acting_as, only_root
from tests.course.exercises.submissions.notebooks import with_answers, write


@pytest.fixture
def place(open_folder: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """We are a student at home, and know where the exchange is."""
    monkeypatch.setenv("BNTEACH_EXCHANGE", str(open_folder / "exchange"))
    monkeypatch.setenv("BNTEACH_COURSE", "bn")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(home / "jupyter"))
    return open_folder


def test_a_whole_class_by_commands(place: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["class", "init", str(place / "class"), "--course", "bn"]) == 0
    assert "Begin with" in capsys.readouterr().out
    assert cli.main(["class", "release", "07"]) == 0
    assert cli.main(["class", "fetch", "07"]) == 0
    assert "fetched" in capsys.readouterr().out
    write(with_answers(["7.1"]), home / "exercises" / "07_chow_liu" / "07_chow_liu.ipynb")
    assert cli.main(["class", "hand-in", "07"]) == 0
    assert "1 of 8 answers written" in capsys.readouterr().out
    assert cli.main(["class", "collect", "07", "--out", str(place / "class")]) == 0
    said = capsys.readouterr().out
    assert "1 attempt of 1 student, 1 new" in said and f"bnteach grade {place / 'class' / 'submitted'}" in said
    assert (place / "class" / "submitted" / "ann" / "07_chow_liu" / "07_chow_liu.ipynb").is_file()


def test_init_says_what_it_kept(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["class", "init", str(place / "class")])
    (place / "class" / "README.md").write_text("mine")
    capsys.readouterr()
    assert cli.main(["class", "init", str(place / "class")]) == 0
    said = capsys.readouterr().out
    assert "README.md: kept, and differs" in said and "diff -r" in said
    assert said.count("there already") == 7 and ": written" not in said


def test_fetching_lessons_can_be_quiet(place: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["class", "fetch", "--quiet"]) == 0
    assert capsys.readouterr().out == "" and (home / "bnteach-lessons" / "00_start_here.ipynb").is_file()
    assert cli.main(["class", "fetch"]) == 0
    assert f"The lessons are in {home / 'bnteach-lessons'}." in capsys.readouterr().out


@pytest.mark.parametrize("arguments, said", [
    (["colect"], "there is no part 'colect'. Did you mean 'collect'?"),
    (["release", "99"], "there is no exercise '99'"),
    (["hand-in", "07"], "there is no 07_chow_liu.ipynb"),
    (["fetch", "07"], "nothing has been handed out yet, in"),
    (["collect"], "Has anything been handed out?"),
    (["release", "07", "--course", "a b"], "'a b' cannot be the short name of a course"),
    (["init", "x", "--course", "a/b"], "'a/b' cannot be the short name of a course")])
def test_what_goes_wrong_is_said(arguments: list[str], said: str, place: Path,
                                 capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["class", *arguments]) == 1
    assert said in capsys.readouterr().err
    assert not (place / "exchange").exists()


def test_a_system_error_is_said_without_a_traceback(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "exchange" / "bn" / "outbound").mkdir(parents=True)
    (place / "exchange" / "bn" / "outbound" / "07_chow_liu").write_text("a file in the way")
    assert cli.main(["class", "release", "07"]) == 1
    assert "bnteach class: " in capsys.readouterr().err


@only_root
def test_what_could_not_be_collected_is_said_by_the_exit_code(place: Path, home: Path) -> None:
    cli.main(["class", "release", "07"])
    os.chown(place / "exchange" / "bn" / "inbound", ANN, ANN)
    write(with_answers(["7.1"]), home / "07_chow_liu.ipynb")
    cli.main(["class", "hand-in", "07_chow_liu.ipynb"])
    (entry,) = (place / "exchange" / "bn" / "inbound").iterdir()
    entry.chmod(0)
    (place / "out").mkdir()
    os.chown(place / "out", ANN, ANN)
    assert acting_as(ANN, lambda: cli.main(["class", "collect", "--out", str(place / "out")])) == 3


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_help_with_an_example(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["class", part, "--help"])
    said = capsys.readouterr().out
    assert end.value.code == 0 and said.startswith(f"usage: bnteach class {part}")
    assert f"\n  bnteach class {part}" in said.partition("Example")[2]


def test_without_a_part_it_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        cli.main(["class"])
    said = capsys.readouterr().out
    assert end.value.code == 0 and all(f"bnteach class {part}" in said for part in PARTS)


def test_no_student_needs_any_of_it() -> None:
    """Neither the library nor the commands bring it along; handing in needs nothing but the library."""
    code = ("import sys, bnteach.course.commands.main\n"
            "assert not [name for name in sys.modules if name.startswith('bnteach.course.classroom')]\n"
            "from bnteach.course.classroom import collect, fetch, hand_in, scaffold\n"
            "print([name for name in ('jupyterhub', 'nbgrader', 'nbgitpuller', 'distributed', 'nbformat', 'yaml')"
            " if name in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
