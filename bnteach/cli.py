"""The command `bnteach`.

    bnteach              what there is
    bnteach lab 07       the course in JupyterLab, opened at lesson 07

A command is a function from its arguments to an exit code; `COMMANDS` lists them. Its docstring is its help:
the first line stands in the overview, and it ends in examples.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import importlib.util
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from inspect import cleandoc
from pathlib import Path

import bnteach

FIRST_LESSON = "00_start_here"
COPIES = "bnteach-lessons"  # where an installed course puts the learner's own copies
NO_NEWS = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
RECORD = ".copied-by-bnteach.json"  # in that folder: the sums of the files as they were copied


class CommandError(Exception):
    """Something the person at the keyboard can put right; the message says how."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 could not, 2 not understood."""
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


def overview() -> str:
    """All commands with a line each."""
    lines = [f"  {name:<8} {cleandoc(command.__doc__ or name).splitlines()[0]}"
             for name, command in COMMANDS.items()]
    return "\n".join(["bnteach: learning the structure of Bayesian networks, step by step", "",
                      "usage: bnteach COMMAND ...", "", *lines, "",
                      "bnteach COMMAND --help says more; bnteach --version tells the version.",
                      "Example: bnteach lab"])


def parser_of(command: Callable[..., int], usage: str = "") -> argparse.ArgumentParser:
    """A parser whose help is the command's docstring."""
    return argparse.ArgumentParser(prog=f"bnteach {command.__name__}", description=cleandoc(command.__doc__ or ""),
                                   usage=f"bnteach {command.__name__} {usage}" if usage else None,
                                   formatter_class=argparse.RawDescriptionHelpFormatter)


def nearest(word: str, known: Iterable[str], show: Iterable[str] = ()) -> str:
    """'Did you mean …?', or the list of what there is (or what of it to `show`) if nothing is near.

    >>> nearest("lba", ["lab", "grade"])
    "Did you mean 'lab'?"
    """
    known = list(known)
    near = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    return f"Did you mean {near[0]!r}?" if near else f"There is: {', '.join(show or known)}."


def lab(arguments: Sequence[str]) -> int:
    """Open the course in JupyterLab.

    In a checkout the lessons open where they are. From an installed package they are first copied into
    ./bnteach-lessons; copies that you have worked in are kept as they are.

    Examples:
      bnteach lab
      bnteach lab 07
      bnteach lab --no-browser --port 8899
    """
    parser = parser_of(lab, usage="[LESSON] [JUPYTER ARGUMENTS ...]")
    parser.add_argument("lesson", nargs="?", default=FIRST_LESSON, metavar="LESSON",
                        help="a number (07) or a name (07_chow_liu, chow_liu); without it, the start of the course")
    # Only the first argument can be ours: after it everything is JupyterLab's, as in `--port 8899`.
    ours = [word for word in arguments[:1] if word in ("-h", "--help") or not word.startswith("-")]
    rest = arguments[len(ours):]
    asked = parser.parse_args(ours).lesson
    course = course_folder()
    lesson = find_lesson(asked, course)
    if importlib.util.find_spec("jupyterlab") is None:
        raise CommandError("JupyterLab is not installed here. Install what the lessons need with\n"
                           f"    {sys.executable} -m pip install \"bnteach[course]\"\n"
                           "or, in a checkout of the course, run `make lab`.")
    folder = course if is_checkout(course) else copy_lessons(course, Path(COPIES))
    trust(path for path in folder.glob("*.ipynb") if same(path, course / path.name))
    return open_jupyterlab(folder, lesson, rest[1:] if rest[:1] == ["--"] else rest)


