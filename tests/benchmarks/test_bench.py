"""The bench itself: it runs, all libraries do the same work, failures are reported. No times are asserted."""

import json
import sys

import numpy as np
import pytest

import bnteach as bn
from bnteach.course.commands.common import CommandError
from tests.benchmarks.bench import __main__ as command
from tests.benchmarks.bench.data import (
    DATA,
    SHARES,
    TASTE,
    from_pgmpy,
    gaussian_graph,
    random_network,
    songs,
    write_input,
)
from tests.benchmarks.bench.inputs import Input
from tests.benchmarks.bench.libraries import LIBRARIES, installed, tasks_of
from tests.benchmarks.bench.measure import Measured, import_seconds, measure, peak_megabytes
from tests.benchmarks.bench.quality import as_dag, f1, fitted_log_likelihood, plain, shd
from tests.benchmarks.bench.report import as_text, table
from tests.benchmarks.bench.run import allowed, bench, imports, no_larger, one_work, row_of
from tests.benchmarks.bench.versions import as_line, checked_out, slower, versions_table
from tests.benchmarks.bench.works import LONG, MAIN, QUICK, SHORT, TASKS, THREADS, Work

SMALL = {**dict.fromkeys(("exact_g", "pc_z", "hill_climb_g", "ges_g"), "wine"), "queries": "ALARM", "sampling": "ALARM"}


# -- the data --------------------------------------------------------------------------------------------
def test_songs_are_two_groups_with_a_taste_of_their_own():
    frame = songs(20_000)
    assert frame.shape == (20_000, 20) and set(np.unique(frame)) == {0, 1}
    assert np.allclose(frame.mean().to_numpy(), np.tile(SHARES, 2), atol=0.012)
    rows = bn.Table(frame)
    within, between = ([bn.mutual_information(rows, a, b) for b in others]
                       for a, others in (("A10", ["A8", "A5", "A2"]), ("A10", ["B8", "B5", "B2"])))
    assert min(within) > 20 * max(between)
    assert not bn.ChiSquare(rows)("A8", "A5", given="A2")  # nothing separates them: the taste is hidden
    assert songs(50).equals(songs(50)) and not songs(50).equals(songs(50, seed=1))
    assert 1_800 < len(bn.Table(songs(10_000)).distinct_rows) < 2_100
    assert sorted(TASTE) == sorted(np.linspace(0.25, 0.85, 10))


def test_random_networks_are_as_wide_as_they_say():
    dag = random_network(50).dag
    assert max(len(dag.parents(x)) for x in dag.nodes) == 3 and dag == random_network(50).dag
    assert {len(states) for states in random_network(50).states.values()} == {2, 3, 4}
    graph, frame = gaussian_graph(50), DATA["Gaussian 50"].rows(5000)
    child = max(graph.nodes, key=lambda name: len(graph.parents(name)))
    parents = list(graph.parents(child))
    noise = frame[child] - frame[parents] @ np.linalg.lstsq(frame[parents], frame[child], rcond=None)[0]
    assert noise.std() == pytest.approx(1, abs=0.05)


def test_every_data_set_says_how_many_variables_it_has():
    for name, data in DATA.items():
        if name not in ("insurance", "hailfinder") or "pgmpy" in installed():
            rows = data.rows(20)
            assert rows.shape == (20, data.variables), name
            assert data.truth() is None or list(rows.columns) == list(data.truth().nodes)


def test_networks_in_the_wheel_of_pgmpy_need_pgmpy(monkeypatch):
    monkeypatch.setattr("tests.benchmarks.bench.data.find_spec", lambda name: None)
    with pytest.raises(CommandError, match="the network munin is in the wheel of pgmpy, which is not installed"):
        from_pgmpy("munin")


def test_what_a_library_is_given(tmp_path):
    complete = write_input(Work("structural_em", "20 variables", 200), tmp_path)
    given = Input(tmp_path)
    missing = given.rows.isna().to_numpy()
    assert missing.mean() == pytest.approx(0.1) and not complete.isna().to_numpy().any()
    assert (given.factors.isna().to_numpy() == missing).all()
    assert (given.factors.to_numpy()[~missing] == complete.astype(str).to_numpy()[~missing]).all()
    assert given.arcs == list(random_network(20).dag.arcs)
    write_input(Work("queries", "ALARM"), tmp_path)
    asked, network = Input(tmp_path).queries, bn.read_bif(Input(tmp_path).bif)
    assert len(asked) == 200 and all(len(evidence) == 4 and name not in evidence for name, evidence in asked)
    assert all(network.posterior(name, evidence).sum() == pytest.approx(1) for name, evidence in asked[:20])


