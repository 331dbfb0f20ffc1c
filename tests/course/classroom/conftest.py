"""A small class: an exchange's folder for what is handed in, and a student's home."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest


@pytest.fixture
def open_folder():
    """A new folder that other accounts may pass through, which tmp_path is not."""
    folder = Path(tempfile.mkdtemp(prefix="bnteach-class-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def inbound(open_folder: Path) -> Path:
    """A folder into which everybody drops what nobody else can list, as nbgrader makes it."""
    folder = open_folder / "inbound"
    folder.mkdir()
    folder.chmod(0o3733)
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A student's home."""
    folder = tmp_path / "ann"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder
