"""bn.check: right answers pass in every form, wrong ones get a helpful sentence, and a crash is reported as a crash."""

from __future__ import annotations

import cProfile
import gc
import itertools
import os
import pydoc
import runpy
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import product
from math import log, log2
from operator import ne
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csgraph

import bnteach as bn
from bnteach.course.comparing import difference, show
from bnteach.course.exercises.check import SEED, WrongAnswer, describe
from bnteach.course.exercises.grading.plain import Graph, NotPlain, Odd, Steps, read_plain, write_plain
from bnteach.course.exercises.grading.withhold import Noticing, full_name
from bnteach.course.exercises.questions import UnknownQuestion, find, lessons, of_lesson
from bnteach.course.exercises.questions.base import KINDS, Options, Question, judge_walk
from bnteach.course.exercises.questions.read import read_columns

EVERY = [question for lesson in lessons() for question in of_lesson(lesson)]
by_id = pytest.mark.parametrize("question", EVERY, ids=[question.id for question in EVERY])


def as_answer(value: Any) -> Any:
    """A value as received from a student."""
    return read_plain(write_plain(value))


# -- every question ----------------------------------------------------------------------------------------------
@by_id
def test_what_the_library_says_is_right(question: Question) -> None:
    for seed in (SEED, 2):
        for arguments in question.inputs(seed):
            judged = question.judge(as_answer(question.right(*arguments)), arguments)
            assert judged.ok, f"{question.call(arguments)}: {judged.sentence}"


@by_id
def test_no_constant_answers_it(question: Question) -> None:
    inputs = question.inputs(1)
    constants = [as_answer(question.right(*arguments)) for arguments in inputs]
    for answer in [*constants, True, False, 0, 1, [], {}, None, "", as_answer({1}), as_answer(bn.DAG("A->B"))]:
        assert not all(question.judge(answer, arguments).ok for arguments in inputs), f"{answer} is always right"


@by_id
def test_inputs_are_drawn_anew_and_survive_serialization(question: Question) -> None:
    one, same, other = (write_plain(question.inputs(seed)) for seed in (5, 5, 6))
    assert one == same != other
    back = read_plain(one, inputs=True)
    assert write_plain(back) == one
    assert '"odd"' not in one, "an input that cannot be written down"


@by_id
def test_mistakes_are_mistakes_and_get_their_sentence(question: Question) -> None:
    unseen = dict(question.mistakes)
    for seed in (SEED, *range(12)):
        for arguments in question.inputs(seed) if unseen else ():
            for sentence, wrong in list(unseen.items()):
                with suppress(ArithmeticError, ValueError, LookupError):
                    if sentence in question.judge(as_answer(wrong(*arguments)), arguments).sentence:
                        del unseen[sentence]
    assert not unseen, "mistakes that are never recognised"


@by_id
def test_no_common_mistake_passes(question: Question) -> None:
    for inputs in map(question.inputs, range(4)) if question.mistakes else ():
        for sentence, wrong in question.mistakes.items():
            assert not all(right(question, wrong, arguments) for arguments in inputs), sentence


def right(question: Question, answer: Callable[..., Any], arguments: tuple) -> bool:
    with suppress(ArithmeticError, ValueError, LookupError):
        return question.judge(as_answer(answer(*arguments)), arguments).ok
    return False


def unlike_any_row(t: bn.Table, graph: bn.DAG) -> dict:
    rows = set(t.to_frame().itertuples(index=False, name=None))
    states = product(*(t.states(name) for name in t.variables))
    return dict(zip(t.variables, max(states, key=lambda s: min(sum(map(ne, s, row)) for row in rows))))


@pytest.mark.parametrize("id, guess", [
    ("6.7", unlike_any_row), *((id, lambda x, order=order: [x.variables[i] for i in order])
                               for id in ("9.6", "10.7") for order in [(3, 2, 1, 0), (0, 3, 2, 1), (2, 3, 0, 1)])])
