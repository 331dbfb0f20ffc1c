"""Exercise 2: what blocks a path, minimal I-maps, and an independence that no I-map shows. Lesson 02_independence_in_graphs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import bnteach as bn
from bnteach.course.comparing import close, show
from bnteach.course.exercises.grading.plain import Graph, Odd
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled, under_names
from bnteach.course.exercises.questions.q04 import oracle_of
from bnteach.course.exercises.questions.read import read_dag
from bnteach.graphs.paths import all_paths, inner_node
from bnteach.learn.minimal_imap import first_dependence

SEPARATION = ("graphs.paths.inner_node", "graphs.paths.explain_separation", "graphs.separation.connected",
              "graphs.separation.d_separated", "networkx.algorithms.d_separation")
GARDEN = bn.DAG("cloudy->rain, cloudy->sprinkler, rain->wet, sprinkler->wet, wet->slippery")
KINDS = ("fork", "chain", "collider")
LINE = "d->a, a->c, b->c, c->e, e->f, f->g"  # a collider with a child, a grandchild and a great-grandchild
Path = tuple[str, ...]


# -- 2.1 and 2.2: one path -------------------------------------------------------------------------------------
def draw_inner_node(random: Random) -> tuple:
    graph, path, _ = draw_path(random)
    at = int(random.integers(1, len(path) - 1))
    return graph, *path[at - 1:at + 2]


def hard_inner_nodes(random: Random) -> Iterable[tuple]:
    """A node with three parents, two of them adjacent, passed in every way."""
    arcs, *paths = under_names(random, "a->b, a->c, b->c, d->c, c->e, c->f", "acb", "ace", "eca", "ecf", "fcd")
    return ((bn.DAG(arcs), *path) for path in paths)


def kind(graph: bn.DAG, before: str, node: str, after: str) -> str:
    """How a path passes through a node."""
    return KINDS[graph.has_arc(before, node) + graph.has_arc(after, node)]


def draw_path(random: Random) -> tuple[bn.DAG, list[str], list[str]]:
    """A DAG, a path of four or five nodes, and one or two observed nodes; often below a collider of the path."""
    below = random.random() < 0.5
    while True:
        graph = dag(random, 6, arcs=int(random.integers(6, 9)))
        x, y = random.choice(graph.nodes, size=2, replace=False).tolist()
        paths = [path for path in all_paths(graph, x, y) if len(path) in (4, 5)]
        observed = draw_observed(random, graph, x, y)
        path = paths[random.integers(len(paths))] if paths else ()
        if path and (not below or blockers(graph, path, observed) != forgetful(graph, path, observed)):
            return graph, list(path), observed


def hard_paths(random: Random) -> Iterable[tuple[bn.DAG, list[str], list[str]]]:
    """A collider with a long line of descendants, one with adjacent parents, and a path with several blockers."""
    for text in ((LINE, "acb", "", "c", "e", "f", "g", "dg"), ("a->c, b->c, a->b", "acb", ""),
                 ("f->d, d->b, c->b, c->a, a->e, b->g", "fdbcae", "", "ad", "adg", "bc", "cg")):
        arcs, path, *seen = under_names(random, *text)
        yield from ((bn.DAG(arcs), list(path), list(observed)) for observed in seen)


def draw_observed(random: Random, graph: bn.DAG, x: str, y: str) -> list[str]:
    others = [node for node in graph.nodes if node not in (x, y)]
    return sorted(shuffled(random, others)[: int(random.integers(1, 3))])


def blockers(graph: bn.DAG, path: Iterable[str], observed: Iterable[str]) -> list[str]:
    """The nodes that block a path, in the order of the path."""
    path, seen = tuple(path), frozenset(observed)
    return [path[i] for i in range(1, len(path) - 1) if not inner_node(graph, *path[i - 1:i + 2], seen).open]


def by_rule(graph: bn.DAG, path: Iterable[str], blocks: Any) -> list[str]:
    """The inner nodes for which blocks(is it a collider, node) is true."""
    path = tuple(path)
    return [path[i] for i in range(1, len(path) - 1) if blocks(kind(graph, *path[i - 1:i + 2]) == KINDS[2], path[i])]


def forgetful(graph: bn.DAG, path: Iterable[str], observed: Iterable[str]) -> list[str]:
    """As if descendants of colliders did not matter."""
    return by_rule(graph, path, lambda collider, node: (node in observed) != collider)


def shallow(graph: bn.DAG, path: Iterable[str], observed: Iterable[str]) -> list[str]:
    """As if only children of colliders mattered, and not all descendants."""
    return by_rule(graph, path, lambda collider, node: collider != bool(
        {node, *(graph.children(node) if collider else ())} & set(observed)))


# -- 2.3 and 2.4: all paths, all sets ----------------------------------------------------------------------------
def draw_question(random: Random) -> tuple:
    """Two nodes that are not adjacent, with open and with blocked paths between them; often one below a collider is observed."""
    below = random.random() < 0.5
    while True:
        graph = dag(random, 6, arcs=int(random.integers(6, 9)))
        x, y = random.choice(graph.nodes, size=2, replace=False).tolist()
        observed = draw_observed(random, graph, x, y)
        paths = all_paths(graph, x, y)
        if below and all(blockers(graph, p, observed) == forgetful(graph, p, observed) for p in paths):
            continue
        if not graph.adjacent(x, y) and 0 < len(open_paths(graph, x, y, observed)) < len(paths):
            return graph, x, y, observed


def hard_questions(random: Random) -> Iterable[tuple[bn.DAG, str, str, list[str]]]:
    """What opens and what blocks, one at a time; several open paths, or none."""
    for text in ((LINE, "ab", "d", "g", "dg"), ("a->c, c->b, a->d, d->e, e->b, f->c, c->g", "ab", "g", "ce"),
                 ("e->a, a->c, b->c, a->b, f->b", "ef", "", "b")):
        arcs, (x, y), *seen = under_names(random, *text)
        yield from ((bn.DAG(arcs), x, y, list(observed)) for observed in seen)


def open_paths(graph: bn.DAG, x: str, y: str, observed: Iterable[str]) -> set[Path]:
    return {path for path in all_paths(graph, x, y) if not blockers(graph, path, observed)}


def draw_pair(random: Random) -> tuple[bn.DAG, str, str]:
    """Two nodes that some sets separate, and some do not."""
    while True:
        graph = dag(random, 5, arcs=int(random.integers(4, 8)))
        x, y = random.choice(graph.nodes, size=2, replace=False).tolist()
        if 0 < len(separating_sets(graph, x, y)) < 8:
            return graph, x, y


def hard_pairs(random: Random) -> Iterable[tuple[bn.DAG, str, str]]:
    """Only the empty set separates; only the set of all others does; a set that no end is adjacent to does."""
    *texts, ends = under_names(random, "a->c, b->c, c->d, d->e", "a->c, a->d, a->e, c->b, d->b, e->b",
                               "a->c, c->d, d->e, e->b", "ab")
    return [(bn.DAG(arcs), *ends) for arcs in texts]


def separating_sets(graph: bn.DAG, x: str, y: str) -> list[Path]:
    others = [node for node in graph.nodes if node not in (x, y)]
    return [given for size in range(len(others) + 1) for given in combinations(others, size)
            if bn.d_separated(graph, x, y, given)]


def examine_sets(answer: Any, graph: bn.DAG, x: str, y: str) -> str:
    """Every separating set once, in any order and in any form."""
    if not isinstance(answer, list | tuple | set | frozenset) or isinstance(answer, Graph) or \
            not all(isinstance(given, list | tuple | set | frozenset) for given in answer):
        return f"a list of sets is asked for, such as [('A',), ('A', 'B')], and you give {show(answer)}"
    right = [set(given) for given in separating_sets(graph, x, y)]
    found = [{str(node) for node in given} for given in answer]
    for given in found:
        if given not in right:
            return f"{_names(given)} should not be there: given {_names(given)}, a path between {x} and {y} is open"
        if found.count(given) > 1:
            return f"{_names(given)} is there more than once"
    lacking = [given for given in right if given not in found]
    return f"you give {len(found)}, and there are {len(right)}: {_names(lacking[0])} is missing" if lacking else ""


def _names(given: Iterable[str]) -> str:
    return ", ".join(sorted(given)) or "the empty set"


# -- 2.5: minimal I-maps -----------------------------------------------------------------------------------------
def draw_order(random: Random) -> tuple:
    truth = dag(random, 4, arcs=int(random.integers(3, 5)))
    return oracle_of(truth), shuffled(random, truth.nodes)


def hard_orders(random: Random) -> Iterable[tuple[bn.Statements, list[str]]]:
    """Four parents; a variable that is independent of each of two others, but not of both together."""
    for text in (("a->e, b->e, c->e, d->e", "eabcd", "acbed"), ("a->b, b->c, c->d, a->d", "dbca", "bdac")):
        arcs, *orders = under_names(random, *text)
        yield from ((oracle_of(bn.DAG(arcs)), list(order)) for order in orders)
    *exclusive_or, order = under_names(random, "a _||_ b", "a _||_ c", "b _||_ c", "abc")
    yield bn.Statements(*exclusive_or, variables=order), shuffled(random, order)


def minimal_imap(oracle: bn.Statements, order: list[str]) -> list[tuple[str, Path]]:
    """Each node with its parents, in order."""
    graph = bn.minimal_imap(oracle, order).graph
    return [(node, graph.parents(node)) for node in order]


def imap_options(oracle: bn.Statements, order: list[str], taken: list) -> Options:
    if len(taken) == len(order):
        return Options([], "all variables are done")
    (node, parents), before = minimal_imap(oracle, order)[len(taken)], order[: len(taken)]

    def why(step: Any) -> str:
        if isinstance(step, Odd):
            return f"the order is {', '.join(order)}, and {node} is missing"
        if not isinstance(step, tuple | list) or len(step) != 2 or not isinstance(step[1], tuple | list | set):
            return "a step is a variable with its parents, as ('C', ('A', 'B'))"
        if step[0] != node:
            return f"the order is {', '.join(order)}, and {node} comes next"
        if strange := [parent for parent in step[1] if parent not in before]:
            return f"{strange[0]} does not precede {node} in the order"
        given, rest = tuple(p for p in before if p in step[1]), tuple(p for p in before if p not in step[1])
        needed = first_dependence(oracle, node, rest, given)
        if needed:
            return f"given {_names(given)}, {node} is not independent of {needed[0]}" + (
                f" (given {_names(needed[1])})" if needed[1] != given else "")
        return f"{_names(set(given) - set(parents))} is not needed to make {node} independent of the rest"
    return Options([(node, set(parents))], why)


# -- 2.6 and 2.7: to build ---------------------------------------------------------------------------------------
def draw_chances(random: Random) -> tuple[float, float]:
    """P(Y = 1) for both states of X, well apart."""
    low, gap = int(random.integers(500, 6500)), int(random.integers(1000, 3001))
    return tuple(shuffled(random, [low / 10_000, (low + gap) / 10_000]))


def hard_chances(random: Random) -> list[tuple[float, float]]:
    """As far apart as can be, and close together near 0 and near 1."""
    low, high = (int(random.integers(500, 510)) / 10_000 for _ in range(2))
    return [(low, 1 - high), (1 - high, low), (low, low + 0.1), (1 - high, 0.9 - high)]


def examine_cancelling(answer: Any, p0: float, p1: float) -> str:
    """All three arcs matter, and still X and Z are independent."""
    try:
        z = [[answer[x, y] if isinstance(answer, dict) else answer[x][y] for y in (0, 1)] for x in (0, 1)]
    except (KeyError, IndexError, TypeError):
        return f"give [[z00, z01], [z10, z11]], with the probability of Z = 1 for each x and y; you give {show(answer)}"
    if not all(isinstance(p, int | float) and not isinstance(p, bool) and 0.01 <= p <= 0.99 for row in z for p in row):
        return f"each of the four is a probability from 0.01 to 0.99, and you give {show(z)}"
    if max(abs(z[x][0] - z[x][1]) for x in (0, 1)) < 0.01:
        return "Z does not depend on Y here, so the arc Y -> Z could be removed; let it change a probability by at least 0.01"
    if max(abs(z[0][y] - z[1][y]) for y in (0, 1)) < 0.01:
        return "given Y, Z does not depend on X here, so the arc X -> Z could be removed; let it change a probability by at least 0.01"
    one, other = (row[0] * (1 - p) + row[1] * p for row, p in zip(z, (p0, p1)))
    return "" if close(one, other) else (f"X and Z are not independent: Z is 1 with probability {one:.4f} if X is 0, "
                                         f"and {other:.4f} if X is 1")


def cancelling(p0: float, p1: float) -> list[list[float]]:
    """Z is 1 with probability 1/2 for both values of X, and more often if Y is 1."""
    return [[0.5 - 0.4 * p, 0.5 + 0.4 * (1 - p)] for p in (p0, p1)]


def examine_opened(answer: Any, nodes: list[str]) -> str:
    """a and b are separated by the empty set, by {c} and by {c, d}, but not by {d}."""
    graph, problem = read_dag(answer, nodes)
    if problem:
        return problem
    a, b, c, d = nodes
    for given, wanted in (((), True), ((c,), True), ((d,), False), ((c, d), True)):
        if bn.d_separated(graph, a, b, given) != wanted:
            found = "separated" if not wanted else "not separated"
            return f"in your graph {a} and {b} are {found} given {_names(given)}"
    return ""


QUESTIONS = (
    Question("2.1", "Chain, fork, collider", "kind", "one line", draw_inner_node, kind, points=1, draws=8,
             first=((GARDEN, "rain", "wet", "sprinkler"), (GARDEN, "rain", "cloudy", "sprinkler"),
                    (GARDEN, "cloudy", "rain", "wet")), adversarial=hard_inner_nodes, withheld=SEPARATION, mistakes={
                 "count the arcs into the node; this counts those out of it":
                     lambda g, before, node, after: KINDS[g.has_arc(node, before) + g.has_arc(node, after)],
             }),
    Question("2.2", "What blocks a path", "blockers", "three lines", draw_path, blockers, points=2, draws=6,
             first=((GARDEN, ["rain", "wet", "sprinkler"], []), (GARDEN, ["rain", "wet", "sprinkler"], ["slippery"]),
                    (GARDEN, ["cloudy", "rain", "wet", "slippery"], ["rain"])), adversarial=hard_paths,
             withheld=SEPARATION, mistakes={
                 "descendants are children, their children, and so on; this looks at the children only": shallow,
                 "a collider is also open if one of its descendants is observed": forgetful,
                 "a collider is the opposite: it blocks unless it is observed":
                     lambda g, path, seen: by_rule(g, path, lambda collider, node: node in seen),
                 "chains and forks block if they are observed; this is the opposite":
                     lambda g, path, seen: by_rule(g, path, lambda _, node: node not in seen),
                 "a collider blocks unless it or a descendant is observed; here it blocks if one is":
                     lambda g, path, seen: by_rule(g, path, lambda collider, node: bool(
                         {node, *(g.descendants(node) if collider else ())} & set(seen))),
             }),
    Question("2.3", "The open paths", "open_paths", "function", draw_question, open_paths, points=2,
             first=tuple((GARDEN, "rain", "sprinkler", ["cloudy", below]) for below in ("wet", "slippery")),
             adversarial=hard_questions, withheld=SEPARATION, mistakes={
                 "descendants are children, their children, and so on; this looks at the children only":
                     lambda g, x, y, seen: {path for path in all_paths(g, x, y) if not shallow(g, path, seen)},
                 "a collider is also open if one of its descendants is observed":
                     lambda g, x, y, seen: {path for path in all_paths(g, x, y) if not forgetful(g, path, seen)},
                 "these are the blocked paths":
                     lambda g, x, y, seen: set(all_paths(g, x, y)) - open_paths(g, x, y, seen),
                 "there are more open paths; this is one of the shortest": lambda g, x, y, seen:
                     set(sorted(open_paths(g, x, y, seen), key=lambda path: (len(path), path))[:1]),
             }),
    Question("2.4", "All separating sets, line by line", "separating_sets", "lines in order", draw_pair,
             separating_sets, points=2, first=((GARDEN, "rain", "sprinkler"), (GARDEN, "cloudy", "wet")),
             adversarial=hard_pairs, examine=examine_sets),
    Question("2.5", "A minimal I-map, variable by variable", "minimal_imap", "steps", draw_order, minimal_imap,
             points=3, first=((oracle_of(bn.DAG("A->C, B->C")), list("CAB")),), adversarial=hard_orders, options=imap_options,
             withheld=("learn",)),
    Question("2.6", "Two paths that cancel", "cancelling", "build", draw_chances, cancelling, points=3,
             adversarial=hard_chances, examine=examine_cancelling),
    Question("2.7", "Opened and closed again", "opened", "build", lambda random: (shuffled(random, names(random, 4)),),
             lambda nodes: bn.DAG([(nodes[0], nodes[3]), (nodes[2], nodes[3]), (nodes[2], nodes[1])], nodes), points=2,
             examine=examine_opened),
)
