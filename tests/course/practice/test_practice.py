"""Practice: every learner played rightly and wrongly, ties, instances, and what it says where it cannot go on."""

import json
from itertools import combinations, permutations

import pytest

import bnteach as bn
from bnteach.course.practice.page import session_data
from bnteach.course.practice.topics import LEVELS, TOPICS, draw, learner_named, run
from bnteach.course.supplements.elimination_steps import variable_elimination
from bnteach.questions import Moment, Question
from tests.examples import LEARNERS
from tests.lessons import lesson_files
from tests.random_tables import random_table
from tests.test_import import run as in_new_python

NOT_PRACTISED = {"row_by_row", "anneal_grid"}  # they compute, and decide nothing


@pytest.fixture(params=[(name, level) for name in TOPICS for level in LEVELS], ids=lambda one: f"{one[0]}-{one[1]}")
def session(request):
    name, level = request.param
    return bn.practice(name, level=level, seed=7)


def test_every_learner_can_be_practised():
    assert set(LEARNERS) - set(TOPICS) <= NOT_PRACTISED


def test_played_rightly_throughout(session):
    while not session.done:
        assert session.answer(session.question.choice).right
    assert session.summary().right == session.summary().asked == len(session.asked) >= 2
    assert session.summary().wrong == {}


def test_played_wrongly_at_every_step(session):
    reasons = set()
    while not session.done:
        question = session.question
        for wrong in [option for option in question.options if option not in question.right]:
            feedback = session.answer(wrong)
            assert not feedback.right and session.question is question
            reasons.add(feedback.text)
        assert session.answer(question.choice).right
    assert session.summary().right == 0
    assert sum(session.summary().wrong.values()) == len(session.asked)
    assert len(reasons) > 1 and all(len(reason) > 10 for reason in reasons)


def test_every_right_answer_is_accepted_and_the_run_goes_on_with_its_own(session):
    steps = [one.step for one in session.asked]
    while not session.done:
        question, last = session.question, session.question.right[-1]
        feedback = session.answer(last)
        assert feedback.right
        if last != question.choice:
            assert f"goes on with {question.choice}" in feedback.text
    assert [one.step for one in session.asked] == steps
    assert session.summary().right == len(session.asked)


def test_what_is_shown_does_not_give_the_answer_away(session):
    """Neither the steps made before a question nor what is said to the one before it hold the step itself."""
    for earlier, asked in zip([None, *session.asked], session.asked):
        assert asked.made < asked.number
        if earlier and earlier.question.then is not None:
            assert str(earlier.step) not in bn.course.practice.session.praise(earlier, earlier.question.choice)


def test_the_result_is_that_of_the_learner():
    session = bn.practice("k3", seed=3)
    assert session.result.graph == bn.k3(**session.given).graph


# -- ties ----------------------------------------------------------------------------------------------------
def test_equal_weights_are_all_right():
    session = bn.practice(bn.kruskal, {("A", "B"): 0.5, ("A", "C"): 0.2, ("B", "C"): 0.5})
    assert session.question.right == ("A-B", "B-C")
    assert session.answer("B-C").text == "A-B is right as well; the algorithm goes on with A-B."
    assert session.question.prompt == "Is A-B accepted?"


def test_every_orientation_that_a_rule_demands_is_right():
    session = bn.practice(bn.orient, "A->B, C->B, B-D, B-E")
    assert session.question.right == ("B → D", "B → E")
    assert "other way round" in session.question.options["D → B"]


def test_every_node_that_can_be_a_sink_is_right():
    session = bn.practice(bn.dor_tarsi, "A-B, B-C, A->D")
    assert session.question.right == ("C", "D")
    for node, reason in session.question.options.items():
        assert bool(reason) == bool(bn.graphs.extension.not_a_sink(bn.PDAG("A-B, B-C, A->D"), node))


def test_every_node_that_blocks_a_path_is_right():
    session = bn.practice(bn.explain_separation, bn.DAG("A->B, B->C, C->D, A->E, D->E"), "A", "D", given="BC")
    questions = {one.step.path: one.question for one in session.asked[:-1]}
    assert questions["A → B → C → D"].right == ("blocked at B", "blocked at C")
    assert questions["A → E ← D"].right == ("blocked at E",)


def test_both_directions_of_a_first_arc_gain_the_same():
    mdl = bn.MDL(bn.datasets.five_rows())
    question = bn.practice(bn.hill_climb, mdl).question
    scores = {f"add {a}->{b}": mdl(bn.DAG([(a, b)], "ABCD")) for a, b in permutations("ABCD", 2)}
    assert set(question.right) == {move for move, score in scores.items() if score > max(scores.values()) - 1e-9}
    assert len(question.right) == 6 and len(question.options) == 9


