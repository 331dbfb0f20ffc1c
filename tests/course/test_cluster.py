"""Grading on a Dask cluster: the same grades, whoever makes them, and whoever dies."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bnteach import cli
from bnteach.course.grade import GradeError, Settings, grade
from bnteach.course.grading import cluster, namespaces
from bnteach.course.grading.sessions import Limits
from tests.submissions.crowd import make_class
from tests.submissions.notebooks import untouched, with_answers, write

pytest.importorskip("distributed", reason="pip install bnteach[class]")
pytestmark = pytest.mark.skipif(bool(namespaces.available()), reason="no namespaces here")
QUICK = Limits(wall=3, cpu=3)


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


def test_a_marker_that_dies_costs_a_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dead(cluster.Marker):
        def ask(self, job: cluster.Job) -> tuple:
            self.process.kill()
            return super().ask(job)

    monkeypatch.setattr(cluster, "Marker", Dead)
    with pytest.raises(RuntimeError, match="the marker ended"):
        cluster.mark_there("a job")
    assert cluster._of_this_thread.marker is None, "the next one starts another"


def test_what_a_marker_prints_does_not_get_between_its_answers(tmp_path: Path) -> None:
    program = ("import bnteach.course.grading.cluster as c; c.choose_sandbox = lambda unsafe: print('hello') or 'none';"
               "c.mark_safely = lambda *a: print('there') or (['marks'], a[3]); c.serve()")
    process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    one = cluster.Submission("ann", tmp_path, "a.ipynb", exercise="07_chow_liu")
    for secret in (b"one", b"two"):
        cluster.send(process.stdin, cluster.Job(one, "", secret, False, QUICK))
        assert cluster.receive(process.stdout) == (["marks"], secret)
    _, said = process.communicate()
    assert process.returncode == 0 and said.split() == [b"hello", b"there", b"there"]


def test_who_cannot_grade_is_told_before_anything_is_begun(start, scheduler: str, tmp_path: Path,
                                                           capsys: pytest.CaptureFixture[str]) -> None:
    write(with_answers(["7.1"]), tmp_path / "in" / "ann" / "07_chow_liu.ipynb")
    command = ["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--dask", scheduler]
    assert cli.main(command) == 1
    assert "the cluster has no workers; start some with `dask worker" in capsys.readouterr().err

    add_worker(start, scheduler, 1)
    one = cluster.Submission("ann", tmp_path, "a.ipynb", exercise="07_chow_liu")
    with cluster.connect(scheduler) as client:
        job = cluster.Job(one, "an older one", b"", False, QUICK)
        with pytest.raises(GradeError, match="cannot grade: its bnteach has another edition of exercise 07_chow_liu"):
            cluster.check_workers(client, [job])
    assert cli.main(command) == 0
    (row,) = csv.DictReader((tmp_path / "out" / "grades.csv").read_text().splitlines())
    assert row["points"] == "1" and row["result"] == "graded"


def test_a_machine_without_a_sandbox_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(namespaces, "available", lambda: "unshare: Operation not permitted")
    monkeypatch.setattr("bnteach.course.grading.bubblewrap.available", lambda: "bubblewrap is not installed")
    assert "unshare: Operation not permitted" in cluster.trouble_there({}, unsafe=False)
    assert cluster.trouble_there({}, unsafe=True) == ""
    assert cluster.trouble_there({"99_nothing": "x"}, unsafe=True) == "its bnteach has no exercise 99_nothing"


def test_a_wrong_address(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "SECONDS_TO_CONNECT", 1)
    write(untouched(), tmp_path / "in" / "ann" / "07_chow_liu.ipynb")
    assert cli.main(["grade", str(tmp_path / "in"), "--out", str(tmp_path / "out"), "--dask", "127.0.0.1:9"]) == 1
    assert "there is no Dask scheduler at '127.0.0.1:9'" in capsys.readouterr().err
