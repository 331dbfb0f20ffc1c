"""A trace as frames: what each step changes in the drawing, and nothing else.

A long trace has thousands of steps and a drawing hundreds of edges. Comparing whole drawings would be slow, so
the dictionaries of the drawing record which of their keys a step has changed.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Any

from bnteach.drawing import Drawing, DrawnEdge
from bnteach.trace import Trace

Pair = tuple[str, str]
Change = tuple[Any, Any]  # a node's name or a pair, and its new style or DrawnEdge (None: deleted)
Frame = tuple[int | None, str, list[Change]]  # step number (None: several steps), sentence, changes
INTERVAL = 200  # steps between two drawings that are stored, to start from


class RecordingDict(dict[Any, Any]):
    """A dictionary that records which keys were set, in that order, and which were deleted."""

    # These methods of dict bypass the two below; those of MutableMapping call them.
    pop, setdefault = MutableMapping.pop, MutableMapping.setdefault
    clear, update = MutableMapping.clear, MutableMapping.update

    def __init__(self) -> None:
        super().__init__()
        self.set_keys: dict[Any, None] = {}
        self.deleted: set[Any] = set()

    def __setitem__(self, key: Any, value: Any) -> None:
        self.set_keys[key] = None
        super().__setitem__(key, value)

    def __delitem__(self, key: Any) -> None:
        self.deleted.add(key)
        super().__delitem__(key)

    def changed_keys(self) -> list[Any]:
        """The keys that were set or deleted since the last call."""
        keys = [*sorted(self.deleted.difference(self.set_keys)), *self.set_keys]
        self.set_keys.clear()
        self.deleted.clear()
        return keys


@dataclass
class Recording:
    """The changes of a trace: `changes[i]` is what step i (from 0) changed, `drawing(i)` the drawing after it."""

    trace: Trace
    changes: list[list[Change]]
    only_considers: list[bool]  # does step i change nothing but what is considered?
    stored: dict[int, Drawing]  # the drawings before steps 0, INTERVAL, 2 INTERVAL, ...
    nodes: list[str]
    edges: list[Pair]  # every edge ever drawn, each pair once, as first drawn
    labels: dict[Pair, str]  # the longest label of each

    def __len__(self) -> int:
        return len(self.trace)

    def drawing(self, i: int) -> Drawing:
        """The drawing after step i."""
        start = i - i % INTERVAL
        drawing = self.stored[start].copy()
        for step in self.trace[start:i + 1]:
            drawing.next_step()
            step.draw(drawing)
        return drawing


def record(trace: Trace) -> Recording:
    """Replay a trace once and record what each step changes, and everything that is ever drawn."""
    drawing, nodes, edges = Drawing(), RecordingDict(), RecordingDict()
    drawing.nodes, drawing.edges = nodes, edges
    recording = Recording(trace, [], [], {}, [], [], {})
    pairs: dict[frozenset[str], Pair] = {}
    current: dict[Any, Any] = {}
    settled: dict[Any, Any] = {}
    for i, step in enumerate(trace):
        drawing.next_step()
        if i % INTERVAL == 0:
            recording.stored[i] = drawing.copy()
        step.draw(drawing)
        changes = _changes(nodes, current) + _changes(edges, current)
        recording.changes.append(changes)
        recording.only_considers.append(_only_considers(changes, settled))
        for what, new in changes:
            if isinstance(what, tuple) and new is not None:
                pair = pairs.setdefault(frozenset(what), what)
                recording.labels[pair] = max(recording.labels.get(pair, ""), new.label, key=len)
    recording.edges = list(pairs.values())
    recording.nodes = list(dict.fromkeys([*nodes, *(node for pair in recording.edges for node in pair)]))
    return recording


def _changes(recorded: RecordingDict, current: dict[Any, Any]) -> list[Change]:
    """The keys whose values differ from the current ones, which are updated."""
    changes = []
    for key in recorded.changed_keys():
        new = recorded.get(key)
        if current.get(key) != new:
            current[key] = DrawnEdge(new.directed, new.style, new.label) if isinstance(new, DrawnEdge) else new
            changes.append((key, current[key]))
    return changes


def _only_considers(changes: list[Change], settled: dict[Any, Any]) -> bool:
    """Do these changes alter nothing that lasts? `settled` has the last form of each that was not "considered"."""
    nothing_lasts = True
    for what, new in changes:
        if (form := _form(new)) and form[-1] == "considered":
            continue
        before = settled.get(what)
        nothing_lasts &= form == before or (form is None and before is not None and before[-1] == "removed")
        settled[what] = form
    return nothing_lasts


def _form(new: Any) -> tuple[Any, ...] | None:
    """Direction and style, without the label."""
    return (new.directed, new.style) if isinstance(new, DrawnEdge) else new and (new,)


def shortened(recording: Recording, max_frames: int) -> list[Frame]:
    """At most `max_frames` frames.

    In a longer trace, each run of steps that only consider something becomes one frame; if there are still too
    many frames, the middle becomes one frame.
    """
    steps: list[Frame] = [(i, str(step), recording.changes[i - 1]) for i, step in enumerate(recording.trace, start=1)]
    if len(steps) <= max_frames:
        return steps
    runs: list[list[Frame]] = []
    for i, step in enumerate(steps):
        if runs and recording.only_considers[i] and recording.only_considers[i - 1] and i + 1 < len(steps):
            runs[-1].append(step)
        else:
            runs.append([step])
    frames = [_merged(run, "that changed nothing") for run in runs]
    if len(frames) <= max_frames:
        return frames
    head, tail = max_frames - max_frames // 3 - 1, len(runs) - max_frames // 3
    middle = _merged([step for run in runs[head:tail] for step in run], "not shown one by one")
    return [*frames[:head], middle, *frames[tail:]]


def _merged(run: list[Frame], why: str) -> Frame:
    if len(run) == 1:
        return run[0]
    net = dict(change for _, _, changes in run for change in changes)
    return None, f"… {len(run):,} steps {why} …", list(net.items())
