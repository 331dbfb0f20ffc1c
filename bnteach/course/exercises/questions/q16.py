"""Exercise 16: from playlists to a recommendation. Lesson 16_music_recommender."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import numpy as np

from bnteach.course.comparing import show
from bnteach.course.exercises.questions.base import Question
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled, table
from bnteach.datasets.songs import SONGS
from bnteach.graphs.dag import DAG
from bnteach.models.categorical import CategoricalNetwork
from bnteach.tables.table import Table

NETWORKS = ("models", "models.recommender")
Playlists = list[list[str]]
Network = dict[str, tuple[list[str], dict[tuple[int, ...], float]]]


# -- 16.1 to 16.3: playlists, columns, parts -------------------------------------------------------------------
def songs(random: Random, n: int) -> list[str]:
    """Some songs of the made-up playlists."""
    return [str(SONGS[i]) for i in random.choice(len(SONGS), size=n, replace=False)]


def draw_playlists(random: Random) -> Playlists:
    """Eight to fourteen playlists of six songs; some have a song twice, and each song is somewhere."""
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


def draw_columns(random: Random) -> tuple[Playlists, list[str]]:
    playlists = draw_playlists(random)
    known = shuffled(random, sorted({song for playlist in playlists for song in playlist}))
    return playlists, known[: int(random.integers(3, 6))]


def share(playlists: Playlists, song: str, given: str) -> float:
    """Of the playlists that have `given`, the share that has the song too."""
    both = sum(song in playlist and given in playlist for playlist in playlists)
    return both / sum(given in playlist for playlist in playlists)


def columns(playlists: Playlists, songs: list[str]) -> dict[str, list[int]]:
    return {song: [int(song in playlist) for playlist in playlists] for song in songs}


def draw_lines(random: Random) -> tuple[list[str], list[tuple[str, str]]]:
    """Two or three separate groups of nodes, and their lines."""
    nodes = shuffled(random, names(random, int(random.integers(6, 10))))
    cut = int(random.integers(2, len(nodes) - 2))
    lines = [*dag(random, nodes[:cut], 0.6).arcs, *dag(random, nodes[cut:], 0.5).arcs]
    return sorted(nodes), shuffled(random, [tuple(shuffled(random, line)) for line in lines])


def parts(nodes: list[str], lines: list[tuple[str, str]]) -> set[frozenset[str]]:
    """The nodes that hang together, with networkx."""
    import networkx as nx

    graph = nx.Graph(lines)
    graph.add_nodes_from(nodes)
    return set(map(frozenset, nx.connected_components(graph)))


# -- 16.4 to 16.6: tables and what they say --------------------------------------------------------------------
def draw_family(random: Random) -> tuple[Table, str, list[str]]:
    t = table(random, songs(random, 4), rows=int(random.integers(8, 16)))
    child, *parents = shuffled(random, t.variables)[:3]
    return t, child, parents


def smoothed(t: Table, song: str, parents: list[str], top: float = 1, bottom: float = 2) -> dict:
    """The chance of the song for each state of its parents, with imagined rows."""
    counts = t.counts(*parents, song)
    return {there: (int(counts[there][1]) + top) / (int(counts[there].sum()) + bottom)
            for there in product((0, 1), repeat=len(parents))}


def draw_network(random: Random) -> Network:
    """Five songs, each with at most two parents, and their chances."""
    graph = dag(random, songs(random, 5), arcs=5)
    network = {}
    for song in graph.nodes:
        parents = list(graph.parents(song))[:2]
        chances = {there: round(float(random.uniform(0.05, 0.95)), 2) for there in product((0, 1), repeat=len(parents))}
        network[song] = (parents, chances)
    return network


def draw_chance(random: Random) -> tuple[Network, str, list[str]]:
    network = draw_network(random)
    song, *playlist = shuffled(random, list(network))[: int(random.integers(2, 4))]
    return network, song, playlist


def draw_recommend(random: Random) -> tuple[Network, list[str], int]:
    """A network and a playlist such that no two other songs are equally probable."""
    while True:
        network = draw_network(random)
        playlist = shuffled(random, list(network))[: int(random.integers(1, 3))]
        chances = sorted(chance(network, song, playlist) for song in network if song not in playlist)
        if all(b - a > 1e-4 for a, b in pairwise(chances)):
            return network, playlist, int(random.integers(2, 4))


def as_network(network: Network) -> CategoricalNetwork:
    """The library's network with these chances."""
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
    """The probability of the song, given those that are there."""
    return float(as_network(network).posterior(song, dict.fromkeys(playlist, 1))[1])


