"""Hill climbing: it ends in a local optimum, obeys its constraints, and counts the graphs that it evaluates."""

import os
import subprocess
import sys
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnteach import (
    AIC,
    BIC,
    DAG,
    K2,
    MDL,
    BDeu,
    CycleError,
    LogLikelihood,
    Measurements,
    Table,
    UnknownVariable,
    chow_liu,
    datasets,
    exact,
    hill_climb,
)
from bnteach.learn.search.constraints import Constraints
from bnteach.learn.search.neighbourhood import ADD, MOVES, Neighbourhood
from bnteach.learn.search.ties import TOLERANCE
from bnteach.learn.steps.hill_climb import Chose, Considered, Moved, Started, Stopped
from tests.learn.brute_force import best_score, neighbours, xor_table
from tests.random_tables import random_table, tables

SCORES = [AIC, MDL, BIC, BDeu, K2]


def in_order(score):
    """The neighbours of a DAG, as the rule for ties has them: by parent, child, then add, remove, reverse."""
    index = {name: i for i, name in enumerate(score.variables)}
    return lambda change: (index[change[1]], index[change[2]], MOVES.index(change[0]))


@settings(max_examples=40)
@given(tables(), st.sampled_from(SCORES), st.sampled_from([None, "random", "tree"]), st.integers(0, 99))
def test_no_neighbour_is_better_and_no_local_optimum_exceeds_the_best_score(table, kind, start, seed):
    score = kind(table)
    found = hill_climb(score, start=start, seed=seed)
    assert found.score == pytest.approx(score(found.graph), abs=1e-9)
    assert max(score(dag) for *_, dag in neighbours(found.graph)) <= found.score + 2e-7
    assert found.score <= best_score(score) + 1e-9


@settings(max_examples=25)
@given(tables(least=3), st.sampled_from(SCORES))
def test_every_move_is_the_first_of_the_best(table, kind):
    score = kind(table)
    found, dag, evaluated = hill_climb(score), DAG((), table.variables), 0
    for step in found.trace.only(Moved):
        around = sorted(neighbours(dag), key=in_order(score))
        gains = [score(other) - score(dag) for *_, other in around]
        evaluated += len(around)
        what, a, b, after = next(n for n, gain in zip(around, gains) if gain >= max(gains) - TOLERANCE)
        assert (step.change, step.parent, step.child) == (what, a, b)
        assert step.gain == pytest.approx(max(gains), abs=2e-7)
        assert step.score == pytest.approx(score(after), abs=1e-7)
        dag = after
    assert dag == found.graph
    assert found.evaluated == evaluated + len(neighbours(dag))


@settings(max_examples=30)
@given(tables(), st.sampled_from([LogLikelihood, *SCORES]), st.data())
def test_one_more_parent_for_all_candidates_at_once_scores_the_same(table, kind, data):
    score, (child, *others) = kind(table), data.draw(st.permutations(table.variables))
    parents = tuple(others[: data.draw(st.integers(0, len(others)))])
    scores = score.with_one_more_parent(child, parents)
    assert list(scores) == [name for name in table.variables if name not in (child, *parents)]
    for name, value in scores.items():
        assert value == pytest.approx(score.family(child, (*parents, name)), abs=1e-9)


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_gains_stay_right_after_any_moves(seed):
    """Each gain is the difference of the scores of two graphs, and the legal moves lead to the neighbours."""
    random, table = np.random.default_rng(seed), random_table(seed, 5, 30)
    score = BIC(table)
    around = Neighbourhood(score, DAG((), table.variables))
    for _ in range(8):
        legal = np.argwhere(np.isfinite(around.gains()))
        around.make(*map(int, legal[random.integers(len(legal))]))
    dag, gains = around.dag(), around.gains()
    expected = {(MOVES.index(what), around.index[a], around.index[b]): score(other) - score(dag)
                for what, a, b, other in neighbours(dag)}
    assert {tuple(map(int, key)) for key in np.argwhere(np.isfinite(gains))} == set(expected)
    assert all(gains[key] == pytest.approx(gain, abs=1e-8) for key, gain in expected.items())
    assert all(around.toggle_gain(a, b) == pytest.approx(gain, abs=1e-8)
               for (move, a, b), gain in expected.items() if MOVES[move] != "reverse")
    assert around.total == pytest.approx(score(dag), abs=1e-8)


