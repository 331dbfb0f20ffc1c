"""Points for part of an answer: the steps before the first wrong one, and answers that call a wrong helper."""

from __future__ import annotations

import csv
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import bnteach as bn
from bnteach.course.exercises.grade import Settings, grade
from bnteach.course.exercises.grading import report
from bnteach.course.exercises.grading.dashboard import write_dashboard
from bnteach.course.exercises.grading.judging import our_answer
from bnteach.course.exercises.grading.plain import read_plain, write_plain
from bnteach.course.exercises.grading.sessions import Limits
from bnteach.course.exercises.questions import find, lessons, of_lesson
from bnteach.course.exercises.questions.base import Options, Question, judge_walk
from tests.course.exercises.submissions.notebooks import with_answers, write

needs_sandbox = pytest.mark.usefixtures("namespaces")
WALKS = [question for lesson in lessons() for question in of_lesson(lesson) if question.options]
each_walk = pytest.mark.parametrize("question", WALKS, ids=lambda question: question.id)
K3 = "10_parents_in_order"


# -- the rule --------------------------------------------------------------------------------------------------------
def count_down(n: int, taken: list[int]) -> Options:
    return Options([n - len(taken)] if len(taken) < n else [], "it counts down")


COUNT = Question("7.5", "Counting down", "count", "steps", lambda random: (int(random.integers(2, 9)),),
                 lambda n: list(range(n, 0, -1)), points=3, first=((3,),), options=count_down)


def credit(answer: Callable[[int], Any], *inputs: int) -> float:
    return COUNT.credit([answer(n) for n in (3, *inputs)], [(n,) for n in (3, *inputs)])


@pytest.mark.parametrize("answer, share", [
    ([4, 3, 2, 1], Fraction(1)), ([4, 3, 2], Fraction(3, 5)), ([4, 3, 9, 1], Fraction(2, 5)),
    ([4, 3, 2, 1, 0], Fraction(4, 5)), ([9, 3, 2, 1], Fraction(0)), ([], Fraction(0)), (None, Fraction(0)),
    ("4321", Fraction(0))])
def test_a_share_is_the_right_steps_over_those_of_a_right_run_and_its_end(answer: Any, share: Fraction) -> None:
    assert judge_walk(answer, lambda taken: count_down(4, taken)).share == share


@pytest.mark.parametrize("answer, inputs, points", [
    (lambda n: [*range(n, 1, -1)], (4, 7), 2.0),                # 3/5 and 6/8: 0.675 of 3 points is 2.025
    (lambda n: [*range(n, 0, -1)] if n < 7 else [], (4, 7), 1.5),  # one is right, one has nothing
    (lambda n: [*range(n, 0, -1)] if n != 3 else [], (4, 7), 2.9),  # only the lesson's example is wrong
    (lambda n: [n], (1, 1, 4, 9), 0.4),                        # 1/5 and 1/10; runs of one step do not count
    (lambda n: [n], (1, 1), 0),
    (lambda n: [3, 2, 1], (3, 3), 0),                          # the same for all inputs
    (lambda n: [], (4, 7), 0), (lambda n: None, (4, 7), 0),
    (lambda n: [3, 2, 1] if n == 3 else [], (4, 7), 0),        # the lesson's example alone
    (lambda n: [0, *range(n, 0, -1)], (4, 7), 0)])             # the first step is wrong
def test_points_are_the_mean_share_rounded_down(answer: Callable[[int], Any], inputs: tuple, points: float) -> None:
    assert credit(answer, *inputs) == points


def test_answers_that_are_missing_count_as_wrong() -> None:
    inputs = [(3,), (4,), (5,), (6,), (7,)]
    right = [COUNT.right(n) for (n,) in inputs]
    assert COUNT.credit(right[:3], inputs) == 1.5, "two of four"
    assert COUNT.credit(right[:2], inputs) == COUNT.credit([], inputs) == 0, "one answer may be a constant"


def test_other_questions_keep_nothing() -> None:
    question = find("7.2")
    inputs = question.inputs(1)
    assert question.credit([question.right(*arguments) for arguments in inputs[:-1]], inputs) == 0


@each_walk
def test_no_constant_and_no_stop_earns_anything(question: Question) -> None:
    inputs = question.inputs(7)
    for nothing in (None, [], [[]], question.right(*inputs[0]), question.right(*inputs[-1])):
        answer = read_plain(write_plain(nothing))
        assert question.credit([answer] * len(inputs), inputs) == 0


