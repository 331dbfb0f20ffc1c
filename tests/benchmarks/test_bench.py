"""The bench itself: it runs, all libraries do the same work, failures are reported. No times are asserted."""

import csv
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import bnteach as bn
from tests.benchmarks.bench import contestants
from tests.benchmarks.bench.data import DATA, SHARES, TASTE, random_network, songs
from tests.benchmarks.bench.goals import GOALS, goals
from tests.benchmarks.bench.growth import growth
from tests.benchmarks.bench.measure import Measured, import_seconds, measure, peak_megabytes
from tests.benchmarks.bench.report import (
    COLUMNS,
    MEASURED,
    as_dag,
    as_text,
    f1,
    judged,
    keep,
    kept_table,
    machine,
    markdown,
    read,
    write,
)
from tests.benchmarks.bench.run import bench, imports, one_work
from tests.benchmarks.bench.works import LONG, SHORT, TASKS, Work


def rows_of(data: str, n: int, folder) -> str:
    path = folder / "rows.pickle"
    DATA[data].rows(n).to_pickle(path)
    return path


# -- the data --------------------------------------------------------------------------------------------
def test_songs_are_two_groups_with_a_taste_of_their_own():
    frame = songs(20_000)
    assert frame.shape == (20_000, 20) and set(np.unique(frame)) == {0, 1}
    assert np.allclose(frame.mean().to_numpy(), np.tile(SHARES, 2), atol=0.012)
    table = bn.Table(frame)
    within, between = ([bn.mutual_information(table, a, b) for b in others]
                       for a, others in (("A10", ["A8", "A5", "A2"]), ("A10", ["B8", "B5", "B2"])))
    assert min(within) > 20 * max(between)
    assert not bn.ChiSquare(table)("A8", "A5", given="A2")  # nothing separates them: the taste is hidden
    assert songs(50).equals(songs(50)) and not songs(50).equals(songs(50, seed=1))
    assert 1_800 < len(bn.Table(songs(10_000)).distinct_rows) < 2_100
    assert sorted(TASTE) == sorted(np.linspace(0.25, 0.85, 10))


def test_random_networks_are_as_wide_as_they_say():
    for size in (5, 20):
        data = DATA[f"{size} variables"]
        frame = data.rows(300)
        assert frame.shape == (300, size) == (300, data.variables) and list(frame.columns) == list(data.truth().nodes)
        assert set(np.unique(frame)) <= {0, 1, 2}
    dag = random_network(60).dag
    assert max(len(dag.parents(x)) for x in dag.nodes) == 2 and dag == random_network(60).dag


def test_every_data_set_says_how_many_variables_it_has():
    for name, data in DATA.items():
        assert data.rows(20).shape == (20, data.variables), name


# -- running ---------------------------------------------------------------------------------------------
def test_a_short_run_from_end_to_end(tmp_path, capsys):
    works = [Work("chow_liu", "songs", 200), Work("chow_liu", "songs", 400), Work("chow_liu", "5 variables", 200),
             Work("chow_liu", "10 variables", 200), Work("pc_z", "wine", 1199)]
    rows = bench(limit=30, repeats=1, works=works, only=["bnteach"])
    assert [row["library"] for row in rows] == ["bnteach"] * 5 and not any(row["problem"] for row in rows)
    assert all(row["cpu_seconds"] > 0 and row["times_bnteach"] == row["agrees"] == 1 for row in rows)
    assert [row["variables"] for row in rows] == [20, 20, 5, 10, 12] and "different" not in rows[-1]
    assert rows[0]["different"] == len(bn.Table(songs(200)).distinct_rows)
    written = write(rows, tmp_path)
    assert [path.name for path in written] == ["bench.csv", "bench.md", "growth.svg"]
    with open(written[0], encoding="utf-8") as file:
        assert [row["work"] for row in csv.DictReader(file)] == [work.name for work in works]
    assert read(written[0]) == [{name: value for name, value in row.items() if value != ""} for row in rows]
    table = written[1].read_text()
    assert "Chow-Liu, songs x 200" in table and "make bench" in table and "Chow-Liu, songs x 200" in \
        capsys.readouterr().out
    picture = written[2].read_text()
    assert picture.startswith("<svg") and "playlists of 20 songs" in picture and "variables (10,000 rows)" in picture


