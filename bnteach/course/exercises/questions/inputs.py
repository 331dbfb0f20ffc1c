"""Inputs for questions: names, tables, graphs and weights, drawn at random and small enough to inspect."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np

from bnteach.course.exercises.grading.objects import table as make_table
from bnteach.graphs.dag import DAG
from bnteach.tables.table import Table

Random = np.random.Generator
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"


def names(random: Random, n: int) -> list[str]:
    """Names of one letter, in alphabetical order."""
    return sorted(random.choice(list(LETTERS), size=n, replace=False).tolist())


def shuffled(random: Random, items: Sequence) -> list:
    """The same items in another order."""
    return [items[i] for i in random.permutation(len(items))]


def under_names(random: Random, *texts: str) -> list[str]:
    """Texts about the nodes a, b, c, ... with drawn names in place of these letters, in the same alphabetical order."""
    letters = sorted({letter for text in texts for letter in text if letter.islower()})
    drawn = str.maketrans(dict(zip(letters, names(random, len(letters)))))
    return [text.translate(drawn) for text in texts]


def traps_of(kind: type, *texts: str) -> Callable[[Random], list[tuple]]:
    """Graphs on which common mistakes show, each under drawn names."""
    return lambda random: [(kind(*under_names(random, text)),) for text in texts]


def table(random: Random, variables: Sequence[str] | int = 3, rows: int = 8, states: int | Sequence[int] = 2) -> Table:
    """Rows in which each variable depends on the one before it; states are 0, 1, ...; every state occurs.

    With few rows some combinations never occur, which gives rise to 0 log 0.
    """
    variables = names(random, variables) if isinstance(variables, int) else list(variables)
    sizes = [states] * len(variables) if isinstance(states, int) else list(states)
    while True:
        columns, before = [], random.integers(sizes[0], size=rows)
        for size in sizes:
            keep = random.random(rows) < random.uniform(0.3, 0.9)
            before = np.where(keep, before % size, random.integers(size, size=rows))
            columns.append(before)
        if all(len(set(column.tolist())) == size for column, size in zip(columns, sizes)):
            return make_table([(v, list(range(s)), c.tolist()) for v, s, c in zip(variables, sizes, columns)])


def table_of(random: Random, *columns: Sequence[int]) -> Table:
    """These columns of 0, 1, ... under drawn names in alphabetical order, the rows in another order."""
    rows = random.permutation(len(columns[0]))
    return make_table([(name, list(range(max(column) + 1)), [column[i] for i in rows])
                       for name, column in zip(names(random, len(columns)), columns)])


def disguised(random: Random, t: Table) -> Table:
    """The same rows of 0 and 1 under other names, the columns in another order, and 0 and 1 exchanged in some."""
    flipped = [t.codes(name) ^ int(random.integers(2)) for name in t.variables]
    columns = shuffled(random, [column.tolist() for column in flipped])
    return make_table([(name, [0, 1], column) for name, column in zip(names(random, len(columns)), columns)])


def dag(random: Random, nodes: Sequence[str] | int = 4, density: float = 0.5, arcs: int | None = None) -> DAG:
    """A DAG whose arcs follow a random order; with `arcs`, exactly that many."""
    nodes = names(random, nodes) if isinstance(nodes, int) else list(nodes)
    pairs = list(combinations(shuffled(random, nodes), 2))
    if arcs is not None:
        return DAG([pairs[i] for i in sorted(random.choice(len(pairs), size=arcs, replace=False))], nodes)
    return DAG([pair for pair in pairs if random.random() < density], nodes)


def weights(random: Random, nodes: Sequence[str] | int = 5, ties: bool = False) -> dict[tuple[str, str], float]:
    """A weight for each pair of nodes, with two decimals; with `ties` one decimal, so that some are equal."""
    nodes = names(random, nodes) if isinstance(nodes, int) else list(nodes)
    pairs = list(combinations(nodes, 2))
    values = random.integers(1, 6, size=len(pairs)) / 10 if ties else random.permutation(99)[: len(pairs)] / 100 + 0.01
    return dict(zip(pairs, np.round(values, 2).tolist()))
