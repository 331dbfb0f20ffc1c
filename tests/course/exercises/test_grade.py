"""The grader against bad submissions: none earns more than its honest answers, none stops the others."""

from __future__ import annotations

import csv
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

import bnteach as bn
from bnteach.course.commands import main as cli
from bnteach.course.exercises.grade import GradeError, Settings, choose_sandbox, grade, only_one, read_secret
from bnteach.course.exercises.grading import sandboxes, sessions
from bnteach.course.exercises.grading.judging import judge, tidy
from bnteach.course.exercises.grading.marking import seed
from bnteach.course.exercises.grading.plain import write_plain
from bnteach.course.exercises.grading.sessions import Limits, Sandbox, Session
from bnteach.course.exercises.grading.submissions import Submission, _odd_folder, find, program
from bnteach.course.exercises.grading.view import loaded
from bnteach.course.exercises.grading.workers import LocalWorkers, WorkerEnded, as_done
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.release import exercises
from tests.course.exercises.here import Here
from tests.course.exercises.submissions.crowd import make_class
from tests.course.exercises.submissions.notebooks import code_cell, untouched, with_answers, write
from tests.course.exercises.submissions.shortcuts import SHORTCUTS
from tests.course.exercises.submissions.sins import SINS, make_all
from tests.course.exercises.submissions.tricks import RIGHT

QUICK = Limits(seconds=3)
needs_sandbox = pytest.mark.usefixtures("namespaces")


@pytest.fixture(scope="module")
def sinners(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, dict]]:
    """All sins, graded together: the folder of submissions, and the record of each sin."""
    folder = tmp_path_factory.mktemp("sins")
    students = make_all(folder / "submitted")
    records = grade(Settings(folder / "submitted", folder / "out", jobs=2, limits=QUICK))
    return folder, {sin: record for sin, student in students.items() for record in records
                    if record["student"] == tidy(student)}


@needs_sandbox
@pytest.mark.parametrize("name", SINS)
def test_a_sin_earns_only_its_honest_answers_and_is_reported(name: str, sinners: tuple[Path, dict[str, dict]]) -> None:
    sin, record = SINS[name], sinners[1][name]
    assert record["points"] == sin.earns, json.dumps(record, indent=1)
    question = next((q for q in record["questions"] if q["id"] == "7.4"), None)
    assert sin.how == (question["how"] if question else record["result"]), json.dumps(record, indent=1)
    said = " ".join([record["problem"], *record["notes"], *(q["sentence"] for q in record["questions"])])
    assert sin.words.lower() in said.lower(), said
    assert said or record["points"] == record["of"], "a lost point needs a reason"


@needs_sandbox
def test_nothing_got_out(sinners: tuple[Path, dict[str, dict]]) -> None:
    folder, _ = sinners
    assert sorted(path.name for path in folder.iterdir()) == ["out", "submitted"]
    assert sorted(path.name for path in (folder / "out").iterdir()) == [
        ".lock", "dashboard", "dashboard.html", "feedback", "grades.csv", "records", "secret", "submissions.json",
        "worth_a_look.csv"]
    assert {path.name for path in (folder / "submitted").iterdir()} == set(make_names())
    assert not list(folder.rglob("*.part")) and not list(folder.rglob("pickled")) and not list(folder.rglob("written"))


def make_names() -> list[str]:
    return [sin.replace("/", "_") for sin in SINS]


@needs_sandbox
def test_everybody_is_in_the_csv_and_it_tells_the_endings_apart(sinners: tuple[Path, dict[str, dict]]) -> None:
    folder, _ = sinners
    with open(folder / "out" / "grades.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(SINS) + 1, "two notebooks are two rows"
    assert {row["7.4 how"] for row in rows} == {"", "right", "wrong", "crash", "timeout", "missing"}
    assert {row["result"] for row in rows} == {"graded", "unreadable", "double", "unknown exercise"}
    assert not [cell for row in rows for cell in row.values() if cell[:1] in "=+-@" and cell]
    assert "'=cmd|' _C calc'!A0" in {row["student"] for row in rows}
    for row in rows:
        assert row["points"] == "" or int(row["points"]) <= 15
        assert row["what happened"] or row["result"] == "graded"


@needs_sandbox
def test_pages_say_what_happened_and_run_nothing(sinners: tuple[Path, dict[str, dict]]) -> None:
    folder, _ = sinners
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (folder / "out" / "feedback").glob("*.html")}
    assert len(pages) == len(SINS) + 1 == len(list((folder / "out" / "records").iterdir()))
    for page in pages.values():
        assert not re.search(r"<(script|img|link|iframe|b>=)", page) and "http" not in page
    found = {words: next(page for page in pages.values() if words in page)
            for words in ("took too long", "stopped with an error", "not right", "not there", "✓ right")}
    assert "kruskal" in found["took too long"]
    for name in pages:
        assert re.fullmatch(r"[\w.-]+", name) and not name.startswith(".")


