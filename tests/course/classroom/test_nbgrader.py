"""A small class by nbgrader's own commands, with the settings that are written for it: out, in, collected, returned.

All run under one account here; test_hub.py has accounts, servers, and nbgrader's list of assignments in JupyterLab.
"""

from __future__ import annotations

import csv
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bnteach.course.classroom.scaffold import write_texts
from bnteach.course.exercises.copies import links_to_folders, student_file
from bnteach.course.exercises.grading import report
from bnteach.course.exercises.release import exercises, source_of
from tests.course.classroom.handing import FILE, NAME, rows
from tests.course.exercises.submissions.notebooks import untouched, with_answers, write

pytestmark = pytest.mark.skipif(importlib.util.find_spec("nbgrader") is None, reason='needs pip install ".[class]"')


ACTIVE = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}  # an environment that is activated


@dataclass(frozen=True)
class Class:
    """A class's folder, its exchange, and homes."""

    base: Path

    @property
    def folder(self) -> Path:
        return self.base / "class"

    @property
    def exchange(self) -> Path:
        return self.base / "exchange" / "bn"

    def place(self, student: str) -> Path:
        return self.base / student / "bnteach-lessons" / "exercises" / NAME

    def run(self, *command: str, student: str = "", status: int = 0) -> str:
        """Run a command as the instructor in the class's folder, or as a student at home."""
        quick = self.base / "quick"  # without a package that takes three seconds, to check addresses in schemas
        quick.mkdir(exist_ok=True)
        (quick / "rfc3987_syntax.py").write_text("raise ImportError('left out of the test')\n")
        home = self.base / student if student else self.folder
        (home / "bnteach-lessons" / "exercises").mkdir(parents=True, exist_ok=True)
        config = self.base / "etc"
        config.mkdir(exist_ok=True)
        shutil.copy(self.folder / "nbgrader_config.py", config)  # as postBuild does
        place = {"BNTEACH_EXCHANGE": str(self.base / "exchange"), "HOME": str(home), "PYTHONWARNINGS": "ignore",
                 "JUPYTER_CONFIG_DIR": str(config), "JUPYTER_DATA_DIR": str(home / "jupyter"), "PYTHONPATH": str(quick),
                 **({"BNTEACH_STUDENT": student} if student else {}), **(ACTIVE if command[0] == "nbgrader" else {})}
        done = subprocess.run([sys.executable, "-m", *command], cwd=home, capture_output=True, text=True,
                              env={**os.environ, **place})
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr


def graded(one: Class, student: str, **more: Any) -> report.Record:
    """A record as bnteach grade writes it for what is laid out."""
    digest = hashlib.sha256((one.folder / "submitted" / student / NAME / FILE).read_bytes()).hexdigest()
    plain = {"title": "a title", "sentence": f"for {student}", "call": ""}
    questions = [{"id": f"7.{i}", "how": "right" if i == 1 else "wrong", "points": int(i == 1), "of": of, **plain}
                 for i, of in enumerate((1, 2, 2, 2, 3, 2, 3, 2), 1)]
    return {"student": student, "exercise": NAME, "result": "graded", "points": 1, "of": 17, "late": "", "problem": "",
            "notes": [], "file": f"{student}/{NAME}/{FILE}", "sha256": digest, "questions": questions, **more}


def write_grades(one: Class, *records: report.Record) -> None:
    for record in records:
        report.write_record(one.folder / "grades", record["student"], record)
    report.write_csv(one.folder / "grades" / "grades.csv", records)


@pytest.fixture(scope="module")
def played():
    """What was seen in the class."""
    base = Path(tempfile.mkdtemp(prefix="bnteach-class-"))
    yield play(Class(base))
    shutil.rmtree(base)


def play(one: Class) -> dict[str, Any]:
    seen: dict[str, Any] = {"class": one, "sent": []}
    write_texts(one.folder, "bn")
    seen["released"] = one.run("bnteach", "class", "release", "07", "--due", "2099-05-01 12:00+02:00")
    seen["twice"] = one.run("bnteach", "class", "release", "07", status=1)
    for student, solved in (("ann", ["7.1"]), ("bob", ["7.1", "7.2"])):
        one.run("nbgrader", "fetch_assignment", NAME, student=student)
        seen.setdefault("fetched", (one.place(student) / FILE).read_bytes())
        write(with_answers(solved), one.place(student) / FILE)
        seen["sent"].append((one.place(student) / FILE).read_bytes())
        one.run("nbgrader", "submit", NAME, student=student)
    seen["kept"] = one.run("nbgrader", "fetch_assignment", NAME, student="ann", status=1)
    (one.place("ann") / "big.csv").write_bytes(b"x" * 20_100_000)
    seen["huge"] = one.run("nbgrader", "submit", NAME, student="ann", status=1)
    (one.place("ann") / "big.csv").unlink()
    seen["collected"] = one.run("nbgrader", "collect", NAME)
    write_grades(one, graded(one, "ann"), graded(one, "bob", points=0.5), {**graded(one, "ann"), "student": "lms"})
    seen["returned"] = one.run("bnteach", "class", "return", "07", status=3)
    seen["feedback"] = one.run("nbgrader", "fetch_feedback", NAME, student="ann")
    one.run("nbgrader", "export", "--to", "out.csv")
    return seen


