"""The works of the bench: what is to be done, on which data, with how many rows."""

from __future__ import annotations

from dataclasses import dataclass

from tests.benchmarks.bench.data import VARIABLES

TASKS = {
    "pc": "PC, chi-square .05",
    "chow_liu": "Chow-Liu",
    "hill_climb": "hill climbing, BIC",
    "mmhc": "MMHC",
    "pc_z": "PC, Fisher z .05",
    "hill_climb_g": "hill climbing, Gaussian BIC",
    "exact_g": "exact search, Gaussian BIC",
}


@dataclass(frozen=True)
class Work:
    """One row of the table: a task on so many rows of some data."""

    task: str
    data: str
    n: int

    @property
    def name(self) -> str:
        """How it is called in the table."""
        return f"{TASKS[self.task]}, {self.data} x {self.n:,}"


ROWS = [Work(task, data, n) for task in ("pc", "chow_liu", "hill_climb")
        for data, sizes in (("songs", (1_000, 10_000, 100_000, 1_000_000)), ("ALARM", (1_000, 10_000, 100_000)))
        for n in sizes]
WIDTHS = [Work(task, f"{size} variables", 10_000) for task in ("pc", "chow_liu", "hill_climb") for size in VARIABLES]
OTHERS = [Work("mmhc", "ALARM", 10_000), *(Work(task, "wine", 1_199) for task in ("pc_z", "hill_climb_g", "exact_g"))]

LONG = [*ROWS, *WIDTHS, *OTHERS]
SHORT = [work for work in LONG if work.data == "wine" or (work.data == "songs" and work.n <= 10_000)]
