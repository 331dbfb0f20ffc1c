"""PDAGs that represent no DAG, as questions 5.6 and 5.7 ask for them."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import bnteach as bn
from bnteach.course.comparing import as_graph, show
from bnteach.course.exercises.questions.inputs import Random, names, shuffled
from bnteach.course.exercises.questions.read import Read
from bnteach.errors import NoExtension
from bnteach.graphs.pdag import PDAG


def every_size(random: Random) -> list[tuple[list[str]]]:
    """Four, five and six nodes."""
    return [(shuffled(random, names(random, n)),) for n in (4, 5, 6)]


def read_pdag(answer: Any, nodes: list[str]) -> Read:
    """A PDAG over exactly these nodes, each of them with an edge or an arc."""
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
        return None, f"{alone[0]} has no edge in your graph; each node must have one"
    return pdag, ""


def has_extension(pdag: PDAG) -> str:
    """A sentence if it represents some DAG."""
    try:
        return f"your graph represents a DAG, {show(bn.extend(pdag))}"
    except NoExtension:
        return ""


def examine_undirected(answer: Any, nodes: list[str]) -> str:
    """No arcs, and no extension."""
    pdag, problem = read_pdag(answer, nodes)
    if problem:
        return problem
    if pdag.arcs:
        return f"{'->'.join(pdag.arcs[0])} is an arc; here the graph must have none"
    problem = has_extension(pdag)
    return problem and f"{problem}: look for a cycle of four or more nodes without a chord"


def examine_tree(answer: Any, nodes: list[str]) -> str:
    """A tree with some arcs, and no extension."""
    import networkx as nx

    pdag, problem = read_pdag(answer, nodes)
    if problem:
        return problem
    if len(pdag.skeleton) >= len(nodes):
        return f"your graph has {len(pdag.skeleton)} edges; a tree on {len(nodes)} nodes has {len(nodes) - 1}"
    if not nx.is_forest(nx.Graph(pdag.skeleton)):
        return "some of your edges form a cycle; a tree has none"
    problem = has_extension(pdag)
    return problem and f"{problem}: look for an undirected edge that cannot be oriented either way"


def cycle(nodes: list[str]) -> PDAG:
    return PDAG((), [*pairwise(nodes), (nodes[-1], nodes[0])], nodes)


def squeezed(nodes: list[str]) -> PDAG:
    """a -> b - c - ... - y <- z."""
    inner = nodes[1:-1]
    return PDAG([(nodes[0], nodes[1]), (nodes[-1], nodes[-2])], list(pairwise(inner)), nodes)
