"""Every work by every library that is there, one after the other."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import bnteach
from tests.benchmarks.bench.contestants import CAN, IMPORT, installed
from tests.benchmarks.bench.data import DATA
from tests.benchmarks.bench.measure import Measured, import_seconds, measure
from tests.benchmarks.bench.report import Row, as_text, judged
from tests.benchmarks.bench.works import LONG, SHORT, Work


def bench(short: bool = False, limit: float | None = None, repeats: int = 3, only: Sequence[str] = (),
          works: Sequence[Work] | None = None) -> list[Row]:
    """Measure every work with every library. Rows as in report.COLUMNS."""
    limit = (3 if short else 60) if limit is None else limit
    libraries = [name for name in installed() if not only or name in only or name == "bnteach"]
    too_long: dict[tuple[str, str, str], Measured] = {}
    rows: list[Row] = []
    for work in works if works is not None else SHORT if short else LONG:
        print(work.name, flush=True)
        able = [name for name in libraries if work.task in CAN[name]]
        for row in one_work(work, able, limit, repeats, too_long):
            print("   " + as_text(row), flush=True)
            rows.append(row)
    return rows + imports(libraries) if works is None else rows


def one_work(work: Work, libraries: Sequence[str], limit: float, repeats: int,
             too_long: dict[tuple[str, str, str], Measured]) -> Iterator[Row]:
    """One row for each library. Who took too long for fewer rows, or fewer variables, is not asked again."""
    frame = DATA[work.data].rows(work.n)
    score = bnteach.BIC(bnteach.Measurements(frame) if work.data == "wine" else bnteach.Table(frame))
    ours = None
    with tempfile.TemporaryDirectory(prefix="bnteach-") as folder:
        path = Path(folder, "rows.pickle")
        frame.to_pickle(path)
        for name in libraries:
            kind = name, work.task, work.data.split()[-1]  # all of "5 variables", "10 variables" ... are one kind
            one = Measured(name, work, problem=too_long[kind].problem) if kind in too_long else \
                measure(name, work, path, limit, repeats)
            if one.problem.startswith(">"):
                too_long[kind] = one
            ours = one if ours is None else ours
            yield judged(one, ours, score)


def imports(libraries: Sequence[str]) -> list[Row]:
    """How long each library takes to be imported, with its learners. bnteach loads its names when one is first used;
    the second row has that in it."""
    rows: list[Row] = []
    loaded = IMPORT | {"bnteach": "import bnteach as bn; bn.pc"}
    for task, statements in (("import", IMPORT), ("import and load", loaded)):
        print(task, flush=True)
        seconds = {name: import_seconds(statements[name]) for name in libraries}
        for name, taken in seconds.items():
            rows.append({"work": task, "task": task, "library": name, "cpu_seconds": round(taken, 4),
                         "times_bnteach": round(taken / max(seconds["bnteach"], 1e-4), 2)})
            print("   " + as_text(rows[-1]), flush=True)
    return rows
