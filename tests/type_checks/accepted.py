"""What a type checker must accept. Read by mypy, never run: see test_types.py."""

from __future__ import annotations

from collections.abc import Generator
from typing import assert_type

import bnteach as bn
from bnteach.learn.pc import PCResult


def a_learner_returns_its_own_result(oracle: bn.DSeparation) -> None:
    found = bn.pc(oracle, stable=True, max_conditioning=2)
    assert_type(found, PCResult)
    assert_type(found.separating_sets, dict[tuple[str, str], tuple[str, ...]])
    assert_type(found.tests, int)
    assert_type(found.trace, bn.Trace)


def a_learner_that_returns_a_graph_gives_a_result_with_it(oracle: bn.DSeparation) -> None:
    found = bn.minimal_imap(oracle, "ABCD")
    assert_type(found, bn.Result[bn.DAG])
    assert_type(found.graph, bn.DAG)
    assert_type(bn.orient(bn.PDAG("A-B")).graph, bn.PDAG)
    assert_type(found.score, float | None)


def steps_are_a_generator(oracle: bn.DSeparation) -> Generator[bn.Step, None, bn.DAG]:
    assert_type(bn.minimal_imap.steps(oracle, order="ABCD"), Generator[bn.Step, None, bn.DAG])
    dag = yield from bn.minimal_imap.steps(oracle, "ABCD")
    return dag


@bn.stepwise
def my_learner(score: bn.Score, depth: int = 2) -> Generator[bn.Step, None, bn.DAG]:
    """A learner of one's own."""
    yield bn.Step()
    return bn.DAG("A->B")


def one_s_own_learner_keeps_its_parameters(score: bn.Score) -> bn.DAG:
    return my_learner(score, depth=3).graph


def results_are_saved_and_traces_filtered(found: bn.Result) -> bn.Trace:
    assert_type(bn.Result.load(found.save("found.json")).score, float | None)
    return found.trace.only("Removed", bn.Step)


def a_result_with_a_dag_is_a_result(found: bn.Result[bn.DAG]) -> bn.Result:
    return found
