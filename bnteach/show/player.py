"""bn.play: a trace as an animation, step by step.

    bn.play(result)

In a notebook with a kernel it is an ipywidgets player; on a web page or in slides it is the same in plain HTML, with
its own script and nothing to fetch. Positions are computed once, so that only what a step changes moves; the slider
and its arrow keys go to any step, and the sentence of the step is below.
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

from bnteach.drawing import Drawing, DrawnEdge
from bnteach.show.draw import as_drawing, describe, is_complete
from bnteach.show.frames import Change, Recording, record, shortened
from bnteach.show.layout import Layout, circle, layers, place_labels
from bnteach.show.picture import CARD
from bnteach.show.standalone import full_page, live, pause, standalone_html, steps_as_text, view
from bnteach.show.svg import all_styles, drawing_svg, edge_svg, label_svg, legend_html, node_svg, page
from bnteach.show.theme import themed
from bnteach.trace import Result, Trace

Element = tuple[Any, ...]  # ("edge", a, b, directed), ("label", a, b) or ("node", name)
MAX_FRAMES = 300  # of a stand-alone player
SHRINK = ";max-height:72vh"  # a tall picture shrinks, so that the controls below it stay on the screen


def play(result: Result | Trace, layout: Any = None, max_frames: int | None = None) -> Player:
    """Play a result or a trace, step by step.

    Parameters
    ----------
    result : Result or Trace
        What a learner returns, or its trace.
    layout : {"circle", "layers"} or graph, optional
        Nodes on a circle, or in the layers of the graph that was found, or as in the drawing of another graph.
        By default a circle if all pairs of nodes occur, otherwise layers.
    max_frames : int, optional
        The maximum number of frames of the stand-alone player, 300 by default; the one in a running notebook shows
        every step.

    Returns
    -------
    Player
        Shown as a widget in a running notebook and as HTML elsewhere; ``save(path)`` writes a web page.

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.play(bn.kruskal({("A", "B"): 2.0, ("B", "C"): 1.0}))
    Player of kruskal, ... steps. The last: ...
    """
    if not isinstance(result, (Result, Trace)):
        raise TypeError(f"bn.play takes what a learner returns, or its trace; {type(result).__name__} is neither. "
                        f"For a graph, use bn.draw.")
    if max_frames is not None and max_frames < 3:
        raise ValueError(f"max_frames is {max_frames}; a player needs at least 3 frames.")
    return Player(result, layout, max_frames or MAX_FRAMES)


class Player:
    """A player of a trace. Show it as the last line of a cell, or write it to a page with `save`."""

    def __init__(self, result: Result | Trace, layout: Any = None, max_frames: int = MAX_FRAMES):
        self.trace = result.trace if isinstance(result, Result) else result
        self.learner = (result.learner if isinstance(result, Result) else "") or "trace"
        self.recording, self.max_frames = record(self.trace), max_frames
        self.layout = _positions(self.recording, layout)
        self._widget: Any = None

    def __len__(self) -> int:
        return len(self.recording)

    # -- one step ------------------------------------------------------------------------------------------
    def svg(self, step: int) -> str:
        """The picture after a step, counted from 1; empty if the steps draw nothing."""
        if not self.recording.nodes:
            return ""
        drawing = self.recording.drawing(step - 1)
        alt = f"Step {step} of {len(self)}. {self.sentence(step)} {describe(drawing)}"
        return drawing_svg(drawing, self.layout, alt, f"Step {step}", SHRINK)

    def sentence(self, step: int) -> str:
        """The sentence of a step, counted from 1."""
        return str(self.trace[step - 1])

    def legend(self) -> str:
        """A legend of the styles that this trace uses."""
        new = [value for changes in self.recording.changes for _, value in changes if value is not None]
        return legend_html({value.style if isinstance(value, DrawnEdge) else value for value in new})

    # -- for pages without a kernel --------------------------------------------------------------------------
    def html(self) -> str:
        """The stand-alone player as HTML, for any page."""
        if not len(self):
            return themed(f'<div class="bnteach-player" style="{CARD}">{escape(repr(self))}</div>')
        frames = shortened(self.recording, self.max_frames)
        elements, last = all_elements(self.recording), self.recording.drawing(len(self) - 1)
        numbers = {element: i for i, element in enumerate(elements)}
        data = {"start": 0, "pause": pause(len(frames)), "styles": all_styles(),
                "elements": ["" if kind == "label" else None for kind, *_ in elements],
                "frames": [[text, self._position(number), element_changes(changes, numbers)]
                           for number, text, changes in frames]}
        drawn = "\n".join(element_svg(self.layout, last, i, element) for i, element in enumerate(elements))
        picture = page(self.layout, drawn, describe(last), "Last step", SHRINK)
        shown = picture + self.legend() if self.recording.nodes else ""
        return standalone_html(data, shown, "Step", play=True, sentence=self.sentence(len(self)),
                               details=steps_as_text((number, text) for number, text, _ in frames),
                               aria_label=f"Player of {self.learner}")

    def save(self, path: str | Path) -> Path:
        """Write the player to a web page."""
        path = Path(path)
        path.write_text(full_page(self.html(), f"{self.learner}, step by step"), encoding="utf-8")
        return path

    def _position(self, number: int | None) -> str:
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


# -- positions ---------------------------------------------------------------------------------------------
def _positions(recording: Recording, layout: Any) -> Layout:
    """The positions in all frames: a circle if all pairs of nodes occur, else the layers of the graph found."""
    nodes, edges, labels = recording.nodes, recording.edges, recording.labels
    if not nodes:
        return Layout(width=20, height=20)
    if isinstance(layout, str) and layout not in ("circle", "layers"):
        raise ValueError(f"layout is {layout!r}; it can be 'circle', 'layers' or a graph.")
    if layout == "circle" or (layout is None and is_complete(nodes, edges)):
        return circle(nodes, edges, labels)
    if layout is None or layout == "layers":
        found = recording.drawing(len(recording) - 1).edges
        others = [pair for pair in edges if pair not in found and pair[::-1] not in found]
        laid_out = [*found, *others] if len(edges) <= 2 * len(nodes) else list(found)
    else:
        laid_out = [pair for pair in as_drawing(layout).edges if set(pair) <= set(nodes)]
    if not laid_out:
        return circle(nodes, edges, labels)
    return _with_other_labels(layers(nodes, laid_out, labels), recording)


def _with_other_labels(layout: Layout, recording: Recording) -> Layout:
    """The layout with labels for the edges that were not laid out, unless they are many."""
    missing = {pair: label for pair, label in recording.labels.items()
               if label and pair not in layout.labels and pair[::-1] not in layout.labels}
    if len(missing) <= 40:
        for a, b in missing:
            layout.path(a, b)
        place_labels(layout, missing)
    return layout


# -- elements: everything that is drawn in some frame, shown, hidden and restyled by the script --------------
def all_elements(recording: Recording) -> list[Element]:
    """All edges with each of their directions, in order of appearance; then labels; then nodes."""
    edges = dict.fromkeys((*what, new.directed) for changes in recording.changes for what, new in changes
                          if isinstance(what, tuple) and new is not None)
    return [*(("edge", *edge) for edge in edges),
            *(("label", *pair) for pair in recording.edges if recording.labels.get(pair)),
            *(("node", node) for node in recording.nodes)]


def element_svg(layout: Layout, drawing: Drawing, number: int, element: Element) -> str:
    """An element as it is in this drawing; hidden if it is not there."""
    attribute = f' data-element="{number}"'
    kind, a, *rest = element
    if kind == "node":
        return node_svg(layout, a, drawing.nodes.get(a, "plain"), attribute)
    b = rest[0]
    edge = drawing.edges.get((a, b))
    if kind == "label":
        edge = edge or drawing.edges.get((b, a))
        return label_svg(layout, a, b, edge.label if edge else "", attribute)
    if edge is not None and edge.directed == rest[1]:
        return edge_svg(layout, a, b, edge, attribute)
    return edge_svg(layout, a, b, DrawnEdge(rest[1]), attribute, hidden=True)


def element_changes(changes: list[Change], numbers: dict[Element, int]) -> list[list[Any]]:
    """The changes of a frame as [number of the element, style or text]."""
    new_values: dict[int, Any] = {}
    for what, new in changes:
        if not isinstance(what, tuple):
            new_values[numbers["node", what]] = new
            continue
        for directed in (False, True):
            if (edge := numbers.get(("edge", *what, directed))) is not None:
                new_values[edge] = new.style if new is not None and new.directed == directed else None
        label = numbers.get(("label", *what), numbers.get(("label", *what[::-1])))
        if label is not None and (new is not None or label not in new_values):
            new_values[label] = new.label if new is not None else ""
    return [list(item) for item in new_values.items()]
