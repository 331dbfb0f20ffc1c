"""What learners are given is checked before they begin, for all of them alike."""

import numpy as np
import pytest

import bnteach as bn

TABLE = bn.datasets.five_rows()
SCORE = bn.MDL(TABLE)
SEARCHES = [bn.hill_climb, lambda s, **more: bn.k3(s, "ABCD", **more), bn.exact, bn.ilp, bn.order_search,
            lambda s, **more: bn.branch_and_bound(s, "ABCD", **more), lambda s, **more: bn.anneal(s, [1.0], **more)]


@pytest.mark.parametrize("learner", SEARCHES)
def test_what_is_no_score_is_told_how_to_become_one(learner):
    for other, words in [(TABLE, r"a Table is none\. Make one, such as bn\.MDL\(table\)"), (None, "a NoneType is none"),
                         (bn.BIC, r"the class BIC is none\. Make one, such as bn\.BIC\(table\)"),
                         (bn.ChiSquare(TABLE), "a ChiSquare is none"),
                         (bn.Measurements({"x": [1.5, 2]}), r"a Measurements is none.*bn\.BIC\(measurements\)")]:
        with pytest.raises(TypeError, match=f"asks a score of some data, and {words}"):
            learner(other)


@pytest.mark.parametrize("learner", SEARCHES[:-1])
@pytest.mark.parametrize("many", [-1, 1.5, "two"])
def test_a_limit_on_parents_is_a_whole_number(learner, many):
    with pytest.raises(ValueError, match=f"max_parents={many!r} must be a whole number from 0 on, or None"):
        learner(SCORE, max_parents=many)
    assert learner(SCORE, max_parents=np.int64(1)).graph == learner(SCORE, max_parents=1).graph


@pytest.mark.parametrize(("ask", "message"), [
    (lambda: bn.hill_climb(SCORE, restarts=-1), "restarts=-1 must be a whole number from 0 on"),
    (lambda: bn.order_search(SCORE, restarts=-1), "restarts=-1"),
    (lambda: bn.hill_climb(SCORE, seed="today"), "seed='today'"),
    (lambda: bn.anneal(SCORE, [1.0], seed=-1), "seed=-1"),
    (lambda: bn.hill_climb(SCORE, tabu=0.5), "tabu=0.5"),
    (lambda: bn.structural_em(TABLE, rounds=0), "rounds=0 must be a whole number from 1 on"),
    (lambda: bn.mmhc(TABLE, score="MDL"), "mmhc asks a score of some data, and a str is none"),
    (lambda: bn.hill_climb.steps(SCORE, restarts=None), "restarts=None"),  # before the first step
    (lambda: bn.hill_climb(SCORE, moves=""), "'' is no move"),
    (lambda: bn.hill_climb(SCORE, moves=None), "None is no move"),
    (lambda: bn.hill_climb(SCORE, start=bn.chow_liu(TABLE)), r"a TreeResult is none\. Give its graph: result\.graph"),
    (lambda: bn.anneal(SCORE, None), "temperatures=None is not a series"),
    (lambda: bn.anneal(SCORE, ["hot"]), "hot is no temperature"),
    (lambda: bn.chow_liu(TABLE, forest="yes"), "forest='yes' is not known here"),
    (lambda: bn.k3(SCORE, None), "names are needed here"),
    (lambda: bn.pc(SCORE), r"pc asks an independence oracle, and a MDL is none.*bn\.ChiSquare\(table\)"),
])
def test_each_mistake_has_its_message(ask, message):
    with pytest.raises((ValueError, TypeError), match=message):
        ask()


def test_one_variable_is_enough():
    score = bn.MDL(TABLE.select("A"))
    for learner in (bn.exact, bn.ilp, bn.hill_climb, bn.order_search):
        assert learner(score).graph == bn.DAG("A")


def test_numbers_of_numpy_are_numbers():
    assert bn.entropy(TABLE, "A", base=np.int64(4)) == bn.entropy(TABLE, "A") / 2
    assert bn.BDeu(TABLE, ess=np.int64(2)).family("A", ()) == bn.BDeu(TABLE, ess=2).family("A", ())
    assert bn.ChiSquare(TABLE, alpha=np.float32(0.25))("A", "B").independent
