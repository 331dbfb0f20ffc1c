"""d-separation: the independences that can be read off a DAG.

Dependence travels along paths, whichever way the arrows point. A path is a walk over lines that visits no
node twice. Each node between its ends is met in one of three ways, and lets dependence through or not:

    chain     a -> c -> b    open, unless c is observed
    fork      a <- c -> b    open, unless c is observed
    collider  a -> c <- b    blocked, unless c or a descendant of c is observed

A path is open if every node on it lets through. Two nodes are d-separated given the observed ones if no
path between them is open, and then they are independent in every distribution that the DAG can have.

>>> g = DAG("rain->wet, sprinkler->wet, wet->slippery")
>>> d_separated(g, "rain", "sprinkler")
True
>>> d_separated(g, "rain", "sprinkler", given=["slippery"])
False

`d_separated` does not list the paths, of which there may be very many. It lets a ball roll along all of
them at once and asks where it can get: Shachter's Bayes ball, as in Koller and Friedman, Algorithm 3.1.
`explain_separation` (paths.py) lists them, and says of each why it is open or where it is blocked.

Pearl (1988), Probabilistic Reasoning in Intelligent Systems, section 3.3. Shachter (1998), Bayes-ball, UAI.
Koller and Friedman (2009), Probabilistic Graphical Models, section 3.3. Lesson 2.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from bnteach.errors import UnknownVariable
from bnteach.graphs.dag import DAG
from bnteach.graphs.notation import listed, read_names

Names = str | Iterable[str]


def d_separated(dag: DAG, x: Names, y: Names, given: Names = ()) -> bool:
    """Is every path between x and y blocked, given the observed nodes? Each is a name or a set of names."""
    xs, ys, observed = read_question(dag, x, y, given)
    return connected(dag, xs, observed).isdisjoint(ys)


def connected(dag: DAG, start: Iterable[str], observed: frozenset[str]) -> set[str]:
    """Every node, not observed, to which an open path leads from the start (the start itself included).

    The ball comes to a node from a child or from a parent. An observed node stops it, or, if it came from a
    parent, throws it back to all parents: an open collider. Any other node passes it on to its children,
    and to its parents as well if it came from a child. Colliders above an observed node are open too, since
    the ball falls through them to that node and is thrown back.
    """
    from_child, from_parent = set(), set()  # the nodes that the ball has come to
    rolling = [(node, from_child) for node in start]
    while rolling:
        node, visited = rolling.pop()
        if node in visited:
            continue
        visited.add(node)
        if node not in observed:
            rolling += [(child, from_parent) for child in dag.children(node)]
        if (node in observed) == (visited is from_parent):
            rolling += [(parent, from_child) for parent in dag.parents(node)]
    return (from_child | from_parent) - observed


def read_question(dag: DAG, x: Names, y: Names, given: Names) -> tuple[tuple, tuple, frozenset]:
    """The three sets of names, or an error that says what is wrong with them."""
    check_dag(dag)
    xs, ys, zs = read_nodes(dag, x), read_nodes(dag, y), read_nodes(dag, given)
    if not xs or not ys:
        raise ValueError(f"the {'second' if xs else 'first'} set of nodes is empty: separation is asked of "
                         f"two nodes, or of two sets with a node in each.")
    if len({*xs, *ys, *zs}) < len(xs) + len(ys) + len(zs):
        twice = next(n for n in dag.nodes if (n in xs) + (n in ys) + (n in zs) > 1)
        where = "both asked about and observed" if twice in zs else "on both sides of the question"
        raise ValueError(f"{twice} is {where}: the three sets must have no node in common.")
    return xs, ys, frozenset(zs)


def check_dag(dag: DAG) -> None:
    """An error that helps if this is no DAG."""
    if not isinstance(dag, DAG):
        raise TypeError(f"a DAG is needed here, and a {type(dag).__name__} is none. Write bn.DAG('A->B, B->C'), "
                        f"or bn.extend(pdag) for a DAG of a PDAG.")


def read_nodes(dag: DAG, names: Names) -> tuple[str, ...]:
    """One name, several in a text ("A, B" or "AB"), or a set or list of them; in the order of the graph."""
    if isinstance(names, str):
        names = [names] if names in dag or not all(n in dag for n in read_names(names)) else read_names(names)
    wanted = listed(names)
    for name in wanted:
        if not isinstance(name, str) or name not in dag:
            raise UnknownVariable(name, dag.nodes)
    return tuple(node for node in dag.nodes if node in wanted)


# -- what adjacency has to do with it ----------------------------------------------------------------------
def is_adjacent(dag: DAG, x: str, y: str) -> bool:
    """Lemma 1 (i): there is an arc between x and y."""
    read_question(dag, [x], [y], ())
    return dag.adjacent(x, y)


def no_separating_set(dag: DAG, x: str, y: str) -> bool:
    """Lemma 1 (ii): no set of other nodes separates x and y. Tries all 2^(n-2) of them."""
    read_question(dag, [x], [y], ())
    others = [node for node in dag.nodes if node not in (x, y)]
    return not any(d_separated(dag, x, y, given) for size in range(len(others) + 1)
                   for given in combinations(others, size))


def not_separated_by_ancestors(dag: DAG, x: str, y: str) -> bool:
    """Lemma 1 (iii): the ancestors of x and of y, x and y themselves apart, do not separate them."""
    read_question(dag, [x], [y], ())
    return not d_separated(dag, x, y, {*dag.ancestors(x), *dag.ancestors(y)} - {x, y})


def not_separated_by_parents(dag: DAG, x: str, y: str) -> bool:
    """Lemma 1 (iv): the parents of x and of y, x and y themselves apart, do not separate them."""
    read_question(dag, [x], [y], ())
    return not d_separated(dag, x, y, {*dag.parents(x), *dag.parents(y)} - {x, y})