@needs_sandbox
def test_no_process_is_left_behind(sinners: tuple[Path, dict[str, dict]]) -> None:
    left = subprocess.run(["ps", "-eo", "ppid,args"], capture_output=True, text=True).stdout
    ours = [line.split() for line in left.splitlines() if "grading.zygote" in line]
    assert [line for line in ours if line[0] in ("1", str(os.getpid()))] == []


@pytest.fixture(scope="module")
def shortcuts(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict]:
    """What became of every shortcut, by its number and its question."""
    folder = tmp_path_factory.mktemp("shortcuts")
    for number, (id, code) in enumerate(SHORTCUTS):
        name = next(name for name in exercises() if int(name[:2]) == int(id.partition(".")[0]))
        write(with_answers([], {id: code}, name), folder / "in" / str(number) / f"{name}.ipynb")
    records = grade(Settings(folder / "in", folder / "out", jobs=2, limits=Limits(seconds=10)))
    return {(record["student"], question["id"]): question for record in records for question in record["questions"]}


@needs_sandbox
@pytest.mark.parametrize("number, id", [(str(number), id) for number, (id, _) in enumerate(SHORTCUTS)])
def test_what_is_to_be_written_is_not_to_be_had_from_elsewhere(number: str, id: str, shortcuts: dict) -> None:
    record = shortcuts[number, id]
    assert record["points"] == 0 and "must not be used" in record["sentence"], record


# -- a class -----------------------------------------------------------------------------------------------------
def run_grader(folder: Path, out: Path, secret: Path) -> subprocess.Popen:
    arguments = ["grade", str(folder), "--out", str(out), "--secret", str(secret), "--jobs", "2", "--seconds", "3"]
    return subprocess.Popen([sys.executable, "-m", "bnteach", *arguments], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, cwd=Path(bn.__file__).parents[1])


@needs_sandbox
def test_a_class_of_two_hundred_survives_the_death_of_the_grader(tmp_path: Path) -> None:
    make_class(tmp_path / "in", 200)
    secret = tmp_path / "secret"
    secret.write_text("a secret of the class, long enough")
    whole, pieces = tmp_path / "whole", tmp_path / "pieces"

    first = run_grader(tmp_path / "in", pieces, secret)
    while first.poll() is None and len(list((pieces / "records").glob("*.json"))) < 110:
        time.sleep(0.05)
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()
    done = len(list((pieces / "records").glob("*.json")))
    assert 110 <= done < 204 and not (pieces / "grades.csv").exists(), "it was killed in the middle"

    second = run_grader(tmp_path / "in", pieces, secret)
    said, complaints = second.communicate()
    assert second.returncode == 3, complaints
    kept = int(re.search(r"(\d+) of 204 were graded before", said)[1])
    assert done - 3 <= kept <= done, "what was done is not done again"

    third = run_grader(tmp_path / "in", whole, secret)
    third.communicate()
    grades = (whole / "grades.csv").read_text(encoding="utf-8")
    assert (pieces / "grades.csv").read_text(encoding="utf-8") == grades
    rows = list(csv.DictReader(grades.splitlines()))
    assert len(rows) == 204 and len({row["file"] for row in rows}) == 204, "nothing is lost, nothing comes twice"
    assert Counter(row["result"] for row in rows) == {"graded": 156, "unreadable": 40, "double": 8}
    assert sum(int(row["points"] or 0) for row in rows) == 20 * 1 + 20 * 2 + 19 * 2 + 2 * 1, "the last are the endless"
    assert [row["7.6 how"] for row in rows if row["student"] in ("student 057", "student 133")] == ["timeout"] * 2


