"""The whole ledger as a page: every figure that the documents print, its exact value, and the lesson that computes it.

    every_number()                     all of them
    every_number("slides")             those of one document
    every_number(verdict="corrected")  those that the document prints wrong

The page is made from data/claims.toml, the file that `bn.claims` reads, so it always agrees with what the lessons have
shown. Lesson 17.

>>> print(Ledger(["mdl.tree", "abcd.MI.AB", "bic.weight"]))
✓ mdl.tree    printed -20.2                          computed -20.2266  lesson 08
✗ abcd.MI.AB  printed 0.074                          computed 0.0729    lesson 07
✗ bic.weight  the formula as printed gives 0.6931    computed 0.8047    lesson 08
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from html import escape
from typing import Any

from bnteach.course.lessons.claims import ledger_table
from bnteach.course.lessons.ledger import VERDICTS, ledger
from bnteach.show.picture import CARD
from bnteach.show.style import BLUE, FAINT_INK, GREEN, RUST
from bnteach.show.theme import themed

LESSONS = ("00_start_here", "01_how_many_graphs", "02_independence_in_graphs", "03_independence_in_data", "04_pc",
           "05_from_pattern_to_dag", "06_likelihood", "07_chow_liu", "08_overfitting_and_mdl", "09_local_search",
           "10_parents_in_order", "11_searching_orders", "12_gaussian_networks", "13_simulated_annealing", "14_hybrid",
           "15_incomplete_data", "16_music_recommender", "17_every_number")
COLOURS = {"✓": GREEN, "✗": RUST, "·": BLUE}
HEADS = ("", "figure", "printed there", "computed here", "lesson")
CELL = "padding:5px 14px 5px 0;text-align:left;vertical-align:top;border:0;background:none;white-space:normal"


def every_number(document: str | None = None, verdict: str | None = None) -> Ledger:
    """Show the ledger, or its entries for one document or with one verdict.

    Parameters
    ----------
    document : str, optional
        The key of a document, such as ``"slides"``.
    verdict : {"reproduced", "corrected", "formula", "measured"}, optional
        The verdict of the entries.

    Returns
    -------
    Ledger
        A table with links to the lessons; ``verdicts`` counts the entries by verdict.

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.every_number("slides").verdicts["corrected"]
    4
    """
    documents = list(dict.fromkeys(entry.document.key for entry in ledger().values()))
    if document is not None and document not in documents:
        raise ValueError(f"there is no document {document!r} in the ledger; there are {', '.join(documents)}.")
    if verdict is not None and verdict not in VERDICTS:
        raise ValueError(f"{verdict!r} is no verdict; there are {', '.join(VERDICTS)}.")
    return Ledger([id for id, entry in ledger().items()
                   if document in (None, entry.document.key) and verdict in (None, entry.verdict)])


class Ledger:
    """Some entries of the ledger: a table with links to the lessons, or one line of text per entry."""

    def __init__(self, ids: Iterable[str]):
        self.ids = tuple(ids)
        self.table = ledger_table().loc[list(self.ids)]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def verdicts(self) -> dict[str, int]:
        """The number of entries with each verdict."""
        counts = Counter(self.table["verdict"])
        return {verdict: counts[verdict] for verdict in VERDICTS}

    def __repr__(self) -> str:
        rows: Iterable[Any] = self.table.itertuples()
        lines = [(f"{row.mark} {row.Index}", f"printed {row.printed}" if row.printed else row.verdict_text,
                  f"computed {row.exact}" if row.exact else "measured", f"lesson {row.lesson}") for row in rows]
        widths = [min(40, max((len(line[i]) for line in lines), default=0)) for i in range(3)]
        return "\n".join("  ".join([*(part.ljust(width) for part, width in zip(line, widths)), line[3]])
                         for line in lines)

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col" style="{CELL};color:{FAINT_INK};font-weight:normal">{h}</th>' for h in HEADS)
        rows = "".join(_row(row) for row in self.table.itertuples())
        table = '<table style="border-collapse:collapse;font-size:1em">'
        return themed(f'<div class="bnteach-ledger" style="{CARD}">{table}'
                      f'<thead><tr style="background:none">{head}</tr></thead><tbody>{rows}</tbody></table></div>')


def _row(row: Any) -> str:
    tick = f'<b style="color:{COLOURS[row.mark]}">{row.mark} {escape(row.verdict_text)}</b>'
    printed = escape(row.printed) or f'<span style="color:{FAINT_INK}">{escape(row.says)}</span>'
    why = f'<div style="color:{FAINT_INK};max-width:34em">{escape(row.why)}</div>' if row.why else ""
    figure = f"{escape(row.where)} <code style='background:none;color:{FAINT_INK}'>{row.Index}</code>{why}"
    links = ", ".join(f'<a href="{LESSONS[int(number)]}.ipynb">{int(number)}</a>' for number in row.lesson.split(", "))
    cells = (tick, figure, printed, escape(row.exact) or "measured", links)
    return ('<tr style="background:none;border-top:1px solid #d5dbe1">'
            + "".join(f'<td style="{CELL}">{cell}</td>' for cell in cells) + "</tr>")
