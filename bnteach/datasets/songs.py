"""Made-up playlists: twenty songs, ten by one artist and ten hits, in two groups of taste.

The course project (Dhawan 2024) learns from the Million Playlist Dataset, which may not be passed on. These
playlists are made up to have the same shape: a row is a playlist, a column is a song, 1 means that it is there. No
song of theirs exists. Every song is in 3 to 20 per cent of the playlists. Within each group one song leads to
another; between the groups there is nothing. `playlist_network()` is the network that they are drawn from, so what
a learner finds can be compared with the truth. Lesson 16.

>>> made_up_playlists(5000, seed=1)
Table of 5,000 rows: Artist 1 (2), Artist 2 (2), Artist 3 (2), Artist 4 (2), Artist 5 (2), Artist 6 (2),
Artist 7 (2), Artist 8 (2), … 20 variables
>>> playlist_network().dag.parents("Hit 3")
('Hit 1', 'Hit 2')
"""

from __future__ import annotations

from itertools import product

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.models.categorical import CategoricalNetwork
from bnteach.tables.table import Table

# For each song the chance that it is put into a playlist for its own sake, and by how much each of the songs
# before it raises this chance if it is there already.
ARTIST = {1: (.10, {}), 2: (.025, {1: .20}), 3: (.025, {1: .18}), 4: (.025, {2: .22}), 5: (.02, {1: .08, 3: .22}),
          6: (.02, {2: .12, 3: .20}), 7: (.02, {4: .25}), 8: (.02, {1: .08, 5: .22}), 9: (.02, {6: .25}),
          10: (.02, {7: .20, 9: .20})}
HITS = {1: (.19, {}), 2: (.17, {}), 3: (.07, {1: .25, 2: .20}), 4: (.07, {1: .25}), 5: (.06, {3: .30}),
        6: (.06, {2: .12, 4: .25}), 7: (.06, {5: .25, 6: .20}), 8: (.06, {6: .30}), 9: (.05, {7: .30}),
        10: (.05, {8: .25, 9: .20})}
GROUPS = {"Artist": ARTIST, "Hit": HITS}
SONGS = tuple(f"{group} {number}" for group, songs in GROUPS.items() for number in songs)


def made_up_playlists(n: int = 10_000, seed: int = 0) -> Table:
    """n playlists drawn from `playlist_network`; a million take about a second."""
    return Table(playlist_network().sample(n, seed))


def playlist_network() -> CategoricalNetwork:
    """The network that the made-up playlists are drawn from: two groups of ten songs, no arc between them."""
    arcs, tables = [], {}
    for group, songs in GROUPS.items():
        for number, (own, pulls) in songs.items():
            song = f"{group} {number}"
            arcs += [(f"{group} {before}", song) for before in pulls]
            tables[song] = _table(own, list(pulls.values()))
    return CategoricalNetwork(DAG(arcs, SONGS), dict.fromkeys(SONGS, (0, 1)), tables)


def _table(own: float, pulls: list[float]) -> np.ndarray:
    """The song's own chance and the pull of every parent that is there."""
    table = np.empty((2,) * (len(pulls) + 1))
    for there in product((0, 1), repeat=len(pulls)):
        chance = own + sum(pull for pull, here in zip(pulls, there) if here)
        table[there] = 1 - chance, chance
    return table
