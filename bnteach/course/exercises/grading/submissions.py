"""Submissions as files: whose they are, which exercise they answer, and what their cells hold.

Four layouts of folders are understood, and no other is guessed at:

    nbgrader      submitted/STUDENT/ASSIGNMENT/07_chow_liu.ipynb, with timestamp.txt
    Gradescope    submission_123456/07_chow_liu.ipynb, with submission_metadata.yml above
    Moodle        "Ann Lee_1234567_assignsubmission_file_/07_chow_liu.ipynb", or all in one name
    plain         STUDENT/07_chow_liu.ipynb, or STUDENT.ipynb, or STUDENT_07_chow_liu.ipynb

Anything odd is reported in a sentence: a link, an empty file, no notebook, two notebooks for one exercise.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from bnteach.course.exercises.grading.times import gradescope_people, time_of
from bnteach.course.exercises.release import Exercise, cell_id, grade_id, source_of

MAX_FILE, MAX_BYTES, MAX_CELLS, MAX_LETTERS = 200_000_000, 10_000_000, 2_000, 200_000  # MAX_BYTES: without outputs
MAX_BRACKETS = 1_000_000  # in the outputs of one cell
MAX_NOTEBOOKS, MAX_FILES, MAX_DEPTH = 50, 10_000, 20  # of one student
PASSED_OVER = {".ipynb_checkpoints", "__MACOSX", "__pycache__", ".git"}
STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"(?:\s*:\s*\[)?', re.DOTALL)  # and that a list follows, if it is a key
BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+([\[\]{}])', re.DOTALL)  # the next one, in no string
MOODLE = re.compile(r"^(?P<who>.+_\d+)_assignsubmission_file_?(?P<rest>.*)$")


@dataclass(frozen=True)
class Submission:
    """One notebook (or what was sent instead), and what is known about it before any of it is run."""

    student: str
    path: Path
    file: str  # the path as reported: relative to the folder of submissions
    exercise: str = ""
    digest: str = ""
    cells: tuple[tuple[str | None, str], ...] = ()  # (id, source) of each code cell
    result: str = "graded"  # or "unreadable", "double", "unknown exercise"
    problem: str = ""  # a sentence, if it cannot be graded
    notes: tuple[str, ...] = ()
    time: str = ""
    class_seed: str = "0"  # of what is practised (course/practice/graded.py)
    ids: frozenset[str] = field(default=frozenset(), repr=False)


def find(folder: Path, known: Iterable[Exercise], out: Path | None = None) -> list[Submission]:
    """Every submission in a folder, in order of students and exercises; the folder `out` is skipped."""
    names = {exercise.lesson: exercise.name for exercise in known}
    found = [identify(read(one), names) for one in look(folder, names.values(), out)]
    return sorted(mark_doubles(found), key=lambda one: (one.student, one.exercise, one.file))


# -- whose -----------------------------------------------------------------------------------------------------
def look(folder: Path, names: Iterable[str], out: Path | None = None) -> Iterator[Submission]:
    """The files that stand for submissions, with their students; nothing is opened yet."""
    people = gradescope_people(folder)
    for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
        if entry.name in PASSED_OVER or (entry.name.startswith(".") and entry.is_file(follow_symlinks=False)):
            continue
        if out and Path(entry.path).resolve() == out.resolve():
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _look_into(Path(entry.path), folder, people)
        elif entry.name.endswith(".ipynb") or MOODLE.match(entry.name):
            yield _plain(Path(entry.path), folder, names)
        elif entry.is_symlink():
            yield Submission(entry.name, Path(entry.path), entry.name)


def _look_into(place: Path, folder: Path, people: dict[str, tuple[str, str]]) -> Iterator[Submission]:
    """The notebooks of one student's folder; an unreadable submission if there is none."""
    moodle = MOODLE.match(place.name)
    student, when = people.get(place.name, (moodle["who"] if moodle else place.name, ""))
    shut: list[OSError] = []
    files = sorted(islice(_files(place, shut.append), MAX_FILES))
    notebooks = [path for path in files if path.name.endswith(".ipynb")]
    if problem := _odd_folder(files, len(notebooks), shut):
        yield Submission(student, place, _relative(place, folder), result="unreadable", problem=problem)
        return
    for path in notebooks:
        *folders, _ = path.relative_to(place).parts
        notes = (f"found in the subfolder {path.parent.relative_to(place)}",) if len(folders) > 1 else ()
        handed_in = place.joinpath(*folders[:1])  # a time that is written further down is the student's own
        yield Submission(student, path, _relative(path, folder), notes=notes, time=when or time_of(handed_in))


