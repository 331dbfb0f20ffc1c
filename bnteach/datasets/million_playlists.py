"""Reading the Million Playlist Dataset: from a folder of slices to a Table of 0 and 1.

The dataset consists of a thousand files `mpd.slice.0-999.json`, each with a thousand playlists:

    {"info": …, "playlists": [{"pid": 0, "tracks": [{"track_uri": …, "track_name": …, "artist_name": …}, …]}, …]}

They amount to 33 gigabytes, so a worker holds one slice at a time. The first pass counts the playlists that contain
each track, to find the most frequent tracks; the second records which of these each playlist contains. The dataset may
not be redistributed; its owner provides it on request for research (see the README). Lesson 16.
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
from typing import NamedTuple, TypeVar

import numpy as np

from bnteach.errors import DataError
from bnteach.progress import Progress
from bnteach.tables.table import Table

Names = dict[str, tuple[str, str]]  # uri -> (title, artist)
Part = TypeVar("Part")


class Damaged(NamedTuple):
    """A slice that cannot be used, and why."""

    slice: str
    why: str


def read_slices(folder: str | Path, songs: Iterable[str] | None, top: int, artist: str, damaged: str,
                jobs: int | None) -> Table:
    """The playlists of a folder of slices; see `bnteach.datasets.read_mpd`."""
    if damaged not in ("skip", "error"):
        raise ValueError(f"damaged={damaged!r} must be 'skip' or 'error'.")
    if songs is None and top < 1:
        raise ValueError(f"top={top!r} must be at least 1.")
    slices = Slices(find_slices(Path(folder)), damaged, jobs)
    titles = None if songs is None else tuple([songs] if isinstance(songs, str) else songs)
    uris = choose_tracks(slices, titles, top, artist)
    names: Names = {}
    rows = []
    for part, found in slices.read(partial(find_presence, uris=uris), "reading playlists"):
        rows.append(part)
        names.update(found)
    slices.warn()
    for uri in uris:
        if uri not in names:
            raise DataError(f"no playlist contains the track {uri!r}.")
    return as_columns(np.concatenate(rows), [names[uri] for uri in uris])


def find_slices(folder: Path) -> list[Path]:
    """The slices in a folder, or in its `data` folder, by their numbers."""
    for location in (folder, folder / "data"):
        if paths := list(location.glob("mpd.slice.*.json")):
            return sorted(paths, key=lambda path: [int(n) for n in re.findall(r"\d+", path.name)])
    raise DataError(f"there is no slice of the Million Playlist Dataset, such as mpd.slice.0-999.json, in "
                    f"{str(folder)!r} or in its subfolder 'data'.")


def choose_tracks(slices: Slices, songs: tuple[str, ...] | None, top: int, artist: str) -> list[str]:
    """The URIs of the columns: the songs named, or the most frequent tracks of the artist and of all others."""
    if songs and all(song.startswith("spotify:track:") for song in songs):
        return list(dict.fromkeys(songs))
    counts, names = Counter[str](), Names()
    for part, found in slices.read(partial(count_tracks, artist=artist, titles=songs or ()), "counting tracks"):
        counts.update(part)
        names.update(found)
    ranked = sorted(counts, key=lambda uri: (-counts[uri], uri))
    if songs is not None:
        return list(dict.fromkeys(_find(song, ranked, names) for song in songs))
    own = [uri for uri in ranked if names.get(uri, ("", ""))[1] == artist][:top]
    if not own:
        raise DataError(f"no playlist contains a track by {artist!r}; name another artist.")
    return own + [uri for uri in ranked if names.get(uri, ("", ""))[1] != artist][:top]


def _find(song: str, ranked: list[str], names: Names) -> str:
    """The most frequent track with this title or URI."""
    for uri in ranked:
        if song == uri or names.get(uri, ("", ""))[0] == song:
            return uri
    raise DataError(f"no playlist contains a song {song!r}; titles must match exactly.")


# -- reading, one slice at a time --------------------------------------------------------------------------
class Slices:
    """The slices of a folder. Damaged ones raise an error, or are collected for one warning."""

    def __init__(self, paths: list[Path], damaged: str, jobs: int | None):
        self.paths, self.damaged = paths, damaged
        self.jobs = min(len(paths), os.cpu_count() or 1 if jobs is None else max(1, jobs))
        self.skipped: dict[str, str] = {}

    def read(self, summarize: Callable[[list[Names]], Part], what: str) -> Iterator[Part]:
        """Apply `summarize` to the playlists of every slice, and yield the results of the undamaged ones in order."""
        usable = 0
        with Progress(what, total=len(self.paths), unit=" slices") as progress:
            for part in self._map(partial(read_slice, summarize=summarize)):
                progress.step()
                if not isinstance(part, Damaged):
                    usable += 1
                    yield part
                elif self.damaged == "error":
                    raise DataError(f"{part.slice} is damaged: {part.why}. Download it again, or skip it with "
                                    f"damaged='skip'.")
                else:
                    self.skipped[part.slice] = part.why
        if not usable:
            raise DataError(f"all {len(self.paths)} slices are damaged. {self._reasons()}")

    def _map(self, read_one: Callable[[Path], Part | Damaged]) -> Iterator[Part | Damaged]:
        if self.jobs == 1:
            yield from map(read_one, self.paths)
        else:
            with ProcessPoolExecutor(self.jobs) as pool:
                yield from pool.map(read_one, self.paths)

    def warn(self) -> None:
        """One warning that names the damaged slices."""
        if self.skipped:
            warnings.warn(f"{len(self.skipped)} of {len(self.paths)} slices are damaged and were skipped. "
                          f"{self._reasons()}", stacklevel=4)

    def _reasons(self) -> str:
        reasons = [f"{name}: {why}" for name, why in self.skipped.items()]
        return "; ".join(reasons[:5]) + (f"; and {len(reasons) - 5} more" if len(reasons) > 5 else "")


def read_slice(path: Path, summarize: Callable[[list[Names]], Part]) -> Part | Damaged:
    """Apply `summarize` to the playlists of a slice, each given as the names of its tracks."""
    try:
        with open(path, encoding="utf-8") as file:
            playlists = json.load(file)["playlists"]
        tracks = [{track["track_uri"]: (track["track_name"], track["artist_name"]) for track in playlist["tracks"]}
                  for playlist in playlists]
    except (OSError, ValueError) as error:
        return Damaged(path.name, f"it is not valid JSON ({error})")
    except (KeyError, TypeError) as error:
        return Damaged(path.name, f"it does not have the structure of a slice ({type(error).__name__}: {error})")
    return summarize(tracks)


def count_tracks(playlists: list[Names], artist: str, titles: tuple[str, ...]) -> tuple[Counter[str], Names]:
    """The first pass: how many playlists contain each track; and the names of the artist's tracks and of the titles."""
    names = {uri: (title, by) for tracks in playlists for uri, (title, by) in tracks.items()
             if by == artist or title in titles}
    return Counter(uri for tracks in playlists for uri in tracks), names


def find_presence(playlists: list[Names], uris: list[str]) -> tuple[np.ndarray, Names]:
    """The second pass: one row of 0 and 1 per playlist; and the names of the tracks."""
    rows = np.array([[uri in tracks for uri in uris] for tracks in playlists], dtype=np.int8).reshape(-1, len(uris))
    return rows, {uri: tracks[uri] for tracks in playlists for uri in uris if uri in tracks}


def as_columns(rows: np.ndarray, names: list[tuple[str, str]]) -> Table:
    """A Table whose columns are named by title, or by title and artist where a title occurs twice."""
    import pandas as pd

    titles, used = Counter(title for title, _ in names), Counter[str]()
    columns = {}
    for i, (title, artist) in enumerate(names):
        label = title if titles[title] == 1 else f"{title} ({artist})"
        used[label] += 1
        label = label if used[label] == 1 else f"{label} #{used[label]}"
        columns[label] = pd.Categorical.from_codes(rows[:, i], pd.Index([0, 1]))
    return Table(pd.DataFrame(columns))
