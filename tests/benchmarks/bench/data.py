"""The data of the bench, drawn from seeds, so that every library gets the same rows.

    songs       20 songs in two groups of ten. Someone who likes one song of a group is likely to like its others: each
                group has a hidden taste. So within a group nothing separates two songs, and PC has to test very
                many sets before it keeps an edge. A song is in 3 to 20 per cent of the playlists, and a million
                playlists have some 35,000 different rows.
    ALARM       drawn from the network of 37 variables.
    5 variables, 10 variables ...
                drawn from random networks of so many variables with three states each, at most two parents.
    wine        the 12 real-valued columns of the report's 1,199 wines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from bnteach import datasets
from bnteach.graphs.dag import DAG
from bnteach.models.categorical import CategoricalNetwork

if TYPE_CHECKING:
    import pandas as pd

VARIABLES = (5, 10, 20, 40, 60)  # sizes of the random networks
SHARES = np.geomspace(0.03, 0.20, 10)  # the share of playlists that a song of a group is in
TASTE = np.linspace(0.25, 0.85, 10)[[0, 7, 4, 1, 8, 5, 2, 9, 6, 3]]  # how much it is a matter of the group's taste


@dataclass(frozen=True)
class Data:
    """A source of rows, and the graph they were drawn from, if there is one."""

    rows: Callable[[int], pd.DataFrame]
    truth: Callable[[], DAG | None]
    variables: int


def songs(n: int, seed: int = 0) -> pd.DataFrame:
    """n playlists: a song is there if it is liked enough, by the taste of its group and by chance.

    >>> songs(1000).mean().round(2).tolist()[:3]
    [0.03, 0.03, 0.05]
    """
    import pandas as pd

    random, columns = np.random.default_rng(seed), {}
    for group in "AB":
        taste = random.standard_normal(n)
        for i, (share, part) in enumerate(zip(SHARES, TASTE), start=1):
            liked = part * taste + np.sqrt(1 - part**2) * random.standard_normal(n)  # standard normal too
            columns[f"{group}{i}"] = (liked > NormalDist().inv_cdf(1 - share)).astype(np.int64)
    return pd.DataFrame(columns)


def random_network(variables: int, seed: int = 0) -> CategoricalNetwork:
    """A network in which each variable has up to two parents among the four before it; three states each.

    >>> len(random_network(20).dag.arcs)
    24
    """
    random, names = np.random.default_rng(seed), [f"X{i:02}" for i in range(1, variables + 1)]
    arcs, tables = [], {}
    for i, name in enumerate(names):
        earlier = names[max(0, i - 4):i]
        count = min(len(earlier), int(random.integers(1, 3)))
        parents = [earlier[j] for j in sorted(random.choice(len(earlier), count, False))]
        arcs += [(parent, name) for parent in parents]
        tables[name] = random.dirichlet([0.5] * 3, size=(3,) * len(parents))
    return CategoricalNetwork(DAG(arcs, names), dict.fromkeys(names, (0, 1, 2)), tables)


def sampled(network: Callable[[], CategoricalNetwork], n: int) -> pd.DataFrame:
    """Rows of a network, states as whole numbers, which all libraries take."""
    import pandas as pd

    drawn = network().sample(n, seed=0)
    return pd.DataFrame({name: drawn[name].cat.codes.to_numpy(np.int64) for name in drawn})


def wine(n: int) -> pd.DataFrame:
    """The report's wines; names without spaces, which some libraries write into formulas."""
    return datasets.wine_report().to_frame().head(n).rename(columns=lambda name: name.replace(" ", "_"))


def _of_network(make: Callable[[], CategoricalNetwork], variables: int) -> Data:
    return Data(partial(sampled, make), lambda: make().dag, variables)


DATA = {
    "songs": Data(songs, lambda: None, 20),
    "ALARM": _of_network(lambda: datasets.network("alarm"), 37),
    **{f"{size} variables": _of_network(partial(random_network, size), size) for size in VARIABLES},
    "wine": Data(wine, lambda: None, 12),
}