def _odd_folder(files: list[Path], notebooks: int, shut: list[OSError]) -> str:
    """A sentence if there is no notebook in a student's folder, or too many."""
    if not notebooks and shut:
        return f"The folder cannot be opened: {shut[0].strerror}."
    if not notebooks:
        has = ", ".join(path.name for path in files[:5]) or "nothing"
        return f"There is no notebook (.ipynb) in this submission; it has {has}."
    if notebooks > MAX_NOTEBOOKS or len(files) == MAX_FILES:
        return (f"There are {notebooks:,} notebooks among {len(files):,} files in this submission; at most "
                f"{MAX_NOTEBOOKS} are looked at. Keep those that count in the folder, and grade again.")
    return ""


def _files(place: Path, shut: Callable[[OSError], None]) -> Iterator[Path]:
    """The files of a folder, not too deep, without following links to folders; `shut` is called with errors."""
    for base, folders, names in os.walk(place, onerror=shut, followlinks=False):
        links = [name for name in folders if os.path.islink(os.path.join(base, name))]
        deep = len(Path(base).relative_to(place).parts) >= MAX_DEPTH
        folders[:] = [name for name in folders if name not in PASSED_OVER and name not in links and not deep]
        yield from (Path(base, name) for name in [*names, *links] if name != "timestamp.txt" and name[:1] != ".")


def _plain(path: Path, folder: Path, names: Iterable[str]) -> Submission:
    """A notebook directly in the folder: its name says whose it is."""
    if moodle := MOODLE.match(path.name):
        return Submission(moodle["who"], path, _relative(path, folder))
    stem = path.name.removesuffix(".ipynb")
    for name in names:
        if stem == name:
            return Submission(stem, path, _relative(path, folder), notes=("the file name does not say whose it is",))
        if stem.endswith(f"_{name}"):
            return Submission(stem.removesuffix(f"_{name}"), path, _relative(path, folder))
    return Submission(stem, path, _relative(path, folder))


def _relative(path: Path, folder: Path) -> str:
    return path.relative_to(folder).as_posix()


# -- what ------------------------------------------------------------------------------------------------------
def read(one: Submission) -> Submission:
    """Read the notebook as data. Whatever is wrong with it becomes a sentence."""
    if one.problem:
        return one
    content, problem = read_bytes(one.path)
    if problem:
        return replace(one, result="unreadable", problem=problem)
    one = replace(one, digest=hashlib.sha256(content).hexdigest())
    cells, problem = read_cells(without_outputs(content))
    if problem:
        return replace(one, result="unreadable", problem=problem)
    code = tuple((grade_id(cell), source_of(cell)) for cell in cells if cell.get("cell_type") == "code")
    if any(len(source) > MAX_LETTERS for _, source in code):
        return replace(one, result="unreadable", problem=f"A cell has more than {MAX_LETTERS:,} letters of code.")
    return replace(one, cells=code, ids=frozenset(filter(None, map(grade_id, cells))))


def read_bytes(path: Path) -> tuple[bytes, str]:
    """A file's content, or why it is not read. Links are not followed, and only plain files are opened."""
    if os.path.islink(path):
        return b"", "This is a link to another file; links are not followed."
    if not path.name.endswith(".ipynb"):
        return b"", f"This is no notebook: its name, {path.name!r}, does not end in .ipynb."
    try:
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        return b"", f"The file cannot be opened: {error.strerror}."
    with os.fdopen(number, "rb") as file:
        status = os.fstat(number)
        if not stat.S_ISREG(status.st_mode):
            return b"", "This is not a plain file."
        if status.st_size == 0:
            return b"", "The file is empty: save the notebook and hand it in again."
        if status.st_size > MAX_FILE:
            return b"", (f"The file has {status.st_size / 1e6:.0f} MB; those of more than {MAX_FILE / 1e6:.0f} MB "
                         f"are not read. Clear the outputs of all cells, save, and hand it in again.")
        return file.read(MAX_FILE + 1), ""


def without_outputs(content: bytes) -> bytes:
    """The JSON of a notebook with its lists of outputs empty. They may be large, and need not be parsed to be skipped.

    >>> without_outputs(b'{"cells": [{"outputs": [{"text": ["]"]}], "source": "x"}]}')
    b'{"cells": [{"outputs": [], "source": "x"}]}'
    """
    kept, begun, place = [], 0, 0
    while (found := STRING.search(content, place)) and place - begun <= MAX_BYTES:
        place = found.end()
        if found[0].startswith(b'"outputs"') and found[0].endswith(b"["):
            kept.append(content[begun:place])
            begun = place = _end_of_list(content, place)
    return b"".join([*kept, content[begun:]])


