"""The API reference: a page for each part of the library, made by Sphinx from the docstrings.

The public names are those of bnteach/__init__.pyi. Each learner, score and model is linked to the lesson that uses it
most, to the exercise of that lesson, and to its source.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bnteach
from bnteach.trace import Stepwise

PARTS = {  # part: (title, the packages whose names it has)
    "learn": ("Learning a graph", ("learn",)),
    "tables": ("Data", ("tables",)),
    "datasets": ("Datasets", ()),
    "graphs": ("Graphs", ("graphs",)),
    "independence": ("Independence tests", ("independence", "information")),
    "scores": ("Scores", ("scores",)),
    "models": ("Networks with parameters", ("models",)),
    "show": ("Pictures and players", ("show",)),
    "results": ("Results, traces, errors", ("trace", "steps", "errors")),
    "lessons": ("Practice, exercises, lessons", ("course",)),
}
TAUGHT = ("learn", "graphs", "independence", "scores", "models", "tables")
OPTIONS = "   :members:\n   :inherited-members:\n   :exclude-members: {}\n"
OF_PYTHON = "count, index, add_note, with_traceback, args, tuple, from_dict"


def public_names() -> dict[str, str]:
    """Every public name, with the module it lives in, in the order of __init__.pyi."""
    listed = Path(bnteach.__file__).with_name("__init__.pyi").read_text(encoding="utf-8")
    return {name: module for module, name in re.findall(r"^from \.([\w.]+) import (\w+) as", listed, re.MULTILINE)}


def api_pages(lessons: Mapping[Path, Any], exercises: list[Path]) -> dict[str, str]:
    """The text of the pages, by the name of the file."""
    names, taught = public_names(), taught_in(lessons)
    with_exercise = {path.stem for path in exercises}
    pages = {"api.rst": _contents()}
    for part, (title, packages) in PARTS.items():
        inside = [name for name, module in names.items() if module.split(".")[0] in packages]
        entries = [_entry(name, taught.get(name) if part in TAUGHT else None, with_exercise) for name in inside]
        if part == "datasets":
            entries = [_directive(f"datasets.{name}", getattr(bnteach.datasets, name)) for name in dataset_names()]
        pages[f"api/{part}.rst"] = "\n".join([title, "=" * len(title), "", *entries])
    return pages


def dataset_names() -> list[str]:
    """The public functions of bnteach.datasets, in the order of the alphabet."""
    return sorted(name for name, value in vars(importlib.import_module("bnteach.datasets")).items()
                  if inspect.isfunction(value) and name[0] != "_" and value.__module__.startswith("bnteach.datasets"))


def _contents() -> str:
    return "\n".join(["The library", "===========", "", "``import bnteach as bn`` gives every name below. ``bn.pc`` "
                      "and the other learners are called like functions; each also has ``.steps(...)``, the bare "
                      "generator of its steps, to walk through with ``next``.", "", ".. toctree::", "   :maxdepth: 1",
                      "", *(f"   api/{part}" for part in PARTS), ""])


def _entry(name: str, lesson: tuple[str, str] | None, with_exercise: set[str]) -> str:
    directive = _directive(name, getattr(bnteach, name))
    if lesson is None:
        return directive
    stem, title = lesson
    also = f" · :doc:`Exercise </exercises/{stem}>`" if stem in with_exercise else ""
    return f"{directive}\n   .. rst-class:: taught\n\n   Lesson: :doc:`{title} </{stem}>`{also}\n"


def _directive(name: str, value: Any) -> str:
    if inspect.isclass(value):
        return f".. autoclass:: bnteach.{name}\n{OPTIONS.format(OF_PYTHON)}"
    if isinstance(value, Stepwise) or inspect.isroutine(value):
        return f".. autofunction:: bnteach.{name}\n"
    if inspect.ismodule(value):
        return f".. automodule:: {value.__name__}\n   :no-index:\n   :members:\n"
    return f".. autodata:: bnteach.{name}\n   :no-value:\n"


def taught_in(lessons: Mapping[Path, Any]) -> dict[str, tuple[str, str]]:
    """For each public name, the lesson that shows its code, or else the one that calls it most: its file and title."""
    from bnteach.course.pages.slides import title_of

    uses: dict[str, Counter[tuple[str, str]]] = {}
    for path, notebook in lessons.items():
        code = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
        for name in re.findall(r"\bbn\.(\w+)", code):
            shown = 1000 * bool(re.search(rf"bn\.source\(bn\.{name}\b", code))
            uses.setdefault(name, Counter())[path.stem, title_of(notebook)] += 1 + shown
    return {name: count.most_common(1)[0][0] for name, count in uses.items()}
