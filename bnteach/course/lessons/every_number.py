"""The whole ledger as a page: every figure that the documents print, its exact value, and the lesson that computes it.

    every_number()                     all of them, to search, filter and sort
    every_number("slides")             those of one document
    every_number(verdict="corrected")  those that the document prints wrong

The page is made from data/claims.toml, the file that `bn.claims` reads, so it always agrees with what the lessons have
shown. Search box and buttons need no kernel and fetch nothing; where scripts do not run, the table is there without
them. Lesson 19.

>>> print(Ledger(["mdl.tree", "abcd.MI.AB", "bic.weight"]))
✓ mdl.tree    printed -20.2                          computed -20.2266  lesson 08
✗ abcd.MI.AB  printed 0.074                          computed 0.0729    lesson 07
✗ bic.weight  the formula as printed gives 0.6931    computed 0.8047    lesson 08
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from bnteach.course.lessons.claims import ledger_table
from bnteach.course.lessons.figures import compare, write
from bnteach.course.lessons.ledger import SLIPS, VERDICTS, Entry, ledger, single_figures
from bnteach.show.theme import themed

LESSONS = ("00_start_here", "01_how_many_graphs", "02_independence_in_graphs", "03_independence_in_data", "04_pc",
           "05_from_pattern_to_dag", "06_likelihood", "07_chow_liu", "08_overfitting_and_mdl", "09_local_search",
           "10_parents_in_order", "11_searching_orders", "12_gaussian_networks", "13_simulated_annealing", "14_hybrid",
           "15_incomplete_data", "16_music_recommender", "17_searching_classes", "18_how_sure_are_we",
           "19_every_number", "20_your_own_data")
LOOKS = {"✓": "bn-right", "✗": "bn-wrong", "·": "bn-neither"}
HEADS = ("verdict", "document", "figure or statement", "printed there", "computed here", "lesson")
FEW = 12  # entries that need no search box
KINDS = ("figure", "formula", "sentence")


def every_number(document: str | None = None, verdict: str | None = None) -> Ledger:
    """Show the ledger, or its entries for one document or with one verdict, as a table to search, filter and sort.

    Parameters
    ----------
    document : str, optional
        The key of a document, such as ``"slides"``.
    verdict : {"reproduced", "corrected", "formula", "measured"}, optional
        The verdict of the entries.

    Returns
    -------
    Ledger
        A table with links to the lessons. ``verdicts`` counts the entries by verdict, ``figures`` the single figures
        that are printed, ``errors`` and ``slips`` the errors by form and by kind.

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
    """Some entries of the ledger: a table to search, filter and sort, or one line of text per entry."""

    def __init__(self, ids: Iterable[str]):
        self.ids = tuple(ids)
        self.table = ledger_table().loc[list(self.ids)]

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def entries(self) -> list[Entry]:
        """The entries themselves."""
        return [ledger()[id] for id in self.ids]

    @property
    def verdicts(self) -> dict[str, int]:
        """The number of entries with each verdict."""
        counts = Counter(self.table["verdict"])
        return {verdict: counts[verdict] for verdict in VERDICTS}

    @property
    def figures(self) -> dict[str, int]:
        """The single figures that the documents print, right and wrong; an entry may have several, as in a table."""
        pairs = [pair for entry in self.entries if entry.verdict in ("reproduced", "corrected")
                 for pair in single_figures(entry.printed, entry.exact)]
        wrong = sum(bool(compare(exact, printed)) for printed, exact in pairs)
        return {"right": len(pairs) - wrong, "wrong": wrong}

    @property
    def errors(self) -> dict[str, Ledger]:
        """The entries with an error: a wrong figure, a formula or algorithm that gives another, a false sentence."""
        found: dict[str, list[str]] = {kind: [] for kind in KINDS}
        for entry in self.entries:
            if entry.printed_wrong:
                figure = "figure" if entry.verdict == "corrected" else "formula"
                found["sentence" if entry.form == "sentence" else figure].append(entry.id)
        return {kind: Ledger(ids) for kind, ids in found.items()}

    @property
    def slips(self) -> dict[str, Ledger]:
        """The entries with an error by what went wrong; those without a kind are called other."""
        found: dict[str, list[str]] = {**{words: [] for words in SLIPS.values()}, "other": []}
        for entry in self.entries:
            if entry.printed_wrong:
                found[SLIPS.get(entry.slip, "other")].append(entry.id)
        return {words: Ledger(ids) for words, ids in found.items() if ids}

    def __repr__(self) -> str:
        rows: Iterable[Any] = self.table.itertuples()
        lines = [(f"{row.mark} {row.Index}", f"printed {row.printed}" if row.printed else row.verdict_text,
                  f"computed {row.exact}" if row.exact else "measured", f"lesson {row.lesson}") for row in rows]
        widths = [min(40, max((len(line[i]) for line in lines), default=0)) for i in range(3)]
        return "\n".join("  ".join([*(part.ljust(width) for part, width in zip(line, widths)), line[3]])
                         for line in lines)

    def _repr_html_(self) -> str:
        many = len(self) > FEW
        head = "".join(f'<th scope="col"><button type="button" title="Sort by {word}">{word}</button></th>' if many
                       else f'<th scope="col"><b>{word}</b></th>' for word in HEADS)
        rows, script = "".join(map(_row, self.entries)), f"<script>{_asset('js')}</script>"
        return themed(f'<div class="bnteach-ledger" data-lm-suppress-shortcuts="true"><style>{_asset("css")}</style>'
                      f'{_filter(self.entries) * many}<div class="bn-rows" role="region" tabindex="0" '
                      f'aria-label="The ledger"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
                      f'</div></div>{script * many}')


