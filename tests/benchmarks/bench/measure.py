"""One work by one library, in a process of its own.

A process of its own, so that one library's memory, threads and patches do not touch another's, and so that one that
takes too long can be stopped. Run as `python -m tests.benchmarks.bench.measure LIBRARY TASK FOLDER REPEATS LIMIT`,
it prints JSON. The folder has what inputs.py reads.
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

ROOT = Path(__file__).parents[3]
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS"), "1")
OLDER = "BNTEACH_BEFORE"  # where the older version of bnteach is (versions.py)
ENOUGH = 0.05  # CPU seconds that stand out from noise
PATIENCE = 6  # a machine with much else to do may take so many seconds for a second of CPU


@dataclass
class Measured:
    """What came out: CPU seconds of each repeat, peak memory, the answer; or why nothing did."""

    library: str
    work: Work
    seconds: list[float] = field(default_factory=list)
    megabytes: float | None = None
    answer: Any = None
    problem: str = ""

    @property
    def median(self) -> float | None:
        """The median of the repeats, or None if there were none."""
        return median(self.seconds) if self.seconds else None


def measure(library: str, work: Work, folder: Path, limit: float, repeats: int = 3,
            one_thread: bool = True) -> Measured:
    """Run a work in another process and read what it says; `limit` is the CPU seconds it may take each time."""
    command = [sys.executable, "-m", "tests.benchmarks.bench.measure", library, work.task, str(folder), str(repeats),
               str(limit)]
    env = {name: text for name, text in os.environ.items() if name not in ONE_THREAD}
    too_long = Measured(library, work, problem=f"> {limit:g} s")
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE * limit * repeats + 60,
                              cwd=ROOT, env={**env, **(ONE_THREAD if one_thread else {}), "BNTEACH_PROGRESS": "off"})
    except subprocess.TimeoutExpired:
        return too_long
    last = done.stdout.strip().splitlines()[-1] if done.stdout.strip() else ""
    if done.returncode == -signal.SIGPROF:
        return too_long
    if done.returncode or not last.startswith("{"):
        problem = (done.stderr.strip().splitlines() or [f"it ended with status {done.returncode}"])[-1]
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


def main(library: str, task: str, folder: str, repeats: str, limit: str) -> dict[str, Any]:
    """What the other process does: prepare the input, then do the work so many times; more often, if it is quick."""
    from tests.benchmarks.bench.inputs import Input
    from tests.benchmarks.bench.libraries import tasks_of

    if library == "before":
        sys.path.insert(0, os.environ[OLDER])  # first, so that `import bnteach` finds the older one
    given = Input(Path(folder))
    run = tasks_of(library)[task](given)
    seconds: list[float] = []
    while len(seconds) < int(repeats) or (sum(seconds) < 0.5 and len(seconds) < 5 * int(repeats)):
        signal.setitimer(signal.ITIMER_PROF, float(limit))  # CPU time; when it is over, the process ends
        answer, taken = timed(run)
        seconds.append(taken)
        if seconds[-1] > 2:
            break  # long works need no repeats
    signal.setitimer(signal.ITIMER_PROF, 0)
    megabytes = round(peak_megabytes(), 1)
    from tests.benchmarks.bench.quality import plain  # after the memory is known

    return {"seconds": seconds, "megabytes": megabytes, "answer": plain(answer, given)}


def timed(run: Callable[[], Any]) -> tuple[Any, float]:
    """What comes out, and the CPU seconds it took. A short work is done several times, since clocks tick coarsely."""
    for loops in (1, 4, 16, 64, 256):
        start = time.process_time()
        for _ in range(loops):
            out = run()
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
