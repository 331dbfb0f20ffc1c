"""Simulated annealing: legal moves, the acceptance rule, cooling schedules, and the grid."""

from collections import Counter
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach.course.supplements import anneal_grid as grid_module
from bnteach.learn.anneal import acceptance
from bnteach.learn.search.cooling import evaluate
from bnteach.learn.search.neighbourhood import MOVES, Neighbourhood
from bnteach.learn.steps.anneal import Kept, Proposed, Started

FIVE = bn.MDL(bn.datasets.five_rows())
WARM = bn.cooling_schedule("x/50", n=300, final_steps=50)


def graph_after(steps):
    """The graphs of the trace, one after the other."""
    arcs = set()
    for step in steps:
        if isinstance(step, Proposed) and step.accepted:
            assert (step.arc in arcs) == (step.move == "remove")
            arcs ^= {step.arc}
            yield bn.DAG(sorted(arcs), "ABCD")  # an error if there is a cycle


# -- the search ------------------------------------------------------------------------------------------
@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("ABCD"), st.sampled_from("ABCD")), max_size=8))
def test_proposals_are_all_arcs_that_can_be_removed_or_legally_added(pairs):
    current, dag = Neighbourhood(FIVE, bn.DAG((), "ABCD")), bn.DAG((), "ABCD")
    for a, b in pairs:
        move = "remove" if dag.has_arc(a, b) else "add"
        if a == b or a in dag.descendants(b):
            continue
        dag = dag.without_arc(a, b) if move == "remove" else dag.with_arc(a, b)
        current.make(MOVES.index(move), "ABCD".index(a), "ABCD".index(b))
    legal = sorted((a, b) for a in "ABCD" for b in "ABCD" if a != b and a not in dag.descendants(b))
    assert [("ABCD"[a], "ABCD"[b]) for a, b in current.toggles()] == legal
    assert current.dag() == dag
    for (a, b), arc in zip(current.toggles().tolist(), legal):
        after = dag.without_arc(*arc) if dag.has_arc(*arc) else dag.with_arc(*arc)
        assert current.toggle_gain(a, b) == pytest.approx(FIVE(after) - FIVE(dag))


def test_the_constraints_are_obeyed():
    found = bn.anneal(FIVE, [5.0] * 300, seed=1, max_parents=1, required="A->B", forbidden="C-D, B->C")
    arcs = set(found.trace[0].graph.arcs)
    assert arcs == {("A", "B")}
    for step in found.proposals:
        arcs ^= {step.arc} if step.accepted else set()
        assert ("A", "B") in arcs and not arcs & {("C", "D"), ("D", "C"), ("B", "C")}
        assert len({b for _, b in arcs}) == len(arcs)
    assert len({step.arc for step in found.proposals}) == 5  # A->C, A->D, B->D, C->A, D->A


def test_the_trace_reports_every_graph():
    result = bn.anneal(FIVE, WARM, seed=3)
    assert isinstance(result.trace[0], Started) and isinstance(result.trace[-1], Kept)
    assert len(result.proposals) == len(WARM) == len(result.scores) - 1
    graphs = list(graph_after(result.trace))
    assert graphs[-1] == result.last
    seen = [FIVE(bn.DAG((), "ABCD")), *(FIVE(graph) for graph in graphs)]
    assert result.score == pytest.approx(max(seen)) == pytest.approx(result.scores.max())
    assert result.scores[-1] == pytest.approx(FIVE(result.last))
    assert result.scores[result.best_at] == pytest.approx(result.score)
    assert FIVE(result.graph) == pytest.approx(result.score)


def test_the_best_graph_is_kept_when_the_search_goes_on():
    result = bn.anneal(FIVE, [20.0] * 400, seed=1)
    assert result.score > FIVE(result.last) + 1
    *_, drawing = (drawing for _, drawing in result.trace.replay())
    drawing.next_step()
    assert set(drawing.edges) == set(result.graph.arcs)


def test_finds_the_best_of_all_543_graphs():
    best = max(FIVE(dag) for dag in bn.all_dags("ABCD"))
    assert max(bn.anneal(FIVE, WARM, seed=seed).score for seed in range(5)) == pytest.approx(best)


def test_works_on_real_numbers_and_from_a_start():
    random = np.random.default_rng(0)
    x = random.normal(size=200)
    data = bn.Measurements({"x": x, "y": x + random.normal(size=200), "z": random.normal(size=200)})
    found = bn.anneal(bn.BIC(data), bn.cooling_schedule("x/20", n=300, final_steps=100), seed=0)
    assert bn.cpdag(found.graph) == bn.PDAG("x-y, z")
    begun = bn.anneal(bn.BIC(data), [1.0], start="x->z, y->z")
    assert begun.start == pytest.approx(bn.BIC(data)("x->z, y->z"))
    assert begun.trace[0].graph == bn.DAG("x->z, y->z")