def test_the_quality_is_that_of_the_graph(tmp_path):
    work = Work("chow_liu", "ALARM", 500)
    one = measure("bnteach", work, rows_of("ALARM", 500, tmp_path), limit=30, repeats=1)
    table = bn.Table(DATA["ALARM"].rows(500))
    row, found = judged(one, one, bn.BIC(table)), bn.chow_liu(table)
    assert row["bic"] == pytest.approx(bn.BIC(table)(found.graph), abs=0.06)
    assert row["f1"] == pytest.approx(bn.compare(found.graph, DATA["ALARM"].truth()).f1, abs=0.001)
    assert row["agrees"] == 1 and 20 < row["peak_mb"] < 2000


def test_what_agrees_and_what_does_not():
    assert f1([("a", "b", True), ("b", "c", False)], [("b", "a", False), ("a", "c", True)]) == 0.5
    assert f1([], []) == 0 and f1([("a", "b", True)], [("b", "a", True)]) == 1


def test_patterns_are_scored_by_a_dag_of_their_class():
    assert as_dag([("a", "b", False), ("b", "c", False)], "abc").skeleton == (("a", "b"), ("b", "c"))
    assert as_dag([("a", "b", True), ("b", "a", True)], "ab").skeleton == (("a", "b"),)
    square = [("a", "b", False), ("b", "c", False), ("c", "d", False), ("d", "a", False)]
    assert as_dag(square, "abcd") is None


def test_what_takes_too_long_or_fails_is_reported(tmp_path):
    path = rows_of("ALARM", 2_000, tmp_path)
    slow = measure("bnteach", Work("pc", "ALARM", 2_000), path, limit=0.01, repeats=1)
    assert slow.seconds == [] and slow.problem == "> 0.01 s"
    wrong = measure("bnteach", Work("no such task", "songs", 100), path, limit=20, repeats=1)
    assert wrong.problem.startswith("failed: KeyError") and wrong.median is None
    score = bn.BIC(bn.Table(songs(100)))
    row = judged(Measured("bnteach", Work("pc", "songs", 100), problem="> 1 s"), wrong, score)
    assert "> 1 s" in markdown([row]) and "> 1 s" in as_text(row)


def test_a_library_that_took_too_long_gets_no_larger_work():
    too_long = {("bnteach", "pc", "variables"): Measured("bnteach", Work("pc", "5 variables", 100), problem="> 7 s")}
    (row,) = one_work(Work("pc", "10 variables", 100), ["bnteach"], 30, 1, too_long)
    assert row["problem"] == "> 7 s" and "cpu_seconds" not in row
    too_long = {}
    (row,) = one_work(Work("pc", "10 variables", 2_000), ["bnteach"], 0.001, 1, too_long)
    assert set(too_long) == {("bnteach", "pc", "variables")} and row["problem"] == "> 0.001 s"


def test_imports_and_memory_are_measured(capsys):
    bare, ready = imports(["bnteach"])
    assert bare["times_bnteach"] == ready["times_bnteach"] == 1 and "import and load" in capsys.readouterr().out
    assert bare["cpu_seconds"] < ready["cpu_seconds"]  # names are loaded when one is used
    assert import_seconds("import json", repeats=1) < 5 and 10 < peak_megabytes() < 100_000
    assert "Python" in machine() and "make bench" in machine()


# -- the same work ---------------------------------------------------------------------------------------
def test_every_task_is_done_by_bnteach_and_named():
    assert {work.task for work in LONG} == set(contestants.CAN["bnteach"]) == set(TASKS)
    assert set(SHORT) <= set(LONG) and {work.task for work in SHORT} >= {"pc", "chow_liu", "hill_climb", "exact_g"}
    assert {"bnteach"} <= set(contestants.installed()) and len({work.name for work in LONG}) == len(LONG)
    assert {work.data for work in LONG} == set(DATA)


@pytest.mark.parametrize("library", list(contestants.LIBRARIES))
def test_everybody_does_the_same_work(library):
    if library not in contestants.installed():
        pytest.skip(f"{library} is not installed: pip install --group peers")
    runs = contestants.runs_of(library)
    assert set(runs) == set(contestants.CAN[library])
    for task, run in runs.items():
        real = task in ("pc_z", "hill_climb_g", "exact_g")
        rows = DATA["wine"].rows(400).iloc[:, :6] if real else DATA["5 variables"].rows(400)
        edges = run(rows)
        assert edges and {name for edge in edges for name in edge[:2]} <= set(rows.columns), task
        if task == "chow_liu":
            ours = bn.chow_liu(bn.Table(rows)).graph
            assert f1(edges, [(*arc, True) for arc in ours.arcs]) == 1


