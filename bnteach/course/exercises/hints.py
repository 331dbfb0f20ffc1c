"""bn.hint: a ladder of hints for a question of the exercises, for someone who works alone.

    bn.hint("4.5")        a question to ask oneself; the next hints unfold below it
    bn.hint("4.5", 2)     as text, up to the second: a question, a step, the idea

The hints are in hints.toml, in words and never in code of the solution.

>>> print(hint("7.6"))
A question: When does Kruskal reject an edge?
(bn.hint("7.6", 2) adds a step.)
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bnteach.show.picture import CARD
from bnteach.show.style import BLUE
from bnteach.show.theme import themed

RUNGS = ("A question", "A step", "The idea")
NEXT = ("a step", "the idea")


@functools.cache
def ladders() -> Mapping[str, tuple[str, ...]]:
    """The hints of every question that has some, by its number."""
    path = Path(__file__).with_name("hints.toml")
    return {id: tuple(rungs) for id, rungs in tomllib.loads(path.read_text(encoding="utf-8")).items()}


@dataclass(frozen=True, repr=False)
class Hint:
    """The hints of a question: the first one, and the others to unfold."""

    id: str
    rungs: tuple[str, ...]
    shown: int = 1

    def __repr__(self) -> str:
        lines = [f"{rung}: {text}" for rung, text in zip(RUNGS, self.rungs[:self.shown])]
        if self.shown < len(self.rungs):
            lines.append(f'(bn.hint("{self.id}", {self.shown + 1}) adds {NEXT[self.shown - 1]}.)')
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        inner = ""
        for number in range(len(self.rungs) - 1, 0, -1):
            opened = " open" if number < self.shown else ""
            inner = (f'<details style="margin-top:5px"{opened}>'
                     f'<summary style="cursor:pointer">{RUNGS[number]}</summary>'
                     f"<div>{escape(self.rungs[number])}</div>{inner}</details>")
        style = f"{CARD};border-left:5px solid {BLUE};padding:8px 14px;line-height:1.45;max-width:46em"
        return themed(f'<div class="bnteach-hint" style="{style}"><div><b>Hint {self.id}</b> '
                      f"{escape(self.rungs[0])}</div>{inner}</div>")


def hint(id: str, up_to: int = 1) -> Hint:
    """Give a hint for a question of the exercises: first a question, then a step, then the idea.

    Parameters
    ----------
    id : str
        The number of the question, ``"4.5"``.
    up_to : int
        How many hints to show at once, 1 to 3. In a notebook the others unfold.

    Returns
    -------
    Hint

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.hint("7.6", 3)
    A question: When does Kruskal reject an edge?
    A step: Which three edges can close a cycle, and in which order would they be considered?
    The idea: Make the three heaviest edges a triangle.
    """
    if up_to not in (1, 2, 3) or isinstance(up_to, bool):
        raise ValueError(f"a ladder has the hints 1, 2 and 3; {up_to!r} is none of them.")
    if str(id) not in ladders():
        from bnteach.course.exercises.questions import find

        question = find(str(id))  # which says what questions there are
        raise ValueError(f"question {question.id}, {question.title}, has no hints yet. bn.check says what is wrong "
                         f"with an answer, also with half of one.")
    return Hint(str(id), ladders()[str(id)], up_to)
