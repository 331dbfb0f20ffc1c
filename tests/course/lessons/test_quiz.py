"""bn.quiz: as text, as a page without a kernel, and as live buttons."""

import subprocess
import sys
from html.parser import HTMLParser

import ipywidgets as widgets
import pytest

import bnteach as bn
from bnteach.course.lessons.quiz import Answer, Quiz, QuizError, markup, quiz

QUESTION = "Two roots of one tree. Whose likelihood is higher?"
OPTIONS = {
    "the heavier root's": "The root is in no formula: every *edge* counts once.",
    "*neither": "All roots give the same distribution, $p(x) < 1$.",
    "that of the cause": "Likelihood knows nothing of causes.",
}
MATHS = {"$a<b$": "no", "`x*y*z`": "no", "*plain": "yes"}


@pytest.fixture
def asked() -> Quiz:
    return quiz(QUESTION, OPTIONS)


# -- asking ----------------------------------------------------------------------------------------------
def test_a_star_marks_the_right_option(asked):
    assert [(o.letter, o.text, o.answer.right) for o in asked.options] == [
        ("a", "the heavier root's", False), ("b", "neither", True), ("c", "that of the cause", False)]


def test_right_names_the_right_options():
    options = {"*A* and B": "x", "C": "y", "D": "z"}
    assert [o.answer.right for o in quiz("?", options, right="C").options] == [False, True, False]
    assert [o.answer.right for o in quiz("?", options, right=["*A* and B", "D"]).options] == [True, False, True]
    assert quiz("?", options, right="C").options[0].text == "*A* and B"


def test_answers_by_letter_and_by_text(asked):
    assert asked.answer("b") == asked.answer("neither") == Answer(True, OPTIONS["*neither"])
    assert asked.answer("c") == (False, "Likelihood knows nothing of causes.")
    with pytest.raises(QuizError, match="no option 'd'; choose one of a, b, c"):
        asked.answer("d")


def test_what_is_said(asked):
    assert asked.respond("a").startswith("Not quite: The root is in no formula")
    assert asked.respond("b").startswith("Yes: All roots")


def test_several_right_options():
    several = quiz("Which are even?", {"*2": "Twice one.", "3": "Odd.", "*4": "Twice two."})
    assert several.respond("a") == "Yes: Twice one. At least one other option is also right."
    assert several.respond("c", before=["a"]) == "Yes: Twice two."
    assert several.respond("4", before=["a"]) == "Yes: Twice two."


@pytest.mark.parametrize(("arguments", "message"), [
    (("", OPTIONS), "starts with a question"),
    ((None, OPTIONS), "starts with a question"),
    ((QUESTION, ["a", "b"]), "the options are a dictionary.* a list was given"),
    ((QUESTION, {"*a": "x"}), "two to 8 options; 1 were given"),
    ((QUESTION, {f"{n}": "x" for n in range(9)}), "two to 8 options; 9 were given"),
    ((QUESTION, {"*a": "x", "b": ""}), "the option 'b' has no answer"),
    ((QUESTION, {"*a": "x", "b": None}), "the option 'b' has no answer"),
    ((QUESTION, {"*a": "x", 3: "y"}), "an option is a text, not 3"),
    ((QUESTION, {"*a": "x", "*": "y"}), "an option has no words"),
    ((QUESTION, {"a": "x", "b": "y"}), "no option is right: start the right one with a star"),
    ((QUESTION, {"a": "x", "b": "y"}, "c"), "right='c' is none of the options: 'a', 'b'"),
    ((QUESTION, {"a": "x", "b": "y"}, []), "right= names none"),
    ((QUESTION, {"*a": "x", "a": "y"}), "two options read the same: 'a'"),
    ((QUESTION, {"*a* is": "x", "b": "y"}), "does the star of .* mean that it is right, or emphasis"),
    ((QUESTION, {"**a** is": "x", "b": "y"}), "does the star of .* mean that it is right, or emphasis"),
])
def test_a_quiz_that_cannot_be_asked(arguments, message):
    with pytest.raises(QuizError, match=message):
        quiz(*arguments)


# -- text and page ---------------------------------------------------------------------------------------
def test_the_text_has_the_options_and_no_answer(asked):
    assert repr(asked) == f"{QUESTION}\n  a) the heavier root's\n  b) neither\n  c) that of the cause"


class Page(HTMLParser):
    """The words inside each kind of tag, and whether tags close as they open."""

    def __init__(self, html):
        super().__init__()
        self.stack, self.words, self.tags = [], {}, []
        self.feed(html)
        assert self.stack == []

    def handle_starttag(self, tag, attrs):
        self.stack.append(tag)
        self.tags.append((tag, dict(attrs)))
        self.words.setdefault(tag, []).append("")

    def handle_endtag(self, tag):
        assert self.stack.pop() == tag

    def handle_data(self, data):
        for tag in dict.fromkeys(self.stack):
            self.words[tag][-1] += data


