"""The network of the synthetic playlists: twenty songs, ten by one artist and ten hits.

The course project (Dhawan 2024) learns from the Million Playlist Dataset, which may not be redistributed. The synthetic
playlists have the same format: a row is a playlist, a column is a song, 1 means that the playlist contains it. The
songs are fictitious, and each is in 3 to 20 per cent of the playlists. Songs depend on each other within a group;
the two groups are independent. Since the network is known, what a learner finds can be compared with the truth.
Lesson 16.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.models.categorical import CategoricalNetwork

# For each song its probability without any of its parents, and how much each parent adds to it.
ARTIST: dict[int, tuple[float, dict[int, float]]] = {
    1: (.10, {}), 2: (.025, {1: .20}), 3: (.025, {1: .18}), 4: (.025, {2: .22}), 5: (.02, {1: .08, 3: .22}),
    6: (.02, {2: .12, 3: .20}), 7: (.02, {4: .25}), 8: (.02, {1: .08, 5: .22}), 9: (.02, {6: .25}),
    10: (.02, {7: .20, 9: .20})}
HITS: dict[int, tuple[float, dict[int, float]]] = {
    1: (.19, {}), 2: (.17, {}), 3: (.07, {1: .25, 2: .20}), 4: (.07, {1: .25}), 5: (.06, {3: .30}),
    6: (.06, {2: .12, 4: .25}), 7: (.06, {5: .25, 6: .20}), 8: (.06, {6: .30}), 9: (.05, {7: .30}),
    10: (.05, {8: .25, 9: .20})}
GROUPS = {"Artist": ARTIST, "Hit": HITS}
SONGS = tuple(f"{group} {number}" for group, songs in GROUPS.items() for number in songs)


def song_network() -> CategoricalNetwork:
    """The network itself; see `bnteach.datasets.playlist_network`."""
    arcs, cpts = [], {}
    for group, songs in GROUPS.items():
        for number, (base, effects) in songs.items():
            song = f"{group} {number}"
            arcs += [(f"{group} {parent}", song) for parent in effects]
            cpts[song] = additive_cpt(base, list(effects.values()))
    return CategoricalNetwork(DAG(arcs, SONGS), dict.fromkeys(SONGS, (0, 1)), cpts)


def additive_cpt(base: float, effects: list[float]) -> np.ndarray:
    """The CPT of a binary variable whose probability is the base plus the effect of each parent that is 1."""
    cpt = np.empty((2,) * (len(effects) + 1))
    for parents in product((0, 1), repeat=len(effects)):
        p = base + sum(effect for effect, present in zip(effects, parents) if present)
        cpt[parents] = 1 - p, p
    return cpt