@each_walk
def test_half_a_run_earns_something_and_never_everything(question: Question) -> None:
    drawn = len(question.first)
    inputs, runs = next(both for both in map(run_of(question), range(99)) if max(map(len, both[1][drawn:])) > 1)
    assert 0 < question.credit([run[: (len(run) + 1) // 2] for run in runs], inputs) < question.points
    assert question.credit([*runs[:-1], [*runs[-1], "more"]], inputs) < question.points


def run_of(question: Question) -> Callable[[int], tuple[list, list]]:
    """For a seed, the inputs and the right runs."""
    def run(seed: int) -> tuple[list, list]:
        inputs = question.inputs(seed)
        return inputs, [read_plain(write_plain(list(question.right(*arguments)))) for arguments in inputs]
    return run


# -- what is said ----------------------------------------------------------------------------------------------------
ONE_PARENT = """def k3(score, order):
    for i, child in enumerate(order):
        best = next_parent(score, child, [], order[:i]) if i else None
        if best:
            yield best, child
"""


def test_check_says_what_an_answer_would_keep() -> None:
    k3 = find("10.4").right
    said = bn.check("10.4", lambda score, order: k3(score, order)[:1])
    assert not said and 0 < said.points < 3
    assert f"As it is, this would keep {said.points} of 3 points for the steps that come before" in said.sentence
    assert "it stops after 1 step, and step 2 should be" in said.sentence.lower() and "Call 1: k3(" in said.where
    assert bn.check("10.4", k3).points == 3
    assert "keep" not in bn.check("10.4", lambda score, order: []).sentence


def test_nbgrader_reads_a_number_as_part_of_the_points(monkeypatch: pytest.MonkeyPatch,
                                                       capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    k3 = find("10.4").right
    assert isinstance(bn.check("10.4", lambda score, order: k3(score, order)[:1]), float)
    assert "this would keep" in capsys.readouterr().out
    assert bn.check("10.4", k3) is None


def test_nbgrader_itself_gives_part_of_the_points(monkeypatch: pytest.MonkeyPatch) -> None:
    utils, v4 = pytest.importorskip("nbgrader.utils", reason="make class"), pytest.importorskip("nbformat.v4")
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    k3 = find("10.4").right
    points = bn.check("10.4", lambda score, order: k3(score, order)[:1])
    shown = [v4.new_output("stream", text="said"), v4.new_output("execute_result", {"text/plain": repr(points)})]
    cell = v4.new_code_cell('bn.check("10.4", k3)', outputs=shown, metadata={"nbgrader": {
        "grade": True, "solution": False, "points": 3, "grade_id": "check_10_4", "locked": True, "schema_version": 3}})
    assert utils.determine_grade(cell) == (points, 3) and 0 < points < 3


# -- helpers ---------------------------------------------------------------------------------------------------------
WRONG_HELPER = "def next_parent(score, child, parents, candidates):\n    return None"
LOOP = """def greedy_parents(score, child, before):
    parents = []
    while rest := [name for name in before if name not in parents]:
        best = next_parent(score, child, parents=parents, candidates=rest)
        if best is None:
            break
        parents.append(best)
    return parents
"""
ARCS = """def k3(score, order):
    for i, child in enumerate(order):
        yield from ((parent, child) for parent in greedy_parents(score, child, order[:i]))
"""
CLASS = {
    "wrong helper": {"10.2": WRONG_HELPER, "10.3": LOOP, "10.4": ARCS},
    "helper that stops": {"10.2": WRONG_HELPER.replace("None", "1 / 0"), "10.3": LOOP},
    "no helper": {"10.3": LOOP},
    "wrong itself": {"10.2": WRONG_HELPER, "10.3": LOOP.replace("return parents", "return ['nobody', *parents]")},
    "only the helper": {"10.2": WRONG_HELPER,
                        "10.3": "def greedy_parents(*given):\n    return next_parent(*given, [])"},
    "helper under its name": {"10.2": WRONG_HELPER, "10.3": "greedy_parents = next_parent"},
    "asks for the answer": {"10.2": WRONG_HELPER, "10.3": f"""{LOOP.replace('next_parent', 'later')}
def later(*given, **named):
    ours = next_parent
    if hasattr(ours, "say"):
        ours.name = "greedy_parents"
    return ours(*given, *named.values())"""},
    "part": {"10.2": WRONG_HELPER, "10.4": ONE_PARENT},
}


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, dict[str, dict]]]:
    folder = tmp_path_factory.mktemp("helpers")
    for student, answers in CLASS.items():
        write(with_answers(["10.1"], answers, K3), folder / "in" / student / f"{K3}.ipynb")
    (folder / "secret").write_text("a secret of the class, long enough")
    records = grade(Settings(folder / "in", folder / "out", jobs=2, limits=Limits(seconds=10),
                             secret=folder / "secret"))
    return folder / "out", {record["student"]: {q["id"]: q for q in record["questions"]} for record in records}


@needs_sandbox
@pytest.mark.parametrize("student, id", [("wrong helper", "10.3"), ("wrong helper", "10.4"),
                                         ("helper that stops", "10.3"), ("no helper", "10.3")])
def test_a_wrong_helper_does_not_cost_a_later_answer(student: str, id: str, graded: tuple) -> None:
    mark = graded[1][student][id]
    assert mark["how"] == "right" and mark["points"] == mark["of"], mark
    assert mark["sentence"] == "Right with our next_parent (question 10.2) in place of yours."
    assert graded[1][student]["10.2"]["points"] == 0, "the helper itself earns nothing"


@needs_sandbox
@pytest.mark.parametrize("student", ["wrong itself", "only the helper", "helper under its name", "asks for the answer"])
def test_our_helper_alone_earns_nothing(student: str, graded: tuple) -> None:
    mark = graded[1][student]["10.3"]
    assert mark["points"] == 0 and mark["how"] in ("wrong", "crash", "timeout"), mark


@needs_sandbox
def test_the_record_the_page_the_csv_and_the_dashboard_have_parts_of_points(graded: tuple) -> None:
    out, marks = graded
    mark = marks["part"]["10.4"]
    assert 0 < mark["points"] < 3 and mark["points"] == round(mark["points"], 1) and mark["how"] == "wrong"
    assert mark["sentence"].startswith("With our next_parent (question 10.2) in place of yours: ")
    assert f"You keep {mark['points']} of 3 points" in mark["sentence"] and mark["step"] and "k3(" in mark["call"]
    with open(out / "grades.csv", newline="", encoding="utf-8") as file:
        row = next(row for row in csv.DictReader(file) if row["student"] == "part")
    assert float(row["10.4"]) == mark["points"] and float(row["points"]) == 1 + mark["points"]
    page = next((out / "feedback").glob("part-*.html")).read_text(encoding="utf-8")
    assert f"<span>{mark['points']} of 3</span>" in page and "You keep" in page and "It was called as k3(" in page


def test_the_dashboard_counts_parts_of_points(tmp_path: Path) -> None:
    def record(student: str, points: float) -> dict[str, Any]:
        mark = {"id": "10.4", "title": "K3", "points": points, "of": 2, "how": "wrong", "sentence": "", "call": ""}
        return {"student": student, "exercise": K3, "result": "graded", "points": points, "of": 2, "late": "",
                "notes": [], "problem": "", "file": student, "sha256": "", "key": "", "questions": [mark]}
    made = [record("ann", 1.3), record("bob", 1.9), record("cy", 0)]
    for one in made:
        report.write_record(tmp_path, one["student"], one)
    report.write_csv(tmp_path / "grades.csv", made)
    page = write_dashboard(tmp_path).read_text(encoding="utf-8")
    assert "1 with 0, 2 with 1'" in page and "1.1 of 2 points on average" in page and "rounded down" in page


# -- what our own function may be asked ------------------------------------------------------------------------------
def test_our_function_answers_or_says_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    question = find("10.2")
    (arguments, *_) = question.inputs(3)
    assert read_plain(our_answer(question, write_plain(arguments))["answer"]) == question.right(*arguments)
    for text in ("", "[]", "nonsense", write_plain(["A"] * 9), write_plain(("a", "b", [], ["c"])), "[" * 100_000):
        assert our_answer(question, text)["error"].startswith("our next_parent stopped with")
    assert "too large" in our_answer(question, "[" + "1," * 100_000 + "1]")["error"]
    monkeypatch.setattr("bnteach.course.exercises.grading.judging.JUDGE_SECONDS", 1)
    endless = Question("7.1", "Endless", "f", "function", question.draw, lambda n: [None for _ in iter(int, n)])
    assert "TimeoutError" in our_answer(endless, "[1]")["error"]


def test_no_two_questions_of_an_exercise_have_the_same_function() -> None:
    for lesson in lessons():
        names = [question.function for question in of_lesson(lesson)]
        assert len(set(names)) == len(names)
