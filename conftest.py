"""What all tests share, unit tests and lessons under nbval, from wherever and however pytest is started."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

collect_ignore = ["lessons/exercises"]  # they have solutions and gaps, and are tested in tests/course

# Nobody's own settings may colour a lesson's output: no start-up files of IPython.
ipython = tempfile.mkdtemp(prefix="bnteach-ipython-")
os.environ["IPYTHONDIR"] = ipython

settings.register_profile("bnteach", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True)
settings.load_profile("bnteach")

LONGEST_FIRST = ("test_lab.py", "test_pages.py", "test_decks.py", "test_pc_five_nodes.py",
                 "test_packaging.py", "test_lessons.py", ".ipynb")


def pytest_configure(config: pytest.Config) -> None:
    """Lessons are compared as tests/nbval_sanitize.cfg says, unless another file is named."""
    if getattr(config.option, "nbval_sanitize_with", "") is None:
        config.option.nbval_sanitize_with = str(Path(__file__).with_name("tests") / "nbval_sanitize.cfg")


def pytest_unconfigure() -> None:
    """Leave nothing behind. (Workers of xdist end without what atexit would run.)"""
    shutil.rmtree(ipython, ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long come first, so that no worker is left alone with one at the end."""
    def place(item: pytest.Item) -> int:
        return next((i for i, end in enumerate(LONGEST_FIRST) if item.path.name.endswith(end)), len(LONGEST_FIRST))

    items.sort(key=place)
