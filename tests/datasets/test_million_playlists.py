"""Reading slices of the Million Playlist Dataset; the slices are written here."""

import json
from collections import Counter

import numpy as np
import pytest

import bnteach as bn
from bnteach.datasets import million_playlists

SONGS = [("Red Kite", "Ann"), ("Blue Door", "Ann"), ("Old Mill", "Ben"), ("Red Kite", "Cat"), ("Long Way", "Dan")]


def uri(i):
    return f"spotify:track:{i:022}"


def write(folder, playlists, size=4):
    """Slices of `size` playlists; a playlist is a list of song numbers."""
    for start in range(0, len(playlists), size):
        content = {"info": {"version": "v1"}, "playlists": [
            {"pid": start + k, "name": "x", "tracks": [
                {"pos": p, "track_uri": uri(i), "track_name": SONGS[i][0], "artist_name": SONGS[i][1],
                 "artist_uri": "a", "album_name": "b", "duration_ms": 1} for p, i in enumerate(songs)]}
            for k, songs in enumerate(playlists[start:start + size])]}
        name = f"mpd.slice.{start}-{start + size - 1}.json"
        (folder / name).write_text(json.dumps(content), encoding="utf-8")


@pytest.fixture
def lists():
    random = np.random.default_rng(0)
    return [[i for i in range(5) if random.random() < (.7, .4, .6, .5, .2)[i]] + [0] * (k % 3) for k in range(23)]


@pytest.fixture
def folder(tmp_path, lists):
    write(tmp_path, lists)
    return tmp_path


def column(lists, i):
    return [int(i in songs) for songs in lists]


@pytest.mark.parametrize("jobs", [1, 2, None])
def test_songs_by_uri_and_by_title(folder, lists, jobs):
    table = bn.datasets.read_mpd(folder, songs=["Old Mill", uri(4), "Blue Door"], jobs=jobs)
    assert table.variables == ("Old Mill", "Long Way", "Blue Door") and len(table) == 23
    for name, i in zip(table.variables, (2, 4, 1)):
        assert table.codes(name).tolist() == column(lists, i), "rows are in the order of the slices"
    assert table.states("Old Mill") == (0, 1)


def test_the_most_frequent_of_the_artist_and_of_all_others(folder, lists):
    table = bn.datasets.read_mpd(folder, top=2, artist="Ann", jobs=1)
    times = Counter(i for songs in lists for i in set(songs))
    own, others = sorted((0, 1), key=lambda i: -times[i]), sorted((2, 3, 4), key=lambda i: -times[i])[:2]
    assert [table.counts(name)[1] for name in table.variables] == [times[i] for i in own + others]
    assert table.variables[0] in ("Red Kite (Ann)", "Blue Door")
    assert "Red Kite (Cat)" in table.variables, "one title, two artists: the columns are named by title and artist"


def test_a_song_twice_in_a_playlist_counts_once(tmp_path):
    write(tmp_path, [[0, 0, 0], [0], []])
    assert bn.datasets.read_mpd(tmp_path, songs=uri(0), jobs=1).counts("Red Kite").tolist() == [1, 2]


def test_slices_by_number_and_the_folder_data(tmp_path, lists):
    (tmp_path / "data").mkdir()
    write(tmp_path / "data", lists, size=1)
    paths = million_playlists.find_slices(tmp_path)
    assert [path.name for path in paths[:11]] == [f"mpd.slice.{i}-{i}.json" for i in range(11)], "9 before 10"


def test_damaged_slices_are_named_and_skipped(folder, lists):
    (folder / "mpd.slice.4-7.json").write_text('{"info": {}, "playlists": [{"pid": 4, "tra')
    (folder / "mpd.slice.8-11.json").write_text('{"info": {}}')
    with pytest.warns(UserWarning, match=r"2 of 6 slices are damaged.*mpd.slice.4-7.json: it is not valid JSON.*"
                                         r"mpd.slice.8-11.json: it does not have the structure"):
        table = bn.datasets.read_mpd(folder, songs=["Old Mill"], jobs=1)
    assert table.codes("Old Mill").tolist() == column(lists[:4] + lists[12:], 2)
    for jobs in (1, 2):
        with pytest.raises(bn.DataError, match=r"mpd.slice.4-7.json is damaged.*damaged='skip'"):
            bn.datasets.read_mpd(folder, songs=["Old Mill"], damaged="error", jobs=jobs)


@pytest.mark.parametrize("content", ["[]", '{"playlists": 3}', '{"playlists": [{"tracks": [{"track_uri": "x"}]}]}',
                                     "\udce9".encode("utf-8", "surrogateescape").decode("latin-1"), ""])
def test_every_kind_of_damage_is_detected(tmp_path, content):
    write(tmp_path, [[0, 1], [0]], size=1)
    (tmp_path / "mpd.slice.1-1.json").write_bytes(content.encode("latin-1"))
    with pytest.warns(UserWarning, match=r"1 of 2 slices are damaged and were skipped. mpd.slice.1-1.json"):
        assert len(bn.datasets.read_mpd(tmp_path, top=1, artist="Ann", jobs=1)) == 1


@pytest.mark.parametrize(("call", "message"), [
    (lambda f: bn.datasets.read_mpd(f / "nowhere"), "no slice of the Million Playlist Dataset"),
    (lambda f: bn.datasets.read_mpd(f, artist="Zoe", jobs=1), "no playlist contains a track by 'Zoe'"),
    (lambda f: bn.datasets.read_mpd(f, songs=["old mill"], jobs=1), "no playlist contains a song 'old mill'"),
    (lambda f: bn.datasets.read_mpd(f, songs=[uri(77)], jobs=1), "no playlist contains the track 'spotify:track:"),
    (lambda f: bn.datasets.read_mpd(f, damaged="ignore"), "damaged='ignore' must be 'skip' or 'error'"),
    (lambda f: bn.datasets.read_mpd(f, top=0), "top=0 must be at least 1"),
])
def test_errors(folder, call, message):
    with pytest.raises((ValueError, bn.DataError), match=message):
        call(folder)


def test_all_slices_damaged(tmp_path):
    (tmp_path / "mpd.slice.0-3.json").write_text("{")
    with pytest.raises(bn.DataError, match=r"all 1 slices are damaged. mpd.slice.0-3.json"):
        bn.datasets.read_mpd(tmp_path, jobs=1)
