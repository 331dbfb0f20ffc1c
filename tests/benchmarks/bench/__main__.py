"""`make bench`: how fast bnteach is, beside other libraries."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from bnteach.course.commands.common import CommandError, nearest, parser_of
from tests.benchmarks.bench.goals import goals
from tests.benchmarks.bench.kept import Run, keep
from tests.benchmarks.bench.libraries import LIBRARIES, installed
from tests.benchmarks.bench.report import by_work, where_not_first
from tests.benchmarks.bench.run import bench as measured
from tests.benchmarks.bench.run import imports
from tests.benchmarks.bench.versions import both_versions, versions_table
from tests.benchmarks.bench.works import LONG, MAIN, QUICK, SHORT, TASKS, Work


def bench(arguments: Sequence[str]) -> int:
    """Measure how long bnteach and other libraries take for the same work.

    Every library that is installed takes part; `make bench` installs them. CPU seconds of one thread, peak memory,
    and how good the result is: bench.json, bench.md, and growth.svg with the growth by rows and by variables.

    Examples:
      make bench ARGS=--short
      make bench ARGS="--only pc --beside pyAgrum"
      make bench ARGS="--long --keep"
      make bench ARGS="--before 3784cde"
    """
    parser = parser_of(bench)
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--short", action="store_true", help="few works, 10,000 rows at most: about two minutes")
    sizes.add_argument("--long", action="store_true", help="also works that take minutes: the integer program ...")
    parser.add_argument("--only", action="append", default=[], metavar="TASK", help=f"only this: {', '.join(TASKS)}")
    parser.add_argument("--beside", action="append", default=[], metavar="LIBRARY", help="beside bnteach only this one")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="stop what takes longer (30; short: 2)")
    parser.add_argument("--out", default="bench", metavar="FOLDER", help="where to put tables and picture (bench)")
    parser.add_argument("--keep", action="store_true", help="put the run in place of the one in README and site")
    parser.add_argument("--tables", action="store_true", help="make the tables of the kept run again; measure nothing")
    parser.add_argument("--before", metavar="COMMIT", help="beside an older version of bnteach, not other libraries")
    asked = parser.parse_args(arguments)

    known(asked.only, TASKS, "task")
    known(asked.beside, LIBRARIES, "library")
    if asked.tables:
        print("written: " + ", ".join(map(str, keep(Run.read()))))
        return 0
    works = chosen(SHORT if asked.short else LONG if asked.long else QUICK, asked.only)
    works = [work for main in (True, False) for work in works if (work in MAIN) == main]  # what README shows first
    limit = asked.limit if asked.limit is not None else 2 if asked.short else 30
    if asked.before:
        print(versions_table(asked.before, both_versions(asked.before, works, limit)))
        return 0
    rows = measured(works, limit, asked.beside, asked.short)
    if not asked.only and not asked.short and len(by_work(rows)) == len(works):
        rows += imports([name for name in installed() if not asked.beside or name in (*asked.beside, "bnteach")])
    run = Run.now(rows)
    written = keep(run) if asked.keep else run.write(Path(asked.out))
    print("\n\n".join([goals(rows), where_not_first(rows), "written: " + ", ".join(map(str, written))]))
    return 0


def known(given: Sequence[str], names: Mapping[str, object], what: str) -> None:
    """Check that what was asked for exists."""
    for name in given:
        if name not in names:
            raise CommandError(f"there is no {what} {name!r} in the bench. {nearest(name, names)}")


def chosen(works: Sequence[Work], only: Sequence[str]) -> list[Work]:
    """The works of these tasks, or all; if there are none among those that take seconds, those that take minutes."""
    found = [work for work in works if not only or work.task in only]
    return found or [work for work in LONG if work.task in only]


if __name__ == "__main__":
    try:
        sys.exit(bench(sys.argv[1:]))
    except CommandError as error:
        sys.exit(f"make bench: {error}")
