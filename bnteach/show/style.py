"""One palette for all pictures, safe for colour-blind readers, with the same meaning everywhere.

The colours are those of Okabe and Ito (2008), two of them darkened until a line of that colour can be
told from white paper (contrast 3 or more) and text from any fill (4.5 or more). Colour is never alone:
each look also has its own width and dashes, so that a photocopy says the same.

    considered   just now being looked at           thick, dashed
    kept         stays, for good or for now         thickest
    removed      taken away                         thin, dotted, grey
    oriented     has just been given a direction    medium, hollow arrowhead
    pruned       left out without being looked at   thin, dash-dot
    plain        everything else                    thin
"""

from __future__ import annotations

from dataclasses import dataclass

PAPER = "#ffffff"
INK = "#1a1a1a"
FAINT_INK = "#5a5a5a"
FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
TEXT_SIZE = 14
LABEL_SIZE = 12.5

BLUE, VERMILLION, GREEN, PURPLE = "#0072b2", "#d55e00", "#007a5a", "#a0447a"
ORANGE, SKY, GREY = "#b36b00", "#2a8fc4", "#767676"
RUST = "#b04a00"
"""Vermillion for words: as dark as text must be (5.5 on paper), where the colour itself is for marks (3.9)."""
SERIES = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, INK, SKY, GREY)
"""Colours for the curves of a plot, in this order."""
SERIES_TEXT = (BLUE, RUST, GREEN, PURPLE, "#8f5600", INK, "#1f6f99", "#666666")
"""The same for the curves' names: dark enough to be read."""


@dataclass(frozen=True)
class Look:
    """How lines and nodes of one meaning look."""

    colour: str
    width: float
    dash: str
    fill: str  # of a node
    hollow: bool = False  # the arrowhead
    text: str = INK


LOOKS: dict[str, Look] = {
    "plain": Look("#4a4a4a", 1.6, "", "#f3f6f9"),
    "considered": Look(VERMILLION, 3.2, "7 4", "#fde8d8"),
    "kept": Look(BLUE, 3.8, "", "#dcecf6"),
    "removed": Look(GREY, 1.8, "1.5 4", PAPER, text=FAINT_INK),
    "oriented": Look(GREEN, 2.5, "", "#dcf1ea", hollow=True),
    "pruned": Look("#767676", 1.6, "9 3 2 3", "#e6e8ea", text=FAINT_INK),
}


def look_named(name: str) -> Look:
    """The look of that name, or an error that lists them."""
    if name not in LOOKS:
        raise ValueError(f"there is no look {name!r}; the looks are {', '.join(LOOKS)}.")
    return LOOKS[name]


def contrast(colour: str, other: str = PAPER) -> float:
    """The contrast of two colours, 1 to 21, as the Web Content Accessibility Guidelines define it.

    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    light, dark = sorted((_luminance(colour), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
