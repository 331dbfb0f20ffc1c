"""The strip "Checked against the documents": the figures of a section, in one place that can be folded.

    bn.claims({"mdl.tree": score(tree), "mdl.dag": score(more)})

stands at the end of a section, so that figures of documents never interrupt an argument. Each value is compared with
the ledger as by `bn.claim`; one that does not agree is an error. The line that is always seen counts the verdicts; a
click opens the table.

>>> claims({"mdl.tree": -20.2266138, "bic.weight": 0.8047})
Checked against the documents: 1 reproduced, 1 formula evaluated
✓ mdl.tree    printed -20.2      computed -20.2266  reproduced
✗ bic.weight  no figure printed  computed 0.8047    the formula as printed gives 0.6931
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from html import escape
from typing import Any

from bnteach.course.lessons.claim_html import COLOURS
from bnteach.course.lessons.claims import Claim, claim
from bnteach.course.lessons.ledger import VERDICTS
from bnteach.show.picture import CARD
from bnteach.show.style import FAINT_INK
from bnteach.show.theme import themed

TITLE = "Checked against the documents"
HEADS = ("document", "what", "printed there", "computed here", "verdict")
CELL = "padding:5px 14px 5px 0;text-align:left;vertical-align:top;border:0;background:none;white-space:normal"


def claims(values: Mapping[str, Any]) -> Strip:
    """Compare several computed values with the documents, and show them in one foldable strip.

    Parameters
    ----------
    values : dict
        The computed value, not rounded, for each id of the ledger: ``{"mdl.tree": score(tree)}``.

    Returns
    -------
    Strip
        Its summary counts the verdicts; the table inside has one row per figure.

    Raises
    ------
    ClaimError
        If a value does not agree with the ledger, or the ledger has no such claim.

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.claims({"dimension.7": 7, "dimension.9": 9}).summary
    'Checked against the documents: 2 reproduced'
    """
    if not isinstance(values, Mapping) or not values:
        raise ValueError(f'bn.claims takes a dictionary of ids and values, such as {{"mdl.tree": score(tree)}}; '
                         f"you give {values!r}.")
    return Strip(tuple(claim(id, value) for id, value in values.items()))


class Strip:
    """Several claims: a line that counts the verdicts, and a table that unfolds."""

    def __init__(self, claims: tuple[Claim, ...]):
        self.claims = claims

    @property
    def verdicts(self) -> dict[str, int]:
        """The number of claims with each verdict."""
        counts = Counter(claim.entry.verdict for claim in self.claims)
        return {verdict: counts[verdict] for verdict in VERDICTS if counts[verdict]}

    @property
    def summary(self) -> str:
        """The line that is always seen."""
        parts = [f"{number} {_counted(verdict, number)}" for verdict, number in self.verdicts.items()]
        return f"{TITLE}: {', '.join(parts)}"

    def __repr__(self) -> str:
        rows = [(f"{c.entry.mark} {c.entry.id}", _there(c, "printed "), f"computed {c.here}", c.entry.verdict_text)
                for c in self.claims]
        widths = [min(44, max(len(row[i]) for row in rows)) for i in range(3)]
        lines = ["  ".join([*(part.ljust(width) for part, width in zip(row, widths)), row[3]]) for row in rows]
        return "\n".join([self.summary, *lines])

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col" style="{CELL};color:{FAINT_INK};font-weight:normal">{h}</th>' for h in HEADS)
        rows = "".join(map(_row, self.claims))
        table = 'style="border-collapse:collapse;margin:8px 0 0;font-size:1em"'
        return themed(f'<details class="bnteach-claims" style="{CARD};display:block"><summary style="cursor:pointer">'
                      f"{escape(self.summary)}</summary><table {table}>"
                      f'<thead><tr style="background:none">{head}</tr></thead><tbody>{rows}</tbody></table></details>')


def _counted(verdict: str, number: int) -> str:
    if verdict == "formula":
        return "formula evaluated" if number == 1 else "formulas evaluated"
    return verdict


def _there(claim: Claim, label: str = "") -> str:
    """What is printed; never a figure where none is printed."""
    return "no figure printed" if claim.entry.printed is None else label + claim.there


def _row(claim: Claim) -> str:
    entry = claim.entry
    verdict = f'<b style="color:{COLOURS[entry.mark][1]}">{escape(claim.heading)}</b>'
    why = f'<div style="color:{FAINT_INK};max-width:30em">{escape(entry.why)}</div>' if entry.why else ""
    what = f"{escape(entry.where)} <code style='background:none;color:{FAINT_INK}'>{entry.id}</code>{why}"
    cells = (escape(entry.document.cite), what, escape(_there(claim)), escape(claim.here), verdict)
    return ('<tr style="background:none;border-top:1px solid #d5dbe1">'
            + "".join(f'<td style="{CELL}">{cell}</td>' for cell in cells) + "</tr>")
