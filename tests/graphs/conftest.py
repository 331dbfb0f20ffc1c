"""Brute force, against which the library is checked: nothing here uses the library's own algorithms."""

from itertools import combinations, product

import pytest

from bnteach import DAG


def every_dag(nodes):
    """All DAGs, by trying the three states of each pair of nodes and keeping what has no circle."""
    pairs = list(combinations(nodes, 2))
    for states in product((None, "->", "<-"), repeat=len(pairs)):
        arcs = [(a, b) if s == "->" else (b, a) for (a, b), s in zip(pairs, states) if s]
        if _acyclic(nodes, arcs):
            yield DAG(arcs, nodes)


def _acyclic(nodes, arcs):
    left = set(nodes)
    while sources := [n for n in left if not any(b == n and a in left for a, b in arcs)]:
        left -= set(sources)
    return not left


def fingerprint(dag):
    """Skeleton and immoralities, from the arcs alone."""
    arcs = set(dag.arcs)
    lines = {frozenset(arc) for arc in arcs}
    immoral = {(frozenset((a, b)), c) for a, c in arcs for b, d in arcs
               if c == d and a != b and frozenset((a, b)) not in lines}
    return frozenset(lines), frozenset(immoral)


def by_class(dags):
    """The DAGs in their classes, by fingerprint."""
    classes = {}
    for dag in dags:
        classes.setdefault(fingerprint(dag), []).append(dag)
    return classes


@pytest.fixture(scope="session")
def dags_4():
    return list(every_dag("ABCD"))


@pytest.fixture(scope="session")
def classes_4(dags_4):
    return list(by_class(dags_4).values())
