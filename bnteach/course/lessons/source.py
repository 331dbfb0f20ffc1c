"""bn.source: the code of an algorithm, shown in a lesson from the library itself instead of a copy."""

from __future__ import annotations

import inspect
import re
import textwrap
from html import escape
from pathlib import Path
from typing import Any

import bnteach
from bnteach.show.picture import CARD
from bnteach.show.style import FAINT_INK, FONT
from bnteach.show.theme import themed

SECTIONS = re.compile(r'\s*\n *(?:Parameters|Returns|Yields|Raises|Attributes|Examples|References)\n *-{3,}\n.*?"""',
                      re.DOTALL)
MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"


class Source:
    """The code of one function, class or module, and its file."""

    def __init__(self, code: str, file: str):
        self.code, self.file = code, file

    def _repr_html_(self) -> str:
        name = f'<div style="color:{FAINT_INK};font:13px {FONT};margin-bottom:6px">{escape(self.file)}</div>'
        return themed(f'<div class="bnteach-source" style="{CARD};display:block">{name}{_highlighted(self.code)}</div>')

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": self.code}

    def __str__(self) -> str:
        return self.code

    def __repr__(self) -> str:
        return self.code


def source(what: Any) -> Source:
    """Show the code of a learner, a function, a class or a module.

    Parameters
    ----------
    what : learner, function, class, property or module
        Of a decorated function and of a learner, the function itself is shown; of a docstring, what stands above
        its sections, for which there is `help`.

    Returns
    -------
    Source
        Shown as highlighted code in a notebook; ``str(source)`` is the code.

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.source(bn.dimension).file
    'bnteach/scores/penalised.py'
    """
    inner = inspect.unwrap(what)
    if isinstance(inner, property):
        inner = inner.fget
    try:
        code, file = inspect.getsource(inner), inspect.getsourcefile(inner)
    except (TypeError, OSError):
        raise TypeError(f"bn.source shows the code of a learner, a function, a class or a module; "
                        f"no code was found for {what!r}.") from None
    return Source(SECTIONS.sub('"""', textwrap.dedent(code).strip("\n")), _short_name(file or ""))


def _short_name(file: str) -> str:
    """The path of the file in the repository: bnteach/learn/chow_liu.py."""
    root = Path(bnteach.__file__).resolve().parent.parent
    path = Path(file)
    try:
        return path.resolve().relative_to(root).as_posix()
    except ValueError:
        return "this notebook" if "ipykernel" in file or file.startswith("<") else path.name


def _highlighted(code: str) -> str:
    style = f"margin:0;line-height:1.45;white-space:pre;overflow:auto;font-size:.93em;font-family:{MONO}"
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return f'<pre tabindex="0" style="{style}">{escape(code)}</pre>'
    inner = highlight(code, PythonLexer(), HtmlFormatter(noclasses=True, nowrap=True, style="default"))
    in_full = re.sub(r'(?<=color: )#(\w)(\w)(\w)(?=["; ])', r"#\1\1\2\2\3\3", inner.rstrip())  # #666 is #666666
    in_full = in_full.replace(' style="color: #BBBBBB"', "")  # of spaces, which nobody sees
    return f'<pre tabindex="0" style="{style}">{in_full}</pre>'