def test_what_is_to_be_built_is_not_guessed(id: str, guess: Callable[..., Any]) -> None:
    for drawn in map(find(id).inputs, range(10)):
        assert not all(right(find(id), guess, arguments) for arguments in drawn[-find(id).draws:])


@by_id
def test_odd_answers_get_a_sentence_and_no_error(question: Question) -> None:
    odd = [None, True, 0, -1.5, float("nan"), float("inf"), "", "A->B", [], [[]], [None], [[1, 2], [3]], {}, {1, 2},
           {"A": [0, 1]}, {("A", "B"): 1}, object(), len, iter([]), (x for x in "AB"), bn.DAG("A->B"), bn.PDAG("A-B"),
           [("A", "B")], [("A", "B", ("C",))], nx.DiGraph([("A", "B"), ("B", "A")]), bn.datasets.five_rows(),
           np.zeros((2, 2)), [{}], "x" * 4000, 10**300, [bn.DAG("A->B")] * 2, {"A": {"B": [1]}}]
    for arguments in question.inputs(3)[-1:]:
        for answer in odd:
            judged = question.judge(as_answer(answer), arguments)
            assert judged.ok or (judged.sentence and len(judged.sentence) < 1500)


@pytest.fixture(scope="module")
def functions() -> str:
    """All functions, by the names under which their calls are noticed, when all that is withheld is loaded."""
    for name in {name for question in EVERY for name in question.withheld}:
        assert pydoc.locate(full_name(name)) is not None, f"there is no {full_name(name)}"
    found = [thing for thing in gc.get_objects() if type(thing) is FunctionType]
    return "\n".join(sorted({f"\n{f.__globals__.get('__name__')}.{f.__code__.co_qualname}." for f in found}))


@by_id
def test_questions_are_well_made(question: Question, functions: str) -> None:
    assert question.kind in KINDS and question.points >= 1 and question.function.isidentifier()
    assert (question.options is not None) <= (question.kind in ("steps", "lines in order", "three lines", "function"))
    for name in question.withheld:
        assert f"\n{full_name(name)}." in functions, f"{name} withholds nothing"
    assert all(q.function != question.function for q in EVERY
               if q is not question and q.id.split(".")[0] == question.id.split(".")[0]), "two functions of one name"


# -- what is recognised ---------------------------------------------------------------------------------------------
def entropy(table: bn.Table, x: str, z: str, log: Any = log2, divide: str = "given", N: int = 0) -> float:
    counts = table.counts(x, given=z)
    total = 0.0
    for column in counts.T:
        for n in column:
            if n > 0:
                total -= n / (len(table) - N) * log(n / (column.sum() if divide == "given" else len(table)))
    return total


@pytest.mark.parametrize("answer, words", [
    (lambda t, x, z: entropy(t, x, z, log=log), "base 2"),
    (lambda t, x, z: entropy(t, x, z, log=np.log10), "base 10"),
    (lambda t, x, z: -entropy(t, x, z), "only the sign"),
    (lambda t, x, z: entropy(t, x, z, divide="all"), "joint entropy"),
    (lambda t, x, z: entropy(t, x, z, N=1), "N - 1"),
    (lambda t, x, z: entropy(t, z, x), "swapped"),
    (lambda t, x, z: float("nan"), "0 log 0"),
    (lambda t, x, z: round(entropy(t, x, z), 3), "rounded to 3 decimals"),
    (lambda t, x, z: None, "return is missing"),
    (lambda t, x, z: "0.65", "a number is asked for"),
    (lambda t, x, z: [entropy(t, x, z)], "a number is asked for"),
    (lambda t, x, z: bn.entropy(t, x, z), "must not be used in question 7.2"),
    (lambda t, x, z: entropy(t, x, z, 0), "TypeError"),
    (lambda t, x: 0, "TypeError"),
])
def test_common_mistakes_with_an_entropy(answer: Any, words: str) -> None:
    said = bn.check("7.2", answer)
    assert not said and words.lower() in said.sentence.lower()


