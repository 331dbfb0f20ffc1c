"""Reading the Million Playlist Dataset: from a folder of slices to a Table of 0 and 1.

The dataset comes as a thousand files `mpd.slice.0-999.json`, each with a thousand playlists:

    {"info": …, "playlists": [{"pid": 0, "tracks": [{"track_uri": …, "track_name": …, "artist_name": …}, …]}, …]}

Together they are 33 gigabytes, so a worker holds one slice at a time. The first pass counts in how many playlists
each track is, to find the most frequent ones; the second writes down which of these each playlist has. The dataset
may not be passed on; its owner gives it to whoever asks, for research (see the README). Lesson 16.
"""

from __future__ import annotations

import json
import os
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bnteach.errors import DataError
from bnteach.progress import Progress
from bnteach.tables.table import Table


class Tally(NamedTuple):
    """What one slice says in the first pass: in how many playlists each track is, and some of their names."""

    times: Counter[str]
    names: dict[str, tuple[str, str]]  # uri -> (track, artist)


class Presence(NamedTuple):
    """What one slice says in the second pass: a row for each playlist, and the names of the tracks asked for."""

    rows: np.ndarray
    names: dict[str, tuple[str, str]]


class Damaged(NamedTuple):
    """A slice that cannot be used, and why."""

    slice: str
    why: str


def read_mpd(folder: str | Path, songs: Iterable[str] | None = None, top: int = 10, artist: str = "Taylor Swift",
             damaged: str = "skip", jobs: int | None = None) -> Table:
    """The playlists of a folder of slices as a Table: a column a song, 1 where the playlist has it.

    `songs` are titles or track URIs. Without them, the columns are the `top` most frequent tracks of the artist, and
    the `top` most frequent of all others. Damaged slices are named in a warning and left out, or are an error, with
    damaged="error". `jobs` is the number of slices that are read at the same time; 1 reads them one by one.
    """
    if damaged not in ("skip", "error"):
        raise ValueError(f"damaged={damaged!r} is not known here; use 'skip' or 'error'.")
    if songs is None and top < 1:
        raise ValueError(f"top={top!r} is too few; take at least 1 track.")
    paths = find_slices(Path(folder))
    wanted = None if songs is None else tuple([songs] if isinstance(songs, str) else songs)
    bad = Bad(len(paths), damaged)
    uris = choose_tracks(paths, wanted, top, artist, jobs, bad)
    rows, names = [], {}
    for part in bad.leave_out(read_all(paths, partial(note_presence, uris=uris), jobs, "reading playlists")):
        rows.append(part.rows)
        names.update(part.names)
    bad.warn()
    for uri in uris:
        if uri not in names:
            raise DataError(f"no playlist has the track {uri!r}.")
    return as_columns(np.concatenate(rows), [names[uri] for uri in uris])


# -- finding -----------------------------------------------------------------------------------------------
def find_slices(folder: Path) -> list[Path]:
    """The slices in a folder, or in its `data` folder, by their numbers."""
    for place in (folder, folder / "data"):
        if paths := list(place.glob("mpd.slice.*.json")):
            return sorted(paths, key=lambda path: [int(n) for n in re.findall(r"\d+", path.name)])
    raise DataError(f"there is no slice of the Million Playlist Dataset in {str(folder)!r}: files such as "
                    f"mpd.slice.0-999.json are looked for there, and in its folder 'data'.")


def choose_tracks(paths: list[Path], wanted: tuple[str, ...] | None, top: int, artist: str,
                  jobs: int | None, bad: Bad) -> list[str]:
    """The URIs of the columns: those wanted, or the most frequent of the artist and of everybody else."""
    if wanted and all(song.startswith("spotify:track:") for song in wanted):
        return list(dict.fromkeys(wanted))
    times, names, count = Counter[str](), {}, partial(count_tracks, artist=artist, titles=wanted or ())
    for part in bad.leave_out(read_all(paths, count, jobs, "counting tracks")):
        times.update(part.times)
        names.update(part.names)
    often = sorted(times, key=lambda uri: (-times[uri], uri))
    if wanted is not None:
        return list(dict.fromkeys(_find(song, often, names) for song in wanted))
    own = [uri for uri in often if names.get(uri, ("", ""))[1] == artist][:top]
    if not own:
        raise DataError(f"no playlist has a track by {artist!r}; name another artist.")
    return own + [uri for uri in often if names.get(uri, ("", ""))[1] != artist][:top]