@settings(max_examples=25)
@given(st.integers(0, 2**32))
def test_the_legal_moves_are_the_neighbours_that_the_constraints_allow(seed):
    random, table = np.random.default_rng(seed), random_table(seed, 4, 20)
    pairs = list(permutations(table.variables, 2))
    forbidden = [pairs[i] for i in random.choice(len(pairs), 3, replace=False)]
    start = DAG([(a, b) for a, b in pairs if a < b and (a, b) not in forbidden and random.random() < 0.5], "ABCD")
    required = [arc for arc in start.arcs if random.random() < 0.3]
    limit = max(len(start.parents(x)) for x in "ABCD")
    constraints = Constraints.read("ABCD", required, forbidden, max_parents=limit)
    gains = Neighbourhood(BIC(table), start, constraints).gains()
    allowed = {(what, a, b) for what, a, b, dag in neighbours(start)
               if set(required) <= set(dag.arcs) and not set(forbidden) & set(dag.arcs)
               and all(len(dag.parents(x)) <= limit for x in "ABCD")}
    assert {(MOVES[move], "ABCD"[a], "ABCD"[b]) for move, a, b in np.argwhere(np.isfinite(gains))} == allowed


@settings(max_examples=25)
@given(st.integers(0, 2**32), st.sampled_from(["", "random", "tree"]))
def test_the_constraints_are_obeyed(seed, start):
    table = random_table(seed, 5, 40)
    found = hill_climb(AIC(table), start=start or None, restarts=2, seed=seed, max_parents=2, required="A->B, C->B",
                       forbidden="D-E, A->C")
    for step in found.trace.only(Started):
        assert {("A", "B"), ("C", "B")} <= set(step.graph.arcs)
        assert not {("D", "E"), ("E", "D"), ("A", "C")} & set(step.graph.arcs)
        assert all(len(step.graph.parents(x)) <= 2 for x in "ABCDE")
    assert {("A", "B"), ("C", "B")} <= set(found.graph.arcs)
    assert not {("D", "E"), ("E", "D"), ("A", "C")} & set(found.graph.arcs)
    assert all(len(found.graph.parents(x)) <= 2 for x in "ABCDE")


def test_where_few_arcs_are_allowed_only_their_families_are_scored(monkeypatch):
    score, names = BIC(random_table(3, 16, 200)), random_table(3, 16, 200).variables
    allowed = {(a, b) for i, a in enumerate(names) for b in (names[i - 1], names[i - 2])}
    constraints = Constraints.read(names, forbidden=[pair for pair in permutations(names, 2) if pair not in allowed])
    start = DAG([(names[3], names[4]), (names[5], names[4])], names)
    monkeypatch.setattr("bnteach.learn.search.neighbourhood.FEW", 100)
    expected = Neighbourhood(score, start, constraints).gains()
    monkeypatch.undo()
    monkeypatch.setattr(BIC, "with_one_more_parent", None)
    assert Neighbourhood(score, start, constraints).gains() == pytest.approx(expected, abs=1e-9)


def test_moves_can_be_switched_off():
    score = AIC(random_table(8, 5, 60))
    for moves in ("add", "add, remove", ["add", "reverse"]):
        kinds = {step.change for step in hill_climb(score, moves=moves).trace.only(Moved)}
        assert kinds <= set(moves if isinstance(moves, list) else moves.replace(",", "").split())
    only_down = hill_climb(LogLikelihood(datasets.five_rows()), start="A->B, C, D", moves="remove")
    assert only_down.graph == DAG("A->B, C, D")


def test_the_five_rows():
    found = hill_climb(MDL(datasets.five_rows()))
    assert found.score == pytest.approx(-19.7521, abs=5e-5)
    assert [(s.change, s.parent, s.child) for s in found.trace.only(Moved)] == [
        ("add", "A", "C"), ("add", "B", "C"), ("add", "B", "D")]


def test_xor_is_not_found_and_the_empty_graph_stays():
    score = MDL(xor_table())
    assert hill_climb(score).graph == DAG("A, B, C")
    assert exact(score).score > hill_climb(score).score + 10
    assert hill_climb(score, start="A->C, B").score == pytest.approx(exact(score).score)


