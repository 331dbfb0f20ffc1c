"""bn.knob: what a function returns for each value of one argument, with a slider over the values.

    bn.knob(lambda alpha: bn.draw(bn.pc(bn.ChiSquare(table, alpha))), alpha=[0.001, 0.01, 0.05, 0.2])

The function is called once per value, when the knob is made, so moving the slider is instant, with and without a
kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from bnteach.show.picture import CARD, Picture
from bnteach.show.standalone import full_page, live, standalone_html, view
from bnteach.show.theme import themed

HIDDEN = ' style="display:none"'


class Knob:
    """Frames, one for each value of an argument, and a slider over them."""

    def __init__(self, name: str, values: Sequence[str], shown: Sequence[Any], start: int = 0):
        self.name, self.values, self.start = name, tuple(values), start
        self.frames = tuple(as_html(thing) for thing in shown)
        self.texts = tuple(as_text(thing) for thing in shown)
        self._widget: Any = None

    def html(self) -> str:
        """The stand-alone knob as HTML, for any page."""
        data = {"start": self.start, "frames": [["", value] for value in self.values]}
        frames = "".join(f'<div class="bn-frame"{"" if i == self.start else HIDDEN}>{frame}</div>'
                         for i, frame in enumerate(self.frames))
        return standalone_html(data, frames, self.name, play=False, aria_label=f"Knob: {self.name}")

    def save(self, path: str | Path) -> Path:
        """Write the knob to a web page."""
        path = Path(path)
        path.write_text(full_page(self.html(), self.name), encoding="utf-8")
        return path

    def widget(self) -> Any:
        """The knob as an ipywidgets widget, made once."""
        if self._widget is None:
            self._widget = self._made_widget()
        return self._widget

    def _made_widget(self) -> Any:
        """A slider over the values, and the frame of the chosen value."""
        import ipywidgets as widgets

        from bnteach.show.live import NAMED

        frames = [f'<div data-value="{escape(value)}">{frame}</div>' for value, frame in zip(self.values, self.frames)]
        shown = widgets.HTML(frames[self.start])
        slider = widgets.SelectionSlider(options=[(text, i) for i, text in enumerate(self.values)], value=self.start,
                                         description=self.name, continuous_update=True,
                                         style={"description_width": "initial"},
                                         layout=widgets.Layout(width="min(100%, 520px)"))
        slider.observe(lambda change: setattr(shown, "value", frames[change["new"]]), names="value")
        named = widgets.HTML(NAMED.format(name=escape(self.name)), layout=widgets.Layout(height="0", margin="0"))
        return widgets.VBox([slider, shown, named])

    def __repr__(self) -> str:
        return (f"Knob {self.name}: {', '.join(self.values)}. "
                f"At {self.values[self.start]}: {self.texts[self.start]}")

    def _repr_html_(self) -> str:
        return self.html()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        shown = {"text/plain": repr(self), "text/html": self.html()}
        return {**shown, **view(self.widget())} if live() else shown


def knob(function: Callable[..., Any], start: Any = None, **argument: Sequence[Any]) -> Knob:
    """Show what a function returns for each value of one argument, with a slider over the values.

    Parameters
    ----------
    function : callable
        Called once per value, with the argument by name; returns a picture, or anything that can be printed.
    start : optional
        The value to show first; the first one by default.
    **argument : sequence
        The argument and its values, as in ``alpha=[0.01, 0.05]``.

    Returns
    -------
    Knob
        Shown as a widget in a running notebook and as HTML elsewhere; ``save(path)`` writes a web page.

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.knob(lambda n: bn.count_dags(n), n=[1, 2, 3], start=3)
    Knob n: 1, 2, 3. At 3: 25
    """
    if len(argument) != 1:
        named = ", ".join(argument) or "none"
        raise TypeError(f"bn.knob takes one argument with its values, such as alpha=[0.01, 0.05]; given: {named}.")
    (name, values), = argument.items()
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__") or not (values := list(values)):
        raise TypeError(f"{name} must be a list of values to choose from, such as {name}=[0.01, 0.05].")
    if start is not None and start not in values:
        raise ValueError(f"start is {start!r}, which is not among the values of {name}: "
                         f"{', '.join(map(_text, values))}.")
    shown = [_call(function, name, value) for value in values]
    return Knob(name, [_text(value) for value in values], shown, 0 if start is None else values.index(start))


def _call(function: Callable[..., Any], name: str, value: Any) -> Any:
    try:
        return function(**{name: value})
    except Exception as error:
        error.add_note(f"This happened in bn.knob, with {name} = {value!r}.")
        raise


def as_html(thing: Any) -> str:
    """What a knob's function returned, as HTML."""
    if hasattr(thing, "_repr_html_") and (html := thing._repr_html_()):
        return str(html)
    return themed(f'<pre style="{CARD};display:block;white-space:pre-wrap">{escape(str(thing))}</pre>')


def as_text(thing: Any) -> str:
    """What a knob's function returned, as text that tests can compare."""
    return thing.text if isinstance(thing, Picture) else str(thing)


def _text(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
