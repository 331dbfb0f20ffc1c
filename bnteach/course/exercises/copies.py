"""Students' copies: exercises without solutions and outputs, lessons without notes for the speaker.

This needs nothing but Python, because the wheel is built with it: hatch_build.py puts these copies into the wheel.
"""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
STUB = ("# YOUR CODE HERE", "raise NotImplementedError()")
Notebook = dict[str, Any]


class ExerciseError(ValueError):
    """There is no such exercise, or its source is malformed."""


def student_file(source: Path) -> bytes:
    """The student's copy of an exercise, as it is written to a file."""
    student = student_copy(json.loads(source.read_text(encoding="utf-8")))
    return (json.dumps(student, indent=1, ensure_ascii=False) + "\n").encode()


def student_copy(notebook: Notebook) -> Notebook:
    """The notebook without solutions and without outputs."""
    student = copy.deepcopy(notebook)
    for cell in student["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
            cell["source"] = without_solution(source_of(cell)).splitlines(keepends=True)
    return student


def lesson_file(source: Path, fresh: bool = False) -> bytes:
    """The student's copy of a lesson, as it is written to a file; a fresh one has no outputs either."""
    content = source.read_bytes()
    try:
        notebook = json.loads(content)
    except ValueError:
        return content  # no notebook: handed on as it is, and JupyterLab says what is wrong with it
    return (json.dumps(lesson_copy(notebook, fresh), indent=1, ensure_ascii=False) + "\n").encode()


def lesson_copy(notebook: Notebook, fresh: bool = False) -> Notebook:
    """The notebook without notes for the speaker, and if it is to be fresh, as if it had never been run."""
    student = copy.deepcopy(notebook)
    student["cells"] = [cell for cell in student["cells"] if not is_note(cell)]
    for cell in student["cells"] if fresh else ():
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
    return student


def links_to_folders(content: bytes) -> bytes:
    """A notebook with its links as they are where every exercise has a folder of its own, as nbgrader lays them out.

    >>> links_to_folders(b"[this](exercises/07_chow_liu.ipynb), [that](../07_chow_liu.ipynb)")
    b'[this](exercises/07_chow_liu/07_chow_liu.ipynb), [that](../../07_chow_liu.ipynb)'
    """
    return re.sub(rb"\]\(exercises/(\w+)\.ipynb", rb"](exercises/\1/\1.ipynb", content).replace(b"](../", b"](../../")


def is_note(cell: Any) -> bool:
    """Is this cell a note for the speaker?"""
    return cell.get("metadata", {}).get("slideshow", {}).get("slide_type") == "notes"


def without_solution(source: str) -> str:
    """Code with each solution replaced by a stub at the same indentation, as nbgrader replaces it.

    >>> print(without_solution("def f(x):\\n    ### BEGIN SOLUTION\\n    return x\\n    ### END SOLUTION"))
    def f(x):
        # YOUR CODE HERE
        raise NotImplementedError()
    """
    lines, inside = [], False
    for line in source.split("\n"):
        if BEGIN in line:
            if inside:
                raise ExerciseError(f"a solution begins inside another one:\n{source}")
            inside = True
            indent = re.match(r"\s*", line)[0]
            lines += [indent + stub for stub in STUB]
        elif END in line:
            inside = False
        elif not inside:
            lines.append(line)
    if inside:
        raise ExerciseError(f"a solution has no {END}:\n{source}")
    return "\n".join(lines)


def source_of(cell: Any) -> str:
    """The text of a cell, which notebooks store as a string or as a list of lines; empty if it is neither."""
    source = cell.get("source", "") if isinstance(cell, dict) else ""
    if isinstance(source, list):
        source = "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""
