"""Exercises 12 to 18: solutions pass, untouched cells and constants do not, common mistakes get their sentence."""

from __future__ import annotations

import math
from contextlib import suppress
from itertools import combinations, product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import bnteach as bn
from bnteach.course.exercises.grading.plain import read_plain, write_plain
from bnteach.course.exercises.questions import find, lessons, of_lesson
from bnteach.course.exercises.questions.q14 import BRONC
from bnteach.course.exercises.questions.q15 import misled
from bnteach.course.exercises.release import exercises, grade_id, source_of, student_copy

NAMES = [name for name in exercises() if 12 <= int(name[:2])]
QUESTIONS = [question for lesson in lessons() if lesson >= 12 for question in of_lesson(lesson)]
by_id = {"ids": lambda question: question.id}


def checks(notebook: dict) -> dict[str, bool]:
    """Run a notebook; the result of bn.check in each of its check cells."""
    space: dict[str, Any] = {}
    said = {}
    for cell in (cell for cell in notebook["cells"] if cell["cell_type"] == "code"):
        if (id := grade_id(cell)).startswith("check_"):
            said[id] = bool(eval(source_of(cell), space))
        else:
            exec(source_of(cell), space)
    return said


def judged(question: Any, answer: Any, arguments: tuple) -> Any:
    """An answer judged as it would be if a student had given it."""
    return question.judge(read_plain(write_plain(answer)), arguments)


@pytest.mark.parametrize("name", NAMES)
def test_solved_earns_all_and_untouched_none(name: str) -> None:
    notebook = exercises()[name].notebook
    ids = {f"check_{question.id.replace('.', '_')}" for question in of_lesson(int(name[:2]))}
    assert checks(notebook) == dict.fromkeys(ids, True)
    assert checks(student_copy(notebook)) == dict.fromkeys(ids, False)


def test_the_associations_of_14_1_are_those_of_the_lesson() -> None:
    test = bn.GSquare(bn.datasets.asia(10_000), alpha=0.05, adjust=True)
    computed = {x: {given: round(-math.log10(test(x, "bronc", given).p_value), 1) for given in sets}
                for x, sets in BRONC.items()}
    assert computed == BRONC
    text = "".join(source_of(cell) for cell in exercises()["14_hybrid"].notebook["cells"])
    assert [text.count(f": {value}") for value in BRONC["lung"].values()] == [2, 2]


@pytest.mark.parametrize("question", QUESTIONS, **by_id)
def test_right_answers_pass_and_a_constant_does_not(question: Any) -> None:
    for seed in range(2):
        inputs = question.inputs(seed)
        answers = [question.right(*arguments) for arguments in inputs]
        assert all(judged(question, *both).ok for both in zip(answers, inputs))
        for constant in (*answers, None, [], 0, True):
            assert not all(judged(question, constant, arguments).ok for arguments in inputs)


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q.mistakes], **by_id)
def test_a_common_mistake_is_recognised(question: Any) -> None:
    for sentence, mistake in question.mistakes.items():
        sentences = []
        for arguments in (arguments for seed in range(6) for arguments in question.inputs(seed)):
            with suppress(ArithmeticError):
                sentences.append(judged(question, mistake(*arguments), arguments).sentence)
        assert any(sentence in one for one in sentences), sentence


@pytest.mark.parametrize("question", QUESTIONS, **by_id)
def test_odd_answers_are_refused_with_a_sentence(question: Any) -> None:
    odd = [None, "x", 3.5, {}, {"a": 1}, [[1]], [None], ((), ()), bn.DAG("A->B"), bn.PDAG("A-B"), [bn.DAG("A->B")] * 2,
           [("A", "B", "C")], [[["A"], {"B": 1}]], [([], {})], object(), float("nan")]
    arguments = question.inputs(0)[-1]
    for answer in odd:
        judgement = judged(question, answer, arguments)
        assert judgement.ok or judgement.sentence


def marginal(table: bn.Table, target: str, alpha: float) -> list[str]:
    """A forward phase that uses marginal associations only."""
    test = bn.GSquare(table, alpha, adjust=True)
    left = {x: test(x, target) for x in table.variables if x != target}
    return sorted((x for x in left if not left[x]), key=lambda x: (left[x].p_value, -left[x].statistic))


def score_not_updated(score: bn.MDL, temperatures: list, arcs: list, numbers: list) -> Any:
    """The slip of the wine report: when a worse graph is accepted, the score stays."""
    dag = bn.DAG((), score.variables)
    now = score(dag)
    for t, arc, number in zip(temperatures, arcs, numbers):
        new = dag.without_arc(*arc) if dag.has_arc(*arc) else dag.with_arc(*arc)
        gain = score(new) - score(dag)
        if number < math.exp(min(0.0, gain / t)):
            dag, now = new, max(now, now + gain)
        yield now


def coins(names: list[str], n: int) -> dict[str, list[int]]:
    """Independent columns."""
    return {name: [i >> k & 1 for i in range(n)] for k, name in enumerate(names)}


