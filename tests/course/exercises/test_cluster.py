"""Grading on a Dask cluster: the same grades on every worker, even if some die."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from bnteach.course.commands import main as cli
from bnteach.course.exercises.grade import GradeError, Settings, grade
from bnteach.course.exercises.grading import cluster, sandboxes
from bnteach.course.exercises.grading.sessions import Limits
from bnteach.course.exercises.grading.workers import Processes, WorkerEnded, as_done
from bnteach.course.exercises.release import exercises
from tests.course.exercises.here import Here
from tests.course.exercises.submissions.crowd import make_class
from tests.course.exercises.submissions.notebooks import untouched, with_answers, write

pytest.importorskip("distributed", reason="pip install bnteach[class]")
pytestmark = pytest.mark.usefixtures("namespaces")
QUICK = Limits(seconds=3)


def ours(**others: str) -> dict[str, str]:
    """Our own edition of everything, with what is other."""
    return {**cluster.edition(), "07_chow_liu": exercises()["07_chow_liu"].digest, **others}


def twice(x: int) -> int:
    return 2 * x


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen]]:
    """Start a part of Dask; in the end all of them are stopped."""
    started = []

    def run(part: str, *arguments: str) -> subprocess.Popen:
        command = [sys.executable, "-m", f"distributed.cli.dask_{part}", "--scheduler-file", "scheduler.json"]
        with open(tmp_path / f"{part}-{len(started)}.log", "w") as log:
            started.append(subprocess.Popen([*command, *arguments], cwd=tmp_path, stdout=log, stderr=log))
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture
def scheduler(start: Callable[..., subprocess.Popen], tmp_path: Path) -> str:
    """The address of a scheduler without workers."""
    start("scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1")
    while True:
        try:
            return json.loads((tmp_path / "scheduler.json").read_text())["address"]
        except (OSError, ValueError):
            time.sleep(0.05)


def add_worker(start: Callable[..., subprocess.Popen], address: str, wanted: int) -> subprocess.Popen:
    """One more worker; waits until there are that many."""
    process = start("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
    with cluster.connect(address) as client:
        client.wait_for_workers(wanted, timeout=60)
    return process


def test_the_same_grades_when_a_worker_is_killed_in_the_middle(start, scheduler: str, tmp_path: Path) -> None:
    make_class(tmp_path / "in", 200)
    (tmp_path / "secret").write_text("a secret of the class, long enough")
    settings = {"folder": tmp_path / "in", "secret": tmp_path / "secret", "limits": QUICK}
    first = add_worker(start, scheduler, 1)
    add_worker(start, scheduler, 2)
    records = tmp_path / "cluster" / "records"

    def kill() -> None:
        while len(list(records.glob("*.json"))) < 100:
            time.sleep(0.02)
        os.kill(first.pid, signal.SIGKILL)

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    done = grade(Settings(out=tmp_path / "cluster", dask=scheduler, **settings))
    killer.join()
    assert first.wait() == -signal.SIGKILL and len(done) == 204
    assert {record["result"] for record in done} == {"graded", "unreadable", "double"}

    grade(Settings(out=tmp_path / "alone", jobs=1, **settings))
    names = sorted(path.relative_to(tmp_path / "alone") for path in (tmp_path / "alone").rglob("*.*"))
    assert len([name for name in names if name.parent.name == "records"]) == 204
    for name in names:
        assert (tmp_path / "cluster" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes(), name


def test_what_ends_at_a_worker_costs_a_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_here", Processes())
    with pytest.raises(WorkerEnded):
        cluster.compute_there(ours(), os._exit, 1)
    assert cluster.compute_there(ours(), twice, 3) == 6, "the next one starts another"
    cluster._here.end()


def test_a_worker_that_cannot_grade_is_reported_before_grading_begins(start, scheduler: str, tmp_path: Path,
                                                           capsys: pytest.CaptureFixture[str]) -> None:
    write(with_answers(["7.1"]), tmp_path / "in" / "ann" / "07_chow_liu.ipynb")
    command = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--dask", scheduler]
    assert cli.main(command) == 1
    assert "the cluster has no workers; start some with `dask worker" in capsys.readouterr().err

    add_worker(start, scheduler, 1)
    with cluster.connect(scheduler) as client:
        with pytest.raises(GradeError, match="cannot grade: its bnteach has another edition of exercise 07_chow_liu"):
            cluster.check_workers(client, {"07_chow_liu": "an older one"})
        with pytest.raises(GradeError, match=r"the worker .* cannot grade: it has no bnteach, .*install bnteach 0\.\d"):
            cluster.check_workers(Without(client), {})
        theirs = client.scheduler_info()["workers"].popitem()[0]
    assert cli.main(command) == 0
    (row,) = csv.DictReader((tmp_path / "out" / "grades.csv").read_text().splitlines())
    assert row["points"] == "1" and row["result"] == "graded"
    assert cli.main([*command[:-1], theirs, "--again"]) == 1
    assert f"there is no Dask scheduler at {theirs!r} (Worker)" in capsys.readouterr().err


class Without:
    """A client whose workers have another bnteach, or none: what is asked of them is not there."""

    def __init__(self, client) -> None:
        self.client = client
        self.scheduler_info = client.scheduler_info

    def run(self, function: Callable, *arguments: object, **more: str) -> dict:
        return self.client.run(Elsewhere(), *arguments, **more)


class Elsewhere:
    """Something that can be sent to a worker, and not be read there."""

    def __reduce__(self) -> tuple:
        return __import__, ("a_module_that_no_worker_has",)

    def __call__(self) -> None: ...


@pytest.mark.parametrize("what", ["bnteach", "numpy", "Python"])
def test_a_worker_of_another_edition_marks_nothing(what: str) -> None:
    """Nor one that comes in the middle: every submission brings along what it must be marked with."""
    other = ours(**{what: "0.0.9"})
    expected = f"it has {what} {cluster.edition()[what]}, and you have 0.0.9; install the same."
    assert cluster.trouble_there(other, unsafe=True) == expected
    with pytest.raises(GradeError, match=f"cannot grade: {re.escape(expected)}"):
        cluster.compute_there(other, twice, 3)


def test_the_edition_is_that_of_every_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one.py", "lessons/two.py", "__init__.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x = 1\n")
    monkeypatch.setattr(cluster.bnteach, "__file__", str(tmp_path / "__init__.py"))

    def changed(name: str) -> bool:
        before = cluster.edition.__wrapped__()
        (tmp_path / name).write_text("x = 2\n")
        return cluster.edition.__wrapped__() != before

    assert changed("one.py") and not changed("lessons/two.py"), "a wheel has the lessons inside, a checkout beside it"


def test_when_all_workers_are_gone_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Client:
        there = iter([["a worker"], [], ["another"], [], []])

        def scheduler_info(self) -> dict:
            return {"workers": next(self.there)}

        def get_executor(self, **_: object) -> None: ...

    monkeypatch.setattr(cluster, "SECONDS_ALONE", 0)
    workers = cluster.Cluster(Client(), {})
    for _ in range(4):
        workers.look()
    with pytest.raises(GradeError, match=r"no workers any more; .* What was graded is kept: run the same command"):
        workers.look()


def test_when_the_scheduler_is_gone_it_says_so() -> None:
    """Dask then takes back what was promised; an answer before that is not lost."""
    kept, gone = Future(), Future()
    kept.set_result("marks")
    done = as_done({kept: "ann", gone: "bob"}, Here())
    assert next(done)[1].result() == "marks"
    gone.cancel()
    gone.set_running_or_notify_cancel()
    with pytest.raises(GradeError, match=r"scheduler of the cluster is gone\. What was graded is kept"):
        next(done)


def test_a_machine_without_a_sandbox_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandboxes, "refused", lambda: "unshare: Operation not permitted")
    assert "unshare: Operation not permitted" in cluster.trouble_there(ours(), unsafe=False)
    assert cluster.trouble_there(ours(), unsafe=True) == ""
    assert cluster.trouble_there({"99_nothing": "x"}, unsafe=True) == "its bnteach has no exercise 99_nothing."


@pytest.fixture
def deaf() -> Iterator[str]:
    """The address of something that takes connections, and says nothing that Dask understands."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield f"tcp://127.0.0.1:{other.getsockname()[1]}"


@pytest.mark.parametrize("address, why", [
    ("127.0.0.1:9", "no answer within 1 seconds"), ("deaf", "no answer within 1 seconds"), ("nonsense", "missing port"),
    ("foo://x:1", "unknown address scheme"), ("tls://127.0.0.1:9", "TLS")])
def test_a_wrong_address(address: str, why: str, deaf: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
                         monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence; and no client is begun, for one that is let go half made waits for half a minute in the end."""
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 1)
    monkeypatch.setattr("distributed.Client", None)
    write(untouched(), tmp_path / "in" / "ann" / "07_chow_liu.ipynb")
    address = deaf if address == "deaf" else address
    assert cli.main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--dask", address]) == 1
    said = capsys.readouterr().err
    assert f"there is no Dask scheduler at {address!r} ({why}" in said and "Traceback" not in said


def test_without_dask_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(GradeError, match=r'Dask must be installed, .*\n.* -m pip install "bnteach\[class\]"'):
        cluster.connect("127.0.0.1:9")
