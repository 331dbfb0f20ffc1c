"""The course for Google Colab: lessons and exercises whose first cell installs bnteach there.

Colab opens a notebook from a repository or a Drive and knows nothing of the course, so each copy begins with a cell
that installs the wheel from where the instructor has put it. Anywhere else that cell does nothing.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bnteach.course.exercises.copies import ExerciseError, lesson_file, student_file

FIRST = """# Installs the course in Colab; anywhere else this cell does nothing.
import sys
if "google.colab" in sys.modules:
    %pip install -q "bnteach @ {wheel}" pygraphviz"""


def write_colab(course: Path, wheel: str, folder: Path) -> list[Path]:
    """Write students' copies of all lessons and exercises for Colab; `wheel` is the address of the wheel."""
    if not wheel.endswith(".whl") or '"' in wheel:
        raise ExerciseError(f"--colab takes the address of the wheel, which ends in .whl; {wheel!r} does not. "
                            "Make the wheel with `pip wheel --no-deps .`, put it on a server, and give its address.")
    return write_copies(course, FIRST.format(wheel=wheel), folder)


def write_copies(course: Path, first: str, folder: Path, **metadata: Any) -> list[Path]:
    """Write students' copies of all lessons and exercises, with this code as their first cell."""
    copies = {path.relative_to(course): lesson_file(path) for path in sorted(course.glob("[0-9][0-9]_*.ipynb"))}
    copies |= {path.relative_to(course): student_file(path)
               for path in sorted(course.glob("exercises/[0-9][0-9]_*.ipynb"))}
    for name, content in copies.items():
        notebook = json.loads(content)
        notebook["cells"].insert(0, {"cell_type": "code", "id": "install", "execution_count": None, "outputs": [],
                                     "metadata": {"slideshow": {"slide_type": "skip"}},
                                     "source": first.splitlines(keepends=True)})
        notebook["metadata"].update(metadata)
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8",
                                   newline="\n")
    return [folder / name for name in copies]
