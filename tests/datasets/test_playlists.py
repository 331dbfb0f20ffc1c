"""Synthetic playlists, and what PC, Chow-Liu and a recommender learn from them."""

import networkx as nx
import numpy as np
import pytest

import bnteach as bn
from bnteach.datasets import playlist_network
from bnteach.datasets.songs import SONGS
from bnteach.models.recommender import _reason, hide_one, hit_rate, hits, recommend, song_probabilities

ARTIST, HITS = set(SONGS[:10]), set(SONGS[10:])


def components(graph):
    undirected = nx.Graph(graph.skeleton)
    undirected.add_nodes_from(graph.nodes)
    return {frozenset(component) for component in nx.connected_components(undirected)}


def test_every_song_is_in_three_to_twenty_per_cent_of_the_playlists():
    truth, rows = playlist_network(), bn.datasets.playlists(50_000, seed=1)
    assert rows.variables == SONGS and len(rows) == 50_000 and rows.states("Hit 1") == (0, 1)
    for song in SONGS:
        share = truth.posterior(song)[1]
        assert .025 <= share <= .2
        assert rows.counts(song)[1] / 50_000 == pytest.approx(share, abs=.01)


def test_the_network_has_two_connected_components():
    assert components(playlist_network().dag) == {frozenset(ARTIST), frozenset(HITS)}


def test_the_seed_determines_the_rows():
    one, two = bn.datasets.playlists(500, seed=1), bn.datasets.playlists(500, seed=1)
    assert one.to_frame().equals(two.to_frame())
    assert not one.to_frame().equals(bn.datasets.playlists(500, seed=2).to_frame())


@pytest.mark.parametrize("alpha", [.05, .01])
def test_pc_separates_the_groups_and_a_tree_cannot(alpha):
    rows = bn.datasets.playlists(10_000)
    assert components(bn.pc(bn.ChiSquare(rows, alpha)).graph) == {frozenset(ARTIST), frozenset(HITS)}
    tree = bn.chow_liu(rows).graph
    assert len(components(tree)) == 1
    across = [(a, b) for a, b in tree.skeleton if (a in ARTIST) != (b in ARTIST)]
    assert len(across) == 1, "a spanning tree needs one edge between the groups"


def test_a_recommendation_and_its_reason():
    truth = playlist_network()
    recommended = recommend(truth, ["Artist 3", "Hit 4"])
    assert list(recommended.columns) == ["song", "probability", "because"] and len(recommended) == 5
    assert recommended.probability.is_monotonic_decreasing
    for row in recommended.itertuples():
        assert row.probability == pytest.approx(truth.posterior(row.song, {"Artist 3": 1, "Hit 4": 1})[1], abs=1e-4)
        assert (row.because in ARTIST) == (row.song in ARTIST), "the reason is in the same group"
    assert not {"Artist 3", "Hit 4"} & set(recommended.song)
    assert recommend(truth, []).because.tolist() == ["popular anyway"] * 5
    assert dict(zip(*recommend(truth, "Artist 6")[["song", "because"]].T.to_numpy()))["Hit 1"] == "popular anyway"
    with pytest.raises(bn.UnknownVariable, match="no variable 'Hit 77'"):
        recommend(truth, ["Hit 77"])


def test_playlists_queried_together_equal_playlists_queried_one_by_one():
    truth = playlist_network()
    rows = np.zeros((3, 20), dtype=int)
    rows[0, [0, 3]] = rows[1, [12]] = 1
    for absent in (False, True):
        for row, found in zip(rows, song_probabilities(truth, rows, absent)):
            for i in (1, 9, 14):
                evidence = {s: int(x) for s, x in zip(SONGS, row) if s != SONGS[i] and (absent or x)}
                assert found[i] == pytest.approx(truth.posterior(SONGS[i], evidence)[1])


def test_one_song_of_each_playlist_is_hidden():
    table = bn.datasets.playlists(2000)
    shown, hidden = hide_one(table, seed=1)
    rows = np.column_stack([table.codes(song) for song in SONGS])
    rows = rows[rows.sum(axis=1) >= 2]
    assert len(shown) == len(rows) and (rows.sum(axis=1) - shown.sum(axis=1) == 1).all()
    assert (rows[np.arange(len(rows)), hidden] == 1).all() and (shown[np.arange(len(rows)), hidden] == 0).all()
    assert (hide_one(table, seed=1)[1] == hidden).all() and (hide_one(table, seed=2)[1] != hidden).any()
    with pytest.raises(bn.DataError, match="no playlist has two songs"):
        hide_one(bn.Table({"a": [0, 1], "b": [1, 0]}))


def test_hits_counted_by_hand():
    shown = np.array([[1, 0, 0, 0], [0, 1, 0, 0]])
    scores = np.array([.9, .5, .4, .1])
    rate = hit_rate(scores, shown, np.array([2, 3]), k=2)
    assert (rate.hits, rate.playlists, rate.rate) == (1, 2, .5), "first: 1 and 2 are recommended; second: 0 and 2"
    assert hit_rate(scores, shown, np.array([3, 3]), k=3).hits == 2
    assert hits(scores, shown, np.array([2, 3]), k=2).tolist() == [True, False]


@pytest.mark.parametrize(("hits", "of"), [(0, 10), (5, 10), (81, 263), (10, 10)])
def test_the_interval_is_wilsons(hits, of):
    shown, hidden = np.zeros((of, 2), dtype=int), np.repeat([0, 1], [hits, of - hits])
    rate = hit_rate(np.array([.9, .1]), shown, hidden, k=1)
    assert (rate.hits, rate.playlists) == (hits, of)
    for bound in (rate.low, rate.high):  # it is z of its own standard errors away from the observed rate
        assert abs(rate.rate - bound) == pytest.approx(1.959964 * np.sqrt(bound * (1 - bound) / of), abs=1e-7)


def test_of_equals_the_first_counts_whatever_the_rounding():
    shown, hidden = np.array([[0, 0, 0]]), np.array([0])
    for a, b in [(0.3, 0.1 + 0.2), (0.1 + 0.2, 0.3)]:
        assert a != b
        assert hit_rate(np.array([a, b, .1]), shown, hidden, k=1).hits == 1
        assert _reason("new", {"new": .9}, {"one": {"new": .9 - a}, "two": {"new": .9 - b}}) == "one"


def test_a_learned_network_recommends_better_than_popularity():
    training, test = bn.datasets.playlists(10_000), bn.datasets.playlists(10_000, seed=1)
    network = bn.fit(bn.extend(bn.pc(bn.ChiSquare(training, .01)).graph), training)
    shown, hidden = hide_one(test)
    ours = hit_rate(song_probabilities(network, shown), shown, hidden)
    popular = hit_rate(np.array([training.counts(song)[1] for song in SONGS]), shown, hidden)
    assert ours.low > popular.high + .1
