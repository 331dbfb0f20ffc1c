"""bn.knob: one control over something worth exploring.

    bn.knob(lambda alpha: bn.draw(bn.pc(bn.ChiSquare(table, alpha))), alpha=[0.001, 0.01, 0.05, 0.2])

The function is called once for each value, when the knob is made, so turning it is instant, with a kernel and
without.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from bnteach.show.picture import CARD, Picture
from bnteach.show.stage import full_page, live, stage_html, view

HIDDEN = ' style="display:none"'


class Knob:
    """Frames, one for each value of a control, and a slider to choose."""

    def __init__(self, name: str, values: Sequence[str], shown: Sequence[Any], start: int = 0):
        self.name, self.values, self.start = name, tuple(values), start
        self.frames = tuple(as_html(thing) for thing in shown)
        self.told = tuple(as_text(thing) for thing in shown)
        self._widget: Any = None

    def html(self) -> str:
        """The stand-alone knob, to be put into any page."""
        data = {"start": self.start, "frames": [["", value] for value in self.values]}
        frames = "".join(f'<div class="bn-frame"{"" if i == self.start else HIDDEN}>{frame}</div>'
                         for i, frame in enumerate(self.frames))
        return stage_html(data, frames, self.name, play=False, described=f"Knob: {self.name}")

    def save(self, path: str | Path) -> Path:
        """Write a web page with the knob on it."""
        path = Path(path)
        path.write_text(full_page(self.html(), self.name), encoding="utf-8")
        return path

    def widget(self) -> Any:
        """The knob as an ipywidgets widget, made once."""
        if self._widget is None:
            from bnteach.show.live import knob_widget

            self._widget = knob_widget(self)
        return self._widget

    def __repr__(self) -> str:
        return (f"Knob {self.name}: {', '.join(self.values)}. "
                f"At {self.values[self.start]}: {self.told[self.start]}")

    def _repr_html_(self) -> str:
        return self.html()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        shown = {"text/plain": repr(self), "text/html": self.html()}
        return {**shown, **view(self.widget())} if live() else shown


def knob(function: Callable[..., Any], start: Any = None, **control: Sequence[Any]) -> Knob:
    """Show what a function gives for each value of its one argument, with a slider over the values.

    start  the value to begin with; by itself, the first
    """
    if len(control) != 1:
        named = ", ".join(control) or "none"
        raise TypeError(f"bn.knob takes one control, such as alpha=[0.01, 0.05]; it was given {named}.")
    (name, values), = control.items()
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__") or not (values := list(values)):
        raise TypeError(f"{name} must be a list of values to choose from, such as {name}=[0.01, 0.05].")
    if start is not None and start not in values:
        raise ValueError(f"start is {start!r}, which is not among the values of {name}: "
                         f"{', '.join(map(_told, values))}.")
    shown = [_call(function, name, value) for value in values]
    return Knob(name, [_told(value) for value in values], shown, 0 if start is None else values.index(start))


def _call(function: Callable[..., Any], name: str, value: Any) -> Any:
    try:
        return function(**{name: value})
    except Exception as error:
        error.add_note(f"This happened in bn.knob, with {name} = {value!r}.")
        raise


def as_html(thing: Any) -> str:
    """Whatever a knob's function gave, as HTML."""
    if hasattr(thing, "_repr_html_") and (html := thing._repr_html_()):
        return html
    return f'<pre style="{CARD};display:block;white-space:pre-wrap">{escape(str(thing))}</pre>'


def as_text(thing: Any) -> str:
    """Whatever a knob's function gave, as text that tests can compare."""
    return thing.text if isinstance(thing, Picture) else str(thing)


def _told(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
