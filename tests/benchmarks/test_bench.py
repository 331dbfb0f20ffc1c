"""The bench itself: that it runs, that the works are the same work, that what fails is told. No times are asserted."""

import csv

import pytest

import bnteach as bn
from bnteach.bench import contestants
from bnteach.bench.measure import Measured, measure
from bnteach.bench.report import as_dag, bench, judged, markdown, write
from bnteach.bench.works import DATA, LONG, SHORT, TASKS, Work


def test_a_short_run_from_end_to_end(tmp_path, capsys):
    works = [Work("chow_liu", "songs", 200), Work("chow_liu", "songs", 400), Work("pc_z", "wine", 1199)]
    rows = bench(limit=30, repeats=1, works=works, only=["bnteach"])
    assert [row["library"] for row in rows] == ["bnteach"] * 3 and not any(row["problem"] for row in rows)
    assert all(row["cpu_seconds"] > 0 and row["times_bnteach"] == 1 for row in rows)
    written = write(rows, tmp_path)
    with open(written[0], encoding="utf-8") as file:
        assert [row["work"] for row in csv.DictReader(file)] == [work.name for work in works]
    assert "Chow-Liu, songs x 200" in markdown(rows) and "Chow-Liu, songs x 200" in capsys.readouterr().out
    assert (tmp_path / "bench.svg").read_text().startswith("<svg")


def test_the_quality_is_that_of_the_graph():
    work = Work("chow_liu", "songs", 500)
    one = measure("bnteach", work, limit=30, repeats=1)
    row = judged(one, one)
    table = bn.Table(DATA["songs"].rows(500))
    found = bn.chow_liu(table)
    assert row["bic"] == pytest.approx(bn.BIC(table)(found.graph), abs=0.06)
    assert row["f1"] == pytest.approx(bn.compare(found.graph, DATA["songs"].truth()).f1, abs=0.001)


def test_patterns_are_scored_by_a_dag_of_their_class():
    assert as_dag([("a", "b", False), ("b", "c", False)], "abc").skeleton == (("a", "b"), ("b", "c"))
    assert as_dag([("a", "b", True), ("b", "a", True)], "ab").skeleton == (("a", "b"),)
    square = [("a", "b", False), ("b", "c", False), ("c", "d", False), ("d", "a", False)]
    assert as_dag(square, "abcd") is None


def test_what_takes_too_long_or_fails_is_told(monkeypatch):
    slow = measure("bnteach", Work("pc", "ALARM", 100_000), limit=0.01, repeats=1)
    assert slow.seconds == [] and slow.problem.startswith("> 0.01 s")
    wrong = measure("bnteach", Work("no such task", "songs", 100), limit=20, repeats=1)
    assert wrong.problem.startswith("failed: KeyError") and wrong.median is None
    row = judged(Measured("bnteach", Work("pc", "songs", 100), problem="> 1 s"), wrong)
    assert "> 1 s" in markdown([row])


def test_every_task_is_done_by_bnteach_and_named():
    ours = contestants.runs_of("bnteach")
    assert {work.task for work in LONG} == set(ours) == set(TASKS)
    assert set(SHORT) <= set(LONG) and {"bnteach"} <= set(contestants.installed())


@pytest.mark.parametrize("library", [name for name in contestants.LIBRARIES if name != "bnteach"])
def test_peers_do_the_same_work(library):
    if library not in contestants.installed():
        pytest.skip(f"{library} is not installed: pip install bnteach[peers]")
    for task, run in contestants.runs_of(library).items():
        data = "wine" if task in ("pc_z", "hill_climb_g", "exact_g") else "songs"
        rows = DATA[data].rows(400)
        lines = run(rows.iloc[:, :6] if data == "wine" else rows)
        assert lines and {name for line in lines for name in line[:2]} <= set(rows.columns), task
