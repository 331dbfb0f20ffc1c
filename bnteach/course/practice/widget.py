"""Practice as an ipywidgets widget, for a notebook with a kernel. Imported only when one is shown there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from html import escape
from typing import Any

import ipywidgets as widgets

from bnteach.course.practice import own_asset
from bnteach.course.practice.graded import Graded
from bnteach.course.practice.page import given_html, hits
from bnteach.course.practice.session import Feedback, Practice
from bnteach.show.draw import describe
from bnteach.show.picture import CARD
from bnteach.show.player import SHRINK, Player
from bnteach.show.svg import drawing_svg
from bnteach.show.theme import themed
from bnteach.steps import Asked

# Buttons answer the kernel, pictures do not: a click on a node or an edge presses the button of that answer, or leads
# to the first of several. When the next question replaces the button that was pressed, its first answer gets the focus:
# a keyboard is enough. The load event of a style element, fired when it is inserted into the page, installs this.
_CLICKS = """<style onload="const box = this.closest('.bnteach-practice'); let pressed = 0;
box.addEventListener('click', event => {
  pressed = Date.now();
  const near = event.target.closest('svg') ? [[0, 0], [8, 0], [-8, 0], [0, 8], [0, -8]] : [];
  const hit = near.map(([x, y]) => document.elementFromPoint(event.clientX + x, event.clientY + y))
    .map(element => element && element.closest('[data-options]')).find(Boolean);
  if (!hit) return;
  const all = hit.dataset.options.split(' ');
  const button = box.querySelector('.bn-option-' + all[0]);
  if (all.length === 1) button.click(); else button.focus();
});
new MutationObserver(() => {
  const first = box.querySelector('button');
  if (first && Date.now() - pressed < 2000 && !box.contains(document.activeElement)) first.focus({preventScroll: true});
}).observe(box, {childList: true, subtree: true});"></style>"""


def practice_widget(practice: Practice) -> widgets.VBox:
    """Picture, what was said to the last answer, the question and its options."""
    view = View(practice)
    view.ask()
    return view.box


