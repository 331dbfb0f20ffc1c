"""Inputs of exercise 16: drawn freely, and adversarial ones, on which common mistakes show."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product

import numpy as np

from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled, table
from bnteach.datasets.songs import SONGS
from bnteach.graphs.dag import DAG
from bnteach.models.categorical import CategoricalNetwork
from bnteach.tables.table import Table

Playlists = list[list[str]]
Network = dict[str, tuple[list[str], dict[tuple[int, ...], float]]]


# -- 16.1 to 16.3: playlists, columns, components ------------------------------------------------------------------
def songs(random: Random, n: int) -> list[str]:
    """Some songs of the synthetic playlists."""
    return [str(SONGS[i]) for i in random.choice(len(SONGS), size=n, replace=False)]


def draw_playlists(random: Random) -> Playlists:
    """Eight to fourteen playlists of six songs; one has a song twice, and each song occurs."""
    known, n = songs(random, 6), int(random.integers(8, 15))
    playlists = [shuffled(random, [song for song in known if random.random() < 0.5]) for _ in range(n)]
    for i, song in enumerate(known):
        playlists[i] += [] if song in playlists[i] else [song]
    twice = int(random.integers(len(known)))
    return [*playlists[:twice], [*playlists[twice], playlists[twice][0]], *playlists[twice + 1:]]


def draw_share(random: Random) -> tuple[Playlists, str, str]:
    playlists = draw_playlists(random)
    song, given = random.choice(sorted({s for p in playlists for s in p}), size=2, replace=False).tolist()
    return playlists, song, given


def repeated(random: Random) -> Iterator[tuple[Playlists, str, str]]:
    """Either song occurs twice in a playlist, and playlists occur twice."""
    playlists, song, given = draw_share(random)
    yield [*playlists, [song, given, song], [given, song, given], [given], [given], [song]], song, given


def draw_columns(random: Random) -> tuple[Playlists, list[str]]:
    playlists = draw_playlists(random)
    known = shuffled(random, sorted({song for playlist in playlists for song in playlist}))
    return playlists, known[: int(random.integers(3, 6))]


def empty_and_equal(random: Random) -> Iterator[tuple[Playlists, list[str]]]:
    """An empty playlist, one that occurs twice, and a song that is in none."""
    *known, absent = songs(random, 5)
    playlists = [[song for song in known if random.random() < 0.5] for _ in range(6)]
    yield shuffled(random, [*playlists, [], known[:2], known[:2]]), shuffled(random, [absent, *known[1:]])


def draw_edges(random: Random) -> tuple[list[str], list[tuple[str, str]]]:
    """The nodes and the edges of a graph with several connected components."""
    nodes = shuffled(random, names(random, int(random.integers(6, 10))))
    cut = int(random.integers(2, len(nodes) - 2))
    edges = [*dag(random, nodes[:cut], 0.6).arcs, *dag(random, nodes[cut:], 0.5).arcs]
    return sorted(nodes), shuffled(random, [tuple(shuffled(random, edge)) for edge in edges])


def long_paths(random: Random) -> Iterator[tuple[list[str], list[tuple[str, str]]]]:
    """A path of ten nodes, once from its end and once in any order, beside a star and two nodes without edges."""
    nodes = names(random, 16)
    path, (hub, *leaves) = list(pairwise(nodes[:10])), nodes[10:14]
    star = [(leaf, hub) for leaf in leaves]
    yield nodes, [*star, *path[::-1]]
    yield nodes, shuffled(random, [tuple(shuffled(random, edge)) for edge in (*star, *path)])


# -- 16.4 to 16.6: CPTs and networks -------------------------------------------------------------------------------
def draw_family(random: Random) -> tuple[Table, str, list[str]]:
    t = table(random, songs(random, 5), rows=int(random.integers(8, 16)))
    child, *parents = shuffled(random, t.variables)[: int(random.integers(3, 5))]
    return t, child, parents


def rare_parents(random: Random) -> Iterator[tuple[Table, str, list[str]]]:
    """Three parents in six rows: some of their combinations never occur; and one parent in thirty rows."""
    for rows, last in ((6, 4), (30, 2)):
        t = table(random, songs(random, 4), rows=rows)
        child, *parents = shuffled(random, t.variables)[:last]
        yield t, child, parents


def draw_network(random: Random, size: int = 5) -> Network:
    """Some songs, each with at most three parents in any order, and their CPTs."""
    graph = dag(random, songs(random, size), arcs=size + 2)
    network = {}
    for song in graph.nodes:
        parents = shuffled(random, graph.parents(song))[:3]
        chances = {there: round(float(random.uniform(0.05, 0.95)), 2) for there in product((0, 1), repeat=len(parents))}
        network[song] = (parents, chances)
    return network


def draw_chance(random: Random) -> tuple[Network, str, list[str]]:
    network = draw_network(random, int(random.integers(4, 7)))
    song, *playlist = shuffled(random, list(network))[: int(random.integers(2, 4))]
    return network, song, playlist


def draw_collider(random: Random) -> tuple[Network, list[str]]:
    """A collider with a child, and an arc beside it; parents come late, and not in the order of the network. Its songs."""
    a, b, c, d, e, f = songs(random, 6)

    def near(p: float) -> float:
        return round(p + float(random.uniform(-0.02, 0.02)), 3)
    return {d: ([c], {(0,): near(0.1), (1,): near(0.8)}), a: ([], {(): near(0.2)}), e: ([], {(): near(0.52)}),
            c: ([b, a], {(0, 0): near(0.03), (0, 1): near(0.9), (1, 0): near(0.75), (1, 1): near(0.9)}),
            b: ([], {(): near(0.15)}), f: ([e], {(0,): near(0.55), (1,): near(0.75)})}, [a, b, c, d, e, f]


def explained_away(random: Random) -> Iterator[tuple[Network, str, list[str]]]:
    """Given its child a song is probable, and less so given the child's other parent too."""
    network, (a, b, c, d, e, f) = draw_collider(random)
    yield network, a, [b, c]
    yield network, a, [c, b]
    yield network, b, [d, a]
    yield network, a, [d]
    yield network, e, [f]


