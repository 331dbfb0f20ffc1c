"""The works of the bench: what is to be done, on which data, and what the truth is.

Songs are made-up playlists: 20 binary variables in two groups. ALARM is sampled from the network. Both are drawn from
a seed, so every library gets the same rows. The wine data are the report's 1,199 wines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bnteach import datasets
from bnteach.graphs.dag import DAG
from bnteach.table import Table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Data:
    """A source of rows, and the graph they were drawn from, if it is known."""

    rows: Callable[[int], pd.DataFrame]
    truth: Callable[[], DAG | None]


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


TASKS = {
    "pc": "PC, chi-square .05",
    "chow_liu": "Chow-Liu",
    "hill_climb": "hill climbing, BIC",
    "mmhc": "MMHC",
    "pc_z": "PC, Fisher z .05",
    "hill_climb_g": "hill climbing, Gaussian BIC",
    "exact_g": "exact search, Gaussian BIC",
}


def _numbers(table: Table) -> pd.DataFrame:
    """Categories as whole numbers, which all libraries take."""
    import pandas as pd

    return pd.DataFrame({name: table.codes(name).astype("int64") for name in table.variables})


DATA = {
    "songs": Data(lambda n: _numbers(datasets.playlists(n, seed=0)), lambda: datasets.playlist_network().dag),
    "ALARM": Data(lambda n: _numbers(datasets.alarm(n, seed=0)), lambda: datasets.network("alarm").dag),
    "wine": Data(lambda n: datasets.wine_report().to_frame(), lambda: None),
}

LONG = [
    *(Work("pc", "songs", n) for n in (1_000, 10_000, 100_000, 1_000_000)),
    *(Work("pc", "ALARM", n) for n in (1_000, 10_000, 100_000)),
    *(Work("chow_liu", "songs", n) for n in (1_000, 10_000, 100_000, 1_000_000)),
    *(Work("chow_liu", "ALARM", n) for n in (1_000, 10_000, 100_000)),
    *(Work("hill_climb", "songs", n) for n in (1_000, 10_000, 100_000, 1_000_000)),
    *(Work("hill_climb", "ALARM", n) for n in (1_000, 10_000, 100_000)),
    Work("mmhc", "ALARM", 10_000),
    Work("pc_z", "wine", 1199),
    Work("hill_climb_g", "wine", 1199),
    Work("exact_g", "wine", 1199),
]

SHORT = [work for work in LONG if work.n <= 10_000 and work.task != "mmhc" and (work.data, work.n) != ("ALARM", 1_000)]
