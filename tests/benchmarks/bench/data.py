"""The data of the bench, drawn from seeds, so that every library gets the same rows.

    songs       20 songs in two groups of ten. Someone who likes one song of a group is likely to like its others: each
                group has a hidden taste. So within a group nothing separates two songs, and PC has to test very
                many sets before it keeps an edge. A song is in 3 to 20 per cent of the playlists, and a million
                playlists have some 35,000 different rows.
    ALARM, ASIA, insurance, hailfinder
                drawn from networks of 37, 8, 27 and 56 variables; the last two are in pgmpy's wheel.
    20 variables, 50 variables ...
                drawn from random networks of so many variables with two to four states each, at most three parents.
    wine        the 12 real-valued columns of the report's 1,199 wines.
    Gaussian 50 drawn from a random linear Gaussian network.
"""

from __future__ import annotations

import gzip
import json
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from bnteach import datasets, read_bif, with_missing, write_bif
from bnteach.course.commands.common import CommandError
from bnteach.graphs.dag import DAG
from bnteach.models.categorical import CategoricalNetwork
from tests.benchmarks.bench.works import Work

if TYPE_CHECKING:
    import pandas as pd

SHARES = np.geomspace(0.03, 0.20, 10)  # the share of playlists that a song of a group is in
TASTE = np.linspace(0.25, 0.85, 10)[[0, 7, 4, 1, 8, 5, 2, 9, 6, 3]]  # how much it is a matter of the group's taste


@dataclass(frozen=True)
class Data:
    """A source of rows, and the network or at least the graph they were drawn from, if there is one."""

    rows: Callable[[int], pd.DataFrame]
    variables: int
    network: Callable[[], CategoricalNetwork] | None = None
    real: bool = False
    graph: Callable[[], DAG] | None = None

    def truth(self) -> DAG | None:
        return self.network().dag if self.network else self.graph() if self.graph else None


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


def random_parents(variables: int, random: np.random.Generator) -> dict[str, list[str]]:
    """One to three parents for each variable, among the ten before it."""
    names, parents = [f"X{i:03}" for i in range(1, variables + 1)], {}
    for i, name in enumerate(names):
        earlier = names[max(0, i - 10):i]
        count = min(len(earlier), int(random.integers(1, 4)))
        parents[name] = [earlier[j] for j in sorted(random.choice(len(earlier), count, False))] if earlier else []
    return parents


@cache
def random_network(variables: int, seed: int = 0) -> CategoricalNetwork:
    """A network of variables with two to four states and up to three parents.

    >>> len(random_network(20).dag.arcs)
    42
    """
    random = np.random.default_rng(seed)
    parents = random_parents(variables, random)
    sizes = {name: int(random.integers(2, 5)) for name in parents}
    tables = {name: random.dirichlet([0.5] * sizes[name], size=tuple(sizes[parent] for parent in of_name))
              for name, of_name in parents.items()}
    return CategoricalNetwork(_dag(parents), {name: tuple(range(size)) for name, size in sizes.items()}, tables)


def gaussian_graph(variables: int) -> DAG:
    """The graph of `gaussian`."""
    return _dag(random_parents(variables, np.random.default_rng(0)))


def gaussian(variables: int, n: int) -> pd.DataFrame:
    """Rows of a linear Gaussian network: a weight between .3 and 1 in size for each parent, and noise."""
    import pandas as pd

    random, columns = np.random.default_rng(0), {}
    for name, parents in random_parents(variables, random).items():
        weights = random.uniform(0.3, 1, len(parents)) * random.choice([-1, 1], len(parents))
        columns[name] = sum((w * columns[p] for w, p in zip(weights, parents)), random.standard_normal(n))
    return pd.DataFrame(columns)


def _dag(parents: dict[str, list[str]]) -> DAG:
    return DAG([(parent, name) for name, of_name in parents.items() for parent in of_name], parents)


@cache
def from_pgmpy(name: str) -> CategoricalNetwork:
    """A network of the field from the wheel of pgmpy, of which nothing is imported."""
    found = find_spec("pgmpy")
    if found is None or found.origin is None:
        raise CommandError(f"the network {name} is in the wheel of pgmpy, which is not installed: "
                           "pip install --group peers, or run `make bench`, which installs it.")
    packed = Path(found.origin).parent / "utils/example_models" / f"{name}.bif.gz"
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "network.bif").write_bytes(gzip.decompress(packed.read_bytes()))
        return read_bif(Path(folder, "network.bif"))


def sampled(network: Callable[[], CategoricalNetwork], n: int) -> pd.DataFrame:
    """Rows of a network, states as whole numbers, which all libraries take."""
    import pandas as pd

    drawn = network().sample(n, seed=0)
    return pd.DataFrame({name: drawn[name].cat.codes.to_numpy(np.int64) for name in drawn})


def wine(n: int) -> pd.DataFrame:
    """The report's wines; names without spaces, which some libraries write into formulas."""
    return datasets.wine_report().to_frame().head(n).rename(columns=lambda name: name.replace(" ", "_"))


def _of_network(make: Callable[[], CategoricalNetwork], variables: int) -> Data:
    return Data(partial(sampled, make), variables, make)


DATA = {
    "songs": Data(songs, 20),
    **{f"{size} songs": Data(lambda n, size=size: songs(n).iloc[:, -size:], size) for size in (12, 16)},
    "ALARM": _of_network(partial(datasets.network, "alarm"), 37),
    "ASIA": _of_network(partial(datasets.network, "asia"), 8),
    "insurance": _of_network(partial(from_pgmpy, "insurance"), 27),
    "hailfinder": _of_network(partial(from_pgmpy, "hailfinder"), 56),
    **{f"{size} variables": _of_network(partial(random_network, size), size) for size in (20, 50, 100, 200, 500)},
    "wine": Data(wine, 12, real=True),
    "Gaussian 50": Data(partial(gaussian, 50), 50, real=True, graph=partial(gaussian_graph, 50)),
}


def queries(network: CategoricalNetwork, count: int = 200) -> list[tuple[str, dict[str, str]]]:
    """A variable each, given four others as they are in a row that the network makes."""
    rows, random = network.sample(count, seed=0).astype(str), np.random.default_rng(0)
    chosen = [random.choice(network.dag.nodes, 5, replace=False).tolist() for _ in range(count)]
    return [(target, {name: rows[name][i] for name in given}) for i, (target, *given) in enumerate(chosen)]


def write_input(work: Work, folder: Path) -> pd.DataFrame | None:
    """Write the files of inputs.Input, and return the complete rows, if the work has any."""
    data, rows = DATA[work.data], None
    if work.task not in ("queries", "sampling"):
        rows = data.rows(work.n)
        given = with_missing(rows, 0.1).to_frame() if work.task == "structural_em" else rows
        given.to_pickle(folder / "rows.pickle")
    network, truth = data.network() if data.network else None, data.truth()
    if work.task in ("queries", "sampling") and network:
        write_bif(network, folder / "network.bif")
    asked = queries(network) if work.task == "queries" and network else []
    (folder / "work.json").write_text(json.dumps({"n": work.n, "queries": asked, "arcs": truth.arcs if truth else []}))
    return rows