@pytest.mark.parametrize(("id", "answer", "words"), [
    ("12.8", lambda x, y, n: {x: range(n), y: [2.0 * i for i in range(n)]}, "linear function"),
    ("12.8", lambda x, y, n: {x: range(n), y: [i * i for i in range(n)]}, "the correlation is"),
    ("12.8", lambda x, y, n: {x: [0, 1] * n, y: [0, 1] * n}, "rows, and it should have"),
    ("12.8", lambda x, y, n: {x: [0] * n, y: list(range(n))}, "should be a function of"),
    ("13.5", score_not_updated, "the score changes with the graph"),
    ("13.5", lambda score, t, arcs, numbers: [score(bn.DAG((), score.variables))] * 99, "accepted"),
    ("13.7", coins, "at least 1 bit higher"),
    ("13.7", lambda names, n: dict.fromkeys(names, [0, 1] * (n // 2)), "no first arc should raise the score"),
    ("13.7", lambda names, n: dict.fromkeys(names, [0] * n), "has the same value in every row"),
    ("14.3", marginal, "the strongest of these joins"),
    ("14.3", lambda table, target, alpha: [target], "the target itself"),
    ("14.6", lambda score, edges: [], "the largest gain"),
    ("14.6", lambda score, edges: [("no", "node")], "it has the largest gain"),
    ("14.7", lambda a, b, e, x, n: coins([a, b, e, x], n), "are not adjacent"),
    ("14.7", lambda a, b, e, x, n: {**coins([a, b, e], n), x: coins([a, b, e], n)[e]}, "the tests should remove it"),
    ("15.5", lambda rows, p, q, iterations: [(p, q)] * iterations, "before the iteration"),
    ("15.5", lambda rows, p, q, iterations: [], "stops after 0 steps"),
    ("15.7", lambda x, y, n: {x: [0, 1] * (n // 2), y: [0, 0, 1, 1] * (n // 4)}, "should be 0.2 apart"),
    ("15.7", lambda x, y, n: {x: [None] * n, y: [0, 1] * (n // 2)}, "no row has"),
    ("16.8", lambda a, b, c: {s: ([], {(): 0.5}) for s in (a, b, c)}, "at least 0.1 more"),
    ("16.8", lambda a, b, c: {a: ([], {(): 0.5}), b: ([], {(): 0.5}), c: ([a], {(0,): 0.1, (1,): 0.9})},
     "at least 0.1 less"),
    ("16.8", lambda a, b, c: {a: ([b], {(0,): 0.5, (1,): 0.5}), b: ([c], {(0,): 0.5, (1,): 0.5}),
                              c: ([a], {(0,): 0.1, (1,): 0.9})}, "this is not a network"),
    ("18.6", lambda shares, least: [], "surest that is left"),
    ("18.6", lambda shares, least: [("arc", b, a) for a, b in shares], "more than half"),
    ("18.8", lambda x, y, n: dict.fromkeys((x, y), [0] * (n // 2) + [1] * (n - n // 2)), "0.65 is asked"),
    ("18.8", lambda x, y, n: {x: [0] * (n - 1) + [1], y: [1] + [0] * (n - 1)}, "the table itself has no edge"),
])
def test_wrong_steps_and_constructions_get_a_sentence_that_helps(id: str, answer: Any, words: str) -> None:
    said = bn.check(id, answer)
    assert not said
    assert words.lower() in said.sentence.lower()


@pytest.mark.parametrize(("id", "answer"), [
    ("12.8", lambda x, y, n: {x: np.linspace(-1, 1, n).round(12), y: np.abs(np.linspace(-1, 1, n).round(12))}),
    ("15.7", lambda x, y, n: pd.DataFrame(misled(x, y, n))),  # 0.0, 1.0 and NaN
    ("15.7", lambda x, y, n: pd.DataFrame(misled(x, y, n)).convert_dtypes()),  # 0, 1 and pd.NA
    ("16.2", lambda playlists, songs: {s: [s in playlist for playlist in playlists] for s in songs}),
    ("14.5", lambda chosen: {frozenset((a, b)) for a in chosen for b in chosen[a] if a in chosen[b]}),  # a set of sets
    ("16.8", lambda a, b, c: {c: ((b, a), {(0, 0): 0.1, (0, 1): 0.8, (1, 0): 0.8, (1, 1): 0.6}), b: ([], {(): 0.4}),
                              a: ([], {(): 0.4})}),  # the parents in the other order
])
def test_another_right_answer_passes(id: str, answer: Any) -> None:
    assert bn.check(id, answer)


@pytest.mark.parametrize("joined", ["tree", "sets"])
def test_components_must_not_come_from_scipy(joined: str) -> None:
    def components(nodes: list[str], edges: list[tuple[str, str]]) -> Any:
        from scipy.cluster.hierarchy import DisjointSet, fcluster, linkage
        if joined == "sets":
            found = DisjointSet(nodes)
            for edge in edges:
                found.merge(*edge)
            return found.subsets()
        far = [0.0 if edge in edges or edge[::-1] in edges else 1.0 for edge in combinations(nodes, 2)]
        label = fcluster(linkage(far, "single"), 0.5, "distance")
        return [{node for node, one in zip(nodes, label) if one == number} for number in set(label)]
    said = bn.check("16.3", components)
    assert not said
    assert "scipy" in said.sentence


def test_posteriors_by_elimination_and_by_enumeration() -> None:
    """The library's answer, which 16.5 uses, against the sum over all combinations."""
    for network, song, playlist in find("16.5").inputs(5):
        total = {0: 0.0, 1: 0.0}
        for states in product((0, 1), repeat=len(network)):
            row = dict(zip(network, states))
            p = math.prod(abs(1 - row[s] - chances[tuple(row[x] for x in parents)])
                          for s, (parents, chances) in network.items())
            total[row[song]] += p * all(row[s] for s in playlist)
        assert find("16.5").right(network, song, playlist) == pytest.approx(total[1] / (total[0] + total[1]))
