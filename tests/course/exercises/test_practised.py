"""What is practised as a question of an exercise: instances, choices, marks, and what is said of slips."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import bnteach as bn
from bnteach.course.exercises.grade import Settings, grade
from bnteach.course.exercises.grading.replay import mark_practice
from bnteach.course.exercises.grading.sessions import Limits
from bnteach.course.exercises.grading.submissions import Submission
from bnteach.course.exercises.questions import find
from bnteach.course.exercises.questions.practised import QUESTIONS, Practised
from bnteach.course.exercises.release import cell_id
from bnteach.course.practice.graded import Graded, NotReadable, name_key
from tests.course.exercises.submissions.notebooks import untouched, with_answers, write
from tests.test_import import run as in_new_python

each = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
KRUSKAL = find("7.8")


def submission(source: str, question: Practised = KRUSKAL, student: str = "Ann Lee", seed: str = "0") -> Submission:
    """A submission with this source in the cell of the question."""
    cells = ((cell_id("answer", question.id), source),)
    return Submission(student, Path("x.ipynb"), "x.ipynb", cells=cells, ids=frozenset({cells[0][0]}), class_seed=seed)


def call(choices: str, name: str = "Ann Lee", question: Practised = KRUSKAL) -> str:
    """A function that returns these choices."""
    return f'def {question.function}():\n    return bn.practice("{question.id}", "{name}", "{choices}")'


def changed(question: Practised, wrong: range | list[int], name: str = "Ann Lee") -> str:
    """The right choices with wrong ones at these places."""
    session = Graded(question, name)
    numbers = question.right(name, 0).split()[1:]
    for i in wrong:
        options = session.asked[i].question.options
        numbers[i] = str(next(number for number, reason in enumerate(options.values(), start=1) if reason))
    return f"{session.code}: {' '.join(numbers)}"


# -- marks ----------------------------------------------------------------------------------------------------------
@each
def test_right_choices_earn_all(question: Practised) -> None:
    mark = mark_practice(submission(call(question.right("Ann Lee", 0), question=question), question), question)
    assert (mark.how, mark.points) == ("right", question.points)


@each
def test_wrong_at_every_step_earns_nothing(question: Practised) -> None:
    length = len(Graded(question, "Ann Lee").asked)
    mark = mark_practice(submission(call(changed(question, range(length)), question=question), question), question)
    assert (mark.how, mark.points, mark.step) == ("wrong", 0, 1)


@each
def test_one_mistake_keeps_the_share_of_the_choices_before_it(question: Practised) -> None:
    length = len(Graded(question, "Ann Lee").asked)
    for at in range(length):
        mark = mark_practice(submission(call(changed(question, [at]), question=question), question), question)
        assert (mark.how, mark.step) == ("wrong", at + 1)
        assert mark.points == int(10 * question.points * at / (length + 1)) / 10
        reason = Graded(question, "Ann Lee").asked[at].question
        assert reason.prompt in mark.sentence
        assert any(why and why[:60] in mark.sentence for why in reason.options.values())


@each
def test_another_students_choices_earn_nothing(question: Practised) -> None:
    unchanged = submission(call(question.right("Bob Ray", 0), "Bob Ray", question), question)
    mark = mark_practice(unchanged, question)
    assert (mark.how, mark.points) == ("unjudged", 0) and "'Bob Ray'" in mark.sentence and "'Ann Lee'" in mark.sentence
    assert f"worth {question.points} of {question.points}" in mark.sentence
    renamed = mark_practice(submission(call(question.right("Bob Ray", 0), question=question), question), question)
    assert (renamed.how, renamed.points) == ("unjudged", 0) and "another instance" in renamed.sentence


def test_all_that_ties_allow_is_right() -> None:
    """For another student whose instance has a tie, the last of the right options at every step."""
    question = find("5.8")
    sessions = [Graded(question, f"student {i}") for i in range(20)]
    session = next(one for one in sessions if any(len(asked.question.right) > 1 for asked in one.asked))
    numbers = [list(one.question.options).index(one.question.right[-1]) + 1 for one in session.asked]
    source = call(f"{session.code}: {' '.join(map(str, numbers))}", session.name, question)
    assert mark_practice(submission(source, question, session.name), question).how == "right"


# -- slips ----------------------------------------------------------------------------------------------------------
RIGHT = KRUSKAL.right("Ann Lee", 0)
UNFINISHED = " ".join(RIGHT.split()[:5])


@pytest.mark.parametrize(("source", "how", "words"), [
    ("def my_tree():\n    raise NotImplementedError()", "missing", "no choices are written yet"),
    (call(""), "wrong", "0 choices are written, and 10 are asked for"),
    (call(UNFINISHED), "wrong", "4 choices are written, and 10 are asked for; the first 4 are right"),
    (call(RIGHT + " 1"), "wrong", "11 choices are written"),
    (call("90ab 4 1"), "missing", "written as bn.practice shows them"),
    (call("ffff: 4 1"), "unjudged", "another instance, ffff"),
    (call(RIGHT.replace(" 9", " 99")), "wrong", "choice 3 is 99, and there are"),
    (call(RIGHT.replace(" 9", " 0")), "wrong", "choice 3 is 0"),
    ('bn.practice("7.8", 3, "1")', "missing", "give your name"),
    ('bn.practice("7.8", "Ann Lee", best())', "missing", "not 'best()'"),
    ("def my_tree(:", "missing", "no choices are written yet"),
    (call(RIGHT.replace(": ", ":  ").replace(" 4 ", " 4, "), "LEE, ann"), "right", "all 10 choices"),
    (f'me = "Ann Lee"\nmine = {RIGHT!r}\nbn.practice("7.8", me, mine)', "right", "all 10 choices"),
    (f'bn.practice("7.8", choices={RIGHT!r}, name="Ann Lee")', "right", "all 10 choices"),
])
def test_slips_are_told_apart(source: str, how: str, words: str) -> None:
    mark = mark_practice(submission(source), KRUSKAL)
    assert mark.how == how and words.lower() in mark.sentence.lower(), mark
    assert bool(mark.points) == (how == "right" or (how == "wrong" and not words.startswith("0")))


def test_nothing_of_a_submission_is_run(tmp_path: Path) -> None:
    target = tmp_path / "written"
    source = f'open({str(target)!r}, "w")\nbn.practice("7.8", "Ann Lee", __import__("os").getcwd())'
    assert mark_practice(submission(source), KRUSKAL).how == "missing" and not target.exists()


def test_the_last_call_in_its_own_cell_counts() -> None:
    one = submission(f"{call(UNFINISHED)}\n{call(RIGHT)}")
    assert mark_practice(one, KRUSKAL).how == "right"
    elsewhere = replace(one, cells=(*one.cells, (None, call("ffff: 1"))))
    assert mark_practice(elsewhere, KRUSKAL).how == "right"
    assert mark_practice(replace(one, cells=((None, call(RIGHT)),)), KRUSKAL).how == "right"


def test_a_class_has_instances_of_its_own() -> None:
    mark = mark_practice(submission(call(RIGHT), seed="2027"), KRUSKAL)
    assert mark.how == "unjudged" and "another instance" in mark.sentence
    assert mark_practice(submission(call(KRUSKAL.right("Ann Lee", 2027)), seed="2027"), KRUSKAL).how == "right"


def test_names() -> None:
    assert name_key("Ann Lee_1234567") == name_key("lee,  ANN") == name_key("ann_lee") != name_key("Ann Li")
    with pytest.raises(NotReadable, match="give your name"):
        bn.practice("7.8")
    with pytest.raises(ValueError, match="not answered by practice"):
        bn.practice("7.7", "Ann Lee")


# -- in the notebook --------------------------------------------------------------------------------------------------
def test_choices_are_recorded_and_not_judged() -> None:
    session = bn.practice("7.8", "Ann Lee")
    first = list(session.question.options)
    assert session.answer(first[0]).text == "" and session.numbers == [1]
    session.back()
    assert session.numbers == [] and session.at == 0
    while not session.done:
        session.answer(session.question.choice)
    assert session.line == f'return bn.practice("7.8", "Ann Lee", "{RIGHT}")'
    assert repr(session) == f"All 10 choices are made. Keep them in my_tree:\n{session.line}"
    half = bn.practice("7.8", "Ann Lee", UNFINISHED)
    assert half.at == 4 and half.question.prompt == session.asked[4].question.prompt and half.line in repr(half)
    assert bn.practice("7.8", "Ann Lee", seed=2027).line.endswith("seed='2027')")


def test_check_says_where_and_not_why() -> None:
    wrong = bn.check("7.8", lambda: bn.practice("7.8", "Ann Lee", changed(KRUSKAL, [2])))
    asked = bn.practice("7.8", "Ann Lee").asked[2].question
    assert not wrong and "Choice 3, " in wrong.sentence and asked.prompt in wrong.sentence and wrong.points > 0
    assert not any(reason and reason[:40] in wrong.sentence for reason in asked.options.values())
    assert asked.choice not in wrong.sentence
    assert bn.check("7.8", lambda: bn.practice("7.8", "Ann Lee", RIGHT))
    assert "0 choices are written" in bn.check("7.8", lambda: bn.practice("7.8", "Ann Lee")).sentence
    assert "should return bn.practice" in bn.check("7.8", lambda: bn.practice("kruskal")).sentence
    assert "give your name" in bn.check("7.8", lambda: bn.practice("7.8")).sentence


def test_on_a_hub_the_name_is_that_of_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTERHUB_USER", "alee")
    assert bn.practice("7.8").name == "alee"
    assert "your name here is 'alee'" in bn.check("7.8", lambda: bn.practice("7.8", "Ann Lee", RIGHT)).sentence


def test_the_widget_keeps_choices_as_code(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ipywidgets")
    pytest.importorskip("pygraphviz")
    session = bn.practice("7.8", "Ann Lee")
    box = session.widget()
    _, _, said, asked, options = box.children
    while not session.done:
        label = session.question.choice
        next(button for button in options.children if button.description == label).click()
        assert "Not quite" not in said.value and f"{session.code}: " in said.value
    assert [button.description for button in options.children] == ["Back"]
    assert RIGHT in said.value and "All choices are made" in asked.value
    options.children[0].click()
    assert session.at == len(session.asked) - 1 and len(options.children) > 2


# -- a class ----------------------------------------------------------------------------------------------------------
def test_a_class_is_graded_and_grades_are_the_same_again(tmp_path: Path, namespaces: None) -> None:
    for who, name in {"ann_lee": "Ann Lee", "bob": "bob", "carl": "bob"}.items():
        notebook = with_answers([], {"7.8": call(KRUSKAL.right(name, "spring"), name)})
        write(notebook, tmp_path / "in" / who / "07_chow_liu.ipynb")
    write(untouched(), tmp_path / "in" / "dora" / "07_chow_liu.ipynb")
    (tmp_path / "secret").write_text("0123456789abcdef" * 4)
    files = []
    for out in ("one", "two"):
        records = grade(Settings(tmp_path / "in", tmp_path / out, secret=tmp_path / "secret", class_seed="spring",
                                 limits=Limits(seconds=5)))
        files.append({path.name: path.read_bytes() for path in (tmp_path / out / "records").iterdir()})
    assert {record["student"]: record["points"] for record in records} == {"ann_lee": 2, "bob": 2, "carl": 0, "dora": 0}
    last = {record["student"]: record["questions"][-1]["how"] for record in records}
    assert last == {"ann_lee": "right", "bob": "right", "carl": "unjudged", "dora": "missing"}
    assert files[0] == files[1] and json.loads(next(iter(files[0].values())))["of"] == 17


def test_a_topic_that_cannot_be_judged_is_reported() -> None:
    broken = replace(KRUSKAL, topic="no such topic")
    mark = mark_practice(submission(call(RIGHT)), broken)
    assert mark.how == "unjudged" and "The judge failed" in mark.sentence


def test_sessions_have_no_more_than_a_line() -> None:
    assert all(len(Graded(question, "Ann Lee", question.right("Ann Lee", 0)).line) < 110 for question in QUESTIONS)


def test_instances_do_not_depend_on_the_order_of_hashes() -> None:
    code = ("from bnteach.course.exercises.questions.practised import QUESTIONS\n"
            "print(*(question.right('Ann Lee', 2027) for question in QUESTIONS), sep='\\n')")
    assert in_new_python(code, seed="1") == in_new_python(code, seed="2")