def others_absent(network: Network, song: str, playlist: list[str]) -> float:
    """What comes out if songs that are not named count as not there."""
    return float(as_network(network).posterior(song, {s: int(s in playlist) for s in network if s != song})[1])


def together(network: Network, song: str, playlist: list[str]) -> float:
    """The probability of the song and the playlist."""
    return float(as_network(network).posterior([song, *playlist]).iloc[-1])


def ranked(network: Network, playlist: list[str], of: Any = chance) -> list[str]:
    """The songs that are not there, the most probable first."""
    others = [song for song in network if song not in playlist]
    return sorted(others, key=lambda song: -of(network, song, playlist))


# -- 16.7: is it any good? -------------------------------------------------------------------------------------
def draw_hidden(random: Random) -> tuple[dict[str, float], list[tuple[list[str], str]], int]:
    known = songs(random, 7)
    liking = dict(zip(known, (random.permutation(90)[:7] / 100 + 0.05).round(2).tolist()))
    tests = []
    for _ in range(int(random.integers(8, 13))):
        hidden, *shown = shuffled(random, known)[: int(random.integers(2, 5))]
        tests.append((shown, hidden))
    return liking, tests, int(random.integers(2, 4))


def hit_rate(liking: dict[str, float], tests: list, most: int, there: bool = False, best: bool = True) -> float:
    """How often the hidden song is among the first, not counting songs that are there."""
    hits = 0
    for shown, hidden in tests:
        others = [song for song in liking if there or song not in shown]
        hits += hidden in sorted(others, key=liking.get, reverse=best)[:most]
    return hits / len(tests)


# -- 16.8: to build --------------------------------------------------------------------------------------------
def examine_against(answer: Any, a: str, b: str, c: str) -> str:
    """c speaks for a, and b, if it is there too, against it."""
    network, problem = read_network(answer, [a, b, c])
    if problem:
        return problem
    alone, with_c, with_both = (chance(network, a, playlist) for playlist in ([], [c], [b, c]))
    told = f"{a} has probability {alone:.3f} alone, {with_c:.3f} given {c}, and {with_both:.3f} given {b} and {c}"
    if with_c < alone + 0.1:
        return f"{told}: the second should be at least 0.1 more than the first"
    if with_both > with_c - 0.1:
        return f"{told}: the third should be at least 0.1 less than the second"
    if b in network[a][0] or a in network[b][0]:
        return f"{a} and {b} are joined by an arc; it has to come about without one"
    return ""


def read_network(answer: Any, known: list[str]) -> tuple[Any, str]:
    """{song: (parents, chances)} for these songs, or what is wrong with it."""
    if not isinstance(answer, dict) or set(answer) != set(known):
        return None, (f"a network is asked for, {{song: (parents, chances)}} for {', '.join(known)}; "
                      f"you give {show(answer)}")
    network = {}
    for song in known:
        parents, problem = _read_family(song, answer[song], known)
        if problem:
            return None, problem
        network[song] = (parents, dict(answer[song][1]))
    try:
        as_network(network)
    except ValueError as error:
        return None, f"this is no network: {error}"
    return network, ""


def _read_family(song: str, family: Any, known: list[str]) -> tuple[Any, str]:
    if not (isinstance(family, tuple | list) and len(family) == 2 and isinstance(family[0], tuple | list)
            and isinstance(family[1], dict)):
        return None, f"{song} should have a pair (parents, chances), such as ([], {{(): 0.2}}); you give {show(family)}"
    parents, chances = list(family[0]), family[1]
    if any(p not in known or p == song for p in parents) or len(set(map(str, parents))) < len(parents):
        return None, f"the parents of {song} are {show(parents)}; give others of {', '.join(known)}, each once"
    wanted = set(product((0, 1), repeat=len(parents)))
    if set(chances) != wanted:
        return None, (f"the chances of {song} should have the keys {show(sorted(wanted))}; "
                      f"you give {show(list(chances))}")
    for p in chances.values():
        if isinstance(p, bool) or not isinstance(p, int | float) or not 0.001 <= p <= 0.999:
            return None, f"{show(p)} is among the chances of {song}; give numbers from 0.001 to 0.999"
    return parents, ""


