"""The grader's sandbox: the same grades every time, limits of time, nothing that is left; names and large files."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

import bnteach as bn
from bnteach.course.commands import main as cli
from bnteach.course.exercises.grade import GradeError, Settings, grade, name_of, read_secret
from bnteach.course.exercises.grading.sessions import Limits, Sandbox
from bnteach.course.exercises.grading.submissions import Submission, without_outputs
from bnteach.course.exercises.grading.zygote import patience
from tests.course.exercises.submissions.notebooks import source, untouched, with_answers, write
from tests.course.exercises.submissions.tricks import RIGHT

needs_sandbox = pytest.mark.usefixtures("namespaces")
HOME = Path(bn.__file__).parents[1]
FILE = "07_chow_liu.ipynb"


# -- the same grades every time ---------------------------------------------------------------------------------------
VARIED = """
import random
import numpy as np
words = {"ash", "birch", "cedar", "elm", "fir", "larch", "oak", "pine", None, int, np.float64}
raise ValueError(f"{list(words)} {random.random()} {np.random.random()} {object()}")
"""


@pytest.fixture
def busy() -> Iterator[None]:
    """Other processes that need all processors."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(os.cpu_count() or 1)]
    yield
    for other in others:
        other.kill()
        other.wait()


@needs_sandbox
def test_the_same_grades_every_time_on_a_busy_machine(tmp_path: Path, busy: None) -> None:
    for name in ("ann", "bob"):
        write(with_answers(["7.1"], {"7.4": VARIED}), tmp_path / "in" / name / FILE)
    (tmp_path / "secret").write_text("a secret of the class, long enough")
    grades = set()
    for i in range(4):
        grade(Settings(tmp_path / "in", tmp_path / f"out{i}", jobs=1 + i % 2, secret=tmp_path / "secret"), print)
        grades.add((tmp_path / f"out{i}" / "grades.csv").read_bytes())
    assert len(grades) == 1, grades
    assert b"ValueError" in grades.pop()


@needs_sandbox
def test_a_submission_may_use_what_single_lessons_use(tmp_path: Path) -> None:
    used = 'import bnteach as bn\nassert bn.is_adjacent(bn.DAG("A->B"), "A", "B") and bn.plots.growth\n'
    write(with_answers([], {"7.4": used + RIGHT}), tmp_path / "in" / "ann" / FILE)
    (ann,) = grade(Settings(tmp_path / "in", tmp_path / "out"), print)
    assert ann["points"] == 2, ann


# -- time ------------------------------------------------------------------------------------------------------------
@needs_sandbox
def test_only_cpu_time_is_limited(tmp_path: Path) -> None:
    """An answer that has to wait, as on a busy machine, loses nothing by it."""
    late = "import time\ntime.sleep(1.5)\n" + RIGHT
    write(with_answers([], {"7.4": late}), tmp_path / "in" / "ann" / FILE)
    write(with_answers([], {"7.4": "while True: pass"}), tmp_path / "in" / "bob" / FILE)
    ann, bob = grade(Settings(tmp_path / "in", tmp_path / "out", limits=Limits(seconds=1)), print)
    assert ann["points"] == 2, ann
    assert bob["questions"][3]["sentence"].endswith("did not end within 1 CPU seconds: look for an endless loop.")


def test_who_computes_is_waited_for() -> None:
    assert patience(20, 6) > 6 * 20, "twenty processes to a processor"
    assert patience(20, 20) < Limits(seconds=20).longest, "the sandbox ends a runner, the grader only notices"


@pytest.mark.parametrize("seconds", ["0.01", "0", "1.5", "nan", "1e9", "inf"])
def test_a_limit_that_is_none_is_reported_before_anything_begins(seconds: str, tmp_path: Path,
                                                                capsys: pytest.CaptureFixture[str]) -> None:
    write(untouched(), tmp_path / "in" / "ann" / FILE)
    assert cli.main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--seconds", seconds]) == 1
    assert "--seconds a whole number from 1 to 3600.\n" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# -- nothing is left -------------------------------------------------------------------------------------------------
LEFT = """
import os, tempfile
open("left", "w").write("x")
os.chdir(tempfile.mkdtemp())
for _ in range(500):
    os.mkdir("x")
    os.chdir("x")
def kruskal(weights): return []
"""
PRIM = next("".join(cell["source"]) for cell in source()["cells"] if "def prim" in "".join(cell["source"]))
LOOKS = f"""
import os
there = sorted(name for name in os.listdir("/scratch") if name != "left")
assert len(there) == 1, f"only what the cell before has made, just now, not {{there}}"
{PRIM}"""


@needs_sandbox
def test_every_question_has_a_scratch_folder_of_its_own(tmp_path: Path) -> None:
    write(with_answers([], {"7.4": LEFT, "7.5": LOOKS}), tmp_path / "in" / "ann" / FILE)
    (record,) = grade(Settings(tmp_path / "in", tmp_path / "out"), print)
    assert [q["how"] for q in record["questions"]][3:5] == ["wrong", "right"], record