# -- out and in ------------------------------------------------------------------------------------------------
def test_what_is_handed_out_has_no_solutions_and_links_that_lead_somewhere(played: dict[str, Any]) -> None:
    assert played["fetched"] == links_to_folders(student_file(exercises()[NAME].path))
    assert b"BEGIN SOLUTION" not in played["fetched"] and b"](../../07_chow_liu.ipynb)" in played["fetched"]
    assert "handed out, due 2099-05-01" in played["released"] and "--again" in played["twice"]
    source = played["class"].folder / "source" / NAME / FILE
    assert "BEGIN SOLUTION" in source.read_text(encoding="utf-8"), "for nbgrader's own tools"


def test_it_is_the_copy_that_nbgrader_itself_would_make(played: dict[str, Any], tmp_path: Path) -> None:
    other = Class(tmp_path)
    shutil.copytree(played["class"].folder / "source", other.folder / "source")
    shutil.copy(played["class"].folder / "nbgrader_config.py", other.folder)
    other.run("nbgrader", "generate_assignment", NAME, "--create")
    theirs = json.loads((other.folder / "release" / NAME / FILE).read_text(encoding="utf-8"))
    ours = json.loads(played["fetched"])
    assert list(map(source_of, theirs["cells"])) == list(map(source_of, ours["cells"]))
    assert len(ours["cells"]) == len(untouched()["cells"])


def test_the_exchanges_folders_are_closed_and_sticky(played: dict[str, Any]) -> None:
    modes = {path.name: path.stat().st_mode & 0o7777 for path in played["class"].exchange.iterdir()}
    assert modes == {"inbound": 0o3733, "outbound": 0o755, "feedback": 0o711}
    assert played["class"].exchange.parent.stat().st_mode & 0o7777 == 0o1777


def test_fetching_again_overwrites_nothing(played: dict[str, Any]) -> None:
    assert "You already have a copy" in played["kept"]
    assert (played["class"].place("ann") / FILE).read_bytes() == played["sent"][0]


def test_what_is_too_large_is_refused_in_a_sentence(played: dict[str, Any]) -> None:
    assert "NOTHING WAS HANDED IN" in played["huge"] and "at most 20.0 MB" in played["huge"]
    assert "Traceback" not in played["huge"]
    assert len(list((played["class"].exchange / "inbound").iterdir())) == 2


# -- collected and returned ------------------------------------------------------------------------------------
def test_nbgrader_collects_by_the_plugin(played: dict[str, Any]) -> None:
    folder = played["class"].folder
    for student, sent in zip(("ann", "bob"), played["sent"]):
        assert (folder / "submitted" / student / NAME / FILE).read_bytes() == sent
    assert [(row["student"], row["counts"]) for row in rows(folder)] == [("ann", "counts"), ("bob", "counts")]
    assert "2 attempts in the exchange, 2 new" in played["collected"]
    noted = json.loads((folder / "submitted" / ".deadlines.json").read_text())
    assert noted == {NAME: "2099-05-01T10:00:00+00:00"}, "the deadline is in nbgrader's gradebook"


def test_each_student_gets_her_own_page_and_no_other(played: dict[str, Any]) -> None:
    one = played["class"]
    (page,) = one.place("ann").glob("feedback/*/07_chow_liu.html")
    assert "for ann" in page.read_text() and "for bob" not in page.read_text() and "SOLUTION" not in page.read_text()
    assert "A hint: " in page.read_text()
    pages = list((one.exchange / "feedback").iterdir())
    assert len(pages) == 2 and all(len(path.stem) == 32 for path in pages), "names that only a secret leads to"
    assert "2 pages returned by nbgrader" in played["returned"]
    assert "lms: not collected by nbgrader" in played["returned"]
    with open(one.folder / "returned" / "mail.csv", encoding="utf-8", newline="") as file:
        assert [row["student"] for row in csv.DictReader(file)] == ["lms"]