def against(a: str, b: str, c: str) -> Network:
    """Two songs, either of which brings the third."""
    return {a: ([], {(): 0.2}), b: ([], {(): 0.2}),
            c: ([a, b], {(0, 0): 0.01, (0, 1): 0.9, (1, 0): 0.9, (1, 1): 0.95})}


SMALL = [["Hit 1", "Hit 2"], ["Hit 1"], ["Hit 1", "Hit 2", "Hit 1", "Artist 1"], ["Artist 1"], ["Hit 2"]]

QUESTIONS = (
    Question("16.1", "Given that it is there", "share", "one line", draw_share, share,
             first=((SMALL, "Hit 2", "Hit 1"),), mistakes={
                 "only the playlists that have the given song count, not all":
                     lambda playlists, song, given: sum({song, given} <= set(p) for p in playlists) / len(playlists),
                 "the two songs are swapped; divide by the playlists that have the given one":
                     lambda playlists, song, given: share(playlists, given, song),
                 "this is the share among all playlists, whatever else they have":
                     lambda playlists, song, given: sum(song in p for p in playlists) / len(playlists),
             }),
    Question("16.2", "Playlists as columns", "columns", "three lines", draw_columns, columns,
             first=((SMALL, ["Artist 1", "Hit 1"]),), mistakes={
                 "a song that is twice in a playlist is there all the same: 1":
                     lambda playlists, songs: {s: [p.count(s) for p in playlists] for s in songs},
                 "1 means that the song is there, 0 that it is not":
                     lambda playlists, songs: {s: [int(s not in p) for p in playlists] for s in songs},
             }),
    Question("16.3", "What hangs together", "parts", "function", draw_lines, parts, points=2,
             first=((["A", "B", "C", "D"], [("A", "C")]),),
             withheld=("networkx.algorithms", "networkx.utils.union_find", "scipy.sparse.csgraph",
                       "graphs.reachability.reachable"), mistakes={
                 "a node without lines is a part of its own":
                     lambda nodes, lines: {p for p in parts(nodes, lines) if len(p) > 1},
             }),
    Question("16.4", "Never say never", "smoothed", "three lines", draw_family, smoothed, points=2,
             withheld=("models",), mistakes={
                 "one playlist is imagined for each of the two cells, so two are added below": lambda t, song, parents:
                     smoothed(t, song, parents, 1, 1),
                 "nothing is added to the count above": lambda t, song, parents: smoothed(t, song, parents, 0, 2),
                 "these are the fractions of the data, without anything imagined": lambda t, song, parents:
                     smoothed(t, song, parents, 0, 0),
             }),
    Question("16.5", "How probable is a song?", "chance", "function", draw_chance, chance, points=3, withheld=NETWORKS,
             mistakes={
                 "a song that is not named is not known; it may be there or not, so sum over both": others_absent,
                 "this is the probability of the song together with the playlist; divide by that of the playlist":
                     together,
                 "this is its probability without the playlist": lambda network, song, playlist:
                     chance(network, song, []),
             }),
    Question("16.6", "Recommend", "recommend", "function", draw_recommend,
             lambda network, playlist, most: ranked(network, playlist)[:most], points=2, draws=8, withheld=NETWORKS,
             mistakes={
                 "the least probable come first": lambda network, playlist, most:
                     ranked(network, playlist)[::-1][:most],
                 "this ranks them as if there were no playlist": lambda network, playlist, most:
                     [s for s in ranked(network, []) if s not in playlist][:most],
                 "songs that are not named count as not known, and not as not there": lambda network, playlist, most:
                     ranked(network, playlist, others_absent)[:most],
             }),
    Question("16.7", "Hit rate, line by line", "hit_rate", "lines in order", draw_hidden, hit_rate, points=2,
             withheld=("models.recommender",), mistakes={
                 "songs that are in the playlist already should not be recommended": lambda liking, tests, most:
                     hit_rate(liking, tests, most, there=True),
                 "what is liked most comes first": lambda liking, tests, most:
                     hit_rate(liking, tests, most, best=False),
                 "this is the number of hits; the rate is what part of all tests they are": lambda liking, tests, most:
                     hit_rate(liking, tests, most) * len(tests),
             }),
    Question("16.8", "A song that speaks against another", "speaks_against", "build",
             lambda random: tuple(songs(random, 3)), against, points=3, examine=examine_against),
)
