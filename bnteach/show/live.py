"""Player and knob in a notebook with a kernel, made of ipywidgets. Imported only when they are shown there."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from bnteach.show.picture import CARD

if TYPE_CHECKING:
    from bnteach.show.knob import Knob
    from bnteach.show.player import Player


# The sliders and the play button of ipywidgets have no names, so a screen reader would say "slider" and "button". A
# style sheet tells when it has come onto the page, and then they are named.
_NAMED = """<style onload="const box = this.closest('.widget-vbox');
  for (const slider of box.querySelectorAll('[role=slider]')) slider.setAttribute('aria-label', '{name}');
  const words = ['Play or pause', 'Stop', 'Repeat'];
  box.querySelectorAll('.widget-play button').forEach((button, i) => button.setAttribute('aria-label', words[i]));
"></style>"""


def player_widget(player: Player) -> widgets.VBox:
    """Picture, sentence, slider and buttons. A step is drawn when it is asked for."""
    shown = widgets.HTML()
    slider = widgets.IntSlider(value=1, min=1, max=len(player), description="Step", continuous_update=True,
                               layout=widgets.Layout(width="min(100%, 520px)"))
    pause = max(150, min(900, 40_000 // len(player)))
    play = widgets.Play(value=1, min=1, max=len(player), interval=pause, show_repeat=False,
                        tooltip="Play the steps", layout=widgets.Layout(width="110px"))
    widgets.jslink((play, "value"), (slider, "value"))

    legend = player.legend()

    def show(change: Any = None) -> None:
        step = slider.value
        card = f'<div style="{CARD};display:block">{player.svg(step)}{legend}</div>' if player.film.nodes else ""
        shown.value = (f"{card}"
                       f'<p role="status" style="margin:4px 2px;line-height:1.45;min-height:2.9em">'
                       f"<b>{step:,} of {len(player):,}.</b> {escape(player.sentence(step))}</p>")

    slider.observe(show, names="value")
    show()
    told = widgets.HTML(_NAMED.format(name="Step") + _folded(player))
    bar = widgets.HBox([*_buttons(slider), play], layout=widgets.Layout(flex_flow="row wrap"))
    return widgets.VBox([shown, slider, bar, told])


def _buttons(slider: widgets.IntSlider) -> list[widgets.Button]:
    """First, back, next, last."""
    def button(word: str, tip: str, to: Any) -> widgets.Button:
        made = widgets.Button(description=word, tooltip=tip, layout=widgets.Layout(width="62px"))
        made.on_click(lambda _: setattr(slider, "value", max(slider.min, min(slider.max, to()))))
        return made

    return [button("First", "First step", lambda: slider.min),
            button("Back", "One step back", lambda: slider.value - 1),
            button("Next", "One step on", lambda: slider.value + 1),
            button("Last", "Last step", lambda: slider.max)]


def _folded(player: Player) -> str:
    items = "".join(f'<li value="{i}">{escape(text)}</li>' if i else f'<li style="list-style:none">{escape(text)}</li>'
                    for i, text in player.trace.sentences(player.most))
    return (f"<details><summary>All steps as text</summary>"
            f'<ol tabindex="0" style="max-height:260px;overflow:auto;line-height:1.45">{items}</ol></details>')


def knob_widget(knob: Knob) -> widgets.VBox:
    """One slider over the values, and the frame that belongs to the value."""
    frames = [f'<div data-value="{escape(value)}">{frame}</div>' for value, frame in zip(knob.values, knob.frames)]
    shown = widgets.HTML(frames[knob.start])
    slider = widgets.SelectionSlider(options=[(text, i) for i, text in enumerate(knob.values)], value=knob.start,
                                     description=knob.name, continuous_update=True,
                                     style={"description_width": "initial"},
                                     layout=widgets.Layout(width="min(100%, 520px)"))
    slider.observe(lambda change: setattr(shown, "value", frames[change["new"]]), names="value")
    named = widgets.HTML(_NAMED.format(name=escape(knob.name)), layout=widgets.Layout(height="0", margin="0"))
    return widgets.VBox([slider, shown, named])
