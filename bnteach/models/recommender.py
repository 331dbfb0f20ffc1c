"""A music recommender: the most probable songs given a playlist, each with the song that supports it most.

A network over songs, each in a playlist (1) or not (0), gives the posterior probability of every absent song given
the songs that are present. The most probable songs are recommended. The reason for a recommendation is found by
omitting each song of the playlist in turn: it is the song without which the posterior probability drops most.

To evaluate a recommender, hide one song of each playlist, recommend five songs given the rest, and count how often
the hidden song is among them: the hit rate at 5. The baseline always recommends the most popular songs. Lesson 16.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bnteach.errors import DataError, checked
from bnteach.graphs.notation import read_names
from bnteach.models.categorical import CategoricalNetwork
from bnteach.models.elimination import query
from bnteach.models.evidence import check_variables
from bnteach.models.inference import first_maximum
from bnteach.tables.contingency import merge_rows
from bnteach.tables.table import as_table

if TYPE_CHECKING:
    import pandas as pd


@checked
def recommend(network: CategoricalNetwork, playlist: str | Iterable[str], limit: int = 5) -> pd.DataFrame:
    """Recommend songs to add to a playlist.

    Parameters
    ----------
    network : CategoricalNetwork
        A network over songs with the states 0 (absent) and 1 (present).
    playlist : str or iterable of str
        The songs of the playlist.
    limit : int
        The number of songs to recommend.

    Returns
    -------
    DataFrame
        The most probable songs first: song, its posterior probability, and because, the song of the playlist that
        raises this probability most ("popular anyway" if none does).

    Examples
    --------
    >>> from bnteach.datasets import playlist_network
    >>> recommend(playlist_network(), ["Artist 3", "Hit 4"], limit=3)
           song  probability   because
    0     Hit 1       0.5174     Hit 4
    1  Artist 1       0.4767  Artist 3
    2     Hit 6       0.3304     Hit 4
    """
    import pandas as pd

    present = [playlist] if isinstance(playlist, str) else read_names(playlist)
    check_variables(network.dag, present)
    posterior = _posterior(network, present)
    best = sorted(posterior, key=lambda song: -round(posterior[song], 12))[:limit]
    without = {song: _posterior(network, [other for other in present if other != song]) for song in present}
    return pd.DataFrame({"song": best, "probability": [round(posterior[song], 4) for song in best],
                         "because": [_reason(song, posterior, without) for song in best]})


def _reason(new: str, posterior: dict[str, float], without: dict[str, dict[str, float]]) -> str:
    """The song without which the new one loses most probability; of equal songs the first."""
    losses = np.array([0.0, *(posterior[new] - reduced[new] for reduced in without.values())])
    return ["popular anyway", *without][int(first_maximum(losses))]


def _posterior(network: CategoricalNetwork, present: list[str]) -> dict[str, float]:
    """The posterior probability of each song that is not present."""
    codes = {song: np.array([1]) for song in present}
    return {song: float(query(network, (song,), codes)[0][0, 1]) for song in network.dag.nodes if song not in codes}


# -- evaluation on many playlists ------------------------------------------------------------------------------
def song_probabilities(network: CategoricalNetwork, playlists: np.ndarray, absent: bool = False) -> np.ndarray:
    """For each playlist (a row of 0 and 1), the posterior probability of each song given the others.

    The evidence is the songs that are present; with `absent`, it includes the absence of the others.
    """
    songs = network.dag.nodes
    codes = {song: playlists[:, i] if absent else np.where(playlists[:, i], 1, -1) for i, song in enumerate(songs)}
    distinct, which = merge_rows(codes, len(playlists))
    posteriors = [query(network, (song,), {other: code for other, code in distinct.items() if other != song})[0]
                  for song in songs]
    return np.stack([posterior[which, 1] for posterior in posteriors], axis=1)


def hide_one(playlists: Any, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Playlists of at least two songs as rows of 0 and 1, with a random song of each removed; and the removed songs."""
    table = as_table(playlists)
    rows = np.column_stack([table.codes(song) for song in table.variables])
    rows = rows[rows.sum(axis=1) >= 2]
    if len(rows) == 0:
        raise DataError("no playlist has two songs; one song can be hidden only if another remains.")
    uniform = np.random.default_rng(seed).random(rows.shape)
    hidden = np.where(rows == 1, uniform, -1).argmax(axis=1)
    rows[np.arange(len(rows)), hidden] = 0
    return rows, hidden


class HitRate(NamedTuple):
    """How often the hidden song was recommended, with a 95% confidence interval for the rate."""

    hits: int
    playlists: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        return self.hits / self.playlists

    def __str__(self) -> str:
        return (f"{self.hits:,} of {self.playlists:,}: {self.rate:.3f}, "
                f"95% confidence interval {self.low:.3f} to {self.high:.3f}")


def hits(scores: np.ndarray, shown: np.ndarray, hidden: np.ndarray, k: int = 5) -> np.ndarray:
    """Recommend the k absent songs with the highest scores: for each playlist, whether the hidden song is among them.

    `scores` has one row per playlist, or is one row for all. Of songs with equal scores the first is preferred.
    """
    ranked = np.argsort(-np.where(shown == 1, -np.inf, np.round(scores, 12)), axis=1, kind="stable")[:, :k]
    found: np.ndarray = (ranked == hidden[:, None]).any(axis=1)
    return found


def hit_rate(scores: np.ndarray, shown: np.ndarray, hidden: np.ndarray, k: int = 5) -> HitRate:
    """How often the hidden song is among the k recommended, with Wilson's interval (1927)."""
    from scipy.stats import binomtest

    found = int(hits(scores, shown, hidden, k).sum())
    interval = binomtest(found, len(hidden)).proportion_ci(method="wilson")
    return HitRate(found, len(hidden), float(interval.low), float(interval.high))