def as_network(network: Network) -> CategoricalNetwork:
    """The library's network with these CPTs."""
    graph = DAG([(parent, song) for song, (parents, _) in network.items() for parent in parents], list(network))
    tables = {}
    for song, (parents, chances) in network.items():
        ours = graph.parents(song)
        tables[song] = np.empty((2,) * (len(ours) + 1))
        for there in product((0, 1), repeat=len(ours)):
            chance = chances[tuple(there[ours.index(parent)] for parent in parents)]
            tables[song][there] = 1 - chance, chance
    return CategoricalNetwork(graph, dict.fromkeys(graph.nodes, (0, 1)), tables)


def chance(network: Network, song: str, playlist: list[str]) -> float:
    """The probability of the song given the playlist."""
    return float(as_network(network).posterior(song, dict.fromkeys(playlist, 1))[1])


def draw_recommend(random: Random) -> tuple[Network, list[str], int]:
    """A network and a playlist such that no two other songs are equally probable."""
    while True:
        network = draw_network(random, int(random.integers(5, 7)))
        playlist = shuffled(random, list(network))[: int(random.integers(1, 4))]
        chances = sorted(chance(network, song, playlist) for song in network if song not in playlist)
        if all(b - a > 1e-4 for a, b in pairwise(chances)):
            return network, playlist, int(random.integers(1, 1 + len(chances)))


def explained_recommend(random: Random) -> Iterator[tuple[Network, list[str], int]]:
    """What one song of the playlist makes probable, the other makes less probable again."""
    for _ in range(2):
        network, (_, b, c, d, *_) = draw_collider(random)
        yield network, [b, c], 4
        yield network, [c, b], 4
        yield network, [d], 5


# -- 16.7: hidden songs --------------------------------------------------------------------------------------------
def draw_hidden(random: Random) -> tuple[dict[str, float], list[tuple[list[str], str]], int]:
    """Seven songs, and some playlists with a hidden song, one of them three times."""
    known = songs(random, 7)
    liking = dict(zip(known, (random.permutation(90)[:7] / 100 + 0.05).round(2).tolist()))
    tests = []
    for _ in range(int(random.integers(8, 13))):
        hidden, *shown = shuffled(random, known)[: int(random.integers(2, 5))]
        tests.append((shown, hidden))
    return liking, [*tests, tests[0], tests[0]], int(random.integers(2, 4))
