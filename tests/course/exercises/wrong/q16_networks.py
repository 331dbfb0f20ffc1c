"""Wrong programs for questions 16.5 to 16.8."""

from __future__ import annotations

from itertools import product
from math import prod

from tests.course.exercises.wrong import wrong


# -- 16.5: how probable a song is --------------------------------------------------------------------------------
def joint(network, row):
    return prod(chances[tuple(row[parent] for parent in parents)] if row[song] else
                1 - chances[tuple(row[parent] for parent in parents)] for song, (parents, chances) in network.items())


def rows(network):
    return [dict(zip(network, states)) for states in product((0, 1), repeat=len(network))]


def chance(network, song, playlist, keep=lambda row, playlist: all(row[s] for s in playlist)):
    kept = [(row, joint(network, row)) for row in rows(network) if keep(row, playlist)]
    return sum(p for row, p in kept if row[song]) / sum(p for _, p in kept)


def forwards(network, song, playlist):
    """The evidence is passed from parents to children only."""
    if song in playlist:
        return 1.0
    parents, chances = network[song]
    states = [(1 - p, p) for p in (forwards(network, parent, playlist) for parent in parents)]
    return sum(prod(of[s] for of, s in zip(states, there)) * chances[there] for there in chances)


def others_absent(network, song, playlist):
    kept = [row for row in rows(network) if all(row[s] == (s in playlist) for s in network if s != song)]
    return sum(joint(network, row) for row in kept if row[song]) / sum(joint(network, row) for row in kept)


def product_of_single(network, song, playlist):
    return prod(chance(network, song, [one]) for one in playlist)


def naive(network, song, playlist):
    """The songs of the playlist are independent of each other given the song."""
    states = [chance(network, song, [])]
    for_1 = states[0] * prod(chance(network, one, [song]) for one in playlist)
    for_0 = (1 - states[0]) * prod(
        sum(joint(network, r) for r in rows(network) if r[one] and not r[song]) / (1 - states[0]) for one in playlist)
    return for_1 / (for_0 + for_1)


wrong("16.5", "songs outside the playlist count as absent")(others_absent)
wrong("16.5", "not normalised")(lambda network, song, playlist: sum(
    joint(network, row) for row in rows(network) if row[song] and all(row[s] for s in playlist)))
wrong("16.5", "the playlist is ignored")(lambda network, song, playlist: chance(network, song, []))
wrong("16.5", "from parents to children only")(forwards)
wrong("16.5", "the first song of the playlist only")(
    lambda network, song, playlist: chance(network, song, playlist[:1]))
wrong("16.5", "the last song of the playlist only")(
    lambda network, song, playlist: chance(network, song, playlist[-1:]))
wrong("16.5", "one of the playlist's songs is enough")(
    lambda network, song, playlist: chance(
        network, song, playlist, lambda row, some: any(row[s] for s in some) or not some))
wrong("16.5", "the product of the probabilities given one song")(product_of_single)
wrong("16.5", "naive Bayes")(naive)
wrong("16.5", "absent parents where they are not in the playlist")(
    lambda network, song, playlist: network[song][1][tuple(int(p in playlist) for p in network[song][0])])
wrong("16.5", "five songs")(lambda network, song, playlist: chance(dict(list(network.items())[:5]), song, playlist))
wrong("16.5", "the first parent only")(lambda network, song, playlist: chance(
    {s: (parents[:1], {there[:1]: p for there, p in reversed(chances.items()) if not any(there[1:])})
     for s, (parents, chances) in network.items()}, song, playlist))
wrong("16.5", "the parents in the order of the network")(lambda network, song, playlist: chance(
    {s: (sorted(parents, key=list(network).index), chances) for s, (parents, chances) in network.items()},
    song, playlist))
wrong("16.5", "the odds")(
    lambda network, song, playlist: chance(network, song, playlist) / (1 - chance(network, song, playlist)))
wrong("16.5", "divided by the song's probability")(
    lambda network, song, playlist: prod([chance(network, one, [song]) for one in playlist]))


# -- 16.6: recommend ---------------------------------------------------------------------------------------------
def ranked(network, playlist, of=chance, others=lambda network, playlist: [s for s in network if s not in playlist]):
    return sorted(others(network, playlist), key=lambda song: of(network, song, playlist), reverse=True)


wrong("16.6", "the least probable first")(lambda network, playlist, n: ranked(network, playlist)[::-1][:n])
wrong("16.6", "by marginal probabilities")(
    lambda network, playlist, n: [s for s in ranked(network, []) if s not in playlist][:n])
wrong("16.6", "songs outside the playlist count as absent")(
    lambda network, playlist, n: ranked(network, playlist, others_absent)[:n])
wrong("16.6", "songs of the playlist too")(
    lambda network, playlist, n: ranked(network, playlist, others=lambda network, _: list(network))[:n])
wrong("16.6", "first ranked, then without the playlist")(
    lambda network, playlist, n: [s for s in ranked(network, playlist, others=lambda network, _: list(network))[:n]
                                  if s not in playlist])
wrong("16.6", "all songs")(lambda network, playlist, n: ranked(network, playlist))
wrong("16.6", "one song more")(lambda network, playlist, n: ranked(network, playlist)[:n + 1])
wrong("16.6", "two songs, whatever is asked for")(lambda network, playlist, n: ranked(network, playlist)[:2])
wrong("16.6", "not sorted")(lambda network, playlist, n: [s for s in network if s not in playlist][:n])
wrong("16.6", "the right songs in the order of the network")(
    lambda network, playlist, n: [s for s in network if s in ranked(network, playlist)[:n]])
