"""Exercise 16: from playlists to a recommendation. Lesson 16_music_recommender."""

from __future__ import annotations

from itertools import product
from typing import Any

from bnteach.course.comparing import show
from bnteach.course.exercises.questions.base import Question
from bnteach.course.exercises.questions.inputs16 import (
    Network,
    Playlists,
    as_network,
    chance,
    draw_chance,
    draw_columns,
    draw_edges,
    draw_family,
    draw_hidden,
    draw_recommend,
    draw_share,
    empty_and_equal,
    explained_away,
    explained_recommend,
    long_paths,
    rare_parents,
    repeated,
    songs,
)
from bnteach.tables.table import Table

NETWORKS = ("models", "models.recommender")


# -- 16.1 to 16.3: playlists, columns, components--------------------------------------------------------------
def share(playlists: Playlists, song: str, given: str) -> float:
    """Of the playlists that contain `given`, the fraction that also contains the song."""
    both = sum(song in playlist and given in playlist for playlist in playlists)
    return both / sum(given in playlist for playlist in playlists)


def columns(playlists: Playlists, songs: list[str]) -> dict[str, list[int]]:
    return {song: [int(song in playlist) for playlist in playlists] for song in songs}


def components(nodes: list[str], edges: list[tuple[str, str]]) -> set[frozenset[str]]:
    """The connected components, by networkx."""
    import networkx as nx

    graph = nx.Graph(edges)
    graph.add_nodes_from(nodes)
    return set(map(frozenset, nx.connected_components(graph)))


# -- 16.4 to 16.6: CPTs and inference --------------------------------------------------------------------------
def smoothed(t: Table, song: str, parents: list[str], top: float = 1, bottom: float = 2) -> dict:
    """The probability of the song for each combination of its parents' states, with pseudo-counts."""
    counts = t.counts(*parents, song)
    return {there: (int(counts[there][1]) + top) / (int(counts[there].sum()) + bottom)
            for there in product((0, 1), repeat=len(parents))}


def others_absent(network: Network, song: str, playlist: list[str]) -> float:
    """The result if songs outside the playlist count as absent."""
    return float(as_network(network).posterior(song, {s: int(s in playlist) for s in network if s != song})[1])


def together(network: Network, song: str, playlist: list[str]) -> float:
    """The joint probability of the song and the playlist."""
    return float(as_network(network).posterior([song, *playlist]).iloc[-1])


def ranked(network: Network, playlist: list[str], of: Any = chance) -> list[str]:
    """The songs that are not in the playlist, the most probable first."""
    others = [song for song in network if song not in playlist]
    return sorted(others, key=lambda song: -of(network, song, playlist))


# -- 16.7: the hit rate -----------------------------------------------------------------------------------------
def hit_rate(liking: dict[str, float], tests: list, n: int, there: bool = False, best: bool = True) -> float:
    """The fraction of tests in which the hidden song is among the first n, songs of the playlist excluded."""
    hits = 0
    for shown, hidden in tests:
        others = [song for song in liking if there or song not in shown]
        hits += hidden in sorted(others, key=liking.get, reverse=best)[:n]
    return hits / len(tests)


# -- 16.8: to build --------------------------------------------------------------------------------------------
def examine_against(answer: Any, a: str, b: str, c: str) -> str:
    """c makes a more probable, and b together with c less probable again."""
    network, problem = read_network(answer, [a, b, c])
    if problem:
        return problem
    alone, with_c, with_both = (chance(network, a, playlist) for playlist in ([], [c], [b, c]))
    found = f"{a} has probability {alone:.3f} marginally, {with_c:.3f} given {c}, and {with_both:.3f} given {b} and {c}"
    if with_c < alone + 0.1:
        return f"{found}: the second should be at least 0.1 more than the first"
    if with_both > with_c - 0.1:
        return f"{found}: the third should be at least 0.1 less than the second"
    if b in network[a][0] or a in network[b][0]:
        return f"there is an arc between {a} and {b}; find a network without one"
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
        return None, f"this is not a network: {error}"
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
            return None, f"{show(p)} is among the probabilities of {song}; give numbers from 0.001 to 0.999"
    return parents, ""


def against(a: str, b: str, c: str) -> Network:
    """Two songs, either of which makes the third probable."""
    return {a: ([], {(): 0.2}), b: ([], {(): 0.2}),
            c: ([a, b], {(0, 0): 0.01, (0, 1): 0.9, (1, 0): 0.9, (1, 1): 0.95})}


SMALL = [["Hit 1", "Hit 2"], ["Hit 1"], ["Hit 1", "Hit 2", "Hit 1", "Artist 1"], ["Artist 1"], ["Hit 2"]]