# -- running ---------------------------------------------------------------------------------------------
def test_a_run_from_end_to_end(capsys):
    works = [Work("chow_liu", "songs", 200), Work("chow_liu", "20 variables", 200), Work("pc_z", "wine", 1199),
             Work("fitting", "ALARM", 300)]
    rows = bench(works, limit=30, beside=["bnteach"], short=True)
    assert [row["library"] for row in rows] == ["bnteach"] * 4 and not any(row["problem"] for row in rows)
    assert all(row["cpu_seconds"] > 0 and row["times_bnteach"] == 1 and row["peak_mb"] > 20 for row in rows)
    assert [row["variables"] for row in rows] == [20, 20, 12, 37] and "different" not in rows[2]
    assert rows[0]["different"] == len(bn.Table(songs(200)).distinct_rows)
    said = capsys.readouterr().out
    assert "[1 of 4] Chow-Liu, songs x 200\n   bnteach " in said and "F1 0." in said and "MB" in said


def test_main_rows_are_also_measured_with_default_threads():
    work = Work("chow_liu", "songs", 1_000)
    assert work in THREADS
    (row,) = one_work(work, ["bnteach"], 30, [])
    assert row["default_threads"] > 0 and "default threads" in as_text(row)


def test_the_quality_is_that_of_the_graph(tmp_path):
    work = Work("chow_liu", "ALARM", 500)
    rows = bn.Table(write_input(work, tmp_path))
    one = measure("bnteach", work, tmp_path, limit=30, repeats=1)
    row, found, truth = row_of(one, one, bn.BIC(rows)), bn.chow_liu(rows), DATA["ALARM"].truth()
    assert row["bic"] == pytest.approx(bn.BIC(rows)(found.graph), abs=0.06) and row["agrees"] == 1
    assert row["f1"] == pytest.approx(bn.compare(found.graph, truth).f1, abs=0.001)
    assert row["shd"] == bn.compare(found.graph, truth).shd


def test_what_agrees_and_what_does_not():
    assert f1([("a", "b", True), ("b", "c", False)], [("b", "a", False), ("a", "c", True)]) == 0.5
    assert f1([], []) == 0 and f1([("a", "b", True)], [("b", "a", True)]) == 1


def test_patterns_are_scored_by_a_dag_of_their_class():
    assert as_dag([("a", "b", False), ("b", "c", False)], "abc").skeleton == (("a", "b"), ("b", "c"))
    assert as_dag([("a", "b", True), ("b", "a", True)], "ab").skeleton == (("a", "b"),)
    square = [("a", "b", False), ("b", "c", False), ("c", "d", False), ("d", "a", False)]
    assert as_dag(square, "abcd") is None
    truth = bn.DAG("a->c, b->c, c->d")
    assert shd([("a", "c", True), ("b", "c", True), ("c", "d", True)], truth) == 0
    assert shd([("a", "c", True), ("c", "b", True), ("c", "d", False)], truth) == 2
    assert shd(square, truth) == 5


def test_fitted_tables_are_judged_by_their_likelihood(tmp_path):
    rows = write_input(Work("fitting", "20 variables", 300), tmp_path)
    dag = random_network(20).dag
    network = bn.fit(dag, rows)
    tables = {name: ((*dag.parents(name), name), cpt) for name, cpt in network.cpts.items()}
    expected = network.log_likelihood(bn.Table(rows), base=np.e) / 300
    assert fitted_log_likelihood(tables, rows) == pytest.approx(expected)
    turned = {name: ((name, *axes[:-1]), np.moveaxis(cpt, -1, 0)) for name, (axes, cpt) in tables.items()}
    assert plain(turned, Input(tmp_path)) == pytest.approx(expected)


def test_what_takes_too_long_or_fails_is_reported(tmp_path):
    work = Work("pc", "ALARM", 2_000)
    write_input(work, tmp_path)
    slow = measure("bnteach", work, tmp_path, limit=0.01, repeats=1)
    assert slow.seconds == [] and slow.problem == "> 0.01 s"
    wrong = measure("bnteach", Work("no such task", "songs", 100), tmp_path, limit=20, repeats=1)
    assert wrong.problem.startswith("failed: KeyError") and wrong.median is None
    row = row_of(Measured("bnteach", work, problem="> 1 s"), wrong, None)
    assert "> 1 s" in table([row], ()) and "> 1 s" in as_text(row)


def test_a_library_that_took_too_long_gets_no_larger_work():
    stopped = [Measured("pyAgrum", Work("pc", "20 variables", 50), problem="> 7 s")]
    (row,) = one_work(Work("pc", "20 variables", 100), ["pyAgrum"], 30, stopped)
    assert row["problem"] == "> 7 s" and "cpu_seconds" not in row
    wide = Work("pc", "200 variables", 10_000)
    assert no_larger(Work("pc", "100 variables", 10_000), wide) and no_larger(wide, wide)
    assert not no_larger(wide, Work("pc", "500 variables", 1_000)) and not no_larger(Work("pc", "ALARM", 10), wide)