# -- going on, again, with another secret ----------------------------------------------------------------------------
@pytest.fixture
def small(tmp_path: Path) -> Settings:
    write(with_answers(["7.1"]), tmp_path / "in" / "ann" / "07_chow_liu.ipynb")
    write(untouched(), tmp_path / "in" / "bob" / "07_chow_liu.ipynb")
    return Settings(tmp_path / "in", tmp_path / "out", limits=QUICK)


@needs_sandbox
def test_what_is_done_is_kept_and_what_has_changed_is_done_again(small: Settings) -> None:
    grade(small)
    stamps = {path: path.stat().st_mtime_ns for path in (small.out / "records").iterdir()}
    said: list[str] = []
    grade(small, said.append)
    assert said == ["2 of 2 were graded before and are kept."]
    assert {path: path.stat().st_mtime_ns for path in (small.out / "records").iterdir()} == stamps

    write(with_answers(["7.1", "7.2"]), small.folder / "bob" / "07_chow_liu.ipynb")
    records = {record["student"]: record for record in grade(small)}
    assert records["bob"]["points"] == 3 and records["ann"]["points"] == 1
    assert sum(path.stat().st_mtime_ns != stamps.get(path) for path in (small.out / "records").iterdir()) == 1

    said.clear()
    grade(replace(small, again=True), said.append)
    assert said == []


@needs_sandbox
def test_with_more_time_only_what_took_too_long_is_done_again(small: Settings) -> None:
    slow = "import time\nwhile time.process_time() < 4: pass\n" + RIGHT
    write(with_answers(["7.1"], {"7.4": slow}), small.folder / "cleo" / "07" / "07_chow_liu.ipynb")
    (small.folder / "cleo" / "07" / "timestamp.txt").write_text("2026-05-02 10:30:00 UTC")
    said: list[str] = []

    def marks(seconds: int, due: str = "") -> list[tuple[str, int, str]]:
        records = grade(replace(small, limits=Limits(seconds=seconds), due=due), said.append)
        return sorted((record["student"], record["points"], record["late"]) for record in records)
    assert marks(3, due="2026-05-02 10:00") == [("ann", 1, "unknown"), ("bob", 0, "unknown"), ("cleo", 1, "30 min")]
    assert marks(3) == marks(2) == [("ann", 1, "unknown"), ("bob", 0, "unknown"), ("cleo", 1, "30 min")]
    assert marks(20) == marks(30) == [("ann", 1, "unknown"), ("bob", 0, "unknown"), ("cleo", 3, "30 min")]
    assert said == [f"{kept} of 3 were graded before and are kept." for kept in (3, 3, 2, 3)]


@needs_sandbox
def test_a_record_that_was_torn_is_made_again(small: Settings) -> None:
    grade(small)
    for path in (small.out / "records").iterdir():
        path.write_text(path.read_text()[:100])
    assert {record["student"]: record["points"] for record in grade(small)} == {"ann": 1, "bob": 0}


def test_inputs_depend_on_the_secret_and_on_the_file() -> None:
    exercise = exercises()["07_chow_liu"]
    question = exercise.questions[0]
    seeds = [seed(secret, exercise, question, digest) for secret in (b"one", b"other") for digest in ("a", "b")]
    assert len({tuple(s) for s in seeds}) == 4
    assert seeds[0] == seed(b"one", exercise, question, "a")
    inputs = [write_plain(question.inputs(s)) for s in seeds]
    assert len(set(inputs)) == 4
    assert seed(b"one", exercise, exercise.questions[1], "a") != seeds[0]


def test_the_secret_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    secret = read_secret(tmp_path / "secret")
    assert len(secret) >= 32 and read_secret(tmp_path / "secret") == secret
    assert (tmp_path / "secret").stat().st_mode & 0o077 == 0
    (tmp_path / "short").write_text("abc")
    with pytest.raises(GradeError, match="too short"):
        read_secret(tmp_path / "short")


def test_two_graders_do_not_write_into_one_folder(small: Settings) -> None:
    small.out.mkdir()
    with only_one(small.out), pytest.raises(GradeError, match="another grader is at work"):
        grade(small)


