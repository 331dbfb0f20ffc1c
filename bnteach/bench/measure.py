"""One work by one library, in a process of its own.

A process of its own, so that one library's memory, threads and patches do not touch another's, and so that one that
takes too long can be stopped. Run as `python -m bnteach.bench.measure LIBRARY TASK DATA N REPEATS`, it prints JSON.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from bnteach.bench.works import DATA, Work

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1")


@dataclass
class Measured:
    """What came out: CPU seconds of each repeat, peak memory, lines found; or why nothing did."""

    library: str
    work: Work
    seconds: list[float] = field(default_factory=list)
    megabytes: float | None = None
    lines: list[tuple[str, str, bool]] = field(default_factory=list)
    problem: str = ""

    @property
    def median(self) -> float | None:
        """The median of the repeats, or None if there were none."""
        return median(self.seconds) if self.seconds else None


def measure(library: str, work: Work, limit: float, repeats: int = 3) -> Measured:
    """Run a work in another process and read what it says; `limit` is in seconds, for all repeats together."""
    command = [sys.executable, "-m", "bnteach.bench.measure", library, work.task, work.data, str(work.n), str(repeats)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit * repeats + 60,
                              env={**os.environ, **ONE_THREAD, "BNTEACH_PROGRESS": "off",
                                   "BNTEACH_BENCH_LIMIT": str(limit)})
    except subprocess.TimeoutExpired:
        return Measured(library, work, problem=f"> {limit:g} s")
    told = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""
    if done.returncode or not told.startswith("{"):
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return Measured(library, work, problem=f"> {limit:g} s" if done.returncode == -14 else f"failed: {last[:200]}")
    return Measured(library, work, **json.loads(told))


def import_seconds(module: str, repeats: int = 3) -> float:
    """CPU seconds of importing a library, less those of starting Python."""
    def cpu(code: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    return median(cpu(f"import {module}") for _ in range(repeats)) - median(cpu("pass") for _ in range(repeats))


def main(library: str, task: str, data: str, n: str, repeats: str) -> dict[str, Any]:
    """What the other process does: make the rows, then do the work so many times."""
    import signal

    from bnteach.bench.contestants import runs_of

    run = runs_of(library)[task]
    rows = DATA[data].rows(int(n))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    limit = float(os.environ.get("BNTEACH_BENCH_LIMIT", "600"))
    seconds: list[float] = []
    for _ in range(int(repeats)):
        signal.setitimer(signal.ITIMER_REAL, max(1.0, 2 * limit))
        start = time.process_time()
        lines = run(rows)
        seconds.append(time.process_time() - start)
        if seconds[-1] > limit / 3 and len(seconds) == 1:
            break  # long works need no repeats
    signal.setitimer(signal.ITIMER_REAL, 0)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": seconds, "megabytes": round((peak - before) / 1024, 1),
            "lines": [(str(a), str(b), bool(way)) for a, b, way in lines]}


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
