"""How well two colours contrast, by the Web Content Accessibility Guidelines."""

from __future__ import annotations

from bnteach.show.style import PAPER


def contrast(colour: str, other: str = PAPER) -> float:
    """The contrast ratio of two colours, 1 to 21, as defined by the Web Content Accessibility Guidelines.

    >>> round(contrast("#000000", "#ffffff"))
    21
    """
    light, dark = sorted((_luminance(colour), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