@pytest.mark.parametrize("change, words", [
    ({"folder": Path("/nowhere")}, "is not a folder"), ({"folder": Path("moodle.zip")}, "Unpack it"),
    ({"due": "tomorrow"}, "is no time"), ({"out": None}, "is the folder of the submissions")])
def test_what_cannot_begin_says_why(change: dict, words: str, small: Settings) -> None:
    change = {name: small.folder if value is None else value for name, value in change.items()}
    with pytest.raises(GradeError, match=words):
        grade(replace(small, **change))


def test_grades_among_the_submissions_are_none(small: Settings) -> None:
    """As with `bnteach grade .` in the folder of the submissions."""
    for _ in range(2):
        records = grade(replace(small, out=small.folder / "grades"), lambda _: None)
        assert {record["student"] for record in records} == {"ann", "bob"}


def test_an_interruption_is_reported_in_a_line(small: Settings, monkeypatch: pytest.MonkeyPatch,
                                              capsys: pytest.CaptureFixture[str]) -> None:
    (small.folder / "file").write_text("")
    assert cli.main(["grade", str(small.folder), "--out", str(small.folder / "file")]) == 1
    assert f"{small.folder / 'file'}: File exists. What was graded is kept" in capsys.readouterr().err

    def stop(*_: object) -> None:
        raise KeyboardInterrupt
    monkeypatch.setattr("bnteach.course.exercises.grade.grade", stop)
    assert cli.main(["grade", str(small.folder), "--out", str(small.out)]) == 1
    assert "stopped. What was graded is kept" in capsys.readouterr().err


def test_who_goes_on_slowly_is_not_listened_to_for_ever() -> None:
    """Where a process can outlive its time, and says a letter now and then."""
    ours, theirs = socket.socketpair()
    session = Session(ours, time.monotonic() + 0.3)

    def drip() -> None:
        with suppress(OSError):  # until it is closed
            while theirs.send(b"{"):
                time.sleep(0.05)
    thread = threading.Thread(target=drip)
    thread.start()
    late = threading.Timer(5, ours.close)
    late.start()
    assert list(session.messages()) == [] and late.is_alive(), "it ended by itself"
    late.cancel()
    ours.close()
    thread.join()


def test_an_empty_folder(small: Settings, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(GradeError, match="no submissions"):
        grade(replace(small, folder=tmp_path / "empty"))


# -- no sandbox ------------------------------------------------------------------------------------------------------
def test_without_a_sandbox_it_says_loudly_what_is_not_enforced(small: Settings, monkeypatch: pytest.MonkeyPatch,
                                                               capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sandboxes, "refused", lambda: "unshare: Operation not permitted")
    command = ["grade", str(small.folder), "--out", str(small.out), "--jobs", "1"]
    assert cli.main(command) == 1
    said = capsys.readouterr().err
    assert "there is no sandbox here (unshare: Operation not permitted): grade as root, or" in said
    assert "--unsafe" in said and "THERE IS NO SANDBOX" in said
    assert not small.out.exists(), "nothing was begun"
    assert cli.main([*command, "--unsafe"]) == 0
    assert "THERE IS NO SANDBOX" in capsys.readouterr().err
    assert "ann,07_chow_liu,1,17,graded" in (small.out / "grades.csv").read_text()


def test_a_sandbox_is_never_left_out_if_it_can_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandboxes, "refused", lambda: "")
    assert choose_sandbox(unsafe=True) == choose_sandbox(unsafe=False) == "namespaces"


def test_without_a_sandbox_time_still_ends(tmp_path: Path) -> None:
    write(with_answers(["7.1"], {"7.4": "while True: pass"}), tmp_path / "in" / "ann" / "07_chow_liu.ipynb")
    (record,) = grade(Settings(tmp_path / "in", tmp_path / "out", "none", limits=QUICK))
    assert record["points"] == 1 and record["questions"][3]["how"] == "timeout"


@needs_sandbox
def test_the_environment_may_be_reached_by_a_link(tmp_path: Path) -> None:
    (tmp_path / "venv").symlink_to(sys.prefix)
    ask = "from bnteach.course.exercises.grading.sandboxes import refused; print(refused() or 'it works')"
    python = tmp_path / "venv" / Path(sys.executable).relative_to(sys.prefix)
    done = subprocess.run([python, "-c", ask], capture_output=True, text=True)
    assert done.stdout == "it works\n", done.stdout + done.stderr