@pytest.mark.parametrize("form", [float, np.float64, np.float32, np.array, lambda x: np.array([x])[0]])
def test_numbers_in_any_form_are_numbers(form: Any) -> None:
    close_enough = form is not np.float32  # seven digits are not enough for six, whatever numpy says
    assert bool(bn.check("7.2", lambda t, x, z: form(entropy(t, x, z)))) or not close_enough
    assert bn.check("7.2", entropy)


@pytest.mark.parametrize("got, want, words", [
    (bn.DAG("B->A"), bn.DAG("A->B"), "the other way round"),
    (bn.DAG("A->B, B->C"), bn.PDAG("A-B, B-C"), "its class is asked for"),
    (bn.PDAG("A-B, B->C"), bn.PDAG("A->B, B->C"), "should be directed"),
    (bn.PDAG("A->B, B->C, C-D"), bn.PDAG("A->B, B-C, C-D"), "should be undirected"),
    (bn.DAG("A->B"), bn.DAG("A->B, B->C"), "lacks B->C"),
    (bn.DAG("A->B, A->C"), bn.DAG("A->B, C"), "should not have A->C"),
    (nx.Graph([("A", "B")]), bn.DAG("A->B"), "should be directed"),
    (3, bn.DAG("A->B"), "a graph is asked for"),
    ([("B", "A")], {("A", "B")}, "the other way round"),
    (["A", "B"], {"A", "C"}, "'C' is missing and 'B' should not be there"),
    (["B"], {"A", "C"}, "'A', 'C' are missing and 'B' should not be there"),
    ([[]] * 600, {"A"}, "you give 600, and there are 1"),
    ({"B", "A"}, ["A", "B"], "a set has no order"),
    (["B", "A"], ["A", "B"], "in another order"),
    ([3, 3], [0, 3], "number 1 of 2: you give 3, and it should be 0"),
    (10**9 + 1, 10**9, "you give 1000000001, and it should be 1000000000"),
    (2.0**60 + 2**20, 2**60, "a float cannot hold this number exactly"),
    (bn.DAG("A->B, C"), bn.DAG("A->B"), "it should not have the node C"),
    ([1.0, 2.5], [1.0, 2.0], "number 2 of 2: you give 2.5000, and it should be 2.0000"),
    ({"A": 1.0}, {"A": 1.0, "B": 2.0}, "has no 'B'"),
    ({"A": 1.0, "B": 3.0}, {"A": 1.0, "B": 2.0}, "at 'B'"),
    ({"A": 1.0, "Z": 3.0}, {"A": 1.0}, "should not be there"),
    ({(1, 0): 2.0}, {(0, 1): 1.0, (1, 0): 2.0}, "has no (0, 1)"),
    (False, True, "you give False, and it should be True"),
    (object(), 1.0, "an object"), (True, 1.0, "a number is asked for"), (bn.DAG("B->A"), {("A", "B")}, "the other way"),
    (bn.DAG("A->B"), {"A", "B"}, "a set is asked for"), (itertools.repeat("A"), {"A"}, "too large"),
    ((x for x in "AB"), 1.0, "yields"),
])
def test_differences_are_named(got: Any, want: Any, words: str) -> None:
    assert words in difference(as_answer(got), want)


def test_a_state_is_one_however_it_is_written() -> None:
    columns, _ = read_columns({"A": [1, 1.0, True, "1", 0]}, ["A"], states=2)
    assert columns == {"A": ["1", "1", "1", "1", "0"]}
    assert "the same value in every row" in read_columns({"A": [1, "1"]}, ["A"])[1]