def slides(arguments: Sequence[str]) -> int:
    """Make lessons into slides: one file a lesson, which needs no network.

    Arrow keys lead through the slides and through the steps of a player; S opens the speaker's view, F fills the
    screen, ? lists all keys.

    Examples:
      bnteach slides 04
      bnteach slides all --out talks
      bnteach slides 04 --pdf
    """
    parser = parser_of(slides)
    parser.add_argument("lessons", nargs="+", metavar="LESSON", help="a number (07), a name (chow_liu), or all")
    parser.add_argument("--out", default="slides", metavar="FOLDER", help="where to put them (without it: slides)")
    parser.add_argument("--pdf", action="store_true", help="print them to PDF too, with Chromium, Chrome or Edge")
    asked = parser.parse_args(arguments)
    course = course_folder()
    names = sorted(path.name for path in course.glob("[0-9][0-9]_*.ipynb")) if asked.lessons == ["all"] else [
        find_lesson(lesson, course) for lesson in asked.lessons]
    needed("nbconvert", "latex2mathml")
    from bnteach.course.slides import SlidesError, write_deck, write_pdf

    try:
        for name in names:
            deck = write_deck(course / name, Path(asked.out))
            print(f"{deck}: {deck.stat().st_size / 1e6:.1f} MB", flush=True)
            if asked.pdf:
                print(write_pdf(deck), flush=True)
    except SlidesError as error:
        raise CommandError(str(error)) from None
    return 0


def release(arguments: Sequence[str]) -> int:
    """Write the students' copies of the exercises, without solutions.

    The copies carry nbgrader's metadata; the sources, with solutions, are in lessons/exercises.

    Examples:
      bnteach release 07 --out handout
      bnteach release all --out handout
    """
    from bnteach.course.release import ExerciseError
    from bnteach.course.release import release as write_copies

    parser = parser_of(release)
    parser.add_argument("exercise", nargs="?", default="all", help="a number (07), a name (07_chow_liu), or all")
    parser.add_argument("--out", type=Path, default=Path("exercises"), metavar="FOLDER", help="where to write them")
    asked = parser.parse_args(arguments)
    try:
        for path in write_copies(asked.exercise, asked.out):
            print(path)
    except ExerciseError as error:
        raise CommandError(str(error)) from None
    return 0


def grade(arguments: Sequence[str]) -> int:
    """Grade a folder of submissions, each in a sandbox.

    Understands folders as nbgrader, Gradescope and Moodle make them. Writes grades.csv, a record and a page with
    feedback for each submission; run again, it goes on where it stopped. Exit code 0 if every file could be graded,
    3 if some could not: grades.csv says which, and why.

    Examples:
      bnteach grade submitted/ --out grades/
      bnteach grade submitted/ --out grades/ --jobs 4 --due "2026-05-01 23:59+02:00"
    """
    from bnteach.course.grade import GradeError, add_arguments, grade_from

    parser = parser_of(grade)
    add_arguments(parser)
    try:
        return grade_from(parser.parse_args(arguments))
    except GradeError as error:
        raise CommandError(str(error)) from None


def site(arguments: Sequence[str]) -> int:
    """Make the course into a web site of static pages, which need no network.

    Put the folder on any server, or open index.html in it.

    Examples:
      bnteach site
      bnteach site --out public
    """
    parser = parser_of(site)
    parser.add_argument("--out", default="site", metavar="FOLDER", help="where to put it (without it: site)")
    asked = parser.parse_args(arguments)
    course = course_folder()
    needed("nbconvert", "latex2mathml")
    from bnteach.course.site import SiteError, write_site
    from bnteach.course.slides import SlidesError

    try:
        pages = write_site(sorted(course.glob("[0-9][0-9]_*.ipynb")), Path(asked.out))
    except (SiteError, SlidesError) as error:
        raise CommandError(str(error)) from None
    size = sum(path.stat().st_size for path in Path(asked.out).rglob("*") if path.is_file())
    print(f"{pages[0]}: {len(pages)} pages, {size / 1e6:.1f} MB, all links inside lead somewhere")
    return 0


