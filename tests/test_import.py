"""What `import bnteach` loads, what may import what, and that nothing depends on the order of hashes."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import bnteach as bn
from tests.examples import LEARNERS, arguments, needed, tables

ROOT = Path(__file__).parents[1]

HEAVY = ("matplotlib", "ipywidgets", "IPython", "pandas", "networkx", "scipy", "highspy", "tqdm", "pygraphviz",
         "jupyterlab")


def run(*command: str, seed: str = "0") -> str:
    """What a new Python prints: for code, or for `-m` and a module."""
    arguments = command if command[0] == "-m" else ("-c", *command)
    done = subprocess.run([sys.executable, "-W", "error", *arguments], capture_output=True, text=True, cwd=ROOT,
                          env={**os.environ, "PYTHONHASHSEED": seed, "BNTEACH_PROGRESS": "off"})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_import_is_light() -> None:
    loaded = run("import sys, bnteach; print('\\n'.join(sys.modules))").split()
    assert [name for name in loaded if name.startswith("bnteach.")] == []
    loaded = run("import sys, bnteach, bnteach.course.commands.main; print('\\n'.join(sys.modules))").split()
    assert [name for name in (*HEAVY, "numpy", "bnteach.tables.table", "bnteach.learn.pc") if name in loaded] == []
    loaded = run("import sys, bnteach as bn; bn.DAG('A->B'); print('\\n'.join(sys.modules))").split()
    assert [name for name in loaded if name.startswith(("bnteach.learn", "bnteach.show", "bnteach.course"))] == []
    assert [name for name in HEAVY if name in loaded] == []


# Each may import from those before it, and from itself. Only a `_repr_html_` may import `show`, when it is called.
ORDER = ("errors", "saving", "progress", "drawing", "questions", "steps", "why", "trace", "graphs", "tables",
         "information", "independence", "scores", "models", "datasets", "learn", "show", "course")
ALLOWED = {
    ("graphs/compare.py", "bnteach.show.draw"),  # two pictures on one layout, for `_repr_html_` and to keep
    ("graphs/compare.py", "bnteach.show.picture"),
    ("tables/discretise.py", "bnteach.show.intervals"),  # a picture of some columns, for `_repr_html_` and to keep
    ("why.py", "bnteach.show.draw"),
}


def imports(source: str) -> Iterator[tuple[str, bool]]:
    """The modules of bnteach that code imports, and whether a `_repr_html_` does; not what type checkers alone read."""
    tree = ast.parse(source)
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        inside = list(_above(node, parents))
        if any(isinstance(one, ast.If) and ast.unparse(one.test) == "TYPE_CHECKING" for one in inside):
            continue
        html = any(isinstance(one, ast.FunctionDef) and one.name == "_repr_html_" for one in inside)
        if isinstance(node, ast.Import):
            yield from ((alias.name, html) for alias in node.names if alias.name.split(".")[0] == "bnteach")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "modules name what they import in full"
            module = node.module or ""
            if module == "bnteach":
                yield from ((f"bnteach.{alias.name}", html) for alias in node.names)
            elif module.startswith("bnteach."):
                yield module, html


def _above(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> Iterator[ast.AST]:
    while node in parents:
        node = parents[node]
        yield node


def violations(path: str, source: str) -> list[tuple[str, str]]:
    """What a file of bnteach imports against the order, as (path, module)."""
    own = ORDER.index(path.split("/")[0].removesuffix(".py"))
    found = []
    for module, html in imports(source):
        package = module.split(".")[1] if "." in module else ""
        late = package not in ORDER or ORDER.index(package) > own
        if late and ORDER[own] != "course" and not (html and package == "show") and (path, module) not in ALLOWED:
            found.append((path, module))
    return found


def library() -> dict[str, str]:
    """Path in bnteach/ -> source, of every module but the package's own."""
    folder = ROOT / "bnteach"
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*.py")}
    return {path: file.read_text(encoding="utf-8") for path, file in files.items() if not path.startswith("__")}


def test_packages_import_only_from_those_above_them() -> None:
    files = library()
    assert [found for path, source in files.items() for found in violations(path, source)] == []
    assert [(path, module) for path, module in ALLOWED if module not in dict(imports(files[path]))] == [], "not needed"


@pytest.mark.parametrize(("source", "found"), [
    ("from bnteach.graphs.dag import DAG", []),
    ("from bnteach.show.draw import draw", ["bnteach.show.draw"]),
    ("def late():\n    import bnteach.course.pages", ["bnteach.course.pages"]),
    ("from bnteach import learn, scores", ["bnteach.learn"]),
    ("import bnteach as bn", ["bnteach"]),
    ("class A:\n    def _repr_html_(self):\n        from bnteach.show.draw import draw", []),
    ("class A:\n    def _repr_html_(self):\n        from bnteach.course import pages", ["bnteach.course"]),
    ("if TYPE_CHECKING:\n    from bnteach.learn.pc import PCResult", []),
])
def test_an_import_against_the_order_would_be_found(source: str, found: list[str]) -> None:
    assert [module for _, module in violations("models/em.py", source)] == found


@pytest.mark.parametrize("first", [
    "bn.learn.hill_climb.climb", "bn.independence.chi_square.ChiSquare", "bn.datasets.five_rows()", "bn.plots.growth",
    "bn.tables.missing",
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


def test_every_public_name_is_there() -> None:
    assert [name for name in bn.__all__ if not hasattr(bn, name)] == []
    assert len(set(bn.__all__)) == len(bn.__all__) and set(bn.__all__) <= set(dir(bn))


def test_every_learner_can_be_run_on_an_example() -> None:
    known = arguments(next(tables()))
    strange = {name: [p for p in needed(learner) if p not in known] for name, learner in LEARNERS.items()}
    assert len(LEARNERS) > 15 and not any(strange.values()), "give an example for these parameters in tests/examples.py"


def test_traces_and_players_are_the_same_under_any_hash_seed() -> None:
    one, other = (run("-m", "tests.examples", *sorted(LEARNERS), seed=seed).splitlines() for seed in ("0", "1"))
    differ = [line.split()[0] for line, also in zip(one, other, strict=True) if line != also]
    assert differ == [], "the order of hashes shows in the trace or the player of these"


def test_a_trace_that_follows_hash_order_would_be_seen() -> None:
    code = "print(list({'asia', 'tub', 'smoke', 'lung', 'bronc'}))"
    assert run(code, seed="0") != run(code, seed="1")


@pytest.mark.parametrize("name", ["DAG", "PDAG", "Table", "Measurements", "chow_liu", "draw", "play", "claim", "quiz"])
def test_the_course_s_words_exist(name: str) -> None:
    assert name in bn.__all__
