"""What a type checker must reject: every line with a comment "rejected", for that reason. Read by mypy, never run."""

from __future__ import annotations

from collections.abc import Generator

import bnteach as bn


def wrong_calls(oracle: bn.DSeparation, score: bn.Score) -> None:
    bn.pc(oracle, stabel=True)  # rejected: call-arg
    bn.pc(1, 2, 3, wrong=4)  # rejected: call-arg
    bn.pc()  # rejected: call-arg
    bn.pc.steps(oracle, max_given=2)  # rejected: call-arg
    bn.pc(oracle, stable="no")  # rejected: arg-type
    bn.pc(score)  # rejected: arg-type
    bn.hill_climb(score, restarts="3")  # rejected: arg-type


def wrong_attributes(oracle: bn.DSeparation) -> None:
    print(bn.pc(oracle).witnesses)  # rejected: attr-defined
    print(bn.minimal_imap(oracle, "AB").separating_sets)  # rejected: attr-defined
    print(bn.minimal_imap(oracle, "AB").graph.edges)  # rejected: attr-defined
    bn.pc(oracle).trace.only(3)  # rejected: arg-type
    bn.Result.load(3)  # rejected: arg-type


@bn.stepwise  # rejected: type-var
def a_graph_is_no_number(score: bn.Score) -> Generator[bn.Step, None, int]:
    yield bn.Step()
    return 3


def wrong_name() -> None:
    bn.hillclimb()  # rejected: attr-defined
