"""bn.play: a trace as a picture that moves.

    bn.play(result)

In a notebook with a kernel it is an ipywidgets player; on a web page or in slides it is the same in plain HTML,
with a script of its own and nothing to fetch. In both, places are fixed once, so that only what a step changes
moves; the slider and its arrow keys go to any step, and the sentence of the step is below.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from bnteach.drawing import DrawnEdge
from bnteach.show.draw import as_sketch, describe, is_complete
from bnteach.show.frames import Change, Film, film, shortened
from bnteach.show.layout import Layout, circle, layers, place_labels
from bnteach.show.picture import CARD
from bnteach.show.stage import full_page, live, stage_html, view
from bnteach.show.svg import all_looks, drawing_svg, label_svg, legend_html, line_svg, node_svg, page
from bnteach.trace import Result, Trace

MOST = 300  # frames of a stand-alone player
LOW = ";max-height:72vh"  # a tall picture shrinks, so that the controls below it stay on the screen


def play(result: Result | Trace, layout: Any = None, most: int | None = None) -> Player:
    """Play a result or a trace, step by step.

    layout  "circle", "layers", or a graph whose places are used; by itself, the graph that was found
    most    the stand-alone player shows at most this many frames (300), the live one every step
    """
    if not isinstance(result, (Result, Trace)):
        raise TypeError(f"bn.play takes what a learner returns, or its trace; {type(result).__name__} is neither. "
                        f"For a graph, use bn.draw.")
    if most is not None and most < 3:
        raise ValueError(f"most is {most}; a player needs at least 3 frames.")
    return Player(result, layout, most or MOST)


class Player:
    """A player of a trace. Show it as the last line of a cell, or write it to a page with `save`."""

    def __init__(self, result: Result | Trace, layout: Any = None, most: int = MOST):
        self.trace = result.trace if isinstance(result, Result) else result
        self.learner = (result.learner if isinstance(result, Result) else "") or "trace"
        self.film, self.most = film(self.trace), most
        self.layout = _places(self.film, layout)
        self._widget: Any = None

    def __len__(self) -> int:
        return len(self.film)

    # -- one step ------------------------------------------------------------------------------------------
    def svg(self, step: int) -> str:
        """The picture after a step, counted from 1; empty if the steps draw nothing."""
        if not self.film.nodes:
            return ""
        drawing = self.film.draw(step - 1)
        alt = f"Step {step} of {len(self)}. {self.sentence(step)} {describe(drawing)}"
        return drawing_svg(drawing, self.layout, alt, f"Step {step}", LOW)

    def sentence(self, step: int) -> str:
        """What a step says, counted from 1."""
        return str(self.trace[step - 1])

    def legend(self) -> str:
        """What the looks mean that this trace uses."""
        hows = (how for changes in self.film.changes for _, how in changes if how is not None)
        return legend_html({how.style if isinstance(how, DrawnEdge) else how for how in hows})

    # -- for pages without a kernel --------------------------------------------------------------------------
    def html(self) -> str:
        """The stand-alone player, to be put into any page."""
        if not len(self):
            return f'<div class="bnteach-player" style="{CARD}">{escape(repr(self))}</div>'
        frames = shortened(self.film, self.most)
        drawn, slots = _all_slots(self)
        data = {"start": 0, "pause": max(150, min(900, 40_000 // len(frames))), "looks": all_looks(),
                "slots": ["" if kind == "label" else None for kind, *_ in slots],
                "frames": [[text, self._place(number), _slot_changes(changes, slots)]
                           for number, text, changes in frames]}
        picture = page(self.layout, drawn, describe(self.film.draw(len(self) - 1)), "Last step", LOW)
        shown = picture + self.legend() if self.film.nodes else ""
        return stage_html(data, shown, "Step", play=True, sentence=self.sentence(len(self)),
                          details=_text_trace(frames), described=f"Player of {self.learner}")

    def save(self, path: str | Path) -> Path:
        """Write a web page with the player on it."""
        path = Path(path)
        path.write_text(full_page(self.html(), f"{self.learner}, step by step"), encoding="utf-8")
        return path

    def _place(self, number: int | None) -> str:
        return f"… of {len(self):,}" if number is None else f"{number:,} of {len(self):,}"

    # -- in a notebook ---------------------------------------------------------------------------------------
    def widget(self) -> Any:
        """The player as an ipywidgets widget, made once."""
        if self._widget is None:
            from bnteach.show.live import player_widget

            self._widget = player_widget(self)
        return self._widget

    def __repr__(self) -> str:
        if not len(self):
            return f"Player of {self.learner}: no steps."
        return f"Player of {self.learner}, {len(self):,} steps. The last: {self.sentence(len(self))}"

    def _repr_html_(self) -> str:
        return self.html()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        shown = {"text/plain": repr(self), "text/html": self.html()}
        return {**shown, **view(self.widget())} if len(self) and live() else shown


# -- places ------------------------------------------------------------------------------------------------
def _places(film: Film, wanted: Any) -> Layout:
    """Where things stand in all frames: a circle if all pairs come up, else the layers of what is found."""
    if not film.nodes:
        return Layout(width=20, height=20)
    if wanted == "circle" or (wanted is None and is_complete(film.nodes, film.lines)):
        return circle(film.nodes, film.lines, film.labels)
    if isinstance(wanted, str) and wanted != "layers":
        raise ValueError(f"layout is {wanted!r}; it can be 'circle', 'layers' or a graph.")
    last = film.draw(len(film) - 1)
    few = len(film.lines) <= 2 * len(film.nodes)
    if wanted is None or isinstance(wanted, str):
        found = list(last.edges)
        gone = [pair for pair in film.lines if pair not in last.edges and pair[::-1] not in last.edges]
        lines = found + gone if few else found
    else:
        drawing = as_sketch(wanted)
        lines = [pair for pair in drawing.edges if set(pair) <= set(film.nodes)]
    if not lines:
        return circle(film.nodes, film.lines, film.labels)
    return _with_others(layers(film.nodes, lines, film.labels), film)


def _with_others(layout: Layout, film: Film) -> Layout:
    """Labels for the lines that were not laid out, where they are in the way least."""
    missing = {pair: label for pair, label in film.labels.items()
               if label and pair not in layout.labels and pair[::-1] not in layout.labels}
    if len(missing) <= 40:
        for a, b in missing:
            layout.path(a, b)
        place_labels(layout, missing)
    return layout


# -- slots: everything that may be seen, each in its place, shown and hidden by the script -------------------
def _all_slots(player: Player) -> tuple[str, list[tuple[Any, ...]]]:
    """All that is ever drawn, as SVG in the state of the last step, and what each slot is."""
    film, last = player.film, player.film.draw(len(player) - 1)
    slots: list[tuple[Any, ...]] = [("line", *key) for key in _variants(film)]
    slots += [("label", *pair) for pair in film.lines if film.labels.get(pair)]
    slots += [("node", node) for node in film.nodes]
    drawn = []
    for i, (kind, *what) in enumerate(slots):
        slot = f' data-slot="{i}"'
        if kind == "node":
            drawn.append(node_svg(player.layout, what[0], last.nodes.get(what[0], "plain"), slot))
        elif kind == "label":
            line = last.edges.get(tuple(what)) or last.edges.get((what[1], what[0]))
            drawn.append(label_svg(player.layout, *what, line.label if line else "", slot))
        else:
            a, b, directed = what
            line = last.edges.get((a, b))
            seen = line is not None and line.directed == directed
            drawn.append(line_svg(player.layout, a, b, DrawnEdge(directed, line.style if seen else "plain"), slot, not seen))
    return "\n".join(drawn), slots


def _variants(film: Film) -> list[tuple[str, str, bool]]:
    """Every line ever drawn with its direction, in the order of appearance."""
    return list(dict.fromkeys((*what, how.directed) for changes in film.changes for what, how in changes
                              if isinstance(what, tuple) and how is not None))


def _slot_changes(changes: list[Change], slots: list[tuple[Any, ...]]) -> list[list[Any]]:
    """The changes of a frame, by number of slot."""
    number = {slot: i for i, slot in enumerate(slots)}
    told: dict[int, Any] = {}
    for what, how in changes:
        if not isinstance(what, tuple):
            told[number["node", what]] = how
            continue
        for directed in (False, True):
            if (slot := number.get(("line", *what, directed))) is not None:
                told[slot] = how.style if how is not None and how.directed == directed else None
        label = number.get(("label", *what), number.get(("label", *what[::-1])))
        if label is not None and (how is not None or label not in told):
            told[label] = how.label if how is not None else ""
    return [list(item) for item in told.items()]


def _text_trace(frames: list[tuple[int | None, str, list[Change]]]) -> str:
    items = "".join(f'<li value="{i}">{escape(text)}</li>' if i else f'<li style="list-style:none">{escape(text)}</li>'
                    for i, text, _ in frames)
    return f'<details><summary>All steps as text</summary><ol tabindex="0">{items}</ol></details>'
