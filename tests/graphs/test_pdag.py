"""The PDAG: arcs and edges, changes, equality, errors, networkx."""

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnteach import DAG, PDAG, UnknownVariable

KINDS = ["", "->", "<-", "-"]


@st.composite
def pdags(draw, max_nodes=6):
    nodes = "ABCDEF"[: draw(st.integers(1, max_nodes))]
    graph = PDAG(nodes=nodes)
    for i, a in enumerate(nodes):
        for b in nodes[i + 1:]:
            graph = joined(graph, a, draw(st.sampled_from(KINDS)), b)
    return graph


def joined(graph, a, kind, b):
    if kind == "-":
        return graph.with_edge(a, b)
    return graph.with_arc(a, b) if kind == "->" else graph.with_arc(b, a) if kind == "<-" else graph.without(a, b)


@given(pdags())
def test_round_trips(graph):
    assert PDAG(str(graph)) == graph == PDAG(graph)
    assert PDAG(graph.arcs, graph.edges, graph.nodes) == graph
    assert PDAG.from_networkx(graph.to_networkx()) == graph
    assert hash(PDAG(str(graph))) == hash(graph)


@given(pdags())
def test_arcs_and_edges_agree_from_both_nodes(graph):
    for a in graph.nodes:
        for b in graph.nodes:
            assert graph.has_arc(a, b) == (a in graph.parents(b)) == (b in graph.children(a)) == ((a, b) in graph.arcs)
            assert graph.has_edge(a, b) == graph.has_edge(b, a) == (a in graph.neighbours(b))
            assert graph.adjacent(a, b) == graph.adjacent(b, a) == (a in graph.adjacent_to(b))
    assert set(map(frozenset, graph.skeleton)) == set(map(frozenset, graph.arcs + graph.edges))
    assert len(graph.skeleton) == len(graph.arcs) + len(graph.edges)


@given(pdags(), st.data())
def test_changes_concern_one_pair_and_leave_the_old_graph_alone(graph, data):
    if len(graph) < 2:
        return
    before = str(graph)
    a, b = data.draw(st.permutations(graph.nodes))[:2]
    kind = data.draw(st.sampled_from(KINDS))
    changed = joined(graph, a, kind, b)
    others = [arc for arc in graph.arcs if set(arc) != {a, b}], [e for e in graph.edges if set(e) != {a, b}]
    arcs = {"->": [(a, b)], "<-": [(b, a)]}.get(kind, [])
    assert changed == PDAG(others[0] + arcs, others[1] + ([(a, b)] if kind == "-" else []), graph.nodes)
    assert changed.nodes == graph.nodes and str(graph) == before


@given(pdags())
def test_without_a_node(graph):
    node = graph.nodes[-1]
    left = [n for n in graph.nodes if n != node]
    expected = PDAG([x for x in graph.arcs if node not in x], [x for x in graph.edges if node not in x], left)
    assert graph.without_node(node) == expected and graph.without_node(node).nodes == tuple(left)
    assert node in graph


def test_to_dag_and_back():
    assert PDAG("A->B, B->C").to_dag() == DAG("A->B, B->C")
    assert PDAG(DAG("A->B")).is_directed() and not PDAG("A-B").is_directed()
    assert PDAG(nx.Graph([("A", "B")])) == PDAG("A-B")
    with pytest.raises(ValueError, match=r"A-B has no direction.*bn\.extend"):
        PDAG("A-B, B->C").to_dag()


def test_errors():
    with pytest.raises(ValueError, match="A and B are joined twice: A->B and A-B"):
        PDAG("A->B, A-B")
    with pytest.raises(ValueError, match="B and A are joined twice: B<-A and B->A"):
        PDAG("A->B, B->A")
    with pytest.raises(ValueError, match="joins a node to itself"):
        PDAG("A-A")
    with pytest.raises(ValueError, match="joins a node to itself"):
        PDAG("A-B").with_arc("A", "A")
    with pytest.raises(TypeError, match=r"a graph is needed here, not an? int"):
        PDAG(3)
    with pytest.raises(TypeError, match="a networkx graph is needed here"):
        PDAG.from_networkx(3)
    for use in (lambda g: g.parents("Z"), lambda g: g.with_arc("A", "Z"), lambda g: g.without_node("Z"),
                lambda g: g.adjacent("A", "Z")):
        with pytest.raises(UnknownVariable, match="no variable 'Z'"):
            use(PDAG("A-B"))


def test_equality():
    assert PDAG("A-B, B->C") == PDAG("B->C, B-A", nodes="CBA")
    assert PDAG("A-B") != PDAG("A->B") and PDAG("A-B") != PDAG("A-B, C") and PDAG("A-B") != DAG("A->B")
    assert len({PDAG("A-B"), PDAG("B-A")}) == 1
