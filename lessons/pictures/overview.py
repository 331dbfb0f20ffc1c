"""The picture on the first screen of the README: five rows, their weights, the best tree, and the sentences between.

    python lessons/pictures/overview.py      writes overview.svg beside this file
"""

from __future__ import annotations

import re
from html import escape
from pathlib import Path

import bnteach as bn
from bnteach.show.style import BLUE, FAINT_INK, INK, PAPER

WIDTH, HEIGHT = 1040, 490
FONT = "system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif"
MONO = "ui-monospace, Consolas, 'DejaVu Sans Mono', monospace"
SHADE, LINE = "#f3f6f9", "#d5dbe1"


def overview() -> str:
    """The whole picture as SVG."""
    table = bn.datasets.five_rows()
    found = bn.chow_liu(table, root="B")
    weights = bn.mutual_informations(table)
    tree = [pair for pair in weights if pair in found.tree.edges or pair[::-1] in found.tree.edges]
    complete = bn.PDAG(", ".join(f"{a}-{b}" for a, b in weights))
    graph = bn.draw(complete, labels={pair: f"{w:.2f}" for pair, w in weights.items()}, highlight=tree)
    dag = bn.draw(found.graph, highlight=found.graph.arcs,
                  labels={arc: f"{weights.get(arc, weights.get(arc[::-1])):.2f}" for arc in found.graph.arcs})
    alt = (f"Three panels. Five rows of data over A, B, C and D. The weights of all pairs: {graph.alt} "
           f"The best tree, with the root B: {dag.alt}")
    parts = [heading(20, "1", "Five rows of data"), rows(table, 48, 96),
             heading(290, "2", "Find the maximum-weight spanning tree"), inner(graph.svg, 300, 60, 340, 260),
             heading(720, "3", "Choose a root: the best tree"), inner(dag.svg, 740, 60, 240, 260),
             sentences(found, 36, 370)]
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
            f'role="img" aria-label="{escape(alt)}" font-family="{FONT}">\n'
            f"<title>bnteach: from five rows to the best tree</title>\n"
            f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="12" fill="{PAPER}" stroke="{LINE}"/>\n'
            + "\n".join(parts) + "\n</svg>\n")


def heading(x: float, number: str, text: str) -> str:
    """A number in a disc and what is done."""
    return (f'<circle cx="{x + 14}" cy="32" r="13" fill="{BLUE}"/>'
            f'<text x="{x + 14}" y="37" text-anchor="middle" font-size="14" font-weight="700" fill="{PAPER}">'
            f"{number}</text>"
            f'<text x="{x + 36}" y="37" font-size="16" font-weight="600" fill="{INK}">{escape(text)}</text>')


def rows(table: bn.Table, x: float, y: float) -> str:
    """The data, a column a variable."""
    frame, step = table.to_frame(), 48
    lines = [text_row(table.variables, x, y, step, FAINT_INK, 700),
             f'<rect x="{x - 20}" y="{y + 11}" width="{3 * step + 40}" height="2" fill="{LINE}"/>']
    lines += [text_row(row, x, y + 44 + 36 * i, step, INK, 400) for i, row in enumerate(frame.values.tolist())]
    return "".join(lines)


def text_row(words: list[str] | tuple[str, ...], x: float, y: float, step: float, colour: str, weight: int) -> str:
    """Words side by side."""
    return "".join(f'<text x="{x + step * i}" y="{y}" text-anchor="middle" font-size="17" font-weight="{weight}" '
                   f'fill="{colour}">{escape(word)}</text>' for i, word in enumerate(words))


def inner(svg: str, x: float, y: float, width: float, height: float) -> str:
    """A picture of the library, set into this one; what it says aloud is said by the whole."""
    head = re.match(r"<svg[^>]*>", svg)[0]
    box = re.search(r'viewBox="[^"]*"', head)[0]
    inside = re.sub(r"<title>.*?</title>\s*", "", svg[len(head):], flags=re.DOTALL)
    return f'<svg x="{x}" y="{y}" width="{width}" height="{height}" {box}>{inside}'


def sentences(found: bn.Result, x: float, y: float) -> str:
    """The trace from its second step on, as the library prints it."""
    said = [f"{i}. {step}" for i, step in enumerate(found.trace, start=1)][1:]
    strip = (f'<rect x="{x - 16}" y="{y - 30}" width="{WIDTH - 2 * x + 32}" height="{24 * len(said) + 20}" rx="8" '
             f'fill="{SHADE}"/>')
    return strip + "".join(f'<text x="{x}" y="{y - 4 + 24 * i}" font-size="14.5" fill="{INK}" '
                           f'font-family="{MONO}">{escape(text)}</text>'
                           for i, text in enumerate(said))


if __name__ == "__main__":
    target = Path(__file__).with_name("overview.svg")
    target.write_text(overview(), encoding="utf-8", newline="\n")
    print(f"wrote {target}")
