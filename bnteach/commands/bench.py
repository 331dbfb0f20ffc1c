"""bnteach bench: how fast, beside others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bnteach.commands.common import CommandError, nearest, parser_of


def bench(arguments: Sequence[str]) -> int:
    """Measure how long bnteach and its peers take for the same work.

    Every library that is installed takes part: pip install "bnteach[peers]" brings some. CPU seconds of one
    thread, peak memory, and how good the result is; a table, a CSV file and a picture of growth.

    Examples:
      bnteach bench --short
      bnteach bench --out figures --only pyAgrum
    """
    parser = parser_of(bench)
    parser.add_argument("--short", action="store_true", help="at most 10,000 rows and 10 s for each: a minute or two")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="stop a work that takes longer (120; short: 10)")
    parser.add_argument("--only", action="append", default=[], metavar="LIBRARY", help="beside bnteach only this one")
    parser.add_argument("--out", default="bench", metavar="FOLDER", help="where to put table and picture (bench)")
    asked = parser.parse_args(arguments)
    from bnteach.bench.contestants import LIBRARIES
    from bnteach.bench.report import bench as run
    from bnteach.bench.report import write

    for name in asked.only:
        if name not in LIBRARIES:
            raise CommandError(f"there is no library {name!r} in the bench. {nearest(name, LIBRARIES)}")
    written = write(run(asked.short, asked.limit, only=asked.only), Path(asked.out))
    print("written: " + ", ".join(map(str, written)))
    return 0
