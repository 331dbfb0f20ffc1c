"""The tests without lessons and browser under every other Python that is found here (`make test-pythons`).

The newest runs them all, the others those of the library. Each has an environment of its own, such as .venv-3.12, and
its own order of the tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
VERSIONS = ("3.11", "3.12", "3.13", "3.14")
MINE = "{}.{}".format(*sys.version_info)
ONCE = ("tests/course/pages/test_site.py", "tests/learn/test_pc_five_nodes.py", "tests/type_checks")
"""What takes long and is the same under every Python: Sphinx, all graphs on five nodes, mypy."""
COURSE = "tests/course"


def candidates(version: str) -> Iterator[Path]:
    """Where a Python may be: on the path, or among those that pyenv keeps."""
    for folder in os.get_exec_path():
        yield Path(folder, f"python{version}")
    pyenv = Path(os.environ.get("PYENV_ROOT", os.path.expanduser("~/.pyenv")))
    yield from sorted(pyenv.glob(f"versions/{version}.*/bin/python{version}"))


def works(python: Path) -> bool:
    """Whether it runs (pyenv's stand-ins on the path may not) and can make environments (Debian's may not)."""
    try:
        return subprocess.run([python, "-c", "import venv, ensurepip"], capture_output=True).returncode == 0
    except OSError:
        return False


def find(version: str) -> Path | None:
    """The first Python of this version that works."""
    return next((python for python in candidates(version) if python.exists() and works(python)), None)


def run(version: str, python: Path, without: list[str], more: list[str]) -> bool:
    """Whether all tests without these pass under this Python."""
    print(f"Python {version}: {python}", flush=True)
    arguments = " ".join([*(f"--ignore={path}" for path in without), *more])
    command = ["make", "test-code", f"VENV=.venv-{version}", f"PYTHON={python}", f"ARGS={arguments}"]
    return subprocess.run(command, cwd=ROOT, env={**os.environ, "BNTEACH_SHUFFLE": version}).returncode == 0


def main(more: list[str]) -> int:
    """Run the tests under each; 1 if any fails."""
    found = {version: find(version) for version in VERSIONS if version != MINE}
    there = {version: python for version, python in found.items() if python}
    passed = {version: run(version, python, [*ONCE] if version == [*there][-1] else [*ONCE, COURSE], more)
              for version, python in there.items()}
    for version in found:
        print(f"Python {version}: {('failed', 'passed')[passed[version]] if version in passed else 'not found here'}")
    return 0 if all(passed.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
