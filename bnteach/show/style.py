"""One palette for all pictures, safe for colour-blind readers, with the same meaning everywhere.

The colours are those of Okabe and Ito (2008), two of them darkened so that edges contrast with white paper
(ratio 3 or more) and text with every fill (4.5 or more). Colour is never the only difference: each style also
has its own width and dashes, so that a photocopy shows the same.

    considered   examined in this step             thick, dashed
    kept         kept, for good or for now         thickest
    removed      removed                           thin, dotted, grey
    oriented     just oriented                     medium, hollow arrowhead
    pruned       left out without being examined   thin, dash-dot
    plain        everything else                   thin
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
"""Vermillion for text: its contrast with paper is 5.5; that of VERMILLION, which is for marks, is 3.9."""
SERIES = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, INK, SKY, GREY)
"""Colours for the curves of a plot, in this order."""
SERIES_TEXT = (BLUE, RUST, GREEN, PURPLE, "#8f5600", INK, "#1f6f99", "#666666")
"""The same for the names of the curves: dark enough for text."""


@dataclass(frozen=True)
class Style:
    """How edges and nodes of one style are drawn."""

    colour: str
    width: float
    dash: str
    fill: str  # of a node
    hollow: bool = False  # the arrowhead
    text: str = INK


STYLES: dict[str, Style] = {
    "plain": Style("#4a4a4a", 1.6, "", "#f3f6f9"),
    "considered": Style(VERMILLION, 3.2, "7 4", "#fde8d8"),
    "kept": Style(BLUE, 3.8, "", "#dcecf6"),
    "removed": Style(GREY, 1.8, "1.5 4", PAPER, text=FAINT_INK),
    "oriented": Style(GREEN, 2.5, "", "#dcf1ea", hollow=True),
    "pruned": Style("#767676", 1.6, "9 3 2 3", "#e6e8ea", text=FAINT_INK),
}


def style_named(name: str) -> Style:
    """The style of that name, or an error that lists them."""
    if name not in STYLES:
        raise ValueError(f"there is no style {name!r}; the styles are {', '.join(STYLES)}.")
    return STYLES[name]