def test_others_are_stopped_after_twenty_times_the_time_of_bnteach():
    work = Work("pc", "songs", 100)
    assert allowed(30, None) == 120 and allowed(900, None) == 900
    assert [allowed(30, Measured("bnteach", work, [taken])) for taken in (0.01, 0.5, 4.0)] == [2, 10, 30]
    assert allowed(30, Measured("bnteach", work, problem="failed")) == 30


def test_imports_and_memory_are_measured(capsys):
    bare, ready = imports(["bnteach"])
    assert bare["times_bnteach"] == ready["times_bnteach"] == 1 and "import and load" in capsys.readouterr().out
    assert bare["cpu_seconds"] < ready["cpu_seconds"]  # names are loaded when one is used
    assert import_seconds("import json", repeats=1) < 5 and 10 < peak_megabytes() < 100_000


def test_the_command_says_what_is_wrong():
    with pytest.raises(CommandError, match=r"there is no task 'cp' in the bench\. Did you mean 'pc'\?"):
        command.bench(["--only", "cp"])
    with pytest.raises(CommandError, match=r"there is no library 'pyagrum' in the bench\. Did you mean 'pyAgrum'\?"):
        command.bench(["--beside", "pyagrum"])
    assert {work.task for work in command.chosen(QUICK, ["pc", "mmhc"])} == {"pc", "mmhc"}
    assert command.chosen(QUICK, ["ilp"]) == [work for work in LONG if work.task == "ilp"]


# -- the same work ---------------------------------------------------------------------------------------
def test_every_task_is_done_by_bnteach_and_named():
    assert {work.task for work in LONG} == set(tasks_of("bnteach")) == set(TASKS)
    assert set(SHORT) | set(MAIN) | set(QUICK) <= set(LONG) and len({work.name for work in LONG}) == len(LONG)
    assert {work.data for work in LONG} == set(DATA) and installed()[0] == "bnteach"


@pytest.mark.parametrize("task", TASKS)
def test_everybody_does_the_same_work(task, tmp_path):
    """Fitted tables, samples and posteriors are the same; so are trees. Graphs that are learned have edges."""
    work = Work(task, SMALL.get(task, "20 variables"), 2_000 if task == "pc" else 400)
    frame = write_input(work, tmp_path)
    if task in ("exact", "exact_g", "ilp"):
        frame.iloc[:, :5].to_pickle(tmp_path / "rows.pickle")
    answers = {name: plain(tasks_of(name)[task](Input(tmp_path))(), Input(tmp_path)) for name in installed()
               if task in tasks_of(name) and (name, task) != ("pgmpy", "mmhc")}  # which takes minutes
    for name, answer in answers.items():
        if task == "queries":
            assert np.allclose(np.concatenate(answer), np.concatenate(answers["bnteach"]), atol=1e-6), name
        elif task in ("sampling", "fitting"):
            assert answer == pytest.approx(answers["bnteach"], rel=0.06), name
        else:
            assert answer and {one for edge in answer for one in edge[:2]} <= set(frame.columns), name
            assert f1(answer, answers["bnteach"]) >= (1 if task in ("chow_liu", "pc_nominal", "exact_g") else 0.5), name
    json.dumps(answers)


def test_libraries_that_are_missing_are_left_out(monkeypatch):
    monkeypatch.setattr("tests.benchmarks.bench.libraries.importlib.util.find_spec",
                        lambda module: None if module == "pyagrum" else sys)
    assert installed() == [name for name in LIBRARIES if name != "pyAgrum"]


# -- an older version ------------------------------------------------------------------------------------
def test_slower_by_more_than_a_tenth():
    rows = [{"work": "a", "before": 1.0, "now": 1.05}, {"work": "b", "before": 1.0, "now": 1.2},
            {"work": "c", "before": "> 3 s", "now": 2.0}, {"work": "d", "before": 2.0, "now": "failed: x"}]
    assert list(map(slower, rows)) == [False, True, False, True]
    assert as_line(rows[1]) == "| b | 1 | 1.2 | 1.20 | slower |" and as_line(rows[2]) == "| c | > 3 s | 2 |  |  |"
    assert versions_table("abc", rows).endswith("2 of 4 works are slower by more than a tenth.")


def test_a_commit_that_does_not_exist_is_reported():
    with pytest.raises(CommandError, match="cannot check out 'no-such-commit'"), checked_out("no-such-commit"):
        pass
