"""Exercise 5: who can come last, all DAGs of a PDAG, and PDAGs that stand for none. Lesson 05_from_pattern_to_dag."""

from __future__ import annotations

from itertools import pairwise, product
from typing import Any

import bnteach as bn
from bnteach.course.comparing import as_graph, show
from bnteach.course.exercises.grading.plain import Graph
from bnteach.course.exercises.questions.base import Options, Question
from bnteach.course.exercises.questions.inputs import Random, dag, names, shuffled
from bnteach.course.exercises.questions.read import Read
from bnteach.errors import NoExtension
from bnteach.graphs.extension import not_a_sink
from bnteach.graphs.pdag import PDAG
from bnteach.graphs.reachability import leads_to

EXTENSION = ("graphs.extension", "graphs.equivalence")
SQUARE, PATTERN = PDAG("A-B, B-D, D-C, C-A", nodes="ABCD"), PDAG("A-B, A-C, B->D, C->D")


# -- 5.1 and 5.3: who comes last -------------------------------------------------------------------------------
def draw_class(random: Random) -> PDAG:
    """The essential graph of a class with two to twenty members."""
    while True:
        graph = bn.cpdag(dag(random, 5, arcs=int(random.integers(4, 8))))
        if 2 <= bn.class_size(graph) <= 20:
            return graph


def draw_any(random: Random) -> tuple[PDAG]:
    """A PDAG; sometimes its lines are turned at random, so that it may stand for no DAG."""
    graph = draw_class(random)
    if random.random() < 0.5:
        for a, b in graph.skeleton:
            line = random.integers(4)
            graph = graph.with_edge(a, b) if line < 2 else graph.with_arc(a, b) if line == 2 else graph.with_arc(b, a)
    return (graph,)


def last_nodes(g: PDAG) -> set[str]:
    """The nodes that can come last."""
    return {node for node in g.nodes if not not_a_sink(g, node)}


def without_arrows_into(g: PDAG) -> set[str]:
    """As if only undirected neighbours had to be joined to each other."""
    return {n for n in g.nodes if not g.children(n) and
            all(a == b or g.adjacent(a, b) for a, b in product(g.neighbours(n), repeat=2))}


def forgetful(g: PDAG) -> set[str]:
    """As if the last neighbour looked at decided alone."""
    fits = {n: not g.children(n) for n in g.nodes}
    for n in g.nodes:
        for a in g.neighbours(n):
            fits[n] = all(a == b or g.adjacent(a, b) for b in g.adjacent_to(n))
    return {n for n in g.nodes if fits[n]}


def taken_off(g: PDAG) -> list[str]:
    """One right run: the nodes in the order in which they are taken off, as far as it goes."""
    taken = []
    while last := last_nodes(g):
        taken.append(min(last))
        g = g.without_node(taken[-1])
    return taken


def last_options(g: PDAG, taken: list) -> Options:
    for node in taken:
        g = g.without_node(node)
    left = ", ".join(g.nodes)

    def why(step: Any) -> str:
        if isinstance(step, str) and step in g:
            return f"of {left}, {step} cannot be a sink: {not_a_sink(g, step)}"
        if isinstance(step, str) and step in taken:
            return f"{step} was taken off before"
        return f"of {left} it can come last" if last_nodes(g) else "no node that is left can come last"
    return Options(sorted(last_nodes(g)), why)


# -- 5.2: what an extension is -----------------------------------------------------------------------------------
def draw_candidate(random: Random) -> tuple[bn.DAG, PDAG]:
    """A DAG and a PDAG: an extension, or the lines or arrows are not quite right."""
    pdag = draw_class(random)
    one = bn.extend(pdag)
    kind = random.integers(4)
    if kind == 1:
        a, b = one.arcs[random.integers(len(one.arcs))]
        one = one.without_arc(a, b)
    elif kind > 1:  # every line along some order: arrows turn, immoralities come and go
        order = shuffled(random, pdag.nodes)
        one = bn.DAG([(a, b) if order.index(a) < order.index(b) else (b, a) for a, b in pdag.skeleton], pdag.nodes)
    return one, pdag


def immoralities(graph: Any) -> set[tuple[str, frozenset[str]]]:
    return {(c, frozenset((a, b))) for a, c, b in bn.v_structures(graph)}