def test_equal_sinks_are_right():
    question = bn.practice(bn.exact, bn.MDL(bn.datasets.five_rows())).asked
    scores = {(one.step.names, x): one.question.is_right(x) for one in question
              if type(one.step).__name__ == "Solved" for x in one.question.options}
    mdl = bn.MDL(bn.datasets.five_rows())
    for (names, sink), right in scores.items():
        graphs = [bn.DAG(dag.arcs, mdl.variables) for dag in bn.all_dags(names)]
        best = [max(mdl(dag) for dag in graphs if not is_sink or not dag.children(sink)) for is_sink in (False, True)]
        assert right == (best[0] - best[1] < 1e-7)


def test_every_variable_of_least_fill_in_is_right():
    """In the moral graph A-B, A-C, B-C, B-D, C-D, D-E."""
    network = bn.fit("A->B, A->C, B->D, C->D, D->E", bn.Table({x: list("xyxyxyyx") for x in "ABCDE"}))
    question = bn.practice(variable_elimination, network, "E").question
    assert question.right == ("A",) and "2 for D, 0 for A" in question.options["D"]
    collider = bn.fit("A->C, B->C, C->D", bn.Table({x: list("xyxyxyyx") for x in "ABCD"}))
    assert bn.practice(variable_elimination, collider, "D").question.right == ("A", "B")


def test_candidates_that_the_backward_phase_removes():
    """By brute force: a candidate is right if some set of the others separates it from the target."""
    removals = 0
    for seed in range(20):
        session = bn.practice("mmpc", level=3, seed=seed)
        dag = session.given["oracle"].dag
        for asked in session.asked:
            if not asked.question.prompt.startswith("Backward"):
                continue
            removals += asked.question.choice != "none of them"
            target, candidates = asked.step.target, [x for x in asked.question.options if x in dag.nodes]
            sets = {x: [given for n in range(1, len(candidates)) for given in combinations(
                [y for y in candidates if y != x], n)] for x in candidates}
            separated = {x for x in candidates if any(bn.d_separated(dag, x, target, given) for given in sets[x])}
            assert set(asked.question.right) == (separated or {"none of them"})
    assert removals > 3


def test_branching_asks_for_a_fraction_and_for_what_is_pruned():
    score = bn.AIC(random_table(11, 8, 60))
    session = bn.practice(bn.ilp, score, max_parents=3, zero_half=False)
    branched = [one for one in session.asked if type(one.step).__name__ == "Branched"]
    assert branched
    for one in branched:
        relaxed = next(step for step in reversed(session.result.trace[:one.number - 1]) if hasattr(step, "arcs"))
        if one.question.click:
            assert set(one.question.right) == {f"{a} → {b}" for a, b, weight in relaxed.arcs if weight < 1}
        else:
            bound = one.step.bound_without if "without" in one.question.prompt else one.step.bound_with
            assert one.question.right == ("stays open" if bound > relaxed.incumbent + 1e-9 else "pruned",)


# -- instances -----------------------------------------------------------------------------------------------
def test_instances_are_the_same_for_a_seed_and_differ_between_seeds():
    code = ("import bnteach as bn; from bnteach.course.practice.topics import TOPICS\n"
            "for name in ('pc', 'kruskal', 'hill_climb', 'mmhc', 'em'): "
            "print(*(repr(bn.practice(name, level=2, seed=s)) for s in (0, 1)), sep='\\n')")
    assert in_new_python(code, seed="1") == in_new_python(code, seed="2")
    drawn = [repr(bn.practice("kruskal", seed=seed)) + str(draw("kruskal", 1, seed)) for seed in range(5)]
    assert len(set(drawn)) == 5


def test_another_one_is_the_next_instance():
    session = bn.practice("prim", level=2, seed=4).another()
    assert session.given == draw("prim", 2, 5)
    own = bn.practice(bn.prim, {("A", "B"): 1.0, ("A", "C"): 2.0, ("B", "C"): 3.0})
    assert own.another().given == own.given


def test_levels_grow():
    sizes = {name: [len(run(learner_named(name), draw(name, level, 1))[1]) for level in LEVELS] for name in TOPICS}
    assert sum(sum(s[i] for s in sizes.values()) for i in (0,)) < sum(s[2] for s in sizes.values())


def test_sections_exist():
    headings = {path.stem: [line.lstrip("# ") for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]
                            if cell["cell_type"] == "markdown" for line in "".join(cell["source"]).splitlines()
                            if line.startswith("#")] for path in lesson_files()}
    assert [topic for topic in TOPICS.values() if topic.section not in headings[topic.lesson]] == []


