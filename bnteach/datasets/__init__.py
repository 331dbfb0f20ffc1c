"""The data of the course. Nothing is read before it is asked for.

    five_rows()    the five rows over A, B, C, D of the slides
    alarm()        rows drawn from ALARM, a network of 37 variables that watches over patients in intensive care
    asia()         rows drawn from ASIA, a network of 8 variables about a cough
    child()        rows drawn from CHILD, a network of 20 variables about blue babies
    network(name)  one of these three networks itself
    playlists()    made-up playlists of twenty songs, in the shape of the course project's
    read_mpd()     playlists of the real Million Playlist Dataset, from a folder of its slices
    wine()         1599 red wines, eleven measurements and a quality
    wine_report()  the 1199 of them that the wine report used
    wine_grid()    1840 runs of simulated annealing on these
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from bnteach.errors import DataError
from bnteach.tables.table import Measurements, Table

if TYPE_CHECKING:
    import pandas as pd

    from bnteach.models.categorical import CategoricalNetwork


def data_path(name: str) -> Path:
    """Where a data file is: inside the installed package, or in data/ of a checkout."""
    package = Path(__file__).parents[1]
    for folder in (package / "data", package.parent / "data"):
        if (folder / name).is_file():
            return folder / name
    raise DataError(f"the data file {name!r} is missing from {package / 'data'} and {package.parent / 'data'}; "
                    f"install bnteach again.")


def five_rows() -> Table:
    """Five rows over four binary variables, small enough to count by hand; `~a` is "not a".

    >>> five_rows().to_frame().values.tolist()[0]
    ['a', 'b', '~c', 'd']
    """
    return Table(data_path("five_rows.csv"))


def wine() -> Measurements:
    """1599 red wines: eleven chemical measurements and a quality from 3 to 8 (Cortez et al. 2009).

    >>> wine()
    Measurements, 1,599 rows: fixed acidity, volatile acidity, citric acid, residual sugar, chlorides,
    free sulfur dioxide, total sulfur dioxide, density, … 12 variables
    """
    import pandas as pd

    return Measurements(pd.read_csv(data_path("winequality-red.csv"), sep=";"))


def wine_report() -> Measurements:
    """The 1199 wines of the wine report (Lippmann 2023), found by matching its Table 1 and its accuracy.

    It is the usual split into three quarters and one quarter by a shuffle with seed 0, which also
    scikit-learn's train_test_split(random_state=0) makes.
    """
    import numpy as np

    return wine().take(np.random.RandomState(0).permutation(1599)[400:])


def wine_grid() -> pd.DataFrame:
    """1840 annealing runs on the report's wines: 46 transforms, 20 seeds, two scores; see data/README.md.

    >>> wine_grid().groupby("name").score.max().round(2).to_dict()
    {'AIC': -5743.66, 'BIC': -5910.77}
    """
    import pandas as pd

    runs = pd.read_csv(data_path("wine_grid.csv"))
    runs.insert(0, "name", runs["data"].str.split().str[0])
    return runs.drop(columns="data")


# -- networks, and rows drawn from them --------------------------------------------------------------------
NETWORKS = ("alarm", "asia", "child")


def network(name: str) -> CategoricalNetwork:
    """A well-known network with its probabilities: "alarm", "asia" or "child".

    >>> network("alarm")
    CategoricalNetwork on 37 variables, 46 arcs, 509 parameters
    """
    from bnteach.models.bif import read_bif

    if name.lower() not in NETWORKS:
        raise DataError(f"there is no network {name!r} here; there are {', '.join(NETWORKS)}. "
                        f"Read others with bn.read_bif(path).")
    return read_bif(data_path(f"{name.lower()}.bif.gz"))


def alarm(n: int = 10_000, seed: int = 0) -> Table:
    """n rows drawn from ALARM, a logical alarm reduction mechanism for intensive care (Beinlich et al. 1989).

    The same n and seed give the same rows everywhere.
    """
    return Table(network("alarm").sample(n, seed))


def asia(n: int = 10_000, seed: int = 0) -> Table:
    """n rows drawn from ASIA, also called the chest clinic (Lauritzen and Spiegelhalter 1988).

    >>> asia(1000)
    Table of 1,000 rows: asia (2), tub (2), smoke (2), lung (2), bronc (2), either (2), xray (2), dysp (2)
    """
    return Table(network("asia").sample(n, seed))


def child(n: int = 10_000, seed: int = 0) -> Table:
    """n rows drawn from CHILD, which diagnoses heart diseases of newborn babies (Spiegelhalter and Cowell 1992)."""
    return Table(network("child").sample(n, seed))


# -- playlists ---------------------------------------------------------------------------------------------
def playlists(n: int = 10_000, seed: int = 0) -> Table:
    """n made-up playlists: twenty songs, 1 if the playlist has it. No such song exists; see playlists.py.

    >>> playlists(1000).counts("Artist 1").tolist()
    [904, 96]
    """
    from bnteach.datasets.songs import made_up_playlists

    return made_up_playlists(n, seed)


def playlist_network() -> CategoricalNetwork:
    """The network that the made-up playlists are drawn from: two groups of ten songs, nothing between them."""
    from bnteach.datasets.songs import playlist_network as truth

    return truth()


def read_mpd(folder: str | Path, songs: Iterable[str] | None = None, top: int = 10, artist: str = "Taylor Swift",
             damaged: str = "skip", jobs: int | None = None) -> Table:
    """Playlists of the real Million Playlist Dataset, from a folder of its slices; see million_playlists.py."""
    from bnteach.datasets.million_playlists import read_mpd as read

    return read(folder, songs, top, artist, damaged, jobs)