def test_shared_libraries_that_are_not_the_systems_are_in_the_view(tmp_path: Path) -> None:
    """Under the name by which the linker found one, as of a Python whose own library is elsewhere."""
    there = next(path for path in loaded() if path.name.startswith("libc.so"))
    shutil.copy(there, tmp_path / "real.so")
    (tmp_path / "libelsewhere.so.1").symlink_to("alternative.so")
    (tmp_path / "alternative.so").symlink_to(tmp_path / "real.so")
    ask = (f"import ctypes; ctypes.CDLL({str(tmp_path / 'libelsewhere.so.1')!r})\n"
           f"from bnteach.course.exercises.grading.view import view; print(*view().linked, sep='\\n')")
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True)
    for name in ("libelsewhere.so.1", "alternative.so", "real.so"):
        assert str(tmp_path / name) in done.stdout.split("\n"), done.stdout + done.stderr


# -- when it is the grader that fails --------------------------------------------------------------------------------
def test_a_worker_that_ends_costs_one_submission_and_no_more() -> None:
    with LocalWorkers(2) as workers:
        futures = {workers.submit(ends_at_three, task): task for task in range(8)}
        done = {task: type(future.exception()) if future.exception() else future.result()
                for task, future in as_done(futures, workers)}
    assert done == {task: WorkerEnded if task == 3 else task * 10 for task in range(8)}


def ends_at_three(task: int) -> int:
    return os._exit(1) if task == 3 else task * 10


def test_what_is_printed_by_a_worker_does_not_get_between_its_answers(capfd: pytest.CaptureFixture[str]) -> None:
    with LocalWorkers(1) as workers:
        assert [workers.submit(os.write, 1, b"hello\n").result() for _ in range(2)] == [6, 6]
    assert capfd.readouterr() == ("", "hello\nhello\n")


