"""A real JupyterHub with twenty students: what is handed out arrives, what is handed in is kept, homes are closed.

It takes about two minutes, and needs `pip install ".[class]"` and `npm install --prefix .venv configurable-http-proxy`.
Where these are missing it is skipped, unless BNTEACH_NEEDS_HUB is set. hub/scenario.py plays the day; here is what
must have been seen. Students are separate accounts if we are root and the system has namespaces to make them in.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bnteach.course.exercises.grading.submissions import find
from bnteach.course.exercises.release import exercises
from tests.course.classroom.hub.world import NAMESPACES, STUDENTS, may_separate

ROOT = Path(__file__).parents[3]
CLOSED = {"PermissionError"}


def find_proxy() -> str | None:
    places = [str(Path(sys.prefix) / "node_modules" / ".bin"), str(ROOT / ".venv" / "node_modules" / ".bin")]
    return shutil.which("configurable-http-proxy", path=os.pathsep.join([*places, os.environ["PATH"]]))


def lacking() -> str:
    """What is not there and must be; empty if all is."""
    for module in ("jupyterhub", "nbgrader"):
        if importlib.util.find_spec(module) is None:
            return f"{module} is not installed"
    return "" if find_proxy() and shutil.which("node") else "there is no configurable-http-proxy"


if lacking() and not os.environ.get("BNTEACH_NEEDS_HUB"):
    pytest.skip(f"{lacking()}; the head of test_hub.py says what a test with a real Hub needs", allow_module_level=True)


@pytest.fixture(scope="module")
def base():
    """A folder that all accounts may pass through, which pytest's own is not."""
    folder = Path(tempfile.mkdtemp(prefix="bnteach-hub-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def seen(base: Path) -> dict[str, Any]:
    """What was seen in a day of the class."""
    assert not lacking(), f"{lacking()}, and BNTEACH_NEEDS_HUB says that it must be there"
    why_not = may_separate()
    play = [sys.executable, "-m", "tests.course.classroom.hub.scenario", str(base), find_proxy()]
    command = [*play, "together"] if why_not else [*NAMESPACES, *play, "separate"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    log = base / "hub.log"
    hub_log = log.read_text(errors="replace")[-6000:] if log.is_file() else ""
    assert done.returncode == 0, f"{done.stderr[-6000:]}\n--- the Hub said:\n{hub_log}"
    return {**json.loads(done.stdout), "why not": why_not}


@pytest.fixture
def separate(seen: dict[str, Any]) -> dict[str, Any]:
    if not seen["separate"]:
        pytest.skip(f"students are not separate accounts here: {seen['why not']}")
    return seen


# -- handed out ------------------------------------------------------------------------------------------------
def test_several_servers_ran_at_once(seen: dict[str, Any]) -> None:
    assert sorted(seen["students"]) == STUDENTS and seen["at once"] >= 4


def test_the_lessons_are_in_every_home(seen: dict[str, Any]) -> None:
    for day in seen["students"].values():
        assert {"00_start_here.ipynb", "19_every_number.ipynb", "exercises"} <= set(day["lessons"])


def test_a_changed_lesson_outlives_the_next_start(seen: dict[str, Any]) -> None:
    assert seen["students"]["student01"]["lesson"][0].endswith("My own note.")


def test_everybody_fetches_the_exercise_without_solutions(seen: dict[str, Any]) -> None:
    for day in seen["students"].values():
        assert "NotImplementedError" in day["fetched"] and "BEGIN SOLUTION" not in day["fetched"]


def test_it_runs_in_the_students_own_servers(seen: dict[str, Any]) -> None:
    for number, name in enumerate(STUDENTS, start=1):
        verdicts = Counter(line[0] for line in seen["students"][name]["outputs"])
        assert verdicts["✓"] == 1 + number % 7 and verdicts.total() == 8, f"{name}: {verdicts}"


# -- handed in -------------------------------------------------------------------------------------------------
def test_nothing_that_was_handed_in_is_lost(seen: dict[str, Any]) -> None:
    for name, day in seen["students"].items():
        kept = [row["digest"] for row in seen["collected"]["rows"] if row["student"] == name]
        assert sorted(kept) == sorted(day["digests"]), name
    assert len(seen["collected"]["rows"]) == 23


def test_the_newest_of_each_student_is_laid_out(seen: dict[str, Any]) -> None:
    assert seen["collected"]["submitted"] == {name: day["digests"][-1] for name, day in seen["students"].items()}


def test_collecting_again_changes_nothing(seen: dict[str, Any]) -> None:
    assert seen["again"]["rows"] == seen["collected"]["rows"]
    assert seen["again"]["submitted"] == seen["collected"]["submitted"]
    assert "20 students, 0 new" in seen["again"]["said"]


def test_times_are_those_of_the_day(seen: dict[str, Any]) -> None:
    for row in seen["collected"]["rows"]:
        took = datetime.fromisoformat(row["time"]) - datetime.fromisoformat(row["claimed"].replace(" UTC", "+00:00"))
        assert -1 < took.total_seconds() < 60, row


def test_with_a_deadline_the_newest_before_it_counts(seen: dict[str, Any]) -> None:
    assert seen["due"]["submitted"]["student05"] == seen["students"]["student05"]["digests"][0]
    late = [row for row in seen["due"]["rows"] if row["student"] == "student05" and not row["counts"]]
    assert [row["digest"] for row in late] == [seen["students"]["student05"]["digests"][1]]
    assert len(seen["due"]["rows"]) == 23, "what came late is kept, too"


def test_the_grader_finds_what_was_collected(seen: dict[str, Any], base: Path) -> None:
    found = find(base / "class" / "submitted", exercises().values())
    assert [one.student for one in found] == STUDENTS
    assert {(one.exercise, one.result, one.problem) for one in found} == {("07_chow_liu", "graded", "")}
    times = {row["student"]: row["time"][:19] for row in seen["due"]["rows"] if row["counts"]}
    assert {one.student: one.time[:19] for one in found} == times


# -- kept apart ------------------------------------------------------------------------------------------------
def test_a_token_opens_only_ones_own_server(seen: dict[str, Any]) -> None:
    assert seen["last words"]["own server"] == 200
    assert seen["last words"]["another's server"] == 403 and seen["last words"]["no token"] == 403


def test_students_are_separate_accounts(separate: dict[str, Any]) -> None:
    assert len({day["who"] for day in separate["students"].values()}) == len(STUDENTS)
    assert all(day["who"].split()[1] == name for name, day in separate["students"].items())


def test_no_student_sees_anothers_home_or_the_instructors_folder(separate: dict[str, Any]) -> None:
    for name, day in separate["students"].items():
        tokens = day["snooped"].pop("others' tokens")
        assert set(tokens) <= CLOSED, f"{name} read the environment of somebody else's process"
        assert set(day["snooped"].values()) == CLOSED, f"{name}: {day['snooped']}"


def test_nobody_opens_or_removes_what_others_handed_in(separate: dict[str, Any]) -> None:
    """By nbgrader's Submit only a name that nobody can guess protects it; by our command the file system does, too."""
    clickers = {f"student{i:02}" for i in (5, 10, 15, 20)}
    opened = {Path(path).parent.name.partition("+")[0] for path in separate["last words"]["opened"]}
    assert opened - {"student19"} <= clickers
    assert separate["last words"]["removed"] == []


def test_the_owner_says_whose_it_is(separate: dict[str, Any]) -> None:
    assert {row["notes"] for row in separate["collected"]["rows"]} == {""}