def test_the_wine_reports_counts():
    """About 4000 graphs evaluated; equal gains go to the first arc by parent, then child."""
    wine = datasets.wine_report()
    wine = wine.select("quality", *(name for name in wine.variables if name != "quality"))
    fit = LogLikelihood(wine)
    both, add = hill_climb(BIC(wine), moves="add remove"), hill_climb(BIC(wine), moves="add")
    assert (both.evaluated, add.evaluated) == (4019, 3158)
    assert fit(both.graph) == pytest.approx(-5699.4249, abs=5e-5) and len(both.graph.arcs) == 41
    assert both.graph == add.graph
    both, add = hill_climb(AIC(wine), moves="add remove"), hill_climb(AIC(wine), moves="add")
    assert (both.evaluated, add.evaluated) == (4692, 3366)
    assert fit(both.graph) == pytest.approx(-5672.7364, abs=5e-5) and len(both.graph.arcs) == 51


def test_restarts_have_seeds_and_the_best_run_counts():
    score = BIC(random_table(21, 8, 100))
    found = hill_climb(score, restarts=6, seed=3)
    assert found.trace == hill_climb(score, restarts=6, seed=3).trace
    assert len(found.final_scores) == 7 and found.score == pytest.approx(max(found.final_scores))
    starts = [step.graph for step in found.trace.only(Started)]
    assert starts[0].arcs == () and len(set(starts)) > 3
    others = [step.graph for step in hill_climb(score, restarts=6, seed=4).trace.only(Started)]
    assert starts[1:] != others[1:]
    (chose,) = found.trace.only(Chose)
    assert score(chose.graph) == pytest.approx(found.score)


def tabu_by_hand(score, length):
    """The graphs that tabu search visits, by its definition: all neighbours but the graphs visited last."""
    visited = [DAG((), score.variables)]
    best, downhill = score(visited[0]), 0
    while True:
        here = visited[-1]
        others = [dag for _, _, _, dag in neighbours(here) if dag not in visited[-length - 1:]]
        top = max(map(score, others))
        downhill += top <= score(here) + TOLERANCE
        if downhill > length:
            return visited
        visited.append(next(dag for dag in others if score(dag) >= top - TOLERANCE))
        if top > best + TOLERANCE:
            best, downhill = top, 0


@pytest.mark.parametrize("seed", range(6))
def test_tabu_search_visits_what_its_definition_says(seed):
    score = BIC(random_table(seed, 4, 60))
    plain, tabu = hill_climb(score), hill_climb(score, tabu=4)
    moves, visited = tabu.trace.only(Moved), tabu_by_hand(score, 4)
    assert [step.score for step in moves] == pytest.approx([score(dag) for dag in visited[1:]])
    assert tabu.score == pytest.approx(max(map(score, visited))) and tabu.score >= plain.score - 1e-9
    assert any(step.gain < -1e-7 for step in moves), "it did go down"


def test_ties_are_reported():
    first, *_ = hill_climb(BIC(random_table(3, 4, 60))).trace.only(Moved)
    assert first.tied == 1, "an arc and its reverse gain as much"
    assert "another move gains as much, and the order of the variables decides" in str(
        hill_climb(BIC(random_table(3, 4, 60))).why(first.parent, first.child))


def test_the_end_says_what_each_pair_would_do():
    score = BIC(random_table(3, 5, 60))
    found = hill_climb(score)
    (stopped,) = found.trace.only("Stopped")
    best = {}
    for _, a, b, dag in neighbours(found.graph):
        best[frozenset((a, b))] = max(best.get(frozenset((a, b)), -np.inf), score(dag) - found.score)
    assert {frozenset((a, b)): pytest.approx(gain) for _, a, b, gain in stopped.rejected} == best


@pytest.mark.parametrize("options", [{"tabu": 8}, {"tabu": 3, "restarts": 2}, {}])
def test_the_last_drawing_is_the_graph_that_was_found(options):
    found = hill_climb(BIC(random_table(1, 7, 60)), **options)
    *_, (step, drawing) = found.trace.replay()
    drawn = [arc for arc, edge in drawing.edges.items() if edge.style != "removed"]
    assert sorted(drawn) == sorted(found.graph.arcs)
    if "tabu" in options and "restarts" not in options:  # it went on past the best, and says that it returns
        assert step.idle >= 8 and "moves found no better graph: stop and return to the best, " in str(step)
        *_, moved = found.trace.only(Moved)
        assert moved.score < found.score - 1e-7


