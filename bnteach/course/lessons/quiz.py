"""Quizzes: predict the answer before it is shown.

    bn.quiz("Two roots of one tree. Whose likelihood is higher?", {
        "the one with the heavier edge at the root": "The root is in no formula: every edge counts once.",
        "*neither": "All roots of a tree give the same distribution, so the same likelihood.",
    })

The right option (or options) starts with a star, or `right=` names it. Every option has its own answer; that of
a wrong one explains the misconception. In a running notebook the options are buttons; on a page without a kernel
they unfold. The texts may have *emphasis*, **bold**, `code` and $math$.

>>> q = quiz("Is it raining?", {"*yes": "It is.", "no": "Look out of the window."})
>>> q
Is it raining?
  a) yes
  b) no
>>> q.answer("b")
Answer(right=False, text='Look out of the window.')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, NamedTuple

from bnteach.show.picture import CARD
from bnteach.show.standalone import live, view
from bnteach.show.style import BLUE, GREEN, INK, VERMILLION
from bnteach.show.theme import themed

if TYPE_CHECKING:
    import ipywidgets

MAX_OPTIONS = 8


class QuizError(ValueError):
    """The quiz is not written correctly."""


class Answer(NamedTuple):
    """The answer to a choice."""

    right: bool
    text: str


@dataclass(frozen=True)
class Option:
    """One option of a quiz."""

    letter: str
    text: str
    answer: Answer


def quiz(question: str, options: Mapping[str, str], right: str | Iterable[str] | None = None) -> Quiz:
    """Ask a multiple-choice question.

    Parameters
    ----------
    question : str
        The question.
    options : mapping
        Each option with the answer to it; the right option (or options) starts with a star.
    right : str or iterable of str, optional
        The right option (or options), instead of stars.

    Returns
    -------
    Quiz
        Shown as buttons in a running notebook, and as text to unfold elsewhere.

    Examples
    --------
    >>> import bnteach as bn
    >>> bn.quiz("Is a tree a DAG?", {"*yes, once it has a root": "All edges lead away from it.", "no": "Try it."})
    Is a tree a DAG?
      a) yes, once it has a root
      b) no
    """
    if not isinstance(question, str) or not question.strip():
        raise QuizError(f"a quiz starts with a question in words, not {question!r}.")
    if not isinstance(options, Mapping):
        raise QuizError("the options are a dictionary: {'*an option that is right': 'why', 'another': 'why not'}; "
                        f"a {type(options).__name__} was given.")
    if not 2 <= len(options) <= MAX_OPTIONS:
        raise QuizError(f"a quiz has two to {MAX_OPTIONS} options; {len(options)} were given.")
    if odd := [text for text in options if not isinstance(text, str)]:
        raise QuizError(f"an option is a text, not {odd[0]!r}.")
    if silent := [text for text, answer in options.items() if not isinstance(answer, str) or not answer.strip()]:
        raise QuizError(f"the option {silent[0]!r} has no answer; explain why it is right, or which misconception "
                        "leads to it.")
    chosen = _starred(options) if right is None else _named(options, right)
    texts = [_bare(text) if right is None else text for text in options]
    if not all(texts):
        raise QuizError("an option has no words.")
    if len(set(texts)) < len(texts):
        raise QuizError(f"two options read the same: {next(t for t in texts if texts.count(t) > 1)!r}.")
    answers = [Answer(text in chosen, answer.strip()) for text, answer in options.items()]
    return Quiz(question.strip(), tuple(map(Option, ascii_lowercase, texts, answers)))


def _starred(options: Iterable[str]) -> list[str]:
    """The options marked as right by a star."""
    starred = [text for text in options if text.startswith("*")]
    for text in starred:
        if re.match(r"\*\*|\*[^*\s][^*]*\*", text):
            raise QuizError(f"does the star of {text!r} mean that it is right, or emphasis? "
                            f"Say which option is right with right=...")
    if not starred:
        raise QuizError("no option is right: start the right one with a star, '*like this', or name it with right=...")
    return starred


def _named(options: Mapping[str, str], right: str | Iterable[str]) -> list[str]:
    """The options that `right` names."""
    chosen = [right] if isinstance(right, str) else list(right)
    if not chosen:
        raise QuizError("no option is right: right= names none.")
    for text in chosen:
        if text not in options:
            raise QuizError(f"right={text!r} is none of the options: {', '.join(map(repr, options))}.")
    return chosen


def _bare(text: str) -> str:
    return text.removeprefix("*").strip()


class Quiz:
    """A question, its options and their answers; shown as buttons, as text to unfold, or as plain text."""

    def __init__(self, question: str, options: tuple[Option, ...]):
        self.question, self.options = question, options

    def answer(self, choice: str) -> Answer:
        """The answer to a choice, given as its letter or its text."""
        for option in self.options:
            if choice in (option.letter, option.text):
                return option.answer
        raise QuizError(f"there is no option {choice!r}; choose one of {', '.join(o.letter for o in self.options)}.")

    def respond(self, choice: str, before: Iterable[str] = ()) -> str:
        """The reply to a choice, when the letters `before` were chosen earlier."""
        answer, found = self.answer(choice), {choice, *before}
        if not answer.right:
            return f"Not quite: {answer.text}"
        missing = [o for o in self.options if o.answer.right and not found & {o.letter, o.text}]
        return f"Yes: {answer.text}" + (" At least one other option is also right." if missing else "")

    def __repr__(self) -> str:
        return "\n".join([self.question, *(f"  {o.letter}) {o.text}" for o in self.options)])

    def _repr_html_(self) -> str:
        items = "".join(
            f"<details style='margin:.3em 0'><summary style='cursor:pointer'>{o.letter}) {markup(o.text)}</summary>"
            f"{_reply(self.respond(o.letter), o.answer.right)}</details>" for o in self.options)
        return themed(f"<div class='bnteach-quiz' role='group' aria-label='Quiz' style='{_FRAME}'>"
                      f"<p style='margin:0 0 .4em'><strong>{markup(self.question)}</strong></p>{items}</div>")

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        return {**(view(self.widget()) if live() else {}),
                "text/html": self._repr_html_(), "text/plain": repr(self)}

    def widget(self) -> ipywidgets.VBox:
        """The quiz as buttons. Tab moves between them, Enter or space chooses, any may be tried again."""
        import ipywidgets as w

        question, reply = w.HTMLMath(f"{themed(_STYLE)}<strong>{markup(self.question)}</strong>"), w.HTMLMath()
        marked = any(_has_markup(option.text) for option in self.options)
        chosen: list[str] = []

        def choose(button: Any, option: Option) -> None:
            chosen.append(option.letter)
            button.description = f"{'✓' if option.answer.right else '✗'} {_label(option, marked)}"
            button.add_class("bnteach-right" if option.answer.right else "bnteach-wrong")
            reply.value = _reply(self.respond(option.letter, chosen), option.answer.right)

        def row(option: Option) -> Any:
            button = w.Button(description=_label(option, marked), tooltip=option.text)
            button.add_class("bnteach-option")
            button.on_click(lambda pressed: choose(pressed, option))
            return w.HBox([button, w.HTMLMath(markup(option.text))]) if marked else button

        box = w.VBox([question, *map(row, self.options), reply])
        box.add_class("bnteach-quiz")
        return box


def _label(option: Option, marked: bool) -> str:
    """The label of a button: the option, or only its letter if the text has markup, which buttons cannot show."""
    return f"{option.letter})" if marked else f"{option.letter}) {option.text}"


# -- text to HTML ----------------------------------------------------------------------------------------
_VERBATIM = re.compile(r"(\$\$.+?\$\$|\$[^$\n]+\$|`[^`]+`)", re.DOTALL)
_STRONG, _EM = re.compile(r"\*\*(\S(?:.*?\S)?)\*\*"), re.compile(r"(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*(?![\w*])")
_FRAME = f"{CARD};display:block;border-left:5px solid {BLUE};padding:8px 14px;line-height:1.45"
_STYLE = f"""<style>
.widget-box.bnteach-quiz {{{_FRAME}}}
.bnteach-quiz .bnteach-option {{width: auto; min-width: 58px; height: auto; padding: 4px 12px; margin: 3px 0;
  flex-shrink: 0; white-space: normal; text-align: left; line-height: 1.4; color: {INK}; background: #f3f6f9;
  border: 1px solid #aab4be; border-radius: 6px}}
.bnteach-quiz > .bnteach-option {{display: block; margin: 5px 0; flex-shrink: 1; max-width: 100%}}
.bnteach-quiz .bnteach-option:focus-visible {{outline: 3px solid {BLUE}; outline-offset: -1px}}
.bnteach-quiz .bnteach-right {{background: #dcf1ea; border-color: {GREEN}}}
.bnteach-quiz .bnteach-wrong {{background: #fde8d8; border-color: {VERMILLION}}}
.bnteach-quiz .widget-hbox {{align-items: center; gap: 10px}}
.bnteach-quiz .widget-html-content, .bnteach-quiz .widget-htmlmath-content {{color: {INK}; line-height: 1.45}}
</style>"""


def markup(text: str) -> str:
    """Text with *emphasis*, **bold**, `code` and $math$ as HTML; everything else is literal.

    >>> markup("*A* < `B` when $a*b*c$")
    '<em>A</em> &lt; <code>B</code> when $a*b*c$'
    """
    return "".join(_piece(piece) for piece in _VERBATIM.split(text))


def _piece(piece: str) -> str:
    if piece.startswith("`") and piece.endswith("`") and len(piece) > 2:
        return f"<code>{escape(piece[1:-1])}</code>"
    if _VERBATIM.fullmatch(piece):
        return escape(piece, quote=False)
    return _EM.sub(r"<em>\1</em>", _STRONG.sub(r"<strong>\1</strong>", escape(piece, quote=False)))


def _has_markup(text: str) -> bool:
    return "$" in text or markup(text) != escape(text, quote=False)


def _reply(text: str, right: bool) -> str:
    colour = GREEN if right else VERMILLION
    style = f"border-left:3px solid {colour};padding:2px 10px;margin:4px 0 4px 18px;max-width:46em"
    return (f"<div role='status' aria-live='polite' style='{themed(style)}'>"
            f"{'✓' if right else '✗'} {markup(text)}</div>")