class View:
    """The widget of one place in a notebook; "Another one" puts another session there."""

    def __init__(self, practice: Practice):
        self.picture, self.said, self.asked = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self.options = widgets.Box(layout=widgets.Layout(flex_flow="row wrap"))
        style = widgets.HTML(f"<style>{themed(own_asset('practice.css'))}</style>{_CLICKS}")
        self.box = widgets.VBox([style, self.picture, self.said, self.asked, self.options])
        self.box.add_class("bnteach-practice")
        self.open(practice)

    def open(self, practice: Practice) -> None:
        """Begin a session."""
        self.practice, self.player, self.given = practice, Player(practice.result), given_html(practice)
        self.said.value = ""

    def ask(self) -> None:
        """Show the question that is to be answered, or the summary."""
        asked = self.practice.current
        if asked is None:
            return self.finish()
        where = f"{self.practice.title}, question {self.practice.at + 1} of {len(self.practice.asked)}"
        facts = "".join(f"<li>{escape(fact)}</li>" for fact in asked.question.facts)
        self.picture.value = self.drawn(asked.made, asked)
        self.asked.value = (f'<p class="bn-where">{escape(where)}</p><ul class="bn-facts">{facts}</ul>'
                            f'<p class="bn-prompt" role="status">{escape(asked.question.prompt)}</p>')
        self.options.children = [*(self.option(i, label) for i, label in enumerate(asked.question.options)),
                                 *self.others()]

    def others(self) -> list[widgets.Button]:
        """The buttons beside the answers."""
        return [_button("Show me", self.reveal)]

    def drawn(self, made: int, asked: Asked | None = None) -> str:
        """The picture after so many steps, with what can be clicked."""
        recording = self.player.recording
        if not recording.nodes or not made:
            return self.given
        drawing = recording.drawing(made - 1)
        places = hits(asked.question, drawing.edges) if asked else {}
        drawing.style_nodes(*(node for node in (asked.question.marked if asked else ()) if node in drawing.nodes))

        def extra(*names: str) -> str:
            meant = places.get(names[0] if len(names) == 1 else frozenset(names))
            return f' data-options="{" ".join(map(str, meant))}"' if meant else ""

        svg = drawing_svg(drawing, self.player.layout, describe(drawing), f"After step {made}", SHRINK, extra)
        return themed(f'<div style="{CARD}">{svg}{self.player.legend()}</div> {self.given}')

    def option(self, number: int, label: str) -> widgets.Button:
        """The button of an answer."""
        button = _button(label, lambda: self.answer(button, label))
        button.add_class(f"bn-option-{number}")
        return button

    def answer(self, button: widgets.Button, label: str) -> None:
        """Judge an answer; go on if it is right."""
        before = self.practice.current
        feedback = self.practice.answer(label)
        if feedback.right:
            return self.go_on(feedback, before, "bn-yes", "✓ Yes: ")
        button.description = f"✗ {label}"
        self.said.value = _said("bn-no", f"✗ Not quite: {feedback.text}")

    def reveal(self) -> None:
        """Give the answer away."""
        before = self.practice.current
        self.go_on(self.practice.reveal(), before, "bn-shown", "")

    def go_on(self, feedback: Feedback, before: Asked | None, name: str, word: str) -> None:
        """Say what was right and which steps follow, and ask the next question."""
        trace, now = self.practice.result.trace, self.practice.current
        until = len(trace) if now is None else now.made
        after = trace[before.number:until] if before and before.question.then is None else ()
        self.said.value = _said(name, word + feedback.text, *(f"Then: {step}" for step in after[-3:]))
        self.ask()

    def finish(self) -> None:
        """The summary, and why each edge is there."""
        result = self.practice.result
        first, *others = str(self.practice.summary()).splitlines()
        self.picture.value = self.drawn(len(result.trace))
        self.asked.value = f'<p class="bn-prompt" role="status">{escape(first)}</p>' + "".join(
            f"<p>{escape(line)}</p>" for line in others) + f"<p>{self.link()}</p>"
        pairs = [*result.graph.arcs, *getattr(result.graph, "edges", ())]
        self.options.children = [*(_button(f"Why {result.why(a, b).edge}?", partial(self.why, a, b)) for a, b in pairs),
                                 _button("Another one", self.another)]

    def link(self) -> str:
        """A link to the section that explains it, which is beside the notebook."""
        summary = self.practice.summary()
        place = f"{summary.lesson}.ipynb#{summary.section.replace(' ', '-')}"
        return f'<a href="{escape(place)}">{escape(summary.section)}</a>' if summary.lesson else ""

    def why(self, a: str, b: str) -> None:
        """Why this edge is in the graph."""
        self.said.value = _said("bn-shown", *self.practice.result.why(a, b).sentences())

    def another(self) -> None:
        """The next instance."""
        self.open(self.practice.another())
        self.ask()


class GradedView(View):
    """The widget of a question of an exercise: choices are recorded, shown as a line of code, and not judged here."""

    practice: Graded

    def __init__(self, practice: Graded):
        super().__init__(practice)
        self.keep()

    def others(self) -> list[widgets.Button]:
        return [_button("Back", self.back)] if self.practice.at else []

    def back(self) -> None:
        """Take the last choice back."""
        self.practice.back()
        self.keep()

    def answer(self, button: widgets.Button, label: str) -> None:
        self.practice.answer(label)
        self.keep()

    def keep(self) -> None:
        """Ask the next question, and show the line of code that holds the choices so far."""
        self.ask()
        what = f"Keep your choices in {self.practice.exercise.function}" if self.practice.done else "The choices so far"
        self.said.value = f'<p class="bn-line">{what}:</p><pre tabindex="0">{escape(self.practice.line)}</pre>'

    def finish(self) -> None:
        self.picture.value = self.drawn(len(self.practice.result.trace))
        self.asked.value = '<p class="bn-prompt" role="status">All choices are made.</p>'
        self.options.children = self.others()


def _button(label: str, press: Callable[[], Any]) -> widgets.Button:
    button = widgets.Button(description=label, tooltip=label, layout=widgets.Layout(width="auto", height="auto"))
    button.on_click(lambda _: press())
    return button


def _said(name: str, *lines: str) -> str:
    first, *others = (escape(line) for line in lines)
    more = "".join(f"<p>{line}</p>" for line in others)
    return f'<div class="bn-said" role="status"><p class="{name}">{first}</p>{more}</div>'
