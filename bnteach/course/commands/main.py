"""The command `bnteach`.

    bnteach              what there is
    bnteach lab 07       the course in JupyterLab, opened at lesson 07

A command is a function from its arguments to an exit code, in a file of bnteach/course/commands; `COMMANDS` lists them.
Its docstring is its help: the first line stands in the overview, and it ends in examples.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from inspect import cleandoc

import bnteach
from bnteach.course.commands.classroom import classroom
from bnteach.course.commands.common import CommandError, nearest
from bnteach.course.commands.dashboard import dashboard
from bnteach.course.commands.grade import grade
from bnteach.course.commands.lab import lab
from bnteach.course.commands.practice import practice
from bnteach.course.commands.release import release
from bnteach.course.commands.site import site
from bnteach.course.commands.slides import slides

COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "lab": lab, "slides": slides, "site": site, "practice": practice, "release": release, "grade": grade,
    "dashboard": dashboard, "class": classroom}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 could not, 2 not understood, 130 stopped."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    name = arguments[0] if arguments else "--help"
    if name in ("-h", "--help", "help"):
        print(overview())
        return 0
    if name == "--version":
        print(f"bnteach {bnteach.__version__}")
        return 0
    if name not in COMMANDS:
        print(f"bnteach: there is no command {name!r}. {nearest(name, COMMANDS)}", file=sys.stderr)
        return 2
    try:
        return COMMANDS[name](arguments[1:])
    except CommandError as error:
        print(f"bnteach {name}: {error}", file=sys.stderr)
        return 1
    except OSError as error:  # what a command does not explain itself
        about = f"{error.filename}: " if error.filename else ""
        print(f"bnteach {name}: {about}{error.strerror or error}.", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\nbnteach {name}: stopped.", file=sys.stderr)
        return 130


def overview() -> str:
    """All commands, one line each."""
    lines = [f"  {name:<10} {cleandoc(command.__doc__ or name).splitlines()[0]}"
             for name, command in COMMANDS.items()]
    return "\n".join(["bnteach: learning the structure of Bayesian networks, step by step", "",
                      "usage: bnteach COMMAND ...", "", *lines, "",
                      "bnteach COMMAND --help says more; bnteach --version prints the version.",
                      "Example: bnteach lab"])
