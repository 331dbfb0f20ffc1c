"""What all tests share."""

import os
import shutil
import tempfile

import pytest
from hypothesis import settings

# Nobody's own settings may colour a lesson's output: no progress bars, no start-up files of IPython.
os.environ["BNTEACH_PROGRESS"] = "off"
ipython = tempfile.mkdtemp(prefix="bnteach-ipython-")
os.environ["IPYTHONDIR"] = ipython

settings.register_profile("bnteach", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True)
settings.load_profile("bnteach")

LONGEST_FIRST = ("test_lab.py", "test_pages.py", "test_decks.py", "test_pc_five_nodes.py",
                 "test_packaging.py", "test_lessons.py", ".ipynb")


def pytest_unconfigure() -> None:
    """Leave nothing behind. (Workers of xdist end without what atexit would run.)"""
    shutil.rmtree(ipython, ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long come first, so that no worker is left alone with one at the end."""
    def place(item: pytest.Item) -> int:
        return next((i for i, end in enumerate(LONGEST_FIRST) if item.path.name.endswith(end)), len(LONGEST_FIRST))

    items.sort(key=place)
