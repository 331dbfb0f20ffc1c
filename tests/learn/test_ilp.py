"""The integer program against brute force and dynamic programming: optima, bounds, branching, limits, interrupts."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import combinations
from math import inf

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bnteach import (
    AIC,
    BIC,
    K2,
    MDL,
    BDeu,
    CycleError,
    DataError,
    LogLikelihood,
    Measurements,
    Score,
    datasets,
    exact,
    ilp,
)
from bnteach.learn.ilp import Search, list_families
from bnteach.learn.search.branching import Node
from bnteach.learn.search.constraints import Constraints
from bnteach.learn.search.cuts.clusters import add_clusters
from bnteach.learn.search.parent_sets import ParentSets
from bnteach.learn.search.relaxation import Relaxation
from bnteach.learn.search.ties import TOLERANCE
from bnteach.learn.steps.ilp import Branched, Cut, Improved, Interrupted, Limited, Listed, Proved, Relaxed, Started
from bnteach.progress import Progress
from tests.learn.brute_force import all_dags, best_score, family_table, names_of, xor_table
from tests.random_tables import random_table, tables

SCORES = [AIC, MDL, BIC, BDeu, K2]


def random_measurements(seed: int, variables: int, rows: int = 60) -> Measurements:
    random = np.random.default_rng(seed)
    weights = np.triu(random.normal(size=(variables, variables)) * (random.random((variables, variables)) < 0.5), 1)
    values = random.normal(size=(rows, variables)) @ np.linalg.inv(np.eye(variables) - weights)
    return Measurements(dict(zip("ABCDEFGHIJ", values.T)))


class RandomScore(Score):
    """Any number for any family: no data behind it, and optima that cluster constraints alone do not settle."""

    def __init__(self, seed: int, variables: int):
        super().__init__({name: [0, 1] for name in "ABCDEFGHIJ"[:variables]})
        self.seed = seed

    def compute_family(self, child, parents):
        key = [self.seed, self.variables.index(child), *(1 + self.variables.index(name) for name in parents)]
        return float(np.random.default_rng(key).normal() + len(parents) ** 0.5)


# -- optima ------------------------------------------------------------------------------------------------
@settings(max_examples=30)
@given(tables(), st.sampled_from(SCORES), st.booleans())
def test_the_best_of_all_dags(table, kind, zero_half):
    score = kind(table)
    found = ilp(score, zero_half=zero_half)
    assert found.score == pytest.approx(best_score(score), abs=1e-9)
    assert found.score == pytest.approx(score(found.graph), abs=1e-9)
    assert found.gap == 0 and found.bound == found.score and found.limited is False


@settings(max_examples=15)
@given(st.integers(0, 2**32), st.integers(2, 5), st.sampled_from([AIC, BIC]))
def test_the_best_of_all_dags_on_real_numbers(seed, variables, kind):
    score = kind(random_measurements(seed, variables))
    assert ilp(score).score == pytest.approx(best_score(score), abs=1e-8)


@pytest.mark.parametrize("seed", range(40))
def test_dynamic_programming_finds_the_same_score(seed):
    """Six to eight variables, five tables per seed with every score, with and without zero-half cuts."""
    for i, kind in enumerate(SCORES):
        score = kind(random_table(100 * seed + i, 6 + seed % 3, 20 + 10 * (seed % 8)))
        found = ilp(score, max_parents=3, zero_half=seed % 2 == 0)
        assert found.score == pytest.approx(exact(score, max_parents=3).score, abs=1e-7)
    score = BIC(random_measurements(seed, 6))
    assert ilp(score).score == pytest.approx(exact(score).score, abs=1e-7)


def test_twelve_variables_of_alarm():
    table = datasets.alarm(1000)
    score = BIC(table.select(*table.variables[:12]))
    assert ilp(score).score == pytest.approx(exact(score).score, abs=1e-8)


def test_twenty_variables_with_at_most_three_parents():
    score = BIC(datasets.child(300))
    found = ilp(score, max_parents=3)
    assert found.score == pytest.approx(exact(score, max_parents=3).score, abs=1e-8)
    assert max(len(found.graph.parents(x)) for x in found.graph) <= 3


def test_xor_is_found():
    assert len(ilp(MDL(xor_table())).graph.arcs) == 2


# -- what it reports ---------------------------------------------------------------------------------------
def test_the_five_rows_round_by_round():
    found = ilp(MDL(datasets.five_rows()))
    kinds = [type(step) for step in found.trace]
    assert kinds == [Listed, Started, Relaxed, Cut, Relaxed, Cut, Relaxed, Proved]
    rounds = found.trace.only(Relaxed)
    assert [round(step.bound, 4) for step in rounds] == [-18.8548, -19.3034, -19.7521]  # the first: cycles or not
    assert found.trace[3].cycles == (("A", "C"), ("B", "C"), ("A", "B", "C"))
    assert found.rounds == 3 and found.nodes == 1 and found.cuts == sum(step.cuts for step in found.trace.only(Cut))


def test_the_drawing_shows_cycles_and_ends_in_the_graph():
    found = ilp(MDL(datasets.five_rows()))
    frames = [drawing.copy() for _, drawing in found.trace.replay()]
    assert any(edge.label == "both directions" and not edge.directed for edge in frames[2].edges.values())
    assert any(edge.style == "considered" for edge in frames[3].edges.values())
    frames[-1].next_step()
    assert {pair for pair, edge in frames[-1].edges.items() if edge.style != "removed"} == set(found.graph.arcs)


@pytest.mark.parametrize("seed", range(6))
def test_every_bound_of_the_root_is_an_upper_bound(seed):
    """Reduced costs leave out families that no better graph has, so bounds below the optimum mean that it is found."""
    score = BIC(random_table(seed, 8, 60))
    found, best = ilp(score), exact(score).score
    rounds = [step for step in found.trace.only(Relaxed) if step.node == 1]
    bounds = [step.bound for step in rounds]
    assert bounds == sorted(bounds, reverse=True)
    assert all(step.bound >= best - 1e-6 or step.incumbent == pytest.approx(best, abs=1e-7) for step in rounds)


def test_the_bound_holds_for_any_prices():
    """What prices of the cuts prove is an upper bound whatever the solver found."""
    score, random = BIC(random_table(3, 6, 80)), np.random.default_rng(0)
    search = Search(list_families(score, Constraints()), score.variables)
    list(search.relax_and_cut(Progress("test")))
    relaxation: Relaxation = search.relaxation
    relaxation.allow(np.ones(len(relaxation.families), dtype=bool))
    relaxation.kept[:] = relaxation.allowed[:] = True
    for _ in range(50):
        relaxation._price(random.exponential(size=len(relaxation.limits)))
        assert relaxation.bound >= exact(score).score - 1e-9


@pytest.mark.parametrize("seed", range(8))
def test_families_that_are_left_out_are_in_no_better_graph(seed):
    """By brute force over four variables: the best graph with each family that reduced costs leave out."""
    score = RandomScore(seed, 4)
    table, graphs = family_table(score), all_dags(4)
    totals = sum(table[x, graphs[:, x]] for x in range(4))
    left_out = 0
    for target in np.quantile(totals, [0.5, 0.9, 0.99, 0.999]):
        relaxation = Relaxation(list_families(score, Constraints()))
        add_clusters(relaxation, np.array([[x in pair for x in range(4)] for pair in combinations(range(4), 2)]))
        relaxation.solve()
        relaxation.leave_out(target)
        for i in np.flatnonzero(~relaxation.kept):
            x, parents = relaxation.child[i], sum(1 << int(y) for y in np.flatnonzero(relaxation.inside[i]))
            assert totals[graphs[:, x] == parents].max() <= target + 1e-9
            left_out += 1
    assert left_out > 0


# -- branching ---------------------------------------------------------------------------------------------
def test_every_dag_is_in_one_of_the_two_nodes():
    relaxation = Relaxation([ParentSets(x, dict.fromkeys((parents for size in range(4) for parents in combinations(
        [y for y in "ABCD" if y != x], size)), 0.0)) for x in "ABCD"])
    with_it, without = (Node(0.0, (((0, 1), there),)).families(relaxation) for there in (True, False))
    for graph in all_dags(4):
        families = [relaxation.families.index((child, names_of(graph[x], tuple("ABCD")))) for x, child in
                    enumerate("ABCD")]
        there = bool(graph[1] & 1)  # A -> B
        assert with_it[families].all() == there and without[families].all() == (not there)
    assert not with_it[[i for i, (x, parents) in enumerate(relaxation.families) if x == "A" and "B" in parents]].any()


def test_where_clusters_do_not_suffice_the_search_branches():
    """Cluster constraints alone leave fractions in these tables; with zero-half cuts the root suffices."""
    nodes = {True: 0, False: 0}
    for seed in (11, 36, 44, 54, 60, 70):
        score = AIC(random_table(seed, 8, 60))
        for zero_half in nodes:
            found = ilp(score, max_parents=3, zero_half=zero_half)
            assert found.score == pytest.approx(exact(score, max_parents=3).score, abs=1e-8) and found.gap == 0
            nodes[zero_half] += len(found.trace.only(Branched))
    assert nodes[False] > nodes[True]


def test_without_any_cut_but_cycles_branching_alone_finds_the_optimum(monkeypatch):
    monkeypatch.setattr("bnteach.learn.ilp.violated_clusters", lambda relaxation, k: [])
    branches = 0
    for seed in range(25):
        score = RandomScore(seed, 6)
        found = ilp(score, zero_half=False)
        assert found.score == pytest.approx(exact(score).score, abs=1e-8) and found.gap == 0
        branches += len(found.trace.only(Branched))
    assert branches > 3


def test_five_variables_of_random_scores_by_brute_force():
    for seed in range(30):
        score = RandomScore(seed, 5)
        assert ilp(score, zero_half=seed % 2 == 0).score == pytest.approx(best_score(score), abs=1e-9)


def test_a_weak_start_is_improved_by_the_solutions_of_the_relaxation(monkeypatch):
    monkeypatch.setattr("bnteach.learn.search.best_in_order.BestInOrder.search", lambda self, order, restarts: order)
    improved = 0
    for seed in range(10):
        score = RandomScore(seed, 6)
        found = ilp(score)
        assert found.score == pytest.approx(exact(score).score, abs=1e-8)
        improved += len(found.trace.only(Improved))
    assert improved > 5


# -- the limit on parents ----------------------------------------------------------------------------------
@settings(max_examples=25)
@given(tables(least=3), st.sampled_from(SCORES), st.integers(0, 2))
def test_the_limit_on_parents_and_what_is_known_about_it(table, kind, limit):
    score = kind(table)
    found = ilp(score, max_parents=limit)
    best, limited = best_score(score), best_score(score, limit)
    assert found.score == pytest.approx(limited, abs=1e-7)
    if found.limited is not None:
        assert found.limited is (best > limited + TOLERANCE)


def test_it_is_known_that_a_limit_excludes_nothing_or_something():
    """False by the upper bounds of larger sets, True by one more parent of the graph that was found, otherwise None."""
    score = BIC(random_table(3, 5, 40))
    known = {limit: ilp(score, max_parents=limit).limited for limit in range(5)}
    assert known[0] is True and known[3] is False and known[4] is False
    assert ilp(MDL(xor_table()), max_parents=1).limited is None  # two more parents would raise the score, one does not
    assert ilp(BDeu(datasets.asia(100)), max_parents=3).limited is None  # a score without an upper bound


def test_the_limit_is_reported():
    score = MDL(datasets.five_rows())
    tight, wide = ilp(score, max_parents=1), ilp(score, max_parents=2)
    assert tight.score == pytest.approx(-20.2266, abs=5e-5)  # the tree
    assert tight.limited is None and wide.limited is False
    assert str(tight.trace[-1]) == ("the limit of 1 parent may exclude a better graph: "
                                    "larger parent sets were not evaluated")
    assert str(wide.trace[-1]) == ("the limit of 2 parents excludes no better graph: "
                                   "no larger parent set can raise the score of its child")
    assert not ilp(score).trace.only(Limited)
    child = ilp(BIC(datasets.child(300)), max_parents=1)
    assert child.limited is True
    assert "excludes a better graph: with " in str(child.trace[-1]) and "would gain" in str(child.trace[-1])


# -- constraints -------------------------------------------------------------------------------------------
@settings(max_examples=40)
@given(st.integers(0, 2**32), st.sampled_from([BIC, BDeu]), st.data())
def test_the_best_of_the_dags_that_the_constraints_allow(seed, kind, data):
    score = kind(random_table(seed, 4, 30))
    arcs = [(a, b) for a in "ABCD" for b in "ABCD" if a != b]
    chosen = data.draw(st.lists(st.sampled_from(arcs), max_size=6, unique=True))
    required, forbidden, limit = chosen[:2], chosen[2:], data.draw(st.sampled_from([None, 2]))
    allowed = [total for graph, total in every_graph(score, limit)
               if set(required) <= graph and not graph & set(forbidden)]
    if {(a, b) for a, b in required if (b, a) in required}:
        with pytest.raises(CycleError, match="contradict"):
            ilp(score, limit, required, forbidden)
    else:
        found = ilp(score, limit, required, forbidden)
        assert found.score == pytest.approx(max(allowed), abs=1e-8)
        assert set(required) <= set(found.graph.arcs) and not set(forbidden) & set(found.graph.arcs)


def every_graph(score, limit):
    """Every DAG of four variables with its score."""
    table, variables = family_table(score), score.variables
    for graph in all_dags(4):
        if limit is None or np.bitwise_count(graph).max() <= limit:
            yield ({(a, b) for x, b in enumerate(variables) for a in names_of(graph[x], variables)},
                   sum(table[x, graph[x]] for x in range(4)))


def test_tiers():
    score = MDL(datasets.five_rows())
    found = ilp(score, tiers=["D", "C", "AB"])
    allowed = [total for graph, total in every_graph(score, None)
               if not graph & {("C", "D"), ("A", "D"), ("B", "D"), ("A", "C"), ("B", "C")}]
    assert found.score == pytest.approx(max(allowed), abs=1e-9)


# -- more variables than rows, and columns that depend on each other ----------------------------------------
def wide_measurements() -> list[Measurements]:
    random = np.random.default_rng(4)
    few = random.normal(size=(6, 8))
    collinear = random.normal(size=(50, 6))
    collinear[:, 5] = collinear[:, :4].sum(axis=1)
    return [Measurements(dict(zip("ABCDEFGH", few.T))), Measurements(dict(zip("ABCDEF", collinear.T)))]


@pytest.mark.parametrize("data", wide_measurements())
def test_real_numbers_whose_full_families_have_no_density(data):
    score = BIC(data)
    assert score.upper_bound("A", (), data.variables[1:]) == inf
    assert ilp(score, max_parents=2).score == pytest.approx(exact(score, max_parents=2).score, abs=1e-8)
    with pytest.raises(DataError, match=r"fit them exactly|linear function"):
        ilp(score)


def test_one_more_parent_than_the_limit_may_determine_a_child():
    random = np.random.default_rng(0)
    a, b, d, e = random.normal(size=(4, 50))
    score = BIC(Measurements({"a": a, "b": b, "c": a + b, "d": d, "e": e}))
    found = ilp(score, max_parents=1)
    assert found.score == pytest.approx(exact(score, max_parents=1).score, abs=1e-8)
    assert "larger parent sets were not evaluated" in str(found.trace.only("Limited")[0])


# -- interrupts, progress, traces --------------------------------------------------------------------------
def test_an_interrupt_returns_the_best_graph_and_its_gap(monkeypatch):
    score, calls, solve = RandomScore(3, 7), [], Relaxation.solve

    def interrupted(self):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return solve(self)

    monkeypatch.setattr(Relaxation, "solve", interrupted)
    found = ilp(score)
    best = exact(score).score
    assert isinstance(found.trace[-1], Interrupted) and "interrupted: the incumbent scores" in str(found.trace[-1])
    assert found.gap > 0 and found.bound == pytest.approx(found.score + found.gap)
    assert found.score <= best + 1e-9 <= found.bound + 2e-9
    assert found.score == pytest.approx(score(found.graph))


def test_progress_shows_incumbent_bound_and_gap(monkeypatch):
    shown = []
    monkeypatch.setattr(Progress, "show", lambda self, text: shown.append(text))
    found = ilp(MDL(datasets.five_rows()))
    assert len(shown) == found.rounds
    assert shown[0] == "incumbent -19.7521, bound -18.8548, gap 0.8974" and shown[-1].endswith("gap 0.0000")


def test_traces_are_the_same_under_any_hash_seed_and_arithmetic():
    code = ("from tests.learn.test_ilp import AIC, RandomScore, ilp, random_table\n"
            "for score in (RandomScore(5, 7), AIC(random_table(11, 8, 60))): print(ilp(score, 2).trace.text())")
    old = {"OPENBLAS_CORETYPE": "Prescott", "PYTHONHASHSEED": "7"}
    texts = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                            env={**os.environ, "PYTHONHASHSEED": "1", **more}).stdout for more in ({}, old)]
    assert texts[0] == texts[1] and "cluster constraints" in texts[0]


def test_nothing_to_choose():
    assert ilp(MDL(datasets.five_rows()), max_parents=0).graph.arcs == ()
    assert ilp(LogLikelihood({"A": [0, 1]})).gap == 0
    with pytest.raises(DataError):
        ilp(BDeu({"x": [0.5, 1.5]}))
