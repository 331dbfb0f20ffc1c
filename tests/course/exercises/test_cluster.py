"""Grading on a Dask cluster: the same grades on every worker, even if some die."""

from __future__ import annotations

import contextlib
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
from pathlib import Path
from types import SimpleNamespace

import pytest

from bnteach.course.commands import main as cli
from bnteach.course.exercises.grade import GradeError, Settings, grade
from bnteach.course.exercises.grading import cluster, sandboxes
from bnteach.course.exercises.grading.sessions import Limits
from bnteach.course.exercises.release import exercises
from tests.course.exercises.submissions.crowd import make_class
from tests.course.exercises.submissions.notebooks import untouched, with_answers, write

pytest.importorskip("distributed", reason="pip install bnteach[class]")
pytestmark = pytest.mark.usefixtures("namespaces")
QUICK = Limits(seconds=3)


def a_job(folder: Path, edition: str | None = None) -> cluster.Job:
    one = cluster.Submission("ann", folder, "a.ipynb", exercise="07_chow_liu")
    return cluster.Job(one, edition or exercises()["07_chow_liu"].digest, b"", False, QUICK)


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
    assert len([name for name in names if name.suffix == ".json"]) == 204
    for name in names:
        assert (tmp_path / "cluster" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes(), name


def test_a_marker_that_dies_costs_a_retry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Dead(cluster.Marker):
        def ask(self, job: cluster.Job) -> tuple:
            self.process.kill()
            return super().ask(job)

    monkeypatch.setattr(cluster, "Marker", Dead)
    with pytest.raises(RuntimeError, match="the marker ended"):
        cluster.mark_there(a_job(tmp_path), cluster.edition())
    assert cluster._of_this_thread.marker is None, "the next one starts another"


def test_what_a_marker_prints_does_not_get_between_its_answers(tmp_path: Path) -> None:
    program = ("import bnteach.course.exercises.grading.cluster as c;"
               "c.choose_sandbox = lambda unsafe: print('hello') or 'none';"
               "c.mark_safely = lambda *a: print('there') or (['marks'], a[3]); c.serve()")
    process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    one = cluster.Submission("ann", tmp_path, "a.ipynb", exercise="07_chow_liu")
    for secret in (b"one", b"two"):
        cluster.send(process.stdin, cluster.Job(one, "", secret, False, QUICK))
        assert cluster.receive(process.stdout) == (["marks"], secret)
    _, said = process.communicate()
    assert process.returncode == 0 and said.split() == [b"hello", b"there", b"there"]


def test_a_worker_that_cannot_grade_is_reported_before_grading_begins(start, scheduler: str, tmp_path: Path,
                                                           capsys: pytest.CaptureFixture[str]) -> None:
    write(with_answers(["7.1"]), tmp_path / "in" / "ann" / "07_chow_liu.ipynb")
    command = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--dask", scheduler]
    assert cli.main(command) == 1
    assert "the cluster has no workers; start some with `dask worker" in capsys.readouterr().err

    add_worker(start, scheduler, 1)
    with cluster.connect(scheduler) as client:
        with pytest.raises(GradeError, match="cannot grade: its bnteach has another edition of exercise 07_chow_liu"):
            cluster.check_workers(client, [a_job(tmp_path, "an older one")])
        with pytest.raises(GradeError, match=r"the worker .* cannot grade: it has no bnteach, .*install bnteach 0\.\d"):
            cluster.check_workers(Without(client), [a_job(tmp_path)])
        ours = client.scheduler_info()["workers"].popitem()[0]
    assert cli.main(command) == 0
    (row,) = csv.DictReader((tmp_path / "out" / "grades.csv").read_text().splitlines())
    assert row["points"] == "1" and row["result"] == "graded"
    assert cli.main([*command[:-1], ours, "--again"]) == 1
    assert f"there is no Dask scheduler at {ours!r} (Worker)" in capsys.readouterr().err


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
def test_a_worker_of_another_edition_marks_nothing(what: str, tmp_path: Path) -> None:
    """Nor one that comes in the middle: every submission brings along what it must be marked with."""
    ours = {**cluster.edition(), what: "0.0.9"}
    expected = f"it has {what} {cluster.edition()[what]}, and you have 0.0.9; install the same."
    assert cluster.trouble_there({}, ours, unsafe=True) == expected
    with pytest.raises(GradeError, match=f"cannot grade: {re.escape(expected)}"):
        cluster.mark_there(a_job(tmp_path), ours)


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
        there = iter([["a worker"], [], ["another"], *[[]] * 6])

        def scheduler_info(self) -> dict:
            return {"workers": next(self.there)}

    monkeypatch.setattr(cluster, "SECONDS_ALONE", 0.06)
    with pytest.raises(GradeError, match=r"no workers any more; .* What was graded is kept: run the same command"):
        cluster.next_done(cluster.queue.SimpleQueue(), Client())
    assert next(Client.there, "asked until the end") == "asked until the end"


def test_when_the_scheduler_is_gone_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask then takes back what was promised; an answer before that is not lost."""
    class Promise:
        def __init__(self, *job: object, **_: object) -> None:
            self.cancelled = lambda: job[1].edition == "2"
            self.exception, self.result = lambda: None, lambda: (["marks"], [])
            self.add_done_callback = lambda tell: tell(self)

    client = contextlib.nullcontext(SimpleNamespace(submit=Promise))
    monkeypatch.setattr(cluster, "connect", lambda address: client)
    monkeypatch.setattr(cluster, "check_workers", lambda client, jobs: None)
    done = cluster.on_cluster("tcp://10.0.0.1:1", [a_job(tmp_path, "1"), a_job(tmp_path, "2")])
    assert next(done)[1] == (["marks"], [])
    with pytest.raises(GradeError, match=r"the Dask scheduler at 'tcp://10.0.0.1:1' is gone\. What was graded is kept"):
        next(done)


def test_a_machine_without_a_sandbox_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandboxes, "refused", lambda: "unshare: Operation not permitted")
    ours = cluster.edition()
    assert "unshare: Operation not permitted" in cluster.trouble_there({}, ours, unsafe=False)
    assert cluster.trouble_there({}, ours, unsafe=True) == ""
    assert cluster.trouble_there({"99_nothing": "x"}, ours, unsafe=True) == "its bnteach has no exercise 99_nothing."


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
