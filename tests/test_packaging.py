"""What is said in several places is the same everywhere, and the wheel works away from the checkout."""

from __future__ import annotations

import doctest
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

import bnteach
from bnteach import datasets
from bnteach.course.exercises.copies import lesson_file, student_file
from bnteach.trace import Stepwise
from tests import lessons

ROOT = lessons.ROOT
DATA = sorted(path for path in (ROOT / "data").iterdir() if path.is_file() and path.name != "README.md")
EXERCISES = lessons.LESSONS / "exercises"
HAND_WRITTEN = {"claims.toml"}  # edited by people, so without a checksum


def pyproject() -> dict:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def project() -> dict:
    return pyproject()["project"]


def bounds(requirements: list[str]) -> dict[str, str]:
    """{name: lower bound} of requirements such as "numpy>=2.0" or "jupyterhub>=5.2,<6"."""
    form = r"([A-Za-z0-9_.-]+)>=([0-9.]+(?:a\d+)?)(?:,<\d+)?"
    pairs = [re.fullmatch(form, requirement) for requirement in requirements]
    assert all(pairs), f"not of the form name>=version: {requirements}"
    return {pair[1].lower(): pair[2] for pair in pairs}


def group(name: str) -> dict[str, str]:
    """The lower bounds of a dependency group, without those of groups that it includes."""
    return bounds([line for line in pyproject()["dependency-groups"][name] if isinstance(line, str)])


def for_everyone() -> dict[str, str]:
    """The library, the lessons, the web site and the tests: what conda installs."""
    extras = project()["optional-dependencies"]
    return bounds([*project()["dependencies"], *extras["course"], *extras["docs"]]) | group("test")


def pins() -> dict[str, str]:
    """{name: version} in constraints.txt."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    found = {line: re.fullmatch(r"([a-z0-9-]+)==([0-9][\w.]*)( ; .+)?", line) for line in lines if line[:1] != "#"}
    assert [line for line, pin in found.items() if not pin] == [], "not pins"
    return {pin[1]: pin[2] for pin in found.values()}


def numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))


# --- the same everywhere ----------------------------------------------------------------------------------

def test_one_version() -> None:
    assert "version" in project()["dynamic"] and "version" not in project(), "__version__ is the only place"
    assert pyproject()["tool"]["hatch"]["version"]["path"] == "bnteach/__init__.py"
    assert importlib.metadata.version("bnteach") == bnteach.__version__, "run `make setup` after a new version"
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert str(citation["version"]) == bnteach.__version__
    assert citation["title"].startswith(project()["name"])
    assert citation["license"] in project()["license"]


def test_conda_gets_what_pip_gets() -> None:
    environment = yaml.safe_load((ROOT / "environment.yml").read_text(encoding="utf-8"))
    *listed, last = environment["dependencies"]
    assert last == {"pip": ["-e ."]}
    assert "pip" in listed
    conda = bounds([line for line in listed if line != "pip"])
    assert conda.pop("python") == project()["requires-python"].removeprefix(">=")
    assert conda == for_everyone()


def test_extras_are_for_users_and_groups_for_contributors() -> None:
    assert set(project()["optional-dependencies"]) == {"course", "class", "docs", "live"}
    groups = pyproject()["dependency-groups"]
    assert set(groups) == {"test", "types", "browser", "peers"} and {"include-group": "types"} in groups["test"]


def test_everything_is_pinned() -> None:
    pinned = pins()
    asked = for_everyone() | group("types") | group("browser") | bounds(project()["optional-dependencies"]["class"])
    too_old = {name: (pinned.get(name), bound) for name, bound in asked.items()
               if name not in pinned or numbers(pinned[name]) < numbers(bound)}
    assert too_old == {}, "run `make constraints`"


def test_the_lock_has_the_same_pins_with_hashes() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8").replace(" \\\n", "")
    lines = [line for line in text.splitlines() if line[:1] != "#"]
    locked = {line: re.fullmatch(r"([a-z0-9-]+)==(\S+)(?: ; [^-]+?)?((?:\s+--hash=sha256:[0-9a-f]{64})+)", line)
              for line in lines}
    assert [line[:80] for line, pin in locked.items() if not pin] == [], "without a hash"
    assert {pin[1]: pin[2] for pin in locked.values()} == pins(), "run `make constraints`"


@pytest.mark.parametrize("name", ["constraints.txt", "requirements.lock", "environment.yml", "pyproject.toml",
                                  "Makefile", ".ci/run", ".pre-commit-config.yaml",
                                  ".github/workflows/test.yml"])
def test_set_up_names_no_host(name: str) -> None:
    assert "://" not in (ROOT / name).read_text(encoding="utf-8"), "where packages come from is the user's own setting"


def test_make_help_lists_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    listed = re.findall(r'^\t@echo "make ([\w-]+) ', makefile, re.MULTILINE)
    targets = " ".join(re.findall(r"^([\w -]+):.*  ## ", makefile, re.MULTILINE)).split()
    assert sorted([*listed, "help"]) == sorted(targets)


def test_ci_runs_all_the_tests() -> None:
    script, makefile = ROOT / ".ci" / "run", (ROOT / "Makefile").read_text(encoding="utf-8")
    assert os.access(script, os.X_OK)
    targets = re.search(r"^for target in (.+); do$", script.read_text(encoding="utf-8"), re.MULTILINE)[1].split()
    assert targets == ["test", "test-arithmetic", "test-pythons"]
    assert all(f"\n{target}: setup" in makefile for target in targets)


def test_forks_run_the_commands_of_the_readme() -> None:
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yml").read_text(encoding="utf-8"))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for step in workflow["jobs"]["test"]["steps"]:
        for line in step.get("run", "").splitlines():
            command = line.removesuffix(" PYTHON=python").replace("python -m venv", "py -3.12 -m venv")
            assert f"    {command}" in readme or f"`{command}`" in readme, command


def test_the_readme_tests_with_the_options_of_make() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    pytest_, nbval = (re.search(rf"^{name} *:= (?:.*-m pytest )?(.+)$", makefile, re.MULTILINE)[1]
                      for name in ("PYTEST", "NBVAL"))
    assert rf"    .venv\Scripts\python -m pytest {pytest_} {nbval}" in (ROOT / "README.md").read_text(encoding="utf-8")


# --- the README -------------------------------------------------------------------------------------------
def test_your_own_data_in_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The section is a doctest: a CSV file, and what the lines print."""
    section = (ROOT / "README.md").read_text(encoding="utf-8").partition("## Your own data\n")[2].partition("\n## ")[0]
    datasets.asia(2000).to_frame().to_csv(tmp_path / "patients.csv", index=False)
    monkeypatch.chdir(tmp_path)
    code = "".join(re.findall(r"```python\n(.*?)```", section, re.DOTALL))
    test = doctest.DocTestParser().get_doctest(code, {}, "README.md", None, 0)
    outcome = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(test)
    assert outcome.attempted > 5 and outcome.failed == 0
    assert len(test.examples) <= 15


