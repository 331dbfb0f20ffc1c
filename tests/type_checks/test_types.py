"""The types that py.typed promises are true: mypy accepts what is right and rejects what is wrong."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mypy") is None,
                                reason="mypy is not installed: pip install --group types")


@pytest.fixture(scope="module")
def errors() -> dict[tuple[str, int], set[str]]:
    """What mypy rejects in the two files: (file, line) -> codes."""
    done = subprocess.run([sys.executable, "-m", "mypy", "--no-error-summary", "--hide-error-context",
                           str(FOLDER / "accepted.py"), str(FOLDER / "rejected.py")],
                          cwd=ROOT, capture_output=True, text=True)
    assert done.returncode < 2, done.stdout + done.stderr
    found: dict[tuple[str, int], set[str]] = {}
    for name, line, code in re.findall(r"^(\S+):(\d+): error: .*\[([\w-]+)\]$", done.stdout, re.MULTILINE):
        found.setdefault((Path(name).name, int(line)), set()).add(code)
    return found


def test_what_is_right_is_accepted(errors: dict[tuple[str, int], set[str]]) -> None:
    assert {place: codes for place, codes in errors.items() if place[0] != "rejected.py"} == {}


def test_what_is_wrong_is_rejected(errors: dict[tuple[str, int], set[str]]) -> None:
    lines = (FOLDER / "rejected.py").read_text(encoding="utf-8").splitlines()
    wanted = {("rejected.py", i): code for i, line in enumerate(lines, start=1)
              for _, separator, code in [line.partition("# rejected: ")] if separator}
    assert len(wanted) > 12
    assert [place for place, code in wanted.items() if code not in errors.get(place, ())] == [], "accepted, but wrong"
    assert [place for place in errors if place[0] == "rejected.py" and place not in wanted] == [], "rejected, but right"
