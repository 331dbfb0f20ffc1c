"""nbgrader's own commands on the same exchange, in the instructor's folder, with the settings written for it."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bnteach.course.classroom.exchange import Exchange
from bnteach.course.classroom.fetch import fetch_exercise
from bnteach.course.classroom.hand_in import hand_in
from bnteach.course.classroom.scaffold import write_class
from bnteach.course.exercises.release import exercises, source_of
from tests.course.classroom.handing import hand, laid_out
from tests.course.exercises.submissions.notebooks import untouched, with_answers, write

pytestmark = pytest.mark.skipif(importlib.util.find_spec("nbgrader") is None, reason='needs pip install ".[class]"')
NAME = "07_chow_liu"


@pytest.fixture
def folder(open_folder: Path) -> Path:
    write_class(open_folder / "class", "bn")
    return open_folder / "class"


def nbgrader(exchange: Exchange, folder: Path, *arguments: str) -> str:
    """Run a command of nbgrader's, as the instructor or as a student in her home."""
    quick = folder.parent / "quick"  # without a package that takes three seconds, to check addresses in schemas
    quick.mkdir(exist_ok=True)
    (quick / "rfc3987_syntax.py").write_text("raise ImportError('left out of the test')\n")
    place = {"BNTEACH_EXCHANGE": str(exchange.root), "BNTEACH_COURSE": exchange.course, "HOME": str(folder),
             "JUPYTER_CONFIG_DIR": str(folder / "none"), "PYTHONPATH": str(quick), "PYTHONWARNINGS": "ignore",
             "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}  # it calls alembic by name
    done = subprocess.run([sys.executable, "-m", "nbgrader", *arguments], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, **place})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_nbgrader_collects_what_our_command_handed_in(exchange: Exchange, folder: Path, tmp_path: Path) -> None:
    import getpass

    hand(exchange, tmp_path, getpass.getuser(), "7.1")
    newest = hand(exchange, tmp_path, getpass.getuser(), "7.2")
    nbgrader(exchange, folder, "collect", NAME)
    assert laid_out(folder, getpass.getuser()) == newest


def test_nbgrader_makes_the_same_copy_for_students(exchange: Exchange, folder: Path, home: Path) -> None:
    (folder / "source" / NAME).mkdir(parents=True)
    shutil.copy(exercises()[NAME].path, folder / "source" / NAME)
    nbgrader(exchange, folder, "generate_assignment", NAME, "--create")
    shutil.rmtree(exchange.outbound / NAME)
    nbgrader(exchange, folder, "release_assignment", NAME)
    fetch_exercise("07", exchange, home)
    ours = json.loads((home / "exercises" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    assert list(map(source_of, ours["cells"])) == list(map(source_of, untouched()["cells"]))
    write(with_answers(["7.1"]), home / "exercises" / NAME / f"{NAME}.ipynb")
    assert hand_in("07", exchange, home).answered == 1