def bench(arguments: Sequence[str]) -> int:
    """Measure how long bnteach and its peers take for the same work.

    Every library that is installed takes part: pip install "bnteach[peers]" brings some. CPU seconds of one
    thread, peak memory, and how good the result is; a table, a CSV file and a picture of growth.

    Examples:
      bnteach bench --short
      bnteach bench --out figures --only pyAgrum
    """
    parser = parser_of(bench)
    parser.add_argument("--short", action="store_true", help="at most 10,000 rows and 10 s for each: a minute or two")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="stop a work that takes longer (120; short: 10)")
    parser.add_argument("--only", action="append", default=[], metavar="LIBRARY", help="beside bnteach only this one")
    parser.add_argument("--out", default="bench", metavar="FOLDER", help="where to put table and picture (bench)")
    asked = parser.parse_args(arguments)
    from bnteach.bench.contestants import LIBRARIES
    from bnteach.bench.report import bench as run
    from bnteach.bench.report import write

    for name in asked.only:
        if name not in LIBRARIES:
            raise CommandError(f"there is no library {name!r} in the bench. {nearest(name, LIBRARIES)}")
    written = write(run(asked.short, asked.limit, only=asked.only), Path(asked.out))
    print("written: " + ", ".join(map(str, written)))
    return 0


COMMANDS: dict[str, Callable[[Sequence[str]], int]] = {
    "lab": lab, "slides": slides, "site": site, "release": release, "grade": grade, "bench": bench}


def needed(*modules: str) -> None:
    """See that modules are installed which the course needs and the library does not."""
    if missing := [module for module in modules if importlib.util.find_spec(module) is None]:
        raise CommandError(f"{' and '.join(missing)} must be installed for this. Install what the lessons need with\n"
                           f"    {sys.executable} -m pip install \"bnteach[course]\"")


# --- the course's files -----------------------------------------------------------------------------------

def course_folder() -> Path:
    """Where the lessons are: inside the installed package, or in lessons/ of a checkout."""
    package = Path(__file__).parent
    for folder in (package / "lessons", package.parent / "lessons"):
        if any(folder.glob("*.ipynb")):
            return folder
    raise CommandError(f"there are no lessons in {package / 'lessons'} or {package.parent / 'lessons'}; "
                       "install bnteach again.")


def is_checkout(course: Path) -> bool:
    """Whether the lessons are the ones people edit, not the ones packed into an installed package."""
    return course.parent != Path(__file__).parent


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


def copy_lessons(course: Path, target: Path) -> Path:
    """Copy the packaged lessons, but never over a file that its owner has changed; tell what was done."""
    record_file = target / RECORD
    record = json.loads(record_file.read_text(encoding="utf-8")) if record_file.is_file() else {}
    done: dict[str, list[str]] = {"copied": [], "brought up to date": [], "kept as you changed it": []}
    for source in sorted(path for path in course.rglob("*") if path.is_file()):
        name = source.relative_to(course).as_posix()
        copy = target / name
        if same(source, copy):
            record[name] = checksum(copy)
            continue
        changed = copy.exists() and checksum(copy) != record.get(name)
        what = list(done)[2 if changed else 1 if copy.exists() else 0]
        done[what].append(name)
        if not changed:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
            record[name] = checksum(copy)
    record_file.write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    for what, names in done.items():
        if names:
            print(f"{target}: {len(names)} {what}: {', '.join(names)}")
    return target


def checksum(path: Path) -> str:
    """The file's SHA-256."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


# --- JupyterLab -------------------------------------------------------------------------------------------

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
    """What JupyterLab is told: where the lessons are and which one to open, then what the user adds."""
    arguments = [f"--ServerApp.root_dir={folder.resolve()}", f"--LabApp.default_url=/lab/tree/{lesson}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0 and "--allow-root" not in extra:
        print("You are root, as in a container: adding --allow-root, or JupyterLab would refuse to start.")
        arguments.append("--allow-root")
    return [*arguments, *extra]


def open_jupyterlab(folder: Path, lesson: str, extra: Sequence[str]) -> int:
    """Run JupyterLab in this process until it is stopped; it neither asks about news nor fetches any."""
    from jupyterlab.labapp import LabApp

    with tempfile.TemporaryDirectory(prefix="bnteach-") as settings:
        page = Path(settings, "labconfig", "page_config.json")
        page.parent.mkdir()
        page.write_text(json.dumps(NO_NEWS), encoding="utf-8")
        others = os.environ.get("JUPYTER_CONFIG_PATH")
        os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join([settings, *([others] if others else [])])
        LabApp.launch_instance(jupyter_arguments(folder, lesson, extra))
    return 0
