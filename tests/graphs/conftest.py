"""All small DAGs and their classes, made once."""

from itertools import combinations, product

import pytest

from bnteach import PDAG
from tests.graphs.brute import by_class, every_dag, fingerprint


@pytest.fixture(scope="session")
def small_dags():
    """All DAGs on one to four nodes."""
    return [dag for nodes in ("A", "AB", "ABC", "ABCD") for dag in every_dag(nodes)]


@pytest.fixture(scope="session")
def dags_4():
    return list(every_dag("ABCD"))


@pytest.fixture(scope="session")
def classes_4(dags_4):
    return by_class(dags_4)


@pytest.fixture(scope="session")
def classes_5():
    return by_class(every_dag("ABCDE"))


@pytest.fixture(scope="session")
def pdags_and_their_dags(dags_4):
    """Every PDAG on four nodes with the DAGs that have its skeleton, arcs and v-structures: 4,096 pairs."""
    shapes = {}
    for dag in dags_4:
        shapes.setdefault(fingerprint(dag), []).append(dag)
    pairs, found = list(combinations("ABCD", 2)), []
    for kinds in product(("", "-", "->", "<-"), repeat=6):
        arcs = [(a, b) if kind == "->" else (b, a) for (a, b), kind in zip(pairs, kinds) if kind in ("->", "<-")]
        pdag = PDAG(arcs, [pair for pair, kind in zip(pairs, kinds) if kind == "-"], "ABCD")
        found.append((pdag, [d for d in shapes.get(fingerprint(pdag), []) if set(arcs) <= set(d.arcs)]))
    return found
