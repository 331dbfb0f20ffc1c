"""One work by one library, in a process of its own.

A process of its own, so that one library's memory, threads and patches do not touch another's, and so that one that
takes too long can be stopped. Run as `python -m tests.benchmarks.bench.measure LIBRARY TASK ROWS.pickle REPEATS LIMIT`,
it prints JSON. The rows are made once, by the bench, and read by every process.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from tests.benchmarks.bench.works import Work

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1")
ENOUGH = 0.05  # CPU seconds that stand out from noise
PATIENCE = 6  # a machine with much else to do may take so many seconds for a second of CPU


@dataclass
class Measured:
    """What came out: CPU seconds of each repeat, peak memory, edges found; or why nothing did."""

    library: str
    work: Work
    seconds: list[float] = field(default_factory=list)
    megabytes: float | None = None
    edges: list[tuple[str, str, bool]] = field(default_factory=list)
    problem: str = ""

    @property
    def median(self) -> float | None:
        """The median of the repeats, or None if there were none."""
        return median(self.seconds) if self.seconds else None


def measure(library: str, work: Work, rows: Path, limit: float, repeats: int = 3) -> Measured:
    """Run a work in another process and read what it says; `limit` is the CPU seconds it may take each time."""
    command = [sys.executable, "-m", "tests.benchmarks.bench.measure", library, work.task, str(rows), str(repeats),
               str(limit)]
    too_long = Measured(library, work, problem=f"> {limit:g} s")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE * limit * repeats + 60,
                              env={**os.environ, **ONE_THREAD, "BNTEACH_PROGRESS": "off"})
    except subprocess.TimeoutExpired:
        return too_long
    last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""
    if done.returncode == -signal.SIGPROF:
        return too_long
    if done.returncode or not last.startswith("{"):
        problem = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return Measured(library, work, problem=f"failed: {problem[:200]}")
    return Measured(library, work, **json.loads(last))


def import_seconds(statement: str, repeats: int = 3) -> float:
    """CPU seconds of an import, in a new Python each time; once before, so that all is compiled."""
    code = f"import time; begun = time.process_time(); {statement}; print(time.process_time() - begun)"
    env = {**os.environ, **ONE_THREAD}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    said = [subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, capture_output=True, text=True,
                           env=env).stdout for _ in range(repeats + 1)]
    return median(float(text.split()[-1]) for text in said[1:])


def main(library: str, task: str, path: str, repeats: str, limit: str) -> dict[str, Any]:
    """What the other process does: read the rows, then do the work so many times; more often, if it is quick."""
    import pandas as pd

    from tests.benchmarks.bench.contestants import runs_of

    run, rows = runs_of(library)[task], pd.read_pickle(path)
    seconds: list[float] = []
    while len(seconds) < int(repeats) or (sum(seconds) < float(limit) / 30 and len(seconds) < 5 * int(repeats)):
        signal.setitimer(signal.ITIMER_PROF, float(limit))  # CPU time; when it is over, the process ends
        edges, taken = timed(run, rows)
        seconds.append(taken)
        if seconds[-1] > float(limit) / 3:
            break  # long works need no repeats
    signal.setitimer(signal.ITIMER_PROF, 0)
    return {"seconds": seconds, "megabytes": round(peak_megabytes(), 1),
            "edges": [(str(a), str(b), bool(directed)) for a, b, directed in edges]}


def timed(run: Callable[[Any], Any], rows: Any) -> tuple[Any, float]:
    """What comes out, and the CPU seconds it took. A short work is done several times, since clocks tick coarsely."""
    for loops in (1, 4, 16, 64, 256):
        start = time.process_time()
        for _ in range(loops):
            out = run(rows)
        taken = time.process_time() - start
        if taken >= ENOUGH:
            break
    return out, taken / loops


def peak_megabytes() -> float:
    """The most memory that this process has had, with Python, the library and the rows."""
    status = Path("/proc/self/status")
    if status.is_file():  # Linux; ru_maxrss would remember what the bench had when it started this process
        kilobytes = next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(kilobytes) / 1024
    import resource  # which Windows lacks

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
