"""The ledger: data/claims.toml, read and checked.

Each entry is a figure of one of the five documents, or a formula that was evaluated: what is printed, its exact value,
and a verdict. The file is edited by hand, so each error message names the entry. The ledger is also checked for
consistency: a figure that counts as reproduced must be printed, and be the exact one, rounded; a corrected one must be
printed and must not be the exact one; where only a formula is printed there is no printed figure.

>>> entry = ledger()["mdl.tree"]
>>> entry.printed, entry.exact, entry.verdict
(Decimal('-20.2'), Decimal('-20.2266'), 'reproduced')
"""

from __future__ import annotations

import difflib
import functools
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal
from pathlib import Path
from typing import Any

from bnteach.course.lessons.figures import compare, write
from bnteach.datasets.files import data_path

VERDICTS = ("reproduced", "corrected", "formula", "measured")
FORMS = ("formula", "algorithm", "sentence", "number")
BOUNDS = ("between", "at_least", "at_most")
ELLIPSIS = "…"
SLIPS = {"rounding": "rounded too early", "copying": "a label or a digit copied wrongly",
         "missing": "a term, a step or a condition missing", "symbol": "one symbol in place of another",
         "reversed": "the wrong way round", "cost": "a bound on the work that does not hold",
         "overclaim": "more said than follows"}
LESSONS = tuple(f"{number:02}" for number in range(21))


class LedgerError(ValueError):
    """Something is wrong in the ledger; the message says in which entry."""


@dataclass(frozen=True)
class Document:
    """One of the documents on which the course is based."""

    key: str
    author: str
    title: str
    cite: str
    year: int | None = None


@dataclass(frozen=True)
class Entry:
    """One figure: where it is printed, what the document says, its exact value."""

    id: str
    document: Document
    where: str
    says: str
    verdict: str
    lesson: tuple[str, ...]
    printed: Any = None
    exact: Any = None
    gives: Any = None
    form: str = "formula"
    between: Any = None
    at_least: Any = None
    at_most: Any = None
    why: str = ""
    slip: str = ""

    @property
    def mark(self) -> str:
        """A tick for what is printed and right, a cross for what is printed and wrong, else a dot."""
        return "✓" if self.verdict == "reproduced" else "✗" if self.printed_wrong else "·"

    @property
    def printed_wrong(self) -> bool:
        """Is the printed figure, or the formula as printed, wrong?"""
        return self.verdict == "corrected" or self.gives is not None

    @property
    def verdict_text(self) -> str:
        """The verdict in words."""
        if self.verdict != "formula":
            return self.verdict
        return "no figure is printed" if self.gives is None else f"the {self.form} as printed gives {write(self.gives)}"


FIELDS = tuple(field.name for field in fields(Entry))
NEEDED = ("id", "document", "where", "says", "verdict", "lesson")


@functools.cache
def ledger() -> Mapping[str, Entry]:
    """All entries of the course's ledger by id, in the order of the file."""
    return load(data_path("claims.toml"))


def load(path: str | Path) -> dict[str, Entry]:
    """Read and check a ledger."""
    try:
        content = tomllib.loads(Path(path).read_text(encoding="utf-8"), parse_float=Decimal)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LedgerError(f"{Path(path).name} cannot be read as TOML: {error}") from None
    _known(content, ("documents", "claim"), f"{Path(path).name} has")
    documents = {key: _document(key, about) for key, about in content.get("documents", {}).items()}
    entries: dict[str, Entry] = {}
    for number, about in enumerate(content.get("claim", []), start=1):
        entry = _entry(about, number, documents)
        if entry.id in entries:
            raise LedgerError(f"{entry.id}: this id is used twice; give each claim its own.")
        entries[entry.id] = entry
    if not entries:
        raise LedgerError(f"{Path(path).name} has no [[claim]].")
    return entries


def _known(names: Iterable[str], allowed: Iterable[str], whose: str) -> None:
    for name in names:
        if name not in allowed:
            similar = difflib.get_close_matches(name, allowed, n=1)
            hint = f"Did you mean {similar[0]!r}?" if similar else f"It may have {', '.join(allowed)}."
            raise LedgerError(f"{whose} an unknown field {name!r}. {hint}")


