"""Pictures of graphs: their elements, their alt text, and that nothing overlaps."""

import itertools
import re
import subprocess
import sys

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.drawing import Drawing
from bnteach.show.layout import components
from bnteach.show.measure import lines_of, node_size, text_width
from bnteach.show.style import PAPER, SERIES, SERIES_TEXT, STYLES
from tests.show.colours import contrast

K4 = bn.PDAG([], list(itertools.combinations("ABCD", 2)))


def boxes(svg, parts):
    """The rectangle of each node: left, top, right, bottom, and its lines of text."""
    found = []
    for node in parts(svg, "bn-node"):
        rect, *texts = node
        x, y, w, h = (float(rect.get(key)) for key in ("x", "y", "width", "height"))
        found.append((x, y, x + w, y + h, [(float(t.get("x")), float(t.get("y")), t.text or "") for t in texts]))
    return found


# -- what is in the picture ----------------------------------------------------------------------------------
@pytest.mark.parametrize(("graph", "arcs", "edges"), [
    (bn.DAG("A->C, B->C, B->D"), 3, 0), (bn.PDAG("A-B, A-C, B->D, C->D"), 2, 2), (K4, 0, 6),
    (bn.DAG("", nodes="A"), 0, 0), (bn.DAG(""), 0, 0), (bn.PDAG("A-B, C, D->E"), 1, 1), (nx.path_graph(5), 0, 4),
    (nx.DiGraph([(1, 2), (2, 1), (2, 3)]), 1, 1),
])
def test_as_many_edges_and_arrowheads_as_the_graph_has(graph, arcs, edges, parts):
    svg = bn.draw(graph).svg
    assert len(parts(svg, "bn-node")) == len(graph.nodes)
    assert len(parts(svg, "bn-edge")) == edges
    assert len(parts(svg, "bn-arc")) == arcs
    assert all(len([e for e in arc if e.tag.endswith("polygon")]) == 1 for arc in parts(svg, "bn-arc"))
    assert svg.count("<polygon") == arcs


def test_arrowheads_touch_the_right_node(parts):
    """The tip of each arrowhead is within a few pixels of the head of its arc, and farther from the tail."""
    graph = bn.DAG("A->B, C->A, B->D, C->D")
    svg = bn.draw(graph).svg
    centre = {text[0][2]: complex(left + right, top + bottom) / 2
              for left, top, right, bottom, text in boxes(svg, parts)}
    found = set()
    for arc in parts(svg, "bn-arc"):
        tip = complex(*map(float, arc[1].get("points").split()[0].split(",")))
        start = complex(*map(float, re.findall(r"[-\d.]+", arc[0].get("d"))[:2]))
        ends = [min(centre, key=lambda n, p=p: abs(centre[n] - p)) for p in (start, tip)]
        assert 19 <= abs(centre[ends[1]] - tip) <= 21, "a circle of radius 18 and a margin of 2"
        found.add(tuple(ends))
    assert found == set(graph.arcs)


def test_a_result_and_a_drawing_are_drawn_as_their_graph():
    graph = bn.DAG("A->B")
    assert bn.draw(bn.Result(graph)).svg == bn.draw(graph).svg
    drawing = Drawing()
    drawing.add_arc("A", "B", style="plain")
    assert bn.draw(drawing).svg == bn.draw(graph).svg


def test_labels_styles_and_highlights(parts):
    picture = bn.draw(bn.DAG("A->B, B->C"), labels={("B", "A"): 0.32156, ("B", "C"): "<1>"}, highlight=["C"],
                      styles={("A", "C"): "pruned", ("A", "B"): "considered"})
    assert [label.text for label in parts(picture.svg, "bn-label")] == ["0.322", "<1>"]
    assert picture.alt == ("Directed graph on A, B, C (kept): arcs A to B labelled 0.322 (considered), "
                           "A to C (pruned), B to C labelled <1>.")
    assert picture.svg.count(STYLES["considered"].colour) == 3, "edge, head and its outline"
    assert len(parts(picture.svg, "bn-arc")) == 3, "what is not in a DAG is added as an arc"
    added = bn.draw(bn.PDAG("A-B"), styles={("B", "A"): "removed"})
    assert len(parts(added.svg, "bn-edge")) == 1


