"""Tables that are constructed so that a common mistake shows; names, columns and rows are drawn.

The parity of some coins depends on all of them together and on none of their subsets; the number of heads depends on
each; a pair of variables may determine another, and neither of them tell anything about it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import permutations

import numpy as np

import bnteach as bn
from bnteach.course.exercises.questions.inputs import Random, dag, disguised, names, shuffled

Column = np.ndarray
Family = tuple[bn.MDL, str, list[str]]  # a score, a child, and the other variables


def named(random: Random, columns: Iterable[Column]) -> Family:
    """The columns under drawn names, in alphabetical order; then the first column's name, and those of the others."""
    columns = list(columns)
    labels = shuffled(random, names(random, len(columns)))
    by_name = {name: column.astype(int).tolist() for name, column in zip(labels, columns)}
    return bn.MDL({name: by_name[name] for name in sorted(labels)}), labels[0], labels[1:]


def coins(random: Random, n: int, low: int, high: int) -> Column:
    """n fair coins, tossed at least `low` and less than `high` times."""
    return random.integers(2, size=(n, int(random.integers(low, high))))


def balanced(random: Random, n: int, copies: int) -> Column:
    """n coins; each combination of them occurs equally often."""
    rows = random.permutation(copies << n)
    return np.stack([rows >> i & 1 for i in range(n)])


def wrong_at(random: Random, column: Column, share: float) -> Column:
    """The same column of 0 and 1, with the other value in this share of the rows."""
    return column ^ (random.permutation(len(column)) < round(share * len(column)))


def parity_of(random: Random, n: int, low: int, high: int) -> Family:
    """The parity of n coins, the coins, and one coin more."""
    tosses = coins(random, n + 1, low, high)
    return named(random, [tosses[:n].sum(axis=0) % 2, *tosses])


def heads_of(random: Random, n: int, low: int, high: int) -> Family:
    """The number of heads among n coins, the coins, and one coin more."""
    tosses = coins(random, n + 1, low, high)
    return named(random, [tosses[:n].sum(axis=0), *tosses])


def parity_and_copy(random: Random) -> Family:
    """The parity of three coins, the coins, a coin more, and a variable that equals the parity in 4 of 5 rows."""
    tosses = coins(random, 4, 40, 60)
    child = tosses[:3].sum(axis=0) % 2
    return named(random, [child, *tosses, wrong_at(random, child, 0.2)])


def hidden_pair(random: Random) -> Family:
    """The parity of two of three coins, and the coins. No coin alone tells anything about it."""
    tosses = balanced(random, 3, int(random.integers(3, 7)))
    return named(random, [tosses[0] ^ tosses[1], *tosses])


def many_states(random: Random) -> Family:
    """A child; a variable that nearly determines it; the same with a coin beside it, four states; and a worse one."""
    tosses = coins(random, 2, 40, 60)
    columns = [wrong_at(random, tosses[0], 0.1), tosses[0], 2 * tosses[0] + tosses[1], wrong_at(random, tosses[0], 0.3)]
    return named(random, columns)


def nothing_gained(random: Random) -> Family:
    """16 rows: the first variable, with three states, raises the child's fit by 4 bits, and the penalty by just as much;
    the second is independent of the child."""
    return named(random, np.array([[0, 1] * 8, [0] * 12 + [1, 2, 1, 2], [0, 0, 1, 1] * 4])[:, random.permutation(16)])


def ranks_exchanged(random: Random) -> Family:
    """The number of heads of a coin, of one that is often like it, and of a third, which is the worst candidate on its
    own, and the best once one of the others is a parent."""
    a, c = coins(random, 2, 200, 230)
    b = wrong_at(random, a, 0.15)
    return named(random, [a + b + c, a, b, c])


def two_pairs(random: Random) -> Family:
    """Each of two pairs determines the child, and no variable alone says anything about it. A program that
    leaves out one variable at a time starts with that of four states, although its pair has fewer parameters (2 x 4)
    than the other (3 x 3)."""
    child, u, w = balanced(random, 3, int(random.integers(8, 11)))
    a, other = random.integers(3, size=child.size), random.integers(1, 3, size=child.size)
    b = (np.where(child == 1, 0, other) - a) % 3
    return named(random, [child, u, 2 * w + (u ^ child), a, b])


def xor_like(random: Random) -> bn.MDL:
    """Two coins, whether they differ (with an error in few rows), and a noisy copy of the latter."""
    rows = int(random.integers(10, 20))
    a, b = random.integers(2, size=rows), random.integers(2, size=rows)
    c = (a ^ b) ^ (random.random(rows) < 0.06)
    d = c ^ (random.random(rows) < random.uniform(0.15, 0.5))
    mixed = shuffled(random, names(random, 4))
    columns = {name: column.astype(int).tolist() for name, column in zip(mixed, (a, b, c, d))}
    if any(len(set(column)) < 2 for column in columns.values()):
        return xor_like(random)
    return bn.MDL({name: columns[name] for name in sorted(columns)})


def three_swaps(random: Random) -> tuple[bn.MDL, list[str]]:
    """An order that two swaps in its left part and one in its right part improve, that on the right most of all. On the
    right a parity is hidden, which K3 does not find; on the left a majority, in front of two of its three causes."""
    a, b, c, d, low, high = balanced(random, 6, int(random.integers(1, 3)))
    right = [d, d ^ low, 2 * high + low]
    score, first, others = named(random, [a, (a + b + c) >= 2, b, c, *right])
    return score, [first, *others]


def last_but_one(random: Random) -> tuple[bn.MDL, list[str]]:
    """The number of heads of four coins modulo 3, before the last of the coins. It should come last, with four parents;
    with at most three it should not."""
    tosses = coins(random, 4, 120, 150)
    score, child, (*first, last) = named(random, [tosses.sum(axis=0) % 3, *tosses])
    return score, [*first, child, last]


def network_rows(random: Random, nodes: str, rows: int) -> bn.Table:
    """Rows of a random network with many arcs and often extreme probabilities."""
    columns: dict[str, Column] = {}
    graph = dag(random, nodes, density=0.8)
    for x in graph.order:
        parents = graph.parents(x)
        chances = random.beta(0.25, 0.25, size=2 ** len(parents))
        states = sum((columns[p] << i for i, p in enumerate(parents)), np.zeros(rows, int))
        columns[x] = (random.random(rows) < chances[states]).astype(int)
    return bn.Table({x: columns[x].tolist() for x in graph.nodes})


def one_found(random: Random, seeds: tuple[int, ...], make: Callable[[Random], bn.Table]) -> bn.Table:
    """One of some tables found in advance, with other names, columns and states."""
    return disguised(random, make(np.random.default_rng(seeds[int(random.integers(len(seeds)))])))


def no_shift(variables: tuple[str, ...], wanted: Callable[[tuple[str, ...]], bool]) -> tuple[str, ...]:
    """An order such that neither it nor any of its cyclic shifts is one of the wanted orders."""
    found = {order for order in permutations(variables) if wanted(order)}
    return next(order for order in permutations(variables)
                if not found & {order[i:] + order[:i] for i in range(len(order))})
