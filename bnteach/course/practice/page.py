"""Practice on a page without a kernel: sessions prepared as data, and a script that asks, judges and goes on.

The picture is the stand-alone player's (standalone.py), driven by the script of the practice; everything is in one
file, and nothing is fetched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any

from bnteach.course.practice import own_asset
from bnteach.course.practice.session import Practice, kind_of, praise
from bnteach.questions import Question
from bnteach.show.draw import describe, draw
from bnteach.show.player import SHRINK, Player, all_elements, element_changes, element_svg
from bnteach.show.standalone import as_json, asset, standalone_html
from bnteach.show.svg import all_styles, page
from bnteach.show.theme import themed
from bnteach.steps import Asked

Link = Callable[[str, str], str]
NO_SCRIPT = "To practise, run this cell, or open the page where scripts may run."


def session_html(practice: Practice) -> str:
    """One session as HTML, for a notebook without a kernel."""
    return sessions_html([practice], practice.title)


def practice_page(sessions: Iterable[Practice]) -> str:
    """A whole web page with sessions to choose from."""
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Be the algorithm</title>'
            f'<meta name="viewport" content="width=device-width, initial-scale=1"></head>'
            f'<body class="bn-practice-page"><main><h1>Be the algorithm</h1>'
            f"<p>Make the next step yourself. The algorithm stops before each decision and asks; choose an answer, "
            f"click in the picture, or press its number.</p>{sessions_html(sessions)}</main></body></html>\n")


def sessions_html(sessions: Iterable[Practice], label: str = "Practice", link: Link | None = None) -> str:
    """Sessions to choose from, for a page; `link` is where a section of a lesson is to be found."""
    data = "".join(f'<script type="application/json" data-name="{one.learner.__name__}" data-level="{one.level}" '
                   f'data-title="{escape(one.title)}">{as_json(session_data(one, link))}</script>' for one in sessions)
    return (f'<div class="bnteach-practice" role="group" aria-label="{escape(label)}">'
            f"<style>{themed(asset('standalone.css') + own_asset('practice.css'))}</style>"
            f'<p class="bn-no-script">{escape(label)}. {NO_SCRIPT}</p>{data}'
            f'<script type="text/plain" class="bn-player">{asset("standalone.js")}</script></div>'
            f"<script>{own_asset('practice.js')}</script>")


def session_data(practice: Practice, link: Link | None = None) -> dict[str, Any]:
    """A session as data: the picture with its frames, the questions with all that is said to each answer."""
    player = Player(practice.result)
    elements = all_elements(player.recording)
    summary = practice.summary()
    return {"stage": stage_html(player), "given": given_html(practice),
            "steps": [str(step) for step in practice.result.trace],
            "questions": [_question_data(asked, elements) for asked in practice.asked],
            "lesson": summary.lesson, "section": summary.section, "why": why(practice),
            "link": link(summary.lesson, summary.section) if link and summary.lesson else ""}


def stage_html(player: Player) -> str:
    """The picture as a stage of the stand-alone player: frame 0 is before the first step, frame i after step i."""
    recording, elements = player.recording, all_elements(player.recording)
    if not recording.nodes:
        return ""
    numbers = {element: i for i, element in enumerate(elements)}
    frames: list[list[Any]] = [["Before the first step.", "Start", []]]
    frames += [[str(step), f"After step {i}", element_changes(changes, numbers)]
               for i, (step, changes) in enumerate(zip(recording.trace, recording.changes), start=1)]
    data = {"start": 0, "pause": 0, "styles": all_styles(), "frames": frames,
            "elements": ["" if kind == "label" else None for kind, *_ in elements]}
    last = recording.drawing(len(recording) - 1)
    drawn = "\n".join(element_svg(player.layout, last, i, element) for i, element in enumerate(elements))
    shown = page(player.layout, drawn, describe(last), "", SHRINK) + player.legend()
    return standalone_html(data, shown, "Step", play=False, aria_label="Picture", assets=False)


def _question_data(asked: Asked, elements: list[tuple[Any, ...]]) -> dict[str, Any]:
    question = asked.question
    options = [[label, not reason, reason or praise(asked, label)] for label, reason in question.options.items()]
    places = hits(question, [element[1:3] for element in elements if element[0] == "edge"])
    marked = set(question.marked)
    return {"made": asked.made, "number": asked.number, "prompt": question.prompt, "facts": list(question.facts),
            "options": options, "choice": list(question.options).index(question.choice), "kind": kind_of(asked),
            "last": question.then is None,
            "marked": [i for i, (kind, *names) in enumerate(elements) if kind == "node" and names[0] in marked],
            "hits": {i: places[key] for i, (kind, *names) in enumerate(elements)
                     if (key := names[0] if kind == "node" else frozenset(names[:2])) in places and kind != "label"}}


def hits(question: Question, pairs: Iterable[tuple[str, str]]) -> dict[Any, list[int]]:
    """Which options a click on a node or on an edge may mean."""
    numbers = {label: i for i, label in enumerate(question.options)}
    if question.click == "node":
        return {label: [i] for label, i in numbers.items()}
    found: dict[Any, list[int]] = {}
    for a, b in pairs if question.click == "edge" else ():
        names = (f"{a}-{b}", f"{b}-{a}", f"{a} → {b}", f"{b} → {a}")
        if meant := [numbers[name] for name in names if name in numbers]:
            found[frozenset((a, b))] = meant
    return found


def given_html(practice: Practice) -> str:
    """A picture of what the learner was given, if that is a graph and the steps do not draw it."""
    graph = getattr(practice.given.get("oracle"), "dag", None) or practice.given.get("graph")
    return "" if graph is None else draw(graph, title="The graph that answers" if "oracle" in practice.given else
                                         "The graph")._repr_html_()


def why(practice: Practice) -> list[tuple[str, list[str]]]:
    """Why each edge of the final graph is there, by `Result.why`: the edge, and the sentences."""
    graph = practice.result.graph
    pairs = [*graph.arcs, *getattr(graph, "edges", ())]
    reasons = [practice.result.why(a, b) for a, b in pairs]
    return [(reason.edge, reason.sentences()) for reason in reasons]
