"""What learners are given in practice, drawn at random, by level: 1 is the smallest."""

from __future__ import annotations

from itertools import combinations
from random import Random
from string import ascii_uppercase
from typing import Any

import numpy as np

from bnteach.graphs.dag import DAG
from bnteach.graphs.equivalence import cpdag, pattern
from bnteach.independence.d_separation import DSeparation
from bnteach.models.categorical import CategoricalNetwork
from bnteach.scores.penalised import BIC, MDL
from bnteach.tables.measurements import Measurements
from bnteach.tables.table import Table

Given = dict[str, Any]


# -- graphs --------------------------------------------------------------------------------------------------
def dag(random: Random, n: int, share: float) -> DAG:
    """A DAG on A, B, C, ..., in which this share of the pairs is adjacent."""
    names = list(ascii_uppercase[:n])
    order = random.sample(names, n)
    chosen = random.sample(list(combinations(order, 2)), round(share * n * (n - 1) / 2))
    return DAG(sorted(chosen), names)


def paths(random: Random, level: int) -> Given:
    """Two nodes that are not adjacent, and one or two observed ones."""
    graph = dag(random, 4 + level, (0.6, 0.5, 0.45)[level - 1])
    x, y, *others = random.sample(graph.nodes, len(graph.nodes))
    return {} if graph.adjacent(x, y) else {"dag": graph, "x": x, "y": y, "given": sorted(others[:1 + level // 2])}


def imap(random: Random, level: int) -> Given:
    """The independences of a DAG, and an order that is not one of its own."""
    graph = dag(random, 4 + level // 3, (0.5, 0.67, 0.5)[level - 1])
    order = random.sample(graph.nodes, len(graph.nodes))
    forward = all(order.index(a) < order.index(b) for a, b in graph.arcs)
    return {} if forward else {"oracle": DSeparation(graph), "order": order}


def separations(random: Random, level: int) -> Given:
    """The independences of a DAG."""
    return {"oracle": DSeparation(dag(random, 4 if level < 3 else 5, (0.5, 0.67, 0.4)[level - 1]))}


def candidates(random: Random, level: int) -> Given:
    """The independences of a DAG, for candidate parents and children."""
    return {"oracle": DSeparation(dag(random, 4 + level // 3, (0.5, 0.67, 0.4)[level - 1]))}


def skeleton(random: Random, level: int) -> Given:
    """A skeleton with v-structures, from which the rules follow."""
    graph = dag(random, 4 + level, (0.6, 0.5, 0.5)[level - 1])
    return {"pdag": pattern(graph)}


def pdag(random: Random, level: int) -> Given:
    """A CPDAG with edges left to orient."""
    graph = cpdag(dag(random, 4 + level, (0.6, 0.5, 0.5)[level - 1]))
    return {"pdag": graph} if len(graph.edges) >= 2 and graph.arcs else {}


def weights(random: Random, level: int) -> Given:
    """A weight for every pair of 4, 5 or 6 nodes; two of the heavier ones are equal at level 3."""
    edges = list(combinations(ascii_uppercase[:3 + level], 2))
    values = random.sample(range(5, 96), len(edges))
    if level == 3:
        heavy = sorted(range(len(edges)), key=lambda i: -values[i])
        values[heavy[2]] = values[heavy[1]]
    return {"weights": {edge: value / 100 for edge, value in zip(edges, values)}}


# -- tables --------------------------------------------------------------------------------------------------
def table(random: Random, n: int, rows: int) -> Table:
    """Rows drawn from a random network of two-state variables: a variable mostly follows one or two others."""
    graph = dag(random, n, 0.6)
    columns: dict[str, list[bool]] = {name: [] for name in graph.nodes}
    either = {name: random.random() < 0.5 for name in graph.nodes}
    for _ in range(rows):
        for name in graph.order:
            above = [columns[parent][-1] for parent in graph.parents(name)]
            usual = (any(above) if either[name] else all(above)) if above else random.random() < 0.5
            columns[name].append(usual != (random.random() < 0.15))
    return Table({name: [name.lower() if value else "~" + name.lower() for value in column]
                  for name, column in columns.items()})


def both(drawn: Table) -> bool:
    """Does every variable have both states?"""
    return all(len(drawn.states(name)) == 2 for name in drawn.variables)


def tree(random: Random, level: int) -> Given:
    """A table of 4 or 5 variables, and a root."""
    drawn = table(random, 4 + level // 2, 8 * level)
    return {"table": drawn, "root": random.choice(drawn.variables), "method": ("prim", "kruskal")[level % 2]}


def climb(random: Random, level: int) -> Given:
    """A score on a table of 3 or 4 variables."""
    drawn = table(random, 3 + level // 2, (20, 20, 30)[level - 1])
    return {"score": MDL(drawn)} if both(drawn) else {}


def ordered(random: Random, level: int) -> Given:
    """A score on a table, and an order of its variables."""
    drawn = table(random, 4 + level // 3, (16, 30, 30)[level - 1])
    return {"score": MDL(drawn), "order": random.sample(drawn.variables, len(drawn.variables))} if both(drawn) else {}


def order(random: Random, level: int) -> Given:
    """A score on a table, and an order to start from."""
    drawn = table(random, 3 + level, 30)
    start = random.sample(drawn.variables, len(drawn.variables))
    return {"score": MDL(drawn), "start": start, "restarts": 0} if both(drawn) else {}


def subsets(random: Random, level: int) -> Given:
    """A score on a table of 3 or 4 variables."""
    return climb(random, level)


def program(random: Random, level: int) -> Given:
    """A score on a table."""
    drawn = table(random, 3 + level, 30)
    return {"score": MDL(drawn)} if both(drawn) else {}


def cooling(random: Random, level: int) -> Given:
    """A score on a table, and temperatures that fall."""
    drawn, proposals = table(random, 3 + level // 2, 16), 4 + 3 * level
    temperatures = [round(4 * (1 - i / proposals), 2) for i in range(proposals)]
    return {"score": MDL(drawn), "temperatures": temperatures, "seed": random.randrange(1000)} if both(drawn) else {}


def hybrid(random: Random, level: int) -> Given:
    """A table of 3 or 4 variables."""
    drawn = table(random, 3 + level // 2, (60, 60, 100)[level - 1])
    return {"table": drawn} if both(drawn) else {}


def incomplete(random: Random, level: int) -> Given:
    """A chain or a v-structure, and rows of which some lack a value."""
    names = ("AB", "ABC", "ABC")[level - 1]
    drawn = table(random, len(names), 8 + 2 * level)
    graph = ("A->B", "A->B, B->C", "A->C, B->C")[level - 1]
    return {"graph": DAG(graph), "data": _with_gaps(random, drawn, level + 1), "seed": random.randrange(1000),
            "max_iterations": 2 + level} if both(drawn) else {}


def gaps(random: Random, level: int) -> Given:
    """A table in which some values are missing."""
    drawn = table(random, 3 + level // 2, 40)
    return {"data": _with_gaps(random, drawn, 6 * level), "start": DAG((), drawn.variables),
            "seed": random.randrange(1000)} if both(drawn) else {}


def measured(random: Random, level: int) -> Given:
    """A score on measurements: a variable is a sum of its parents and noise."""
    graph = dag(random, 3 + level // 2, 0.6)
    columns: dict[str, list[float]] = {name: [] for name in graph.nodes}
    for _ in range(12):
        for name in graph.order:
            mean = sum(columns[parent][-1] for parent in graph.parents(name))
            columns[name].append(round(mean + random.gauss(0, 1), 1))
    return {"score": BIC(Measurements(columns))}


def query(random: Random, level: int) -> Given:
    """A network of two-state variables, a query variable and an observed one."""
    graph = dag(random, 4 + level, (0.5, 0.45, 0.4)[level - 1])
    cpts = {}
    for name in graph.nodes:
        rows = [random.randrange(1, 10) / 10 for _ in range(2 ** len(graph.parents(name)))]
        cpts[name] = np.array([[p, 1 - p] for p in rows]).reshape(*[2] * len(graph.parents(name)), 2)
    network = CategoricalNetwork(graph, {name: (name.lower(), f"~{name.lower()}") for name in graph.nodes}, cpts)
    target, seen = random.sample(graph.nodes, 2)
    return {"network": network, "target": target, "evidence": {seen: seen.lower()}}


def _with_gaps(random: Random, drawn: Table, missing: int) -> Table:
    """The table without some of its values; of a row at most one is missing."""
    frame = drawn.to_frame()
    for row in random.sample(range(len(frame)), missing):
        frame.iloc[row, random.randrange(len(frame.columns))] = None
    return Table(frame, missing="keep")