# -- goals and pictures ----------------------------------------------------------------------------------
def a_run(**ours: float) -> list[dict]:
    """Rows as a run would give them, all others taking ten seconds, and bnteach as given."""
    rows = []
    for work in LONG:
        base = {"work": work.name, "task": work.task, "data": work.data, "rows": work.n, "variables": 20, "problem": "",
                "different": round(work.n**0.6)}
        rows += [{**base, "library": "bnteach", "cpu_seconds": ours.get(work.task, 0.01), "peak_mb": 200.0},
                 {**base, "library": "other", "cpu_seconds": 10.0, "peak_mb": 200.0}]
    return [*rows, {"work": "import", "task": "import", "library": "bnteach", "cpu_seconds": 0.1},
            {"work": "import", "task": "import", "library": "other", "cpu_seconds": ours.get("slow", 0.5)}]


def test_goals_are_met_or_not():
    table = goals(a_run())
    assert table.count("| yes |") == len(GOALS) and "| no |" not in table and "1000.0 times (0.01 s)" in table
    slow = goals(a_run(pc=6.0, slow=0.05)).splitlines()
    assert [line.split(":")[0] for line in slow if "| no |" in line] == ["| PC, songs x 10,000", "| PC, ALARM x 10,000",
                                                                       "| import"]
    assert goals([]) == "" and goals(a_run()[:2]) == ""


def test_a_library_that_was_stopped_counts_by_the_limit():
    rows = a_run()
    for row in rows:
        if row["library"] == "other" and row["task"] == "pc":
            row["problem"] = "> 45 s"
            del row["cpu_seconds"]
    table = goals(rows)
    assert "more than 4500.0 times" in table and "the fastest other needs more than 45 s for 100,000" in table


def test_a_library_that_did_something_else_does_not_count():
    rows = a_run(chow_liu=3.0)
    assert "3.3 times" in goals(rows) and "| no |" in goals(rows)
    for row in rows:
        if row["library"] == "other" and row["task"] == "chow_liu":
            row["agrees"] = 0.03
    assert "3.3 times" not in goals(rows) and "| no |" not in goals(rows)


def test_growth_needs_two_sizes_and_matplotlib(monkeypatch):
    rows = a_run()
    picture = growth(rows)
    assert "beside other" in picture.alt and "Chow-Liu" in picture.alt
    assert growth(rows[:2]) is None and growth([]) is None
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert growth(rows) is None


def test_the_table_shows_the_quickest_in_bold():
    lines = markdown(a_run()).splitlines()
    assert lines[0] == "| work | bnteach | other |"
    assert lines[2] == "| PC, chi-square .05, songs x 1,000 | **0.01** | 10 |"


def test_a_run_is_kept_with_the_package():
    rows = read()
    assert MEASURED.is_file() and {row["work"] for row in rows} == {work.name for work in LONG} | {
        "import", "import and load"}
    assert set().union(*rows) <= set(COLUMNS) and all("cpu_seconds" in r for r in rows if r["library"] == "bnteach")
    assert "| no |" not in goals(rows)
    assert isinstance(pd.DataFrame(rows)["cpu_seconds"].max(), float)


def test_keeping_a_run_replaces_table_and_picture(tmp_path, monkeypatch):
    monkeypatch.setattr("tests.benchmarks.bench.report.MEASURED", tmp_path / "measured.csv")
    assert [path.name for path in keep(a_run())] == ["measured.csv", "measured.md", "growth.svg"]
    assert kept_table().startswith(markdown(a_run())) and (tmp_path / "growth.svg").read_text().startswith("<svg")
    assert {path.name for path in MEASURED.parent.iterdir()} == {"measured.csv", "measured.md", "growth.svg"}


def test_the_readme_shows_rows_of_that_run():
    readme = (Path(bn.__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    shown = [line for line in readme.partition("## How fast")[2].partition("\n## ")[0].splitlines() if line[:1] == "|"]
    kept = kept_table().splitlines()
    assert len(shown) > 10 and [line for line in shown if line not in kept] == []
    assert kept_table().startswith(markdown(read())) and goals(read()) in kept_table()