def test_node_labels_are_written_in_the_nodes(parts):
    svg = bn.draw(bn.DAG("A->B"), node_labels={"A": "age < 30\nyears"}).svg
    assert [t.text for t in parts(svg, "bn-node")[0] if t.text] == ["age < 30", "years"]


def test_direction():
    down, right = bn.draw(bn.DAG("A->B->C")).svg, bn.draw(bn.DAG("A->B->C"), direction="LR").svg
    size = [tuple(map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())) for svg in (down, right)]
    assert size[0][0] < size[0][1] and size[1][0] > size[1][1]


# -- alt text ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("graph", "alt"), [
    (bn.DAG("A->C, B->C, B->D", nodes="ABCD"), "Directed graph on A, B, C, D: arcs A to C, B to C, B to D."),
    (bn.PDAG("A-B, A-C"), "Undirected graph on A, B, C: undirected edges A - B, A - C."),
    (bn.PDAG("A-B, C->B"), "Partially directed graph on A, B, C: undirected edge A - B; arc C to B."),
    (bn.DAG("", nodes="AB"), "Graph on A, B without edges."), (bn.DAG(""), "Graph without nodes."),
])
def test_alt_text_describes_the_graph(graph, alt, parts):
    picture = bn.draw(graph)
    assert picture.alt == alt
    assert parts(picture.svg)[0].get("aria-label") == alt
    assert picture._repr_mimebundle_()["text/plain"] == alt


def test_alt_text_of_a_large_graph_is_short_but_the_text_is_whole(alarm):
    picture = bn.draw(alarm, title="ALARM")
    assert picture.alt.startswith("ALARM. Directed graph on 37 nodes: arcs ") and picture.alt.endswith("; and 21 more.")
    assert all(f"{a} to {b}" in picture.text for a, b in alarm.arcs)


# -- nothing overlaps ------------------------------------------------------------------------------------------
def check_places(svg, parts):
    nodes = boxes(svg, parts)
    width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
    for left, top, right, bottom, texts in nodes:
        assert left >= 0 and top >= 0 and right <= width and bottom <= height
        for x, y, text in texts:
            half = text_width(text) / 2
            assert left < x - half and x + half < right and top < y - 10 and y + 3 < bottom
    for a, b in itertools.combinations(nodes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1], (a, b)


def test_alarm_nodes_do_not_overlap_and_hold_their_names(alarm, parts):
    assert (len(alarm), len(alarm.arcs)) == (37, 46)
    svg = bn.draw(alarm).svg
    check_places(svg, parts)
    assert svg.count("<polygon") == 46
    check_places(bn.draw(alarm, direction="LR").svg, parts)


def test_alarm_labels_do_not_touch_each_other_or_nodes(alarm, parts):
    labels = {arc: f"{i / 46:.3f}" for i, arc in enumerate(alarm.arcs)}
    svg = bn.draw(alarm, labels=labels).svg
    placed = [(float(t.get("x")), float(t.get("y")) - 4.5, text_width(t.text, 12.5) / 2)
              for t in parts(svg, "bn-label")]
    assert len(placed) == 46
    for (x, y, half), (u, v, other) in itertools.combinations(placed, 2):
        assert abs(x - u) >= half + other or abs(y - v) >= 12
    for (x, y, half), (left, top, right, bottom, _) in itertools.product(placed, boxes(svg, parts)):
        assert x + half <= left or x - half >= right or y + 6 <= top or y - 6 >= bottom


@pytest.mark.parametrize("n", range(3, 9))
def test_complete_graphs_go_on_a_circle_with_labels_apart(n, parts):
    names = ["volatile acidity", "pH", "free sulfur dioxide", "D", "E", "sugar", "G", "H"][:n]
    graph = bn.PDAG([], list(itertools.combinations(names, 2)))
    svg = bn.draw(graph, labels=dict.fromkeys(graph.edges, "0.32")).svg
    check_places(svg, parts)
    places = [(float(t.get("x")), float(t.get("y"))) for t in parts(svg, "bn-label")]
    touching = [abs(x - u) < 26 and abs(y - v) < 11 for (x, y), (u, v) in itertools.combinations(places, 2)]
    assert sum(touching) <= (0 if n < 8 else 1)


