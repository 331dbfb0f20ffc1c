"""What the bench says: a table to read, a CSV file to keep, pictures of growth.

Quality stands beside time, to show that it is the same work. BIC is that of the graph found (a PDAG counts by a DAG of
its class) on the same rows, in nats. F1 compares its skeleton with that of the network the rows came from; `agrees` is
the same number for bnteach's graph in place of the truth.
"""

from __future__ import annotations

import csv
import os
import platform
from collections.abc import Iterable, Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import bnteach
from bnteach.graphs.pdag import PDAG
from tests.benchmarks.bench.contestants import NOTES
from tests.benchmarks.bench.data import DATA
from tests.benchmarks.bench.goals import goals
from tests.benchmarks.bench.growth import growth
from tests.benchmarks.bench.measure import Measured

COLUMNS = ["work", "task", "data", "rows", "different", "variables", "library", "cpu_seconds", "times_bnteach",
           "peak_mb", "bic", "f1", "agrees", "edges", "problem"]
# A run that was kept; its table is measured.md and its picture growth.svg, beside it.
MEASURED = Path(bnteach.__file__).parent / "course/pages/bench/measured.csv"
NUMBERS = {"rows": int, "different": int, "variables": int, "edges": int, "cpu_seconds": float, "times_bnteach": float,
           "peak_mb": float, "bic": float, "f1": float, "agrees": float}

Row = dict[str, Any]
Edges = Sequence[tuple[str, str, bool]]


def judged(one: Measured, ours: Measured, score: Any) -> Row:
    """A row of the table: the time, how many times bnteach's, and how good the graph is."""
    data = DATA[one.work.data]
    row: Row = {"work": one.work.name, "task": one.work.task, "data": one.work.data, "rows": one.work.n,
                "variables": data.variables, "library": one.library, "problem": one.problem}
    if hasattr(score.data, "distinct_rows"):
        row["different"] = len(score.data.distinct_rows)
    if one.median is None:
        return row
    row |= {"cpu_seconds": round(one.median, 5), "peak_mb": one.megabytes, "edges": len(one.edges)}
    if ours.median:
        row |= {"times_bnteach": round(one.median / ours.median, 2), "agrees": f1(one.edges, ours.edges)}
    if (dag := as_dag(one.edges, score.variables)) is not None:
        row["bic"] = round(score(dag), 1)
    if (truth := data.truth()) is not None:
        row["f1"] = f1(one.edges, [(*arc, True) for arc in truth.arcs])
    return row


def f1(edges: Edges, others: Edges) -> float:
    """How far two graphs have the same edges, whatever their direction: 1 if all, 0 if none."""
    one, other = ({frozenset(edge[:2]) for edge in graph} for graph in (edges, others))
    return round(2 * len(one & other) / max(1, len(one) + len(other)), 3)


def as_dag(edges: Iterable[tuple[str, str, bool]], nodes: Sequence[str]) -> Any:
    """A DAG with these edges, if there is one; else None."""
    from bnteach.graphs.extension import extend

    given = list(edges)
    directed = {(a, b) for a, b, is_arc in given if is_arc}
    undirected = {frozenset(edge[:2]) for edge in given if not edge[2]}
    undirected |= {frozenset((a, b)) for a, b in directed if (b, a) in directed}
    arcs = sorted(arc for arc in directed if frozenset(arc) not in undirected)
    try:
        return extend(PDAG(arcs, [tuple(sorted(edge)) for edge in sorted(undirected, key=sorted)], nodes))
    except ValueError:
        return None


def as_text(row: Row) -> str:
    """One row as a line of text."""
    if row.get("problem"):
        return f"{row['library']:13} {row['problem']}"
    shown = [name for name in ("bic", "f1", "agrees", "edges", "peak_mb") if name in row]
    beside = "".join(f"  {name} {row[name]:{',.1f' if name == 'bic' else ',.6g'}}" for name in shown)
    ratio = f"{row['times_bnteach']:9,.2f} x" if row.get("times_bnteach") is not None else ""
    return f"{row['library']:13} {row['cpu_seconds']:10.4f} s {ratio}{beside}"


def write(rows: list[Row], folder: Path, name: str = "bench") -> list[Path]:
    """The CSV file, the table as Markdown, and the pictures of growth, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers, table = folder / f"{name}.csv", folder / f"{name}.md"
    with open(numbers, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    table.write_text("\n".join([markdown(rows), goals(rows), machine(), ""]), encoding="utf-8")
    picture = growth(rows)
    return [numbers, table] if picture is None else [numbers, table, picture.save(folder / "growth.svg")]


def keep(rows: list[Row]) -> list[Path]:
    """Put a run in place of the one that is kept with the package."""
    return write(rows, MEASURED.parent, MEASURED.stem)


def read(path: Path = MEASURED) -> list[Row]:
    """The rows of a CSV file that `write` has written; without a path, of the run that is kept with the package."""
    with open(path, encoding="utf-8", newline="") as file:
        return [{name: NUMBERS.get(name, str)(text) for name, text in row.items() if text}
                for row in csv.DictReader(file)]


def kept_table() -> str:
    """The table, the goals and the machine of the run that is kept with the package."""
    return MEASURED.with_suffix(".md").read_text(encoding="utf-8")


def markdown(rows: list[Row]) -> str:
    """A row for each work, a column for each library: CPU seconds, the quickest in bold, with F1 or BIC in brackets."""
    names = list(dict.fromkeys(row["library"] for row in rows))
    lines = ["| work | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    for work in dict.fromkeys(row["work"] for row in rows):
        of_work = [row for row in rows if row["work"] == work]
        quickest = min((row["cpu_seconds"] for row in of_work if "cpu_seconds" in row), default=None)
        cells = {row["library"]: _cell(row, row.get("cpu_seconds") == quickest) for row in of_work}
        lines.append(f"| {work} | " + " | ".join(cells.get(name, "") for name in names) + " |")
    return "\n".join([*lines, "", *(f"- {name} {NOTES[name]}." for name in names if name in NOTES), ""])


def _cell(row: Row, quickest: bool) -> str:
    if row.get("problem"):
        return row["problem"]
    beside = f" (F1 {row['f1']:.2f})" if "f1" in row else f" (BIC {row['bic']:,.0f})" if "bic" in row else ""
    seconds = f"{row['cpu_seconds']:.2g}" if row["cpu_seconds"] < 10 else f"{row['cpu_seconds']:.0f}"
    return (f"**{seconds}**" if quickest else seconds) + beside


def machine() -> str:
    """On what, when, with which versions, and how to do it again."""
    info = Path("/proc/cpuinfo")
    model = [line.split(":")[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")] \
        if info.is_file() else []
    names = [f"{name} {found}" for name in ("numpy", "pandas", *NOTES) if (found := _version(name))]
    return (f"CPU seconds of one thread, median of the repeats, from a DataFrame in memory to a graph. {date.today()}, "
            f"{(model or [platform.machine()])[0]}, {os.cpu_count()} cores, Python {platform.python_version()}, "
            f"{', '.join(names)}. To repeat it: `make bench`.")


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
