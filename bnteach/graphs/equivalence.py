"""Markov equivalence: DAGs that no independence can distinguish.

Two DAGs are Markov equivalent if they have the same d-separations. That is so if and only if they have the same
skeleton and the same v-structures (immoralities): a -> c <- b with a and b not adjacent.

    pattern(dag)             the skeleton with the arcs of the v-structures, and no other arcs
    cpdag(dag)               the pattern with every arc that follows from it: the CPDAG, also called essential graph.
                             An arc of it is in all DAGs of the class; an edge has either direction in some of them.
    equivalence_class(...)   all DAGs of the class, found without examining the DAGs outside it

>>> cpdag(DAG("A->B, A->C, B->D, C->D"))
PDAG('A-B, A-C, B->D, C->D')
>>> for member in equivalence_class(PDAG("A-B, A-C, B->D, C->D")):
...     print(member)
A->B, A->C, B->D, C->D
A->B, B->D, C->A, C->D
A->C, B->A, B->D, C->D

Verma and Pearl (1990), Equivalence and synthesis of causal models, UAI. Andersson, Madigan and Perlman (1997),
A characterization of Markov equivalence classes for acyclic digraphs, Annals of Statistics 25. The rules are in
orientation.py (Meek), the algorithm from a PDAG to a DAG in extension.py (Dor and Tarsi). Lessons 1, 2 and 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from math import factorial, prod

from bnteach.errors import NoExtension
from bnteach.graphs.dag import DAG
from bnteach.graphs.extension import extend
from bnteach.graphs.orientation import RULES_WITH_KNOWLEDGE, closure, next_orientation
from bnteach.graphs.pdag import PDAG
from bnteach.graphs.reachability import reachable

MAX_LISTED = 50_000  # DAGs of one class

Triple = tuple[str, str, str]


def v_structures(graph: DAG | PDAG) -> tuple[Triple, ...]:
    """The v-structures (a, c, b): a -> c <- b with a and b not adjacent, a before b in the order of the nodes.

    Parameters
    ----------
    graph : DAG or PDAG

    Returns
    -------
    tuple of triples

    Examples
    --------
    >>> v_structures(DAG("A->C, B->C, C->D"))
    (('A', 'C', 'B'),)
    """
    graph = graph if isinstance(graph, DAG) else _check_pdag(graph)
    return tuple((a, c, b) for c in graph.nodes for a, b in combinations(graph.parents(c), 2)
                 if not graph.adjacent(a, b))


def pattern(graph: DAG | PDAG) -> PDAG:
    """The skeleton with the arcs of the v-structures alone.

    Parameters
    ----------
    graph : DAG or PDAG

    Returns
    -------
    PDAG

    Examples
    --------
    >>> pattern(DAG("A->B, C->B, B->D"))
    PDAG('A->B, B-D, C->B')
    """
    arcs = {arc for a, c, b in v_structures(graph) for arc in ((a, c), (b, c))}
    edges = [(a, b) for a, b in graph.skeleton if (a, b) not in arcs and (b, a) not in arcs]
    return PDAG([arc for arc in graph.arcs if arc in arcs], edges, graph.nodes)


def cpdag(graph: DAG | PDAG) -> PDAG:
    """The CPDAG (essential graph) of the class that a DAG, or a PDAG with an extension, belongs to.

    Parameters
    ----------
    graph : DAG or PDAG

    Returns
    -------
    PDAG

    Examples
    --------
    >>> cpdag(DAG("A->B, B->C")), cpdag(DAG("A->B, C->B, B->D"))
    (PDAG('A-B, B-C'), PDAG('A->B, B->D, C->B'))

    References
    ----------
    Andersson, Madigan and Perlman (1997), Annals of Statistics 25.
    """
    dag = graph if isinstance(graph, DAG) else extend(_check_pdag(graph))
    return closure(pattern(dag))


def is_cpdag(graph: PDAG | DAG | str) -> bool:
    """Is this PDAG the CPDAG of a class of DAGs?

    Parameters
    ----------
    graph : PDAG, DAG or str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_cpdag(PDAG("A-B, B-C")), is_cpdag(PDAG("A->B, B-C"))
    (True, False)
    """
    graph = graph if isinstance(graph, PDAG) else PDAG(graph)
    if next_orientation(graph) or closure(pattern(graph)) != graph:  # an arc too few, or one too many
        return False
    try:
        extend(graph)
    except NoExtension:
        return False
    return True


def markov_equivalent(a: DAG | PDAG, b: DAG | PDAG) -> bool:
    """Do two graphs have the same d-separations, that is the same nodes, skeleton and v-structures?

    Parameters
    ----------
    a, b : DAG or PDAG

    Returns
    -------
    bool

    Examples
    --------
    >>> markov_equivalent(DAG("A->B, B->C"), DAG("B->A, B->C")), markov_equivalent(DAG("A->B, B->C"), DAG("A->B, C->B"))
    (True, False)

    References
    ----------
    Verma and Pearl (1990), Equivalence and synthesis of causal models, UAI.
    """
    return _invariants(a) == _invariants(b)


def _invariants(graph: DAG | PDAG) -> tuple[object, ...]:
    """What all DAGs of a class share, and no others: nodes, skeleton and v-structures."""
    dag = graph if isinstance(graph, DAG) else extend(_check_pdag(graph))
    return (frozenset(dag.nodes), frozenset(map(frozenset, dag.skeleton)),
            frozenset((c, frozenset((a, b))) for a, c, b in v_structures(dag)))


def equivalence_class(graph: DAG | PDAG) -> tuple[DAG, ...]:
    """All DAGs of the class of a DAG, or all consistent extensions of a PDAG.

    Parameters
    ----------
    graph : DAG or PDAG

    Returns
    -------
    tuple of DAG

    Raises
    ------
    NoExtension
        If a PDAG has no consistent extension.
    ValueError
        If there are more than 50,000 DAGs.

    Examples
    --------
    >>> [str(dag) for dag in equivalence_class(DAG("A->B, B->C"))]
    ['A->B, B->C', 'B->A, B->C', 'B->A, C->B']
    """
    dags = tuple(islice(members(graph), MAX_LISTED + 1))
    if len(dags) > MAX_LISTED:
        raise ValueError(f"the class has more than {MAX_LISTED:,} DAGs, too many to list. bn.class_size counts them.")
    return dags


def members(graph: DAG | PDAG) -> Iterator[DAG]:
    """The DAGs of a class one by one: orient an edge, apply the rules, continue; then try the other orientation.

    Of a PDAG with more arcs than the CPDAG of its class, only the DAGs that have all of them.
    No branch is a dead end: in a graph closed under the four rules, each edge can have either direction.
    """
    if isinstance(graph, PDAG):
        extend(graph)  # raises NoExtension if it represents no DAG
    branches = [cpdag(graph) if isinstance(graph, DAG) else _check_pdag(graph)]
    while branches:
        g = closure(branches.pop(), RULES_WITH_KNOWLEDGE)
        if not g.edges:
            yield g.to_dag()
        else:
            a, b = g.edges[0]
            branches += [g.with_arc(b, a), g.with_arc(a, b)]


def class_size(graph: DAG | PDAG) -> int:
    """The number of DAGs in the Markov equivalence class of a graph, counted without listing them.

    The chain components of a CPDAG, connected by undirected edges, can be oriented independently of each other.
    In each, a DAG has exactly one source: for each choice of it, apply the rules and continue.

    Parameters
    ----------
    graph : DAG or PDAG

    Returns
    -------
    int

    Examples
    --------
    >>> class_size(DAG("A->B, B->C")), class_size(DAG("A->B, A->C, B->C"))
    (3, 6)

    References
    ----------
    He, Jia and Yu (2015), Counting and exploring sizes of Markov equivalence classes, JMLR 16.
    """
    known: dict[frozenset[tuple[str, str]], int] = {}

    def size(g: PDAG) -> int:
        return prod(size_of_component(component) for component in _chain_components(g))

    def size_of_component(g: PDAG) -> int:
        n, edges = len(g), len(g.edges)
        if edges == n - 1:  # a tree: each node is the source of one DAG
            return n
        if edges == n * (n - 1) // 2:  # complete: each order of the nodes is one DAG
            return factorial(n)
        key = frozenset(g.edges)
        if key not in known:
            known[key] = sum(size(_with_source(g, node)) for node in g.nodes)
        return known[key]

    return size(cpdag(graph))


def _with_source(g: PDAG, source: str) -> PDAG:
    """An undirected component with all edges of one node oriented away from it, and what follows."""
    for other in g.neighbours(source):
        g = g.with_arc(source, other)
    return closure(g)


def _chain_components(g: PDAG) -> Iterator[PDAG]:
    """The components of two nodes or more that undirected edges connect, without arcs."""
    remaining = dict.fromkeys(node for edge in g.edges for node in edge)
    while remaining:
        component = reachable([next(iter(remaining))], g.neighbours)
        remaining = {node: None for node in remaining if node not in component}
        yield PDAG((), [edge for edge in g.edges if edge[0] in component], [n for n in g.nodes if n in component])


def _check_pdag(graph: object) -> PDAG:
    if not isinstance(graph, PDAG):
        raise TypeError(f"a DAG or a PDAG is needed here, not {type(graph).__name__} {graph!r}. "
                        f"Write bn.DAG('A->B, B->C') or bn.PDAG('A->B, B-C').")
    return graph
