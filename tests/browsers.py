"""The browser of the tests: where it is, what to say where it is not, and what must be true of a page it shows.

Without a Chromium these tests are skipped, and say so; with BNTEACH_NEEDS_BROWSER in the environment that is a failure.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bnteach.course.pages.printing import find_browser


def missing() -> str:
    """What is not there that these tests need, or nothing."""
    if importlib.util.find_spec("playwright") is None or importlib.util.find_spec("axe_playwright_python") is None:
        return "playwright or axe-playwright-python is not installed: run `make browser`"
    return "" if find_browser() else "no Chromium or Chrome was found: install one, such as Debian's package chromium"


def skip_or_fail(lacks: str) -> None:
    """Without a browser: skipped, but a failure where they must run, as in CI."""
    if lacks and os.environ.get("BNTEACH_NEEDS_BROWSER"):
        pytest.fail(f"The browser tests must run here, but {lacks}.", pytrace=False)
    if lacks:
        pytest.skip(f"Browser tests: {lacks}")


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, as long as it is needed."""
    skip_or_fail(missing())
    from playwright.sync_api import sync_playwright

    with sync_playwright() as engine:
        opened = engine.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        try:
            yield opened
        finally:
            opened.close()


RUN_AXE = """async ([context, options]) => (await axe.run(context, options)).violations
  .filter(problem => ['serious', 'critical'].includes(problem.impact))
  .flatMap(problem => problem.nodes.map(node => `${problem.id}: ${node.html.slice(0, 200)}`))"""


class Watch:
    """What goes wrong on a page: errors, errors on the console, requests to other places than `ours`."""

    def __init__(self, page: Any, *ours: str):
        self.problems: list[str] = []
        self.ours = (*ours, "data:", "blob:")
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("console", self._console)
        page.on("request", lambda r: r.url.startswith(self.ours) or self.problems.append(f"asked {r.url}"))

    def _console(self, message: Any) -> None:
        if message.type == "error":
            self.problems.append(f"console: {message.text} {message.location.get('url', '')}")

    def taken(self, *known: str) -> list[str]:
        """The problems since the last time, those left out that have a known word in them."""
        found, self.problems = self.problems, []
        return [problem for problem in found if not any(word in problem for word in known)]


def serious(page: Any, where: str | None = None, rules: tuple[str, ...] = (), but: tuple[str, ...] = (),
            without: tuple[str, ...] = ()) -> list[str]:
    """What axe-core finds serious or critical, on the whole page or inside a selector, by all rules or by some.

    but      selectors of what need not be looked at
    without  rules that are left out, such as "color-contrast", which takes ten times as long as all others together
    """
    from axe_playwright_python.sync_playwright import Axe

    options: dict[str, Any] = {"resultTypes": ["violations"], "preload": False}
    if rules:
        options["runOnly"] = list(rules)
    if without:
        options["rules"] = {rule: {"enabled": False} for rule in without}
    if page.evaluate("typeof axe === 'undefined'"):
        page.evaluate(Axe().axe_script)
    context = {"include": [[where or "html"]], "exclude": [[selector] for selector in but]}
    return page.evaluate(RUN_AXE, [context, options])
