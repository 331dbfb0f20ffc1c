"""Simulated annealing under many cooling schedules: a grid of transforms and seeds.

Each run is a row of a table. The runs are independent, so they are distributed over as many processes as there are
cores. With `file`, each run is saved as soon as it is finished, and runs that are in the file already are not
repeated: a long grid can be stopped and resumed, or extended by more seeds.

    score = bn.BIC(bn.datasets.wine_report())
    bn.anneal_grid(score)                                       the wine report's 46 transforms, one seed
    bn.anneal_grid(score, seeds=range(10), file="grid.csv")     ten seeds, saved

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
from bnteach.learn.search.cooling import cooling_schedule
from bnteach.learn.search.orders import outcome
from bnteach.progress import Progress
from bnteach.scores.base import Score

if TYPE_CHECKING:
    import pandas as pd

DIVISORS = (2, 3, 4, 5, 6, 7, 8, 10, 12, 15)
REPORT_TRANSFORMS: tuple[str, ...] = (
    *(f"x/{d}" for d in DIVISORS),
    "log(x)", "sqrt(x)", "x**0.6", "x**0.7", "x**0.8", "x**0.9",
    *(f"(x/{d})**{power}" for d in DIVISORS for power in (0.5, 0.7, 0.9)),
)
"""The 46 transforms of the report's Table 2, in its order."""

SETTINGS = ("data", "transform", "seed", "n", "final_steps", "scale")
RESULTS = ("score", "arcs", "best_at", "accepted")
Run = tuple[str, str, int, int, int, float]  # the settings
Found = tuple[float, int, int, int]  # the results
FEW = 8  # fewer runs are not worth starting other processes


@checked
def anneal_grid(score: Score, transforms: Iterable[str] = REPORT_TRANSFORMS, seeds: int | Iterable[int] = (0,),
                jobs: int | None = None, file: str | Path | None = None, n: int = 4000, final_steps: int = 300,
                scale: float = 2.0) -> pd.DataFrame:
    """Run simulated annealing once per transform and seed.

    Parameters
    ----------
    score : Score
    transforms : names
        Formulas in x, as in `cooling_schedule`.
    seeds : int or numbers
    jobs : int, optional
        The number of processes; by default one per core.
    file : str or Path, optional
        A CSV file to which runs are saved and from which they are resumed.
    n, final_steps, scale
        As in `cooling_schedule` and `anneal`.

    Returns
    -------
    pandas.DataFrame
        A row per run: its settings, the best score, the number of arcs of its graph, the proposal after which it was
        found, and how many proposals were accepted.

    Examples
    --------
    >>> from bnteach import MDL, datasets
    >>> anneal_grid(MDL(datasets.five_rows()), ["x/10"], seeds=[0, 1], n=60).shape
    (2, 10)
    """
    import pandas as pd

    runs = [(fingerprint(score), transform, seed, n, final_steps, float(scale))
            for transform in _transforms(transforms) for seed in _seeds(seeds)]
    file = None if file is None else read_path(file, "the file of runs")
    done = _load(file)
    missing = [run for run in dict.fromkeys(runs) if run not in done]
    with Progress("anneal_grid", total=len(missing), unit=" runs") as progress:
        for run, found in _run_all(score, missing, _processes(jobs, len(missing))):
            _save(file, run, found)
            done[run] = found
            progress.step()
    return pd.DataFrame([(*run, *done[run]) for run in runs], columns=[*SETTINGS, *RESULTS])


def one_run(score: Score, run: Run) -> Found:
    """Anneal once: the results in a row of the table."""
    _, transform, seed, n, final_steps, scale = run
    found = outcome(anneal.steps(score, cooling_schedule(transform, n, final_steps), seed=seed, scale=scale))
    return round(score(found.graph), 6), len(found.graph.arcs), found.best_at, found.accepted


def fingerprint(score: Score) -> str:
    """The score and a checksum of its data; the same columns in another order have another one."""
    families = ", ".join(f"{v} {score.family(v):.6f}" for v in score.variables)
    return f"{score!r}, {crc32(families.encode()):08x}"


# -- one process or several ------------------------------------------------------------------------------
def _run_all(score: Score, runs: list[Run], processes: int) -> Iterator[tuple[Run, Found]]:
    """Each run with its results, in the order in which they finish."""
    if processes == 1:
        yield from ((run, one_run(score, run)) for run in runs)
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    try:
        with ProcessPoolExecutor(processes, get_context("spawn"), _set_score, (score,)) as pool:
            submitted = {pool.submit(_run_in_process, run): run for run in runs}
            yield from ((submitted[job], job.result()) for job in as_completed(submitted))
    except BrokenProcessPool:
        raise RuntimeError("the other processes did not start. In a script, put the call under "
                           "`if __name__ == '__main__':`; or use jobs=1.") from None


_score: Any = None  # the score in each of the other processes: sent once, not with every run


def _set_score(score: Score) -> None:
    global _score
    _score = score


def _run_in_process(run: Run) -> Found:
    return one_run(_score, run)


def _processes(jobs: int | None, runs: int) -> int:
    if jobs is not None and jobs < 1:
        raise ValueError(f"jobs={jobs}: give at least one process.")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(jobs or (cores if runs >= FEW else 1), max(runs, 1))


# -- the file --------------------------------------------------------------------------------------------
def _load(file: Path | None) -> dict[Run, Found]:
    """The runs in a file. An incomplete last line, left by a grid that was stopped, is deleted."""
    if file is None or not file.exists():
        if file is not None and not file.parent.is_dir():
            raise DataError(f"there is no folder {str(file.parent)!r} for the file of runs; make it first.")
        return {}
    text = file.read_text(encoding="utf-8")
    lines = text[:text.rfind("\n") + 1]
    rows = csv.DictReader(lines.splitlines())
    if text and tuple(rows.fieldnames or ()) != (*SETTINGS, *RESULTS):
        raise DataError(f"{str(file)!r} is not a file of annealing runs: its first line should be "
                        f"{','.join((*SETTINGS, *RESULTS))}. Give another name.")
    if lines != text:
        file.write_text(lines, encoding="utf-8")
    return {_read(row, SETTINGS): _read(row, RESULTS) for row in rows}


def _read(row: dict[str, str], names: Iterable[str]) -> Any:
    kinds: dict[str, Callable[[str], Any]] = {"data": str, "transform": str, "scale": float, "score": float}
    return tuple(kinds.get(name, int)(row[name]) for name in names)


def _save(file: Path | None, run: Run, found: Found) -> None:
    """Append a run to the file."""
    if file is None:
        return
    new = not file.exists() or file.stat().st_size == 0
    with open(file, "a", newline="", encoding="utf-8") as lines:
        rows = csv.writer(lines, lineterminator="\n")
        if new:
            rows.writerow((*SETTINGS, *RESULTS))
        rows.writerow((*run, *found))


def _seeds(seeds: int | Iterable[int]) -> list[int]:
    return [whole_number("seeds", seed) for seed in (seeds if isinstance(seeds, Iterable) else [seeds])]


def _transforms(transforms: Iterable[str]) -> list[str]:
    names: list[Any] = [transforms] if isinstance(transforms, str) else listed(transforms)
    if bad := [name for name in names if not isinstance(name, str)]:
        raise TypeError(f"{bad[0]!r} is not a formula; a grid takes formulas such as 'x/4', which can be saved and "
                        f"sent to other processes.")
    return names