@pytest.mark.parametrize("got, want", [
    (nx.DiGraph([("A", "B")]), bn.DAG("A->B")), ("A->B, B->C", bn.DAG("A->B, B->C")), ([("A", "B")], bn.DAG("A->B")),
    (nx.Graph([("B", "A")]), bn.PDAG("A-B")), (bn.chow_liu(bn.datasets.five_rows()), bn.DAG("A->C, B->D, C->B")),
    ({"A", "B"}, {"B", "A"}), (["B", "A"], {"A", "B"}), ([("C", "A")], {frozenset("AC")}),
    ([{"A", "C"}], {frozenset("CA")}),
    (np.array([1, 2]), [1, 2]), ((1, 2), [1, 2]), ({("B", "A"): 1}, {("A", "B"): 1}), (np.bool_(True), True),
    (1, True), (np.int64(3), 3), (3.0, 3), (0.1 + 0.2, 0.3), (-np.inf, -float("inf")), ([True, np.False_], [1, 0]),
    ((x for x in "AB"), ["A", "B"]), ((x for x in "BA"), {"A", "B"}), (dict.fromkeys("BA"), {"A", "B"}),
    (nx.Graph([("B", "A")]), {frozenset("AB")}), (nx.Graph([("B", "A")]).edges, {frozenset("AB")}),
    (bn.PDAG("A-B, B->C"), {frozenset("AB"), frozenset("BC")}), (nx.DiGraph([("A", "B")]).edges, {("A", "B")}),
    (bn.DAG("A->B"), {("A", "B")}), (pd.Series([0.5, 0.25]), [0.5, 0.25]),
])
def test_the_same_in_another_form_is_right(got: Any, want: Any) -> None:
    assert difference(as_answer(got), want) == ""


# -- steps -----------------------------------------------------------------------------------------------------------
def prim(weights: dict, root: str, tie: int = 1) -> Any:
    nodes, inside = {n for e in weights for n in e}, {root}
    while inside != nodes:
        leaving = [edge for edge in weights if len(inside & set(edge)) == 1]
        edge = max(leaving, key=lambda edge: (weights[edge], tie * ord(edge[1]), edge))
        yield edge
        inside |= set(edge)


def test_all_ways_to_settle_a_tie_are_right() -> None:
    equal = {(a, b): 0.5 for i, a in enumerate("ABCD") for b in "ABCD"[i + 1:]}
    runs = [list(prim(equal, "A", tie=tie)) for tie in (1, -1)]
    assert runs[0] != runs[1], "the two runs differ, or this would show nothing"
    for run in runs:
        assert find("7.5").judge(as_answer(run), (equal, "A")).ok
        assert find("7.4").judge(as_answer([edge[::-1] for edge in run]), (equal,)).ok
    assert bn.check("7.5", lambda w, r: prim(w, r, tie=-1)) and bn.check("7.5", lambda w, r: list(prim(w, r)))


def test_the_first_wrong_step_is_named_with_the_right_one_and_the_reason() -> None:
    weights = {("A", "B"): 0.1, ("A", "C"): 0.3, ("B", "C"): 0.2}
    said = find("7.5").judge(as_answer([("A", "C"), ("A", "B")]), (weights, "A")).sentence
    assert "step 2 is ('A', 'B'), and it should be B-C" in said and "leave {A, C} it is the heaviest (0.20)" in said
    said = find("7.5").judge(as_answer([("B", "C")]), (weights, "A")).sentence
    assert "step 1 is" in said and "does not touch the tree {A}" in said
    said = find("7.4").judge(as_answer([("A", "C"), ("B", "C"), ("A", "B")]), (weights,)).sentence
    assert "step 3" in said and "no more" in said
    said = find("7.5").judge(as_answer([("A", "C")]), (weights, "A")).sentence
    assert "stops after 1 step, and step 2 should be B-C" in said


def k3(score: bn.Score, order: list, candidates: list | None = None) -> list:
    """The arcs of K3; with `candidates`, the order is ignored."""
    greedy = find("10.3").right
    return [(parent, child) for i, child in enumerate(order)
            for parent in greedy(score, child, [x for x in candidates or order[:i] if x != child])]


