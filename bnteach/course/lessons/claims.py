"""Claims: a figure that a document prints, beside the one that a lesson has computed.

    bn.claim("mdl.tree", score(tree))

finds the figure in the ledger (data/claims.toml) and shows the document, the printed figure, the computed figure
and a tick, or what is wrong in the document and why. A value that differs from the exact figure is an error, so a
lesson that shows a claim has computed it. Several at once, in one foldable strip: `bn.claims` (strip.py).

>>> claim("mdl.tree", -20.2266138)
✓ reproduced  mdl.tree
  the slides (Batista, COMP9418), minimum description length of the tree
  printed there  -20.2
  computed here  -20.2266
>>> claim("mdl.tree", -20.55)
Traceback (most recent call last):
    ...
bnteach.course.lessons.claims.ClaimError: mdl.tree: you give -20.5500, and it should be -20.2266. ...
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import TYPE_CHECKING, Any

from bnteach.course.lessons.claim_html import claim_html
from bnteach.course.lessons.figures import compare, plain, write
from bnteach.course.lessons.ledger import BOUNDS, Entry, ledger

if TYPE_CHECKING:
    import pandas as pd


class ClaimError(ValueError):
    """The value differs from the ledger's, or the ledger has no such claim."""


def claim(id: str, value: Any) -> Claim:
    """Compare a computed value with a figure that a document prints, and show both.

    Parameters
    ----------
    id : str
        The id of the figure in the ledger, ``"mdl.tree"``.
    value : number, list, dict, numpy or pandas object, graph or Result
        The computed value, not rounded. For an exercise a short text that describes what was shown.

    Returns
    -------
    Claim
        Shown with the printed and the computed figure, and a tick or the correction.

    Raises
    ------
    ClaimError
        If the value does not agree with the ledger, or the ledger has no such claim.

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.claim("dimension.7", 7).heading
    '✓ reproduced'
    """
    entry = find(id)
    if problems := _problems(entry, value):
        raise ClaimError(_explain(entry, value, problems))
    return Claim(entry, value)


def find(id: str) -> Entry:
    """The ledger's entry with this id."""
    entries = ledger()
    if id not in entries:
        similar = " or ".join(map(repr, difflib.get_close_matches(str(id), entries, n=3, cutoff=.5)))
        hint = f"Did you mean {similar}?" if similar else "bn.every_number() lists all."
        raise ClaimError(f"the ledger has no claim {id!r}. {hint}")
    return entries[id]


def ledger_table() -> pd.DataFrame:
    """The whole ledger as a DataFrame, one row per claim."""
    import pandas as pd

    rows = [{"id": e.id, "document": e.document.key, "where": e.where, "says": e.says,
             "printed": "" if e.printed is None else write(e.printed),
             "exact": _bounds(e) if e.exact is None else write(e.exact),
             "verdict": e.verdict, "mark": e.mark, "verdict_text": e.verdict_text, "why": e.why,
             "lesson": ", ".join(e.lesson)} for e in ledger().values()]
    return pd.DataFrame(rows).set_index("id")


# -- judging ---------------------------------------------------------------------------------------------
def _problems(entry: Entry, value: Any) -> list[str]:
    if entry.verdict == "measured":
        return _outside(plain(value), entry) if any(getattr(entry, bound) for bound in BOUNDS) else _empty(value)
    return compare(value, entry.exact)


def _empty(value: Any) -> list[str]:
    """What is wrong with a measured value without bounds: only that there is none."""
    missing = value is None or value is False or (isinstance(value, str) and not value.strip())
    return [f"a measured value, or a short text that describes what was shown, is asked for, not {value!r}"] * missing


