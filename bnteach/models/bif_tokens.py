"""The words and marks of a BIF file, each with its line: so that an error can say where it is.

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

_TOKEN = re.compile(r"""(?P<passed>\s+|//[^\n]*|/\*.*?\*/)
                      | "(?P<quoted>[^"\n]*)"
                      | (?P<mark>[][{}(),;|])
                      | (?P<word>[^][{}(),;|"\s]+)
                      | (?P<bad>.)""", re.DOTALL | re.VERBOSE)


class BIFError(DataError):
    """A file that is not BIF; the message says which line, and what was expected there."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text: its kind is "word", "quoted", "mark" or "end"."""

    text: str
    kind: str
    line: int


class Tokens:
    """A text as tokens, read from the first to the last."""

    def __init__(self, text: str, name: str):
        self.name = name
        self._all = list(self._split(text))
        self._place = 0

    def _split(self, text: str) -> Iterator[Token]:
        line = 1
        for match in _TOKEN.finditer(text):
            kind = match.lastgroup or ""
            if kind == "bad":
                raise self.error("a closing '\"' on the same line", Token(match[0], kind, line))
            if kind != "passed":
                yield Token(match[kind], kind, line)
            line += match[0].count("\n")
        yield Token("", "end", line)

    @property
    def next(self) -> Token:
        """The token to be read next."""
        return self._all[self._place]

    @property
    def last(self) -> Token:
        """The token that was read last."""
        return self._all[max(0, self._place - 1)]

    def take(self) -> Token:
        """Step over the next token; over the end one cannot step."""
        token = self.next
        self._place += token.kind != "end"
        return token

    def taken(self, text: str) -> bool:
        """Is this the next token? Then step over it."""
        if self.next.text != text or self.next.kind not in ("word", "mark"):
            return False
        self.take()
        return True

    def expect(self, text: str) -> None:
        """Step over this token, or say that it is not there."""
        if not self.taken(text):
            raise self.error(repr(text), self.next)

    def word(self, what: str) -> Token:
        """A name or a number."""
        if self.next.kind not in ("word", "quoted"):
            raise self.error(what, self.next)
        return self.take()

    def words(self, what: str, end: str) -> list[Token]:
        """Names or numbers up to a closing mark, with or without commas."""
        words = []
        while not self.taken(end):
            words.append(self.word(f"{what} or {end!r}"))
            self.taken(",")
        return words

    def pass_property(self, otherwise: str) -> None:
        """Step over a line that begins with `property`."""
        if not self.taken("property"):
            raise self.error(otherwise, self.next)
        while not self.taken(";"):
            if self.take().kind == "end":
                raise self.error("';' after a property", self.next)

    def error(self, expected: str, at: Token, found: str | None = None) -> BIFError:
        """The error that says where, what was expected, and what is there."""
        found = found or ("the end of the file" if at.kind == "end" else repr(at.text))
        return BIFError(f"{self.name}, line {at.line}: expected {expected}, found {found}.")