@needs_sandbox
def test_the_submission_is_nobody(tmp_path: Path) -> None:
    who = "import os\nraise ValueError(f'{os.getresuid()} {os.getresgid()} {os.getgroups()} {os.getpid()}')"
    write(with_answers([], {"7.1": who}), tmp_path / "in" / "ann" / FILE)
    (record,) = grade(Settings(tmp_path / "in", tmp_path / "out"), print)
    ids = [int(number) for number in re.findall(r"\d+", record["notes"][0].partition("ValueError")[2])]
    assert len({*ids[:6]}) == 1 and min(ids[:6]) >= 65534 and ids[-1] == 1, record["notes"]


def descendants(process: int) -> set[int]:
    """The processes that one has started, and theirs."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True).stdout.split()
    parents = dict(zip(map(int, listed[::2]), map(int, listed[1::2])))
    found = {process}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {process}


def alive(process: int) -> bool:
    """Whether a process is there, and not only its number."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True).stdout
    return state.strip()[:1] not in ("", "Z")


def start_endless(folder: Path) -> tuple[subprocess.Popen, set[int]]:
    """A grader at work on a loop without end, and all its processes: a worker, two of the sandbox, the runner."""
    write(untouched(), folder / "in" / "ann" / FILE)
    write(with_answers([], {"7.1": "while True: pass"}), folder / "in" / "bob" / FILE)
    command = ["grade", str(folder / "in"), "--out", str(folder / "out"), "--jobs", "1", "--seconds", "3600"]
    grader = subprocess.Popen([sys.executable, "-m", "bnteach", *command], cwd=HOME, text=True, stderr=subprocess.PIPE,
                              stdout=subprocess.DEVNULL)
    while grader.poll() is None and not (list(folder.glob("out/records/*")) and len(descendants(grader.pid)) == 4):
        time.sleep(0.1)
    return grader, descendants(grader.pid)


@needs_sandbox
def test_everything_ends_with_a_grader_that_is_killed(tmp_path: Path) -> None:
    grader, started = start_endless(tmp_path)
    assert len(started) == 4 and all(map(alive, started))
    grader.kill()
    grader.communicate()
    until = time.monotonic() + 60  # never the whole hour that the loop may take
    while any(map(alive, started)) and time.monotonic() < until:
        time.sleep(0.1)
    left = [process for process in started if alive(process)]
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert not left


@needs_sandbox
def test_a_grader_that_is_told_to_end_says_what_is_saved_and_how_to_go_on(tmp_path: Path) -> None:
    grader, started = start_endless(tmp_path)
    grader.send_signal(signal.SIGTERM)
    _, said = grader.communicate()
    assert grader.returncode == 1 and "Traceback" not in said
    assert f"stopped. 1 of 2 submissions are graded and saved in {tmp_path / 'out'}: run the same command" in said
    assert not [process for process in started if alive(process)]


def test_killed_from_outside_is_no_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    """A submission cannot do that to itself: it is the first process of its namespace."""
    sandbox = Sandbox("namespaces")
    said = {"late": False, "status": -9, "used": 0.1, "clean": True}
    monkeypatch.setattr(Sandbox, "_hear", lambda self: said)
    with pytest.raises(RuntimeError, match="killed from outside"):
        sandbox._how_it_ended(None)
    said["late"] = True
    assert sandbox._how_it_ended(None).late


def test_a_full_disk_leaves_no_secret_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        read_secret(tmp_path / "secret")
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    assert len(read_secret(tmp_path / "secret")) == 65 and (tmp_path / "secret").stat().st_mode & 0o777 == 0o600


# -- names and large files -------------------------------------------------------------------------------------------
def test_every_name_has_files_of_its_own_and_shows_its_letters() -> None:
    students = ["李娜", "Ольга", "ann", "Ann", "ann ", "..", "\udcff", "\udcfe", "x" * 300, "x" * 301]
    names = [name_of(Submission(student, Path("a"), "a.ipynb", exercise="07_chow_liu")) for student in students]
    assert len({name.lower() for name in names}) == len(students)
    assert names[0].startswith("李娜-07_chow_liu-") and names[1].startswith("Ольга-")
    assert all(re.search(r"-[0-9a-f]{64}$", name) and len(f".{name}.html".encode()) < 250 for name in names)


@pytest.mark.parametrize("names", [("Zoë", unicodedata.normalize("NFD", "Zoë")), ("ann", "ann\u200b"),
                                   ("x" * 130, "x" * 131)])
def test_two_students_who_read_the_same_are_an_error(names: tuple[str, str], tmp_path: Path) -> None:
    for name in names:
        write(untouched(), tmp_path / "in" / name / FILE)
    with pytest.raises(GradeError, match=r"two students have the name .*Rename one of them"):
        grade(Settings(tmp_path / "in", tmp_path / "out"), print)


def test_outputs_are_skipped_wherever_brackets_and_quotes_are() -> None:
    odd = ["]", "[", '"', "\\", '\\"', '"outputs": [', "}]", "é\n", {"outputs": [["]"], {}]}, []]
    for i, text in enumerate(odd):
        notebook = {"cells": [{"outputs": [{"text": odd[: i + 1]}], "source": text}], "outputs": None, "more": odd[i:]}
        read = json.loads(without_outputs(json.dumps(notebook, indent=i % 3).encode()))
        without = [{"outputs": []} if one == odd[8] else one for one in notebook["more"]]
        source = {"outputs": []} if i == 8 else text
        assert read == {"cells": [{"outputs": [], "source": source}], "outputs": None, "more": without}
    assert without_outputs(b'{"outputs": [[1, "') == b'{"outputs": [', "damaged, and still so"
