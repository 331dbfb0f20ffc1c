"""A claim as HTML: verdict, document, the two figures one above the other, the reason.

A short table or list of figures becomes columns, so that the one that differs is easily found; it is also marked with
a cross, since many readers cannot see the colour. Longer ones are written out, or become rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, Any

from bnteach.course.lessons.figures import compare, write
from bnteach.course.lessons.ledger import ELLIPSIS
from bnteach.show.picture import CARD
from bnteach.show.style import BLUE, FAINT_INK, GREEN, RUST, VERMILLION
from bnteach.show.theme import themed

if TYPE_CHECKING:
    from bnteach.course.lessons.claims import Claim

COLOURS = {"✓": (GREEN, GREEN), "✗": (VERMILLION, RUST), "·": (BLUE, BLUE)}  # of the bar, and of the word
MAX_COLUMNS, MAX_LETTERS = 8, 80
CELL = "padding:2px 14px 2px 0;text-align:left;vertical-align:top;border:0;background:none;white-space:normal"
LABEL = f"{CELL};white-space:nowrap;font-weight:normal;color:{FAINT_INK}"


def claim_html(claim: Claim) -> str:
    """A claim as HTML."""
    entry = claim.entry
    mark, word = COLOURS[entry.mark]
    head = (f'<div><b style="color:{word}">{escape(claim.heading)}</b> '
            f'<code style="color:{FAINT_INK};background:none;margin-left:.6em">{entry.id}</code></div>')
    source = f'<div style="color:{FAINT_INK};margin:1px 0 5px">{escape(claim.source)}</div>'
    why = f'<div style="margin-top:5px;max-width:46em">{escape(entry.why)}</div>' if entry.why else ""
    style = f"{CARD};border-left:5px solid {mark};padding:8px 14px;line-height:1.45"
    return themed(f'<div class="bnteach-claim" style="{style}">{head}{source}{_figures(claim)}{why}</div>')


def _figures(claim: Claim) -> str:
    """The printed and the computed figure as a table of two rows, or of many if there are too many columns."""
    exact, printed = claim.entry.exact, claim.entry.printed
    if exact is None or not isinstance(exact, Mapping | list):
        return _table([_row(claim.labels[0], [claim.there]), _row(claim.labels[1], [claim.here])])
    names = list(exact) if isinstance(exact, Mapping) else range(len(exact))
    computed = [write(exact[name]) for name in names]
    marked = None if printed is None else [_marked(printed[name], exact[name]) for name in names]
    if len(computed) > MAX_COLUMNS or sum(map(len, computed)) > MAX_LETTERS:
        return _long(claim, names, computed)
    head = [_row("", names, "th")] if isinstance(exact, Mapping) else []
    first = _row(claim.labels[0], marked) if marked else _row(claim.labels[0], [claim.there], span=len(computed))
    return _table([*head, first, _row(claim.labels[1], computed)])


def _marked(printed: Any, exact: Any) -> str:
    """A printed figure, with a cross if it is not the exact one, rounded."""
    return f"{write(printed)} ✗" if printed != ELLIPSIS and compare(exact, printed) else write(printed)


def _long(claim: Claim, names: Iterable[Any], computed: list[str]) -> str:
    """Figures that are too many for columns: a table becomes rows, a list is written out."""
    if isinstance(claim.entry.exact, list):
        return _table([_row(claim.labels[0], [claim.there]), _row(claim.labels[1], [claim.here])])
    return _table([_row(claim.labels[0], [claim.there]), _row(claim.labels[1], [""]),
                   *(_row(str(name), [figure]) for name, figure in zip(names, computed))])


def _row(label: str, cells: Iterable[Any], kind: str = "td", span: int = 1) -> str:
    scope = ' scope="col"' if kind == "th" else f' colspan="{span}"' if span > 1 else ""
    shown = "".join(f'<{kind}{scope} style="{CELL}">{escape(str(cell))}</{kind}>' for cell in cells)
    first = f'<th scope="row" style="{LABEL}">{escape(label)}</th>' if label else f'<td style="{CELL}"></td>'
    return f'<tr style="background:none">{first}{shown}</tr>'


def _table(rows: list[str]) -> str:
    style = "border-collapse:collapse;margin:0;border:0;font-size:1em"
    return f'<table style="{style}"><tbody>{"".join(rows)}</tbody></table>'
