"""Greedy equivalence search against all DAGs of each class: its moves, their gains, and where it ends."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bnteach as bn
from bnteach import AIC, BIC, DAG, K2, MDL, PDAG, BDeu, CycleError, cpdag, datasets, equivalence_class, extend, ges
from bnteach.learn.search.classes import MOVES, Classes
from bnteach.learn.search.constraints import UNCONSTRAINED
from bnteach.learn.steps.ges import Ended, Moved
from tests.learn.brute_force import best_score
from tests.random_tables import random_table, tables


def classes_of(nodes: str) -> list[PDAG]:
    """All classes of up to four nodes; forty DAGs of five."""
    dags = list(bn.all_dags(nodes)) if len(nodes) < 5 else [random_dag(nodes, seed) for seed in range(40)]
    return list(dict.fromkeys(map(cpdag, dags)))


def random_dag(nodes: str, seed: int) -> DAG:
    random = np.random.default_rng(seed)
    order = [nodes[i] for i in random.permutation(len(nodes))]
    return DAG([(a, b) for i, a in enumerate(order) for b in order[i + 1:] if random.random() < 0.6], nodes)


def neighbours(graph: PDAG) -> dict[str, set[PDAG]]:
    """The classes of all DAGs that differ by one arc from a DAG of this class, by kind of change."""
    found: dict[str, set[PDAG]] = {"insert": set(), "delete": set(), "turn": set()}
    for dag in equivalence_class(graph):
        for a, b in permutations(dag.nodes, 2):
            try:
                if dag.has_arc(a, b):
                    found["delete"].add(cpdag(dag.without_arc(a, b)))
                    found["turn"].add(cpdag(dag.without_arc(a, b).with_arc(b, a)))
                elif not dag.has_arc(b, a):
                    found["insert"].add(cpdag(dag.with_arc(a, b)))
            except CycleError:
                pass
    found["turn"].discard(graph)
    return found


def moves_of(score, graph: PDAG, change: str):
    """All valid moves of a kind with the class they lead to."""
    classes = Classes(score, graph, UNCONSTRAINED)
    moves = [move for y in graph.nodes for move in MOVES[change](classes, y)]
    return [(move, after) for move in moves if (after := classes.after(move))]


@pytest.mark.parametrize("change", ["insert", "delete", "turn"])
@pytest.mark.parametrize("nodes", ["ABC", "ABCD", "ABCDE"])
def test_moves_lead_to_the_neighbouring_classes_and_gain_what_they_say(change, nodes):
    score = BIC(random_table(3, len(nodes), 60))
    for graph in classes_of(nodes):
        reached = moves_of(score, graph, change)
        assert {after for _, after in reached} - {graph} == neighbours(graph)[change]
        for move, after in reached:
            assert move.gain == pytest.approx(score(extend(after)) - score(extend(graph)), abs=1e-8)


@settings(max_examples=25)
@given(tables(2, 4), st.sampled_from([AIC, MDL, BIC, BDeu]))
def test_where_the_phases_end(table, kind):
    score = kind(table)
    assert check_ends(score).score <= best_score(score) + 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_where_the_phases_end_with_five_variables(seed):
    rows = datasets.child(150, seed).select(*datasets.network("child").dag.nodes[4 * seed:4 * seed + 5])
    check_ends((AIC, BIC)[seed % 2](rows))


def check_ends(score):
    """No Insert improves the end of the forward phase, and no Delete the end of all."""
    found = ges(score)
    end = next(i for i, step in enumerate(found.trace) if step == Ended("insert", found.trace[i - 1].score))
    middle = found.trace[end - 1].graph
    assert all(score(extend(other)) <= score(extend(middle)) + 1e-6
               for other in neighbours(middle)["insert"])
    assert all(score(extend(other)) <= found.score + 1e-6
               for other in neighbours(found.graph)["delete"])
    assert found.score == pytest.approx(score(extend(found.graph)))
    return found


@settings(max_examples=15)
@given(tables(2, 4))
def test_with_all_phases_repeated_no_neighbour_is_better(table):
    score = BIC(table)
    found = ges(score, turn=True, repeat=True)
    for others in neighbours(found.graph).values():
        assert all(score(extend(other)) <= found.score + 1e-6 for other in others)


@pytest.mark.parametrize("seed", range(12))
def test_with_very_many_rows_it_ends_in_the_true_class(seed):
    """Rows in the proportions of a random network, so that BIC is consistent and nothing is left to chance."""
    random = np.random.default_rng(seed)
    arcs = [(a, b) for i, a in enumerate("ABCDE") for b in "ABCDE"[i + 1:] if random.random() < 0.45]
    truth = DAG(arcs, "ABCDE")
    rows = np.array(np.meshgrid(*[[0, 1]] * 5, indexing="ij")).reshape(5, -1).T
    joint = np.ones(len(rows))
    for i, name in enumerate("ABCDE"):
        parents = [ord(p) - ord("A") for p in truth.parents(name)]
        chance = random.uniform(0.05, 0.95, (2,) * len(parents))[tuple(rows[:, parents].T)]
        joint *= np.where(rows[:, i] == 1, chance, 1 - chance)
    table = bn.Table(dict(zip("ABCDE", rows.T)), weights=np.round(joint * 1e12).astype(int))
    assert ges(BIC(table)).score == pytest.approx(best_score(BIC(table)), rel=1e-9)
    assert ges(BIC(table)).graph == cpdag(truth)


def test_an_insert_may_raise_the_score_again_after_the_deletes():
    """E joins C first and leaves it when A and B explain C better; then C, with its parents settled, explains E."""
    random = np.random.default_rng(106)
    random.integers(4, 6), random.integers(8, 40)
    rows = random.integers(0, 2, (39, 5))
    rows[:, 2] = (rows[:, 0] + rows[:, 1] + (random.random(39) < 0.2)) % 2
    rows[:, 3] |= rows[:, 2]
    score = BIC(bn.Table(dict(zip("ABCDE", rows.T))))
    once, again = ges(score), ges(score, repeat=True)
    assert [step.change for step in again.trace.only(Moved)] == ["insert"] * 4 + ["delete", "insert"]
    assert again.score > once.score + 1


def test_it_frees_hill_climbing():
    """On 1,000 rows of ALARM, hill climbing over DAGs ends below what GES finds, and GES improves it."""
    score = BIC(datasets.alarm(1000))
    climbed, found = bn.hill_climb(score), ges(score)
    assert found.score > climbed.score + 1
    assert ges(score, start=climbed.graph).score > climbed.score + 1


def test_the_steps_add_up():
    score = MDL(datasets.asia(500))
    found = ges(score)
    for before, step in zip([found.trace[0], *found.trace.only(Moved)], found.trace.only(Moved), strict=False):
        assert step.score == pytest.approx(before.score + step.gain) == pytest.approx(score(extend(step.graph)))
    assert ges(score, considered=True).graph == found.graph


def test_constraints():
    score = BIC(datasets.asia(1000))
    assert all(len(extend(ges(score, max_parents=1).graph).parents(x)) <= 1 for x in score.variables)
    pair = ges(score).graph.skeleton[0]
    assert not ges(score, forbidden=[pair, pair[::-1]]).graph.adjacent(*pair)
    with pytest.raises(ValueError, match="one direction"):
        ges(score, forbidden="asia->tub")
    with pytest.raises(ValueError, match="cannot start"):
        ges(score, start=PDAG("asia-tub", nodes=score.variables), forbidden="asia-tub")
    with pytest.raises(ValueError, match="K2 gives equivalent DAGs different scores"):
        ges(K2(datasets.asia(100)))
    with pytest.raises(TypeError, match="score"):
        ges(datasets.asia(100))


def test_why_and_network():
    found = ges(BIC(datasets.asia(1000)))
    a, b = found.graph.skeleton[0]
    assert "insert" in str(found.why(a, b))
    assert bn.fit(extend(found.graph), datasets.asia(1000)).log_likelihood(datasets.asia(1000)) < 0
