"""Wrong programs, by question: the mistakes that students make, none of which may earn full marks.

A program is registered with the mistake that it makes. `judges.py` runs all of them (`make judges`).

    @wrong("10.6", "sets of at most two parents")
    def best_parents(score, child, before): ...
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

PROGRAMS: dict[str, dict[str, Callable[..., Any]]] = {}


def wrong(id: str, mistake: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a wrong program for a question, under the mistake that it makes."""
    def register(program: Callable[..., Any]) -> Callable[..., Any]:
        programs = PROGRAMS.setdefault(id, {})
        assert mistake not in programs, f"{id} has two programs with the mistake {mistake!r}"
        programs[mistake] = program
        return program
    return register


def programs_of(id: str) -> dict[str, Callable[..., Any]]:
    """All wrong programs for a question."""
    for module in iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return PROGRAMS.get(id, {})
