"""How fast bnteach means to be, and whether it was, in one run of the bench."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tests.benchmarks.bench.report import Row, by_work, fastest_other, times_as_fast
from tests.benchmarks.bench.works import Work

Looked = tuple[str, bool] | None  # what was measured, and whether the goal is met; None if nothing was measured
TIMES = {  # as many times as fast as the fastest other library
    Work("pc", "songs", 10_000): 3, Work("pc", "ALARM", 10_000): 2, Work("chow_liu", "songs", 1_000_000): 5,
    Work("hill_climb", "songs", 10_000): 2, Work("hill_climb", "ALARM", 10_000): 2,
    Work("hill_climb", "songs", 1_000_000): 10, Work("exact_g", "wine", 1_199): 20,
}
SECONDS = {Work("ilp", "insurance", 20_000): 30, Work("ilp", "ALARM", 20_000): 60,
           Work("ilp", "hailfinder", 20_000): 120}


@dataclass(frozen=True)
class Goal:
    """Something that a run of the bench must show: in words, and as a function from its rows."""

    words: str
    look: Callable[[list[Row]], Looked]


def _first(rows: list[Row]) -> Looked:
    """The fastest in every row that another library finishes."""
    ratios = [found[1] for of_work in by_work(rows).values() if (found := fastest_other(of_work))]
    first = sum(ratio >= 1 for ratio in ratios)
    return (f"{first} of {len(ratios)}", first == len(ratios)) if ratios else None


def _times(work: Work, least: float) -> Callable[[list[Row]], Looked]:
    def look(rows: list[Row]) -> Looked:
        text = times_as_fast(by_work(rows).get(work.name, {}))
        return (f"{text} times", float(text.strip("> ").replace(",", "")) >= least) if text else None
    return look


def _seconds(work: Work, most: float) -> Callable[[list[Row]], Looked]:
    def look(rows: list[Row]) -> Looked:
        row = by_work(rows).get(work.name, {}).get("bnteach", {})
        if row.get("problem"):
            return row["problem"], False
        return (f"{row['cpu_seconds']:.0f} s", row["cpu_seconds"] <= most) if row else None
    return look


def _growth(task: str, measure: str) -> Callable[[list[Row]], Looked]:
    """From 10,000 playlists to 1,000,000 the time grows no faster than the number of (different) rows."""
    def look(rows: list[Row]) -> Looked:
        ours = {row["rows"]: row for row in rows if row.get("task") == task and row.get("data") == "songs"
                and row["library"] == "bnteach" and row.get("cpu_seconds")}
        if not {10_000, 1_000_000} <= ours.keys():
            return None
        few, many = ours[10_000], ours[1_000_000]
        time, size = many["cpu_seconds"] / few["cpu_seconds"], many[measure] / few[measure]
        return f"{time:.1f} times the time for {size:.1f} times as many", time <= size
    return look


def _memory(name: str, size: int) -> Callable[[list[Row]], Looked]:
    def look(rows: list[Row]) -> Looked:
        peaks = [row["peak_mb"] for row in rows if row["library"] == "bnteach" and row.get(name) == size
                 and row.get("peak_mb")]
        return (f"{max(peaks):,.0f} MB, with Python and the rows", max(peaks) < 1000) if peaks else None
    return look


GOALS = [
    Goal("the fastest in every row that another library finishes", _first),
    *(Goal(f"{work.name}: {least:g} times as fast as the fastest other", _times(work, least))
      for work, least in TIMES.items()),
    *(Goal(f"{work.name}: at most {most} s", _seconds(work, most)) for work, most in SECONDS.items()),
    Goal("Chow-Liu: no worse than linear in rows", _growth("chow_liu", "rows")),
    Goal("PC: no worse than linear in different rows", _growth("pc", "different")),
    Goal("hill climbing: no worse than linear in different rows", _growth("hill_climb", "different")),
    Goal("a million rows: under 1 GB", _memory("rows", 1_000_000)),
    Goal("500 variables: under 1 GB", _memory("variables", 500)),
]


def goals(rows: list[Row]) -> str:
    """The goals that this run has something to say about, as a table in Markdown."""
    seen = [(goal.words, goal.look(rows)) for goal in GOALS]
    lines = [f"| {words} | {found[0]} | {'yes' if found[1] else 'no'} |" for words, found in seen if found is not None]
    return "\n".join(["| goal | measured | met |", "|---|---|---|", *lines]) if lines else ""
