"""The part of the file system that is visible in the sandbox: Python, a few libraries and the course's data.

Everything is read-only. Of the installed packages only those that the library itself needs are visible. The files of
bnteach are not: the modules that may be used are loaded already, the solutions and the judging modules are not. The
paths of Python itself come from sysconfig, and those of its shared libraries from the linker that has loaded them.
"""

from __future__ import annotations

import ctypes
import os
import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

NEEDED = ("numpy", "pandas", "networkx", "scipy", "tqdm", "lazy-loader")
SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
SCRATCH = "/scratch"  # the only writable folder; not /tmp, since this Python itself may be there


@dataclass(frozen=True)
class View:
    """Paths to show, then paths to cover by an empty folder, then paths inside these to show nevertheless."""

    trees: tuple[Path, ...]
    covered: tuple[Path, ...]
    packages: tuple[Path, ...]
    linked: tuple[Path, ...]  # shared libraries of this Python that are not where the system's are

    def links(self) -> Iterator[tuple[Path, Path]]:
        """The trees that are links on this system, as /lib is to /usr/lib, and where they lead."""
        return ((tree, tree.readlink()) for tree in self.trees if tree.is_symlink())

    def folders(self) -> Iterator[Path]:
        """The trees that are not links."""
        return (tree for tree in self.trees if not tree.is_symlink())


def view() -> View:
    """The view for this Python."""
    from bnteach.datasets.files import data_path

    system = [path for path in map(Path, SYSTEM) if path.exists()]
    standard = [Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib")]
    trees = [*system, *_in_no_other((path.parent for path in standard), system)]
    covered = {*(path for tree in trees for path in tree.glob("python*/*-packages")),
               *(Path(entry) for entry in sys.path if re.search(r"(site|dist)-packages$", entry))}
    seen = {place for path in covered if path.is_dir() for place in _seen(path, trees)}
    seen = {place for place in seen if not seen & {*place.parents}}
    linked = dict.fromkeys(link for path in loaded() for link in _links(path)
                           if not _inside(link.parent, [*system, *standard, *covered]))
    return View(tuple(trees), tuple(sorted(seen)), (*packages(NEEDED), data_path("five_rows.csv").parent),
                tuple(linked))


def _links(path: Path) -> Iterator[Path]:
    """The file, if it is a link what it leads to, and so on."""
    yield path
    while path.is_symlink():
        path = Path(os.path.abspath(path.parent / path.readlink()))
        yield path


class _Loaded(ctypes.Structure):
    _fields_ = [("address", ctypes.c_void_p), ("name", ctypes.c_char_p)]


def loaded() -> list[Path]:
    """The shared libraries of this process, by the names under which they were found."""
    names: list[str] = []

    @ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Loaded), ctypes.c_size_t, ctypes.c_void_p)
    def visit(one: Any, *_: object) -> int:
        names.append(os.fsdecode(one.contents.name))
        return 0

    ctypes.CDLL(None).dl_iterate_phdr(visit, None)
    return [Path(os.path.abspath(name)) for name in names if name.startswith("/")]


def _inside(path: Path, trees: Iterable[Path]) -> bool:
    return any(path.resolve().is_relative_to(tree.resolve()) for tree in trees)


def _seen(path: Path, trees: Iterable[Path]) -> Iterator[Path]:
    """The paths of a folder in the trees, links resolved."""
    return (tree / path.resolve().relative_to(tree.resolve()) for tree in trees
            if _inside(path, [tree]) and not tree.is_symlink())


def _in_no_other(paths: Iterable[Path], trees: Iterable[Path]) -> Iterator[Path]:
    return (path for path in dict.fromkeys(paths) if not _inside(path, trees))


def packages(names: Iterable[str]) -> list[Path]:
    """The files and folders of some distributions and of their dependencies."""
    found: dict[Path, None] = {}
    queue, seen = list(names), set()
    while queue:
        name = queue.pop(0)
        if name in seen:
            continue
        seen.add(name)
        try:
            dist = metadata.distribution(name)
        except metadata.PackageNotFoundError:
            continue  # needed on another system only
        queue += [re.match(r"[\w.-]+", need)[0] for need in dist.requires or () if "extra ==" not in need]
        tops = {file.parts[0] for file in dist.files or () if file.parts[0] not in ("..", "__pycache__", "bin")}
        found.update(dict.fromkeys(Path(dist.locate_file(top)) for top in sorted(tops)))
    return [path for path in found if path.exists()]
