"""The text notation: valid and invalid texts, and that reading inverts writing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bnteach import DAG, PDAG, UnknownVariable
from bnteach.graphs.notation import read_graph, read_names, select_names, write_graph

NAMES = st.text("abcXYZ_09 é", min_size=1, max_size=5).map(str.strip).filter(bool)


@st.composite
def graphs(draw):
    """Nodes, arcs and edges with at most one arc or edge per pair; the arcs may close cycles."""
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
def test_reading_inverts_writing(graph):
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
def test_a_node_is_missing(text):
    with pytest.raises(ValueError, match="a node is missing beside an arrow"):
        read_graph(text)


def test_an_arc_with_two_arrowheads():
    with pytest.raises(ValueError, match=r"an arc has one arrowhead.*A->B or A<-B"):
        read_graph("A<->B")


@pytest.mark.parametrize("text", ["A=>B", "A>B", "A->{B, C}", "A<B"])
def test_a_misspelt_arrow_is_not_part_of_a_name(text):
    with pytest.raises(ValueError, match="is not part of an arrow or a name"):
        read_graph(text)


def test_names():
    assert read_names("ABC") == ["A", "B", "C"]
    assert read_names("rain, sun") == ["rain", "sun"]
    assert read_names("rain sun") == ["rain", "sun"]
    assert read_names(("x", 1)) == ["x", "1"]
    assert read_names("") == []


def test_known_names():
    assert select_names("AB", ["AB", "A", "B"]) == ("AB",) and select_names("BA", list("ABC")) == ("B", "A")
    assert select_names("sun, rain", ["rain", "sun"]) == ("sun", "rain") and select_names("", ["A", "B"]) == ()
    with pytest.raises(UnknownVariable, match="no variable 'AZ' in the data; it has A, B"):
        select_names("AZ", ["A", "B"], "the data")
    for unknown in (["A", 1], [("A",)], ["Z"]):
        with pytest.raises(UnknownVariable):
            select_names(unknown, ["A", "B"])


def test_the_text_follows_the_order_of_the_nodes():
    assert write_graph("CBA", [("A", "C"), ("C", "B")]) == "C->B, A->C"
    assert write_graph("ABC", []) == "A, B, C"


def test_names_with_hyphens_stand_in_quotation_marks():
    dag = DAG('"blood-pressure" -> sex, "a, b" <- "blood-pressure"')
    assert dag.arcs == (("blood-pressure", "sex"), ("blood-pressure", "a, b"))
    assert eval(repr(dag)) == dag and eval(repr(PDAG([], [("x-ray", "y")]))) == PDAG([], [("x-ray", "y")])
    with pytest.raises(ValueError, match="If it is one name with a hyphen, put it in quotation marks"):
        DAG("blood-pressure->sex")
