"""Day 1 of an instructor, as the README that `bnteach class init` writes has it: its commands are run, one by one.

    python -m tests.course.classroom.hub.day_one FOLDER PROXY

What differs from a new machine: folders and ports are those of the test, what pip would download is there already, npm
gives the proxy that is installed here, sudo is not needed, and no button is pressed: the server is asked for the same.
As root, in a mount namespace of its own, everything is done by the account `nobody`.
"""

from __future__ import annotations

import asyncio
import os
import pwd
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from shlex import quote
from typing import Any

import bnteach
from tests.course.classroom.hub.server import free_ports, until_it_answers
from tests.course.classroom.hub.student import Student
from tests.course.classroom.hub.world import uncover

NAME = "01_how_many_graphs"
ROOT = os.geteuid() == 0
WHO: dict[str, Any] = {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []} if ROOT else {}


def make_machine(base: Path, proxy: str) -> None:
    """A machine without bnteach: three commands, and what pip would download."""
    if ROOT:
        uncover([Path(sys.prefix), Path(sys.base_prefix), Path(bnteach.__file__).parents[1]], base / "below")
    env, here = base / "srv" / "env", Path(sysconfig.get_path("purelib"))
    packages = env / here.relative_to(sys.prefix)
    for folder in (base / "bin", base / "quick", base / "class", packages, env / "share"):
        folder.mkdir(parents=True)
    for path in here.iterdir():
        if not re.search("bnteach|^pip|^_virtualenv|easy-install", path.name):
            (packages / path.name).symlink_to(path)
    shutil.copytree(Path(sys.prefix, "etc", "jupyter"), env / "etc" / "jupyter")
    (env / "share" / "jupyter").symlink_to(Path(sys.prefix, "share", "jupyter"))
    (base / "quick" / "rfc3987_syntax.py").write_text("raise ImportError('three seconds of every server')\n")
    commands = {"sudo": 'exec "$@"', "python3": f'exec {quote(sys._base_executable)} "$@"',
                "npm": 'test "$*" = "install -g --prefix $VIRTUAL_ENV configurable-http-proxy@4"\n'
                       f'ln -s {quote(proxy)} "$VIRTUAL_ENV/bin/configurable-http-proxy"'}
    scripts = {name: f"#!/bin/sh\nset -e\n{text}\n" for name, text in commands.items()}
    for name in ("alembic", "jupyterhub", "jupyterhub-singleuser", "nbgrader"):  # of what pip would download
        _, _, text = Path(sys.prefix, "bin", name).read_text(encoding="utf-8").partition("\n")
        scripts[name] = f"#!{env}/bin/python\n{text}"
    for name, text in scripts.items():
        (base / "bin" / name).write_text(text)
        (base / "bin" / name).chmod(0o755)
    for path in (base, base / "class", base / "srv", *(base / "srv").rglob("*")) if ROOT else ():
        if not path.is_symlink():
            shutil.chown(path, "nobody")


def commands_of(readme: str) -> list[list[str]]:
    """The commands of day 1 on one machine, block by block."""
    day = readme.partition("## Day 1")[2].partition("**Kubernetes.**")[0]
    blocks = re.findall(r"(?:^ {4}.+\n)+", day, re.MULTILINE)
    return [[line.strip() for line in block.splitlines()] for block in blocks]


def start(base: Path, lines: list[str], **more: Any) -> subprocess.Popen[str]:
    """A new shell in the class's folder, with these lines."""
    there = {"PATH": f"{base / 'bin'}:/usr/local/bin:/usr/bin:/bin", "HOME": str(base), "LC_ALL": "C.UTF-8",
             "USER": "nobody" if ROOT else pwd.getpwuid(os.geteuid()).pw_name,
             "PYTHONPATH": str(base / "quick"), "PIP_NO_INDEX": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    return subprocess.Popen(["bash", "-euc", "\n".join(lines)], cwd=base / "class", env=there, text=True, **WHO, **more)


def run(base: Path, *lines: str) -> str:
    """Run lines in a new shell; all must go well. What they said."""
    shell = start(base, list(lines), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said, _ = shell.communicate(timeout=600)
    assert shell.returncode == 0, "\n".join([*lines, said])
    return said


def follow(base: Path) -> None:
    """Do what the README says."""
    folder, ports = base / "class", free_ports(3)
    subprocess.run([sys.executable, "-m", "bnteach", "class", "init", ".", "--course", "bn"], cwd=folder, check=True)
    for path in folder.rglob("*") if ROOT else ():
        shutil.chown(path, "nobody")
    blocks = commands_of((folder / "README.md").read_text(encoding="utf-8"))
    assert [len(block) for block in blocks] == [6, 3, 3, 4]
    set_up, (variables, release, hub), after, for_the_class = [
        [line.replace("/srv/bnteach", f"{base}/srv").replace("/tmp/exchange", f"{base}/exchange") for line in block]
        for block in blocks]
    assert hub == "BNTEACH_HUB=test jupyterhub" and for_the_class.pop() == 'sudo env PATH="$PATH" jupyterhub'
    run(base, *set_up)
    ready = (set_up[2], variables)  # what holds in the same terminal
    assert f"{base}/srv/env/bin/bnteach" in run(base, *ready, "command -v bnteach", release)
    with open(folder / "jupyterhub_config.py", "a") as config:
        config.write(f"""
c.JupyterHub.bind_url = "http://127.0.0.1:{ports[0]}"
c.JupyterHub.hub_port = {ports[1]}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{ports[2]}"
""")
    with open(base / "hub.log", "w") as log:
        running = start(base, [*ready, hub.replace("jupyterhub", "exec jupyterhub")], stdout=log, stderr=log)
    try:
        asyncio.run(try_it(running, f"http://127.0.0.1:{ports[0]}"))
    finally:
        running.terminate()
        running.wait(60)
    loaded = re.findall(r"Loading the (\w+) nbgrader serverextension", (base / "hub.log").read_text(errors="replace"))
    assert loaded == ["assignment_list"], "what postBuild has switched off"
    assert "1 pages returned by nbgrader" in run(base, *ready, *after)
    assert (folder / "submitted" / "student01" / NAME / f"{NAME}.ipynb").is_file()
    run(base, set_up[2], *for_the_class)
    assert (base / "srv" / "exchange" / "bn" / "outbound" / NAME / f"{NAME}.ipynb").is_file()
    assert not (folder / "attempts").exists(), "of the test nothing is left"


async def try_it(hub: subprocess.Popen[str], url: str) -> None:
    """Log in as student01, fetch and submit."""
    await until_it_answers(hub, url)
    student = Student("student01", url)
    await student.log_in()
    await student.start()
    assert len((await student.server("api/contents/bnteach-lessons"))["content"]) > 20
    what = {"course_id": "bn", "assignment_id": NAME}
    assert (await student.server("assignments/fetch", "POST", what))["success"]
    answer = await student.server("assignments/submit", "POST", what)
    assert answer["success"] and [one["status"] for one in answer["value"]] == ["fetched", "submitted"], answer
    await student.stop()


if __name__ == "__main__":
    make_machine(Path(sys.argv[1]), sys.argv[2])
    follow(Path(sys.argv[1]))
