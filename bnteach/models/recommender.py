"""Recommendations: because this playlist has …, add …

A network over songs, each in a playlist (1) or not (0), says for every song that is not there how probable it is,
given those that are. The most probable ones are recommended. Because of what? Leave out each song of the playlist in
turn and ask again: the one without which the recommendation would lose most is its reason.

How good is it? Hide one song of each playlist, recommend five from the rest, and see how often the hidden one
is among them: the hit rate at 5. The rival to beat always recommends what is most popular. Lesson 16.

>>> from bnteach.datasets.songs import playlist_network
>>> recommend(playlist_network(), ["Artist 3", "Hit 4"], most=3)
       song  probability   because
0     Hit 1       0.5174     Hit 4
1  Artist 1       0.4767  Artist 3
2     Hit 6       0.3304     Hit 4
"""

from __future__ import annotations

from collections.abc import Iterable
from math import sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bnteach.errors import DataError, UnknownVariable, checked
from bnteach.graphs.notation import read_names
from bnteach.models.categorical import CategoricalNetwork
from bnteach.models.elimination import query
from bnteach.models.inference import merge_rows
from bnteach.tables.table import as_table

if TYPE_CHECKING:
    import pandas as pd

SAME = 1e-9  # probabilities that differ by less are equal


@checked
def recommend(network: CategoricalNetwork, playlist: str | Iterable[str], most: int = 5) -> pd.DataFrame:
    """The songs to add to a playlist, the most probable first, each with the song that speaks for it most."""
    import pandas as pd

    has = [playlist] if isinstance(playlist, str) else read_names(playlist)
    for song in has:
        if song not in network.dag:
            raise UnknownVariable(song, network.dag.nodes, "the network")
    chances = _given(network, has)
    best = sorted(chances, key=lambda song: -round(chances[song], 12))[:most]
    without = {song: _given(network, [other for other in has if other != song]) for song in has}
    because = [_reason(new, chances, without) for new in best]
    return pd.DataFrame({"song": best, "probability": [round(chances[song], 4) for song in best], "because": because})


def _reason(new: str, chances: dict[str, float], without: dict[str, dict[str, float]]) -> str:
    """The song without which the new one would lose most; if it would lose nothing, it is popular in any case."""
    lost = {song: chances[new] - left[new] for song, left in without.items()}
    song = max(lost, key=lost.get, default=None)
    return song if song is not None and lost[song] > SAME else "popular anyway"


def _given(network: CategoricalNetwork, has: list[str]) -> dict[str, float]:
    """For each song that the playlist does not have, its probability given those that it has."""
    known = {song: np.array([1]) for song in has}
    return {song: float(query(network, (song,), known)[0][0, 1]) for song in network.dag.nodes if song not in known}


# -- many playlists at once, to measure ----------------------------------------------------------------------
def chances(network: CategoricalNetwork, playlists: np.ndarray, absent: bool = False) -> np.ndarray:
    """For each playlist (a row of 0 and 1) and each song, how probable the song is given the others.

    Only what is there counts as known; with `absent`, also that the other songs are not there.
    """
    songs = network.dag.nodes
    codes = {song: playlists[:, i] if absent else np.where(playlists[:, i], 1, -1) for i, song in enumerate(songs)}
    distinct, which = merge_rows(codes, len(playlists))
    answers = [query(network, (song,), {other: code for other, code in distinct.items() if other != song})[0]
               for song in songs]
    return np.column_stack([answer[:, 1] for answer in answers])[which]


def hide_one(playlists: Any, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Playlists of two songs or more, as rows of 0 and 1, one song of each taken out at random; and which it was."""
    table = as_table(playlists)
    rows = np.column_stack([table.codes(song) for song in table.variables])
    rows = rows[rows.sum(axis=1) >= 2]
    if len(rows) == 0:
        raise DataError("no playlist has two songs, so none can be hidden while another is left to go by.")
    lots = np.random.default_rng(seed).random(rows.shape)
    hidden = np.where(rows == 1, lots, -1).argmax(axis=1)
    rows[np.arange(len(rows)), hidden] = 0
    return rows, hidden


class HitRate(NamedTuple):
    """How often the hidden song was among those recommended, with a 95 per cent interval."""

    hits: int
    of: int
    low: float
    high: float

    @property
    def rate(self) -> float:
        return self.hits / self.of

    def __str__(self) -> str:
        return f"{self.hits:,} of {self.of:,}: {self.rate:.3f}, between {self.low:.3f} and {self.high:.3f}"


def hit_rate(liking: np.ndarray, shown: np.ndarray, hidden: np.ndarray, at: int = 5) -> HitRate:
    """Recommend the `at` songs that are liked most and not yet there; is the hidden one among them?

    `liking` has a row for each playlist, or is one row for all. Of songs liked equally the first comes first.
    """
    order = np.argsort(-np.where(shown == 1, -np.inf, liking), axis=1, kind="stable")[:, :at]
    hits = int((order == hidden[:, None]).any(axis=1).sum())
    return HitRate(hits, len(hidden), *wilson(hits, len(hidden)))


def wilson(hits: int, of: int, z: float = 1.959964) -> tuple[float, float]:
    """An interval for a share, good for small numbers too (Wilson 1927); 95 per cent unless z says otherwise.

    >>> [round(end, 3) for end in wilson(5, 10)]
    [0.237, 0.763]
    """
    share, weight = hits / of, z * z / of
    middle = (share + weight / 2) / (1 + weight)
    half = z * sqrt(share * (1 - share) / of + weight / (4 * of)) / (1 + weight)
    return middle - half, middle + half
