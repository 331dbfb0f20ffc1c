"""bnteach class: what it says and does, and what it does not bring along."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bnteach.course.classroom import environment, scaffold
from bnteach.course.commands import main as cli
from bnteach.course.commands.classroom import PARTS


@pytest.fixture(autouse=True)
def own_signatures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))


def test_init_says_what_it_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scaffold, "write_wheel", lambda folder: (folder / environment.WHEEL).write_bytes(b"") or folder)
    assert cli.main(["class", "init", str(tmp_path / "class"), "--course", "bn"]) == 0
    assert "Begin with" in capsys.readouterr().out
    (tmp_path / "class" / "README.md").write_text("mine")
    assert cli.main(["class", "init", str(tmp_path / "class"), "--course", "bn"]) == 0
    said = capsys.readouterr().out
    assert "README.md: kept, and differs" in said and "diff -r" in said
    assert said.count("there already") == len(scaffold.NAMES) + 1 and ": written" not in said


def test_fetching_lessons_can_be_quiet(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["class", "lessons", "--quiet", "--home", str(home)]) == 0
    assert capsys.readouterr().out == "" and (home / "bnteach-lessons" / "00_start_here.ipynb").is_file()
    assert cli.main(["class", "lessons", "--home", str(home)]) == 0
    assert f"The lessons are in {home / 'bnteach-lessons'}." in capsys.readouterr().out


@pytest.mark.parametrize("arguments, said", [
    (["relase", "07"], "there is no part 'relase'. Did you mean 'release'?"),
    (["collect", "07"], "that is nbgrader's: nbgrader collect 07_chow_liu"),
    (["fetch", "07"], "that is nbgrader's: nbgrader fetch_assignment 07_chow_liu"),
    (["release", "99"], "there is no exercise '99'"), (["release", "07"], "is not a class's folder"),
    (["release", "07", "--due", "tomorrow"], "'tomorrow' is no time"), (["gradebook"], "is not a class's folder"),
    (["return", "07"], "holds no grades"),
    (["init", "x", "--course", "a b"], "'a b' cannot be the short name of a course"),
    (["init", "x", "--course", "a/b"], "'a/b' cannot be the short name of a course")])
def test_what_goes_wrong_is_said(arguments: list[str], said: str, home: Path,
                                 capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["class", *arguments]) == 1
    assert said in capsys.readouterr().err
    assert not list(home.iterdir())


def test_a_class_is_not_kept_on_windows(home: Path, monkeypatch: pytest.MonkeyPatch,
                                        capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delattr(os, "geteuid")
    assert cli.main(["class", "release", "07"]) == 1
    assert "Windows Subsystem for Linux" in capsys.readouterr().err


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


def test_neither_the_library_nor_the_commands_bring_it_along() -> None:
    code = ("import sys, bnteach.course.commands.main\n"
            "assert not [name for name in sys.modules if name.startswith('bnteach.course.classroom')]\n"
            "from bnteach.course.classroom import exchange, gradebook, kept, lessons, returning, scaffold\n"
            "print([name for name in ('jupyterhub', 'nbgrader', 'nbgitpuller', 'distributed', 'nbformat', 'yaml')"
            " if name in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr
