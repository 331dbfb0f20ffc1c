"""The students' environment, made from the project's own environment.yml: for repo2docker, mamba or conda.

The parts for the web site and the tests are left out, and bnteach itself comes as a package, because there is no
checkout around it. What a class needs on top stands in the extra `class` of pyproject.toml.
"""

from __future__ import annotations

from pathlib import Path

import bnteach
from bnteach.course.classroom.exchange import ClassError

HEAD = """\
# The environment of every student of the course, the same for all: repo2docker reads this file, and so do mamba and
# conda. Made by `bnteach class init` from the environment.yml of bnteach @VERSION@.
"""
FOR_THE_CLASS = """\
  # the class: students' servers under a Hub, exercises by a click, lessons from a repository of your own
  - jupyterhub>=5.2,<6
  - nbgrader>=0.9.5
  - nbgitpuller>=1.2
"""
LEFT_OUT = ("the web site", "the tests", "bnteach itself")
ITSELF = """\
  # bnteach itself: this version from where pip finds it; or put its wheel beside this file, and write
  # ./bnteach-@VERSION@-py3-none-any.whl in its place
  - pip:
      - bnteach==@VERSION@
"""


def project_environment() -> str:
    """The project's environment.yml: in the installed package, or in a checkout."""
    package = Path(bnteach.__file__).parent
    for path in (package / "course" / "classroom" / "files" / "environment.yml", package.parent / "environment.yml"):
        if path.is_file():
            return path.read_text(encoding="utf-8")
    raise ClassError("there is no environment.yml in the package; install bnteach again.")


def class_environment(text: str) -> str:
    """The same without web site and tests, and with what a class needs, as a text for the instructor's folder."""
    _, _, body = text.partition("name:")
    sections = f"name:{body}".split("\n  # ")
    kept = [section for section in sections if not section.startswith(LEFT_OUT)]
    if len(kept) != len(sections) - len(LEFT_OUT):
        raise ClassError(f"environment.yml does not have the sections {', '.join(LEFT_OUT)}.")
    return (HEAD + "\n  # ".join(kept).rstrip("\n") + "\n" + FOR_THE_CLASS + ITSELF).replace(
        "@VERSION@", bnteach.__version__)
