"""An older version of bnteach beside this one, in one run: is any work slower than before?

The older one is checked out beside the project by `git worktree`, and runs in the same Python with the same libraries.
The two take turns, and the least time of each counts, since what else the machine does can only add to it.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bnteach.course.commands.common import CommandError
from tests.benchmarks.bench.data import write_input
from tests.benchmarks.bench.measure import OLDER, ROOT, Measured, measure
from tests.benchmarks.bench.report import Row, seconds
from tests.benchmarks.bench.works import LIMITS, Work

SLOWER = 1.1  # times the older version's time, from which on a work counts as slower


def both_versions(commit: str, works: Sequence[Work], limit: float, turns: int = 3) -> list[Row]:
    """A row for each work: the least CPU seconds of the older version and of this one."""
    rows: list[Row] = []
    with checked_out(commit) as folder:
        os.environ[OLDER] = str(folder)
        for number, work in enumerate(works, start=1):
            before, now = in_turns(work, max(limit, LIMITS.get(work.task, 0)), turns)
            rows.append(row := {"work": work.name, "before": _least(before), "now": _least(now)})
            print(f"[{number} of {len(works)}] {as_line(row)}", flush=True)
    return rows


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """The files of a commit in a folder, as long as they are needed."""
    with tempfile.TemporaryDirectory(prefix="bnteach-") as name:
        folder = Path(name, "before")
        done = subprocess.run(["git", "worktree", "add", "--detach", str(folder), commit], cwd=ROOT,
                              capture_output=True, text=True)
        if done.returncode:
            raise CommandError(f"cannot check out {commit!r}: {done.stderr.strip()}\nGive a commit of this repository, "
                               "as `git log --oneline` lists them.")
        try:
            yield folder
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", str(folder)], cwd=ROOT, check=True)


def in_turns(work: Work, limit: float, turns: int) -> tuple[Measured, Measured]:
    """Both versions, one after the other, so many times; a work of more than a few seconds only once."""
    both = Measured("before", work), Measured("bnteach", work)
    with tempfile.TemporaryDirectory(prefix="bnteach-") as folder:
        write_input(work, Path(folder))
        for _ in range(turns):
            for one in both:
                again = measure(one.library, work, Path(folder), limit)
                one.seconds += again.seconds
                one.problem = again.problem
            if any(one.problem or min(one.seconds) > 5 for one in both):
                break
    return both


def _least(one: Measured) -> float | str:
    return one.problem or min(one.seconds)


def slower(row: Row) -> bool:
    """Whether this version took longer by more than a tenth."""
    return isinstance(row["before"], float) and (isinstance(row["now"], str) or row["now"] > SLOWER * row["before"])


def as_line(row: Row) -> str:
    """A row of the table."""
    shown = [seconds(row[name]) if isinstance(row[name], float) else row[name] for name in ("before", "now")]
    numbers = all(isinstance(row[name], float) for name in ("before", "now"))
    ratio = f"{row['now'] / row['before']:.2f}" if numbers else ""
    return f"| {row['work']} | {' | '.join(shown)} | {ratio} | {'slower' if slower(row) else ''} |"


def versions_table(commit: str, rows: list[Row]) -> str:
    """The table in Markdown, and how many works are slower."""
    head = [f"| work | {commit} | now | now / {commit} | |", "|---|---|---|---|---|"]
    count = sum(map(slower, rows))
    return "\n".join([*head, *map(as_line, rows), "", f"{count} of {len(rows)} works are slower by more than a tenth."])
