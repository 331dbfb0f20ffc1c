r"""TeX formulas as MathML, which every browser shows without a script or a font to fetch.

latex2mathml converts them. This module corrects its result: bold and script letters become the characters that
browsers have for them, and an unknown command is an error instead of a wrong formula.

>>> mathml(r"\frac12")
'<math ...><mrow><mfrac><mn>1</mn><mn>2</mn></mfrac></mrow></math>'
>>> in_html(r"<p>Is $n < 3$?</p><pre>$x$</pre>").count("<math")
1
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import escape, unescape

BEFORE = {r"\arg": r"\operatorname{arg}", r"\argmax": r"\operatorname{arg max}", r"\not\perp": r"\notperp",
          r"\perp\!\!\!\perp": r"\indep", "{aligned}": "{align*}", r"\dfrac": r"\displaystyle\frac"}
"""Commands that latex2mathml does not know or converts badly, and what replaces them before it reads a formula."""
NAMES = {r"\notperp": "⟂̸", r"\indep": "⫫"}
FORMULA = re.compile(r"(?<![\\$])(\$\$.+?\$\$|\$[^$\n]+?\$)(?!\$)", re.DOTALL)
NOT_PROSE = re.compile(r"(<(script|style|svg|pre|code|math)\b.*?</\2>|<!--.*?-->|<[/!a-zA-Z][^>]*>)", re.DOTALL)
BOLD = {**{chr(65 + i): chr(0x1D400 + i) for i in range(26)}, **{chr(97 + i): chr(0x1D41A + i) for i in range(26)}}
SCRIPT = {chr(65 + i): chr(0x1D49C + i) for i in range(26)} | dict(zip("BEFHILMR", "ℬℰℱℋℐℒℳℛ"))


class FormulaError(ValueError):
    """A formula that cannot be converted; the message names the formula and the problem."""


@cache
def mathml(tex: str, display: bool = False) -> str:
    """One formula, without its dollar signs."""
    from latex2mathml.converter import convert

    try:
        made = convert(_known(tex.strip()), display="block" if display else "inline")
    except Exception as error:
        raise FormulaError(f"the formula {tex!r} cannot be read: {error or type(error).__name__}.") from error
    made = _put_right(made)
    if unknown := re.search(r">(\\[A-Za-z]+)<", made):
        raise FormulaError(f"the formula {tex!r} has {unknown[1]}, which is not supported; write it differently.")
    return made


def in_html(html: str) -> str:
    """HTML with the $formulas$ of its prose as MathML. Code, pictures and scripts are not changed."""
    pieces = NOT_PROSE.split(html)
    return "".join(FORMULA.sub(_dollars, piece) if i % 3 == 0 else piece if i % 3 == 1 else ""
                   for i, piece in enumerate(pieces) if piece is not None)


def _dollars(found: re.Match[str]) -> str:
    text = unescape(found[1])
    return mathml(text[2:-2], display=True) if text.startswith("$$") else mathml(text[1:-1])


def _known(tex: str) -> str:
    for command in sorted(BEFORE, key=len, reverse=True):
        tail = "(?![A-Za-z])" if command[-1].isalpha() else ""
        tex = re.sub(re.escape(command) + tail, lambda _, c=command: BEFORE[c], tex)
    return tex


def _put_right(made: str) -> str:
    for name, sign in NAMES.items():
        made = made.replace(f"<mi>{name}</mi>", f"<mo>{sign}</mo>")
    made = made.replace("<mi>&#x027C2;</mi>", "<mo>⟂</mo>")
    made = made.replace("<mi>&#x029F5;</mi>", "<mo>∖</mo>")  # \setminus: few fonts have its other sign
    made = made.replace('width="negativethinmathspace"', 'width="-0.167em"')
    made = re.sub(r'<mi mathvariant="bold">(.)</mi>', _letter(BOLD), made)
    return re.sub(r'<mi mathvariant="script">(.)</mi>', _letter(SCRIPT), made)


def _letter(alphabet: dict[str, str]) -> Callable[[re.Match[str]], str]:
    return lambda found: f"<mi>{escape(alphabet.get(found[1], found[1]))}</mi>"
