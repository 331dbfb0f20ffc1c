"""The stand-alone stage: a slider, buttons and a sentence around frames, as HTML that needs no kernel.

Both the player and the knob are put on it. The script and the style are small and travel inside; nothing is
fetched. Without a script (an untrusted notebook, a printed page) it shows one frame, and the text.
"""

from __future__ import annotations

import json
import os
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

BUTTONS = [("first", "First", "First step"), ("back", "Back", "One step back"), ("play", "Play", "Play or pause"),
           ("next", "Next", "One step on"), ("last", "Last", "Last step")]


@cache
def asset(name: str) -> str:
    """The text of a file that lies beside this one."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def stage_html(data: dict[str, Any], shown: str, name: str, *, play: bool, sentence: str = "",
               details: str = "", described: str = "") -> str:
    """The whole stage: what is shown, the controls, the sentence, and folded text below."""
    wanted = BUTTONS if play else [button for button in BUTTONS if button[0] in ("back", "next")]
    buttons = "".join(f'<button type="button" data-do="{do}" title="{escape(tip)}">{word}</button>'
                      for do, word, tip in wanted)
    frames = data["frames"]
    label = f'<span aria-hidden="true">{escape(name)}</span>'
    slider = (f'<input type="range" min="0" max="{len(frames) - 1}" value="{data["start"]}" step="1" '
              f'aria-label="{escape(name)}">')
    bar = (f'<div class="bn-bar" style="display:none">{label}{slider}<span class="bn-where"></span>{buttons}</div>')
    told = f'<p class="bn-sentence" aria-live="polite">{escape(sentence)}</p>' if play else ""
    return (f'<div class="bnteach-stage" role="group" aria-label="{escape(described or name)}">'
            f"<style>{asset('stage.css')}</style>{shown}{bar}{told}{details}"
            f'<script type="application/json">{_json(data)}</script></div>'
            f"<script>{asset('stage.js')}</script>")


def full_page(html: str, title: str) -> str:
    """A web page with a stage on it."""
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"></head>'
            f'<body style="margin:16px;background:#f6f7f9"><main>{html}</main></body></html>\n')


def live() -> bool:
    """Is this a notebook with a kernel, and is ipywidgets installed?

    BNTEACH_WIDGETS=off in the environment says no: what is shown then stays alive when the notebook is saved and
    opened again, where a widget would only say that its model was not found.
    """
    if os.environ.get("BNTEACH_WIDGETS") == "off":
        return False
    try:
        import ipywidgets  # noqa: F401
        from IPython import get_ipython
    except ImportError:
        return False
    return getattr(get_ipython(), "kernel", None) is not None


def view(widget: Any) -> dict[str, Any]:
    """The piece of a notebook's output that shows a widget."""
    return {key: value for key, value in widget._repr_mimebundle_().items() if "widget-view" in key}


def _json(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
