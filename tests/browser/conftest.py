"""A real browser for the tests of this folder. Without one they are skipped, and say so; in CI that is a failure.

What they see is kept in artefacts/ (pictures, and timings.csv: how long a step or a turn of a knob took to be seen).
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

from bnteach.course.slides import find_browser

ARTEFACTS = Path(__file__).parents[2] / "artefacts"


def missing() -> str:
    """What is not there that these tests need, or nothing."""
    if importlib.util.find_spec("playwright") is None or importlib.util.find_spec("axe_playwright_python") is None:
        return "playwright or axe-playwright-python is not installed: run `make browser`"
    return "" if find_browser() else "no Chromium or Chrome was found: install one, such as Debian's package chromium"


@pytest.fixture(scope="session")
def chromium():
    """The browser, started once for all tests of a worker."""
    if lacks := missing():
        if os.environ.get("CI") == "true":
            pytest.fail(f"In CI the browser tests must run, but {lacks}.", pytrace=False)
        pytest.skip(f"Browser tests: {lacks}")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as engine:
        opened = engine.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


class Watch:
    """What went wrong on a page: errors, words on the console, requests to other places than `ours`."""

    def __init__(self, page, ours: tuple[str, ...]):
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", self._console)
        self.ours = (*ours, "data:", "blob:")
        page.on("request", lambda r: r.url.startswith(self.ours) or self.problems.append(f"asked {r.url}"))

    def _console(self, message) -> None:
        if message.type == "error":
            self.problems.append(f"console: {message.text} {message.location.get('url', '')}")


@pytest.fixture
def watch():
    """watch(page, "file:") -> what goes wrong there; after the test, nothing may have."""
    watches = []

    def start(page, *ours: str) -> Watch:
        watches.append(Watch(page, ours))
        return watches[-1]

    yield start
    assert [problem for one in watches for problem in one.problems] == []


@pytest.fixture(scope="session")
def artefacts() -> Path:
    ARTEFACTS.mkdir(exist_ok=True)
    return ARTEFACTS


@pytest.fixture
def timed(artefacts, request):
    """timed(what, milliseconds): a line in artefacts/timings.csv, for people to read."""
    def note(what: str, milliseconds: float) -> None:
        with (artefacts / "timings.csv").open("a", encoding="utf-8") as file:
            file.write(f"{request.node.name},{what},{milliseconds:.1f}\n")

    return note
