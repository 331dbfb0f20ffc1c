"""A small class: an exchange with one exercise handed out, and a student's home."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest

from bnteach.course.classroom.exchange import Exchange, open_exchange, release_to


@pytest.fixture
def open_folder():
    """A new folder that other accounts may pass through, which tmp_path is not."""
    folder = Path(tempfile.mkdtemp(prefix="bnteach-class-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def exchange(open_folder: Path) -> Exchange:
    """An exchange in which exercise 7 is handed out."""
    made = Exchange(open_folder / "exchange", "bn")
    open_exchange(made)
    release_to(made, "07")
    return made


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A student's home, and the name of the Hub for her."""
    folder = tmp_path / "ann"
    folder.mkdir()
    monkeypatch.setenv("JUPYTERHUB_USER", "ann")
    monkeypatch.chdir(folder)
    return folder
