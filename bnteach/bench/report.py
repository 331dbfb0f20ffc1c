"""What the bench says: a table to read, a CSV file to keep, a picture of growth.

Quality stands beside time. BIC is that of the graph found (a PDAG counts by a DAG of its class) on the same rows, in
nats; F1 compares its skeleton with that of the network the rows came from.
"""

from __future__ import annotations

import csv
import platform
from collections.abc import Iterable, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from bnteach.bench.contestants import LIBRARIES, NOTES, installed
from bnteach.bench.measure import Measured, import_seconds, measure
from bnteach.bench.works import DATA, LONG, SHORT, Work
from bnteach.graphs.pdag import PDAG

COLUMNS = ["work", "library", "cpu_seconds", "times_bnteach", "peak_mb", "bic", "f1", "lines", "problem"]


def bench(short: bool = False, limit: float | None = None, repeats: int = 3, only: Sequence[str] = (),
          works: Sequence[Work] | None = None) -> list[dict[str, Any]]:
    """Measure every work with every library that is there. Rows as in COLUMNS."""
    from bnteach.bench.contestants import runs_of

    limit = (10 if short else 120) if limit is None else limit
    libraries = [name for name in installed() if not only or name in only or name == "bnteach"]
    can = {name: set(runs_of(name)) for name in libraries}
    rows: list[dict[str, Any]] = []
    for work in works if works is not None else SHORT if short else LONG:
        print(work.name, flush=True)
        measured = [measure(name, work, limit, repeats) for name in libraries if work.task in can[name]]
        rows += [judged(one, measured[0]) for one in measured]
        for row in rows[-len(measured):]:
            print("   " + told(row), flush=True)
    return rows + imports(libraries) if works is None else rows


def imports(libraries: Sequence[str]) -> list[dict[str, Any]]:
    """How long each library takes to be imported."""
    print("import", flush=True)
    seconds = {name: import_seconds(LIBRARIES[name]) for name in libraries}
    rows = [{"work": "import", "library": name, "cpu_seconds": round(taken, 4),
             "times_bnteach": round(taken / seconds["bnteach"], 2)} for name, taken in seconds.items()]
    for row in rows:
        print("   " + told(row), flush=True)
    return rows


def judged(one: Measured, ours: Measured) -> dict[str, Any]:
    """A row of the table: the time, how many times bnteach's, and how good the graph is."""
    row: dict[str, Any] = {"work": one.work.name, "library": one.library, "problem": one.problem}
    if one.median is None:
        return row
    row |= {"cpu_seconds": round(one.median, 5), "peak_mb": one.megabytes, "lines": len(one.lines)}
    if ours.median:
        row["times_bnteach"] = round(one.median / ours.median, 2)
    return row | quality(one)


def quality(one: Measured) -> dict[str, float]:
    """BIC of the graph found, and F1 of its skeleton where the truth is known."""
    data, score = _scored(one.work.data, one.work.n)
    told: dict[str, float] = {}
    if (dag := as_dag(one.lines, data.variables)) is not None:
        told["bic"] = round(score(dag), 1)
    if (truth := DATA[one.work.data].truth()) is not None:
        right, found = {frozenset(arc) for arc in truth.arcs}, {frozenset(line[:2]) for line in one.lines}
        told["f1"] = round(2 * len(right & found) / (len(right) + len(found)), 3)
    return told


@cache
def _scored(data: str, n: int) -> tuple[Any, Any]:
    import bnteach as bn

    rows = DATA[data].rows(n)
    table = bn.Measurements(rows) if data == "wine" else bn.Table(rows)
    return table, bn.BIC(table)


def as_dag(lines: Iterable[tuple[str, str, bool]], nodes: Sequence[str]) -> Any:
    """A DAG with these lines, if there is one; else None."""
    from bnteach.graphs.extension import extend

    directed = {(a, b) for a, b, way in lines if way}
    edges = {frozenset(line[:2]) for line in lines if not line[2]}
    edges |= {frozenset((a, b)) for a, b in directed if (b, a) in directed}
    arcs = sorted(arc for arc in directed if frozenset(arc) not in edges)
    try:
        return extend(PDAG(arcs, [tuple(sorted(edge)) for edge in sorted(edges, key=sorted)], nodes))
    except ValueError:
        return None


def told(row: dict[str, Any]) -> str:
    """One row as a line of text."""
    if row.get("problem"):
        return f"{row['library']:13} {row['problem']}"
    beside = "".join(f"  {name} {row[name]:,.6g}" for name in ("bic", "f1", "lines", "peak_mb") if name in row)
    ratio = f"{row['times_bnteach']:9,.2f} x" if row.get("times_bnteach") is not None else ""
    return f"{row['library']:13} {row['cpu_seconds']:10.4f} s {ratio}{beside}"


def write(rows: list[dict[str, Any]], folder: Path) -> list[Path]:
    """The CSV file, the table as Markdown, and the picture of growth, in a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "bench.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    (folder / "bench.md").write_text(markdown(rows), encoding="utf-8")
    written = [folder / "bench.csv", folder / "bench.md"]
    if (picture := growth(rows)) is not None:
        written.append(picture.save(folder / "bench.svg"))
    return written


def markdown(rows: list[dict[str, Any]]) -> str:
    """A row for each work, a column for each library: CPU seconds, and the F1 or BIC in brackets."""
    names = list(dict.fromkeys(row["library"] for row in rows))
    lines = ["| work | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    for work in dict.fromkeys(row["work"] for row in rows):
        cells = {row["library"]: _cell(row) for row in rows if row["work"] == work}
        lines.append(f"| {work} | " + " | ".join(cells.get(name, "") for name in names) + " |")
    notes = [f"- {name} {NOTES[name]}." for name in names if name in NOTES]
    made = f"CPU seconds, one thread, median; {platform.machine()}, Python {platform.python_version()}, {date.today()}."
    return "\n".join([*lines, "", made, "", *notes, ""])


def _cell(row: dict[str, Any]) -> str:
    if row.get("problem"):
        return row["problem"]
    beside = f" (F1 {row['f1']:.2f})" if "f1" in row else f" (BIC {row['bic']:,.1f})" if "bic" in row else ""
    return f"{row['cpu_seconds']:.3g}{beside}"


def growth(rows: list[dict[str, Any]]) -> Any:
    """CPU seconds against rows on songs, a panel for each task; None where matplotlib is missing or nothing grew."""
    try:
        from bnteach.show.picture import figure
        from bnteach.show.plots import canvas

        panels = _panels(rows)
        fig, axes = canvas(3.6 * len(panels), 3.4, columns=len(panels)) if panels else (None, None)
    except ImportError:
        return None
    if fig is None:
        return None
    for ax, (task, libraries) in zip([axes] if len(panels) == 1 else axes, panels.items()):
        for (name, points), marker in zip(libraries.items(), "osD^v"):
            ax.loglog(*zip(*points), marker=marker, label=name)
        ax.set_title(task)
        ax.set_xlabel("rows")
        ax.legend(fontsize=8)
    return figure(fig, "CPU seconds against the number of rows, songs, " + ", ".join(panels))


def _panels(rows: list[dict[str, Any]]) -> dict[str, dict[str, list[tuple[int, float]]]]:
    """task -> library -> points (rows, seconds)."""
    panels: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for row in rows:
        task, _, n = row["work"].rpartition(", songs x ")
        if task and row.get("cpu_seconds"):
            points = panels.setdefault(task, {}).setdefault(row["library"], [])
            points.append((int(n.replace(",", "")), row["cpu_seconds"]))
    return panels
