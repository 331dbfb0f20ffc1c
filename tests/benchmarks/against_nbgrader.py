"""How long a class takes: bnteach grade, sandbox included, beside nbgrader's autograde, on the same submissions.

    python tests/benchmarks/against_nbgrader.py          needs nbgrader and Dask: pip install "bnteach[class]"
    python tests/benchmarks/against_nbgrader.py 12       a smaller class than 60

One submission alone; all of them in one process, in one per processor, and on two Dask workers of which one is killed
when half is done; and nbgrader. It says whose marks differ, and whether our grades.csv is the same in all cases. The
times of all are taken in one run, one after the other: of the clock, and of the processors, which other programs on the
machine disturb less; what a process that is killed has used is not in the latter.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.course.exercises.submissions.notebooks import source, with_answers, write

NAME = "07_chow_liu"
SIZE = 60
WRONG = {"7.7": "def blind_spot(names, n): return {name: [0, 1] * (n // 2) for name in names}"}


def main() -> None:
    """Make the class, grade it in all ways, and print what each took."""
    size = int(sys.argv[1]) if len(sys.argv) > 1 else SIZE
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_class(root, size)
        nbgrader(root, "generate_assignment", NAME)
        alone = timed(lambda: bnteach_grade(root, "alone", "--jobs", "1", submitted="submitted/student00"))
        jobs = {f"--jobs {n}": timed(lambda n=n: bnteach_grade(root, f"jobs-{n}", "--jobs", str(n)))
                for n in dict.fromkeys((1, os.cpu_count() or 1))}
        dask = timed(lambda: on_two_workers(root, size))
        one_there = timed(lambda: nbgrader(root, "autograde", NAME, "--student", "student00"))
        theirs = timed(lambda: nbgrader(root, "autograde", NAME, "--force"))
        nbgrader(root, "export")
        tell("bnteach grade", alone, 1, one_there)
        tell("nbgrader autograde", one_there, 1, one_there)
        for how, taken in {**jobs, "on two Dask workers, one killed": dask}.items():
            tell(f"bnteach grade {how}", taken, size, theirs)
        tell("nbgrader autograde", theirs, size, theirs)
        compare(root)


def tell(what: str, ours: tuple[float, float], size: int, theirs: tuple[float, float]) -> None:
    """A line: how long, and what part of nbgrader's time that is."""
    (wall, cpu), (their_wall, their_cpu) = ours, theirs
    print(f"{what}, {size}: {wall:.1f} s, {wall / size:.2f} s per submission, {wall / their_wall:.2f} of nbgrader's; "
          f"CPU {cpu:.1f} s, {cpu / size:.2f} per submission, {cpu / their_cpu:.2f} of nbgrader's", flush=True)


def compare(root: Path) -> None:
    """Whose marks differ; and whether ours are the same files however they were made."""
    given = marks(root / "grades.csv", "student_id", "score")
    by_us = marks(root / "grades-jobs-1/grades.csv", "student", "points")
    differ = {student: (by_us[student], mark) for student, mark in given.items() if by_us[student] != mark}
    print(f"marks that differ (bnteach, nbgrader): {differ or 'none'}")
    tables = {path.read_bytes() for path in root.glob("grades-*/grades.csv") if path.parent.name != "grades-alone"}
    print(f"grades.csv of ours, byte for byte: {'the same' if len(tables) == 1 else 'NOT the same'}")


def on_two_workers(root: Path, size: int) -> None:
    """Grade on two Dask workers on this machine, and kill one of them when half is done."""
    import threading

    part = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(root / "scheduler.json")]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": Path(__file__).parents[2]}
    scheduler = subprocess.Popen([sys.executable, "-m", "distributed.cli.dask_scheduler", "--scheduler-file",
                                  str(root / "scheduler.json"), "--port", "0", "--no-dashboard", "--host",
                                  "127.0.0.1"], **quiet)
    workers = [subprocess.Popen([*part, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"],
                                **quiet) for _ in range(2)]

    def kill() -> None:
        while len(list((root / "grades-dask" / "records").glob("*.json"))) < size // 2:
            time.sleep(0.02)
        workers[0].kill()

    try:
        from distributed import Client

        while not (root / "scheduler.json").is_file():
            time.sleep(0.5)
        address = json.loads((root / "scheduler.json").read_text())["address"]
        with Client(address) as client:
            client.wait_for_workers(2, timeout=120)
        threading.Thread(target=kill, daemon=True).start()
        begun = time.perf_counter()
        bnteach_grade(root, "dask", "--dask", address)
        print(f"  (of the time on Dask, {time.perf_counter() - begun:.1f} s are grading; the rest starts the cluster)")
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def make_class(root: Path, size: int) -> None:
    """Half of the class has solved all but the practice, which is everyone's own; the other half not 7.7 either."""
    write(source(NAME), root / "source" / NAME / f"{NAME}.ipynb")
    for i in range(size):
        notebook = with_answers([f"7.{q}" for q in range(1, 8 - i % 2)], WRONG if i % 2 else {})
        write(notebook, root / "submitted" / f"student{i:02}" / NAME / f"{NAME}.ipynb")


def bnteach_grade(root: Path, name: str, *more: str, submitted: str = "submitted") -> None:
    (root / "secret").write_text("the same secret for all of them")
    subprocess.run([sys.executable, "-m", "bnteach", "grade", str(root / submitted), "--out",
                    str(root / f"grades-{name}"), "--secret", str(root / "secret"), *more],
                   cwd=Path(__file__).parents[2], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "BNTEACH_PROGRESS": "off"})


def nbgrader(root: Path, *arguments: str) -> None:
    subprocess.run(["nbgrader", *arguments], cwd=root, check=True, capture_output=True,
                   env={**os.environ, "HOME": str(root)})


def timed(work: Callable[[], None]) -> tuple[float, float]:
    """Wall seconds, and CPU seconds of all processes that were started for it."""
    begun, before = time.perf_counter(), os.times()
    work()
    after = os.times()
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - begun, cpu


def marks(path: Path, student: str, points: str) -> dict[str, float]:
    with open(path, newline="") as file:
        return {row[student]: float(row[points]) for row in csv.DictReader(file)}


if __name__ == "__main__":
    main()