@pytest.mark.parametrize("id, answer, words", [
    ("7.5", lambda weights, root: None, "perhaps a yield is missing"),
    ("7.5", lambda weights, root: next(prim(weights, root)), "a return ends the function, so yield each step"),
    ("7.5", lambda weights, root: (run for run in [list(prim(weights, root))]), "all steps come at once"),
    ("7.5", lambda weights, root: set(prim(weights, root)), "steps are asked for"),
    ("6.4", lambda rows: np.cumsum(np.log(rows)), "this is the same in nats"),
    ("6.4", lambda rows: -np.cumsum(np.log2(rows)), "only the sign differs"),
    ("6.4", lambda rows: [log2(p) for p in rows], "the logarithm of this row alone"),
    ("10.4", lambda score, order: k3(score, order, order), "C does not precede A in the order"),
    ("10.4", lambda score, order: [arc[::-1] for arc in k3(score, order)], "an arc is (parent, child)"),
])
def test_common_mistakes_with_steps(id: str, answer: Any, words: str) -> None:
    said = bn.check(id, answer)
    assert not said and words.lower() in said.sentence.lower()


def test_an_endless_walk_is_cut_and_judged() -> None:
    def endless(weights: dict, root: str) -> Any:
        while True:
            yield "A", "B"
    said = bn.check("7.5", endless)
    assert not said and "step" in said.sentence.lower()


def test_a_walk_that_never_ends_rightly_is_the_questions_fault_only() -> None:
    assert judge_walk([1, 2, 3], lambda taken: Options([len(taken) + 1] if len(taken) < 3 else [], "count")).ok
    verdict = judge_walk([1, 5], lambda taken: Options([len(taken) + 1], "count"))
    assert "step 2 is 5" in verdict.sentence and verdict.step == 2
    assert judge_walk([1], lambda taken: Options([len(taken) + 1], "count")).step == 2, "it stops before step 2"


# -- the card --------------------------------------------------------------------------------------------------------
def test_right_is_said_and_true() -> None:
    said = bn.check("7.2", entropy)
    assert said and repr(said) == f"✓ 7.2 Conditional entropy: Right, on {len(find('7.2').inputs(0))} inputs."
    assert "✓ right" in said._repr_html_()


def test_wrong_says_where_and_how_to_try_it() -> None:
    said = bn.check("7.1", lambda n, n_x, n_y, N: 1.0)
    assert not said and "Call 1: cell(3, 4, 4, 5)" in repr(said)
    assert bn.check.inputs("7.1", 1) == (3, 4, 4, 5)
    with pytest.raises(ValueError, match="number 1 to 6"):
        bn.check.inputs("7.1", 7)


def test_a_crash_is_reported_in_a_line_without_our_code() -> None:
    def broken(n: int, n_x: int, n_y: int, N: int) -> float:
        return {}[n]
    said = bn.check("7.1", broken)
    assert "cell stopped with KeyError: 3, in line" in said.sentence and "of broken" in said.sentence
    assert "Traceback" not in repr(said) and "bnteach/" not in repr(said)


def test_the_folders_name_does_not_matter(tmp_path: Path) -> None:
    """A clone is called bnteach, and a student may keep a module in it, or in site-packages of their own."""
    for folder in ("bnteach", "site-packages"):
        (tmp_path / folder).mkdir()
        module = tmp_path / folder / "mine.py"
        module.write_text("import bnteach as bn\n\n\ndef cell(*_):\n    return bn.DAG('A->')\n")
        said = bn.check("7.1", runpy.run_path(str(module))["cell"])
        assert "cannot read 'A->'" in said.sentence and "in line 5 of cell" in said.sentence, folder


def test_what_is_not_written_yet_is_said_so() -> None:
    def stub(*_: Any) -> None:
        raise NotImplementedError
    assert "not written yet" in bn.check("7.1", stub).sentence


def test_it_is_said_which_function_is_not_written_yet() -> None:
    def v_structures(dag: bn.DAG) -> None:
        raise NotImplementedError
    said = bn.check("1.5", lambda dags: [v_structures(dag) for dag in dags])
    assert "class_sizes calls v_structures, of question 1.4, and it is not written yet" in said.sentence


