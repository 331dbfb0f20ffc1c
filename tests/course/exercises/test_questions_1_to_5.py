"""Exercises 1 to 5: solutions pass, untouched cells and constants none, common mistakes get their sentence."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pytest

import bnteach as bn
from bnteach.course.exercises.grading.plain import read_plain, write_plain
from bnteach.course.exercises.questions import find, of_lesson
from bnteach.course.exercises.release import exercises, grade_id, source_of, student_copy

NAMES = [name for name in exercises() if 1 <= int(name[:2]) <= 5]
QUESTIONS = [question for lesson in range(1, 6) for question in of_lesson(lesson)]
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
        sentences = [judged(question, mistake(*arguments), arguments).sentence
                for seed in range(4) for arguments in question.inputs(seed)]
        assert any(sentence in one for one in sentences), sentence


@pytest.mark.parametrize("question", QUESTIONS, **by_id)
def test_odd_answers_are_refused_with_a_sentence(question: Any) -> None:
    odd = [None, "x", 3.5, {}, {"a": 1}, [[1]], [None], ((), ()), bn.DAG("A->B"), bn.PDAG("A-B"), [bn.DAG("A->B")] * 2,
           [("A", "B", "C")], object(), float("nan")]
    arguments = question.inputs(0)[-1]
    for answer in odd:
        judgement = judged(question, answer, arguments)
        assert judgement.ok or judgement.sentence


def level_of_every_set(oracle: Any, neighbours: dict, size: int) -> Any:
    """Tests all sets, not only sets of neighbours."""
    for x, y in combinations(neighbours, 2):
        for given in combinations([z for z in neighbours if z not in (x, y)], size) if y in neighbours[x] else ():
            yield x, y, given
            if oracle(x, y, given):
                break


def level_without_stopping(oracle: Any, neighbours: dict, size: int) -> Any:
    """Continues to test an edge when a separating set is found."""
    return ((x, y, given) for x, y in combinations(neighbours, 2) if y in neighbours[x]
            for given in combinations([z for z in neighbours[x] if z != y], size))


@pytest.mark.parametrize(("id", "answer", "words"), [
    ("1.3", lambda nodes, arcs: list(nodes), "step 1 is 'A', and it should be 'C': A is not a sink, because of A -> B"),
    ("1.3", lambda nodes, arcs: ["C"], "step 2 should be 'B'"),
    ("1.6", lambda dag: dag, "the same DAG"),
    ("1.6", lambda dag: dag.with_reversed(*dag.arcs[0]), "yours lacks the v-structure"),
    ("1.6", lambda dag: dag.with_reversed(*dag.arcs[-1]), "yours has the v-structure"),
    ("1.6", lambda dag: dag.without_arc(*dag.arcs[0]), "skeletons differ, in A-B"),
    ("1.7", lambda nodes, m: bn.DAG(list(pairwise(nodes))[:m], nodes), "members"),
    ("2.4", lambda dag, x, y: [()], "the empty set should not be there"),
    ("2.5", lambda oracle, order: [(x, ()) for x in order], "A is not independent of C"),
    ("2.5", lambda oracle, order: [(x, order[:i]) for i, x in enumerate(order)], "is not needed"),
    ("2.6", lambda p0, p1: [[0.5, 0.5], [0.5, 0.5]], "does not depend on Y"),
    ("2.6", lambda p0, p1: [[0.2, 0.6], [0.2, 0.6]], "does not depend on X"),
    ("2.6", lambda p0, p1: [[0.2, 0.6], [0.3, 0.6]], "not independent: Z is 1 with probability"),
    ("2.7", lambda n: bn.DAG([(n[0], n[3]), (n[1], n[3])], n), "not separated given"),
    ("3.8", lambda names, n: dict.fromkeys(names, [0, 1] * (n // 2)), "always has the same state"),
    ("3.8", lambda names, n: dict(zip(names, ([0, 1] * (n // 2), [0, 0, 1, 1] * (n // 4) + [0, 1] * (n % 4 // 2),
                                              [0] * (n // 2) + [1] * (n // 2)))), "not dependent enough"),
    ("4.5", level_of_every_set, "must consist of neighbours of"),
    ("4.5", level_without_stopping, "B-C has its separating set, {'A'}"),
    ("4.6", lambda n: (bn.DAG([(n[0], n[1])], n), (n[0], n[2], [n[1]])), "PC never tests"),
    ("4.6", lambda n: (bn.DAG(list(pairwise(n)), n), (n[0], n[2], [])), "the skeleton is right"),
    ("4.6", lambda n: (bn.DAG(list(pairwise(n)), n), (n[0], n[1], [])), "is missing, and no edge is extra"),
    ("4.6", lambda n: (bn.DAG(list(pairwise(n[:3])), n), (n[0], n[2], [n[1]])), "is extra, and no edge is missing"),
    ("4.7", lambda n: (bn.DAG(list(pairwise(n)), n), (n[0], n[1], [])), "query about two nodes that are separated"),
    ("4.7", lambda n: (bn.DAG(list(pairwise(n)), n), (n[0], n[2], [])), "no v-structure of your DAG is missed"),
    ("4.7", lambda n: (bn.DAG([(n[i], n[j]) for i, j in ((2, 0), (2, 1), (3, 0), (3, 1))], n), (n[0], n[1], [n[2]])),
     "a v-structure is missed, but "),
    ("4.7", lambda n: (bn.DAG(list(pairwise(n)), n), (n[0], "who", [])), "no variable 'who'"),
    ("5.3", lambda g: list(g.nodes), "A cannot be a sink: B → A ← C would be a new v-structure"),
    ("5.4", lambda g: [bn.DAG("A->B, A->C, B->D, C->D")], "you give 1, and there are 3"),
    ("5.4", lambda g: [bn.DAG("B->A, C->A, B->D, C->D")], "a v-structure that the PDAG does not have"),
    ("5.5", lambda dag: dag, "this is a DAG, and its class is asked for"),
    ("5.5", lambda dag: bn.PDAG([], dag.arcs, dag.nodes), "should be directed"),
    ("5.6", lambda n: bn.PDAG([], list(pairwise(n)), n), "represents a DAG"),
    ("5.7", lambda n: bn.PDAG([(n[0], n[1])], list(pairwise(n[1:])), n), "represents a DAG"),
    ("5.7", lambda n: bn.PDAG([], [*pairwise(n), (n[-1], n[0])], n), "a tree on"),
])
def test_wrong_steps_and_constructions_get_a_sentence_that_helps(id: str, answer: Any, words: str) -> None:
    said = bn.check(id, answer)
    assert not said
    assert words.lower() in said.sentence.lower()


@pytest.mark.parametrize(("id", "answer"), [
    ("4.6", lambda n: (f"{n[0]}->{n[2]}, {n[1]}->{n[2]}, {n[2]}->{n[3]}, {n[0]}->{n[3]}",
                       f"{n[0]} _||_ {n[3]}")),  # text for a DAG and for a query
    ("4.6", lambda n: (bn.DAG([(n[1], n[0]), (n[2], n[0]), (n[0], n[3]), (n[2], n[3])], n), (n[3], n[2], None))),
    ("4.7", lambda n: (bn.DAG([(n[1], n[0]), (n[3], n[0]), (n[2], n[1]), (n[4], n[2]), (n[4], n[3])], n),
                       (n[3], n[1], n[0]))),
    ("5.6", lambda n: bn.PDAG([], [*pairwise(n), (n[3], n[0])], n)),  # a cycle of four nodes, with a tail
    ("2.7", lambda n: bn.DAG([(n[1], n[3]), (n[2], n[3]), (n[2], n[0])], n)),
])
def test_another_right_construction_passes(id: str, answer: Any) -> None:
    assert bn.check(id, answer)


@pytest.mark.parametrize("sizes", [[0], [0, 1], [0, 2], [0, 1, 3], [0, 1, 2, 3]])
def test_robinson_with_some_numbers_of_parents_agrees_with_listing(sizes: list[int]) -> None:
    """The recurrence that the exercise uses, against a list of all DAGs."""
    listed = [sum(all(len(dag.parents(x)) in sizes for x in dag.nodes) for dag in bn.all_dags("ABCD"[:n]))
              for n in range(5)]
    assert [find("1.2").right(n, sizes) for n in range(5)] == listed


def test_terms_add_up_to_all_dags() -> None:
    assert sum(find("1.1").right(4, i, bn.count_dags(4 - i)) for i in range(1, 5)) == 543