def _end_of_list(content: bytes, place: int) -> int:
    """The place of the bracket that ends the list which begins here; the end of all, if there is none soon enough."""
    depth = looked = 0
    while (bracket := BRACKET.match(content, place)) and (looked := looked + 1) < MAX_BRACKETS:
        depth += 1 if bracket[1] in b"[{" else -1
        if depth < 0:
            return bracket.start(1)
        place = bracket.end()
    return len(content)


def read_cells(content: bytes) -> tuple[list[Any], str]:
    """The cells of a notebook, or why there are none."""
    if len(content) > MAX_BYTES:
        return [], (f"The notebook has {len(content) / 1e6:.0f} MB besides its outputs; those of more than "
                    f"{MAX_BYTES / 1e6:.0f} MB are not read. Take pictures and data out of its cells.")
    try:
        notebook = json.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return [], "The file is not a notebook: it is not text."
    except (ValueError, RecursionError) as error:
        return [], f"The file is damaged: it is not JSON, as notebooks are ({str(error)[:80]})."
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        old = isinstance(notebook, dict) and "worksheets" in notebook
        return [], ("The notebook has an old format: open it in JupyterLab, save it, and hand it in again." if old else
                    "The file is not a notebook: it is JSON, but has no cells.")
    cells = [cell for cell in notebook["cells"] if isinstance(cell, dict)]
    if len(cells) > MAX_CELLS:
        return [], f"The notebook has {len(cells):,} cells; at most {MAX_CELLS:,} are read."
    return cells, ""


def identify(one: Submission, names: dict[int, str]) -> Submission:
    """Which exercise it answers: by the ids of its cells, or else by its own name or its folder's."""
    by_cells = {names[int(found[1])] for id in one.ids if (found := re.fullmatch(r"(?:answer|check)_(\d+)_\d+", id))
                and len(found[1]) < 4 and int(found[1]) in names}
    by_name = {name for name in names.values() if name in one.file}
    chosen = by_cells or by_name
    if len(chosen) == 1:
        (name,) = chosen
        odd = by_cells and by_name and by_cells != by_name
        notes = (*one.notes, f"named as {by_name.pop()}, but its cells are those of {name}") if odd else one.notes
        return replace(one, exercise=name, notes=notes)
    if one.problem:
        return one
    reason = "the cells of several exercises are in it" if chosen else "neither its cells nor its name say which"
    return replace(one, result="unknown exercise", problem=f"It is not clear which exercise this is: {reason}.")


def mark_doubles(found: list[Submission]) -> list[Submission]:
    """Two different notebooks of one student for one exercise: the instructor must choose. Copies count once."""
    kept: list[Submission] = []
    together: dict[tuple[str, str], list[Submission]] = {}
    for one in found:
        together.setdefault((one.student, one.exercise), []).append(one)
    for one in found:
        rivals = together[one.student, one.exercise]
        if len(rivals) == 1 or not one.exercise:
            kept.append(one)
        elif one.digest and all(other.digest == one.digest for other in rivals):
            if one is rivals[0]:
                kept.append(replace(one, notes=(*one.notes, f"handed in {len(rivals)} times, all the same")))
        else:
            others = [other.file for other in rivals if other is not one]
            others = ", ".join(others[:5]) + (f" and {len(others) - 5} more" if len(others) > 5 else "")
            problem = (f"There is another notebook for this exercise: {others}. Keep the one that counts in the "
                       f"folder, and grade again.")
            kept.append(replace(one, result="double", problem=problem))
    return kept


# -- which cells to run ----------------------------------------------------------------------------------------
def program(one: Submission, exercise: Exercise, question: str) -> list[tuple[int, str]]:
    """The code that comes before the check of a question: (number of the cell, source).

    What the exercise gives is taken from its source, whatever the submission made of it; checks are left out; all
    the rest runs in the order of the submission, up to the question's own cells. If these are gone, all of it runs.
    """
    own = {cell_id("answer", question), cell_id("check", question)}
    places = [i for i, (id, _) in enumerate(one.cells) if id in own]
    last = places[-1] if cell_id("answer", question) in one.ids else len(one.cells)
    theirs = [(i + 1, source) for i, (id, source) in enumerate(one.cells[: last + 1])
              if not (id or "").startswith(("check_", "given"))]
    return [*((-i, source) for i, source in enumerate(exercise.given, start=1)), *theirs]
