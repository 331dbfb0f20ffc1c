"""A real browser for the tests of this folder.

What they see is kept in artefacts/: pictures, and timings.csv, which says how long a step or a turn of a knob took to be
seen.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest

from tests import browsers

ARTEFACTS = Path(__file__).parents[2] / "artefacts"


@pytest.fixture(scope="module")
def chromium():
    """The browser, started once a file: as long as it is open, nothing else in this process can use asyncio."""
    with browsers.chromium() as opened:
        yield opened


@pytest.fixture
def watch():
    """watch(page, "file:") -> what goes wrong there; after the test, nothing may have."""
    watches = []

    def start(page, *ours: str) -> browsers.Watch:
        watches.append(browsers.Watch(page, *ours))
        return watches[-1]

    yield start
    assert [problem for one in watches for problem in one.taken()] == []


@pytest.fixture(scope="session")
def artefacts() -> Path:
    ARTEFACTS.mkdir(exist_ok=True)
    return ARTEFACTS


@pytest.fixture(scope="module")
def timed(artefacts, request):
    """timed(what, milliseconds): a line in artefacts/timings.csv, in place of those of an earlier run of this file."""
    file, path, rows = request.path.stem, artefacts / "timings.csv", []
    yield lambda what, milliseconds: rows.append([file, what, f"{milliseconds:.1f}"])
    if rows:
        old = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))[1:] if path.is_file() else []
        new = path.with_suffix(f".{os.getpid()}")
        with new.open("w", encoding="utf-8", newline="") as target:
            csv.writer(target).writerows([["test", "what", "milliseconds"], *(r for r in old if r[:1] != [file]), *rows])
        new.replace(path)
