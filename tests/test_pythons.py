"""The other Pythons are found where they are, and a run with them says what it did not find."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests import pythons


@pytest.mark.skipif(os.name == "nt", reason="a program that fails is written for a shell here")
def test_a_stand_in_that_fails_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in, real = tmp_path / "shims/python3.12", tmp_path / "pyenv/versions/3.12.9/bin/python3.12"
    for path in (stand_in, real):
        path.parent.mkdir(parents=True)
    stand_in.write_text("#!/bin/sh\nexit 127\n")
    stand_in.chmod(0o755)
    real.symlink_to(sys.executable)
    monkeypatch.setenv("PATH", str(stand_in.parent))
    monkeypatch.setenv("PYENV_ROOT", str(tmp_path / "pyenv"))
    assert pythons.find("3.12") == real
    assert pythons.find("3.13") is None


@pytest.mark.parametrize("passes, status", [(True, 0), (False, 1)])
def test_what_passed_failed_or_is_not_there_is_said(passes: bool, status: int, monkeypatch: pytest.MonkeyPatch,
                                                    capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(pythons, "MINE", "3.11")
    monkeypatch.setattr(pythons, "find", lambda version: Path("python") if version == "3.13" else None)
    monkeypatch.setattr(pythons, "run", lambda version, python, without, more: passes)
    assert pythons.main([]) == status
    said = capsys.readouterr().out.splitlines()
    assert said == ["Python 3.12: not found here", f"Python 3.13: {'passed' if passes else 'failed'}",
                    "Python 3.14: not found here"]


def test_the_newest_runs_the_tests_of_the_course(monkeypatch: pytest.MonkeyPatch) -> None:
    left_out = {}
    monkeypatch.setattr(pythons, "MINE", "3.11")
    monkeypatch.setattr(pythons, "find", lambda version: None if version == "3.14" else Path("python"))
    monkeypatch.setattr(pythons, "run", lambda version, _, without, more: not left_out.update({version: without}))
    assert pythons.main([]) == 0
    assert left_out == {"3.12": [*pythons.ONCE, "tests/course"], "3.13": [*pythons.ONCE]}


def test_what_is_left_out_is_there() -> None:
    assert all((pythons.ROOT / path).exists() for path in (*pythons.ONCE, pythons.COURSE))  # others are passed over
