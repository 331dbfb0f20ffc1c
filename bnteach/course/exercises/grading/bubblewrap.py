"""The same view by bubblewrap, for systems that let that program make namespaces, but not us (Ubuntu since 24.04).

Inside it nobody has privileges, so nothing can be covered later on: the library is unpacked into a folder in memory,
loaded, and deleted before any submission is run. There is one such sandbox for a submission, not one for a question.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

import bnteach
from bnteach.course.exercises.grading.view import DEVICES, SCRATCH, View, view

PACKAGE = Path(bnteach.__file__).parent


def command(environment: Mapping[str, str]) -> list[str]:
    """bubblewrap with the view as its arguments; the program to run comes after it.

    With no /proc in the view, the linker does not know where the program is, and would not find what lies near it.
    """
    program = shutil.which("bwrap")
    if program is None:
        raise FileNotFoundError("bubblewrap is not installed")
    options = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    newer = ["--unshare-user", "--disable-userns"] if "--disable-userns" in options else []
    seen = view()
    linked = ":".join(sorted({str(path.parent) for path in seen.linked}))
    return [program, *newer, *_arguments(seen, {**environment, "LD_LIBRARY_PATH": linked}, sized="--size" in options)]


def _arguments(seen: View, environment: Mapping[str, str], sized: bool) -> Iterator[str]:
    def in_memory(path: object, size: int) -> tuple[str, ...]:
        return (*(("--size", str(size)) if sized else ()), "--tmpfs", str(path))

    yield from ("--unshare-all", "--die-with-parent", "--new-session", "--clearenv")
    for name, value in environment.items():
        yield from ("--setenv", name, value)
    for link, target in seen.links():
        yield from ("--symlink", str(target), str(link))
    for path in seen.folders():
        yield from ("--ro-bind", str(path), str(path))
    for path in seen.covered:
        yield from in_memory(path, 1 << 20)
    yield from in_memory(PACKAGE, 16 << 20)
    for path in (*seen.packages, *seen.linked):
        yield from ("--ro-bind", str(path), str(path))
    for path in DEVICES:
        yield from ("--dev-bind", path, path)
    yield from in_memory(SCRATCH, 16 << 20)
    for path in ("/", *seen.covered):
        yield from ("--remount-ro", str(path))
    yield from ("--chdir", SCRATCH)


def pack(file: BinaryIO) -> None:
    """Write the library's code as an archive, without its data, lessons, questions and other things of the grader's."""
    with tarfile.open(fileobj=file, mode="w|") as archive:
        for path in sorted(PACKAGE.rglob("*.py")):
            name = path.relative_to(PACKAGE)
            if name.parts[0] not in ("data", "lessons") and name.parts[:3] != ("course", "exercises", "questions"):
                archive.add(path, name.as_posix())


UNPACK = """
import json, os, shutil, sys, tarfile
control, path, archive, package = json.loads(sys.argv[1])
sys.path[:0] = path
names = []
with os.fdopen(archive, "rb") as file, tarfile.open(fileobj=file, mode="r|") as packed:
    for member in packed:
        packed.extract(member, package)
        names.append(member.name)
def forget():
    for name in names:
        os.remove(os.path.join(package, name))
from bnteach.course.exercises.grading.zygote import main
main(control, "bubblewrap", forget)
"""