@cache
def _asset(kind: str) -> str:
    return Path(__file__).with_suffix(f".{kind}").read_text(encoding="utf-8")


def _filter(entries: list[Entry]) -> str:
    """The search box, a choice for each of document, verdict and lesson, and how many entries are shown."""
    parts = {"document": sorted({entry.document.key for entry in entries}),
             "verdict": sorted({_verdict(entry) for entry in entries}),
             "lesson": sorted({lesson for entry in entries for lesson in entry.lesson})}
    choices = "".join(f'<label>{name} <select name="{name}"><option value="">all</option>'
                      + "".join(f'<option value="{_slug(word)}">{word}</option>' for word in words)
                      + "</select></label>"
                      for name, words in parts.items())
    return (f'<div class="bn-filter" role="search" hidden><input type="search" placeholder="Search the ledger" '
            f'aria-label="Search the ledger">{choices}<span class="bn-said bn-faint" role="status"></span></div>')


def _verdict(entry: Entry) -> str:
    """The verdict in two or three words; of a formula, what is wrong, if anything is."""
    if entry.verdict != "formula":
        return entry.verdict
    wrong = "sentence is false" if entry.form == "sentence" else f"{entry.form} is wrong"
    return wrong if entry.printed_wrong else "no figure printed"


def _slug(word: str) -> str:
    return word.replace(" ", "-")


def _row(entry: Entry) -> str:
    first, second = (entry.where, entry.says) if entry.printed is not None else (entry.says, entry.where)
    why = f"<br>{escape(entry.why)}" if entry.why else ""
    says = (f"<details><summary>{escape(first)}</summary><div>{escape(entry.document.cite)}: {escape(second)} "
            f"<code>{entry.id}</code>{why}</div></details>")
    printed = (f'<span class="bn-faint">as printed it gives</span> {escape(write(entry.gives))}'
               if entry.gives is not None else "" if entry.printed is None else escape(write(entry.printed)))
    links = ", ".join(f'<a href="{LESSONS[int(number)]}.ipynb">{int(number)}</a>' for number in entry.lesson)
    verdict, computed = _verdict(entry), escape(ledger_table().loc[entry.id, "exact"]) or "measured"
    return (f'<tr data-document="{entry.document.key}" data-verdict="{_slug(verdict)}" '
            f'data-lesson="{" ".join(entry.lesson)}"><td class="bn-verdict" data-key="{"✗✓·".index(entry.mark)}">'
            f'<span class="{LOOKS[entry.mark]}">{entry.mark} {verdict}</span></td><td>{entry.document.key}</td>'
            f'<td class="bn-figure">{says}</td><td class="bn-number">{printed}</td>'
            f'<td class="bn-number">{computed}</td><td class="bn-lesson">{links}</td></tr>')
