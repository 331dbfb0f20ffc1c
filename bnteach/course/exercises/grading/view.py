"""What code in the sandbox can see of the file system: Python, a few libraries, the course's data, and nothing else.

Everything is read-only. Of the installed packages only those are there that the library itself needs. The files of
bnteach are not there at all: what may be used of it is loaded already, the solutions and the judges' modules are
not, and no source can be read back to undo what a question withholds (withhold.py). For the same reason the files of
other libraries' modules that some question withholds are covered by an empty one.
"""

from __future__ import annotations

import re
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

NEEDED = ("numpy", "pandas", "networkx", "scipy", "tqdm")
SYSTEM = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")
SCRATCH = "/scratch"  # the only place that can be written to; not /tmp, since this Python itself may be there


@dataclass(frozen=True)
class View:
    """Paths to show, then paths to cover by an empty folder, then what to show there all the same."""

    trees: tuple[Path, ...]
    covered: tuple[Path, ...]
    packages: tuple[Path, ...]
    hidden: tuple[Path, ...]

    def links(self) -> Iterator[tuple[Path, Path]]:
        """The trees that are links on this system, as /lib is to /usr/lib, and where they lead."""
        return ((tree, tree.readlink()) for tree in self.trees if tree.is_symlink())

    def folders(self) -> Iterator[Path]:
        """The trees that are none."""
        return (tree for tree in self.trees if not tree.is_symlink())


def view(withheld_modules: Iterable[str] = ()) -> View:
    """The view for this Python. The modules must be loaded."""
    from bnteach.datasets import data_path

    standard = Path(sysconfig.get_path("stdlib"))
    trees = [path for path in map(Path, SYSTEM) if path.exists()]
    trees += _in_no_other([standard, Path(sysconfig.get_path("platstdlib"))], trees)
    covered = {*standard.glob("*-packages"), *(Path(tree, "python3/dist-packages") for tree in trees),
               *(Path(entry) for entry in sys.path if re.search(r"(site|dist)-packages$", entry)),
               *_other_pythons(trees)}
    seen = {place for path in covered if path.is_dir() for place in _seen(path, trees)}
    seen = {place for place in seen if not seen & {*place.parents}}
    return View(tuple(trees), tuple(sorted(seen)),
                (*packages(NEEDED), data_path("five_rows.csv").parent), tuple(files_of(withheld_modules)))


def _other_pythons(trees: Iterable[Path]) -> Iterator[Path]:
    """The folders of other Pythons than this one: in them could be read what is withheld of it."""
    ours = [Path(sysconfig.get_path(name)).resolve() for name in ("stdlib", "platstdlib")]
    return (path for tree in trees for path in tree.glob("python[23].*") if path.resolve() not in ours)


def _inside(path: Path, trees: Iterable[Path]) -> bool:
    return any(path.resolve().is_relative_to(tree.resolve()) for tree in trees)


def _seen(path: Path, trees: Iterable[Path]) -> Iterator[Path]:
    """Where a folder is seen in the trees, whichever links lead to them."""
    return (tree / path.resolve().relative_to(tree.resolve()) for tree in trees
            if _inside(path, [tree]) and not tree.is_symlink())


def _in_no_other(paths: Iterable[Path], trees: Iterable[Path]) -> Iterator[Path]:
    return (path for path in dict.fromkeys(paths) if not _inside(path, trees))


def packages(names: Iterable[str]) -> list[Path]:
    """The files and folders of some distributions and of all that they need."""
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


def files_of(modules: Iterable[str]) -> Iterator[Path]:
    """The files from which modules of other libraries could be loaded a second time: source and compiled."""
    for name in modules:
        inside = [module for module in sys.modules if module == name or module.startswith(f"{name}.")]
        for module in map(sys.modules.get, inside):
            for path in (getattr(module, "__file__", None), getattr(module, "__cached__", None)):
                if path and not name.startswith("bnteach") and Path(path).is_file():
                    yield Path(path)
