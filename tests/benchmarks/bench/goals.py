"""How fast bnteach means to be, and whether it was, in one run of the bench."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]
THE_SAME = 0.5  # F1 of two skeletons, from which on they are taken for answers to one question


@dataclass(frozen=True)
class Goal:
    """Something that a run of the bench must show: in words, and as a function from its rows to (measured, met)."""

    words: str
    look: Callable[[list[Row]], tuple[str, bool] | None]


def seconds(rows: list[Row], task: str, data: str = "", n: int = 0) -> tuple[float | None, float | None]:
    """bnteach's CPU seconds for a work, and those of the fastest other library; None where there are none.

    A library whose graph has hardly a line of bnteach's has done something else, and does not count.
    """
    there = [row for row in rows if row.get("task") == task and row.get("data", "") == data and row.get("rows", 0) == n
             and row.get("cpu_seconds")]
    ours = [row["cpu_seconds"] for row in there if row["library"] == "bnteach"]
    others = [row["cpu_seconds"] for row in there if row["library"] != "bnteach" and row.get("agrees", 1) >= THE_SAME]
    return (ours[0] if ours else None), min(others, default=None)


def times(task: str, data: str, n: int, least: float) -> Callable[[list[Row]], tuple[str, bool] | None]:
    """So many times as fast as the fastest other library; if all took too long, their limit counts."""
    def look(rows: list[Row]) -> tuple[str, bool] | None:
        ours, other = seconds(rows, task, data, n)
        over = [float(row["problem"][1:-1]) for row in rows if row.get("task") == task and row.get("data") == data
                and row.get("rows") == n and row.get("problem", "").startswith(">")]
        if ours is None or (other is None and not over):
            return None
        more = "" if other is not None else "more than "
        ratio = (min(over) if other is None else other) / ours
        return f"{more}{ratio:.1f} times ({ours:.3g} s)", ratio >= least
    return look


def _a_million_before_others_have_a_tenth(rows: list[Row]) -> tuple[str, bool] | None:
    ours, other = seconds(rows, "pc", "songs", 1_000_000)[0], seconds(rows, "pc", "songs", 100_000)[1]
    if ours is None:
        return None
    limit = min((float(row["problem"][1:-1]) for row in rows if row.get("work", "").endswith("songs x 100,000")
                 and row["task"] == "pc" and row.get("problem", "").startswith(">")), default=None)
    if other is None and limit is None:
        return None
    beside = f"{other:.3g} s" if other is not None else f"more than {limit:g} s"
    return f"{ours:.3g} s; the fastest other needs {beside} for 100,000", ours < (limit if other is None else other)


def _import(rows: list[Row]) -> tuple[str, bool] | None:
    ours, other = seconds(rows, "import")
    return None if ours is None or other is None else (f"{ours:.2g} s; the fastest other {other:.2g} s", ours < other)


def _growth(task: str, measure: str) -> Callable[[list[Row]], tuple[str, bool] | None]:
    """From 10,000 playlists to 1,000,000 the time grows no faster than the number of (different) rows."""
    def look(rows: list[Row]) -> tuple[str, bool] | None:
        ours = {row["rows"]: row for row in rows if row.get("task") == task and row.get("data") == "songs"
                and row["library"] == "bnteach" and row.get("cpu_seconds")}
        if not {10_000, 1_000_000} <= ours.keys():
            return None
        few, many = ours[10_000], ours[1_000_000]
        time, size = many["cpu_seconds"] / few["cpu_seconds"], many[measure] / few[measure]
        return f"{time:.1f} times the time for {size:.1f} times as many", time <= size
    return look


def _memory(rows: list[Row]) -> tuple[str, bool] | None:
    peaks = [row["peak_mb"] for row in rows if row["library"] == "bnteach" and row.get("rows") == 1_000_000
             and row.get("peak_mb")]
    return (f"{max(peaks):,.0f} MB, with Python and the rows", max(peaks) < 1000) if peaks else None


GOALS = [
    Goal("PC, songs x 10,000: 3 times as fast as the fastest other", times("pc", "songs", 10_000, 3)),
    Goal("PC, ALARM x 10,000: 2 times", times("pc", "ALARM", 10_000, 2)),
    Goal("PC, songs x 1,000,000: less time than the fastest other takes for 100,000",
         _a_million_before_others_have_a_tenth),
    Goal("Chow-Liu, songs x 10,000: 5 times", times("chow_liu", "songs", 10_000, 5)),
    Goal("Chow-Liu, ALARM x 10,000: 5 times", times("chow_liu", "ALARM", 10_000, 5)),
    Goal("Chow-Liu, songs x 1,000,000: 5 times", times("chow_liu", "songs", 1_000_000, 5)),
    Goal("hill climbing, songs x 10,000: 2 times", times("hill_climb", "songs", 10_000, 2)),
    Goal("hill climbing, ALARM x 10,000: 2 times", times("hill_climb", "ALARM", 10_000, 2)),
    Goal("hill climbing, songs x 1,000,000: 10 times", times("hill_climb", "songs", 1_000_000, 10)),
    Goal("exact search, 12 Gaussian variables: 20 times", times("exact_g", "wine", 1_199, 20)),
    Goal("PC, Fisher z: faster", times("pc_z", "wine", 1_199, 1)),
    Goal("hill climbing, 12 Gaussian variables: faster", times("hill_climb_g", "wine", 1_199, 1)),
    Goal("import: faster", _import),
    Goal("Chow-Liu: no worse than linear in rows", _growth("chow_liu", "rows")),
    Goal("PC: no worse than linear in different rows", _growth("pc", "different")),
    Goal("hill climbing: no worse than linear in different rows", _growth("hill_climb", "different")),
    Goal("a million rows: under 1 GB", _memory),
]


def goals(rows: list[Row]) -> str:
    """The goals that this run has something to say about, as a table in Markdown."""
    seen = [(goal.words, goal.look(rows)) for goal in GOALS]
    lines = [f"| {words} | {found[0]} | {'yes' if found[1] else 'no'} |" for words, found in seen if found is not None]
    return "\n".join(["| goal | measured | met |", "|---|---|---|", *lines, ""]) if lines else ""