def test_workers_take_nothing_from_the_folder_they_are_started_in(tmp_path: Path,
                                                                  monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit('a student wrote this')")
    monkeypatch.chdir(tmp_path)
    with LocalWorkers(1) as workers:
        assert workers.submit(version_of_numpy).result()


def version_of_numpy() -> str:
    import numpy

    return numpy.__version__


def test_a_failure_of_the_grader_is_no_mark(small: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bnteach.course.exercises.grade.LocalWorkers", lambda jobs: Here())
    monkeypatch.setattr("bnteach.course.exercises.grading.sessions.Sandbox.start", lambda self: 1 / 0)
    records = {record["student"]: record for record in grade(small)}
    assert records["ann"]["result"] == "not graded" and records["ann"]["points"] == ""
    assert "ZeroDivisionError" in records["ann"]["problem"] and "grade again" in records["ann"]["problem"]
    monkeypatch.undo()
    assert {r["student"]: r["result"] for r in grade(small)}["ann"] == "graded", "the next run does it"


def test_a_sandbox_that_does_not_start_stops_the_grading(small: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    dead = [sys.executable, "-c", "import sys; sys.exit('libpython.so: cannot open shared object file')"]

    def start(kind: str, control: int, complaints: object) -> subprocess.Popen:
        return subprocess.Popen(dead, pass_fds=[control], stderr=complaints)
    monkeypatch.setattr("bnteach.course.exercises.grade.LocalWorkers", lambda jobs: Here())
    monkeypatch.setattr(sessions, "_start", start)
    with pytest.raises(GradeError, match=r"does not start: libpython.so: cannot open .* What was graded is kept: run"):
        grade(small)
    assert not list(small.out.glob("records/ann*")), "nobody has a mark"
    monkeypatch.undo()
    assert {r["student"]: r["points"] for r in grade(small)} == {"ann": 1, "bob": 0}


def test_a_sandbox_that_ends_before_anything_was_heard_is_no_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(self: Sandbox) -> None:
        self._control, theirs = socket.socketpair()
        theirs.close()
    monkeypatch.setattr(Sandbox, "start", start)
    for kind in ("namespaces", "none"):
        with pytest.raises(RuntimeError, match="the sandbox failed"), Sandbox(kind).session(QUICK) as session:
            session.send("{}")


def test_a_judge_that_fails_or_takes_for_ever_gives_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def draw(random: object) -> tuple:
        return (1,)
    question = Question("7.1", "Broken", "f", "build", draw, lambda x: 1, examine=lambda answer, x: 1 / 0)
    assert judge(question, ["1"], [(1,)]).how == "unjudged"
    monkeypatch.setattr("bnteach.course.exercises.grading.judging.JUDGE_SECONDS", 1)
    endless = replace(question, examine=lambda answer, x: [None for _ in iter(int, 1)])
    marked = judge(endless, ["1"], [(1,)])
    assert marked.how == "unjudged" and "TimeoutError" in marked.sentence and marked.points == 0
    assert judge(question, ["NaN"], [(1,)]).how == "crash"
    greedy = judge(replace(question, examine=lambda answer, x: str(len(bytearray(8 << 30)))), ["1"], [(1,)])
    assert greedy.how == "unjudged" and "MemoryError" in greedy.sentence
    assert resource.getrlimit(resource.RLIMIT_AS)[0] == resource.RLIM_INFINITY, "the limit is gone again"
    walk = replace(question, examine=None, options=lambda x, taken: Options([], "because"))
    assert "Steps are asked for" in judge(walk, ['{"odd": "a Foo"}'], [(1,)]).sentence


# -- folders as others make them -------------------------------------------------------------------------------------
METADATA = """---
submission_11:
  :submitters:
  - :name: Ann Lee
    :sid: '123'
    :email: ann@example.org
  :created_at: 2026-05-01 10:00:00.000000000 Z
  :score: 0
submission_12:
  :submitters:
  - :name: Bob Ray
    :sid: '124'
    :email: bob@example.org
  - :name: Cy Dee
    :sid: '125'
    :email: cy@example.org
  :created_at: 2026-05-03 08:30:00.000000000 Z
"""


def found(folder: Path) -> dict[str, Submission]:
    return {one.student: one for one in find(folder, exercises().values())}


def test_nbgraders_folders(tmp_path: Path) -> None:
    write(untouched(), tmp_path / "ann" / "07_chow_liu" / "07_chow_liu.ipynb")
    (tmp_path / "ann" / "07_chow_liu" / "timestamp.txt").write_text("2026-05-02 01:30:00.5 Europe/Berlin")
    write(untouched("06_likelihood"), tmp_path / "ann" / "06_likelihood" / "06_likelihood.ipynb")
    write(untouched(), tmp_path / "bob" / "07_chow_liu" / ".ipynb_checkpoints" / "07_chow_liu-checkpoint.ipynb")
    write(untouched(), tmp_path / "bob" / "07_chow_liu" / "07_chow_liu.ipynb")
    all_of_them = find(tmp_path, exercises().values())
    assert [(one.student, one.exercise, one.result) for one in all_of_them] == [
        ("ann", "06_likelihood", "graded"), ("ann", "07_chow_liu", "graded"), ("bob", "07_chow_liu", "graded")]
    assert all_of_them[1].time == "2026-05-01T23:30:00+00:00" and all_of_them[0].time == ""
    write(untouched(), tmp_path / "cy" / "07_chow_liu" / "work" / "07_chow_liu.ipynb")
    (tmp_path / "cy" / "07_chow_liu" / "work" / "timestamp.txt").write_text("2026-04-01 00:00:00 UTC")
    assert found(tmp_path)["cy"].time == "", "this one is the student's own"


def test_folders_that_are_shut_or_have_no_end(tmp_path: Path) -> None:
    write(untouched(), tmp_path.joinpath("ann", *["deeper"] * 30, "07_chow_liu.ipynb"))
    assert "no notebook" in found(tmp_path)["ann"].problem
    shut = PermissionError(13, "Permission denied")
    assert _odd_folder([], 0, [shut]) == "The folder cannot be opened: Permission denied."


def test_a_folder_that_shows_names_and_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As one without the right to enter it does, to all but root."""
    write(untouched(), tmp_path / "ann" / "07_chow_liu.ipynb")

    def shut(real: Callable) -> Callable:
        def wrapped(path: object, *more: object, **how: object) -> object:
            if "ann/" in str(path):
                raise PermissionError(13, "Permission denied", str(path))
            return real(path, *more, **how)
        return wrapped

    for name in ("open", "stat", "lstat"):
        monkeypatch.setattr(os, name, shut(getattr(os, name)))
    assert found(tmp_path)["ann"].problem == "The file cannot be opened: Permission denied."


def test_gradescopes_folders(tmp_path: Path) -> None:
    (tmp_path / "submission_metadata.yml").write_text(METADATA)
    for name in ("submission_11", "submission_12", "submission_13"):
        write(untouched(), tmp_path / name / "07_chow_liu.ipynb")
    one = found(tmp_path)
    assert set(one) == {"ann@example.org", "bob@example.org + cy@example.org", "submission_13"}
    assert one["ann@example.org"].time == "2026-05-01T10:00:00+00:00"


def test_moodles_folders(tmp_path: Path) -> None:
    write(untouched(), tmp_path / "Ann Lee_1234567_assignsubmission_file_" / "07_chow_liu.ipynb")
    write(untouched(), tmp_path / "Ann Lee_7654321_assignsubmission_file" / "my copy.ipynb")
    write(untouched(), tmp_path / "Bob_de_la_Rey_11_assignsubmission_file_07_chow_liu.ipynb")
    (tmp_path / "Cy_12_assignsubmission_file_notes.pdf").write_bytes(b"%PDF")
    one = found(tmp_path)
    assert set(one) == {"Ann Lee_1234567", "Ann Lee_7654321", "Bob_de_la_Rey_11", "Cy_12"}
    assert {student: sub.result for student, sub in one.items() if sub.result != "graded"} == {"Cy_12": "unreadable"}
    assert "does not end in .ipynb" in one["Cy_12"].problem


def test_plain_folders(tmp_path: Path) -> None:
    write(untouched(), tmp_path / "ann_07_chow_liu.ipynb")
    write(untouched(), tmp_path / "bob.ipynb")
    write(untouched(), tmp_path / "07_chow_liu.ipynb")
    (tmp_path / "README.md").write_text("These are the submissions.")
    one = found(tmp_path)
    assert {student: sub.exercise for student, sub in one.items()} == {
        "ann": "07_chow_liu", "bob": "07_chow_liu", "07_chow_liu": "07_chow_liu"}
    assert "does not say whose" in one["07_chow_liu"].notes[0]


def test_doubles_are_reported_and_copies_count_once(tmp_path: Path) -> None:
    write(untouched(), tmp_path / "ann" / "07_chow_liu.ipynb")
    write(with_answers(["7.1"]), tmp_path / "ann" / "07_chow_liu (1).ipynb")
    write(untouched(), tmp_path / "bob" / "07_chow_liu.ipynb")
    write(untouched(), tmp_path / "bob" / "copy" / "again.ipynb")
    all_of_them = find(tmp_path, exercises().values())
    assert [one.result for one in all_of_them] == ["double", "double", "graded"]
    assert "07_chow_liu (1).ipynb" in all_of_them[1].problem + all_of_them[0].problem
    assert "2 times, all the same" in all_of_them[2].notes[-1]


def test_a_wrong_name_is_reported_and_the_cells_decide(tmp_path: Path) -> None:
    write(untouched("06_likelihood"), tmp_path / "ann" / "07_chow_liu.ipynb")
    one = found(tmp_path)["ann"]
    assert one.exercise == "06_likelihood" and "named as 07_chow_liu" in one.notes[-1]
    both = untouched("06_likelihood")
    both["cells"] += untouched()["cells"]
    write(both, tmp_path / "bob" / "all.ipynb")
    assert "several exercises" in found(tmp_path)["bob"].problem


@needs_sandbox
def test_a_late_submission_is_reported_and_graded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "submission_metadata.yml").write_text(METADATA)
    for name in ("submission_11", "submission_12"):
        write(untouched(), tmp_path / "in" / name / "07_chow_liu.ipynb")
    command = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--due", "2026-05-02 23:59+02:00"]
    assert cli.main(command) == 0
    rows = list(csv.DictReader((tmp_path / "out" / "grades.csv").read_text().splitlines()))
    assert [row["late"] for row in rows] == ["", "10 h 31 min"]
    assert "1 late" in capsys.readouterr().out
    assert any("late by 10 h 31 min" in path.read_text() for path in (tmp_path / "out" / "feedback").iterdir())


@pytest.mark.parametrize("text", ["0001-01-01 00:00:00 +14:00", "9999-12-31 23:59 -12:00", "2026-13-01 10:00", "soon",
                                  "2026-05-02 10:30 ../../etc/passwd", "2026-05-02 10:30 America"])
def test_a_time_that_is_none_stops_nobody(text: str, tmp_path: Path) -> None:
    write(untouched(), tmp_path / "ann" / "07_chow_liu.ipynb")
    (tmp_path / "ann" / "timestamp.txt").write_text(text)
    assert found(tmp_path)["ann"].time == ""


def test_a_deadline_may_come_after_the_grades(tmp_path: Path) -> None:
    """What is kept is late all the same; and each exercise by its own deadline, if it was collected with one."""
    (tmp_path / "in" / "ann" / "07_chow_liu").mkdir(parents=True)
    (tmp_path / "in" / "ann" / "07_chow_liu" / "07_chow_liu.ipynb").write_bytes(b"")
    (tmp_path / "in" / "ann" / "07_chow_liu" / "timestamp.txt").write_text("2026-05-02 10:30:00 UTC")

    def late(**more: str) -> str:
        (record,) = grade(Settings(tmp_path / "in", tmp_path / "out", **more), lambda _: None)
        assert f'"late": "{record["late"]}"' in next((tmp_path / "out" / "records").iterdir()).read_text()
        return record["late"]

    assert late() == "" and late(due="2026-05-02 10:00") == "30 min"
    assert late(due="2026-05-09 10:00") == "30 min", "the deadline of next week's exercise"
    (tmp_path / "in" / ".deadlines.json").write_text('{"07_chow_liu": "2026-05-02T09:30:00+00:00"}')
    assert late() == "1 h 0 min"
    (tmp_path / "in" / ".deadlines.json").write_text('{"07_chow_liu": "2026-05-03T09:30:00+00:00"}')
    assert late() == "", "it was put off"
    (tmp_path / "in" / ".deadlines.json").write_text("[]")
    with pytest.raises(GradeError, match=r"deadlines.json cannot be read"):
        late()


# -- which cells run -------------------------------------------------------------------------------------------------
def cells_run(notebook: dict, question: str, tmp_path: Path) -> list[str]:
    exercise = exercises()["07_chow_liu"]
    write(notebook, tmp_path / "ann" / "07_chow_liu.ipynb")
    return [code for _, code in program(found(tmp_path)["ann"], exercise, question)]


def place_of(id: str, notebook: dict) -> int:
    return next(i for i, cell in enumerate(notebook["cells"]) if cell["metadata"]["nbgrader"]["grade_id"] == id)


def test_given_cells_come_from_the_source_and_checks_do_not_run(tmp_path: Path) -> None:
    notebook = with_answers(["7.1"])
    for cell in notebook["cells"]:
        if cell["metadata"]["nbgrader"]["grade_id"] == "given_1":
            cell["source"] = "cheat()"
    ran = cells_run(notebook, "7.2", tmp_path)
    assert ran[0] == exercises()["07_chow_liu"].given[0]
    assert not any("cheat" in code or "bn.check" in code for code in ran)
    assert "def cell" in ran[1] and "def entropy" in ran[2] and len(ran) == 3, "what comes after does not run"


def test_cells_that_the_student_added_run_in_their_place(tmp_path: Path) -> None:
    notebook = with_answers(["7.1"])
    where = place_of("answer_7_2", notebook)
    notebook["cells"].insert(where, code_cell("helper = 1"))
    notebook["cells"].insert(where + 2, code_cell("entropy = better"))
    notebook["cells"].append(code_cell("later = 1"))
    ran = cells_run(notebook, "7.2", tmp_path)
    assert "helper = 1" in ran and "entropy = better" in ran and "later = 1" not in ran


def test_a_cell_that_was_split_runs_in_both_parts(tmp_path: Path) -> None:
    notebook = with_answers([], {"7.1": "part_1 = 1"})
    where = place_of("answer_7_1", notebook)
    notebook["cells"].insert(where + 1, code_cell("part_2 = 2", id="answer_7_1"))
    assert cells_run(notebook, "7.1", tmp_path)[1:] == ["part_1 = 1", "part_2 = 2"]