def broken(one: bn.DAG, pdag: PDAG) -> set[int]:
    """The numbers of the conditions that do not hold."""
    lines = {frozenset(edge) for edge in one.skeleton} == {frozenset(edge) for edge in pdag.skeleton}
    holds = lines, set(pdag.arcs) <= set(one.arcs), immoralities(one) <= immoralities(pdag)
    return {number for number, held in enumerate(holds, start=1) if not held}


# -- 5.4: all of them --------------------------------------------------------------------------------------------
def all_ways(pdag: PDAG, immoral: bool = False) -> set[frozenset]:
    """The arcs of every DAG with these lines and arrows; with `immoral`, new immoralities do not matter."""
    found = set()
    for turned in product([False, True], repeat=len(pdag.edges)):
        arcs = [*pdag.arcs, *((b, a) if turn else (a, b) for (a, b), turn in zip(pdag.edges, turned))]
        try:
            one = bn.DAG(arcs, pdag.nodes)
        except bn.CycleError:
            continue
        if immoral or immoralities(one) <= immoralities(pdag):
            found.add(frozenset(arcs))
    return found


def draw_small(random: Random) -> tuple[PDAG]:
    """A PDAG with few open lines; sometimes one of its arrows is known from elsewhere, sometimes it has no DAG."""
    while True:
        (graph,) = draw_any(random)
        if 2 <= len(graph.edges) <= 6 and all_ways(graph) != all_ways(graph, immoral=True):
            return (graph,)


def examine_all(answer: Any, pdag: PDAG) -> str:
    """Every DAG of the PDAG once, and nothing else, in any order."""
    if not isinstance(answer, list | tuple | set | frozenset) or isinstance(answer, Graph):
        return f"a list of DAGs is asked for, and you give {show(answer)}"
    right, loose = all_ways(pdag), all_ways(pdag, immoral=True)
    graphs = [as_graph(one) for one in answer]
    if strange := [i for i, graph in enumerate(graphs, start=1) if not graph or any(len(a) != 2 for a in graph.arcs)]:
        return f"a list of DAGs is asked for, and number {strange[0]} of yours is no graph"
    for graph in graphs:
        if set(graph.arcs) not in right:
            why = "it has an immorality that the PDAG has not" if set(graph.arcs) in loose else \
                "it has other lines or arrows than the PDAG, or a circle"
            return f"{show(graph)} does not belong there: {why}"
    given = [frozenset(graph.arcs) for graph in graphs]
    if len(set(given)) < len(given):
        return f"{show(next(g for g in graphs if given.count(frozenset(g.arcs)) > 1))} is there more than once"
    if lacking := sorted(sorted(arcs) for arcs in right - set(given)):
        return f"you give {len(given)}, and there are {len(right)}: {show(bn.DAG(lacking[0]))} is missing"
    return ""


# -- 5.5: what all agree on --------------------------------------------------------------------------------------
def draw_member(random: Random) -> tuple[bn.DAG]:
    """A DAG whose class has arrows and open lines; half of the time more arrows than those of its immoralities."""
    follows = random.random() < 0.5
    while True:
        graph = dag(random, 5, arcs=int(random.integers(4, 8)))
        whole = bn.cpdag(graph)
        if whole.arcs and whole.edges and (not follows or whole != bn.pattern(graph)):
            return (graph,)


# -- 5.6 and 5.7: no DAG -----------------------------------------------------------------------------------------
def read_pdag(answer: Any, nodes: list[str]) -> Read:
    """A PDAG over exactly these nodes, each of them with a line."""
    graph = as_graph(answer)
    if graph is None or any(len(pair) != 2 for pair in (*graph.arcs, *graph.edges)):
        example = f"bn.PDAG([({nodes[0]!r}, {nodes[1]!r})], [({nodes[1]!r}, {nodes[2]!r})])"
        return None, f"a PDAG is asked for, such as {example}, arcs first and then edges, and you give {show(answer)}"
    if strange := sorted({*graph.nodes, *(n for pair in (*graph.arcs, *graph.edges) for n in pair)} - set(nodes)):
        return None, f"your graph has the node {strange[0]}, and the nodes are {', '.join(nodes)}"
    try:
        pdag = PDAG(graph.arcs, graph.edges, nodes)
    except ValueError as error:
        return None, str(error)
    if alone := [node for node in nodes if not pdag.adjacent_to(node)]:
        return None, f"{alone[0]} has no line in your graph; each node is to have one"
    return pdag, ""


