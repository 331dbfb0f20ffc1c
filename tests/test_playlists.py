"""Made-up playlists, and what PC, Chow-Liu and a recommender make of them."""

import networkx as nx
import numpy as np
import pytest

import bnteach as bn
from bnteach.playlists import SONGS, playlist_network
from bnteach.recommender import _reason, chances, hide_one, hit_rate, recommend, wilson

ARTIST, HITS = set(SONGS[:10]), set(SONGS[10:])


def parts(graph):
    drawing = nx.Graph(graph.skeleton)
    drawing.add_nodes_from(graph.nodes)
    return {frozenset(part) for part in nx.connected_components(drawing)}


def test_every_song_is_in_three_to_twenty_per_cent_of_the_playlists():
    truth, rows = playlist_network(), bn.datasets.playlists(50_000, seed=1)
    assert rows.variables == SONGS and len(rows) == 50_000 and rows.states("Hit 1") == (0, 1)
    for song in SONGS:
        share = truth.posterior(song)[1]
        assert .025 <= share <= .2
        assert rows.counts(song)[1] / 50_000 == pytest.approx(share, abs=.01)


def test_the_truth_has_two_groups():
    assert parts(playlist_network().dag) == {frozenset(ARTIST), frozenset(HITS)}


def test_the_seed_decides():
    one, two = bn.datasets.playlists(500, seed=1), bn.datasets.playlists(500, seed=1)
    assert one.to_frame().equals(two.to_frame())
    assert not one.to_frame().equals(bn.datasets.playlists(500, seed=2).to_frame())


@pytest.mark.parametrize("alpha", [.05, .01])
def test_pc_tells_the_groups_apart_and_a_tree_cannot(alpha):
    rows = bn.datasets.playlists(10_000)
    assert parts(bn.pc(bn.ChiSquare(rows, alpha)).graph) == {frozenset(ARTIST), frozenset(HITS)}
    tree = bn.chow_liu(rows).graph
    assert len(parts(tree)) == 1
    across = [(a, b) for a, b in tree.skeleton if (a in ARTIST) != (b in ARTIST)]
    assert len(across) == 1, "a tree needs one line across, though there is nothing"


def test_a_recommendation_and_its_reason():
    truth = playlist_network()
    told = recommend(truth, ["Artist 3", "Hit 4"])
    assert list(told.columns) == ["song", "probability", "because"] and len(told) == 5
    assert told.probability.is_monotonic_decreasing
    for row in told.itertuples():
        assert row.probability == pytest.approx(truth.posterior(row.song, {"Artist 3": 1, "Hit 4": 1})[1], abs=1e-4)
        assert (row.because in ARTIST) == (row.song in ARTIST), "a reason comes from the same group"
    assert not {"Artist 3", "Hit 4"} & set(told.song)
    assert recommend(truth, []).because.tolist() == ["popular anyway"] * 5
    assert dict(zip(*recommend(truth, "Artist 6")[["song", "because"]].T.to_numpy()))["Hit 1"] == "popular anyway"
    with pytest.raises(bn.UnknownVariable, match="no variable 'Hit 77'"):
        recommend(truth, ["Hit 77"])


def test_many_playlists_at_once_are_one_after_the_other():
    truth = playlist_network()
    rows = np.zeros((3, 20), dtype=int)
    rows[0, [0, 3]] = rows[1, [12]] = 1
    for absent in (False, True):
        table = chances(truth, rows, absent)
        for row, told in zip(rows, table):
            for i in (1, 9, 14):
                known = {s: int(x) for s, x in zip(SONGS, row) if s != SONGS[i] and (absent or x)}
                assert told[i] == pytest.approx(truth.posterior(SONGS[i], known)[1])


def test_hiding_takes_one_song_of_each_playlist():
    table = bn.datasets.playlists(2000)
    shown, hidden = hide_one(table, seed=1)
    rows = np.column_stack([table.codes(song) for song in SONGS])
    rows = rows[rows.sum(axis=1) >= 2]
    assert len(shown) == len(rows) and (rows.sum(axis=1) - shown.sum(axis=1) == 1).all()
    assert (rows[np.arange(len(rows)), hidden] == 1).all() and (shown[np.arange(len(rows)), hidden] == 0).all()
    assert (hide_one(table, seed=1)[1] == hidden).all() and (hide_one(table, seed=2)[1] != hidden).any()
    with pytest.raises(bn.DataError, match="no playlist has two songs"):
        hide_one(bn.Table({"a": [0, 1], "b": [1, 0]}))


def test_hits_are_counted_as_by_hand():
    shown = np.array([[1, 0, 0, 0], [0, 1, 0, 0]])
    liking = np.array([.9, .5, .4, .1])
    rate = hit_rate(liking, shown, np.array([2, 3]), at=2)
    assert (rate.hits, rate.of, rate.rate) == (1, 2, .5), "first: 1 and 2 are recommended; second: 0 and 2"
    assert hit_rate(liking, shown, np.array([3, 3]), at=3).hits == 2


def test_of_equals_the_first_counts_whatever_rounding_says():
    shown, hidden = np.array([[0, 0, 0]]), np.array([0])
    for a, b in [(0.3, 0.1 + 0.2), (0.1 + 0.2, 0.3)]:
        assert a != b
        assert hit_rate(np.array([a, b, .1]), shown, hidden, at=1).hits == 1
        assert _reason("new", {"new": .9}, {"one": {"new": .9 - a}, "two": {"new": .9 - b}}) == "one"


@pytest.mark.parametrize(("hits", "of"), [(0, 10), (5, 10), (81, 263), (10, 10)])
def test_wilsons_interval_solves_its_equation(hits, of):
    low, high = wilson(hits, of)
    for end in (low, high):  # the ends are where the share is z standard errors away, with the error of the end itself
        assert abs(hits / of - end) == pytest.approx(1.959964 * np.sqrt(end * (1 - end) / of), abs=1e-7)


def test_a_learned_network_recommends_better_than_popularity():
    seen, new = bn.datasets.playlists(10_000), bn.datasets.playlists(10_000, seed=1)
    network = bn.fit(bn.extend(bn.pc(bn.ChiSquare(seen, .01)).graph), seen)
    shown, hidden = hide_one(new)
    ours = hit_rate(chances(network, shown), shown, hidden)
    popular = hit_rate(np.array([seen.counts(song)[1] for song in SONGS]), shown, hidden)
    assert ours.low > popular.high + .1
