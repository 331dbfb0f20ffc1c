"""A class of all sorts, as large as one likes."""

from __future__ import annotations

from pathlib import Path

from tests.course.exercises.submissions.notebooks import untouched, with_answers, write


def make_class(folder: Path, size: int) -> None:
    """A class of all sorts: honest, wrong, untouched, broken, endless, unreadable, double."""
    kinds = [lambda: with_answers(["7.1"]), untouched, lambda: with_answers(["7.6"], {"7.1": "cell = abs"}),
             lambda: with_answers([], {"7.7": "blind_spot\n"}), lambda: b"{", untouched, lambda: b"",
             lambda: with_answers(["7.4"]), lambda: with_answers([], {"7.1": "import os\nos._exit(3)  # cell"}),
             lambda: {"cells": []}]
    for i in range(size):
        made, student = kinds[i % len(kinds)](), folder / f"student {i:03}"
        if i in (57, 133):
            made = with_answers(["7.1"], {"7.6": "while True: pass"})
        if isinstance(made, bytes):
            student.mkdir(parents=True)
            (student / "07_chow_liu.ipynb").write_bytes(made)
        else:
            write(made, student / "07_chow_liu.ipynb")
        if i % 50 == 5:
            write(with_answers(["7.2"]), student / "07_chow_liu (1).ipynb")
