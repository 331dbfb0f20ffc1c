"""Fresh instances to practise on: small enough to be done by hand, and not trivial.

    draw("kruskal", level=1, seed=0)      what bn.kruskal is given, by name

Each algorithm has a topic: its title, the lesson and section that explain it, and a function that draws an instance.
An instance is drawn again until its run asks enough questions, not too many, and not always with the same answer.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import import_module
from random import Random
from typing import Any

from bnteach.course.practice import instances as of
from bnteach.steps import Asked, Trace
from bnteach.trace import Result, Stepwise

Given = dict[str, Any]
Make = Callable[[Random, int], Given]
LEVELS = (1, 2, 3)
MOST = {1: 14, 2: 20, 3: 30}  # questions, by level
ATTEMPTS = 400


@dataclass(frozen=True)
class Topic:
    """An algorithm to practise."""

    module: str  # where the learner is
    title: str
    lesson: str
    section: str
    make: Make
    least: int = 3  # questions
    kinds: int = 1  # of steps that are asked, at least


TOPICS: dict[str, Topic] = {
    "explain_separation": Topic("graphs.paths", "d-separation, path by path", "02_independence_in_graphs",
                                "Path by path", of.paths),
    "minimal_imap": Topic("learn.minimal_imap", "Minimal I-map", "02_independence_in_graphs",
                          "A minimal I-map for any order", of.imap),
    "pc": Topic("learn.pc", "The PC algorithm", "04_pc", "The trace", of.separations, least=6, kinds=2),
    "orient": Topic("graphs.orientation", "Orientation rules", "04_pc", "What follows: the orientation rules",
                    of.skeleton),
    "dor_tarsi": Topic("graphs.extension", "From a PDAG to a DAG", "05_from_pattern_to_dag",
                       "Dor and Tarsi: which node can be a sink?", of.pdag),
    "kruskal": Topic("learn.chow_liu", "Kruskal's algorithm", "07_chow_liu", "The maximum-weight spanning tree",
                     of.weights),
    "prim": Topic("learn.chow_liu", "Prim's algorithm", "07_chow_liu", "The maximum-weight spanning tree", of.weights),
    "chow_liu": Topic("learn.chow_liu", "Chow-Liu", "07_chow_liu", "The maximum-weight spanning tree", of.tree),
    "hill_climb": Topic("learn.hill_climb", "Hill climbing", "09_local_search", "The trace", of.climb),
    "ges": Topic("learn.ges", "Greedy equivalence search", "17_searching_classes", "The trace", of.climb, least=2),
    "k3": Topic("learn.k3", "K3", "10_parents_in_order", "The trace", of.ordered),
    "branch_and_bound": Topic("learn.branch_and_bound", "Branch and bound", "10_parents_in_order",
                              "Branch and bound, step by step", of.ordered),
    "order_search": Topic("learn.order_search", "Order search", "11_searching_orders", "By hand: one swap", of.order),
    "exact": Topic("learn.exact", "Dynamic programming over subsets", "11_searching_orders",
                   "Dynamic programming: which variable is a sink?", of.subsets),
    "ilp": Topic("learn.ilp", "The integer program", "11_searching_orders", "The integer program", of.program),
    "anneal": Topic("learn.anneal", "Simulated annealing", "13_simulated_annealing", "The acceptance rule", of.cooling),
    "mmpc": Topic("learn.mmhc", "Max-min parents and children", "14_hybrid", "The trace", of.candidates),
    "mmhc": Topic("learn.mmhc", "Max-min hill climbing", "14_hybrid", "The trace", of.hybrid),
    "em": Topic("models.em", "EM: the E step", "15_incomplete_data",
                "By hand: expectation, maximisation", of.incomplete),
    "structural_em": Topic("learn.structural_em", "Structural EM", "15_incomplete_data",
                           "Structural EM: two searches", of.gaps, least=2),
    "variable_elimination": Topic("course.supplements.elimination_steps", "Variable elimination",
                                  "16_music_recommender", "Variable elimination, on paper", of.query, least=4),
}


def topic_named(name: str) -> Topic:
    """The topic of a learner, or an error that lists those there are."""
    if name not in TOPICS:
        close = difflib.get_close_matches(str(name), TOPICS, n=1)
        raise ValueError(f"there is no practice of {name!r} by name; " + (f"did you mean {close[0]!r}?" if close else
                         f"there is {', '.join(TOPICS)}.") + " For a learner of your own, also give its arguments.")
    return TOPICS[name]


@lru_cache(maxsize=256)
def draw(name: str, level: int = 1, seed: int | str = 0, make: Make | None = None) -> Given:
    """What a learner is given: an instance of this level, drawn from the seed, by the topic's function or another."""
    topic, make = topic_named(name), make or topic_named(name).make
    if level not in LEVELS:
        raise ValueError(f"level is {level!r}; there are the levels 1, 2 and 3.")
    random = Random(f"{name} {level} {seed}")
    for _ in range(ATTEMPTS):
        given = make(random, level)
        if given and suitable(run(learner_named(name), given)[1], topic, level):
            return given
    raise RuntimeError(f"no suitable instance of {name}, level {level}, was found for the seed {seed}.")


def learner_named(name: str) -> Stepwise[..., Any, Any]:
    """The learner of this name, from the module of its topic."""
    learner: Stepwise[..., Any, Any] = getattr(import_module(f"bnteach.{topic_named(name).module}"), name)
    return learner


def run(learner: Stepwise[..., Any, Any], given: Given) -> tuple[Result[Any], list[Asked]]:
    """Run a learner to its end; the result, and the questions about its trace."""
    from bnteach.learn.steps.chow_liu import Given as Weights

    signature = learner.__signature__
    if "considered" in signature.parameters:
        given = {"considered": True, **given}
    bound = signature.bind(**given)
    result = learner(**given)
    bound.apply_defaults()
    if "weights" in given:  # which Prim and Kruskal do not report
        result = replace(result, trace=Trace([Weights(dict(given["weights"])), *result.trace]))
    return result, result.trace.questions(bound.arguments)


def suitable(asked: list[Asked], topic: Topic, level: int) -> bool:
    """Enough questions and not too many, neither the first answer nor the last right throughout, and both answers right
    somewhere, where the same two are offered three times."""
    if not topic.least <= len(asked) <= MOST[level] or len({type(one.step) for one in asked}) < topic.kinds:
        return False
    if any(all(one.question.is_right(list(one.question.options)[place]) for one in asked) for place in (0, -1)):
        return False
    by_options: dict[tuple[str, ...], list[str]] = {}
    for one in asked:
        if len(one.question.options) == 2:
            by_options.setdefault(tuple(one.question.options), []).append(one.question.choice)
    return all(len(some) < 3 or len(set(some)) == 2 for some in by_options.values())
