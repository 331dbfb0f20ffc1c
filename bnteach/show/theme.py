"""Colours that follow the page: right on light and on dark, in JupyterLab and elsewhere.

Pictures, cards and players are made with the colours of light paper (style.py); `themed` replaces each of them when
it is shown in a notebook or on a page:

    #1a1a1a   ->   var(--bn-ink,var(--jp-content-font-color1,light-dark(#1a1a1a,#e8eaed)))

`light-dark` follows the page's color-scheme. JupyterLab sets it with its theme, the web site with its button, and a
page of its own (`full_page`) takes that of the reader's system. A page may set any --bn-... itself. What is saved to a
file, `Picture.save`, keeps plain colours. This table is the only place that knows of the dark.
"""

from __future__ import annotations

import re

VARIABLES = {  # light: (name, dark)
    "#ffffff": ("paper", "#14181d"), "#1a1a1a": ("ink", "#e8eaed"), "#5a5a5a": ("faint", "#a9b1ba"),
    "#d5dbe1": ("line", "#3a434d"), "#6b7680": ("button-line", "#7d8994"), "#aab4be": ("option-line", "#5d6873"),
    "#005a8c": ("link", "#7fc4f0"), "#f3f6f9": ("soft", "#242b33"), "#4a4a4a": ("edge", "#b9c0c7"),
    "#0072b2": ("blue", "#58b4ea"), "#dcecf6": ("soft-blue", "#143a54"),
    "#d55e00": ("vermillion", "#ff8f45"), "#fde8d8": ("soft-vermillion", "#4a2a14"), "#b04a00": ("rust", "#ffa066"),
    "#007a5a": ("green", "#4fc9a3"), "#dcf1ea": ("soft-green", "#103d30"), "#a0447a": ("purple", "#e08dbd"),
    "#b36b00": ("orange", "#e0a030"), "#8f5600": ("orange-text", "#e8ad4a"), "#2a8fc4": ("sky", "#6fc3ef"),
    "#1f6f99": ("sky-text", "#7cc8f0"), "#767676": ("grey", "#9aa2aa"), "#666666": ("grey-text", "#a8b0b8"),
    "#e6e8ea": ("soft-grey", "#2d333a"), "#9cc7e4": ("bar", "#2d6a94"), "#e3e7eb": ("grid", "#2c343c"),
    "#000000": ("black", "#f2f4f6"),  # of matplotlib, where a lesson sets no colour
}
OF_JUPYTER = {"paper": "--jp-layout-color0", "ink": "--jp-content-font-color1"}
CODE = {  # the colours of Pygments' style "default", by which bn.source shows code
    "#008000": ("code-keyword", "#7ee787"), "#0000ff": ("code-name", "#79b8ff"), "#ba2121": ("code-text", "#ffa198"),
    "#3d7b7b": ("code-comment", "#8fd0d0"), "#aa22ff": ("code-word", "#d2a8ff"), "#b00040": ("code-type", "#ff9ac1"),
    "#cb3f38": ("code-error", "#ff8f87"), "#a45a77": ("code-escape", "#e8a3bd"),
    "#880000": ("code-constant", "#ff9d9d"),
    "#19177c": ("code-variable", "#a5b4fc"), "#687822": ("code-attribute", "#c3d27a"),
}
COLOUR = re.compile(r"(?<!light-dark\()#[0-9a-f]{6}\b", re.IGNORECASE)


def themed(html: str) -> str:
    """HTML or SVG with every colour of the course replaced by one that follows the page; others stay.

    >>> themed('<b style="color:#007a5a">')
    '<b style="color:var(--bn-green,light-dark(#007a5a,#4fc9a3))">'
    >>> themed(themed('#007a5a')) == themed('#007a5a')
    True
    """
    return COLOUR.sub(_variable, html)


def _variable(found: re.Match[str]) -> str:
    light = found[0].lower()
    if light not in VARIABLES and light not in CODE:
        return found[0]
    name, dark = VARIABLES.get(light) or CODE[light]
    either = f"light-dark({light},{dark})"
    return f"var(--bn-{name},var({OF_JUPYTER[name]},{either}))" if name in OF_JUPYTER else f"var(--bn-{name},{either})"
