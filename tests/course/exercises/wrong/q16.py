"""Wrong programs for exercise 16."""

from __future__ import annotations

from itertools import chain, product
from math import prod

from tests.course.exercises.wrong import wrong


# -- 16.1: a conditional probability -----------------------------------------------------------------------------
def both(playlists, song, given):
    return sum(song in p and given in p for p in playlists)


def containing(playlists, song):
    return sum(song in p for p in playlists)


def wrong_share(mistake, of):
    wrong("16.1", mistake)(of)


wrong_share("divided by the number of playlists", lambda ps, song, given: both(ps, song, given) / len(ps))
wrong_share("the songs are swapped", lambda ps, song, given: both(ps, song, given) / containing(ps, song))
wrong_share("the marginal probability", lambda ps, song, given: containing(ps, song) / len(ps))
wrong_share("divided by the playlists with either song",
            lambda ps, song, given: both(ps, song, given) / sum(song in p or given in p for p in ps))
wrong_share("the song without the given one", lambda ps, song, given: 1 - both(ps, song, given) / containing(ps, given))
wrong_share("all with the song, over those with the given one",
            lambda ps, song, given: containing(ps, song) / containing(ps, given))
wrong_share("a song that occurs twice counts twice",
            lambda ps, song, given: sum(p.count(song) for p in ps if given in p) / containing(ps, given))
wrong_share("a given song that occurs twice counts twice",
            lambda ps, song, given: both(ps, song, given) / sum(p.count(given) for p in ps))
wrong_share("the given song must come first", lambda ps, song, given: sum(
    given in p and song in p[p.index(given):] for p in ps) / containing(ps, given))
wrong_share("equal playlists count once", lambda ps, song, given: both(
    distinct := [*map(list, {tuple(p) for p in ps})], song, given) / containing(distinct, given))
wrong_share("True or False", lambda ps, song, given: bool(both(ps, song, given)))
wrong_share("the number, not the fraction", lambda ps, song, given: both(ps, song, given))

# -- 16.2: playlists as columns ----------------------------------------------------------------------------------
wrong("16.2", "how often, not whether")(lambda ps, songs: {s: [p.count(s) for p in ps] for s in songs})
wrong("16.2", "0 and 1 are swapped")(lambda ps, songs: {s: [int(s not in p) for p in ps] for s in songs})
wrong("16.2", "all songs")(lambda ps, songs: {s: [int(s in p) for p in ps] for s in {*chain(*ps), *songs}})
wrong("16.2", "rows in place of columns")(lambda ps, songs: [[int(s in p) for s in songs] for p in ps])
wrong("16.2", "playlists with none of the songs are left out")(
    lambda ps, songs: {s: [int(s in p) for p in ps if set(p) & set(songs)] for s in songs})
wrong("16.2", "empty playlists are left out")(lambda ps, songs: {s: [int(s in p) for p in ps if p] for s in songs})
wrong("16.2", "equal playlists count once")(
    lambda ps, songs: {s: [int(s in p) for p in dict.fromkeys(map(tuple, ps))] for s in songs})
wrong("16.2", "songs that never occur are left out")(
    lambda ps, songs: {s: [int(s in p) for p in ps] for s in songs if s in chain(*ps)})
wrong("16.2", "the last song only")(lambda ps, songs: {s: [int(s in p) for p in ps] for s in songs[-1:]})
wrong("16.2", "one column for all songs")(lambda ps, songs: {s: [int(songs[0] in p) for p in ps] for s in songs})
wrong("16.2", "the position of the song")(
    lambda ps, songs: {s: [p.index(s) + 1 if s in p else 0 for p in ps] for s in songs})
wrong("16.2", "the first song of a playlist only")(
    lambda ps, songs: {s: [int(p[:1] == [s]) for p in ps] for s in songs})


# -- 16.3: connected components ----------------------------------------------------------------------------------
def neighbours(node, edges, directed=False):
    return {b for a, b in edges if a == node} | (set() if directed else {a for a, b in edges if b == node})


def within(node, edges, steps, directed=False):
    """The nodes that at most so many edges lead to."""
    near = {node}
    for _ in range(steps):
        near |= {other for one in near for other in neighbours(one, edges, directed)}
    return frozenset(near)


def wrong_reach(mistake, steps, directed=False):
    wrong("16.3", mistake)(lambda nodes, edges: {within(node, edges, steps, directed) for node in nodes})


