"""Tables, goals and pictures of a run, and the run that is kept: README and site show what is in it."""

import sys

import pytest

from bnteach.course.commands.common import CommandError
from tests.benchmarks.bench import kept
from tests.benchmarks.bench.goals import GOALS, goals
from tests.benchmarks.bench.growth import growth
from tests.benchmarks.bench.kept import KEPT, README, Run, keep, machine
from tests.benchmarks.bench.report import (
    COLUMNS,
    QUALITY,
    by_work,
    not_measured,
    table,
    threads,
    times_as_fast,
    where_not_first,
)
from tests.benchmarks.bench.works import LONG, THREADS


def a_run(other: float = 10.0, **ours: float) -> list[dict]:
    """Rows as a run would give them, pyAgrum taking ten seconds or as given, and bnteach as given for a task."""
    rows = []
    for work in LONG:
        base = {"work": work.name, "task": work.task, "data": work.data, "rows": work.n, "problem": "",
                "variables": 500 if "500" in work.data else 20, "different": round(work.n**0.6), "peak_mb": 200.0}
        rows += [{**base, "library": "bnteach", "cpu_seconds": ours.get(work.task, 0.01)},
                 {**base, "library": "pyAgrum", "cpu_seconds": other}]
    return rows


def test_the_table_shows_the_fastest_in_bold_and_how_many_times_as_fast():
    lines = table(a_run(), ()).splitlines()
    assert lines[0] == "| work | bnteach | pyAgrum | times as fast |"
    assert lines[2] == "| PC, chi-square .05, songs x 1,000 | **0.01** | 10 | 1,000 |"
    row = {"work": "w", "library": "bnteach", "cpu_seconds": 0.5, "f1": 0.914, "bic": -123.4, "peak_mb": 91.2}
    assert table([row], QUALITY).splitlines()[2] == "| w | 0.5 (F1 0.91, 91 MB) |  |"
    stopped = {"work": "w", "library": "pyAgrum", "problem": "> 0.2 s"}
    assert table([row, stopped], ()).splitlines()[2] == "| w | 0.5 | > 0.2 s |  |"
    assert table([row], ("bic",)).splitlines()[2] == "| w | 0.5 (BIC -123) |  |"


def test_a_library_that_was_stopped_counts_by_the_limit():
    ours, other = a_run()[:2]
    other = {**other, "problem": "> 45 s"}
    del other["cpu_seconds"]
    assert times_as_fast({"bnteach": ours, "pyAgrum": other}) == "> 4,500"
    undecided = {"bnteach": {**ours, "cpu_seconds": 50.0}, "pyAgrum": other}
    assert times_as_fast(undecided) == "", "stopped before bnteach was ready: nobody knows"
    assert times_as_fast({"bnteach": ours}) == "" and times_as_fast({"pyAgrum": other}) == ""


def test_where_bnteach_is_not_first_is_said():
    everywhere = f"bnteach is the fastest in {len(LONG)} of the {len(LONG)} rows that another library finishes too."
    assert where_not_first(a_run()) == everywhere
    mmhc = sum(work.task == "mmhc" for work in LONG)
    said = where_not_first(a_run(mmhc=25.0))
    assert said.startswith(f"bnteach is the fastest in {len(LONG) - mmhc} of the {len(LONG)} rows")
    assert "Faster are\n\n- MMHC: pyAgrum, ALARM x 1,000 (2.5 times), " in said
    imports = [{"work": "import and load", "library": name, "cpu_seconds": taken}
               for name, taken in (("bnteach", .2), ("pyAgrum", .1))]
    assert where_not_first(a_run() + imports).endswith("- import and load: pyAgrum (2 times)")


def test_goals_are_met_or_not():
    assert goals(a_run()).count("| yes |") == len(GOALS) and "| no |" not in goals(a_run())
    slow = [line for line in goals(a_run(pc=30.0, ilp=70.0, other=80.0)).splitlines() if "| no |" in line]
    assert slow == ["| PC, chi-square .05, songs x 10,000: 3 times as fast as the fastest other | 2.7 times | no |",
                    "| integer program, BIC, 3 parents, insurance x 20,000: at most 30 s | 70 s | no |",
                    "| integer program, BIC, 3 parents, ALARM x 20,000: at most 60 s | 70 s | no |"]
    behind = goals(a_run(mmhc=11.0)).splitlines()[2]
    assert behind == f"| the fastest in every row that another library finishes | {len(LONG) - 4} of {len(LONG)} | no |"
    assert goals([]) == ""


