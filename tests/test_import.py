"""What `import bnteach` brings along, and that nothing depends on the order of hashes."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys

import pytest

import bnteach as bn
from bnteach.trace import Stepwise

HEAVY = ("matplotlib", "ipywidgets", "IPython", "pandas", "networkx", "scipy", "tqdm", "pygraphviz", "jupyterlab")
LEARNERS = {name: value for name in bn.__all__ if isinstance(value := getattr(bn, name), Stepwise)}

# Something to run every learner on, by the name of its parameter: five rows, and rows drawn from a network with longer
# names. A learner that asks for something else gets a line here.
EXAMPLES = """
import hashlib, inspect, sys
import bnteach as bn
from bnteach.trace import Result

def examples(table):
    names = table.variables
    dag = bn.chow_liu(table).graph
    score = bn.MDL(table)
    return {"table": table, "data": table, "score": score, "dag": dag, "graph": dag, "pdag": bn.cpdag(dag),
            "oracle": bn.DSeparation(dag) if hasattr(bn, "DSeparation") else None,
            "weights": bn.mutual_informations(table), "order": names, "network": bn.fit(dag, table),
            "x": names[0], "y": names[-1], "temperatures": [2.0, 1.0, 0.5] * 20}

def fingerprint(name, given):
    learner = getattr(bn, name)
    needed = [p.name for p in inspect.signature(learner.function).parameters.values() if p.default is p.empty]
    result = learner(**{parameter: given[parameter] for parameter in needed})
    told = "\\n".join(map(repr, result.trace)) + result.trace.text() + repr(result.graph) + repr(result.score)
    shown = bn.play(result).html() if len(result.trace) else ""
    return [hashlib.sha256(text.encode()).hexdigest()[:12] for text in (told, shown)]

for table in (bn.datasets.five_rows(), bn.datasets.asia(300, seed=1)):
    given = examples(table)
    for name in sys.argv[1:]:
        print(name, len(table), *fingerprint(name, given))
"""


def run(code: str, *arguments: str, seed: str = "0") -> str:
    """What a new Python says."""
    done = subprocess.run([sys.executable, "-W", "error", "-c", code, *arguments], capture_output=True, text=True,
                          env={**os.environ, "PYTHONHASHSEED": seed, "BNTEACH_PROGRESS": "off"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_is_light() -> None:
    loaded = run("import sys, bnteach, bnteach.course.commands.main; print('\\n'.join(sys.modules))").split()
    assert [name for name in (*HEAVY, "numpy", "bnteach.tables.table", "bnteach.learn.pc") if name in loaded] == []
    loaded = run("import sys, bnteach as bn; bn.DAG('A->B'); print('\\n'.join(sys.modules))").split()
    assert [name for name in loaded if name.startswith(("bnteach.learn", "bnteach.show", "bnteach.course"))] == []
    assert [name for name in HEAVY if name in loaded] == []


@pytest.mark.parametrize("first", [
    "bn.learn.hill_climb.climb", "bn.independence.chi_square.ChiSquare", "bn.datasets.five_rows()", "bn.plots.growth", "bn.tables.missing",
    "bn.graphs.counting.count_dags", "bn.show.draw", "bn.models.fit", "bn.course.exercises", "bn.scores.categorical",
    "exec('from bnteach import *'), pc", "exec('from bnteach import datasets, scores, pc')", "dir(bn).index('pc')",
    "bn.__version__"])
def test_whatever_comes_first_is_found(first: str) -> None:
    run(f"import bnteach as bn; {first}; assert bn.pc is bn.learn.pc.pc; assert callable(bn.recommend)")


@pytest.mark.parametrize("module", ["models.recommender", "learn.structural_em", "learn.pc", "course.exercises.check",
                                    "show.draw", "models.em", "datasets", "tables.missing"])
def test_modules_can_be_imported_before_any_name_is_used(module: str) -> None:
    run(f"import bnteach.{module}; import bnteach as bn; assert callable(bn.recommend) and bn.datasets.five_rows()")


def test_what_is_not_there_is_said_to_be_missing() -> None:
    with pytest.raises(AttributeError, match="No bnteach attribute hillclimb"):
        bn.hillclimb  # noqa: B018
    run("import bnteach as bn; bn.check = print; bn.DAG; assert bn.check is print")  # what was put there stays


def test_every_public_name_is_there_and_sorted() -> None:
    assert [name for name in bn.__all__ if not hasattr(bn, name)] == []
    assert len(set(bn.__all__)) == len(bn.__all__) and set(bn.__all__) <= set(dir(bn))


def test_every_learner_can_be_run_on_an_example() -> None:
    known = ("table", "data", "score", "dag", "graph", "pdag", "oracle", "weights", "order", "network", "x", "y",
             "temperatures")
    strange = {name: parameter.name for name, learner in LEARNERS.items()
               for parameter in inspect.signature(learner.function).parameters.values()
               if parameter.default is parameter.empty and parameter.name not in known}
    assert strange == {}, "give an example for these parameters in tests/test_import.py"


def test_traces_and_players_are_the_same_under_any_hash_seed() -> None:
    assert "chow_liu" in LEARNERS
    one, other = (run(EXAMPLES, *sorted(LEARNERS), seed=seed).splitlines() for seed in ("0", "1"))
    differ = [line.split()[0] for line, also in zip(one, other, strict=True) if line != also]
    assert differ == [], "the order of hashes shows in the trace or the player of these"


def test_a_trace_that_follows_hash_order_would_be_seen() -> None:
    code = "print(list({'asia', 'tub', 'smoke', 'lung', 'bronc'}))"
    assert run(code, seed="0") != run(code, seed="1")


@pytest.mark.parametrize("name", ["DAG", "PDAG", "Table", "Measurements", "chow_liu", "draw", "play", "claim", "quiz"])
def test_the_course_s_words_exist(name: str) -> None:
    assert name in bn.__all__
