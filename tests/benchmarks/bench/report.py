"""What the bench says: lines while it runs, and tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.benchmarks.bench.libraries import LIBRARIES
from tests.benchmarks.bench.works import LONG

Row = dict[str, Any]
COLUMNS = ["work", "task", "data", "rows", "different", "variables", "library", "cpu_seconds", "default_threads",
           "times_bnteach", "peak_mb", "bic", "f1", "shd", "agrees", "edges", "log_likelihood", "difference", "problem"]
QUALITY = {"f1": "F1 {:.2f}", "shd": "SHD {}", "bic": "BIC {:,.0f}", "log_likelihood": "log-likelihood {:.2f} per row",
           "difference": "difference {:.0e}", "agrees": "agrees {:.2f}", "peak_mb": "{:,.0f} MB"}


def as_text(row: Row) -> str:
    """One row as a line of text."""
    if row.get("problem"):
        return f"{row['library']:13} {row['problem']}"
    beside = "".join("  " + words.format(row[name]) for name, words in QUALITY.items() if name in row)
    ratio = f"{row['times_bnteach']:9,.2f} x" if "times_bnteach" in row else ""
    threads = f"  default threads {row['default_threads']:.4f} s" if "default_threads" in row else ""
    return f"{row['library']:13} {row['cpu_seconds']:10.4f} s {ratio}{beside}{threads}"


def by_work(rows: list[Row]) -> dict[str, dict[str, Row]]:
    """work -> library -> row."""
    found: dict[str, dict[str, Row]] = {}
    for row in rows:
        found.setdefault(row["work"], {})[row["library"]] = row
    return found


def fastest_other(of_work: dict[str, Row]) -> tuple[str, float] | None:
    """The fastest library besides bnteach, and its time as a multiple of bnteach's; None if none has finished."""
    ours = of_work.get("bnteach", {}).get("cpu_seconds")
    others = {name: row["cpu_seconds"] for name, row in of_work.items() if name != "bnteach" and "cpu_seconds" in row}
    if not ours or not others:
        return None
    name = min(others, key=lambda one: others[one])
    return name, others[name] / ours


def times_as_fast(of_work: dict[str, Row]) -> str:
    """How many times as fast as the fastest other library bnteach is; a bound, if all others were stopped."""
    if (other := fastest_other(of_work)) is not None:
        return f"{other[1]:.2g}" if other[1] < 10 else f"{other[1]:,.0f}"
    ours = of_work.get("bnteach", {}).get("cpu_seconds")
    limits = [float(row["problem"][1:-1]) for row in of_work.values() if row.get("problem", "").startswith(">")]
    return f"> {min(limits) / ours:,.0f}" if ours and limits and min(limits) >= 1.5 * ours else ""


def table(rows: list[Row], qualities: Iterable[str], shown: Iterable[str] | None = None) -> str:
    """A row for each work, a column for each library: CPU seconds, the least in bold, with qualities in brackets."""
    works, wanted = by_work(rows), list(qualities)
    names = [name for name in LIBRARIES if any(name in of_work for of_work in works.values())]
    lines = ["| work | " + " | ".join(names) + " | times as fast |", "|---|" + "---|" * len(names) + "---:|"]
    for work in works if shown is None else [work for work in shown if work in works]:
        least = _least(works[work])
        cells = [_cell(works[work][name], least, wanted) if name in works[work] else "" for name in names]
        lines.append(f"| {work} | " + " | ".join(cells) + f" | {times_as_fast(works[work])} |")
    return "\n".join(lines)


def _least(of_work: dict[str, Row]) -> float | None:
    """The least time, if there are several and nobody was stopped before it."""
    times = [row["cpu_seconds"] for row in of_work.values() if "cpu_seconds" in row]
    limits = [float(row["problem"][1:-1]) for row in of_work.values() if row.get("problem", "").startswith(">")]
    return min(times) if times and len(of_work) > 1 and min(times) <= min(limits, default=min(times)) else None


def _cell(row: Row, least: float | None, qualities: list[str]) -> str:
    if row.get("problem"):
        return row["problem"]
    beside = [QUALITY[name].format(row[name]) for name in qualities if name in row]
    if "F1" in "".join(beside):  # where the truth is known, the score says little
        beside = [words for words in beside if not words.startswith("BIC")]
    text = seconds(row["cpu_seconds"])
    return (f"**{text}**" if row["cpu_seconds"] == least else text) + (f" ({', '.join(beside)})" if beside else "")


def seconds(taken: float) -> str:
    """Two digits.

    >>> seconds(0.01234), seconds(123.4)
    ('0.012', '123')
    """
    return f"{taken:.2g}" if taken < 10 else f"{taken:.0f}"


def where_not_first(rows: list[Row]) -> str:
    """In how many rows bnteach is first, and a list of those in which another library is faster."""
    ratios = {work: found for work, of_work in by_work(rows).items() if (found := fastest_other(of_work))}
    behind: dict[str, list[str]] = {}
    for work, (name, ratio) in ratios.items():
        if ratio < 1:
            algorithm, comma, data = work.rpartition(", ") if ", " in work else (work, "", "")
            behind.setdefault(f"{algorithm}: {name}", []).append(f"{comma}{data} ({1 / ratio:.3g} times)")
    first = sum(ratio >= 1 for _, ratio in ratios.values())
    said = f"bnteach is the fastest in {first} of the {len(ratios)} rows that another library finishes too"
    items = [f"- {which}{''.join(where)}" for which, where in behind.items()]
    return "\n".join([f"{said}. Faster are", "", *items]) if items else f"{said}."


def not_measured(rows: list[Row]) -> str:
    """A sentence that says which works a run has left out: one that was stopped early, or of fewer tasks."""
    there = by_work(rows)
    absent = [work.name for work in LONG if work.name not in there]
    return f"Not measured in this run: {'; '.join(absent)}." if absent else ""


def threads(rows: list[Row]) -> str:
    """bnteach's CPU seconds with one thread and with as many as numpy takes by default."""
    lines = [f"| {row['work']} | {seconds(row['cpu_seconds'])} | {seconds(row['default_threads'])} |"
             for row in rows if "default_threads" in row]
    return "\n".join(["| bnteach | one thread | default threads |", "|---|---|---|", *lines]) if lines else ""


def notes(rows: list[Row]) -> str:
    """What differs from library to library."""
    names = {row["library"] for row in rows}
    return "\n".join(f"- {name} {library.note}." for name, library in LIBRARIES.items()
                     if library.note and name in names)
