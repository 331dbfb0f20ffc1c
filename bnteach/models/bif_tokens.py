"""The tokens of a BIF file, each with its line, so that an error can say where it is.

>>> tokens = Tokens('variable wet { // weather', "rain.bif")
>>> tokens.expect("variable")
>>> tokens.word("a name").text
'wet'
>>> tokens.expect("}")
Traceback (most recent call last):
    ...
bnteach.models.bif_tokens.BIFError: rain.bif, line 1: expected '}', found '{'.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bnteach.errors import DataError

_TOKEN = re.compile(r"""(?P<skipped>\s+|//[^\n]*|/\*.*?\*/)
                      | "(?P<quoted>[^"\n]*)"
                      | (?P<mark>[][{}(),;|])
                      | (?P<word>[^][{}(),;|"\s]+)
                      | (?P<bad>.)""", re.DOTALL | re.VERBOSE)


class BIFError(DataError):
    """A file that is not valid BIF; the message gives the line and what was expected there."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text; its kind is "word", "quoted", "mark" or "end"."""

    text: str
    kind: str
    line: int


class Tokens:
    """The tokens of a text, read from first to last."""

    def __init__(self, text: str, name: str):
        self.name = name
        self._tokens = list(self._split(text))
        self._position = 0

    def _split(self, text: str) -> Iterator[Token]:
        line = 1
        for match in _TOKEN.finditer(text):
            kind = match.lastgroup or ""
            if kind == "bad":
                raise self.error("a closing '\"' on the same line", Token(match[0], kind, line))
            if kind != "skipped":
                yield Token(match[kind], kind, line)
            line += match[0].count("\n")
        yield Token("", "end", line)

    @property
    def next(self) -> Token:
        """The next token."""
        return self._tokens[self._position]

    @property
    def last(self) -> Token:
        """The token read last."""
        return self._tokens[max(0, self._position - 1)]

    def take(self) -> Token:
        """Read the next token; the end is never passed."""
        token = self.next
        self._position += token.kind != "end"
        return token

    def accept(self, text: str) -> bool:
        """Read the next token if it is this one, and report whether it was."""
        accepted = self.next.text == text and self.next.kind in ("word", "mark")
        if accepted:
            self.take()
        return accepted

    def expect(self, *texts: str) -> None:
        """Read these tokens, or raise an error."""
        for text in texts:
            if not self.accept(text):
                raise self.error(repr(text), self.next)

    def word(self, what: str) -> Token:
        """Read a name or a number."""
        if self.next.kind not in ("word", "quoted"):
            raise self.error(what, self.next)
        return self.take()

    def words(self, what: str, end: str) -> list[Token]:
        """Read names or numbers up to a closing mark, with or without commas."""
        words = []
        while not self.accept(end):
            words.append(self.word(f"{what} or {end!r}"))
            self.accept(",")
        return words

    def skip_property(self, otherwise: str) -> list[str]:
        """Read a `property` line, which may contain anything: its words."""
        if not self.accept("property"):
            raise self.error(otherwise, self.next)
        words = []
        while not self.accept(";"):
            if self.next.kind == "end":
                raise self.error("';' after a property", self.next)
            words.append(self.take().text)
        return words

    def error(self, expected: str, at: Token, found: str | None = None) -> BIFError:
        """The error that names the line, what was expected, and what was found."""
        found = found or ("the end of the file" if at.kind == "end" else repr(at.text))
        return BIFError(f"{self.name}, line {at.line}: expected {expected}, found {found}.")
