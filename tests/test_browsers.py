"""Where no browser is, the tests that need one say so: they are skipped, and fail where they must run, as in CI."""

from pathlib import Path

import pytest

from bnteach.course.pages import printing
from tests import browsers

SCRIPT = (Path(__file__).parents[1] / ".ci" / "run").read_text(encoding="utf-8")


def test_nothing_is_missing_where_all_is_there(monkeypatch):
    monkeypatch.setattr(browsers.importlib.util, "find_spec", lambda name: "found")
    monkeypatch.setattr(browsers, "find_browser", lambda: "/usr/bin/chromium")
    assert browsers.missing() == ""
    browsers.skip_or_fail("")


@pytest.mark.parametrize("needed, outcome", [("", pytest.skip.Exception), ("1", pytest.fail.Exception)])
@pytest.mark.parametrize("spec, browser, said", [(None, "/usr/bin/chromium", "run `make browser`"),
                                                 ("found", None, "no Chromium or Chrome was found")])
def test_what_is_missing_is_told(monkeypatch, needed, outcome, spec, browser, said):
    monkeypatch.setenv("BNTEACH_NEEDS_BROWSER", needed)
    monkeypatch.setattr(browsers.importlib.util, "find_spec", lambda name: spec)
    monkeypatch.setattr(browsers, "find_browser", lambda: browser)
    with pytest.raises(outcome, match=said), browsers.chromium():
        pass


def test_ci_runs_the_browser_tests_with_the_browser_that_slides_look_for():
    assert "--ignore" not in SCRIPT and "BNTEACH_NEEDS_BROWSER=1" in SCRIPT and "\nmake browser class\n" in SCRIPT
    looked_for = SCRIPT.partition("for name in ")[2].partition(";")[0].split()
    assert looked_for == list(printing.NAMES)
