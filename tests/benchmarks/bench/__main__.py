"""`make bench`: how fast bnteach is, beside other libraries."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from bnteach.course.commands.common import CommandError, nearest, parser_of
from tests.benchmarks.bench.contestants import LIBRARIES
from tests.benchmarks.bench.goals import goals
from tests.benchmarks.bench.report import keep, write
from tests.benchmarks.bench.run import bench as run


def bench(arguments: Sequence[str]) -> int:
    """Measure how long bnteach and its peers take for the same work.

    Every library that is installed takes part; `make bench` installs them. CPU seconds of one
    thread, peak memory, and how good the result is: bench.md, bench.csv, and growth.svg with the growth by rows and
    by variables. An hour or so with all peers; the short run takes a minute or two.

    Examples:
      make bench ARGS=--short
      make bench ARGS="--out figures --only pyAgrum"
      make bench ARGS=--keep
    """
    parser = parser_of(bench)
    parser.add_argument("--short", action="store_true", help="few works, 10,000 rows at most, 3 s for each")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="stop a work that takes longer (60; short: 3)")
    parser.add_argument("--only", action="append", default=[], metavar="LIBRARY", help="beside bnteach only this one")
    parser.add_argument("--out", default="bench", metavar="FOLDER", help="where to put table and picture (bench)")
    parser.add_argument("--keep", action="store_true", help="put the run in place of the one that the site shows")
    asked = parser.parse_args(arguments)

    for name in asked.only:
        if name not in LIBRARIES:
            raise CommandError(f"there is no library {name!r} in the bench. {nearest(name, LIBRARIES)}")
    rows = run(asked.short, asked.limit, only=asked.only)
    written = keep(rows) if asked.keep else write(rows, Path(asked.out))
    print(goals(rows))
    print("written: " + ", ".join(map(str, written)))
    return 0


if __name__ == "__main__":
    sys.exit(bench(sys.argv[1:]))
