"""Wrong programs for questions 16.1 to 16.4; q16_networks.py has the others."""

from __future__ import annotations

from itertools import chain, product

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
