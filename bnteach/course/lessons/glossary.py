"""bn.glossary: what a term means, its other names, and the lesson in which it first occurs.

    bn.glossary("v-structure")      one term, by any of its names
    bn.glossary()                   all of them

The terms are in glossary.toml, beside this file; the web site may read them too. A name that is not there gets the
nearest ones.

>>> glossary("sepset")
separating set: a set that makes two nodes independent or d-separates them.
  also called: sepset, witness set, separator
  first in lesson 4
"""

from __future__ import annotations

import difflib
import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

from bnteach.show.picture import CARD
from bnteach.show.style import BLUE, FAINT_INK
from bnteach.show.theme import themed

HEADS = ("term", "what it means", "also called", "lesson")
CELL = "padding:5px 14px 5px 0;text-align:left;vertical-align:top;border:0;background:none;white-space:normal"


@dataclass(frozen=True, repr=False)
class Term:
    """A term of the glossary."""

    name: str
    meaning: str
    also: tuple[str, ...]
    lesson: str

    def __repr__(self) -> str:
        also = f"\n  also called: {', '.join(self.also)}" if self.also else ""
        return f"{self.name}: {self.meaning}.{also}\n  first in lesson {int(self.lesson)}"

    def _repr_html_(self) -> str:
        style = f"{CARD};border-left:5px solid {BLUE};padding:8px 14px;line-height:1.45;max-width:46em"
        also = f"Also called {escape(', '.join(self.also))}. " if self.also else ""
        return themed(f'<div class="bnteach-term" style="{style}"><b>{escape(self.name)}</b>: {escape(self.meaning)}.'
                      f'<div style="color:{FAINT_INK}">{also}First in lesson {int(self.lesson)}.</div></div>')


class Glossary:
    """All terms, in the order of the alphabet: a table, or a line of text per term."""

    def __init__(self, terms: Mapping[str, Term]):
        self.terms = terms

    def __len__(self) -> int:
        return len(self.terms)

    def __repr__(self) -> str:
        return "\n".join(f"{term.name}: {term.meaning}." for term in self.terms.values())

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col" style="{CELL};color:{FAINT_INK};font-weight:normal">{h}</th>' for h in HEADS)
        rows = "".join(map(_row, self.terms.values()))
        return themed(f'<div class="bnteach-glossary" style="{CARD}"><table style="border-collapse:collapse">'
                      f'<thead><tr style="background:none">{head}</tr></thead><tbody>{rows}</tbody></table></div>')


def _row(term: Term) -> str:
    cells = (f"<b>{escape(term.name)}</b>", escape(term.meaning), escape(", ".join(term.also)), str(int(term.lesson)))
    return ('<tr style="background:none;border-top:1px solid #d5dbe1">'
            + "".join(f'<td style="{CELL}">{cell}</td>' for cell in cells) + "</tr>")


@functools.cache
def terms() -> Mapping[str, Term]:
    """All terms by name."""
    read = tomllib.loads(Path(__file__).with_name("glossary.toml").read_text(encoding="utf-8"))
    return {name: Term(name, about["meaning"], tuple(about["also"]), about["lesson"]) for name, about in read.items()}


def glossary(term: str | None = None) -> Term | Glossary:
    """Look up a term of the course, or show all of them.

    Parameters
    ----------
    term : str, optional
        The term, or one of its other names, in capitals or not.

    Returns
    -------
    Term or Glossary

    Raises
    ------
    LookupError
        If the glossary has no such term; the message names the nearest.

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.glossary("immorality").name
    'v-structure'
    """
    if term is None:
        return Glossary(terms())
    names = {name.casefold(): one for one in terms().values() for name in (*one.also, one.name)}
    wanted = str(term).strip().casefold()
    for form in (wanted, wanted.removesuffix("s"), wanted.removesuffix("es")):  # a plural will do
        if form in names:
            return names[form]
    near = difflib.get_close_matches(wanted, names, n=3, cutoff=0.55)
    hint = f"Did you mean {' or '.join(map(repr, near))}?" if near else "bn.glossary() shows all terms."
    raise LookupError(f"the glossary has no term {term!r}. {hint}")
