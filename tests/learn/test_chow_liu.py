"""Chow-Liu against brute force over all trees, and against networkx's spanning trees."""

from itertools import combinations, product

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.learn.steps.chow_liu import Considered, Cut, Grew, Rooted
from tests.tables.test_table import frames


def every_tree(nodes):
    """All n^(n-2) trees, one for each Prüfer sequence."""
    if len(nodes) < 3:
        yield list(combinations(nodes, 2))
        return
    for sequence in product(range(len(nodes)), repeat=len(nodes) - 2):
        yield [(nodes[a], nodes[b]) for a, b in nx.from_prufer_sequence(list(sequence)).edges]


def rooted(edges, root, nodes):
    tree = nx.Graph(edges)
    tree.add_nodes_from(nodes)
    return bn.DAG(list(nx.bfs_edges(tree, root)), nodes)


@given(frames(max_rows=30, max_columns=5, max_states=3), st.sampled_from(["prim", "kruskal"]))
@settings(max_examples=25, deadline=None)
def test_no_tree_fits_better(frame, method):
    t = bn.Table(frame)
    fit = bn.LogLikelihood(t)
    found = bn.chow_liu(t, method=method)
    best = max(fit(rooted(edges, t.variables[0], t.variables)) for edges in every_tree(t.variables))
    assert found.score == pytest.approx(best, abs=1e-8) == pytest.approx(fit(found.graph), abs=1e-8)


def test_no_tree_of_1296_fits_better():
    for seed in range(3):
        random = np.random.default_rng(seed)
        t = bn.Table(pd.DataFrame(random.integers(0, 2, (25, 6)), columns=list("uvwxyz")))
        weights = bn.mutual_informations(t)
        weight = {frozenset(edge): w for edge, w in weights.items()}
        trees = list(every_tree(t.variables))
        assert len(trees) == 1296
        best = max(sum(weight[frozenset(edge)] for edge in edges) for edges in trees)
        assert bn.chow_liu(t).weight == pytest.approx(best, abs=1e-9)