def test_seeds():
    assert bn.anneal(FIVE, WARM, seed=5).trace == bn.anneal(FIVE, WARM, seed=5).trace
    assert bn.anneal(FIVE, WARM, seed=5).trace != bn.anneal(FIVE, WARM, seed=6).trace


# -- the acceptance rule ---------------------------------------------------------------------------------
@settings(max_examples=100, deadline=None)
@given(st.floats(-50, -1e-3), st.floats(.1, 100))
def test_acceptance_probability(loss, t):
    assert acceptance(loss, t) == pytest.approx(exp(loss / t))
    assert acceptance(-loss, t) == acceptance(0, t) == 1
    assert acceptance(loss, 0) == 0 and acceptance(-loss, 0) == 1


def test_a_loss_too_great_for_a_float_is_no_error():
    assert acceptance(-1e9, 1e-3) == 0


def test_at_zero_temperature_no_loss_is_accepted_and_at_a_high_one_every_move_is():
    cold = bn.anneal(FIVE, [0.0] * 200, seed=2)
    assert (np.diff(cold.scores) >= -1e-12).all()
    assert all(step.accepted for step in bn.anneal(FIVE, [1e15] * 200, seed=2).proposals)


def test_scale_multiplies_losses():
    for scale in (1, 2):
        for step in bn.anneal(FIVE, WARM, seed=4, scale=scale).proposals:
            if step.gain < 0:
                assert step.probability == pytest.approx(exp(scale * step.gain / step.temperature))


def test_proposals_are_drawn_uniformly():
    first = Counter(bn.anneal(FIVE, [1.0], seed=seed).proposals[0].arc for seed in range(1200))
    assert len(first) == 12
    assert sum((n - 100) ** 2 / 100 for n in first.values()) < 31  # chi-square, 11 degrees of freedom: p > .001


def test_at_a_constant_temperature_the_stationary_distribution_is_reached():
    """Graphs are visited in proportion to (number of moves) x exp(score / t)."""
    random = np.random.default_rng(1)
    x = random.normal(size=30)
    score = bn.AIC(bn.Measurements({"A": x, "B": x + 2 * random.normal(size=30), "C": random.normal(size=30)}))
    weight = {}
    for dag in bn.all_dags("ABC"):
        moves = [1 for a in "ABC" for b in "ABC" if a != b and a not in dag.descendants(b)]
        weight[dag] = len(moves) * exp(score(dag) / 3)
    steps, seen, arcs = bn.anneal.steps(score, [3.0] * 40_000, seed=8), Counter(), frozenset()
    for step in steps:
        if isinstance(step, Proposed):
            arcs = arcs ^ {step.arc} if step.accepted else arcs
            seen[arcs] += 1
    for dag, w in weight.items():
        assert seen[frozenset(dag.arcs)] / 40_000 == pytest.approx(w / sum(weight.values()), abs=.012)


# -- cooling schedules --------------------------------------------------------------------------------------
def test_the_report_s_transforms():
    assert len(bn.REPORT_TRANSFORMS) == len(set(bn.REPORT_TRANSFORMS)) == 46
    for transform in bn.REPORT_TRANSFORMS:
        t = bn.cooling_schedule(transform)
        assert len(t) == 4300 and (t[4000:] == .001).all() and (np.diff(t[:4000]) < 0).all()
    assert {"x/2", "x/15", "log(x)", "sqrt(x)", "x**0.9", "(x/6)**0.7", "(x/15)**0.9"} <= set(bn.REPORT_TRANSFORMS)
    assert "x/9" not in bn.REPORT_TRANSFORMS


@pytest.mark.parametrize(("formula", "expected"), [
    ("x/4", lambda x: x / 4), ("(x/6)**0.7", lambda x: (x / 6) ** .7), ("(x/6)^0.7", lambda x: (x / 6) ** .7),
    ("log(x)", np.log), ("sqrt(x)", np.sqrt), ("2 + exp(-x) * x - 1", lambda x: 1 + x * np.exp(-x)),
])
def test_formulas(formula, expected):
    x = np.arange(1.0, 9)
    assert evaluate(formula, x) == pytest.approx(expected(x))


def test_transforms_may_be_functions_or_constant():
    assert bn.cooling_schedule(lambda x: x**2, n=3, final_steps=0).tolist() == [9, 4, 1]
    assert bn.cooling_schedule("5", n=3, final_steps=1).tolist() == [5, 5, 5, .001]


@pytest.mark.parametrize("formula", ["y/4", "x/", "__import__('os')", "x.sum()", "log(x, 2)", "x if x else 1", "'x'"])
def test_formulas_that_cannot_be_read(formula):
    with pytest.raises(ValueError, match="Write a formula in x"):
        bn.cooling_schedule(formula)


