"""d-separation: the independences that can be read off a DAG.

Dependence flows along paths, whatever the directions of their arcs. A path visits no node twice. Each of its inner
nodes is in one of three positions, in which it is open or blocks the path:

    chain     a -> c -> b    open, unless c is observed
    fork      a <- c -> b    open, unless c is observed
    collider  a -> c <- b    blocked, unless c or a descendant of c is observed

A path is open if all its inner nodes are. Two nodes are d-separated given the observed ones if no path between them
is open; then they are independent in every distribution that factorizes according to the DAG.

>>> g = DAG("rain->wet, sprinkler->wet, wet->slippery")
>>> d_separated(g, "rain", "sprinkler")
True
>>> d_separated(g, "rain", "sprinkler", given=["slippery"])
False

`d_separated` does not list the paths, of which there may be exponentially many. It finds all nodes that an open path
reaches at once: Shachter's Bayes-ball algorithm, as in Koller and Friedman, Algorithm 3.1. `explain_separation`
(paths.py) lists the paths, and says why each is open or where it is blocked.

Pearl (1988), Probabilistic Reasoning in Intelligent Systems, section 3.3. Shachter (1998), Bayes-ball, UAI.
Koller and Friedman (2009), Probabilistic Graphical Models, section 3.3. Lesson 2.
"""

from __future__ import annotations

from collections.abc import Iterable

from bnteach.errors import described
from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import select_names

Names = str | Iterable[str]


def d_separated(dag: DAG, x: Names, y: Names, given: Names = ()) -> bool:
    """Is every path between x and y blocked, given the observed nodes?

    Parameters
    ----------
    dag : DAG
    x, y : str or iterable of str
        Two nodes, or two sets of nodes.
    given : str or iterable of str
        The observed nodes.

    Returns
    -------
    bool

    Examples
    --------
    >>> d_separated(DAG("A->C, B->C"), "A", "B"), d_separated(DAG("A->C, B->C"), "A", "B", given="C")
    (True, False)

    References
    ----------
    Pearl (1988), Probabilistic Reasoning in Intelligent Systems, section 3.3.
    """
    xs, ys, observed = read_query(dag, x, y, given)
    return connected(dag, xs, observed).isdisjoint(ys)


def connected(dag: DAG, start: Iterable[str], observed: frozenset[str]) -> set[str]:
    """Every node, not observed, to which an open path leads from the start (the start itself included).

    The ball arrives at a node from a child or from a parent. An observed node stops it, or, if it came from a
    parent, returns it to all parents: an open collider. Any other node passes it on to its children, and also to
    its parents if it came from a child. Colliders with an observed descendant are open too, since the ball passes
    through them down to that node and is returned.
    """
    from_child: set[str] = set()  # the nodes at which the ball has arrived from a child
    from_parent: set[str] = set()
    arriving = [(node, from_child) for node in start]
    while arriving:
        node, visited = arriving.pop()
        if node in visited:
            continue
        visited.add(node)
        if node not in observed:
            arriving += [(child, from_parent) for child in dag.children(node)]
        if (node in observed) == (visited is from_parent):
            arriving += [(parent, from_child) for parent in dag.parents(node)]
    return (from_child | from_parent) - observed


def read_query(dag: DAG, x: Names, y: Names, given: Names) -> tuple[tuple[str, ...], tuple[str, ...], frozenset[str]]:
    """The three sets of nodes, or an error that says what is wrong with them."""
    check_dag(dag)
    xs, ys, zs = read_nodes(dag, x), read_nodes(dag, y), read_nodes(dag, given)
    if not xs or not ys:
        raise ValueError(f"the {'second' if xs else 'first'} set of nodes is empty: d-separation is a relation "
                         f"between two nodes, or between two sets of at least one node each.")
    if len({*xs, *ys, *zs}) < len(xs) + len(ys) + len(zs):
        twice = next(n for n in dag.nodes if (n in xs) + (n in ys) + (n in zs) > 1)
        where = "both queried and observed" if twice in zs else "in both sets"
        raise ValueError(f"{twice} is {where}: the three sets must be disjoint.")
    return xs, ys, frozenset(zs)


def check_dag(dag: DAG) -> None:
    """Raise TypeError unless this is a DAG."""
    if not isinstance(dag, DAG):
        raise TypeError(f"a DAG is needed here, not {described(dag)}. Write bn.DAG('A->B, B->C'), "
                        f"or bn.extend(pdag) for a DAG of a PDAG.")


def read_nodes(dag: DAG, names: Names) -> tuple[str, ...]:
    """One name, several in a text ("A, B" or "AB"), or a set or list of them; in the order of the graph."""
    selected = select_names(names, dag)
    return tuple(node for node in dag.nodes if node in selected)