def test_every_move_considered_can_be_reported():
    found = hill_climb(MDL(datasets.five_rows()), considered=True)
    steps = found.trace.only(Considered)
    assert sum(len(step.moves) for step in steps) == found.evaluated == 48
    frame = steps[0].table()
    assert list(frame.columns) == ["change", "parent", "child", "gain"]
    assert frame["gain"].is_monotonic_decreasing and len(frame) == 12
    assert "evaluate 12 neighbours: add A->C +0.449, add B->C +0.449, add B->D +0.449 …" in str(steps[0])


def test_starts():
    score = MDL(datasets.five_rows())
    tree = hill_climb(score, start="tree").trace[0]
    assert tree.graph == chow_liu(datasets.five_rows()).graph and "Chow-Liu" in str(tree)
    assert hill_climb(score, start="D->C, A, B").trace[0].graph == DAG("D->C, A, B")
    assert isinstance(hill_climb(score).trace[-1], Stopped)
    one = hill_climb(MDL(Table({"A": [0, 1]})))
    assert one.graph == DAG("A") and "no move is legal" in str(one.trace[-1])


def test_the_order_of_the_columns_can_decide():
    """Three pairs tie for the first arc. With C as the first column it leads out of C, and the run ends in the tree."""
    table = datasets.five_rows()
    scores = {"".join(order): round(hill_climb(MDL(table.select(*order))).score, 4) for order in permutations("ABCD")}
    assert set(scores.values()) == {-19.7521, -20.2266}
    assert {order for order, end in scores.items() if end == -20.2266} == {o for o in scores if o.startswith("C")}


def test_the_same_trace_whatever_the_hash_seed():
    code = ("import bnteach as bn; r = bn.hill_climb(bn.BIC(bn.datasets.asia(500)), restarts=2, tabu=3);"
            "print(r.trace.text(), bn.exact(bn.BIC(bn.datasets.asia(500))).trace.text())")
    texts = {subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                           env={**os.environ, "PYTHONHASHSEED": seed}).stdout for seed in ("1", "2")}
    assert len(texts) == 1


def test_bad_input_is_explained():
    score = MDL(datasets.five_rows())
    with pytest.raises(ValueError, match="'swap' is not a move; choose among add, remove, reverse"):
        hill_climb(score, moves="add swap")
    with pytest.raises(ValueError, match="max_parents=-1 must be a whole number, at least 0, or None"):
        hill_climb(score, max_parents=-1)
    with pytest.raises(ValueError, match="cannot start from this graph: A->B is forbidden"):
        hill_climb(score, start="A->B, C, D", forbidden="A->B")
    with pytest.raises(ValueError, match="B would have more than 1 parent"):
        hill_climb(score, start="A->B, C->B, D", max_parents=1)
    with pytest.raises(ValueError, match="A->B would close a cycle"):
        hill_climb(score, start="A->B, C, D", required="B->A")
    with pytest.raises(ValueError, match="both required and forbidden"):
        hill_climb(score, required="A->B", forbidden="A->B")
    with pytest.raises(CycleError):
        hill_climb(score, required="A->B, B->A")
    with pytest.raises(UnknownVariable, match="no variable 'X'"):
        hill_climb(score, forbidden="A->X")
    with pytest.raises(ValueError, match="the graph A->B has no node C"):
        hill_climb(score, start="A->B")


def test_a_tree_of_real_numbers_is_a_start_too():
    random = np.random.default_rng(5)
    x, noise = random.normal(size=200), random.normal(size=(2, 200))
    score = BIC(Measurements({"x": x, "y": x + noise[0], "z": x + noise[1]}))
    assert hill_climb(score, start="tree").graph == hill_climb(score, start="x->y, x->z").graph


def test_adding_is_first():
    assert MOVES[ADD] == "add"


def test_rounding_decides_no_tie_among_a_million_rows():
    """A->B and B->A raise a score equally; with many rows the two sums differ in their last bits."""
    score = MDL(datasets.asia(1_000_000))
    toggle, pairs = Neighbourhood(score, DAG((), score.variables)).toggle, np.triu_indices(8, 1)
    assert 1e-9 < np.abs(toggle[pairs] - toggle.T[pairs]).max() < TOLERANCE / 5
    assert str(hill_climb(score).trace[-1]).startswith("no move raises the score (the best, reverse asia->tub, changes")
