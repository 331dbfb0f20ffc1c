"""The files of an instructor's own repository: bnteach class init FOLDER. None that is there is overwritten."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import bnteach
from bnteach.course.classroom.environment import WHEEL, constraints, write_wheel
from bnteach.course.classroom.exchange import ClassError, check_course

TEMPLATES = Path(__file__).parent / "files"
# what it is called there: what it is called here. None of them is Python or a setting of this project's own.
NAMES = {
    "README.md": "README.md.template",
    "jupyterhub_config.py": "jupyterhub_config.py.template",
    "nbgrader_config.py": "nbgrader_config.py.template",
    "requirements.txt": "requirements.txt.template",
    "environment.yml": "environment.yml.template",
    "formgrader/jupyter_server_config.json": "formgrader_server.json.template",
    "formgrader/labconfig/page_config.json": "formgrader_page.json.template",
    "values.yaml": "values.yaml.template",
    "exchange-volume.yaml": "exchange-volume.yaml.template",
    "postBuild": "postBuild.template",
    ".gitignore": "gitignore.template",
}


@dataclass(frozen=True)
class Written:
    """What became of one file."""

    path: Path
    what: str  # "written", "there already", or "kept"


def write_class(folder: Path, course: str = "bnteach") -> list[Written]:
    """Write all files, and bnteach's wheel beside them; one that is there stays as it is."""
    written = write_texts(folder, course)
    if (folder / WHEEL).is_file():
        return [*written, Written(folder / WHEEL, "there already")]
    return [*written, Written(write_wheel(folder), "written")]


def write_texts(folder: Path, course: str = "bnteach") -> list[Written]:
    """Write all files but the wheel."""
    contents = class_files(check_course(course))
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)  # submissions and grades will be in it
        return [write_new(folder / name, content) for name, content in contents.items()]
    except (FileExistsError, NotADirectoryError):
        raise ClassError(f"{folder} cannot be a folder: a file is in the way.") from None
    except OSError as error:
        raise ClassError(f"{error.filename} cannot be written: {error.strerror}.") from None


def class_files(course: str) -> dict[str, str]:
    """{name: content} of the files for a course."""
    files = {name: (TEMPLATES / template).read_text(encoding="utf-8") for name, template in NAMES.items()}
    files["constraints.txt"] = constraints()
    plain = course.lower().replace("_", "-").strip("-")  # as images, namespaces and releases must be called
    known = {"@COURSE@": course, "@NAME@": plain, "@VERSION@": bnteach.__version__, "@WHEEL@": WHEEL}
    return {name: re.sub("@[A-Z]+@", lambda found: known[found[0]], text) for name, text in files.items()}


def write_new(path: Path, content: str) -> Written:
    """Write a file, unless something of that name is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with open(path, "x", encoding="utf-8", newline="\n") as file:
            file.write(content)
    except FileExistsError:
        same = path.is_file() and path.read_bytes() == content.encode()
        return Written(path, "there already" if same else "kept")
    if content.startswith("#!"):
        path.chmod(0o755)
    return Written(path, "written")
