"""What all tests share, unit tests and lessons under nbval, from wherever and however pytest is started."""

import os
import random
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from bnteach.course.commands.lab import KEPT_AT_HOME

collect_ignore = ["lessons/exercises",  # they have solutions and missing lines, and are tested in tests/course
                  "tests/benchmarks/bench/libraries",  # each imports a library that need not be there
                  "bnteach/course/classroom/plugin.py"]  # imports nbgrader, and is imported by nbgrader alone
if os.name == "nt":  # grading and classes need accounts, processes and limits as Windows does not have them
    collect_ignore += ["tests/course/classroom", "tests/course/exercises/test_cluster.py",
                       "tests/course/exercises/test_grade.py"]

# Personal settings must not change a lesson's output, and no test needs a home folder that can be written. So IPython,
# Jupyter and matplotlib keep their files in a folder of this run, which all workers share.
OWN, MINE = "BNTEACH_TEST_SETTINGS", "BNTEACH_TEST_SETTINGS" not in os.environ
if MINE:
    os.environ[OWN] = tempfile.mkdtemp(prefix="bnteach-settings-")
for name in KEPT_AT_HOME:
    os.environ[name] = os.path.join(os.environ[OWN], name.lower())

# Each processor has a worker of its own. Threads of linear algebra beside them would wait for each other, for minutes.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

settings.register_profile("bnteach", deadline=None, derandomize=bool(os.environ.get("CI")), print_blob=True)
settings.load_profile("bnteach")

LONGEST_FIRST = ("test_hub.py", "test_lab.py", "test_pages.py", "test_decks.py", "test_pc_five_nodes.py",
                 "test_packaging.py", "test_lessons.py", ".ipynb")


def pytest_configure(config: pytest.Config) -> None:
    """Lessons are compared as tests/nbval_sanitize.cfg says, unless another file is named."""
    if getattr(config.option, "nbval_sanitize_with", "") is None:
        config.option.nbval_sanitize_with = str(Path(__file__).with_name("tests") / "nbval_sanitize.cfg")


def pytest_unconfigure() -> None:
    """Leave nothing behind."""
    if MINE:
        shutil.rmtree(os.environ.pop(OWN), ignore_errors=True)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files that take long come first, so that no worker is left alone with one at the end.

    With BNTEACH_SHUFFLE=7 files, and the tests in them, come in an order drawn with that seed. However files are
    shuffled, the cells of a notebook stay in order.
    """
    seed = os.environ.get("BNTEACH_SHUFFLE")
    draw = random.Random(seed)
    drawn = {path: draw.random() for path in dict.fromkeys(item.path for item in items)}

    def place(item: pytest.Item) -> tuple:
        cell = getattr(item, "cell_num", None)  # nbval's
        if seed:
            return drawn[item.path], draw.random() if cell is None else cell
        rank = next((i for i, end in enumerate(LONGEST_FIRST) if item.path.name.endswith(end)), len(LONGEST_FIRST))
        return (rank, "", 0) if cell is None else (rank, item.path.name, cell)

    items.sort(key=place)