def _document(key: str, about: dict[str, Any]) -> Document:
    _known(about, ("author", "title", "year", "cite"), f"documents.{key} has")
    for name in ("author", "title", "cite"):
        if name not in about:
            raise LedgerError(f"documents.{key} lacks the field {name!r}.")
    return Document(key, **about)


def _entry(about: dict[str, Any], number: int, documents: Mapping[str, Document]) -> Entry:
    name = about.get("id", f"claim number {number}")
    _known(about, FIELDS, f"{name} has")
    for needed in NEEDED:
        if needed not in about:
            raise LedgerError(f"{name} lacks the field {needed!r}.")
    if not re.fullmatch(r"\w+(\.\w+)*", str(name)):
        raise LedgerError(f"{name!r} is no id: words with dots between them, such as 'mdl.tree'.")
    if about["document"] not in documents:
        raise LedgerError(f"{name}: there is no document {about['document']!r}; there are {', '.join(documents)}.")
    if about["verdict"] not in VERDICTS:
        raise LedgerError(f"{name}: {about['verdict']!r} is no verdict; use one of {', '.join(VERDICTS)}.")
    lessons = about["lesson"]
    if not isinstance(lessons, list) or not lessons or not all(lesson in LESSONS for lesson in lessons):
        raise LedgerError(f"{name}: lesson = {lessons!r} is no list of lessons from '00' to '20', such as ['08'].")
    entry = Entry(**{**about, "document": documents[about["document"]], "lesson": tuple(lessons)})
    if problem := _contradiction(entry):
        raise LedgerError(f"{name}: {problem}")
    return entry


def _contradiction(entry: Entry) -> str:
    """What in the entry contradicts its verdict, or an empty text."""
    bounds = [bound for bound in BOUNDS if getattr(entry, bound) is not None]
    if entry.form not in FORMS:
        return f"form = {entry.form!r} is none of {', '.join(FORMS)}."
    if entry.slip and not (entry.slip in SLIPS and entry.printed_wrong):
        return f"slip = {entry.slip!r} is for what is wrong, and is one of {', '.join(SLIPS)}."
    if entry.gives is not None and entry.verdict != "formula":
        return f"'gives' is for a formula; this is {entry.verdict}."
    if entry.verdict == "measured":
        return "" if entry.exact is None else "what is measured has no exact figure; give bounds, or none."
    if bounds:
        return f"{bounds[0]} is for what is measured; this is {entry.verdict}."
    if entry.exact is None:
        return f"what is {entry.verdict} needs the exact figure."
    return _formula(entry) if entry.verdict == "formula" else _against_print(entry)


def _formula(entry: Entry) -> str:
    if entry.printed is not None:
        return "a formula has no printed figure; what it gives as printed is 'gives'."
    if entry.gives is None:
        return ""
    if not compare(entry.exact, entry.gives):
        return "what the formula as printed gives is the exact figure; leave 'gives' out."
    return "" if entry.why else "a wrong formula needs its reason in 'why'."


def _against_print(entry: Entry) -> str:
    if entry.printed is None:
        return f"what is {entry.verdict} needs the printed figure; where none is printed the verdict is 'formula'."
    if entry.verdict == "corrected" and not entry.why:
        return "a correction needs its reason in 'why'."
    differs = compare(left_out(entry.exact, entry.printed), entry.printed)
    if entry.verdict == "reproduced" and differs:
        return f"it counts as reproduced, but the exact figure does not round to the printed one: {differs[0]}."
    if entry.verdict == "corrected" and not differs:
        return "it counts as corrected, but the printed figure is the exact one, rounded."
    return ""


def left_out(exact: Any, printed: Any) -> Any:
    """The exact figures without those that the document leaves out of its list."""
    if not isinstance(printed, list) or not isinstance(exact, list):
        return exact
    return [there if there == ELLIPSIS else figure for figure, there in zip(exact, printed)]


def single_figures(printed: Any, exact: Any) -> list[tuple[Any, Any]]:
    """The single figures of an entry, printed and exact: one, or those of a list or a table."""
    if isinstance(printed, Mapping):
        return [pair for name in printed for pair in single_figures(printed[name], exact[name])]
    if isinstance(printed, list):
        return [pair for there, here in zip(printed, exact) if there != ELLIPSIS
                for pair in single_figures(there, here)]
    return [(printed, exact)]
