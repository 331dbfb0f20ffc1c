"""The text notation of independence statements: "B _||_ C | A".

    B _||_ C | A        B ⊥ C | A        B ⫫ C | A        B indep C given A        B is independent of C given A
    A, B _||_ {C, D}    sets: with commas, with or without braces; single letters also run together, AB
    B not _||_ C        B ⊥̸ C            B dep C          they are dependent

>>> str(read_statement("B ⊥ C | {A, D}"))
'B _||_ C | A, D'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from bnteach.errors import UnknownVariable
from bnteach.graphs.notation import read_names

_NOT = r"(?P<no>!\s*|\bnot\s+)?"
_INDEPENDENT = r"(?:_\|\|_|_\|_|⊥\s?⊥|⊥|⫫|\bindep(?:endent)?\b(?:\s+(?:of|from)\b)?)"
_DEPENDENT = r"\bdep(?:endent)?\b(?:\s+(?:on|of)\b)?"
_RELATION = re.compile(rf"\s*(?:\b(?:is|are)\s+)?{_NOT}(?:{_INDEPENDENT}(?P<struck>\u0338)?|(?P<dep>{_DEPENDENT}))\s*")
_GIVEN = re.compile(r"\s*(?:\||\bgiven\b)\s*")
EXAMPLE = "Write for example 'B _||_ C | A'."


class Statement(NamedTuple):
    """x and y, two sets, are independent (or not) given a third."""

    x: tuple[str, ...]
    y: tuple[str, ...]
    given: tuple[str, ...]
    independent: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """All variables, in the order written."""
        return self.x + self.y + self.given

    def __str__(self) -> str:
        relation = "_||_" if self.independent else "not _||_"
        given = f" | {', '.join(self.given)}" if self.given else ""
        return f"{', '.join(self.x)} {relation} {', '.join(self.y)}{given}"


def read_statement(text: str, variables: Iterable[str] | None = None) -> Statement:
    """The statement that a text makes, or an error that says what is wrong with it.

    With `variables`, only these may occur.
    """
    if not isinstance(text, str):
        raise TypeError(f"a statement is text; {text!r} is none. {EXAMPLE}")
    relations = list(_RELATION.finditer(text))
    if len(relations) != 1:
        found = "no independence sign" if not relations else "more than one independence sign"
        raise ValueError(f"cannot read {text!r}: there is {found} in it. {EXAMPLE}")
    relation = relations[0]
    left, right, *given = text[: relation.start()], *_GIVEN.split(text[relation.end():])
    if len(given) > 1 or _GIVEN.search(left):
        raise ValueError(f"cannot read {text!r}: 'given' (|) comes once, after both sides. {EXAMPLE}")
    known = None if variables is None else tuple(variables)
    x, y, z = (_read_set(side, known, text) for side in (left, right, given[0] if given else ""))
    negated = bool(relation["no"]) or bool(relation["struck"])
    statement = Statement(x, y, z, independent=(relation["dep"] is None) != negated)
    _check(statement, text, bool(given))
    return statement


def _read_set(side: str, known: tuple[str, ...] | None, text: str) -> tuple[str, ...]:
    """The names on one side. A word that is no variable may be several of one letter: "BC"."""
    names: list[str] = []
    for word in re.split(r"[,;]", re.sub(r"[{}()∅]", " ", side)):
        word = word.strip()
        if not word and ("," in side or ";" in side):
            raise ValueError(f"cannot read {text!r}: a name is missing beside a comma. {EXAMPLE}")
        letters = read_names(word)
        if known is None or word in known or not word:
            names += [word] if word else []
        elif all(letter in known for letter in letters):
            names += letters
        else:
            raise UnknownVariable(word, known, "the oracle")
    return tuple(dict.fromkeys(names))


def _check(statement: Statement, text: str, has_given: bool) -> None:
    for side, where in ((statement.x, "left"), (statement.y, "right")):
        if not side:
            raise ValueError(f"cannot read {text!r}: there is no variable on the {where} of the independence sign. "
                             f"{EXAMPLE}")
    if has_given and not statement.given and "∅" not in text and "{" not in text:
        raise ValueError(f"cannot read {text!r}: nothing comes after 'given' (|). {EXAMPLE}")
    twice = [name for name in dict.fromkeys(statement.names) if statement.names.count(name) > 1]
    if twice:
        raise ValueError(f"{text!r} has {twice[0]} in two places; the three sets must have no variable in common.")
    if not statement.independent and len(statement.x) + len(statement.y) > 2:
        raise ValueError(f"{text!r} says that two sets are dependent, which does not tell which of their variables "
                         f"are: name one variable on each side.")
