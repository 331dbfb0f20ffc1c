"""The stand-alone form of players and knobs: frames with a slider and buttons, as HTML that needs no kernel.

The script and the style sheet are included in the HTML; nothing is fetched. If scripts do not run (in an untrusted
notebook, on a printed page), it shows one frame and the text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from bnteach.show.theme import themed

BUTTONS = [("first", "First", "First step"), ("back", "Back", "One step back"), ("play", "Play", "Play or pause"),
           ("next", "Next", "One step forward"), ("last", "Last", "Last step")]


@cache
def asset(name: str) -> str:
    """The text of a file in this folder."""
    return Path(__file__).with_name(name).read_text(encoding="utf-8")


def standalone_html(data: dict[str, Any], shown: str, name: str, *, play: bool, sentence: str = "",
                    details: str = "", aria_label: str = "", assets: bool = True) -> str:
    """What is shown, the controls, the sentence of the step, and folded text below; with script and style sheet, or
    without these assets, if the page has them."""
    chosen = BUTTONS if play else [button for button in BUTTONS if button[0] in ("back", "next")]
    buttons = "".join(f'<button type="button" data-do="{do}" title="{escape(tip)}">{word}</button>'
                      for do, word, tip in chosen)
    frames = data["frames"]
    label = f'<span aria-hidden="true">{escape(name)}</span>'
    slider = (f'<input type="range" min="0" max="{len(frames) - 1}" value="{data["start"]}" step="1" '
              f'aria-label="{escape(name)}">')
    bar = (f'<div class="bn-bar" style="display:none">{label}{slider}<span class="bn-where"></span>{buttons}</div>')
    spoken = f'<p class="bn-sentence" aria-live="polite">{escape(sentence)}</p>' if play else ""
    style = f"<style>{asset('standalone.css')}</style>" if assets else ""
    script = f"<script>{asset('standalone.js')}</script>" if assets else ""
    return themed(f'<div class="bnteach-stage" role="group" aria-label="{escape(aria_label or name)}">'
                  f"{style}{shown}{bar}{spoken}{details}"
                  f'<script type="application/json">{as_json(data)}</script></div>{script}')


def steps_as_text(sentences: Iterable[tuple[int | None, str]]) -> str:
    """A folded list of numbered sentences; those without a number stand for several steps."""
    items = "".join(f'<li value="{number}">{escape(text)}</li>' if number
                    else f'<li style="list-style:none">{escape(text)}</li>' for number, text in sentences)
    return (f"<details><summary>All steps as text</summary>"
            f'<ol tabindex="0" style="max-height:260px;overflow:auto;line-height:1.45">{items}</ol></details>')


def pause(frames: int) -> int:
    """Milliseconds per frame: a whole run takes about 40 seconds, a frame 150 to 900 milliseconds."""
    return max(150, min(900, 40_000 // frames))


def full_page(html: str, title: str) -> str:
    """A web page that holds a stand-alone player or knob."""
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<style>:root {{ color-scheme: light dark; }}</style></head>"
            f'<body style="margin:16px"><main>{html}</main></body></html>\n')


def live() -> bool:
    """Is this a notebook with a kernel, and is ipywidgets installed?

    BNTEACH_WIDGETS=off in the environment means no: the stand-alone form still works when the notebook is saved
    and opened again, where a widget would only report that its model was not found.
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
    """The part of a notebook's output that shows a widget."""
    return {key: value for key, value in widget._repr_mimebundle_().items() if "widget-view" in key}


def as_json(data: dict[str, Any]) -> str:
    """Data as JSON that can stand in a script element."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