def test_four_adjacent_nodes_make_a_square(parts):
    middles = {t[0][2]: t[0][:2] for *_, t in boxes(bn.draw(K4).svg, parts)}
    assert middles["A"][0] == middles["C"][0] and middles["B"][0] == middles["D"][0]
    assert middles["A"][1] == middles["B"][1] < middles["C"][1] == middles["D"][1]


def test_components_are_ordered_by_their_first_node_and_isolated_nodes_come_last():
    edges = [("E", "D"), ("E", "F"), ("C", "B")]
    assert components("ABDCEF", edges) == [["B", "C"], ["D", "E", "F"], ["A"]]
    assert components("ADBCEF", edges) == [["D", "E", "F"], ["B", "C"], ["A"]]


def test_many_isolated_nodes_wrap(parts):
    svg = bn.draw(bn.DAG("", nodes=[f"variable {i}" for i in range(40)])).svg
    check_places(svg, parts)
    assert float(re.search(r'viewBox="0 0 ([\d.]+)', svg)[1]) < 950


@settings(max_examples=25, deadline=None)
@given(st.integers(12, 14), st.sets(st.tuples(st.integers(0, 11), st.integers(0, 11)), max_size=30))
def test_any_small_dag_is_drawn_whole(n, pairs):
    from xml.etree import ElementTree

    graph = bn.DAG([(f"x{a}", f"x{b}") for a, b in pairs if a < b], nodes=[f"x{i}" for i in range(n)])
    svg = bn.draw(graph).svg
    assert svg.count("<polygon") == len(graph.arcs)
    check_places(svg, lambda text, kind: [e for e in ElementTree.fromstring(text).iter() if e.get("class") == kind])


# -- text in nodes ---------------------------------------------------------------------------------------------
def test_long_names_are_broken_and_keep_all_letters():
    assert lines_of("free sulfur dioxide content") == ["free sulfur", "dioxide content"]
    assert "".join(lines_of("I_am_the_walrus_and_so_on")) == "I_am_the_walrus_and_so_on"
    assert len(lines_of("I_am_the_walrus_and_so_on")) > 1
    assert node_size("A") == (36, 36)


def test_widths_are_no_less_than_those_of_the_widest_common_font():
    """DejaVu Sans comes with matplotlib, which can measure it."""
    from matplotlib.font_manager import findfont
    from matplotlib.ft2font import FT2Font

    font = FT2Font(findfont("DejaVu Sans"))
    font.set_size(1400, 72)
    for name in ["ARTCO2", "VENTTUBE", "free sulfur dioxide", "Wwm@%", "illicit", "x_1 = 0.25", "(B, C) -> D"]:
        font.set_text(name)
        assert text_width(name) >= font.get_width_height()[0] / 6400 - 0.1, name


# -- the palette -----------------------------------------------------------------------------------------------
def test_edges_and_text_have_enough_contrast():
    for name, style in STYLES.items():
        assert contrast(style.colour, PAPER) >= 3, name
        assert contrast(style.text, style.fill) >= 4.5, name


def test_colours_of_plots_and_their_labels_have_enough_contrast():
    assert min(contrast(colour) for colour in SERIES) >= 3
    assert min(contrast(colour) for colour in SERIES_TEXT) >= 4.5
    assert len(set(SERIES)) == len(SERIES) == len(SERIES_TEXT)


def test_styles_differ_without_colour():
    assert len({(style.width, style.dash, style.hollow) for style in STYLES.values()}) == len(STYLES)