wrong("16.6", "given the first song only")(
    lambda network, playlist, n: [s for s in ranked(network, playlist[:1]) if s not in playlist][:n])
wrong("16.6", "given the last song only")(
    lambda network, playlist, n: [s for s in ranked(network, playlist[-1:]) if s not in playlist][:n])
wrong("16.6", "from parents to children only")(lambda network, playlist, n: ranked(network, playlist, forwards)[:n])
wrong("16.6", "naive Bayes")(lambda network, playlist, n: ranked(network, playlist, naive)[:n])
wrong("16.6", "what the song says about the playlist")(
    lambda network, playlist, n: ranked(network, playlist, lambda net, song, some: prod(
        chance(net, one, [song]) for one in some))[:n])
wrong("16.6", "by how much the playlist raises the probability")(
    lambda network, playlist, n: ranked(network, playlist, lambda net, song, some:
                                        chance(net, song, some) - chance(net, song, []))[:n])
wrong("16.6", "with their probabilities")(
    lambda network, playlist, n: [(s, chance(network, s, playlist)) for s in ranked(network, playlist)[:n]])


# -- 16.7: the hit rate ------------------------------------------------------------------------------------------
def hit_rate(liking, tests, n, others=lambda liking, shown: [s for s in liking if s not in shown], best=True,
             divide=lambda tests, n: len(tests)):
    hits = sum(hidden in sorted(others(liking, shown), key=liking.get, reverse=best)[:n] for shown, hidden in tests)
    return hits / divide(tests, n)


wrong("16.7", "songs of the playlist are recommended too")(
    lambda *arguments: hit_rate(*arguments, others=lambda liking, shown: list(liking)))
wrong("16.7", "the least liked first")(lambda *arguments: hit_rate(*arguments, best=False))
wrong("16.7", "the number of hits")(lambda *arguments: hit_rate(*arguments, divide=lambda tests, n: 1))
wrong("16.7", "divided by the number of recommendations")(
    lambda *arguments: hit_rate(*arguments, divide=lambda tests, n: n * len(tests)))
wrong("16.7", "divided by n")(lambda *arguments: hit_rate(*arguments, divide=lambda tests, n: n))
wrong("16.7", "one song more")(lambda liking, tests, n: hit_rate(liking, tests, n + 1))
wrong("16.7", "one song less")(lambda liking, tests, n: hit_rate(liking, tests, n - 1))
wrong("16.7", "the first song only")(lambda liking, tests, n: hit_rate(liking, tests, 1))
wrong("16.7", "not sorted")(lambda liking, tests, n: sum(
    hidden in [s for s in liking if s not in shown][:n] for shown, hidden in tests) / len(tests))
wrong("16.7", "returns in the loop")(lambda liking, tests, n: hit_rate(liking, tests[:1], n) / len(tests))
wrong("16.7", "the hits are set to 0 in the loop")(
    lambda liking, tests, n: hit_rate(liking, tests[-1:], n) / len(tests))
wrong("16.7", "the misses")(lambda *arguments: 1 - hit_rate(*arguments))
wrong("16.7", "the recommendations of the first test for all")(
    lambda liking, tests, n: hit_rate(liking, [(tests[0][0], hidden) for _, hidden in tests], n))
wrong("16.7", "each different test once")(lambda liking, tests, n: hit_rate(
    liking, sorted({(tuple(shown), hidden) for shown, hidden in tests}), n))
wrong("16.7", "sorted by name")(lambda liking, tests, n: sum(
    hidden in sorted(s for s in liking if s not in shown)[:n] for shown, hidden in tests) / len(tests))


# -- 16.8: a song that makes another less probable ---------------------------------------------------------------
def wrong_network(mistake, a, b, c):
    """Each is (parents, chances), the parents as letters."""
    @wrong("16.8", mistake)
    def speaks_against(*songs):
        name = dict(zip("abc", songs))
        return {song: ([name[parent] for parent in parents], chances)
                for song, (parents, chances) in zip(songs, (a, b, c))}


ALONE = ("", {(): 0.3})
wrong_network("independent songs", ALONE, ALONE, ALONE)
wrong_network("c causes both", ("c", {(0,): 0.1, (1,): 0.9}), ("c", {(0,): 0.9, (1,): 0.1}), ALONE)
wrong_network("a chain from a to b", ALONE, ("c", {(0,): 0.1, (1,): 0.9}), ("a", {(0,): 0.1, (1,): 0.9}))
wrong_network("an arc between a and b", ALONE, ("a", {(0,): 0.9, (1,): 0.1}), ("ab", {
    (0, 0): 0.02, (0, 1): 0.9, (1, 0): 0.9, (1, 1): 0.9}))
wrong_network("c needs both", ALONE, ALONE, ("ab", {(0, 0): 0.02, (0, 1): 0.1, (1, 0): 0.1, (1, 1): 0.9}))
wrong_network("c is probable anyway", ALONE, ALONE, ("ab", {(0, 0): 0.8, (0, 1): 0.9, (1, 0): 0.9, (1, 1): 0.9}))
wrong_network("a and b are both common", ("", {(): 0.9}), ("", {(): 0.9}), ("ab", {
    (0, 0): 0.02, (0, 1): 0.9, (1, 0): 0.9, (1, 1): 0.9}))
wrong_network("probabilities of 0 and 1", ALONE, ALONE, ("ab", {(0, 0): 0, (0, 1): 1, (1, 0): 1, (1, 1): 1}))
wrong_network("a cycle", ("c", {(0,): 0.1, (1,): 0.9}), ALONE, ("ab", {
    (0, 0): 0.02, (0, 1): 0.9, (1, 0): 0.9, (1, 1): 0.9}))
