"""The instructor's files: each is what its own tool understands, and none that is there is overwritten."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace

import jsonschema
import pytest
import yaml
from traitlets.config import Config
from traitlets.config.loader import PyFileConfigLoader

import bnteach
from bnteach.course.classroom import environment
from bnteach.course.classroom.exchange import ClassError
from bnteach.course.classroom.scaffold import NAMES, write_class
from bnteach.course.exercises.copies import without_solution
from tests.course.classroom.chart import CHART

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_class(tmp_path / "spring", "bn-2027")
    return tmp_path / "spring"


def load(path: Path) -> Config:
    """A configuration, as Jupyter's programs load it."""
    return PyFileConfigLoader(path.name, str(path.parent)).load_config()


# -- writing -----------------------------------------------------------------------------------------------------
def test_all_files_are_written_and_filled_in(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {*NAMES, "environment.yml"}
    for path in folder.iterdir():
        text = path.read_text(encoding="utf-8")
        assert not re.search("@[A-Z]+@", text) and text.endswith("\n")
        assert max(map(len, text.splitlines())) <= 120, path.name
    assert os.access(folder / "postBuild", os.X_OK)
    assert folder.stat().st_mode & 0o777 == 0o700, "what students hand in, and their grades, will be here"
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert all(name in readme for name in NAMES if name not in ("README.md", ".gitignore"))
    assert all(f"## {part}" in readme for part in ("Day 1", "Every week", "End of term"))
    assert len(readme.splitlines()) <= 80, "a page"


def test_images_and_namespaces_have_names_that_their_tools_take(tmp_path: Path) -> None:
    """Small letters, digits and hyphens; the course itself keeps its name."""
    write_class(tmp_path / "new", "BN_2027_")
    texts = "".join(path.read_text() for path in (tmp_path / "new").iterdir())
    named = re.findall(r"(?:images\.example\.edu/|--namespace |create namespace |--install )([^:\s]+)", texts)
    assert len(named) >= 6 and set(named) == {"bn-2027"}
    assert 'BNTEACH_COURSE: "BN_2027_"' in texts and "BNTEACH_COURSE=BN_2027_" in texts


def test_nothing_is_overwritten(folder: Path) -> None:
    (folder / "values.yaml").write_text("mine: true\n")
    (folder / "postBuild").unlink()
    (folder / "README.md").unlink()
    (folder / "README.md").symlink_to("nowhere")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    became = {one.path.name: one.what for one in write_class(folder, "bn-2027")}
    assert became == {**dict.fromkeys(became, "there already"), "values.yaml": "kept", "README.md": "kept",
                      "postBuild": "written"}
    assert {name: (folder / name).read_bytes() for name in before} == before
    assert os.readlink(folder / "README.md") == "nowhere" and not (folder / "nowhere").exists()


def test_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(ClassError, match="a file is in the way"):
            write_class(place)
    with pytest.raises(ClassError, match="short name of a course"):
        write_class(tmp_path / "new", "bn 2027")
    assert not (tmp_path / "new").exists() and (tmp_path / "file").read_text() == "x"


# -- the environment -----------------------------------------------------------------------------------------------
def test_the_environment_is_the_projects_without_its_tests(folder: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    *listed, last = yaml.safe_load((folder / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    for_students = [name for name in extras["class"] if not name.startswith("distributed")]
    assert listed == ["python" + project["requires-python"], "pip", *project["dependencies"], *extras["course"],
                      *for_students]
    assert last == {"pip": [f"bnteach=={bnteach.__version__}"]}


def test_the_wheel_carries_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build = "import sys; from hatchling.build import build_wheel; build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(tmp_path)], cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site")
    monkeypatch.setattr(bnteach, "__file__", str(tmp_path / "site" / "bnteach" / "__init__.py"))
    assert environment.project_environment() == (ROOT / "environment.yml").read_text(encoding="utf-8")
    there = {path.name for path in (tmp_path / "site" / "bnteach" / "course" / "classroom" / "files").iterdir()}
    assert {*NAMES.values()} <= there
    (tmp_path / "site" / "bnteach" / "course" / "classroom" / "files" / "environment.yml").unlink()
    with pytest.raises(ClassError, match="install bnteach again"):
        environment.project_environment()


def test_an_environment_of_another_form_is_not_guessed_at() -> None:
    with pytest.raises(ClassError, match="does not have the sections"):
        environment.class_environment("name: x\ndependencies:\n  # the tests\n  - pytest\n")


# -- JupyterHub ----------------------------------------------------------------------------------------------------
@pytest.fixture
def hub(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("BNTEACH_HUB", raising=False)
    monkeypatch.delenv("BNTEACH_EXCHANGE", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    return folder / "jupyterhub_config.py"


def test_the_hub_does_not_start_before_logins_are_filled_in(hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="say in AUTHENTICATOR how students log in"):
        load(hub)
    monkeypatch.setenv("BNTEACH_HUB", "tset")
    with pytest.raises(SystemExit, match="BNTEACH_HUB is 'tset'"):
        load(hub)


def test_the_class_has_a_real_login_and_only_its_students(hub: Path) -> None:
    hub.write_text(hub.read_text().replace('AUTHENTICATOR = ""', 'AUTHENTICATOR = "pam"').replace(
        "INSTRUCTORS = set()", 'INSTRUCTORS = {"prof"}'))
    assert "allowed_users" not in load(hub).Authenticator
    (hub.parent / "students.txt").write_text("ann\nbob  # a remark\n\n# another\n")
    config = load(hub)
    assert config.JupyterHub.authenticator_class == "pam" and config.JupyterHub.spawner_class == "localprocess"
    assert config.Authenticator.allowed_users == {"ann", "bob", "prof"}
    assert config.Authenticator.admin_users == {"prof"}
    assert config.JupyterHub.db_url.endswith("/hub-state/jupyterhub.sqlite"), "not the one of the test"


def test_the_test_is_for_this_machine_only(hub: Path, monkeypatch: pytest.MonkeyPatch,
                                           capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("BNTEACH_HUB", "test")
    config = load(hub)
    assert config.JupyterHub.authenticator_class == "dummy"
    assert config.JupyterHub.bind_url.startswith("http://127.0.0.1:")
    assert len(config.Authenticator.allowed_users) == 21 and "root" not in config.Authenticator.allowed_users
    assert config.JupyterHub.spawner_class == "simple"
    assert "NOT KEPT APART" in capsys.readouterr().out


def test_nobody_becomes_root_by_a_test(hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BNTEACH_HUB", "test")
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(SystemExit, match="from your own account, without sudo"):
        load(hub)
    (hub.parent / "students.txt").write_text("daemon\n")
    assert load(hub).JupyterHub.spawner_class == "localprocess", "with accounts of their own, they do not"


def test_what_the_hub_keeps_is_closed_to_others(hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BNTEACH_HUB", "test")
    (hub.parent / "hub-state-test").mkdir(mode=0o755)
    assert str(hub.parent / "hub-state-test") in load(hub).JupyterHub.db_url
    assert (hub.parent / "hub-state-test").stat().st_mode & 0o777 == 0o700


def test_servers_know_the_exchange_and_bring_lessons_up_to_date(hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BNTEACH_HUB", "test")
    monkeypatch.setenv("BNTEACH_EXCHANGE", "/some/where")
    spawner = load(hub).Spawner
    who = spawner.environment.pop("BNTEACH_STUDENT")  # all share an account here, so the Hub must say it
    assert spawner.environment == {"BNTEACH_EXCHANGE": "/some/where", "BNTEACH_COURSE": "bn-2027"}
    assert who(SimpleNamespace(user=SimpleNamespace(name="ann"))) == "ann"
    done = subprocess.run([*spawner.cmd, "--port=1", "a b"], capture_output=True, text=True, env={
        "PATH": f"{commands(hub.parent, 'bnteach', 'jupyterhub-singleuser')}:/usr/bin:/bin"})
    assert done.stdout.splitlines() == ["bnteach class fetch --quiet", "jupyterhub-singleuser --port=1 a b"]


def commands(folder: Path, *names: str) -> Path:
    """A folder with commands that only say how they were called."""
    place = folder / "commands"
    place.mkdir()
    for name in names:
        (place / name).write_text(f'#!/bin/sh\necho {name} "$@"\n')
        (place / name).chmod(0o755)
    return place


def needs(package: str) -> None:
    if importlib.util.find_spec(package) is None:  # looked for, not imported
        pytest.skip(f'{package} is not installed: needs pip install ".[class]"')


TRAITS = """
import importlib, json, sys
classes = {name: value for module in sys.argv[1:] for name, value in vars(importlib.import_module(module)).items()
           if hasattr(value, "class_trait_names")}
print(json.dumps({name: value.class_trait_names(config=True) for name, value in classes.items()}))
"""


def unknown(config: Config, *modules: str) -> list[str]:
    """Settings that no class of these modules has. A Python of its own loads them: nbgrader wants the setuptools
    that it finds there, and whatever looked for pip before in the same process has put that out of reach."""
    done = subprocess.run([sys.executable, "-c", TRAITS, *modules], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    known = json.loads(done.stdout)
    return [f"{name}.{key}" for name, settings in config.items() for key in settings
            if key not in known.get(name, [])]


def test_jupyterhub_has_all_these_settings(hub: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs("jupyterhub")
    monkeypatch.setenv("BNTEACH_HUB", "test")
    where = ("jupyterhub.app", "jupyterhub.auth", "jupyterhub.spawner", "jupyterhub.proxy")
    config = load(hub)
    assert unknown(config, *where) == []
    config.Spawner.no_such_thing = 1
    assert unknown(config, *where) == ["Spawner.no_such_thing"]


# -- nbgrader --------------------------------------------------------------------------------------------------------
def test_nbgraders_settings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BNTEACH_COURSE", raising=False)
    monkeypatch.setenv("BNTEACH_EXCHANGE", "/some/where")
    config = load(folder / "nbgrader_config.py")
    assert config.CourseDirectory.course_id == "bn-2027" and config.Exchange.root == "/some/where"
    assert "student_id" not in config.CourseDirectory, "it would keep instructors from collecting the others'"
    monkeypatch.setenv("BNTEACH_STUDENT", "ann")
    assert load(folder / "nbgrader_config.py").CourseDirectory.student_id == "ann"
    assert os.path.isabs(config.Exchange.assignment_dir), "nbgrader takes another for a folder inside itself"
    solved = f"{config.ClearSolutions.begin_solution_delimeter}\nx = 1\n{config.ClearSolutions.end_solution_delimeter}"
    assert without_solution(solved) == config.ClearSolutions.code_stub["python"]


def test_nbgrader_has_all_these_settings(folder: Path) -> None:
    needs("nbgrader")
    where = ("nbgrader.coursedir", "nbgrader.exchange.default", "nbgrader.preprocessors")
    config = load(folder / "nbgrader_config.py")
    assert unknown(config, *where) == []
    config.Exchange.no_such_thing = 1
    assert unknown(config, *where) == ["Exchange.no_such_thing"]


def test_what_is_done_once_the_environment_is_there(folder: Path) -> None:
    place = commands(folder, "jupyter", "python")
    (place / "python").write_text(f"#!/bin/sh\necho '{folder}/prefix'\n")
    done = subprocess.run(["sh", "postBuild"], cwd=folder, capture_output=True, text=True,
                          env={"PATH": f"{place}:/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr
    assert (folder / "prefix" / "etc" / "jupyter" / "nbgrader_config.py").read_bytes() == (
        folder / "nbgrader_config.py").read_bytes()
    assert "assignment_list" not in done.stdout and "assignment-list" not in done.stdout, "students need this one"
    assert len(re.findall("server extension disable --sys-prefix", done.stdout)) == 3
    assert len(re.findall("labextension disable --level=sys_prefix", done.stdout)) == 5


# -- Kubernetes ------------------------------------------------------------------------------------------------------
def test_the_values_are_those_that_the_chart_knows(folder: Path) -> None:
    values = yaml.safe_load((folder / "values.yaml").read_text(encoding="utf-8"))
    jsonschema.validate(values, CHART)
    values["singleuser"]["memmory"] = "2G"
    with pytest.raises(jsonschema.ValidationError, match="memmory"):
        jsonschema.validate(values, CHART)


def test_nobody_gets_in_before_it_is_filled_in(folder: Path) -> None:
    config = yaml.safe_load((folder / "values.yaml").read_text(encoding="utf-8"))["hub"]["config"]
    assert config["JupyterHub"]["authenticator_class"] == "FILL-IN"
    assert config["Authenticator"] == {"admin_users": [], "allowed_users": []}


def test_a_student_sees_only_her_part_of_the_exchange(folder: Path) -> None:
    storage = yaml.safe_load((folder / "values.yaml").read_text(encoding="utf-8"))["singleuser"]["storage"]
    claim = yaml.safe_load((folder / "exchange-volume.yaml").read_text(encoding="utf-8"))
    volumes = {volume["name"]: volume for volume in storage["extraVolumes"]}
    assert volumes["exchange"]["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]
    assert claim["kind"] == "PersistentVolumeClaim" and claim["spec"]["accessModes"] == ["ReadWriteMany"]
    shared = [mount for mount in storage["extraVolumeMounts"] if mount["name"] == "exchange"]
    for mount in shared:
        assert mount.get("readOnly") or mount["subPath"].endswith("inbound/{username}"), mount
    assert {mount["mountPath"] for mount in shared} == {
        f"/srv/bnteach/exchange/bn-2027/{way}bound" for way in ("in", "out")}


class Spawner:
    """As much of a KubeSpawner as the hook in values.yaml touches."""

    def __init__(self, values: dict, admin: bool, as_mapping: bool) -> None:
        mounts = json.loads(json.dumps(values["storage"]["extraVolumeMounts"]))
        self.volume_mounts = {str(i): mount for i, mount in enumerate(mounts)} if as_mapping else mounts
        self.init_containers = json.loads(json.dumps(values["initContainers"]))
        self.user = SimpleNamespace(admin=admin)


@pytest.mark.parametrize("as_mapping", [False, True])
def test_an_instructor_sees_all_of_it(folder: Path, as_mapping: bool) -> None:
    values = yaml.safe_load((folder / "values.yaml").read_text(encoding="utf-8"))
    given = {"c": Config()}
    exec(values["hub"]["extraConfig"]["instructors"], given)
    student, instructor = (Spawner(values["singleuser"], admin, as_mapping) for admin in (False, True))
    for spawner in (student, instructor):
        given["c"].KubeSpawner.pre_spawn_hook(spawner)
    assert len(student.volume_mounts) == 3
    whole = {"name": "exchange", "mountPath": "/srv/bnteach/exchange", "subPath": "exchange"}
    assert instructor.volume_mounts == [whole] and instructor.init_containers[0]["volumeMounts"] == [whole]
