"""Simulated annealing under many temperature series: a grid of transforms and seeds.

Each run is one line of a table. The runs have nothing to do with each other, so they go to as many processes as
there are cores. With `file` every run is written down as soon as it is done, and runs that are already in
the file are not made again: a long grid can be stopped and taken up later, or extended by more seeds.

    score = bn.BIC(bn.datasets.wine_report())
    bn.anneal_grid(score)                                       the wine report's 46 transforms, one seed
    bn.anneal_grid(score, seeds=range(10), file="grid.csv")     ten seeds, written down

Lesson 13.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

from bnteach.errors import DataError, checked, read_path, whole_number
from bnteach.graphs.notation import listed
from bnteach.learn.anneal import anneal
from bnteach.learn.search.cooling import REPORT_TRANSFORMS, cooling_schedule
from bnteach.progress import Progress
from bnteach.scores.base import Score

if TYPE_CHECKING:
    import pandas as pd

KEY = ("data", "transform", "seed", "n", "slide", "scale")  # what makes a run the run that it is
FOUND = ("score", "arcs", "best_at", "taken")  # what it found
Run = tuple[str, str, int, int, int, float]
ENOUGH = 8  # below this number of runs it does not pay to start other processes


@checked
def anneal_grid(score: Score, transforms: Iterable[str] = REPORT_TRANSFORMS, seeds: int | Iterable[int] = (0,),
                jobs: int | None = None, file: str | Path | None = None, n: int = 4000, slide: int = 300,
                scale: float = 2.0) -> pd.DataFrame:
    """One annealing run for each transform and seed: a row for each, in that order.

    `jobs` is the number of processes: one for each core unless told. The columns say what was run, the best
    score, its graph's number of arcs, the step at which it was found, and how many proposals were taken.
    """
    import pandas as pd

    runs = [(fingerprint(score), transform, seed, n, slide, float(scale))
            for transform in _listed(transforms) for seed in _seeds(seeds)]
    file = None if file is None else read_path(file, "the file of runs")
    done = _read(file)
    left = [run for run in dict.fromkeys(runs) if run not in done]
    with Progress("anneal_grid", total=len(left), unit=" runs") as progress:
        for run, found in _run_all(score, left, _processes(jobs, len(left))):
            _note(file, run, found)
            done[run] = found
            progress.step()
    return pd.DataFrame([(*run, *done[run]) for run in runs], columns=[*KEY, *FOUND])


def one_run(score: Score, run: Run) -> tuple[float, int, int, int]:
    """Anneal once; what a row of the table tells of it."""
    _, transform, seed, n, slide, scale = run
    steps, taken = anneal.steps(score, cooling_schedule(transform, n, slide), seed=seed, scale=scale), 0
    while True:
        try:
            taken += getattr(next(steps), "taken", False)
        except StopIteration as end:
            return round(end.value.score, 6), len(end.value.graph.arcs), end.value.best_at, taken


def fingerprint(score: Score) -> str:
    """The score and its data in one line: other data, or the same columns in another order, have another."""
    told = ", ".join(f"{v} {score.family(v):.6f}" for v in score.variables)
    return f"{score!r}, {crc32(told.encode()):08x}"


# -- one process or several ------------------------------------------------------------------------------
def _run_all(score: Score, runs: list[Run], processes: int) -> Iterator[tuple[Run, tuple]]:
    """Each run with what it found, in the order in which they finish."""
    if processes == 1:
        yield from ((run, one_run(score, run)) for run in runs)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    try:
        with ProcessPoolExecutor(processes, get_context("spawn"), _remember, (score,)) as pool:
            going = {pool.submit(_run_remembered, run): run for run in runs}
            yield from ((going[job], job.result()) for job in as_completed(going))
    except BrokenProcessPool:
        raise RuntimeError("the other processes did not start. In a script, put the call under "
                           "`if __name__ == '__main__':`; or use jobs=1.") from None


_score: Any = None  # in each of the other processes, the score: sent once, not with every run


def _remember(score: Score) -> None:
    global _score
    _score = score


def _run_remembered(run: Run) -> tuple[float, int, int, int]:
    return one_run(_score, run)


def _processes(jobs: int | None, runs: int) -> int:
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs={jobs}: at least one process has to do the work.")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(jobs or (cores if runs >= ENOUGH else 1), max(runs, 1))


# -- the file --------------------------------------------------------------------------------------------
def _read(file: str | Path | None) -> dict[Run, tuple]:
    """The runs that a file already holds. A last line that was cut short, as when a grid is stopped, goes."""
    if file is None or not Path(file).exists():
        if file is not None and not Path(file).parent.is_dir():
            raise DataError(f"there is no folder {str(Path(file).parent)!r} for the file of runs; make it first.")
        return {}
    text = Path(file).read_text(encoding="utf-8")
    lines = text[:text.rfind("\n") + 1]
    rows = csv.DictReader(lines.splitlines())
    if text and tuple(rows.fieldnames or ()) != (*KEY, *FOUND):
        raise DataError(f"{str(file)!r} is not a file of annealing runs: its first line should be "
                        f"{','.join((*KEY, *FOUND))}. Give another name.")
    if lines != text:
        Path(file).write_text(lines, encoding="utf-8")
    return {_typed(row, KEY): _typed(row, FOUND) for row in rows}


def _typed(row: dict[str, str], names: Iterable[str]) -> Any:
    kinds: dict[str, Callable] = {"data": str, "transform": str, "scale": float, "score": float}
    return tuple(kinds.get(name, int)(row[name]) for name in names)


def _note(file: str | Path | None, run: Run, found: tuple) -> None:
    """Write a run down as soon as it is done."""
    if file is None:
        return
    new = not Path(file).exists() or Path(file).stat().st_size == 0
    with open(file, "a", newline="", encoding="utf-8") as lines:
        rows = csv.writer(lines, lineterminator="\n")
        if new:
            rows.writerow((*KEY, *FOUND))
        rows.writerow((*run, *found))


def _seeds(seeds: int | Iterable[int]) -> list[int]:
    return [whole_number("seeds", seed) for seed in (seeds if isinstance(seeds, Iterable) else [seeds])]


def _listed(transforms: Iterable[str]) -> list[str]:
    transforms = [transforms] if isinstance(transforms, str) else listed(transforms)
    if bad := [t for t in transforms if not isinstance(t, str)]:
        raise TypeError(f"{bad[0]!r} is not a transform by name; a grid takes formulas such as 'x/4', "
                        f"which can be written down and sent to other processes.")
    return transforms
