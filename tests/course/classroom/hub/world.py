"""A machine for a class: accounts, homes, an instructor's folder and an exchange, none of it on the real machine.

As root, in mount and process namespaces of its own, it has system accounts that are in no real /etc/passwd. Otherwise
everybody is one account, and what keeps students apart cannot be tried: `World.separate` says which it is.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import bnteach

STUDENTS = [f"student{i:02}" for i in range(1, 21)]
FIRST, INSTRUCTOR = 61001, 61100
COURSE = "bn-test"
PROGRAMS = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}  # an activated environment


@dataclass(frozen=True)
class World:
    """Where everything is."""

    base: Path
    separate: bool

    @property
    def exchange(self) -> Path:
        return self.base / "exchange"

    @property
    def folder(self) -> Path:
        """The instructor's own."""
        return self.base / "class"

    def home(self, student: str) -> Path:
        return (self.base if self.separate else self.base / "state") / "homes" / student

    def instructor(self, *command: str) -> str:
        """Run a command as the instructor, in the class's folder; it must go well. What it said."""
        who = {"user": INSTRUCTOR, "group": INSTRUCTOR, "extra_groups": []} if self.separate else {}
        return self.run(*command, **who)

    def grader(self, *command: str) -> str:
        """Run a command as root, who may make the sandbox everywhere; what it writes is the instructor's."""
        said = self.run(*command)
        for path in (self.folder / "grades", *(self.folder / "grades").rglob("*")) if self.separate else ():
            shutil.chown(path, INSTRUCTOR, INSTRUCTOR)
        return said

    def run(self, *command: str, **who: Any) -> str:
        place = {"BNTEACH_EXCHANGE": str(self.exchange), "BNTEACH_COURSE": COURSE, "HOME": str(self.folder),
                 "JUPYTER_CONFIG_DIR": str(self.folder), "JUPYTER_DATA_DIR": str(self.folder / "jupyter"),
                 "IPYTHONDIR": str(self.folder / "ipython"), "PYTHONPATH": str(self.base / "quick"), **PROGRAMS}
        done = subprocess.run([sys.executable, "-W", "ignore", "-m", *command], cwd=self.folder,
                              env={**os.environ, **place}, capture_output=True, text=True, **who)
        assert done.returncode == 0, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr


def may_separate() -> str:
    """Why students cannot be separate accounts here; empty if they can."""
    if os.name != "posix" or os.geteuid() != 0:
        return "only root can start servers under other accounts"
    tried = subprocess.run([*NAMESPACES, "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, text=True)
    return f"no namespaces of its own: {tried.stderr.strip()}" if tried.returncode else ""


NAMESPACES = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]


def make_world(base: Path, separate: bool) -> World:
    """Everything that is there before the Hub starts. With `separate` we are in namespaces of our own by now."""
    world = World(base, separate)
    for folder in (world.folder, base / "state", base / "homes", base / "quick"):
        folder.mkdir()
    # Without a package that takes three seconds of every server, to check addresses in schemas.
    (base / "quick" / "rfc3987_syntax.py").write_text("raise ImportError('left out of the test')\n")
    if separate:
        uncover([Path(sys.prefix), Path(sys.base_prefix), Path(bnteach.__file__).parents[1]], base / "below")
        make_accounts(world)
        shutil.chown(world.folder, INSTRUCTOR, INSTRUCTOR)
    world.folder.chmod(0o700)
    world.exchange.mkdir()
    world.exchange.chmod(0o1777)
    return world


def make_accounts(world: World) -> None:
    """Accounts that only our own namespace knows, each with a home that is closed to others."""
    people = {**{name: FIRST + i for i, name in enumerate(STUDENTS)}, "instructor": INSTRUCTOR}
    passwd = [f"{name}:x:{number}:{number}::{world.home(name)}:/bin/sh" for name, number in people.items()]
    group = [f"{name}:x:{number}:" for name, number in people.items()]
    for name, lines in (("passwd", passwd), ("group", group)):
        ours = world.base / name
        ours.write_text(Path("/etc", name).read_text() + "\n".join(lines) + "\n")
        mount("--bind", ours, Path("/etc", name))
    for name, number in people.items():
        world.home(name).mkdir(mode=0o700)
        shutil.chown(world.home(name), number, number)


def uncover(needed: list[Path], aside: Path) -> None:
    """See that other accounts can run our Python, though it may be below a folder that is closed, as /root is."""
    closed = {path: above[-1] for path in needed if (above := [up for up in path.parents if not up.stat().st_mode & 1])}
    for number, path in enumerate(closed):
        (aside / str(number)).mkdir(parents=True)
        mount("--bind", path, aside / str(number))
    for folder in sorted(set(closed.values())):
        mount("-t", "tmpfs", "-o", "mode=755", "none", folder)
    for number, path in enumerate(closed):
        path.mkdir(parents=True, exist_ok=True)
        mount("--bind", aside / str(number), path)


def mount(*arguments: str | Path) -> None:
    subprocess.run(["mount", *map(str, arguments)], check=True)