def has_extension(pdag: PDAG) -> str:
    """A sentence if it stands for some DAG."""
    try:
        return f"your graph stands for a DAG, {show(bn.extend(pdag))}"
    except NoExtension:
        return ""


def examine_undirected(answer: Any, nodes: list[str]) -> str:
    """No arrows, and no DAG."""
    pdag, problem = read_pdag(answer, nodes)
    if problem:
        return problem
    if pdag.arcs:
        return f"{'->'.join(pdag.arcs[0])} is an arrow; here the graph is to have none"
    told = has_extension(pdag)
    return told and f"{told}: look for a circle of four or more nodes without a shortcut"


def examine_tree(answer: Any, nodes: list[str]) -> str:
    """A tree with some arrows, and no DAG."""
    pdag, problem = read_pdag(answer, nodes)
    if problem:
        return problem
    if len(pdag.skeleton) >= len(nodes):
        return f"your graph has {len(pdag.skeleton)} lines; a tree on {len(nodes)} nodes has {len(nodes) - 1}"
    if any(leads_to(pdag, node, node) for node in nodes) or closes_circle(pdag):
        return "some of your lines close a circle; a tree has none"
    told = has_extension(pdag)
    return told and f"{told}: leave a line between two arrows no way to point"


def closes_circle(pdag: PDAG) -> bool:
    """Do the lines close a circle, whichever way they point?"""
    part = {node: node for node in pdag.nodes}
    for a, b in pdag.skeleton:
        if part[a] == part[b]:
            return True
        part = {node: part[a] if p == part[b] else p for node, p in part.items()}
    return False


def circle(nodes: list[str]) -> PDAG:
    return PDAG((), [*pairwise(nodes), (nodes[-1], nodes[0])], nodes)


def squeezed(nodes: list[str]) -> PDAG:
    """a -> b - c - ... - y <- z."""
    inner = nodes[1:-1]
    return PDAG([(nodes[0], nodes[1]), (nodes[-1], nodes[-2])], list(pairwise(inner)), nodes)


QUESTIONS = (
    Question("5.1", "Who can come last?", "last_nodes", "one line", draw_any, last_nodes, points=1,
             first=((PATTERN,), (SQUARE,), (PDAG("A->B, B-C"),), (PDAG("A-B, A-C, B->C"),)), withheld=EXTENSION, mistakes={
                 "keep what was found before, fits = fits and ...; yours forgets (a), and all neighbours but one":
                     forgetful,
                 "a neighbour over an open line must be joined to the parents of the node as well": without_arrows_into,
                 "(b) is forgotten: its neighbours must be joined to each other":
                     lambda g: {n for n in g.nodes if not g.children(n)},
             }),
    Question("5.2", "Which condition breaks?", "broken", "three lines", draw_candidate, broken, points=2, draws=6,
             first=((bn.DAG("B->A, C->A, B->D, C->D"), PATTERN), (bn.DAG("A->B, A->C, B->D, C->D"), PATTERN)),
             withheld=("graphs.extension",)),
    Question("5.3", "Dor and Tarsi, step by step", "take_off", "steps", draw_any, taken_off, points=3,
             first=((PATTERN,), (SQUARE,)), options=last_options, withheld=EXTENSION),
    Question("5.4", "The whole class, line by line", "all_extensions", "lines in order", draw_small,
             lambda g: [bn.DAG(sorted(arcs), g.nodes) for arcs in sorted(all_ways(g), key=sorted)], points=2,
             first=((PATTERN,), (SQUARE,)), examine=examine_all, withheld=EXTENSION),
    Question("5.5", "What all agree on", "class_graph", "function", draw_member, bn.cpdag, points=3,
             first=((bn.DAG("A->B, A->C, B->D, C->D"),), (bn.DAG("A->C, B->C, C->D"),)),
             withheld=(*EXTENSION, "learn", "graphs.orientation"), mistakes={
                 "only immoralities have arrows here; some more lines can point only one way, since the other way would "
                 "make a new immorality or a circle": bn.pattern,
             }),
    Question("5.6", "Lines that no DAG can have", "no_dag", "build",
             lambda random: (names(random, int(random.integers(4, 7))),), circle, points=2, examine=examine_undirected),
    Question("5.7", "A tree that no DAG can have", "squeezed_tree", "build",
             lambda random: (names(random, int(random.integers(4, 7))),), squeezed, points=3, examine=examine_tree),
)