def _find(song: str, often: list[str], names: dict[str, tuple[str, str]]) -> str:
    """The most frequent track with this title or URI."""
    for uri in often:
        if song == uri or names.get(uri, ("",))[0] == song:
            return uri
    raise DataError(f"no playlist has a song {song!r}; titles are compared letter by letter.")


# -- reading, one slice at a time --------------------------------------------------------------------------
def read_all(paths: list[Path], read: Callable[[Path], Any], jobs: int | None, what: str) -> Iterator[Any]:
    """What `read` says of every slice, in order; several slices at the same time."""
    jobs = min(len(paths), os.cpu_count() or 1 if jobs is None else max(1, jobs))
    with Progress(what, total=len(paths), unit=" slices") as progress:
        if jobs == 1:
            for path in paths:
                yield read(path)
                progress.step()
            return
        with ProcessPoolExecutor(jobs) as pool:
            for told in pool.map(read, paths):
                yield told
                progress.step()


def count_tracks(path: Path, artist: str, titles: tuple[str, ...]) -> Tally | Damaged:
    """The first pass over a slice."""
    playlists = load(path)
    if isinstance(playlists, Damaged):
        return playlists
    times, names = Counter[str](), {}
    for tracks in playlists:
        times.update(tracks.keys())
        names.update({uri: name for uri, name in tracks.items() if name[1] == artist or name[0] in titles})
    return Tally(times, names)


def note_presence(path: Path, uris: list[str]) -> Presence | Damaged:
    """The second pass over a slice."""
    playlists = load(path)
    if isinstance(playlists, Damaged):
        return playlists
    rows = np.array([[uri in tracks for uri in uris] for tracks in playlists], dtype=np.int8).reshape(-1, len(uris))
    return Presence(rows, {uri: tracks[uri] for tracks in playlists for uri in uris if uri in tracks})


def load(path: Path) -> list[dict[str, tuple[str, str]]] | Damaged:
    """The playlists of a slice, each as {uri: (track, artist)}; or what is wrong with it."""
    try:
        with open(path, encoding="utf-8") as file:
            playlists = json.load(file)["playlists"]
        return [{track["track_uri"]: (track["track_name"], track["artist_name"]) for track in playlist["tracks"]}
                for playlist in playlists]
    except (OSError, ValueError) as error:
        return Damaged(path.name, f"it cannot be read as JSON ({error})")
    except (KeyError, TypeError) as error:
        return Damaged(path.name, f"it does not have the form of a slice ({type(error).__name__}: {error})")


class Bad:
    """The damaged slices: the first of them is an error, or they are collected for one warning."""

    def __init__(self, slices: int, damaged: str):
        self.slices, self.damaged, self.found = slices, damaged, {}

    def leave_out(self, told: Iterable[Any]) -> Iterator[Any]:
        """What the sound slices say."""
        sound = 0
        for part in told:
            if not isinstance(part, Damaged):
                sound += 1
                yield part
            elif self.damaged == "error":
                raise DataError(f"{part.slice} is damaged: {part.why}. Get it again, or leave it out: damaged='skip'.")
            else:
                self.found[part.slice] = part.why
        if not sound:
            raise DataError(f"all {self.slices} slices are damaged. {self}")

    def warn(self) -> None:
        """One warning that names them."""
        if self.found:
            warnings.warn(f"{len(self.found)} of {self.slices} slices are damaged and left out. {self}", stacklevel=3)

    def __str__(self) -> str:
        shown = [f"{slice}: {why}" for slice, why in self.found.items()]
        return "; ".join(shown[:5]) + (f"; and {len(shown) - 5} more" if len(shown) > 5 else "")


# -- the table ---------------------------------------------------------------------------------------------
def as_columns(rows: np.ndarray, names: list[tuple[str, str]]) -> Table:
    """A Table whose columns are named by title; by title and artist where a title occurs twice."""
    import pandas as pd

    titles = Counter(title for title, _ in names)
    columns, seen = {}, Counter[str]()
    for i, (title, artist) in enumerate(names):
        label = title if titles[title] == 1 else f"{title} ({artist})"
        seen[label] += 1
        label = label if seen[label] == 1 else f"{label} #{seen[label]}"
        columns[label] = pd.Categorical.from_codes(rows[:, i], [0, 1])
    return Table(pd.DataFrame(columns))
