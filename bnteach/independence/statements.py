"""Statements of independence as text, and the oracle that knows them.

    B _||_ C | A        B ⊥ C | A        B ⫫ C | A        B indep C given A        B is independent of C given A
    A, B _||_ {C, D}    sets: with commas, with or without braces; single letters also run together, AB
    B not _||_ C        B ⊥̸ C            B dep C          they are dependent

>>> str(read_statement("B ⊥ C | {A, D}"))
'B _||_ C | A, D'
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations, product
from typing import NamedTuple

from bnteach.errors import UnknownVariable
from bnteach.graphs.notation import read_names
from bnteach.independence.oracle import Names, Oracle, Verdict, describe_query

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


class Statements(Oracle):
    """An oracle that knows a list of statements: "B _||_ C | A", "A ⊥ D | B, C", "E not indep F".

    A statement about sets, "A _||_ B, C | D", also implies what follows by decomposition and weak union:
    A _||_ B | D and A _||_ B | C, D. What several statements entail together is not derived.

    Parameters
    ----------
    *statements : str
    variables : str or names, optional
        The variables in their order; by default those of the statements, in order of appearance.
    otherwise : {"dependent", "independent", "error"}
        The answer to a query that no statement decides.

    Examples
    --------
    >>> oracle = Statements("B _||_ C | A", "A _||_ D | B, C", variables="ABCD")
    >>> bool(oracle("C", "B", given="A")), bool(oracle("B", "C"))
    (True, False)
    >>> print(oracle("B", "C"))
    no statement about B and C: they count as dependent
    """

    RULES = ("dependent", "independent", "error")

    def __init__(self, *statements: str, variables: Names | None = None, otherwise: str = "dependent"):
        if otherwise not in self.RULES:
            raise ValueError(f"otherwise={otherwise!r} is unknown; use one of {', '.join(self.RULES)}.")
        known = None if variables is None else read_names(variables)
        read = [read_statement(text, known) for text in statements]
        super().__init__(known or dict.fromkeys(name for statement in read for name in statement.names))
        self.statements, self.otherwise = tuple(map(str, read)), otherwise
        self._known_statements: dict[tuple[frozenset, frozenset], Statement] = {}
        for statement in read:
            self._add(statement)

    def _add(self, statement: Statement) -> None:
        for x, y in product(statement.x, statement.y):
            others = [name for name in (*statement.x, *statement.y) if name not in (x, y)]
            for size in range(len(others) + 1):
                for more in combinations(others, size):
                    key = frozenset((x, y)), frozenset((*statement.given, *more))
                    before = self._known_statements.setdefault(key, statement)
                    if before.independent != statement.independent:
                        query = describe_query(x, y, [v for v in self.variables if v in key[1]])
                        raise ValueError(f"{str(before)!r} and {str(statement)!r} contradict each other on {query}: "
                                         f"keep one of them.")

    def answer(self, x: str, y: str, given: tuple[str, ...]) -> Verdict:
        if statement := self._known_statements.get((frozenset((x, y)), frozenset(given))):
            return Verdict(statement.independent, reason=f"statement: {statement}")
        if self.otherwise == "error":
            raise ValueError(f"no statement about {describe_query(x, y, given)}. Add one, or set the answer to such "
                             f"queries: otherwise='dependent' or otherwise='independent'.")
        reason = f"no statement about {describe_query(x, y, given)}: they count as {self.otherwise}"
        return Verdict(self.otherwise == "independent", reason=reason)

    def __repr__(self) -> str:
        return f"Statements({', '.join(map(repr, self.statements))}; otherwise {self.otherwise})"


def read_statement(text: str, variables: Iterable[str] | None = None) -> Statement:
    """The statement that a text makes, or an error that says what is wrong with it.

    With `variables`, only these may occur.
    """
    if not isinstance(text, str):
        raise TypeError(f"a statement is text, not {text!r}. {EXAMPLE}")
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
        raise ValueError(f"{text!r} says that two sets are dependent, which does not say which of their "
                         f"variables are: name one variable on each side.")