def test_an_endless_loop_is_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(n: int, n_x: int, n_y: int, N: int) -> float:
        while True:
            n += 1
    monkeypatch.setattr("bnteach.course.exercises.check.TIMEOUT", 0.05)
    said = bn.check("7.1", endless)
    assert "cell was interrupted before it finished, in line" in said.sentence and "of endless" in said.sentence


def test_a_logarithm_of_0_is_recognised() -> None:
    said = bn.check("7.2", lambda t, x, z: -sum(n * log2(n) for n in t.counts(x, given=z).flat))
    assert "ValueError" in said.sentence and "0 log 0 counts as 0" in said.sentence


@pytest.mark.parametrize("question", [question for question in EVERY if question.kind == "build"], ids=lambda q: q.id)
def test_a_counter_example_is_not_given_away(question: Question) -> None:
    arguments = bn.check.inputs(question.id)
    solution = show(as_answer(question.right(*arguments)))
    for nothing in (None, object(), "", [], (x for x in ())):
        judged = question.judge(as_answer(nothing), arguments)
        assert not judged.ok and solution not in judged.sentence


def test_inputs_are_the_students_own() -> None:
    bn.check.inputs("16.2", 1)[0].clear()
    assert bn.check.inputs("16.2", 1)[0], "the question keeps its own"


def test_a_value_in_place_of_the_function() -> None:
    assert 'bn.check(\'7.1\', cell)' in bn.check("7.1", 0.3).sentence


def test_words_of_students_are_escaped() -> None:
    page = bn.check("7.1", lambda *_: "<script>alert(1)</script>")._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;" in page


@pytest.mark.parametrize("id, hint", [("7.9", "lesson 7 has 7.1, 7.2"), ("prim", "Did you mean '7.5'"),
                                      ("77.2", "Did you mean"), ("x", "for the lessons"), (7, "lesson 7 has"),
                                      (len, "give the question first"), ("7.22", "lesson 7 has 7.1")])
def test_unknown_questions_suggest_the_nearest(id: Any, hint: str) -> None:
    with pytest.raises(UnknownQuestion, match=hint.replace(".", r"\.")):
        bn.check(id, len)


@pytest.mark.parametrize("id", ["7.2", 7.2, "07.2", " 7.2 "])
def test_a_question_by_any_spelling(id: Any) -> None:
    assert bn.check(id, entropy).id == "7.2"


def test_the_same_under_any_hash_seed() -> None:
    code = ("import bnteach as bn; print(bn.check('6.5', lambda a, b: set(a.nodes)), "
            "bn.check('7.5', lambda w, r: {(r, r)}), bn.check('8.2', lambda t, g: {'b', 'a', 'c'}))")
    said = [subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed},
                           capture_output=True, text=True, check=True).stdout for seed in "01"]
    assert said[0] == said[1] and "✗" in said[0]


