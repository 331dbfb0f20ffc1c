"""causal-learn in the bench. Its exact search does not centre the columns, so that is done for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from causallearn.search.ConstraintBased.PC import pc as search
from causallearn.search.ScoreBased.ExactSearch import bic_exact_search
from causallearn.search.ScoreBased.GES import ges as greedy_search

from tests.benchmarks.bench.inputs import Input
from tests.benchmarks.bench.libraries import Edge, Tasks


def edges(graph: np.ndarray, names: list[str]) -> list[Edge]:
    found = []
    for i, j in np.argwhere(graph != 0):
        if graph[i, j] == -1 and graph[j, i] == 1:
            found.append((names[i], names[j], True))
        elif i < j and graph[i, j] == graph[j, i]:
            found.append((names[i], names[j], False))
    return found


def learned(learn: Callable[[np.ndarray], Any]) -> Callable[[Input], Callable[[], list[Edge]]]:
    """A task that learns a graph, which causal-learn keeps as a matrix of the marks at the ends of its edges."""
    def task(given: Input) -> Callable[[], list[Edge]]:
        values, names = given.rows.to_numpy(), list(given.rows)
        return lambda: edges(learn(values).graph, names)

    return task


def pc(test: str) -> Callable[[Input], Callable[[], list[Edge]]]:
    return learned(lambda values: search(values, alpha=0.05, indep_test=test, stable=True, show_progress=False).G)


def ges(score: str) -> Callable[[Input], Callable[[], list[Edge]]]:
    return learned(lambda values: greedy_search(values, score_func=score)["G"])


def exact(given: Input) -> Callable[[], list[Edge]]:
    values, names = (given.rows - given.rows.mean()).to_numpy(), list(given.rows)
    return lambda: [(names[i], names[j], True) for i, j in
                    np.argwhere(bic_exact_search(values, search_method="dp")[0])]


TASKS: Tasks = {"pc": pc("chisq"), "pc_z": pc("fisherz"), "ges": ges("local_score_BDeu"),
                "ges_g": ges("local_score_BIC"), "exact_g": exact}
