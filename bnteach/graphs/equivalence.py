"""Markov equivalence: DAGs that no independence can tell apart.

Two DAGs are equivalent if they have the same d-separations. That is so exactly when they have the same
skeleton and the same immoralities (v-structures): a -> c <- b with a and b not adjacent.

    pattern(dag)             skeleton and immoralities, and no other arrow
    cpdag(dag)               the pattern and every arrow that follows from it: the essential graph. An arrow
                             here is an arrow in all DAGs of the class; an edge points either way in some.
    equivalence_class(...)   all DAGs of the class, without a look at the DAGs outside it

>>> cpdag(DAG("A->B, A->C, B->D, C->D"))
PDAG('A-B, A-C, B->D, C->D')
>>> for member in equivalence_class(PDAG("A-B, A-C, B->D, C->D")):
...     print(member)
A->B, A->C, B->D, C->D
A->B, B->D, C->A, C->D
A->C, B->A, B->D, C->D

Verma and Pearl (1990), Equivalence and synthesis of causal models, UAI. Andersson, Madigan and Perlman (1997),
A characterization of Markov equivalence classes for acyclic digraphs, Annals of Statistics 25. The rules are in
orientation.py (Meek), the way from a PDAG to a DAG in extension.py (Dor and Tarsi). Lessons 1, 2 and 5.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, islice
from math import factorial, prod

from bnteach.errors import NoExtension
from bnteach.graphs.dag import DAG
from bnteach.graphs.extension import extend
from bnteach.graphs.orientation import RULES_WITH_KNOWLEDGE, closed, next_orientation
from bnteach.graphs.pdag import PDAG

MOST = 50_000  # DAGs of a class that are listed

Triple = tuple[str, str, str]


def v_structures(graph: DAG | PDAG) -> tuple[Triple, ...]:
    """The immoralities (a, c, b): a -> c <- b, a and b not adjacent, a before b in the graph's order."""
    graph = graph if isinstance(graph, DAG) else _graph(graph)
    return tuple((a, c, b) for c in graph.nodes for a, b in combinations(graph.parents(c), 2)
                 if not graph.adjacent(a, b))


def pattern(graph: DAG | PDAG) -> PDAG:
    """The skeleton with the arrows of the immoralities alone."""
    arcs = {arc for a, c, b in v_structures(graph) for arc in ((a, c), (b, c))}
    edges = [(a, b) for a, b in graph.skeleton if (a, b) not in arcs and (b, a) not in arcs]
    return PDAG([arc for arc in graph.arcs if arc in arcs], edges, graph.nodes)


def cpdag(graph: DAG | PDAG) -> PDAG:
    """The essential graph of a DAG's class (or of the class that a PDAG belongs to)."""
    dag = graph if isinstance(graph, DAG) else extend(_graph(graph))
    return closed(pattern(dag))


def is_cpdag(graph: PDAG) -> bool:
    """Is this PDAG the essential graph of a class?"""
    graph = graph if isinstance(graph, PDAG) else PDAG(graph)
    if next_orientation(graph) or closed(pattern(graph)) != graph:  # an arrow too few, or one too many
        return False
    try:
        extend(graph)
    except NoExtension:
        return False
    return True


def markov_equivalent(a: DAG | PDAG, b: DAG | PDAG) -> bool:
    """Have the two the same d-separations? Same nodes, same skeleton, same immoralities."""
    return _skeleton_and_immoralities(a) == _skeleton_and_immoralities(b)


def _skeleton_and_immoralities(graph: DAG | PDAG) -> tuple[frozenset, ...]:
    graph = graph if isinstance(graph, DAG) else extend(_graph(graph))
    return (frozenset(graph.nodes), frozenset(map(frozenset, graph.skeleton)),
            frozenset((c, frozenset((a, b))) for a, c, b in v_structures(graph)))


def equivalence_class(graph: DAG | PDAG) -> tuple[DAG, ...]:
    """All DAGs of the class of a DAG, or all that a PDAG stands for; see `members`."""
    dags = tuple(islice(members(graph), MOST + 1))
    if len(dags) > MOST:
        raise ValueError(f"the class has more than {MOST:,} DAGs, too many to list. bn.class_size counts them.")
    return dags


def members(graph: DAG | PDAG) -> Iterator[DAG]:
    """The DAGs of a class one by one: direct an edge, draw what follows, go on; then direct it the other way.

    Of a PDAG with more arrows than its class has (one that the user has pinned), the DAGs that have them all.
    No branch is in vain: in a graph closed under the four rules each edge can point either way.
    """
    if isinstance(graph, PDAG):
        extend(graph)  # if it stands for no DAG, say so
    start = cpdag(graph) if isinstance(graph, DAG) else _graph(graph)
    branches = [start]
    while branches:
        g = closed(branches.pop(), RULES_WITH_KNOWLEDGE)
        if not g.edges:
            yield g.to_dag()
        else:
            a, b = g.edges[0]
            branches += [g.with_arc(b, a), g.with_arc(a, b)]


def class_size(graph: DAG | PDAG) -> int:
    """How many DAGs the class has, counted without listing them.

    The undirected edges of an essential graph fall into components that can be directed one without the
    other. In each, a DAG has exactly one source: for each choice of it, draw what follows and go on.
    He, Jia and Yu (2015), Counting and exploring sizes of Markov equivalence classes, JMLR 16.
    """
    essential, known = cpdag(graph), {}

    def size(g: PDAG) -> int:
        return prod(size_of_component(part) for part in _undirected_components(g))

    def size_of_component(g: PDAG) -> int:
        n, edges = len(g), len(g.edges)
        if edges == n - 1:  # a tree: each node is the source of one DAG
            return n
        if edges == n * (n - 1) // 2:  # all adjacent: each order of the nodes is one DAG
            return factorial(n)
        key = frozenset(g.edges)
        if key not in known:
            known[key] = sum(size(_rooted(g, node)) for node in g.nodes)
        return known[key]

    return size(essential)


def _rooted(g: PDAG, root: str) -> PDAG:
    """An undirected component with all edges of one node pointing away from it, and what follows."""
    for other in g.neighbours(root):
        g = g.with_arc(root, other)
    return closed(g)


def _undirected_components(g: PDAG) -> Iterator[PDAG]:
    """The parts of two nodes or more that hang together by undirected edges, without arrows."""
    seen: set[str] = set()
    for start in g.nodes:
        if start not in seen and g.neighbours(start):
            part, stack = {start}, [start]
            while stack:
                new = [n for n in g.neighbours(stack.pop()) if n not in part]
                part.update(new)
                stack += new
            seen |= part
            yield PDAG((), [edge for edge in g.edges if edge[0] in part], [n for n in g.nodes if n in part])


def _graph(graph: object) -> PDAG:
    if not isinstance(graph, PDAG):
        raise TypeError(f"a DAG or a PDAG is needed here, not {type(graph).__name__} {graph!r}. "
                        f"Write bn.DAG('A->B, B->C') or bn.PDAG('A->B, B-C').")
    return graph