def test_what_a_run_has_left_out_is_said():
    assert not_measured(a_run()) == ""
    assert not_measured(a_run()[4:]) == f"Not measured in this run: {LONG[0].name}; {LONG[1].name}."


def test_growth_needs_two_sizes_and_matplotlib(monkeypatch):
    rows = a_run()
    picture = growth(rows)
    assert "beside pyAgrum" in picture.alt and "Chow-Liu" in picture.alt
    assert growth(rows[:2]) is None and growth([]) is None
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert growth(rows) is None


def test_threads_are_compared_where_they_were_measured():
    rows = a_run()
    assert threads(rows) == ""
    rows[0]["default_threads"] = 0.02
    assert threads(rows).splitlines()[2:] == ["| PC, chi-square .05, songs x 1,000 | 0.01 | 0.02 |"]


# -- the run that is kept ----------------------------------------------------------------------------------
def test_a_run_is_written_and_read_again(tmp_path):
    run = Run.now(a_run())
    assert [path.name for path in run.write(tmp_path)] == ["bench.json", "bench.md", "growth.svg"]
    assert Run.read(tmp_path / "bench.json") == run and run.machine == machine() and "numpy" in run.versions
    assert len((tmp_path / "bench.json").read_text().splitlines()) == len(run.rows) + len(run.versions) + 8
    assert (tmp_path / "bench.md").read_text() == run.markdown() and "<svg" in (tmp_path / "growth.svg").read_text()


def test_every_row_of_the_kept_run_has_memory_and_quality():
    run = Run.read()
    rows = by_work(run.rows)
    assert set(rows) <= {work.name for work in LONG} | {"import", "import and load"}
    assert run.date and run.machine and set().union(*run.rows) <= set(COLUMNS)
    assert {work.task for work in LONG if work.name in rows} >= {"pc", "chow_liu", "hill_climb", "mmhc"}
    for work in [work for work in LONG if work.name in rows]:
        ours = rows[work.name]["bnteach"]
        if not ours["problem"]:
            assert ours["cpu_seconds"] > 0 and ours["peak_mb"] > 0, work.name
            assert {"bic", "log_likelihood", "difference"} & set(ours), work.name
            assert (work in THREADS) == ("default_threads" in ours), work.name


def test_readme_and_site_show_the_kept_run():
    run = Run.read()
    assert run.for_readme() in README.read_text(encoding="utf-8"), "make it again: make bench ARGS=--tables"
    assert KEPT.with_suffix(".md").read_text(encoding="utf-8") == run.markdown(), "make bench ARGS=--tables"
    assert {path.name for path in KEPT.parent.iterdir()} == {"measured.json", "measured.md", "growth.svg"}


def test_keeping_a_run_replaces_tables_and_picture(tmp_path, monkeypatch):
    readme = tmp_path / "README.md"
    readme.write_text(README.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(kept, "KEPT", tmp_path / "bench" / "measured.json")
    monkeypatch.setattr(kept, "README", readme)
    run = Run.now(a_run())
    assert [path.name for path in keep(run)] == ["measured.json", "measured.md", "growth.svg", "README.md"]
    text, before = readme.read_text(encoding="utf-8"), README.read_text(encoding="utf-8")
    assert run.for_readme() in text and text.count(kept.BEGIN) == text.count(kept.END) == 1
    assert text.partition(kept.BEGIN)[0] == before.partition(kept.BEGIN)[0]
    assert text.partition(kept.END)[2] == before.partition(kept.END)[2]


def test_a_readme_without_the_place_for_the_table_is_refused(tmp_path, monkeypatch):
    (tmp_path / "README.md").write_text("# bnteach\n")
    monkeypatch.setattr(kept, "README", tmp_path / "README.md")
    with pytest.raises(CommandError, match=r"README\.md has no line"):
        keep(Run.now(a_run()))
