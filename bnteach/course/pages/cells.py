"""A cell of an executed notebook as HTML, for slides and for the web site.

nbconvert's own parser reads the Markdown, so a page has the text of the notebook; formulas become MathML, and the
caller decides the targets of links and pictures. Of the many forms of an output, the first that a page can show is
used: the HTML of a player, not its widget, which would need a kernel.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from html import escape, unescape
from itertools import count
from typing import Any

from bnteach.course.pages.formulas import in_html, mathml

Target = Callable[[str], str | None]
"""From the target of a link or a picture in the lesson to its target on the page; None keeps the text only."""

WORD = r"(?i)(?<![a-z0-9.])(?!(?:nan|nat|none|inf|true|false|na)\b)[a-z]{2}"
"""Distinguishes words from numbers in a table cell; single letters are states of variables and count as numbers."""


def markdown(text: str, link: Target, picture: Target, ids: dict[str, int] | None = None) -> str:
    """Prose as HTML. With `ids` (one dictionary per page, empty at first), headings get ids to link to."""
    from nbconvert.filters.markdown_mistune import MarkdownWithMath

    html = MarkdownWithMath(renderer=_renderer()(link, picture, ids)).render(text)
    return html.replace("<table>", '<div class="wide"><table>').replace("</table>", "</table></div>")


@cache
def _renderer() -> Any:
    """nbconvert's renderer with our formulas, links and pictures; made on first use, since nbconvert loads slowly."""
    from nbconvert.filters.markdown_mistune import IPythonRenderer

    class Renderer(IPythonRenderer):
        def __init__(self, link: Target, picture: Target, ids: dict[str, int] | None):
            super().__init__(escape=False, exclude_anchor_links=True)
            self.to_link, self.to_picture, self.ids = link, picture, ids

        def heading(self, text: str, level: int, **_: Any) -> str:
            named = "" if self.ids is None else f' id="{slug(text, self.ids)}"'
            return f"<h{level}{named}>{text}</h{level}>\n"

        def link(self, text: str, url: str, title: str | None = None) -> str:
            target = self.to_link(url)
            to_keep = " download" if (target or "").endswith(".ipynb") else ""  # a browser would show it as raw text
            return text if target is None else f'<a href="{escape(target)}"{to_keep}>{text}</a>'

        def image(self, text: str, url: str, title: str | None = None) -> str:
            target = self.to_picture(url)
            return f"<em>{text}</em>" if target is None else f'<img src="{escape(target)}" alt="{escape(text)}">'

        def inline_math(self, body: str) -> str:
            return mathml(body)

        def block_math(self, body: str) -> str:
            return mathml(body, display=True)

        def latex_environment(self, name: str, body: str) -> str:
            return mathml(f"\\begin{{{name}}}{body}\\end{{{name}}}", display=True)

        def block_html(self, html: str) -> str:
            return relinked(in_html(html), self.to_link)

        def block_code(self, code: str, info: str | None = None) -> str:
            return source_html(code) if (info or "").strip() == "python" else f"<pre>{escape(code.rstrip())}</pre>\n"

    return Renderer


def relinked(html: str, link: Target) -> str:
    """HTML of a lesson with its links to other lessons replaced as `link` says.

    >>> relinked('<a href="07_chow_liu.ipynb#root">7</a>', lambda url: None)
    '<a>7</a>'
    """
    def lead(found: re.Match[str]) -> str:
        target = link(unescape(found[1]))
        return "" if target is None else f' href="{escape(target)}"'

    return re.sub(r"""\shref=["']([^"':]+\.ipynb(?:#[^"']*)?)["']""", lead, html)


def slug(html: str, taken: dict[str, int]) -> str:
    """The id of a heading: its words, and a number if the id is taken.

    >>> taken = {}
    >>> slug("By <em>hand</em> first", taken), slug("By hand, first", taken)
    ('by-hand-first', 'by-hand-first-2')
    """
    words = re.sub(r"[^\w]+", "-", plain(html).lower()).strip("-") or "section"
    taken[words] = taken.get(words, 0) + 1
    return words if taken[words] == 1 else f"{words}-{taken[words]}"


def plain(html: str) -> str:
    """The text of HTML, on one line.

    >>> plain("<p>a &lt; <b>b</b></p><script>c</script>")
    'a < b'
    """
    text = re.sub(r"<(script|style)\b.*?</\1>|<!--.*?-->", " ", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"</?(?:b|i|em|strong|code|span|a|m\w+)\b[^>]*>|(<[^>]*>)",
                                               lambda tag: " " if tag[1] else "", text))).strip()


def source_html(code: str) -> str:
    """Highlighted Python code; the style sheet is `colours`."""
    from pygments import highlight
    from pygments.formatters import HtmlFormatter
    from pygments.lexers import PythonLexer

    return f'<pre class="code">{highlight(code, PythonLexer(), HtmlFormatter(nowrap=True)).rstrip()}</pre>'


def colours(style: str, where: str) -> str:
    """The style sheet of `source_html`: a Pygments style for all code inside the selector `where`."""
    from pygments.formatters import HtmlFormatter

    rules = HtmlFormatter(style=style).get_style_defs(f"{where} .code").splitlines()
    return "\n".join(rule for rule in rules if rule.startswith(f"{where} .code ."))


def code_shown(cell: Any) -> bool:
    """Is the code of a cell shown? That of a quiz is not, since it contains the answers."""
    hidden = "hide-input" in cell.metadata.get("tags", []) or cell.metadata.get("jupyter", {}).get("source_hidden")
    return bool(cell.source.strip()) and not hidden


def output_html(output: Any) -> str:
    """One output of a cell; empty if a page cannot show it."""
    if output.output_type == "stream":
        return _text(output.text) if output.name == "stdout" else ""
    data = output.get("data", {})
    if "text/html" in data:
        return in_html(words_left(data["text/html"]))
    if "image/svg+xml" in data:
        return str(data["image/svg+xml"])
    if "image/png" in data:
        alt = output.get("metadata", {}).get("image/png", {}).get("alt", "")
        return f'<img src="data:image/png;base64,{"".join(data["image/png"].split())}" alt="{escape(alt)}">'
    return _text(data["text/plain"]) if "text/plain" in data else ""


def words_left(html: str) -> str:
    """The tables of pandas, with class="words" on columns of words, which are aligned left, numbers right.

    >>> words_left('<table class="dataframe"><tr><th>n</th><th>what</th></tr><tr><td>1</td><td>Grew</td></tr></table>')
    '<table class="dataframe"><tr><th>n</th><th class="words">what</th></tr><tr><td>1</td><td class="words">Grew...'
    """
    return re.sub(r'(?s)<table\b[^>]*class="dataframe".*?</table>', lambda table: _words_left(table[0]), html)


def _words_left(table: str) -> str:
    cells = [re.findall(r"(?s)<td>(.*?)</td>", row) for row in re.findall(r"(?s)<tr.*?</tr>", table)]
    width = max(map(len, cells), default=0)
    words = {i for row in cells for i, cell in enumerate(row, width - len(row)) if re.search(WORD, cell)}

    def row(found: re.Match[str]) -> str:
        at = count(width - len(re.findall(r"<t[hd]\b", found[0])))  # the labels of the row come before the columns
        return re.sub(r"<t[hd]\b", lambda tag: f'{tag[0]} class="words"' if next(at) in words else tag[0], found[0])

    return re.sub(r"(?s)<tr.*?</tr>", row, table) if words else table


def _text(text: str) -> str:
    return f'<pre class="text">{escape(text.rstrip())}</pre>'
