"""The text notation: what is read, what is refused, and that writing and reading undo each other."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnteach.graphs.notation import read_graph, read_names, write_graph

NAMES = st.text("abcXYZ_09 é", min_size=1, max_size=5).map(str.strip).filter(bool)


@st.composite
def graphs(draw):
    """Nodes, arcs and edges with at most one line a pair; the arcs may close circles."""
    nodes = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    arcs, edges = [], []
    for i, a in enumerate(nodes):
        for b in nodes[i + 1:]:
            kind = draw(st.sampled_from(["", "", "->", "<-", "-"]))
            if kind == "-":
                edges.append((a, b))
            elif kind:
                arcs.append((a, b) if kind == "->" else (b, a))
    return nodes, arcs, edges


@given(graphs())
def test_writing_and_reading_undo_each_other(graph):
    nodes, arcs, edges = graph
    read_nodes, read_arcs, read_edges = read_graph(write_graph(nodes, arcs, edges))
    assert set(read_nodes) == set(nodes)
    assert set(read_arcs) == set(arcs) and set(read_edges) == set(edges)


@pytest.mark.parametrize("text", ["A->B", "A -> B", "A-->B", "A→B", "B<-A", "B <-- A", "B←A"])
def test_arrows_in_many_forms(text):
    assert read_graph(text)[1:] == ([("A", "B")], [])


@pytest.mark.parametrize("text", ["A-B", "A - B", "A--B", "A—B", "A–B"])
def test_edges_in_many_forms(text):
    assert read_graph(text)[1:] == ([], [("A", "B")])


def test_chains_separators_and_single_nodes():
    assert read_graph("A->B<-C; D\n\nE-A,") == (["A", "B", "C", "D", "E"], [("A", "B"), ("C", "B")], [("E", "A")])


def test_nodes_come_in_the_order_of_the_text():
    assert read_graph("Z->A, M")[0] == ["Z", "A", "M"]


@pytest.mark.parametrize("text", ["A->", "->A", "A->->B", "A - , B"])
def test_a_missing_node_is_named_as_such(text):
    with pytest.raises(ValueError, match="a node is missing beside an arrow"):
        read_graph(text)


def test_an_arrow_with_two_heads_is_refused():
    with pytest.raises(ValueError, match=r"an arrow has one head.*A->B or A<-B"):
        read_graph("A<->B")


@pytest.mark.parametrize("text", ["A=>B", "A>B", "A->{B, C}", "A<B"])
def test_what_looks_like_an_arrow_is_no_name(text):
    with pytest.raises(ValueError, match="is no part of an arrow or a name here"):
        read_graph(text)


def test_names():
    assert read_names("ABC") == ["A", "B", "C"]
    assert read_names("rain, sun") == ["rain", "sun"]
    assert read_names("rain sun") == ["rain", "sun"]
    assert read_names(("x", 1)) == ["x", "1"]
    assert read_names("") == []


def test_writing_goes_by_the_order_of_the_nodes():
    assert write_graph("CBA", [("A", "C"), ("C", "B")]) == "C->B, A->C"
    assert write_graph("ABC", []) == "A, B, C"
