"""bnteach lab: the course in JupyterLab."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

from bnteach.course.commands.common import CommandError, parser_of
from bnteach.course.commands.course import copy_lessons, course_folder, find_lesson, handouts, same

FIRST_LESSON = "00_start_here"
COPIES = "bnteach-lessons"  # where the learner's own copies are
KEPT_AT_HOME = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MPLCONFIGDIR")
NO_NEWS = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}


def lab(arguments: Sequence[str]) -> int:
    """Open the course in JupyterLab.

    You work in copies of your own, in ./bnteach-lessons: lessons, and exercises without their solutions. A newer
    course brings the copies up to date, but for those that you have changed. Lessons come with their outputs, so
    that you can read them at once, without waiting and without a kernel. With --fresh they come without, so that you
    run each cell, and predict before you see. --sources opens the originals, with notes for the speaker.

    Examples:
      bnteach lab
      bnteach lab 07
      bnteach lab --fresh 07
      bnteach lab --no-browser --port 8899
      bnteach lab --sources 07
    """
    parser = parser_of(lab, usage="[--fresh | --sources] [LESSON] [JUPYTER ARGUMENTS ...]")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--fresh", action="store_true", help="lessons without outputs; the default is with them")
    which.add_argument("--sources", action="store_true", help="open the originals, exercises with solutions too")
    parser.add_argument("lesson", nargs="?", default=FIRST_LESSON, metavar="LESSON",
                        help="a number (07) or a name (07_chow_liu, chow_liu); without it, the start of the course")
    ours = how_many_are_ours(arguments)
    asked = parser.parse_args(arguments[:ours])
    course = course_folder()
    lesson = find_lesson(asked.lesson, course)
    if importlib.util.find_spec("jupyterlab") is None:
        raise CommandError("JupyterLab is not installed here. Install what the lessons need with\n"
                           f"    {sys.executable} -m pip install \"bnteach[course]\"\n"
                           "or, in a checkout of the course, run `make lab`.")
    folder = course if asked.sources else own_copies(course, asked.fresh)
    with settings():
        from jupyterlab.labapp import LabApp

        trust(ours_in(folder, course, asked.fresh))
        LabApp.launch_instance(jupyter_arguments(folder, lesson, [word for word in arguments[ours:] if word != "--"]))
    return 0


def own_copies(course: Path, fresh: bool) -> Path:
    """The learner's copies in the folder where the command was started."""
    try:
        return copy_lessons(course, Path(COPIES), fresh)
    except OSError as error:
        raise CommandError(f"your copies cannot be written to {Path(COPIES).resolve()} "
                           f"({error.strerror or type(error).__name__}): start it in a folder of your own, for example "
                           "after `cd ~`; or read the originals with `bnteach lab --sources`.") from None


def how_many_are_ours(arguments: Sequence[str]) -> int:
    """How many of the first arguments are ours: all after them are JupyterLab's, such as --port 8899.

    >>> how_many_are_ours(["--sources", "07", "--port", "8899"])
    2
    """
    options = len(list(takewhile(("-h", "--help", "--fresh", "--sources").__contains__, arguments)))
    return options + sum(not word.startswith("-") for word in arguments[options:options + 1])


def ours_in(folder: Path, course: Path, fresh: bool) -> Iterator[Path]:
    """The lessons in a folder that are as the course has them, or hands them out."""
    given = dict(handouts(course, fresh))
    for path in folder.glob("*.ipynb"):
        if same(path, course / path.name) or given.get(path.name) == path.read_bytes():
            yield path


def trust(notebooks: Iterable[Path]) -> None:
    """Mark notebooks as trusted, so that JupyterLab shows their pictures before they have been run."""
    import logging

    import nbformat
    from nbformat.sign import NotebookNotary

    notary = NotebookNotary(log=logging.getLogger("bnteach.trust"))
    for path in notebooks:
        notebook = nbformat.read(path, as_version=4)
        if not notary.check_signature(notebook):
            notary.sign(notebook)
    notary.store.close()


def jupyter_arguments(folder: Path, lesson: str, extra: Sequence[str]) -> list[str]:
    """JupyterLab's arguments: where the lessons are and which one to open, then what the user adds."""
    arguments = [f"--ServerApp.root_dir={folder.resolve()}", f"--LabApp.default_url=/lab/tree/{lesson}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0 and "--allow-root" not in extra:
        print("You are root, as in a container: adding --allow-root, or JupyterLab would refuse to start.")
        arguments.append("--allow-root")
    return [*arguments, *extra]


@contextmanager
def settings() -> Iterator[None]:
    """JupyterLab's settings while it runs: it does not ask about news, and needs no writable home folder."""
    with tempfile.TemporaryDirectory(prefix="bnteach-") as folder:
        page = Path(folder, "labconfig", "page_config.json")
        page.parent.mkdir()
        page.write_text(json.dumps(NO_NEWS), encoding="utf-8")
        others = os.environ.get("JUPYTER_CONFIG_PATH")
        os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join([folder, *([others] if others else [])])
        if not can_be_written(os.path.expanduser("~")):
            print("Your home folder cannot be written: settings that you change in JupyterLab will not be kept.")
            for name in KEPT_AT_HOME:
                os.environ.setdefault(name, os.path.join(folder, name.lower()))
        yield


def can_be_written(folder: str) -> bool:
    """Whether a file can be made in a folder."""
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True
