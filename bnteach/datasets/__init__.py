"""The data sets of the course. Each is read or sampled only when its function is called.

    five_rows()         the five rows over A, B, C, D of the slides
    alarm()             a sample from ALARM, a network of 37 variables for monitoring patients in intensive care
    asia()              a sample from ASIA, a network of 8 variables for diagnosing shortness of breath
    child()             a sample from CHILD, a network of 20 variables for diagnosing heart disease in newborns
    network(name)       one of these three networks itself
    playlists()         synthetic playlists over twenty songs, in the format of the course project's
    playlist_network()  the network that these playlists are sampled from
    sachs()             eleven proteins in 7,466 cells, from nine experiments
    sachs_experiments() what was done in each of these
    sachs_network()     the network that the field compares with
    read_mpd()          playlists of the Million Playlist Dataset, from a folder of its slices
    wine()              1599 red wines, eleven measurements and a quality
    wine_report()       the 1199 of them that the wine report used
    wine_grid()         1840 runs of simulated annealing on these
    stability()         how often PC, hill climbing and GES find each edge in 200 resamples
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from bnteach.datasets.files import data_path as data_path
from bnteach.datasets.proteins import sachs as sachs
from bnteach.datasets.proteins import sachs_experiments as sachs_experiments
from bnteach.datasets.proteins import sachs_network as sachs_network
from bnteach.datasets.wines import wine as wine
from bnteach.datasets.wines import wine_grid as wine_grid
from bnteach.datasets.wines import wine_report as wine_report
from bnteach.errors import DataError
from bnteach.tables.table import Table

if TYPE_CHECKING:
    import pandas as pd

    from bnteach.models.categorical import CategoricalNetwork


def five_rows() -> Table:
    """Five rows over four binary variables, small enough to count by hand; ``~a`` means "not a".

    Returns
    -------
    Table

    Examples
    --------
    >>> five_rows().to_frame().values.tolist()[0]
    ['a', 'b', '~c', 'd']
    """
    return Table(data_path("five_rows.csv"))


# -- kept runs -------------------------------------------------------------------------------------------
def stability() -> pd.DataFrame:
    """How often each edge is found in 200 resamples, by three learners on five data sets (`bn.bootstrap`).

    Returns
    -------
    DataFrame
        One row per pair that is adjacent in some resample; the columns are described in data/README.md.

    Examples
    --------
    >>> found = stability()
    >>> found[found.edge >= 0.95].groupby("learner").size().to_dict()
    {'GES': 94, 'PC': 75, 'hill climbing': 104}
    """
    import pandas as pd

    return pd.read_csv(data_path("stability.csv"))


# -- well-known networks, and samples from them --------------------------------------------------------------
NETWORKS = ("alarm", "asia", "child")


def network(name: str) -> CategoricalNetwork:
    """A well-known network with its CPTs.

    Parameters
    ----------
    name : {"alarm", "asia", "child"}

    Returns
    -------
    CategoricalNetwork

    Examples
    --------
    >>> network("alarm")
    CategoricalNetwork on 37 variables, 46 arcs, 509 parameters
    """
    from bnteach.models.bif import read_bif

    if name.lower() not in NETWORKS:
        raise DataError(f"there is no network {name!r}; the networks are {', '.join(NETWORKS)}. "
                        f"Read others with bn.read_bif(path).")
    return read_bif(data_path(f"{name.lower()}.bif.gz"))


def alarm(n: int = 10_000, seed: int = 0) -> Table:
    """A sample from ALARM, a logical alarm reduction mechanism for monitoring patients in intensive care.

    Parameters
    ----------
    n : int
        The number of rows.
    seed : int
        The same n and seed give the same rows on every machine.

    Returns
    -------
    Table

    References
    ----------
    I. A. Beinlich, H. J. Suermondt, R. M. Chavez and G. F. Cooper, The ALARM monitoring system, 1989.

    Examples
    --------
    >>> len(alarm(100).variables)
    37
    """
    return Table(network("alarm").sample(n, seed))


def asia(n: int = 10_000, seed: int = 0) -> Table:
    """A sample from ASIA, also called the chest clinic network. The parameters are those of `alarm`.

    Returns
    -------
    Table

    References
    ----------
    S. L. Lauritzen and D. J. Spiegelhalter, Local computations with probabilities on graphical structures and their
    application to expert systems, Journal of the Royal Statistical Society B 50 (1988).

    Examples
    --------
    >>> asia(1000)
    Table of 1,000 rows: asia (2), tub (2), smoke (2), lung (2), bronc (2), either (2), xray (2), dysp (2)
    """
    return Table(network("asia").sample(n, seed))


def child(n: int = 10_000, seed: int = 0) -> Table:
    """A sample from CHILD, which diagnoses heart disease in newborn babies. The parameters are those of `alarm`.

    Returns
    -------
    Table

    References
    ----------
    D. J. Spiegelhalter and R. G. Cowell, Learning in probabilistic expert systems, 1992.

    Examples
    --------
    >>> len(child(100).variables)
    20
    """
    return Table(network("child").sample(n, seed))


# -- playlists ---------------------------------------------------------------------------------------------
def playlists(n: int = 10_000, seed: int = 0) -> Table:
    """Synthetic playlists over twenty fictitious songs: 1 if the playlist contains the song, otherwise 0.

    They are a sample from `playlist_network`; the parameters are those of `alarm`.

    Returns
    -------
    Table

    Examples
    --------
    >>> playlists(1000).counts("Artist 1").tolist()
    [904, 96]
    """
    return Table(playlist_network().sample(n, seed))


def playlist_network() -> CategoricalNetwork:
    """The network of the synthetic playlists: two groups of ten songs, without arcs between the groups.

    Returns
    -------
    CategoricalNetwork

    Examples
    --------
    >>> playlist_network().dag.parents("Hit 3")
    ('Hit 1', 'Hit 2')
    """
    from bnteach.datasets.songs import song_network

    return song_network()


def read_mpd(folder: str | Path, songs: Iterable[str] | None = None, top: int = 10, artist: str = "Taylor Swift",
             damaged: str = "skip", jobs: int | None = None) -> Table:
    """Read playlists of the Million Playlist Dataset.

    Parameters
    ----------
    folder : str or Path
        A folder with slices of the dataset, files such as mpd.slice.0-999.json.
    songs : iterable of str, optional
        Titles or track URIs, one column each. Without them, the columns are the `top` most frequent tracks of the
        artist and the `top` most frequent tracks of all others.
    top, artist
        See `songs`.
    damaged : {"skip", "error"}
        Whether slices that cannot be read are skipped with a warning or raise an error.
    jobs : int, optional
        The number of processes; as many as the machine has processors by default.

    Returns
    -------
    Table
        One row per playlist and one column per song: 1 if the playlist contains it, otherwise 0.

    Examples
    --------
    >>> read_mpd("an/empty/folder")
    Traceback (most recent call last):
        ...
    bnteach.errors.DataError: there is no slice of the Million Playlist Dataset, such as mpd.slice.0-999.json, in
    'an/empty/folder' or in its subfolder 'data'.
    """
    from bnteach.datasets.million_playlists import read_slices

    return read_slices(folder, songs, top, artist, damaged, jobs)
