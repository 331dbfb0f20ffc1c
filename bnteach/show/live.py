"""Players as ipywidgets, for a notebook with a kernel. Imported only when one is shown there."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from bnteach.show.picture import CARD
from bnteach.show.standalone import pause, steps_as_text
from bnteach.show.theme import themed

if TYPE_CHECKING:
    from bnteach.show.player import Player


# The sliders and play buttons of ipywidgets have no names, so a screen reader would say "slider" and "button". The
# load event of a style element, fired when it is inserted into the page, names them.
NAMED = """<style onload="const box = this.closest('.widget-vbox');
  for (const slider of box.querySelectorAll('[role=slider]')) slider.setAttribute('aria-label', '{name}');
  const words = ['Play or pause', 'Stop', 'Repeat'];
  box.querySelectorAll('.widget-play button').forEach((button, i) => button.setAttribute('aria-label', words[i]));
"></style>"""


def player_widget(player: Player) -> widgets.VBox:
    """Picture, sentence, slider and buttons. A step is drawn when it is shown."""
    shown = widgets.HTML()
    slider = widgets.IntSlider(value=1, min=1, max=len(player), description="Step", continuous_update=True,
                               layout=widgets.Layout(width="min(100%, 520px)"))
    play = widgets.Play(value=1, min=1, max=len(player), interval=pause(len(player)), show_repeat=False,
                        tooltip="Play the steps", layout=widgets.Layout(width="110px"))
    widgets.jslink((play, "value"), (slider, "value"))

    legend = player.legend()

    def show(change: Any = None) -> None:
        step = slider.value
        card = f'<div style="{CARD};display:block">{player.svg(step)}{legend}</div>' if player.recording.nodes else ""
        shown.value = themed(f"{card}"
                             f'<p role="status" style="margin:4px 2px;line-height:1.45;min-height:2.9em">'
                             f"<b>{step:,} of {len(player):,}.</b> {escape(player.sentence(step))}</p>")

    slider.observe(show, names="value")
    show()
    text = widgets.HTML(NAMED.format(name="Step") + steps_as_text(player.trace.sentences(player.max_frames)))
    bar = widgets.HBox([*_buttons(slider), play], layout=widgets.Layout(flex_flow="row wrap"))
    return widgets.VBox([shown, slider, bar, text])


def _buttons(slider: widgets.IntSlider) -> list[widgets.Button]:
    """First, back, next, last."""
    def button(name: str, tooltip: str, target: Callable[[], int]) -> widgets.Button:
        made = widgets.Button(description=name, tooltip=tooltip, layout=widgets.Layout(width="62px"))
        made.on_click(lambda _: setattr(slider, "value", max(slider.min, min(slider.max, target()))))
        return made

    return [button("First", "First step", lambda: slider.min),
            button("Back", "One step back", lambda: slider.value - 1),
            button("Next", "One step forward", lambda: slider.value + 1),
            button("Last", "Last step", lambda: slider.max)]
