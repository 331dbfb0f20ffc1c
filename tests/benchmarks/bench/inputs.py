"""What a library is given for a work: files in a folder, which the bench writes once and every process reads."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

Query = tuple[str, dict[str, str]]  # a variable and the evidence


@dataclass(frozen=True)
class Input:
    """The rows as a DataFrame, the network they come from as a BIF file, queries to it, and how many rows to sample."""

    folder: Path

    @property
    def bif(self) -> str:
        return str(self.folder / "network.bif")

    @cached_property
    def rows(self) -> pd.DataFrame:
        import pandas as pd

        return pd.read_pickle(self.folder / "rows.pickle")

    @cached_property
    def factors(self) -> pd.DataFrame:
        """The rows as categories, as R's factors, for libraries that take nothing else."""
        return self.rows.apply(lambda column: column.map(str, na_action="ignore").astype("category"))

    @cached_property
    def work(self) -> dict[str, Any]:
        """``n``, ``arcs`` (of the true graph) and ``queries``."""
        return json.loads((self.folder / "work.json").read_text())

    @property
    def n(self) -> int:
        return self.work["n"]

    @property
    def arcs(self) -> list[tuple[str, str]]:
        return [(a, b) for a, b in self.work["arcs"]]

    @property
    def queries(self) -> list[Query]:
        return [(variable, evidence) for variable, evidence in self.work["queries"]]
