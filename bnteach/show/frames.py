"""A trace as frames of a film: what each step changes in the drawing, and nothing else.

A long trace has thousands of steps and a drawing hundreds of lines; comparing whole drawings would be slow, so
the drawing that the steps draw on is watched, and only what they touched is written down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bnteach.drawing import Drawing, DrawnEdge
from bnteach.trace import Trace

Pair = tuple[str, str]
Change = tuple[Any, Any]  # what (a node's name or a pair), and how it looks now (None: gone)
EVERY = 200  # steps between two drawings that are kept, to start from


class Watched(dict):
    """A dictionary that remembers which keys were set, in that order, and which were taken out."""

    def __init__(self) -> None:
        super().__init__()
        self.put: dict[Any, None] = {}
        self.taken: set[Any] = set()

    def __setitem__(self, key: Any, value: Any) -> None:
        self.put[key] = None
        super().__setitem__(key, value)

    def __delitem__(self, key: Any) -> None:
        self.taken.add(key)
        super().__delitem__(key)

    def pop(self, key: Any, *default: Any) -> Any:
        self.taken.add(key)
        return super().pop(key, *default)

    def setdefault(self, key: Any, default: Any = None) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        self.taken.update(self)
        super().clear()

    def update(self, *args: Any, **kwargs: Any) -> None:
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def touched(self) -> list[Any]:
        """The keys that were set or taken out since this was last asked."""
        keys = [*sorted(self.taken.difference(self.put)), *self.put]
        self.put.clear()
        self.taken.clear()
        return keys


@dataclass
class Film:
    """The frames of a trace: `changes[i]` is what step i (from 0) changed; `drawing(i)` the drawing after it."""

    trace: Trace
    changes: list[list[Change]]
    quiet: list[bool]  # did step i only look at things?
    kept: dict[int, Drawing]  # drawings before step 0, EVERY, 2 EVERY, ...
    nodes: list[str]
    lines: list[Pair]  # every line ever drawn, each pair once, as first drawn
    labels: dict[Pair, str]  # the longest label of each

    def __len__(self) -> int:
        return len(self.trace)

    def draw(self, i: int) -> Drawing:
        """The drawing after step i."""
        start = i - i % EVERY
        drawing = self.kept[start].copy()
        for step in self.trace[start:i + 1]:
            drawing.next_step()
            step.draw(drawing)
        return drawing


def film(trace: Trace) -> Film:
    """Walk through a trace once and note what changes, and all that is ever drawn."""
    drawing = Drawing()
    drawing.nodes, drawing.edges = nodes, lines = Watched(), Watched()
    result = Film(trace, [], [], {}, [], [], {})
    pairs: dict[frozenset[str], Pair] = {}
    seen: dict[Any, Any] = {}
    last: dict[Any, Any] = {}
    for i, step in enumerate(trace):
        drawing.next_step()
        if i % EVERY == 0:
            result.kept[i] = drawing.copy()
        step.draw(drawing)
        result.changes.append(_changed(nodes, seen) + _changed(lines, seen))
        result.quiet.append(_is_quiet(result.changes[-1], last))
        for what, how in result.changes[-1]:
            if isinstance(what, tuple) and how is not None:
                pair = pairs.setdefault(frozenset(what), what)
                result.labels[pair] = max(result.labels.get(pair, ""), how.label, key=len)
    result.lines = list(pairs.values())
    result.nodes = list(dict.fromkeys([*nodes, *(end for pair in result.lines for end in pair)]))
    return result


def _changed(now: Watched, seen: dict[Any, Any]) -> list[Change]:
    """What was touched and is not as it was; and note it."""
    changes = []
    for key in now.touched():
        how = now.get(key)
        if seen.get(key) != how:
            seen[key] = DrawnEdge(how.directed, how.style, how.label) if isinstance(how, DrawnEdge) else how
            changes.append((key, seen[key]))
    return changes


def _is_quiet(changes: list[Change], last: dict[Any, Any]) -> bool:
    """Does a step only look at things, and change nothing that stays? `last` is how each was, unlooked at."""
    quiet = True
    for what, how in changes:
        if (now := _form(how)) and now[-1] == "considered":
            continue
        before = last.get(what)
        quiet &= now == before or (now is None and before[-1] == "removed")
        last[what] = now
    return quiet


def _form(how: Any) -> tuple[Any, ...] | None:
    """Direction and look, without the label."""
    return (how.directed, how.style) if isinstance(how, DrawnEdge) else how and (how,)


def shortened(film: Film, most: int) -> list[tuple[int | None, str, list[Change]]]:
    """(step number, sentence, changes) of at most `most` frames.

    A trace that is longer is first cut by putting runs of steps that only looked into one frame each; if it is
    still too long, its middle becomes one frame.
    """
    steps = [(i + 1, str(step), film.changes[i]) for i, step in enumerate(film.trace)]
    if len(steps) <= most:
        return steps
    told: list[list[tuple[int, str, list[Change]]]] = []
    for step in steps:
        i = step[0] - 1
        if told and film.quiet[i] and film.quiet[i - 1] and step[0] != len(steps):
            told[-1].append(step)
        else:
            told.append([step])
    frames = [_merged(run, "that changed nothing") for run in told]
    if len(frames) <= most:
        return frames
    head, tail = most - most // 3 - 1, len(told) - most // 3
    middle = _merged([step for run in told[head:tail] for step in run], "not shown one by one")
    return [*frames[:head], middle, *frames[tail:]]


def _merged(run: list[tuple[int, str, list[Change]]], why: str) -> tuple[int | None, str, list[Change]]:
    if len(run) == 1:
        return run[0]
    net = dict(change for _, _, changes in run for change in changes)
    return None, f"… {len(run):,} steps {why} …", list(net.items())
