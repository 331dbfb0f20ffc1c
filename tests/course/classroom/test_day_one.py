"""Day 1 of an instructor, as the README that `bnteach class init` writes has it: its commands are run, one by one.

What differs from a new machine: folders and ports are those of the test, what pip would download is there already, npm
gives the proxy that is installed here, sudo is not needed, and no button is pressed: the server is asked for the same.
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
import tempfile
from pathlib import Path

import pytest

from tests.course.classroom.accounts import may_act
from tests.course.classroom.hub.server import free_ports, until_it_answers
from tests.course.classroom.hub.student import Student
from tests.course.classroom.test_hub import find_proxy

NAME = "01_how_many_graphs"
SHELL = ["bash", "-euc"]
ROOT = os.geteuid() == 0
WHO = {"user": "nobody", "group": pwd.getpwnam("nobody").pw_gid, "extra_groups": []} if ROOT else {}  # not root itself
pytestmark = pytest.mark.skipif(ROOT and not may_act(), reason="another account may not read this checkout")


@pytest.fixture
def machine():
    """A machine without bnteach, in a folder."""
    base = Path(tempfile.mkdtemp(prefix="bnteach-day-one-"))
    (base / "bin").mkdir()
    (base / "there").mkdir()
    for path in Path(sysconfig.get_path("purelib")).iterdir():  # what pip would download, but not bnteach
        if not re.search("bnteach|^pip|^_virtualenv|easy-install", path.name):
            (base / "there" / path.name).symlink_to(path)
    (base / "quick").mkdir()
    (base / "quick" / "rfc3987_syntax.py").write_text("raise ImportError('three seconds of every server')\n")
    commands = {"sudo": 'exec "$@"', "python3": f'exec {sys._base_executable} "$@"',
                "npm": f'test "$*" = "install -g --prefix $VIRTUAL_ENV configurable-http-proxy@4"\n'
                       f'ln -s {find_proxy()} "$VIRTUAL_ENV/bin/configurable-http-proxy"'}
    for name, text in commands.items():
        (base / "bin" / name).write_text(f"#!/bin/sh\nset -e\n{text}\n")
        (base / "bin" / name).chmod(0o755)
    for folder in (base, base / "class", base / "srv"):
        folder.mkdir(exist_ok=True)
        folder.chmod(0o755)
        if ROOT:
            shutil.chown(folder, "nobody")
    yield base
    shutil.rmtree(base)


def commands_of(readme: str) -> list[list[str]]:
    """The commands of day 1 on one machine, block by block; without the last, which is for a class with accounts."""
    day = readme.partition("## Day 1")[2].partition("**Kubernetes.**")[0]
    blocks = re.findall(r"(?:^ {4}.+\n)+", day, re.MULTILINE)
    return [[line.strip() for line in block.splitlines()] for block in blocks]


def in_class(machine: Path, lines: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run lines of a shell in the class's folder, after those that were run in it before."""
    return subprocess.run([*SHELL, "\n".join(lines)], cwd=folder, env=surroundings(machine), capture_output=True,
                          text=True, **WHO)


def surroundings(machine: Path) -> dict[str, str]:
    """The environment of a new shell."""
    return {"PATH": f"{machine / 'bin'}:/usr/local/bin:/usr/bin:/bin", "HOME": str(machine), "LC_ALL": "C.UTF-8",
            "USER": "nobody" if ROOT else pwd.getpwuid(os.geteuid()).pw_name,
            "PYTHONPATH": f"{machine / 'quick'}:{machine / 'there'}", "PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def test_the_readme_is_followed_to_the_letter(machine: Path) -> None:
    folder, ports = machine / "class", free_ports(3)
    subprocess.run([sys.executable, "-m", "bnteach", "class", "init", ".", "--course", "bn"], cwd=folder, check=True)
    for path in folder.iterdir() if ROOT else ():
        shutil.chown(path, "nobody")
    blocks = commands_of((folder / "README.md").read_text(encoding="utf-8"))
    assert [len(block) for block in blocks] == [6, 3, 3, 4]
    here = [[line.replace("/srv/bnteach", f"{machine}/srv").replace("/tmp/exchange", f"{machine}/exchange")
             for line in block] for block in blocks]
    set_up, (variables, release, hub), after, for_the_class = here
    done = in_class(machine, set_up, folder)
    assert done.returncode == 0, done.stdout + done.stderr
    ready = [set_up[2], variables]  # what holds in the same terminal
    done = in_class(machine, [*ready, "command -v bnteach nbgrader jupyterhub", release], folder)
    assert done.returncode == 0 and done.stdout.count(f"{machine}/srv/env/bin/bnteach") == 1, done.stdout + done.stderr
    config = folder / "jupyterhub_config.py"
    config.write_text(config.read_text().replace("http://127.0.0.1:8000", f"http://127.0.0.1:{ports[0]}") + f"""
c.JupyterHub.hub_port = {ports[1]}
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{ports[2]}"
""")
    with open(machine / "hub.log", "wb") as log:
        running = subprocess.Popen([*SHELL, "\n".join([*ready, f"{hub.replace('jupyterhub', 'exec jupyterhub')}"])],
                                   cwd=folder, stdout=log, stderr=log, env=surroundings(machine), **WHO)
    try:
        asyncio.run(try_it(running, f"http://127.0.0.1:{ports[0]}"))
    finally:
        running.terminate()
        running.wait(60)
    done = in_class(machine, [*ready, *after], folder)
    assert done.returncode == 0 and "1 pages returned by nbgrader" in done.stdout, done.stdout + done.stderr
    assert (folder / "submitted" / "student01" / NAME / f"{NAME}.ipynb").is_file()
    done = in_class(machine, [set_up[2], *for_the_class[:3]], folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (machine / "srv" / "exchange" / "bn" / "outbound" / NAME / f"{NAME}.ipynb").is_file()
    assert not (folder / "attempts").exists() and for_the_class[3] == 'sudo env PATH="$PATH" jupyterhub'


async def try_it(hub: subprocess.Popen[bytes], url: str) -> None:
    """Log in as student01, fetch and submit."""
    await until_it_answers(hub, url)
    student = Student("student01", url)
    await student.log_in()
    await student.start()
    what = {"course_id": "bn", "assignment_id": NAME}
    assert (await student.server("assignments/fetch", "POST", what))["success"]
    lessons = (await student.server("api/contents/bnteach-lessons"))["content"]
    assert len(lessons) > 20
    answer = await student.server("assignments/submit", "POST", what)
    assert answer["success"] and [one["status"] for one in answer["value"]] == ["fetched", "submitted"]
    await student.stop()
