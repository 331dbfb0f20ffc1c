"""A term at a real JupyterHub, with twenty students and three exercises: nothing is lost, and homes are closed.

It takes about three minutes, and needs `pip install ".[class]"` and `npm install --prefix .venv
configurable-http-proxy`. Where these are missing it is skipped, unless BNTEACH_NEEDS_HUB is set. hub/scenario.py plays
the term; here is what must have been seen. Students are separate accounts if we are root and the system has namespaces
to make them in.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.course.classroom.hub.term import AT_ONCE, EXERCISES, FORGER, REGRADED, TWICE, WITH_KERNEL
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
    yield from open_folder()


def open_folder():
    """A folder that all accounts may pass through, which pytest's own is not."""
    folder = Path(tempfile.mkdtemp(prefix="bnteach-hub-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def seen(base: Path) -> dict[str, Any]:
    """What was seen in the term."""
    assert not lacking(), f"{lacking()}, and BNTEACH_NEEDS_HUB says that it must be there"
    why_not = may_separate()
    said = played("scenario", base, "together" if why_not else "separate")
    return {**json.loads(said), "why not": why_not}


def played(what: str, base: Path, *more: str) -> str:
    """Run a module of hub/, as root in namespaces of its own; what it printed."""
    play = [sys.executable, "-m", f"tests.course.classroom.hub.{what}", str(base), find_proxy(), *more]
    command = play if may_separate() else [*NAMESPACES, *play]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900)
    log = base / "hub.log"
    hub_log = log.read_text(errors="replace")[-6000:] if log.is_file() else ""
    assert done.returncode == 0, f"{done.stderr[-6000:]}\n--- the Hub said:\n{hub_log}"
    return done.stdout


@pytest.fixture
def separate(seen: dict[str, Any]) -> dict[str, Any]:
    if not seen["separate"]:
        pytest.skip(f"students are not separate accounts here: {seen['why not']}")
    return seen


def rows_of(seen: dict[str, Any], student: str, exercise: str, which: str = "rows") -> list[dict[str, str]]:
    """What was kept of a student, by time."""
    return [row for row in seen[which] if (row["student"], row["exercise"]) == (student, exercise)]


# -- handed out ------------------------------------------------------------------------------------------------
def test_several_servers_ran_at_once(seen: dict[str, Any]) -> None:
    assert sorted(seen["students"]) == STUDENTS and seen["at once"] >= 4


def test_the_lessons_are_in_every_home(seen: dict[str, Any]) -> None:
    for day in seen["students"].values():
        assert {"00_start_here.ipynb", "19_every_number.ipynb", "exercises"} <= set(day["lessons"])


def test_a_changed_lesson_outlives_the_next_start(seen: dict[str, Any]) -> None:
    assert seen["students"]["student01"]["lesson"].endswith("My own note.")


def test_everybody_fetches_the_exercise_without_solutions(seen: dict[str, Any]) -> None:
    for day in seen["students"].values():
        assert "NotImplementedError" in day["fetched"] and "BEGIN SOLUTION" not in day["fetched"]


def test_it_runs_in_the_students_own_servers(seen: dict[str, Any]) -> None:
    for name in WITH_KERNEL:
        verdicts = Counter(line[0] for line in seen["students"][name]["outputs"])
        assert verdicts["✓"] == 1 + int(name[-2:]) % 7 and verdicts.total() == 8, f"{name}: {verdicts}"


# -- handed in -------------------------------------------------------------------------------------------------
def test_nothing_that_was_handed_in_is_lost(seen: dict[str, Any]) -> None:
    """60 of everybody, three repeats; and one more after the feedback."""
    for name, day in seen["students"].items():
        for exercise, digests in day["digests"].items():
            kept = {row["digest"] for row in rows_of(seen, name, exercise)}
            assert set(digests) <= kept, f"{name}: {exercise}"
    honest = [row for row in seen["rows"] if row["student"] != FORGER]
    assert len(honest) == 3 * 19 + 3
    assert len(rows_of(seen, AT_ONCE, "07_chow_liu")) == 3, "two in the same moment, and one before"
    before = {(row["folder"], row["digest"]) for row in seen["rows"]}
    after = {(row["folder"], row["digest"]) for row in seen["rows again"]}
    assert before < after and len(after - before) == 1


def test_the_newest_of_each_student_is_graded_and_with_a_deadline_the_newest_before_it(seen: dict[str, Any]) -> None:
    for exercise, found in seen["laid out"].items():
        for name, day in seen["students"].items():
            if name != FORGER:
                expected = day["digests"][exercise][0 if (name, exercise) == (TWICE, "07_chow_liu") else -1]
                assert found[name] == expected, f"{name}: {exercise}"
    in_time, late = rows_of(seen, TWICE, "07_chow_liu")
    assert (in_time["late"], in_time["counts"]) == ("", "counts") and (late["late"] != "", late["counts"]) == (True, "")


def test_times_are_those_of_the_term(seen: dict[str, Any]) -> None:
    now = datetime.now(UTC)
    assert all(0 < (now - datetime.fromisoformat(row["time"])).total_seconds() < 1800 for row in seen["rows again"])


# -- graded and returned ---------------------------------------------------------------------------------------
def test_what_is_handed_in_once_more_alone_is_graded_again(seen: dict[str, Any]) -> None:
    assert "59 of 60 were graded before and are kept." in seen["second"]
    assert "graded before" not in seen["first"]
    new = seen["again"]["digests"]["08_overfitting_and_mdl"][-1]
    assert seen["laid out again"]["08_overfitting_and_mdl"][REGRADED] == new
    assert [row["digest"] for row in rows_of(seen, REGRADED, "08_overfitting_and_mdl", "rows again")][-1] == new


def test_the_page_comes_back_by_the_students_own_list(seen: dict[str, Any]) -> None:
    for name, pages in seen["pages"].items():
        (page,) = pages.values()
        assert name in page and not any(other in page for other in STUDENTS if other != name)
        marked = re.findall(r"(?s)<section class='(right|other)' id='q-[\d.]+'>(.*?)</section>", page)
        assert "points</p>" in page and len(marked) == page.count("<section")
        assert not any("BEGIN SOLUTION" in text for how, text in marked if how == "other"), "what was not solved there"
    assert "<section class='other'" in "".join(seen["pages"][REGRADED].values())
    first, second = (page for _, page in sorted(seen["page again"].items()))
    assert [first] == list(seen["pages"][REGRADED].values()) and first != second


def test_the_terms_table_has_everybody(seen: dict[str, Any]) -> None:
    table = {row["student"]: row for row in seen["totals.csv"]}
    assert list(table) == [*STUDENTS, "student21"] and table["student21"]["total"] == "0"
    assert all(float(table[name][exercise]) > 0 for name in STUDENTS for exercise in EXERCISES)
    export = {(row["student_id"], row["assignment"]): row for row in seen["export.csv"]}
    for name in STUDENTS:
        for exercise in EXERCISES:
            assert float(export[name, exercise]["score"]) == float(table[name][exercise]), f"{name}: {exercise}"


def test_a_mark_by_hand_outlasts_the_second_grading(seen: dict[str, Any]) -> None:
    """student02 has 7.1 to 7.3 right, which are 1, 2 and 2 points, and 7.1 was taken away by hand."""
    assert {row["student"]: row["07_chow_liu"] for row in seen["totals.csv"]}["student02"] == "4"


# -- kept apart ------------------------------------------------------------------------------------------------
def test_a_token_opens_only_ones_own_server(seen: dict[str, Any]) -> None:
    assert seen["own server"] == 200 and seen["another's server"] == 403


def test_students_are_separate_accounts(separate: dict[str, Any]) -> None:
    found = {name: separate["students"][name]["who"].split() for name in WITH_KERNEL}
    assert len({number for number, _ in found.values()}) == len(WITH_KERNEL)
    assert all(account == name for name, (_, account) in found.items())


def test_no_student_sees_anothers_home_or_the_instructors_folder(separate: dict[str, Any]) -> None:
    for name in WITH_KERNEL:
        snooped = dict(separate["students"][name]["snooped"])
        assert set(snooped.pop("others' tokens")) <= CLOSED, f"{name} read the environment of somebody else's process"
        assert set(snooped.values()) <= CLOSED | {"FileNotFoundError"}, f"{name}: {snooped}"
        assert snooped["list the feedback"] in ("PermissionError", "FileNotFoundError")


def test_nobody_removes_what_others_handed_in(separate: dict[str, Any]) -> None:
    assert separate["opened"] == []


def test_forgeries_end_in_sentences_and_change_nothing(separate: dict[str, Any]) -> None:
    """Another's name, a date of the past, another's folder, a link to another's notebook, a file of 30 MB."""
    said = separate["first"]
    assert f"{FORGER}, " in said and "handed in under the name student20" in said
    assert "07_chow_liu.ipynb is a link, and not followed" in said
    assert "08_overfitting_and_mdl.ipynb has 30.0 MB; those of more than 20.0 MB are not read" in said
    victim, forger = separate["students"]["student20"]["digests"], separate["students"][FORGER]["digests"]
    for exercise in EXERCISES:
        assert separate["laid out"][exercise]["student20"] == victim[exercise][-1]
        assert separate["laid out"][exercise][FORGER] == forger[exercise][-1]
        assert len(rows_of(separate, "student20", exercise)) == 1
    assert {row["notes"] for row in separate["rows"] if row["student"] != FORGER} == {""}
    assert all(row["time"].startswith("20") and "2999" not in row["time"] for row in separate["rows"])
    assert len([row for row in separate["rows"] if row["student"] == FORGER]) == 6, "her own, and what she forged"


# -- day 1 -----------------------------------------------------------------------------------------------------
day_one = pytest.fixture(open_folder)


@pytest.mark.skipif(os.geteuid() == 0 and bool(may_separate()), reason="root without namespaces of its own")
def test_the_readme_of_a_class_is_followed_to_the_letter(day_one: Path) -> None:
    """Its commands on a machine without bnteach, from the environment to the feedback; see hub/day_one.py."""
    played("day_one", day_one)
