"""Brute force, against which the library is checked: nothing here uses the library's own algorithms."""

from itertools import combinations, product

from bnteach import DAG


def every_dag(nodes):
    """All DAGs, by trying the three states of each pair of nodes and keeping those without a directed cycle."""
    pairs = list(combinations(nodes, 2))
    for states in product((None, "->", "<-"), repeat=len(pairs)):
        arcs = [(a, b) if s == "->" else (b, a) for (a, b), s in zip(pairs, states) if s]
        if _acyclic(nodes, arcs):
            yield DAG(arcs, nodes)


def _acyclic(nodes, arcs):
    remaining = set(nodes)
    while sources := [n for n in remaining if not any(b == n and a in remaining for a, b in arcs)]:
        remaining -= set(sources)
    return not remaining


def fingerprint(graph):
    """Skeleton and v-structures, from the arcs (and, of a PDAG, the edges) alone."""
    arcs = set(graph.arcs)
    skeleton = {frozenset(arc) for arc in arcs} | {frozenset(edge) for edge in getattr(graph, "edges", ())}
    v_structures = {(frozenset((a, b)), c) for a, c in arcs for b, d in arcs
                    if c == d and a != b and frozenset((a, b)) not in skeleton}
    return frozenset(skeleton), frozenset(v_structures)


def by_class(dags):
    """The DAGs in their classes, by fingerprint: a list of lists."""
    classes = {}
    for dag in dags:
        classes.setdefault(fingerprint(dag), []).append(dag)
    return list(classes.values())


def extensions(pdag, dags):
    """The DAGs among these with the skeleton, the arcs and the v-structures of a PDAG."""
    shape, arcs = fingerprint(pdag), set(pdag.arcs)
    return [dag for dag in dags if fingerprint(dag) == shape and arcs <= set(dag.arcs)]


def essential(members):
    """The arcs and edges of the CPDAG of a class, from the definition."""
    some = {arc for dag in members for arc in dag.arcs}
    return ({arc for arc in some if arc[::-1] not in some},
            {frozenset(arc) for arc in some if arc[::-1] in some})


def random_dag(rng, n, density=0.5):
    """A random DAG on n nodes; the order of the nodes is unrelated to the arcs."""
    nodes = [chr(65 + i) for i in range(n)]
    order = [nodes[i] for i in rng.permutation(n)]
    return DAG([pair for pair in combinations(order, 2) if rng.random() < density], nodes)
