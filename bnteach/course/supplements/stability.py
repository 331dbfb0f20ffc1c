"""How stable are PC, hill climbing and GES? The shares of edges in 200 resamples of several data sets, for lesson 18.

    python -m bnteach.course.supplements.stability stability.csv

makes the file that `bn.datasets.stability` reads, in some minutes. Every run has the seed 0.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import bnteach as bn

if TYPE_CHECKING:
    import pandas as pd

RESAMPLES, ALPHA = 200, 0.01
COLUMNS = ["data", "learner", "a", "b", "edge", "a -> b", "b -> a"]


def wines() -> bn.Measurements:
    """The wines, each of them once."""
    return bn.Measurements(bn.datasets.wine().to_frame().drop_duplicates())


def intervals() -> bn.Table:
    """The stimulated cells of Sachs and others, each protein in three intervals."""
    return bn.Table(bn.discretise(bn.datasets.sachs("CD3+CD28", log=True), how="hartemink"))


DATA: dict[str, Callable[[], Any]] = {
    "ALARM": lambda: bn.datasets.alarm(1000),
    "wines": wines,
    "Sachs, 853 cells, logarithms": lambda: bn.datasets.sachs("CD3+CD28", log=True),
    "Sachs, 853 cells, 3 intervals": intervals,
    "Sachs, all experiments, logarithms": lambda: bn.datasets.sachs(log=True),
}
LEARNERS: dict[str, Callable[[Any], Any]] = {
    "PC": lambda data: bn.pc((bn.FisherZ if isinstance(data, bn.Measurements) else bn.ChiSquare)(data, ALPHA)),
    "hill climbing": lambda data: bn.hill_climb(bn.BIC(data)),
    "GES": lambda data: bn.ges(bn.BIC(data)),
}


def shares(data: str, learner: str, jobs: int | None = None) -> pd.DataFrame:
    """One learner on one data set: a row per pair that is adjacent in some resample."""
    found = bn.bootstrap(LEARNERS[learner], DATA[data](), n=RESAMPLES, seed=0, jobs=jobs).table().round(4)
    return found.assign(data=data, learner=learner)[COLUMNS]


def main(arguments: Iterable[str]) -> None:
    """Write all shares to a file."""
    import pandas as pd

    (path,) = arguments
    runs = [shares(data, learner) for data in DATA for learner in LEARNERS]
    pd.concat(runs).to_csv(path, index=False, lineterminator="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
