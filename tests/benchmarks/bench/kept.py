"""Runs in files. The one that is kept with the package is what README.md and the web site show.

    measured.json    when and where it was measured, and every row; all tables are made from it
    measured.md      the tables, which the site shows
    growth.svg       pictures of growth

`make bench ARGS=--keep` replaces all three and the README's table; `make bench ARGS=--tables` makes the tables again
without measuring.
"""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import bnteach
from bnteach.course.commands.common import CommandError
from tests.benchmarks.bench.goals import goals
from tests.benchmarks.bench.growth import growth
from tests.benchmarks.bench.libraries import LIBRARIES
from tests.benchmarks.bench.measure import ROOT
from tests.benchmarks.bench.report import Row, not_measured, notes, table, threads, where_not_first
from tests.benchmarks.bench.works import MAIN

KEPT = Path(bnteach.__file__).parent / "course/pages/bench/measured.json"
README = ROOT / "README.md"
BEGIN, END = "<!-- made by make bench -->", "<!-- end of what make bench made -->"


@dataclass(frozen=True)
class Run:
    """The rows of a run, and when, on what and with which versions they were measured."""

    date: str
    machine: str
    versions: dict[str, str]
    rows: list[Row]

    @classmethod
    def now(cls, rows: list[Row]) -> Run:
        packages = ["numpy", "pandas", "scipy", *(library.package for library in LIBRARIES.values())]
        return cls(str(date.today()), machine(), {name: found for name in packages if (found := _version(name))}, rows)

    @classmethod
    def read(cls, path: Path = KEPT) -> Run:
        return cls(**json.loads(path.read_text(encoding="utf-8")))

    def write(self, folder: Path, name: str = "bench") -> list[Path]:
        """The rows as JSON, a line each; the tables; the pictures of growth."""
        folder.mkdir(parents=True, exist_ok=True)
        numbers, tables = folder / f"{name}.json", folder / f"{name}.md"
        head = json.dumps({**asdict(self), "rows": []}, indent=1)
        rows = ",\n".join("  " + json.dumps(row) for row in self.rows)
        numbers.write_text(head.replace('"rows": []', f'"rows": [\n{rows}\n ]') + "\n", encoding="utf-8")
        tables.write_text(self.markdown(), encoding="utf-8")
        picture = growth(self.rows)
        return [numbers, tables] if picture is None else [numbers, tables, picture.save(folder / "growth.svg")]

    def markdown(self) -> str:
        """All tables."""
        parts = [table(self.rows, ("f1", "shd", "bic", "log_likelihood", "difference", "peak_mb")),
                 where_not_first(self.rows), not_measured(self.rows), notes(self.rows), threads(self.rows),
                 goals(self.rows), self.made()]
        return "\n\n".join(part for part in parts if part) + "\n"

    def for_readme(self) -> str:
        """The main rows, and where bnteach is not the fastest."""
        return "\n\n".join([BEGIN, table(self.rows, ("f1", "bic"), [work.name for work in MAIN]),
                            where_not_first(self.rows), self.made(), END])

    def made(self) -> str:
        """When, on what, with which versions."""
        names = ", ".join(f"{name} {number}" for name, number in self.versions.items() if name != "bnteach")
        return f"Measured on {self.date}: {self.machine}, {names}."


def keep(run: Run) -> list[Path]:
    """Put a run in place of the one that is kept with the package, and into the README."""
    text = README.read_text(encoding="utf-8")
    if not 0 < text.find(BEGIN) < text.find(END):
        raise CommandError(f"{README} has no line {BEGIN!r} with {END!r} after it, between which the table belongs.")
    written = run.write(KEPT.parent, KEPT.stem)  # first, so that nothing that was measured is lost
    README.write_text(text.partition(BEGIN)[0] + run.for_readme() + text.partition(END)[2], encoding="utf-8")
    return [*written, README]


def machine() -> str:
    """The processor, how many cores there are, and the Python."""
    info = Path("/proc/cpuinfo")
    model = [line.split(":")[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")] \
        if info.is_file() else []
    return f"{(model or [platform.machine()])[0]}, {os.cpu_count()} cores, Python {platform.python_version()}"


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