wrong_reach("neighbours only", 1)
wrong_reach("neighbours of neighbours only", 2)
wrong_reach("at most three edges away", 3)
wrong_reach("at most four edges away", 4)
wrong_reach("along the direction of the pairs only", 99, directed=True)
wrong("16.3", "nodes without edges are forgotten")(
    lambda nodes, edges: {within(node, edges, 99) for edge in edges for node in edge})
wrong("16.3", "the first component only")(lambda nodes, edges: [within(nodes[0], edges, 99)])
wrong("16.3", "two components: the first, and the rest")(
    lambda nodes, edges: [first := within(nodes[0], edges, 99), {*nodes} - first])
wrong("16.3", "everything is one component")(lambda nodes, edges: [set(nodes)])
wrong("16.3", "every edge is a component")(lambda nodes, edges: [
    *map(set, edges), *({node} for node in nodes if not neighbours(node, edges))])


@wrong("16.3", "an edge joins the first component that it touches, and two are never merged")
def never_merged(nodes, edges):
    found = []
    for edge in edges:
        for one in found:
            if one & set(edge):
                one |= set(edge)
                break
        else:
            found.append(set(edge))
    return [*found, *({node} for node in nodes if not any(node in one for one in found))]


@wrong("16.3", "only the two ends of an edge change their component")
def labels(nodes, edges):
    label = {node: node for node in nodes}
    for a, b in edges:
        label[a] = label[b] = min(label[a], label[b])
    return [{node for node in nodes if label[node] == one} for one in set(label.values())]


@wrong("16.3", "one pass: the second end takes the component of the first")
def one_pass(nodes, edges):
    label = {node: node for node in nodes}
    for a, b in edges:
        label[b] = label[a]
    return [{node for node in nodes if label[node] == one} for one in set(label.values())]


@wrong("16.3", "two passes over the edges")
def two_passes(nodes, edges):
    label = {node: node for node in nodes}
    for a, b in [*edges, *edges]:
        label[a] = label[b] = min(label[a], label[b])
    return [{node for node in nodes if label[node] == one} for one in set(label.values())]


# -- 16.4: pseudo-counts -----------------------------------------------------------------------------------------
def wrong_smoothed(mistake, of):
    """`of(without, having, total)` is the probability, total being the number of playlists."""
    wrong("16.4", mistake)(lambda table, song, parents: {
        there: of(*map(int, table.counts(*parents, song)[there]), len(table))
        for there in product((0, 1), repeat=len(parents))})


wrong_smoothed("no pseudo-count in the denominator", lambda out, having, total: (having + 1) / max(1, out + having))
wrong_smoothed("one in the denominator", lambda out, having, total: (having + 1) / (out + having + 1))
wrong_smoothed("none in the numerator", lambda out, having, total: having / (out + having + 2))
wrong_smoothed("no pseudo-counts", lambda out, having, total: having / (out + having) if out + having else 0.5)
wrong_smoothed("only where the combination never occurs, or else the probability is 0 or 1", lambda out, having, total:
               having / (out + having) if out and having else (having + 1) / (out + having + 2))
wrong_smoothed("only where a count is 0", lambda out, having, total:
               (having or 1) / ((having or 1) + (out or 1)))
wrong_smoothed("pseudo-counts of one half", lambda out, having, total: (having + 0.5) / (out + having + 1))
wrong_smoothed("the probability without the song", lambda out, having, total: (out + 1) / (out + having + 2))
wrong_smoothed("divided by the number of playlists", lambda out, having, total: (having + 1) / (total + 2))
wrong_smoothed("0 where the combination never occurs", lambda out, having, total:
               (having + 1) / (out + having + 2) if out + having else 0.0)
wrong_smoothed("the odds", lambda out, having, total: (having + 1) / (out + 1))


@wrong("16.4", "the parents are swapped")
def swapped(table, song, parents):
    counts = table.counts(*parents, song)
    return {there: (counts[there[::-1]][1] + 1) / (counts[there[::-1]].sum() + 2)
            for there in product((0, 1), repeat=len(parents))}


@wrong("16.4", "a pseudo-count per combination of the parents in the denominator")
def per_combination(table, song, parents):
    counts = table.counts(*parents, song)
    return {there: (counts[there][1] + 1) / (counts[there].sum() + 2 ** len(parents))
            for there in product((0, 1), repeat=len(parents))}


@wrong("16.4", "combinations that never occur are left out")
def left_out(table, song, parents):
    counts = table.counts(*parents, song)
    return {there: (counts[there][1] + 1) / (counts[there].sum() + 2)
            for there in product((0, 1), repeat=len(parents)) if counts[there].sum()}


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
