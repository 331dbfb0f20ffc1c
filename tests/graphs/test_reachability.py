"""Reachability and directed cycles, against networkx."""

from itertools import pairwise

import networkx as nx
import numpy as np

from bnteach import PDAG
from bnteach.graphs.reachability import find_cycle, leads_to, reachable
from tests.graphs.brute import random_dag


def random_arcs(rng, n, density):
    """Arcs between n nodes, which may close cycles."""
    return [(f"v{i}", f"v{j}") for i in range(n) for j in range(n) if i != j and rng.random() < density]


def test_cycles_are_found_where_networkx_finds_some():
    rng = np.random.default_rng(0)
    found = 0
    for _ in range(300):
        graph = nx.DiGraph(random_arcs(rng, 7, rng.uniform(0, 0.4)))
        parents = {node: tuple(graph.predecessors(node)) for node in graph}
        children = {node: tuple(graph.successors(node)) for node in graph}
        cycle = find_cycle(parents, children)
        assert bool(cycle) == (not nx.is_directed_acyclic_graph(graph))
        if cycle:
            found += 1
            assert cycle[0] == cycle[-1] and len(set(cycle)) == len(cycle) - 1
            assert all(graph.has_edge(a, b) for a, b in pairwise(cycle))
    assert 50 < found < 250  # both occur


def test_a_node_that_has_itself_as_parent_is_a_cycle():
    assert find_cycle({"A": (), "B": ("A", "B")}, {"A": ("B",), "B": ("B",)}) == ["B", "B"]


def test_reachable_includes_the_start():
    rng = np.random.default_rng(1)
    for _ in range(50):
        dag = random_dag(rng, 7, 0.3)
        graph = dag.to_networkx()
        for node in dag.nodes:
            assert reachable([node], dag.children) == {node} | nx.descendants(graph, node)
    assert reachable([], dag.children) == set()


def test_leads_to_follows_arcs_and_no_edges():
    graph = PDAG("A->B, B->C, C-D, E->F, F->E2, E2->E")
    assert leads_to(graph, "A", "C") and not leads_to(graph, "C", "A")
    assert not leads_to(graph, "A", "D") and not leads_to(graph, "A", "A")
    assert leads_to(graph, "E", "E")  # on a cycle