@given(st.integers(2, 9), st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_prim_and_kruskal_agree_with_networkx(n, seed):
    random = np.random.default_rng(seed)
    nodes = [f"n{i}" for i in range(n)]
    weights = {pair: float(random.integers(0, 4)) for pair in combinations(nodes, 2)}  # many ties
    graph = nx.Graph([(a, b, {"weight": w}) for (a, b), w in weights.items()])
    best = nx.maximum_spanning_tree(graph).size(weight="weight")
    both = {frozenset(pair): w for pair, w in weights.items()}
    for edges in (bn.prim(weights).edges, bn.kruskal(weights).edges):
        assert nx.is_tree(nx.Graph(edges)) and sum(both[frozenset(edge)] for edge in edges) == pytest.approx(best)


def test_five_rows_every_root():
    t = bn.datasets.five_rows()
    for root in "ABCD":
        for method in ("prim", "kruskal"):
            found = bn.chow_liu(t, root=root, method=method)
            assert found.tree == bn.PDAG("A-C, B-C, B-D") and not found.graph.parents(root)
            assert (round(found.weight, 4), round(found.score, 4)) == (0.9658, -12.0999)


def test_the_trace_says_what_a_teacher_says():
    t = bn.datasets.five_rows()
    prim = bn.chow_liu(t, root="B").trace
    assert [(step.edge, step.tree) for step in prim.only(Grew)] == [
        (("B", "C"), ("B",)), (("B", "D"), ("B", "C")), (("C", "A"), ("B", "C", "D"))]
    kruskal = bn.chow_liu(t, root="B", method="kruskal").trace
    assert [(step.edge, step.accepted) for step in kruskal.only(Considered)] == [
        (("A", "C"), True), (("B", "C"), True), (("B", "D"), True)], "ties go by the order of the variables"
    assert str(prim[-1]) == "root B, orient edges away from it: B->C, B->D, C->A"


def test_kruskal_skips_what_closes_a_circle():
    steps = list(bn.kruskal.steps({("A", "B"): 3, ("B", "C"): 2, ("A", "C"): 1.5, ("C", "D"): 1}))
    assert [str(step) for step in steps] == [
        "A-B 3.000: joins two components, accept", "B-C 2.000: joins two components, accept",
        "A-C 1.500: would close a cycle, reject", "C-D 1.000: joins two components, accept"]


@pytest.mark.parametrize(("root", "pair"), [(None, "A-C"), ("Z", "A-Z")])
def test_a_pair_without_a_weight_is_named(root, pair):
    with pytest.raises(ValueError, match=f"{pair} has no weight, and Prim needs one for every pair"):
        bn.prim({("A", "B"): 1.0, ("B", "C"): 2.0}, root=root)


def test_large_weights_come_to_an_end():
    """Taking off what counts as equal changes nothing of such a number."""
    weights = {("A", "B"): 1e300, ("B", "C"): 1e300, ("A", "C"): 1.0}
    assert bn.prim(weights, root="A").edges == bn.kruskal(weights).edges == (("A", "B"), ("B", "C"))


def test_rounding_does_not_settle_ties():
    weights = {("A", "B"): 0.3, ("A", "C"): 0.1 + 0.2, ("B", "C"): 0.3 - 1e-12}
    assert bn.kruskal(weights).edges == (("A", "B"), ("A", "C"))
    assert bn.prim(weights, root="C").edges == (("C", "A"), ("A", "B"))


def test_forests():
    random = np.random.default_rng(0)
    x, y = random.integers(0, 2, (2, 400))
    frame = pd.DataFrame({"x1": x, "x2": x ^ (random.random(400) < .1), "y1": y, "y2": y ^ (random.random(400) < .1)})
    found = bn.chow_liu(frame, forest=True)
    assert found.tree == bn.PDAG("x1-x2, y1-y2") and len(found.trace.only(Cut)) == 1
    assert [step.root for step in found.trace.only(Rooted)] == ["x1", "y1"]
    mdl = bn.MDL(bn.Table(frame))
    assert mdl(found.graph) > mdl(bn.chow_liu(frame).graph), "the edge that was cut did not pay"
    assert bn.chow_liu(frame, forest=2.0).graph.arcs == ()
    assert found.score == pytest.approx(bn.LogLikelihood(bn.Table(frame))(found.graph))


def every_forest(nodes):
    """All sets of edges without a cycle."""
    pairs = list(combinations(nodes, 2))
    for chosen in product([False, True], repeat=len(pairs)):
        edges = [pair for pair, taken in zip(pairs, chosen) if taken]
        if not edges or nx.is_forest(nx.Graph(edges)):
            yield edges


def oriented(edges, nodes):
    forest = nx.Graph(edges)
    forest.add_nodes_from(nodes)
    roots = [min(part) for part in nx.connected_components(forest)]
    return bn.DAG([arc for root in roots for arc in nx.bfs_edges(forest, root)], nodes)


@pytest.mark.parametrize("method", ["prim", "kruskal"])
@pytest.mark.parametrize("n", [4, 5])
def test_no_forest_scores_better(n, method):
    """State counts differ, so cutting the worthless edges of the best tree does not always give the best forest."""
    cutting_later_is_worse = 0
    for seed in range(30 if n == 4 else 6):
        random = np.random.default_rng(seed)
        sizes, hidden = random.choice([2, 3, 9], n), random.integers(0, 9, 60)
        frame = {f"v{i}": np.where(random.random(60) < .5, hidden, random.integers(0, 9, 60)) % size
                 for i, size in enumerate(sizes)}
        table = bn.Table(frame)
        mdl, found = bn.MDL(table), bn.chow_liu(table, forest=True, method=method)
        best = max(mdl(oriented(edges, table.variables)) for edges in every_forest(table.variables))
        assert mdl(found.graph) == pytest.approx(best)
        whole = bn.chow_liu(table, method=method).tree.edges
        worth = [(a, b) for a, b in whole if mdl.family(b, [a]) > mdl.family(b)]
        cutting_later_is_worse += mdl(oriented(worth, table.variables)) < best - 1e-6
    assert cutting_later_is_worse > 0


def test_the_trace_of_a_forest():
    trace = bn.chow_liu(bn.datasets.five_rows(), forest=True).trace
    assert [type(step).__name__ for step in trace[:2]] == ["Weighed", "Penalised"]
    assert str(trace[1]).startswith("minus the penalty of an edge: A-B -0.159, A-C 0.0")
    assert bn.chow_liu(bn.datasets.five_rows(), forest=np.float64(0.3)).tree == bn.PDAG("A-C, B-C, B-D")
    assert bn.chow_liu(bn.datasets.five_rows(), forest=np.int64(1)).graph.arcs == ()


def test_constant_columns_and_one_column():
    t = bn.Table({"x": [1, 1, 1], "y": [0, 1, 1], "z": [0, 1, 0]})
    assert len(bn.chow_liu(t).graph.arcs) == 2
    assert bn.chow_liu({"x": [0, 1]}).graph == bn.DAG("x")


def test_the_sketch_ends_as_the_graph():
    found = bn.chow_liu(bn.datasets.five_rows(), root="C")
    *_, (_, drawing) = found.trace.replay()
    arcs = {key for key, line in drawing.edges.items() if line.directed}
    assert arcs == set(found.graph.arcs) and len(drawing.edges) == 3


@pytest.mark.parametrize(("options", "message"), [
    ({"root": "E"}, "no variable 'E'"), ({"method": "boruvka"}, "use 'prim' or 'kruskal'")])
def test_bad_options_say_what_to_do(options, message):
    with pytest.raises((ValueError, KeyError), match=message):
        bn.chow_liu(bn.datasets.five_rows(), **options)