def test_first_screen_has_a_picture_and_the_two_commands() -> None:
    first_screen = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    assert "    make lab" in first_screen and "    make test" in first_screen
    picture = re.search(r"!\[[^\]]{30,}\]\(([^)]+)\)", first_screen)
    assert picture and (ROOT / picture[1]).is_file()


def test_the_first_picture_is_what_the_library_draws() -> None:
    spec = importlib.util.spec_from_file_location("overview", lessons.LESSONS / "pictures" / "overview.py")
    drawing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(drawing)
    stored = (lessons.LESSONS / "pictures" / "overview.svg").read_text(encoding="utf-8")
    said = [re.findall(r">([^<>\s][^<>]*)<", svg) for svg in (stored, drawing.overview())]
    assert said[0] == said[1], "run `python lessons/pictures/overview.py`"


def test_links_in_the_documents_lead_somewhere() -> None:
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"):
        for target in re.findall(r"\]\((?!https?:|#)([^)\s]+)\)", (ROOT / name).read_text(encoding="utf-8")):
            assert (ROOT / target).exists(), f"{name} links to {target}"


def test_the_course_table_says_which_lessons_there_are() -> None:
    assert [name[:2] for name in lessons.course()] == [f"{i:02}" for i in range(21)]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text == lessons.marked_readme(text, {path.stem for path in lessons.lesson_files()}), "run `make lessons`"


def test_the_course_table_is_marked() -> None:
    rows = "| 03_a (planned) | x |\n| [04_b](lessons/04_b.ipynb) | y |\n"
    assert lessons.marked_readme(rows, {"03_a"}) == "| [03_a](lessons/03_a.ipynb) | x |\n| 04_b (planned) | y |\n"


def test_the_index_names_files_that_are_there() -> None:
    rows = lessons.readme_table("algorithm")
    assert rows and all(len(row) == 4 for row in rows)
    for algorithm, file, lesson, test in rows:
        for path in (file, test):
            assert (ROOT / path).is_file(), f"README.md, Where to find what: {algorithm} is not in {path}"
        assert lesson in lessons.course(), f"README.md, Where to find what: {algorithm} has no lesson {lesson}"


