"""Every work by every library that is there, one after the other."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import bnteach as bn
from tests.benchmarks.bench.data import DATA, write_input
from tests.benchmarks.bench.libraries import LIBRARIES, installed, tasks_of
from tests.benchmarks.bench.measure import Measured, import_seconds, measure
from tests.benchmarks.bench.quality import judged
from tests.benchmarks.bench.report import Row, as_text
from tests.benchmarks.bench.works import LIMITS, MAIN, THREADS, Work

Stopped = list[Measured]  # what took too long

TOO_SLOW = 20  # times bnteach's time: who takes longer is stopped
SLOW = ("causal-learn", "pgmpy")  # which are asked in the main rows only


def bench(works: Sequence[Work], limit: float = 30, beside: Sequence[str] = (), short: bool = False) -> list[Row]:
    """Measure every work with every library, or with bnteach and those named. Short: fewer repeats, one thread.

    Ctrl-C ends it early, with the rows so far.
    """
    libraries = [name for name in installed() if not beside or name in beside or name == "bnteach"]
    can = {name: set(tasks_of(name)) for name in libraries}
    stopped: Stopped = []
    rows: list[Row] = []
    try:
        for number, work in enumerate(works, start=1):
            print(f"[{number} of {len(works)}] {work.name}", flush=True)
            asked = [name for name in libraries if short or work in MAIN or name not in SLOW]
            able = [name for name in asked if work.task in can[name]]
            rows += one_work(work, able, max(limit, LIMITS.get(work.task, 0)), stopped, short)
    except KeyboardInterrupt:
        print("stopped: what is measured so far is written", flush=True)
    return rows


def one_work(work: Work, libraries: Sequence[str], limit: float, stopped: Stopped,
             short: bool = False) -> Iterator[Row]:
    """One row for each library. Who took too long for no more rows and no more variables is not asked again."""
    data = DATA[work.data]
    with tempfile.TemporaryDirectory(prefix="bnteach-") as name:
        folder, ours = Path(name), None
        frame = write_input(work, folder)
        score = bn.BIC(bn.Measurements(frame) if data.real else bn.Table(frame)) if frame is not None else None
        for library in libraries:
            before = [one for one in stopped if one.library == library and no_larger(one.work, work)]
            one = Measured(library, work, problem=before[-1].problem) if before else \
                measure(library, work, folder, allowed(limit, ours), 1 if short else 3)
            if one.problem.startswith(">"):
                stopped.append(one)
            ours = one if ours is None else ours
            row = row_of(one, ours, score)
            if library == "bnteach" and work in THREADS and not one.problem and not short:
                again = measure(library, work, folder, 10 * allowed(limit, None), 1, one_thread=False)
                row["default_threads"] = round(again.median or 0, 5)
            print("   " + as_text(row), flush=True)
            yield row


def no_larger(one: Work, other: Work) -> bool:
    """Whether one work is the other with no more rows and no more variables."""
    kinds = [work.data.split()[-1] for work in (one, other)]  # "20 variables", "50 variables" ... are one kind
    return one.task == other.task and kinds[0] == kinds[1] and one.n <= other.n and \
        DATA[one.data].variables <= DATA[other.data].variables


def allowed(limit: float, ours: Measured | None) -> float:
    """CPU seconds that a library may take: bnteach two minutes or more, others no more than TOO_SLOW times its time."""
    if ours is None:
        return max(limit, 120)
    return min(limit, max(2, round(TOO_SLOW * ours.median))) if ours.median else limit


def row_of(one: Measured, ours: Measured, score: Any) -> Row:
    """A row of the results: the time, how many times bnteach's, the memory, and how good the answer is."""
    data, work = DATA[one.work.data], one.work
    row: Row = {"work": work.name, "task": work.task, "data": work.data, "rows": work.n, "variables": data.variables,
                "library": one.library, "problem": one.problem}
    if hasattr(getattr(score, "data", None), "distinct_rows"):
        row["different"] = len(score.data.distinct_rows)
    if one.median is None:
        return row
    row |= {"cpu_seconds": round(one.median, 5), "peak_mb": one.megabytes}
    if ours.median:
        row["times_bnteach"] = round(one.median / ours.median, 2)
    return row | judged(work.task, one.answer, ours.answer, score, data.truth())


def imports(libraries: Sequence[str]) -> list[Row]:
    """How long each library takes to be imported, with its learners. bnteach loads its names when one is first used;
    the second row has that in it."""
    rows: list[Row] = []
    bare = {name: LIBRARIES[name].imports for name in libraries}
    for task, statements in (("import", bare), ("import and load", bare | {"bnteach": "import bnteach as bn; bn.pc"})):
        print(task, flush=True)
        seconds = {name: import_seconds(statement) for name, statement in statements.items()}
        for name, taken in seconds.items():
            rows.append({"work": task, "task": task, "library": name, "cpu_seconds": round(taken, 4),
                         "times_bnteach": round(taken / max(seconds["bnteach"], 1e-4), 2)})
            print("   " + as_text(rows[-1]), flush=True)
    return rows
