"""What the commands share: errors that say what to do, help from docstrings, suggestions for misspelt words."""

from __future__ import annotations

import argparse
import difflib
import importlib.util
import sys
from collections.abc import Callable, Iterable
from inspect import cleandoc


class CommandError(Exception):
    """An error that the user can correct; the message says how."""


def parser_of(command: Callable[..., int], usage: str = "") -> argparse.ArgumentParser:
    """A parser whose help is the command's docstring."""
    return argparse.ArgumentParser(prog=f"bnteach {command.__name__}", description=cleandoc(command.__doc__ or ""),
                                   usage=f"bnteach {command.__name__} {usage}" if usage else None,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)


def nearest(word: str, known: Iterable[str], show: Iterable[str] = ()) -> str:
    """'Did you mean …?', or the list of known words (or those to `show`) if none is similar.

    >>> nearest("lba", ["lab", "grade"])
    "Did you mean 'lab'?"
    """
    known = list(known)
    similar = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"Did you mean {similar[0]!r}?" if similar else f"There is: {', '.join(show or known)}."


def needed(*modules: str, extra: str = "course") -> None:
    """Check that modules are installed which the course needs and the library does not."""
    if missing := [module for module in modules if not is_installed(module)]:
        what = {"course": "the lessons need", "docs": "the web site needs",
                "live": "the live course needs"}[extra]
        raise CommandError(f"{' and '.join(missing)} must be installed for this. Install what {what} with\n"
                           f"    {sys.executable} -m pip install \"bnteach[{extra}]\"")


def is_installed(module: str) -> bool:
    """Can a module be imported?

    >>> is_installed("json.decoder"), is_installed("nothing.of.the.kind")
    (True, False)
    """
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package that it would be in
        return False


def not_written(error: OSError, folder: str) -> CommandError:
    """The error when the folder given with --out, or a file in it, cannot be written.

    >>> print(not_written(FileExistsError(17, "File exists", "notes.txt"), "notes.txt"))
    cannot write to 'notes.txt' (File exists: 'notes.txt'): choose a folder that can be written to, with --out FOLDER.
    """
    what = f"{error.strerror or type(error).__name__}: {str(error.filename or folder)!r}"
    return CommandError(f"cannot write to {folder!r} ({what}): choose a folder that can be written to, "
                        "with --out FOLDER.")
