"""How long a class takes: bnteach grade, sandbox included, beside nbgrader's autograde, on the same 60 submissions.

    python tests/benchmarks/against_nbgrader.py          with nbgrader on the path (pip install "bnteach[class]")

Both give the same marks, or it says which differ. The wall time of both is taken in one run, one after the other.
"""

from __future__ import annotations

import csv
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
    """Make the class, grade it in both ways, and print what each took."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        make_class(root)
        nbgrader(root, "generate_assignment", NAME)
        ours = {jobs: timed(lambda jobs=jobs: bnteach_grade(root, jobs)) for jobs in (1, os.cpu_count() or 1)}
        theirs = timed(lambda: nbgrader(root, "autograde", NAME))
        nbgrader(root, "export")
        given, by_us = marks(root / "grades.csv", "student_id", "score"), marks(root / "grades-1/grades.csv", "student",
                                                                                "points")
        for jobs, wall in ours.items():
            print(f"bnteach grade --jobs {jobs}: {wall:.1f} s ({wall / SIZE:.2f} s per submission)")
        print(f"nbgrader autograde: {theirs:.1f} s ({theirs / SIZE:.2f} s per submission)")
        differ = {student: (by_us[student], mark) for student, mark in given.items() if by_us[student] != mark}
        print(f"marks that differ (bnteach, nbgrader): {differ or 'none'}")


def make_class(root: Path) -> None:
    """Half of the class has solved everything, the other half all but the last question."""
    write(source(NAME), root / "source" / NAME / f"{NAME}.ipynb")
    for i in range(SIZE):
        notebook = source(NAME) if i % 2 == 0 else with_answers([f"7.{q}" for q in range(1, 7)], WRONG)
        write(notebook, root / "submitted" / f"student{i:02}" / NAME / f"{NAME}.ipynb")


def bnteach_grade(root: Path, jobs: int) -> None:
    out = root / f"grades-{jobs}"
    subprocess.run([sys.executable, "-m", "bnteach", "grade", str(root / "submitted"), "--out", str(out), "--jobs",
                    str(jobs)], cwd=Path(__file__).parents[2], check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "BNTEACH_PROGRESS": "off"})


def nbgrader(root: Path, *arguments: str) -> None:
    subprocess.run(["nbgrader", *arguments], cwd=root, check=True, capture_output=True,
                   env={**os.environ, "HOME": str(root)})


def timed(work: Callable[[], None]) -> float:
    """Wall seconds."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def marks(path: Path, student: str, points: str) -> dict[str, float]:
    with open(path, newline="") as file:
        return {row[student]: float(row[points]) for row in csv.DictReader(file)}


if __name__ == "__main__":
    main()