def test_nbgrader_gets_an_error_for_a_wrong_answer(monkeypatch: pytest.MonkeyPatch,
                                                   capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    with pytest.raises(WrongAnswer, match="only the sign") as caught:
        bn.check("7.2", lambda *a: -entropy(*a))
    assert caught.value._render_traceback_() == [str(caught.value)]
    assert bn.check("7.2", entropy) is None, "a number or a table as a result would be taken for points"
    assert "✓ 7.2" in capsys.readouterr().out


# -- what is withheld ------------------------------------------------------------------------------------------------
def noticed(names: list[str], call: Callable[[], Any]) -> list[str]:
    """What is reported while something is called."""
    reported: list[str] = []
    with Noticing(names, "7.3", reported.append):
        call()
    return reported


def test_a_withheld_call_is_noticed_without_a_change_to_any_function() -> None:
    rows, before = bn.datasets.five_rows(), codes()
    def try_both(table: bn.Table, x: str, y: str) -> float:
        assert codes() == before
        try:
            return bn.mutual_information(table, x, y)
        except Exception:
            return 0.0
    for answer in (bn.mutual_information, try_both):
        said = bn.check("7.3", answer)
        assert said.sentence == "mutual_information of bnteach must not be used in question 7.3: write it yourself."
        assert "Call 1: mutual_information(" in said.where
    assert codes() == before and bn.mutual_information(rows, "A", "B") > 0


def codes() -> dict[str, CodeType]:
    """The code of every function of bnteach's that is loaded."""
    return {f"{thing.__module__}.{thing.__qualname__} {id(thing)}": thing.__code__ for thing in gc.get_objects()
            if type(thing) is FunctionType and str(thing.__module__).startswith("bnteach")
            and "<locals>" not in thing.__qualname__}  # an inner function may be collected in the meantime


@pytest.mark.parametrize("error", [KeyboardInterrupt, ZeroDivisionError, NotImplementedError])
def test_an_interrupt_in_the_middle_leaves_everything_as_it_was(error: type[BaseException]) -> None:
    def stop(*_: object) -> None:
        raise error
    def own(*_: object) -> None:
        """A profiler of the student's own."""
    before = codes()
    sys.setprofile(own)
    threading.setprofile(own)
    try:
        assert not bn.check("7.3", stop)
        assert sys.getprofile() is own is threading.getprofile()
        with pytest.raises(error), Noticing(["information"], "7.3", print):
            stop()
        assert sys.getprofile() is own is threading.getprofile()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    assert codes() == before


def test_pythons_own_profiler_goes_on_after_a_check() -> None:
    def later() -> None: ...
    with cProfile.Profile() as profile:
        bn.check("7.1", lambda *_: 0)
        later()
    assert any(isinstance(one.code, CodeType) and one.code is later.__code__ for one in profile.getstats())


def test_what_is_built_on_it_is_noticed_too() -> None:
    rows = bn.datasets.five_rows()
    for call in (lambda: bn.entropy(rows, "A"), lambda: bn.LogLikelihood(rows)("A, B, C, D"), lambda: bn.chow_liu(rows),
                 lambda: list(map(partial(bn.entropy, rows), "AB")), lambda: next(bn.chow_liu.steps(rows))):
        assert len(noticed(["information"], call)) == 1
    assert noticed(["scores.penalised.MDL"], lambda: bn.LogLikelihood(rows)("A, B, C, D")) == []
    assert noticed(["scores.penalised.MDL"], lambda: bn.MDL(rows)("A, B, C, D")) == [
        "MDL of bnteach must not be used in question 7.3: write it yourself."]
    assert noticed(["scores.MD"], lambda: bn.MDL(rows)("A, B, C, D")) == [], "a name ends at a dot"


def test_a_thread_is_noticed_too() -> None:
    rows = bn.datasets.five_rows()
    def call() -> None:
        thread = threading.Thread(target=bn.entropy, args=(rows, "A"))
        thread.start()
        thread.join()
    assert len(noticed(["information"], call)) == 1


@pytest.mark.parametrize("name", ["connected_components", "minimum_spanning_tree", "breadth_first_order", "dijkstra",
                                  "shortest_path", "depth_first_tree"])
def test_what_is_compiled_is_noticed_by_what_it_calls(name: str) -> None:
    function = getattr(csgraph, name)
    more = {"i_start": 0} if "first" in name else {}
    (reported,) = noticed(["scipy.sparse.csgraph"], lambda: function(np.ones((3, 3)), **more))
    assert "of scipy must not be used" in reported


def test_to_load_a_library_is_not_to_use_it() -> None:
    """Modules call functions of their own when they are loaded."""
    code = ("from bnteach.course.exercises.grading.withhold import Noticing\nreported = []\n"
            "def load(): import networkx, scipy.stats, bnteach; return bnteach.chow_liu, bnteach.MDL\n"
            "with Noticing(['networkx', 'scipy', 'learn', 'scores'], '7.3', reported.append): load()\nprint(reported)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stdout + done.stderr


@pytest.mark.parametrize("call", [lambda: sys.setprofile(None), lambda: threading.setprofile(None),
                                  *([lambda: sys.monitoring.get_tool(1)] if hasattr(sys, "monitoring") else [])])
def test_a_call_that_ends_the_reports_is_noticed(call: Callable[[], Any]) -> None:
    (reported,) = noticed([], call)
    assert reported.endswith("must not be used in question 7.3.")


def test_many_calls_do_not_take_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bnteach.course.exercises.grading.withhold.QUIET", 1000)
    watched = []
    def calls() -> None:
        for _ in range(1000):
            abs(1)
        watched.append(sys.getprofile())
    assert noticed([], calls) == [] and watched == [None]


# -- plain data ------------------------------------------------------------------------------------------------------
PLAIN = st.recursive(st.none() | st.booleans() | st.integers(-10**9, 10**9) | st.floats() | st.text(max_size=8),
                     lambda inside: st.lists(inside, max_size=4) | st.tuples(inside, inside)
                     | st.dictionaries(st.text(max_size=4) | st.tuples(st.integers(), st.text(max_size=2)), inside,
                                       max_size=3), max_leaves=12)


@given(PLAIN)
def test_plain_values_come_back_as_they_were(value: Any) -> None:
    back = read_plain(write_plain(value))
    assert repr(back) == repr(value)


@given(st.recursive(st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=6),
                    lambda inside: st.lists(inside, max_size=3) | st.dictionaries(
                        st.sampled_from(["tuple", "set", "map", "odd", "dag", "steps", "table", "score", "number"]),
                        inside, max_size=3), max_leaves=10))
def test_whatever_comes_is_read_or_refused(data: Any) -> None:
    import json

    try:
        value = read_plain(json.dumps(data))
    except NotPlain:
        return
    assert isinstance(value, None | bool | int | float | str | list | tuple | set | dict | Odd | Steps | Graph)
    difference(value, 1.0), difference(value, {"A"}), difference(value, bn.DAG("A->B")), difference(value, {"A": 1})


@pytest.mark.parametrize("text", [
    "", "NaN", "Infinity", "[1,", '{"a": 1}', '{"odd": 1}', '{"tuple": [], "x": 1}', "[" * 10**5, '{"map": [[1]]}',
    '{"dag": {}}', '{"dag": {"nodes": [1], "arcs": [], "edges": []}}', '{"number": "1"}', '{"set": [], "set": []}',
    '{"score": ["MDL"], "x": 1}', "1" * 5000])
def test_what_is_not_plain_is_refused(text: str) -> None:
    with pytest.raises(NotPlain):
        read_plain(text)


def test_tricks_become_plain() -> None:
    class Everything(float):
        def __eq__(self, other: object) -> bool:
            return True

        def __repr__(self) -> str:
            return "0.5"

        __hash__ = None

    assert as_answer(Everything(3)) == 3.0 and type(as_answer(Everything(3))) is float
    assert as_answer(type("Any", (), {"__eq__": lambda *_: True})()) == Odd("an Any")
    assert as_answer(10**400) == Odd("a whole number of very many digits")
    assert as_answer("x" * 10**6) == Odd("something too large")
    assert as_answer([[0] * 1000] * 1000) == Odd("something too large")
    assert as_answer(i for i in range(10**9)).cut


def test_what_holds_values_is_a_list_of_them() -> None:
    import itertools

    import pandas as pd

    for holder in ({"a": 1, "b": 2}.values(), pd.Index([1, 2]), iter([1, 2]), map(int, "12"), range(1, 3)):
        assert as_answer(holder) == [1, 2]
    assert as_answer(itertools.count()) == Odd("something too large")
    assert as_answer(bn.Table({"A": ["x", None, "y"]}, missing="keep")) == {"A": ["x", None, "y"]}


def test_describe_survives_an_error_that_cannot_be_shown() -> None:
    class Bad(Exception):
        def __str__(self) -> str:
            raise ValueError
    assert "Bad" in describe(Bad())