def test_the_index_has_every_learner() -> None:
    listed = {row[1] for row in lessons.readme_table("algorithm")}
    import bnteach.learn

    for module in pkgutil.iter_modules(bnteach.learn.__path__, "bnteach.learn."):
        found = vars(importlib.import_module(module.name)).values()
        if any(isinstance(value, Stepwise) and value.__module__ == module.name for value in found):
            assert module.name.replace(".", "/") + ".py" in listed, f"{module.name} needs a row in README.md"


# --- the data ---------------------------------------------------------------------------------------------

def data_sections() -> dict[str, str]:
    _, *sections = re.split(r"^## ", (ROOT / "data" / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {section.partition("\n")[0].strip(): section for section in sections}


@pytest.mark.parametrize("path", DATA, ids=lambda path: path.name)
def test_every_data_file_has_its_source_licence_and_sum(path: Path) -> None:
    section = data_sections().get(path.name, "")
    assert section, f"data/README.md has no section {path.name}"
    assert "Licence:" in section
    if path.name not in HAND_WRITTEN:
        sums = re.findall(r"\b[0-9a-f]{64}\b", section)
        assert sums == [hashlib.sha256(path.read_bytes()).hexdigest()]


def test_data_sections_are_of_files_that_are_there() -> None:
    assert set(data_sections()) == {path.name for path in DATA}


# --- the wheel, away from the checkout --------------------------------------------------------------------

@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built by hatchling as it is installed here: nothing is fetched."""
    folder = tmp_path_factory.mktemp("wheel")
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(folder)], cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("bnteach-*.whl")
    return built


def test_the_wheel_has_all_that_belongs_in_it(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    package = [path for path in (ROOT / "bnteach").rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    wanted = {path.relative_to(ROOT).as_posix() for path in package}
    wanted |= {f"bnteach/data/{path.name}" for path in DATA} | {"bnteach/data/README.md", "bnteach/py.typed"}
    wanted |= {f"bnteach/lessons/{path.name}" for path in lessons.lesson_files()}
    assert wanted - names == set()
    expected = ("bnteach/", f"bnteach-{bnteach.__version__}.dist-info/")
    assert {name for name in names if not name.startswith(expected)} == set()
    assert not [name for name in names if "checkpoints" in name or "__pycache__" in name]
    about = {name.rpartition("/")[2] for name in names if ".dist-info/" in name}
    assert {"entry_points.txt", "LICENSE", "LICENSE-text"} <= about
    assert any(name.endswith("licenses/bnteach/course/pages/reveal/LICENSE") for name in names)


def test_the_wheel_has_the_exercises_without_their_solutions(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    exercises = [name for name in archive.namelist() if name.startswith("bnteach/lessons/exercises/")]
    assert sorted(map(os.path.basename, exercises)) == sorted(path.name for path in EXERCISES.glob("*.ipynb")) != []
    for name in exercises:
        content, source = archive.read(name), EXERCISES / os.path.basename(name)
        assert b"BEGIN SOLUTION" in source.read_bytes() and b"SOLUTION" not in content
        assert content == student_file(source)
        (archived := Path(wheel.parent, source.name)).write_bytes(content)
        assert student_file(archived) == content, "the copy of a copy is the same, so that the grader may use either"
    for source in lessons.lesson_files():
        content = archive.read(f"bnteach/lessons/{source.name}")
        assert b'"notes"' in source.read_bytes() and b'"notes"' not in content and content == lesson_file(source)
    assert "bnteach/lessons/exam/questions.toml" in archive.namelist()
    assert not [name for name in archive.namelist() if name.endswith("solutions.toml")]
    notebooks = [name for name in archive.namelist() if name.endswith(".ipynb")]
    assert not [name for name in notebooks if b"BEGIN SOLUTION" in archive.read(name)]


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment, far from the checkout, with the wheel and what it needs, as pinned."""
    folder = tmp_path_factory.mktemp("elsewhere")
    venv.create(folder / "env", with_pip=False)
    python = folder / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if any(importlib.metadata.distributions(name="pip")):  # find_spec would turn setuptools' distutils off for good
        install = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--disable-pip-version-check"]
    else:
        assert shutil.which("uv"), "this environment has neither pip nor uv to install the wheel with"
        install = ["uv", "pip", "install", "-q", "--python", str(python)]
    done = subprocess.run([*install, "-c", str(ROOT / "constraints.txt"), str(wheel)], cwd=folder, capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
    return python


def say(python: Path, code: str) -> dict:
    """Run code in the other environment, where nothing of the checkout is on the path; it prints JSON."""
    done = subprocess.run([str(python), "-I", "-c", code], cwd=python.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_image_installs_what_exists() -> None:
    """No engine runs in the tests, so they compare what the Dockerfile names with what there is."""
    steps = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert set(re.findall(r"\.\[([\w,]+)\]", steps)[0].split(",")) <= set(project()["optional-dependencies"])
    assert all((ROOT / name).exists() for name in re.findall(r"^COPY \S+ (\S+) \./", steps, flags=re.MULTILINE))
    first = json.loads(re.search(r"^CMD (.*)$", steps, flags=re.MULTILINE)[1])[0]
    assert first in project()["scripts"]
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    assert (ROOT / ".devcontainer" / container["build"]["dockerfile"]).samefile(ROOT / "Dockerfile")
    assert f"NB_USER={container['remoteUser']}" in steps


def test_the_wheel_loads_every_data_set(elsewhere: Path) -> None:
    found = say(elsewhere, """
import inspect, json, bnteach
from bnteach import datasets
mine = {name: f for name, f in vars(datasets).items()
        if inspect.isfunction(f) and f.__module__.startswith(datasets.__name__) and not name.startswith("_")}
free = {name: f for name, f in mine.items()
        if all(p.default is not p.empty for p in inspect.signature(f).parameters.values())}
loaded = {name: f() for name, f in free.items()}
loaded.update({f"network {name}": datasets.network(name) for name in datasets.NETWORKS})
rows = {name: len(data) if hasattr(data, "__len__") else len(data.dag.nodes) for name, data in loaded.items()}
print(json.dumps({"where": bnteach.__file__, "rows": rows, "functions": list(mine)}))
""")
    assert Path(found["where"]).is_relative_to(elsewhere.parent.parent)
    assert found["rows"]["five_rows"] == 5
    assert all(found["rows"].values())
    left_out = set(found["functions"]) - set(found["rows"]) - {"data_path", "network"}
    assert {name for name in left_out if not name.startswith("read_")} == set(), "a data set needs arguments to load"


def test_the_wheel_reads_the_ledger_and_runs_a_learner(elsewhere: Path) -> None:
    found = say(elsewhere, """
import json, bnteach as bn
from bnteach.course.lessons.ledger import ledger
found = bn.chow_liu(bn.datasets.five_rows(), root="B")
print(json.dumps({"claims": len(ledger()), "graph": repr(found.graph), "score": round(found.score, 4)}))
""")
    assert found["claims"] > 50
    assert found["graph"] == "DAG('B->C, B->D, C->A')" and found["score"] == -12.0999


def test_the_wheel_hands_out_exercises_and_has_no_solutions(elsewhere: Path, tmp_path: Path) -> None:
    command = elsewhere.with_name("bnteach.exe" if os.name == "nt" else "bnteach")
    done = subprocess.run([str(command), "release", "07", "--out", str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "07_chow_liu.ipynb").read_bytes() == student_file(EXERCISES / "07_chow_liu.ipynb")
    done = subprocess.run([str(command), "release", "--instructor"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 1 and "Run this in a checkout of the course" in done.stderr
    found = say(elsewhere, """
import contextlib, json, os, pathlib, tempfile
from bnteach.course.commands.course import copy_lessons, course_folder
with tempfile.TemporaryDirectory() as folder:
    with open(os.devnull, "w") as nowhere, contextlib.redirect_stdout(nowhere):
        copied = copy_lessons(course_folder(), pathlib.Path(folder, "bnteach-lessons"))
    print(json.dumps({path.name: "SOLUTION" in path.read_text() for path in (copied / "exercises").glob("*.ipynb")}))
""")
    assert len(found) == len(list(EXERCISES.glob("*.ipynb"))) and not any(found.values()), "what bnteach lab opens"


def test_the_wheel_brings_the_command(elsewhere: Path) -> None:
    command = elsewhere.with_name("bnteach.exe" if os.name == "nt" else "bnteach")
    version = subprocess.run([str(command), "--version"], capture_output=True, text=True)
    assert version.stdout.split() == ["bnteach", bnteach.__version__]
    lab = subprocess.run([str(command), "lab"], cwd=elsewhere.parent, capture_output=True, text=True)
    assert lab.returncode == 1
    expected = 'pip install "bnteach[course]"' if lessons.lesson_files() else "no lessons"
    assert expected in lab.stderr, "without JupyterLab, as here, it says how to get it"