def test_nbgraders_gradebook_has_the_marks(played: dict[str, Any]) -> None:
    with open(played["class"].folder / "out.csv", encoding="utf-8", newline="") as file:
        marks = {row["student_id"]: row for row in csv.DictReader(file)}
    assert (marks["ann"]["score"], marks["ann"]["max_score"], marks["ann"]["late_submission_penalty"]) == (
        "1.0", "17.0", "0.0")
    assert (marks["bob"]["score"], marks["bob"]["late_submission_penalty"]) == ("0.5", "0.5"), "late, by half a point"
    assert marks["ann"]["duedate"] == "2099-05-01 10:00:00"


FORMGRADER = """
import json, pathlib, sys
from bnteach.course.classroom.exchange import nbgrader_in
from nbgrader.apps.api import NbGraderAPI
nbgrader = nbgrader_in(pathlib.Path(sys.argv[1]))
rows = NbGraderAPI(config=nbgrader.config, coursedir=nbgrader.coursedir).get_submissions("07_chow_liu")
print(json.dumps({row["student"]: [row["autograded"], row["score"], row["max_score"], row["needs_manual_grade"]]
                  for row in rows}))
"""


def test_formgrader_lists_them_as_graded(played: dict[str, Any]) -> None:
    shown = json.loads(ran(played["class"], FORMGRADER))
    assert shown["ann"] == shown["bob"] == [True, 1.0, 17.0, False], "in this list without what lateness costs"


HANDS = """
import json, sys, pathlib
from bnteach.course.classroom.exchange import nbgrader_in
from bnteach.course.classroom.gradebook import write_marks
folder = pathlib.Path(sys.argv[1])
nbgrader = nbgrader_in(folder)
record = json.loads((folder / "grades" / "records" / "ann.json").read_text())
def score():
    with nbgrader.gradebook as gradebook:
        return gradebook.find_grade("check_7_2", record["exercise"], record["exercise"], "ann").score
said = []
for how in ({"points": 2, "judged": 0, "reason": "at the board"}, {"points": 0}):
    record["questions"][1].update(how)
    said.append([write_marks(nbgrader, folder / "grades", [record])[1], score()])
    record["questions"][1].pop("reason", 0), record["questions"][1].pop("judged", 0)
with nbgrader.gradebook as gradebook:
    gradebook.find_grade("check_7_2", record["exercise"], record["exercise"], "ann").manual_score = 1.5
    gradebook.db.commit()
said.append([write_marks(nbgrader, folder / "grades", [record])[1], score()])
print(json.dumps(said))
"""


def test_marks_by_hand_go_there_and_those_given_there_are_not_lost(played: dict[str, Any]) -> None:
    one = played["class"]
    by_hand, taken_back, theirs = json.loads(ran(one, HANDS))
    assert by_hand == [[], 2.0] and taken_back == [[], 0.0]
    assert theirs == [["ann has 1.5 for 7.2 in nbgrader's gradebook, and 0 here"], 1.5]


def ran(one: Class, code: str) -> str:
    place = {"BNTEACH_EXCHANGE": str(one.base / "exchange"), "HOME": str(one.folder)}
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code, str(one.folder)], capture_output=True, text=True,
                          env={**os.environ, **place})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_page_for_another_submission_than_the_one_laid_out_is_not_returned(played: dict[str, Any]) -> None:
    one = played["class"]
    write_grades(one, graded(one, "bob"), graded(one, "ann", sha256="0" * 64))
    said = one.run("bnteach", "class", "return", "07", status=3)
    assert "ann: handed in again since it was graded: grade once more" in said and "1 pages returned" in said


def test_where_all_run_under_one_number_each_has_a_folder_of_feedback_too(played: dict[str, Any]) -> None:
    """As on Kubernetes: what a student's server sees of inbound and of feedback is a folder of her own."""
    one, slug = played["class"], f"bob---{hashlib.sha256(b'bob').hexdigest()[:8]}"
    own = one.exchange / "inbound" / slug
    own.mkdir()
    (entry,) = (path for path in one.exchange.glob("inbound/bob+*"))
    entry.rename(own / entry.name)
    one.run("nbgrader", "collect", NAME)
    assert rows(one.folder)[-1]["student"] == "bob" and rows(one.folder)[-1]["notes"] == ""
    common = {path.name for path in one.exchange.glob("feedback/*.html")}
    write_grades(one, graded(one, "bob"))
    one.run("bnteach", "class", "return", "07")
    (page,) = (one.exchange / "feedback" / slug).iterdir()
    assert "for bob" in page.read_text()
    assert {path.name for path in one.exchange.glob("feedback/*.html")} == common, "nothing new where all can look"