@pytest.mark.parametrize(("call", "error", "words"), [
    (lambda: bn.cooling_schedule("x - 10"), ValueError, "0 or more"),
    (lambda: bn.cooling_schedule("1/(x - 5)"), ValueError, "finite"),
    (lambda: bn.cooling_schedule(n=0), ValueError, "at least one temperature"),
    (lambda: bn.anneal(FIVE, []), ValueError, "is empty"),
    (lambda: bn.anneal(FIVE, "x/4"), TypeError, "bn.cooling_schedule"),
    (lambda: bn.anneal(FIVE, 4.0), TypeError, "not a series"),
    (lambda: bn.anneal(FIVE, [1, -1]), ValueError, "-1 is no temperature"),
    (lambda: bn.anneal(FIVE, [float("nan")]), ValueError, "nan is no temperature"),
    (lambda: bn.anneal(FIVE, [1], scale=0), ValueError, "scale=0"),
    (lambda: bn.anneal(FIVE, [1], start="A->B"), ValueError, "no node C, D"),
    (lambda: bn.anneal(bn.MDL({"A": [0, 1]}), [1]), ValueError, "no arc can be added or removed on A: "),
    (lambda: bn.anneal(bn.MDL({"A": [0, 1], "B": [0, 1]}), [1], forbidden="A-B"), ValueError, "on A, B: "),
    (lambda: bn.anneal_grid(FIVE, jobs=0), ValueError, "at least one process"),
    (lambda: bn.anneal_grid(FIVE, [np.sqrt]), TypeError, "formulas"),
])
def test_errors_say_what_to_do(call, error, words):
    with pytest.raises(error, match=words):
        call()


# -- the grid --------------------------------------------------------------------------------------------
SMALL = {"transforms": ["x/10", "sqrt(x)"], "seeds": [0, 1], "n": 60, "final_steps": 20}


def test_a_grid_is_its_runs():
    grid = bn.anneal_grid(FIVE, **SMALL)
    assert grid[["transform", "seed"]].values.tolist() == [["x/10", 0], ["x/10", 1], ["sqrt(x)", 0], ["sqrt(x)", 1]]
    for row in grid.itertuples():
        run = bn.anneal(FIVE, bn.cooling_schedule(row.transform, n=60, final_steps=20), seed=row.seed, scale=2)
        assert (row.score, row.arcs, row.best_at) == (pytest.approx(run.score), len(run.graph.arcs), run.best_at)
        assert row.accepted == run.accepted == sum(step.accepted for step in run.proposals)


def test_two_processes_find_what_one_finds():
    assert bn.anneal_grid(FIVE, **SMALL, jobs=2).equals(bn.anneal_grid(FIVE, **SMALL, jobs=1))


def test_a_grid_is_resumed_where_it_stopped(tmp_path, monkeypatch):
    file = tmp_path / "grid.csv"
    whole = bn.anneal_grid(FIVE, **SMALL)
    bn.anneal_grid(FIVE, **{**SMALL, "seeds": [0]}, file=file)
    with open(file, "a") as lines:
        lines.write('"MDL on 5 rows, in bits","x/10",1,60')  # the grid was stopped while it wrote this line
    made, one_run = [], grid_module.one_run
    monkeypatch.setattr(grid_module, "one_run", lambda score, run: made.append(run[1:3]) or one_run(score, run))
    assert bn.anneal_grid(FIVE, **SMALL, file=file).equals(whole)
    assert made == [("x/10", 1), ("sqrt(x)", 1)]
    assert bn.anneal_grid(FIVE, **SMALL, file=file).equals(whole)
    assert len(made) == 2 and len(file.read_text().splitlines()) == 5


def test_runs_of_other_data_or_settings_are_not_reused(tmp_path):
    file = tmp_path / "grid.csv"
    bn.anneal_grid(FIVE, ["x/10"], n=60, final_steps=20, file=file)
    other = bn.MDL(bn.datasets.five_rows().select("D", "C", "B", "A"))
    for score, settings_ in ((other, {}), (FIVE, {"scale": 1}), (FIVE, {"final_steps": 21})):
        before = len(file.read_text().splitlines())
        bn.anneal_grid(score, ["x/10"], **{"n": 60, "final_steps": 20, **settings_}, file=file)
        assert len(file.read_text().splitlines()) == before + 1


def test_a_file_of_something_else_is_left_alone(tmp_path):
    file = tmp_path / "notes.csv"
    for text in ("a,b\n1,2\n", "a,b\n1,2", "one line"):
        file.write_text(text)
        with pytest.raises(bn.DataError, match="not a file of annealing runs"):
            bn.anneal_grid(FIVE, **SMALL, file=file)
        assert file.read_text() == text
