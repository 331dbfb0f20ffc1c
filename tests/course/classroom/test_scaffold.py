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

from bnteach.course.classroom import environment
from bnteach.course.classroom.exchange import ClassError
from bnteach.course.classroom.scaffold import NAMES, write_class, write_texts
from bnteach.course.exercises.copies import without_solution
from tests.course.classroom.chart import CHART

ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_texts(tmp_path / "spring", "bn-2027")
    return tmp_path / "spring"


def load(path: Path) -> Config:
    """A configuration, as Jupyter's programs load it."""
    return PyFileConfigLoader(path.name, str(path.parent)).load_config()


# -- writing -----------------------------------------------------------------------------------------------------
def test_all_files_are_written_and_filled_in(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert {path.relative_to(folder).as_posix() for path in files} == {*NAMES, "constraints.txt"}
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert not re.search("@[A-Z]+@", text) and text.endswith("\n")
        assert max(map(len, text.splitlines())) <= 120, path.name
    assert os.access(folder / "postBuild", os.X_OK)
    assert folder.stat().st_mode & 0o777 == 0o700, "what students hand in, and their grades, will be here"
    readme = (folder / "README.md").read_text(encoding="utf-8")
    assert all(name.partition("/")[0] in readme for name in NAMES if name not in ("README.md", ".gitignore"))
    assert all(f"## {part}" in readme for part in ("Day 1", "Every week", "End of term"))
    assert len(readme.splitlines()) <= 110, "two pages"


def test_images_and_namespaces_have_names_that_their_tools_take(tmp_path: Path) -> None:
    """Small letters, digits and hyphens; the course itself keeps its name."""
    write_texts(tmp_path / "new", "BN_2027_")
    texts = "".join(path.read_text() for path in (tmp_path / "new").iterdir() if path.is_file())
    named = re.findall(r"(?:images\.example\.edu/|--namespace |create namespace |--install )([^:\s]+)", texts)
    assert len(named) >= 6 and set(named) == {"bn-2027"}
    assert 'BNTEACH_COURSE: "BN_2027_"' in texts and "BNTEACH_COURSE=BN_2027_" in texts


def test_nothing_is_overwritten(folder: Path) -> None:
    (folder / "values.yaml").write_text("mine: true\n")
    (folder / "postBuild").unlink()
    (folder / "README.md").unlink()
    (folder / "README.md").symlink_to("nowhere")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    became = {one.path.relative_to(folder).as_posix(): one.what for one in write_texts(folder, "bn-2027")}
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
def pins(text: str) -> dict[str, str]:
    """{package: version} in a file of constraints."""
    return dict(re.findall(r"^([\w.-]+)==([^\s;]+)", text, re.MULTILINE))


def test_every_version_of_the_environment_is_given(folder: Path) -> None:
    pinned = pins((folder / "constraints.txt").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = [*project["dependencies"], *extras["course"], *extras["class"]]
    assert {re.match(r"[\w.-]+", one)[0].lower() for one in needed} <= set(pinned)
    assert pinned["jupyterhub"].startswith("5."), "as the Hub of the chart's version 4"
    asked = [line for line in (folder / "requirements.txt").read_text().splitlines() if line[:1] != "#"]
    assert asked == ["-c constraints.txt", f"./{environment.WHEEL}[course,class]"]
    *listed, last = yaml.safe_load((folder / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    assert listed == ["python=3.12", "pip"] and last == {"pip": ["-r requirements.txt"]}


def test_the_wheel_lies_beside_them_also_from_an_installed_one(folder: Path, tmp_path: Path,
                                                               monkeypatch: pytest.MonkeyPatch) -> None:
    """Built in a checkout; put together again where there is none, with the same content."""
    write_class(folder, "bn-2027")
    built = folder / environment.WHEEL
    pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target", str(tmp_path / "site")]
    subprocess.run([*pip, str(built)], check=True)
    there = "from bnteach.course.classroom.scaffold import write_class; from pathlib import Path; import sys\n" \
            "print([one.what for one in write_class(Path(sys.argv[1]), 'bn-2027')])"
    done = subprocess.run([sys.executable, "-c", there, str(tmp_path / "again")], capture_output=True, text=True,
                          cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path / "site")})
    assert done.returncode == 0 and set(eval(done.stdout)) == {"written"}, done.stderr
    with zipfile.ZipFile(built) as one, zipfile.ZipFile(tmp_path / "again" / environment.WHEEL) as other:
        assert {name: one.read(name) for name in one.namelist() if "RECORD" not in name} == {
            name: other.read(name) for name in other.namelist() if "RECORD" not in name}
        assert {*NAMES.values(), "constraints.txt"} <= {Path(name).name for name in other.namelist()}
    assert (tmp_path / "again" / "constraints.txt").read_bytes() == (ROOT / "constraints.txt").read_bytes()
    subprocess.run([*pip[:-1], str(tmp_path / "twice"), str(tmp_path / "again" / environment.WHEEL)], check=True)


def test_a_wheel_that_cannot_be_built_is_a_sentence(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "BUILD", "raise SystemExit('no hatch today')")
    monkeypatch.setattr(environment, "is_installed", lambda module: True)
    with pytest.raises(ClassError, match=r"could not be built: no hatch today\. All else is written"):
        write_class(folder, "bn-2027")


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
    assert done.stdout.splitlines() == ["bnteach class lessons --quiet", "jupyterhub-singleuser --port=1 a b"]


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


QUICK = "import sys; sys.modules['rfc3987_syntax'] = None"  # which takes three seconds, to check addresses in schemas
TRAITS = """
import importlib, json, sys
classes = {name: value for module in sys.argv[1:] for name, value in vars(importlib.import_module(module)).items()
           if hasattr(value, "class_trait_names")}
print(json.dumps({name: value.class_trait_names(config=True) for name, value in classes.items()}))
"""


def unknown(config: Config, *modules: str) -> list[str]:
    """Settings that no class of these modules has. A Python of its own loads them: nbgrader wants the setuptools
    that it finds there, and whatever looked for pip before in the same process has put that out of reach."""
    done = subprocess.run([sys.executable, "-c", QUICK + TRAITS, *modules], capture_output=True, text=True)
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
    assert {name.rpartition(".")[2] for name in config.ExchangeFactory.values()} == {
        "Submit", "Collect", "ReleaseAssignment", "ReleaseFeedback"}
    assert "student_id" not in config.CourseDirectory, "it would keep instructors from collecting the others'"
    monkeypatch.setenv("BNTEACH_STUDENT", "ann")
    assert load(folder / "nbgrader_config.py").CourseDirectory.student_id == "ann"
    assert os.path.isabs(config.Exchange.assignment_dir), "nbgrader takes another for a folder inside itself"
    solved = f"{config.ClearSolutions.begin_solution_delimeter}\nx = 1\n{config.ClearSolutions.end_solution_delimeter}"
    assert without_solution(solved) == config.ClearSolutions.code_stub["python"]


def test_nbgrader_has_all_these_settings(folder: Path) -> None:
    needs("nbgrader")
    where = ("nbgrader.coursedir", "nbgrader.exchange.default", "nbgrader.exchange.exchange_factory",
             "nbgrader.preprocessors")
    config = load(folder / "nbgrader_config.py")
    assert unknown(config, *where) == []
    config.Exchange.no_such_thing = 1
    assert unknown(config, *where) == ["Exchange.no_such_thing"]


def test_what_is_done_once_the_environment_is_there(folder: Path) -> None:
    place = commands(folder, "python")
    (place / "python").write_text(f"#!/bin/sh\necho '{folder}/prefix'\n")
    done = subprocess.run(["sh", "postBuild"], cwd=folder, capture_output=True, text=True,
                          env={"PATH": f"{place}:/usr/bin:/bin"})
    assert done.returncode == 0, done.stderr
    settings = folder / "prefix" / "etc" / "jupyter"
    assert (settings / "nbgrader_config.py").read_bytes() == (folder / "nbgrader_config.py").read_bytes()
    server = json.loads((settings / "jupyter_server_config.d" / "zz-class.json").read_text())
    lab = json.loads((settings / "labconfig" / "page_config.json").read_text())
    off = {*server["ServerApp"]["jpserver_extensions"], *lab["disabledExtensions"]}
    page = json.loads((folder / "formgrader" / "labconfig" / "page_config.json").read_text())
    config = json.loads((folder / "formgrader" / "jupyter_server_config.json").read_text())
    assert {*page["disabledExtensions"], *config["ServerApp"]["jpserver_extensions"]} <= off, "on again for instructors"
    assert len(off) == 8 and not any(server["ServerApp"]["jpserver_extensions"].values())
    assert not any("assignment_list" in part or "assignment-list" in part for part in off), "students need this one"


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
    assert {mount["mountPath"].rpartition("/")[2]: mount["subPath"] for mount in shared} == {
        "outbound": "exchange/bn-2027/outbound", "inbound": "exchange/bn-2027/inbound/{username}",
        "feedback": "exchange/bn-2027/feedback/{username}"}, "all run under one number: she could list a common one"


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
    assert len(student.volume_mounts) == 4
    whole = {"name": "exchange", "mountPath": "/srv/bnteach/exchange", "subPath": "exchange"}
    assert instructor.volume_mounts == [whole] and instructor.init_containers[0]["volumeMounts"] == [whole]
    exchange = folder / "exchange"  # what the container does there, without being root
    exchange.mkdir()
    place = commands(folder, "chown")
    shell, option, line = instructor.init_containers[0]["command"]
    subprocess.run([shell, option, line.replace("/srv/bnteach/exchange", str(exchange))], check=True,
                   env={"PATH": f"{place}:/usr/bin:/bin"})
    assert {path.name for path in (exchange / "bn-2027").iterdir()} == {"inbound", "outbound", "feedback"}
