"""Submissions as data: copies of an exercise in which some answers are the solutions, some untouched, some replaced."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from bnteach.course.exercises.release import cell_id, exercises, grade_id, student_copy

Notebook = dict[str, Any]


def source(name: str = "07_chow_liu") -> Notebook:
    """An exercise with its solutions."""
    return copy.deepcopy(exercises()[name].notebook)


def untouched(name: str = "07_chow_liu") -> Notebook:
    """An exercise as students get it."""
    return student_copy(source(name))


def with_answers(solved: Iterable[str] = (), answers: Mapping[str, str] | None = None,
                 name: str = "07_chow_liu") -> Notebook:
    """An exercise in which these questions are solved, and these are answered by other code."""
    notebook, right = untouched(name), source(name)
    for cell, solution in zip(notebook["cells"], right["cells"]):
        if grade_id(cell) in {cell_id("answer", id) for id in solved}:
            cell["source"] = solution["source"]
        for id, code in (answers or {}).items():
            if grade_id(cell) == cell_id("answer", id):
                cell["source"] = code
    return notebook


def code_cell(text: str, id: str | None = None) -> dict[str, Any]:
    """A code cell that the student has added."""
    metadata = {"nbgrader": {"grade_id": id}} if id else {}
    return {"cell_type": "code", "metadata": metadata, "source": text, "outputs": [], "execution_count": None}


def write(notebook: Notebook, path: Path) -> Path:
    """Save a notebook, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path