def test_the_page_needs_no_script_and_holds_every_answer(asked):
    html = asked._repr_html_()
    page = Page(html)
    assert "script" not in html and "onclick" not in html
    assert page.words["summary"] == ["a) the heavier root's", "b) neither", "c) that of the cause"]
    assert page.words["details"] == [
        "a) the heavier root's✗ Not quite: The root is in no formula: every edge counts once.",
        "b) neither✓ Yes: All roots give the same distribution, $p(x) < 1$.",
        "c) that of the cause✗ Not quite: Likelihood knows nothing of causes."]
    assert "open" not in dict(next(attrs for tag, attrs in page.tags if tag == "details"))


@pytest.mark.parametrize(("text", "html"), [
    ("a < b & c", "a &lt; b &amp; c"),
    ("*so* and **very** so", "<em>so</em> and <strong>very</strong> so"),
    ("2 * 3 * 4 and a*b*c", "2 * 3 * 4 and a*b*c"),
    ("`bn.pc(x)` and `a*b*c`", "<code>bn.pc(x)</code> and <code>a*b*c</code>"),
    ("$a*b*c < d$ costs", "$a*b*c &lt; d$ costs"),
    ("$$\\sum_x *y*$$", "$$\\sum_x *y*$$"),
    ("*not `a*b` this*", "*not <code>a*b</code> this*"),
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
])
def test_markup(text, html):
    assert markup(text) == html


def test_markup_cannot_break_out_of_the_page():
    html = quiz("<b>?</b>", {"*<i>x": "</details><script>", "y": "'\""})._repr_html_()
    assert "<script" not in html and "<i>" not in html and "<b>" not in html
    Page(html)


# -- live ------------------------------------------------------------------------------------------------
def buttons(box):
    found = [child for child in box.children if isinstance(child, widgets.Button)]
    return found or [child.children[0] for child in box.children if isinstance(child, widgets.HBox)]


def reply(box):
    return " ".join(Page(box.children[-1].value).words.get("div", [""]))


def test_buttons_answer_and_may_be_tried_again(asked):
    box = asked.widget()
    assert [b.description for b in buttons(box)] == ["a) the heavier root's", "b) neither", "c) that of the cause"]
    assert reply(box) == ""
    buttons(box)[0].click()
    assert reply(box) == "✗ Not quite: The root is in no formula: every edge counts once."
    assert buttons(box)[0].description == "✗ a) the heavier root's"
    buttons(box)[1].click()
    assert reply(box) == "✓ Yes: All roots give the same distribution, $p(x) < 1$."
    assert [b.description[0] for b in buttons(box)] == ["✗", "✓", "c"]
    buttons(box)[0].click()
    assert reply(box).startswith("✗ Not quite") and buttons(box)[0].description == "✗ a) the heavier root's"
    assert not any(b.disabled for b in buttons(box))
    assert "aria-live='polite'" in box.children[-1].value


def test_two_showings_do_not_disturb_each_other(asked):
    first, second = asked.widget(), asked.widget()
    buttons(first)[0].click()
    assert reply(second) == "" and buttons(second)[0].description.startswith("a)")


def test_live_with_several_right_options():
    box = quiz("Which are even?", {"*2": "Twice one.", "3": "Odd.", "*4": "Twice two."}).widget()
    buttons(box)[0].click()
    assert "other option is also right" in reply(box)
    buttons(box)[2].click()
    assert reply(box) == "✓ Yes: Twice two."


def test_maths_and_code_stand_beside_the_buttons_where_they_are_rendered():
    box = quiz("Is $x$?", MATHS).widget()
    rows = [child for child in box.children if isinstance(child, widgets.HBox)]
    assert [row.children[0].description for row in rows] == ["a)", "b)", "c)"]
    assert [row.children[1].value for row in rows] == ["$a&lt;b$", "<code>x*y*z</code>", "plain"]
    shown = [box.children[0], box.children[-1], *(row.children[1] for row in rows)]
    assert all(isinstance(widget, widgets.HTMLMath) for widget in shown)
    assert "$x$" in box.children[0].value


# -- in a notebook ---------------------------------------------------------------------------------------
WIDGET = "application/vnd.jupyter.widget-view+json"


def test_without_a_kernel_there_is_no_widget(asked):
    assert list(asked._repr_mimebundle_()) == ["text/html", "text/plain"]
    assert not isinstance(asked, widgets.Widget)


def test_with_a_kernel_there_are_all_three(asked, monkeypatch):
    monkeypatch.setattr("bnteach.course.lessons.quiz.live", lambda: True)
    bundle = asked._repr_mimebundle_(include=None, exclude=None)
    assert sorted(bundle) == [WIDGET, "text/html", "text/plain"]
    assert bundle[WIDGET]["model_id"] and bundle["text/plain"] == repr(asked)


def test_the_same_quiz_twice_is_the_same_output(asked):
    again = quiz(QUESTION, OPTIONS)
    assert (repr(again), again._repr_html_()) == (repr(asked), asked._repr_html_())


def test_asking_loads_no_widgets():
    code = ("import sys, bnteach as bn; bn.quiz('?', {'*a': 'x', 'b': 'y'}); bn.claim('dimension.7', 7);"
            "print([m for m in ('ipywidgets', 'matplotlib', 'IPython') if m in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_names_are_public():
    assert bn.quiz is quiz and "quiz" in bn.__all__ and "claim" in bn.__all__