# -- the rest ------------------------------------------------------------------------------------------------
def test_revealed_counts_as_wrong():
    session = bn.practice("kruskal")
    assert "The answer is" in session.reveal().text
    session.answer(session.question.choice)
    assert session.marks() == [False, True]
    assert "1 of 2 right" in str(session.summary())


FIVE = bn.datasets.five_rows()
ASIA = bn.datasets.asia(300, seed=1).select("smoke", "lung", "bronc", "either", "dysp")
OPTIONS = [
    (bn.hill_climb, (bn.MDL(FIVE),), {"tabu": 3}), (bn.hill_climb, (bn.BIC(ASIA),), {"restarts": 2, "max_parents": 1}),
    (bn.hill_climb, (bn.K2(ASIA),), {"forbidden": "smoke-lung"}), (bn.k3, (bn.MDL(FIVE), "ABCD"), {"required": "A->D"}),
    (bn.k3, (bn.LogLikelihood(ASIA), ASIA.variables), {"max_parents": 1}),
    (bn.exact, (bn.K2(ASIA),), {"max_parents": 2}),
    (bn.exact, (bn.MDL(FIVE),), {"forbidden": "A->C"}), (bn.order_search, (bn.MDL(FIVE),), {"required": "B->A"}),
    (bn.branch_and_bound, (bn.BIC(ASIA), ASIA.variables), {"candidates": "entropy", "max_parents": 2}),
    (bn.chow_liu, (ASIA,), {"forest": True}), (bn.chow_liu, (ASIA,), {"forest": 0.05, "method": "kruskal"}),
    (bn.pc, (bn.ChiSquare(ASIA),), {"required": "smoke->lung", "max_conditioning": 1}),
    (bn.pc, (bn.GSquare(FIVE),), {}),
    (bn.mmhc, (ASIA,), {}), (bn.mmpc, (bn.ChiSquare(ASIA),), {"max_conditioning": 1}),
    (bn.anneal, (bn.MDL(FIVE), [3.0, 2.0, 1.0, 0.0]), {"scale": 2.0, "seed": 3}),
    (bn.ilp, (bn.BIC(ASIA),), {"max_parents": 2}),
    (bn.minimal_imap, (bn.ChiSquare(ASIA), ASIA.variables), {"method": "backward"}),
]


@pytest.mark.parametrize(("learner", "args", "options"), OPTIONS, ids=lambda one: getattr(one, "__name__", None))
def test_options_of_learners(learner, args, options):
    session = bn.practice(learner, *args, **options)
    while not session.done:
        assert session.answer(session.question.choice).right
    seed = {"seed": 0} if "seed" in learner.__signature__.parameters else {}
    assert session.result.graph == learner(*args, **{**seed, **options}).graph


def test_questions_on_data_show_counts():
    session = bn.practice(bn.pc, bn.ChiSquare(bn.datasets.asia(200)))
    assert any("counts of" in fact for fact in session.question.facts)
    assert "critical value" in session.question.facts[-1]
    assert bn.practice(bn.pc, bn.Statements("B _||_ C | A", variables="ABC")).question.facts == [
        "what is independent: B _||_ C | A"]


@pytest.mark.parametrize(("call", "error", "words"), [
    (lambda: bn.practice("kruskall"), ValueError, "did you mean 'kruskal'"),
    (lambda: bn.practice("kruskal", level=4), ValueError, "levels 1, 2 and 3"),
    (lambda: bn.practice(bn.DAG("A->B")), TypeError, "takes a learner"),
    (lambda: bn.practice(bn.prim, {("A", "B"): 1.0}), ValueError, "larger instance"),
    (lambda: bn.practice("kruskal").answer("Z-Z"), ValueError, "not one of the answers"),
])
def test_errors(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_a_question_needs_a_right_choice():
    with pytest.raises(ValueError, match="must be one of the options"):
        Question("?", {"a": "no"}, "a")


def test_bookkeeping_is_not_asked():
    assert bn.learn.steps.k3.Ordered(("A", "B")).question(Moment((), None)) is None


def test_data_of_a_page_hold_what_the_session_says(session):
    data = session_data(session)
    assert len(data["questions"]) == len(session.asked)
    for asked, stored in zip(session.asked, data["questions"]):
        assert [label for label, _, _ in stored["options"]] == list(asked.question.options)
        assert [one[1] for one in stored["options"]] == [not reason for reason in asked.question.options.values()]
        assert stored["options"][stored["choice"]][0] == asked.question.choice
        assert stored["hits"] or not asked.question.click
