"""The width of a text, from a table instead of a font.

The widths are those of DejaVu Sans, the widest of the fonts that a browser is likely to use, so a label
that fits by this table fits on every machine, and pictures are the same everywhere.
"""

from __future__ import annotations

import textwrap
import unicodedata

from bnteach.show.style import TEXT_SIZE

_GROUPS = {
    0.28: "'ijl", 0.30: "IJ", 0.34: " ,./:;\\|", 0.36: "f-", 0.41: "()[]t!r", 0.50: '"*_`', 0.53: "sz?",
    0.59: "cLFkvxy", 0.64: "PTYaoeESbdghnpqu$0123456789{}", 0.70: "KAVBRXZC", 0.77: "UHNDG&", 0.84: "OQw#+<=>^~",
    0.88: "M", 1.00: "%mW@",
}
_WIDTH = {letter: width for width, letters in _GROUPS.items() for letter in letters}

MAX_LETTERS = 18  # on one line of a node


def text_width(text: str, size: float = TEXT_SIZE) -> float:
    """An upper bound on the width of one line of text, in pixels."""
    return size * sum(_WIDTH.get(letter) or _other_width(letter) for letter in text)


def _other_width(letter: str) -> float:
    if unicodedata.combining(letter):
        return 0.0
    return 1.05 if unicodedata.east_asian_width(letter) in "WF" else 0.85


def lines_of(text: str) -> list[str]:
    """The lines of text of a label: long names are broken at spaces, underscores and hyphens.

    >>> lines_of("VENTTUBE"), lines_of("free sulfur dioxide content")
    (['VENTTUBE'], ['free sulfur', 'dioxide content'])
    """
    lines = []
    for line in text.split("\n"):
        loose = line.replace("_", "_\u200b")
        pieces = loose.replace("\u200b", " ") if len(line) > MAX_LETTERS and "_" in line else line
        broken = textwrap.wrap(pieces, MAX_LETTERS, break_long_words=False) or [""]
        lines += [part.replace("_ ", "_") for part in broken]
    return lines


def node_size(text: str) -> tuple[float, float]:
    """Width and height of the node that holds a label: a circle for one or two letters, else a rounded box."""
    lines = lines_of(text)
    height = 36 if len(lines) == 1 else 16 + 18 * len(lines)
    width = max(text_width(line) for line in lines) + 22
    return round(max(width, height), 1), round(float(height), 1)
