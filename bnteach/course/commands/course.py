"""The course's files: where they are, and a learner's own copies of them, which are never overwritten."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import bnteach
from bnteach.course.commands.common import CommandError, nearest

PACKAGE = Path(bnteach.__file__).parent
RECORD = ".copied-by-bnteach.json"  # in the learner's folder: the sums of the files as they were copied


def course_folder() -> Path:
    """Where the lessons are: inside the installed package, or in lessons/ of a checkout."""
    for folder in (PACKAGE / "lessons", PACKAGE.parent / "lessons"):
        if any(folder.glob("*.ipynb")):
            return folder
    raise CommandError(f"there are no lessons in {PACKAGE / 'lessons'} or {PACKAGE.parent / 'lessons'}; "
                       "install bnteach again.")


def find_lesson(asked: str, course: Path) -> str:
    """The file name of the lesson meant by '7', '07', 'chow_liu', '07_chow_liu' or '07_chow_liu.ipynb'."""
    lessons = sorted(path.stem for path in course.glob("[0-9][0-9]_*.ipynb"))
    wanted = Path(asked).name.removesuffix(".ipynb")
    wanted = wanted.zfill(2) if wanted.isdigit() else wanted
    for lesson in lessons:
        if wanted in (lesson, lesson[:2], lesson[3:]):
            return f"{lesson}.ipynb"
    names = [lesson[3:] for lesson in lessons]
    raise CommandError(f"there is no lesson {asked!r}. {nearest(wanted, [*lessons, *names], show=lessons)}")


def same(one: Path, other: Path) -> bool:
    """Whether two files hold the same."""
    return one.is_file() and other.is_file() and one.read_bytes() == other.read_bytes()


def handouts(course: Path, fresh: bool = False, exercises: bool = True) -> Iterator[tuple[str, bytes]]:
    """(name, content) of every file that a learner gets: lessons without notes for the speaker, and if they are to be
    fresh without outputs; exercises without solutions, unless they come one by one, each in a folder of its own."""
    from bnteach.course.exercises.copies import lesson_file, links_to_folders, student_file

    for source in sorted(path for path in course.rglob("*") if path.is_file()):
        name = source.relative_to(course)
        if not any(part.startswith((".", "__")) for part in name.parts):  # checkpoints and caches
            exercise = name.parts[0] == "exercises"
            if name.parts[0] == "exam" or (exercise and not exercises):
                continue
            content = (source.read_bytes() if source.suffix != ".ipynb" else
                       student_file(source) if exercise else lesson_file(source, fresh))
            yield name.as_posix(), content if exercises or source.suffix != ".ipynb" else links_to_folders(content)


def copy_lessons(course: Path, target: Path, fresh: bool = False, exercises: bool = True) -> Path:
    """Write a learner's copies, but never over a file that its owner has changed; print what was done.

    A notebook is changed if the source of a cell is. JupyterLab saves what is only opened, and adds to its metadata.
    """
    record_file = target / RECORD
    record = json.loads(record_file.read_text(encoding="utf-8")) if record_file.is_file() else {}
    copied, updated, kept = [], [], []
    for name, content in handouts(course, fresh, exercises):
        copy, new, before = target / name, sums(content), record.get(name, "")
        there = sums(copy.read_bytes()) if copy.exists() else ""
        if there and not alike(there, new) and not alike(there, before):
            kept += [name] * (before != new)
            continue
        if not there or new not in (there, before):
            write_whole(copy, content)
            (updated if there else copied).append(name)
        record[name] = new
    write_whole(record_file, (json.dumps(record, indent=1, sort_keys=True) + "\n").encode())
    for what, names in (("copied", copied), ("brought up to date", updated),
                        ("kept as you changed it (rename yours, and the new edition comes)", kept)):
        if names:
            which = f": {', '.join(names)}" if names is kept or len(names) < 4 else ""
            print(f"{target}: {len(names)}{' files' * (len(names) > 1)} {what}{which}")
    return target


def write_whole(path: Path, content: bytes) -> None:
    """Write a file completely or not at all, even if the power fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(content)
    part.replace(path)


def sums(content: bytes) -> str:
    """Two checksums: of a file's bytes, and if it is a notebook, of the sources of its cells."""
    sources = content
    try:
        cells = json.loads(content)["cells"]
        sources = repr([(cell["cell_type"], "".join(cell["source"])) for cell in cells]).encode("utf-8", "replace")
    except (ValueError, TypeError, KeyError, RecursionError):
        pass  # no notebook, or a damaged one: every byte counts
    return f"{hashlib.sha256(content).hexdigest()} {hashlib.sha256(sources).hexdigest()}"


def alike(one: str, other: str) -> bool:
    """Whether two files have the same bytes or the same cells, by their sums."""
    return not set(one.split()).isdisjoint(other.split())