QUESTIONS = (
    Question("16.1", "A conditional probability", "share", "one line", draw_share, share,
             first=((SMALL, "Hit 2", "Hit 1"),), adversarial=repeated, mistakes={
                 "divide by the number of playlists that contain the given song, not by that of all playlists":
                     lambda playlists, song, given: sum({song, given} <= set(p) for p in playlists) / len(playlists),
                 "the two songs are swapped; divide by the number of playlists that contain the given one":
                     lambda playlists, song, given: share(playlists, given, song),
                 "a playlist counts once, even if it contains a song twice": lambda playlists, song, given:
                     sum(p.count(song) for p in playlists if given in p) / sum(given in p for p in playlists),
                 "this is the marginal probability of the song":
                     lambda playlists, song, given: sum(song in p for p in playlists) / len(playlists),
             }),
    Question("16.2", "Playlists as columns", "columns", "three lines", draw_columns, columns,
             first=((SMALL, ["Artist 1", "Hit 1"]),), adversarial=empty_and_equal, mistakes={
                 "a song that occurs twice in a playlist still counts as 1":
                     lambda playlists, songs: {s: [p.count(s) for p in playlists] for s in songs},
                 "an empty playlist has a 0 in each column": lambda playlists, songs: columns([*filter(None, playlists)], songs),
                 "1 means that the playlist contains the song, 0 that it does not":
                     lambda playlists, songs: {s: [int(s not in p) for p in playlists] for s in songs},
             }),
    Question("16.3", "Connected components", "components", "function", draw_edges, components, points=2,
             first=((["A", "B", "C", "D"], [("A", "C")]),), adversarial=long_paths,
             withheld=("networkx.algorithms", "networkx.utils.union_find", "scipy.sparse.csgraph", "scipy.cluster",
                       "scipy._lib._disjoint_set", "graphs.reachability.reachable"), mistakes={
                 "a node without edges is a component of its own":
                     lambda nodes, edges: {c for c in components(nodes, edges) if len(c) > 1},
                 "a component also has the neighbours of neighbours, and so on":
                     lambda nodes, edges: {frozenset({x, *(y for edge in edges if x in edge for y in edge)}) for x in nodes},
             }),
    Question("16.4", "Pseudo-counts", "smoothed", "three lines", draw_family, smoothed, points=2,
             adversarial=rare_parents, withheld=("models",), mistakes={
                 "the pseudo-count is one for each of the two cells, so add two in the denominator": lambda t, song, parents:
                     smoothed(t, song, parents, 1, 1),
                 "the pseudo-count is missing in the numerator": lambda t, song, parents: smoothed(t, song, parents, 0, 2),
                 "a combination that never occurs also has a probability, 1/2": lambda t, song, parents:
                     {there: p for there, p in smoothed(t, song, parents).items() if t.counts(*parents)[there]},
                 "these are the relative frequencies, without pseudo-counts": lambda t, song, parents:
                     smoothed(t, song, parents, 0, 0),
             }),
    Question("16.5", "How probable is a song?", "chance", "function", draw_chance, chance, points=3,
             adversarial=explained_away, withheld=NETWORKS, mistakes={
                 "a song outside the playlist is unobserved, not absent: sum over both of its states": others_absent,
                 "this is the joint probability of the song and the playlist; divide by that of the playlist":
                     together,
                 "all songs of the playlist are given, not only the first": lambda network, song, playlist:
                     chance(network, song, playlist[:1]),
                 "all songs of the playlist are given, not only the last": lambda network, song, playlist:
                     chance(network, song, playlist[-1:]),
                 "this is the marginal probability of the song": lambda network, song, playlist:
                     chance(network, song, []),
             }),
    Question("16.6", "Recommend", "recommend", "function", draw_recommend,
             lambda network, playlist, n: ranked(network, playlist)[:n], points=2, draws=8,
             adversarial=explained_recommend, withheld=NETWORKS, mistakes={
                 "the least probable songs come first; the most probable should": lambda network, playlist, n:
                     ranked(network, playlist)[::-1][:n],
                 "this ranks the songs by their marginal probabilities": lambda network, playlist, n:
                     [s for s in ranked(network, []) if s not in playlist][:n],
                 "songs outside the playlist are unobserved, not absent": lambda network, playlist, n:
                     ranked(network, playlist, others_absent)[:n],
             }),
    Question("16.7", "Hit rate, line by line", "hit_rate", "lines in order", draw_hidden, hit_rate, points=2, draws=6,
             withheld=("models.recommender",), mistakes={
                 "songs that are already in the playlist should not be recommended": lambda liking, tests, n:
                     hit_rate(liking, tests, n, there=True),
                 "the most liked songs come first": lambda liking, tests, n:
                     hit_rate(liking, tests, n, best=False),
                 "this is the number of hits; divide by the number of tests": lambda liking, tests, n:
                     hit_rate(liking, tests, n) * len(tests),
             }),
    Question("16.8", "A song that makes another less probable", "speaks_against", "build",
             lambda random: tuple(songs(random, 3)), against, points=3, examine=examine_against),
)