# -- errors ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("call", "error", "says"), [
    (lambda g: bn.draw("A->B"), TypeError, "bn.draw draws a DAG.*str is none of these"),
    (lambda g: bn.draw(g, direction="down"), ValueError, "direction is 'down'"),
    (lambda g: bn.draw(g, styles={("A", "B"): "gone"}), ValueError, "no style 'gone'; the styles are plain, "),
    (lambda g: bn.draw(g, highlight=["Z"]), bn.UnknownVariable, "no variable 'Z'"),
    (lambda g: bn.draw(g, highlight=[("A", "B", "C")]), TypeError, "pairs such as"),
    (lambda g: bn.draw(g, labels={("A", "C"): "1"}), ValueError, "no edge between A and C to label"),
    (lambda g: bn.draw(g, labels={("A", "Z"): "1"}), bn.UnknownVariable, "no variable 'Z'"),
    (lambda g: bn.draw(g, node_labels={"Z": "1"}), bn.UnknownVariable, "no variable 'Z'"),
    (lambda g: bn.draw(nx.DiGraph([(1, 1)])), ValueError, "1-1 joins a node to itself"),
])
def test_errors_say_what_to_do(call, error, says):
    with pytest.raises(error, match=says):
        call(bn.DAG("A->B, C"))


@pytest.mark.parametrize("direction", ["TB", "LR", "BT", "RL"])
def test_without_graphviz_there_are_layers_too(direction, monkeypatch, parts):
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    graph = bn.datasets.network("asia").dag
    at = centres(bn.draw(graph, labels={("smoke", "lung"): "0.32"}, direction=direction), parts)
    along = 1 if direction in ("TB", "BT") else 0
    ahead = 1 if direction in ("TB", "LR") else -1
    assert all(ahead * (at[b][along] - at[a][along]) > 50 for a, b in graph.arcs)
    assert "<svg" in graph._repr_html_()


def test_drawing_prints_nothing():
    """Graphviz warns about fonts on some machines; it needs none here."""
    code = "import bnteach as bn; bn.draw(bn.DAG('A->B'), labels={('A', 'B'): 'a label'}, title='Two')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")


# -- pictures to compare -------------------------------------------------------------------------------------
def centres(picture, parts):
    return {text[0][2]: (left + right, top + bottom) for left, top, right, bottom, text in boxes(picture.svg, parts)}


def test_graphs_that_are_compared_have_their_nodes_in_the_same_positions(parts):
    graphs = [bn.DAG("A->C, B->C, B->D"), bn.DAG("D->B, B->C, C->A"), bn.DAG("D->A, C->A, A->B")]
    apart = [centres(bn.draw(graph), parts) for graph in graphs]
    assert apart[0] != apart[1] != apart[2], "else this test could not fail"
    together = [bn.draw(graph, like=graphs, labels={graph.arcs[0]: "0.32"}) for graph in graphs[:1]]
    together += bn.side_by_side(*graphs).pictures
    assert all(centres(picture, parts) == centres(together[1], parts) for picture in together[1:])
    assert [len(parts(picture.svg, "bn-arc")) for picture in together[1:]] == [3, 3, 3]
    one = [bn.draw(graph, like=graphs[0]) for graph in graphs]
    assert all(centres(picture, parts) == apart[0] for picture in one)


def test_graphs_on_other_nodes_are_drawn_by_themselves(parts):
    row = bn.side_by_side(bn.DAG("A->B"), bn.DAG("A->B, B->C"))
    assert centres(row.pictures[0], parts) == centres(bn.draw(bn.DAG("A->B")), parts)
    with pytest.raises(bn.UnknownVariable):
        bn.draw(bn.DAG("A->B, B->C"), like=bn.DAG("A->B"))


def test_a_legend_says_what_a_style_means_here():
    picture = bn.draw(K4, styles={("A", "B"): "removed"}, legend={"removed": "not <in> the truth"})
    assert "A - B (not <in> the truth)" in picture.text
    assert "not &lt;in&gt; the truth</span>" in picture._repr_html_()
    assert picture._repr_html_().count("<span") == 1
    with pytest.raises(ValueError, match="there is no style 'lost'"):
        bn.draw(K4, legend={"lost": "not there"})
    assert "<span" not in bn.draw(K4, styles={("A", "B"): "removed"})._repr_html_()
