"""Where columns were cut: a histogram of each, its cut points as dashed lines, and the rows in each interval below."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bnteach.errors import UnknownVariable
from bnteach.show.measure import text_width
from bnteach.show.picture import Picture, Row
from bnteach.show.style import FAINT_INK, FONT, INK, RUST, VERMILLION

if TYPE_CHECKING:
    from bnteach.tables.discretise import Discretised

WIDTH, HEIGHT, TOP, BARS = 264.0, 84.0, 6.0, 33  # of the histogram, the space above it, and its bars
SMALL = 11.5


def intervals(frame: Discretised, columns: Sequence[str]) -> Row:
    """A picture per column, side by side."""
    for name in columns:
        if name not in frame.attrs["cuts"]:
            raise UnknownVariable(name, list(frame.attrs["cuts"]))
    kept = frame.kept()
    return Row([_column(frame, name, kept[name]) for name in columns])


def _column(frame: Discretised, name: str, kept: float) -> Picture:
    cuts, values = frame.attrs["cuts"][name], frame.before[name].dropna().to_numpy(dtype=float)
    rows = frame[name].value_counts(sort=False).tolist()
    low, high = float(values.min()), float(values.max())
    alt = (f"Histogram of {name} from {low:.4g} to {high:.4g}, cut at {', '.join(f'{cut:.4g}' for cut in cuts)}: "
           f"{', '.join(f'{n:,}' for n in rows)} rows. The intervals keep {kept:.0%} of the variance.")
    places = [(point - low) / (high - low) * WIDTH for point in (low, *cuts, high)]
    drawn = [*_bars(values), *_lines(places[1:-1]), *_counts(places, rows),
             _text(0, TOP + HEIGHT + 34, f"{low:.4g}", "start"), _text(WIDTH, TOP + HEIGHT + 34, f"{high:.4g}", "end"),
             _text(WIDTH / 2, TOP + HEIGHT + 34, f"keeps {kept:.0%} of the variance", "middle")]
    width, height = WIDTH + 12, TOP + HEIGHT + 42
    svg = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-6 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
           f'height="{height:.0f}" role="img" aria-label="{escape(alt)}" style="max-width:100%;height:auto" '
           f'font-family="{escape(FONT)}">{"".join(drawn)}</svg>')
    return Picture(svg, alt, name)


def _bars(values: np.ndarray) -> list[str]:
    """The histogram: bars that stand on a line."""
    counts, _ = np.histogram(values, bins=BARS)
    step = WIDTH / BARS
    bars = [f'<rect x="{i * step:.1f}" y="{TOP + HEIGHT * (1 - n / counts.max()):.1f}" width="{step - 1:.1f}" '
            f'height="{HEIGHT * n / counts.max():.1f}" fill="#9cc7e4"/>' for i, n in enumerate(counts) if n]
    return [*bars, f'<path d="M0 {TOP + HEIGHT:.1f}H{WIDTH:.0f}" stroke="{FAINT_INK}" fill="none"/>']


def _lines(places: Sequence[float]) -> list[str]:
    return [f'<path d="M{x:.1f} 0V{TOP + HEIGHT + 5:.1f}" stroke="{VERMILLION}" stroke-width="2" '
            f'stroke-dasharray="5 3" fill="none"/>' for x in places]


def _counts(places: Sequence[float], rows: Sequence[int]) -> list[str]:
    """The number of rows below each interval, moved to the right where there is no room."""
    texts, free = [], -np.inf
    for (a, b), n in zip(pairwise(places), rows):
        half = text_width(f"{n:,}", SMALL) / 2
        x = max((a + b) / 2, free + half)
        texts.append(_text(x, TOP + HEIGHT + 18, f"{n:,}", "middle", RUST))
        free = x + half + 5
    return texts


def _text(x: float, y: float, text: str, anchor: str, colour: str = INK) -> str:
    return (f'<text x="{x:.1f}" y="{y:.1f}" font-size="{SMALL}" text-anchor="{anchor}" fill="{colour}">'
            f'{escape(text)}</text>')