def _outside(value: Any, entry: Entry, name: str | None = None) -> list[str]:
    """How a measured value violates its bounds."""
    bounds = {bound: _part(getattr(entry, bound), name) for bound in BOUNDS if getattr(entry, bound) is not None}
    names = next((list(bound) for bound in bounds.values() if isinstance(bound, Mapping)), None)
    if names:
        if isinstance(value, list | tuple) and len(value) == len(names):
            value = dict(zip(names, value))
        if not isinstance(value, Mapping) or set(value) != set(names):
            return [f"a dictionary with {', '.join(names)} is asked for, and you give {value!r}"]
        return [problem for part in names for problem in _outside(plain(value[part]), entry, part)]
    low, high = bounds.get("between", (bounds.get("at_least"), bounds.get("at_most")))
    at = f"{name}: " if name else ""
    if isinstance(value, bool) or not isinstance(value, Real | Decimal):
        return [f"{at}a number is asked for, {_limits(low, high)}, and you give {value!r}"]
    number = float(value)
    inside = (low is None or number >= float(low) - 1e-9) and (high is None or number <= float(high) + 1e-9)
    return [] if inside else [f"{at}measured {write(value)}, which is not {_limits(low, high)}"]


def _part(bound: Any, name: str | None) -> Any:
    return bound if name is None else bound[name]


def _limits(low: Any, high: Any) -> str:
    if low is not None and high is not None:
        return f"between {write(low)} and {write(high)}"
    return f"at most {write(high)}" if low is None else f"at least {write(low)}"


def _bounds(entry: Entry) -> str:
    """The bounds of a measured entry in words, if it has any."""
    if isinstance(entry.between, Mapping):
        return ", ".join(f"{name} {_limits(*pair)}" for name, pair in entry.between.items())
    low, high = entry.between or (entry.at_least, entry.at_most)
    return "" if low is None and high is None else _limits(low, high)


def _explain(entry: Entry, value: Any, problems: list[str]) -> str:
    """The whole error message: what was computed, what the ledger has, what the document prints."""
    more = f"; and {len(problems) - 3} more" if len(problems) > 3 else ""
    text = f"{entry.id}: {'; '.join(problems[:3])}{more}. "
    if entry.printed is not None and entry.exact is not None and not compare(value, entry.printed):
        if entry.verdict == "corrected":
            return f"{text}This is what the document prints, and it is wrong. {entry.why}"
        if write(value) == write(entry.printed):
            return f"{text}This is the printed figure, already rounded: claim the computed one, not rounded."
    if entry.gives is not None and not compare(value, entry.gives):
        return f"{text}This is what the {entry.form} as printed gives, and it is wrong. {entry.why}"
    if entry.exact is not None:
        text += f"The ledger has {write(entry.exact)}. "
    return f"{text}In {entry.document.cite}, {entry.where}: {entry.says}."


# -- showing ---------------------------------------------------------------------------------------------
@dataclass(frozen=True, repr=False)
class Claim:
    """A figure of a document, and a computed value that agrees with the ledger."""

    entry: Entry
    value: Any

    @property
    def heading(self) -> str:
        """The verdict in words, with a tick, a cross or a dot."""
        return f"{self.entry.mark} {self.entry.verdict_text}"

    @property
    def source(self) -> str:
        """The document, and where in it the figure is."""
        return f"{self.entry.document.cite}, {self.entry.where}"

    @property
    def labels(self) -> tuple[str, str]:
        """The labels of the printed and the computed figure."""
        return ("says" if self.entry.printed is None else "printed there",
                "measured here" if self.entry.verdict == "measured" else "computed here")

    @property
    def there(self) -> str:
        """The figure that the document prints, or else what it says."""
        return self.entry.says if self.entry.printed is None else write(self.entry.printed)

    @property
    def here(self) -> str:
        """What was computed, with the decimals of the ledger."""
        entry, bounds = self.entry, _bounds(self.entry)
        if entry.exact is not None:
            return write(entry.exact)  # the value agrees with it, so this is the value, rounded
        if self.value is True:
            return "done"
        return f"{_rounded(self.value)} ({bounds})" if bounds else _rounded(self.value)

    def __repr__(self) -> str:
        lines = [f"{self.heading}  {self.entry.id}", f"  {self.source}",
                 f"  {self.labels[0]:<13}  {self.there}", f"  {self.labels[1]:<13}  {self.here}"]
        return "\n".join([*lines, f"  {self.entry.why}"] if self.entry.why else lines)

    def _repr_html_(self) -> str:
        return claim_html(self)


def _rounded(value: Any) -> str:
    """A measured value, to four decimals."""
    value = plain(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_rounded(part)}" for name, part in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_rounded, value))
    number = isinstance(value, Real | Decimal) and not isinstance(value, int)
    return f"{float(value):.4f}" if number else write(value).strip()
